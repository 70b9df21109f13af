// SPDX-License-Identifier: GPL-2.0-only
#define FORMAT "number=%d"
#define VALUE 1
#include "marked_own.h"
