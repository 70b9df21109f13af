// SPDX-License-Identifier: GPL-2.0-only
/* Init and exit of markers.ko: lower layers first, and last in exit. */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/security.h>
#include "debugfs.h"
#include "dispatch.h"
#include "expiry.h"
#include "expose.h"
#include "gate.h"
#include "module.h"
#include "patch.h"
#include "quiesce.h"
#include "registry.h"
#include "text.h"
#include "work.h"

static char *gate = "nop5";
module_param(gate, charp, 0444);
MODULE_PARM_DESC(gate, "what MARK() sites become: nop5 (default); on x86-64 also flip or pun");

static bool patch = true;
module_param(patch, bool, 0444);
MODULE_PARM_DESC(patch, "patch code; without it only generic gates can be connected");

static char *expose;
module_param(expose, charp, 0444);
MODULE_PARM_DESC(expose, "selectors of the markers that are trace events; default: the first 1,000");

static void set_exposed(struct marker_expose_rule *rule)
{
	mutex_lock(&marker_mutex);
	marker_expose_set(rule);
	mutex_unlock(&marker_mutex);
}

static int __init choose_exposed(void)
{
	struct marker_expose_rule *rule = expose ? marker_expose_make(expose) : NULL;

	if (IS_ERR(rule))
		return PTR_ERR(rule);
	set_exposed(rule);
	return 0;
}

static int __init choose_gate(void)
{
	int kind = marker_gate_kind_parse(gate);

	if (kind < 0 || !marker_gate_kind_is_5byte(kind)) {
		pr_err("gate=%s: want nop5, or flip or pun where there are these\n", gate);
		return -EINVAL;
	}
	marker_auto_kind = kind;
	return 0;
}

/* Writes into a landing pad, reads it back, and restores it. */
static bool __init patching_works(void)
{
	u8 *code = (u8 *)marker_dispatch, *pad = marker_pad_alloc(code);
	struct marker_patch there = { .addr = pad, .quiet = true };
	struct marker_patch back = there;
	bool works;

	/* The kernel's own functions write text where there are no pads. */
	if (!pad)
		return !marker_gate_arch.pads && marker_gate_arch.encode_call;
	there.len = marker_pad_encode(pad, NULL, there.old);
	back.len = marker_pad_encode(pad, NULL, back.new);
	marker_pad_encode(pad, code, there.new);
	marker_pad_encode(pad, code, back.old);
	works = !marker_patch_apply(&there, 1, NULL) && !memcmp(pad, there.new, there.len) &&
		!marker_patch_apply(&back, 1, NULL);
	marker_pad_free(pad);
	return works;
}

static int __init markers_init(void)
{
	int ret;

	/* Under a lockdown of debugfs, do not load. */
	ret = security_locked_down(LOCKDOWN_DEBUGFS);
	if (ret) {
		pr_err("the kernel is locked down\n");
		return ret;
	}
	ret = choose_gate();
	if (ret)
		return ret;
	ret = choose_exposed();
	if (ret)
		return ret;
	ret = marker_work_init();
	if (ret)
		goto err_exposed;
	ret = marker_trap_init();
	if (ret)
		goto err_work;
	marker_may_patch = patch && patching_works();
	if (!marker_may_patch)
		pr_warn("text is not patched%s: only generic gates can be connected\n",
			patch ? "; it cannot be" : ", as asked");
	marker_registry_init();
	marker_expiry_init();
	ret = marker_module_init();
	if (ret)
		goto err_text;
	ret = marker_debugfs_init();
	if (ret)
		goto err_modules;
	return 0;

err_modules:
	marker_module_exit();
err_text:
	marker_trap_exit();
	marker_patch_exit();
err_work:
	marker_work_exit();
err_exposed:
	set_exposed(NULL);
	return ret;
}

static void __exit markers_exit(void)
{
	marker_debugfs_exit();
	marker_module_exit();
	marker_expiry_exit();
	marker_work_exit();
	marker_trap_exit();
	marker_patch_exit();
	set_exposed(NULL);
}

/* Built as a module, this is module_init(). */
postcore_initcall(markers_init);
module_exit(markers_exit);
MODULE_DESCRIPTION("Static tracing markers, patched while the kernel runs");
MODULE_VERSION(MARKERS_VERSION);
MODULE_LICENSE("GPL");
