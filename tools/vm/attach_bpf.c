// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_bpf NAME: attaches a BPF program that does nothing to the raw
 * tracepoint NAME, and keeps it there in the background.  Prints the number of
 * the process that holds it; it ends with that.  1: the kernel refused.
 *
 * Needs no library beyond libc, so that it can be linked statically and run in
 * the bare guest.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "raw_tracepoint.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* The program `return 0`. */
static int load(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return raw_tracepoint_load(program, ARRAY_SIZE(program));
}

int main(int argc, char **argv)
{
	int program;
	pid_t child;

	if (argc != 2) {
		fputs("usage: attach_bpf TRACEPOINT\n", stderr);
		return 2;
	}
	program = load();
	if (program < 0)
		err(1, "the program");
	if (raw_tracepoint_attach(argv[1], program) < 0)
		err(1, "%s", argv[1]);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child) {
		printf("%d\n", child);
		return 0;
	}
	/* Close the output, so that its reader sees the end although this process stays. */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	pause();
	return 0;
}
