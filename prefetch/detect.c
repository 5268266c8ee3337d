/* detect.c - close, remember and find runs. */
#include <stdlib.h>
#include <string.h>

#include "prefetch/detect.h"

const char *const reentry_words[] = { "exact", "anywhere" };

int
detector_init(struct detector *d, uint32_t nopen, file_t nfiles, struct error *e)
{
	d->ntables = (uint32_t)(d->files < nfiles ? d->files : nfiles);
	d->open = calloc((size_t)nopen + 1, sizeof(*d->open));
	d->table_of = calloc((size_t)nfiles + 1, sizeof(*d->table_of));
	d->table = calloc((size_t)d->ntables + 1, sizeof(*d->table));
	d->known = calloc(((size_t)d->ntables + 1) * d->runs, sizeof(*d->known));
	if (d->open && d->table_of && d->table && d->known)
		return 0;
	return error_set(e, "out of memory for the runs of %u open files", nopen);
}

void
detector_release(struct detector *d)
{
	free(d->open);
	free(d->table_of);
	free(d->table);
	free(d->known);
}

/* How many of the n known runs start at or before the block. */
static uint32_t
rank(const struct known_run *known, uint32_t n, uint32_t block)
{
	uint32_t first = 0;

	while (first < n) {
		uint32_t middle = first + (n - first) / 2;

		if (known[middle].start <= block)
			first = middle + 1;
		else
			n = middle;
	}
	return first;
}

/* The file's table; a file without one gets a new one or the oldest one of another file. */
static uint32_t
table_of(struct detector *d, file_t file)
{
	uint32_t t;

	if (d->table_of[file])
		return d->table_of[file] - 1;
	t = d->next++ % d->ntables;
	if (d->used < d->ntables) {
		d->used++;
	} else {
		d->table_of[d->table[t].file] = 0;
		d->forgotten += d->table[t].n;
	}
	ASSERT(!d->table_of[file]);
	d->table[t] = (struct run_table){ .file = file };
	d->table_of[file] = t + 1;
	return t;
}

/* Make room in a full table: remove the run that was not repeated for longest. */
static void
forget_oldest(struct detector *d, struct known_run *known, uint32_t *n)
{
	uint64_t least = known[0].seen; /* kept beside its place: nothing to load in the chain */
	uint32_t oldest = 0;

	ASSERT(*n == d->runs);
	for (uint32_t i = 1; i < *n; i++) {
		oldest = known[i].seen < least ? i : oldest;
		least = known[i].seen < least ? known[i].seen : least;
	}
	memmove(&known[oldest], &known[oldest + 1], (--*n - oldest) * sizeof(*known));
	d->forgotten++;
}

/* The run of the table that starts at the block, or NULL. */
static struct known_run *
known_at(const struct detector *d, uint32_t t, uint32_t start)
{
	struct known_run *known = &d->known[t * d->runs];
	uint32_t	  at = rank(known, d->table[t].n, start);

	return at && known[at - 1].start == start ? &known[at - 1] : NULL;
}

struct known_run *
detector_remember(struct detector *d, uint32_t open, file_t file)
{
	const struct open_run *run = &d->open[open];
	uint32_t	       start = run->repeats ? run->loop.start : run->start;
	uint32_t	       t = table_of(d, file), *n = &d->table[t].n, at;
	struct known_run      *known = known_at(d, t, start);

	if (known)
		return known;
	known = &d->known[t * d->runs];
	if (*n == d->runs)
		forget_oldest(d, known, n);
	at = rank(known, *n, start);
	memmove(&known[at + 1], &known[at], (*n - at) * sizeof(*known));
	ASSERT(*n < d->runs && (!at || known[at - 1].start < start)); /* by their starts */
	++*n;
	known[at] = (struct known_run){ start, run->end, open, run->began, 0 };
	return &known[at];
}

/* A known run ends where the run that last began there ends. */
static void
close_run(struct detector *d, uint32_t open, file_t file)
{
	const struct open_run *run = &d->open[open];
	struct known_run      *known;

	if (run->length < d->threshold)
		return;
	known = detector_remember(d, open, file); /* it may have been forgotten since */
	if (known->seen == run->began)
		known->end = run->end;
}

/* The end of a known run, or of the run that last began there if that has come further. */
static uint32_t
end_of(const struct detector *d, const struct known_run *known)
{
	const struct open_run *run = &d->open[known->open];

	return run->began == known->seen && run->length >= d->threshold && run->end > known->end
	    ? run->end
	    : known->end;
}

/* The known run that starts at the block; with reentry=anywhere, the last one that contains it. */
static struct known_run *
find(const struct detector *d, file_t file, uint32_t block)
{
	struct known_run *known;
	uint32_t	  t = d->table_of[file], at;

	if (!t)
		return NULL;
	if (d->reentry == REENTRY_EXACT)
		return known_at(d, t - 1, block);
	known = &d->known[(t - 1) * d->runs];
	at = rank(known, d->table[t - 1].n, block);
	while (at && end_of(d, &known[at - 1]) < block) /* runs may overlap */
		at--;
	return at ? &known[at - 1] : NULL;
}

static void
repeat(struct detector *d, uint32_t open, struct known_run *loop)
{
	uint64_t since = d->now - loop->seen;
	double	 p = (double)since, a = (double)d->alpha / SHARE_ONE;

	ASSERT(loop->seen <= d->now && loop->period >= 0);
	d->loops += loop->period == 0;
	d->repetitions++;
	d->periods += since;
	loop->period = loop->period == 0 ? p : a * p + (1 - a) * loop->period;
	loop->end = end_of(d, loop);
	loop->seen = d->now;
	loop->open = open;
}

void
detector_jump(struct detector *d, uint32_t open, file_t file, uint32_t block)
{
	struct open_run	 *run = &d->open[open];
	struct known_run *loop;

	close_run(d, open, file);
	*run = (struct open_run){ .start = block, .end = block, .length = 1, .began = d->now };
	loop = find(d, file, block);
	run->repeats = loop != NULL;
	if (!loop)
		return;
	repeat(d, open, loop);
	run->loop = *loop;
}
