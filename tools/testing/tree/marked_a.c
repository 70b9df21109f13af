// SPDX-License-Identifier: GPL-2.0-only
#define OWN marked_a
#include "marked.h"
