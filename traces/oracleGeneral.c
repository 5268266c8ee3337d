/*
 * oracleGeneral.c - libCacheSim's format of references whose future is known.
 *
 * Records of 24 bytes, little-endian, without a header: time u32 in seconds,
 * identifier u64, size u32 in bytes, and i64, the number from 1 of the next
 * reference to the same identifier, -1 for none.
 *
 * Reading: objects.h.  Writing: one record for each block that a call
 * references, with the number of the block as the identifier; neighbouring
 * blocks of a file have neighbouring numbers.
 */
#include <stdlib.h>

#include "sim/base/bytes.h"
#include "sim/base/progress.h"
#include "traces/common/objects.h"

enum { RECORD_BYTES = 24, ID = 4, SIZE = 12, NEXT = 16, BATCH = 1024 };

static uint64_t
id_at(const unsigned char *head, size_t record)
{
	return bytes_le64(head + record * RECORD_BYTES + ID);
}

/* Each next reference in the head that can be looked up is one to the same identifier. */
static bool
oracleGeneral_recognise(const char *head, size_t n)
{
	const unsigned char *b = (const unsigned char *)head;
	size_t		     records = n / RECORD_BYTES;

	for (size_t i = 0; i < records; i++) {
		uint64_t next = bytes_le64(b + i * RECORD_BYTES + NEXT), id = id_at(b, i);

		if (!objects_next_is_plausible(next, i))
			return false;
		if (next < records && id_at(b, next - 1) != id && id_at(b, next) != id)
			return false;
	}
	return records > 0;
}

static int
oracle_read(void *self, struct input *in, struct record *r, struct error *e)
{
	const unsigned char *b;
	int		     status = objects_next(self, in, RECORD_BYTES, ID, &b, e);

	if (status <= 0)
		return status;
	if (unlikely(!objects_next_is_known(bytes_le64(b + NEXT))))
		return error_set(e,
		    "the number of the next reference cannot be right: the trace is damaged, or it "
		    "is another file");
	r->op = OP_READ;
	r->time = (usec_t)bytes_le32(b) * 1000000;
	return objects_place(self, bytes_le64(b + ID), r, e) ? -1 : 1;
}

/* ---- writing ---- */

struct writer {
	const struct trace *t;
	struct output	   *out;
	uint64_t	   *next;    /* [references]: of the same block; number from 1, or 0 */
	uint64_t	   *nearest; /* [nblocks]: its first reference after the current one */
	size_t		    filled;  /* of batch */
	unsigned char	    batch[BATCH][RECORD_BYTES];
};

/* From the last reference to the first. */
static void
look_ahead(struct writer *w, uint64_t references)
{
	const struct trace *t = w->t;
	uint64_t	    number = references;

	for (size_t i = t->naccess; i-- > 0;) {
		const struct access *a = &t->access[i];
		block_t		     first = access_block(t, a);

		for (uint32_t k = access_count(t, a); k-- > 0; number--) {
			w->next[number - 1] = w->nearest[first + k];
			w->nearest[first + k] = number;
		}
	}
}

static int
flush(struct writer *w, struct error *e)
{
	size_t bytes = w->filled * RECORD_BYTES;

	w->filled = 0;
	return output_bytes(w->out, w->batch, bytes, e);
}

static int
put(struct writer *w, const struct access *a, block_t b, uint64_t next, struct error *e)
{
	unsigned char *to = w->batch[w->filled++];
	uint64_t       seconds = (uint64_t)a->time / 1000000;

	bytes_put_le32(to, seconds < UINT32_MAX ? (uint32_t)seconds : UINT32_MAX);
	bytes_put_le64(to + ID, b);
	bytes_put_le32(to + SIZE, w->t->block_bytes);
	bytes_put_le64(to + NEXT, next ? next : UINT64_MAX);
	return w->filled == BATCH ? flush(w, e) : 0;
}

static int
write_records(struct writer *w, struct error *e)
{
	const struct trace *t = w->t;
	const uint64_t	   *next = w->next;

	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		block_t		     first = access_block(t, a);

		if (i % TRACE_BATCH == 0)
			progress_reach(i);
		for (uint32_t k = 0; k < access_count(t, a); k++)
			if (put(w, a, first + k, *next++, e))
				return -1;
	}
	return flush(w, e);
}

static int
oracle_write(const struct trace *t, struct output *out, struct error *e)
{
	struct writer *w;
	uint64_t       references;
	int	       status = -1;

	if (trace_check(t, 0, t->naccess, e))
		return -1;
	w = calloc(1, sizeof(*w));
	if (!w)
		return error_no_memory(e);
	references = trace_references(t);
	w->t = t;
	w->out = out;
	w->nearest = calloc(t->nblocks, sizeof(*w->nearest));
	if (references < SIZE_MAX / sizeof(*w->next))
		w->next = malloc(references * sizeof(*w->next));
	if (w->nearest && w->next) {
		look_ahead(w, references);
		status = write_records(w, e);
	} else {
		error_no_memory(e);
	}
	free(w->nearest);
	free(w->next);
	free(w);
	return status;
}

FORMAT(oracleGeneral,
    .plugin = { .name = "oracleGeneral",
	.summary = "libCacheSim's oracleGeneral: identifiers of objects",
	.state_size = sizeof(struct objects),
	.params = objects_params },
    .ending = ".oracleGeneral", .lacks = OBJECTS_LACK, .recognise = oracleGeneral_recognise,
    .release = objects_release, .read = oracle_read, .by_block = true,
    .loses = LOSES_PROCESSES | LOSES_FILES | LOSES_WRITES | LOSES_ADVICE | LOSES_STEPS,
    .write = oracle_write);
