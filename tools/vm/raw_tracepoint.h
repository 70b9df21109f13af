/* SPDX-License-Identifier: GPL-2.0-only */
/* A BPF program at a raw tracepoint, by system calls only: the bare guest has no library. */
#ifndef RAW_TRACEPOINT_H
#define RAW_TRACEPOINT_H

#include <linux/bpf.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* The file of the program of @n instructions; -1 and errno. */
static inline int raw_tracepoint_load(const struct bpf_insn *program, unsigned int n)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insns = (uintptr_t)program;
	attr.insn_cnt = n;
	attr.license = (uintptr_t)"GPL";
	return bpf(BPF_PROG_LOAD, &attr);
}

/* The program is there until the file that is returned is closed; -1 and errno. */
static inline int raw_tracepoint_attach(const char *name, int program)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uintptr_t)name;
	attr.raw_tracepoint.prog_fd = program;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

#endif
