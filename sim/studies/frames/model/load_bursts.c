/* load_bursts.c - few pages for a while, then many at once. */
#include "sim/studies/frames/model/load.h"

struct bursts {
	uint64_t calm, times, burst, rounds;
};

static const struct param bursts_params[] = {
	{ "calm", PARAM_COUNT, 30, 1, 1 << 24, offsetof(struct bursts, calm),
	    "single pages that a thread takes and then frees, between bursts", NULL },
	{ "times", PARAM_COUNT, 50, 1, 1 << 24, offsetof(struct bursts, times),
	    "how often it does so before a burst", NULL },
	{ "burst", PARAM_COUNT, 1000, 1, 1 << 24, offsetof(struct bursts, burst),
	    "single pages that it takes and then frees in a burst", NULL },
	{ "rounds", PARAM_COUNT, 30, 1, UINT64_C(1) << 40, offsetof(struct bursts, rounds),
	    "how many bursts", NULL },
	{ 0 },
};

static int
take_and_give(struct script *s, uint64_t n, struct error *e)
{
	for (uint32_t i = 0; i < n; i++)
		if (script_add(s, MOVE_TAKE, i, 0, e))
			return -1;
	for (uint32_t i = 0; i < n; i++)
		if (script_add(s, MOVE_GIVE, i, 0, e))
			return -1;
	return 0;
}

static int
bursts_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *e)
{
	const struct bursts *b = self;

	(void)thread;
	(void)shape;
	s->rounds = b->rounds;
	for (uint64_t i = 0; i < b->times; i++)
		if (take_and_give(s, b->calm, e))
			return -1;
	return take_and_give(s, b->burst, e);
}

LOAD(bursts,
    .plugin = { .name = "bursts",
	.summary = "each thread takes and frees few single pages many times, then many at once",
	.state_size = sizeof(struct bursts),
	.params = bursts_params },
    .write = bursts_write);
