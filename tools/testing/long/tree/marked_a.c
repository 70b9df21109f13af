// SPDX-License-Identifier: GPL-2.0-only
#define OWN marked_a
#define BUSY 1
#include "marked.h"
