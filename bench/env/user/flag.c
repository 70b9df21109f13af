// SPDX-License-Identifier: GPL-2.0-only
#include "flag.h"

int native_flag;
