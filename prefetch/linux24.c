/*
 * linux24.c - the readahead window of Linux 2.4.
 *
 * Every open file has a window, the blocks already requested:
 *
 *	      |<-------- win -------->|
 *	------[ older batch ][ newest ]------
 *			     |<-len-->|
 *				      end
 *
 * A call that starts outside the window resets it.  A block beyond the newest
 * batch that is not readable yet starts a synchronous batch behind itself; a
 * readable block inside the newest batch starts the next batch
 * asynchronously.  Each batch doubles the budget, up to a maximum.
 *
 * Versions differ at the end of a file, where the last block may be only
 * partly filled.  A batch that is cut there
 *	2.4.0, 2.4.20	counts one block more than it reads, and never reads
 *			a partly filled one (2.4.16 to 2.4.22 are alike)
 *	2.4.25		reads the partly filled one; if there is none,
 *			requests a block that does not exist
 *	2.4.27		counts what it reads, and never reads a partly filled
 *			one (up to 2.4.37)
 * and 2.4.0 unplugs the queue after an asynchronous batch.
 *
 * Departure: 2.4.0 also releases blocks behind the window; here eviction is
 * left to the replacement policy.  O(1) a reference, 20 bytes per open file.
 */
#include "prefetch/windows.h"

enum { HEADER_BYTES = 2048 }; /* a smaller read at the start of a file does not start a scan */

struct window {
	uint32_t budget; /* blocks in the next batch */
	uint32_t end;	 /* just past the last block requested */
	uint32_t len;	 /* of the newest batch */
	uint32_t win;	 /* len, and that of the batch before if the newest was asynchronous */
	bool	 inside; /* the current call started inside the window */
};

enum version { V2_4_0, V2_4_20, V2_4_25, V2_4_27, VERSIONS };

static const char *const version_words[VERSIONS] = { "2.4.0", "2.4.20", "2.4.25", "2.4.27" };

struct linux24 {
	uint64_t       min, max, version;
	struct window *window; /* per open file */
	uint32_t       block_shift;
};

static const struct param linux24_params[] = {
	{ "max", PARAM_COUNT, 31, 0, 1 << 16, offsetof(struct linux24, max),
	    "largest budget of a batch, in blocks", NULL },
	{ "min", PARAM_COUNT, 3, 0, 1 << 16, offsetof(struct linux24, min),
	    "smallest budget of a call inside its window, in blocks", NULL },
	{ "version", PARAM_WORD, V2_4_20, 0, VERSIONS - 1, offsetof(struct linux24, version),
	    "version of the kernel; versions differ at the end of a file", version_words },
	{ 0 },
};

static uint32_t
at_least(uint64_t a, uint64_t b)
{
	return (uint32_t)(a > b ? a : b);
}

static void
start_call(struct linux24 *ra, struct window *w, const struct demand *d, struct plan *plan)
{
	uint32_t within = (uint32_t)(d->call->offset & ((1u << ra->block_shift) - 1));
	uint64_t bytes = (uint64_t)within + d->call->length;

	if (d->call->fresh)
		*w = (struct window){ 0 };
	w->inside = d->index <= w->end && d->index + w->win >= w->end;
	if (!w->inside) {
		*w = (struct window){ 0 };
		plan_note(plan, "the call starts outside the window: reset");
	}
	if (d->index == 0 && bytes <= HEADER_BYTES) {
		w->budget = 0;
		plan_note(plan, "a short read at the start, a header: no budget");
		return;
	}
	w->budget = at_least(w->budget, (bytes >> ra->block_shift) + 1);
	if (w->inside)
		w->budget = at_least(w->budget, ra->min);
	w->budget = at_most(w->budget, ra->max);
}

/*
 * Request up to `budget` blocks behind block `start`, which is less than
 * `whole`, the number of completely filled blocks of the file.
 */
static void
batch(struct linux24 *ra, struct window *w, uint32_t start, uint32_t budget, uint64_t whole,
    struct plan *plan)
{
	uint64_t left = whole - start - 1;
	uint32_t counted = at_most(budget, left + (ra->version != V2_4_27));
	uint32_t requested = ra->version == V2_4_25 ? counted : at_most(counted, left);

	ASSERT(start < whole && requested <= counted);
	plan_add(plan, start + 1, requested);
	if (requested < budget)
		plan_note(plan,
		    requested < counted
			? "cut by the end of the file, and one more block is counted"
			: "cut by the end of the file");
	if (!counted)
		return;
	w->len += counted;
	w->win += w->len;
	w->end = start + counted + 1;
	w->budget = at_most(2 * (uint64_t)w->budget, ra->max);
}

/* Block idx is not readable yet, or was absent: the process waits for it. */
static void
touch_locked(struct linux24 *ra, struct window *w, uint32_t idx, bool absent, uint64_t whole,
    struct plan *plan)
{
	if (w->len && idx < w->end && idx + w->win >= w->end) {
		plan_note(plan,
		    absent ? "inside the window, but not in the cache: nothing is read ahead"
			   : "inside the window, still being read: nothing");
		return;
	}
	w->win = 0;
	w->len = 1;
	if (idx < whole && w->budget) {
		plan_note(plan, "not inside the window: a batch behind it, synchronously");
		batch(ra, w, idx, w->budget, whole, plan);
		return;
	}
	plan_note(plan,
	    w->budget ? "the end of the file: nothing behind it" : "nothing is read ahead");
	w->end = idx + 1;
	w->win = 1;
}

/* Block idx is readable.  This is the most frequent case, so it comes first and is short. */
static void
touch_readable(struct linux24 *ra, struct window *w, uint32_t idx, uint64_t whole,
    struct plan *plan)
{
	if (!w->inside || !w->budget || !w->end || idx > w->end || idx + w->len < w->end ||
	    w->end - 1 >= whole)
		return;
	plan_note(plan,
	    idx < w->end ? "first reference inside the newest batch: the next batch, asynchronously"
			 : "right behind the newest batch: the next batch, asynchronously");
	w->win = w->len;
	w->len = 0;
	batch(ra, w, w->end - 1, w->budget + 1, whole, plan);
	plan->unplug = ra->version == V2_4_0;
}

static void
linux24_access(void *self, const struct demand *d, struct plan *plan)
{
	struct linux24 *ra = self;
	struct window  *w = &ra->window[d->call->open];
	uint64_t	whole = d->call->file_size >> ra->block_shift;

	if (d->index == d->first)
		start_call(ra, w, d, plan);
	if (d->locked)
		touch_locked(ra, w, d->index, d->absent, whole, plan);
	else if (!d->absent && d->left)
		touch_readable(ra, w, d->index, whole, plan);
}

static int
linux24_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct linux24 *ra = self;

	ra->block_shift = t->block_shift;
	ra->window = windows_new(t, sizeof(*ra->window), e);
	return ra->window ? 0 : -1;
}

static void
linux24_release(void *self)
{
	free(((struct linux24 *)self)->window);
}

static const char *const linux24_state_names[] = { "max", "end", "length", "window", "inside",
	NULL };

static void
linux24_state(const void *self, uint32_t open, int64_t *value)
{
	const struct window *w = &((const struct linux24 *)self)->window[open];

	value[0] = w->budget;
	value[1] = w->end;
	value[2] = w->len;
	value[3] = w->win;
	value[4] = w->inside;
}

PREFETCHER(linux24,
	.plugin = {
	    .name = "linux24",
	    .summary = "readahead of Linux 2.4, a doubling window per open file",
	    .source = "Linux 2.4, mm/filemap.c",
	    .state_size = sizeof(struct linux24),
	    .params = linux24_params,
	},
	.init = linux24_init,
	.release = linux24_release,
	.access = linux24_access,
	.state_names = linux24_state_names,
	.state = linux24_state);
