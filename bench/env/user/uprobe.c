// SPDX-License-Identifier: GPL-2.0-only
/*
 * Uprobes by perf_event_open(), on the program itself.  The events only count, so the
 * handler is as empty as one can be.
 *
 * The text of the program is a copy in memory, so that sites can be patched.  The kernel
 * sets uprobes in what maps the file: the page with the probes is mapped once more.
 */
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "uprobe.h"

#define TYPE	"/sys/bus/event_source/devices/uprobe/type"

#define PAGE	4096ul

/*
 * The probes: the instruction that the uprobe is set on, and a jump to the usual probe,
 * which is the same wherever they are mapped.
 */
#define ON_TO_PROBE							\
	"movabs $marker_bench_form_expected_probe, %r11\n\t"		\
	"jmp *%r11\n"

asm(".pushsection .text\n\t"
	".balign 64\n"
	"native_uprobe_on_nop:\n\t"
	".byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n\t"
	ON_TO_PROBE
	"native_uprobe_on_mov:\n\t"
	"mov %rdi, %rdi\n\t"
	ON_TO_PROBE
	"\t.popsection");

form_varargs_fn native_uprobe_on_nop, native_uprobe_on_mov;
form_varargs_fn *native_uprobe_nop = native_uprobe_on_nop;
form_varargs_fn *native_uprobe_step = native_uprobe_on_mov;

struct place {
	unsigned long addr, offset;	/* in memory, and in the program's file; 0: not found */
};

/* The program itself comes first. */
static int find_offset(struct dl_phdr_info *info, size_t size, void *data)
{
	struct place *place = data;
	const Elf64_Phdr *part;
	unsigned long at;
	int i;

	for (i = 0; i < info->dlpi_phnum; i++) {
		part = &info->dlpi_phdr[i];
		at = place->addr - info->dlpi_addr - part->p_vaddr;
		if (part->p_type == PT_LOAD && at < part->p_filesz)
			place->offset = part->p_offset + at;
	}
	return 1;
}

/* The function of the file at @path that lies at @offset, in a mapping of its own. */
static form_varargs_fn *map_again(const char *path, unsigned long offset)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	void *page;

	if (file < 0)
		return NULL;
	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, offset & -PAGE);
	close(file);
	return page == MAP_FAILED ? NULL : page + offset % PAGE;
}

static bool attach(unsigned int type, form_varargs_fn **probe)
{
	struct place place = { .addr = (unsigned long)*probe };
	struct perf_event_attr event = { .type = type, .size = sizeof(event) };
	char path[PATH_MAX] = "";
	form_varargs_fn *mapped;

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		return false;
	dl_iterate_phdr(find_offset, &place);
	mapped = place.offset ? map_again(path, place.offset) : NULL;
	if (!mapped)
		return false;
	*probe = mapped;
	event.uprobe_path = (unsigned long)path;
	event.probe_offset = place.offset;
	/* The event stays until the program ends. */
	return syscall(SYS_perf_event_open, &event, 0, -1, -1, 0) >= 0;
}

bool native_uprobes_attach(void)
{
	FILE *file = fopen(TYPE, "r");
	unsigned int type;
	bool found;

	if (!file)
		return false;
	found = fscanf(file, "%u", &type) == 1;
	fclose(file);
	return found && attach(type, &native_uprobe_nop) && attach(type, &native_uprobe_step);
}
