// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_bpf NAME: attaches a BPF program that does nothing to the raw
 * tracepoint NAME, and keeps it there in the background.  Prints the number of
 * the process that holds it; it ends with that.  1: the kernel refused.
 *
 * Needs no library beyond libc, so that it can be linked statically and run in
 * the bare guest.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

static int bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* The program `return 0`. */
static int load(void)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insns = (uintptr_t)program;
	attr.insn_cnt = ARRAY_SIZE(program);
	attr.license = (uintptr_t)"GPL";
	return bpf(BPF_PROG_LOAD, &attr);
}

static int attach(const char *name, int program)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uintptr_t)name;
	attr.raw_tracepoint.prog_fd = program;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

static int fail(const char *what)
{
	fprintf(stderr, "attach_bpf: %s: %s\n", what, strerror(errno));
	return 1;
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
		return fail("the program");
	if (attach(argv[1], program) < 0)
		return fail(argv[1]);
	child = fork();
	if (child < 0)
		return fail("fork");
	if (child) {
		printf("%d\n", child);
		return 0;
	}
	/* Who waits for the end of the output is not to wait for this. */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	pause();
	return 0;
}
