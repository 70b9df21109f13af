// SPDX-License-Identifier: GPL-2.0-only
/*
 * io.ko: the markers of the one-liners, with something to see. Each write to the parameter makes
 * so many requests, which take 1 to 20 us and have 512 to 10,240 bytes:
 *
 *	echo 100 > /sys/module/io/parameters/request
 */
#include <linux/delay.h>
#include <linux/module.h>
#include "marker.h"

#define MOST	10000
#define SIZES	20
#define SECTOR	512

static void request(unsigned int id)
{
	unsigned int size = 1 + id * 7 % SIZES;

	MARK(io_start, "id=%u", id);
	udelay(size);
	MARK(io_done, "id=%u bytes=%u dev=%s", id, size * SECTOR, id % 2 ? "sda" : "sdb");
}

static int make_requests(const char *text, const struct kernel_param *param)
{
	unsigned int id, count;
	int ret = kstrtouint(text, 0, &count);

	if (ret || count > MOST)
		return ret ?: -ERANGE;
	for (id = 0; id < count; id++)
		request(id);
	return 0;
}

static const struct kernel_param_ops ops = { .set = make_requests };
module_param_cb(request, &ops, NULL, 0200);
MODULE_PARM_DESC(request, "write a number up to 10000 to make as many requests");
MODULE_DESCRIPTION("example of a driver with the markers of the one-liners");
MODULE_LICENSE("GPL");
