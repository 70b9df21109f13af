// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_bpf TRACEPOINT [BYTES]: attaches a BPF program to a raw tracepoint, and keeps it there in
 * the background.  The program does nothing; with BYTES, it stores the time and the first two
 * arguments of each event in a BPF ring buffer of that size.  Prints the number of the process that
 * holds it; it ends with that.  1: the kernel refused; 2: wrong use.
 *
 * Needs no library beyond libc, so that it can be linked statically and run in
 * the bare guest.
 */
#include <err.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "hold.h"
#include "raw_tracepoint.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

struct event {
	uint64_t time, arguments[2];
};

/* Copy an argument from r6 to r7. */
#define COPY(number)							\
	{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_1,	\
	  .src_reg = BPF_REG_6, .off = (number) * sizeof(uint64_t) },	\
	{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_7,	\
	  .src_reg = BPF_REG_1, .off = offsetof(struct event, arguments[number]) }

static int make_ring(unsigned long bytes)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_RINGBUF;
	attr.max_entries = bytes;
	return bpf(BPF_MAP_CREATE, &attr);
}

/* The program `return 0`. */
static int load_empty(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return raw_tracepoint_load(program, ARRAY_SIZE(program));
}

static int load_storing(int ring)
{
	struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_6,
		  .src_reg = BPF_REG_1 },
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_PSEUDO_MAP_FD, .imm = ring },
		{ },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2,
		  .imm = sizeof(struct event) },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ringbuf_reserve },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = BPF_REG_0, .off = 10 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_7,
		  .src_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ktime_get_ns },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_7, .src_reg = BPF_REG_0 },
		COPY(0),
		COPY(1),
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1,
		  .src_reg = BPF_REG_7 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2,
		  .imm = BPF_RB_NO_WAKEUP },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ringbuf_submit },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return raw_tracepoint_load(program, ARRAY_SIZE(program));
}

int main(int argc, char **argv)
{
	int ring = -1, program;

	if (argc < 2 || argc > 3) {
		fputs("usage: attach_bpf TRACEPOINT [BYTES]\n", stderr);
		return 2;
	}
	if (argc == 3) {
		ring = make_ring(strtoul(argv[2], NULL, 0));
		if (ring < 0)
			err(1, "a ring buffer of %s bytes", argv[2]);
	}
	program = argc == 3 ? load_storing(ring) : load_empty();
	if (program < 0)
		err(1, "the program");
	if (raw_tracepoint_attach(argv[1], program) < 0)
		err(1, "%s", argv[1]);
	return hold(NULL);
}
