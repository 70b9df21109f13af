// SPDX-License-Identifier: GPL-2.0-only
#define MARK_SYSTEM markers

#include <linux/marker.h>
#include "size.h"

#define ONE(n)	MARK(size_##n, "pid=%d text=%s", n, text);
SIZE_MODULE;
