#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs in the guest, under icount, with the host's root at /host: paths-lttng.sh FOLDER
# FOLDER, of the host, has lib/modules with LTTng-modules. Prints lines as paths.sh does, of LTTng-modules in
# snapshot mode: the buffers are overwritten, and no daemon reads them meanwhile.
set -e
debugfs=/sys/kernel/debug
bench=$debugfs/marker_bench

host() {
	chroot /host env HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# added WAY CONTEXT...: the instructions of one event, with such a context.
added() {
	way=$1
	shift
	host lttng --quiet create --snapshot paths --output=/tmp/lttng
	host lttng --quiet enable-channel --kernel --subbuf-size=256k --num-subbuf=4 channel
	host lttng --quiet enable-event --kernel --channel=channel bench_event
	for context; do
		host lttng --quiet add-context --kernel --channel=channel --type="$context"
	done
	host lttng --quiet start
	echo clear >$bench/run
	echo "disabled rounds=1 scale=0.01 shape=empty only=trace_event" >$bench/run
	host lttng --quiet stop
	host lttng --quiet snapshot record
	[ "$(find /host/tmp/lttng -name 'channel_0*' -size +100k)" ] || {
		echo "LTTng has recorded nothing" >&2
		exit 1
	}
	host lttng --quiet destroy
	rm -r /host/tmp/lttng
	awk -F '\t' -v way="$way" '
		$3 != "empty" { next }
		$4 == "none" && (none == "" || $9 / $7 < none) { none = $9 / $7 }
		$4 == "trace-event" && (least == "" || $9 / $7 < least) { least = $9 / $7 }
		END { if (least == "") exit 1; printf "%s\t%.0f\n", way, least - none }' $bench/raw
}

mount -t tmpfs run /host/run
mount -t tmpfs tmp /host/tmp
mkdir -p /dev/shm
mount -t tmpfs shm /dev/shm
mount -o bind "/host$1/lib/modules" /host/lib/modules
for module in markers probe_empty probe_ctf marker_gates marker_bench; do
	insmod /$module.ko
done
host lttng-sessiond --quiet --daemonize --kmod-probes=marker-bench 2>/tmp/log || { cat /tmp/log; exit 1; }
added "LTTng-modules"
added "LTTng-modules, context=pid,tid" pid tid
