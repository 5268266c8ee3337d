/*
 * merge.c - put traces end to end, then their accesses in the order of time.
 *
 * Cost: as many comparisons for each access as there are traces; the memory of
 * the result, and as much again if the caller keeps the traces.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/checksum.h"
#include "sim/base/map.h"
#include "sim/base/memory.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/trace/beside.h"
#include "sim/trace/format.h"
#include "sim/trace/merge.h"

/* The progress of one of the traces. */
struct reel {
	const struct trace *t;
	size_t		    naccess, nadvice; /* numbers of those merged */
	uint32_t	    open, file;	      /* the new numbers of its first ones */
	uint32_t	    process;
	usec_t		    time;  /* of the next access; USEC_MAX: there is none */
	usec_t		    start; /* added to its times */
};

struct merger {
	struct trace  *t;
	struct reel   *reel;
	unsigned       n;
	bool	       consumes; /* accesses of the traces are given up once they are merged */
	usec_t	       longest;	 /* time to stretch all traces to; 0: no stretching */
	struct access *access;	 /* of the merged trace */
	struct advice *advice;
	size_t	       nadvice; /* merged so far */
	struct step   *step;
	struct map     inodes, pids; /* those in use; the number of a pid is its program, from 1 */
	file_t	      *file;	     /* the new numbers of all their files */
	bool	       shares;	     /* a file of the same name in several traces is one */
	struct names   names;
	struct map by_name, by_inode; /* number of the file, from 1; the inode if it has no name */
	unsigned  *last;	      /* of a file: the last trace that has it */
	uint64_t   shared;	      /* files found in another trace */
};

/* ---- tables ---- */

/* The texts of parts are borrowed until keep_texts(). */
static void
add_counts(struct trace *t, const struct trace *part)
{
	if (part->longest_bytes > t->longest_bytes)
		t->longest_bytes = part->longest_bytes;
	t->records += part->records;
	t->reads += part->reads;
	t->writes += part->writes;
	t->empty_calls += part->empty_calls;
	t->opens += part->opens;
	t->closes += part->closes;
	t->exits += part->exits;
	t->mmaps += part->mmaps;
	t->advices += part->advices;
	t->starts += part->starts;
	t->waits += part->waits;
	t->transfers += part->transfers;
	t->mmap_bytes += part->mmap_bytes;
	t->out_of_order += part->out_of_order;
	t->lacks |= part->lacks;
	if (part->stream_by)
		t->stream_by = part->stream_by;
	for (unsigned i = 0; i < TRACE_NOTES && part->note[i]; i++)
		trace_add_note(t, part->note[i], part->noted[i]);
}

static int
add_totals(struct merger *m, struct error *e)
{
	struct trace *t = m->t;
	uint64_t      nopen = 0, nfiles = 0, nprocesses = 0;

	for (struct reel *r = m->reel; r < m->reel + m->n; r++) {
		r->open = (uint32_t)nopen;
		r->file = (uint32_t)nfiles;
		r->process = (uint32_t)nprocesses;
		nopen += r->t->nopen;
		nfiles += r->t->nfiles;
		nprocesses += r->t->nprocesses;
		if (nopen > OPENS_MAX || nfiles > OPENS_MAX || nprocesses > OPENS_MAX)
			return error_set(e,
			    "too many files, open files or processes together: at most %d of each "
			    "can be numbered",
			    OPENS_MAX);
		t->naccess += r->t->naccess;
		t->nadvice += r->t->nadvice;
		t->nsteps += r->t->nsteps;
		add_counts(t, r->t);
	}
	t->nopen = (uint32_t)nopen;
	t->nprocesses = (uint32_t)nprocesses;
	m->file = calloc(nfiles, sizeof(*m->file));
	m->last = calloc(nfiles, sizeof(*m->last));
	t->file = calloc(nfiles, sizeof(*t->file));
	return m->file && m->last && t->file ? 0 : error_no_memory(e);
}

static int
make_tables(struct merger *m, struct error *e)
{
	struct trace *t = m->t;

	t->access = m->access = calloc(t->naccess, sizeof(*m->access));
	t->advice = m->advice = t->nadvice ? calloc(t->nadvice, sizeof(*m->advice)) : NULL;
	t->step = m->step = t->nsteps ? calloc(t->nsteps, sizeof(*m->step)) : NULL;
	t->open = calloc(t->nopen, sizeof(*t->open));
	t->process = calloc(t->nprocesses, sizeof(*t->process));
	t->program = calloc(m->n, sizeof(*t->program));
	t->program_of = calloc(t->nprocesses, sizeof(*t->program_of));
	if (!t->access || (t->nadvice && !t->advice) || (t->nsteps && !t->step) || !t->open ||
	    !t->process || !t->program || !t->program_of)
		return error_no_memory(e);
	return 0;
}

/* Enter *key with a number; a key in use is replaced by the next one past *last that is free. */
static int
take_number(struct map *taken, uint64_t *key, uint64_t *last, uint64_t mask, uint32_t number,
    struct error *e)
{
	uint32_t *at = map_at(taken, *key);

	while (at && *at) {
		*key = *last = (*last + 1) & mask;
		at = map_at(taken, *key);
	}
	if (!at)
		return error_no_memory(e);
	*at = number;
	return 0;
}

static void
find_last(const struct merger *m, uint64_t *inode, uint64_t *pid)
{
	*inode = *pid = 0;
	for (const struct reel *r = m->reel; r < m->reel + m->n; r++) {
		for (file_t f = 0; f < r->t->nfiles; f++)
			if (r->t->file[f].inode > *inode)
				*inode = r->t->file[f].inode;
		for (uint32_t i = 0; i < r->t->nprocesses; i++)
			if (r->t->process[i].pid > *pid)
				*pid = r->t->process[i].pid;
	}
}

/* The number of the file that is the same, if any trace has it; NULL: out of memory. */
static uint32_t *
same_file(struct merger *m, const struct file *f)
{
	uint32_t name;

	if (!f->name)
		return map_at(&m->by_inode, f->inode);
	name = names_intern(&m->names, f->name);
	return name ? map_at(&m->by_name, name) : NULL;
}

/* Files of trace p that no trace before it has get new numbers.  A trace may have two files of one name. */
static int
join_files(struct merger *m, unsigned p, uint64_t *last_inode, struct error *e)
{
	struct trace	  *t = m->t;
	const struct reel *r = &m->reel[p];

	for (file_t f = 0; f < r->t->nfiles; f++) {
		const struct file *from = &r->t->file[f];
		file_t		   number = t->nfiles;
		uint32_t	  *same = NULL;

		if (m->shares && !(same = same_file(m, from)))
			return error_no_memory(e);
		if (same && *same && m->last[*same - 1] != p) {
			number = *same - 1;
			if (from->bytes > t->file[number].bytes)
				t->file[number].bytes = from->bytes;
			m->shared++;
		} else {
			struct file *to = &t->file[t->nfiles++];

			*to = *from;
			if (same && !*same)
				*same = t->nfiles;
			if (take_number(&m->inodes, &to->inode, last_inode, UINT64_MAX, p + 1, e))
				return -1;
		}
		m->last[number] = p;
		m->file[r->file + f] = number;
	}
	return 0;
}

static int
join_tables(struct merger *m, struct error *e)
{
	struct trace *t = m->t;
	uint64_t      last_inode, last_pid;

	find_last(m, &last_inode, &last_pid);
	for (unsigned p = 0; p < m->n; p++) {
		const struct reel  *r = &m->reel[p];
		const struct trace *part = r->t;

		if (join_files(m, p, &last_inode, e))
			return -1;
		for (uint32_t i = 0; i < part->nprocesses; i++) {
			uint64_t pid = part->process[i].pid;

			if (take_number(&m->pids, &pid, &last_pid, UINT32_MAX, p + 1, e))
				return -1;
			t->process[r->process + i] = part->process[i];
			t->process[r->process + i].pid = (uint32_t)pid;
		}
		for (uint32_t i = 0; i < part->nopen; i++)
			t->open[r->open + i] =
			    (struct open_file){ m->file[r->file + part->open[i].file],
				    r->process + part->open[i].process };
	}
	return 0;
}

/* ---- accesses ---- */

static usec_t
duration(const struct trace *t)
{
	return t->access[t->naccess - 1].time;
}

/* Exact for up to 35 years; never falls, and never later than the longest trace ends. */
static usec_t
stretched(const struct merger *m, const struct trace *t, usec_t time)
{
	double us;

	if (!m->longest || duration(t) == m->longest || !duration(t))
		return time;
	us = (double)time * (double)m->longest / (double)duration(t) + 0.5;
	return (usec_t)us < m->longest ? (usec_t)us : m->longest;
}

/* A batch of r has been merged: the next one is checked at its first use. */
static int
begin_batch(const struct merger *m, const struct reel *r, struct error *e)
{
	const struct access *next = &r->t->access[r->naccess];

	if (m->consumes && r->naccess)
		memory_drop(next - TRACE_BATCH, TRACE_BATCH * sizeof(*next));
	return trace_check(r->t, r->naccess, TRACE_BATCH, e);
}

static int
come_to_next(const struct merger *m, struct reel *r, struct error *e)
{
	r->time = USEC_MAX;
	if (r->naccess == r->t->naccess)
		return 0;
	if (r->naccess % TRACE_BATCH == 0 && begin_batch(m, r, e))
		return -1;
	r->time = r->start + stretched(m, r->t, r->t->access[r->naccess].time);
	return 0;
}

/* The trace with the earliest next access, the first among equals. */
static struct reel *
earliest(const struct merger *m)
{
	struct reel *best = m->reel;

	for (struct reel *r = m->reel + 1; r < m->reel + m->n; r++)
		if (r->time < best->time)
			best = r;
	return best;
}

/* The next access of r becomes the ith of the merged trace. */
static int
take_access(struct merger *m, struct reel *r, size_t i, struct error *e)
{
	struct access *a = &m->access[i];

	*a = r->t->access[r->naccess];
	a->time = r->time;
	a->open = (a->open + r->open) & OPENS_MAX;
	for (; r->nadvice < r->t->nadvice && r->t->advice[r->nadvice].before == r->naccess;
	     r->nadvice++) {
		struct advice *to = &m->advice[m->nadvice++];

		*to = r->t->advice[r->nadvice];
		to->before = i;
		to->open += r->open;
	}
	r->naccess++;
	return come_to_next(m, r, e);
}

/* Processes of parts have different numbers, so the steps stay in order. */
static void
join_steps(struct merger *m)
{
	struct step *to = m->step;

	for (const struct reel *r = m->reel; r < m->reel + m->n; r++) {
		for (size_t k = 0; k < r->t->nsteps; k++, to++) {
			*to = r->t->step[k];
			to->time = r->start + stretched(m, r->t, to->time);
			to->until = r->start + stretched(m, r->t, to->until);
			to->process += r->process;
			if (step_has_other(to))
				to->other += r->process;
		}
	}
}

static int
find_longest(struct merger *m, struct error *e)
{
	for (const struct reel *r = m->reel; r < m->reel + m->n; r++) {
		if (trace_check(r->t, r->t->naccess - 1, 1, e))
			return -1;
		if (duration(r->t) > m->longest)
			m->longest = duration(r->t);
	}
	return 0;
}

/* Each trace starts when the one before it has made its last call. */
static int
line_up(struct merger *m, struct error *e)
{
	usec_t start = 0;

	for (struct reel *r = m->reel; r < m->reel + m->n; r++) {
		if (trace_check(r->t, r->t->naccess - 1, 1, e))
			return -1;
		r->start = start;
		start += duration(r->t);
	}
	return start > SPAN_MAX_US ? error_set(e, "the times together span more than 142 years")
				   : 0;
}

static int
merge_accesses(struct merger *m, enum merge how, struct error *e)
{
	if (how == MERGE_STRETCHED && find_longest(m, e))
		return -1;
	if (how == MERGE_END_TO_END && line_up(m, e))
		return -1;
	join_steps(m);
	for (struct reel *r = m->reel; r < m->reel + m->n; r++)
		if (come_to_next(m, r, e))
			return -1;
	progress_begin("merging", NULL, m->t->naccess);
	for (size_t i = 0; i < m->t->naccess; i++) {
		progress_reach(i);
		if (take_access(m, earliest(m), i, e))
			return -1;
	}
	progress_end();
	for (const struct reel *r = m->reel; r < m->reel + m->n; r++)
		if (trace_unchanged(r->t, e))
			return -1;
	return 0;
}

/* ---- names ---- */

static const char *
name_of(const struct trace *t)
{
	return t->name;
}

static const char *
source_of(const struct trace *t)
{
	return trace_path(t->source.path);
}

/* A name from each trace, with `between` between them and `last` at the end; NULL: out of memory. */
static char *
join(const struct merger *m, const char *(*text)(const struct trace *t), const char *between,
    const char *behind)
{
	size_t bytes = strlen(behind) + 1;
	char  *all, *at;

	for (unsigned p = 0; p < m->n; p++)
		bytes += strlen(text(m->reel[p].t)) + strlen(between);
	at = all = malloc(bytes);
	for (unsigned p = 0; all && p < m->n; p++)
		at = stpcpy(stpcpy(at, p ? between : ""), text(m->reel[p].t));
	if (all)
		stpcpy(at, behind);
	return all;
}

/* Copy the names of programs and files: the source traces will be released. */
static int
keep_names(struct merger *m, struct error *e)
{
	struct trace *t = m->t;
	size_t	      bytes = 0;
	char	     *at;

	for (unsigned p = 0; p < m->n; p++)
		bytes += strlen(m->reel[p].t->name) + 1;
	for (file_t f = 0; f < t->nfiles; f++)
		bytes += t->file[f].name ? strlen(t->file[f].name) + 1 : 0;
	at = t->names = malloc(bytes);
	if (!at)
		return error_no_memory(e);
	for (unsigned p = 0; p < m->n; p++)
		t->program[p] = text_keep(&at, m->reel[p].t->name);
	for (file_t f = 0; f < t->nfiles; f++)
		if (t->file[f].name)
			t->file[f].name = text_keep(&at, t->file[f].name);
	return 0;
}

static size_t
text_bytes(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

/* Copy the names of processes and the notes. */
static int
keep_texts(struct trace *t, struct error *e)
{
	size_t bytes = 1;
	char  *at;

	for (uint32_t i = 0; i < t->nprocesses; i++)
		bytes += text_bytes(t->process[i].name);
	for (unsigned i = 0; i < TRACE_NOTES; i++)
		bytes += text_bytes(t->note[i]);
	at = t->texts = malloc(bytes);
	if (!at)
		return error_no_memory(e);
	for (uint32_t i = 0; i < t->nprocesses; i++)
		if (t->process[i].name)
			t->process[i].name = text_keep(&at, t->process[i].name);
	for (unsigned i = 0; i < TRACE_NOTES && t->note[i]; i++)
		t->note[i] = text_keep(&at, t->note[i]);
	return 0;
}

/* Were mappings read through in all traces that have some? */
static bool
all_touched(const struct merger *m)
{
	bool some = false;

	for (unsigned p = 0; p < m->n; p++) {
		const struct trace *part = m->reel[p].t;

		if (part->mmaps && !part->source.touched)
			return false;
		some |= part->source.touched;
	}
	return some;
}

static int
describe(struct merger *m, enum merge how, struct error *e)
{
	static const char *const behind[] = { "", ", stretched", ", end to end" };
	struct trace		*t = m->t;

	t->name = join(m, name_of, "+", "");
	t->path = join(m, source_of, " + ", behind[how]);
	if (!t->name || !t->path)
		return error_no_memory(e);
	t->format = "merged";
	t->source = (struct source){ .path = t->path,
		.format = t->format,
		.version = BUFSIM_VERSION,
		.touched = all_touched(m) };
	for (unsigned p = 0; p < m->n; p++) {
		t->source.bytes += m->reel[p].t->source.bytes;
		t->source.xxh3 = checksum_add(t->source.xxh3, m->reel[p].t->source.xxh3);
	}
	return 0;
}

/* ---- programs ---- */

/* Processes have new numbers: find their programs by pid. */
static int
find_programs(struct merger *m, struct error *e)
{
	struct trace *t = m->t;

	t->nprograms = m->n;
	for (uint32_t i = 0; i < t->nprocesses; i++) {
		uint32_t *program = map_at(&m->pids, t->process[i].pid);

		if (!program)
			return error_no_memory(e);
		t->program_of[i] = *program - 1;
	}
	return 0;
}

/* The fingerprint includes the programs: the same calls of one program simulate differently. */
static void
take_fingerprint(struct trace *t)
{
	trace_take_fingerprint(t);
	t->fingerprint = checksum_add(t->fingerprint,
	    checksum(t->program_of, t->nprocesses * sizeof(*t->program_of)));
}

static void
note_shared(const struct merger *m)
{
	if (m->shared)
		trace_add_note(m->t, "files that several traces have, each taken as one file",
		    m->shared);
	else
		trace_add_note(m->t,
		    "--share-files: the traces have no name of a file in common, nor an inode", 0);
}

static int
merge(struct merger *m, enum merge how, struct error *e)
{
	struct trace *t = m->t;

	if (describe(m, how, e))
		return -1;
	if (add_totals(m, e) || make_tables(m, e) || join_tables(m, e))
		return error_prefix(e, "%s", t->path);
	if (m->shares)
		note_shared(m);
	if (merge_accesses(m, how, e)) /* the error names the damaged trace */
		return -1;
	if (trace_renumber(t, m->access, m->advice, m->step, e) || keep_names(m, e) ||
	    keep_texts(t, e) || find_programs(m, e) || trace_lay_out(t, e))
		return error_prefix(e, "%s", t->path);
	take_fingerprint(t);
	return 0;
}

static int
merge_parts(struct trace *t, const struct trace *part, unsigned n, bool consumes, bool shares,
    enum merge how, struct error *e)
{
	struct merger m = { .t = t,
		.n = n,
		.consumes = consumes,
		.shares = shares,
		.reel = calloc(n, sizeof(*m.reel)) };
	int	      failed;

	ASSERT(n > 1);
	*t = (struct trace){ .block_bytes = part->block_bytes, .block_shift = part->block_shift };
	for (unsigned p = 0; m.reel && p < n; p++) {
		ASSERT(part[p].block_bytes == t->block_bytes);
		m.reel[p].t = &part[p];
	}
	failed = m.reel ? merge(&m, how, e) : error_no_memory(e);
	map_release(&m.inodes);
	map_release(&m.pids);
	map_release(&m.by_name);
	map_release(&m.by_inode);
	names_release(&m.names);
	free(m.file);
	free(m.last);
	free(m.reel);
	if (failed)
		trace_release(t);
	return failed;
}

int
trace_merge(struct trace *t, const struct trace *part, unsigned n, bool share_files, enum merge how,
    struct error *e)
{
	return merge_parts(t, part, n, false, share_files, how, e);
}

/* ---- from files ---- */

/* Two files of one recording are one program; a format that is named may read one alone. */
static int
check_recordings(const char *const *path, unsigned n, struct error *e)
{
	for (const struct format *const *f = formats; *f; f++)
		for (unsigned i = 1; (*f)->set && i < n; i++)
			if (beside_are_one(path[0], path[i], (*f)->set))
				return error_usage(e,
				    "%s and %s are files of one recording: name one, and all of "
				    "them are read",
				    path[0], path[i]);
	return 0;
}

static int
check_paths(const char *const *path, unsigned n, struct error *e)
{
	unsigned piped = 0;

	for (unsigned i = 0; i < n; i++)
		piped += !strcmp(path[i], "-");
	if (piped > 1)
		return error_usage(e,
		    "standard input can be read only once: give '-' once, and files for the others");
	return 0;
}

int
trace_load_next(struct trace *t, const char **path, unsigned *n, const struct trace_options *o,
    struct error *e)
{
	struct trace_options how = *o;
	const char	   **member = malloc(2 * *n * sizeof(*member));
	unsigned	     nmembers = 0;
	int		     failed;

	if (!member)
		return error_no_memory(e);
	if (!how.format)
		how.format = beside_group(formats, path, *n, member, &nmembers, member + *n);
	if (nmembers) {
		*n -= nmembers;
		failed = trace_load_set(t, member, nmembers, &how, e);
		memcpy(path, member + *n + nmembers, *n * sizeof(*path));
	} else {
		failed = trace_load(t, *path, o, e);
		memmove(path, path + 1, --*n * sizeof(*path));
	}
	free(member);
	return failed;
}

/* Load what is in path[], which is used up. */
static int
load_parts(struct trace *part, unsigned *loaded, const char **path, unsigned n,
    const struct trace_options *o, struct error *e)
{
	while (n) {
		if (trace_load_next(&part[*loaded], path, &n, o, e))
			return -1;
		++*loaded;
	}
	return 0;
}

int
trace_load_together(struct trace *t, const char *const *path, unsigned n,
    const struct trace_options *o, enum merge how, struct error *e)
{
	struct trace *part;
	const char  **left;
	unsigned      loaded = 0;
	int	      failed;

	if (n == 1)
		return trace_load(t, *path, o, e);
	if (check_paths(path, n, e) || (!o->format && check_recordings(path, n, e)))
		return -1;
	part = calloc(n, sizeof(*part));
	left = malloc(n * sizeof(*left));
	if (!part || !left) {
		free(part);
		free(left);
		return error_no_memory(e);
	}
	memcpy(left, path, n * sizeof(*left));
	failed = load_parts(part, &loaded, left, n, o, e);
	if (!failed && loaded == 1)
		*t = part[--loaded];
	else if (!failed)
		failed = merge_parts(t, part, loaded, true, o->share_files, how, e);
	while (loaded)
		trace_release(&part[--loaded]);
	free(left);
	free(part);
	return failed;
}
