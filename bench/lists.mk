# SPDX-License-Identifier: GPL-2.0-only
# Variables made of loops/shapes.list and peers/peers.list; include this file with `bench` set to the
# directory it lies in.  lists.awk makes the headers.

# The names of all shapes.
bench-shapes := $(shell awk -F '\t' '/^[a-z]/ { print $$1 }' $(bench)/loops/shapes.list)

# CONFIG_OPTION:OBJECT of all peers of the kernel, each once; or several options, with | between.
bench-peers := $(sort $(shell awk -F '\t' '/^[a-z]/ { print $$4 ":" $$2 }' $(bench)/peers/peers.list))
# The object of a peer, if one of its options is set.
bench-option = $(strip $(foreach option,$(subst |, ,$(firstword $(subst :, ,$(1)))),$($(option))))
bench-peer = $(if $(bench-option),$(lastword $(subst :, ,$(1))).o)
