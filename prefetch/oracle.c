/*
 * oracle.c - how good could prefetching be?  It knows the trace, and reads
 * whenever the device has nothing to do.
 *
 * The rules are in oracle_rules.h, with their papers.  Here is what they need
 * to know: which blocks are missing, in the order of their next references; what
 * a read takes, which is the mean of the last 64; and how long the program
 * thinks between two references.
 *
 * One block at a time is what the papers study.  A real device serves many
 * blocks in one request, and sorted requests in little time: up to `batch`
 * blocks are read at once, in the order of their places from that of the block
 * needed first, then those before it.  A block is read with the missing ones
 * beside it, even if they are needed later.
 *
 * Memory: 8 bytes a reference for conservative, else 4.
 */
#include <math.h>
#include <stdlib.h>

#include "prefetch/belady.h"
#include "prefetch/oracle_rules.h"

enum { RECENT = 64, BATCH_MAX = 65536, WITHIN = 1024 };

static const char *const rule_words[] = { "aggressive", "conservative", "horizon", "forestall" };

/* The last requests. */
struct services {
	usec_t	 us[RECENT];
	uint32_t blocks[RECENT];
	uint64_t n, all_blocks;
	usec_t	 all_us;
};

struct oracle {
	uint64_t rule, batch;

	const struct trace  *trace;
	const struct future *future; /* NULL before the first idle() */
	struct bits	     missing;
	struct bits	     written; /* references that write */
	struct belady	     belady;  /* of conservative */
	block_t		    *block;   /* [references] */
	uint32_t	    *victim;  /* [references], see oracle_rules.h; or NULL */
	struct services	     services;
	uint32_t	     wait_until; /* reference before which forestall does nothing */

	/* The last choice. */
	uint32_t	 *chosen; /* [batch] references */
	block_t		 *sorted; /* [batch] */
	struct block_run *run;	  /* [batch] */
	uint32_t	  nchosen;

	uint64_t reads, declined;
};

static const struct param oracle_params[] = {
	{ "rule", PARAM_WORD, ORACLE_AGGRESSIVE, 0, ORACLE_FORESTALL, offsetof(struct oracle, rule),
	    "when to read the next missing block", rule_words },
	{ "batch", PARAM_COUNT, 128, 1, BATCH_MAX, offsetof(struct oracle, batch),
	    "missing blocks that are read at once, sorted", NULL },
	{ 0 },
};

/* ---- what is known from the start ---- */

static void
list_references(struct oracle *o)
{
	const struct trace *t = o->trace;
	uint32_t	    n = 0;

	for (size_t i = 0; i < t->naccess; i++) {
		block_t b = access_block(t, &t->access[i]);

		for (uint32_t k = access_count(t, &t->access[i]); k-- > 0; b++) {
			if (t->access[i].write)
				bits_set(&o->written, n);
			o->block[n++] = b;
		}
	}
}

static int
oracle_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct oracle *o = self;
	uint64_t       n;

	if (trace_check(t, 0, t->naccess, e))
		return -1;
	n = trace_references(t);
	if (n >= FUTURE_NEVER)
		return error_set(e, "%llu references are too many for the oracle",
		    (unsigned long long)n);
	o->trace = t;
	o->block = malloc(((size_t)n + 1) * sizeof(*o->block));
	o->chosen = malloc(o->batch * sizeof(*o->chosen));
	o->sorted = malloc(o->batch * sizeof(*o->sorted));
	o->run = malloc(o->batch * sizeof(*o->run));
	if (o->rule == ORACLE_CONSERVATIVE)
		o->victim = malloc(((size_t)n + 1) * sizeof(*o->victim));
	if (!o->block || !o->chosen || !o->sorted || !o->run ||
	    (o->rule == ORACLE_CONSERVATIVE && !o->victim))
		return error_set(e, "out of memory for the oracle");
	if (bits_init(&o->missing, (uint32_t)n, e) || bits_init(&o->written, (uint32_t)n, e) ||
	    (o->victim && belady_init(&o->belady, (uint32_t)n, e)))
		return -1;
	list_references(o);
	return 0;
}

static void
oracle_release(void *self)
{
	struct oracle *o = self;

	bits_release(&o->missing);
	bits_release(&o->written);
	belady_release(&o->belady);
	free(o->block);
	free(o->victim);
	free(o->chosen);
	free(o->sorted);
	free(o->run);
}

/* The misses of the optimum, which are read in order, and what they may cost. */
static void
find_victims(struct oracle *o, frame_t frames)
{
	o->belady.vacant = frames;
	for (uint32_t i = 0; i < o->future->references; i++)
		if (!belady_refer(&o->belady, i, o->future->next[i], &o->victim[i]))
			o->victim[i] = 0;
}

/* The block of reference p is not in the cache.  To be written, it need not be read. */
static void
note_missing(struct oracle *o, uint32_t p)
{
	if (!bits_has(&o->written, p))
		bits_set(&o->missing, p);
}

/* Before the first reference. */
static void
begin(struct oracle *o, const struct idle *now)
{
	o->future = now->future;
	for (uint32_t i = 0; i < o->future->references; i++)
		if (future_next(o->future, o->block[i]) == i)
			note_missing(o, i);
	if (o->victim)
		find_victims(o, now->cache->nframes);
}

/* ---- what is learnt ---- */

static void
oracle_access(void *self, const struct demand *d, struct plan *plan)
{
	/* A reference is no reason to read: the time of the device is. */
}

/* Block b leaves the cache. */
static void
oracle_dropped(void *self, block_t b)
{
	struct oracle *o = self;
	uint32_t       next = future_next(o->future, b);

	if (next != FUTURE_NEVER)
		note_missing(o, next);
	o->wait_until = 0;
}

static void
oracle_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	oracle_dropped(self, b);
}

static void
oracle_finished(void *self, const struct finished *f)
{
	struct oracle	*o = self;
	struct services *s = &o->services;
	unsigned	 i = (unsigned)(s->n % RECENT);

	if (f->write)
		return;
	s->all_us += f->done - f->started - s->us[i];
	s->all_blocks += f->count - s->blocks[i];
	s->us[i] = f->done - f->started;
	s->blocks[i] = f->count;
	s->n++;
	o->wait_until = 0;
}

/* A time per `n`, in references; without end as long as one of the two is unknown, or 0. */
static double
in_references(const struct oracle *o, uint64_t n, const struct idle *now)
{
	return n && now->think > 0 ? (double)o->services.all_us / (double)n / now->think : INFINITY;
}

/* ---- a choice ---- */

struct view {
	struct oracle	  *o;
	const struct idle *now;
	frame_t		   frame; /* that leaves; number nframes - 1 */
	uint32_t	   nframes;
};

/* Asked for in order; the last one perhaps more than once. */
static uint32_t
leaves(void *ctx, uint32_t i)
{
	struct view *v = ctx;

	if (i == v->nframes) {
		v->frame = idle_leaves(v->now, v->frame);
		v->nframes++;
	}
	return v->frame ? future_next(v->o->future, v->now->cache->frame[v->frame].block) : 0;
}

static uint32_t
beside(void *ctx, uint32_t p, int64_t distance)
{
	const struct oracle *o = ((const struct view *)ctx)->o;
	int64_t		     b = o->block[p] + distance;

	return b > 0 && b < o->trace->nblocks ? future_next(o->future, (block_t)b) : FUTURE_NEVER;
}

/* What was chosen last is in the cache, or has found no room and is missing. */
static void
settle(struct oracle *o, const struct idle *now)
{
	for (; o->nchosen > 0; o->nchosen--) {
		uint32_t p = o->chosen[o->nchosen - 1];

		if (p >= now->reference && !cache_find(now->cache, o->block[p]))
			bits_set(&o->missing, p);
	}
}

static uint32_t
choose(struct oracle *o, const struct idle *now)
{
	const struct cache    *c = now->cache;
	const struct services *s = &o->services;
	struct view	       view = { .o = o, .now = now };
	struct outlook	       look = {
			.cursor = now->reference,
			.missing = &o->missing,
			.request = in_references(o, s->n < RECENT ? s->n : RECENT, now),
			.block = in_references(o, s->all_blocks, now),
			.batch = (uint32_t)o->batch,
			.vacant = c->nframes - c->nused + c->nvacant,
			.within = c->nframes < WITHIN ? c->nframes : WITHIN,
			.victim = o->victim,
			.leaves = leaves,
			.beside = beside,
			.ctx = &view,
	};
	uint32_t slack = o->rule == ORACLE_FORESTALL ? oracle_slack(&look) : 0;

	if (slack) {
		o->wait_until = now->reference + slack;
		return 0;
	}
	return oracle_choose((enum oracle_rule)o->rule, &look, o->chosen);
}

/* Shell's sort, which takes no memory. */
static void
sort(block_t *b, uint32_t n)
{
	for (uint32_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : (uint32_t)(gap / 2.2)) {
		for (uint32_t i = gap; i < n; i++) {
			block_t	 x = b[i];
			uint32_t k = i;

			for (; k >= gap && b[k - gap] > x; k -= gap)
				b[k] = b[k - gap];
			b[k] = x;
		}
	}
}

/* From block `from` on, then those before it; neighbours are a run. */
static unsigned
make_runs(struct block_run *run, const block_t *b, uint32_t n, block_t from)
{
	uint32_t first = 0;
	unsigned nruns = 0;

	while (b[first] < from)
		first++;
	for (uint32_t i = 0; i < n; i++) {
		block_t next = b[(first + i) % n];

		if (nruns && run[nruns - 1].block + run[nruns - 1].count == next)
			run[nruns - 1].count++;
		else
			run[nruns++] = (struct block_run){ next, 1 };
	}
	return nruns;
}

static unsigned
oracle_idle(void *self, const struct idle *now, const struct block_run **runs)
{
	struct oracle *o = self;
	uint32_t       n;

	if (!o->future)
		begin(o, now);
	settle(o, now);
	if (now->reference < o->wait_until)
		return 0;
	n = o->nchosen = choose(o, now);
	for (uint32_t i = 0; i < n; i++)
		o->sorted[i] = o->block[o->chosen[i]];
	if (!n) {
		o->declined += bits_first(&o->missing, now->reference) != BITS_NONE;
		return 0;
	}
	o->reads++;
	sort(o->sorted, n);
	*runs = o->run;
	return make_runs(o->run, o->sorted, n, o->block[o->chosen[0]]);
}

static const struct counter oracle_counters[] = {
	{ "reads", "reads", "of what will be needed, when the device had nothing to do",
	    offsetof(struct oracle, reads) },
	{ "declined", "times", "that the device had nothing to do and the rule read nothing",
	    offsetof(struct oracle, declined) },
	{ 0 },
};

PREFETCHER(oracle,
    .plugin = { .name = "oracle",
	.summary =
	    "knows the trace and reads whenever the device is idle; with policy opt (Cao 1995, Kimbrel 1996)",
	.source =
	    "P. Cao, E. W. Felten, A. R. Karlin, K. Li: A study of integrated prefetching and caching strategies, SIGMETRICS 1995; T. Kimbrel et al.: A trace-driven comparison of algorithms for parallel prefetching and caching, OSDI 1996",
	.state_size = sizeof(struct oracle),
	.params = oracle_params,
	.counters = oracle_counters },
    .init = oracle_init, .release = oracle_release, .access = oracle_access,
    .evicted = oracle_evicted, .finished = oracle_finished, .dropped = oracle_dropped,
    .idle = oracle_idle);
