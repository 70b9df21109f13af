// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of an event that are open in tracefs while the event goes.
 *
 * Linux before 6.6 frees an event while a process has its "trigger", "hist" or
 * "format" open, and the next read or write uses freed memory.  Our events can be removed at
 * any time, so the removal waits for these files.  tracefs has one reference to the dentry of
 * each file, and each process that has it open or is about to, has another.  A race of the
 * kernel remains, also for its kprobe events: a process finds the file, and opens it after
 * the event has been removed.
 */
#include <linux/trace_events.h>
#include "compat.h"
#include "open.h"

#ifdef EVENT_FILES_KEEP_EVENTS

int marker_event_open_init(const char *system, const char *name)
{
	return 0;
}

bool marker_event_is_open(const char *system, const char *name)
{
	return false;
}

#else

static struct dentry *root;

int marker_event_open_init(const char *system, const char *name)
{
	struct trace_event_file *file = trace_get_event_file(NULL, system, name);

	if (IS_ERR(file))
		return -ENODEV;
	/* Without memory for its folder the event is there all the same. */
	if (file->dir)
		root = file->dir->d_sb->s_root;
	trace_put_event_file(file);
	return root ? 0 : -ENOMEM;
}

/* Get a child dentry. NULL: there is none, or @parent is NULL. */
static struct dentry *get_child(struct dentry *parent, const char *name)
{
	struct qstr text = QSTR_INIT(name, strlen(name));
	struct dentry *child = parent ? d_hash_and_lookup(parent, &text) : NULL;

	return IS_ERR(child) ? NULL : child;
}

/* Return the child after @child, which is put, or the first one if @child is NULL. */
static struct dentry *get_next_child(struct dentry *parent, struct dentry *child)
{
	struct dentry *next, *found = NULL;

	spin_lock(&parent->d_lock);
	next = child ? list_next_entry(child, d_child) :
		       list_first_entry(&parent->d_subdirs, struct dentry, d_child);
	list_for_each_entry_from(next, &parent->d_subdirs, d_child) {
		spin_lock_nested(&next->d_lock, DENTRY_D_LOCK_NESTED);
		if (d_really_is_positive(next))
			found = dget_dlock(next);
		spin_unlock(&next->d_lock);
		if (found)
			break;
	}
	spin_unlock(&parent->d_lock);
	dput(child);
	return found;
}

static bool has_open_files(struct dentry *dir)
{
	struct dentry *file;
	bool open = false;

	spin_lock(&dir->d_lock);
	list_for_each_entry(file, &dir->d_subdirs, d_child)
		open |= d_really_is_positive(file) && d_count(file) > 1;
	spin_unlock(&dir->d_lock);
	return open;
}

static bool is_open_in(struct dentry *instance, const char *system, const char *name)
{
	struct dentry *events = get_child(instance, "events");
	struct dentry *folder = get_child(events, system);
	struct dentry *event = get_child(folder, name);
	bool open = event && has_open_files(event);

	dput(event);
	dput(folder);
	dput(events);
	return open;
}

bool marker_event_is_open(const char *system, const char *name)
{
	struct dentry *instances = get_child(root, "instances"), *instance = NULL;
	bool open = is_open_in(root, system, name);

	/* Instances do not come or go while event_mutex is held. */
	while (instances && (instance = get_next_child(instances, instance)))
		open |= is_open_in(instance, system, name);
	dput(instances);
	return open;
}

#endif
