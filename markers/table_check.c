// SPDX-License-Identifier: GPL-2.0-only
/* Check a section table before it is used; see table_check.h. */
#include "nofault.h"
#include "owner.h"
#include "table_check.h"

/* Code that is going to be written: of a gate or of a call. */
struct span {
	const u8 *start;
	unsigned int len;
	const struct marker_site_state *site;
};

static bool is_in_module(struct module *mod, const void *p)
{
	return marker_owner_has(mod, p) || marker_owner_has_init(mod, p);
}

static int check_bounds(struct module *mod, const char *what, const void *start,
			const void *end, size_t size, size_t align)
{
	size_t bytes = (const u8 *)end - (const u8 *)start;

	if (start == end || (end > start && !(bytes % size) && !((unsigned long)start % align) &&
			     is_in_module(mod, start) && is_in_module(mod, (const u8 *)end - 1)))
		return 0;
	pr_err("%s: invalid marker tables: %s: expected entries of %zu bytes, aligned to %zu, within the module, found %ld bytes at %pS\n",
	       module_name(mod), what, size, align, (long)bytes, start);
	return -EINVAL;
}

/* Check the ABI version of each object file of the module, or of the kernel. */
static int check_abi(struct module *mod, const struct marker_bounds *bounds)
{
	static const struct marker_abi expected = MARKER_ABI;
	const struct marker_abi *entry = bounds->abi;

	if (entry >= bounds->abi_end) {
		pr_err("%s: invalid marker tables: expected version %u, found none: build it again\n",
		       module_name(mod), expected.version);
		return -ENOEXEC;
	}
	for (; entry < bounds->abi_end; entry++) {
		struct marker_abi found = { };

		if (!copy_from_kernel_nofault(&found, entry, sizeof(found)) &&
		    !memcmp(&found, &expected, sizeof(expected)))
			continue;
		pr_err("%s: invalid marker tables: expected version %u, entries of %u, %u and %u bytes; found version %u, entries of %u, %u and %u bytes: build it again\n",
		       module_name(mod), expected.version, expected.site, expected.gate,
		       expected.call, found.version, found.site, found.gate, found.call);
		return -ENOEXEC;
	}
	return 0;
}

static int refuse_text(struct module *mod, const struct marker_bounds *bounds,
		       const struct marker_site *site, const char *what, const char *text,
		       unsigned int size)
{
	pr_err("%s: invalid marker tables: entry %ld: expected its %s to be a text of at most %u bytes within the module, found %pS\n",
	       module_name(mod), (long)(site - bounds->sites), what, size - 1, text);
	return -EINVAL;
}

/* A range is in the module if both of its ends are. */
static bool is_text(struct module *mod, const char *text, unsigned int size)
{
	unsigned int len;

	if (!is_in_module(mod, text))
		return false;
	len = marker_nofault_strnlen(text, size);
	return len < size && is_in_module(mod, text + len);
}

/* Check the texts of a site. */
static int check_site(struct module *mod, const struct marker_bounds *bounds,
		      const struct marker_site *site)
{
	const char *c = site->name;

	if (!is_text(mod, site->name, MARKER_NAME_SIZE))
		return refuse_text(mod, bounds, site, "name", site->name, MARKER_NAME_SIZE);
	if (!is_text(mod, site->format, MARKER_FORMAT_SIZE))
		return refuse_text(mod, bounds, site, "format", site->format, MARKER_FORMAT_SIZE);
	if (!is_text(mod, site->file, MARKER_FILE_SIZE))
		return refuse_text(mod, bounds, site, "file", site->file, MARKER_FILE_SIZE);
	while (*c > ' ' && *c < 0x7f)
		c++;
	if (c > site->name && !*c)
		return 0;
	pr_err("%s: invalid marker tables: entry %ld: expected a name of visible ASCII characters, found byte %#x at %ld\n",
	       module_name(mod), (long)(site - bounds->sites), (u8)*c, (long)(c - site->name));
	return -EINVAL;
}

/* Check the first and the last site; all of them are in one section. */
static int check_writable(struct module *mod, const struct marker_bounds *bounds)
{
	if (bounds->sites == bounds->sites_end)
		return 0;
	if (marker_nofault_is_writable((unsigned long *)&bounds->sites->link) &&
	    marker_nofault_is_writable((unsigned long *)&bounds->sites_end[-1].link))
		return 0;
	pr_err("%s: invalid marker tables: sites: expected data that can be written, found it read-only at %pS\n",
	       module_name(mod), bounds->sites);
	return -EINVAL;
}

int marker_table_check_sites(struct module *mod, const struct marker_bounds *bounds)
{
	const struct marker_site *site;
	int ret = check_abi(mod, bounds);

	if (ret || !mod)
		return ret;
	ret = check_bounds(mod, "sites", bounds->sites, bounds->sites_end,
			   sizeof(*bounds->sites), __alignof__(*bounds->sites)) ?:
	      check_bounds(mod, "gates", bounds->gates, bounds->gates_end,
			   sizeof(*bounds->gates), __alignof__(*bounds->gates)) ?:
	      check_bounds(mod, "calls", bounds->calls, bounds->calls_end,
			   sizeof(*bounds->calls), __alignof__(*bounds->calls));
	for (site = bounds->sites; site < bounds->sites_end && !ret; site++)
		ret = check_site(mod, bounds, site);
	return ret ?: check_writable(mod, bounds);
}

static int refuse_code(const struct marker_site_state *site, const char *what, const u8 *code)
{
	pr_err("%s: invalid marker tables: %s (%s:%u): expected its %s to be within the module, found %pS\n",
	       module_name(site->table->mod), site->entry->name, site->entry->file,
	       site->entry->line, what, code);
	return -EINVAL;
}

/*
 * Refuse a gate whose code goes before init text does, or whose cold block is in another section.
 */
static int check_gate(const struct marker_site_state *site, const struct marker_gate_state *gate)
{
	struct module *mod = site->table->mod;

	if (gate->gone)
		return marker_owner_init_is_over(mod) ? 0 : refuse_code(site, "gate", gate->code);
	return gate->kind == MARKER_GATE_KEY || gate->kind == MARKER_GATE_SWITCH ||
	       is_in_module(mod, gate->cold) ? 0 : refuse_code(site, "cold block", gate->cold);
}

static int check_call(const struct marker_site_state *site, const struct marker_call_state *call)
{
	return !call->gone || marker_owner_init_is_over(site->table->mod) ? 0 :
	       refuse_code(site, "call", call->code);
}

static int compare(const void *a, const void *b)
{
	const struct span *one = a, *other = b;

	return one->start < other->start ? -1 : one->start > other->start;
}

/* Spans in the order of their addresses, which they mostly have already. */
struct spans {
	struct span *span;
	unsigned int n;
};

static void add_span(struct spans *spans, const u8 *start, unsigned int len,
		     const struct marker_site_state *site)
{
	spans->span[spans->n++] = (struct span){ start, len, site };
}

static void sort_spans(struct spans *spans)
{
	unsigned int i;

	for (i = 1; i < spans->n; i++)
		if (spans->span[i].start < spans->span[i - 1].start) {
			sort(spans->span, spans->n, sizeof(*spans->span), compare, NULL);
			return;
		}
}

/* Take the span of the lower address out of two. */
static const struct span *take_first(struct spans *a, struct spans *b)
{
	struct spans *from = !b->n || (a->n && a->span->start < b->span->start) ? a : b;

	if (!from->n)
		return NULL;
	from->n--;
	return from->span++;
}

static int check_spans(struct spans *a, struct spans *b)
{
	const struct span *before = take_first(a, b), *span;

	for (; (span = take_first(a, b)); before = span) {
		const struct marker_site *one = before->site->entry, *other = span->site->entry;

		if (before->start + before->len <= span->start)
			continue;
		pr_err("%s: invalid marker tables: expected code of its own for each gate and call, found %s (%s:%u) and %s (%s:%u) in the same bytes\n",
		       module_name(span->site->table->mod), one->name, one->file, one->line,
		       other->name, other->file, other->line);
		return -EINVAL;
	}
	return 0;
}

/*
 * Collect the bytes of all gates that are code, and of all calls. Several keys and kprobes may be
 * at one place.
 */
static void collect(const struct marker_table *table, struct spans *gates, struct spans *calls)
{
	const struct marker_site_state *site;
	u8 bytes[MARKER_GATE_CODE_MAX];
	unsigned int i;

	for (site = table->sites; site < table->sites + table->nsites; site++) {
		for (i = 0; i < site->ngates; i++) {
			const struct marker_gate_state *gate = &site->gates[i];

			if (!gate->gone && marker_gate_kind_is_code(gate->kind))
				add_span(gates, gate->code, marker_gate_encode_built(gate, bytes),
					 site);
		}
		for (i = 0; i < site->ncalls; i++) {
			const u8 *code = site->calls[i].code;
			unsigned int len = marker_gate_encode_call(code, code, NULL, bytes);

			if (!site->calls[i].gone)
				add_span(calls, code, len, site);
		}
	}
	sort_spans(gates);
	sort_spans(calls);
}

int marker_table_check_code(const struct marker_table *table)
{
	const struct marker_site_state *site;
	struct spans gates = { }, calls = { };
	struct span *spans;
	unsigned int i;
	int ret = 0;

	if (!table->mod)
		return 0;
	for (site = table->sites; site < table->sites + table->nsites && !ret; site++) {
		for (i = 0; i < site->ngates && !ret; i++)
			ret = check_gate(site, &site->gates[i]);
		for (i = 0; i < site->ncalls && !ret; i++)
			ret = check_call(site, &site->calls[i]);
	}
	if (ret || !(table->ngates + table->ncalls))
		return ret;
	spans = kvcalloc(table->ngates + table->ncalls, sizeof(*spans), GFP_KERNEL);
	if (!spans)
		return -ENOMEM;
	gates.span = spans;
	calls.span = spans + table->ngates;
	collect(table, &gates, &calls);
	ret = check_spans(&gates, &calls);
	kvfree(spans);
	return ret;
}
