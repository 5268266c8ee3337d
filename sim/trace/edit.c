/*
 * edit.c - copy the calls that stay, then number and place everything again, as
 * the loader does with records.
 *
 * Advice stays with the next call of its process that stays.  To anonymise,
 * each part of a path is replaced by a number, the same everywhere, so that
 * files keep their folders; inodes and pids are numbered from 1 in order of
 * first use.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/trace/edit.h"
#include "sim/trace/place_advice.h"

enum { WORD_ROOM = 4096, HIDDEN_MOST = 11 /* a part of one letter may become ten digits */ };

struct editor {
	const struct trace *old;
	const struct edit  *how;
	struct trace	    t; /* the new one */
	struct access	   *access;
	struct advice	   *advice;
	struct step	   *step;
	struct hint	   *hint;
	size_t		    nhints;
	size_t		    first, end;	    /* accesses of the slice */
	bool		   *file, *process; /* [nfiles], [nprocesses] that stay */
	bool		   *fresh;	    /* [nopen] its first call was left out */
};

/* ---- slices ---- */

static int
parse_end(const char *text, struct slice *s, uint64_t *end, struct error *e)
{
	bool calls = number_whole(text, end);

	if (!calls && number_parse(text, PARAM_USEC, end, e) < 0)
		return -1;
	if (s->kind != SLICE_ALL && calls != (s->kind == SLICE_CALLS))
		return error_usage(e, "both ends are numbers of calls, or both are times");
	s->kind = calls ? SLICE_CALLS : SLICE_TIMES;
	return 0;
}

int
slice_parse(const char *text, struct slice *s, struct error *e)
{
	char *from = strdup(text);
	char *to = from ? strchr(from, ':') : NULL;
	int   failed = 0;

	*s = (struct slice){ SLICE_ALL, 0, UINT64_MAX };
	if (!from)
		return error_no_memory(e);
	if (to)
		*to++ = '\0';
	if (!to || (!*from && !*to))
		failed = error_usage(e,
		    "'%s' is not FROM:TO, as in 1000:2000 (calls), 10s:20s (times) or 10s:", text);
	if (!failed && *from)
		failed = parse_end(from, s, &s->from, e);
	if (!failed && *to)
		failed = parse_end(to, s, &s->to, e);
	if (!failed && (s->from > s->to || (s->kind == SLICE_CALLS && !s->to)))
		failed = error_usage(e, "'%s' ends before it begins", text);
	free(from);
	return failed;
}

/* ---- files and processes ---- */

static const char *const keys[] = { "file", "inode", "pid", "process" };

enum key { KEY_FILE, KEY_INODE, KEY_PID, KEY_PROCESS, KEYS };

struct word {
	enum key key;
	char	 value[WORD_ROOM];
	uint64_t number; /* of inode and pid */
};

/* Cut the next word off a text.  1; 0: that was the last; -1: usage error. */
static int
next_word(const char **text, struct word *w, struct error *e)
{
	size_t n = strcspn(*text, ","), key = strcspn(*text, "=");

	if (!*text || (!n && !**text))
		return 0;
	for (w->key = 0; w->key < KEYS; w->key++)
		if (strlen(keys[w->key]) == key && !strncmp(keys[w->key], *text, key))
			break;
	if (w->key == KEYS || key + 1 >= n || n - key > WORD_ROOM)
		return error_usage(e, "'%.*s' is not file=GLOB, inode=N, pid=N or process=GLOB",
		    (int)n, *text);
	memcpy(w->value, *text + key + 1, n - key - 1);
	w->value[n - key - 1] = '\0';
	if ((w->key == KEY_INODE || w->key == KEY_PID) && !number_whole(w->value, &w->number))
		return error_usage(e, "'%s' is not a number of %s", w->value, keys[w->key]);
	*text += n + ((*text)[n] == ',');
	return 1;
}

int
only_check(const char *text, struct error *e)
{
	struct word w;
	int	    status;

	while ((status = next_word(&text, &w, e)) == 1)
		;
	return status;
}

static bool
matches(const char *glob, const char *name)
{
	return name && !fnmatch(glob, name, 0);
}

static void
admit(struct editor *d, const struct word *w)
{
	const struct trace *t = d->old;

	for (file_t f = 0; f < t->nfiles; f++)
		d->file[f] |= (w->key == KEY_FILE && matches(w->value, t->file[f].name)) ||
		    (w->key == KEY_INODE && t->file[f].inode == w->number);
	for (uint32_t p = 0; p < t->nprocesses; p++)
		d->process[p] |= (w->key == KEY_PID && t->process[p].pid == w->number) ||
		    (w->key == KEY_PROCESS && matches(w->value, t->process[p].name));
}

static bool
has_names(const struct trace *t)
{
	for (file_t f = 0; f < t->nfiles; f++)
		if (t->file[f].name)
			return true;
	return false;
}

static int
choose(struct editor *d, struct error *e)
{
	const char *text = d->how->only;
	struct word w;
	int	    status;

	d->file = calloc(d->old->nfiles, sizeof(*d->file));
	d->process = calloc(d->old->nprocesses, sizeof(*d->process));
	d->fresh = calloc((size_t)d->old->nopen + 1, sizeof(*d->fresh));
	if (!d->file || !d->process || !d->fresh)
		return error_no_memory(e);
	while (text && (status = next_word(&text, &w, e))) {
		if (status < 0)
			return -1;
		if (w.key == KEY_FILE && !has_names(d->old))
			return error_set(e,
			    "its files have no names: use --only inode=N, as bufsim stat --top "
			    "shows them");
		admit(d, &w);
	}
	return 0;
}

/* ---- calls ---- */

static bool
stays(const struct editor *d, uint32_t open)
{
	const struct open_file *f = &d->old->open[open];

	return !d->how->only || d->file[f->file] || d->process[f->process];
}

/* The first access at or after a time. */
static int
find_time(const struct trace *t, uint64_t time, size_t *at, struct error *e)
{
	size_t low = 0, high = t->naccess;

	if (trace_check(t, 0, t->naccess, e))
		return -1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((uint64_t)t->access[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return 0;
}

static int
find_slice(struct editor *d, struct error *e)
{
	const struct slice *s = &d->how->slice;
	size_t		    n = d->old->naccess;

	d->end = n;
	if (s->kind == SLICE_CALLS) {
		d->first = s->from ? s->from - 1 : 0;
		d->end = s->to < n ? s->to : n;
	} else if (s->kind == SLICE_TIMES &&
	    (find_time(d->old, s->from, &d->first, e) || find_time(d->old, s->to, &d->end, e))) {
		return -1;
	}
	return 0;
}

/* Advice of access i of the old trace, before the access that will be `place`. */
static void
keep_advice(struct editor *d, size_t i, size_t place)
{
	const struct trace *t = d->old;

	for (size_t k = trace_advice(t, i); k < t->nadvice && t->advice[k].before == i; k++) {
		const struct advice    *a = &t->advice[k];
		const struct open_file *by = &t->open[a->own ? a->open : t->access[i].open];

		if (!stays(d, a->open))
			continue;
		d->hint[d->nhints++] = (struct hint){ .advice = *a,
			.at = { t->access[i].time, place },
			.file = t->open[a->open].file + 1,
			.process = by->process + 1 };
	}
}

static int
none_left(const struct editor *d, struct error *e)
{
	const struct trace *old = d->old;
	char		    calls[NUMBER_TEXT], lasts[NUMBER_TEXT];
	size_t		    n = old->naccess;
	usec_t		    time = n ? old->access[n - 1].time - old->access[0].time : 0;

	return error_set(e, "no call is left of %s, made in %s%s", number_group(calls, n),
	    number_time(lasts, (uint64_t)time),
	    d->how->sample.rate > 0 ? ": type a larger share, or smaller units (0.1:4K)" : "");
}

/* The next part of a call that stays, of what is left of it; without a sample the call as a whole. */
static bool
next_part(const struct editor *d, const struct access *a, struct stretch *rest,
    struct stretch *part)
{
	const struct trace *t = d->old;

	if (d->how->sample.rate > 0)
		return sampling_next(&d->how->sample, t->file[t->open[a->open].file].inode, rest,
		    part);
	*part = *rest;
	rest->from = rest->to;
	return part->from < part->to;
}

static struct stretch
whole_call(const struct access *a)
{
	return (struct stretch){ a->offset, a->offset + a->length };
}

static void
copy_call(struct editor *d, const struct access *a)
{
	struct trace  *t = &d->t;
	struct stretch rest = whole_call(a), part;
	bool	       fresh = !a->write && (a->fresh || d->fresh[a->open]);

	for (; next_part(d, a, &rest, &part); t->naccess++, fresh = false) {
		uint32_t length = (uint32_t)(part.to - part.from);

		d->access[t->naccess] = *a;
		d->access[t->naccess].offset = part.from;
		d->access[t->naccess].length = length & INT32_MAX;
		d->access[t->naccess].fresh = fresh;
		d->access[t->naccess].advised = false;
		t->longest_bytes = length > t->longest_bytes ? length : t->longest_bytes;
		t->reads += !a->write;
		t->writes += a->write;
	}
	if (!a->write)
		d->fresh[a->open] = fresh;
}

static int
copy_calls(struct editor *d, struct error *e)
{
	const struct trace *old = d->old;
	struct trace	   *t = &d->t;

	for (size_t i = d->first; i < d->end; i++) {
		const struct access *a = &old->access[i];

		if ((i - d->first) % TRACE_BATCH == 0 && trace_check(old, i, TRACE_BATCH, e))
			return -1;
		if (a->advised)
			keep_advice(d, i, t->naccess);
		if (stays(d, a->open))
			copy_call(d, a);
	}
	if (!t->naccess)
		return none_left(d, e);
	return trace_unchanged(old, e);
}

static void
begin_at_zero(struct editor *d)
{
	usec_t origin = d->access[0].time;

	for (size_t i = 0; i < d->t.naccess; i++)
		d->access[i].time -= origin;
}

/* Of a file without calls there is nothing to be advised about. */
static void
drop_unused(struct editor *d)
{
	struct trace *t = &d->t;

	memset(d->file, 0, t->nfiles * sizeof(*d->file));
	for (size_t i = 0; i < t->naccess; i++)
		d->file[t->open[d->access[i].open].file] = true;
	for (size_t i = 0; i < d->nhints; i++)
		if (!d->file[d->hint[i].file - 1])
			d->hint[i].file = NIL;
}

/* ---- names ---- */

static int
add_text(char **to, const char *text, struct error *e)
{
	*to = strdup(text);
	return *to ? 0 : error_no_memory(e);
}

/* "/var/lib/x" becomes "/1/2/3". */
static int
hide_path(struct names *parts, const char *path, char out[WORD_ROOM], struct error *e)
{
	char   part[WORD_ROOM];
	size_t used = 0;

	*out = '\0';
	while (*path && used + NUMBER_TEXT < WORD_ROOM) {
		size_t	 n = strcspn(path, "/"), kept = n < WORD_ROOM ? n : WORD_ROOM - 1;
		uint32_t number;

		memcpy(part, path, kept);
		part[kept] = '\0';
		number = n ? names_intern(parts, part) : 0;
		if (n && !number)
			return error_no_memory(e);
		if (n)
			used += (size_t)snprintf(out + used, WORD_ROOM - used, "%u", number);
		if (path[n])
			out[used++] = '/';
		out[used] = '\0';
		path += n + (path[n] == '/');
	}
	return 0;
}

/* What may point into the old trace: names, notes and words about the source. */
static int
keep_texts(struct editor *d, struct names *parts, struct error *e)
{
	struct trace *t = &d->t;
	char	      hidden[WORD_ROOM];
	size_t	      bytes = strlen(t->source.format) + strlen(t->source.version) + 2;
	char	     *at;

	for (file_t f = 0; f < t->nfiles; f++)
		bytes += t->file[f].name ? strlen(t->file[f].name) * HIDDEN_MOST + 1 : 0;
	for (uint32_t i = 0; i < t->nprocesses; i++)
		bytes += t->process[i].name ? strlen(t->process[i].name) + 1 : 0;
	for (unsigned i = 0; i < TRACE_NOTES && t->note[i]; i++)
		bytes += strlen(t->note[i]) + 1;
	at = t->names = malloc(bytes);
	if (!at)
		return error_no_memory(e);
	t->source.format = text_keep(&at, t->source.format);
	t->source.version = text_keep(&at, t->source.version);
	for (uint32_t i = 0; i < t->nprocesses; i++)
		if (t->process[i].name)
			t->process[i].name = text_keep(&at, t->process[i].name);
	for (unsigned i = 0; i < TRACE_NOTES && t->note[i]; i++)
		t->note[i] = text_keep(&at, t->note[i]);
	for (file_t f = 0; f < t->nfiles; f++) {
		const char *name = t->file[f].name;

		if (!name)
			continue;
		if (d->how->anonymise && hide_path(parts, name, hidden, e))
			return -1;
		t->file[f].name = text_keep(&at, d->how->anonymise ? hidden : name);
	}
	return 0;
}

static int
anonymise(struct editor *d, struct error *e)
{
	struct trace *t = &d->t;

	for (file_t f = 0; f < t->nfiles; f++)
		t->file[f].inode = f + 1;
	for (uint32_t p = 0; p < t->nprocesses; p++)
		t->process[p] = (struct traced){ .pid = p + 1 };
	free(t->path);
	t->source.bytes = t->source.xxh3 = 0;
	return add_text(&t->path, "anonymised", e);
}

static int
name_all(struct editor *d, struct error *e)
{
	struct names  parts = { 0 };
	struct trace *t = &d->t;
	int	      failed;

	t->format = d->old->format;
	t->source = d->old->source;
	failed = add_text(&t->name, d->old->name, e) ||
	    add_text(&t->path, trace_path(d->old->source.path), e) || keep_texts(d, &parts, e) ||
	    (d->how->anonymise && anonymise(d, e));
	t->source.path = t->path;
	names_release(&parts);
	return failed ? -1 : 0;
}

/* ---- all of it ---- */

static void *
copy(const void *from, size_t n, size_t bytes)
{
	void *to = malloc(n * bytes + 1);

	return to ? memcpy(to, from, n * bytes) : NULL;
}

/* The accesses that the new trace has at most. */
static int
count_parts(const struct editor *d, size_t *n, struct error *e)
{
	struct stretch part;

	*n = d->end > d->first ? d->end - d->first : 0;
	if (!d->how->sample.unit)
		return 0;
	*n = 0;
	for (size_t i = d->first; i < d->end; i++) {
		struct stretch rest = whole_call(&d->old->access[i]);

		if ((i - d->first) % TRACE_BATCH == 0 && trace_check(d->old, i, TRACE_BATCH, e))
			return -1;
		while (next_part(d, &d->old->access[i], &rest, &part))
			++*n;
	}
	return 0;
}

static int
make_tables(struct editor *d, struct error *e)
{
	const struct trace *old = d->old;
	struct trace	   *t = &d->t;
	size_t		    n;

	if (count_parts(d, &n, e))
		return -1;

	*t = (struct trace){ .block_bytes = old->block_bytes,
		.block_shift = old->block_shift,
		.lacks = old->lacks,
		.stream_by = old->stream_by,
		.nopen = old->nopen,
		.nfiles = old->nfiles,
		.nprocesses = old->nprocesses };
	memcpy(t->note, old->note, sizeof(t->note));
	memcpy(t->noted, old->noted, sizeof(t->noted));
	t->access = d->access = malloc((n + 1) * sizeof(*d->access));
	d->hint = malloc((old->nadvice + 1) * sizeof(*d->hint));
	t->open = copy(old->open, old->nopen, sizeof(*t->open));
	t->file = copy(old->file, old->nfiles, sizeof(*t->file));
	t->process = copy(old->process, old->nprocesses, sizeof(*t->process));
	return d->access && d->hint && t->open && t->file && t->process ? 0 : error_no_memory(e);
}

/* What processes wait for is known only of a whole trace. */
static int
copy_steps(struct editor *d, struct error *e)
{
	const struct trace *old = d->old;

	if (d->how->only || d->how->sample.rate > 0 || d->how->slice.kind != SLICE_ALL ||
	    !old->nsteps)
		return 0;
	d->t.step = d->step = copy(old->step, old->nsteps, sizeof(*d->step));
	if (!d->step)
		return error_no_memory(e);
	d->t.nsteps = old->nsteps;
	return 0;
}

/* Processes without calls are the last ones. */
static void
drop_idle(struct trace *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nopen; i++)
		n = t->open[i].process >= n ? t->open[i].process + 1 : n;
	t->nprocesses = n;
}

/* As the loader: advice finds its access, everything gets its number. */
static int
number_all(struct editor *d, struct error *e)
{
	struct trace *t = &d->t;

	drop_unused(d);
	if (d->nhints && advice_settle(d->hint, d->nhints, t, d->access, &d->advice))
		return error_no_memory(e);
	t->advice = d->advice;
	if (copy_steps(d, e) || trace_renumber(t, d->access, d->advice, d->step, e))
		return -1;
	if (!t->nsteps)
		drop_idle(t);
	if (t->nadvice && advice_freshen(d->advice, t->nadvice, d->access, t->naccess, t->nopen))
		return error_no_memory(e);
	t->records = t->reads + t->writes + t->nadvice;
	t->advices = t->nadvice;
	return trace_lay_out(t, e);
}

static int
edit(struct editor *d, struct error *e)
{
	if (choose(d, e) || find_slice(d, e) || make_tables(d, e) || copy_calls(d, e))
		return -1;
	begin_at_zero(d);
	if (number_all(d, e) || name_all(d, e))
		return -1;
	trace_scale(&d->t, d->how->scale);
	trace_take_fingerprint(&d->t);
	return 0;
}

int
trace_edit(struct trace *t, const struct edit *how, struct error *e)
{
	struct editor d = { .old = t, .how = how };
	int	      failed = edit(&d, e);

	free(d.hint);
	free(d.file);
	free(d.process);
	free(d.fresh);
	if (failed) {
		trace_release(&d.t);
		return error_prefix(e, "%s", trace_path(t->path));
	}
	trace_release(t);
	*t = d.t;
	return 0;
}
