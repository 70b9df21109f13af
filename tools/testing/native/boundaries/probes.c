// SPDX-License-Identifier: GPL-2.0-only
/* Check which probes may be registered. */
#include "boundaries.h"
#include "command.h"
#include "connection.h"
#include "marker_probe.h"

static char words[32];

/* Note what a connection gives to its probe. */
static void *note_words(const char *args)
{
	snprintf(words, sizeof(words), "%s", args ?: "none");
	return strcmp(words, "bad") ? NULL : ERR_PTR(-EDOM);
}

static void notrace ignore(MARKER_PARAMS)
{
}

static const char *need_pun(void *data)
{
	return "edge_pun";
}

static const struct command {
	const char *command;
	int expected;
	const char *words;
} commands[] = {
	{ "connect edge_nop needs", 0, "none" }, { "connect edge_nop needs \t", 0, "none" },
	{ "connect edge_nop needs a", 0, "a" }, { "connect edge_nop needs  a\tb  c ", 0, "a b  c" },
	{ "connect edge_nop needs first=1  a", 0, "a" }, { "connect edge_nop needs first=1 first=2", 0, "none" },
	{ "connect edge_nop needs a first=1 if arg0==1", 0, "a first=1" },
	{ "connect edge_nop needs iffy if arg0==1", 0, "iffy" },
	{ "connect edge_nop needs first=1 bad", -EDOM, "bad" },
	{ "connect edge_nop needs bad if arg0==1", -EDOM, "bad" },
	/* The probe needs another marker besides, too. */
	{ "connect edge_* needs", 0, "none" }, { "connect edge_pun needs", -EINVAL, "none" },
	{ "arm edge_pun needs", -EINVAL, "none" }, { "connect edge_p* needs", -EINVAL, "none" },
	{ "connect none needs", -ENOENT, "none" }, { "arm none needs", 0, "none" },
};

static void check_words(void)
{
	struct marker_probe probe = {
		.name = "needs", .func = ignore, .attach = note_words, .also = need_pun,
	};
	const struct command *c;

	marker_probe_register(&probe);
	for (c = commands; c < commands + ARRAY_SIZE(commands); c++) {
		words[0] = '\0';
		check(marker_command_execute(c->command) == c->expected && !strcmp(words, c->words) &&
		      marker_command_execute("disconnect *") == (c->expected ? -ENOENT : 0),
		      "words of a probe", c->command);
	}
	marker_probe_unregister(&probe);
}

/* Refuse names that a command could not use, and the name of another probe. */
void check_probes(const struct marker_probe *registered)
{
	const char *const names[] = { "", "a b", "a\tb", "a\nb", "a;b", "a#b", registered->name };
	struct marker_probe probe = { .func = registered->func };
	unsigned int i;
	int ret;

	check(marker_probe_register(&probe) == -EINVAL, "a probe without a name", "");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		probe.name = names[i];
		ret = marker_probe_register(&probe);
		check(ret == (names[i] == registered->name ? -EEXIST : -EINVAL), "a probe named",
		      strchr(names[i], '\n') ? "with a newline" : names[i]);
	}
	probe = (struct marker_probe){ .name = "another" };
	check(marker_probe_register(&probe) == -EINVAL, "a probe without a function", "");
	probe.func = registered->func;
	check(!marker_probe_register(&probe) && !marker_command_execute("connect edge_nop another"),
	      "one that has both is connected", "");
	marker_probe_unregister(&probe);
	check(list_empty(&marker_connections), "and is disconnected as it goes", "");
	check_words();
}
