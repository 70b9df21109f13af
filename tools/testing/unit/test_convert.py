# SPDX-License-Identifier: GPL-2.0-only
"""Trace events as markers: what is read of a header, and what is written or refused."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from kmark.convert import headers, marker, text, tree
from kmark.convert.fields import Refused
from kmark.convert.sizes import Types
from kmark.convert.target import MODULE, TREE
from kmark.errors import Failure, Usage

TYPES = """
#define LEN 12
typedef u32 __bitwise gfp_t;
typedef u64 sector_t;
typedef enum { A, B } kind_t;
typedef struct { int counter; } counter_t;
"""
HEADER = """
#undef TRACE_SYSTEM
#define TRACE_SYSTEM own
#if !defined(_TRACE_OWN_H) || defined(TRACE_HEADER_MULTI_READ)
#include <linux/tracepoint.h>
#define OWN_EVENT(name) DEFINE_EVENT(own_class, name, TP_PROTO(struct page *page, int n), TP_ARGS(page, n))
DECLARE_EVENT_CLASS(own_class,
	TP_PROTO(struct page *page, int n),
	TP_ARGS(page, n),
	TP_STRUCT__entry(__field(unsigned long, pfn) __field(int, n)),
	TP_fast_assign(__entry->pfn = page_to_pfn(page); __entry->n = n;),
	TP_printk("pfn=%lu n=%d", __entry->pfn, __entry->n)
);
OWN_EVENT(own_get);
#ifdef CONFIG_SMP
OWN_EVENT(own_put);
#else
OWN_EVENT(own_never);
#endif
EVENTS
#endif
"""


def event(
    entry: str, assign: str, printk: str = '"%d", 1', proto: str = "struct task_struct *p, int n"
) -> str:
    return (
        f"TRACE_EVENT(own, TP_PROTO({proto}), TP_ARGS(p, n), TP_STRUCT__entry({entry}), "
        f"TP_fast_assign({assign}), TP_printk({printk}));"
    )


class Convert(unittest.TestCase):
    target = MODULE

    def setUp(self) -> None:
        self.tree = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.tree / headers.FOLDER).mkdir(parents=True)
        (self.tree / "include/linux").mkdir()
        (self.tree / "include/linux/types.h").write_text(TYPES)

    def convert(self, events: str = "") -> tree.Result:
        (self.tree / headers.FOLDER / "own.h").write_text(HEADER.replace("EVENTS", events))
        return tree.convert(self.tree, self.target)

    def one(self, *words: str) -> marker.Marker:
        found = tree.select(self.convert(event(*words)), ["own"])
        self.assertEqual(found.refused, [])
        return found.markers[0]

    def reason(self, events: str) -> str:
        found = tree.select(self.convert(events), ["own"])
        self.assertEqual(found.markers, [])
        return found.refused[0][1]

    def test_the_text_of_printk_stays_where_a_marker_can_have_it(self) -> None:
        entry, assign = "__field(u64, a) __field(int, b)", "__entry->a = n; __entry->b = n;"
        same = self.one(entry, assign, '"with a=%llx, b: %d", __entry->a, __entry->b')
        self.assertEqual((same.format, same.same_text), ("with a=%llx, b: %d", True))
        for printk in (
            '"with b=%d a=%llx", __entry->b, __entry->a',  # another order
            '"with c=%llx b=%d", __entry->a, __entry->b',  # another name
            '"with a=%x b=%d", __entry->a, __entry->b',  # another length
            '"with a=%llx b=%d", __entry->a, __entry->b + 1',
            '"with a=%lx b=%d", __entry->a, __entry->b',
            '"with a=%llc b=%d", __entry->a, __entry->b',
            '"with a=%llx b=%ld", __entry->a, __entry->b',
            '"with a=%llx b=%s", __entry->a, __entry->b',
            '"with a=%llx b=%d%%", __entry->a, __entry->b',
            '"with a=%llx b=%*d", __entry->a, __entry->b',
            '"with a=%llx\\n b=%d", __entry->a, __entry->b',
            '"with a=%llx b=%d c=%d", __entry->a, __entry->b, 1',
            '"with %llx b=%d", __entry->a, __entry->b',
            'own("with a=%llx b=%d"), __entry->a, __entry->b',
        ):
            other = self.one(entry, assign, printk)
            self.assertEqual((other.format, other.same_text), ("a=%llu b=%d", False), printk)
        for printk, form in (
            ('"with a=" "%llX b=%c", (long long)__entry->a, __entry->b', "with a=%llX b=%c"),
            ('"a: %08llo, b= %hhu", __entry->a, __entry->b', None),
            ('"a: %08llo, b= %i", __entry->a, (int)__entry->b', "a: %08llo, b= %i"),
        ):
            self.assertEqual(self.one(entry, assign, printk).format, form or "a=%llu b=%d")
        for entry, assign, is_same in (
            ("__string(a, p->a)", "__assign_str(a);", True),
            ("__array(char, a, TASK_COMM_LEN)", "memcpy(__entry->a, p->comm, TASK_COMM_LEN);", True),
            ("__array(char, a, 8)", "memcpy(__entry->a, p->x, 8);", False),
        ):
            value = "__get_str(a)" if entry.startswith("__string") else "__entry->a"
            self.assertEqual(self.one(entry, assign, f'"is a=%s", {value}').same_text, is_same)

    def test_the_length_of_a_short_is_that_of_its_field(self) -> None:
        for kind, length, same in (("u16", "h", 1), ("u16", "hh", 0), ("u8", "hh", 1), ("u8", "h", 0)):
            found = self.one(f"__field({kind}, a)", "__entry->a = n;", f'"has a=%{length}x", __entry->a')
            self.assertEqual(found.same_text, bool(same), (kind, length))

    def test_an_address_stays_a_number(self) -> None:
        entry, assign = "__field(void *, a)", "__entry->a = p;"
        for printk, form in (("at a=%p", "at a=%p"), ("at a=%pS", "a=%p")):
            self.assertEqual(self.one(entry, assign, f'"{printk}", __entry->a').format, form)

    def test_types(self) -> None:
        for written, conversion, shown in (
            ("bool", "%u", "unsigned char"),
            ("_Bool", "%u", "unsigned char"),
            ("short", "%d", "short"),
            ("const char *", "%p", "void *"),
            ("enum own_kind", "%u", "unsigned int"),
            ("kind_t", "%u", "unsigned int"),
            ("gfp_t", "%u", "unsigned int"),
            ("sector_t", "%llu", "unsigned long"),
            ("size_t", "%lu", "unsigned long"),
            ("signed char", "%d", "signed char"),
        ):
            found = self.one(f"__field({written}, a)", "__entry->a = n;")
            field = found.fields[0].type
            assert field
            self.assertEqual((found.format, field.shown), (f"a={conversion}", shown), written)
            self.assertTrue(found.alike)

    def test_texts(self) -> None:
        for entry, assign, made in (
            ("__string(a, p->name)", "__assign_str(a, p->name);", ['"a=%s"', "(const char *)(p->name)"]),
            ("__string(a, p->name)", "__assign_str(a);", ['"a=%s"', "(const char *)(p->name)"]),
            ("__array(char, a, TASK_COMM_LEN)", "memcpy(__entry->a, p->comm, TASK_COMM_LEN);", ['"a=%s"']),
            ("__array(char, a, 8)", "memcpy(__entry->a, p->x, 8);", ['"a=%.8s"']),
            ("__array(char, a, LEN)", "strscpy(__entry->a, p->x, LEN);", ['"a=%.12s"']),
            ("__array(u16, a, 3)", "memcpy(__entry->a, p->x, 6);", ['"a=%6ph"', "(const void *)(p->x)"]),
            ("__array(u16, a, 3)", "memcpy(__entry->a, p->x, 3);", ["memcpy(__entry->a, p->x, 3);"]),
            ("__sockaddr(a, n)", "__assign_sockaddr(a, p->x, n);", ['"a=%pISpc"', "(const void *)(p->x)"]),
        ):
            found = self.one(entry, assign)
            for part in made:
                self.assertIn(part, found.code)
            self.assertEqual(found.alike, entry.startswith("__string"))

    def test_an_array_that_a_function_fills_is_printed(self) -> None:
        code = self.one("__array(char, a, 8) __field(int, b)", "fill(__entry->a, n); __entry->b = n;").code
        self.assertIn("\tchar text_a[9];\n", code)
        self.assertIn("\t     mark_own__a(text_a, p, n)", code)
        self.assertIn("\tfill(__entry->a, n);", code)
        self.assertIn('mark__text(__text, 9, "%.*s", (int)sizeof(__entry->a), __entry->a)', code)
        self.assertIn("(int)(n)", code)
        code = self.one("__array(char, a, 8)", "fill(__entry->a);", '"%d", 1', "void").code
        self.assertIn("mark_own__a(char *__text)\n", code)
        code = self.one("__array(u8, a, 8)", "fill(__entry->a, n);").code
        self.assertIn(
            'mark__text(__text, 192, "%*ph", (int)min_t(size_t, sizeof(__entry->a), 64), &__entry->a)', code
        )

    def test_a_copy_of_a_part_is_none_of_the_whole(self) -> None:
        code = self.one("__array(char, a, 8)", "memcpy(__entry->a, p->x, n);").code
        self.assertIn("\tmemcpy(__entry->a, p->x, n);", code)
        self.assertIn("text_a", code)

    def test_no_address_of_a_variable_is_returned(self) -> None:
        for assign in (
            "char v[8] = {}; memcpy(__entry->a, v, 8);",
            "u64 v = n; memcpy(__entry->a, &v, 8);",
        ):
            self.assertIn("text_a", self.one("__array(char, a, 8)", assign).code)

    def test_bytes_are_no_characters(self) -> None:
        found = self.one("__array(unsigned char, a, 6)", "memcpy(__entry->a, p->x, 6);")
        self.assertEqual(found.format, "a=%6ph")

    def test_what_varies_in_length_is_printed(self) -> None:
        hexadecimal = 'mark__text(__text, 192, "%*ph", (int)min_t(size_t, '
        for entry, assign, made, is_alike in (
            (
                "__dynamic_array(u16, a, n)",
                "memcpy(__get_dynamic_array(a), p->x, __get_dynamic_array_len(a));",
                [f"return {hexadecimal}(int)((n) * sizeof(u16)), 64), p->x)", "char text_a[192]"],
                False,
            ),
            (
                "__dynamic_array(u8, a, n)",
                "if (n) memcpy(__get_dynamic_array(a), p->x, n);",
                [f"if (n) return {hexadecimal}n, 64), p->x);", '\treturn "";'],
                False,
            ),
            (
                "__dynamic_array(char, a, n + 1)",
                "memcpy(__get_str(a), p->x, n); __get_str(a)[n] = 0;",
                [
                    'return mark__text(__text, 256, "%.*s", (int)(n), (const char *)(p->x));\n',
                    '\treturn "";',
                    "char text_a[256]",
                ],
                True,
            ),
            (
                "__dynamic_array(char, a, 1)",
                "__get_str(a)[0] = 0;",
                ["__text[0] = 0", "char text_a[1]"],
                True,
            ),
            (
                "__bitmask(a, n)",
                "__assign_bitmask(a, p->mask, n);",
                ['mark__text(__text, 256, "%*pb", (int)(n), p->mask)'],
                False,
            ),
            (
                "__cpumask(a)",
                "__assign_cpumask(a, p->mask);",
                ['mark__text(__text, 256, "%*pb", (int)(nr_cpumask_bits), p->mask)'],
                False,
            ),
            (
                "__string_len(a, p->x, n)",
                "__assign_str(a);",
                ['mark__text(__text, 256, "%.*s", (int)(n), (const char *)(p->x))'],
                True,
            ),
            (
                "__vstring(a, p->fmt, p->va)",
                "__assign_vstr(a, p->fmt, p->va);",
                ['mark__text(__text, 256, "%pV", &(struct va_format){ p->fmt, p->va })'],
                True,
            ),
            (
                "__string(a, p->x)",
                "__assign_str(a, p->x); (void)strreplace(__get_str(a), ' ', '_');",
                [
                    'mark__text(__text, 256, "%s", (const char *)(p->x));\n',
                    "(void)strreplace(__text, ' ', '_');\n",
                    "\treturn __text;",
                ],
                True,
            ),
        ):
            found = self.one(f"{entry} __field(int, b)", f"{assign} __entry->b = n;")
            for part in [*made, "     mark_own__a(text_a, p, n)"]:
                self.assertIn(part, found.code)
            self.assertEqual((found.format, found.alike), ("a=%s b=%d", is_alike))

    def test_a_structure_is_printed_as_bytes(self) -> None:
        found = self.one(
            "__field_struct(struct x, a) __field(int, b)", "__entry->a = p->x; __entry->b = n;"
        )
        self.assertIn("\t\tstruct x a;\n", found.code)
        self.assertIn("\tstatic_assert(sizeof(__entry->a) <= 64);\n\t__entry->a = p->x;\n", found.code)
        self.assertIn("(int)min_t(size_t, sizeof(__entry->a), 64), &__entry->a)", found.code)
        self.assertIn("(int)(n)", found.code)
        self.assertFalse(found.alike)
        number = self.one("__field_struct(gfp_t, a)", "__entry->a = n;")
        self.assertEqual((number.format, number.alike), ("a=%u", True))

    def test_an_array_of_a_length_that_is_seen_by_the_compiler_only(self) -> None:
        code = self.one("__array(u8, a, LEN + 2)", "memcpy(__entry->a, p->x, LEN + 2);").code
        self.assertIn("\t\tu8 a[LEN + 2];\n", code)
        self.assertIn("\tstatic_assert(sizeof(__entry->a) <= 64);\n", code)
        self.assertIn("\tmemcpy(__entry->a, p->x, LEN + 2);\n\treturn mark__text(__text, 192,", code)

    def test_a_text_that_another_field_makes_is_left_out(self) -> None:
        entry = "__string(a, p->x) __string(b, p->y)"
        one, other = (
            f"__assign_str({a}, p->{x}); strreplace(__get_str({a}), 1, 2);" for a, x in ("ax", "by")
        )
        of_a, of_b = self.one(entry, one + other).code.split("static inline")[1:3]
        self.assertNotIn("p->y", of_a)
        self.assertNotIn("p->x", of_b)

    def test_conditions_and_variables_become_a_function_for_each_field(self) -> None:
        entry = "__field(int, a) __string(b, p->x)"
        code = self.one(entry, "int m = n; if (m) __entry->a = m; else __assign_str(b, p->x);").code
        self.assertIn("static inline int mark_own__a(struct task_struct *p, int n)", code)
        self.assertIn("int m = n;\n\tif (m) __entry->a = m;\n\telse do { } while (0);", code)
        self.assertIn("else return (p->x);\n\treturn NULL;", code)
        self.assertIn('MARK(own, "a=%d b=%s"', code)

    def test_a_condition_of_the_event_stays(self) -> None:
        events = event("__field(int, a)", "__entry->a = n;")
        events = events.replace("TRACE_EVENT(", "TRACE_EVENT_CONDITION(").replace(
            "TP_STRUCT__entry", "TP_CONDITION(n > 0), TP_STRUCT__entry"
        )
        code = tree.select(self.convert(events), ["own"]).markers[0].code
        self.assertIn("\tif (!(n > 0))\n\t\treturn;\n\tMARK(own,", code)

    def test_refused_by_name_and_reason(self) -> None:
        nine = "".join(f"__field(int, f{i})" for i in range(9))
        assigned = "".join(f"__entry->f{i} = n;" for i in range(9))
        for entry, assign, reason in (
            (nine, assigned, "more than 8 arguments"),
            ("__field(counter_t, a)", "", "a field of the type counter_t"),
            ("__field(int, line)", "", "a marker cannot call a field line"),
            ("__field(int, arg0)", "", "a marker cannot call a field arg0"),
            (f"__field(int, {'a' * 32})", "", f"a marker cannot call a field {'a' * 32}"),
            ("__own(int, a)", "", "a field of an unknown kind, __own()"),
            ("__field(int, a) int b;", "", "a declaration of fields that is none of the kernel's macros"),
            (
                "__dynamic_array(u8, a, n)",
                "fill(__get_dynamic_array(a));",
                "a string that is filled piece by",
            ),
            (
                "__dynamic_array(u8, a, n)",
                "memcpy(__get_dynamic_array(a), p, n); mangle(__get_dynamic_array(a));",
                "a string that is filled piece by piece",
            ),
            (
                "__string(a, p->x) __field(int, b)",
                "__assign_str(a, p->x); __entry->b = strlen(__get_str(a));",
                "a string that is filled piece by piece",
            ),
            ("__bitmask(a, n)", "", "a is filled by other means than a copy"),
            ("__array(u64, a, 9)", "memcpy(__entry->a, p->x, 9);", "an array of more than 64 bytes"),
            ("__string(a, v)", "char v[4] = {}; __assign_str(a, v);", "a is copied from a variable"),
        ):
            self.assertTrue(
                self.reason(event(entry, assign)).startswith(reason), self.reason(event(entry, assign))
            )

    def test_functions_that_register_an_event_are_called_for_the_marker(self) -> None:
        events = event("__field(int, a)", "__entry->a = n;").replace("TRACE_EVENT(", "TRACE_EVENT_FN(")
        events = events.removesuffix(");") + ", reg, unreg);"
        code = tree.select(self.convert(events), ["own"]).markers[0].code
        self.assertIn(
            "static inline void mark_own__switch(bool open)\n{\n"
            "\tif (open)\n\t\tWARN_ON(reg());\n\telse\n\t\tunreg();\n}\n",
            code,
        )
        self.assertIn('\tMARK_BEHIND(mark_own__switch, own, "a=%d",\n', code)

    def test_in_a_tree_markers_take_more(self) -> None:
        self.target = TREE
        for count in (9, 12, 13):
            entry = "".join(f"__field(int, arg{i})" for i in range(count - 1)) + "__field(int, line)"
            assigned = "".join(f"__entry->arg{i} = n;" for i in range(count - 1)) + "__entry->line = n;"
            if count > 12:
                self.assertEqual(self.reason(event(entry, assigned)), "more than 12 arguments")
            else:
                self.assertEqual(len(self.one(entry, assigned).fields), count)
        found = self.one(
            "__sockaddr(a, n) __field(u8, b)", "__assign_sockaddr(a, p->x, n); __entry->b = n;"
        )
        self.assertIn('"a=%28ph b=%u"', found.code)
        self.assertEqual(found.types, ["u8[28]", "u8"])

    def test_in_a_tree_only_the_functions_of_system_calls_are_known(self) -> None:
        self.target = TREE
        plain = event("__field(int, a)", "__entry->a = n;").replace("TRACE_EVENT(", "TRACE_EVENT_FN(")
        plain = plain.removesuffix(");")
        self.assertIn("functions that are called", self.reason(f"{plain}, reg, unreg);"))
        (found,) = tree.select(
            self.convert(f"{plain}, syscall_regfunc, syscall_unregfunc);"), ["own"]
        ).markers
        self.assertIn('\tMARK_SYSCALL(own, "a=%d",\n', found.code)
        self.assertNotIn("__switch", found.code)

    def test_what_is_no_tree_or_no_event(self) -> None:
        with self.assertRaisesRegex(Usage, f"^convert: {self.tree}: no include/trace/events/.*.h there$"):
            tree.convert(self.tree)
        with self.assertRaisesRegex(Usage, "^convert: no such event: none other$"):
            tree.select(self.convert(), ["none", "own_get", "other"])
        with self.assertRaisesRegex(Failure, "^include/trace/events/own.h: own: no class no_class$"):
            self.convert("DEFINE_EVENT(no_class, own, TP_PROTO(void), TP_ARGS());")
        with self.assertRaisesRegex(Failure, "^include/trace/events/own.h: no trace event: "):
            self.convert("DEFINE_EVENT(own_class, own, TP_PROTO(void), TP_ARGS);")
        with self.assertRaisesRegex(Failure, "^include/trace/events/own.h: .*error: #error here$"):
            self.convert("#error here")


class Text(unittest.TestCase):
    def test_brackets_and_strings_hold_together(self) -> None:
        self.assertEqual(text.split('a, (b, c), "d,\\"e", \',\''), ["a", "(b, c)", '"d,\\"e"', "','"])
        with self.assertRaises(ValueError):
            text.closing("(a", 0)

    def test_reading_types_needs_no_tree_for_the_language(self) -> None:
        found = Types(Path("/nonexistent")).find("unsigned long long")
        assert found
        self.assertEqual((found.size, found.signed, found.length), (8, False, "ll"))

    def test_refused_is_no_failure_of_the_command(self) -> None:
        self.assertFalse(issubclass(Refused, Failure))
