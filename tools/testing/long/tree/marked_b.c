// SPDX-License-Identifier: GPL-2.0-only
#define OWN marked_b
#define BUSY 2
#include "marked.h"
