/*
 * builder.c - records in, accesses out.
 *
 * Inodes or paths become files numbered by first use, (pid, fd) pairs become
 * open files, and files are laid end to end so that a block is one number.
 * An access through a descriptor that was never opened, or that last belonged
 * to another file, opens it.  When a descriptor is closed, its open-file
 * number is reused by the same process for the same file.  Advice and steps
 * change none of these numbers; place_advice.h and place_steps.h put them in
 * their places.
 *
 * A pid that is started again is another process: it has several lives.  What
 * a child does may be recorded before its start is, with later times.
 *
 * Cost: one hash look-up a record, none while a descriptor repeats; memory
 * is the array of accesses, 32 bytes each.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/base/memory.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/trace/builder.h"
#include "sim/trace/holes.h"
#include "sim/trace/place_advice.h"
#include "sim/trace/place_steps.h"
#include "sim/trace/store.h"

#define LENGTH_MAX ((uint64_t)INT32_MAX)
#define VOLUME_BYTES_MAX ((uint64_t)1 << 50) /* 1 PiB; holes are cut out of it */

enum { TOUCH_BYTES = 1 << 30 }; /* a touched mapping is read in calls of this size */

/* A descriptor number of a pid. */
struct descriptor {
	uint64_t file; /* identity: inode, or number of the path */
	uint32_t slot; /* open-file number + 1; NIL before the first access */
	uint32_t next; /* of the same pid, since its last exit */
	uint32_t hint; /* latest advice through it since the last read: place + 1, or NIL */
	bool	 open, listed;
	bool	 was_read; /* since it was opened */
};

/* A life of a pid. */
struct pid {
	uint32_t pid;
	uint32_t descriptors; /* list head */
	uint32_t process;     /* number + 1; NIL before its first access */
	uint32_t name;	      /* or NIL */
	usec_t	 since;	      /* its first record */
	bool	 started;     /* by another process, in the trace */
	bool	 starts;      /* other processes */
	bool	 awaited;     /* by another process */
};

/* Open-file numbers of one (process, file) that are not open: a list. */
struct slot {
	uint32_t next_free;
	uint32_t pair;
};

struct builder {
	struct trace *t;
	const char   *params; /* of --format, or NULL */
	bool	      touch_mmaps;
	struct map    pid_map, descriptor_map, file_map, pair_map;
	struct map    name_map; /* inode -> number of its name, from 1 */
	struct names  paths, process_names, file_names;

	struct pid	  *pid;	       /* [1 .. npids] */
	struct descriptor *descriptor; /* [1 .. ndescriptors] */
	struct slot	  *slot;       /* beside trace.open */
	struct store	   store;      /* becomes trace.access */
	struct hint	  *hint;
	struct advice	  *advice; /* becomes trace.advice */
	struct mark	  *mark;
	struct step	  *step; /* becomes trace.step */
	uint32_t	  *pair; /* [1 .. npairs]: head of its free slots */
	uint32_t	   npids, ndescriptors, npairs;
	uint32_t	   pid_capacity, descriptor_capacity, slot_capacity, pair_capacity;
	uint32_t	   open_capacity, file_capacity, process_capacity;
	uint32_t	   nhints, hint_capacity, nmarks, mark_capacity;

	void	*grown;	      /* for GROW */
	uint64_t limit_bytes; /* no file may reach further */
	usec_t	 latest;
	usec_t	 now; /* time of the record */
	bool	 has_starts;
	bool	 reopened;   /* an open-file number stands for several opens */
	uint64_t last_named; /* pid; no pid: none */
	uint32_t last_pid, last_fd, last_descriptor; /* of the last look-up */
	uint32_t last_path;			     /* number, or 0 */
	uint64_t volume_identity;		     /* of last_volume */
	uint32_t last_volume;			     /* NIL: none yet */
};

/* Room for array[n], or an error: 0 or -1. */
#define GROW(array, n, capacity)                                                                   \
	((b->grown = array_grow((array), (n), &(capacity), sizeof(*(array))))                      \
		? ((array) = b->grown, 0)                                                          \
		: error_no_memory(e))

/* ---- descriptors ---- */

/* A new life of a pid. */
static int
begin_life(struct builder *b, uint32_t pid, uint32_t *number, struct error *e)
{
	if (GROW(b->pid, (size_t)b->npids + 1, b->pid_capacity))
		return -1;
	*number = ++b->npids;
	b->pid[*number] = (struct pid){ .pid = pid, .since = b->now };
	return 0;
}

static struct pid *
find_pid(struct builder *b, uint32_t pid, struct error *e)
{
	uint32_t *number = map_at(&b->pid_map, pid);

	if (!number) {
		error_no_memory(e);
		return NULL;
	}
	return *number || !begin_life(b, pid, number, e) ? &b->pid[*number] : NULL;
}

static struct descriptor *
find_descriptor(struct builder *b, uint32_t pid, uint32_t fd, struct error *e)
{
	uint32_t *number;

	if (likely(pid == b->last_pid && fd == b->last_fd && b->last_descriptor))
		return &b->descriptor[b->last_descriptor];
	number = map_at(&b->descriptor_map, (uint64_t)pid << 32 | fd);
	if (!number) {
		error_no_memory(e);
		return NULL;
	}
	if (!*number) {
		if (GROW(b->descriptor, (size_t)b->ndescriptors + 1, b->descriptor_capacity))
			return NULL;
		*number = ++b->ndescriptors;
		b->descriptor[*number] = (struct descriptor){ 0 };
	}
	b->last_pid = pid;
	b->last_fd = fd;
	b->last_descriptor = *number;
	return &b->descriptor[*number];
}

static void
close_descriptor(struct builder *b, struct descriptor *d)
{
	if (d->slot) {
		struct slot *s = &b->slot[d->slot - 1];

		s->next_free = b->pair[s->pair];
		b->pair[s->pair] = d->slot;
	}
	d->slot = d->hint = NIL;
	d->open = d->was_read = false;
}

/* The descriptor is now freshly opened on this file. */
static int
open_descriptor(struct builder *b, struct descriptor *d, uint32_t pid, uint64_t file,
    struct error *e)
{
	struct pid *p;

	close_descriptor(b, d);
	d->open = true;
	d->file = file;
	if (d->listed)
		return 0;
	p = find_pid(b, pid, e);
	if (!p)
		return -1;
	d->next = p->descriptors;
	p->descriptors = (uint32_t)(d - b->descriptor);
	d->listed = true;
	return 0;
}

/* The open is not in the trace: earlier advice was about this file already. */
static int
open_unseen(struct builder *b, struct descriptor *d, uint32_t pid, uint64_t file, struct error *e)
{
	uint32_t hint = !d->open && d->file == file ? d->hint : NIL;

	if (open_descriptor(b, d, pid, file, e))
		return -1;
	d->hint = hint;
	return 0;
}

static int
exit_pid(struct builder *b, uint32_t pid, struct error *e)
{
	struct pid *p = find_pid(b, pid, e);

	if (!p)
		return -1;
	for (uint32_t i = p->descriptors; i; i = b->descriptor[i].next) {
		close_descriptor(b, &b->descriptor[i]);
		b->descriptor[i].listed = false;
	}
	p->descriptors = NIL;
	return 0;
}

/* ---- files and open files ---- */

/* These three return a number from 1, or NIL: out of memory. */
static uint32_t
find_file(struct builder *b, uint64_t identity, struct error *e)
{
	struct trace *t = b->t;
	uint32_t     *number = map_at(&b->file_map, identity);

	if (!number) {
		error_no_memory(e);
		return NIL;
	}
	if (!*number) {
		if (GROW(t->file, t->nfiles, b->file_capacity))
			return NIL;
		t->file[t->nfiles] = (struct file){ .inode = identity };
		*number = ++t->nfiles;
	}
	return *number;
}

static uint32_t
process_of(struct builder *b, struct pid *p, struct error *e)
{
	struct trace *t = b->t;

	if (!p->process) {
		if (GROW(t->process, t->nprocesses, b->process_capacity))
			return NIL;
		t->process[t->nprocesses] =
		    (struct traced){ p->pid, p->name ? b->process_names.name[p->name] : NULL };
		p->process = ++t->nprocesses;
	}
	return p->process;
}

static uint32_t
find_process(struct builder *b, uint32_t pid, struct error *e)
{
	struct pid *p = find_pid(b, pid, e);

	return p ? process_of(b, p, e) : NIL;
}

static uint32_t
find_pair(struct builder *b, uint32_t process, uint32_t file, struct error *e)
{
	uint32_t *number = map_at(&b->pair_map, (uint64_t)process << 32 | file);

	if (!number) {
		error_no_memory(e);
		return NIL;
	}
	if (!*number) {
		if (GROW(b->pair, (size_t)b->npairs + 1, b->pair_capacity))
			return NIL;
		*number = ++b->npairs;
		b->pair[*number] = NIL;
	}
	return *number;
}

/* First access through a descriptor: give it an open-file number. */
static int
take_slot(struct builder *b, struct descriptor *d, uint32_t pid, struct error *e)
{
	struct trace *t = b->t;
	uint32_t      file = find_file(b, d->file, e);
	uint32_t      process = find_process(b, pid, e);
	uint32_t      pair = file && process ? find_pair(b, process, file, e) : NIL;

	if (!pair)
		return -1;
	if (!b->pair[pair]) {
		if (GROW(t->open, t->nopen, b->open_capacity) ||
		    GROW(b->slot, t->nopen, b->slot_capacity))
			return -1;
		t->open[t->nopen] = (struct open_file){ file - 1, process - 1 };
		b->slot[t->nopen] = (struct slot){ NIL, pair };
		b->pair[pair] = ++t->nopen;
	} else {
		b->reopened = true;
	}
	d->slot = b->pair[pair];
	b->pair[pair] = b->slot[d->slot - 1].next_free;
	return 0;
}

/* ---- accesses ---- */

static struct access *
next_access(struct builder *b, struct error *e)
{
	struct trace *t = b->t;

	if (unlikely(t->naccess == b->store.capacity) && store_grow(&b->store, t->naccess, e))
		return NULL;
	store_pass(&b->store, t->naccess);
	return &b->store.access[t->naccess++];
}

static int
check_size(const struct builder *b, const struct record *r, struct error *e)
{
	char size[NUMBER_TEXT], most[NUMBER_TEXT], hint[HINT_ROOM];

	if (r->file_size == SIZE_UNKNOWN || r->file_size <= b->limit_bytes)
		return 0;
	return error_set(e, "a file of %s is beyond the largest, %s with blocks of %u%s",
	    number_disk(size, r->file_size), number_disk(most, b->limit_bytes), b->t->block_bytes,
	    trace_block_hint(hint, b->t->block_bytes, r->file_size, b->limit_bytes));
}

static int
check_extent(const struct builder *b, const struct record *r, struct error *e)
{
	char	 hint[HINT_ROOM];
	uint64_t end = r->offset + (r->length < UINT64_MAX - r->offset ? r->length : 0);

	if (r->length > LENGTH_MAX)
		return error_set(e, "one call cannot move %llu bytes (at most %llu)",
		    (unsigned long long)r->length, (unsigned long long)LENGTH_MAX);
	if (r->offset <= b->limit_bytes && r->length <= b->limit_bytes - r->offset)
		return check_size(b, r, e);
	if (b->t->lacks & LACKS_FILES)
		return error_set(e, "offset %llu is beyond any volume (1 PiB): is its unit right?",
		    (unsigned long long)r->offset);
	return error_set(e,
	    "offset %llu is beyond the largest file, %llu bytes with blocks of %u%s",
	    (unsigned long long)r->offset, (unsigned long long)b->limit_bytes, b->t->block_bytes,
	    trace_block_hint(hint, b->t->block_bytes, end, b->limit_bytes));
}

/* Sizes count only for files that are used: those whose descriptor has a number. */
static void
learn_size(struct builder *b, const struct record *r, const struct descriptor *d)
{
	uint64_t *bytes;

	if (!d->slot || r->file_size == SIZE_UNKNOWN || r->file_size > b->limit_bytes)
		return;
	bytes = &b->t->file[b->t->open[d->slot - 1].file].bytes;
	if (r->file_size > *bytes)
		*bytes = r->file_size;
}

/* A read has followed: the earlier advice of the descriptor is about this open file. */
static void
confirm_hints(struct builder *b, struct descriptor *d)
{
	for (; d->hint; d->hint = b->hint[d->hint - 1].next) {
		b->hint[d->hint - 1].advice.open = d->slot - 1;
		b->hint[d->hint - 1].advice.own = true;
	}
}

static int
add_access(struct builder *b, const struct record *r, uint64_t identity, struct error *e)
{
	struct descriptor *d;
	struct access	  *a;
	uint64_t	  *bytes;
	bool		   read = r->op != OP_WRITE;

	if (check_extent(b, r, e))
		return -1;
	d = find_descriptor(b, r->pid, r->fd, e);
	if (!d || ((!d->open || d->file != identity) && open_unseen(b, d, r->pid, identity, e)))
		return -1;
	if (!d->slot && take_slot(b, d, r->pid, e))
		return -1;
	a = next_access(b, e);
	if (!a)
		return -1;
	*a = (struct access){ .time = r->time,
		.offset = r->offset,
		.file_size = r->file_size,
		.length = r->length & INT32_MAX,
		.open = (d->slot - 1) & OPENS_MAX,
		.write = !read,
		.fresh = read && !d->was_read };

	if (read)
		confirm_hints(b, d);
	d->was_read |= read && b->t->stream_by != STREAM_NONE;
	if (r->length > b->t->longest_bytes)
		b->t->longest_bytes = (uint32_t)r->length;
	bytes = &b->t->file[b->t->open[a->open].file].bytes;
	if (r->offset + r->length > *bytes)
		*bytes = r->offset + r->length;
	learn_size(b, r, d);
	if (b->t->naccess == 1 || r->time > b->latest)
		b->latest = r->time;
	b->t->out_of_order += r->time < b->latest;
	return 0;
}

/* A mapping, read through once, in pieces because one call moves less than 2 GB. */
static int
touch(struct builder *b, const struct record *mapping, uint64_t identity, struct error *e)
{
	struct record r = *mapping;
	uint64_t      left = r.length;

	if (r.file_size != SIZE_UNKNOWN) {
		uint64_t rest = r.offset < r.file_size ? r.file_size - r.offset : 0;

		left = left < rest ? left : rest;
	}
	for (r.op = OP_READ; left; left -= r.length, r.offset += r.length) {
		r.length = left < TOUCH_BYTES ? left : TOUCH_BYTES;
		if (add_access(b, &r, identity, e))
			return -1;
	}
	return 0;
}

static int
move(struct builder *b, const struct record *r, uint64_t identity, struct error *e)
{
	struct trace *t = b->t;

	if (!r->length) {
		t->empty_calls++;
		return 0;
	}
	t->reads += r->op == OP_READ;
	t->writes += r->op == OP_WRITE;
	return add_access(b, r, identity, e);
}

/* Advice opens no file: that would change the order in which numbers are reused. */
static int
advise(struct builder *b, const struct record *r, uint64_t identity, struct error *e)
{
	struct descriptor *d;
	struct pid	  *p;
	struct hint	  *h;

	b->t->advices++;
	if (r->advice == ADVICE_KINDS)
		return 0;
	d = find_descriptor(b, r->pid, r->fd, e);
	p = find_pid(b, r->pid, e);
	if (!d || !p || GROW(b->hint, b->nhints, b->hint_capacity))
		return -1;
	if (!d->open && d->file != identity) {
		d->file = identity;
		d->hint = NIL;
	}
	h = &b->hint[b->nhints++];
	*h = (struct hint){
		.advice = { .offset = r->offset,
		    .length = r->length > UINT64_MAX - r->offset ? 0 : r->length,
		    .file_size = r->file_size,
		    .kind = r->advice & ADVICE_KIND_MASK },
		.at = { r->time, b->t->naccess },
		.identity = identity,
		.pid = (uint32_t)(p - b->pid),
	};
	if (d->file == identity) {
		h->next = d->hint;
		d->hint = b->nhints;
	}
	return 0;
}

/* ---- steps ---- */

static int
add_mark(struct builder *b, const struct record *r, enum step_kind kind, uint32_t other,
    struct error *e)
{
	struct pid *p = find_pid(b, r->pid, e);
	bool	    waits = kind == STEP_WAIT || kind == STEP_RECEIVE;

	if (!p || GROW(b->mark, b->nmarks, b->mark_capacity))
		return -1;
	b->mark[b->nmarks++] = (struct mark){
		.step = { .time = r->time,
		    .until = r->time + (waits ? r->lasts : 0),
		    .process = (uint32_t)(p - b->pid),
		    .other = other,
		    .kind = kind,
		    .number = r->number },
		.at = { r->time, b->t->naccess },
	};
	return 0;
}

static int
check_child(const struct record *r, struct error *e)
{
	bool any = r->op == OP_WAIT && !r->child;

	if (r->child == r->pid && r->op != OP_SEND && !any)
		return error_set(e, "process %u cannot be its own child", r->pid);
	if (r->lasts < 0 || r->lasts > SPAN_MAX_US || r->time > INT64_MAX - r->lasts)
		return error_set(e, "a wait of more than 142 years");
	return 0;
}

/* A life that has begun after this start, and has no other, is the child's. */
static int
start_child(struct builder *b, const struct record *r, struct error *e)
{
	uint32_t   *child;
	struct pid *p = find_pid(b, r->pid, e);

	if (!p)
		return -1;
	p->starts = true;
	child = map_at(&b->pid_map, r->child);
	if (!child)
		return error_no_memory(e);
	if (*child && (b->pid[*child].started || b->pid[*child].since < r->time)) {
		if (exit_pid(b, r->child, e))
			return -1;
		child = map_at(&b->pid_map, r->child);
		*child = NIL;
	}
	if (!*child && begin_life(b, r->child, child, e))
		return -1;
	b->pid[*child].started = b->pid[*child].awaited = true;
	b->has_starts = true;
	return add_mark(b, r, STEP_START, *child, e);
}

/* A process that is not in the trace is not waited for. */
static int
await(struct builder *b, const struct record *r, enum step_kind kind, struct error *e)
{
	uint32_t *other;

	if (kind == STEP_WAIT && !r->child)
		return add_mark(b, r, kind, STEP_ANY, e);
	other = map_at(&b->pid_map, r->child);
	if (!other)
		return error_no_memory(e);
	if (!*other)
		return 0;
	b->pid[*other].awaited = true;
	return add_mark(b, r, kind, *other, e);
}

static int
add_step(struct builder *b, const struct record *r, struct error *e)
{
	if (check_child(r, e))
		return -1;
	switch (r->op) {
	case OP_START:
		b->t->starts++;
		return start_child(b, r, e);
	case OP_WAIT:
		b->t->waits++;
		return await(b, r, STEP_WAIT, e);
	case OP_RECEIVE:
		b->t->transfers++;
		return await(b, r, STEP_RECEIVE, e);
	default:
		b->t->transfers++;
		return add_mark(b, r, STEP_SEND, NIL, e);
	}
}

/* The end of a process that no other one has started or awaited makes no difference. */
static bool
mark_matters(const struct builder *b, const struct mark *m)
{
	const struct pid *p = &b->pid[m->step.process];

	if (m->step.kind == STEP_EXIT)
		return p->awaited;
	return m->step.kind != STEP_WAIT || m->step.other != STEP_ANY || p->starts;
}

/* Lives become processes; only a trace that has a start has steps. */
static int
resolve_marks(struct builder *b, struct error *e)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; b->has_starts && i < b->nmarks; i++) {
		struct mark *m = &b->mark[i];
		uint32_t     process, other = 1;

		if (!mark_matters(b, m))
			continue;
		process = process_of(b, &b->pid[m->step.process], e);
		if (m->step.other && m->step.other != STEP_ANY)
			other = process_of(b, &b->pid[m->step.other], e);
		if (!process || !other)
			return -1;
		m->step.process = process - 1;
		if (m->step.other != STEP_ANY)
			m->step.other = other - 1;
		b->mark[kept++] = *m;
	}
	b->nmarks = kept;
	return 0;
}

/* ---- any record ---- */

/*
 * A call without a descriptor: each file has its own in each process.  A call to a volume: the
 * process becomes that of its stream.  -1: out of memory.
 */
static int
choose_stream(struct builder *b, struct record *r, uint64_t identity, struct error *e)
{
	uint32_t file = b->last_volume;
	uint64_t name = 0;

	if (unlikely(!file || identity != b->volume_identity)) {
		file = b->last_volume = find_file(b, identity, e);
		b->volume_identity = identity;
	}
	if (!file)
		return -1;
	r->fd = file;
	if (!(b->t->lacks & LACKS_FILES))
		return 0;
	if (b->t->stream_by == STREAM_VOLUME)
		r->pid = file;
	if (b->t->stream_by == STREAM_NONE)
		r->pid = 1;
	if (b->t->stream_by != STREAM_PROCESS_NAME)
		return 0;
	name = names_intern(&b->process_names, r->process_name ? r->process_name : "");
	r->pid = (uint32_t)name;
	return name ? 0 : error_no_memory(e);
}

static int
add_record(struct builder *b, const struct record *r, uint64_t identity, struct error *e)
{
	struct trace	  *t = b->t;
	struct descriptor *d;

	switch (r->op) {
	case OP_READ:
	case OP_WRITE:
		return move(b, r, identity, e);
	case OP_OPEN:
		t->opens++;
		d = find_descriptor(b, r->pid, r->fd, e);
		return d ? open_descriptor(b, d, r->pid, identity, e) : -1;
	case OP_CLOSE:
		t->closes++;
		d = find_descriptor(b, r->pid, r->fd, e);
		if (!d)
			return -1;
		if (d->open && d->file == identity)
			learn_size(b, r, d);
		close_descriptor(b, d);
		return 0;
	case OP_EXIT:
		t->exits++;
		return exit_pid(b, r->pid, e) || add_mark(b, r, STEP_EXIT, NIL, e) ? -1 : 0;
	case OP_MMAP:
		t->mmaps++;
		t->mmap_bytes += r->length;
		return b->touch_mmaps ? touch(b, r, identity, e) : 0;
	case OP_ADVISE:
		return advise(b, r, identity, e);
	case OP_NAME:
		break;
	case OP_START:
	case OP_WAIT:
	case OP_SEND:
	case OP_RECEIVE:
		return add_step(b, r, e);
	}
	ASSERT(0);
	return -1;
}

static int
add_name(struct builder *b, const struct record *r, struct error *e)
{
	uint32_t *name = map_at(&b->name_map, r->inode);

	if (name)
		*name = names_intern(&b->file_names, r->path);
	return name && *name ? 0 : error_no_memory(e);
}

/* The number of a path, which is often that of the record before; 0: out of memory. */
static uint32_t
number_path(struct builder *b, const char *path)
{
	if (unlikely(!b->last_path || strcmp(b->paths.name[b->last_path], path) != 0))
		b->last_path = names_intern(&b->paths, path);
	return b->last_path;
}

/* The first name that a process is seen with. */
static int
name_process(struct builder *b, const struct record *r, struct error *e)
{
	struct pid *p;

	if (r->pid == b->last_named || b->t->stream_by == STREAM_VOLUME ||
	    b->t->stream_by == STREAM_NONE)
		return 0;
	p = find_pid(b, r->pid, e);
	if (!p)
		return -1;
	if (!p->name)
		p->name = names_intern(&b->process_names, r->process_name);
	if (!p->name)
		return error_no_memory(e);
	if (p->process)
		b->t->process[p->process - 1].name = b->process_names.name[p->name];
	b->last_named = r->pid;
	return 0;
}

int
builder_add(struct builder *b, const struct record *r, struct error *e)
{
	struct record streamed = *r;
	uint64_t      identity = r->inode;

	if (r->op == OP_NAME)
		return add_name(b, r, e);
	if (r->path)
		identity = number_path(b, r->path);
	if (r->path && !identity)
		return error_no_memory(e);
	b->t->records++;
	b->now = r->time;
	if ((b->t->lacks & LACKS_FILES || r->no_fd) && r->length &&
	    choose_stream(b, &streamed, identity, e))
		return -1;
	if (r->process_name && name_process(b, &streamed, e))
		return -1;
	return add_record(b, &streamed, identity, e);
}

/* ---- once everything is read ---- */

/* Stable sort by time, without a second copy of the accesses. */
static int
sort_accesses(struct builder *b, struct error *e)
{
	struct access	*access = b->store.access;
	size_t		 n = b->t->naccess;
	struct sort_key *key = malloc(n * sizeof(*key));

	if (!key)
		return error_no_memory(e);
	for (size_t i = 0; i < n; i++)
		key[i] = (struct sort_key){ access[i].time, i };
	qsort(key, n, sizeof(*key), sort_keys_compare);
	advice_place(b->hint, b->nhints, access, n, key);
	steps_place(b->mark, b->nmarks, access, n, key);
	for (size_t i = 0; i < n; i++) {
		struct access first = access[i];
		size_t	      to = i, from = key[i].index;

		/* Follow the cycle through i; an element in its place is its own cycle. */
		while (from != i) {
			access[to] = access[from];
			key[to].index = to;
			to = from;
			from = key[to].index;
		}
		access[to] = first;
		key[to].index = to;
	}
	free(key);
	return 0;
}

/*
 * What was read first may not be the first in time: trace_renumber() finds out which is.  Not so
 * behind later opens, whose places are gone, nor without streams: there each read is fresh.
 */
static void
forget_fresh(struct builder *b)
{
	if (b->reopened || b->t->stream_by == STREAM_NONE)
		return;
	for (size_t i = 0; i < b->t->naccess; i++) {
		store_pass(&b->store, i);
		b->store.access[i].fresh = false;
	}
}

static void
settle_accesses(struct builder *b)
{
	struct trace *t = b->t;
	usec_t	      origin = b->store.access[0].time;

	for (size_t i = 0; i < t->naccess; i++) {
		struct access *a = &b->store.access[i];

		store_pass(&b->store, i);
		a->time -= origin;
		if (a->file_size == SIZE_UNKNOWN)
			a->file_size = t->file[t->open[a->open].file].bytes;
	}
	for (size_t i = 0; i < t->nadvice; i++) {
		struct advice *a = &b->advice[i];
		uint64_t       bytes = t->file[t->open[a->open].file].bytes;

		if (a->file_size > bytes) /* unknown, or larger than any access needs */
			a->file_size = bytes;
	}
}

/* The path of a file, or what OP_NAME called it, or NULL. */
static const char *
name_of(struct builder *b, file_t f)
{
	uint64_t  identity = b->t->file[f].inode;
	uint32_t *name;

	if (b->paths.n)
		return b->paths.name[identity];
	name = b->file_names.n ? map_at(&b->name_map, identity) : NULL;
	return name && *name ? b->file_names.name[*name] : NULL;
}

static int
name_files(struct builder *b, struct error *e)
{
	struct trace *t = b->t;
	size_t	      bytes = 0;
	char	     *to;

	for (file_t f = 0; f < t->nfiles; f++) {
		t->file[f].name = name_of(b, f);
		bytes += t->file[f].name ? strlen(t->file[f].name) + 1 : 0;
	}
	to = t->names = bytes ? malloc(bytes) : NULL;
	if (bytes && !to)
		return error_no_memory(e);
	for (file_t f = 0; f < t->nfiles; f++)
		if (t->file[f].name)
			t->file[f].name = text_keep(&to, t->file[f].name);
	return 0;
}

/* Processes have the names that their records told. */
static int
keep_process_names(struct trace *t, struct error *e)
{
	size_t bytes = 0;
	char  *to;

	for (uint32_t i = 0; i < t->nprocesses; i++)
		bytes += t->process[i].name ? strlen(t->process[i].name) + 1 : 0;
	if (!bytes)
		return 0;
	to = t->texts = malloc(bytes);
	for (uint32_t i = 0; i < t->nprocesses; i++)
		if (t->process[i].name)
			t->process[i].name = to ? text_keep(&to, t->process[i].name) : NULL;
	return to ? 0 : error_no_memory(e);
}

static int
check_span(const struct builder *b, const struct time_scale *times, struct error *e)
{
	usec_t first = b->store.access[0].time, last = b->store.access[b->t->naccess - 1].time;

	for (uint32_t i = 0; i < b->nmarks; i++)
		last = b->mark[i].step.until > last ? b->mark[i].step.until : last;
	return times_judge(b->t, times, first, last, b->params, e);
}

/* The process and the file of each. */
static int
resolve_hints(struct builder *b, struct error *e)
{
	for (uint32_t i = 0; i < b->nhints; i++) {
		struct hint *h = &b->hint[i];
		uint32_t    *file = map_at(&b->file_map, h->identity);

		if (!file)
			return error_no_memory(e);
		h->file = *file;
		h->process = b->pid[h->pid].process;
	}
	return 0;
}

static int
cut_holes(struct builder *b, struct error *e)
{
	int status = b->t->lacks & LACKS_FILES ? holes_cut(b->t, &b->store, e) : 0;

	if (status > 0)
		trace_add_note(b->t,
		    "the volumes add up to 8 TiB or more: unused pieces of 64 MiB are left out", 0);
	return status < 0 ? -1 : 0;
}

/* Accesses and advice, each in the order of time. */
static int
put_in_order(struct builder *b, struct error *e)
{
	struct trace *t = b->t;

	if (t->out_of_order) {
		if (sort_accesses(b, e))
			return -1;
		forget_fresh(b);
	} else {
		advice_place(b->hint, b->nhints, b->store.access, t->naccess, NULL);
		steps_place(b->mark, b->nmarks, b->store.access, t->naccess, NULL);
	}
	if (b->nhints && advice_settle(b->hint, b->nhints, t, b->store.access, &b->advice))
		return error_no_memory(e);
	if (b->nmarks && steps_settle(b->mark, b->nmarks, t, b->store.access, &b->step))
		return error_no_memory(e);
	/* sorting may change the order of first use, and processes with steps may have no calls */
	if ((t->out_of_order || t->nsteps) &&
	    trace_renumber(t, b->store.access, b->advice, b->step, e))
		return -1;
	if (t->nadvice &&
	    advice_freshen(b->advice, t->nadvice, b->store.access, t->naccess, t->nopen))
		return error_no_memory(e);
	return 0;
}

int
builder_finish(struct builder *b, const struct time_scale *times, struct error *e)
{
	struct trace *t = b->t;

	if (!t->records)
		return error_set(e, "has no records");
	if (!t->naccess)
		return error_set(e, "has no reads or writes in its %llu record%s%s",
		    (unsigned long long)t->records, t->records == 1 ? "" : "s",
		    t->mmaps ? ": mapped files count with --mmap=touch" : "");
	if (resolve_hints(b, e) || resolve_marks(b, e) || put_in_order(b, e))
		return -1;
	if (check_span(b, times, e) || cut_holes(b, e) || trace_lay_out(t, e) || name_files(b, e) ||
	    keep_process_names(t, e))
		return -1;
	settle_accesses(b);
	if (store_give(&b->store, t, e))
		return -1;
	if (t->nadvice) {
		t->advice = b->advice;
		b->advice = NULL;
	}
	t->step = b->step;
	b->step = NULL;
	return 0;
}

/* ---- its beginning and end ---- */

struct builder *
builder_new(struct trace *t, const struct trace_options *o, struct error *e)
{
	struct builder *b = calloc(1, sizeof(*b));

	if (!b) {
		error_no_memory(e);
		return NULL;
	}
	b->t = t;
	b->params = o->format_params;
	b->touch_mmaps = o->touch_mmaps;
	b->store.folder = o->folder;
	b->last_named = UINT64_MAX;
	b->limit_bytes =
	    t->lacks & LACKS_FILES ? VOLUME_BYTES_MAX : (TRACE_BLOCKS_MAX - 1) << t->block_shift;
	return b;
}

void
builder_free(struct builder *b)
{
	if (!b)
		return;
	map_release(&b->pid_map);
	map_release(&b->descriptor_map);
	map_release(&b->file_map);
	map_release(&b->pair_map);
	names_release(&b->paths);
	names_release(&b->process_names);
	names_release(&b->file_names);
	map_release(&b->name_map);
	free(b->pid);
	free(b->descriptor);
	free(b->slot);
	store_release(&b->store);
	free(b->hint);
	free(b->advice);
	free(b->mark);
	free(b->step);
	free(b->pair);
	free(b);
}
