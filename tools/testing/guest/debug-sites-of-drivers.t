#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Unmodified drivers of the distribution at work, without hardware: USB devices and a disk behind
# dummy_hcd, Bluetooth behind a controller that a program plays, and a bond of two network devices.
# Dynamic debug prints the messages of their pr_debug(), dev_dbg() and netdev_dbg() sites, and markers.ko makes
# trace events of the same calls: each event says what was printed.
# guest: arch=x86_64 host_root=yes append="no_hash_pointers log_buf_len=16M" memory=1024 timeout=400

on_host() {
	[ ! "${KERNEL:-}" ] || { echo "1..0 # SKIP it needs a kernel with all drivers"; exit; }
	drivers="usbcore cdc_ether rndis_host usbip-core bluetooth bonding rfcomm bnep udc-core libcomposite usb_f_ecm"
	drivers="$drivers usb_f_mass_storage u_ether dummy_hcd g_ether vhci_hcd hci_vhci usb_storage sd_mod dummy"
	boot "tools/testing/guest/debug_sites"
}

# shellcheck source=lib.sh
. "${0%/*}/lib.sh"
programs=$1/$3
D=/sys/kernel/debug/dynamic_debug/control
E=/sys/kernel/tracing
observed="kobject usbcore usbnet cdc_ether rndis_host dummy_hcd vhci_hcd usbip_core libcomposite u_ether usb_f_ecm
	usb_f_mass_storage bluetooth rfcomm bnep bonding"

load markers
load probe_event
mount -t tmpfs run /host/run
mount --bind /dev /host/dev
dmesg -n 1
echo 40000 >$E/buffer_size_kb

# observe MODULE...: print the messages, with the module's name in front, and enable the events.
observe() {
	for module; do
		echo "module $module +pm" >$D
		[ ! -e "$E/events/debug_$module" ] || echo 1 >"$E/events/debug_$module/enable"
	done
}

for module in $observed; do
	control "arm debug:module=$module event"
done
for module in usbcore cdc_ether rndis_host usbip-core bluetooth bonding rfcomm bnep udc-core libcomposite \
	u_ether usb_f_ecm usb_f_mass_storage dummy_hcd vhci_hcd hci_vhci; do
	check "$module is loaded" modprobe $module
done
# shellcheck disable=SC2086 # several words
observe $observed
# Messages of sites that cannot be recorded are not printed either.
awk -F '\t' '$2 ~ /^refused/ { print $5 }' $M/debug_sites | while IFS=: read -r file line; do
	echo "file $file line $line -p" >$D
done
check "fewer than a tenth of the sites are refused" test "$(grep -c "$(printf '\trefused')" $M/debug_sites)" -lt \
	$(($(wc -l <$M/debug_sites) / 10))
dmesg -c >/dev/null
echo >$E/trace

# USB: a network adapter, and a disk that is read.
modprobe g_ether
sleep 2
for interface in /sys/class/net/usb*; do
	host ip link set "${interface##*/}" up
done
rmmod g_ether
dd if=/dev/zero of=/disk bs=1M count=8 2>/dev/null
modprobe usb_storage
modprobe sd_mod
mount -t configfs none /sys/kernel/config 2>/dev/null
gadget=/sys/kernel/config/usb_gadget/disk
mkdir $gadget $gadget/functions/mass_storage.0 $gadget/configs/c.1
echo 0x1d6b >$gadget/idVendor
echo 0x0104 >$gadget/idProduct
echo /disk >$gadget/functions/mass_storage.0/lun.0/file
ln -s $gadget/functions/mass_storage.0 $gadget/configs/c.1
echo dummy_udc.0 >$gadget/UDC
sleep 5
cat /dev/sda >/dev/null
echo >$gadget/UDC

host /usr/bin/python3 -I "$programs/bluetooth.py"

modprobe dummy numdummies=2
rounds=12
while [ $((rounds -= 1)) -ge 0 ]; do
	for interface in dummy0 dummy1; do
		host ip link set $interface down
		host ip link set $interface master bond0
		host ip link set bond0 up
	done
	for interface in dummy0 dummy1; do
		host ip link set $interface nomaster
	done
done
host ip link del bond0

for module in $observed; do
	[ ! -e "$E/events/debug_$module" ] || echo 0 >"$E/events/debug_$module/enable"
	echo "module $module -p" >$D
done
dmesg -r -s 16777216 >/host/run/log
cat $E/trace >/host/run/trace
host /usr/bin/python3 -I "$programs/compare.py" /run/trace /run/log >/tmp/found
status=$?
cat /tmp/found >&2
check "each event says what was printed, and each message is an event" same 0 $status
# number WORD: in the line of compare.py.
number() {
	sed -n "s/.*\\<\\([0-9]*\\) $1.*/\\1/p" /tmp/found
}
check "of at least 2,000 events" test "$(number events)" -ge 2000
check "and of at least 150 sites" test "$(number sites)" -ge 150
check "and at least 3 modules" test "$(number modules)" -ge 3
check "verified" verified
tap_done
