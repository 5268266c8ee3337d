/*
 * miniature.c - copy the calls of a sample, without the blocks between.
 *
 * The number of a block in a miniature is that of the blocks of it before,
 * plus the share r of the blocks before it that are never used.
 *
 * Cost: a test of a bit for each reference; 64 bytes for each call that is left,
 * as it is in the sample and in one or more of the parts.
 */
#include <stdlib.h>

#include "sim/analysis/miniature.h"

enum { WORD = 64 };

/* One that is being made: the sample, or a part of it. */
struct making {
	struct trace  *m;
	struct access *access;
	struct file   *file;
	size_t	       n, room;
	uint32_t       longest; /* call, in bytes */
	double	       rate;

	/* Of the current call: its blocks that are chosen, and the number of the first. */
	uint32_t count;
	block_t	 first;
};

/* Some way through the blocks. */
struct walk {
	block_t	 at;		     /* the next one */
	uint32_t used;		     /* before it */
	uint32_t chosen;	     /* before it */
	uint32_t part[SAMPLE_PARTS]; /* of these, in each part */
};

static block_t
number_of(const struct making *k, uint32_t chosen_before, uint32_t unused_before)
{
	return 1 + chosen_before + (block_t)(unused_before * k->rate);
}

/* ---- files ---- */

/* The bits of blocks first to end - 1 in a word. */
static uint64_t
bits_between(const uint64_t *bits, size_t word, uint64_t first, uint64_t end)
{
	uint64_t b = bits[word];

	if (first > word * WORD)
		b &= UINT64_MAX << first % WORD;
	if (end < (word + 1) * WORD)
		b &= (UINT64_C(1) << end % WORD) - 1;
	return b;
}

static void
walk_to(struct walk *w, const struct sample *s, block_t end)
{
	uint32_t n = w->chosen;

	for (size_t i = w->at / WORD; (uint64_t)i * WORD < end; i++) {
		uint64_t used = bits_between(s->used, i, w->at, end);

		w->used += (uint32_t)__builtin_popcountll(used);
		w->chosen += (uint32_t)__builtin_popcountll(used & s->chosen[i]);
	}
	for (; n < w->chosen; n++)
		w->part[s->place[n].part]++;
	w->at = end;
}

/* Where a file begins in each miniature: behind all blocks before it. */
static void
place_file(struct making making[MINIATURES], const struct walk *w, file_t f)
{
	for (unsigned i = 0; i < MINIATURES; i++) {
		struct making *k = &making[i];

		k->file[f].base = number_of(k, i ? w->part[i - 1] : w->chosen, w->at - 1 - w->used);
	}
}

static void
size_files(const struct making *k, file_t n, unsigned shift)
{
	for (file_t f = 0; f < n; f++) {
		block_t end = f + 1 < n ? k->file[f + 1].base : k->m->nblocks;

		k->file[f].nblocks = end - k->file[f].base;
		k->file[f].bytes = (uint64_t)k->file[f].nblocks << shift;
	}
}

static void
place_files(struct making making[MINIATURES], const struct trace *t, const struct sample *s)
{
	struct walk w = { .at = 1 };

	for (file_t f = 0; f < t->nfiles; f++) {
		walk_to(&w, s, t->file[f].base);
		place_file(making, &w, f);
	}
	walk_to(&w, s, t->nblocks);
	for (unsigned i = 0; i < MINIATURES; i++) {
		struct making *k = &making[i];

		k->m->nblocks = number_of(k, k->m->footprint, w.at - 1 - w.used);
		size_files(k, t->nfiles, t->block_shift);
	}
}

/* ---- calls ---- */

static bool
make_room(struct making *k)
{
	size_t	       wanted = k->room ? 2 * k->room : 1024;
	struct access *more;

	if (k->n < k->room)
		return true;
	more = realloc(k->access, wanted * sizeof(*more));
	if (!more)
		return false;
	k->access = more;
	k->room = wanted;
	return true;
}

/*
 * A call for the chosen blocks.  From the last byte of the first block to the first byte of the
 * last: so many whole blocks may be too long for a call.
 */
static bool
copy_call(struct making *k, const struct access *a, const struct trace *t)
{
	const struct file *f = &k->file[t->open[a->open].file];
	uint64_t	   offset = (uint64_t)(k->first - f->base) << t->block_shift;
	uint32_t	   length = k->count > 1 ? ((k->count - 2) << t->block_shift) + 2 : 1;
	struct access	  *copy;

	if (!make_room(k))
		return false;
	copy = &k->access[k->n++];
	*copy = *a;
	copy->advised = 0;
	copy->offset = k->count > 1 ? offset + t->block_bytes - 1 : offset;
	copy->length = length & INT32_MAX;
	copy->file_size = f->bytes;
	k->longest = length > k->longest ? length : k->longest;
	return true;
}

static void
count(struct making *k, uint32_t chosen_before, uint32_t unused_before)
{
	if (!k->count++)
		k->first = number_of(k, chosen_before, unused_before);
}

/* Count the chosen ones of these blocks for each miniature. */
static void
choose(struct making making[MINIATURES], const struct sample *s, block_t first, uint32_t n)
{
	uint64_t end = (uint64_t)first + n;

	for (size_t w = first / WORD; (uint64_t)w * WORD < end; w++) {
		uint64_t bits = bits_between(s->chosen, w, first, end);

		for (; bits; bits &= bits - 1) {
			block_t	 b = (block_t)(w * WORD) + (block_t)__builtin_ctzll(bits);
			uint32_t i = sample_find(s, b);
			const struct sample_place *p = &s->place[i];

			count(making, i, p->unused);
			count(&making[1 + p->part], p->number - 1, p->unused);
		}
	}
}

/* A call for the blocks that were counted; false: out of memory. */
static bool
copy_counted(struct making making[MINIATURES], const struct access *a, const struct trace *t)
{
	if (!making->count)
		return true;
	for (struct making *k = making; k < making + MINIATURES; k++) {
		if (k->count && !copy_call(k, a, t))
			return false;
		k->count = 0;
	}
	return true;
}

static int
copy_calls(struct making making[MINIATURES], const struct trace *t, const struct sample *s,
    uint64_t *references, struct error *e)
{
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		uint32_t	     n;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		n = access_count(t, a);
		*references += n;
		choose(making, s, access_block(t, a), n);
		if (!copy_counted(making, a, t))
			return error_set(e, "out of memory for a sample of the references");
	}
	return trace_unchanged(t, e);
}

/* ---- all of it ---- */

static bool
start(struct making *k, struct trace *m, const struct trace *t, const struct sample *s, uint32_t n)
{
	*m = *t;
	m->mapping = NULL;
	m->access = NULL;
	m->advice = NULL;
	m->step = NULL;
	m->naccess = m->nadvice = m->nsteps = 0;
	m->footprint = n;
	m->file = malloc(t->nfiles * sizeof(*m->file));
	*k = (struct making){ .m = m, .file = m->file, .rate = sample_rate(s, n) };
	for (file_t f = 0; m->file && f < t->nfiles; f++)
		m->file[f] = t->file[f];
	return m->file;
}

static void
finish(struct making *k)
{
	k->m->access = k->access;
	k->m->naccess = k->n;
	k->m->longest_bytes = k->longest;
}

int
miniatures_init(struct trace m[MINIATURES], const struct trace *t, const struct sample *s,
    uint64_t *references, struct error *e)
{
	struct making making[MINIATURES];
	bool	      enough = true;
	int	      failed;

	*references = 0;
	for (unsigned i = 0; i < MINIATURES; i++)
		enough &= start(&making[i], &m[i], t, s, i ? s->nparts[i - 1] : s->n);
	if (!enough)
		return error_set(e, "out of memory for a sample of %u files", t->nfiles);
	place_files(making, t, s);
	failed = copy_calls(making, t, s, references, e);
	for (unsigned i = 0; i < MINIATURES; i++)
		finish(&making[i]);
	return failed;
}

void
miniatures_release(struct trace m[MINIATURES])
{
	for (unsigned i = 0; i < MINIATURES; i++) {
		free((void *)(uintptr_t)m[i].access);
		free(m[i].file);
		m[i].access = NULL;
		m[i].file = NULL;
	}
}
