/*
 * fuzz_frames.c - the input is a recording of frames: read, dealt to threads, where each gives back
 * what it took; that of a cache is written and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/output.h"
#include "sim/report/run/recorder.h"
#include "sim/studies/frames/model/recording.h"
#include "tests/fuzz/harness.h"

enum { THREADS_MAX = 40 };

static struct script
script_of(const struct instance *i, unsigned thread, unsigned threads)
{
	const struct load  *l = (const struct load *)(const void *)i->plugin;
	struct frames_shape shape = { .blocks = 1,
		.block_pages = 1 << (FRAME_ORDERS - 1),
		.threads = threads };
	struct script	    s = { 0 };
	struct error	    e = { 0 };

	LAW(!l->write(i->self, &s, thread, &shape, &e), "%s", e.text);
	return s;
}

/* Takes of empty slots, gives of full ones in the order of their take, none full at the end: the number of takes. */
static uint64_t
check_script(const struct script *s)
{
	unsigned *full = calloc((size_t)s->slots + 1, sizeof(*full)); /* the order, from 1 */
	uint64_t  takes = 0;

	LAW(full, "%u slots", s->slots);
	for (size_t i = 0; i < s->moves; i++) {
		const struct move *m = &s->move[i];
		bool		   takes_one = m->kind == MOVE_TAKE;

		LAW(m->slot < s->slots && full[m->slot] == (takes_one ? 0 : 1U + m->order),
		    "move %zu of slot %u", i, m->slot);
		full[m->slot] = takes_one ? 1U + m->order : 0;
		takes += takes_one;
	}
	LAW(s->moves == 2 * takes, "%zu moves, %llu takes", s->moves, (unsigned long long)takes);
	free(full);
	return takes;
}

static void
deal(const struct instance *i, unsigned threads)
{
	uint64_t takes = 0;

	for (unsigned thread = 0; thread < threads; thread++) {
		struct script s = script_of(i, thread, threads);

		takes += check_script(&s);
		script_release(&s);
	}
	LAW(takes == recording_facts(i)->takes, "%llu takes, not %llu", (unsigned long long)takes,
	    (unsigned long long)recording_facts(i)->takes);
}

/* ---- written and read again ---- */

static void
write_to(const struct instance *i, const struct script *s, const char *path)
{
	static struct recorder	    r;
	const struct recording_head head = { recording_facts(i)->cache_blocks, 1, "again" };
	struct error		    e = { 0 };
	struct output		   *out = output_open(path, &e);

	LAW(out, "%s", e.text);
	recorder_begin(&r, out, &head);
	for (size_t k = 0; k < s->moves; k++)
		LAW(!(s->move[k].kind == MOVE_TAKE ? recorder_take : recorder_give)(&r,
			s->move[k].slot, 0, &e),
		    "%s", e.text);
	LAW(!recorder_end(&r, &e) && !output_commit(out, NULL, &e), "%s", e.text);
}

static void
read_again(const struct instance *i)
{
	const char     *path = harness_path("written");
	struct script	s = script_of(i, 0, 1), t;
	struct instance j;
	struct error	e = { 0 };

	write_to(i, &s, path);
	LAW(!recording_load(&j, path, &e), "%s", e.text);
	t = script_of(&j, 0, 1);
	LAW(t.moves == s.moves && !memcmp(t.move, s.move, s.moves * sizeof(*s.move)),
	    "%zu moves, not %zu", t.moves, s.moves);
	script_release(&s);
	script_release(&t);
	recording_release(&j);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct draw	d = harness_draw(bytes, n);
	const char     *path = harness_path("frames");
	struct instance i;
	struct error	e = { 0 };

	harness_write(path, bytes, n);
	if (recording_load(&i, path, &e)) {
		harness_refused(&e);
		return 0;
	}
	deal(&i, 1 + (unsigned)draw_below(&d, THREADS_MAX));
	if (!recording_facts(&i)->is_kernel)
		read_again(&i);
	recording_release(&i);
	return 0;
}
