// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_bpf NAME COMMAND [N]: attaches a BPF program to the raw tracepoint NAME, runs the command
 * with the shell, and prints how often the program was run meanwhile, and the sum of the
 * arguments number N (1 to 12, default: 1).  1: the kernel refused; 2: wrong use.
 *
 * Needs no library beyond libc, so that it can be linked statically and run in
 * the bare guest.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "raw_tracepoint.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define ARGUMENTS		12

struct sums {
	uint64_t calls, arguments;
};

static int make_map(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = sizeof(struct sums);
	attr.max_entries = 1;
	return bpf(BPF_MAP_CREATE, &attr);
}

static int load(int map, int number)
{
	struct bpf_insn program[] = {
		/* r6 = the argument */
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 6, .src_reg = 1,
		  .off = (number - 1) * sizeof(uint64_t) },
		/* the key 0 on the stack */
		{ .code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = 10, .off = -4 },
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1,
		  .src_reg = BPF_PSEUDO_MAP_FD, .imm = map },
		{ },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 2, .imm = -4 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 0, .off = 3 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 0, .src_reg = 1,
		  .imm = BPF_ADD },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 0, .src_reg = 6, .off = 8,
		  .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return raw_tracepoint_load(program, ARRAY_SIZE(program));
}

static int look_up(int map, struct sums *sums)
{
	uint32_t key = 0;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)sums;
	return bpf(BPF_MAP_LOOKUP_ELEM, &attr);
}

int main(int argc, char **argv)
{
	int number = argc == 4 ? atoi(argv[3]) : 1;
	int map, program, link;
	struct sums sums;

	if (argc < 3 || argc > 4 || number < 1 || number > ARGUMENTS) {
		fputs("usage: raw_bpf TRACEPOINT COMMAND [1-12]\n", stderr);
		return 2;
	}
	map = make_map();
	if (map < 0)
		err(1, "the map");
	program = load(map, number);
	if (program < 0)
		err(1, "the program");
	link = raw_tracepoint_attach(argv[1], program);
	if (link < 0)
		err(1, "%s", argv[1]);
	if (system(argv[2]))
		errx(1, "%s: fails", argv[2]);
	close(link);
	if (look_up(map, &sums))
		err(1, "its sums");
	printf("%llu %llu\n", (unsigned long long)sums.calls, (unsigned long long)sums.arguments);
	return 0;
}
