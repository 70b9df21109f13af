// SPDX-License-Identifier: GPL-2.0-only
/* All forms in which a command may be written: separators, operators, bases of numbers. */
#include "boundaries.h"

/* @events: calls of the probe by two events of each site, whose first argument is 2. */
static const struct form {
	const char *command;
	unsigned int events;
} forms[] = {
	{ "connect edge_nop count if arg0 == 2", 2 },
	{ "connect\tedge_nop\tcount\tif\targ0\t==\t2", 2 },
	{ "  connect  edge_nop \t count \t if \t arg0 == 2 \t", 2 },
	{ "connect edge_nop count\tfirst=1\tif arg0==2", 1 },
	{ "connect edge_nop count first=1\tif arg0==2", 1 },
	{ "connect edge_nop count first=1\t \tif arg0==2", 1 },
	{ ";;connect edge_nop count;;", 2 },
	{ " ; \t;\n;connect edge_nop count ; \n", 2 },
	{ "connect edge_nop count;connect edge_pun count", 4 },
	{ "connect edge_nop count\nconnect edge_pun count", 4 },
	{ "connect edge_nop count\n\n\nconnect edge_pun count\n", 4 },
	{ "# connect edge_imm count\nconnect edge_nop count# connect edge_pun count", 2 },
	{ "connect edge_nop count #; connect edge_pun count\nconnect edge_imm count", 4 },
	{ "connect edge_nop count first=1", 1 },
	{ "connect edge_nop count first=0x1", 1 },
	{ "connect edge_nop count first=01 ", 1 },
	{ "connect edge_nop count if arg0==0x2", 2 },
	{ "connect edge_nop count if arg0==0X2", 2 },
	{ "connect edge_nop count if arg0!=3", 2 },
	{ "connect edge_nop count if arg0!=2", 0 },
	{ "connect edge_nop count if arg0<3", 2 },
	{ "connect edge_nop count if arg0<2", 0 },
	{ "connect edge_nop count if arg0>1", 2 },
	{ "connect edge_nop count if arg0>2", 0 },
	{ "connect edge_nop count if arg0<=2", 2 },
	{ "connect edge_nop count if arg0<=1", 0 },
	{ "connect edge_nop count if arg0>=2", 2 },
	{ "connect edge_nop count if arg0>=3", 0 },
	{ "connect edge_nop count if arg0&2", 2 },
	{ "connect edge_nop count if arg0 & 5", 0 },
	{ "connect edge_nop count if arg0>-1", 2 },
	{ "connect edge_nop count if arg0==3||arg0==2", 2 },
	{ "connect edge_nop count if arg0==2&&arg0==3", 0 },
	{ "connect edge_nop count if\targ0==3\t||\targ0==2", 2 },
	{ "connect edge_nop count if !arg0==3", 2 },
	{ "connect edge_nop count if ! ( arg0 == 3 )", 2 },
	{ "connect edge_nop count if (arg0==2)", 2 },
	{ "connect edge_nop count if ((arg0==2)&&(!(arg0==3)))", 2 },
	{ "connect edge_nop count if arg0==3&&arg0==2||arg0==2", 2 },
	{ "connect edge_nop count if arg0==3&&(arg0==2||arg0==2)", 0 },
	{ "connect field_* count if len==1", 4 },
	{ "connect [e]dge_[!pi]* count", 4 },
	{ "connect edge_?op count", 2 },
	{ "connect \\edge_nop count", 2 },
	{ "connect module:self count", 12 },
	{ "connect module:s?l[f] count", 12 },
	{ "arm edge_nop count", 2 },
};

/* Texts that are no form of a command. */
static const char *const refused[] = {
	"connect,edge_nop,count",
	"connect edge_nop count if",
	"connect edge_nop count first=",
	"connect edge_nop count first=-1",
	"connect edge_nop count first=1x",
	"connect edge_nop count if arg0==2;3",
	"connect edge_nop count if arg0==2 &&",
	"connect edge_nop count if arg0=2",
	"connect edge_nop count if arg0===2",
	"connect edge_nop count if arg0==2 arg0==2",
	"connect edge_nop count if arg0==2|arg0==2",
	"connect edge_nop count if arg0==2&arg0==2",
	"connect edge_nop count if arg0==2)",
	"connect edge_nop count if ()",
	"connect edge_nop count if !",
	"connect edge_nop count if arg==2",
	"connect edge_nop count if arg00==2",
	"connect edge_nop count if arg0==2x",
	"CONNECT edge_nop count",
	"connect edge_nop count\vfirst=1",
	"connect site: count",
	"connect site:0x1 count",
	"connect site:-1 count",
	"connect : count",
	"connect x.c: count",
	"connect module: count",
	"connect edge_nop@ count",
	"connect @main count",
	"connect edge_nop@main@main count",
};

void check_forms(unsigned int (*fired)(const char *commands))
{
	unsigned int i, events;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		events = fired(forms[i].command);
		check(events == forms[i].events && !fired("disconnect *"), "a form of a command",
		      forms[i].command[0] == '#' || strchr(forms[i].command, '\n') ?
			      "on lines" :
			      forms[i].command);
	}
	for (i = 0; i < ARRAY_SIZE(refused); i++)
		check(fired(refused[i]) == 1000, "no form of a command", refused[i]);
	check(!fired(""), "none of these is connected", "");
}
