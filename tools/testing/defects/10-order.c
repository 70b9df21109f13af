// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order in which a transaction (markers/patch.c) locks, publishes, writes,
 * waits and frees, recorded by stand-ins for the text it works on.  Prints TAP.
 *
 *	k, u	text is locked, unlocked
 *	3	int3 is written: what marker_patch_trap() says of it follows, + ours, - not
 *	w	other bytes are written
 *	s	all CPUs are synchronised: as above
 *	r	a mismatch is reported: as above
 *	m, x	the text is mapped; it is unmapped, and the patches may be freed
 */
#include "patch.h"
#include "quiesce.h"
#include "text.h"

bool marker_text_write_twice;

static u8 text[64];
static char events[256];

static void note(char event)
{
	events[strlen(events)] = event;
}

static void note_trap(char event)
{
	u8 saved = text[0], *to;

	note(event);
	text[0] = 0xcc;
	note(marker_patch_trap(text, &to) == PATCH_JUMP ? '+' : '-');
	text[0] = saved;
}

int marker_text_map(struct marker_text_alias *alias, const struct marker_patch *patches,
		    unsigned int n)
{
	note('m');
	return 0;
}

void marker_text_unmap(struct marker_text_alias *alias)
{
	note('x');
}

void marker_text_lock(void);
void marker_text_lock(void)
{
	note('k');
}

void marker_text_unlock(void);
void marker_text_unlock(void)
{
	note('u');
}

void marker_text_write(struct marker_text_alias *alias, u8 *addr, const u8 *bytes, unsigned int len)
{
	if (addr != text || *bytes != 0xcc) {
		note('w');
		memcpy(addr, bytes, len);
		return;
	}
	memcpy(addr, bytes, len);
	note_trap('3');
}

unsigned int marker_text_sync(void)
{
	note_trap('s');
	return 1;
}

void marker_text_quiesce(void)
{
}

void marker_quiesce(void)
{
}

void marker_text_report(const struct marker_patch *patch)
{
	note_trap('r');
}

int marker_trap_init(void)
{
	return 0;
}

void marker_trap_exit(void)
{
}

static unsigned int number;

static void check(const char *what, const char *expected, int ret, int wanted)
{
	bool good = !strcmp(events, expected) && ret == wanted;

	printf("%sok %u - %s\n", good ? "" : "not ", ++number, what);
	if (!good)
		printf("# expected %s %d\n# found    %s %d\n", expected, wanted, events, ret);
	memset(events, 0, sizeof(events));
}

static int change(const u8 *old, const u8 *new)
{
	struct marker_patch p = { .addr = text, .to = text + 32, .len = 5 };

	memcpy(p.old, old, 5);
	memcpy(p.new, new, 5);
	return marker_patch_apply(&p, 1, NULL);
}

int main(void)
{
	static const u8 nop[5] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	static const u8 pun[5] = { 0xe9, 0x1f, 0x44, 0x00, 0x00 };
	static const u8 jump[5] = { 0xe9, 0x20, 0x00, 0x00, 0x00 };
	int ret;

	memcpy(text, nop, 5);
	ret = change(nop, pun);
	check("one byte: locked from the look to the last sync, two syncs", "mk3+s+ws+ux", ret, 0);
	ret = change(pun, nop);
	check("and back", "mk3+s+ws+ux", ret, 0);
	ret = change(nop, jump);
	check("more bytes: three syncs", "mk3+s+ws+ws+ux", ret, 0);
	ret = change(nop, pun);
	check("a mismatch is found before anything is published", "mkr-ux", ret, -EBUSY);
	printf("1..%u\n", number);
	return 0;
}
