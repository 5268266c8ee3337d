/* load_churn.c - N single pages are taken, then freed, round after round. */
#include "sim/studies/frames/model/load.h"

struct churn {
	uint64_t n;
	uint64_t rounds;
};

static const struct param churn_params[] = {
	{ "n", PARAM_COUNT, 600, 1, 1 << 24, offsetof(struct churn, n),
	    "pages that a thread takes before it frees them", NULL },
	{ "rounds", PARAM_COUNT, 100, 1, UINT64_C(1) << 40, offsetof(struct churn, rounds),
	    "how often", NULL },
	{ 0 },
};

static int
churn_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *e)
{
	const struct churn *c = self;

	(void)thread;
	(void)shape;
	s->rounds = c->rounds;
	for (uint32_t i = 0; i < c->n; i++)
		if (script_add(s, MOVE_TAKE, i, 0, e))
			return -1;
	for (uint32_t i = 0; i < c->n; i++)
		if (script_add(s, MOVE_GIVE, i, 0, e))
			return -1;
	return 0;
}

LOAD(churn,
    .plugin = { .name = "churn",
	.summary = "each thread takes N single pages and frees them in the same order",
	.state_size = sizeof(struct churn),
	.params = churn_params,
	.source = "Park and Choi, about 2010" },
    .write = churn_write);
