/* mine.c - one plug-in of every kind, to be compiled apart. */
#include <stdlib.h>

#include "sim/block/scheduler.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"
#include "sim/core/prefetch.h"
#include "sim/device/device.h"
#include "sim/trace/format.h"

/* ---- a policy: most recently used goes first, but for the k last ---- */

struct recent {
	struct flist list;
	uint64_t     k;
};

static const struct param policy_params[] = {
	{ "k", PARAM_COUNT, 0, 0, 100, offsetof(struct recent, k), "so many of the last stay",
	    NULL },
	{ 0 },
};

static void
mine_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	flist_to_head(&((struct recent *)self)->list, c->frame, f);
}

static frame_t
mine_evict(void *self, struct cache *c, block_t incoming)
{
	struct recent *recent = self;
	frame_t	       victim = recent->list.head;

	for (uint64_t i = 0; i < recent->k && c->frame[victim].next; i++)
		victim = c->frame[victim].next;
	while (c->frame[victim].flags & FRAME_INFLIGHT)
		victim = c->frame[victim].next ? c->frame[victim].next : recent->list.head;
	flist_remove(&recent->list, c->frame, victim);
	return victim;
}

static void
mine_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	flist_push(&((struct recent *)self)->list, c->frame, f);
}

static void
mine_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(&((struct recent *)self)->list, c->frame, f);
}

POLICY(mine,
    .plugin = { .name = "mine",
	.summary = "most recently used goes first",
	.state_size = sizeof(struct recent),
	.params = policy_params },
    .hit = mine_hit, .evict = mine_evict, .insert = mine_insert, .remove = mine_remove);

/* ---- a prefetcher: a miss also reads the k blocks behind it ---- */

struct ahead {
	uint64_t k, asked_blocks;
};

static const struct counter prefetcher_counters[] = {
	{ "asked_blocks", "blocks", "in its plans", offsetof(struct ahead, asked_blocks) },
	{ 0 },
};

static const struct param prefetcher_params[] = {
	{ "k", PARAM_COUNT, 1, 1, 32, offsetof(struct ahead, k), "blocks to read ahead", NULL },
	{ 0 },
};

static void
mine_access(void *self, const struct demand *d, struct plan *plan)
{
	struct ahead *ahead = self;

	if (d->how != REF_MISS)
		return;
	plan_add(plan, d->index + 1, (uint32_t)ahead->k);
	ahead->asked_blocks += ahead->k;
}

PREFETCHER(mine,
    .plugin = { .name = "mine",
	.summary = "the blocks behind a miss",
	.state_size = sizeof(struct ahead),
	.params = prefetcher_params,
	.counters = prefetcher_counters },
    .access = mine_access);

/* ---- a format: offsets of blocks of one file, one a line ---- */

static bool
mine_recognise(const char *head, size_t n)
{
	return false;
}

static int
mine_read(void *self, struct input *in, struct record *r, struct error *e)
{
	usec_t *now = self;
	size_t	length;
	char   *line, *end;
	int	more = input_line(in, &line, &length, e);

	if (more <= 0)
		return more;
	r->offset = strtoull(line, &end, 10);
	if (end == line || *end)
		return error_set(e, "'%.20s' is not an offset", line);
	r->op = OP_READ;
	r->length = 4096;
	r->inode = 1;
	r->time = *now += 1000;
	return 1;
}

FORMAT(mine,
    .plugin = { .name = "mine", .summary = "offsets, one a line", .state_size = sizeof(usec_t) },
    .recognise = mine_recognise, .read = mine_read);

/* ---- a scheduler: last come, first served ---- */

static uint32_t
mine_pick(void *self, const struct queue *q, const struct moment *m)
{
	return q->n - 1;
}

SCHEDULER(mine, .plugin = { .name = "mine", .summary = "last come, first served" },
    .pick = mine_pick);

/* ---- a device: every request takes as long ---- */

struct constant {
	uint64_t us;
};

static const struct param device_params[] = {
	{ "time", PARAM_USEC, 1000, 0, 1000000, offsetof(struct constant, us), "of a request",
	    NULL },
	{ 0 },
};

static uint64_t
mine_capacity(const void *self)
{
	return UINT64_MAX;
}

static void
mine_service(void *self, const struct transfer *r, struct service *out)
{
	*out = (struct service){ .part[SERVICE_OVERHEAD] =
				     (usec_t)((const struct constant *)self)->us };
}

DEVICE(mine,
    .plugin = { .name = "mine",
	.summary = "every request takes as long",
	.state_size = sizeof(struct constant),
	.params = device_params },
    .capacity = mine_capacity, .service = mine_service);
