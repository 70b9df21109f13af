/* SPDX-License-Identifier: GPL-2.0-only */
/* BPF programs at raw tracepoints, without a BPF library, as the guest has none. */
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

/* Load a BPF program of @n instructions. Return its file descriptor, or -1 and set errno. */
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

/*
 * Attach the file descriptor @program to the tracepoint @name. Return a file descriptor whose
 * close() detaches it, or -1 and set errno.
 */
static inline int raw_tracepoint_attach(const char *name, int program)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uintptr_t)name;
	attr.raw_tracepoint.prog_fd = program;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

#endif
