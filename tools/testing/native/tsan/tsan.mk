# SPDX-License-Identifier: GPL-2.0-only
# The hammer by clang with the thread sanitizer, below build/tsan.  Included by the Makefile
# behind native.mk.

tsan := tools/testing/native/tsan

# text.c copies the text from the program's first page on; that is one segment, so that the
# sanitizer takes all of it for constant (mmap.c).
.PHONY: tsan-hammer
tsan-hammer:
	$(MAKE) NATIVE=build/tsan NATIVE_CC='clang-19 -fsanitize=thread -DMARKERS_TSAN' \
		NATIVE_LDFLAGS='-Wl,-z,noseparate-code -Wl,--wrap=mmap $(tsan)/mmap.c' build/tsan/hammer
