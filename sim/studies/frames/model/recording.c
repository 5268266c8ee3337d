/* recording.c - a recording read, and dealt to threads. */
#include <stdlib.h>
#include <string.h>

#include "sim/studies/frames/model/recorded.h"
#include "sim/trace/input.h"

/* ---- reading ---- */

static recorded_reader *
choose_reader(struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e);

	if (!head)
		return NULL;
	if (n >= strlen(RECORDING_TITLE) && !memcmp(head, RECORDING_TITLE, strlen(RECORDING_TITLE)))
		return read_cache;
	if (kernel_recognises(head, n))
		return read_kernel;
	error_set(e,
	    n ? "is not a recording of frames, and its first 64 KiB have no event mm_page_alloc or mm_page_free; if it "
		"is a trace, type bufsim run TRACE --frames FILE, then bufsim frames FILE"
	      : "is empty");
	return NULL;
}

static void
keep_notes(struct recording_facts *f, const struct input *in)
{
	const struct skipped *skipped = input_skipped(in);

	for (unsigned i = 0; i < RECORDING_NOTES; i++)
		f->note[i] = input_noted(in, i, &f->noted[i]);
	f->skipped = skipped ? skipped->lines : 0;
}

static int
read_input(struct recording *to, struct input *in, struct error *e)
{
	struct recorded	 r = { .to = to, .in = in };
	recorded_reader *read = choose_reader(in, e);
	uint64_t	 line;
	int		 failed;

	if (!read)
		return -1;
	failed = read(&r, e);
	line = input_line_number(in);
	if (!failed && !to->n)
		failed = error_set(e, "nothing follows: no page is taken");
	keep_notes(&to->facts, in);
	map_release(&r.page);
	map_release(&r.process);
	free(r.run);
	return failed ? error_prefix(e, "line %llu", (unsigned long long)line) : 0;
}

void
recording_release(struct instance *load)
{
	struct recording *r = load->self;

	if (r)
		free(r->event);
	free(r);
	*load = (struct instance){ 0 };
}

const struct recording_facts *
recording_facts(const struct instance *load)
{
	return &((const struct recording *)load->self)->facts;
}

/* ---- dealing ---- */

static uint64_t
thread_of(const struct recording *r, const struct run_event *v, uint64_t threads)
{
	uint64_t n = r->facts.processes;

	if (n >= threads)
		return v->process % threads;
	return v->process + n * (v->run % ((threads - v->process + n - 1) / n));
}

/* Where a thread has the run. */
struct place {
	uint32_t slot; /* from 1; 0: none yet */
	uint8_t	 held, order;
};

static int
deal(struct recording *r, struct script *s, unsigned thread, uint64_t threads, struct place *place,
    struct error *e)
{
	uint32_t slots = 0;

	for (const struct run_event *v = r->event; v < r->event + r->n; v++) {
		struct place *at = &place[v->run];

		if (v->process == GIVEN) {
			if (!at->held)
				continue;
			at->held = false;
			if (script_add(s, MOVE_GIVE, at->slot - 1, at->order, e))
				return -1;
		} else if (thread_of(r, v, threads) == thread) {
			*at = (struct place){ at->slot ? at->slot : ++slots, true, v->order };
			if (script_add(s, MOVE_TAKE, at->slot - 1, at->order, e))
				return -1;
		}
	}
	return 0;
}

static int
give_rest(const struct recording *r, struct script *s, const struct place *place, struct error *e)
{
	for (const struct place *at = place; at < place + r->runs; at++)
		if (at->held && script_add(s, MOVE_GIVE, at->slot - 1, at->order, e))
			return -1;
	return 0;
}

static int
recording_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *e)
{
	struct recording *r = self;
	struct place	 *place;
	int		  failed;

	if (order_in_block(r->order, shape, e))
		return -1;
	place = calloc(r->runs, sizeof(*place));
	s->rounds = r->rounds;
	if (!place)
		return error_set(e, "out of memory for %u pages", r->runs);
	failed = deal(r, s, thread, shape->threads, place, e) || give_rest(r, s, place, e);
	free(place);
	return failed ? -1 : 0;
}

static const struct param recording_params[] = {
	{ "rounds", PARAM_COUNT, 1, 1, UINT64_C(1) << 40, offsetof(struct recording, rounds),
	    "how often", NULL },
	{ 0 },
};

static const struct load recording = {
	.plugin = { .name = "recording",
	    .summary = "the pages that the cache of a run, or a kernel, takes and gives back",
	    .state_size = sizeof(struct recording),
	    .params = recording_params },
	.write = recording_write,
};

int
recording_load(struct instance *load, const char *path, struct error *e)
{
	struct recording *r = plugin_state(&recording.plugin, NULL, e);
	struct input	 *in;
	int		  failed = -1;

	*load = (struct instance){ &recording.plugin, r };
	if (!r)
		return -1;
	in = input_open(path, e);
	if (in) {
		failed = read_input(r, in, e);
		input_close(in);
	}
	if (failed)
		recording_release(load);
	return failed ? error_prefix(e, "%s", path) : 0;
}
