#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The models of the patch protocol, in their short form, for two CPUs; and the order in which
# the core locks, writes, waits and frees, compared with that of the models. The long form
# is `make model`.
# shellcheck disable=SC2317 # called through check
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=../tap.sh
. "$here/../tap.sh"
top=$(readlink -f "$here/../../..")
run=$here/model/run

usage_is_refused() {
	"$run" --cpus 9
	[ $? = 2 ]
}

check "the programs build" make -s -C "$top" model-programs
check "the wait ends after tasks and after each CPU" "$top/build/native/wait"
check "no counterexample but where an error is planted; the code does the steps of the models" \
	"$run" --short
printf '%s\n' "$tap_output" | grep -E '^(models|mutations|replay): ' | sed 's/^/# /'
check "wrong use ends with status 2" usage_is_refused
tap_done
