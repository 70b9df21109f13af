// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the found and the expected bytes of each gate and call: all of them in `sites`, only
 * those that differ in `verify`.
 *
 * Locks: takes marker_mutex.
 */
#include <linux/kallsyms.h>
#include <linux/seq_file.h>
#include "connect.h"
#include "debug_site.h"
#include "debugfs.h"
#include "escape.h"
#include "kprobe_gate.h"
#include "registry.h"

#define SITES_BUFFER	0x10000		/* bytes of a read of `sites` */

/* Read the bytes at the gate, and compute the expected ones; return their number. */
static unsigned int read_gate(const struct marker_site_state *site,
			      const struct marker_gate_state *gate, u8 *found, u8 *expected)
{
	unsigned int len;

	if (gate->kind == MARKER_GATE_GENERIC) {
		*found = READ_ONCE(site->entry->on);
		*expected = gate->open;
		return 1;
	}
	if (gate->gone || !gate->code)
		return 0;
	if (gate->kind == MARKER_GATE_KPROBE && gate->open)
		return marker_kprobe_gate_read(gate, found, expected);
	if (!marker_gate_kind_is_code(gate->kind))
		return 0;
	len = marker_gate_encode(gate, gate->open, expected);
	memcpy(found, gate->code, len);
	return len;
}

/* True if they differ; then they are looked at again before the next commands. */
static bool is_foreign(struct marker_gate_state *gate, const u8 *found, const u8 *expected,
		       unsigned int len)
{
	if (!memcmp(found, expected, len))
		return false;
	if (marker_gate_kind_is_code(gate->kind))
		marker_table_text_set_busy(&gate->busy);
	return true;
}

static const char *gate_state(const struct marker_site_state *site,
			      const struct marker_gate_state *gate, bool foreign)
{
	if (site->refused)
		return "refused";
	if (gate->gone)
		return "gone";
	if (foreign)
		return gate->busy ? "busy" : "mismatch";
	return gate->open ? "open" : "closed";
}

/*
 * The symbol that the last address was in: to look one up takes the longer the more
 * a module has, and gates come in the order of the text.  Locks: marker_mutex.
 */
static struct {
	unsigned long start, size;	/* size 0: none */
	char name[KSYM_SYMBOL_LEN];
	const char *module;		/* " [module]", in name, or "" */
} symbol;

static void find_symbol(unsigned long address)
{
	unsigned long offset;
	char *end;
	int n = 0;

	sprint_symbol(symbol.name, address);
	symbol.size = 0;
	end = strrchr(symbol.name, '+');
	if (!end || sscanf(end, "+%lx/%lx%n", &offset, &symbol.size, &n) < 2)
		return;
	*end = '\0';
	symbol.start = address - offset;
	symbol.module = end + n;
}

/* Print @code as %pS does. To the kernel the size of a symbol of data in a module is negative. */
static void show_symbol(struct seq_file *m, const void *code)
{
	unsigned long address = (unsigned long)code;

	if (address - symbol.start >= symbol.size || (long)symbol.size < 0)
		find_symbol(address);
	if (symbol.size)
		seq_printf(m, "%s+%#lx/%#lx%s", symbol.name, address - symbol.start,
			   symbol.size, symbol.module);
	else
		seq_puts(m, symbol.name);
}

static void show_column(struct seq_file *m, const char *text)
{
	seq_putc(m, '\t');
	seq_puts(m, text);
}

static void show_gate(struct seq_file *m, const struct marker_site_state *site,
		      struct marker_gate_state *gate)
{
	u8 found[MARKER_GATE_CODE_MAX], expected[MARKER_GATE_CODE_MAX];
	unsigned int len = read_gate(site, gate, found, expected);

	seq_put_decimal_ull(m, "", site->id);
	seq_putc(m, '\t');
	marker_escape(m, site->entry->name);
	show_column(m, module_name(site->table->mod));
	seq_putc(m, '\t');
	if (!gate->code)
		seq_puts(m, "-");
	else if (gate->gone)
		seq_puts(m, "init");
	else
		show_symbol(m, gate->code);
	show_column(m, marker_gate_kind_name(gate->kind));
	show_column(m, gate_state(site, gate, is_foreign(gate, found, expected, len)));
	if (len)
		seq_printf(m, "\t%*phN\t%*phN\t", len, found, len, expected);
	else
		seq_puts(m, "\t-\t-\t");
	marker_escape(m, site->entry->file);
	seq_put_decimal_ull(m, ":", site->entry->line);
	seq_putc(m, '\n');
}

static void *start_sites(struct seq_file *m, loff_t *pos)
{
	if (!*pos)
		marker_connect_retry();
	mutex_lock(&marker_mutex);
	/* The module of the cached symbol may have been unloaded. */
	symbol.size = 0;
	return *pos ? marker_registry_next_site(*pos - 1) : SEQ_START_TOKEN;
}

static void *next_site(struct seq_file *m, void *v, loff_t *pos)
{
	struct marker_site_state *site = v == SEQ_START_TOKEN ? marker_registry_next_site(0) :
								marker_registry_site_after(v);

	*pos = site ? site->id + 1 : *pos + 1;
	return site;
}

static void stop_sites(struct seq_file *m, void *v)
{
	mutex_unlock(&marker_mutex);
}

static int show_site(struct seq_file *m, void *v)
{
	struct marker_gate_state none = { };
	struct marker_site_state *site = v;
	bool shown = false;
	unsigned int i;

	if (v == SEQ_START_TOKEN) {
		seq_puts(m, "#id\tmarker\tmodule\taddress\tgate\tstate\tfound\texpected\tsource\n");
		return 0;
	}
	for (i = 0; i < site->ngates; i++) {
		show_gate(m, site, &site->gates[i]);
		shown |= site->gates[i].kind != MARKER_GATE_SWITCH;
	}
	/* A site without gates of code, or with unused ones, has one line without address. */
	none.kind = site->entry->kind;
	none.open = site->set;
	none.gone = site->refused;
	if (!shown)
		show_gate(m, site, &none);
	return 0;
}

static const struct seq_operations sites_sops = {
	.start = start_sites,
	.next = next_site,
	.stop = stop_sites,
	.show = show_site,
};

/* The symbol is looked up again for each buffer, so the buffer is large. */
static int open_sites(struct inode *inode, struct file *file)
{
	int ret = seq_open(file, &sites_sops);
	struct seq_file *m = file->private_data;

	if (ret)
		return ret;
	m->buf = kvmalloc(SITES_BUFFER, GFP_KERNEL);
	m->size = m->buf ? SITES_BUFFER : 0;
	return 0;
}

const struct file_operations marker_sites_fops = {
	.owner = THIS_MODULE,
	.open = open_sites,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
};

/* True if @call leads to @to or, if that is out of reach, to the stub for it. */
static bool leads_where_it_should(const struct marker_call_state *call)
{
	u8 expected[MARKER_GATE_CODE_MAX];
	unsigned int len;

	if (marker_gate_decode_call(call->code) == call->to)
		return true;
	len = marker_gate_encode_call(call->code, call->to, call->none, expected);
	return call->to && call->none && !memcmp(call->code, expected, len);
}

static unsigned int verify_site(struct seq_file *m, const struct marker_site_state *site)
{
	u8 found[MARKER_GATE_CODE_MAX], expected[MARKER_GATE_CODE_MAX];
	unsigned int i, len, bad = 0;

	for (i = 0; i < site->ngates; i++) {
		len = read_gate(site, &site->gates[i], found, expected);
		if (!is_foreign(&site->gates[i], found, expected, len))
			continue;
		bad++;
		seq_printf(m, "site %u ", site->id);
		marker_escape(m, site->entry->name);
		seq_printf(m, " gate at %pS: found %*ph, expected %*ph\n", site->gates[i].code,
			   len, found, len, expected);
	}
	if (marker_debug_key_is_wrong(site)) {
		bad++;
		seq_printf(m, "site %u ", site->id);
		marker_escape(m, site->entry->name);
		seq_puts(m, " key: found disabled, expected enabled\n");
	}
	for (i = 0; i < site->ncalls; i++) {
		struct marker_call_state *call = &site->calls[i];

		if (call->gone || leads_where_it_should(call))
			continue;
		marker_table_text_set_busy(&call->busy);
		bad++;
		seq_printf(m, "site %u ", site->id);
		marker_escape(m, site->entry->name);
		seq_printf(m, " call at %pS: leads to %pS, not %pS\n", call->code,
			   marker_gate_decode_call(call->code), call->to);
	}
	return bad;
}

int marker_verify_show(struct seq_file *m, void *unused)
{
	unsigned int sites = 0, bad = 0;
	struct marker_site_state *site;

	marker_connect_retry();
	mutex_lock(&marker_mutex);
	for (site = marker_registry_next_site(0); site; site = marker_registry_site_after(site)) {
		bad += verify_site(m, site);
		sites++;
		cond_resched();
	}
	mutex_unlock(&marker_mutex);
	seq_printf(m, "%s: %u sites, %u mismatches\n", bad ? "bad" : "ok", sites, bad);
	return 0;
}
