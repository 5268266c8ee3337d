/* load_pass.c - what one thread takes, the next one frees. */
#include "sim/studies/frames/model/load.h"

/* Who takes pages and who frees them. */
enum { ROLES_BOTH, ROLES_APART };

struct pass {
	uint64_t n, rounds, order, roles;
};

static const char *const roles[] = { "both", "apart", NULL };

static const struct param pass_params[] = {
	{ "n", PARAM_COUNT, 256, 1, 1 << 24, offsetof(struct pass, n),
	    "requests that a thread sends in a round", NULL },
	{ "rounds", PARAM_COUNT, 200, 1, UINT64_C(1) << 40, offsetof(struct pass, rounds),
	    "how often", NULL },
	{ "order", PARAM_COUNT, 0, 0, FRAME_ORDERS - 1, offsetof(struct pass, order),
	    "each is of 2^order pages", NULL },
	{ "roles", PARAM_WORD, ROLES_BOTH, 0, ROLES_APART, offsetof(struct pass, roles),
	    "both: each thread takes and frees; apart: threads 0, 2, 4 ... take, 1, 3, 5 ... free",
	    roles },
	{ 0 },
};

static int
add_all(const struct pass *p, struct script *s, enum move_kind first, enum move_kind then,
    struct error *e)
{
	for (uint64_t i = 0; i < p->n; i++)
		if (script_add(s, first, 0, (unsigned)p->order, e) ||
		    script_add(s, then, 0, (unsigned)p->order, e))
			return -1;
	return 0;
}

static int
pass_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *e)
{
	const struct pass *p = self;
	bool		   apart = p->roles == ROLES_APART;

	if (order_in_block((unsigned)p->order, shape, e))
		return -1;
	if (apart && shape->threads % 2)
		return error_usage(e, "roles=apart: threads are pairs, and %u are not",
		    (unsigned)shape->threads);
	s->rounds = p->rounds;
	if ((!apart || thread % 2 == 0) && add_all(p, s, MOVE_TAKE, MOVE_SEND, e))
		return -1;
	if ((!apart || thread % 2 == 1) && add_all(p, s, MOVE_RECEIVE, MOVE_GIVE, e))
		return -1;
	return 0;
}

LOAD(pass,
    .plugin = { .name = "pass",
	.summary = "producers and consumers: what a thread takes, the next one frees",
	.state_size = sizeof(struct pass),
	.params = pass_params },
    .write = pass_write);
