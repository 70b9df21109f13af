/* SPDX-License-Identifier: GPL-2.0-only */
/* A module with 100 events, whose size and memory are compared; ONE(n) passes one of them. */
#include <linux/module.h>

#define TEN(e, n)							\
	e(n##0) e(n##1) e(n##2) e(n##3) e(n##4) e(n##5) e(n##6) e(n##7) e(n##8) e(n##9)
#define HUNDRED(e)							\
	TEN(e, 1) TEN(e, 2) TEN(e, 3) TEN(e, 4) TEN(e, 5) TEN(e, 6) TEN(e, 7) TEN(e, 8)	\
	TEN(e, 9) TEN(e, 10)

#define SIZE_MODULE							\
static int fire(const char *text, const struct kernel_param *param)	\
{									\
	HUNDRED(ONE)							\
	return 0;							\
}									\
									\
static const struct kernel_param_ops fire_ops = { .set = fire };	\
									\
module_param_cb(fire, &fire_ops, NULL, 0200);				\
MODULE_DESCRIPTION("100 events");					\
MODULE_LICENSE("GPL")
