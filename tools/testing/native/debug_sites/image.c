// SPDX-License-Identifier: GPL-2.0-only
/* Loads a module into a program (image.h); knows only relocations that modules on x86-64 have. */
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "image.h"

#define SECTIONS_MAX	4096
#define SLACK		4096	/* bytes behind the text, where a search ends */

struct file {
	const u8 *bytes;
	size_t size;
	const Elf64_Ehdr *head;
	const Elf64_Shdr *sections;
	const char *names;
	const void *(*find)(const char *name);
	u8 *at[SECTIONS_MAX];	/* each section that is loaded */
};

static bool is_within(const struct file *file, u64 offset, u64 size)
{
	return offset <= file->size && size <= file->size - offset;
}

static const char *map_file(struct file *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat about;
	void *bytes;

	if (fd < 0)
		return strerror(errno);
	if (fstat(fd, &about)) {
		close(fd);
		return strerror(errno);
	}
	bytes = mmap(NULL, about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return strerror(errno);
	file->bytes = bytes;
	file->size = about.st_size;
	return NULL;
}

static const char *check(struct file *file)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)file->bytes;
	unsigned int i;

	if (file->size < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_type != ET_REL ||
	    head->e_machine != EM_X86_64)
		return "this is no module for x86-64; a compressed one has to be unpacked first";
	if (head->e_shnum > SECTIONS_MAX || head->e_shstrndx >= head->e_shnum ||
	    !is_within(file, head->e_shoff, (u64)head->e_shnum * sizeof(Elf64_Shdr)))
		return "its table of sections is damaged";
	file->head = head;
	file->sections = (const Elf64_Shdr *)(file->bytes + head->e_shoff);
	for (i = 0; i < head->e_shnum; i++)
		if (file->sections[i].sh_type != SHT_NOBITS &&
		    !is_within(file, file->sections[i].sh_offset, file->sections[i].sh_size))
			return "a section reaches beyond the end";
	file->names = (const char *)file->bytes + file->sections[head->e_shstrndx].sh_offset;
	return NULL;
}

static size_t place_of(size_t end, const Elf64_Shdr *section)
{
	size_t align = section->sh_addralign ?: 1;

	return (end + align - 1) / align * align;
}

/* Room for the sections, and for a second jump table behind them. */
static const char *lay_out(struct file *file, struct image *image)
{
	size_t end = 0, jumps = 0;
	unsigned int i, round;

	for (round = 0; round < 2; round++) {
		end = 0;
		for (i = 1; i < file->head->e_shnum; i++) {
			const Elf64_Shdr *section = &file->sections[i];

			if (!(section->sh_flags & SHF_ALLOC))
				continue;
			end = place_of(end, section);
			if (round)
				file->at[i] = image->memory + end;
			if (round && section->sh_type != SHT_NOBITS)
				memcpy(file->at[i], file->bytes + section->sh_offset,
				       section->sh_size);
			end += section->sh_size;
			if (!strcmp(file->names + section->sh_name, "__jump_table"))
				jumps = section->sh_size;
		}
		if (round)
			break;
		image->size = end + SLACK + jumps + sizeof(struct jump_entry);
		image->memory = mmap(NULL, image->size, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
		if (image->memory == MAP_FAILED) {
			image->memory = NULL;
			return strerror(errno);
		}
	}
	image->jumps = (struct jump_entry *)(image->memory + (end + SLACK + 7) / 8 * 8);
	return NULL;
}

static const u8 *value_of(const struct file *file, const Elf64_Shdr *table, const Elf64_Sym *symbol)
{
	const Elf64_Shdr *names = &file->sections[table->sh_link];

	if (symbol->st_shndx == SHN_ABS)
		return (const u8 *)symbol->st_value;
	if (symbol->st_shndx && symbol->st_shndx < file->head->e_shnum)
		return file->at[symbol->st_shndx] + symbol->st_value;
	return file->find((const char *)file->bytes + names->sh_offset + symbol->st_name);
}

static void relocate(const struct file *file, const Elf64_Shdr *section)
{
	const Elf64_Shdr *symbols = &file->sections[section->sh_link];
	const Elf64_Rela *entry = (const void *)(file->bytes + section->sh_offset);
	const Elf64_Rela *end = entry + section->sh_size / sizeof(*entry);

	for (; entry < end; entry++) {
		const Elf64_Sym *symbol = (const Elf64_Sym *)(file->bytes + symbols->sh_offset) +
					  ELF64_R_SYM(entry->r_info);
		u8 *at = file->at[section->sh_info] + entry->r_offset;
		s64 value = (s64)value_of(file, symbols, symbol) + entry->r_addend;
		s32 half;

		switch (ELF64_R_TYPE(entry->r_info)) {
		case R_X86_64_64:
			memcpy(at, &value, sizeof(value));
			continue;
		case R_X86_64_PC64:
			value -= (s64)at;
			memcpy(at, &value, sizeof(value));
			continue;
		case R_X86_64_PC32:
		case R_X86_64_PLT32:
			value -= (s64)at;
			break;
		case R_X86_64_32:
		case R_X86_64_32S:
			break;
		default:
			continue;
		}
		half = value;
		memcpy(at, &half, sizeof(half));
	}
}

static int by_key(const void *a, const void *b)
{
	const struct static_key *first = jump_entry_key(*(const struct jump_entry *const *)a);
	const struct static_key *second = jump_entry_key(*(const struct jump_entry *const *)b);

	return (first > second) - (first < second);
}

/* Sort as the kernel does: each key gets its first entry; an entry says if it is in init text. */
static void sort_jumps(struct image *image, const struct jump_entry *table, const u8 *init,
		       size_t size)
{
	const struct jump_entry **sorted = calloc(image->njumps + 1, sizeof(*sorted));
	unsigned int i;

	for (i = 0; i < image->njumps; i++)
		sorted[i] = &table[i];
	qsort(sorted, image->njumps, sizeof(*sorted), by_key);
	for (i = 0; i < image->njumps; i++) {
		struct jump_entry *to = &image->jumps[i];
		struct static_key *key = jump_entry_key(sorted[i]);
		const u8 *code = (const u8 *)jump_entry_code(sorted[i]);

		to->code = code - (const u8 *)&to->code;
		to->target = (const u8 *)jump_entry_target(sorted[i]) - (const u8 *)&to->target;
		to->key = ((u8 *)key - (u8 *)&to->key) | (sorted[i]->key & 1) |
			  (code >= init && code < init + size ? 2 : 0);
		/* A key of another module is not in this memory. */
		if ((!i || key != jump_entry_key(sorted[i - 1])) && (u8 *)key >= image->memory &&
		    (u8 *)key < image->memory + image->size)
			key->type = (unsigned long)to | (key->type & 1);
	}
	free(sorted);
}

static void find_tables(const struct file *file, struct image *image)
{
	const struct jump_entry *jumps = NULL;
	const u8 *init = NULL;
	size_t init_size = 0;
	unsigned int i;

	for (i = 1; i < file->head->e_shnum; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		const char *name = file->names + section->sh_name;

		if (!file->at[i])
			continue;
		if (!strcmp(name, "__dyndbg")) {
			image->sites = (struct _ddebug *)file->at[i];
			image->nsites = section->sh_size / sizeof(struct _ddebug);
		} else if (!strcmp(name, "__jump_table")) {
			jumps = (struct jump_entry *)file->at[i];
			image->njumps = section->sh_size / sizeof(*jumps);
		} else if (!strcmp(name, ".init.text")) {
			init = file->at[i];
			init_size = section->sh_size;
		}
	}
	sort_jumps(image, jumps, init, init_size);
}

const char *image_load(struct image *image, const char *path,
		       const void *(*find)(const char *name))
{
	struct file file = { .find = find };
	const char *wrong;
	unsigned int i;

	memset(image, 0, sizeof(*image));
	wrong = map_file(&file, path) ?: check(&file) ?: lay_out(&file, image);
	for (i = 1; !wrong && i < file.head->e_shnum; i++)
		if (file.sections[i].sh_type == SHT_RELA &&
		    file.sections[i].sh_info < file.head->e_shnum &&
		    file.at[file.sections[i].sh_info])
			relocate(&file, &file.sections[i]);
	if (!wrong)
		find_tables(&file, image);
	if (file.bytes)
		munmap((void *)file.bytes, file.size);
	return wrong;
}

void image_free(struct image *image)
{
	if (image->memory)
		munmap(image->memory, image->size);
}
