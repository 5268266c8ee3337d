/* run_frames.c - number the blocks in the cache as pages. */
#include <stdlib.h>

#include "sim/report/run/run_frames.h"

#define BIT(kind) (1u << EVENT_##kind)

const uint32_t run_frames_mask = BIT(FILL) | BIT(EVICT) | BIT(FORGET);

int
run_frames_init(struct run_frames *f, const struct trace *t, uint64_t cache_blocks,
    struct output *out, struct error *e)
{
	*f = (struct run_frames){ 0 };
	recorder_begin(&f->to, out,
	    &(struct recording_head){ cache_blocks, t->nprocesses, t->name });
	if (slots_init(&f->slots, t, e))
		return -1;
	f->page = calloc(slots_entries(t), sizeof(*f->page));
	f->idle = calloc(cache_blocks, sizeof(*f->idle));
	return f->page && f->idle ? 0 : error_set(e, "out of memory for the pages of the cache");
}

void
run_frames_release(struct run_frames *f)
{
	slots_release(&f->slots);
	free(f->page);
	free(f->idle);
	f->page = f->idle = NULL;
}

static int
take(struct run_frames *f, block_t b, uint32_t process)
{
	uint32_t page = f->nidle ? f->idle[--f->nidle] : f->pages++;

	f->page[slots_enter(&f->slots, b)] = page + 1;
	f->takes++;
	return recorder_take(&f->to, page, process, &f->error);
}

static int
give(struct run_frames *f, block_t b, uint32_t process)
{
	uint32_t *at = &f->page[slots_find(&f->slots, b)], page = *at - 1;

	*at = 0;
	f->idle[f->nidle++] = page;
	f->gives++;
	return recorder_give(&f->to, page, process, &f->error);
}

void
run_frames_see(void *frames, const struct event *e)
{
	struct run_frames *f = frames;

	for (block_t b = e->block; !f->failed && b < e->block + e->count; b++)
		f->failed = e->kind == EVENT_FILL ? take(f, b, e->process) != 0
						  : give(f, b, e->process) != 0;
}

int
run_frames_finish(struct run_frames *f, struct error *e)
{
	if (f->failed)
		*e = f->error;
	return f->failed ? -1 : recorder_end(&f->to, e);
}
