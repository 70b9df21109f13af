#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each GATE opened and closed TOGGLES times while another CPU runs it. Split
# NOPs wait for all tasks each time, and do a thousandth.
. /lib.sh
H=/sys/kernel/debug/marker_hammer
toggles=$1
shift

load markers
load marker_hammer
for gate; do
	case $gate in
	nop14 | nop23) n=$((toggles / 1000)) ;;
	*) n=$toggles ;;
	esac
	echo "$gate $n" >$H/run
	grep ok $H/result >/tmp/result
	while read -r line; do
		check "${line#* - }" same ok "${line%% *}"
	done </tmp/result
done
check "verify" verified
tap_done
