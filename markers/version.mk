# SPDX-License-Identifier: GPL-2.0-only
# For the Kbuild files of this tree, behind marker.mk: MODULE_VERSION(MARKERS_VERSION).
ccflags-y += -D'MARKERS_VERSION="$(shell cat $(markers)/../VERSION)"'
