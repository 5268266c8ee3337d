/*
 * fuzz_plugins.c - the input is a plug-in as it is typed, after one letter for
 * its kind: "flinux24:max=31" is a prefetcher.  What is accepted is simulated.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/kinds.h"
#include "sim/trace/format.h"
#include "tests/fuzz/harness.h"

enum { CALLS = 300, FILES = 3, FILE_BYTES = 400 << 12 };

/* Reads, writes, opens and advice of two processes; runs and jumps. */
static int
next_record(void *self, struct input *in, struct record *r, struct error *e)
{
	struct {
		struct draw d;
		uint32_t    calls;
		uint64_t    at[FILES];
	} *calls = self;
	struct draw *d = &calls->d;
	uint32_t     file = draw_below(d, FILES);

	if (calls->calls++ == CALLS)
		return 0;
	if (!draw_below(d, 20))
		calls->at[file] = draw_below(d, FILE_BYTES);
	r->time = (usec_t)calls->calls * 3000;
	r->pid = 1 + draw_below(d, 2);
	r->fd = 3 + file;
	r->inode = 10 + file;
	r->op = !draw_below(d, 30) ? OP_ADVISE : !draw_below(d, 6) ? OP_WRITE : OP_READ;
	r->advice = draw_below(d, ADVICE_KINDS);
	r->offset = calls->at[file];
	r->length = 1 + draw_below(d, 5 << 12);
	r->file_size = FILE_BYTES;
	if (r->offset + r->length > FILE_BYTES)
		r->offset = 0;
	calls->at[file] = r->offset + r->length;
	return 1;
}

static struct trace *
small_trace(void)
{
	static struct trace	   t;
	const struct trace_options how = { .block_bytes = 4096 };
	struct {
		struct draw d;
		uint32_t    calls;
		uint64_t    at[FILES];
	} calls = { { 7 }, 0, { 0 } };
	struct error e = { 0 };

	if (!t.naccess)
		LAW(!trace_make(&t, "small", &how, next_record, &calls, &e), "%s", e.text);
	return &t;
}

static struct choice *
choice_of(struct config *c, const struct plugin_kind *kind)
{
	return kind == PLUGIN_POLICY	? &c->policy
	    : kind == PLUGIN_PREFETCHER ? &c->prefetcher
	    : kind == PLUGIN_SCHEDULER	? &c->scheduler
					: &c->device;
}

static void
simulate_with(const struct plugin_kind *kind, struct choice *chosen)
{
	struct config c = { 0 };
	struct error  e = { 0 };

	config_defaults(&c);
	c.cache_blocks = 200;
	for (const struct plugin_kind *const *k = plugin_kinds; *k != PLUGIN_FORMAT; k++)
		if (*k == kind)
			*choice_of(&c, kind) = *chosen;
		else
			LAW(!registry_choose(*k, (*k)->list[0]->name, choice_of(&c, *k), &e), "%s",
			    e.text);
	run_laws(&c, small_trace(), "a plug-in");
	for (const struct plugin_kind *const *k = plugin_kinds; *k != PLUGIN_FORMAT; k++)
		if (*k != kind)
			choice_release(choice_of(&c, *k));
}

static void
try_state(const struct choice *c)
{
	struct error e = { 0 };
	void	    *state = plugin_state(c->plugin, c->params, &e);

	if (!state)
		harness_refused(&e);
	free(state);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	unsigned      kind, nkinds = 0;
	struct choice c;
	struct error  e = { 0 };
	char	     *text;

	if (!n)
		return 0;
	while (all_kinds[nkinds])
		nkinds++;
	kind = bytes[0] % nkinds;
	text = calloc(1, n);
	memcpy(text, bytes + 1, n - 1);
	if (registry_choose(all_kinds[kind], text, &c, &e))
		harness_refused(&e);
	else {
		if (kind >= CONFIG_KINDS)
			try_state(&c);
		else
			simulate_with(all_kinds[kind], &c);
		choice_release(&c);
	}
	free(text);
	return 0;
}
