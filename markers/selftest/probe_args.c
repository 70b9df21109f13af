// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe_args.ko: two probes for the tests.
 *
 * args	prints the marker, the types of its arguments and the arguments, as the
 *	format of the site says, into the kernel log; with "only=FORMAT" it
 *	takes sites of that format alone, which it checks itself.
 * order	appends the word it was connected with to the parameter `trail`.
 */
#include <linux/moduleparam.h>
#include "fetch.h"
#include "marker_probe.h"

static const char *const type_names[] = {
	"none", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "str", "ptr",
};

static void notrace print_args(MARKER_PARAMS)
{
	unsigned long words[MARKER_ARGS_MAX] = { };
	char types[64], text[MARKER_TEXT_MAX];
	unsigned int i, len = 0;

	types[0] = '\0';
	for (i = 0; i < marker_site_nargs(site); i++)
		len += scnprintf(types + len, sizeof(types) - len, "%s%s", i ? "," : "",
				 type_names[marker_site_type(site, i)]);
	marker_words(words, site, a, b, c, d);
	marker_print(site, words, marker_fetch_text, text, sizeof(text));
	pr_info("args: %s (%s): %s\n", site->name, types, text);
}

static void *attach_args(const char *args)
{
	if (!args)
		return NULL;
	if (strncmp(args, "only=", 5))
		return ERR_PTR(-EINVAL);
	return marker_text_copy(args + 5) ?: ERR_PTR(-ENOMEM);
}

static void detach(void *data)
{
	kvfree(data);
}

static int check_args(void *data, const struct marker_site *site)
{
	return data && strcmp(data, site->format) ? -EINVAL : 0;
}

static struct marker_probe args_probe = {
	.name = "args",
	.func = print_args,
	.leaf = true,
	.check = check_args,
	.attach = attach_args,
	.detach = detach,
	.owner = THIS_MODULE,
};

static char trail_text[256];
static char *trail = trail_text;
module_param(trail, charp, 0444);
MODULE_PARM_DESC(trail, "what the probe order has appended");

static void notrace append(MARKER_PARAMS)
{
	strlcat(trail_text, link->data, sizeof(trail_text));
}

static void *attach_order(const char *args)
{
	return args ? marker_text_copy(args) ?: ERR_PTR(-ENOMEM) : ERR_PTR(-EINVAL);
}

static struct marker_probe order_probe = {
	.name = "order",
	.func = append,
	.leaf = true,
	.attach = attach_order,
	.detach = detach,
	.owner = THIS_MODULE,
};

static int __init probe_args_init(void)
{
	int ret = marker_probe_register(&args_probe);

	if (ret)
		return ret;
	ret = marker_probe_register(&order_probe);
	if (ret)
		marker_probe_unregister(&args_probe);
	return ret;
}

static void __exit probe_args_exit(void)
{
	marker_probe_unregister(&order_probe);
	marker_probe_unregister(&args_probe);
}

module_init(probe_args_init);
module_exit(probe_args_exit);
MODULE_DESCRIPTION("marker probes for the tests");
MODULE_LICENSE("GPL");
