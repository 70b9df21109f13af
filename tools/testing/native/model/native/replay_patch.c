// SPDX-License-Identifier: GPL-2.0-only
/*
 * The transactions of patch.pml, carried out by markers/patch.c and rounds.c: text, locks,
 * syncs, the wait and free() are stand-ins that note each call.
 *
 *	replay_patch FORM [twice] [found-1|found-2]
 *
 * No call publishes the list of patches, so steps_poll() asks marker_patch_trap() before each
 * step is noted.
 */
#include <err.h>
#include "gate.h"
#include "patch.h"
#include "quiesce.h"
#include "rounds.h"
#include "steps.h"
#include "text.h"

#define GATE	0
#define CALL	16
#define COLD	32
#define FOREIGN	0x55

/* No rows: the patches are made below. */
const struct marker_gate_arch marker_gate_arch;
bool marker_text_write_twice;

static u8 text[64];
static bool in_transaction, first_written;
static unsigned int gate_len;

struct form {
	const char *name;
	u8 len;			/* 0: only the call is text */
	u8 closed[5], open[5];
	bool split;
};

static const struct form forms[] = {
	{ "FIRST", 5, { 0x0f, 0x1f, 0x44, 0x00, 0x00 }, { 0xe9, 0x1f, 0x44, 0x00, 0x00 } },
	{ "TAIL", 2, { 0xb0, 0x00 }, { 0xb0, 0x01 } },
	{ "MANY", 5, { 0x0f, 0x1f, 0x44, 0x00, 0x00 }, { 0xe9, 0x20, 0x00, 0x00, 0x00 } },
	{ "SPLIT", 5, { 0x66, 0x66, 0x90, 0x66, 0x90 }, { 0xe9, 0x20, 0x00, 0x00, 0x00 }, true },
	{ "DATA", 0 },
};

static const u8 call_none[5] = { 0xe8, 0x10, 0x00, 0x00, 0x00 };
static const u8 call_probe[5] = { 0xe8, 0x21, 0x01, 0x00, 0x00 };

/* Ask for the verdict of the breakpoint handler with @byte at the gate: an int3, or another. */
static enum marker_patch_verdict ask(u8 byte, u8 **to)
{
	enum marker_patch_verdict verdict;
	u8 saved = text[GATE];

	*to = NULL;
	text[GATE] = byte;
	verdict = marker_patch_trap(text + GATE, to);
	text[GATE] = saved;
	return verdict;
}

void steps_poll(void)
{
	static bool published;
	static u8 *kept;
	u8 *to;
	bool now = ask(0xcc, &to) != PATCH_NOT_OURS;

	if (now != published)
		steps_note(now ? "publish" : "clear", NULL);
	published = now;
	if (now)
		return;
	ask(0x90, &to);
	if (to != kept)
		steps_note("keep", NULL);
	kept = to;
}

static void step(const char *words)
{
	steps_poll();
	steps_note(words, NULL);
}

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	step("map");
	first_written = false;
	return 0;
}

void marker_text_unmap(struct marker_text_alias *alias)
{
	step("unmap");
}

void marker_text_lock(void)
{
	step("lock");
}

void marker_text_unlock(void)
{
	step("unlock");
}

static const char *gate_step(u8 *addr, const u8 *bytes, unsigned int len)
{
	unsigned int at = addr - (text + GATE);

	if (at == 0 && len == 1 && *bytes == 0xcc)
		return "write gate int3";
	if (first_written)
		return at && at + len == gate_len ? "write gate ends" : NULL;
	if (at == 1 && len == gate_len - 1)
		return "write gate tail";
	if (at == 0 && len == 1) {
		first_written = true;
		return "write gate first";
	}
	return "write of other bytes";
}

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	const char *words;

	steps_poll();
	if (addr == text + CALL && len == sizeof(call_probe))
		words = memcmp(bytes, call_probe, len) ? "write call none" : "write call probe";
	else
		words = gate_step(addr, bytes, len);
	memcpy(addr, bytes, len);
	if (words)
		steps_note(words, NULL);
}

unsigned int marker_text_sync(void)
{
	step("sync");
	return 1;
}

/* As in arch/x86/text.c. */
void marker_text_quiesce(void)
{
	marker_text_unlock();
	step("quiesce");
	marker_text_lock();
}

void marker_text_report(const struct marker_patch *patch)
{
	step("report");
}

void __real_free(void *p);
void __wrap_free(void *p);

void __wrap_free(void *p)
{
	if (p && in_transaction)
		step("free copy");
	__real_free(p);
}

static void apply(struct marker_patch *patches, unsigned int n)
{
	in_transaction = true;
	marker_patch_apply(patches, n, NULL);
	in_transaction = false;
	step("free list");
}

static struct marker_patch gate_patch(const struct form *form, bool open)
{
	struct marker_patch p = {
		.addr = text + GATE,
		.to = text + (open ? COLD : gate_len),
		.len = form->len,
		.split = form->split && open,
	};

	memcpy(p.old, open ? form->closed : form->open, form->len);
	memcpy(p.new, open ? form->open : form->closed, form->len);
	return p;
}

static struct marker_patch call_patch(const u8 *old, const u8 *new)
{
	struct marker_patch p = {
		.addr = text + CALL, .len = sizeof(call_none), .call = true, .quiet = true,
	};

	memcpy(p.old, old, p.len);
	memcpy(p.new, new, p.len);
	return p;
}

static void replay(const struct form *form, unsigned int found)
{
	struct marker_patch patches[2];

	gate_len = form->len;
	memcpy(text + GATE, form->closed, form->len);
	memcpy(text + CALL, call_none, sizeof(call_none));
	if (found == 1)
		text[GATE] = FOREIGN;
	patches[0] = call_patch(call_none, call_probe);
	patches[1] = gate_patch(form, true);
	apply(patches, form->len ? 2 : 1);
	if (form->len && found != 1) {
		if (found == 2)
			text[GATE] = FOREIGN;
		patches[0] = gate_patch(form, false);
		apply(patches, 1);
	}
	if (found == 2)
		return;
	patches[0] = call_patch(call_probe, call_none);
	apply(patches, 1);
}

int main(int argc, char **argv)
{
	const struct form *form = NULL;
	unsigned int found = 0;
	size_t i;
	int arg;

	for (i = 0; argc > 1 && i < ARRAY_SIZE(forms); i++)
		if (!strcmp(argv[1], forms[i].name))
			form = &forms[i];
	if (!form)
		errx(2, "usage: replay_patch FIRST|TAIL|MANY|SPLIT|DATA [twice] [found-1|found-2]");
	for (arg = 2; arg < argc; arg++) {
		marker_text_write_twice |= !strcmp(argv[arg], "twice");
		if (!strncmp(argv[arg], "found-", 6))
			found = argv[arg][6] - '0';
	}
	replay(form, found);
	steps_print();
	return 0;
}
