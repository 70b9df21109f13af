# SPDX-License-Identifier: GPL-2.0-only
"""Play a Bluetooth controller to the kernel by /dev/vhci, and use the kernel's Bluetooth sockets.

Needs root and the module hci_vhci."""

import contextlib
import fcntl
import os
import socket
import struct
import threading
import time

COMMAND, EVENT, VENDOR = b"\x01", b"\x04", b"\xff"  # types of packets
COMMAND_COMPLETE = 0x0E
# Data that some commands return behind their status; others return zeros.
RETURNS = {
    0x1001: b"\x09\0\0\x09\xff\xff\0\0",  # versions
    0x1009: bytes(range(6)),  # address
    0x1005: struct.pack("<HBHH", 1000, 60, 10, 10),  # sizes of buffers
}
ZEROS = bytes(64)
HCIDEVUP, HCIDEVDOWN = 0x400448C9, 0x400448CA
L2CAP, SCO, RFCOMM, BNEP = 0, 2, 3, 4
SOCKETS = ((L2CAP, socket.SOCK_SEQPACKET), (SCO, socket.SOCK_SEQPACKET), (RFCOMM, socket.SOCK_STREAM),
           (BNEP, socket.SOCK_RAW))  # fmt: skip
ROUNDS = 9


def answer(controller: int) -> None:
    """Complete each command that the kernel sends, until the controller is closed."""
    with contextlib.suppress(OSError):
        while packet := os.read(controller, 300):
            if packet[:1] != COMMAND:
                continue
            code = packet[1:3]
            body = b"\0" + RETURNS.get(int.from_bytes(code, "little"), ZEROS)
            event = b"\x01" + code + body
            os.write(controller, EVENT + bytes([COMMAND_COMPLETE, len(event)]) + event)


def use_sockets() -> None:
    for protocol, kind in SOCKETS:
        for number in range(ROUNDS):
            with contextlib.suppress(OSError), socket.socket(socket.AF_BLUETOOTH, kind, protocol) as one:
                one.settimeout(0.5)
                with contextlib.suppress(OSError):
                    one.bind(("00:00:00:00:00:00", 5 + 2 * number))
                one.listen(1)
    for _ in range(3):
        with contextlib.suppress(OSError), \
                socket.socket(socket.AF_BLUETOOTH, socket.SOCK_SEQPACKET, L2CAP) as one:  # fmt: skip
            one.settimeout(0.3)
            one.connect(("00:11:22:33:44:55", 1))


def main() -> None:
    controller = os.open("/dev/vhci", os.O_RDWR)
    os.write(controller, VENDOR + b"\0")
    threading.Thread(target=answer, args=(controller,), daemon=True).start()
    time.sleep(2)
    with socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, 1) as device:
        try:
            fcntl.ioctl(device, HCIDEVUP, 0)
        except OSError as failed:
            print(f"the controller does not come up: {failed}")
        use_sockets()
        fcntl.ioctl(device, HCIDEVDOWN, 0)
    os.close(controller)


if __name__ == "__main__":
    main()
