/* trace.c - a trace in memory: numbers, blocks, fingerprint, checks and release. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/checksum.h"
#include "sim/base/memory.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/trace/format.h"
#include "sim/trace/place_steps.h"
#include "sim/trace/trace.h"

enum { KEPT = 16 * TRACE_BATCH }; /* accesses of a mapped trace in memory */

/* ---- the last steps of making a trace ---- */

/* New numbers, in order of first use: [n] of each, 0: no number yet. */
struct numbering {
	uint32_t	 *open, *file, *process;
	bool		 *read; /* [nopen] */
	struct open_file *new_open;
	struct file	 *new_file;
	struct traced	 *new_process;
	uint32_t	  nopen, nfiles, nprocesses;
};

static uint32_t
number_open(struct numbering *n, const struct trace *t, uint32_t old)
{
	const struct open_file *f = &t->open[old];

	if (n->open[old])
		return n->open[old] - 1;
	if (!n->file[f->file]) {
		n->new_file[n->nfiles] = t->file[f->file];
		n->file[f->file] = ++n->nfiles;
	}
	if (!n->process[f->process]) {
		n->new_process[n->nprocesses] = t->process[f->process];
		n->process[f->process] = ++n->nprocesses;
	}
	n->new_open[n->nopen] =
	    (struct open_file){ n->file[f->file] - 1, n->process[f->process] - 1 };
	n->open[old] = ++n->nopen;
	return n->nopen - 1;
}

struct callless {
	uint32_t pid, process;
};

static int
compare_callless(const void *a, const void *b)
{
	const struct callless *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->process < y->process ? -1 : x->process > y->process;
}

/* Processes without calls are numbered behind the others.  False: out of memory. */
static bool
number_callless(struct numbering *n, const struct trace *t)
{
	uint32_t	 left = t->nprocesses - n->nprocesses, found = 0;
	struct callless *all = left ? calloc(left, sizeof(*all)) : NULL;

	if (!left || !all)
		return !left;
	for (uint32_t i = 0; i < t->nprocesses; i++)
		if (!n->process[i])
			all[found++] = (struct callless){ t->process[i].pid, i };
	qsort(all, left, sizeof(*all), compare_callless);
	for (uint32_t i = 0; i < left; i++) {
		n->new_process[n->nprocesses] = t->process[all[i].process];
		n->process[all[i].process] = ++n->nprocesses;
	}
	free(all);
	return true;
}

static bool
renumber_steps(const struct numbering *n, const struct trace *t, struct step *step)
{
	for (size_t k = 0; k < t->nsteps; k++) {
		struct step *s = &step[k];

		s->process = n->process[s->process] - 1;
		if (step_has_other(s))
			s->other = n->process[s->other] - 1;
	}
	return !t->nsteps || !steps_sort(step, t->nsteps, t->nprocesses);
}

int
trace_renumber(struct trace *t, struct access *access, struct advice *advice, struct step *step,
    struct error *e)
{
	struct numbering n = {
		.open = calloc(t->nopen, sizeof(*n.open)),
		.file = calloc(t->nfiles, sizeof(*n.file)),
		.process = calloc(t->nprocesses, sizeof(*n.process)),
		.read = calloc(t->nopen, sizeof(*n.read)),
		.new_open = malloc(t->nopen * sizeof(*n.new_open)),
		.new_file = malloc(t->nfiles * sizeof(*n.new_file)),
		.new_process = malloc(t->nprocesses * sizeof(*n.new_process)),
	};
	bool enough =
	    n.open && n.file && n.process && n.read && n.new_open && n.new_file && n.new_process;

	for (size_t i = 0; enough && i < t->naccess; i++) {
		struct access *a = &access[i];

		a->open = number_open(&n, t, a->open) & OPENS_MAX;
		a->fresh |= !a->write && !n.read[a->open];
		n.read[a->open] |= !a->write;
	}
	for (size_t i = 0; enough && i < t->nadvice; i++)
		advice[i].open = number_open(&n, t, advice[i].open);
	enough = enough && number_callless(&n, t) && renumber_steps(&n, t, step);
	free(n.open);
	free(n.file);
	free(n.process);
	free(n.read);
	free(enough ? t->open : n.new_open);
	free(enough ? t->file : n.new_file);
	free(enough ? (void *)t->process : n.new_process);
	if (!enough)
		return error_no_memory(e);
	t->open = n.new_open;
	t->nopen = n.nopen;
	t->file = n.new_file;
	t->nfiles = n.nfiles; /* a mapped trace may contain files that are never used */
	t->process = n.new_process;
	t->nprocesses = n.nprocesses;
	return 0;
}

const char *
trace_block_hint(char text[HINT_ROOM], uint32_t block_bytes, uint64_t n, uint64_t limit)
{
	char size[NUMBER_TEXT];

	for (; n > limit && block_bytes < TRACE_BLOCK_BYTES_MAX; n -= n / 2)
		block_bytes *= 2;
	if (n > limit)
		return "";
	snprintf(text, HINT_ROOM, "; with --block %s it can be simulated",
	    number_format(size, block_bytes, PARAM_BYTES));
	return text;
}

/* A table with one number for every block must fit in this machine. */
static int
check_footprint(const struct trace *t, uint64_t nblocks, struct error *e)
{
	uint64_t room = memory_bytes() / sizeof(block_t);
	uint64_t files = t->nfiles + UINT64_C(1); /* of each, a part of a block; and block 0 */
	char	 hint[HINT_ROOM];

	if (nblocks > TRACE_BLOCKS_MAX)
		return error_set(e,
		    "the files add up to %llu blocks of %u bytes, at most %llu "
		    "can be numbered%s",
		    (unsigned long long)nblocks, t->block_bytes,
		    (unsigned long long)TRACE_BLOCKS_MAX,
		    trace_block_hint(hint, t->block_bytes, nblocks, TRACE_BLOCKS_MAX - files));
	if (nblocks > room)
		return error_set(e,
		    "the files add up to %llu blocks of %u bytes, too many to "
		    "number in this machine's memory%s",
		    (unsigned long long)nblocks, t->block_bytes,
		    trace_block_hint(hint, t->block_bytes, nblocks,
			room > files ? room - files : 0));
	return 0;
}

int
trace_lay_out(struct trace *t, struct error *e)
{
	uint64_t base = 1;

	for (file_t f = 0; f < t->nfiles; f++) {
		uint64_t n = (t->file[f].bytes + t->block_bytes - 1) >> t->block_shift;

		t->file[f].base = (block_t)base; /* if it is too large, an error follows */
		t->file[f].nblocks = (uint32_t)n;
		base += n;
		if (base > TRACE_BLOCKS_MAX)
			return check_footprint(t, base, e);
	}
	t->nblocks = (block_t)base;
	return check_footprint(t, base, e);
}
/* A pass over the accesses of a mapped trace has come to i: those far behind need no memory. */
static void
drop_behind(const struct trace *t, size_t i)
{
	if (t->mapping && i >= KEPT && i % TRACE_BATCH == 0)
		memory_drop(&t->access[i - KEPT], TRACE_BATCH * sizeof(*t->access));
}

/* The checksum of the chunk sums, as a binary trace stores them. */
static void
add_accesses(struct trace *t)
{
	for (size_t i = 0; i < t->naccess; i += TRACE_BATCH) {
		size_t left = t->naccess - i, n = left < TRACE_BATCH ? left : TRACE_BATCH;

		drop_behind(t, i);
		t->fingerprint =
		    checksum_add(t->fingerprint, checksum(&t->access[i], n * sizeof(*t->access)));
	}
}

/* Processes, files, advice and steps. */
static void
add_tables(struct trace *t)
{
	for (file_t f = 0; f < t->nfiles; f++) {
		t->fingerprint = checksum_add(t->fingerprint, t->file[f].inode);
		t->fingerprint = checksum_add(t->fingerprint, t->file[f].bytes);
	}
	for (uint32_t i = 0; i < t->nopen; i++)
		t->fingerprint = checksum_add(t->fingerprint,
		    (uint64_t)t->open[i].file << 32 | t->open[i].process);
	if (t->nadvice)
		t->fingerprint = checksum_add(t->fingerprint,
		    checksum(t->advice, t->nadvice * sizeof(*t->advice)));
	if (t->nsteps)
		t->fingerprint =
		    checksum_add(t->fingerprint, checksum(t->step, t->nsteps * sizeof(*t->step)));
}

void
trace_take_fingerprint(struct trace *t)
{
	if (!t->fingerprint) /* else a binary trace has brought that of its chunks */
		add_accesses(t);
	add_tables(t);
}

/* ---- looking at one ---- */

static usec_t
scaled(usec_t time, double factor)
{
	return (usec_t)((double)time * factor + 0.5);
}

void
trace_scale(struct trace *t, double factor)
{
	/* Their memory is the trace's. */
	struct access *access = (struct access *)(uintptr_t)t->access;
	struct step   *step = (struct step *)(uintptr_t)t->step;

	for (size_t i = 0; i < t->naccess; i++)
		access[i].time = scaled(access[i].time, factor);
	for (size_t i = 0; i < t->nsteps; i++) {
		step[i].time = scaled(step[i].time, factor);
		step[i].until = scaled(step[i].until, factor);
	}
}

void
trace_add_note(struct trace *t, const char *note, uint64_t times)
{
	unsigned i = 0;

	while (i < TRACE_NOTES && t->note[i] && strcmp(t->note[i], note) != 0)
		i++;
	if (i == TRACE_NOTES)
		return;
	t->note[i] = note;
	t->noted[i] += times;
}

int
trace_write_note(struct trace *t, uint64_t times, struct error *e, const char *format, ...)
{
	char	 text[NOTE_ROOM];
	unsigned i = 0;
	va_list	 arg;

	va_start(arg, format);
	vsnprintf(text, sizeof(text), format, arg);
	va_end(arg);
	while (i < TRACE_NOTES && t->written[i])
		i++;
	if (i == TRACE_NOTES)
		return 0;
	t->written[i] = strdup(text);
	if (!t->written[i])
		return error_no_memory(e);
	trace_add_note(t, t->written[i], times);
	return 0;
}

const char *
trace_note(const struct trace *t, unsigned i, char text[NOTE_ROOM])
{
	char n[NUMBER_TEXT];

	snprintf(text, NOTE_ROOM, "%s%s%s", t->note[i], t->noted[i] ? ": " : "",
	    t->noted[i] ? number_group(n, t->noted[i]) : "");
	return text;
}

const char *
trace_path(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

void
trace_release(struct trace *t)
{
	if (t->mapping)
		t->mapping->unmap(t);
	free(t->name);
	free(t->path);
	free(t->names);
	free(t->texts);
	for (unsigned i = 0; i < TRACE_NOTES; i++)
		free(t->written[i]);
	free((void *)(uintptr_t)t->access);
	free((void *)(uintptr_t)t->advice);
	free((void *)(uintptr_t)t->step);
	free(t->open);
	free(t->file);
	free(t->process);
	free(t->program);
	free(t->program_of);
	*t = (struct trace){ 0 };
}

int
trace_check(const struct trace *t, size_t first, size_t n, struct error *e)
{
	size_t end = n > t->naccess - first ? t->naccess : first + n;

	ASSERT(first <= t->naccess);
	for (size_t i = first; i < end; i += TRACE_BATCH - i % TRACE_BATCH) {
		size_t here = TRACE_BATCH - i % TRACE_BATCH;

		progress_reach(i);
		if (t->mapping && t->mapping->check(t, i, here < end - i ? here : end - i, e))
			return error_prefix(e, "%s", trace_path(t->path));
		drop_behind(t, i);
	}
	return 0;
}

int
trace_unchanged(const struct trace *t, struct error *e)
{
	if (!t->mapping || !t->mapping->check(t, t->naccess, 0, e))
		return 0;
	return error_prefix(e, "%s", trace_path(t->path));
}

size_t
trace_advice(const struct trace *t, size_t i)
{
	size_t low = 0, high = t->nadvice;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->advice[middle].before < i)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static block_t
count_bits(const uint64_t *word, size_t nwords)
{
	block_t n = 0;

	for (size_t i = 0; i < nwords; i++)
		n += (block_t)__builtin_popcountll(word[i]);
	return n;
}

static int
touch_all(const struct trace *t, uint64_t *touched, struct error *e)
{
	for (size_t i = 0; i < t->naccess; i++) {
		block_t b;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		b = access_block(t, &t->access[i]);
		for (uint32_t left = access_count(t, &t->access[i]); left; left--, b++)
			touched[b / 64] |= UINT64_C(1) << b % 64;
	}
	return trace_unchanged(t, e);
}

uint64_t *
trace_touched(const struct trace *t, block_t *n, struct error *e)
{
	size_t	  nwords = t->nblocks / 64 + 1;
	uint64_t *touched = calloc(nwords, sizeof(*touched));

	if (!touched) {
		error_no_memory(e);
		return NULL;
	}
	if (touch_all(t, touched, e)) {
		free(touched);
		return NULL;
	}
	*n = count_bits(touched, nwords);
	return touched;
}

int
trace_footprint(struct trace *t, struct error *e)
{
	uint64_t *touched;

	if (t->footprint)
		return 0;
	touched = trace_touched(t, &t->footprint, e);
	free(touched);
	return touched ? 0 : -1;
}

uint64_t
trace_references(const struct trace *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->naccess; i++)
		n += access_count(t, &t->access[i]);
	return n;
}
