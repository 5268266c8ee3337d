/* loads.c - replay the optimum, with writes that need no block. */
#include "sim/analysis/loads.h"
#include "prefetch/belady.h"
#include "sim/core/future.h"

static uint64_t
replay(struct belady *b, const struct future *f, const struct bits *write)
{
	uint64_t loads = 0;
	uint32_t victim;

	for (uint32_t i = 0; i < f->references; i++) {
		uint32_t next = f->next[i];

		if (next != FUTURE_NEVER && bits_has(write, next))
			next = FUTURE_NEVER;
		if (belady_refer(b, i, next, &victim))
			loads += !bits_has(write, i);
	}
	return loads;
}

static void
find_writes(const struct trace *t, struct bits *write)
{
	uint32_t n = 0;

	for (size_t i = 0; i < t->naccess; i++)
		for (uint32_t k = access_count(t, &t->access[i]); k-- > 0; n++)
			if (t->access[i].write)
				bits_set(write, n);
}

int
loads_least(const struct trace *t, frame_t frames, uint64_t *out, struct error *e)
{
	struct belady b = { .vacant = frames };
	struct bits   write = { 0 };
	struct future f;
	int	      failed = future_init(&f, t, e) || belady_init(&b, f.references, e) ||
	    bits_init(&write, f.references, e);

	if (!failed) {
		find_writes(t, &write);
		*out = replay(&b, &f, &write);
	}
	future_release(&f);
	belady_release(&b);
	bits_release(&write);
	return failed ? -1 : 0;
}
