/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan of a marker's arguments: the use of each argument in the format.  This is
 * the only parser of printk() conversions; conditions and all probes use it.
 *
 * A conversion takes one argument, and one more before it for each "*".  Two conversions are
 * only in formats of MARK_FIELDS(), because the compiler refuses them in a MARK():
 *
 *	%Ny			N bytes, 1 to MARKER_BYTES_MAX, at an address
 *	%{ NAME=VALUE... }	an int whose values have names; a value is 8 hexadecimal digits
 */
#ifndef MARKERS_PLAN_H
#define MARKERS_PLAN_H

#include "env.h"
#include "marker_abi.h"

struct marker_decoder;

/**
 * enum marker_role - use of an argument
 * @MARKER_ROLE_NUMBER: the word itself; also the argument of a "*"
 * @MARKER_ROLE_POINTER: %p, %pK: the word itself, an address
 * @MARKER_ROLE_TEXT: %s: the characters at an address
 * @MARKER_ROLE_DECODED: %pI4, %pS, ...: a text that describes the object at an address
 * @MARKER_ROLE_BYTES: %Ny: the bytes at an address
 * @MARKER_ROLE_REFUSED: a conversion that cannot be observed
 */
enum marker_role {
	MARKER_ROLE_NUMBER,
	MARKER_ROLE_POINTER,
	MARKER_ROLE_TEXT,
	MARKER_ROLE_DECODED,
	MARKER_ROLE_BYTES,
	MARKER_ROLE_REFUSED,
};

/* No argument, width or precision. */
#define MARKER_PLAN_NONE (-1)

/**
 * struct marker_arg - an argument, and the conversion of the format that takes it
 * @role: enum marker_role
 * @type: enum marker_type
 * @base: base of a number or pointer: 8, 10 or 16
 * @index: index of the argument, from 0
 * @next: index of the argument of the conversion behind, with its "*"
 * @left: the flag '-'
 * @is_symbolic: a number whose values have names
 * @counts: the width is the number of bytes at the address, not the width of the text
 * @width_arg: index of the argument that is the width, or MARKER_PLAN_NONE
 * @precision_arg: index of the argument that is the precision, or MARKER_PLAN_NONE
 * @width: width in the format, in characters, or MARKER_PLAN_NONE
 * @precision: precision in the format, or MARKER_PLAN_NONE
 * @start: start of the conversion in the format; with @end == 0: a "*"
 * @end: behind its last character
 * @nflags: characters of flags behind the '%'
 * @length: "hh", "h", "" or "l"
 * @letter: letter of the conversion
 * @decode: for MARKER_ROLE_DECODED: the text behind "%p"
 * @decoder: for MARKER_ROLE_DECODED: the way to decode it (decode.h)
 */
struct marker_arg {
	u8 role;
	u8 type;
	u8 base;
	u8 index;
	u8 next;
	bool left;
	bool is_symbolic;
	bool counts;
	s8 width_arg;
	s8 precision_arg;
	s16 width;
	s16 precision;
	u16 start, end;
	u8 nflags;
	char length[3];
	char letter;
	char decode[12];
	const struct marker_decoder *decoder;
};

/**
 * struct marker_plan - the arguments of a site, each with its conversion
 * @nargs: how many the site has, 0 to MARKER_ARGS_MAX
 * @args: in their order
 */
struct marker_plan {
	unsigned int nargs;
	struct marker_arg args[MARKER_ARGS_MAX];
};

/**
 * marker_arg_next - find the argument of the next conversion of a format
 * @site: the site with the format
 * @arg: the argument that was found last, zeroed before the first call; gets the next
 *
 * Context: any.
 * Return: false if there is no further argument.
 */
bool marker_arg_next(const struct marker_site *site, struct marker_arg *arg);

/**
 * marker_arg_find - find the use of an argument of a site
 * @site: the site
 * @n: index of the argument, less than marker_site_nargs()
 * @arg: gets the argument; without a conversion in the format, its type decides
 *
 * Context: any.
 */
void marker_arg_find(const struct marker_site *site, unsigned int n, struct marker_arg *arg);

/**
 * marker_type_is_signed - whether the values of a type can be negative
 * @type: the type
 *
 * Context: any.
 * Return: whether.
 */
static inline bool marker_type_is_signed(enum marker_type type)
{
	return type == MARKER_TYPE_S8 || type == MARKER_TYPE_S16 ||
	       type == MARKER_TYPE_S32 || type == MARKER_TYPE_S64;
}

/**
 * marker_is_name_char - whether a character can be in a name of an argument or of a value
 * @c: the character
 *
 * Context: any.
 * Return: whether it is a letter of ASCII, a digit or "_"; isalnum() has more letters.
 */
static inline bool marker_is_name_char(char c)
{
	return isdigit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/**
 * marker_arg_names - get the names of the arguments of a site
 * @site: the site
 * @names: gets a name for each argument: the word before its conversion, as in
 *	"word=%d" or "word: %d", of a debug site also "word %d", if that is an identifier;
 *	"argN", N from 0, if there is no such word or another argument has this name
 *
 * Context: any.
 */
void marker_arg_names(const struct marker_site *site,
		      char names[MARKER_ARGS_MAX][MARKER_ARG_NAME_MAX]);

/* Bytes of the longest conversion that marker_arg_spec() makes, with the NUL. */
#define MARKER_SPEC_MAX 24

/**
 * marker_arg_spec - make the conversion of a number or pointer for printf()
 * @site: the site of the argument
 * @arg: the argument, a MARKER_ROLE_NUMBER or MARKER_ROLE_POINTER
 * @spec: gets the conversion.  It takes a machine word and, before it, the width and
 *	the precision if they are arguments, as int.
 *
 * Context: any.
 */
void marker_arg_spec(const struct marker_site *site, const struct marker_arg *arg,
		     char spec[MARKER_SPEC_MAX]);

/**
 * marker_plan_make - find the use of all arguments of a site
 * @plan: gets the arguments
 * @site: the site
 * @probe: name of the probe that is to observe it, for the log
 *
 * Context: may sleep.
 * Return: 0; -EOPNOTSUPP when the format has a conversion that cannot be observed;
 * -EINVAL when it does not take as many arguments as the site has.  The log names the
 * conversion and the probe.
 */
int marker_plan_make(struct marker_plan *plan, const struct marker_site *site,
		     const char *probe);

/**
 * marker_arg_is_text - return true if an event records an argument as a text
 * @arg: the argument
 *
 * Context: any.
 * Return: true if marker_fetch_text() reads it.
 */
static inline bool marker_arg_is_text(const struct marker_arg *arg)
{
	return arg->role == MARKER_ROLE_TEXT || arg->role == MARKER_ROLE_DECODED;
}

/**
 * marker_arg_has_text - return true if an argument is shown and compared as a text
 * @arg: the argument
 *
 * Context: any.
 * Return: true if marker_fetch_text() makes a text of it: for texts and bytes.
 */
static inline bool marker_arg_has_text(const struct marker_arg *arg)
{
	return marker_arg_is_text(arg) || arg->role == MARKER_ROLE_BYTES;
}

#endif
