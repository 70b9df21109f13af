/* SPDX-License-Identifier: GPL-2.0-only */
#include "../generic/site_regs.h"
