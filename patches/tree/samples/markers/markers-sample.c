// SPDX-License-Identifier: GPL-2.0-only
/*
 * A marker and a probe: each write to /sys/module/markers_sample/parameters/
 * number passes the marker, and the probe remembers the largest number.
 *
 *	modprobe markers-sample
 *	echo "connect sample_number largest" >/sys/kernel/debug/markers/control
 *	echo 7 >/sys/module/markers_sample/parameters/number
 *	cat /sys/module/markers_sample/parameters/largest
 *	echo "disconnect sample_number" >/sys/kernel/debug/markers/control
 */
#include <linux/marker.h>
#include <linux/markers/marker_probe.h>
#include <linux/module.h>
#include <linux/stdarg.h>

static int number;
static int largest;

static int set_number(const char *text, const struct kernel_param *kp)
{
	int ret = param_set_int(text, kp);

	if (!ret)
		MARK(sample_number, "%d", number);
	return ret;
}

static const struct kernel_param_ops number_ops = {
	.set = set_number,
	.get = param_get_int,
};

module_param_cb(number, &number_ops, &number, 0644);
MODULE_PARM_DESC(number, "passes the marker sample_number when it is written");
module_param(largest, int, 0444);
MODULE_PARM_DESC(largest, "what the probe has seen");

static void notrace look(MARKER_PARAMS)
{
	int value = a;

	if (value > largest)
		largest = value;
}

static struct marker_probe probe = {
	.name = "largest",
	.format = "%d",
	.func = look,
	.leaf = true,
	.owner = THIS_MODULE,
};

MARKER_PROBE_MODULE(probe, "A marker and a probe");
