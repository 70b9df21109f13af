# SPDX-License-Identifier: GPL-2.0-only
# What a Kbuild file needs to build objects that contain MARK(): include this
# file with `markers` set to the directory it lies in.  An instrumented module
# has to be a composite one (foo-y := ...), since the tables are bounded when
# its parts are linked.

marker-arch := $(if $(CONFIG_X86_64),x86,generic)

ccflags-y += -I$(markers) -I$(markers)/arch/$(marker-arch) \
	     -I$(markers)/env/kernel
ldflags-y += -T $(markers)/markers.lds
