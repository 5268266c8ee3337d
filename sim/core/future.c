/* future.c - chain the references to each block. */
#include <stdlib.h>

#include "sim/core/future.h"

enum { CALLS_AHEAD = 24 }; /* whose blocks are prefetched */

/* From the last reference to the first: pending[] then holds the next one of each block. */
static void
chain(struct future *f, const struct trace *t, uint32_t references)
{
	for (size_t i = t->naccess; i-- > 0;) {
		block_t first = access_block(t, &t->access[i]);

		if (!f->slots.group && i >= CALLS_AHEAD)
			future_expect(f, access_block(t, &t->access[i - CALLS_AHEAD]));
		for (uint32_t k = access_count(t, &t->access[i]); k-- > 0;) {
			uint32_t *pending = &f->pending[slots_enter(&f->slots, first + k)];

			f->next[--references] = ~*pending;
			*pending = ~references;
		}
	}
	ASSERT(!references);
}

int
future_init(struct future *f, const struct trace *t, struct error *e)
{
	uint64_t references;

	*f = (struct future){ 0 };
	if (trace_check(t, 0, t->naccess, e))
		return -1;
	references = trace_references(t);
	if (references >= FUTURE_NEVER || references >= SIZE_MAX / sizeof(*f->next))
		return error_set(e, "%llu references are too many to know the future of",
		    (unsigned long long)references);
	f->next = malloc((size_t)(references + 1) * sizeof(*f->next));
	f->pending = calloc(slots_entries(t), sizeof(*f->pending));
	if (!f->next || !f->pending || slots_init(&f->slots, t, e))
		return error_set(e, "out of memory for the future of %llu references",
		    (unsigned long long)references);
	f->references = (uint32_t)references;
	chain(f, t, f->references);
	return 0;
}

void
future_release(struct future *f)
{
	free(f->next);
	free(f->pending);
	slots_release(&f->slots);
	*f = (struct future){ 0 };
}
