# SPDX-License-Identifier: GPL-2.0-only
# For a Kbuild file whose objects have sites of this folder: include this behind
# markers/marker.mk.
bench-gates-arch := $(if $(filter x86,$(marker-arch)),x86,generic)
ccflags-y += -I$(markers)/../bench/gates -I$(markers)/../bench/gates/$(bench-gates-arch)
