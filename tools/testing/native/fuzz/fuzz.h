/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_H
#define FUZZ_H

#include "env.h"

/* Entry points for libFuzzer, which calls the first with a new input each time. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* The bytes as a text, to be freed. */
static inline char *fuzz_text(const u8 *data, size_t size)
{
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* The log would be most of the work; it is formatted, and goes nowhere. */
static inline void fuzz_mute(void)
{
	static char buffer[1 << 16];

	stderr = fopen("/dev/null", "w");
	setvbuf(stderr, buffer, _IOFBF, sizeof(buffer));
}

static inline void fuzz_expect(bool good)
{
	if (!good)
		__builtin_trap();
}

#endif
