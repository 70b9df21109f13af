#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The suite `tools` in a newer kernel of the distribution, from its backports.
# tools/testing/long/matrix.t runs more suites in more kernels.
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=guest.sh
. "$here/guest.sh"
not_on arm64 "kmark dev kernel --stock has no kernel for arm64"
export KERNEL="--stock 6.12"
exec "$here/vm-tools.t"
