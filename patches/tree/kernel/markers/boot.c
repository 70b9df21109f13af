// SPDX-License-Identifier: GPL-2.0-only
/*
 * markers=SELECTOR:PROBE[,SELECTOR:PROBE...] on the kernel's command line:
 * armed before most of the kernel has been initialised, so that init code is
 * seen as well.
 *
 * Only probes that are built in can be named.  Words for a probe cannot be
 * given.
 */
#include <linux/init.h>
#include <linux/markers/env.h>
#include "command.h"

#define WORDS_MAX 512

static char words[WORDS_MAX] __initdata;

static int __init save(char *text)
{
	strscpy(words, text, WORDS_MAX);
	return 1;
}
__setup("markers=", save);

/* Linked behind the built-in probes, which are of this level, too. */
static int __init arm(void)
{
	char *rest = words, *item, *colon, *commands = NULL, *longer;
	int ret = 0;

	if (!*words)
		return 0;
	while (!ret && (item = strsep(&rest, ","))) {
		colon = strrchr(item, ':');
		if (!colon) {
			pr_err("markers=: \"%s\": want SELECTOR:PROBE\n", item);
			ret = -EINVAL;
			break;
		}
		*colon = ' ';
		longer = kasprintf(GFP_KERNEL, "%sarm %s\n", commands ?: "", item);
		kfree(commands);
		commands = longer;
		if (!commands)
			ret = -ENOMEM;
	}
	if (!ret)
		ret = marker_command_execute(commands);
	kfree(commands);
	if (ret)
		pr_err("markers=: nothing is armed: %d\n", ret);
	return 0;
}
postcore_initcall(arm);
