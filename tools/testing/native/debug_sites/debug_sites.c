// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count the debug sites of modules that markers.ko can record, without loading the modules.
 * The program lays out each module in its memory, and calls the files of markers/ that find
 * the calls of debug sites and read their formats.
 *
 *	debug_sites <FILES		of the modules that the lines of FILES name: how many sites
 *					are recorded typed, as text, or refused, and why
 *	debug_sites -v <FILES		each site, too
 *	debug_sites --format N FORMAT	the format of the marker; N words describe the device
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "debug_calls.h"
#include "debug_format.h"
#include "image.h"

#define REASONS_MAX	16

/* In the place of the kernel's; the addresses are all that is used. */
static void pr(void) { __asm__ volatile(""); }
static void dev(void) { __asm__ volatile("nop"); }
static void netdev(void) { __asm__ volatile("nop; nop"); }
static void divert(void) { __asm__ volatile("nop; nop; nop"); }
static void print(void) { __asm__ volatile("nop; nop; nop; nop"); }
static void other(void) { __asm__ volatile("nop; nop; nop; nop; nop"); }

const struct marker_debug_function marker_debug_functions[] = {
	{ pr, divert, NULL, DEBUG_SLOT_SECOND, 0 },
	{ dev, divert, NULL, DEBUG_SLOT_THIRD, 2 },
	{ netdev, divert, NULL, DEBUG_SLOT_THIRD, 1 },
	{ }
};

bool marker_kprobe_gate_possible(void)
{
	return true;
}

/* Only one of the functions that print has a name. */
void marker_function_name(const void *code, char *name, size_t size)
{
	snprintf(name, size, "%s", code == (void *)print ? "printk" : "");
}

static const void *find(const char *name)
{
	static const char *const names[] = { "__dynamic_pr_debug", "__dynamic_dev_dbg",
					     "__dynamic_netdev_dbg" };
	static const char *const words[] = { "dbg", "debug", "printk", "print_hex" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return marker_debug_functions[i].function;
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(name, words[i]))
			return print;
	return other;
}

static struct {
	unsigned int modules, sites, typed, partly, text, by_kprobe, refused;
	const char *reasons[REASONS_MAX];
	unsigned int of_reason[REASONS_MAX];
} counts;

static void count_reason(const char *why)
{
	unsigned int i;

	counts.refused++;
	for (i = 0; i < REASONS_MAX - 1 && counts.reasons[i] && strcmp(counts.reasons[i], why); i++)
		;
	counts.reasons[i] = why;
	counts.of_reason[i]++;
}

/* Count a site that is recorded; return in what form. */
static const char *count_recorded(const struct marker_debug_format *format)
{
	if (!format->ntexts) {
		counts.typed++;
		return "typed";
	}
	if (format->nwords - format->nprefix > format->ntexts) {
		counts.partly++;
		return "typed and text";
	}
	counts.text++;
	return "text";
}

static void print_site(const struct _ddebug *site, const char *form, const char *text)
{
	const char *at;

	printf("%s\t%s\t%s\t%s\t", site->modname, site->function, form, text);
	for (at = site->format; *at; at++)
		if ((unsigned char)*at < ' ')
			printf("\\%03o", *at);
		else
			putchar(*at);
	printf("\n");
}

static void count_site(const struct image *image, const struct _ddebug *site, bool verbose)
{
	struct marker_debug_range range = { .jumps_end = image->jumps + image->njumps };
	struct marker_debug_call calls[MARKER_DEBUG_CALLS_MAX] = { };
	struct marker_debug_format format;
	char text[MARKER_FORMAT_SIZE] = "";
	const char *why, *form, *source;
	unsigned int n;

	counts.sites++;
	why = marker_debug_calls_find(&range, site, calls, &n);
	if (why) {
		count_reason(why);
		form = why;
	} else {
		source = calls[0].format ?: site->format;
		marker_debug_format_make(&format, text, source, calls[0].function->nprefix);
		counts.by_kprobe += !n;
		form = count_recorded(&format);
	}
	if (verbose)
		print_site(site, form, text);
}

static int count_file(const char *path, bool verbose)
{
	struct image image;
	const char *wrong = image_load(&image, path, find);
	unsigned int i;

	if (wrong) {
		fprintf(stderr, "%s: %s\n", path, wrong);
	} else {
		counts.modules += image.nsites > 0;
		for (i = 0; i < image.nsites; i++)
			count_site(&image, &image.sites[i], verbose);
	}
	image_free(&image);
	return wrong ? 1 : 0;
}

static void print_row(const char *what, unsigned int n)
{
	printf("%7u  %5.1f %%  %s\n", n, counts.sites ? 100.0 * n / counts.sites : 0, what);
}

static void print_counts(void)
{
	char what[128];
	unsigned int i;

	printf("%u debug sites in %u modules\n", counts.sites, counts.modules);
	print_row("every argument is a field of its type", counts.typed);
	print_row("some arguments are fields, others become text", counts.partly);
	print_row("all arguments become text", counts.text);
	print_row("by a kprobe, as the call cannot be diverted", counts.by_kprobe);
	print_row("refused", counts.refused);
	for (i = 0; i < REASONS_MAX && counts.reasons[i]; i++) {
		snprintf(what, sizeof(what), "refused: %s", counts.reasons[i]);
		print_row(what, counts.of_reason[i]);
	}
}

static int print_format(const char *nprefix, const char *source)
{
	static const char *const readings[] = { "word", "text", "rest", "printf" };
	struct marker_debug_format format;
	char text[MARKER_FORMAT_SIZE];
	unsigned int i;

	marker_debug_format_make(&format, text, source, atoi(nprefix));
	printf("%s|%08x|", text, format.types);
	for (i = format.nprefix; i < format.nwords; i++)
		printf("%s%s", i > format.nprefix ? " " : "", readings[format.words[i].reading]);
	printf("\n");
	return 0;
}

int main(int argc, char **argv)
{
	bool verbose = argc == 2 && !strcmp(argv[1], "-v");
	char path[4096];
	int ret = 0;

	if (argc == 4 && !strcmp(argv[1], "--format"))
		return print_format(argv[2], argv[3]);
	if (argc > 1 + verbose) {
		fprintf(stderr, "usage: debug_sites [-v] <FILES | debug_sites --format N FORMAT\n");
		return 2;
	}
	while (fgets(path, sizeof(path), stdin)) {
		path[strcspn(path, "\n")] = '\0';
		ret |= count_file(path, verbose);
	}
	print_counts();
	return ret;
}
