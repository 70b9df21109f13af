/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's name for a header of the compiler. */
#include <stdarg.h>
