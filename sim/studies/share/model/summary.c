/* summary.c - requests by size, and the sets of processors of all words. */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/studies/share/model/loops.h"
#include "sim/studies/share/model/summary.h"

/* ---- requests ---- */

/* One run for each object at first, then those of equal size are one. */
static uint32_t
find_runs(const struct program *p, struct request_run *run)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i <= p->nobjects; i++) {
		const struct object *o = &p->object[i];

		if (!n || run[n - 1].bytes != o->bytes)
			run[n++] = (struct request_run){ .bytes = o->bytes, .first = i };
		run[n - 1].length++;
		run[n - 1].processors |= UINT64_C(1) << o->processor;
	}
	return n;
}

static int
compare_runs(const void *a, const void *b)
{
	const struct request_run *r = a, *s = b;

	if (r->bytes != s->bytes)
		return r->bytes < s->bytes ? -1 : 1;
	return r->first < s->first ? -1 : 1;
}

static void
find_sizes(struct summary *s)
{
	for (uint32_t i = 0; i < s->nruns; i++) {
		const struct request_run *r = &s->run[i];
		struct request_size	 *z;

		if (!i || r->bytes != r[-1].bytes)
			s->size[s->nsizes++] =
			    (struct request_size){ .bytes = r->bytes, .first_run = i };
		z = &s->size[s->nsizes - 1];
		z->processors |= r->processors;
		z->objects += r->length;
		z->nruns++;
	}
}

static int
summarise_requests(struct summary *s, const struct program *p, struct error *e)
{
	s->run = calloc((size_t)p->nobjects + 1, sizeof(*s->run));
	s->size = calloc((size_t)p->nobjects + 1, sizeof(*s->size));
	if (!s->run || !s->size)
		return error_set(e, "out of memory for the requests");
	s->nruns = find_runs(p, s->run);
	if (s->nruns)
		qsort(s->run, s->nruns, sizeof(*s->run), compare_runs);
	find_sizes(s);
	for (uint32_t i = 1; i <= p->nobjects; i++) {
		s->bytes += p->object[i].bytes;
		s->of[p->object[i].processor].requests++;
	}
	return 0;
}

/* ---- references ---- */

struct walk {
	const struct program	 *program;
	struct processor_summary *of;
	uint64_t		 *who; /* [nwords] the processors that reference each word */
	uint64_t		  one; /* the processor */
	struct loops		  loops;
};

/* The words from that one on, which the strides of n loops reach. */
static void
mark(const struct walk *w, uint64_t *word, const uint32_t *strides, unsigned n)
{
	int32_t stride;

	while (n && !strides[n - 1])
		n--;
	if (!n) {
		*word |= w->one;
		return;
	}
	stride = (int32_t)strides[n - 1];
	for (uint32_t i = 0; i < w->loops.times[n - 1]; i++)
		mark(w, word + (int64_t)stride * i, strides, n - 1);
}

static void
reference(struct walk *w, const uint32_t *at)
{
	const struct object *o = &w->program->object[code_object(*at)];

	loops_count(&w->of->references, loops_total(&w->loops));
	if (code_kind(*at) == CODE_WRITE)
		loops_count(&w->of->writes, loops_total(&w->loops));
	mark(w, w->who + o->first_word + at[1], at + 2, code_strides(*at));
}

static void
instruction(struct walk *w, const uint32_t *at)
{
	switch (code_kind(*at)) {
	case CODE_READ:
	case CODE_WRITE:
		reference(w, at);
		break;
	case CODE_LOOP:
	case CODE_RUN:
		loops_open(&w->loops, at[1]);
		break;
	case CODE_CLOSE:
		w->loops.depth--;
		break;
	case CODE_LOCK:
		w->of->locks++;
		break;
	case CODE_BARRIER:
		w->of->barriers++;
		break;
	case CODE_POST:
		w->of->posts++;
		break;
	case CODE_WAIT:
		w->of->waits++;
		break;
	default:
		break;
	}
}

static void
walk_all(struct summary *s, const struct program *p, uint64_t *who)
{
	for (unsigned i = 0; i < p->processors; i++) {
		struct walk w = { .program = p,
			.of = &s->of[i],
			.who = who,
			.one = UINT64_C(1) << i,
			.loops.total = { 1 } };

		for (const uint32_t *at = p->code + p->start[i]; code_kind(*at) != CODE_END;
		     at += code_length(*at))
			instruction(&w, at);
	}
}

static void
add_all(struct summary *s, const struct program *p)
{
	for (unsigned i = 0; i < p->processors; i++) {
		const struct processor_summary *o = &s->of[i];

		loops_count(&s->all.references, o->references);
		loops_count(&s->all.writes, o->writes);
		s->all.requests += o->requests;
		s->all.locks += o->locks;
		s->all.posts += o->posts;
		s->all.waits += o->waits;
		if (o->barriers > s->all.barriers)
			s->all.barriers = o->barriers;
	}
}

/* ---- sharing ---- */

/* One more word, object or page of these processors; `field` counts it for each of them. */
static void
count(struct summary *s, uint64_t by[PROCESSORS_MAX + 1], uint64_t who, size_t field)
{
	by[__builtin_popcountll(who)]++;
	for (; who; who &= who - 1)
		++*(uint64_t *)(void *)((char *)&s->of[__builtin_ctzll(who)] + field);
}

enum {
	OBJECTS = offsetof(struct processor_summary, objects),
	WORDS = offsetof(struct processor_summary, words),
	PAGES = offsetof(struct processor_summary, pages)
};

/* Places follow each other, so that one page at a time is enough. */
struct pages {
	uint64_t page; /* the current one */
	uint64_t who;
};

static void
turn_to(struct summary *s, struct pages *g, uint64_t page)
{
	if (page == g->page)
		return;
	count(s, s->pages_by, g->who, PAGES);
	s->pages_by[0] += page - g->page - 1;
	*g = (struct pages){ .page = page };
}

static void
count_sharing(struct summary *s, const struct program *p, const uint64_t *who, uint32_t page_bytes)
{
	struct pages g = { 0 };
	uint64_t     place = 0;

	for (uint32_t i = 1; i <= p->nobjects; i++) {
		const struct object *o = &p->object[i];
		uint64_t	     all = 0, byte = place + TAG_BYTES;

		for (uint32_t word = 0; word < o->words; word++, byte += p->word_bytes) {
			uint64_t one = who[o->first_word + word];

			turn_to(s, &g, byte / page_bytes);
			count(s, s->words_by, one, WORDS);
			g.who |= one;
			all |= one;
		}
		count(s, s->objects_by, all, OBJECTS);
		place += o->bytes;
	}
	s->pages = (place + page_bytes - 1) / page_bytes;
	turn_to(s, &g, s->pages);
}

int
summary_make(struct summary *s, const struct program *p, uint32_t page_bytes, struct error *e)
{
	uint64_t *who = memory_table((size_t)p->nwords + 1, sizeof(*who));
	int	  failed;

	*s = (struct summary){ 0 };
	failed = who ? summarise_requests(s, p, e)
		     : error_set(e, "out of memory for %u words", p->nwords);
	if (!failed) {
		walk_all(s, p, who);
		add_all(s, p);
		count_sharing(s, p, who, page_bytes);
	}
	free(who);
	if (failed)
		summary_release(s);
	return failed;
}

void
summary_release(struct summary *s)
{
	free(s->run);
	free(s->size);
	*s = (struct summary){ 0 };
}
