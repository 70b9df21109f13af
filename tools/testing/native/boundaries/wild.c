// SPDX-License-Identifier: GPL-2.0-only
/* Section tables with invalid pointers, texts that do not end, shared code. */
#include <sys/mman.h>
#include <unistd.h>
#include "boundaries.h"
#include "registry.h"
#include "table_check.h"

#define INVALID	((void *)0xdead0000000)

static struct module module = { .name = "wild" };
static struct marker_gate gates[2];
static const struct marker_abi abi = MARKER_ABI;
static u8 code[32];

static int add(struct marker_site *site, unsigned int ngates)
{
	const struct marker_bounds bounds = {
		site, site + 1, gates, gates + ngates, NULL, NULL, &abi, &abi + 1,
	};
	struct marker_table *table;
	int ret;

	mutex_lock(&marker_mutex);
	table = marker_table_make(&module, &bounds);
	mutex_unlock(&marker_mutex);
	ret = IS_ERR(table) ? PTR_ERR(table) : 0;
	if (!ret)
		marker_table_free(table);
	return ret;
}

/* With this text as one of a site's. */
static int add_text(size_t field, const char *text)
{
	struct marker_site site = { .name = "wild", .format = "", .file = "w.c" };

	memcpy((u8 *)&site + field, &text, sizeof(text));
	return add(&site, 0);
}

/* The longest text that is accepted, and one more. */
static void check_size(const char *what, size_t field, unsigned int size)
{
	char *text = malloc(size + 1);

	memset(text, 'x', size);
	text[size] = '\0';
	check(add_text(field, text) == -EINVAL, "a text that is too long", what);
	text[size - 1] = '\0';
	check(!add_text(field, text), "the longest text", what);
	free(text);
}

static void check_text(const char *what, size_t field, unsigned int size)
{
	const long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(pages + page, page);
	memset(pages, 'x', page);
	check(add_text(field, pages + page - 9) == -EINVAL, "a text without an end", what);
	pages[page - 1] = '\0';
	check(!add_text(field, pages + page - 9), "a text at the end of memory", what);
	munmap(pages, page);
	check(add_text(field, NULL) == -EINVAL, "no text", what);
	check(add_text(field, INVALID) == -EINVAL, "a text at an invalid address", what);
	check_size(what, field, size);
}

static void check_names(void)
{
	static const char *const bad[] = { "", "two words", "new\nline", "tab\t", "\x7f", "\xc3\xa4" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		check(add_text(offsetof(struct marker_site, name), bad[i]) == -EINVAL,
		      "a name that is none", "");
	check(!add_text(offsetof(struct marker_site, name), "!~"), "the ends of what a name may be", "");
}

static void check_read_only(void)
{
	const long page = sysconf(_SC_PAGESIZE);
	struct marker_site *site = mmap(NULL, page, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*site = (struct marker_site){ .name = "wild", .format = "", .file = "w.c" };
	check(!add(site, 0), "data", "");
	mprotect(site, page, PROT_READ);
	check(add(site, 0) == -EINVAL, "read-only data", "");
	munmap(site, page);
}

static void lead(unsigned int gate, struct marker_site *site, const u8 *at)
{
	gates[gate].site = (u8 *)site - (u8 *)&gates[gate].site;
	gates[gate].code = at - (u8 *)&gates[gate].code;
	gates[gate].cold = code - (u8 *)&gates[gate].cold;
}

/* Two gates so many bytes apart, the second before the first where that is negative. */
static int add_apart(int bytes)
{
	static struct marker_site site = {
		.name = "wild", .format = "", .file = "w.c", .kind = MARKER_GATE_NOP5,
	};

	lead(0, &site, code + 16);
	lead(1, &site, code + 16 + bytes);
	return add(&site, 2);
}

void check_wild_tables(void)
{
	u8 bytes[MARKER_GATE_CODE_MAX];
	const struct marker_gate_state gate = {
		.code = code, .cold = code, .kind = MARKER_GATE_NOP5, .built = MARKER_GATE_NOP5,
	};
	int len = marker_gate_encode_built(&gate, bytes);

	check_text("name", offsetof(struct marker_site, name), MARKER_NAME_SIZE);
	check_text("format", offsetof(struct marker_site, format), MARKER_FORMAT_SIZE);
	check_text("file", offsetof(struct marker_site, file), MARKER_FILE_SIZE);
	check_names();
	check_read_only();
	check(add_apart(0) == -EINVAL, "two gates at one place", "");
	check(add_apart(len - 1) == -EINVAL, "a gate in the last byte of another", "");
	check(add_apart(1 - len) == -EINVAL, "a gate in the first byte of another", "");
	check(!add_apart(len) && !add_apart(-len), "a gate beside another", "");
}
