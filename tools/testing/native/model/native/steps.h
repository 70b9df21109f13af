/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The steps that a program which replays a model has seen: one a line, in the words of
 * the model's STEP().
 */
#ifndef MODEL_STEPS_H
#define MODEL_STEPS_H

/* Note a step; both texts stay, @name may be NULL.  Context: any, a signal handler, too. */
void steps_note(const char *words, const char *name);

/* Prints all as "STEP ..." */
void steps_print(void);

/* Notes what has changed since it was called last; each program has its own. */
void steps_poll(void);

/* Note changes as steps_poll() does, but not of text, which may be half written. */
void steps_poll_data(void);

#endif
