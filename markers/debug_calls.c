// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the calls of a debug site from its static key: each copy of the site has an entry in the
 * jump table, and the entry leads to the code that runs while the key is enabled.
 */
#include <linux/jump_label.h>
#include "debug_calls.h"
#include "kprobe_gate.h"
#include "owner.h"

/* True if @code is one of the first @n calls: several copies of a site may lead to one call. */
static bool is_known(const struct marker_debug_call *calls, unsigned int n, const u8 *code)
{
	while (n--)
		if (calls[n].code == code)
			return true;
	return false;
}

/* The entries of a key are side by side. */
static const struct jump_entry *first_entry(const struct static_key *key)
{
	return key->type & JUMP_TYPE_LINKED ? NULL :
	       (const struct jump_entry *)(key->type & ~JUMP_TYPE_MASK);
}

static const u8 *block_of(const struct jump_entry *jump)
{
	return (const u8 *)(jump_entry_is_branch(jump) ? jump_entry_code(jump) :
							 jump_entry_target(jump));
}

static bool is_in_init(const struct jump_entry *jump, const struct module *mod)
{
	return jump_entry_is_init(jump) ||
	       (mod && marker_owner_has_init(mod, (void *)jump_entry_code(jump)));
}

static const char *judge(struct marker_debug_call *call, const struct marker_debug_call *first,
			 const struct _ddebug *descriptor)
{
	if (!marker_debug_call_has_format(call->format, descriptor)) {
		/* The call may have other arguments, so a kprobe does not help. */
		call->function = NULL;
		return "its call has another format than its descriptor";
	}
	return call->function != first->function || call->format != first->format ?
	       "its copies differ" : NULL;
}

/* A call that cannot be diverted still passes its descriptor to a function with a kprobe. */
static const char *use_kprobe(struct marker_debug_call *calls,
			      const struct marker_debug_call *call, unsigned int *n,
			      const char *why)
{
	calls[0] = *call;
	*n = 0;
	if (call->function && marker_kprobe_gate_possible())
		return NULL;
	return call->other ? "its function is not known" : why;
}

const char *marker_debug_calls_find(const struct marker_debug_range *range,
				    const struct _ddebug *descriptor,
				    struct marker_debug_call calls[MARKER_DEBUG_CALLS_MAX],
				    unsigned int *n)
{
	const struct static_key *key = &descriptor->key.dd_key_true.key;
	const struct jump_entry *jump = first_entry(key);
	bool is_init = false;
	const char *why;

	*n = 0;
	calls[0].other = NULL;
	for (; jump && jump < range->jumps_end && jump_entry_key(jump) == key; jump++) {
		if (is_in_init(jump, range->mod)) {
			is_init = true;
			continue;
		}
		if (*n == MARKER_DEBUG_CALLS_MAX)
			return use_kprobe(calls, calls, n, "it has too many copies");
		why = marker_debug_call_find(&calls[*n], block_of(jump), descriptor) ?:
		      judge(&calls[*n], calls, descriptor);
		if (why)
			return use_kprobe(calls, &calls[*n], n, why);
		*n += !is_known(calls, *n, calls[*n].code);
	}
	return *n ? NULL : is_init ? "it is in init text" : "it has no static key";
}
