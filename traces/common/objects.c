/* objects.c - identifiers of objects become units of one file. */
#include <stddef.h>

#include "sim/base/bytes.h"
#include "traces/common/objects.h"

enum { UNIT = 4096, UNIT_MIN = 512, UNIT_MAX = 1 << 20, AT_ONCE = 64 };

#define RECORDS_MAX ((uint64_t)1 << 40) /* of any trace */

const struct param objects_params[] = {
	{ "unit", PARAM_BYTES, UNIT, UNIT_MIN, UNIT_MAX, offsetof(struct objects, unit),
	    "bytes that stand for each object, whatever its size", NULL },
	{ 0 },
};

/* The identifiers of a few records are looked up together: none waits for memory alone. */
static int
take_records(struct objects *o, struct input *in, size_t bytes, size_t id, struct error *e)
{
	int status = input_records(in, bytes, AT_ONCE, &o->record, &o->left, e);

	for (size_t i = 0; status == 1 && i < o->left; i++)
		map_prefetch(&o->number, bytes_le64(o->record + i * bytes + id));
	return status;
}

int
objects_next(struct objects *o, struct input *in, size_t bytes, size_t id, const unsigned char **b,
    struct error *e)
{
	if (!o->left) {
		int status = take_records(o, in, bytes, id, e);

		if (status <= 0)
			return status;
		input_note(in,
		    "each identifier is one block, whatever the size of its object, and "
		    "times are whole seconds");
	}
	*b = o->record;
	o->record += bytes;
	o->left--;
	return 1;
}

int
objects_place(struct objects *o, uint64_t id, struct record *r, struct error *e)
{
	uint32_t *number = map_at(&o->number, id);

	if (!number)
		return error_no_memory(e);
	if (!*number)
		*number = ++o->n;
	r->inode = 1;
	r->offset = (uint64_t)(*number - 1) * o->unit;
	r->length = o->unit;
	return 0;
}

void
objects_release(void *self)
{
	map_release(&((struct objects *)self)->number);
}

bool
objects_next_is_known(uint64_t next)
{
	return next < RECORDS_MAX || next == INT64_MAX || next >> 63;
}

bool
objects_next_is_plausible(uint64_t next, size_t i)
{
	return next == UINT64_MAX || next == INT64_MAX || (next > i && next < RECORDS_MAX);
}
