# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx: how build/docs, which pages.py makes, becomes build/html."""

from __future__ import annotations

project = "Linux kernel markers"
author = "the authors, whom the history names"
html_copy_source = False
html_show_copyright = False
# One page has all functions.
html_use_index = False

extensions = ["myst_parser"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
# Anchors of headings down to "###", as other viewers of Markdown make them.
myst_heading_anchors = 3
# Blocks that are indented have no language.
highlight_language = "none"
primary_domain = "c"
c_id_attributes = ["notrace", "__maybe_unused"]

html_theme = "furo"
html_title = project
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}

# Types of the kernel and of C that the kernel-doc of the headers names.
# Names that kernel-doc does not list: constants, enumerations, a structure that stays the core's.
nitpick_ignore = [
    ("c:identifier", name)
    for name in (
        "MARKER_ARGS_MAX", "MARKER_ARG_NAME_MAX", "MARKER_SPEC_MAX", "MARKER_SYMBOL_MAX",
        "marker_probe_rows", "marker_type",
        "bool", "char", "int", "long", "size_t", "u8", "u16", "u32", "u64", "s32", "unsigned", "va_list",
        "void", "list_head", "module", "seq_file",
    )
]  # fmt: skip
