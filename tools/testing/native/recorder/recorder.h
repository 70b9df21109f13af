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

/* How many texts were read. */
extern unsigned int recorder_texts_read;

/* A file of debugfs that is open. */
struct opened {
	const struct file_operations *fops;
	struct file file;
};

/* Open a file by its path below markers/. 0, -ENOENT, or the error of the file. */
int recorder_open(struct opened *opened, const char *path);
void recorder_close(struct opened *opened);

/* Write the paths of all files and folders, a line each, with the modes and functions of files. */
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

/* sites.c: fire the markers "quick_SIZES", whose arguments have these sizes and values. */
extern const u64 recorder_words[4];
void recorder_fire_quick(void);

/* faults.c: each request of each step is refused in turn. */
void check_faults(void);

/* recorder.c: one line of TAP; write to a file of debugfs, and read one that is a text. */
void check(bool good, const char *format, ...) __printf(2, 3);
int write_file(const char *path, const char *text);
ssize_t write_bytes(const char *path, const char *bytes, size_t size);
ssize_t read_text(const char *path, char *to, size_t size);

/* Steps without which nothing can be tested: any, a command, a write to the file control. */
void must(int ret, const char *what);
void command(const char *words);
void set_up(const char *words);

/* packets.c */
void fire(unsigned int n);
void check_packets(bool raw);
void check_snapshots(bool raw);

/* limits.c */
void check_sizes(void);
void check_lengths(void);
void check_memory(void);
void check_room(void);
void check_between(void);
void check_outdated(void);
void check_long_header(void);
void check_texts(void);

/* new_cpu.c, contexts.c */
void check_new_cpu(void);
void check_contexts(const char *marker);
void check_quick(void);

/* listings.c: print the whole texts of all files, in each state of a session. */
void print_listings(void);
void show(const char *path, const char *word);

/* core.c: the same of the files of markers.ko itself. */
void print_core(void);

/* panic.c: write an image of the memory. */
void panic(const char *path);
void panic_in_store(const char *path, unsigned int events);

#endif
