/*
 * accusim.c - AccuSim's trace, .tr.
 *
 * Records without any file header, little-endian: 8 bytes of head (type in
 * bits 0-4, pid above, and a word that is mostly the inode), then what the
 * type adds.  Only seeks, pread and pwrite have a position: read and write
 * advance the position of their descriptor, which starts at 0 when it is
 * opened or used on another inode.  Time is the sum of iotime, microseconds
 * since the previous call, in the four types that move data; seeks repeat
 * iotime and do not count.
 *
 *	A. R. Butt, C. Gniady, Y. C. Hu.  The performance impact of kernel
 *	prefetching on buffer cache replacement algorithms.  SIGMETRICS 2005.
 *
 * Departures: types without a defined length are an error, not skipped as a
 * bare head, and so are bytes beyond the format's 4 GB.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/bytes.h"
#include "sim/base/map.h"
#include "traces/accusim.h"

enum { RECORDS_LOOKED_AT = 8 };

/* The part of a record behind the head, without names. */
static const int body_bytes[TYPES] = {
	[TYPE_READ] = RWS_BYTES,
	[TYPE_WRITE] = RWS_BYTES,
	[TYPE_SEEK] = RWS_BYTES,
	[TYPE_OPEN] = 8,
	[TYPE_CLOSE] = 4,
	[TYPE_PREAD] = RWS_BYTES + 4,
	[TYPE_PWRITE] = RWS_BYTES + 4,
};

struct head {
	enum type type;
	uint32_t  pid, word;
};

struct rws {
	int32_t	 length; /* of a seek: the new position */
	uint32_t fd, iotime, file_size, offset;
};

struct position {
	uint64_t at;
	uint32_t inode;
	uint32_t next; /* of the same pid, since its last exit */
	bool	 open, listed;
};

struct accusim {
	usec_t		 now;
	uint64_t	 byte, next_byte; /* offsets in the file of this record and the next */
	struct map	 map;		  /* (pid, fd) -> position */
	struct map	 pid_map;	  /* pid -> its first position */
	struct position *position;	  /* [1 .. n] */
	uint32_t	 n, capacity;
	struct record	 open; /* to be returned after the name of its file */
	bool		 named;
	char		 name[NAME_BYTES_MAX + 1]; /* in the current record */
};

static struct head
parse_head(const unsigned char *b)
{
	return (struct head){ bytes_le32(b) & 31, bytes_le32(b) >> 5, bytes_le32(b + 4) };
}

static struct rws
parse_rws(const unsigned char *b, enum type type)
{
	return (struct rws){ .length = (int32_t)bytes_le32(b + 16),
		.fd = bytes_le16(b + 20),
		.iotime = bytes_le32(b + 24),
		.file_size = bytes_le32(b + 28),
		.offset = body_bytes[type] > RWS_BYTES ? bytes_le32(b + RWS_BYTES) : 0 };
}

static bool
is_known(enum type type)
{
	return type <= TYPE_STAT || type == TYPE_PREAD || type == TYPE_PWRITE;
}

/* Bytes of name at the end of a record whose other bytes start at b. */
static uint32_t
name_bytes(const struct head *h, const unsigned char *body)
{
	if (h->type == TYPE_NEW)
		return h->word;
	return h->type == TYPE_OPEN ? bytes_le16(body + 4) : 0;
}

/* ---- recognition: walk over the head of the file ---- */

static bool
is_name(const unsigned char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (b[i] < ' ' || b[i] == 127)
			return false;
	return true;
}

/* The length of a plausible record; 0: not plausible; n or more: the head ends in the record. */
static size_t
walk(const unsigned char *b, size_t n)
{
	struct head h = parse_head(b);
	size_t	    fixed = HEAD_BYTES + (size_t)body_bytes[h.type], names;

	if (!is_known(h.type) || h.pid > PID_MAX)
		return 0;
	if (fixed > n)
		return n;
	names = name_bytes(&h, b + HEAD_BYTES);
	if (names > NAME_BYTES_MAX || !is_name(b + fixed, names < n - fixed ? names : n - fixed))
		return 0;
	return fixed + names;
}

/* The first few records decide: later damage is reported at its place. */
static bool
accusim_recognise(const char *head, size_t n)
{
	const unsigned char	  *b = (const unsigned char *)head;
	static const unsigned char zeros[HEAD_BYTES];
	size_t			   at = 0, length;

	if (n >= HEAD_BYTES && !memcmp(b, zeros, HEAD_BYTES))
		return false; /* a process without a number executing a program without a name */
	for (int i = 0; i < RECORDS_LOOKED_AT && n - at >= HEAD_BYTES; i++, at += length) {
		length = walk(b + at, n - at);
		if (!length || length >= n - at)
			return length > 0;
	}
	return at > 0;
}

/* ---- positions ---- */

static struct position *
find_position(struct accusim *s, uint32_t pid, uint32_t fd, struct error *e)
{
	uint32_t	*number = map_at(&s->map, (uint64_t)pid << 32 | fd);
	struct position *grown;

	if (number && !*number) {
		grown = array_grow(s->position, (size_t)s->n + 1, &s->capacity, sizeof(*grown));
		if (grown) {
			s->position = grown;
			*number = ++s->n;
			s->position[*number] = (struct position){ 0 };
		}
	}
	if (number && *number)
		return &s->position[*number];
	error_no_memory(e);
	return NULL;
}

/* Add it to the list of its pid, for exits. */
static int
list_position(struct accusim *s, uint32_t pid, struct position *p, struct error *e)
{
	uint32_t *first;

	if (p->listed)
		return 0;
	first = map_at(&s->pid_map, pid);
	if (!first)
		return error_no_memory(e);
	p->next = *first;
	p->listed = true;
	*first = (uint32_t)(p - s->position);
	return 0;
}

/* The position of a descriptor that is used on this inode now. */
static struct position *
use_position(struct accusim *s, uint32_t pid, uint32_t fd, uint32_t inode, struct error *e)
{
	struct position *p = find_position(s, pid, fd, e);

	if (!p || list_position(s, pid, p, e))
		return NULL;
	if (!p->open || p->inode != inode)
		p->at = 0;
	p->open = true;
	p->inode = inode;
	return p;
}

static int
exit_pid(struct accusim *s, uint32_t pid, struct error *e)
{
	uint32_t *first = map_at(&s->pid_map, pid);

	if (!first)
		return error_no_memory(e);
	for (uint32_t i = *first; i; i = s->position[i].next)
		s->position[i].open = s->position[i].listed = false;
	*first = NIL;
	return 0;
}

/* ---- records ---- */

static int
seek(struct accusim *s, const struct head *h, const struct rws *w, struct error *e)
{
	struct position *p = use_position(s, h->pid, w->fd, h->word, e);

	if (!p)
		return -1;
	if (w->length < 0 && (uint32_t)w->length > w->file_size)
		return error_set(e, "seek to a negative position: %ld", (long)w->length);
	p->at = (uint32_t)w->length;
	return 0;
}

static int
transfer(struct accusim *s, const struct head *h, const struct rws *w, struct record *r,
    struct error *e)
{
	struct position *p = use_position(s, h->pid, w->fd, h->word, e);
	bool		 positioned = h->type == TYPE_PREAD || h->type == TYPE_PWRITE;

	if (!p)
		return -1;
	if (w->length < 0)
		return error_set(e, "negative length: %ld", (long)w->length);
	r->op = h->type == TYPE_READ || h->type == TYPE_PREAD ? OP_READ : OP_WRITE;
	r->fd = w->fd;
	r->inode = h->word;
	r->file_size = w->file_size;
	r->offset = positioned ? w->offset : p->at;
	r->length = (uint32_t)w->length;
	if (r->length > FILE_BYTES_MAX - r->offset)
		return error_set(e, "%lu bytes at offset %llu: files of this format end at 4 GB",
		    (unsigned long)r->length, (unsigned long long)r->offset);
	if (!positioned)
		p->at += r->length;
	s->now += w->iotime;
	r->time = s->now;
	return 1;
}

/* Opens and closes start at position 0. */
static int
open_or_close(struct accusim *s, const struct head *h, const unsigned char *body, struct record *r,
    struct error *e)
{
	bool		 opens = h->type == TYPE_OPEN;
	struct position *p;

	r->op = opens ? OP_OPEN : OP_CLOSE;
	r->fd = bytes_le16(opens ? body + 6 : body);
	r->inode = h->word;
	r->file_size = opens ? bytes_le32(body) : SIZE_UNKNOWN;
	p = use_position(s, h->pid, r->fd, h->word, e);
	if (!p)
		return -1;
	p->open = opens;
	p->at = 0;
	return 1;
}

static int
read_name(struct accusim *s, struct input *in, uint32_t n, struct error *e)
{
	if (n > NAME_BYTES_MAX)
		return error_set(e, "a name of %lu bytes: the trace is damaged", (unsigned long)n);
	if (n && input_bytes(in, s->name, n, e) <= 0)
		return error_set(e, "the file ends in the middle of a name");
	s->name[n] = '\0';
	return 0;
}

static int
check_type(const struct head *h, struct error *e)
{
	if (h->type == TYPE_SEEKL || h->type == TYPE_STAT)
		return error_set(e,
		    "a record of type %u (%s), whose length no program defines: "
		    "write seeks as type 7",
		    h->type, h->type == TYPE_SEEKL ? "TSEEKL" : "TSTAT");
	if (!is_known(h->type))
		return error_set(e,
		    "a record of type %u, which does not exist: the trace is damaged", h->type);
	return 0;
}

/* 1: *r is filled; 0: the end; -1: error; 2: no record for the loader. */
static int
read_one(struct accusim *s, struct input *in, struct record *r, struct error *e)
{
	unsigned char bytes[HEAD_BYTES], body[BODY_BYTES_MAX];
	int	      status = input_bytes(in, bytes, HEAD_BYTES, e);
	struct head   h;
	struct rws    w;
	uint32_t      names;

	if (status <= 0)
		return status;
	h = parse_head(bytes);
	if (check_type(&h, e))
		return -1;
	status = input_bytes(in, body, (size_t)body_bytes[h.type], e);
	if (status <= 0)
		return status ? -1 : error_set(e, "the file ends after the head of a record");
	names = name_bytes(&h, body);
	if (read_name(s, in, names, e))
		return -1;
	s->next_byte = s->byte + HEAD_BYTES + (uint32_t)body_bytes[h.type] + names;
	r->pid = h.pid;
	r->time = s->now;
	switch (h.type) {
	case TYPE_EXIT:
		r->op = OP_EXIT;
		return exit_pid(s, h.pid, e) ? -1 : 1;
	case TYPE_OPEN:
	case TYPE_CLOSE:
		return open_or_close(s, &h, body, r, e);
	case TYPE_SEEK:
		w = parse_rws(body, h.type);
		return seek(s, &h, &w, e) ? -1 : 2;
	case TYPE_READ:
	case TYPE_WRITE:
	case TYPE_PREAD:
	case TYPE_PWRITE:
		w = parse_rws(body, h.type);
		return transfer(s, &h, &w, r, e);
	default: /* a program starts: it inherits no descriptor */
		return 2;
	}
}

/* The name of a file comes before its open. */
static void
name_first(struct accusim *s, struct record *r)
{
	s->open = *r;
	s->named = true;
	*r = (struct record){ .op = OP_NAME, .inode = s->open.inode, .path = s->name };
}

static int
accusim_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct accusim *s = self;
	int		status;

	if (s->named) {
		*r = s->open;
		s->named = false;
		return 1;
	}
	do {
		s->byte = s->next_byte;
		status = read_one(s, in, r, e);
	} while (status == 2);
	if (status < 0)
		return error_prefix(e, "at byte %llu", (unsigned long long)s->byte);
	if (status == 1 && r->op == OP_OPEN && *s->name)
		name_first(s, r);
	return status;
}

static void
accusim_release(void *self)
{
	struct accusim *s = self;

	map_release(&s->map);
	map_release(&s->pid_map);
	free(s->position);
}

FORMAT(accusim,
    .plugin = { .name = "accusim",
	.summary = "AccuSim's trace, .tr",
	.state_size = sizeof(struct accusim) },
    .ending = ".tr", .loses = LOSES_ADVICE | LOSES_STEPS, .recognise = accusim_recognise,
    .release = accusim_release, .read = accusim_read, .write = accusim_write);
