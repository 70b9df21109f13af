# SPDX-License-Identifier: GPL-2.0-only
# Flags for a Kbuild file to build modules that contain MARK(): include this file. `markers` is the folder
# it lies in.
markers := $(or $(markers),$(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST))))))

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

# markers.lds bounds the tables of a module when its objects are linked. Kbuild links a module
# of one object only for the LTO of clang. These are the variables that it has for that, up to
# Linux 6.15 and since then.
# An object without markers needs no bounds, and modpost warns of an empty section.
marker-has-table = [ "$(CONFIG_LTO_CLANG)" ] || $(OBJDUMP) -h $@ | grep -q '\.discard_marker'
cmd_ld_single_m = $(if $(is-single-obj-m), ; if $(marker-has-table); then \
	$(LD) $(ld_flags) -r -o $(tmp-target) $@ && mv $(tmp-target) $@; fi)
cmd_ld_single = $(cmd_ld_single_m)

# All sites of a module that share a name have the same format: the build fails otherwise.
# Their texts are in the objects only, since the kernel's linker script drops the section.
quiet_cmd_marker_formats = MARKERS $@
      cmd_marker_formats = $(OBJCOPY) -O binary -j .discard.marker_formats $< $@ && \
	tr '\n\0' '\2\n' <$@ | LC_ALL=C awk -f $(markers)/formats.awk
$(obj)/%.formats: $(obj)/%.o $(markers)/formats.awk FORCE
	$(call if_changed,marker_formats)
# Kbuild expands it when it has read the whole file, so obj-m may also follow the include.
marker-always := $(always-y)
always-y = $(marker-always) $(patsubst %.o,%.formats,$(filter %.o,$(obj-m)))
