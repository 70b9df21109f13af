// SPDX-License-Identifier: GPL-2.0-only
/*
 * The transactions of dispatch.pml, carried out by dispatch.c and all that is around it.
 *
 *	replay_dispatch FORM TRANSACTION...
 *
 * A transaction is what the site is to have, 0 to 3, + 4 where its gate is foreign, + 16
 * where its call is.  SINGLE is CODE where that ends the transaction, since the connection
 * has no other site.  Links and the flag are looked at in each write, sync, wait, free(),
 * lock and unlock, and for POINTER behind each instruction (single-stepped); calls and
 * gates in each sync.
 */
#include <err.h>
#include <malloc.h>
#include <signal.h>
#include "command.h"
#include "connection.h"
#include "dispatch.h"
#include "gates/native.h"
#include "marker_probe.h"
#include "registry.h"
#include "replay_sites.h"
#include "self.h"
#include "steps.h"

#define NONE	0
#define A	1
#define B	2
#define BOTH	3
#define FOREIGN	4
#define FOREIGN_CALL	16

/* First bytes: one is being changed; one is another's. */
#define INT3	0xcc
#define OTHER	0x55

static const char *const names[] = { "none", "A", "B", "both" };

static struct marker_site_state *watched;
static const char *form;

/* State at the last poll. */
static struct {
	unsigned int link, call;
	bool locked, flag, open;
} seen;
static const struct marker_link *links[4];	/* published ones, by name */

static void notrace probe_a(MARKER_PARAMS)
{
}

static void notrace probe_b(MARKER_PARAMS)
{
}

static void *attach(const char *words)
{
	return malloc(1);
}

static void detach_a(void *data)
{
	steps_poll_data();
	steps_note("free hooks A", NULL);
	free(data);
}

static void detach_b(void *data)
{
	steps_poll_data();
	steps_note("free hooks B", NULL);
	free(data);
}

static struct marker_probe probes[] = {
	{ .name = "a", .func = probe_a, .leaf = true, .attach = attach, .detach = detach_a },
	{ .name = "b", .func = probe_b, .leaf = true, .attach = attach, .detach = detach_b },
};

static unsigned int name_of(const void *func)
{
	if (func == probe_a)
		return A;
	if (func == probe_b)
		return B;
	return func == marker_dispatch ? BOTH : NONE;
}

/* Note changes of the site's data; each word is read by one load. */
void steps_poll_data(void)
{
	const struct marker_link *link = READ_ONCE(watched->entry->link);
	unsigned int now = link ? name_of(link->func) : NONE;
	bool locked = READ_ONCE(*(int *)&marker_mutex), flag = READ_ONCE(watched->entry->on);

	if (locked != seen.locked)
		steps_note(locked ? "lock" : "unlock", NULL);
	if (now != seen.link) {
		steps_note("link", names[now]);
		links[now] = link;
	}
	if (flag != seen.flag)
		steps_note(flag ? "flag on" : "flag off", NULL);
	seen.locked = locked;
	seen.link = now;
	seen.flag = flag;
}

static void poll_text(void)
{
	const struct marker_gate_state *gate = &watched->gates[0];
	bool is_call = marker_gate_kind_is_call(watched->entry->kind), open = seen.open;
	u8 *code = is_call ? gate->code : watched->ncalls ? watched->calls[0].code : NULL;
	unsigned int call = code ? name_of(marker_gate_decode_call(code)) : NONE;

	if (code && *code != INT3 && *code != OTHER && call != seen.call) {
		steps_note("call", names[call]);
		seen.call = call;
	}
	if (is_call || !code || !marker_gate_recognise(gate, gate->code, &open))
		return;
	if (open == seen.open)
		return;
	steps_note(open ? "gate open" : "gate closed", NULL);
	seen.open = open;
}

void steps_poll(void)
{
	steps_poll_data();
	poll_text();
}

void __real_free(void *p);
void __wrap_free(void *p);

void __wrap_free(void *p)
{
	unsigned int i;
	size_t size = p ? malloc_usable_size(p) : 0;

	for (i = A; i <= BOTH; i++)
		if (links[i] && (u8 *)links[i] >= (u8 *)p && (u8 *)links[i] < (u8 *)p + size) {
			steps_poll();
			steps_note("free set", names[i]);
			links[i] = NULL;
		}
	__real_free(p);
}

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int ret = __real_pthread_mutex_lock(mutex);

	if (watched)
		steps_poll_data();
	return ret;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int ret;

	if (watched)
		steps_poll_data();
	ret = __real_pthread_mutex_unlock(mutex);
	if (watched)
		steps_poll_data();
	return ret;
}

static void on_step(int signal, siginfo_t *info, void *context)
{
	steps_poll_data();
}

/* The trap flag, bit 8 of the flags: an exception after each instruction. */
static noinline void set_stepping(bool on)
{
	if (on)
		asm volatile("pushf; orq $0x100, (%%rsp); popf" : : : "memory", "cc");
	else
		asm volatile("pushf; andq $~0x100, (%%rsp); popf" : : : "memory", "cc");
}

static void execute(const char *commands)
{
	/* Slow; but no stand-in is called between the two stores of a pointer site. */
	if (!strcmp(form, "POINTER"))
		set_stepping(true);
	marker_command_execute(commands);
	set_stepping(false);
	steps_poll();
}

/* Not those that stay only until the site can be closed; these in @leaving. */
static unsigned int connected(unsigned int *leaving)
{
	const struct marker_connection *conn;
	unsigned int found[2] = { };

	list_for_each_entry(conn, &marker_connections, list)
		found[conn->blocked] |= BIT(conn->probe - probes);
	*leaving = found[true];
	return found[false];
}

/* Change the probes by one write: first those that leave, then the new ones. */
static void change(unsigned int next)
{
	char commands[256] = "";
	unsigned int i, end = 0, leaving, has = connected(&leaving);

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (has & ~next & BIT(i))
			end += sprintf(commands + end, "disconnect replay_%s %s;", form,
				       probes[i].name);
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (next & ~has & ~leaving & BIT(i))
			end += sprintf(commands + end, "connect replay_%s %s;", form,
				       probes[i].name);
	execute(commands);
}

static void set_foreign(u8 *code, u8 *saved, bool foreign)
{
	if (foreign == !!*saved)
		return;
	if (foreign)
		*saved = *code;
	*code = foreign ? OTHER : *saved;
	if (!foreign)
		*saved = 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_step, .sa_flags = SA_SIGINFO };
	unsigned int i;
	u8 gate = 0, call = 0;
	char name[32];

	if (argc < 3)
		errx(2, "usage: replay_dispatch CODE|SINGLE|CALL|POINTER TRANSACTION...");
	form = argv[1];
	marker_bench_gates_init();
	self_register_sites();
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (marker_probe_register(&probes[i]))
			errx(2, "the probes cannot be registered");
	snprintf(name, sizeof(name), "replay_%s", form);
	for (watched = marker_registry_next_site(0); watched && strcmp(watched->entry->name, name);)
		watched = marker_registry_site_after(watched);
	if (!watched || !replay_sites[0])
		errx(2, "no site %s", name);
	sigaction(SIGTRAP, &action, NULL);
	for (i = 2; i < (unsigned int)argc; i++) {
		unsigned int next = strtoul(argv[i], NULL, 0);

		set_foreign(watched->gates[0].code, &gate, next & FOREIGN);
		if (watched->ncalls)
			set_foreign(watched->calls[0].code, &call, next & FOREIGN_CALL);
		change(next & BOTH);
	}
	steps_print();
	return 0;
}
