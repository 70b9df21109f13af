# SPDX-License-Identifier: GPL-2.0-only
"""module.py TREE FOLDER [HEADER...]: a module in that folder with the markers of trace events, for a
kernel that has these events, too: for markers.ko, or with names of headers for a kernel that has the
series, with the events of these. Prints how many."""

from __future__ import annotations

import sys
from pathlib import Path

from kmark.convert import target, tree

# Headers of events that the distribution's headers are enough for.
HEADERS = [
    "alarmtimer",
    "block",
    "cgroup",
    "context_tracking",
    "cpuhp",
    "csd",
    "devlink",
    "fib",
    "filemap",
    "gpio",
    "huge_memory",
    "hwmon",
    "i2c",
    "icmp",
    "initcall",
    "interconnect",
    "iommu",
    "ipi",
    "irq",
    "iscsi",
    "mdio",
    "migrate",
    "mmap",
    "mmap_lock",
    "module",
    "msr",
    "napi",
    "neigh",
    "net",
    "oom",
    "page_isolation",
    "page_pool",
    "percpu",
    "power",
    "printk",
    "pwm",
    "qdisc",
    "qla",
    "random",
    "rcu",
    "regulator",
    "rpcgss",
    "rpm",
    "rtc",
    "sched",
    "scmi",
    "signal",
    "skb",
    "smbus",
    "sock",
    "spi",
    "spmi",
    "sunrpc",
    "swiotlb",
    "syscalls",
    "task",
    "tcp",
    "thermal",
    "timer",
    "tlb",
    "udp",
    "vmalloc",
    "xdp",
]
INCLUDES = [
    "blkdev",
    "bpf",
    "clk",
    "filter",
    "i2c",
    "if_bridge",
    "interrupt",
    "ip",
    "memcontrol",
    "module",
    "netdevice",
    "pagemap",
    "phy",
    "sched/signal",
    "spi/spi",
    "sunrpc/auth_gss",
    "sunrpc/clnt",
    "sunrpc/gss_api",
    "sunrpc/svc_xprt",
    "sunrpc/xprtsock",
    "swap",
    "swiotlb",
    "workqueue",
]
# These call what no module may call, or what belongs to another module, as do those for which something
# is called when they are enabled: they are compiled, and not linked.
NOT_LINKED = {"net_dev_xmit_timeout"}
HEADERS_NOT_LINKED = {"rpcgss", "sunrpc"}
KBUILD = """\
obj-m := converted.o
always-y := compiled.o
ccflags-y += -I$(src)/include -I$(src)
"""
MARKERS_KO = "include {markers}/marker.mk\n"


def write(path: Path, headers: list[str], events: list[str]) -> None:
    lines = [f"#include <linux/{name}.h>" for name in INCLUDES]
    lines += [f'#include "mark/{name}.h"' for name in headers]
    lines += ["", f"void *const {path.stem}_all[] = {{", *(f"\tmark_{name}," for name in events), "};"]
    path.write_text("\n".join([*lines, 'MODULE_LICENSE("GPL");', ""]))


def main() -> int:
    top = Path(__file__).resolve().parents[4]
    source, folder, of_tree = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    result = tree.convert(source, target.TREE if of_tree else target.MODULE)
    tree.write(result, folder / "mark")
    events = [
        one.event
        for one in result.markers
        if Path(one.event.header).stem in (of_tree or HEADERS) and "task_numa_group_id" not in one.code
    ]
    headers = [name for name in of_tree or HEADERS if (folder / f"mark/{name}.h").exists()]
    compiled = [
        event.name
        for event in events
        if event.functions or event.name in NOT_LINKED or Path(event.header).stem in HEADERS_NOT_LINKED
    ]
    write(folder / "compiled.c", headers, compiled)
    write(folder / "converted.c", headers, [event.name for event in events if event.name not in compiled])
    (folder / "Kbuild").write_text(KBUILD + ("" if of_tree else MARKERS_KO.format(markers=top / "markers")))
    if not of_tree:
        shim = folder / "include/linux/marker_beside.h"
        shim.parent.mkdir(parents=True)
        shim.write_text("#define MARK_SYSTEM markers\n#include <marker.h>\n")
    print(len(events))
    return 0


sys.exit(main())
