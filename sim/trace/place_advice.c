/* place_advice.c - sort advice among the accesses.  A few passes; none without advice. */
#include <stdlib.h>

#include "sim/trace/place_advice.h"

int
sort_keys_compare(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

size_t
sort_keys_place(const struct sort_key *at, const struct access *access, size_t n,
    const struct sort_key *key)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t		middle = low + (high - low) / 2;
		struct sort_key here = { access[middle].time, middle };

		if (sort_keys_compare(key ? &key[middle] : &here, at) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
advice_place(struct hint *hint, size_t nhints, const struct access *access, size_t n,
    const struct sort_key *key)
{
	for (uint32_t k = 0; k < nhints; k++) {
		hint[k].at.index = sort_keys_place(&hint[k].at, access, n, key);
		hint[k].place = k;
	}
}

static int
compare_times(const void *a, const void *b)
{
	const struct hint *x = a, *y = b;
	int		   order = sort_keys_compare(&x->at, &y->at);

	return order ? order : x->place < y->place ? -1 : x->place > y->place;
}

static int
compare_accesses(const void *a, const void *b)
{
	const struct hint *x = a, *y = b;

	if (x->advice.before != y->advice.before)
		return x->advice.before < y->advice.before ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Find, from the end, what follows each advice.  next: [nprocesses + 1], read: [nopen], zeroed. */
static void
find_accesses(struct hint *hint, size_t nhints, const struct trace *t, const struct access *access,
    size_t *next, bool *read)
{
	size_t j = nhints;

	for (size_t i = t->naccess;; i--) {
		for (; j && hint[j - 1].at.index == i; j--) {
			struct hint *h = &hint[j - 1];
			size_t	     own = h->process ? next[h->process] : 0;

			h->advice.before = own ? own - 1 : i;
			h->place = j;
			h->advice.own = h->advice.own && read[h->advice.open];
		}
		if (!i)
			return;
		next[t->open[access[i - 1].open].process + 1] = i;
		read[access[i - 1].open] |= !access[i - 1].write;
	}
}

static bool
is_expectation(uint32_t kind)
{
	return kind != ADVICE_WILLNEED && kind != ADVICE_DONTNEED;
}

/* first_open: [nfiles]. */
static void
find_first_opens(const struct trace *t, const struct access *access, uint32_t *first_open)
{
	for (size_t i = t->naccess; i--;)
		first_open[t->open[access[i].open].file] = access[i].open;
}

static void
keep(const struct hint *hint, size_t nhints, struct trace *t, struct access *access,
    const uint32_t *first_open, struct advice *out)
{
	for (uint32_t k = 0; k < nhints; k++) {
		const struct hint *h = &hint[k];

		if (h->advice.before >= t->naccess || !h->file ||
		    (!h->advice.own && is_expectation(h->advice.kind)))
			continue;
		access[h->advice.before].advised = true;
		*out = h->advice;
		if (!h->advice.own)
			out->open = first_open[h->file - 1];
		out++;
		t->nadvice++;
	}
}

int
advice_settle(struct hint *hint, size_t nhints, struct trace *t, struct access *access,
    struct advice **out)
{
	uint32_t *first_open = calloc(t->nfiles, sizeof(*first_open));
	size_t	 *next = calloc((size_t)t->nprocesses + 1, sizeof(*next));
	bool	 *read = calloc(t->nopen, sizeof(*read)), enough;

	*out = calloc(nhints, sizeof(**out));
	enough = first_open && next && read && *out;
	if (enough) {
		qsort(hint, nhints, sizeof(*hint), compare_times);
		find_accesses(hint, nhints, t, access, next, read);
		qsort(hint, nhints, sizeof(*hint), compare_accesses);
		find_first_opens(t, access, first_open);
		keep(hint, nhints, t, access, first_open, *out);
	}
	free(first_open);
	free(next);
	free(read);
	return enough ? 0 : -1;
}

/* The state of an open file in a pass from the end. */
struct behind {
	struct advice *first; /* first advice after the read before, or NULL */
	bool	       fresh; /* the next read is fresh */
};

static void
freshen(struct behind *b)
{
	if (b->first)
		b->first->fresh = b->fresh;
	b->first = NULL;
}

int
advice_freshen(struct advice *advice, size_t nadvice, const struct access *access, size_t n,
    uint32_t nopen)
{
	struct behind *behind = calloc(nopen, sizeof(*behind));
	struct advice *a = advice + nadvice;

	if (!behind)
		return -1;
	for (size_t i = n; i--;) {
		struct behind *b = &behind[access[i].open];

		if (!access[i].write) {
			freshen(b);
			b->fresh = access[i].fresh;
		}
		while (a > advice && a[-1].before == i) {
			a--;
			if (a->own)
				behind[a->open].first = a;
		}
	}
	for (uint32_t i = 0; i < nopen; i++)
		freshen(&behind[i]);
	free(behind);
	return 0;
}
