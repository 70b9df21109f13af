# SPDX-License-Identifier: GPL-2.0-only
# For a Kbuild file whose objects have sites of this folder: include this behind
# markers/marker.mk.
ccflags-y += -I$(markers)/../bench/gates -I$(markers)/../bench/gates/$(marker-arch)
