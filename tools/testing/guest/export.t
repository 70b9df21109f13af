#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Records EVENTS events of each marker of marker_types.ko on each CPU, and prints the trace, as
# base64 of a tar file.  export.sh TOP HOME EVENTS
. /lib.sh
top=$1
home=$2
# shellcheck source=recorder.sh
. "/host$top/tools/testing/guest/recorder.sh"

# More than 0.134 s in between, which ftrace has to say apart from an event.
run record --raw-addresses --context tid,pid,comm,irq,preempt -o /mnt/trace 'types_*' -- \
	sh -c "taskset 1 sh -c 'echo $3 >$F/fire'; sleep 0.5; taskset 2 sh -c 'echo $3 >$F/fire'"
echo "@said $status $said"
echo @begin
tar -cz -C /host/mnt trace | base64
echo @end
