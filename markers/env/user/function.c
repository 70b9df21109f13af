// SPDX-License-Identifier: GPL-2.0-only
/* Find the function of this program at an address, by its symbol table. */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "env.h"

/* Map the program's file. The program has a fixed address, so addresses are those of the file. */
static const u8 *map_program(void)
{
	int file = open("/proc/self/exe", O_RDONLY);
	struct stat status;
	void *program;

	if (file < 0 || fstat(file, &status))
		err(1, "/proc/self/exe");
	program = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (program == MAP_FAILED)
		err(1, "/proc/self/exe");
	close(file);
	return program;
}

static const Elf64_Shdr *find_symbols(const u8 *program)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)program;
	const Elf64_Shdr *section = (const Elf64_Shdr *)(program + header->e_shoff);
	unsigned int i;

	for (i = 0; i < header->e_shnum; i++, section++)
		if (section->sh_type == SHT_SYMTAB)
			return section;
	return NULL;
}

void marker_function_name(const void *code, char *name, size_t size)
{
	static const u8 *program;
	const Elf64_Shdr *sections, *symbols;
	const Elf64_Sym *symbol, *end;
	const char *names;

	*name = '\0';
	program = program ?: map_program();
	symbols = find_symbols(program);
	if (!symbols)
		return;
	sections = (const Elf64_Shdr *)(program + ((const Elf64_Ehdr *)program)->e_shoff);
	names = (const char *)program + sections[symbols->sh_link].sh_offset;
	symbol = (const Elf64_Sym *)(program + symbols->sh_offset);
	for (end = symbol + symbols->sh_size / sizeof(*symbol); symbol < end; symbol++)
		if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
		    (unsigned long)code - symbol->st_value < symbol->st_size) {
			strscpy(name, names + symbol->st_name, size);
			return;
		}
}
