/*
 * record.c - from the log of a recorder to a trace.
 *
 * Records come from the format of the log, which is read while it is
 * written.  Here they get the file that their path leads to.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/text.h"
#include "sim/host/record/child.h"
#include "sim/host/record/files.h"
#include "sim/host/record/record.h"
#include "sim/host/record/tracer.h"
#include "sim/trace/format.h"

enum {
	BLOCK_BYTES = 1 << 20, /* any size will do; the largest allows the largest files */
	LEAST_US = 1000,       /* a shorter run is not measured */
	FIRST_FD = 1 << 30,    /* of mappings: no program has so many descriptors */
	INTERRUPTED = 128
};

struct session {
	const struct record_options *o;
	struct recorded		    *r;
	struct tracer		     tracer;
	struct files		     files;
	uint32_t		    *file; /* [1 .. ]: of each that the format tells apart */
	uint32_t		     nfiles, file_capacity;
	uint32_t		     named; /* of the files of this machine, the last with a name */
	struct input		    *in;
	void			    *format; /* its state */
	uint32_t		     fault;  /* the next one; after the log */
	bool			     log_ended;
};

int
record_check(const struct record_options *o, struct error *e)
{
	char *path = child_find(o->argv[0], e);

	if (!path)
		return -1;
	free(path);
	return 0;
}

/* ---- the run without a recorder ---- */

/* Standard input that can be read only once is for the recording. */
static bool
is_once(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* Read from disks by the children that have ended. */
static uint64_t
disk_bytes(void)
{
	struct rusage used;

	return getrusage(RUSAGE_CHILDREN, &used) ? 0 : (uint64_t)used.ru_inblock * SECTOR_BYTES;
}

/* Its exit status; -1: it was not started, or a signal ended both it and bufsim. */
static int
run_untraced(const struct record_options *o, struct recorded *r, struct error *e)
{
	char	*path = child_find(o->argv[0], e);
	usec_t	 start = child_clock();
	uint64_t before = disk_bytes();
	off_t	 at = lseek(STDIN_FILENO, 0, SEEK_CUR);
	pid_t	 child = path ? child_start(path, o->argv, CHILD_QUIET, e) : -1;
	int	 status;
	bool	 sent;

	free(path);
	if (child < 0)
		return -1;
	status = child_wait(child);
	r->untraced_us = child_clock() - start;
	r->cold_bytes = disk_bytes() - before;
	if (at >= 0)
		lseek(STDIN_FILENO, at, SEEK_SET);
	if (!child_signal(&sent) || status <= INTERRUPTED)
		return status;
	error_set(e, "interrupted in the first run, which is without %s: nothing is recorded",
	    o->recorder->name);
	e->exit_code = status;
	return -1;
}

static int
measure(const struct record_options *o, struct recorded *r, int *status, struct error *e)
{
	r->untraced_us = -1;
	if (!o->baseline) {
		snprintf(r->unscaled, RECORD_WHY, "--no-baseline");
		return 0;
	}
	if (is_once()) {
		snprintf(r->unscaled, RECORD_WHY, "standard input is a pipe, which one run reads");
		return 0;
	}
	if (isatty(STDERR_FILENO))
		fprintf(stderr,
		    "bufsim: first run, without %s, to measure its time (--no-baseline skips it)\n",
		    o->recorder->name);
	*status = run_untraced(o, r, e);
	if (*status >= 0 && isatty(STDERR_FILENO))
		fputs("bufsim: second run, recorded\n", stderr);
	return *status < 0 ? -1 : 0;
}

double
record_factor(usec_t untraced_us, usec_t traced_us)
{
	return untraced_us >= 0 && untraced_us < traced_us ? (double)untraced_us / (double)traced_us
							   : 1;
}

/* ---- records ---- */

static uint64_t
clipped(uint64_t offset, uint64_t length, uint64_t size)
{
	uint64_t rest = offset < size ? size - offset : 0;

	return size == SIZE_UNKNOWN || length < rest ? length : rest;
}

/* The format has met a file: which one is it here? */
static int
find_file(struct session *s, const struct record *r, struct error *e)
{
	uint32_t *grown;

	if (r->inode != s->nfiles + 1)
		return error_set(e, "files out of order");
	grown = array_grow(s->file, r->inode, &s->file_capacity, sizeof(*grown));
	if (!grown)
		return error_no_memory(e);
	s->file = grown;
	s->file[++s->nfiles] = files_find(&s->files, r->path, true, e);
	return s->file[s->nfiles] ? 0 : -1;
}

/* The number of its file, whatever path led there, or by the key that the recorder gave it. */
static int
number_file(struct session *s, struct record *r, struct error *e)
{
	if (!s->o->recorder->by_path) {
		r->inode = files_keyed(&s->files, r->inode, r->op == OP_NAME ? r->path : NULL, e);
		return r->inode ? 0 : -1;
	}
	if (r->op == OP_NAME && find_file(s, r, e))
		return -1;
	r->inode = s->file[r->inode];
	return 0;
}

/* The record gets the number of its file, or the name if it is a name. */
static int
name_file(struct session *s, struct record *r, struct error *e)
{
	const char *name;
	uint64_t    size;

	if (!r->inode)
		return 0;
	if (number_file(s, r, e))
		return -1;
	name = files_name(&s->files, (uint32_t)r->inode, &size);
	if (r->op == OP_NAME) {
		r->path = name;
		s->named = s->files.n;
	} else if (r->file_size == SIZE_UNKNOWN && size != UINT64_MAX) {
		r->file_size = size;
	}
	if (r->op == OP_MMAP) {
		s->r->mappings++;
		s->r->mapped_bytes += clipped(r->offset, r->length, r->file_size);
	}
	return 0;
}

/* The next fault on a file that is known, as a read of its page. */
static int
next_fault(struct session *s, struct record *r, struct error *e)
{
	struct faults *f = &s->tracer.faults;
	const char    *name;
	uint64_t       size;
	uint32_t       file;

	for (; s->fault < f->n; s->fault++) {
		const struct fault *fault = &f->fault[s->fault];

		file = files_find(&s->files, f->paths.name[fault->path], false, e);
		if (!file)
			return -1;
		name = files_name(&s->files, file, &size);
		if (size == UINT64_MAX || fault->offset >= size)
			continue;
		if (file > s->named) { /* no call has opened it */
			s->named = file;
			*r = (struct record){ .op = OP_NAME,
				.inode = file,
				.path = name,
				.file_size = SIZE_UNKNOWN };
			return 1;
		}
		*r = (struct record){ .time = fault->time,
			.pid = fault->pid,
			.fd = FIRST_FD + file,
			.op = OP_READ,
			.inode = file,
			.file_size = size,
			.offset = fault->offset,
			.length = clipped(fault->offset, FAULT_BYTES, size) };
		s->fault++;
		s->r->faults++;
		return 1;
	}
	return 0;
}

/* A line that the format does not understand is left out, and counted. */
static int
next_call(struct session *s, struct record *r, struct error *e)
{
	struct error why;
	uint64_t     line;
	int	     status;

	for (;;) {
		line = input_line_number(s->in);
		why = (struct error){ 0 };
		status = s->o->format->read(s->format, s->in, r, &why);
		if (status >= 0)
			return status;
		if (input_line_number(s->in) == line) {
			*e = why;
			return -1;
		}
		if (!s->r->skipped++)
			text_clean(s->r->first_skipped, RECORD_WHY, why.text);
		*r = (struct record){ .file_size = SIZE_UNKNOWN };
	}
}

/* Faults follow the calls; the trace puts both in the order of time. */
static int
read_record(void *self, struct input *none, struct record *r, struct error *e)
{
	struct session *s = self;
	int		status = s->log_ended ? 0 : next_call(s, r, e);

	if (status > 0)
		return name_file(s, r, e) ? -1 : 1;
	if (status < 0)
		return -1;
	if (!s->log_ended && s->o->faults) {
		tracer_end_faults(&s->tracer);
		faults_place(&s->tracer.faults, s->tracer.log.began);
	}
	s->log_ended = true;
	return next_fault(s, r, e);
}

/* ---- the recorded run ---- */

static bool
saw_nothing(const struct tracer *t)
{
	return t->recorder->attaches ? !t->log.began && !t->log.ended : !t->log.lines;
}

static int
explain_nothing(const struct recorder *r, int status, struct error *e)
{
	if (r->attaches)
		return error_set(e,
		    "%s saw nothing of the program: where processes have other numbers than in the "
		    "kernel, as in a container, type --with strace",
		    r->name);
	return error_set(e, "%s wrote nothing and ended with status %d: %s", r->name, status,
	    r->nothing);
}

static int
make_trace(struct session *s, struct trace *t, struct error *e)
{
	const struct trace_options how = { .block_bytes = BLOCK_BYTES };

	s->format = plugin_state(&s->o->format->plugin, NULL, e);
	s->in = s->format ? input_from(tracer_read, &s->tracer, e) : NULL;
	return s->in ? trace_make(t, s->o->argv[0], &how, read_record, s, e) : -1;
}

/* What was learnt from the lines of the log. */
static void
take_facts(const struct session *s)
{
	const struct log *l = &s->tracer.log;

	s->r->cut = !l->over;
	s->r->rings = l->rings;
	s->r->ring_requests = l->ring_requests;
	s->r->aio_requests = l->aio_requests;
	s->r->lost = l->lost;
	if (l->over && l->ended > l->began)
		s->r->traced_us = l->ended - l->began;
}

static void
choose_factor(const struct record_options *o, struct recorded *r, int untraced_status)
{
	r->factor = 1;
	if (r->untraced_us < 0)
		return;
	if (untraced_status != r->status)
		snprintf(r->unscaled, RECORD_WHY, "without %s it ended with status %d",
		    o->recorder->name, untraced_status);
	else if (r->traced_us < LEAST_US)
		snprintf(r->unscaled, RECORD_WHY, "it is too short to be measured");
	else
		r->factor = record_factor(r->untraced_us, r->traced_us);
}

/* The trace is made; it looks like one of the recorder's log. */
static int
finish(struct session *s, struct trace *t, struct error *e)
{
	if (files_number(&s->files, t, e))
		return -1;
	trace_scale(t, s->r->factor);
	t->out_of_order = 0; /* faults were sorted into place */
	t->format = t->source.format = s->o->format->plugin.name;
	t->source.xxh3 = input_checksum(s->in, &t->source.bytes);
	t->fingerprint = 0;
	trace_take_fingerprint(t);
	return 0;
}

static int
trace_program(struct session *s, struct trace *t, int untraced_status, struct error *e)
{
	int failed;

	if (tracer_start(&s->tracer, s->o->recorder, s->o->argv, s->o->faults, e))
		return -1;
	failed = make_trace(s, t, e);
	s->r->status = tracer_end(&s->tracer);
	s->r->traced_us = child_clock() - s->tracer.began;
	take_facts(s);
	choose_factor(s->o, s->r, untraced_status);
	if (*s->tracer.log.refused) {
		error_set(e, "%s: cannot be started: %s", s->o->argv[0], s->tracer.log.refused);
		e->exit_code = CHILD_NOT_EXECUTABLE;
		if (!failed)
			trace_release(t);
		return -1;
	}
	if (saw_nothing(&s->tracer)) {
		if (!failed)
			trace_release(t);
		return explain_nothing(s->o->recorder, s->r->status, e);
	}
	if (failed)
		return -1;
	failed = finish(s, t, e);
	if (failed)
		trace_release(t);
	return failed;
}

int
record_run(struct trace *t, const struct record_options *o, struct recorded *r, struct error *e)
{
	struct session s = { .o = o, .r = r };
	int	       untraced_status = 0, failed;

	*r = (struct recorded){ 0 };
	failed = measure(o, r, &untraced_status, e) || trace_program(&s, t, untraced_status, e);
	input_close(s.in);
	if (s.format)
		plugin_free(s.format, o->format->release);
	tracer_release(&s.tracer);
	files_release(&s.files);
	free(s.file);
	return failed ? -1 : 0;
}
