/*
 * series.c - how the reads of each series are made.  Places are by chance, and
 * reads that must come from the device visit each place once per point.
 */
#include <math.h>
#include <unistd.h>

#include "sim/host/measure/crowd.h"
#include "sim/host/measure/series.h"
#include "sim/trace/chance.h"

enum {
	STREAM_BYTES = 64 << 10, /* of a call */
	TIER_READS = 200,
	READS_MOST = 4096,
	DEVICE_US = 50000, /* for a point */
	MEMORY_US = 20000,
};

#define STREAM_MOST (UINT64_C(128) << 20)

static double
measure_memory(struct probe *p, const struct point *t)
{
	bool large = t->series == SERIES_LARGE;

	return reads_measure(&p->meter,
	    &(struct reads){
		.fd = large ? p->plain : p->random,
		.buffer = p->small,
		.first = large ? 0 : p->large,
		.bytes = large ? p->large : p->single,
		.length = t->bytes,
		.batch = BATCH_MAX,
		.most = READS_MOST,
		.budget_us = MEMORY_US,
		.place = place_anywhere,
	    });
}

static double
measure_device(struct probe *p, const struct point *t)
{
	struct reads r = {
		.fd = t->series == SERIES_COLD ? p->random : p->direct,
		.buffer = t->series == SERIES_DIRECT ? p->huge : p->small,
		.bytes = p->span,
		.length = t->bytes,
		.batch = 1,
		.budget_us = DEVICE_US,
		.place = place_once,
	};
	uint64_t slots = p->span / t->bytes;

	r.parts = r.most = slots < READS_MOST ? (unsigned)slots : READS_MOST;
	if (t->series == SERIES_COLD && ground_drop(&p->ground, p->meter.e))
		return -1;
	return reads_measure(&p->meter, &r);
}

static double
measure_depth(struct probe *p, const struct point *t)
{
	const struct crowd c = {
		.fd = p->direct,
		.buffer = p->huge,
		.bytes = p->span,
		.length = t->bytes,
		.depth = t->depth,
		.budget_us = p->meter.patient ? DEVICE_US : DEVICE_US / 4,
		.key = chance_next(&p->meter.key),
	};

	return crowd_run(&c, p->meter.e);
}

/* A part of the tail that this round has to itself, read twice at the same places. */
static double
measure_tier(struct probe *p, const struct point *t)
{
	uint64_t     part = (p->ground.bytes - p->span) / (p->rounds + 1) / FIT_PAGE * FIT_PAGE;
	struct reads r = {
		.fd = p->direct,
		.buffer = p->huge,
		.first = p->span + part * p->round,
		.bytes = part,
		.length = FIT_PAGE,
		.batch = 1,
		.parts = part / FIT_PAGE < TIER_READS ? (unsigned)(part / FIT_PAGE) : TIER_READS,
		.budget_us = DEVICE_US,
		.place = place_once,
	};
	double us;

	if (t->series == SERIES_SECOND) {
		r.most = p->tier_reads;
		r.budget_us = INFINITY;
		p->meter.key = p->tier_key;
		return reads_measure(&p->meter, &r);
	}
	r.most = r.parts;
	p->tier_key = p->meter.key;
	us = reads_measure(&p->meter, &r);
	p->tier_reads = p->meter.n;
	return us;
}

static double
measure_distance(struct probe *p, const struct point *t)
{
	bool	     near = t->series == SERIES_NEAR;
	uint64_t     room = (uint64_t)PLACE_NEAR_PAGES * FIT_PAGE * TIER_READS;
	struct reads r = {
		.fd = p->direct,
		.buffer = p->huge,
		.bytes = p->span,
		.length = FIT_PAGE,
		.batch = 1,
		.most = TIER_READS,
		.budget_us = DEVICE_US,
		.place = near ? place_near : place_far,
	};

	if (near)
		r.first = chance_next(&p->meter.key) % ((p->span - room) / FIT_PAGE) * FIT_PAGE;
	return reads_measure(&p->meter, &r);
}

/* In order, as a program does that has just opened the file: a page. */
static double
measure_stream(struct probe *p, const struct point *t)
{
	uint64_t bytes = p->span / 4 < STREAM_MOST ? p->span / 4 : STREAM_MOST;
	uint64_t first =
	    chance_next(&p->meter.key) % (p->span - bytes) / STREAM_BYTES * STREAM_BYTES;
	uint64_t done = 0;
	double	 begin;
	int	 fd;

	if (ground_drop(&p->ground, p->meter.e))
		return -1;
	fd = ground_open(&p->ground, false, p->meter.e);
	if (fd < 0)
		return -1;
	begin = clock_us();
	for (; done < bytes / STREAM_BYTES * STREAM_BYTES; done += STREAM_BYTES)
		if (pread(fd, p->small, STREAM_BYTES, (off_t)(first + done)) != STREAM_BYTES)
			break;
	begin = clock_us() - begin;
	close(fd);
	if (done < bytes / STREAM_BYTES * STREAM_BYTES)
		return error_set(p->meter.e, "reading the scratch file failed");
	return begin / ((double)bytes / FIT_PAGE);
}

static double (*const measure_series[SERIES])(struct probe *p, const struct point *t) = {
	[SERIES_DIRECT] = measure_device,
	[SERIES_SCATTERED] = measure_device,
	[SERIES_COLD] = measure_device,
	[SERIES_LARGE] = measure_memory,
	[SERIES_SINGLE] = measure_memory,
	[SERIES_DEPTH] = measure_depth,
	[SERIES_FIRST] = measure_tier,
	[SERIES_SECOND] = measure_tier,
	[SERIES_NEAR] = measure_distance,
	[SERIES_FAR] = measure_distance,
	[SERIES_STREAM] = measure_stream,
};

double
series_measure(struct probe *p, const struct point *t)
{
	return measure_series[t->series](p, t);
}
