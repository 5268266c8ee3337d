/*
 * miniature.c - copy the calls of a sample, without the blocks between.
 *
 * Cost: a test of a bit for each reference; 32 bytes for each call that is left.
 */
#include <stdlib.h>

#include "sim/analysis/miniature.h"

enum { WORD = 64, WHOLE = SAMPLE_PARTS };

/* Where the calls come from; t is the miniature of the whole sample if a part is wanted. */
struct original {
	const struct trace  *t;
	const struct sample *s;
	unsigned	     part; /* or WHOLE */
};

struct making {
	struct original from;
	struct access  *access;
	size_t		n, room;
	uint64_t	references; /* of the source */
	uint32_t	longest;    /* call, in bytes */
};

/* How many of these blocks are chosen, and the number in the miniature of the first that is. */
static uint32_t
count_sampled(const struct sample *s, block_t first, uint32_t count, block_t *number)
{
	uint64_t end = (uint64_t)first + count;
	uint32_t n = 0;

	for (uint64_t w = first / WORD; w * WORD < end; w++) {
		uint64_t bits = sample_word(s, w, first, end);

		if (bits && !n)
			*number =
			    sample_find(s, (block_t)(w * WORD) + (block_t)__builtin_ctzll(bits)) +
			    1;
		n += (uint32_t)__builtin_popcountll(bits);
	}
	return n;
}

static uint32_t
count_in_part(const struct original *from, block_t first, uint32_t count, block_t *number)
{
	const struct sample_place *p = &from->s->place[first - 1];
	uint32_t		   n = 0;

	for (; count; count--, p++)
		if (p->part == from->part && !n++)
			*number = p->number;
	return n;
}

static uint32_t
count_chosen(const struct original *from, block_t first, uint32_t count, block_t *number)
{
	return from->part == WHOLE ? count_sampled(from->s, first, count, number)
				   : count_in_part(from, first, count, number);
}

/* The files with the chosen blocks alone; NULL: out of memory. */
static struct file *
copy_files(const struct original *from)
{
	const struct trace *t = from->t;
	struct file	   *copy = malloc(t->nfiles * sizeof(*copy));
	block_t		    base = 1, number;

	for (file_t f = 0; copy && f < t->nfiles; f++) {
		copy[f] = t->file[f];
		copy[f].base = base;
		copy[f].nblocks = count_chosen(from, t->file[f].base, t->file[f].nblocks, &number);
		copy[f].bytes = (uint64_t)copy[f].nblocks << t->block_shift;
		base += copy[f].nblocks;
	}
	return copy;
}

static bool
make_room(struct making *m)
{
	size_t	       wanted = m->room ? 2 * m->room : 1024;
	struct access *more;

	if (m->n < m->room)
		return true;
	more = realloc(m->access, wanted * sizeof(*more));
	if (!more)
		return false;
	m->access = more;
	m->room = wanted;
	return true;
}

/*
 * A call for blocks of which n are chosen; index: of the first of these in its file.  From the last
 * byte of the first block to the first byte of the last: n whole blocks may be too long for a call.
 */
static bool
copy_call(struct making *m, const struct access *a, uint32_t index, uint32_t n, uint64_t file_size)
{
	unsigned       shift = m->from.t->block_shift;
	uint64_t       offset = (uint64_t)index << shift;
	uint32_t       length = n > 1 ? ((n - 2) << shift) + 2 : 1;
	struct access *copy;

	if (!make_room(m))
		return false;
	copy = &m->access[m->n++];
	*copy = *a;
	copy->advised = 0;
	copy->offset = n > 1 ? offset + m->from.t->block_bytes - 1 : offset;
	copy->length = length & INT32_MAX;
	copy->file_size = file_size;
	m->longest = length > m->longest ? length : m->longest;
	return true;
}

static int
copy_calls(struct making *m, const struct file *file, struct error *e)
{
	const struct trace *t = m->from.t;

	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		const struct file   *f;
		uint32_t	     count, n;
		block_t		     number;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		f = &file[t->open[a->open].file];
		count = access_count(t, a);
		m->references += count;
		n = count_chosen(&m->from, access_block(t, a), count, &number);
		if (n && !copy_call(m, a, number - f->base, n, f->bytes))
			return error_set(e, "out of memory for a sample of the references");
	}
	return trace_unchanged(t, e);
}

static int
make(struct trace *to, struct making *m, uint32_t nblocks, struct error *e)
{
	const struct trace *t = m->from.t;
	struct file	   *file = copy_files(&m->from);

	*to = *t;
	to->mapping = NULL;
	to->advice = NULL;
	to->step = NULL;
	to->nadvice = to->nsteps = 0;
	to->access = NULL;
	to->file = file;
	if (!file)
		return error_set(e, "out of memory for a sample of %u files", t->nfiles);
	if (copy_calls(m, file, e)) {
		free(m->access);
		miniature_release(to);
		return -1;
	}
	to->access = m->access;
	to->naccess = m->n;
	to->longest_bytes = m->longest;
	to->footprint = nblocks;
	to->nblocks = nblocks + 1;
	return 0;
}

int
miniature_init(struct trace *m, const struct trace *t, const struct sample *s, uint64_t *references,
    struct error *e)
{
	struct making making = { .from = { t, s, WHOLE } };
	int	      failed = make(m, &making, s->n, e);

	*references = making.references;
	return failed;
}

int
miniature_part(struct trace *m, const struct trace *whole, const struct sample *s, unsigned part,
    struct error *e)
{
	struct making making = { .from = { whole, s, part } };

	return make(m, &making, s->nparts[part], e);
}

void
miniature_release(struct trace *m)
{
	free((void *)(uintptr_t)m->access);
	free(m->file);
	m->access = NULL;
	m->file = NULL;
}
