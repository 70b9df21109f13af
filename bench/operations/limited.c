// SPDX-License-Identifier: GPL-2.0-only
/* A process in a cgroup, and one with a filter of system calls, which is last as it stays. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "operations.h"

#define TOP	"/cgroup"
#define GROUP	TOP "/group"

static const char *cgroup_start(void)
{
	mkdir(TOP, 0700);
	if (mount("none", TOP, "cgroup2", 0, NULL))
		return "cgroup2";
	if (put_line(TOP "/cgroup.subtree_control", "+memory +cpu"))
		return "memory and CPU time in cgroup2";
	must(mkdir(GROUP, 0700), GROUP);
	must(put_line(GROUP "/cgroup.procs", "0"), GROUP);
	return fault_start();
}

static void cgroup_stop(void)
{
	fault_stop();
	must(put_line(TOP "/cgroup.procs", "0"), TOP);
	must(rmdir(GROUP), GROUP);
	must(umount(TOP), TOP);
}

static const char *seccomp_start(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_reboot, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof(filter) / sizeof(*filter), .filter = filter };

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? "a filter of seccomp" : NULL;
}

const struct operation limited_operations[] = {
	{ .name = "cgroup", .start = cgroup_start, .run = fault_run, .after = fault_after,
	  .stop = cgroup_stop },
	{ .name = "seccomp", .start = seccomp_start, .run = null_run },
	{ }
};
