/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The protocol of markers/patch.c and rounds.c: one gate, the call behind it, CPUS processors that
 * run them, and a patcher that opens the gate, closes it and resets the call.
 *
 * The text has three parts: @first, the first byte of the gate; @tail, its other bytes;
 * @call, the call in the cold block.  Each holds A (closed; the empty function), B (open;
 * the probe) or INT3.
 *
 * Memory model.  Data, and the order of one CPU's stores, are those of x86 (TSO): the patcher
 * reads nothing between its stores that others write, so a plain order is the same.
 * Text is weaker.  A CPU may fetch, of each part, any value that the part has had since that
 * CPU serialised last (first_of[] and so on are sets), each part apart from the others: so
 * old and new bytes mix.  Only the first byte alone is whole.  A CPU serialises in marker_text_sync(),
 * at the end of a breakpoint, an interrupt or an NMI, and when it starts.  An instruction that
 * is changed while a CPU may fetch it without int3 is undefined for that CPU until it
 * serialises (Intel SDM vol. 3A, 9.1.3).
 *
 * Each CPU has a task, which may be preempted and continue on another CPU, and LEVELS - 1
 * interrupts; the innermost is an NMI.  Only the first INTERRUPTED CPUs have interrupts.
 *
 * FORM		what differs between closed and open
 *	FIRST	the first byte (pun, flip)
 *	TAIL	one byte behind the first (imm)
 *	MANY	several bytes (nop5)
 *	SPLIT	closed it is two instructions (nop14, nop23)
 *	DATA	a flag; only the call is text (switch)
 *
 * TWICE: marker_text_write_twice.  HOTPLUG: the last CPU starts and stops.  NEIGHBOUR: a kprobe
 * is set on the gate.  FOUND: the transaction, 1 or 2, that finds foreign bytes.  SHOW: the
 * patcher alone.  Each STEP() is compared with what they do (replay.py); the other
 * options are the planted errors of mutations.py.
 */
#ifndef CPUS
#define CPUS	2
#endif
#ifndef LEVELS
#define LEVELS	2
#endif
#ifndef FOUND
#define FOUND	0
#endif
#ifndef INTERRUPTED
#define INTERRUPTED	CPUS
#endif
#define FIRST	0
#define TAIL	1
#define MANY	2
#define SPLIT	3
#define DATA	4
#ifndef FORM
#define FORM	MANY
#endif

#define A	1
#define B	2
#define INT3	4

byte first = A, tail = A, call = A;
bool flag;
byte first_of[CPUS] = A, tail_of[CPUS] = A, call_of[CPUS] = A;
byte undefined;			/* CPUs, as bits: the gate was changed under them */

byte lock;			/* marker_text_lock(): whose it is */
#define PATCHER	1
#define KPROBES	2
#define BRINGUP	3
bool foreign;			/* bytes of another are in the gate */
byte online, running;		/* CPUs, as bits: interrupted by a sync; executing */
byte busy[CPUS];		/* 0, or 1 + the level of what runs there */
byte off[CPUS];			/* what keeps interrupts off */
short left;			/* contexts, as bits, that the wait is for */
short inside;			/* contexts, as bits, that are at the site */

byte current;			/* the published list: 0 or its number */
byte last;			/* last_transaction: 0 or its number */
byte freed, copy_freed;		/* lists and copies, as bits */
byte settled;			/* after the end of a transaction: what all see */

#define BIT(n)	(1 << (n))
#define ALL	(BIT(CPUS) - 1)
#define FIRST_BYTE(state)	(FORM == TAIL -> A : (state))

#define STEP(what)	printf("STEP "); printf(#what); printf("\n")
#define SAY		printf

inline serialise(cpu)
{
	first_of[cpu] = first;
	tail_of[cpu] = tail;
	call_of[cpu] = call;
	undefined = undefined & ~BIT(cpu)
}

/* A store to the gate that is no int3: undefined where int3 is not all that can be fetched. */
inline mark_undefined()
{
	i = 0;
	do
	:: i < CPUS ->
		if
		:: first_of[i] != INT3 -> undefined = undefined | BIT(i)
		:: else
		fi;
		i++
	:: else -> break
	od
}

#define store(part, value)						\
	part = value;							\
	i = 0;								\
	do								\
	:: i < CPUS -> part##_of[i] = part##_of[i] | value; i++		\
	:: else -> break						\
	od;								\
	i = 0

#define MINE	(busy[cpu] == level + 1)
#ifdef TWICE
#define TWICE_ONLY	true
#else
#define TWICE_ONLY	false
#endif
#define TOP(cpu)	((cpu) < INTERRUPTED -> LEVELS - 1 : 0)

/* Returns from a breakpoint. */
inline iret()
{
	off[cpu] = off[cpu] - 1;
	serialise(cpu);
	seen = 0
}

/*
 * Preempted, a task continues on any CPU that is free; or it does not stop.  What preempts it
 * is an interrupt, so it continues by the return from that: the new CPU has serialised.
 */
inline be_preempted()
{
	if
	:: level == 0 ->
		atomic { MINE -> busy[cpu] = 0 };
		if
		:: atomic { (running & BIT(0)) && !busy[0] -> cpu = 0; busy[0] = 1; serialise(0) }
#if CPUS > 1
		:: atomic { (running & BIT(1)) && !busy[1] -> cpu = 1; busy[1] = 1; serialise(1) }
#endif
#if CPUS > 2
		:: atomic { (running & BIT(2)) && !busy[2] -> cpu = 2; busy[2] = 1; serialise(2) }
#endif
		fi
	:: true
	fi
}

proctype context(byte cpu; byte level)
{
	byte below, got, seen;
	byte home = cpu;
	byte self = cpu * LEVELS + level;

end_idle:
	atomic {
		(running & BIT(cpu)) && busy[cpu] <= level &&
			(level != 1 || LEVELS == 2 || !off[cpu]);
		below = busy[cpu];
		busy[cpu] = level + 1;
		off[cpu] = off[cpu] + (level > 0);
		inside = inside | BIT(self);
		if
		:: goto gate
		/* A breakpoint of a debugger, which asks marker_patch_trap(), too. */
		:: level == TOP(cpu) -> off[cpu] = off[cpu] + 1; goto foreign_trap
		fi
	};

gate:
	atomic {
		MINE;
		if
		:: FORM == DATA && flag -> goto cold
		:: FORM == DATA && !flag -> goto out
		:: FORM != DATA && (first_of[cpu] & A) -> got = A
		:: FORM != DATA && (first_of[cpu] & B) -> got = B
		:: FORM != DATA && (first_of[cpu] & INT3) -> got = INT3
		fi;
		if
		:: got == INT3 ->
			if
			:: settled ->
				SAY("VIOLATION CPU %d meets an int3 after the end\n", cpu);
				assert(false)
			:: else
			fi;
			off[cpu] = off[cpu] + 1;
			SAY("CPU %d level %d meets the int3\n", cpu, level);
			goto trap
		:: else
		fi;
		SAY("CPU %d level %d executes %d, may fetch first %d", cpu, level, got, first_of[cpu]);
		SAY(" tail %d call %d\n", tail_of[cpu], call_of[cpu]);
		if
		:: (FORM == MANY || FORM == SPLIT && got == B) && tail_of[cpu] != got ->
			SAY("VIOLATION CPU %d executes old and new bytes mixed\n", cpu);
			assert(false)
		:: undefined & BIT(cpu) ->
			SAY("VIOLATION CPU %d executes a gate that was changed under it\n", cpu);
			assert(false)
		:: else
		fi;
		/* One byte behind the first decides, and is whole alone. */
		if
		:: FORM == TAIL && (tail_of[cpu] & A) -> got = A
		:: FORM == TAIL && (tail_of[cpu] & B) -> got = B
		:: FORM != TAIL
		fi;
		if
		:: settled && got != settled ->
			SAY("VIOLATION CPU %d executes the old gate after the end\n", cpu);
			assert(false)
		:: else
		fi;
		if
		:: got == B -> goto cold
		:: got == A && FORM == SPLIT -> goto middle
		:: got == A && FORM != SPLIT -> goto out
		fi
	};

middle:
	be_preempted();
	atomic {
		MINE;
		if
		:: tail_of[cpu] != A ->
			SAY("VIOLATION CPU %d executes the second part of a new gate\n", cpu);
			assert(false)
		:: else
		fi;
		goto out
	};

cold:
	be_preempted();
	atomic {
		MINE;
		if
		:: call_of[cpu] == (A | B) ->
			SAY("VIOLATION CPU %d executes a call of mixed bytes\n", cpu);
			assert(false)
		:: call_of[cpu] == A ->
			SAY("VIOLATION CPU %d calls the old target\n", cpu);
			assert(false)
		:: else
		fi;
		goto out
	};

	/* marker_patch_trap() */
trap:
	atomic { MINE -> seen = current; SAY("CPU %d finds list %d\n", cpu, seen) };
	atomic {
		MINE;
		if
		:: seen && (freed & BIT(seen)) ->
			SAY("VIOLATION CPU %d searches a freed list\n", cpu);
			assert(false)
		:: seen && !(freed & BIT(seen)) ->
			/* Transaction 1 opens, 2 closes. */
			got = (seen == 1 -> B : A);
			iret();
			if
			:: got == B -> goto cold
			:: else -> goto out
			fi
		:: !seen && first == INT3 ->
			SAY("VIOLATION CPU %d meets an int3 that is not ours\n", cpu);
			assert(false)
		:: else
		fi
	};
#ifdef TWICE
	atomic { MINE -> seen = last };
	atomic {
		MINE;
		if
		:: seen && (copy_freed & BIT(seen)) ->
			SAY("VIOLATION CPU %d searches a freed copy\n", cpu);
			assert(false)
		:: seen && !(copy_freed & BIT(seen)) ->
			got = (seen == 1 -> B : A);
			iret();
			if
			:: got == B -> goto cold
			:: else -> goto out
			fi
		:: else
		fi
	};
#endif
	atomic { MINE -> iret(); goto gate };

foreign_trap:
	atomic { MINE -> seen = current; SAY("CPU %d finds list %d\n", cpu, seen) };
	atomic {
		MINE;
		if
		:: seen && (freed & BIT(seen)) ->
			SAY("VIOLATION CPU %d searches a freed list for another int3\n", cpu);
			assert(false)
		:: else
		fi
	};
#ifdef TWICE
	/* It was removed just now. */
	atomic { MINE -> seen = last };
	atomic {
		MINE;
		if
		:: seen && (copy_freed & BIT(seen)) ->
			SAY("VIOLATION CPU %d searches a freed copy\n", cpu);
			assert(false)
		:: else
		fi
	};
#endif
	atomic { MINE -> iret(); goto out };

out:
	atomic {
		MINE;
		got = 0;
		inside = inside & ~BIT(self);
		left = left & ~BIT(self);
		off[cpu] = off[cpu] - (level > 0);
		if
		:: level > 0 -> serialise(cpu)
		:: else
		fi;
		busy[cpu] = below;
		below = 0;
		cpu = home;
		goto end_idle
	}
}

/* Interrupts all that are online, in any order, and waits for them. */
inline sync()
{
	wanted = online;
	do
	:: atomic { (wanted & BIT(0)) && !off[0] -> serialise(0); wanted = wanted & ~BIT(0) }
#if CPUS > 1
	:: atomic { (wanted & BIT(1)) && !off[1] -> serialise(1); wanted = wanted & ~BIT(1) }
#endif
#if CPUS > 2
	:: atomic { (wanted & BIT(2)) && !off[2] -> serialise(2); wanted = wanted & ~BIT(2) }
#endif
	:: atomic { wanted == 0 -> STEP(sync); break }
	od
}

inline take()
{
#ifdef NO_LOCK
	STEP(lock)
#else
	atomic { lock == 0 -> lock = PATCHER; STEP(lock) }
#endif
}

inline release()
{
	atomic { lock = (lock == PATCHER -> 0 : lock); STEP(unlock) }
}

inline quiesce()
{
	atomic { left = inside };
	atomic { left == 0; STEP(quiesce) }
}

inline write_quiet(value)
{
	atomic {
		store(call, value);
		if
		:: value == B -> STEP(write call probe)
		:: value == A -> STEP(write call none)
		fi
	}
}

inline publish(k)
{
	atomic { current = k; STEP(publish) }
}

inline arm()
{
	atomic {
		if
		:: foreign ->
			SAY("VIOLATION bytes of another are overwritten\n");
			assert(false)
		:: else
		fi;
		store(first, INT3);
		STEP(write gate int3)
	}
}

inline write_tail(state)
{
	if
	:: FORM != FIRST ->
		atomic { mark_undefined(); store(tail, state); STEP(write gate tail) }
	:: else
	fi
}

inline write_first(state)
{
	atomic {
		mark_undefined();
		store(first, FIRST_BYTE(state));
		STEP(write gate first)
	}
}

inline clear()
{
	atomic { current = 0; STEP(clear) }
}

/* run(): @state is what the gate becomes, @k the number of the list. */
inline run_rounds(state, k)
{
#ifdef SWAP_PUBLISH_INT3
	arm();
	publish(k);
#else
	publish(k);
#ifdef SWAP_INT3_TAIL
	write_tail(state);
#else
	arm();
#endif
#endif
#ifndef NO_SYNC_INT3
	sync();
#endif
#ifndef NO_QUIESCE_SPLIT
	if
	:: FORM == SPLIT && state == B -> release(); quiesce(); take()
	:: else
	fi;
#endif
#ifdef SWAP_INT3_TAIL
	arm();
#else
#ifdef SWAP_TAIL_FIRST
	write_first(state);
#else
	write_tail(state);
#endif
#endif
#ifndef NO_SYNC_TAIL
	if
	:: FORM == MANY || FORM == SPLIT -> sync()
	:: else
	fi;
#endif
#ifdef SWAP_FIRST_CLEAR
	clear();
#endif
#ifdef SWAP_TAIL_FIRST
	write_tail(state);
#else
	write_first(state);
#endif
#ifdef TWICE
#ifndef NO_SYNC_ENDS
	sync();
#endif
	atomic { store(first, FIRST_BYTE(state)); STEP(write gate ends) };
#endif
#ifndef SWAP_FIRST_CLEAR
#ifndef LATE_CLEAR
	clear();
#endif
#endif
#ifdef FREE_EARLY
	atomic { freed = freed | BIT(k) };
#endif
#ifndef NO_SYNC_FIRST
	sync();
#endif
#ifdef LATE_CLEAR
	clear()
#else
	skip
#endif
}

/* keep(): the copy is found before the one before it is freed. */
inline keep_copy(k)
{
#ifdef TWICE
	atomic { old = last; last = k; STEP(keep) };
#ifndef NO_SYNC_KEEP
	sync();
#endif
#endif
	skip
}

inline end(state, k)
{
	atomic { settled = state };
	release();
	STEP(unmap);
	atomic {
		freed = freed | BIT(k);
		copy_freed = copy_freed | (old -> BIT(old) : 0);
		if
		:: old || TWICE_ONLY && (k == 3 || bad) -> STEP(free copy)
		:: else
		fi;
		old = 0;
		STEP(free list)
	}
}

proctype patcher()
{
	byte i, wanted, old;
	bool bad;

	/* marker_text_map(), then change(): opens. */
	STEP(map);
#ifdef VERIFY_EARLY
	atomic { bad = foreign };
	take();
#else
	take();
	atomic { bad = foreign || FOUND == 1 };
#endif
	if
	:: bad -> STEP(report)
	:: else
	fi;
#ifdef SWAP_QUIET_INT3
	publish(1);
	arm();
#endif
#ifdef SWAP_QUIET_PUBLISH
	publish(1);
#endif
	write_quiet(B);
	if
	:: bad || FORM == DATA ->
#ifndef NO_SYNC_QUIET
		sync()
#else
		skip
#endif
	:: else -> run_rounds(B, 1); keep_copy(1)
	fi;
	end((bad -> A : B), 1);
	if
	:: bad -> goto tidy
	:: FORM == DATA ->
		/* The caller sets and resets the flag. */
		atomic { flag = true };
		atomic { flag = false };
		goto tidy
	:: else
	fi;

	/* Closes, if it can. */
	STEP(map);
	take();
	atomic { bad = foreign || FOUND == 2; settled = 0 };
	if
	:: bad -> STEP(report); end(B, 2); goto given_up
	:: else
	fi;
	run_rounds(A, 2);
	keep_copy(2);
	end(A, 2);

tidy:
	/* The caller waits; no CPU is behind the gate when the call is reset. */
#ifndef NO_QUIESCE_TIDY
	atomic { left = inside };
	atomic { left == 0 };
#endif
	STEP(map);
	take();
	write_quiet(A);
#ifndef NO_SYNC_TIDY
	sync();
#endif
	end(settled, 3);
given_up:
	skip
}

#ifdef NEIGHBOUR
/* A kprobe is set on the gate, and removed; it was refused while int3 is there. */
proctype neighbour()
{
	atomic { lock == 0 -> lock = KPROBES };
	atomic { foreign = true; lock = 0 };
	atomic { lock == 0 -> foreign = false }
}
#endif

#ifdef HOTPLUG
/* It executes sites before it is among those that a sync interrupts. */
proctype hotplug()
{
	atomic { lock == 0 -> lock = BRINGUP };
	atomic { serialise(CPUS - 1); running = ALL };
	atomic { online = ALL };
	atomic { lock = 0 };
	atomic { lock == 0 -> lock = BRINGUP };
	atomic { !busy[CPUS - 1] && !off[CPUS - 1] -> online = ALL & ~BIT(CPUS - 1); running = online };
	lock = 0
}
#endif

init {
	byte i, j;

	atomic {
#ifdef HOTPLUG
		online = ALL & ~BIT(CPUS - 1);
#else
		online = ALL;
#endif
		running = online;
		run patcher();
#ifdef NEIGHBOUR
		run neighbour();
#endif
#ifdef HOTPLUG
		run hotplug();
#endif
#ifndef SHOW
		do
		:: i < CPUS ->
			j = 0;
			do
			:: j <= TOP(i) -> run context(i, j); j++
			:: else -> break
			od;
			i++
		:: else -> break
		od;
		i = 0;
		j = 0
#endif
	}
}
