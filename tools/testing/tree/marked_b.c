// SPDX-License-Identifier: GPL-2.0-only
#define OWN marked_b
#include "marked.h"
