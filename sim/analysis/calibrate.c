/*
 * calibrate.c - the constants of a disk, from measured requests.
 *
 * Where the simulated drive answers from its buffer, a response consists of
 * overhead and bus.  The median difference between measured and simulated
 * responses is then the error of the overhead, even if some of these requests
 * went to the media in the measured drive.
 *
 * The overhead of a miss and the least time to position only shift the time
 * from which the heads wait for their sector, so no single request shows them;
 * they are found by the demerit, by coordinate descent with steps that are
 * halved.  The demerit depends on the accidental angle of the platters.  So
 * there are several replays with a little additional idle time in places.  A
 * constant changes only if that is a gain in the replay as measured and, over
 * all replays, a gain larger than chance explains.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/calibrate.h"
#include "sim/device/sheet.h"

enum {
	REPLAYS = 8,
	JITTER_US = 8000, /* most additional idle time: about a revolution */
	PASSES = 2,
	ROUNDS = 6,	 /* with each step, at most */
	SERVED_MIN = 10, /* for a median */
};

/* In ms; gain: a share of the demerit; spread: largest range of the lower half. */
static const double step_first = 0.256, step_last = 0.004, gain = 0.005, most = 1000, spread = 0.5;

const struct constant_info constant_info[CONSTANTS] = {
	[HIT_AFTER_READ] = { "overheads_ms", "read_hit_after_read" },
	[HIT_AFTER_WRITE] = { "overheads_ms", "read_hit_after_write" },
	[MISS_AFTER_READ] = { "overheads_ms", "read_miss_after_read" },
	[MISS_AFTER_WRITE] = { "overheads_ms", "read_miss_after_write" },
	[WRITE_AFTER_READ] = { "overheads_ms", "write_after_read" },
	[WRITE_AFTER_WRITE] = { "overheads_ms", "write_after_write" },
	[HIT_SEQUENTIAL] = { "overheads_ms", "read_hit_sequential" },
	[MISS_SEQUENTIAL] = { "overheads_ms", "read_miss_sequential" },
	[WRITE_SEQUENTIAL] = { "overheads_ms", "write_sequential" },
	[LEAST_READ] = { "mechanics", "least_read_ms" },
	[LEAST_WRITE] = { "mechanics", "least_write_ms" },
};

struct fit {
	struct calibration    *k;
	const struct measured *m;
	size_t		       n;      /* requests to fit to */
	struct config	       config; /* with the current sheet */
	const char	      *text;   /* the sheet as it was given */
	struct measured run[REPLAYS];  /* the same requests; idle for longer, but for the first */
	struct service *service;
	double	       *should[CONSTANTS]; /* what each overhead should be, by request */
	double		best[REPLAYS];	   /* their demerits with the best constants so far */
};

bool
calibration_changed(const struct calibration *k, enum constant_id id)
{
	if (isnan(k->before[id]))
		return !isnan(k->after[id]);
	return k->after[id] != k->before[id];
}

/* ---- sheets ---- */

static void
read_constants(struct calibration *k, const char *text)
{
	struct sheet s;
	struct error ignored; /* the device has read this sheet before */

	sheet_open(&s, text);
	for (unsigned i = 0; i < CONSTANTS; i++)
		k->before[i] = k->after[i] = sheet_number_or(&s, constant_info[i].section,
		    constant_info[i].key, 0, most, NAN);
	sheet_close(&s, &ignored);
}

/* The sheet with the constants as they are now, to be freed. */
static char *
sheet_now(const struct calibration *k, const char *given, struct error *e)
{
	char *text = strdup(given), value[32];

	if (!text)
		error_set(e, "out of memory for the data sheet");
	for (unsigned i = 0; text && i < CONSTANTS; i++) {
		const char *section = constant_info[i].section, *key = constant_info[i].key;
		char	   *old = text;

		if (!calibration_changed(k, i))
			continue;
		snprintf(value, sizeof(value), "%.3f", k->after[i]);
		text = sheet_with(old, section, key, value, e);
		free(old);
	}
	return text;
}

/* Replay n runs with the current constants; sets the demerit of each. */
static int
replay(struct fit *f, const struct measured *runs, unsigned n, double *demerit, struct error *e)
{
	char *text = sheet_now(f->k, f->text, e);
	int   failed = text ? 0 : -1;

	f->config.device.sheet = text;
	for (unsigned i = 0; !failed && i < n; i++) {
		struct comparison c;

		failed = demerit_replay(&runs[i], &f->config, f->service, e) ||
			comparison_init(&c, &runs[i], f->service, 0, f->n, e)
		    ? -1
		    : 0;
		if (!failed) {
			demerit[i] = c.demerit;
			comparison_release(&c);
		}
	}
	free(text);
	return failed;
}

/* ---- from what was served from the buffer ---- */

/* The overhead constant of a request; sequential requests have constants of their own. */
static enum constant_id
overhead_of(const struct fit *f, size_t i)
{
	const struct measured_request *q = &f->m->request[i];
	bool			       after_write = i && q[-1].write;
	bool			       hit = f->service[i].from_buffer;

	if (q->write)
		return q->sequential ? WRITE_SEQUENTIAL : WRITE_AFTER_READ + after_write;
	if (hit)
		return q->sequential ? HIT_SEQUENTIAL : HIT_AFTER_READ + after_write;
	if (q->sequential && !isnan(f->k->after[MISS_SEQUENTIAL]))
		return MISS_SEQUENTIAL;
	return MISS_AFTER_READ + after_write;
}

/* The overhead in the replay: the sheet may lack the constant for sequential requests. */
static double
overhead_then(const struct fit *f, size_t i, enum constant_id id)
{
	bool after_write = i && f->m->request[i - 1].write;

	if (!isnan(f->k->after[id]))
		return f->k->after[id];
	return f->k
	    ->after[(id == WRITE_SEQUENTIAL ? WRITE_AFTER_READ : HIT_AFTER_READ) + after_write];
}

static double
within(double ms)
{
	ms = round(ms * 1000) / 1000;
	return ms < 0 ? 0 : ms > most ? most : ms;
}

/*
 * Set an overhead to the median of n, unless the lower half disagrees.
 * Requests that went to the media in the measured drive are in the upper half.
 */
static void
take_median(struct calibration *k, enum constant_id id, double *ms, size_t n)
{
	k->served[id] = 0;
	sort_times(ms, n);
	if (n < SERVED_MIN || ms[n / 2] - ms[n / 4] > spread)
		return;
	k->served[id] = n;
	k->after[id] = within(ms[n / 2]);
}

/* Set each overhead by the requests that consist of it and the bus only. */
static int
take_medians(struct fit *f, struct error *e)
{
	size_t n[CONSTANTS] = { 0 };
	double unused;

	if (replay(f, f->m, 1, &unused, e))
		return -1;
	for (size_t i = 0; i < f->n; i++) {
		const struct service *s = &f->service[i];
		usec_t		      us = service_us(s);
		enum constant_id      id = overhead_of(f, i);

		if (us == s->part[SERVICE_OVERHEAD] + s->part[SERVICE_BUS])
			f->should[id][n[id]++] = overhead_then(f, i, id) +
			    (f->m->request[i].response_us - (double)us) / 1000;
	}
	for (unsigned id = 0; id < CONSTANTS; id++)
		take_median(f->k, id, f->should[id], n[id]);
	return 0;
}

/* ---- from the demerit ---- */

/* Is it a gain in the first replay, and over all replays a gain larger than chance? */
static bool
is_better(const double *demerit, const double *best)
{
	double all = 0, gained = 0, squares = 0;

	for (unsigned i = 0; i < REPLAYS; i++) {
		double d = best[i] - demerit[i];

		all += best[i];
		gained += d;
		squares += d * d;
	}
	squares -= gained * gained / REPLAYS; /* now of the differences from the mean gain */
	return demerit[0] <= best[0] && gained > gain * all &&
	    gained * gained > 4 * squares * REPLAYS / (REPLAYS - 1);
}

static void
shift(double *value, double by)
{
	*value = within((isnan(*value) ? 0 : *value) + by);
}

/*
 * Move a constant if that is a gain.  The overheads of misses move together:
 * their effects can hardly be separated from each other and from that of the
 * least time to position.
 */
static int
move(struct fit *f, enum constant_id id, double by, bool *moved, struct error *e)
{
	struct calibration *k = f->k;
	double		    was[CONSTANTS], demerit[REPLAYS];

	memcpy(was, k->after, sizeof(was));
	shift(&k->after[id], by);
	if (id == MISS_AFTER_READ)
		shift(&k->after[MISS_AFTER_WRITE], by);
	if (replay(f, f->run, REPLAYS, demerit, e))
		return -1;
	if (is_better(demerit, f->best)) {
		memcpy(f->best, demerit, sizeof(demerit));
		*moved = true;
	} else {
		memcpy(k->after, was, sizeof(was));
	}
	return 0;
}

/*
 * Overheads of hits are set by medians, those of writes by the demerit if they
 * go through to the media.  Optional constants that are absent stay absent.
 */
static bool
is_sought(const struct calibration *k, enum constant_id id)
{
	if (id == HIT_AFTER_READ || id == HIT_AFTER_WRITE || id == HIT_SEQUENTIAL ||
	    id == MISS_AFTER_WRITE || k->served[id])
		return false;
	return id >= LEAST_READ || !isnan(k->after[id]);
}

static int
descend(struct fit *f, struct error *e)
{
	if (replay(f, f->run, REPLAYS, f->best, e))
		return -1;
	for (double step = step_first; step >= step_last; step /= 2) {
		bool moved = true;

		for (unsigned round = 0; moved && round < ROUNDS; round++) {
			moved = false;
			for (unsigned id = 0; id < CONSTANTS; id++)
				if (is_sought(f->k, id) &&
				    (move(f, id, -step, &moved, e) || move(f, id, step, &moved, e)))
					return -1;
		}
	}
	return 0;
}

/* ---- both ---- */

/*
 * All replays but the first have more idle time, spread evenly over the
 * requests of a replay and over the replays of a request.
 */
static bool
make_run(struct fit *f, unsigned run)
{
	struct measured *r = &f->run[run];

	*r = (struct measured){
		.name = f->m->name,
		.request = malloc(f->n * sizeof(*r->request)),
		.n = f->n,
	};
	for (size_t i = 0; r->request && i < f->n; i++) {
		double turn = (double)i * 0.6180339887498949 + (double)run / REPLAYS;

		r->request[i] = f->m->request[i];
		if (run)
			r->request[i].idle_us += JITTER_US * (turn - floor(turn));
	}
	return r->request;
}

static int
fit_init(struct fit *f, struct error *e)
{
	bool ok = (f->service = calloc(f->n, sizeof(*f->service)));

	for (unsigned i = 0; ok && i < REPLAYS; i++)
		ok = make_run(f, i);
	for (unsigned i = 0; ok && i < CONSTANTS; i++)
		ok = (f->should[i] = calloc(f->n, sizeof(*f->should[i])));
	return ok ? 0 : error_set(e, "out of memory for the fit");
}

static void
fit_release(struct fit *f)
{
	free(f->service);
	for (unsigned i = 0; i < REPLAYS; i++)
		measured_release(&f->run[i]);
	for (unsigned i = 0; i < CONSTANTS; i++)
		free(f->should[i]);
}

int
calibrate(struct calibration *k, const struct measured *m, size_t n, const struct config *cfg,
    struct error *e)
{
	struct measured first = *m;
	struct fit	f = { .k = k, .m = &first, .n = n, .config = *cfg };
	int		failed;

	*k = (struct calibration){ 0 };
	if (strcmp(cfg->device.plugin->name, "disk") != 0)
		return error_usage(e,
		    "--calibrate fits overheads of a disk drive's data sheet: '%s' is another kind "
		    "of device",
		    cfg->device.plugin->name);
	first.n = n;
	f.text = cfg->device.sheet;
	read_constants(k, f.text);
	failed = fit_init(&f, e);
	for (unsigned pass = 0; !failed && pass < PASSES; pass++)
		failed = take_medians(&f, e) || descend(&f, e) ? -1 : 0;
	if (!failed) {
		k->sheet = sheet_now(k, f.text, e);
		failed = k->sheet ? 0 : -1;
	}
	fit_release(&f);
	return failed;
}

void
calibration_release(struct calibration *k)
{
	free(k->sheet);
	k->sheet = NULL;
}
