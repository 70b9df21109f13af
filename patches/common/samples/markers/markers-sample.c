// SPDX-License-Identifier: GPL-2.0-only
/*
 * Markers: each write to /sys/module/markers_sample/parameters/number passes them.
 *
 *	modprobe markers-sample
 *	cd /sys/kernel/tracing
 *	cat events/markers_sample/number/format
 *	echo 1 >events/markers_sample/number/enable
 *	echo 7 >/sys/module/markers_sample/parameters/number
 *	cat trace
 */
#include <linux/marker.h>
#include <linux/module.h>
#include <linux/sched.h>

//+ fields
enum sample_size { SAMPLE_SMALL, SAMPLE_LARGE };

//.
static int number;

static int set_number(const char *text, const struct kernel_param *kp)
{
	int ret = param_set_int(text, kp);
//+ fields
	enum sample_size size = number < 100 ? SAMPLE_SMALL : SAMPLE_LARGE;
	u8 bytes[4] = { number, number >> 8, number >> 16, number >> 24 };
//.

	if (ret)
		return ret;
	MARK(number, "number=%d comm=%s", number, current->comm);
	MARK(text, "%.*s param=%ps", (int)strcspn(text, "\n"), text, kp->ops->set);
//+ fields
	MARK_FIELDS(fields, field(s64, number),
		    symbolic(size, size, SAMPLE_SMALL, SAMPLE_LARGE),
		    bytes(bytes, 4), field(str, text), field(ptr, param, kp));
//.
	return 0;
}

static const struct kernel_param_ops number_ops = {
	.set = set_number,
	.get = param_get_int,
};

module_param_cb(number, &number_ops, &number, 0644);
MODULE_PARM_DESC(number, "passes the markers when it is written");

MODULE_DESCRIPTION("Markers");
MODULE_LICENSE("GPL");
