/* SPDX-License-Identifier: GPL-2.0-only */
#include "../generic/user_frame.h"
