// SPDX-License-Identifier: GPL-2.0-only
#define FORMAT "path=%s"
#define VALUE "b"
#include "marked_own.h"
