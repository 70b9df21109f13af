// SPDX-License-Identifier: GPL-2.0-only
/* On x86-64 a breakpoint stands at an instruction while more than one byte changes. */
#include <sched.h>
#include <signal.h>
#include <ucontext.h>
#include "rounds.h"
#include "text_arch.h"

static unsigned int trapping;	/* threads in on_trap() */

void text_arch_store(u8 *to, u8 *addr, const u8 *bytes, unsigned int len)
{
	(void)addr;
	while (len--) {
		WRITE_ONCE(*to, *bytes);
		to++;
		bytes++;
	}
}

/*
 * A kernel's breakpoint handler ends before its CPU answers marker_text_sync(). A signal is
 * delivered later, and its handler may still run: marker_patch_apply() has withdrawn the
 * transaction, and waits here for handlers that may still read it.
 */
void text_arch_wait(void)
{
	/* (B): the pointer to the transaction was cleared, then this is read. */
	smp_mb();
	/* Pairs with (C): memory that handlers have read may be freed. */
	while (smp_load_acquire(&trapping))
		sched_yield();
}

/*
 * membarrier() does not wait for running signal handlers, as the kernel's round of interrupts
 * waits for its trap handlers. So this handler may run between two transactions, and the second
 * transaction may put its int3 here just before marker_patch_trap() reads the byte. Executing the
 * instruction again decides: an int3 that is not ours stays.
 */
#define RETRIES 1000

static __thread unsigned int retries;

static void on_trap(int signal, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	u8 *addr = (u8 *)regs[REG_RIP] - 1, *to = addr;
	enum marker_patch_verdict verdict;

	(void)info;
	/* Pairs with (B): counted first, then the transaction is looked for. */
	__atomic_fetch_add(&trapping, 1, __ATOMIC_SEQ_CST);
	verdict = marker_patch_trap(addr, &to);
	if (verdict != PATCH_NOT_OURS)
		retries = 0;
	switch (verdict) {
	case PATCH_CALL:
		regs[REG_RSP] -= 8;
		*(u8 **)regs[REG_RSP] = addr + 5;
		break;
	case PATCH_JUMP:
	case PATCH_RETRY:
		break;
	default:
		if (retries++ < RETRIES)
			break;
		psignal(signal, "a breakpoint that is not ours");
		abort();
	}
	regs[REG_RIP] = (greg_t)to;
	/* (C): the transaction was read before. */
	__atomic_fetch_sub(&trapping, 1, __ATOMIC_RELEASE);
}

int text_arch_init(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	return sigaction(SIGTRAP, &action, NULL) ? -errno : 0;
}

void text_arch_exit(void)
{
	signal(SIGTRAP, SIG_DFL);
}
