/* advised.c - merge advice into a trace.  A pass over the accesses, none of them moves. */
#include <stdlib.h>
#include <string.h>

#include "sim/host/advise/advised.h"
#include "sim/trace/place_advice.h"

/* Call found() with each first read of an open file. */
static void
find_first_reads(struct advised *a, bool *seen)
{
	for (size_t i = 0; i < a->t->naccess; i++) {
		struct access *x = &a->access[i];

		if (x->write || (seen[x->open] && !x->fresh))
			continue;
		seen[x->open] = true;
		x->advised = true;
		a->at[a->n++] = i;
	}
}

int
advised_init(struct advised *a, const struct trace *t, struct error *e)
{
	bool *seen = calloc(t->nopen, sizeof(*seen));

	*a = (struct advised){ .t = t };
	a->access = malloc(t->naccess * sizeof(*a->access));
	a->at = malloc(t->naccess * sizeof(*a->at));
	if (!seen || !a->access || !a->at) {
		free(seen);
		return error_set(e, "out of memory for a copy of %zu calls", t->naccess);
	}
	memcpy(a->access, t->access, t->naccess * sizeof(*a->access));
	find_first_reads(a, seen);
	free(seen);
	return 0;
}

void
advised_release(struct advised *a)
{
	free(a->access);
	free(a->at);
}

/* The advice for the open file of that read; NULL: none. */
static const struct file_advice *
advice_for(const struct advised *a, const struct access *x, const struct file_advice *f,
    unsigned nfiles)
{
	file_t file = a->t->open[x->open].file;

	for (unsigned i = 0; i < nfiles; i++)
		if (f[i].file == file && f[i].kind != ADVICE_NORMAL)
			return &f[i];
	return NULL;
}

static size_t
count_pieces(const struct access *x, enum advice_kind kind, uint64_t piece)
{
	return kind == ADVICE_WILLNEED && x->file_size > piece
	    ? (size_t)((x->file_size + piece - 1) / piece)
	    : 1;
}

static struct advice *
put_advice(struct advice *to, const struct advised *a, size_t before, enum advice_kind kind,
    uint64_t piece)
{
	const struct access *x = &a->access[before];
	size_t		     n = count_pieces(x, kind, piece);

	for (size_t k = 0; k < n; k++)
		*to++ = (struct advice){ .before = before,
			.offset = k * piece,
			.length = n > 1 ? piece : 0,
			.file_size = x->file_size,
			.open = x->open,
			.kind = kind & ADVICE_KIND_MASK,
			.own = true };
	return to;
}

int
advised_make(const struct advised *a, const struct file_advice *f, unsigned nfiles, uint64_t piece,
    struct trace *out, struct error *e)
{
	const struct advice	 *own = a->t->advice;
	const struct file_advice *given;
	struct advice		 *to, *all;
	size_t			  n = a->t->nadvice, taken = 0;

	for (size_t i = 0; i < a->n; i++)
		if ((given = advice_for(a, &a->access[a->at[i]], f, nfiles)))
			n += count_pieces(&a->access[a->at[i]], given->kind, piece);
	all = to = malloc((n + 1) * sizeof(*all));
	if (!all)
		return error_set(e, "out of memory for %zu pieces of advice", n);
	for (size_t i = 0; i < a->n; i++) {
		given = advice_for(a, &a->access[a->at[i]], f, nfiles);
		while (given && taken < a->t->nadvice && own[taken].before < a->at[i])
			*to++ = own[taken++];
		if (given)
			to = put_advice(to, a, a->at[i], given->kind, piece);
	}
	while (taken < a->t->nadvice)
		*to++ = own[taken++];
	if (advice_freshen(all, n, a->access, a->t->naccess, a->t->nopen)) {
		free(all);
		return error_set(e, "out of memory for %u open files", a->t->nopen);
	}
	*out = *a->t;
	out->mapping = NULL; /* the copy is in memory */
	out->access = a->access;
	out->advice = all;
	out->nadvice = n;
	return 0;
}

void
advised_settle(struct advised *a, const struct trace *t)
{
	for (size_t i = 0; i < a->n; i++)
		a->access[a->at[i]].advised = false;
	for (size_t k = 0; k < t->nadvice; k++)
		a->access[t->advice[k].before].advised = true;
}
