// SPDX-License-Identifier: GPL-2.0-only
/* markers.ko: comes up from the bottom, goes down from the top. */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/security.h>
#include "control.h"
#include "dispatch.h"
#include "expire.h"
#include "gate.h"
#include "module.h"
#include "patch.h"
#include "quiesce.h"
#include "registry.h"
#include "text.h"

static char *gate = "pun";
module_param(gate, charp, 0444);
MODULE_PARM_DESC(gate, "what MARK() sites become: pun (default), flip or nop5");

static bool patch = true;
module_param(patch, bool, 0444);
MODULE_PARM_DESC(patch, "patch code; without it only generic gates can be connected");

static int __init choose_gate(void)
{
	int kind = gate_kind_parse(gate);

	if (kind < 0 || !gate_is_5byte(kind)) {
		pr_err("markers: gate=%s: want pun, flip or nop5\n", gate);
		return -EINVAL;
	}
	registry_auto_kind = kind;
	return 0;
}

/* Writes into a landing pad, looks, and takes it back. */
static bool __init patching_works(void)
{
	u8 *code = (u8 *)marker_dispatch, *pad = pad_alloc(code);
	struct patch there = { .addr = pad, .quiet = true };
	struct patch back = there;
	bool works;

	if (!pad)
		return false;
	there.len = pad_encode(pad, NULL, there.old);
	back.len = pad_encode(pad, NULL, back.new);
	pad_encode(pad, code, there.new);
	pad_encode(pad, code, back.old);
	works = !patch_apply(&there, 1, NULL) && !memcmp(pad, there.new, there.len) &&
		!patch_apply(&back, 1, NULL);
	pad_free(pad);
	return works;
}

static int __init markers_init(void)
{
	int ret;

	/* Where debugfs may not be written, nothing of this may happen. */
	ret = security_locked_down(LOCKDOWN_DEBUGFS);
	if (ret) {
		pr_err("markers: the kernel is locked down\n");
		return ret;
	}
	ret = choose_gate();
	if (ret)
		return ret;
	ret = text_init();
	if (ret)
		return ret;
	registry_may_patch = patch && patching_works();
	if (!registry_may_patch)
		pr_warn("markers: text is not patched%s: only generic gates can be connected\n",
			patch ? "; it cannot be" : ", as asked");
	registry_init();
	expire_init();
	ret = modules_init();
	if (ret)
		goto err_text;
	ret = control_init();
	if (ret)
		goto err_modules;
	return 0;

err_modules:
	modules_exit();
err_text:
	text_exit();
	patch_exit();
	return ret;
}

static void __exit markers_exit(void)
{
	control_exit();
	modules_exit();
	expire_exit();
	marker_quiesce_exit();
	text_exit();
	patch_exit();
}

/* Of a module, this is module_init(). */
postcore_initcall(markers_init);
module_exit(markers_exit);
MODULE_DESCRIPTION("Static tracing markers, patched while the kernel runs");
MODULE_LICENSE("GPL");
