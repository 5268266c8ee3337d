/*
 * trace.c - load a trace: records in, accesses out.
 *
 * Inodes or paths become files numbered by first use, (pid, fd) pairs become
 * open files, and files are laid end to end so that a block is one number.
 * An access through a descriptor that was never opened, or was last seen on
 * another file, opens it.  An open-file number is used again by the same
 * process for the same file once it is closed.  Advice changes none of these
 * numbers: hints.h says what becomes of it.
 *
 * Cost: one hash look-up a record, none while a descriptor repeats; memory
 * is the array of accesses, 32 bytes each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/checksum.h"
#include "sim/base/map.h"
#include "sim/base/memory.h"
#include "sim/trace/format.h"
#include "sim/trace/hints.h"
#include "sim/trace/trace.h"

#define BLOCKS_MAX ((uint64_t)1 << 31)
#define LENGTH_MAX ((uint64_t)INT32_MAX)

enum { TOUCH_BYTES = 1 << 30 }; /* a touched mapping is read in calls of this size */

/* What a pid has under one descriptor number. */
struct descriptor {
	uint64_t file; /* identity: inode, or number of the path */
	uint32_t slot; /* open-file number + 1; NIL before the first access */
	uint32_t next; /* of the same pid, since its last exit */
	uint32_t hint; /* the latest through it since the last read: place + 1, or NIL */
	bool	 open, listed;
	bool	 was_read; /* since it was opened */
};

struct pid {
	uint32_t descriptors; /* list head */
	uint32_t process;     /* number + 1; NIL before its first access */
};

/* Open-file numbers of one (process, file) that nobody has open: a list. */
struct slot {
	uint32_t next_free;
	uint32_t pair;
};

struct loader {
	struct trace		   *t;
	const struct trace_options *options;
	struct map		    pid_map, descriptor_map, file_map, pair_map;
	struct names		    paths;

	struct pid	  *pid;	       /* [1 .. npids] */
	struct descriptor *descriptor; /* [1 .. ndescriptors] */
	struct slot	  *slot;       /* beside trace.open */
	struct access	  *access;     /* becomes trace.access */
	struct hint	  *hint;
	struct advice	  *advice; /* becomes trace.advice */
	uint32_t	  *pair;   /* [1 .. npairs]: head of its free slots */
	uint32_t	   npids, ndescriptors, npairs;
	uint32_t	   pid_capacity, descriptor_capacity, slot_capacity, pair_capacity;
	uint32_t	   open_capacity, file_capacity, process_capacity;
	uint32_t	   nhints, hint_capacity;
	size_t		   access_capacity;

	void	*grown;	      /* for GROW */
	uint64_t limit_bytes; /* no file may reach further */
	usec_t	 latest;
	uint32_t last_pid, last_fd, last_descriptor; /* of the last look-up */
};

static int
no_memory(struct error *e)
{
	return error_set(e, "out of memory");
}

/* Room for array[n], or an error: 0 or -1. */
#define GROW(array, n, capacity)                                                                   \
	((l->grown = array_grow((array), (n), &(capacity), sizeof(*(array))))                      \
		? ((array) = l->grown, 0)                                                          \
		: no_memory(e))

/* ---- descriptors ---- */

static struct pid *
find_pid(struct loader *l, uint32_t pid, struct error *e)
{
	uint32_t *number = map_at(&l->pid_map, pid);

	if (!number) {
		no_memory(e);
		return NULL;
	}
	if (!*number) {
		if (GROW(l->pid, (size_t)l->npids + 1, l->pid_capacity))
			return NULL;
		*number = ++l->npids;
		l->pid[*number] = (struct pid){ NIL, NIL };
	}
	return &l->pid[*number];
}

static struct descriptor *
find_descriptor(struct loader *l, uint32_t pid, uint32_t fd, struct error *e)
{
	uint32_t *number;

	if (likely(pid == l->last_pid && fd == l->last_fd && l->last_descriptor))
		return &l->descriptor[l->last_descriptor];
	number = map_at(&l->descriptor_map, (uint64_t)pid << 32 | fd);
	if (!number) {
		no_memory(e);
		return NULL;
	}
	if (!*number) {
		if (GROW(l->descriptor, (size_t)l->ndescriptors + 1, l->descriptor_capacity))
			return NULL;
		*number = ++l->ndescriptors;
		l->descriptor[*number] = (struct descriptor){ 0 };
	}
	l->last_pid = pid;
	l->last_fd = fd;
	l->last_descriptor = *number;
	return &l->descriptor[*number];
}

static void
close_descriptor(struct loader *l, struct descriptor *d)
{
	if (d->slot) {
		struct slot *s = &l->slot[d->slot - 1];

		s->next_free = l->pair[s->pair];
		l->pair[s->pair] = d->slot;
	}
	d->slot = d->hint = NIL;
	d->open = d->was_read = false;
}

/* Whatever it was before, it is now freshly opened on this file. */
static int
open_descriptor(struct loader *l, struct descriptor *d, uint32_t pid, uint64_t file,
    struct error *e)
{
	struct pid *p;

	close_descriptor(l, d);
	d->open = true;
	d->file = file;
	if (d->listed)
		return 0;
	p = find_pid(l, pid, e);
	if (!p)
		return -1;
	d->next = p->descriptors;
	p->descriptors = (uint32_t)(d - l->descriptor);
	d->listed = true;
	return 0;
}

/* It has been opened out of sight: what was advised before was about this file already. */
static int
open_unseen(struct loader *l, struct descriptor *d, uint32_t pid, uint64_t file, struct error *e)
{
	uint32_t hint = !d->open && d->file == file ? d->hint : NIL;

	if (open_descriptor(l, d, pid, file, e))
		return -1;
	d->hint = hint;
	return 0;
}

static int
exit_pid(struct loader *l, uint32_t pid, struct error *e)
{
	struct pid *p = find_pid(l, pid, e);

	if (!p)
		return -1;
	for (uint32_t i = p->descriptors; i; i = l->descriptor[i].next) {
		close_descriptor(l, &l->descriptor[i]);
		l->descriptor[i].listed = false;
	}
	p->descriptors = NIL;
	return 0;
}

/* ---- files and open files ---- */

/* These three return a number from 1, or NIL: out of memory. */
static uint32_t
find_file(struct loader *l, uint64_t identity, struct error *e)
{
	struct trace *t = l->t;
	uint32_t     *number = map_at(&l->file_map, identity);

	if (!number) {
		no_memory(e);
		return NIL;
	}
	if (!*number) {
		if (GROW(t->file, t->nfiles, l->file_capacity))
			return NIL;
		t->file[t->nfiles] = (struct file){ .inode = identity };
		*number = ++t->nfiles;
	}
	return *number;
}

static uint32_t
find_process(struct loader *l, uint32_t pid, struct error *e)
{
	struct trace *t = l->t;
	struct pid   *p = find_pid(l, pid, e);

	if (!p)
		return NIL;
	if (!p->process) {
		if (GROW(t->process, t->nprocesses, l->process_capacity))
			return NIL;
		t->process[t->nprocesses].pid = pid;
		p->process = ++t->nprocesses;
	}
	return p->process;
}

static uint32_t
find_pair(struct loader *l, uint32_t process, uint32_t file, struct error *e)
{
	uint32_t *number = map_at(&l->pair_map, (uint64_t)process << 32 | file);

	if (!number) {
		no_memory(e);
		return NIL;
	}
	if (!*number) {
		if (GROW(l->pair, (size_t)l->npairs + 1, l->pair_capacity))
			return NIL;
		*number = ++l->npairs;
		l->pair[*number] = NIL;
	}
	return *number;
}

/* First access through a descriptor: give it an open-file number. */
static int
take_slot(struct loader *l, struct descriptor *d, uint32_t pid, struct error *e)
{
	struct trace *t = l->t;
	uint32_t      file = find_file(l, d->file, e);
	uint32_t      process = find_process(l, pid, e);
	uint32_t      pair = file && process ? find_pair(l, process, file, e) : NIL;

	if (!pair)
		return -1;
	if (!l->pair[pair]) {
		if (GROW(t->open, t->nopen, l->open_capacity) ||
		    GROW(l->slot, t->nopen, l->slot_capacity))
			return -1;
		t->open[t->nopen] = (struct open_file){ file - 1, process - 1 };
		l->slot[t->nopen] = (struct slot){ NIL, pair };
		l->pair[pair] = ++t->nopen;
	}
	d->slot = l->pair[pair];
	l->pair[pair] = l->slot[d->slot - 1].next_free;
	return 0;
}

/* ---- accesses ---- */

static struct access *
next_access(struct loader *l, struct error *e)
{
	struct trace *t = l->t;

	if (unlikely(t->naccess == l->access_capacity)) {
		size_t	       wanted = l->access_capacity ? l->access_capacity * 2 : 4096;
		struct access *grown = NULL;

		if (wanted <= SIZE_MAX / sizeof(*grown))
			grown = realloc(l->access, wanted * sizeof(*grown));
		if (!grown) {
			no_memory(e);
			return NULL;
		}
		l->access = grown;
		l->access_capacity = wanted;
	}
	return &l->access[t->naccess++];
}

static int
check_extent(const struct loader *l, const struct record *r, struct error *e)
{
	if (r->length > LENGTH_MAX)
		return error_set(e, "one call cannot move %llu bytes (at most %llu)",
		    (unsigned long long)r->length, (unsigned long long)LENGTH_MAX);
	if (r->offset > l->limit_bytes || r->length > l->limit_bytes - r->offset)
		return error_set(e,
		    "offset %llu is beyond the largest file, %llu bytes with "
		    "blocks of %u: use a larger --block",
		    (unsigned long long)r->offset, (unsigned long long)l->limit_bytes,
		    l->options->block_bytes);
	if (r->file_size != SIZE_UNKNOWN && r->file_size > l->limit_bytes)
		return error_set(e,
		    "a file of %llu bytes is beyond the largest, %llu bytes with "
		    "blocks of %u: use a larger --block",
		    (unsigned long long)r->file_size, (unsigned long long)l->limit_bytes,
		    l->options->block_bytes);
	return 0;
}

/* Sizes count only for files that are used: those whose descriptor has a number. */
static void
learn_size(struct loader *l, const struct record *r, const struct descriptor *d)
{
	uint64_t *bytes;

	if (!d->slot || r->file_size == SIZE_UNKNOWN || r->file_size > l->limit_bytes)
		return;
	bytes = &l->t->file[l->t->open[d->slot - 1].file].bytes;
	if (r->file_size > *bytes)
		*bytes = r->file_size;
}

/* A read has followed: so much of what was advised before is about this open file. */
static void
confirm_hints(struct loader *l, struct descriptor *d)
{
	for (; d->hint; d->hint = l->hint[d->hint - 1].next) {
		l->hint[d->hint - 1].advice.open = d->slot - 1;
		l->hint[d->hint - 1].advice.own = true;
	}
}

static int
add_access(struct loader *l, const struct record *r, uint64_t identity, struct error *e)
{
	struct descriptor *d;
	struct access	  *a;
	uint64_t	  *bytes;
	bool		   read = r->op != OP_WRITE;

	if (check_extent(l, r, e))
		return -1;
	d = find_descriptor(l, r->pid, r->fd, e);
	if (!d || ((!d->open || d->file != identity) && open_unseen(l, d, r->pid, identity, e)))
		return -1;
	if (!d->slot && take_slot(l, d, r->pid, e))
		return -1;
	a = next_access(l, e);
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
		confirm_hints(l, d);
	d->was_read |= read;
	if (r->length > l->t->longest_bytes)
		l->t->longest_bytes = (uint32_t)r->length;
	bytes = &l->t->file[l->t->open[a->open].file].bytes;
	if (r->offset + r->length > *bytes)
		*bytes = r->offset + r->length;
	learn_size(l, r, d);
	if (l->t->naccess == 1 || r->time > l->latest)
		l->latest = r->time;
	l->t->out_of_order += r->time < l->latest;
	return 0;
}

/* A mapping, read through once: in pieces, for one call moves less than 2 GB. */
static int
touch(struct loader *l, const struct record *mapping, uint64_t identity, struct error *e)
{
	struct record r = *mapping;
	uint64_t      left = r.length;

	if (r.file_size != SIZE_UNKNOWN) {
		uint64_t rest = r.offset < r.file_size ? r.file_size - r.offset : 0;

		left = left < rest ? left : rest;
	}
	for (r.op = OP_READ; left; left -= r.length, r.offset += r.length) {
		r.length = left < TOUCH_BYTES ? left : TOUCH_BYTES;
		if (add_access(l, &r, identity, e))
			return -1;
	}
	return 0;
}

static int
move(struct loader *l, const struct record *r, uint64_t identity, struct error *e)
{
	struct trace *t = l->t;

	if (!r->length) {
		t->empty_calls++;
		return 0;
	}
	t->reads += r->op == OP_READ;
	t->writes += r->op == OP_WRITE;
	return add_access(l, r, identity, e);
}

/* It opens nothing, for that would change the order in which numbers are used again. */
static int
advise(struct loader *l, const struct record *r, uint64_t identity, struct error *e)
{
	struct descriptor *d;
	struct pid	  *p;
	struct hint	  *h;

	l->t->advices++;
	if (r->advice == ADVICE_KINDS)
		return 0;
	d = find_descriptor(l, r->pid, r->fd, e);
	p = find_pid(l, r->pid, e);
	if (!d || !p || GROW(l->hint, l->nhints, l->hint_capacity))
		return -1;
	if (!d->open && d->file != identity) {
		d->file = identity;
		d->hint = NIL;
	}
	h = &l->hint[l->nhints++];
	*h = (struct hint){
		.advice = { .offset = r->offset,
		    .length = r->length > UINT64_MAX - r->offset ? 0 : r->length,
		    .file_size = r->file_size,
		    .kind = r->advice & ADVICE_KIND_MASK },
		.at = { r->time, l->t->naccess },
		.identity = identity,
		.pid = (uint32_t)(p - l->pid),
	};
	if (d->file == identity) {
		h->next = d->hint;
		d->hint = l->nhints;
	}
	return 0;
}

static int
add_record(struct loader *l, const struct record *r, struct error *e)
{
	struct trace	  *t = l->t;
	struct descriptor *d;
	uint64_t	   identity = r->path ? names_intern(&l->paths, r->path) : r->inode;

	if (r->path && !identity)
		return no_memory(e);
	t->records++;
	switch (r->op) {
	case OP_READ:
	case OP_WRITE:
		return move(l, r, identity, e);
	case OP_OPEN:
		t->opens++;
		d = find_descriptor(l, r->pid, r->fd, e);
		return d ? open_descriptor(l, d, r->pid, identity, e) : -1;
	case OP_CLOSE:
		t->closes++;
		d = find_descriptor(l, r->pid, r->fd, e);
		if (!d)
			return -1;
		if (d->open && d->file == identity)
			learn_size(l, r, d);
		close_descriptor(l, d);
		return 0;
	case OP_EXIT:
		t->exits++;
		return exit_pid(l, r->pid, e);
	case OP_MMAP:
		t->mmaps++;
		t->mmap_bytes += r->length;
		return l->options->touch_mmaps ? touch(l, r, identity, e) : 0;
	case OP_ADVISE:
		return advise(l, r, identity, e);
	}
	assert(0);
	return -1;
}

/* ---- once everything is read ---- */

/* Stable sort by time, without a second copy of the accesses. */
static int
sort_accesses(struct loader *l, struct error *e)
{
	struct access	*access = l->access;
	size_t		 n = l->t->naccess;
	struct sort_key *key = malloc(n * sizeof(*key));

	if (!key)
		return no_memory(e);
	for (size_t i = 0; i < n; i++)
		key[i] = (struct sort_key){ access[i].time, i };
	qsort(key, n, sizeof(*key), sort_keys_compare);
	hints_place(l->hint, l->nhints, access, n, key);
	for (size_t i = 0; i < n; i++) {
		struct access first = access[i];
		size_t	      to = i, from = key[i].index;

		/* Follow the cycle through i; a place that is right is its own cycle. */
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

/* New numbers, in order of first use: [n] of each, 0: none yet. */
struct numbering {
	uint32_t	 *open, *file, *process;
	bool		 *read; /* [nopen] */
	struct open_file *new_open;
	struct file	 *new_file;
	struct process	 *new_process;
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

int
trace_renumber(struct trace *t, struct access *access, struct advice *advice, struct error *e)
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
	free(n.open);
	free(n.file);
	free(n.process);
	free(n.read);
	free(enough ? t->open : n.new_open);
	free(enough ? t->file : n.new_file);
	free(enough ? (void *)t->process : n.new_process);
	if (!enough)
		return no_memory(e);
	t->open = n.new_open;
	t->file = n.new_file;
	t->nfiles = n.nfiles; /* a mapped trace may have named some that nobody uses */
	t->process = n.new_process;
	return 0;
}

/* A table with one number for every block must fit in this machine. */
static int
check_footprint(const struct trace *t, uint64_t nblocks, struct error *e)
{
	if (nblocks > BLOCKS_MAX)
		return error_set(e,
		    "the files add up to %llu blocks of %u bytes, at most %llu "
		    "can be numbered: use a larger --block",
		    (unsigned long long)nblocks, t->block_bytes, (unsigned long long)BLOCKS_MAX);
	if (nblocks > memory_bytes() / sizeof(block_t))
		return error_set(e,
		    "the files add up to %llu blocks of %u bytes, too many to "
		    "number in this machine's memory: use a larger --block",
		    (unsigned long long)nblocks, t->block_bytes);
	return 0;
}

int
trace_lay_out(struct trace *t, struct error *e)
{
	uint64_t base = 1;

	for (file_t f = 0; f < t->nfiles; f++) {
		uint64_t n = (t->file[f].bytes + t->block_bytes - 1) >> t->block_shift;

		t->file[f].base = (block_t)base; /* if it is too big, an error follows */
		t->file[f].nblocks = (uint32_t)n;
		base += n;
		if (base > BLOCKS_MAX)
			return check_footprint(t, base, e);
	}
	t->nblocks = (block_t)base;
	return check_footprint(t, base, e);
}

static void
settle_accesses(struct loader *l)
{
	struct trace *t = l->t;
	usec_t	      origin = l->access[0].time;

	for (size_t i = 0; i < t->naccess; i++) {
		struct access *a = &l->access[i];

		a->time -= origin;
		if (a->file_size == SIZE_UNKNOWN)
			a->file_size = t->file[t->open[a->open].file].bytes;
	}
	for (size_t i = 0; i < t->nadvice; i++) {
		struct advice *a = &l->advice[i];
		uint64_t       bytes = t->file[t->open[a->open].file].bytes;

		if (a->file_size > bytes) /* unknown, or larger than anybody needs it */
			a->file_size = bytes;
	}
}

/* Files of a trace with paths are called what the trace calls them. */
static int
name_files(struct loader *l, struct error *e)
{
	struct trace *t = l->t;
	size_t	      bytes = 0;
	char	     *to;

	if (!l->paths.n)
		return 0;
	for (file_t f = 0; f < t->nfiles; f++)
		bytes += strlen(l->paths.name[t->file[f].inode]) + 1;
	to = t->names = malloc(bytes);
	if (!to)
		return no_memory(e);
	for (file_t f = 0; f < t->nfiles; f++) {
		size_t n = strlen(l->paths.name[t->file[f].inode]) + 1;

		t->file[f].name = memcpy(to, l->paths.name[t->file[f].inode], n);
		to += n;
	}
	return 0;
}

static int
check_span(const struct loader *l, struct error *e)
{
	usec_t first = l->access[0].time, last = l->access[l->t->naccess - 1].time;

	if (first < 0 || last - first > SPAN_MAX_US)
		return error_set(e, "its times span more than 142 years");
	return 0;
}

/* Whose each is, and of what. */
static int
resolve_hints(struct loader *l, struct error *e)
{
	for (struct hint *h = l->hint; h < l->hint + l->nhints; h++) {
		uint32_t *file = map_at(&l->file_map, h->identity);

		if (!file)
			return no_memory(e);
		h->file = *file;
		h->process = l->pid[h->pid].process;
	}
	return 0;
}

/* Accesses and advice, each in the order of time. */
static int
put_in_order(struct loader *l, struct error *e)
{
	struct trace *t = l->t;

	if (t->out_of_order) {
		if (sort_accesses(l, e))
			return -1;
	} else {
		hints_place(l->hint, l->nhints, l->access, t->naccess, NULL);
	}
	if (l->nhints && hints_settle(l->hint, l->nhints, t, l->access, &l->advice))
		return no_memory(e);
	if (t->out_of_order && trace_renumber(t, l->access, l->advice, e))
		return -1; /* sorted, they may be used in another order */
	if (t->nadvice && hints_freshen(l->advice, t->nadvice, l->access, t->naccess, t->nopen))
		return no_memory(e);
	return 0;
}

static int
finish(struct loader *l, struct error *e)
{
	struct trace  *t = l->t;
	struct access *exact;

	if (!t->records)
		return error_set(e, "has no records");
	if (!t->naccess)
		return error_set(e, "has no reads or writes in its %llu record%s%s",
		    (unsigned long long)t->records, t->records == 1 ? "" : "s",
		    t->mmaps ? ": mapped files count with --mmap=touch" : "");
	if (resolve_hints(l, e) || put_in_order(l, e))
		return -1;
	if (check_span(l, e) || trace_lay_out(t, e) || name_files(l, e))
		return -1;
	settle_accesses(l);
	exact = realloc(l->access, t->naccess * sizeof(*exact));
	if (exact)
		l->access = exact;
	t->access = l->access;
	l->access = NULL;
	if (t->nadvice) {
		t->advice = l->advice;
		l->advice = NULL;
	}
	return 0;
}

/* ---- the file, its format and its name ---- */

static void
known_formats(char *text, size_t n)
{
	size_t used = 0;

	text[0] = '\0';
	for (const struct format *const *f = formats; *f && used < n; f++)
		used += (size_t)snprintf(text + used, n - used, "%s%s", used ? ", " : "",
		    (*f)->plugin.name);
}

static const struct format *
format_by_content(struct input *in, struct error *e)
{
	char	    known[256];
	size_t	    n;
	const char *head = input_head(in, &n, e);

	if (!head)
		return NULL;
	if (!n) {
		error_set(e, "is empty");
		return NULL;
	}
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->recognise(head, n))
			return *f;
	known_formats(known, sizeof(known));
	error_set(e,
	    "is not in a format known here (%s); if it is one of them after all, "
	    "say which with --format",
	    known);
	return NULL;
}

static int
read_records(struct loader *l, record_reader *read, void *self, struct input *in, struct error *e)
{
	struct record r;
	int	      status;

	for (;;) {
		uint64_t number = l->t->records + 1;

		r = (struct record){ .file_size = SIZE_UNKNOWN };
		status = read(self, in, &r, e);
		if (status == 0)
			return 0;
		if (status > 0 && !add_record(l, &r, e))
			continue;
		if (in && input_line_number(in))
			return error_prefix(e, "record %llu (line %llu)",
			    (unsigned long long)number, (unsigned long long)input_line_number(in));
		return error_prefix(e, "record %llu", (unsigned long long)number);
	}
}

static int
read_all(struct loader *l, const struct format *f, struct input *in, struct error *e)
{
	void *self = calloc(1, f->plugin.state_size ? f->plugin.state_size : 1);
	int   status;

	if (!self)
		return no_memory(e);
	status = f->init ? f->init(self, e) : 0;
	if (!status) {
		status = read_records(l, f->read, self, in, e);
		if (f->release)
			f->release(self);
	}
	free(self);
	return status;
}

const char *
trace_path(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

static int
map_file(struct loader *l, const struct format *f, struct input *in, struct error *e)
{
	struct trace *t = l->t;
	int	      fd = input_file(in, e);

	if (fd < 0 || f->map(t, fd, e))
		return -1;
	if (l->options->touch_mmaps && t->mmaps && !t->source.touched)
		return error_set(e,
		    "was compiled without --mmap touch: say that to bufsim convert, and "
		    "convert %s again",
		    trace_path(t->source.path));
	return trace_lay_out(t, e);
}

static int
load(struct loader *l, struct input *in, struct error *e)
{
	struct trace	    *t = l->t;
	const struct format *f = l->options->format ? l->options->format : format_by_content(in, e);

	if (!f)
		return -1;
	t->format = f->plugin.name;
	if (f->map)
		return map_file(l, f, in, e);
	if (read_all(l, f, in, e) || finish(l, e))
		return -1;
	t->source = (struct source){ .path = t->path,
		.format = t->format,
		.version = BUFSIM_VERSION,
		.touched = l->options->touch_mmaps };
	t->source.xxh3 = input_checksum(in, &t->source.bytes);
	return 0;
}

static void
loader_release(struct loader *l)
{
	map_release(&l->pid_map);
	map_release(&l->descriptor_map);
	map_release(&l->file_map);
	map_release(&l->pair_map);
	names_release(&l->paths);
	free(l->pid);
	free(l->descriptor);
	free(l->slot);
	free(l->access);
	free(l->hint);
	free(l->advice);
	free(l->pair);
}

/* "a/b/csq.txt.gz" is called "csq". */
static char *
short_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	char	   *name = strdup(!strcmp(path, "-") ? "stdin" : slash ? slash + 1 : path);
	char	   *dot;

	if (!name)
		return NULL;
	dot = strrchr(name, '.');
	if (dot && dot > name && !strcmp(dot, ".gz")) {
		*dot = '\0';
		dot = strrchr(name, '.');
	}
	if (dot && dot > name)
		*dot = '\0';
	return name;
}

static int
blame(const char *path, struct error *e)
{
	return error_prefix(e, "%s", trace_path(path));
}

/* As a compiled trace keeps it: of the checksums of its chunks. */
static void
add_accesses(struct trace *t)
{
	for (size_t i = 0; i < t->naccess; i += TRACE_BATCH) {
		size_t left = t->naccess - i, n = left < TRACE_BATCH ? left : TRACE_BATCH;

		t->fingerprint =
		    checksum_add(t->fingerprint, checksum(&t->access[i], n * sizeof(*t->access)));
	}
}

/* Whose the calls are, and where they go, and what was advised. */
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
}

void
trace_take_fingerprint(struct trace *t)
{
	if (!t->mapping)
		add_accesses(t);
	add_tables(t);
}

static void
start(struct loader *l, struct trace *t, const struct trace_options *o)
{
	assert(o->block_bytes && !(o->block_bytes & (o->block_bytes - 1)));
	*t = (struct trace){ .block_bytes = o->block_bytes,
		.block_shift = (uint32_t)__builtin_ctz(o->block_bytes) };
	*l = (struct loader){ .t = t,
		.options = o,
		.limit_bytes = (BLOCKS_MAX - 1) << t->block_shift };
}

/* What the loader leaves: a trace, or nothing and the error with the path in it. */
static int
deliver(struct loader *l, const char *path, int status, struct error *e)
{
	loader_release(l);
	if (!status) {
		trace_take_fingerprint(l->t);
		return 0;
	}
	trace_release(l->t);
	if (e->exit_code == EXIT_USAGE)
		return -1;
	return blame(path, e);
}

int
trace_load(struct trace *t, const char *path, const struct trace_options *o, struct error *e)
{
	struct loader l;
	struct input *in;
	int	      status = -1;

	start(&l, t, o);
	in = input_open(path, e);
	if (in) {
		t->name = short_name(path);
		t->path = strdup(path);
		status = t->name && t->path ? load(&l, in, e) : no_memory(e);
		input_close(in);
	}
	return deliver(&l, path, status, e);
}

int
trace_make(struct trace *t, const char *name, const struct trace_options *o, record_reader *read,
    void *self, struct error *e)
{
	struct loader l;
	int	      status = -1;

	start(&l, t, o);
	t->name = strdup(name);
	t->path = strdup(name);
	t->format = "made";
	t->source = (struct source){ t->path, t->format, BUFSIM_VERSION, 0, 0, o->touch_mmaps };
	if (!t->name || !t->path)
		no_memory(e);
	else if (!read_records(&l, read, self, NULL, e))
		status = finish(&l, e);
	return deliver(&l, name, status, e);
}

void
trace_release(struct trace *t)
{
	if (t->mapping)
		t->mapping->unmap(t);
	free(t->name);
	free(t->path);
	free(t->names);
	free((void *)(uintptr_t)t->access);
	free((void *)(uintptr_t)t->advice);
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
	assert(first <= t->naccess);
	if (n > t->naccess - first)
		n = t->naccess - first;
	if (!t->mapping || !n || !t->mapping->check(t, first, n, e))
		return 0;
	return blame(t->path, e);
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

int
trace_footprint(struct trace *t, struct error *e)
{
	size_t	  nwords = t->nblocks / 64 + 1;
	uint64_t *touched = t->footprint ? NULL : calloc(nwords, sizeof(*touched));

	if (t->footprint)
		return 0;
	if (!touched)
		return no_memory(e);
	for (size_t i = 0; i < t->naccess; i++) {
		block_t b;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e)) {
			free(touched);
			return -1;
		}
		b = access_block(t, &t->access[i]);
		for (uint32_t left = access_count(t, &t->access[i]); left; left--, b++)
			touched[b / 64] |= UINT64_C(1) << b % 64;
	}
	t->footprint = count_bits(touched, nwords);
	free(touched);
	return 0;
}
