# SPDX-License-Identifier: GPL-2.0-only
# The reader of recorded packets, which runs in guests. Included by the top Makefile.

$(NATIVE)/check_packets: tools/testing/guest/packets/check_packets.c
	@mkdir -p $(@D)
	$(NATIVE_CC) -O2 -Wall -Wextra -Werror -o $@ $<
