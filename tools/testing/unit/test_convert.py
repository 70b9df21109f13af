# SPDX-License-Identifier: GPL-2.0-only
"""Trace events as markers: what is read of a header, and what is written or refused."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from kmark.convert import headers, marker, text, tree
from kmark.convert.fields import Refused
from kmark.convert.sizes import Types
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
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.tree = Path(place.name)
        (self.tree / headers.FOLDER).mkdir(parents=True)
        (self.tree / "include/linux").mkdir()
        (self.tree / "include/linux/types.h").write_text(TYPES)

    def convert(self, events: str = "") -> tree.Result:
        (self.tree / headers.FOLDER / "own.h").write_text(HEADER.replace("EVENTS", events))
        return tree.convert(self.tree)

    def one(self, *words: str) -> marker.Marker:
        found = tree.select(self.convert(event(*words)), ["own"])
        self.assertEqual(found.refused, [])
        return found.markers[0]

    def reason(self, events: str) -> str:
        found = tree.select(self.convert(events), ["own"])
        self.assertEqual(found.markers, [])
        return found.refused[0][1]

    def test_events_of_a_class_by_a_macro_of_the_header(self) -> None:
        found = self.convert()
        self.assertEqual([one.event.name for one in found.markers], ["own_get", "own_put"])
        self.assertEqual({one.event.system for one in found.markers}, {"own"})
        self.assertEqual((found.total, found.share), (2, 1))
        self.assertEqual(
            found.markers[0].code,
            "static inline void mark_own_get(struct page *page, int n)\n{\n"
            '\tMARK(own_get, "pfn=%lu n=%d",\n'
            "\t     (unsigned long)(page_to_pfn(page)),\n\t     (int)(n));\n}\n",
        )

    def test_the_text_of_printk_stays_where_a_marker_can_have_it(self) -> None:
        entry, assign = "__field(u64, a) __field(int, b)", "__entry->a = n; __entry->b = n;"
        same = self.one(entry, assign, '"with a=%llx, b: %d", __entry->a, __entry->b')
        self.assertEqual((same.format, same.same_text), ("with a=%llx, b: %d", True))
        for printk in (
            '"with b=%d a=%llx", __entry->b, __entry->a',  # another order
            '"with c=%llx b=%d", __entry->a, __entry->b',  # another name
            '"with a=%x b=%d", __entry->a, __entry->b',  # another length
            '"with a=%llx b=%d", __entry->a, __entry->b + 1',
        ):
            other = self.one(entry, assign, printk)
            self.assertEqual((other.format, other.same_text), ("a=%llu b=%d", False))

    def test_types(self) -> None:
        for written, conversion, shown in (
            ("bool", "%u", "unsigned char"),
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
            (
                "__array(char, a, LEN)",
                "strscpy(__entry->a, p->x, LEN);",
                ['"a=%.12s"', "static_assert(LEN == 12);"],
            ),
            ("__array(u16, a, 3)", "memcpy(__entry->a, p->x, 3);", ['"a=%6ph"', "(const void *)(p->x)"]),
            ("__sockaddr(a, n)", "__assign_sockaddr(a, p->x, n);", ['"a=%pISpc"', "(const void *)(p->x)"]),
        ):
            found = self.one(entry, assign)
            for part in made:
                self.assertIn(part, found.code)
            self.assertEqual(found.alike, entry.startswith("__string"))

    def test_an_array_that_a_function_fills_has_a_buffer(self) -> None:
        code = self.one("__array(char, a, 8) __field(int, b)", "fill(__entry->a, n); __entry->b = n;").code
        self.assertIn("\tchar buffer_a[8 + 1];\n", code)
        self.assertIn("(const char *)(mark_own__a(buffer_a, p, n))", code)
        self.assertIn("\tfill(__entry->a, n);", code)
        self.assertIn("(int)(n)", code)

    def test_a_copy_of_a_part_is_none_of_the_whole(self) -> None:
        code = self.one("__array(char, a, 8)", "memcpy(__entry->a, p->x, n);").code
        self.assertIn("\tmemcpy(__entry->a, p->x, n);", code)
        self.assertIn("buffer_a", code)

    def test_no_address_of_a_variable_is_returned(self) -> None:
        for assign in (
            "char v[8] = {}; memcpy(__entry->a, v, 8);",
            "u64 v = n; memcpy(__entry->a, &v, 8);",
        ):
            self.assertIn("buffer_a", self.one("__array(char, a, 8)", assign).code)

    def test_conditions_and_variables_become_a_function_for_each_field(self) -> None:
        entry = "__field(int, a) __string(b, p->x)"
        code = self.one(entry, "int m = n; if (m) __entry->a = m; else __assign_str(b, p->x);").code
        self.assertIn("static inline int mark_own__a(struct task_struct *p, int n)", code)
        self.assertIn("int m = n; if (m) __entry->a = m; else do { } while (0);", code)
        self.assertIn("else return (p->x);;\n\treturn NULL;", code)
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
            ("__field_struct(struct x, a)", "", "a structure as a field"),
            ("__field(counter_t, a)", "", "a field of the type counter_t"),
            ("__field(int, line)", "", "a marker cannot call a field line"),
            ("__field(int, arg0)", "", "a marker cannot call a field arg0"),
            (f"__field(int, {'a' * 32})", "", f"a marker cannot call a field {'a' * 32}"),
            ("__own(int, a)", "", "a field of an unknown kind, __own()"),
            ("__field(int, a) int b;", "", "a declaration of fields that is none of the kernel's macros"),
            (
                "__dynamic_array(u8, a, n)",
                "memcpy(__get_dynamic_array(a), p, n);",
                "an array of varying length",
            ),
            ("__bitmask(a, n)", "__assign_bitmask(a, p->mask, n);", "an array of varying length"),
            ("__string_len(a, p->x, n)", "__assign_str_len(a, p->x, n);", "a string of a given length"),
            ("__array(u64, a, 9)", "memcpy(__entry->a, p->x, 9);", "an array of more than 64 bytes"),
            ("__array(u8, a, n)", "memcpy(__entry->a, p->x, n);", "a is an array of no constant length"),
            ("__string(a, v)", "char v[4] = {}; __assign_str(a, v);", "a is copied from a variable"),
        ):
            self.assertTrue(
                self.reason(event(entry, assign)).startswith(reason), self.reason(event(entry, assign))
            )

    def test_functions_that_register_an_event_cannot_be_kept(self) -> None:
        events = event("__field(int, a)", "__entry->a = n;").replace("TRACE_EVENT(", "TRACE_EVENT_FN(")
        events = events.removesuffix(");") + ", reg, unreg);"
        self.assertEqual(self.reason(events), "functions that are called when it is enabled")

    def test_what_only_tracepoints_see_is_copied(self) -> None:
        inner = "static inline int own(void)\n{\n#if 1\n\treturn 1;\n#endif\n}"
        events = f"\n#ifdef CREATE_TRACE_POINTS\n{inner}\n#endif\n"
        made = tree.write(self.convert(events), self.tree / "mark")
        self.assertIn(f"\n{inner}\n\nstatic inline void mark_own_get", made[0].read_text())

    def test_what_is_no_tree_or_no_event(self) -> None:
        with self.assertRaises(Usage):
            tree.convert(self.tree)
        with self.assertRaises(Usage):
            tree.select(self.convert(), ["none"])
        with self.assertRaises(Failure):
            self.convert("DEFINE_EVENT(no_class, own, TP_PROTO(void), TP_ARGS());")
        with self.assertRaises(Failure):
            self.convert("#error here")

    def test_summary_names_each_refused_event(self) -> None:
        shown = tree.as_text(self.convert(event("__field_struct(struct x, a)", "")))
        self.assertIn("3 events, 2 converted (66.7 %), 1 refused", shown)
        self.assertIn("refused, a structure as a field (1): own", shown)


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


if __name__ == "__main__":
    unittest.main()
