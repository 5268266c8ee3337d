/* detect.c - close, remember and find runs. */
#include <stdlib.h>
#include <string.h>

#include "prefetch/detect.h"

const char *const reentry_words[] = { "exact", "anywhere" };

int
detector_init(struct detector *d, file_t nfiles, struct error *e)
{
	d->ntables = (uint32_t)(d->files < nfiles ? d->files : nfiles);
	d->open = calloc((size_t)nfiles + 1, sizeof(*d->open));
	d->table = calloc((size_t)d->ntables + 1, sizeof(*d->table));
	d->known = calloc(((size_t)d->ntables + 1) * d->runs, sizeof(*d->known));
	if (d->open && d->table && d->known)
		return 0;
	return error_set(e, "out of memory for the runs of %u files", nfiles);
}

void
detector_release(struct detector *d)
{
	free(d->open);
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
static struct known_run *
known_runs(struct detector *d, file_t file)
{
	struct open_run *run = &d->open[file];
	uint32_t	 t;

	if (!run->table) {
		t = d->next++ % d->ntables;
		if (d->used < d->ntables) {
			d->used++;
		} else {
			struct open_run *loser = &d->open[d->table[t].file];

			loser->table = 0;
			loser->loop = NULL;
			d->forgotten += d->table[t].n;
		}
		d->table[t] = (struct run_table){ .file = file };
		run->table = t + 1;
	}
	return &d->known[(run->table - 1) * d->runs];
}

/* Make room in a full table: remove the run that was not repeated for longest. */
static void
forget_oldest(struct detector *d, struct known_run *known, uint32_t *n)
{
	uint64_t least = known[0].seen; /* kept beside its place: nothing to load in the chain */
	uint32_t oldest = 0;

	for (uint32_t i = 1; i < *n; i++) {
		oldest = known[i].seen < least ? i : oldest;
		least = known[i].seen < least ? known[i].seen : least;
	}
	memmove(&known[oldest], &known[oldest + 1], (--*n - oldest) * sizeof(*known));
	d->forgotten++;
}

static void
remember(struct detector *d, file_t file, const struct open_run *run)
{
	struct known_run *known = known_runs(d, file);
	uint32_t	 *n = &d->table[d->open[file].table - 1].n, at;

	if (*n == d->runs)
		forget_oldest(d, known, n);
	at = rank(known, *n, run->start);
	assert(!at || known[at - 1].start != run->start); /* it would have been a loop */
	memmove(&known[at + 1], &known[at], (*n - at) * sizeof(*known));
	++*n;
	known[at] = (struct known_run){ run->start, run->end, run->began, 0 };
}

static void
close_run(struct detector *d, file_t file)
{
	struct open_run *run = &d->open[file];

	if (run->length < d->threshold)
		return;
	if (run->loop)
		run->loop->end = run->end;
	else
		remember(d, file, run);
}

/* The known run that starts at the block; with reentry=anywhere, the last one that contains it. */
static struct known_run *
find(const struct detector *d, const struct open_run *run, uint32_t block)
{
	struct known_run *known;
	uint32_t	  at;

	if (!run->table)
		return NULL;
	known = &d->known[(run->table - 1) * d->runs];
	at = rank(known, d->table[run->table - 1].n, block);
	if (d->reentry == REENTRY_EXACT)
		return at && known[at - 1].start == block ? &known[at - 1] : NULL;
	while (at && known[at - 1].end < block) /* runs may overlap */
		at--;
	return at ? &known[at - 1] : NULL;
}

static void
repeat(struct detector *d, struct known_run *loop)
{
	uint64_t since = d->now - loop->seen;
	double	 p = (double)since, a = (double)d->alpha / SHARE_ONE;

	d->loops += loop->period == 0;
	d->repetitions++;
	d->periods += since;
	loop->period = loop->period == 0 ? p : a * p + (1 - a) * loop->period;
	loop->seen = d->now;
}

void
detector_jump(struct detector *d, file_t file, uint32_t block)
{
	struct open_run *run = &d->open[file];

	close_run(d, file);
	run->start = run->end = block;
	run->length = 1;
	run->began = d->now;
	run->loop = find(d, run, block);
	if (run->loop)
		repeat(d, run->loop);
}
