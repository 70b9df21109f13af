// SPDX-License-Identifier: GPL-2.0-only
/* The kernel around the recorder, in a program. Each allocation and registration can be refused. */
#include <err.h>
#include <sys/random.h>
#include "ctf/dump.h"
#include "recorder.h"

unsigned int recorder_cpu, recorder_preempt;
u64 recorder_clock;
void (*recorder_on_clock)(void);
unsigned int recorder_clock_reading;
struct module recorder_module = { .name = "recorder" };
long recorder_available = 1 << 20;
struct notifier_block *recorder_die, *recorder_panic;
unsigned int recorder_online = RECORDER_CPUS;
int (*recorder_prepare_cpu)(unsigned int cpu);
static struct dentry root = { .name = "markers", .list = LIST_HEAD_INIT(root.list) };

/* Memory in pages, which is what a dump of the memory has. */
static struct area {
	u8 *at;
	size_t size;
} areas[512];

static struct area *find_area(const void *at)
{
	struct area *area = areas;

	while (area < areas + ARRAY_SIZE(areas) && area->at != at)
		area++;
	return area < areas + ARRAY_SIZE(areas) ? area : NULL;
}

unsigned int recorder_possible(unsigned int cpu)
{
	if (!cpu_possible(cpu))
		errx(2, "data of CPU %u, which cannot be there", cpu);
	return cpu;
}

void *recorder_pages(size_t size)
{
	struct area *area = find_area(NULL);

	if (!area)
		errx(2, "too many areas");
	if (request_is_refused())
		return NULL;
	area->at = request_counted(aligned_alloc(PAGE_SIZE, size));
	area->size = size;
	return memset(area->at, 0, size);
}

void recorder_free_pages(void *at)
{
	request_allocated -= !!at;
}

void recorder_forget_pages(void)
{
	struct area *area;

	for (area = areas; area < areas + ARRAY_SIZE(areas) && area->at; area++) {
		__real_free(area->at);
		*area = (struct area){ };
	}
}

/* The last area is written first, and in it the last page: an image has no order. */
void recorder_write_memory(FILE *to)
{
	struct area *area;
	size_t at;

	for (area = areas + ARRAY_SIZE(areas); area-- > areas;)
		for (at = area->size; at; at -= PAGE_SIZE)
			fwrite(area->at + at - PAGE_SIZE, PAGE_SIZE, 1, to);
}

void recorder_list_classes(char *to, size_t size)
{
	const struct marker_ctf_dump_page *page;
	const char *line;
	size_t at = 0, length;
	struct area *area;

	*to = '\0';
	for (area = areas; area < areas + ARRAY_SIZE(areas) && area->at; area++) {
		if (memcmp(area->at, DUMP_MAGIC, strlen(DUMP_MAGIC)))
			continue;
		page = (struct marker_ctf_dump_page *)area->at;
		for (line = page->text; *line; line += length + 1) {
			length = strcspn(line, "\n");
			if (isdigit(*line))
				at += scnprintf(to + at, size - at, "%.*s\n", (int)length, line);
		}
	}
}

int cpuhp_setup_state(int state, const char *name, int (*prepare)(unsigned int cpu), void *teardown)
{
	unsigned int cpu;

	if (request_is_refused())
		return -ENOMEM;
	for (cpu = 0; cpu < recorder_online; cpu++)
		prepare(cpu);
	recorder_prepare_cpu = prepare;
	request_references++;
	return 7;
}

void cpuhp_remove_state(int state)
{
	request_references -= state == 7;
}

int recorder_register(struct notifier_block **chain, struct notifier_block *block)
{
	if (request_is_refused())
		return -ENOMEM;
	*chain = block;
	request_references++;
	return 0;
}

void recorder_unregister(struct notifier_block **chain)
{
	*chain = NULL;
	request_references--;
}

void get_random_bytes(void *to, size_t size)
{
	if (getrandom(to, size, 0) != (ssize_t)size)
		err(2, "no random bytes");
}

u32 get_random_u32(void)
{
	u32 value;

	get_random_bytes(&value, sizeof(value));
	return value;
}

void *xa_load(struct xarray *xa, unsigned long index)
{
	return index < xa->n ? xa->entries[index] : NULL;
}

void *xa_store(struct xarray *xa, unsigned long index, void *entry, gfp_t flags)
{
	void **entries;

	if (index >= xa->n) {
		entries = kcalloc(index + 64, sizeof(*entries), flags);
		if (!entries)
			return ERR_PTR(-ENOMEM);
		if (xa->n)
			memcpy(entries, xa->entries, xa->n * sizeof(*entries));
		kfree(xa->entries);
		*xa = (struct xarray){ index + 64, entries };
	}
	xa->entries[index] = entry;
	return NULL;
}

void xa_erase(struct xarray *xa, unsigned long index)
{
	if (index < xa->n)
		xa->entries[index] = NULL;
}

void xa_destroy(struct xarray *xa)
{
	kfree(xa->entries);
	xa_init(xa);
}

static void put(struct seq_file *m, const char *format, ...)
{
	size_t room = m->size - m->count;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(m->buf + m->count, room, format, args);
	va_end(args);
	m->count = (size_t)length < room ? m->count + length : m->size;
}

/* Put one conversion, whose letter is *@end; also those of the kernel for bytes and symbols. */
static const char *put_one(struct seq_file *m, const char *spec, const char *end, va_list args)
{
	int width = memchr(spec, '*', end - spec) ? va_arg(args, int) : 0, i;
	char one[16];
	const u8 *bytes;

	strscpy(one, spec, min(sizeof(one), (size_t)(end - spec + 2)));
	if (!strncmp(end, "ph", 2)) {
		bytes = va_arg(args, const u8 *);
		for (i = 0; i < width; i++)
			put(m, "%s%02x", i && end[2] != 'N' ? " " : "", bytes[i]);
		return end + 2 + (end[2] == 'N');
	}
	if (!strncmp(end, "pS", 2)) {
		put(m, va_arg(args, void *) ? "function+0x0/0x1" : "0");
		return end + 2;
	}
	if (memchr(spec, '*', end - spec))
		put(m, one, width, va_arg(args, unsigned long));
	else
		put(m, one, va_arg(args, unsigned long));
	return end + 1;
}

void seq_vprintf(struct seq_file *m, const char *format, va_list args)
{
	const char *spec;

	for (; (spec = strchr(format, '%')); ) {
		put(m, "%.*s", (int)(spec - format), format);
		format = put_one(m, spec, spec + 1 + strspn(spec + 1, "-+ #0123456789.*hlz"), args);
	}
	put(m, "%s", format);
}

void seq_printf(struct seq_file *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	seq_vprintf(m, format, args);
	va_end(args);
}

int simple_open(struct inode *inode, struct file *file)
{
	file->private_data = inode->i_private;
	return 0;
}

int single_open(struct file *file, int (*show)(struct seq_file *m, void *unused), void *data)
{
	struct seq_file *m = kzalloc(sizeof(*m), GFP_KERNEL);

	if (!m)
		return -ENOMEM;
	*m = (struct seq_file){ .show = show, .private = data };
	file->private_data = m;
	return 0;
}

int single_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

int seq_open(struct file *file, const struct seq_operations *ops)
{
	int ret = single_open(file, NULL, NULL);

	if (!ret)
		((struct seq_file *)file->private_data)->ops = ops;
	return ret;
}

/* As the kernel does for small buffers: each time from a position. */
static void show_each(struct seq_file *m)
{
	loff_t pos = 0;
	void *v;

	while ((v = m->ops->start(m, &pos))) {
		m->ops->show(m, v);
		m->ops->stop(m, m->ops->next(m, v, &pos));
	}
	m->ops->stop(m, v);
}

/* The whole text at once. */
ssize_t seq_read(struct file *file, char *to, size_t count, loff_t *pos)
{
	struct seq_file *m = file->private_data;

	if (m->ops)
		kfree(m->buf);
	m->buf = to;
	m->size = count;
	m->count = 0;
	if (m->ops)
		show_each(m);
	else
		m->show(m, NULL);
	m->buf = NULL;
	return seq_has_overflowed(m) ? -E2BIG : (ssize_t)m->count;
}

loff_t noop_llseek(struct file *file, loff_t pos, int whence)
{
	return pos;
}

static struct dentry *create(const char *name, umode_t mode, struct dentry *parent, void *data,
			     const struct file_operations *fops)
{
	struct dentry *dentry;

	if (IS_ERR(parent))
		return parent;
	dentry = kzalloc(sizeof(*dentry), GFP_KERNEL);
	if (!dentry)
		return ERR_PTR(-ENOMEM);
	strscpy(dentry->name, name, sizeof(dentry->name));
	dentry->mode = mode;
	dentry->parent = parent;
	dentry->data = data;
	dentry->fops = fops;
	list_add_tail(&dentry->list, &root.list);
	return dentry;
}

struct dentry *debugfs_create_dir(const char *name, struct dentry *parent)
{
	return create(name, 0, parent, NULL, NULL);
}

struct dentry *debugfs_create_file(const char *name, umode_t mode, struct dentry *parent,
				   void *data,
				   const struct file_operations *fops)
{
	return create(name, mode, parent, data, fops);
}

struct dentry *debugfs_lookup(const char *name, struct dentry *parent)
{
	request_references++;
	return &root;
}

void dput(struct dentry *dentry)
{
	request_references--;
}

static bool is_below(const struct dentry *dentry, const struct dentry *top)
{
	while (dentry && dentry != top)
		dentry = dentry->parent;
	return dentry;
}

void debugfs_remove(struct dentry *top)
{
	struct dentry *dentry, *next;

	if (IS_ERR_OR_NULL(top))
		return;
	/* The children are behind their parent. */
	list_for_each_entry_safe_reverse(dentry, next, &root.list, list) {
		if (!is_below(dentry, top))
			continue;
		list_del(&dentry->list);
		kfree(dentry);
	}
}

static void path_of(const struct dentry *dentry, char *to, size_t size)
{
	*to = '\0';
	if (dentry->parent == &root || !dentry->parent) {
		strscpy(to, dentry->name, size);
		return;
	}
	path_of(dentry->parent, to, size);
	scnprintf(to + strlen(to), size - strlen(to), "/%s", dentry->name);
}

void recorder_list_files(char *to, size_t size)
{
	struct dentry *dentry;
	char path[256];
	size_t at = 0;

	*to = '\0';
	list_for_each_entry(dentry, &root.list, list) {
		path_of(dentry, path, sizeof(path));
		at += scnprintf(to + at, size - at, "%s", path);
		if (dentry->fops)
			at += scnprintf(to + at, size - at, " %o%s%s%s%s%s", dentry->mode,
					dentry->fops->owner ? " owner" : "",
					dentry->fops->read ? " read" : "",
					dentry->fops->write ? " write" : "",
					dentry->fops->llseek ? " seek" : "",
					dentry->fops->release ? " release" : "");
		at += scnprintf(to + at, size - at, "\n");
	}
}

int recorder_open(struct opened *opened, const char *path)
{
	struct dentry *dentry;
	char found[256];
	struct inode inode;

	list_for_each_entry(dentry, &root.list, list) {
		path_of(dentry, found, sizeof(found));
		if (strcmp(found, path) || !dentry->fops)
			continue;
		opened->fops = dentry->fops;
		inode.i_private = dentry->data;
		return dentry->fops->open(&inode, &opened->file);
	}
	return -ENOENT;
}

void recorder_close(struct opened *opened)
{
	struct inode inode = { };

	if (opened->fops->release)
		opened->fops->release(&inode, &opened->file);
}
