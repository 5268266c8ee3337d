/*
 * fuzz_options.c - the input is a command line, a word on each line: options
 * are parsed, plug-ins chosen, lists expanded; no trace is loaded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/cli/cmd.h"
#include "sim/setup/grid.h"
#include "sim/setup/pattern.h"
#include "tests/fuzz/harness.h"

enum { WORDS_MAX = 64, POINTS = 20, FOOTPRINT = 1000 };

static void
try_setup(const struct options *o)
{
	struct setup s;
	struct error e = { 0 };
	uint64_t     blocks;

	if (setup_init(&s, o, &e)) {
		harness_refused(&e);
		return;
	}
	LAW(s.config.policy.plugin && s.config.device.plugin, "plug-ins");
	LAW(s.config.request_blocks && s.config.queue_requests, "a queue");
	if (cache_size_blocks(&o->cache, s.trace.block_bytes, FOOTPRINT, &blocks, &e))
		harness_refused(&e);
	else
		LAW(!blocks == !o->cache.n, "%llu blocks", (unsigned long long)blocks);
	setup_release(&s);
}

static void
try_lists(const struct options *o)
{
	struct grid    g;
	struct error   e = { 0 };
	struct options point = *o;

	if (grid_init(&g, COMMAND_SWEEP, o, &e)) {
		harness_refused(&e);
		grid_release(&g);
		return;
	}
	LAW(g.npoints, "no points");
	for (uint64_t i = 0; i < g.npoints && i < POINTS; i++) {
		if (grid_point(&g, g.npoints - 1 - i, &point, &e)) {
			harness_refused(&e);
			break;
		}
		try_setup(&point);
	}
	grid_release(&g);
}

static void
try_pattern(const char *names)
{
	struct patterns p;
	struct error	e = { 0 };

	if (patterns_init(&p, names, &e)) {
		harness_refused(&e);
		return;
	}
	LAW(p.n, "'%s' selects nothing", names);
	patterns_release(&p);
}

/* Commands that need no file. */
static void
try_command(int argc, char **argv)
{
	struct memo  text;
	struct error e = { 0 };

	LAW(!memo_open(&text, &e), "%s", e.text);
	if (command_line(argc, argv, text.out, &e))
		harness_refused(&e);
	LAW(!memo_close(&text, &e), "%s", e.text);
	LAW(!e.exit_code || !text.bytes, "exit %d and %zu bytes", e.exit_code, text.bytes);
	free(text.text);
}

static enum command_id
command_called(const char *name)
{
	unsigned id = 0;

	while (id < COMMANDS && strcmp(command_info[id].name, name))
		id++;
	return id;
}

static void
try_line(int argc, char **argv)
{
	enum command_id id = command_called(argv[1]);
	struct options	o;
	struct error	e = { 0 };

	if (id == COMMANDS || id == COMMAND_LIST || id == COMMAND_HELP) {
		try_command(argc, argv);
		return;
	}
	if (options_parse(&o, id, argc - 1, argv + 1, &e)) {
		harness_refused(&e);
		return;
	}
	if (o.pattern)
		try_pattern(o.pattern);
	if (id == COMMAND_SWEEP || id == COMMAND_COMPARE)
		try_lists(&o);
	else if (id == COMMAND_RUN || id == COMMAND_EXPLAIN)
		try_setup(&o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char *argv[WORDS_MAX + 2] = { (char *)(uintptr_t) "bufsim" }, *rest;
	char *text = calloc(1, n + 1);
	int   argc = 1;

	memcpy(text, bytes, n);
	for (char *word = strtok_r(text, "\n", &rest); word && argc < WORDS_MAX;
	     word = strtok_r(NULL, "\n", &rest))
		argv[argc++] = word;
	if (argc > 1)
		try_line(argc, argv);
	free(text);
	return 0;
}
