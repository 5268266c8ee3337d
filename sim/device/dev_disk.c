/*
 * dev_disk.c - a disk drive: commands, bus and buffer.  The mechanics are in
 * dev_disk_mechanics.c.
 *
 * After a read the drive reads ahead into the same segment of its buffer,
 * until it is far enough ahead or another request comes; a sequential stream
 * is then served at the speed of the bus.  A write is acknowledged when its
 * data are in the drive, and written to the disk when there is nothing to
 * read.  This background work has no events of its own: each request first
 * computes the progress of the drive.
 *
 * After: C. Ruemmler, J. Wilkes, An introduction to disk drive modeling, IEEE
 * Computer 27(3), 1994; J. Bucy, G. Ganger et al., The DiskSim Simulation
 * Environment 3.0 Reference Manual, CMU-CS-03-102, 2003.
 * Departures: no command queue in the drive, no contention for the bus.
 */
#include "sim/device/dev_disk_mechanics.h"
#include "sim/device/device.h"

enum { SEGMENTS_MAX = 64 };

enum command { READ_HIT, READ_MISS, WRITE, COMMANDS };

enum look_ahead {
	AHEAD_SLIDING, /* a segment beyond the request, over its own sectors */
	AHEAD_KEEP,    /* until the segment is full, half of it at most with the request */
	AHEAD_TRACK,   /* the whole track, and the next one if the one before was read, too */
};

/* Consecutive sectors in the buffer: lo <= sector < hi. */
struct segment {
	uint64_t lo, hi;
	uint64_t goal; /* the end of read-ahead */
	uint64_t used; /* number of the last read that used it; 0: empty */
};

/* Acknowledged sectors that are not on the disk yet. */
struct dirty {
	uint64_t lo, hi;
	uint32_t requests; /* 0: no sectors */
	bool	 begun;	   /* the heads have begun to write them */
	double	 since;	   /* earliest time at which the heads may go there */
	double	 ready;	   /* from this time on the bus is ahead of the heads */
};

struct disk {
	struct mechanics mechanics;

	double overhead_us[COMMANDS][2]; /* the second: after a write */
	double sequential_us[COMMANDS];	 /* instead, for sequential requests; < 0: the same */
	double least_us[2];		 /* to position for a read, a write */
	double bus_us;			 /* one sector */
	bool   write_through, stream_writes, purge_on_write;
	bool   only_sequential, resume_on_hit, stop_on_other_hit, read_on;
	enum look_ahead ahead;
	uint32_t	nsegments, joined_writes;
	uint64_t	segment_sectors;
	struct segment	segment[SEGMENTS_MAX];

	/* Times are absolute and exact; only answers are whole microseconds. */
	double		done;	 /* the last request */
	double		free;	 /* end of the last certain work of the mechanism */
	struct segment *filling; /* filled by read-ahead since then, or NULL */
	struct dirty	dirty;
	uint64_t	last_end, reads; /* sector after the last request; reads so far */
	bool		last_write;
};

/* A request as it is served: end is the first sector behind it; times are absolute. */
struct command_time {
	uint64_t lbn, end;
	double	 start, data_begin, done;
	double	 part_us[SERVICE_PARTS]; /* at most, on the critical path; queue is the rest */
};

/* The time when a command of that kind has been processed. */
static double
processed(const struct disk *d, struct command_time *c, enum command sort)
{
	double us = d->overhead_us[sort][d->last_write];

	if (c->lbn == d->last_end && d->sequential_us[sort] >= 0)
		us = d->sequential_us[sort];
	c->part_us[SERVICE_OVERHEAD] = us;
	return c->start + us;
}

static double
later(double a, double b)
{
	return a > b ? a : b;
}

/* Limit a segment to its capacity: drop the sectors read longest ago. */
static void
segment_trim(const struct disk *d, struct segment *g)
{
	if (g->hi - g->lo > d->segment_sectors)
		g->lo = g->hi - d->segment_sectors;
	ASSERT(g->lo <= g->hi && g->hi <= d->mechanics.capacity);
}

/* The end of the track, or of the next track if the segment began on an earlier one. */
static uint64_t
end_of_tracks(const struct mechanics *m, const struct segment *g, uint64_t last)
{
	uint64_t begin, end;

	mechanics_track(m, last, &begin, &end);
	if (g->lo < begin && end < m->capacity)
		mechanics_track(m, end, &begin, &end);
	return end;
}

/* The goal of read-ahead after a request in a segment. */
static uint64_t
goal_after(const struct disk *d, const struct command_time *c, const struct segment *g)
{
	uint64_t goal = c->end, most = c->end + d->segment_sectors, kept = c->end - c->lbn;

	if (d->only_sequential && c->lbn != d->last_end)
		return goal;
	if (d->ahead == AHEAD_SLIDING)
		goal = most;
	else if (d->ahead == AHEAD_KEEP)
		goal = most - (kept < d->segment_sectors / 2 ? kept : d->segment_sectors / 2);
	else if (d->ahead == AHEAD_TRACK)
		goal = end_of_tracks(&d->mechanics, g, c->end - 1);
	goal = goal < most ? goal : most;
	return goal < d->mechanics.capacity ? goal : d->mechanics.capacity;
}

/* Read-ahead has reached the end of the track: the front of the track passes next. */
static void
read_front_of_track(const struct disk *d, struct segment *g, double now)
{
	uint64_t begin, end;

	mechanics_track(&d->mechanics, g->hi - 1, &begin, &end);
	if (g->lo > begin && g->hi - begin <= d->segment_sectors &&
	    now >= d->free + mechanics_sector_us(&d->mechanics, begin) * (double)(g->lo - begin))
		g->lo = begin;
}

/* Are the heads reading ahead at this moment? */
static bool
is_reading(const struct disk *d)
{
	return d->filling && d->filling->hi < d->filling->goal;
}

/* Compute the progress of read-ahead. */
static void
read_ahead(struct disk *d, double now)
{
	struct segment *g = d->filling;

	if (is_reading(d)) {
		struct pass p = {
			.sector = g->hi,
			.sectors = g->goal - g->hi,
			.start = d->free,
			.until = now,
		};

		mechanics_run(&d->mechanics, &p);
		ASSERT(p.end >= d->free && p.end <= later(now, d->free)); /* no sector too many */
		g->hi += p.done;
		d->free = p.end;
		segment_trim(d, g);
	}
	if (g && d->ahead == AHEAD_TRACK && g->hi == g->goal && g->hi > g->lo)
		read_front_of_track(d, g, now);
}

/* Write some dirty sectors to the disk, from time `at` on or when the mechanism is free. */
static void
write_some(struct disk *d, double at, uint64_t sectors, double until)
{
	struct dirty *w = &d->dirty;
	struct pass   p = {
		  .sector = w->lo,
		  .sectors = sectors,
		  .write = true,
		  .start = later(at, d->free),
		  .least_us = w->begun ? 0 : d->least_us[1],
		  .ready = w->ready,
		  .until = until,
	};

	ASSERT(w->requests && sectors <= w->hi - w->lo);
	mechanics_run(&d->mechanics, &p);
	if (p.done == 0)
		return;
	ASSERT(p.end > d->free);
	d->free = p.end;
	d->filling = NULL;
	w->begun = true;
	w->lo += p.done;
	if (w->lo == w->hi)
		w->requests = 0;
}

static void
write_out(struct disk *d, double at)
{
	if (d->dirty.requests)
		write_some(d, at, d->dirty.hi - d->dirty.lo, INFINITY);
}

/* Does the request continue the dirty sectors, and may it join them? */
static bool
joins(const struct disk *d, const struct transfer *r)
{
	const struct dirty *w = &d->dirty;

	return r->write && w->requests && w->requests < d->joined_writes && r->sector == w->hi;
}

/* The background work since the last request: read ahead, then write. */
static void
catch_up(struct disk *d, const struct transfer *r, double now)
{
	double at;

	read_ahead(d, now);
	at = later(d->free, d->dirty.since);
	if (!d->dirty.requests || is_reading(d) || at >= now)
		return;
	if (d->stream_writes && joins(d, r))
		write_some(d, at, d->dirty.hi - d->dirty.lo, now);
	else
		write_out(d, at);
}

/* The segment that holds the sector, or will receive it by read-ahead. */
static struct segment *
find_segment(struct disk *d, uint64_t lbn)
{
	for (struct segment *g = d->segment; g < d->segment + d->nsegments; g++)
		if (g->used && lbn >= g->lo &&
		    (lbn < g->hi || (lbn == g->hi && g == d->filling && is_reading(d))))
			return g;
	return NULL;
}

static struct segment *
oldest_segment(struct disk *d)
{
	struct segment *oldest = d->segment;

	for (struct segment *g = d->segment; g < d->segment + d->nsegments; g++)
		if (g->used < oldest->used)
			oldest = g;
	return oldest;
}

/*
 * The data reach the host over the bus from time `from` on, or one sector
 * behind the heads, whichever ends later.  p: the pass of the heads, or NULL.
 */
static void
deliver(const struct disk *d, struct command_time *c, double from, const struct pass *p)
{
	double all_us = (double)(c->end - c->lbn) * d->bus_us;

	c->data_begin = from;
	if (p && p->end + d->bus_us > from + all_us) {
		c->done = p->end + d->bus_us;
		c->part_us[SERVICE_SEEK] = p->seek_us;
		c->part_us[SERVICE_ROTATION] = p->rotation_us;
		c->part_us[SERVICE_TRANSFER] = p->transfer_us;
		c->part_us[SERVICE_BUS] = d->bus_us;
		return;
	}
	c->done = from + all_us;
	c->part_us[SERVICE_BUS] = all_us;
	if (p && from == p->first) {
		c->part_us[SERVICE_SEEK] = p->first_seek_us;
		c->part_us[SERVICE_ROTATION] = p->first_rotation_us;
		c->part_us[SERVICE_TRANSFER] = p->first_transfer_us;
	}
}

/* Look for the start of the request.  `at`: when what is in the segment is ready. */
static struct segment *
look_up(struct disk *d, struct command_time *c, double *at)
{
	double		miss = processed(d, c, READ_MISS), hit = processed(d, c, READ_HIT);
	struct segment *g;

	if (d->read_on)
		read_ahead(d, miss < hit ? miss : hit);
	*at = hit;
	g = find_segment(d, c->lbn);
	if (g)
		return g;
	*at = processed(d, c, READ_MISS);
	if (!d->read_on)
		return NULL;
	read_ahead(d, *at);
	return find_segment(d, c->lbn);
}

/* Read from the media into the segment, up to the end of the request. */
static void
fetch(struct disk *d, const struct command_time *c, struct segment *g, struct pass *p)
{
	p->sector = g->hi;
	p->sectors = c->end - g->hi;
	p->until = INFINITY;
	mechanics_run(&d->mechanics, p);
	ASSERT(p->done == p->sectors && p->end > d->free);
	d->filling = g;
	d->free = p->end;
	g->hi = c->end;
}

/* The segment for a miss: that of a stream of whole tracks, or the least recently used one. */
static struct segment *
segment_for(struct disk *d, uint64_t lbn)
{
	struct segment *g = d->segment;

	if (d->ahead == AHEAD_TRACK)
		for (; g < d->segment + d->nsegments; g++)
			if (g->used && g->hi == lbn)
				return g;
	g = oldest_segment(d);
	*g = (struct segment){ .lo = lbn, .hi = lbn };
	return g;
}

/* With zero latency, sectors that passed under the heads before the request are in the buffer. */
static void
keep_passed(const struct disk *d, struct segment *g, const struct pass *p)
{
	uint64_t begin, end, passed;

	mechanics_track(&d->mechanics, g->lo, &begin, &end);
	passed = (uint64_t)(p->first_rotation_us / mechanics_sector_us(&d->mechanics, g->lo));
	ASSERT(begin <= g->lo && g->lo < end);
	g->lo = passed < g->lo - begin ? g->lo - passed : begin;
}

static void
read_miss(struct disk *d, struct command_time *c, double at)
{
	struct segment *g = segment_for(d, c->lbn);
	struct pass	p = {
		    .start = later(at, d->free),
		    .least_us = is_reading(d) ? 0 : d->least_us[0],
	};

	g->goal = goal_after(d, c, g);
	g->used = d->reads;
	fetch(d, c, g, &p);
	if (d->ahead == AHEAD_TRACK && d->mechanics.zero_latency && g->lo == c->lbn)
		keep_passed(d, g, &p);
	segment_trim(d, g);
	deliver(d, c, p.first, &p);
}

/*
 * The front of the request is in the segment; the rest is being read, or must
 * be fetched.  If hits do not resume read-ahead, a request across its goal
 * counts as read to its end by read-ahead, which comes closest to DiskSim.
 */
static void
read_rest(struct disk *d, struct command_time *c, struct segment *g, double at)
{
	bool	    under_way = g == d->filling && (is_reading(d) || !d->resume_on_hit);
	bool	    waits = c->lbn == g->hi;
	double	    hit_us = c->part_us[SERVICE_OVERHEAD];
	struct pass p = { .start = d->free };

	if (!under_way) {
		p.start = later(processed(d, c, READ_MISS), d->free);
		c->part_us[SERVICE_OVERHEAD] = later(hit_us, c->part_us[SERVICE_OVERHEAD]);
	}
	fetch(d, c, g, &p);
	deliver(d, c, waits ? later(at, p.first) : at, &p);
}

/* A hit: read-ahead continues, or changes to this segment. */
static void
look_further(struct disk *d, struct command_time *c, struct segment *g)
{
	uint64_t further = goal_after(d, c, g);

	if (g != d->filling && d->filling && d->stop_on_other_hit)
		d->filling = NULL;
	if (!d->resume_on_hit || further <= g->goal || (is_reading(d) && g != d->filling))
		return;
	if (g != d->filling || g->hi == g->goal)
		d->free = later(c->start, d->free);
	d->filling = g;
	g->goal = further;
}

static bool
overlaps_dirty(const struct disk *d, const struct command_time *c)
{
	return d->dirty.requests && c->lbn < d->dirty.hi && d->dirty.lo < c->end;
}

static void
serve_read(struct disk *d, struct command_time *c, bool *from_buffer)
{
	double		at;
	struct segment *g = look_up(d, c, &at);

	if (!(g && c->end <= g->hi) && overlaps_dirty(d, c)) {
		write_out(d, c->start);
		g = look_up(d, c, &at);
	}
	d->reads++;
	*from_buffer = g && (c->end <= g->hi || g == d->filling);
	if (!g) {
		read_miss(d, c, at);
		return;
	}
	g->used = d->reads;
	if (c->end > g->hi)
		read_rest(d, c, g, at);
	else
		deliver(d, c, at, NULL);
	look_further(d, c, g);
	segment_trim(d, g);
}

/* Invalidate these sectors in the buffer. */
static void
drop_copies(struct disk *d, const struct command_time *c)
{
	for (struct segment *g = d->segment; g < d->segment + d->nsegments; g++) {
		if (!d->purge_on_write && (c->lbn >= g->goal || g->lo >= c->end))
			continue;
		if (!d->purge_on_write && c->lbn >= g->hi) {
			g->goal = c->lbn; /* read-ahead stops short of them */
			continue;
		}
		g->used = 0;
		if (g == d->filling)
			d->filling = NULL;
	}
}

/* The earliest time for the first sector under the heads: no sector precedes its data. */
static double
data_ready(const struct disk *d, const struct command_time *c, double begin)
{
	double lag_us = d->bus_us - mechanics_sector_us(&d->mechanics, c->lbn);

	return begin + d->bus_us + (double)(c->end - c->lbn - 1) * later(lag_us, 0);
}

static void
write_through(struct disk *d, struct command_time *c, double begin)
{
	struct pass p = {
		.sector = c->lbn,
		.sectors = c->end - c->lbn,
		.write = true,
		.start = later(begin, d->free),
		.least_us = d->least_us[1],
		.ready = data_ready(d, c, begin),
		.until = INFINITY,
	};

	mechanics_run(&d->mechanics, &p);
	ASSERT(p.done == p.sectors && p.end > d->free);
	d->free = p.end;
	d->filling = NULL;
	deliver(d, c, begin, NULL);
	if (p.end <= c->done)
		return;
	c->done = p.end;
	c->part_us[SERVICE_SEEK] = p.seek_us;
	c->part_us[SERVICE_ROTATION] = p.rotation_us;
	c->part_us[SERVICE_TRANSFER] = p.transfer_us;
	/* The heads may have had to wait for the data. */
	c->part_us[SERVICE_BUS] = p.end - p.start - p.seek_us - p.rotation_us - p.transfer_us;
}

/* Written data occupy a segment, from which they can be read. */
static void
keep_written(struct disk *d, const struct command_time *c)
{
	struct segment *g = c->lbn ? find_segment(d, c->lbn - 1) : NULL;

	if (!g || g->hi != c->lbn || g->goal != c->lbn) {
		g = oldest_segment(d);
		if (g == d->filling)
			d->filling = NULL;
		*g = (struct segment){ .lo = c->lbn };
	}
	ASSERT(g->lo < c->end);
	g->hi = g->goal = c->end;
	g->used = ++d->reads;
	segment_trim(d, g);
}

/* The request joins the dirty sectors, which fill at most one segment: the time of free room. */
static double
room_at(struct disk *d, const struct command_time *c, double begin)
{
	struct dirty *w = &d->dirty;
	uint64_t      all = c->end - w->lo, waiting = w->hi - w->lo;

	if (!d->stream_writes || all <= d->segment_sectors)
		return begin;
	all -= d->segment_sectors;
	write_some(d, w->since, all < waiting ? all : waiting, INFINITY);
	return later(begin, d->free);
}

/* A write into the buffer: behind the dirty sectors, or after these are on the disk. */
static void
write_back(struct disk *d, const struct transfer *r, struct command_time *c, double begin)
{
	struct dirty *w = &d->dirty;

	if (!d->purge_on_write)
		keep_written(d, c);
	if (joins(d, r))
		begin = room_at(d, c, begin);
	if (joins(d, r)) {
		deliver(d, c, begin, NULL);
		ASSERT(w->lo < w->hi && w->hi <= c->end);
		w->hi = c->end;
		w->requests++;
		if (!w->begun)
			w->ready = c->done;
		return;
	}
	write_out(d, begin);
	begin = later(begin, d->free);
	deliver(d, c, begin, NULL);
	*w = (struct dirty){ .lo = c->lbn,
		.hi = c->end,
		.requests = 1,
		.since = begin,
		.ready = data_ready(d, c, begin) };
}

static void
serve_write(struct disk *d, const struct transfer *r, struct command_time *c)
{
	double begin = processed(d, c, WRITE);

	drop_copies(d, c);
	if (d->write_through)
		write_through(d, c, begin);
	else
		write_back(d, r, c, begin);
}

/* Rounded down, but up if only an error of calculation separates it from a whole number. */
static usec_t
whole(double us)
{
	return (usec_t)(us + 0.001);
}

/* In whole microseconds.  Edges are rounded, not lengths: the parts add up. */
static void
answer(const struct command_time *c, usec_t now, struct service *out)
{
	double edge = c->done;
	usec_t end = whole(edge);

	out->data_begin = whole(c->data_begin) - now;
	for (int part = SERVICE_PARTS - 1; part > SERVICE_QUEUE; part--) {
		usec_t begin;

		edge = c->part_us[part] < edge - c->start ? edge - c->part_us[part] : c->start;
		begin = whole(edge);
		out->part[part] = end - begin;
		end = begin;
	}
	out->part[SERVICE_QUEUE] = end - now;
}

static void
disk_service(void *self, const struct transfer *r, struct service *out)
{
	struct disk	   *d = self;
	struct command_time c = {
		.lbn = r->sector,
		.end = r->sector + r->sectors,
		/* The end of the last request was rounded down: start at its exact end. */
		.start = later((double)r->now, d->done),
	};

	ASSERT(r->sectors >= 1 && c.end <= d->mechanics.capacity);
	ASSERT(whole(c.start) == r->now);
	out->from_buffer = false;
	catch_up(d, r, c.start);
	if (r->write)
		serve_write(d, r, &c);
	else
		serve_read(d, &c, &out->from_buffer);
	answer(&c, r->now, out);
	ASSERT(c.done >= c.start && service_is_sound(out));
	d->done = c.done;
	d->last_end = c.end;
	d->last_write = r->write;
}

/* The result of a copy of the drive, which by construction is that of the drive. */
static usec_t
disk_positioning(const void *self, const struct transfer *r)
{
	const struct disk *d = self;
	struct disk	   copy = *d;
	struct service	   out;

	if (d->filling)
		copy.filling = copy.segment + (d->filling - d->segment);
	disk_service(&copy, r, &out);
	return out.part[SERVICE_SEEK] + out.part[SERVICE_ROTATION];
}

static uint64_t
disk_capacity(const void *self)
{
	return ((const struct disk *)self)->mechanics.capacity;
}

static uint64_t
disk_cylinder(const void *self, uint64_t sector)
{
	return mechanics_cylinder(&((const struct disk *)self)->mechanics, sector);
}

static void
load_overheads(struct disk *d, struct sheet *s)
{
	static const char *const key[COMMANDS][2] = {
		{ "read_hit_after_read", "read_hit_after_write" },
		{ "read_miss_after_read", "read_miss_after_write" },
		{ "write_after_read", "write_after_write" },
	};
	static const char *const sequential[COMMANDS] = {
		"read_hit_sequential",
		"read_miss_sequential",
		"write_sequential",
	};

	for (int c = 0; c < COMMANDS; c++) {
		for (int w = 0; w < 2; w++)
			d->overhead_us[c][w] =
			    1000 * sheet_number(s, "overheads_ms", key[c][w], 0, 1000);
		d->sequential_us[c] =
		    1000 * sheet_number_or(s, "overheads_ms", sequential[c], 0, 1000, -1);
	}
	d->least_us[0] = 1000 * sheet_number_or(s, "mechanics", "least_read_ms", 0, 1000, 0);
	d->least_us[1] = 1000 * sheet_number_or(s, "mechanics", "least_write_ms", 0, 1000, 0);
}

static void
load_buffer(struct disk *d, struct sheet *s)
{
	d->bus_us = 1000 * sheet_number(s, "bus", "sector_ms", 0, 1000);
	d->nsegments = (uint32_t)sheet_count(s, "buffer", "segments", 1, SEGMENTS_MAX);
	d->segment_sectors = sheet_count(s, "buffer", "segment_sectors", 1, UINT32_MAX);
	d->ahead = sheet_choice(s, "buffer", "read_ahead", "sliding keep track");
	d->only_sequential = sheet_choice_or(s, "buffer", "only_sequential", "no yes", 0);
	d->resume_on_hit = sheet_choice(s, "buffer", "resume_on_hit", "no yes");
	d->stop_on_other_hit = sheet_choice(s, "buffer", "stop_on_other_hit", "no yes");
	d->read_on = sheet_choice_or(s, "buffer", "read_on", "no yes", 0);
	d->write_through = sheet_choice(s, "buffer", "writes", "back through");
	d->joined_writes = (uint32_t)sheet_count(s, "buffer", "joined_writes", 1, 1000000);
	d->stream_writes = sheet_choice_or(s, "buffer", "stream_writes", "no yes", 0);
	d->purge_on_write = sheet_choice(s, "buffer", "purge_on_write", "no yes");
}

static int
disk_init(void *self, const struct choice *chosen, struct error *e)
{
	struct disk *d = self;
	struct sheet s;

	sheet_open(&s, chosen->sheet);
	sheet_choice(&s, "", "kind", "disk");
	sheet_text(&s, "", "summary");
	sheet_text(&s, "", "source");
	if (sheet_has(&s, "", "calibrated"))
		sheet_text(&s, "", "calibrated");
	mechanics_load(&d->mechanics, &s);
	load_overheads(d, &s);
	load_buffer(d, &s);
	return sheet_close(&s, e);
}

static void
disk_release(void *self)
{
	mechanics_release(&((struct disk *)self)->mechanics);
}

/* Whatever the heads do, every sector crosses the bus. */
static double
disk_sector_us(const void *self)
{
	return ((const struct disk *)self)->bus_us;
}

DEVICE(disk,
	.plugin = {
		.name = "disk",
		.summary = "a disk drive with seeks, rotation and a read-ahead buffer, from a data sheet",
		.source = "C. Ruemmler, J. Wilkes: An introduction to disk drive modeling, IEEE Computer 27(3), 1994; the DiskSim 3.0 reference manual, CMU-CS-03-102, 2003",
		.state_size = sizeof(struct disk),
	},
    .sheet = SHEET_NEEDED,
	.init = disk_init,
	.release = disk_release,
	.capacity = disk_capacity,
	.service = disk_service,
	.sector_us = disk_sector_us,
	.positioning = disk_positioning,
	.cylinder = disk_cylinder);
