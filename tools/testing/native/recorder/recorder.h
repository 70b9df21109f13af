/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RECORDER_H
#define RECORDER_H

#include "kernel.h"

/* Free memory that was freed; until then it can be written to an image of the memory. */
void recorder_forget_pages(void);
void recorder_write_memory(FILE *to);

/* CPUs that are online when the recorder is loaded; and what another one calls as it comes up. */
extern unsigned int recorder_online;
extern int (*recorder_prepare_cpu)(unsigned int cpu);

/* Write the classes that a dump of the memory describes, a line each. */
void recorder_list_classes(char *to, size_t size);

/* Called once with the next text that is read at a site, before it is read. */
extern void (*recorder_on_text)(char *text);

/* A file of debugfs that is open. */
struct opened {
	const struct file_operations *fops;
	struct file file;
};

/* Open a file by its path below markers/. 0, -ENOENT, or the error of the file. */
int recorder_open(struct opened *opened, const char *path);
void recorder_close(struct opened *opened);

/* Write the paths of all files and folders, a line each. */
void recorder_list_files(char *to, size_t size);

/*
 * Addresses of the events: one that is hashed unless the session has addresses=raw, one that is
 * not.
 */
#define RECORDER_ADDRESS	0xffff8880deadb00cul
#define RECORDER_SHOWN		0xffff8881cafe1234ul

/* The text of an event is the begin of this. */
#define RECORDER_TEXT		"text of the event"

static inline unsigned int recorder_text_length(unsigned int n)
{
	return n % sizeof(RECORDER_TEXT);
}

/* sites.c: fire the markers "of_..." with values of event number @n; fire "of_many". */
void recorder_fire(unsigned int n);
void recorder_fire_texts(const char *const *texts);	/* eight */

/* faults.c: each request of each step is refused in turn. */
void check_faults(void);

/*
 * recorder.c: one line of TAP; write to a file of debugfs, of which no byte behind the text is
 * read.
 */
void check(bool good, const char *format, ...) __printf(2, 3);
int write_file(const char *path, const char *text);
ssize_t read_text(const char *path, char *to, size_t size);
void fire(unsigned int n);

#endif
