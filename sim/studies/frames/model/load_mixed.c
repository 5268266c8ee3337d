/* load_mixed.c - requests of one page and of several, freed and taken again by chance. */
#include <stdlib.h>

#include "sim/studies/frames/model/load.h"
#include "sim/trace/chance.h"

struct mixed {
	uint64_t n, steps, rounds;
	uint64_t single, order;
	uint64_t seed;
};

static const struct param mixed_params[] = {
	{ "n", PARAM_COUNT, 600, 1, 1 << 24, offsetof(struct mixed, n),
	    "requests that a thread holds at once", NULL },
	{ "steps", PARAM_COUNT, 5000, 0, 1 << 24, offsetof(struct mixed, steps),
	    "how often in a round one of them, by chance, is freed and taken again", NULL },
	{ "rounds", PARAM_COUNT, 20, 1, UINT64_C(1) << 40, offsetof(struct mixed, rounds),
	    "how often, from nothing to nothing", NULL },
	{ "single", PARAM_SHARE, SHARE_ONE / 10 * 9, 0, SHARE_ONE, offsetof(struct mixed, single),
	    "share of requests of one page", NULL },
	{ "order", PARAM_COUNT, 3, 1, FRAME_ORDERS - 1, offsetof(struct mixed, order),
	    "the others are of 2 to 2^order pages, each size half as often as the one before",
	    NULL },
	{ "seed", PARAM_COUNT, 1, 0, UINT64_MAX, offsetof(struct mixed, seed),
	    "another one: other requests", NULL },
	{ 0 },
};

/* A request of a thread's script. */
static unsigned
order_by_chance(const struct mixed *m, uint64_t *state)
{
	unsigned order;

	if (chance_share(chance_next(state)) < (double)m->single / SHARE_ONE)
		return 0;
	do
		order = 1 + (unsigned)__builtin_ctzll(chance_next(state) | UINT64_C(1) << 63);
	while (order > m->order);
	return order;
}

static int
take(const struct mixed *m, struct script *s, uint8_t *held, uint32_t slot, uint64_t *state,
    struct error *e)
{
	held[slot] = (uint8_t)order_by_chance(m, state);
	return script_add(s, MOVE_TAKE, slot, held[slot], e);
}

/* held: the order of what each slot holds. */
static int
write_round(const struct mixed *m, struct script *s, uint8_t *held, uint64_t state, struct error *e)
{
	for (uint32_t i = 0; i < m->n; i++)
		if (take(m, s, held, i, &state, e))
			return -1;
	for (uint64_t i = 0; i < m->steps; i++) {
		uint32_t slot = (uint32_t)(chance_next(&state) % m->n);

		if (script_add(s, MOVE_GIVE, slot, held[slot], e) ||
		    take(m, s, held, slot, &state, e))
			return -1;
	}
	for (uint32_t i = 0; i < m->n; i++)
		if (script_add(s, MOVE_GIVE, i, held[i], e))
			return -1;
	return 0;
}

static int
mixed_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *e)
{
	const struct mixed *m = self;
	uint8_t		   *held;
	int		    failed;

	if (order_in_block((unsigned)m->order, shape, e))
		return -1;
	held = calloc(m->n, sizeof(*held));
	if (!held)
		return error_set(e, "out of memory for %u slots", (unsigned)m->n);
	s->rounds = m->rounds;
	failed = write_round(m, s, held, chance_at(m->seed, thread), e);
	free(held);
	return failed;
}

LOAD(mixed,
    .plugin = { .name = "mixed",
	.summary =
	    "each thread holds N requests of one or several pages, and renews them by chance",
	.state_size = sizeof(struct mixed),
	.params = mixed_params },
    .write = mixed_write);
