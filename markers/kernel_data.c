// SPDX-License-Identifier: GPL-2.0-only
/* Finds data of the kernel that is not exported, without kallsyms, which is not exported either. */
#include <linux/kprobes.h>
#include "kernel_data.h"

#ifdef CONFIG_KPROBES
void *marker_kernel_data(const char *name)
{
	struct kprobe kprobe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };
	int ret = register_kprobe(&kprobe);

	if (!ret)
		unregister_kprobe(&kprobe);
	return ret == -EINVAL ? kprobe.addr : NULL;
}
#else
void *marker_kernel_data(const char *name)
{
	return NULL;
}
#endif
