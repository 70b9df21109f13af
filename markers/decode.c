// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoders for "%p" with a suffix.  The pointer is not trusted: all reads use
 * copy_from_kernel_nofault(), and printf() formats the copy.  For a pointer that cannot be
 * read, printf() gets an error pointer, for which it writes "(efault)".
 *
 * When a probe is connected, conversions are refused whose data cannot be copied because it
 * points to more data (%pV, %pOF, %pfw, %pC, %pg), and %pus.
 */
#include <linux/fs.h>
#include <linux/in6.h>
#include <linux/netdev_features.h>
#include <linux/rcupdate.h>
#include <linux/rtc.h>
#include <linux/uaccess.h>
#include "decode.h"
#include "nofault.h"

#define BYTES_MAX	64
#define DEPTH_MAX	4	/* names in a %pd4 */

/* Kinds of data behind a pointer, and the unit in which their size is counted. */
enum unit { FIXED, ADDRESS, BYTES, BITS, DENTRY, FILES };

struct marker_decoder {
	const char *suffix;	/* anything may follow, as printf() has it */
	u8 unit;
	u8 bytes;		/* copied, of FIXED */
	u8 least;		/* enough, where @bytes are not there; 0: they have to be */
};

/* Longer suffixes come first, so that %pSR is not read as %pS. */
static const struct marker_decoder decoders[] = {
	{ "S", ADDRESS }, { "s", ADDRESS }, { "B", ADDRESS }, { "e", ADDRESS },
	{ "I4", FIXED, 4 }, { "i4", FIXED, 4 },
	{ "I6", FIXED, 16 }, { "i6", FIXED, 16 },
	{ "IS", FIXED, sizeof(struct sockaddr_in6), 16 },
	{ "iS", FIXED, sizeof(struct sockaddr_in6), 16 },
	{ "M", FIXED, 6 }, { "m", FIXED, 6 },
	{ "U", FIXED, 16 },
	{ "h", BYTES }, { "E", BYTES }, { "b", BITS },
	{ "ad", FIXED, sizeof(dma_addr_t) }, { "a", FIXED, sizeof(phys_addr_t) },
	{ "R", FIXED, sizeof(struct resource) }, { "r", FIXED, sizeof(struct resource) },
	{ "tR", FIXED, sizeof(struct rtc_time) }, { "tT", FIXED, sizeof(time64_t) },
	{ "NF", FIXED, sizeof(netdev_features_t) },
	{ "4cc", FIXED, 4 },
	{ "Gg", FIXED, sizeof(gfp_t) },
	{ "Gp", FIXED, sizeof(long) }, { "Gv", FIXED, sizeof(long) },
	{ "d", DENTRY }, { "D", FILES },
};

const struct marker_decoder *notrace marker_decoder_find(const char *suffix, bool *counts)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(decoders); i++) {
		if (strncmp(suffix, decoders[i].suffix, strlen(decoders[i].suffix)))
			continue;
		*counts = decoders[i].unit == BYTES || decoders[i].unit == BITS;
		return &decoders[i];
	}
	return NULL;
}

/* The kernel prints the last @depth names of a path, from the outside in. */
static unsigned int notrace write_names(struct dentry *dentry, unsigned int depth, char *to,
					unsigned int size)
{
	const unsigned char *names[DEPTH_MAX];
	struct dentry *parent;
	unsigned int n, len = 0;

	for (n = 0; n < depth; dentry = parent) {
		if (get_kernel_nofault(parent, &dentry->d_parent) ||
		    get_kernel_nofault(names[n], &dentry->d_name.name))
			return scnprintf(to, size, "(efault)");
		n++;
		if (parent == dentry)
			break;
	}
	/* The root, which is "/", is only the '/' before the next name. */
	if (n > 1 && parent == dentry)
		names[n - 1] = "";
	while (n--) {
		len += marker_nofault_string((unsigned long)names[n], to + len, size - len);
		if (n && len < size - 1)
			to[len++] = '/';
	}
	to[len] = '\0';
	return len;
}

static unsigned int notrace write_dentry(const struct marker_arg *arg, unsigned long word,
					 char *to, unsigned int size)
{
	char digit = arg->decode[1];
	unsigned int depth = digit >= '2' && digit <= '0' + DEPTH_MAX ? digit - '0' : 1;
	struct dentry *dentry = (struct dentry *)word;

	if (!word)
		return scnprintf(to, size, "(null)");
	if (arg->decoder->unit == FILES &&
	    get_kernel_nofault(dentry, &((struct file *)word)->f_path.dentry))
		return scnprintf(to, size, "(efault)");
	return write_names(dentry, depth, to, size);
}

/* Return the pointer for printf(): @copy with the data, an error, or @word if nothing is read. */
static const void *notrace fetch(const struct marker_decoder *decoder, unsigned long word,
				 unsigned int bytes, void *copy)
{
	const void *from = (const void *)word;

	if (!from || !bytes)
		return from;
	if (!copy_from_kernel_nofault(copy, from, bytes))
		return copy;
	if (decoder->least && !copy_from_kernel_nofault(copy, from, decoder->least))
		return copy;
	return ERR_PTR(-EFAULT);
}

static unsigned int notrace bytes_of(const struct marker_decoder *decoder, int count)
{
	switch (decoder->unit) {
	case BYTES:
		return min(abs(count), BYTES_MAX);
	case BITS:
		return min_t(size_t, BITS_TO_LONGS(abs(count)) * sizeof(long), BYTES_MAX);
	default:
		return decoder->bytes;
	}
}

unsigned int notrace marker_decode(const struct marker_arg *arg, unsigned long word, int count,
				   char *to, unsigned int size)
{
	const struct marker_decoder *decoder = arg->decoder;
	unsigned long copy[BYTES_MAX / sizeof(long)] = { };
	char spec[4 + sizeof(arg->decode)];
	const void *what;
	int most;

	BUILD_BUG_ON(sizeof(struct resource) > BYTES_MAX || sizeof(struct rtc_time) > BYTES_MAX);
	if (decoder->unit == DENTRY || decoder->unit == FILES)
		return write_dentry(arg, word, to, size);
	/*
	 * Symbols are looked up under RCU. Without RCU, print as %p does, which hashes the
	 * address.
	 */
	if (decoder->unit == ADDRESS && !rcu_is_watching())
		return scnprintf(to, size, "%p", (const void *)word);
	most = decoder->unit == BITS ? 8 * BYTES_MAX : BYTES_MAX;
	count = clamp(count, -most, most);
	what = decoder->unit == ADDRESS ? (const void *)word :
	       fetch(decoder, word, bytes_of(decoder, count), copy);
	scnprintf(spec, sizeof(spec), "%%%sp%s", arg->counts ? "*" : "", arg->decode);
	if (!arg->counts)
		return scnprintf(to, size, spec, what);
	scnprintf(to, size, spec, count, what);
	/* Some flags of %pE leave a NUL as it is, and a text ends there. */
	return strlen(to);
}
