/*
 * lcs.c - libCacheSim's format LCS, versions 1 to 8.
 *
 * A header, then records of one length, little-endian.  The header begins with
 * a magic number and the version, and ends with the magic number: after 1,024
 * bytes in the sources of 2024, after 8,192 in release 0.3.5.
 *
 *	1:	time u32 in seconds, identifier u64, size u32, next i64
 *	2:	time u32, identifier u64, size u32, op u8, tenant u24, next i64
 *	3:	time u32, identifier u64, size i64, op u8, tenant u24, ttl u32, next i64
 *	4 .. 8:	the same, then 1, 2, 4, 8, 16 numbers u32
 *
 * An operation that stores is a write; one that deletes is none.
 */
#include <string.h>

#include "sim/base/bytes.h"
#include "traces/common/objects.h"

enum { MAGIC_BYTES = 8, HEADERS = 2, VERSIONS = 8, ID = 4, READ_AT_ONCE = 1024 };
enum { DELETE = 9, OPS = 15 };

static const char magic[] = "\xf0\xde\xbc\x9a\x78\x56\x34\x12";

static const size_t header_bytes[HEADERS] = { 1024, 8192 };

static const struct layout {
	size_t bytes, op; /* 0: always a read */
} layouts[VERSIONS + 1] = { { 0, 0 }, { 24, 0 }, { 28, 16 }, { 36, 20 }, { 40, 20 }, { 44, 20 },
	{ 52, 20 }, { 68, 20 }, { 100, 20 } };

/* What the operations of libCacheSim do; those that do not exist are reads. */
static const enum op ops[OPS] = {
	[3] = OP_WRITE,	 /* set */
	[4] = OP_WRITE,	 /* add */
	[5] = OP_WRITE,	 /* compare and swap */
	[6] = OP_WRITE,	 /* replace */
	[7] = OP_WRITE,	 /* append */
	[8] = OP_WRITE,	 /* prepend */
	[10] = OP_WRITE, /* increment */
	[11] = OP_WRITE, /* decrement */
	[13] = OP_WRITE, /* write */
	[14] = OP_WRITE, /* update */
};

struct lcs {
	struct objects	     objects;
	const struct layout *layout; /* NULL: the header is not read yet */
};

static bool
lcs_recognise(const char *head, size_t n)
{
	return n >= MAGIC_BYTES && !memcmp(head, magic, MAGIC_BYTES);
}

/* The length of the header; 0: none ends with the magic number. */
static size_t
find_end(const char *head, size_t n)
{
	for (unsigned i = 0; i < HEADERS; i++)
		if (n >= header_bytes[i] &&
		    !memcmp(head + header_bytes[i] - MAGIC_BYTES, magic, MAGIC_BYTES))
			return header_bytes[i];
	return 0;
}

static int
read_header(struct lcs *s, struct input *in, struct error *e)
{
	unsigned char skipped[READ_AT_ONCE];
	size_t	      n, header;
	const char   *head = input_head(in, &n, e);
	uint64_t      version;

	if (!head)
		return -1;
	if (!lcs_recognise(head, n))
		return error_set(e, "not of LCS: its first 8 bytes are no magic number");
	header = find_end(head, n);
	if (!header)
		return error_set(e,
		    n < header_bytes[HEADERS - 1]
			? "the file ends in its header, which has 1,024 or 8,192 bytes"
			: "its header of 1,024 or 8,192 bytes does not end with the magic number: "
			  "the trace is damaged");
	version = bytes_le64((const unsigned char *)head + MAGIC_BYTES);
	if (version < 1 || version > VERSIONS)
		return error_set(e,
		    "version %llu of LCS is not known: convert it to version 1 or to "
		    "oracleGeneral with traceConv of libCacheSim",
		    (unsigned long long)version);
	for (; header; header -= READ_AT_ONCE)
		if (input_bytes(in, skipped, READ_AT_ONCE, e) <= 0)
			return -1;
	s->layout = &layouts[version];
	return 0;
}

static int
lcs_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct lcs	    *s = self;
	const unsigned char *b;
	unsigned	     op;

	if (unlikely(!s->layout) && read_header(s, in, e))
		return -1;
	do {
		int status = objects_next(&s->objects, in, s->layout->bytes, ID, &b, e);

		if (status <= 0)
			return status;
		op = s->layout->op ? b[s->layout->op] : 0;
		if (op == DELETE)
			input_count(in, "deletions of objects were skipped");
	} while (op == DELETE);
	r->op = op < OPS ? ops[op] : OP_READ;
	r->time = (usec_t)bytes_le32(b) * 1000000;
	return objects_place(&s->objects, bytes_le64(b + ID), r, e) ? -1 : 1;
}

FORMAT(lcs,
    .plugin = { .name = "lcs",
	.summary = "libCacheSim's LCS: identifiers of objects",
	.state_size = sizeof(struct lcs),
	.params = objects_params },
    .lacks = OBJECTS_LACK, .recognise = lcs_recognise, .release = objects_release,
    .read = lcs_read);
