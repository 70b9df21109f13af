/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of the kernel as the recorder uses them, in a program; kernel.h includes this. */
#ifndef RECORDER_FS_H
#define RECORDER_FS_H

/* linux/seq_file.h: a text of @size bytes at most; @count is @size if it does not fit. */

struct file;

struct seq_file {
	char *buf;
	size_t size, count;
	void *private;
	int (*show)(struct seq_file *m, void *unused);
	const struct seq_operations *ops;	/* instead of @show */
};

struct seq_operations {
	void *(*start)(struct seq_file *m, loff_t *pos);
	void *(*next)(struct seq_file *m, void *v, loff_t *pos);
	void (*stop)(struct seq_file *m, void *v);
	int (*show)(struct seq_file *m, void *v);
};

#define SEQ_START_TOKEN		((void *)1)

static inline bool seq_has_overflowed(const struct seq_file *m)
{
	return m->count == m->size;
}

void seq_vprintf(struct seq_file *m, const char *format, va_list args);
void seq_printf(struct seq_file *m, const char *format, ...);
#define seq_puts(m, s)		seq_printf(m, "%s", s)
#define seq_putc(m, c)		seq_printf(m, "%c", c)
#define seq_put_decimal_ull(m, before, n)					\
	seq_printf(m, "%s%llu", before, (unsigned long long)(n))

/* linux/fs.h, linux/debugfs.h, linux/uaccess.h */

struct inode {
	void *i_private;
};

struct file {
	void *private_data;
};

struct file_operations {
	struct module *owner;
	int (*open)(struct inode *inode, struct file *file);
	ssize_t (*read)(struct file *file, char *to, size_t count, loff_t *pos);
	ssize_t (*write)(struct file *file, const char *from, size_t count, loff_t *pos);
	loff_t (*llseek)(struct file *file, loff_t pos, int whence);
	int (*release)(struct inode *inode, struct file *file);
};

struct dentry {
	char name[64];
	struct dentry *parent;
	void *data;
	const struct file_operations *fops;	/* NULL: of a folder */
	umode_t mode;
	struct list_head list;
};

struct dentry *debugfs_create_dir(const char *name, struct dentry *parent);
struct dentry *debugfs_create_file(const char *name, umode_t mode, struct dentry *parent,
				   void *data,
				   const struct file_operations *fops);
struct dentry *debugfs_lookup(const char *name, struct dentry *parent);
void debugfs_remove(struct dentry *dentry);
void dput(struct dentry *dentry);
int simple_open(struct inode *inode, struct file *file);
int single_open(struct file *file, int (*show)(struct seq_file *m, void *unused), void *data);
#define single_open_size(file, show, data, size)	single_open(file, show, data)
int single_release(struct inode *inode, struct file *file);
int seq_open(struct file *file, const struct seq_operations *ops);
#define seq_release		single_release
ssize_t seq_read(struct file *file, char *to, size_t count, loff_t *pos);
#define nonseekable_open(inode, file)	((void)(inode), (void)(file), 0)
loff_t noop_llseek(struct file *file, loff_t pos, int whence);
#define seq_lseek		noop_llseek
#define DEFINE_SHOW_ATTRIBUTE(name)					\
static int name##_open(struct inode *inode, struct file *file)		\
{									\
	return single_open(file, name##_show, inode->i_private);	\
}									\
									\
static const struct file_operations name##_fops = {			\
	.owner = THIS_MODULE, .open = name##_open, .read = seq_read,	\
	.llseek = seq_lseek, .release = single_release,			\
}

static inline unsigned long copy_to_user(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return 0;
}

static inline unsigned long copy_from_user(void *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return 0;
}

static inline void *memdup_user_nul(const void *from, size_t size)
{
	char *copy = kmalloc(size + 1, GFP_KERNEL);

	if (!copy)
		return ERR_PTR(-ENOMEM);
	copy[size] = '\0';
	return memcpy(copy, from, size);
}

#endif
