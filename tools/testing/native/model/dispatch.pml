/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The order of markers/dispatch.c, changes.c, quiesce.c and transaction.c: one site, the
 * two probes it may have, CPUS readers that pass it, and a writer that connects and
 * disconnects without end.
 *
 * A reader is a task, which may be preempted anywhere, or an interrupt (or idle task); the
 * first is a task, the second an interrupt.  A change of text is as patch.pml proves it to be: while
 * it is under way a reader executes the old or the new instruction, afterwards the new one.
 * So gate_may and call_may are sets.
 *
 * What a site has, its link and the target of its call are numbers: 0 nothing, 1 probe A,
 * 2 probe B, 3 both (the dispatcher).  A link to freed memory is DANGLING: its number is
 * replaced in the readers that hold it.
 *
 * FORM		how the gate leads to the probe
 *	CODE	a gate, behind it the link is loaded, then the call
 *	CALL	the link is loaded, then the gate, which is the call itself (call)
 *	POINTER	a flag, behind it the link is loaded, and called by (generic, kprobe)
 *
 * FOREIGN: the bytes of the gate may be another's whenever it is to be changed.  FOREIGN_CALL:
 * those of the call, too; they lead where the call did.  GOING: the
 * module of the site is unloaded.  SHOW: the writer alone, through the LENGTH transactions of
 * PLAN: what the site is to have, + 4 where its gate is foreign, + 8 where the transaction is
 * dropped, + 16 where its call is foreign, + 32 where what is busy is tried again.  Each STEP()
 * is compared with what dispatch.c does (replay.py).  GRAPH: the writer alone, through all
 * transactions in all states, for walk.py.  The other options are the planted errors of
 * mutations.py.
 */
#ifndef CPUS
#define CPUS	2
#endif
#define CODE	0
#define CALL	1
#define POINTER	2
#ifndef FORM
#define FORM	CODE
#endif

#define NONE		0
#define PROBE_A		1
#define PROBE_B		2
#define DISPATCHER	3
#define DANGLING	4

#define BIT(n)	(1 << (n))
#define CLOSED	1
#define OPEN	2

byte link;			/* site->link */
byte gate_may = (FORM == CALL -> OPEN : CLOSED);
byte call_may = 1;		/* targets, as bits */
byte loaded[CPUS];		/* the link that a reader holds */
byte probe[CPUS];		/* the probe that a reader runs; DANGLING: its data is freed */
byte inside, before_call;	/* readers, as bits */
byte left_tasks, left_visits;	/* readers that the wait is for */
bool stopped;			/* nothing runs the site any more */
bool text_freed;

/* What markers.ko knows of the site. */
byte has, next, old;
bool gate_open, busy, call_busy, joined;
byte call_to;
bool mutex;			/* marker_mutex */
byte published;			/* sets, as bits: a step frees only what was a link */

#define STEP(what)	printf("STEP "); printf(#what); printf("\n")
#define SAY		printf

#define IS_TASK(r)	((r) % 2 == 0)
#define TASKS	(CPUS > 2 -> 5 : 1)
#define VISITS	2

inline name(what)
{
	if
	:: what == NONE -> printf("none\n")
	:: what == PROBE_A -> printf("A\n")
	:: what == PROBE_B -> printf("B\n")
	:: what == DISPATCHER -> printf("both\n")
	fi
}

#define step(what, value)	printf("STEP "); printf(#what); printf(" "); name(value)

inline run_probe(p)
{
	atomic { probe[r] = p };
	atomic {
		if
		:: probe[r] == DANGLING ->
			SAY("VIOLATION reader %d runs a probe whose data is freed\n", r);
			assert(false)
		:: else
		fi;
		probe[r] = NONE
	}
}

inline check_link(what)
{
	if
	:: what == DANGLING ->
		SAY("VIOLATION reader %d uses a freed link\n", r);
		assert(false)
	:: else
	fi
}

proctype reader(byte r)
{
	byte target;

end_idle:
	atomic {
		!stopped;
		if
		:: gate_may & OPEN
		:: (gate_may & CLOSED) && FORM != CALL -> goto end_idle
		fi;
		inside = inside | BIT(r);
		before_call = before_call | BIT(r)
	};
	atomic { loaded[r] = link; SAY("reader %d loads link %d\n", r, link) };
	atomic {
		if
		:: FORM == POINTER ->
			check_link(loaded[r]);
			if
			:: loaded[r] == NONE ->
				SAY("VIOLATION reader %d calls through a NULL link\n", r);
				assert(false)
			:: else
			fi;
			target = loaded[r]
		:: FORM != POINTER && (call_may & BIT(NONE)) -> target = NONE
		:: FORM != POINTER && (call_may & BIT(PROBE_A)) -> target = PROBE_A
		:: FORM != POINTER && (call_may & BIT(PROBE_B)) -> target = PROBE_B
		:: FORM != POINTER && (call_may & BIT(DISPATCHER)) -> target = DISPATCHER
		fi;
		before_call = before_call & ~BIT(r);
		SAY("reader %d calls target %d\n", r, target);
		if
		:: target == NONE -> goto out
		:: target == PROBE_A || target == PROBE_B ->
			check_link(loaded[r]);
			if
			:: loaded[r] != target ->
				SAY("VIOLATION reader %d calls probe %d with link %d\n", r, target, loaded[r]);
				assert(false)
			:: else
			fi
		:: else
		fi
	};
	if
	:: target == PROBE_A || target == PROBE_B -> run_probe(target)
	/* marker_dispatch() */
	:: target == DISPATCHER ->
		atomic {
			check_link(loaded[r]);
#ifdef NO_NULL_CHECK
			if
			:: loaded[r] == NONE ->
				SAY("VIOLATION reader %d calls the dispatcher with NULL\n", r);
				assert(false)
			:: else
			fi
#endif
		};
		if
		:: loaded[r] == NONE
		:: loaded[r] == PROBE_A -> run_probe(PROBE_A)
		:: loaded[r] == PROBE_B -> run_probe(PROBE_B)
		:: loaded[r] == DISPATCHER ->
			run_probe(PROBE_A);
			atomic { check_link(loaded[r]) };
			run_probe(PROBE_B);
			atomic { check_link(loaded[r]) }
		:: loaded[r] == DANGLING ->
			SAY("VIOLATION reader %d uses a freed link\n", r);
			assert(false)
		fi
	fi;
out:
	atomic {
		loaded[r] = NONE;
		target = NONE;
		inside = inside & ~BIT(r);
		left_tasks = left_tasks & ~BIT(r);
		left_visits = left_visits & ~BIT(r);
		goto end_idle
	}
}

inline touch()
{
	if
	:: text_freed ->
		SAY("VIOLATION the writer touches a module that is gone\n");
		assert(false)
	:: else
	fi
}

inline set_link(value)
{
	atomic {
		touch();
		if
		:: link != value ->
			link = value;
			published = published | BIT(value);
			step(link, value)
		:: else
		fi
	}
}

/* A set of hooks is freed, if there is one; what it is the link of dangles. */
inline free_set(what)
{
	i = 0;
	do
	:: i < CPUS ->
		loaded[i] = (what && loaded[i] == what -> DANGLING : loaded[i]);
		i++
	:: else -> break
	od;
	i = 0;
	if
	:: what && published & BIT(what) ->
		step(free set, what);
		published = published & ~BIT(what)
	:: else
	fi
}

/* The connections that a site had and has no more, whose data their probes use. */
inline free_hooks(gone)
{
	i = 0;
	do
	:: i < CPUS ->
		probe[i] = ((gone & probe[i]) && probe[i] != DANGLING -> DANGLING : probe[i]);
		i++
	:: else -> break
	od;
	i = 0;
	if
	:: gone & PROBE_A -> STEP(free hooks A)
	:: else
	fi;
	if
	:: gone & PROBE_B -> STEP(free hooks B)
	:: else
	fi
}

#define REACHES	(FORM == CODE && (gate_open || busy))
/* A CPU may load the link although the site has no probe. */
#define PASSED	(FORM == CALL || REACHES)

/* marker_patch_apply_if(): the call, where no CPU executes it, then all that is live. */
inline change_call(to)
{
	if
	:: to != call_to && quiet && FORM == CODE ->
		atomic {
			touch();
			if
			:: before_call ->
				SAY("VIOLATION a call is written while a CPU may be at it\n");
				assert(false)
			:: else
			fi;
			call_may = BIT(to);
			call_to = to;
			step(call, to)
		}
	:: to != call_to && (!quiet || FORM == CALL) ->
		atomic { touch(); call_may = call_may | BIT(to) };
		atomic { call_may = BIT(to); call_to = to; step(call, to) }
	:: else
	fi
}

#ifdef GRAPH
#define ALONE
#endif
#ifdef SHOW
#define ALONE
#define MORE		(at < LENGTH)
#else
#define MORE		true
#endif
#ifdef ALONE
#define CAN_FIND(it)	(((transaction & 4) > 0) == it)
#define CAN_DROP(it)	(((transaction & 8) > 0) == it)
#define CAN_FIND_CALL(it)	(((transaction & 16) > 0) == it)
#define TRIES_AGAIN	((transaction & 32) > 0)
#else
#define CAN_FIND(it)	true
#define CAN_DROP(it)	true
#define CAN_FIND_CALL(it)	true
#define TRIES_AGAIN	true
#endif

/* Whether the call, which is to lead to @to, is found with the bytes of another. */
inline look_at_call(to)
{
#ifdef FOREIGN_CALL
	if
	:: CAN_FIND_CALL(true) && (to != call_to || call_busy) -> call_busy = true
	:: CAN_FIND_CALL(false) || (to == call_to && !call_busy) -> call_busy = false
	fi
#else
	skip
#endif
}

/* marker_registry_retry(): what has its own bytes again is no longer another's. */
inline adopt()
{
#ifdef FOREIGN
	if
	:: TRIES_AGAIN && CAN_FIND(false) -> busy = false
	:: !TRIES_AGAIN || CAN_FIND(true)
	fi;
#endif
#ifdef FOREIGN_CALL
	if
	:: TRIES_AGAIN && CAN_FIND_CALL(false) -> call_busy = false
	:: !TRIES_AGAIN || CAN_FIND_CALL(true)
	fi;
#endif
	skip
}

/* marker_changes_needs_work() */
#define NEEDS_WORK	(busy || call_busy || FORM == CODE && (gate_open != (has > 0) || (call_to > 0) != (has > 0)))

/* Of a gate that is not written, as its call is foreign. */
inline look_at_gate(open)
{
#ifdef FOREIGN
	if
	:: CAN_FIND(true) && FORM == CODE && (gate_open != open || busy) -> busy = true
	:: CAN_FIND(false) || FORM != CODE || (gate_open == open && !busy)
	fi
#else
	skip
#endif
}

inline change_gate(open)
{
	if
	:: FORM == CODE && (gate_open != open || busy) ->
		if
#ifdef FOREIGN
		:: CAN_FIND(true) -> busy = true
		:: CAN_FIND(false) ->
#else
		:: true ->
#endif
			atomic { touch(); gate_may = gate_may | (open -> OPEN : CLOSED) };
			atomic {
				/* Else its bytes are adopted. */
				if
				:: gate_open != open && open -> STEP(gate open)
				:: gate_open != open && !open -> STEP(gate closed)
				:: else
				fi;
				gate_may = (open -> OPEN : CLOSED);
				gate_open = open;
				busy = false
			}
		fi
	:: else
	fi
}

inline set_flag(open)
{
	if
	:: FORM == POINTER && gate_may != (open -> OPEN : CLOSED) ->
		atomic {
			touch();
			gate_may = (open -> OPEN : CLOSED);
			if
			:: open -> STEP(flag on)
			:: else -> STEP(flag off)
			fi
		}
	:: else
	fi
}

/* marker_quiesce_begin() and marker_quiesce_wait(), without marker_mutex. */
inline wait_for_readers()
{
	atomic {
#ifdef NO_TASKS
		left_tasks = 0;
#else
		left_tasks = inside & TASKS;
#endif
#ifdef NO_VISITS
		left_visits = 0;
#else
		left_visits = inside & VISITS;
#endif
		STEP(begin wait)
	};
	atomic { mutex = false; STEP(unlock) };
	atomic { left_tasks == 0 && left_visits == 0; STEP(end wait) };
	atomic { !mutex -> mutex = true; STEP(lock) }
}

/* marker_dispatch_commit() */
inline commit()
{
	passed = PASSED;
	quiet = !REACHES;
	joined = true;
	waits = (has && has != next) || (!has && next && passed) || (!has && !next && REACHES);
#ifdef OPEN_PASSED_DIRECTLY
	waits = (has && has != next) || (!has && !next && REACHES);
	passed = false;
#endif
	wanted = (next && next != has && (has || passed) -> DISPATCHER : next);
#ifdef NO_DISPATCHER
	wanted = next;
#endif
#ifdef SWAP_LINK_CALL
	if
	:: next -> set_link(next)
	:: else
	fi;
#else
	if
	:: !has && next && !passed ->
#ifndef SWAP_LINK_GATE
		set_link(next)
#else
		skip
#endif
	:: else
	fi;
#endif
#ifdef FOREIGN
	/* All gates of the connection are foreign, and no text was written. */
	if
	:: CAN_DROP(true) && !has && next ->
		set_link(NONE);
		busy = true;
		atomic { free_set(next); free_hooks(next); next = NONE; leaving = NONE; joined = false; waits = false };
		goto over
	:: CAN_DROP(false) || has || !next
	fi;
#endif
	if
	:: next -> look_at_call(wanted)
	:: else
	fi;
	/* A call is vital: then no text is changed, and a site without a probe gets it later. */
	if
	:: next && call_busy -> look_at_gate(true)
	:: else
	fi;
	if
	:: next && call_busy && has -> atomic { leaving = NONE; next = has; goto committed }
	:: next && call_busy && !has ->
#ifndef REFUSED_WITHOUT_LINK
		set_link(next);
#endif
		goto committed
	:: else
	fi;
#ifdef SWAP_CALL_GATE
	change_gate(next > 0);
	if
	:: next -> change_call(wanted)
	:: FORM == CALL && !next -> change_call(NONE)
	:: else
	fi;
#else
	if
	:: next -> change_call(wanted)
	:: FORM == CALL && !next -> change_call(NONE)
	:: else
	fi;
	change_gate(next > 0);
#endif
	/* publish() */
#ifdef SWAP_LINK_FLAG
	set_flag(next > 0);
#endif
	if
	:: next -> set_link(next)
	:: else
	fi;
#ifndef SWAP_LINK_FLAG
	set_flag(next > 0);
#endif
	/* cut_off() */
	if
	:: has && !next && REACHES ->
		quiet = false;
		look_at_call(NONE);
		if
		:: call_busy && call_to != NONE -> leaving = NONE; next = has
		:: call_busy && call_to == NONE
		:: else -> change_call(NONE)
		fi
	:: else
	fi;
#ifdef EARLY_NULL
	if
	:: !next -> set_link(NONE)
	:: else
	fi;
#endif
	if
	:: !next && PASSED ->
#ifndef LATE_NULL
		set_link(NONE)
#else
		skip
#endif
	:: else
	fi;
committed:
	old = has;
	has = next
}

/* marker_dispatch_finish(), and the connections that leave are freed. */
inline finish()
{
	if
	:: joined ->
		quiet = !REACHES;
		look_at_call(has);
		if
		:: call_busy
		:: else -> change_call(has)
		fi;
		if
		:: !has -> set_link(NONE)
		:: else
		fi;
		atomic { free_set((old == has -> NONE : old)); old = NONE };
		joined = false
	:: else
	fi;
	atomic { free_hooks(leaving); leaving = NONE }
}

/* Of what there is between two transactions. */
#define STATE	(has | link << 2 | call_to << 4 | gate_open << 6 | busy << 7 | call_busy << 8)

proctype writer()
{
#ifdef GRAPH
	short before;
#endif
#ifdef SHOW
	byte plan[LENGTH + 1] = PLAN;
	short at;
#endif
	byte i, wanted, leaving, transaction;
	bool passed, waits, quiet;

end_begin:
	do
	:: atomic { MORE && !mutex && !stopped -> mutex = true; STEP(lock) };
		/* Any other set of probes, or the same: what is busy is tried again. */
#ifdef SHOW
		transaction = plan[at];
		next = transaction & DISPATCHER;
		at++;
#elif defined(GRAPH)
		select(transaction : 0 .. 63);
		before = STATE;
		next = transaction & DISPATCHER;
#else
		if
		:: next = NONE
		:: next = PROBE_A
		:: next = PROBE_B
		:: next = DISPATCHER
		fi;
#endif
		leaving = has & ~next;
		atomic { adopt() };
		if
		:: has == next && !(TRIES_AGAIN && NEEDS_WORK) -> goto over
		:: else ->
			commit();
#ifdef FREE_EARLY
			atomic { free_set((old == has -> NONE : old)); old = NONE };
#endif
			if
#ifdef NO_WAIT
			:: waits
#else
			:: waits -> wait_for_readers()
#endif
			:: !waits
			fi;
#ifdef FORGET_KEEPS
			joined = true;
#endif
			finish();
		fi;
over:
		atomic {
#ifdef GRAPH
			printf("TRANSITION %d %d %d\n", before, transaction, STATE);
			before = 0;
#endif
			waits = 0;
			passed = 0;
			quiet = 0;
			wanted = 0;
			transaction = 0;
			mutex = false;
			STEP(unlock)
		}
	od
}

#ifdef GOING
/* None of its code runs any more; its text is freed when markers.ko has forgotten it. */
proctype module()
{
	byte i;

	atomic { inside == 0 -> stopped = true };
#ifndef NO_MUTEX
	atomic { !mutex -> mutex = true };
#endif
	/* marker_dispatch_forget() */
	atomic { free_set((old == has -> NONE : old)); free_set(has); old = NONE; has = NONE; next = NONE; joined = false };
	atomic { text_freed = true };
#ifndef NO_MUTEX
	atomic { mutex = false };
#endif
	skip
}
#endif

init {
	byte r;

	atomic {
		run writer();
#ifdef GOING
		run module();
#endif
#ifndef ALONE
		do
		:: r < CPUS -> run reader(r); r++
		:: else -> break
		od;
		r = 0
#endif
	}
}
