// SPDX-License-Identifier: GPL-2.0-only
/* Reads the names of values out of a symbolic conversion, "%{ NAME=VALUE... }". */
#include "symbol.h"

#define SYMBOL_DIGITS	8	/* digits of a VALUE */

bool notrace marker_symbol_next(const char *format, const struct marker_arg *arg,
				struct marker_symbol *symbol)
{
	const char *s = symbol->name ? symbol->name + symbol->length + 1 + SYMBOL_DIGITS :
				       format + arg->start + strlen("%{");
	unsigned int i;
	u32 value = 0;

	if (*s++ != ' ')
		return false;
	symbol->name = s;
	while (marker_is_name_char(*s))
		s++;
	symbol->length = s - symbol->name;
	if (!symbol->length || *s++ != '=')
		return false;
	for (i = 0; i < SYMBOL_DIGITS; i++, s++) {
		if (!isdigit(*s) && (*s < 'a' || *s > 'f'))
			return false;
		value = value << 4 | (isdigit(*s) ? *s - '0' : *s - 'a' + 10);
	}
	symbol->value = value;
	return true;
}
EXPORT_SYMBOL_GPL(marker_symbol_next);

void notrace marker_symbol_print(const char *format, const struct marker_arg *arg,
				 unsigned long value, char to[MARKER_SYMBOL_MAX])
{
	struct marker_symbol symbol = { };

	while (marker_symbol_next(format, arg, &symbol)) {
		if (symbol.value != (s32)value)
			continue;
		scnprintf(to, MARKER_SYMBOL_MAX, "%.*s", symbol.length, symbol.name);
		return;
	}
	scnprintf(to, MARKER_SYMBOL_MAX, "0x%x", (u32)value);
}
EXPORT_SYMBOL_GPL(marker_symbol_print);
