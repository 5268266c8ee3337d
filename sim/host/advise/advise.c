/*
 * advise.c - the search.
 *
 * Settings: every window with every scheduler, then request sizes, and the
 * windows again if another request size is better.  Advice: a few files, those
 * that the program waits for most and those read in vain most.  From several
 * settings, advice for one file each is tried; what saves most is kept, then
 * the next if it still saves, and so on; then the windows again.  At the end
 * the window comes as near to that of Linux as costs little, and each line that
 * saves too little is left out, the least one first.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/device/here.h"
#include "sim/host/advise/advise.h"
#include "sim/host/advise/profile.h"

static const uint32_t	      windows_kb[] = { 0, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096 };
static const uint32_t	      requests_kb[] = { 128, 256, 512, 1280 };
static const enum advice_kind kinds[] = { ADVICE_RANDOM, ADVICE_SEQUENTIAL, ADVICE_WILLNEED };

enum {
	WINDOWS = sizeof(windows_kb) / sizeof(*windows_kb),
	REQUESTS = sizeof(requests_kb) / sizeof(*requests_kb),
	KINDS = sizeof(kinds) / sizeof(*kinds),
	LIST_MAX = NEARBY_MAX * (1 + LINES_MAX),
	DEFAULT_KB = 128, /* read_ahead_kb of Linux */
	LARGE_KB = 1024,
	AWAITED = 5, /* files, of FILES_MAX */
};

/* Where the search is. */
struct best {
	struct setting setting;
	uint64_t       us;
};

/* Settings to try. */
struct list {
	struct setting setting[LIST_MAX];
	uint64_t       us[LIST_MAX];
	size_t	       n;
};

static void
add(struct list *l, const struct setting *s)
{
	ASSERT(l->n < LIST_MAX);
	l->setting[l->n++] = *s;
}

static int
try_all(struct advise *a, struct list *l, struct error *e)
{
	return attempts_make(&a->attempts, l->setting, l->n, l->us, e);
}

/* Try them, and take the best one if it is faster. */
static int
improve(struct advise *a, struct list *l, struct best *b, struct error *e)
{
	if (try_all(a, l, e))
		return -1;
	for (size_t i = 0; i < l->n; i++)
		if (l->us[i] < b->us)
			*b = (struct best){ l->setting[i], l->us[i] };
	return 0;
}

static int
time_of(struct advise *a, const struct setting *s, uint64_t *us, struct error *e)
{
	return attempts_make(&a->attempts, s, 1, us, e);
}

/* ---- lines ---- */

/* The lines of a setting: what differs from Linux as it comes. */
static unsigned
list_lines(const struct advise *a, const struct setting *s, struct line line[LINES_MAX])
{
	unsigned n = 0;

	if (s->window_kb != a->as_is.window_kb)
		line[n++] = (struct line){ .kind = LINE_WINDOW };
	if (s->scheduler != a->as_is.scheduler)
		line[n++] = (struct line){ .kind = LINE_SCHEDULER };
	if (s->request_blocks != a->as_is.request_blocks)
		line[n++] = (struct line){ .kind = LINE_REQUEST };
	for (unsigned i = 0; i < a->attempts.nfiles; i++)
		if (s->advice[i])
			line[n++] = (struct line){ .kind = LINE_FILE, .file = i };
	return n;
}

static struct setting
without(const struct advise *a, const struct setting *s, const struct line *l)
{
	struct setting r = *s;

	switch (l->kind) {
	case LINE_WINDOW:
		r.window_kb = a->as_is.window_kb;
		break;
	case LINE_SCHEDULER:
		r.scheduler = a->as_is.scheduler;
		break;
	case LINE_REQUEST:
		r.request_blocks = a->as_is.request_blocks;
		break;
	case LINE_FILE:
		r.advice[l->file] = ADVICE_NORMAL;
		break;
	}
	return r;
}

bool
line_flips(const struct proposal *p, const struct line *l, unsigned nearby)
{
	return l->without_us[nearby] + l->without_us[nearby] / LEAST_LOST < p->us[nearby];
}

/* Leave out lines that save too little. */
static int
prune(struct advise *a, struct best *b, struct error *e)
{
	uint64_t    least = a->as_is_us[NEARBY_GIVEN] / LEAST_OF_LINE;
	struct line line[LINES_MAX];
	size_t	    fastest;

	for (;;) {
		struct list l = { .n = 0 };
		unsigned    n = list_lines(a, &b->setting, line);

		for (unsigned i = 0; i < n; i++) {
			struct setting s = without(a, &b->setting, &line[i]);

			add(&l, &s);
		}
		if (try_all(a, &l, e))
			return -1;
		fastest = 0;
		for (size_t i = 1; i < l.n; i++)
			if (l.us[i] < l.us[fastest])
				fastest = i;
		if (!l.n || l.us[fastest] >= b->us + least)
			return 0;
		*b = (struct best){ l.setting[fastest], l.us[fastest] };
	}
}

/* ---- settings of the machine ---- */

/* Of windows that are about as good, the one nearest to that of Linux as it comes. */
static int
moderate(struct advise *a, struct best *b, struct error *e)
{
	uint64_t    least = a->as_is_us[NEARBY_GIVEN] / LEAST_OF_LINE;
	uint32_t    far = b->setting.window_kb, usual = a->as_is.window_kb;
	struct list l = { .n = 0 };

	for (unsigned w = 0; w < WINDOWS; w++) {
		unsigned       k = far > usual ? w : WINDOWS - 1 - w;
		struct setting s = b->setting;

		s.window_kb = windows_kb[k];
		if ((s.window_kb > usual && s.window_kb < far) ||
		    (s.window_kb < usual && s.window_kb > far))
			add(&l, &s);
	}
	if (try_all(a, &l, e))
		return -1;
	for (size_t i = 0; i < l.n; i++)
		if (l.us[i] < b->us + least) {
			*b = (struct best){ l.setting[i], l.us[i] };
			break;
		}
	return 0;
}

static int
try_windows(struct advise *a, struct best *b, struct error *e)
{
	struct list l = { .n = 0 };

	for (unsigned w = 0; w < WINDOWS; w++)
		for (uint8_t k = 0; k < KERNEL_SCHEDULERS; k++) {
			struct setting s = b->setting;

			s.window_kb = windows_kb[w];
			if (backing_has_queue(&a->backing))
				s.scheduler = k;
			else if (k)
				break;
			add(&l, &s);
		}
	return improve(a, &l, b, e);
}

static int
try_requests(struct advise *a, struct best *b, struct error *e)
{
	struct list l = { .n = 0 };

	for (unsigned r = 0; backing_has_queue(&a->backing) && r < REQUESTS; r++) {
		struct setting s = b->setting;

		s.request_blocks = (requests_kb[r] << 10) / a->attempts.t->block_bytes;
		if (s.request_blocks)
			add(&l, &s);
	}
	return improve(a, &l, b, e);
}

static int
find_settings(struct advise *a, struct best *b, struct error *e)
{
	uint32_t before = b->setting.request_blocks;

	if (try_windows(a, b, e) || try_requests(a, b, e))
		return -1;
	if (b->setting.request_blocks != before && try_windows(a, b, e))
		return -1;
	return moderate(a, b, e) || prune(a, b, e) ? -1 : 0;
}

/* ---- advice ---- */

static int
take_profile(const struct config *c, const struct trace *t, void *to, struct error *e)
{
	return profile_make(to, c, t, e);
}

/* The program advises about these files itself. */
static void
forget_advised(const struct trace *t, uint64_t *value)
{
	for (size_t k = 0; k < t->nadvice; k++)
		value[t->open[t->advice[k].open].file] = 0;
}

static int
choose_files(struct advise *a, const struct setting *small, const struct setting *large,
    struct error *e)
{
	struct attempts	   *m = &a->attempts;
	struct profile	    p[2] = { 0 };
	const struct trace *t = m->t;
	int		    failed = setting_use(m, small, take_profile, &p[0], e) ||
	    setting_use(m, large, take_profile, &p[1], e);

	if (!failed) {
		forget_advised(t, p[0].stall_us);
		forget_advised(t, p[1].wasted);
		profile_pick(p[0].stall_us, t->nfiles, AWAITED, m->file, &m->nfiles, FILES_MAX);
		profile_pick(p[1].wasted, t->nfiles, FILES_MAX, m->file, &m->nfiles, FILES_MAX);
	}
	profile_release(&p[0]);
	profile_release(&p[1]);
	return failed ? -1 : 0;
}

/* Half of the cache may be filled by WILLNEED. */
static bool
is_possible(const struct advise *a, unsigned file, enum advice_kind kind)
{
	const struct attempts *m = &a->attempts;

	return kind != ADVICE_WILLNEED ||
	    m->t->file[m->file[file]].nblocks <= m->nearby[NEARBY_GIVEN].cache_blocks / 2;
}

static void
list_single(const struct advise *a, const struct setting *from, struct list *l)
{
	for (unsigned i = 0; i < a->attempts.nfiles; i++)
		for (unsigned k = 0; k < KINDS; k++) {
			struct setting s = *from;

			s.advice[i] = (uint8_t)kinds[k];
			if (is_possible(a, i, kinds[k]))
				add(l, &s);
		}
}

/* The fastest that has not been taken. */
static size_t
next_fastest(const struct list *l, const bool *taken)
{
	size_t best = l->n;

	for (size_t i = 0; i < l->n; i++)
		if (!taken[i] && (best == l->n || l->us[i] < l->us[best]))
			best = i;
	return best;
}

/* Put the advice of `one` into *s; false: there is some for its file. */
static bool
join(struct setting *s, const struct setting *one)
{
	for (unsigned i = 0; i < FILES_MAX; i++)
		if (one->advice[i]) {
			if (s->advice[i])
				return false;
			s->advice[i] = one->advice[i];
		}
	return true;
}

static int
add_advice(struct advise *a, struct best *b, struct error *e)
{
	uint64_t    least = a->as_is_us[NEARBY_GIVEN] / LEAST_OF_LINE, start = b->us;
	struct list l = { .n = 0 };
	bool	    taken[LIST_MAX] = { false };
	size_t	    i;

	list_single(a, &b->setting, &l);
	if (try_all(a, &l, e))
		return -1;
	while ((i = next_fastest(&l, taken)) < l.n && l.us[i] + least <= start) {
		struct best next = *b;

		taken[i] = true;
		if (!join(&next.setting, &l.setting[i]))
			continue;
		if (time_of(a, &next.setting, &next.us, e))
			return -1;
		if (next.us + least <= b->us)
			*b = next;
	}
	return 0;
}

static int
search_from(struct advise *a, const struct setting *from, struct best *b, struct error *e)
{
	struct best here = { .setting = *from };

	if (time_of(a, &here.setting, &here.us, e) || add_advice(a, &here, e) ||
	    try_windows(a, &here, e) || moderate(a, &here, e) || prune(a, &here, e))
		return -1;
	if (here.us < b->us)
		*b = here;
	return 0;
}

bool
advise_tries_files(const struct trace *t)
{
	return !(t->lacks & LACKS_FILES) && !t->nprograms;
}

static int
find_advice(struct advise *a, const struct setting *settings, struct best *b, struct error *e)
{
	struct setting large = *settings;

	large.window_kb = LARGE_KB;
	if (!advise_tries_files(a->attempts.t))
		return 0;
	if (choose_files(a, settings, &large, e))
		return -1;
	if (!a->attempts.nfiles)
		return 0;
	return advised_init(&a->attempts.advised, a->attempts.t, e) ||
		search_from(a, settings, b, e) || search_from(a, &a->as_is, b, e) ||
		search_from(a, &large, b, e)
	    ? -1
	    : 0;
}

/* ---- proposals ---- */

static int
time_nearby(struct advise *a, const struct setting *s, uint64_t us[NEARBY_MAX], struct error *e)
{
	struct list l = { .n = 0 };

	for (uint8_t i = 0; i < a->attempts.nnearby; i++) {
		struct setting there = *s;

		there.nearby = i;
		add(&l, &there);
	}
	if (try_all(a, &l, e))
		return -1;
	memcpy(us, l.us, l.n * sizeof(*us));
	return 0;
}

/* Propose b if it saves enough compared with the time of what would be done else. */
static int
propose(struct advise *a, const struct best *b, uint64_t otherwise, struct proposal *p,
    struct error *e)
{
	p->setting = b->setting;
	if (b->us + a->as_is_us[NEARBY_GIVEN] / LEAST_SAVED > otherwise)
		return 0;
	p->nlines = list_lines(a, &b->setting, p->line);
	if (time_nearby(a, &b->setting, p->us, e))
		return -1;
	for (unsigned i = 0; i < p->nlines; i++) {
		struct setting s = without(a, &b->setting, &p->line[i]);

		if (time_nearby(a, &s, p->line[i].without_us, e))
			return -1;
	}
	return 0;
}

const struct proposal *
advise_best(const struct advise *a)
{
	return a->with_advice.nlines ? &a->with_advice : a->settings.nlines ? &a->settings : NULL;
}

static int
search(struct advise *a, struct error *e)
{
	struct best b = { .setting = a->as_is }, advised;
	uint64_t    reached;

	if (time_nearby(a, &a->as_is, a->as_is_us, e))
		return -1;
	b.us = reached = a->as_is_us[NEARBY_GIVEN];
	if (find_settings(a, &b, e) || propose(a, &b, reached, &a->settings, e))
		return -1;
	if (a->settings.nlines)
		reached = b.us;
	advised = b;
	if (find_advice(a, &b.setting, &advised, e))
		return -1;
	return propose(a, &advised, reached, &a->with_advice, e);
}

/* ---- ranks ---- */

static int
by_time(const void *x, const void *y)
{
	const struct attempt *p = x, *q = y;
	const struct setting *s = &p->setting, *t = &q->setting;

	if (p->us != q->us)
		return p->us < q->us ? -1 : 1;
	if (s->window_kb != t->window_kb)
		return s->window_kb < t->window_kb ? -1 : 1;
	if (s->request_blocks != t->request_blocks)
		return s->request_blocks < t->request_blocks ? -1 : 1;
	return s->scheduler - t->scheduler;
}

static int
rank(struct advise *a, struct error *e)
{
	const struct attempts *m = &a->attempts;

	a->ranked = calloc(m->n, sizeof(*a->ranked));
	if (!a->ranked)
		return error_set(e, "out of memory for %zu runs", m->n);
	for (size_t i = 0; i < m->n; i++)
		if (m->attempt[i].setting.nearby == NEARBY_GIVEN &&
		    !setting_advises(&m->attempt[i].setting))
			a->ranked[a->nranked++] = m->attempt[i];
	qsort(a->ranked, a->nranked, sizeof(*a->ranked), by_time);
	return 0;
}

/* The commands that the device takes at once. */
static int
depth_of(const struct choice *c, uint32_t *depth, struct error *e)
{
	const struct device *d = device_of(c);
	void		    *self = device_start(c, e);

	if (!self)
		return -1;
	*depth = d->depth ? d->depth(self) : 1;
	device_stop(d, self);
	return 0;
}

/* Where the files lie: as told, or those of the trace that are on this machine. */
static int
find_backing(struct backing *p, const struct options *o, const struct trace *t, struct error *e)
{
	struct error ignored;

	for (file_t f = 0; !o->folder && !strcmp(o->device, HERE) && f < t->nfiles; f++) {
		const char *name = t->file[f].name;

		if (name && *name == '/' && !access(name, F_OK) && !backing_find(p, name, &ignored))
			return 0;
	}
	return backing_find(p, o->folder, e);
}

int
advise_init(struct advise *a, const struct options *o, const struct kernel *k,
    const struct setup *s, const struct trace *t, struct error *e)
{
	struct attempts *m = &a->attempts;
	uint32_t	 depth;

	*a = (struct advise){ .attempts = { .o = o, .kernel = *k, .t = t } };
	if (find_backing(&a->backing, o, t, e) || setup_jobs(&m->jobs, o, e) ||
	    depth_of(&s->config.device, &depth, e))
		return -1;
	nearby_find(m->nearby, &m->nnearby, s, o, t);
	a->as_is = (struct setting){ .window_kb = DEFAULT_KB,
		.request_blocks = s->config.request_blocks,
		.scheduler = (uint8_t)(backing_has_queue(&a->backing) ? kernel_default(k, depth)
								      : KERNEL_NONE) };
	return search(a, e) || rank(a, e) ? -1 : 0;
}

void
advise_release(struct advise *a)
{
	attempts_release(&a->attempts);
	free(a->ranked);
}
