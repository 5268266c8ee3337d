/*
 * text.c - the text form: one event a line, eight fields.
 *
 *	# time_us pid fd op inode file_size offset length
 *	558 3910 3 O 1000409605 55839 0 0
 *	741 3910 3 R 1000409605 55839 0 832
 *
 * Time in microseconds at the start of the call; op R read, W write, O open,
 * C close, M mmap, X exit, or advice about a range (posix_fadvise; a length of
 * 0 means to the end of the file): A WILLNEED, D DONTNEED, S SEQUENTIAL, J
 * RANDOM (it jumps), N NORMAL.  The other fields are in bytes.  Lines that
 * begin with # are comments, except names of files: "# file INODE PATH".  The
 * format is recognised by the comment above or
 * by a first line of eight valid fields.
 *
 * Four more tell on which other processes one depends; the field inode is the
 * pid of the other, the field length the microseconds of a wait:
 *
 *	100 7 0 F 8 0 0 0	F: process 7 starts process 8 (fork)
 *	150 7 0 T 8 0 0 900	T: it waits for the termination of 8; 0 is any that it started
 *	200 8 0 P 0 0 0 0	P: it puts something into a pipe, or takes it out
 *	190 7 0 G 8 0 1 15	G: it waits until process 8 has reached its P, number 1 (offset)
 *
 * A line is read digit by digit; only an invalid line is read again, to
 * explain the fault.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/trace/format.h"
#include "sim/trace/trace.h"
#include "traces/common/lines.h"

#define HEADER "# time_us pid fd op inode"
#define NAME "# file "

enum { FIELDS = 8, QUOTE = 20 };

/* Field 4 is the letter; the others are numbers. */
enum { TIME, PID, FD, OP, INODE, FILE_SIZE, OFFSET, LENGTH };

static const char *const field_name[FIELDS] = { "time_us", "pid", "fd", "op", "inode", "file_size",
	"offset", "length" };

static const uint64_t field_max[FIELDS] = { INT64_MAX, UINT32_MAX, UINT32_MAX, 0, UINT64_MAX,
	UINT64_MAX - 1, UINT64_MAX, UINT64_MAX };

#define OPS "R W O C M X F T P G A D S J N"

static const char advice_letter[ADVICE_KINDS] = {
	[ADVICE_NORMAL] = 'N',
	[ADVICE_RANDOM] = 'J',
	[ADVICE_SEQUENTIAL] = 'S',
	[ADVICE_WILLNEED] = 'A',
	[ADVICE_DONTNEED] = 'D',
};

static bool
scan_advice(char letter, struct record *r)
{
	r->op = OP_ADVISE;
	for (r->advice = 0; r->advice < ADVICE_KINDS; r->advice++)
		if (advice_letter[r->advice] == letter)
			return true;
	return false;
}

static bool
scan_op(char letter, struct record *r)
{
	switch (letter) {
	case 'R':
		r->op = OP_READ;
		return true;
	case 'W':
		r->op = OP_WRITE;
		return true;
	case 'O':
		r->op = OP_OPEN;
		return true;
	case 'C':
		r->op = OP_CLOSE;
		return true;
	case 'M':
		r->op = OP_MMAP;
		return true;
	case 'X':
		r->op = OP_EXIT;
		return true;
	case 'F':
		r->op = OP_START;
		return true;
	case 'T':
		r->op = OP_WAIT;
		return true;
	case 'P':
		r->op = OP_SEND;
		return true;
	case 'G':
		r->op = OP_RECEIVE;
		return true;
	}
	return scan_advice(letter, r);
}

static bool
is_step(enum op op)
{
	return op == OP_START || op == OP_WAIT || op == OP_SEND || op == OP_RECEIVE;
}

/* What is wrong with the other fields of a line with F, T, P or G; NULL: nothing. */
static const char *
step_fault(enum op op, const uint64_t value[FIELDS])
{
	if (value[INODE] > UINT32_MAX)
		return "inode: the pid of the other process is above 4,294,967,295";
	if (op == OP_START && !value[INODE])
		return "inode: F is without the pid of the child: time_us pid 0 F CHILD 0 0 0";
	if (op == OP_RECEIVE && !value[OFFSET])
		return "offset: G is without the number of the P that it waits for, from 1";
	if (value[OFFSET] > UINT32_MAX)
		return "offset: a number of a P above 4,294,967,295";
	if (value[LENGTH] > (uint64_t)SPAN_MAX_US)
		return "length: a wait of more than 142 years";
	return NULL;
}

/* The fields of F, T, P and G; false: invalid. */
static bool
take_step(const uint64_t value[FIELDS], struct record *r)
{
	if (step_fault(r->op, value))
		return false;
	r->child = (uint32_t)value[INODE];
	r->number = r->op == OP_RECEIVE ? (uint32_t)value[OFFSET] : 0;
	r->lasts = (usec_t)value[LENGTH];
	return true;
}

/* Parse one whole line; false: it is invalid. */
static bool
scan_record(const char *s, struct record *r)
{
	uint64_t value[FIELDS];

	for (unsigned i = 0; i < FIELDS; i++) {
		s = scan_blanks(s);
		if (i == OP) {
			if (!scan_op(*s, r) || !scan_ends_field(s[1]))
				return false;
			s++;
		} else {
			s = scan_number(s, field_max[i], &value[i]);
			if (!s)
				return false;
		}
	}
	if (!scan_ends_line(scan_blanks(s)))
		return false;
	r->time = (usec_t)value[TIME];
	r->pid = (uint32_t)value[PID];
	r->fd = (uint32_t)value[FD];
	if (unlikely(is_step(r->op)))
		return take_step(value, r);
	r->inode = value[INODE];
	r->file_size = value[FILE_SIZE];
	r->offset = value[OFFSET];
	r->length = value[LENGTH];
	return true;
}

/* ---- faults of a line ---- */

static int
explain_op(const char *s, struct error *e)
{
	char text[QUOTE + 4];

	scan_quote(text, QUOTE, s, scan_length(s));
	return error_set(e, "op: '%s' is not one of " OPS, text);
}

static int
explain(const char *s, struct error *e)
{
	unsigned      fields = 0;
	uint64_t      value[FIELDS];
	struct record r = { 0 };

	for (const char *p = scan_blanks(s); !scan_ends_line(p); p = scan_blanks(p)) {
		fields++;
		p += scan_length(p);
		if (*p == '\r' && !scan_ends_line(p))
			return error_set(e, "a carriage return in the middle of the line");
	}
	if (fields != FIELDS)
		return error_set(e,
		    "%u field%s instead of 8 (time_us pid fd op inode file_size "
		    "offset length)",
		    fields, fields == 1 ? "" : "s");
	for (unsigned i = 0; i < FIELDS; i++) {
		s = scan_blanks(s);
		if (i == OP && (!scan_op(*s, &r) || !scan_ends_field(s[1])))
			return explain_op(s, e);
		if (i != OP && !scan_number(s, field_max[i], &value[i]))
			return scan_explain(field_name[i], s, field_max[i], e);
		s += scan_length(s);
	}
	ASSERT(is_step(r.op) && step_fault(r.op, value));
	return error_set(e, "%s", step_fault(r.op, value));
}

/* ---- the format ---- */

/* The header, or a first line of eight valid fields. */
static bool
text_recognise(const char *head, size_t n)
{
	struct record r;
	char	      line[256];

	do {
		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
		if (!strncmp(line, HEADER, strlen(HEADER)))
			return true;
	} while (*line == '#' || scan_ends_line(scan_blanks(line)));
	return scan_record(line, &r);
}

/* "# file 263854 /var/lib/x"; others are comments. */
static bool
scan_name(char *s, struct record *r)
{
	const char *path = scan_digits(s + strlen(NAME), UINT64_MAX, &r->inode);

	if (!path || *path != ' ' || scan_ends_line(path + 1))
		return false;
	s[strcspn(s, "\r")] = '\0';
	r->op = OP_NAME;
	r->path = path + 1;
	return true;
}

static int
text_read(void *self, struct input *in, struct record *r, struct error *e)
{
	char *line;
	int   status;

	while ((status = scan_line_or(in, NAME, &line, e)) == 1 &&
	    unlikely(*line > '9' || *line == '#'))
		if (*line == '#' ? scan_name(line, r) : !lines_lost(in, line))
			break;
	if (status == 1 && *line == '#')
		return 1;
	if (status <= 0 || likely(scan_record(line, r)))
		return status;
	return explain(line, e);
}

/* ---- writing ---- */

/* The state of an open file according to the lines written so far. */
struct opening {
	bool used;
	bool advised;	/* opened for advice, since the last read */
	bool switching; /* and not read or written since */
	bool other;	/* uses the second of its two descriptors */
};

struct writer {
	const struct trace *t;
	struct output	   *out;
	struct opening	   *opening;	/* [nopen] */
	uint64_t	   *bytes;	/* [nfiles] size of each in the lines so far */
	size_t		    nadvice;	/* written */
	struct placed	   *placed;	/* [nsteps] the steps in the order of lines */
	size_t		    nsteps;	/* written */
	uint32_t	   *first_open; /* [nprocesses] list of its open files: number + 1 */
	uint32_t	   *next_open;	/* [nopen] */
	struct map	    lives;	/* pid: the process that has it in the lines so far, + 1 */
};

/* A step, and the access of its process that it precedes. */
struct placed {
	const struct step *step;
	size_t		   before;
};

struct line {
	usec_t	 time;
	uint32_t process, fd, open;
	char	 op;
	uint64_t file_size, offset, length;
};

static int
write_line(const struct writer *w, const struct line *l, struct error *e)
{
	const struct trace *t = w->t;
	char		    text[200];
	int		    n = snprintf(text, sizeof(text),
			    "%" PRId64 " %u %u %c %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", l->time,
			    t->process[l->process].pid, l->fd, l->op, t->file[t->open[l->open].file].inode,
			    l->file_size, l->offset, l->length);

	return output_bytes(w->out, text, (size_t)n, e);
}

/* Every open file has two descriptors of its own. */
static uint32_t
descriptor(const struct writer *w, uint32_t open, bool other)
{
	return open + 3 + (other ? w->t->nopen : 0);
}

/* An open or a close. */
static int
write_opening(const struct writer *w, const struct line *of, char op, bool other, struct error *e)
{
	struct line l = *of;

	l.fd = descriptor(w, l.open, other);
	l.op = op;
	l.offset = l.length = 0;
	return write_line(w, &l, e);
}

/*
 * Advice before a fresh read opens the file through its other descriptor; the first one is closed
 * at the next call: otherwise its number would be free, and a new open file could take it.
 * Advice about the file alone uses a descriptor without reads.
 */
static int
write_one_advice(struct writer *w, const struct access *next, const struct advice *a,
    struct error *e)
{
	const struct trace *t = w->t;
	struct opening	   *o = &w->opening[a->open];
	struct line l = { next->time, t->open[next->open].process, 2 * t->nopen + 3, a->open,
		advice_letter[a->kind], a->file_size, a->offset, a->length };

	if (a->fresh) {
		o->other ^= o->used;
		o->switching = o->used;
		o->advised = true;
		if (write_opening(w, &l, 'O', o->other, e))
			return -1;
	}
	if (a->own)
		l.fd = descriptor(w, a->open, o->other);
	return write_line(w, &l, e);
}

static int
write_advice(struct writer *w, size_t before, struct error *e)
{
	const struct trace *t = w->t;

	for (; w->nadvice < t->nadvice && t->advice[w->nadvice].before == before; w->nadvice++)
		if (write_one_advice(w, &t->access[before], &t->advice[w->nadvice], e))
			return -1;
	return 0;
}

static int
write_access(struct writer *w, const struct access *a, struct error *e)
{
	const struct open_file *f = &w->t->open[a->open];
	struct opening	       *o = &w->opening[a->open];
	uint64_t		end = a->offset + a->length, *bytes = &w->bytes[f->file];
	struct line l = { a->time, f->process, descriptor(w, a->open, o->other), a->open,
		a->write ? 'W' : 'R', a->file_size, a->offset, a->length };

	if (o->switching && write_opening(w, &l, 'C', !o->other, e))
		return -1;
	if ((!o->used || a->fresh) && !o->advised && write_opening(w, &l, 'O', o->other, e))
		return -1;
	o->used = true;
	o->switching = false;
	o->advised &= a->write;
	end = end > a->file_size ? end : a->file_size;
	*bytes = *bytes > end ? *bytes : end;
	return write_line(w, &l, e);
}

/* A close records the size of a file that is larger than any access shows. */
static int
write_size(struct writer *w, uint32_t i, usec_t time, struct error *e)
{
	const struct trace     *t = w->t;
	const struct open_file *f = &t->open[i];
	struct line l = { time, f->process, descriptor(w, i, w->opening[i].other), i, 'C',
		t->file[f->file].bytes, 0, 0 };

	if (w->bytes[f->file] >= l.file_size)
		return 0;
	w->bytes[f->file] = l.file_size;
	return write_line(w, &l, e);
}

static int
write_sizes(struct writer *w, struct error *e)
{
	const struct trace *t = w->t;

	for (uint32_t i = 0; i < t->nopen; i++)
		if (write_size(w, i, t->access[t->naccess - 1].time, e))
			return -1;
	return 0;
}

/* ---- writing steps ---- */

static int
compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->step->time != y->step->time)
		return x->step->time < y->step->time ? -1 : 1;
	if (x->before != y->before)
		return x->before < y->before ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

/* next: [nprocesses] the first step of each that is not placed; calls: [nprocesses], zeroed. */
static int
find_places(struct writer *w, size_t *next, uint64_t *calls, struct error *e)
{
	const struct trace *t = w->t;

	for (size_t k = t->nsteps; k--; next[t->step[k].process] = k)
		w->placed[k] = (struct placed){ &t->step[k], t->naccess };
	for (size_t i = 0; i < t->naccess; i++) {
		uint32_t p;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		p = t->open[t->access[i].open].process;
		for (; next[p] < t->nsteps && t->step[next[p]].process == p &&
		     t->step[next[p]].calls <= calls[p];
		     next[p]++)
			w->placed[next[p]].before = i;
		calls[p]++;
	}
	qsort(w->placed, t->nsteps, sizeof(*w->placed), compare_placed);
	return 0;
}

/* The open files of each process. */
static void
list_opens(struct writer *w)
{
	const struct trace *t = w->t;

	for (uint32_t i = t->nopen; i--;) {
		w->next_open[i] = w->first_open[t->open[i].process];
		w->first_open[t->open[i].process] = i + 1;
	}
}

/* The processes that are there before any starts. */
static int
list_lives(struct writer *w, struct error *e)
{
	const struct trace *t = w->t;
	bool		   *child = calloc(t->nprocesses, sizeof(*child));
	bool		    enough = child != NULL;

	for (size_t k = 0; enough && k < t->nsteps; k++)
		if (t->step[k].kind == STEP_START)
			child[t->step[k].other] = true;
	for (uint32_t p = 0; enough && p < t->nprocesses; p++) {
		uint32_t *at = child[p] ? NULL : map_at(&w->lives, t->process[p].pid);

		enough = child[p] || at;
		if (at)
			*at = p + 1;
	}
	free(child);
	return enough ? 0 : error_no_memory(e);
}

static int
place_steps(struct writer *w, struct error *e)
{
	const struct trace *t = w->t;
	size_t		   *next = malloc(t->nprocesses * sizeof(*next));
	uint64_t	   *calls = calloc(t->nprocesses, sizeof(*calls));
	int		    status = -1;

	w->placed = calloc(t->nsteps, sizeof(*w->placed));
	w->first_open = calloc(t->nprocesses, sizeof(*w->first_open));
	w->next_open = calloc(t->nopen, sizeof(*w->next_open));
	for (uint32_t p = 0; next && p < t->nprocesses; p++)
		next[p] = t->nsteps;
	if (!next || !calls || !w->placed || !w->first_open || !w->next_open) {
		error_no_memory(e);
	} else {
		list_opens(w);
		status = list_lives(w, e) || find_places(w, next, calls, e) ? -1 : 0;
	}
	free(next);
	free(calls);
	return status;
}

/* The end of a process closes its files: closes before it record sizes that no access shows. */
static int
write_sizes_of(struct writer *w, uint32_t process, usec_t time, struct error *e)
{
	for (uint32_t i = w->first_open[process]; i; i = w->next_open[i - 1])
		if (write_size(w, i - 1, time, e))
			return -1;
	return 0;
}

/* A process ends with its exit, and when its pid is started again. */
static int
end_lives(struct writer *w, const struct step *s, struct error *e)
{
	uint32_t *at, before;

	if (s->kind == STEP_EXIT)
		return write_sizes_of(w, s->process, s->time, e);
	if (s->kind != STEP_START)
		return 0;
	at = map_at(&w->lives, w->t->process[s->other].pid);
	if (!at)
		return error_no_memory(e);
	before = *at;
	*at = s->other + 1;
	return before && before != *at ? write_sizes_of(w, before - 1, s->time, e) : 0;
}

static int
write_step(struct writer *w, const struct step *s, struct error *e)
{
	static const char   letter[STEP_KINDS] = { 'F', 'X', 'T', 'P', 'G' };
	const struct trace *t = w->t;
	char		    text[200];
	int		    n;

	if (end_lives(w, s, e))
		return -1;
	n = snprintf(text, sizeof(text), "%" PRId64 " %u 0 %c %u 0 %u %" PRId64 "\n", s->time,
	    t->process[s->process].pid, letter[s->kind],
	    step_has_other(s) ? t->process[s->other].pid : 0, s->number, s->until - s->time);
	return output_bytes(w->out, text, (size_t)n, e);
}

/* The steps before an access, or those behind the last one. */
static int
write_steps(struct writer *w, size_t i, struct error *e)
{
	const struct trace *t = w->t;

	for (; w->nsteps < t->nsteps; w->nsteps++) {
		const struct placed *p = &w->placed[w->nsteps];

		if (i < t->naccess &&
		    (p->step->time > t->access[i].time ||
			(p->step->time == t->access[i].time && p->before > i)))
			return 0;
		if (write_step(w, p->step, e))
			return -1;
	}
	return 0;
}

/* A name with a line feed in it is left out. */
static int
write_names(const struct writer *w, struct error *e)
{
	const struct trace *t = w->t;

	for (file_t f = 0; f < t->nfiles; f++) {
		const char *name = t->file[f].name;
		char	    start[sizeof(NAME) + NUMBER_TEXT];

		if (!name || !*name || strpbrk(name, "\r\n"))
			continue;
		snprintf(start, sizeof(start), NAME "%" PRIu64 " ", t->file[f].inode);
		if (output_bytes(w->out, start, strlen(start), e) ||
		    output_bytes(w->out, name, strlen(name), e) || output_bytes(w->out, "\n", 1, e))
			return -1;
	}
	return 0;
}

/* ---- all lines ---- */

static int
write_lines(struct writer *w, struct error *e)
{
	static const char   header[] = HEADER " file_size offset length\n";
	const struct trace *t = w->t;

	if (output_bytes(w->out, header, strlen(header), e) || write_names(w, e) ||
	    (t->nsteps && place_steps(w, e)))
		return -1;
	for (size_t i = 0; i < t->naccess; i++)
		if ((i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e)) ||
		    (w->nsteps < t->nsteps && write_steps(w, i, e)) ||
		    (t->access[i].advised && write_advice(w, i, e)) ||
		    write_access(w, &t->access[i], e))
			return -1;
	return write_steps(w, t->naccess, e) || write_sizes(w, e) ? -1 : 0;
}

/* Reading the lines gives the same accesses, advice, steps, files and open files. */
static int
text_write(const struct trace *t, struct output *out, struct error *e)
{
	struct writer w = {
		.t = t,
		.out = out,
		.opening = calloc(t->nopen, sizeof(*w.opening)),
		.bytes = calloc(t->nfiles, sizeof(*w.bytes)),
	};
	int status = w.opening && w.bytes ? write_lines(&w, e) : error_no_memory(e);

	free(w.opening);
	free(w.bytes);
	map_release(&w.lives);
	free(w.placed);
	free(w.first_open);
	free(w.next_open);
	return status;
}

FORMAT(text,
    .plugin = { .name = "text",
	.summary = "text form: time_us pid fd op inode file_size offset length" },
    .ending = ".txt", .recognise = text_recognise, .read = text_read, .write = text_write);
