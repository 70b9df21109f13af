# SPDX-License-Identifier: GPL-2.0-only
"""module.py TREE FOLDER: a module in that folder with the markers of trace events, for a kernel
that has these events, too. Prints how many."""

from __future__ import annotations

import sys
from pathlib import Path

from kmark.convert import tree

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
    "initcall",
    "interconnect",
    "iommu",
    "ipi",
    "irq",
    "mdio",
    "migrate",
    "mmap",
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
    "random",
    "regulator",
    "rpm",
    "rtc",
    "sched",
    "signal",
    "skb",
    "sock",
    "spi",
    "swiotlb",
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
    "if_bridge",
    "interrupt",
    "memcontrol",
    "module",
    "netdevice",
    "pagemap",
    "phy",
    "sched/signal",
    "spi/spi",
    "swap",
    "swiotlb",
    "workqueue",
]
# They call a function that is not exported.
NOT_EXPORTED = {"net_dev_xmit_timeout"}
KBUILD = """\
obj-m := converted.o
ccflags-y += -I$(src)/include -I$(src)
include {markers}/marker.mk
"""


def main() -> int:
    top = Path(__file__).resolve().parents[3]
    source, folder = Path(sys.argv[1]), Path(sys.argv[2])
    result = tree.convert(source)
    tree.write(result, folder / "mark")
    events = [
        one.event.name
        for one in result.markers
        if Path(one.event.header).stem in HEADERS
        and one.event.name not in NOT_EXPORTED
        and "task_numa_group_id" not in one.code
    ]
    lines = [f"#include <linux/{name}.h>" for name in INCLUDES]
    lines += [f'#include "mark/{name}.h"' for name in HEADERS if (folder / f"mark/{name}.h").exists()]
    lines += ["", "void *const converted_all[] = {", *(f"\tmark_{name}," for name in events), "};"]
    lines += ['MODULE_LICENSE("GPL");', ""]
    (folder / "converted.c").write_text("\n".join(lines))
    (folder / "Kbuild").write_text(KBUILD.format(markers=top / "markers"))
    shim = folder / "include/linux/marker.h"
    shim.parent.mkdir(parents=True)
    shim.write_text("#include <marker.h>\n")
    print(len(events))
    return 0


sys.exit(main())
