/*
 * accusim_write.c - write AccuSim's trace, .tr.
 *
 * Each process begins with a record of its start, each open file with an open,
 * and every call has its position.  Reading the file again gives the same
 * calls, files and open files.  What the format cannot hold is an error (files
 * from 4 GB on, 65,533 open files of one process, gaps of 71 minutes), or is
 * lost (advice, and inodes if one of them has more than 32 bits: then files
 * are numbered from 1).
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/bytes.h"
#include "traces/accusim.h"

enum { FIRST_FD = 3, FD_MAX = 65535 };

struct writer {
	const struct trace *t;
	struct output	   *out;
	uint32_t	   *fd;	     /* [nopen] */
	bool		   *used;    /* [nopen] */
	bool		   *started; /* [nprocesses] */
	bool		    numbers; /* instead of inodes */
	usec_t		    now;
};

static int
put_record(const struct writer *w, enum type type, uint32_t process, uint32_t word,
    const unsigned char *body, size_t n, struct error *e)
{
	unsigned char head[HEAD_BYTES];

	bytes_put_le32(head, (uint32_t)type | w->t->process[process].pid << 5);
	bytes_put_le32(head + 4, word);
	if (output_bytes(w->out, head, HEAD_BYTES, e))
		return -1;
	return n ? output_bytes(w->out, body, n, e) : 0;
}

static uint32_t
inode_of(const struct writer *w, file_t f)
{
	return w->numbers ? f + 1 : (uint32_t)w->t->file[f].inode;
}

static int
put_open(struct writer *w, const struct access *a, struct error *e)
{
	const struct open_file *f = &w->t->open[a->open];
	const char	       *name = w->t->file[f->file].name;
	size_t			n = name ? strnlen(name, NAME_BYTES_MAX) : 0;
	unsigned char		body[8];

	bytes_put_le32(body, (uint32_t)a->file_size);
	bytes_put_le16(body + 4, (uint32_t)n);
	bytes_put_le16(body + 6, w->fd[a->open]);
	w->used[a->open] = true;
	if (put_record(w, TYPE_OPEN, f->process, inode_of(w, f->file), body, sizeof(body), e))
		return -1;
	return n ? output_bytes(w->out, name, n, e) : 0;
}

static int
put_call(struct writer *w, const struct access *a, struct error *e)
{
	const struct open_file *f = &w->t->open[a->open];
	unsigned char		body[RWS_BYTES + 4] = { 0 };

	bytes_put_le32(body + 12, a->length);
	bytes_put_le32(body + 16, a->length);
	bytes_put_le16(body + 20, w->fd[a->open]);
	bytes_put_le32(body + 24, (uint32_t)(a->time - w->now));
	bytes_put_le32(body + 28, (uint32_t)a->file_size);
	bytes_put_le32(body + 32, (uint32_t)a->offset);
	w->now = a->time;
	return put_record(w, a->write ? TYPE_PWRITE : TYPE_PREAD, f->process, inode_of(w, f->file),
	    body, sizeof(body), e);
}

static int
check_call(const struct writer *w, const struct access *a, size_t i, struct error *e)
{
	uint64_t end = a->offset + a->length;

	if (end >= FILE_BYTES_MAX || a->file_size >= FILE_BYTES_MAX)
		return error_set(e,
		    "call %zu is on a file of 4 GB or more, which .tr cannot hold: write .bst or "
		    ".txt",
		    i + 1);
	if (a->time - w->now > UINT32_MAX)
		return error_set(e,
		    "call %zu comes more than 71 minutes after the one before, which .tr cannot "
		    "hold: write .bst or .txt",
		    i + 1);
	return 0;
}

static int
write_call(struct writer *w, size_t i, struct error *e)
{
	const struct access *a = &w->t->access[i];
	uint32_t	     process = w->t->open[a->open].process;
	bool		     starts = !w->started[process];

	if (check_call(w, a, i, e))
		return -1;
	w->started[process] = true;
	if (starts && put_record(w, TYPE_NEW, process, 0, NULL, 0, e))
		return -1;
	if ((!w->used[a->open] || a->fresh) && put_open(w, a, e))
		return -1;
	return put_call(w, a, e);
}

/* Each open file of a process has a descriptor of its own. */
static int
number_descriptors(struct writer *w, struct error *e)
{
	const struct trace *t = w->t;
	uint32_t	   *next = calloc(t->nprocesses, sizeof(*next));
	uint32_t	    most = 0;

	if (!next)
		return error_no_memory(e);
	for (uint32_t i = 0; i < t->nopen; i++) {
		w->fd[i] = FIRST_FD + next[t->open[i].process]++;
		most = w->fd[i] > most ? w->fd[i] : most;
	}
	free(next);
	if (most > FD_MAX)
		return error_set(e,
		    "a process has 65,533 open files or more, which .tr cannot hold: write .bst or "
		    ".txt");
	return 0;
}

static int
write_calls(struct writer *w, struct error *e)
{
	const struct trace *t = w->t;

	if (number_descriptors(w, e))
		return -1;
	for (uint32_t p = 0; p < t->nprocesses; p++)
		if (t->process[p].pid > PID_MAX)
			return error_set(e, "pid %u is one that .tr cannot hold",
			    t->process[p].pid);
	for (file_t f = 0; f < t->nfiles; f++)
		w->numbers |= t->file[f].inode > UINT32_MAX;
	for (size_t i = 0; i < t->naccess; i++)
		if ((i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e)) ||
		    write_call(w, i, e))
			return -1;
	return 0;
}

int
accusim_write(const struct trace *t, struct output *out, struct error *e)
{
	struct writer w = {
		.t = t,
		.out = out,
		.fd = calloc(t->nopen, sizeof(*w.fd)),
		.used = calloc(t->nopen, sizeof(*w.used)),
		.started = calloc(t->nprocesses, sizeof(*w.started)),
	};
	int status = w.fd && w.used && w.started ? write_calls(&w, e) : error_no_memory(e);

	free(w.fd);
	free(w.used);
	free(w.started);
	return status;
}
