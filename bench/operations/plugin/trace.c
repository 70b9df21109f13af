// SPDX-License-Identifier: GPL-2.0-only
/*
 * A TCG plugin for QEMU 7.2, whose package has no header for plugins: counts how
 * often each instruction is executed between the marks of operations, and writes a
 * line "total NUMBER COUNT" for each run, and, for the shortest run of each operation, a
 * line "NUMBER ADDRESS COUNT" for each instruction, as soon as the last operation is
 * over.  -plugin trace.so,out=FILE
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of QEMU's qemu-plugin.h, version 1 of the interface, that is used here. */
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { CB_NO_REGS };	/* QEMU_PLUGIN_CB_NO_REGS */
/* Only the first member, which is in all versions of the interface. */
typedef struct qemu_info_t {
	const char *target_name;
} qemu_info_t;
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
typedef void translated_fn(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void executed_fn(unsigned int vcpu, void *data);
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, translated_fn *cb);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, executed_fn *cb,
						   int flags, void *data);

int qemu_plugin_version = 1;

#define MAX_OPERATIONS	64
#define MARK_SIZE	8
#define HINT		0xd503201fu	/* arm64: HINT #0, with its number in bits 5 to 11 */
#define FIRST_HINT	0x70
enum { MARK_NEXT = 1, MARK_START, MARK_STOP, MARK_END };

/* An instruction of a translation; an instruction that is translated twice has two of these. */
struct instruction {
	uint64_t address, count;
	struct instruction *next;	/* next counted instruction of this run */
};

struct line {
	uint64_t address, count;
};

static struct run {
	uint64_t total;
	size_t lines;
	struct line *line;
} shortest[MAX_OPERATIONS];

static struct instruction *counted;
static size_t counted_lines;
static uint64_t total;
static unsigned int operation;
static bool running, is_arm64;
static FILE *out;

static void on_instruction(unsigned int vcpu, void *data)
{
	struct instruction *instruction = data;

	(void)vcpu;
	if (!running)
		return;
	if (!instruction->count++) {
		instruction->next = counted;
		counted = instruction;
		counted_lines++;
	}
	total++;
}

/* Take the counts, keep them in `run' if there is one, and reset them. */
static void take_counts(struct run *run)
{
	size_t i = 0;

	if (run) {
		free(run->line);
		run->line = calloc(counted_lines + 1, sizeof(*run->line));
		run->lines = counted_lines;
		run->total = total;
	}
	for (; counted; counted = counted->next) {
		if (run)
			run->line[i++] = (struct line){ counted->address, counted->count };
		counted->count = 0;
	}
	counted_lines = 0;
	total = 0;
}

static void write_all(void)
{
	unsigned int i;
	size_t j;

	for (i = 0; i < MAX_OPERATIONS; i++)
		for (j = 0; j < shortest[i].lines; j++)
			fprintf(out, "%u\t%" PRIx64 "\t%" PRIu64 "\n", i,
				shortest[i].line[j].address, shortest[i].line[j].count);
	fclose(out);
}

static void on_mark(unsigned int vcpu, void *data)
{
	struct run *run = NULL;

	if (operation && operation <= MAX_OPERATIONS)
		run = &shortest[operation - 1];
	(void)vcpu;
	switch ((uintptr_t)data) {
	case MARK_NEXT:
		operation++;
		break;
	case MARK_START:
		running = true;
		break;
	case MARK_STOP:
		running = false;
		if (run)
			fprintf(out, "total\t%u\t%" PRIu64 "\n", operation - 1, total);
		take_counts(run && (!run->line || total < run->total) ? run : NULL);
		break;
	case MARK_END:
		write_all();
	}
}

/* hint #0x7N: N, else 0. */
static uintptr_t arm64_mark(const struct qemu_plugin_insn *insn)
{
	uint32_t code, number;

	memcpy(&code, qemu_plugin_insn_data(insn), sizeof(code));
	number = (code - HINT) >> 5;
	if (code != (HINT | number << 5) || number > FIRST_HINT + MARK_END)
		return 0;
	return number > FIRST_HINT ? number - FIRST_HINT : 0;
}

/* nopl 0x6b6d000N(%rax,%rax,1): N, else 0. */
static uintptr_t x86_mark(const struct qemu_plugin_insn *insn)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x84, 0x00 }, magic[] = { 0x00, 0x6d, 0x6b };
	const uint8_t *bytes = qemu_plugin_insn_data(insn);

	if (qemu_plugin_insn_size(insn) != MARK_SIZE || memcmp(bytes, nop, sizeof(nop)) ||
	    memcmp(bytes + 5, magic, sizeof(magic)))
		return 0;
	return bytes[4];
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i;

	(void)id;
	for (i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		struct instruction *instruction;
		uintptr_t mark = is_arm64 ? arm64_mark(insn) : x86_mark(insn);

		if (mark) {
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, CB_NO_REGS,
							       (void *)mark);
			continue;
		}
		instruction = calloc(1, sizeof(*instruction));
		instruction->address = qemu_plugin_insn_vaddr(insn);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_instruction, CB_NO_REGS,
						       instruction);
	}
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	is_arm64 = !strcmp(info->target_name, "aarch64");
	if (argc != 1 || strncmp(argv[0], "out=", 4)) {
		fputs("trace: the plugin takes out=FILE\n", stderr);
		return -1;
	}
	out = fopen(argv[0] + 4, "w");
	if (!out) {
		perror(argv[0] + 4);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
