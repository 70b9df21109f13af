# SPDX-License-Identifier: GPL-2.0-only
# A program whose stack the test of the recorded context knows.  Included by the Makefile
# behind native.mk.

$(NATIVE)/deep: tools/testing/guest/context/deep.c
	@mkdir -p $(@D)
	$(NATIVE_CC) -O2 -fno-omit-frame-pointer -fno-pie -no-pie -static -pthread -Wall -Wextra -Werror \
		$(if $(filter arm64,$(ARCH)),-mbranch-protection=pac-ret) -o $@ $<
