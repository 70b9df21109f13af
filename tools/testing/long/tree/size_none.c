// SPDX-License-Identifier: GPL-2.0-only
#include "size.h"

#define ONE(n)
SIZE_MODULE;
