/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MARK(): a tracepoint that is declared where it is used.  Its trace event is made from
 * the format.
 *
 *	MARK(open, "port=%u path=%s", port, file->path);
 *
 * A marker is a struct tracepoint without a header.  Its gate is the static key of the
 * tracepoint, and its probes are registered as the probes of any tracepoint are.  All markers
 * share one function, marker_call(), in place of the functions that DECLARE_TRACE() and
 * TRACE_EVENT() generate.
 *
 * Documentation/trace/markers.rst has more.
 */
#ifndef _LINUX_MARKER_H
#define _LINUX_MARKER_H

#include <linux/compiler.h>
#include <linux/stringify.h>
#include <linux/tracepoint-defs.h>
#include <linux/types.h>

/* The most arguments of a marker, and the most bytes of its format. */
#define MARKER_ARGS_MAX		12
#define MARKER_FORMAT_MAX	1024

/*
 * The system of the events of a file, as TRACE_SYSTEM is: an identifier that the file defines
 * before it includes any header.  The default is the name of the module, or the name that
 * the module would have.
 */
#ifdef MARK_SYSTEM
#define MARKER_SYSTEM		__stringify(MARK_SYSTEM)
#else
#define MARKER_SYSTEM		KBUILD_MODNAME
#endif

/* Types of arguments: pairs of integers of equal size, the second one unsigned; pointers. */
enum marker_type {
	MARKER_NONE,
	MARKER_S8, MARKER_U8, MARKER_S16, MARKER_U16,
	MARKER_S32, MARKER_U32, MARKER_S64, MARKER_U64,
	MARKER_STR, MARKER_PTR,
//+ fields
	MARKER_SYMBOL,		/* an s32 whose values have names */
//.
};

/**
 * struct marker - a marker in the source
 * @tp: the tracepoint, whose name is SYSTEM:NAME
 * @format: a format of printk()
//+ fields
 * @symbols: lists of names for arguments of MARKER_SYMBOL, each ended by one without a name
//.
 * @file: as __FILE__
 * @next: the next marker of the same event
 * @event: the event that this marker belongs to; NULL if the marker was refused
 * @types: enum marker_type of the arguments, four bits each, the first in the lowest
 * @line: as __LINE__
 * @nr_args: number of arguments
 * @warned: true if a warning was printed that RCU is not watching here
 *
 * The compiler sets all fields but @next, @event and @warned, which belong to
 * kernel/trace/trace_events_mark.c.
 */
struct marker {
	struct tracepoint tp;
	const char *format;
//+ fields
	const struct trace_print_flags *symbols;
//.
	const char *file;
	struct marker *next;
	struct marker_event *event;
	u64 types;
	u16 line;
	u8 nr_args;
	bool warned;
} __aligned(8);		/* the stride of the table, as the linker makes it */

//+ fields
/* The beginning of a record: struct trace_entry, whose header is too large for this one. */
struct marker_entry {
	unsigned short type;
	unsigned char flags;
	unsigned char preempt_count;
	int pid;
	unsigned long __ip;
};

//.
/**
 * typedef marker_probe_fn - the type of all probes of markers
 * @data: the argument of marker_probe_register()
 * @marker: the marker
 * @ip: the address in the code behind the marker
 * @args: arguments of the marker, each extended to 64 bits as its type says
 *
 * Context: that of the marker, as a probe of a tracepoint.
 */
typedef void marker_probe_fn(void *data, const struct marker *marker, unsigned long ip,
			     const u64 *args);

/* Number of arguments; more than 12 lead to a name that does not exist. */
#define MARKER_COUNT(...)						\
	MARKER_COUNT_(_, ##__VA_ARGS__, MANY, MANY, MANY, MANY,		\
		      12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MARKER_COUNT_(_, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, number, ...) number
#define MARKER_PASTE_(a, b)		a##b
#define MARKER_PASTE(a, b)		MARKER_PASTE_(a, b)

/* Expand M(i, x) for each argument, the first with i = 0. */
#define MARKER_MAP(M, ...)						\
	MARKER_PASTE(MARKER_MAP_, MARKER_COUNT(__VA_ARGS__))(M, ##__VA_ARGS__)
#define MARKER_MAP_0(M)
#define MARKER_MAP_1(M, a)		M(0, a)
#define MARKER_MAP_2(M, a, b)		MARKER_MAP_1(M, a) M(1, b)
#define MARKER_MAP_3(M, a, b, c)	MARKER_MAP_2(M, a, b) M(2, c)
#define MARKER_MAP_4(M, a, b, c, d)	MARKER_MAP_3(M, a, b, c) M(3, d)
#define MARKER_MAP_5(M, a, b, c, d, e)	MARKER_MAP_4(M, a, b, c, d) M(4, e)
#define MARKER_MAP_6(M, a, b, c, d, e, f)				\
	MARKER_MAP_5(M, a, b, c, d, e) M(5, f)
#define MARKER_MAP_7(M, a, b, c, d, e, f, g)				\
	MARKER_MAP_6(M, a, b, c, d, e, f) M(6, g)
#define MARKER_MAP_8(M, a, b, c, d, e, f, g, h)				\
	MARKER_MAP_7(M, a, b, c, d, e, f, g) M(7, h)
#define MARKER_MAP_9(M, a, b, c, d, e, f, g, h, i)			\
	MARKER_MAP_8(M, a, b, c, d, e, f, g, h) M(8, i)
#define MARKER_MAP_10(M, a, b, c, d, e, f, g, h, i, j)			\
	MARKER_MAP_9(M, a, b, c, d, e, f, g, h, i) M(9, j)
#define MARKER_MAP_11(M, a, b, c, d, e, f, g, h, i, j, k)		\
	MARKER_MAP_10(M, a, b, c, d, e, f, g, h, i, j) M(10, k)
#define MARKER_MAP_12(M, a, b, c, d, e, f, g, h, i, j, k, l)		\
	MARKER_MAP_11(M, a, b, c, d, e, f, g, h, i, j, k) M(11, l)

/* Class 5 are pointers; floating point and structures have higher numbers. */
#ifdef __CHECKER__
#define MARKER_CLASS(x)			0
#else
#define MARKER_CLASS(x)			__builtin_classify_type(x)
#endif

//+ fields
/* No such structure exists: symbolic() casts its argument to a pointer to it. */
struct marker_symbolic;

//.
#define MARKER_TYPES(...)		(0 MARKER_MAP(MARKER_TYPE_AT, ##__VA_ARGS__))
#define MARKER_TYPE_AT(i, x)		| (u64)MARKER_TYPE(x) << (4 * (i))
#define MARKER_TYPE(x) _Generic((x),					\
	bool: MARKER_U8,						\
	char: (char)-1 < (char)1 ? MARKER_S8 : MARKER_U8,		\
	signed char: MARKER_S8, unsigned char: MARKER_U8,		\
	short: MARKER_S16, unsigned short: MARKER_U16,			\
	int: MARKER_S32, unsigned int: MARKER_U32,			\
	long: sizeof(long) == 4 ? MARKER_S32 : MARKER_S64,		\
	unsigned long: sizeof(long) == 4 ? MARKER_U32 : MARKER_U64,	\
	long long: MARKER_S64, unsigned long long: MARKER_U64,		\
	char *: MARKER_STR, const char *: MARKER_STR,			\
//+ fields
	struct marker_symbolic *: MARKER_SYMBOL,			\
//.
	default: MARKER_PTR)

#define MARKER_CHECK_ARG(i, x)						\
	_Static_assert(MARKER_CLASS(x) == 5 || !MARKER_CLASS(x) ||	\
		       (MARKER_CLASS(x) < 5 && MARKER_TYPE(x) != MARKER_PTR), \
		       "an argument of a marker is a pointer or an integer of up to 64 bits, " \
		       "and no bit-field: argument " #i);

/* A comma, and the argument as a word: a pointer by way of an unsigned long. */
#define MARKER_WORD(i, x)						\
	, (u64)__builtin_choose_expr(MARKER_CLASS(x) == 5, (unsigned long)(x), (x))

/* No code is left of this function: it has the compiler check the arguments. */
static inline __printf(1, 2) void marker_check_format(const char *format, ...)
{
}

/* The format is a literal, because something is in front of it; an empty one is valid. */
#define MARKER_CHECK(fmt, ...)						\
do {									\
	MARKER_MAP(MARKER_CHECK_ARG, ##__VA_ARGS__)			\
	_Static_assert(sizeof(" " fmt) <= MARKER_FORMAT_MAX,		\
		       "the format of a marker is too long");		\
	MARKER_CHECK_BEGIN						\
	if (0)								\
		marker_check_format(" " fmt, ##__VA_ARGS__);		\
	MARKER_CHECK_END						\
} while (0)

/* A format that does not fit its arguments is an error at the line of the MARK(). */
#define MARKER_CHECK_BEGIN						\
	_Pragma("GCC diagnostic push")					\
	_Pragma("GCC diagnostic error \"-Wformat\"")			\
	_Pragma("GCC diagnostic error \"-Wformat-extra-args\"")
#define MARKER_CHECK_END						\
	_Pragma("GCC diagnostic pop")

#ifdef CONFIG_MARKERS

void marker_call(const struct marker *marker, ...);
void marker_check_rcu(struct marker *marker);

int marker_probe_register(struct marker *marker, marker_probe_fn *probe, void *data);
int marker_probe_unregister(struct marker *marker, marker_probe_fn *probe, void *data);

//+ bpf
#ifdef CONFIG_BPF_EVENTS
marker_probe_fn marker_probe_bpf;

/* bpf_get_raw_tracepoint() finds the marker as SYSTEM:NAME. */
#define MARKER_BPF(_marker, ...)					\
	static struct bpf_raw_event_map __marker_bpf __used		\
		__section("__bpf_raw_tp_map") = {			\
		.tp = &(_marker).tp,					\
		.bpf_func = marker_probe_bpf,				\
		.num_args = MARKER_COUNT(__VA_ARGS__),			\
	}
#else
#define MARKER_BPF(_marker, ...)
#endif

//.
/*
 * The first member of the key of a tracepoint is its struct static_key.
 */
//- fields
#define MARKER_(_name, _marker, fmt, ...)				\
//.
//+ fields
#define MARKER_(_name, _marker, _symbols, _tp, fmt, ...)		\
//.
do {									\
	static struct marker _marker __section("__markers") __used __aligned(8) = { \
		.tp.name = MARKER_SYSTEM ":" _name,			\
		.format = fmt,						\
//+ fields
		.symbols = _symbols,					\
		MARKER_UNWRAP _tp					\
//.
		.file = __FILE__,					\
		.types = MARKER_TYPES(__VA_ARGS__),			\
		.line = __LINE__,					\
		.nr_args = MARKER_COUNT(__VA_ARGS__),			\
	};								\
//+ bpf
	MARKER_BPF(_marker, ##__VA_ARGS__);				\
//.
									\
	MARKER_CHECK(fmt, ##__VA_ARGS__);				\
	if (static_key_false((struct static_key *)&(_marker).tp.key)) {	\
		marker_call(&(_marker) MARKER_MAP(MARKER_WORD, ##__VA_ARGS__)); \
		/* No tail call, whose return address is elsewhere. */	\
		barrier();						\
	}								\
	if (IS_ENABLED(CONFIG_LOCKDEP))					\
		marker_check_rcu(&(_marker));				\
} while (0)

//+ bpf
/* Return true for a marker among the tracepoints that BPF finds: all others have an iterator. */
static inline bool tracepoint_is_marker(const struct tracepoint *tp)
{
	return !tp->iterator;
}

//.
#else /* CONFIG_MARKERS */

static inline int marker_probe_register(struct marker *marker, marker_probe_fn *probe,
					void *data)
{
	return -ENODEV;
}

static inline int marker_probe_unregister(struct marker *marker, marker_probe_fn *probe,
					  void *data)
{
	return -ENODEV;
}

//+ bpf
static inline bool tracepoint_is_marker(const struct tracepoint *tp)
{
	return false;
}

//.
//- fields
#define MARKER_(_name, _marker, fmt, ...)				\
//.
//+ fields
#define MARKER_(_name, _marker, _symbols, _tp, fmt, ...)		\
//.
	MARKER_CHECK(fmt, ##__VA_ARGS__)

#endif /* CONFIG_MARKERS */

/* Arguments that are macros are expanded here, and may be several; a name is not. */
#define MARKER(...)			MARKER_(__VA_ARGS__)
//+ fields
#define MARKER_UNWRAP(...)		__VA_ARGS__
//.

/**
 * define MARK - a trace event at this place
 * @name: name of the event, an identifier: events/SYSTEM/@name in tracefs
 * @fmt: a format of printk(), a string literal, which the compiler checks
 * @...: arguments, at most MARKER_ARGS_MAX integers and pointers
 *
 * A field has the name that stands before "=" and its conversion in @fmt, and the type of its
 * argument.  Several markers with one name are one event if their formats and types are
 * equal.
 *
 * The arguments are evaluated only while the event is enabled.
 *
 * The name of the structure begins as that of a tracepoint, because klp-build knows the
 * tracepoints of modules by their names and leaves them out of a livepatch.
 *
 * Context: any that a tracepoint may be in.
 */
//- fields
#define MARK(name, fmt, ...)						\
	MARKER(#name, __tracepoint_mark_##name, fmt, ##__VA_ARGS__)
//.
//+ fields
#define MARK(name, fmt, ...)						\
	MARKER(#name, __tracepoint_mark_##name, NULL, (), fmt, ##__VA_ARGS__)

/**
 * define MARK_FIELDS - a marker whose arguments are typed fields
 * @name: as of MARK()
 * @...: one to MARKER_ARGS_MAX fields, each one of
 *	field(TYPE, NAME) or field(TYPE, NAME, ARGUMENT): u8 to u64, s8 to s64, bool, ptr, str;
 *	bytes(NAME, N) or bytes(NAME, N, POINTER): N bytes, 1 to 64, from where POINTER leads;
 *	symbolic(NAME, ARGUMENT, ENUMERATOR...): an integer, and the names of its values.
 *	Without an argument it is the variable of that name.
 *
 * BTF has the record as struct trace_event_raw_mark_@name, for BPF programs.
 */
#define MARK_FIELDS(name, ...)						\
do {									\
	struct trace_event_raw_mark_##name {				\
		struct marker_entry ent;				\
		MARKER_EACH(MARKER_MEMBER_, ##__VA_ARGS__)		\
	};								\
	(void)(struct trace_event_raw_mark_##name *)0;		\
									\
	static const struct trace_print_flags __marker_symbols[] __maybe_unused = { \
		MARKER_EACH(MARKER_SYMBOLS_, ##__VA_ARGS__) { }		\
	};								\
	MARKER_EACH(MARKER_FIT_, ##__VA_ARGS__)				\
	MARKER(#name, __tracepoint_mark_##name,				\
	       sizeof(__marker_symbols) > sizeof(struct trace_print_flags) ? \
			__marker_symbols : NULL, (),			\
	       MARKER_EACH(MARKER_FORMAT_, ##__VA_ARGS__)		\
	       MARKER_EACH(MARKER_ARG_, ##__VA_ARGS__));		\
} while (0)

/* P##field for each field: that expands no name of a field. */
#define MARKER_EACH(P, ...)						\
	MARKER_PASTE(MARKER_EACH_, MARKER_COUNT(__VA_ARGS__))(P, ##__VA_ARGS__)
#define MARKER_EACH_1(P, a)		P##a
#define MARKER_EACH_2(P, a, b)		P##a P##b
#define MARKER_EACH_3(P, a, b, c)	P##a P##b P##c
#define MARKER_EACH_4(P, a, b, c, d)	P##a P##b P##c P##d
#define MARKER_EACH_5(P, a, b, c, d, e)	P##a P##b P##c P##d P##e
#define MARKER_EACH_6(P, a, b, c, d, e, f)	P##a P##b P##c P##d P##e P##f
#define MARKER_EACH_7(P, a, b, c, d, e, f, g)				\
	P##a P##b P##c P##d P##e P##f P##g
#define MARKER_EACH_8(P, a, b, c, d, e, f, g, h)			\
	P##a P##b P##c P##d P##e P##f P##g P##h
#define MARKER_EACH_9(P, a, b, c, d, e, f, g, h, i)			\
	P##a P##b P##c P##d P##e P##f P##g P##h P##i
#define MARKER_EACH_10(P, a, b, c, d, e, f, g, h, i, j)			\
	P##a P##b P##c P##d P##e P##f P##g P##h P##i P##j
#define MARKER_EACH_11(P, a, b, c, d, e, f, g, h, i, j, k)		\
	P##a P##b P##c P##d P##e P##f P##g P##h P##i P##j P##k
#define MARKER_EACH_12(P, a, b, c, d, e, f, g, h, i, j, k, l)		\
	P##a P##b P##c P##d P##e P##f P##g P##h P##i P##j P##k P##l

/* The types of field(): what the argument is cast to, and how it is printed. */
#define MARKER_CAST_u8		u8
#define MARKER_SPEC_u8		"%hhu"
#define MARKER_CAST_s8		s8
#define MARKER_SPEC_s8		"%hhd"
#define MARKER_CAST_u16		u16
#define MARKER_SPEC_u16		"%hu"
#define MARKER_CAST_s16		s16
#define MARKER_SPEC_s16		"%hd"
#define MARKER_CAST_u32		u32
#define MARKER_SPEC_u32		"%u"
#define MARKER_CAST_s32		s32
#define MARKER_SPEC_s32		"%d"
#define MARKER_CAST_u64		u64
#define MARKER_SPEC_u64		"%llu"
#define MARKER_CAST_s64		s64
#define MARKER_SPEC_s64		"%lld"
#define MARKER_CAST_bool	bool
#define MARKER_SPEC_bool	"%d"
#define MARKER_CAST_str		const char *
#define MARKER_SPEC_str		"%s"
#define MARKER_CAST_ptr		const void *
#define MARKER_SPEC_ptr		"%p"

/* The argument that is given, else the variable of the name. */
#define MARKER_GIVEN(name, ...)		MARKER_SECOND(_, ##__VA_ARGS__, name)
#define MARKER_SECOND(a, b, ...)	b
#define MARKER_SECOND_OF(...)		MARKER_SECOND(__VA_ARGS__)

/* In the record, as marker_parse() lays it out. */
#define MARKER_MEMBER_field(type, name, ...)				\
	MARKER_SECOND_OF(MARKER_MEMBER_OF_##type(name),			\
			 MARKER_CAST_##type name __aligned(sizeof(MARKER_CAST_##type)));
#define MARKER_MEMBER_OF_str(name)	_, u32 __data_loc_##name
#define MARKER_MEMBER_bytes(name, n, ...)	unsigned char name[n];
#define MARKER_MEMBER_symbolic(name, ...)	s32 name;

#define MARKER_FORMAT_field(type, name, ...)	" " #name "=" MARKER_SPEC_##type
#define MARKER_FORMAT_bytes(name, n, ...)	" " #name "=%" __stringify(n) "ph"
#define MARKER_FORMAT_symbolic(name, value, ...) " " #name "=%p"

#define MARKER_ARG_field(type, name, ...)				\
	, (MARKER_CAST_##type)(MARKER_GIVEN(name, ##__VA_ARGS__))
#define MARKER_ARG_bytes(name, n, ...)					\
	, (const void *)(MARKER_GIVEN(name, ##__VA_ARGS__))
#define MARKER_ARG_symbolic(name, value, ...)				\
	, (struct marker_symbolic *)(long)(s32)(value)

/* What does not compile. */
#define MARKER_FIT_field(type, name, ...)				\
	_Static_assert(__builtin_types_compatible_p(MARKER_CAST_##type, bool) || \
		       MARKER_CLASS(MARKER_GIVEN(name, ##__VA_ARGS__)) == 5 || \
		       sizeof(MARKER_CAST_##type) >=			\
		       sizeof(MARKER_GIVEN(name, ##__VA_ARGS__)),	\
		       "field(" #type ", " #name "): the argument is larger than this type");
#define MARKER_FIT_bytes(name, n, ...)					\
	_Static_assert((n) >= 1 && (n) <= 64, "bytes(" #name ", " #n "): it has 1 to 64 bytes");
#define MARKER_FIT_symbolic(name, value, ...)				\
	_Static_assert(sizeof(value) <= 4, "symbolic(" #name ", ...): it has up to 32 bits");

/* A list of names, and its end.  ", ##" expands no name that is a macro. */
#define MARKER_SYMBOLS_field(...)
#define MARKER_SYMBOLS_bytes(...)
#define MARKER_SYMBOLS_symbolic(name, value, ...)			\
	MARKER_PASTE(MARKER_NAMES_, MARKER_NAMES_COUNT(__VA_ARGS__))(_, ##__VA_ARGS__) { },
#define MARKER_NAMES_COUNT(...)						\
	MARKER_NAMES_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
#define MARKER_NAMES_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, number, ...) number
#define MARKER_NAMES_1(_, a)		{ (unsigned long)(s32)(a), #a },
#define MARKER_NAMES_2(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_1(_, ##__VA_ARGS__)
#define MARKER_NAMES_3(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_2(_, ##__VA_ARGS__)
#define MARKER_NAMES_4(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_3(_, ##__VA_ARGS__)
#define MARKER_NAMES_5(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_4(_, ##__VA_ARGS__)
#define MARKER_NAMES_6(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_5(_, ##__VA_ARGS__)
#define MARKER_NAMES_7(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_6(_, ##__VA_ARGS__)
#define MARKER_NAMES_8(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_7(_, ##__VA_ARGS__)
#define MARKER_NAMES_9(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_8(_, ##__VA_ARGS__)
#define MARKER_NAMES_10(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_9(_, ##__VA_ARGS__)
#define MARKER_NAMES_11(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_10(_, ##__VA_ARGS__)
#define MARKER_NAMES_12(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_11(_, ##__VA_ARGS__)
#define MARKER_NAMES_13(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_12(_, ##__VA_ARGS__)
#define MARKER_NAMES_14(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_13(_, ##__VA_ARGS__)
#define MARKER_NAMES_15(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_14(_, ##__VA_ARGS__)
#define MARKER_NAMES_16(_, a, ...)					\
	{ (unsigned long)(s32)(a), #a }, MARKER_NAMES_15(_, ##__VA_ARGS__)

//.
#endif /* _LINUX_MARKER_H */
