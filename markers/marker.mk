# SPDX-License-Identifier: GPL-2.0-only
# What a Kbuild file needs to build modules that contain MARK(): include this file, best
# as the last line.  `markers` is the folder it lies in.
markers ?= $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))

# User-Mode Linux on x86-64 has CONFIG_X86_64, too: the same gates, another way
# to write them (marker-text), and the compiler told what the kernel of x86 is
# always told: no red zone, since sites call, and no vector registers.  Its kernel
# and modules lie below 2 GB, where addresses fit into instructions.
marker-arch := $(if $(CONFIG_X86_64),x86,$(if $(CONFIG_ARM64),arm64,generic))
marker-text := $(if $(CONFIG_UML_X86),um,$(marker-arch))
ccflags-$(CONFIG_UML_X86) += -mno-red-zone -mgeneral-regs-only \
			    -mcmodel=small

ccflags-y += -I$(markers) -I$(markers)/arch/$(marker-arch) \
	     -I$(markers)/env/kernel
ldflags-y += -T $(markers)/markers.lds

# For what sites call. The stack is aligned as kernels have it, to 8 bytes; User-Mode
# Linux is compiled for 16, as its functions may use vector registers.
marker-callee-$(CONFIG_UML_X86) := -mincoming-stack-boundary=3

# The tables of a module are bounded when its parts are linked, so a module of one object
# (obj-m := foo.o alone, above the line that includes this) becomes one of one part.
define marker-part
$(1)-y := $(1)-marked.o
CFLAGS_$(1)-marked.o = $$(CFLAGS_$(1).o)
$$(obj)/$(1)-marked.o: $$(src)/$(1).c FORCE
	$$(call if_changed_rule,cc_o_c)
endef
marker-single = $(if $(strip $($(1)-y) $($(1)-m) $($(1)-objs)),,$(1))
$(foreach name,$(patsubst %.o,%,$(filter %.o,$(obj-m))),\
	$(if $(call marker-single,$(name)),$(eval $(call marker-part,$(name)))))
