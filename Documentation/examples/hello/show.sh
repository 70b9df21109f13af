#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In a guest of `make hello`: load the modules, enable the event, pass the marker, print the event.
insmod /markers.ko
insmod /probe_event.ko
insmod /hello.ko
cd /sys/kernel/tracing || exit
echo 1 >events/hello/hello/enable
printf again >/sys/module/hello/parameters/say
grep hello/hello: trace
