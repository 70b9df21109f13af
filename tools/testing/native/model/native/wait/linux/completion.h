/* SPDX-License-Identifier: GPL-2.0-only */
#include "wait_env.h"
