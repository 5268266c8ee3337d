/*
 * dev_fixed.c - a device with a fixed time per request, plus the time of its
 * bytes.
 *
 * There are no distances and no state, so results can be computed by hand.
 * The same request always takes the same time: the transfer is rounded to the
 * nearest microsecond, halves up.  With depth=n it serves n requests at a
 * time, each as if it were alone.
 *
 * A data sheet gives the time as percentiles instead, for example measured
 * ones.  Each request draws a time, interpolated linearly between them, by a
 * generator whose state includes the times of the requests.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/device/device.h"
#include "sim/device/sheet.h"

/* `percent` of the requests take at most `ms`. */
struct percentile {
	double percent, ms;
};

struct fixed {
	uint64_t	   latency_us, bytes_per_second, depth;
	struct percentile *curve[2]; /* of reads, of writes: from 0 to 100; NULL: latency_us */
	uint64_t	   drawn;    /* the state of the generator */
};

/* At most an hour a request, at least a byte a second: the sum for 2^31 bytes is still a time. */
#define LATENCY_MAX UINT64_C(3600000000)

static const struct param parameters[] = {
	{ "latency", PARAM_USEC, 8000, 0, LATENCY_MAX, offsetof(struct fixed, latency_us),
	    "time of each request before its first byte", NULL },
	{ "rate", PARAM_BYTES, 20 << 20, 1, UINT64_C(1) << 50,
	    offsetof(struct fixed, bytes_per_second), "bytes per second after that", NULL },
	{ "depth", PARAM_COUNT, 1, 1, DEPTH_MAX, offsetof(struct fixed, depth),
	    "requests served at a time, each as if it were alone", NULL },
	{ .name = NULL },
};

/* ---- the data sheet ---- */

static void
check_curve(const struct percentile *p, size_t n, const char *section, struct sheet *s)
{
	if (!n || p[0].percent != 0)
		sheet_fault(s, section, "0", "missing: the first line is 0 = the least time");
	for (size_t i = 1; i < n; i++) {
		char key[32];

		snprintf(key, sizeof(key), "%g", p[i].percent);
		if (p[i].percent <= p[i - 1].percent)
			sheet_fault(s, section, key, "comes after %g", p[i - 1].percent);
		if (p[i].ms < p[i - 1].ms)
			sheet_fault(s, section, key, "%g ms is less than the %g ms of %g", p[i].ms,
			    p[i - 1].ms, p[i - 1].percent);
	}
	if (n && p[n - 1].percent != 100)
		sheet_fault(s, section, "100", "missing: the last line is 100 = the longest time");
}

static struct percentile *
load_curve(struct sheet *s, const char *section)
{
	const struct sheet_entry *entry = NULL;
	struct percentile	 *p = calloc(s->nentries + 1, sizeof(*p));
	size_t			  n = 0;

	while (p && (entry = sheet_next(s, section, entry))) {
		double row[2];

		sheet_row(s, entry, row, 1);
		p[n++] = (struct percentile){ row[0], row[1] };
		if (row[1] > (double)LATENCY_MAX / 1000)
			sheet_fault(s, section, entry->key, "longer than an hour");
	}
	if (p)
		check_curve(p, n, section, s);
	else
		error_set(&s->error, "out of memory for the data sheet");
	return p;
}

static int
fixed_init(void *self, const struct choice *chosen, struct error *e)
{
	struct fixed *d = self;
	struct sheet  s;

	if (!chosen->sheet)
		return 0;
	sheet_open(&s, chosen->sheet);
	sheet_choice(&s, "", "kind", "fixed");
	sheet_text(&s, "", "summary");
	sheet_text(&s, "", "source");
	d->bytes_per_second = (uint64_t)(1e6 * sheet_number(&s, "transfer", "mb_s", 1e-6, 1e9));
	d->depth = sheet_count(&s, "queue", "depth", 1, DEPTH_MAX);
	d->curve[0] = load_curve(&s, "read_ms");
	d->curve[1] = load_curve(&s, "write_ms");
	return sheet_close(&s, e);
}

static void
fixed_release(void *self)
{
	struct fixed *d = self;

	free(d->curve[0]);
	free(d->curve[1]);
}

/* ---- the device ---- */

/*
 * The next number from 0 up to 1: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
 * It depends on the time, so that members of an array draw different numbers.
 */
static double
draw(struct fixed *d, usec_t now)
{
	uint64_t z = (d->drawn += (uint64_t)now + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return ldexp((double)((z ^ z >> 31) >> 11), -53);
}

static usec_t
latency_us(struct fixed *d, const struct transfer *r)
{
	const struct percentile *p = d->curve[r->write];
	double			 percent, slope;

	if (!p)
		return (usec_t)d->latency_us;
	percent = 100 * draw(d, r->now);
	while (p[1].percent <= percent)
		p++;
	ASSERT(p[0].percent <= percent && percent < p[1].percent);
	ASSERT(p[0].ms <= p[1].ms);
	slope = (p[1].ms - p[0].ms) / (p[1].percent - p[0].percent);
	return (usec_t)(1000 * (p[0].ms + slope * (percent - p[0].percent)) + 0.5);
}

static uint64_t
fixed_capacity(const void *self)
{
	return UINT64_MAX;
}

static uint32_t
fixed_depth(const void *self)
{
	return (uint32_t)((const struct fixed *)self)->depth;
}

static void
fixed_service(void *self, const struct transfer *r, struct service *out)
{
	struct fixed *d = self;
	uint64_t      bytes = (uint64_t)r->sectors * SECTOR_BYTES;
	uint64_t      us = (bytes * 1000000 + d->bytes_per_second / 2) / d->bytes_per_second;
	usec_t	      latency = latency_us(d, r);

	*out = (struct service){
		.part[SERVICE_OVERHEAD] = latency,
		.part[SERVICE_TRANSFER] = (usec_t)us,
		.data_begin = latency,
	};
}

/* The time of a request may be rounded down by half a microsecond. */
static double
fixed_sector_us(const void *self)
{
	const struct fixed *d = self;
	double		    us = SECTOR_BYTES * 1e6 / (double)d->bytes_per_second - 0.5;

	return us > 0 ? us / (double)d->depth : 0;
}

DEVICE(fixed,
	.plugin = {
		.name = "fixed",
		.summary = "a fixed time per request, plus the time of its bytes",
		.state_size = sizeof(struct fixed),
		.params = parameters,
	},
    .sheet = SHEET_OPTIONAL,
	.init = fixed_init,
	.release = fixed_release,
	.capacity = fixed_capacity,
	.depth = fixed_depth,
	.service = fixed_service,
	.sector_us = fixed_sector_us);
