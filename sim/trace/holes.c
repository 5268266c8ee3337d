/* holes.c - pieces of volumes get new numbers, those without calls none. */
#include <stdlib.h>

#include "sim/trace/format.h"
#include "sim/trace/holes.h"

/* Its pieces begin at first[file]; piece[] is 1 if used, then the number within its volume. */
struct pieces {
	uint32_t *piece;
	size_t	 *first; /* [nfiles + 1] */
};

static uint64_t
all_bytes(const struct trace *t)
{
	uint64_t bytes = 0;

	for (file_t f = 0; f < t->nfiles; f++)
		bytes += t->file[f].bytes;
	return bytes;
}

static int
make_pieces(struct pieces *p, const struct trace *t, struct error *e)
{
	size_t n = 0;

	p->first = calloc((size_t)t->nfiles + 1, sizeof(*p->first));
	for (file_t f = 0; p->first && f < t->nfiles; f++) {
		p->first[f] = n;
		n += (size_t)(t->file[f].bytes >> HOLES_PIECE_SHIFT) + 1;
	}
	p->piece = calloc(n, sizeof(*p->piece));
	if (!p->first || !p->piece)
		return error_no_memory(e);
	p->first[t->nfiles] = n;
	return 0;
}

/* The piece of the byte at an offset in the file of an access. */
static uint32_t *
piece_of(const struct pieces *p, const struct trace *t, const struct access *a, uint64_t offset)
{
	return &p->piece[p->first[t->open[a->open].file] + (offset >> HOLES_PIECE_SHIFT)];
}

static void
mark_used(const struct pieces *p, const struct trace *t, const struct store *s)
{
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &s->access[i];
		uint32_t	    *last = piece_of(p, t, a, a->offset + a->length - 1);

		store_pass(s, i);
		for (uint32_t *used = piece_of(p, t, a, a->offset); used <= last; used++)
			*used = 1;
	}
}

/* Files shrink to what is used of them. */
static void
number_pieces(const struct pieces *p, struct trace *t)
{
	const uint64_t piece_bytes = UINT64_C(1) << HOLES_PIECE_SHIFT;

	for (file_t f = 0; f < t->nfiles; f++) {
		uint64_t bytes = t->file[f].bytes, kept = 0;
		uint32_t used = 0;

		for (size_t k = p->first[f]; k < p->first[f + 1]; k++) {
			uint64_t at = (uint64_t)(k - p->first[f]) << HOLES_PIECE_SHIFT;

			if (!p->piece[k])
				continue;
			p->piece[k] = used++;
			kept += bytes - at < piece_bytes ? bytes - at : piece_bytes;
		}
		t->file[f].bytes = kept;
	}
}

static void
move_calls(const struct pieces *p, struct trace *t, const struct store *s)
{
	const uint64_t within = (UINT64_C(1) << HOLES_PIECE_SHIFT) - 1;

	for (size_t i = 0; i < t->naccess; i++) {
		struct access *a = &s->access[i];

		store_pass(s, i);
		a->offset = (uint64_t)*piece_of(p, t, a, a->offset) << HOLES_PIECE_SHIFT |
		    (a->offset & within);
		a->file_size = SIZE_UNKNOWN;
	}
}

int
holes_cut(struct trace *t, const struct store *s, struct error *e)
{
	struct pieces p = { 0 };
	int	      status = 0;

	if (all_bytes(t) + t->nfiles * (uint64_t)4096 < HOLES_FROM_BYTES)
		return 0;
	status = make_pieces(&p, t, e);
	if (!status) {
		mark_used(&p, t, s);
		number_pieces(&p, t);
		move_calls(&p, t, s);
		status = 1;
	}
	free(p.first);
	free(p.piece);
	return status;
}
