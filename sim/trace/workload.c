/*
 * workload.c - workloads by rule.
 *
 * A shape is a function of the number of the call, so no state is needed;
 * random is a hash of that number.  Calls are cut at the end of the file, and
 * calls beyond it are left out, because a trace holds the bytes that were
 * moved.
 */
#include <string.h>

#include "sim/base/nearest.h"
#include "sim/trace/format.h"
#include "sim/trace/load.h"
#include "sim/trace/workload.h"

enum { P = 4096, PID = 1, SECOND_US = 1000000 };

/* ---- shapes ---- */

/* From start, by step. */
static void
walk(const struct workload *p, uint32_t i, struct record *r)
{
	r->offset = p->start + (uint64_t)(p->step * i);
}

/* The first n bytes of the file, then a walk. */
static void
header(const struct workload *p, uint32_t i, struct record *r)
{
	if (i)
		walk(p, i - 1, r);
	else
		r->length = (uint64_t)p->n;
}

/* Before the walk, another descriptor reads m pages from page n on in one call. */
static void
cached(const struct workload *p, uint32_t i, struct record *r)
{
	if (i) {
		walk(p, i - 1, r);
		return;
	}
	r->fd++;
	r->offset = (uint64_t)p->n * P;
	r->length = (uint64_t)p->m * P;
}

/* n walks in turn, m bytes apart. */
static void
streams(const struct workload *p, uint32_t i, struct record *r)
{
	uint32_t n = (uint32_t)p->n;

	walk(p, i / n, r);
	r->offset += (uint64_t)p->m * (i % n);
}

/* The same, each walk through its own descriptor. */
static void
descriptors(const struct workload *p, uint32_t i, struct record *r)
{
	streams(p, i, r);
	r->fd += i % (uint32_t)p->n;
}

/* A number below n for every i: the finalizer of SplitMix64 (Steele et al., OOPSLA 2014). */
static uint64_t
scattered(uint64_t i, uint64_t n)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) % n;
}

/* Any multiple of step; without a length, 1 to n bytes. */
static void
anywhere(const struct workload *p, uint32_t i, struct record *r)
{
	uint64_t step = (uint64_t)p->step;

	r->offset = scattered(i, p->file_bytes / step) * step;
	if (!p->length)
		r->length = 1 + scattered(~(uint64_t)i, (uint64_t)p->n);
}

/* n calls in a row from any multiple of step. */
static void
runs(const struct workload *p, uint32_t i, struct record *r)
{
	uint32_t n = (uint32_t)p->n;

	anywhere(p, i / n, r);
	r->offset += (uint64_t)p->length * (i % n);
}

/* Through the file and again from its beginning. */
static void
passes(const struct workload *p, uint32_t i, struct record *r)
{
	r->offset = (uint64_t)p->step * i % p->file_bytes;
}

/* A walk that leaps by m bytes more after every n calls. */
static void
leap(const struct workload *p, uint32_t i, struct record *r)
{
	walk(p, i, r);
	r->offset += (uint64_t)(p->m * (i / (uint32_t)p->n));
}

/* Each call twice as long as the one before, where that one ended. */
static void
doubling(const struct workload *p, uint32_t i, struct record *r)
{
	r->length = (uint64_t)p->length << i;
	r->offset = p->start + r->length - p->length;
}

const struct workload workloads[] = {
#define WORKLOAD(name, group, shape, file, start, step, length, calls, n, m, summary)              \
	{ name, group, summary, shape, file, start, step, length, calls, n, m },
#include "sim/trace/workloads.def"
#undef WORKLOAD
	{ 0 },
};

/* ---- names ---- */

static bool
is_word(const char *word, size_t n, const char *name)
{
	return strlen(name) == n && !memcmp(word, name, n);
}

static bool
word_selects(const char *word, size_t n, const struct workload *p)
{
	return is_word(word, n, "all") || is_word(word, n, p->group) || is_word(word, n, p->name);
}

bool
workload_selected(const struct workload *p, const char *names)
{
	for (const char *word = names;; word++) {
		size_t n = strcspn(word, ",");

		if (word_selects(word, n, p))
			return true;
		word += n;
		if (!*word)
			return false;
	}
}

static int
check_word(const char *word, struct error *e)
{
	struct nearest near = nearest_to(word);

	nearest_offer(&near, "all");
	for (const struct workload *p = workloads; p->name; p++) {
		if (word_selects(word, strlen(word), p))
			return 0;
		nearest_offer(&near, p->group);
		nearest_offer(&near, p->name);
	}
	return nearest_error(&near, "workload", "see: bufsim list workloads", e);
}

int
workload_check(const char *names, struct error *e)
{
	enum { WORD_ROOM = 64 };
	char word[WORD_ROOM];

	for (;; names++) {
		size_t n = strcspn(names, ","), kept = n < WORD_ROOM - 1 ? n : WORD_ROOM - 1;

		memcpy(word, names, kept);
		word[kept] = '\0';
		if (check_word(word, e))
			return -1;
		names += n;
		if (!*names)
			return 0;
	}
}

/* ---- a trace of them ---- */

struct walker {
	const struct workload *p;
	uint32_t	       next;
};

static int
read_next(void *self, struct input *in, struct record *r, struct error *e)
{
	struct walker	      *w = self;
	const struct workload *p = w->p;
	uint64_t	       left;

	if (w->next == p->calls)
		return 0;
	*r = (struct record){
		.time = (usec_t)w->next * SECOND_US,
		.pid = PID,
		.op = OP_READ,
		.inode = 1,
		.file_size = p->file_bytes,
		.length = p->length,
	};
	p->shape(p, w->next++, r);
	left = r->offset < p->file_bytes ? p->file_bytes - r->offset : 0;
	if (r->length > left)
		r->length = left;
	if (!left)
		r->offset = 0;
	return 1;
}

int
workload_load(struct trace *t, const struct workload *p, uint32_t block_bytes, struct error *e)
{
	const struct trace_options options = { .block_bytes = block_bytes };
	struct walker		   w = { .p = p };

	return trace_make(t, p->name, &options, read_next, &w, e);
}
