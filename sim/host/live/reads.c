/* reads.c - a trace made of the reads of another. */
#include "sim/host/live/reads.h"
#include "sim/host/live/scratch.h"
#include "sim/trace/format.h"

struct selection {
	const struct trace *t;
	usec_t		    spacing;
	size_t		    next;
	bool		    opened; /* before the next access */
};

/* Pass the writes before the next read. */
static bool
find_read(struct selection *s)
{
	while (s->next < s->t->naccess && s->t->access[s->next].write)
		s->next++;
	return s->next < s->t->naccess;
}

static int
read_next(void *self, struct input *in, struct record *r, struct error *e)
{
	struct selection    *s = self;
	const struct access *a;

	if (!find_read(s))
		return 0;
	a = &s->t->access[s->next];
	*r = (struct record){
		.time = s->spacing ? (usec_t)s->next * s->spacing : a->time,
		.pid = s->t->process[s->t->open[a->open].process].pid,
		.fd = a->open,
		.op = OP_OPEN,
		.inode = s->t->open[a->open].file + 1,
		.file_size = s->t->file[s->t->open[a->open].file].bytes,
	};
	s->opened = a->fresh && !s->opened;
	if (s->opened)
		return 1;
	r->op = OP_READ;
	r->offset = a->offset;
	r->length = a->length;
	s->next++;
	return 1;
}

int
reads_select(struct trace *reads, const struct trace *t, usec_t spacing, struct error *e)
{
	const struct trace_options options = { .block_bytes = SCRATCH_PAGE };
	struct selection	   s = { .t = t, .spacing = spacing };

	if (trace_check(t, 0, t->naccess, e))
		return -1;
	if (!find_read(&s))
		return error_set(e, "%s: it has no reads", t->name);
	return trace_make(reads, t->name, &options, read_next, &s, e);
}
