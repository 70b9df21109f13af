/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Formats of printk() with values: markers.ko (marker_formats.ko, tools/testing/guest/) and kernels
 * with the series (tools/testing/long/tree/marked_formats.c) pass one marker for each, and each
 * recorded text is compared with the text of printk().  The lists at the end are the differences,
 * and that a MARK() of the series takes no bit-fields, which are in formats.c.
 */
#ifndef FORMAT_CORPUS_H
#define FORMAT_CORPUS_H

#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/netdev_features.h>
#include <linux/rtc.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <linux/vmalloc.h>

#define LONG_TEXT 5000u

static const u8 bytes[16] = {
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0xab, 0, 0x1b, '"', 0x7f, 0xff,
};

static struct sockaddr_in in4 = { .sin_family = AF_INET };
static struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 };
static phys_addr_t physical = 0x123456789aull;
static dma_addr_t dma = 0xfedcba98ull;
static struct rtc_time date = { .tm_year = 106, .tm_mon = 8, .tm_mday = 19, .tm_hour = 1 };
static time64_t seconds = 1158624000;
static struct resource memory = { .start = 0x60000000, .end = 0x6fffffff, .flags = IORESOURCE_MEM };
static netdev_features_t features = 0xc000;
static u32 pixels = 0x32314742;
static gfp_t gfp = GFP_KERNEL | __GFP_NOWARN;
static unsigned long vma = VM_READ | VM_EXEC;
static unsigned long page;
static unsigned long bits[2] = { 0xff00000000000779ul, 5 };

static struct dentry *dir;
static struct file *folder;		/* open as long as this module is there */
static char *long_text;			/* LONG_TEXT times 'x' */
static char *last_bytes;		/* "abcd", and then a page that is not mapped */
static int five = 5, minus_six = -6;
static const struct cpumask some_cpus = { { 0xb } };

/* Object whose address is printed. */
static noinline int module_function(void)
{
	return five;
}

/*
 * Rows: name, format, arguments.  The texts are those of printk(), in markers.ko and in kernels
 * with the series.
 */
#define FORMATS(X)							\
	X(text_s, "%s", "plain")					\
	X(text_empty, "%s", "")						\
	X(text_null, "%s", (char *)NULL)				\
	X(text_percent, "100%% %s %%", "sure")				\
	X(text_precision, "%.3s", "abcdef")				\
	X(text_precision_star, "%.*s", 4, "abcdef")			\
	X(text_precision_long, "%.*s", 20000, "abcdef")			\
	X(text_precision_minus, "%.*s", -1, "abcdef")			\
	X(text_four, "%.4s", last_bytes)				\
	X(text_four_star, "%.*s", 4, last_bytes)			\
	X(text_null_cut, "%.3s", (char *)NULL)				\
	X(text_ks, "%pks", "kernel")					\
	X(text_unsigned, "%s", (const unsigned char *)"bytes")		\
	X(text_i4, "%pI4", bytes)					\
	X(text_i4_zero, "%pi4", bytes)					\
	X(text_i4h, "%pI4h", bytes)					\
	X(text_i6, "%pI6", bytes)					\
	X(text_i6_plain, "%pi6", bytes)					\
	X(text_i6c, "%pI6c", bytes)					\
	X(text_is4, "%pIS", &in4)					\
	X(text_is4p, "%pISpc", &in4)					\
	X(text_is4_last, "%pIS", last_bytes - 12)			\
	X(text_is6, "%pISpfsc", &in6)					\
	X(text_mac, "%pM", bytes)					\
	X(text_mac_reversed, "%pMR", bytes)				\
	X(text_mac_fddi, "%pMF", bytes)					\
	X(text_mac_plain, "%pm", bytes)					\
	X(text_uuid_b, "%pUb", bytes)					\
	X(text_uuid_l, "%pUL", bytes)					\
	X(text_hex, "%*ph", 16, bytes)					\
	X(text_hex_c, "%*phC", 3, bytes)				\
	X(text_hex_d, "%4phD", bytes)					\
	X(text_hex_n, "%16phN", bytes)					\
	X(text_hex_one, "%ph", bytes)					\
	X(text_hex_none, "%*ph", 0, bytes)				\
	X(text_escaped, "%*pE", 16, bytes)				\
	X(text_escaped_h, "%*pEhp", 16, bytes)				\
	X(text_bits, "%*pb", 70, bits)					\
	X(text_bits_list, "%*pbl", 70, bits)				\
	X(text_physical, "%pa", &physical)				\
	X(text_physical_p, "%pap", &physical)				\
	X(text_dma, "%pad", &dma)					\
	X(text_resource, "%pr", &memory)				\
	X(text_resource_flags, "%pR", &memory)				\
	X(text_date, "%ptR", &date)					\
	X(text_day, "%ptRd", &date)					\
	X(text_time, "%ptT", &seconds)					\
	X(text_time_space, "%ptTs", &seconds)				\
	X(text_features, "%pNF", &features)				\
	X(text_fourcc, "%p4cc", &pixels)				\
	X(text_gfp, "%pGg", &gfp)					\
	X(text_vma, "%pGv", &vma)					\
	X(text_page, "%pGp", &page)					\
	X(text_symbol, "%pS", kfree)					\
	X(text_symbol_name, "%ps", kfree)				\
	X(text_symbol_module, "%pS", module_function)				\
	X(text_symbol_build, "%pSb", kfree)				\
	X(text_backtrace, "%pB", (char *)kfree + 1)			\
	X(text_error, "%pe", ERR_PTR(-ENOSPC))				\
	X(text_dentry, "%pd", dir)					\
	X(text_dentry2, "%pd2", dir)					\
	X(text_dentry4, "%pd4", dir)					\
	X(text_file, "%pD", folder)					\
	X(text_file2, "%pD2", folder)				\
	X(text_hex_null, "%*ph", 12, NULL)				\
	X(text_dentry_null, "%pd", NULL)				\
	X(word_signed, "%hhd %hd %d %ld %lld %zd %td %i", (signed char)-1, (short)-2, -3, \
	  -4l, -5ll, (ssize_t)-6, (ptrdiff_t)-7, -8)			\
	X(word_unsigned, "%hhu %hu %u %lu %llu %zu", (u8)200, (u16)40000, 4000000000u, \
	  ~0ul, ~0ull, (size_t)7)					\
	X(word_hex, "%x %X %#x %lx %llX %o %#o %hhx", 0xabcu, 0xabcu, 255u, ~0ul, \
	  1ull << 63, 8u, 8u, (u8)0xfe)					\
	X(word_narrow, "%d %u %x %d %u", (s8)-1, (s8)-1, (s8)-1, (u8)200, (s16)-2) \
	X(word_flags, "[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d]", 42, 42, 42, 42, 42, \
	  42, 42)							\
	X(word_star, "[%*d] [%-*d]", five, 42, 6, 43)			\
	X(word_star_minus, "[%*d]", minus_six, 42)			\
	X(word_star_both, "[%*.*d]", 8, 3, 42)				\
	X(word_char, "[%c] [%3c] [%-3c]", 'a', 'b', 'c')		\
	X(word_address, "%px", (void *)0xffff888000001234ul)		\
	X(word_address_wide, "[%20px]", (void *)0x1234ul)		\
	X(word_text, "[%10s] [%-10s] [%10.3s] [%-10.3s]", "right", "left", "precise", "precise") \
	X(word_text_star, "[%*s] [%-*s]", 8, "ab", 8, "cd")		\
	X(word_text_minus, "[%*s]", minus_six, "ab")			\
	X(word_text_both, "[%*.*s] %d", 8, 3, "abcdef", 7)		\
	X(word_decoded, "[%12pI4] [%-12pI4]", bytes, bytes)		\
	X(word_mixed, "a=%d b=%s c: %pM %*phC end", 1, "two", bytes, 2, bytes) \
	X(text_cpus, "%*pbl", cpumask_pr_args(&some_cpus))	\
	X(word_none, "nothing at all")					\
	X(word_degree, "%% %d\302\260" "C, \302\265\\%%\303\251 %d \360\237\220\247", 21, 22) \
	X(word_backslash, "C:\\%d \"quoted\" \\", 42)			\
	X(hash_p, "%p", &date)						\
	X(hash_wide, "[%20p]", &date)					\
	X(hash_k, "%pK", &date)						\
	X(hash_no_error, "%pe", &date)

/* Formats for which printk() would oops, or with a level or newlines: name, text, format, values */
#define BAD_TEXTS(X)							\
	X(bad_error, "(efault)", "%s", (char *)ERR_PTR(-ENOENT)) \
	X(bad_low, "(efault)", "%s", (char *)8) \
	X(bad_user, "(efault)", "%s", (char *)0x400000) \
	X(bad_not_canonical, "(efault)", "%s", (char *)0xdead000000000100ul) \
	X(bad_unmapped, "(efault)", "%s", last_bytes + 4) \
	X(newlines, "five 5", "five %d\n\n", five) \
	X(word_level, "state=5", KERN_DEBUG "state=%d\n", five)

/* The series records bytes, which are zero where they cannot be read; so it does not know NULL. */
#define NULL_FORMATS(X)							\
	X(text_i4_null, "%pI4", NULL)					\
	X(text_i4_error, "%pI4", ERR_PTR(-ENOENT))

/*
 * markers.ko checks all that a pointer leads to, and keeps what it has read of a text.  In the
 * series a text that ends in an unreadable page is unreadable, and all but "%s" is read as by
 * printk().
 */
#define BAD_POINTERS(X)							\
	X(bad_runs_out, "abcd", "%s", last_bytes)			\
	X(bad_bytes, "(efault)", "%pI6", last_bytes) \
	X(bad_dentry, "(efault)", "%pd", last_bytes + 4) \
	X(bad_file, "(efault)", "%pD", (void *)0x400000) \
	X(bad_count, "(efault)", "%*phN", 6, last_bytes)

/* No probe of markers.ko can record these; the series records the text of printk(). */
#define REFUSED_FORMATS(X)						\
	X(refused_recursive, "%pV", &date)				\
	X(refused_node, "%pOF", &date)					\
	X(refused_fwnode, "%pfwP", &date)				\
	X(refused_clock, "%pC", &date)					\
	X(refused_disk, "%pg", &date)					\
	X(refused_user, "%pus", &date)					\
	X(refused_unknown, "%pz", &date)				\
	X(refused_behind, "%d %s %pV", 1, "text", &date)

/* Make the objects that the arguments lead to. */
static int __init format_corpus_init(void)
{
	char *pages = vmalloc(PAGE_SIZE);

	long_text = kmalloc(LONG_TEXT + 1, GFP_KERNEL);
	folder = filp_open("/sys/kernel", O_RDONLY | O_DIRECTORY, 0);
	if (!pages || !long_text || IS_ERR(folder)) {
		vfree(pages);
		kfree(long_text);
		if (!IS_ERR(folder))
			filp_close(folder, NULL);
		return IS_ERR(folder) ? PTR_ERR(folder) : -ENOMEM;
	}
	memset(long_text, 'x', LONG_TEXT);
	long_text[LONG_TEXT] = '\0';
	last_bytes = pages + PAGE_SIZE - 4;
	memcpy(last_bytes, "abcd", 4);
	in4.sin_port = htons(80);
	memcpy(&in4.sin_addr, bytes, sizeof(in4.sin_addr));
	/* Less than one of IPv6, and then the page that is not mapped. */
	memcpy(last_bytes - 12, &in4, 12);
	in6.sin6_port = htons(443);
	memcpy(&in6.sin6_addr, bytes, sizeof(in6.sin6_addr));
	return 0;
}

static void format_corpus_exit(void)
{
	filp_close(folder, NULL);
	kfree(long_text);
	vfree(last_bytes + 4 - PAGE_SIZE);
}

#endif
