/*
 * index_then_row.c - look-ups through an index, as of a table of MyISAM.
 *
 * File 0 is the index, file 1 the table.  A look-up reads pages of the index
 * and then its row.  The keys of a range are consecutive in the index, and
 * their rows anywhere in the table.
 */
#include "sim/trace/shape.h"

struct index_then_row {
	struct shape_settings all;
	uint64_t	      index, range, keys, row;
	uint64_t	      first; /* page of the index of the current range */
};

static const struct param params[] = {
	SHAPE_SIZE(512 << 20),
	SHAPE_PARAMS(40000, 1, 4096),
	{ "index", PARAM_BYTES, 16 << 20, 1, UINT64_C(1) << 40,
	    offsetof(struct index_then_row, index), "bytes of the index", NULL },
	{ "row", PARAM_COUNT, 2, 1, 1000, offsetof(struct index_then_row, row),
	    "calls in a row that read a row", NULL },
	{ "keys", PARAM_COUNT, 10, 1, 1000, offsetof(struct index_then_row, keys),
	    "rows for each page of the index", NULL },
	{ "range", PARAM_COUNT, 4, 1, 1000000, offsetof(struct index_then_row, range),
	    "pages of the index in a row, then elsewhere", NULL },
	{ 0 },
};

static int
index_then_row_init(void *self, struct error *e)
{
	struct index_then_row *t = self;

	if (t->all.size < t->all.call * t->row)
		return error_usage(e, "the file is smaller than a row");
	if (t->index < t->all.call * t->range)
		return error_usage(e, "the index is smaller than a range");
	return 0;
}

/* A page of the index, then keys rows of row calls each. */
static bool
index_then_row_call(void *self, uint64_t i, struct shape_call *c)
{
	const struct index_then_row *t = self;
	uint64_t		     step = 1 + t->keys * t->row, page = i / step, at = i % step, n;

	if (at == 0) {
		n = t->index / t->all.call - t->range + 1;
		c->file_bytes = t->index;
		c->offset = t->all.call *
		    (chance_at(t->all.key, 2 * (page / t->range)) % n + page % t->range);
		return true;
	}
	n = t->all.size / t->all.call - t->row + 1;
	c->file = c->descriptor = 1;
	at--;
	c->offset = t->all.call *
	    (chance_at(t->all.key, 2 * (page * t->keys + at / t->row) + 1) % n + at % t->row);
	return true;
}

SHAPE(index_then_row,
    .plugin = { .name = "index-then-row",
	.summary = "look-ups: pages of an index, and for each some rows anywhere in a table",
	.state_size = sizeof(struct index_then_row),
	.params = params },
    .teaches = "the MyISAM trap: a row of two pages looks like the beginning of a stream",
    .init = index_then_row_init, .call = index_then_row_call);
