// SPDX-License-Identifier: GPL-2.0-only
/* marker_unmarked.ko: a module without any marker, which has nothing to wait for. */
#include <linux/module.h>

static int __init unmarked_init(void)
{
	return 0;
}

static void __exit unmarked_exit(void)
{
}

module_init(unmarked_init);
module_exit(unmarked_exit);
MODULE_DESCRIPTION("a module without markers");
MODULE_LICENSE("GPL");
