/*
 * dev_disk.c - a disk drive: commands, bus and buffer.  What turns is in
 * dev_disk_mechanics.c.
 *
 * After a read the drive reads on into the same segment of its buffer, until
 * it is far enough ahead or wanted elsewhere; a sequential reader is then
 * served at the speed of the bus.  A write is acknowledged when its data are
 * in the drive, and put on the disk when there is nothing to read.  Nothing
 * of this is simulated as it happens: each request first finds out how far
 * the drive has got.
 *
 * After: C. Ruemmler, J. Wilkes, An introduction to disk drive modeling, IEEE
 * Computer 27(3), 1994; J. Bucy, G. Ganger et al., The DiskSim Simulation
 * Environment 3.0 Reference Manual, CMU-CS-03-102, 2003.
 * Departures: no command queue in the drive, no contention for the bus.
 */
#include "sim/dev_disk_mechanics.h"
#include "sim/device.h"

enum { SEGMENTS_MAX = 64 };

enum command { READ_HIT, READ_MISS, WRITE, COMMANDS };

enum look_ahead {
	AHEAD_SLIDING, /* a segment beyond the request, over what was asked for */
	AHEAD_KEEP,    /* until the segment is full, the request included */
	AHEAD_TRACK,   /* the whole track */
};

/* A stretch of the disk in the buffer: lo <= sector < hi. */
struct segment {
	uint64_t lo, hi;
	uint64_t goal; /* where read-ahead ends */
	uint64_t used; /* number of the last read that used it; 0: holds nothing */
};

/* Acknowledged sectors that are not on the disk yet. */
struct dirty {
	uint64_t lo, hi;
	uint32_t requests; /* 0: there are none */
	double	 since;	   /* from when on the heads may go there */
	double	 ready;	   /* from when on the bus keeps ahead of the heads */
};

struct disk {
	struct mechanics mechanics;

	double overhead_us[COMMANDS][2]; /* the second: after a write */
	double sequential_us[COMMANDS];	 /* instead, where the last request ended; < 0: as ever */
	double least_us[2];		 /* to position for a read, a write */
	double bus_us;			 /* one sector */
	bool   write_through, purge_on_write, resume_on_hit, stop_on_other_hit;
	enum look_ahead ahead;
	uint32_t	nsegments, joined_writes;
	uint64_t	segment_sectors;
	struct segment	segment[SEGMENTS_MAX];

	/* Times are absolute and exact; only answers are whole microseconds. */
	double		done;	 /* the last request */
	double		free;	 /* the mechanism: the last thing it surely did has ended */
	struct segment *filling; /* being read ahead since then, or NULL */
	struct dirty	dirty;
	uint64_t	last_end, reads; /* sector after the last request; reads so far */
	bool		last_write;
};

/* A request as it is served: end is the first sector behind it; times are absolute. */
struct command_time {
	uint64_t lbn, end;
	double	 start, data_begin, done;
	double	 part_us[SERVICE_PARTS]; /* at most, on the critical path; overhead is the rest */
};

static double
overhead_us(const struct disk *d, enum command c, uint64_t lbn)
{
	if (lbn == d->last_end && d->sequential_us[c] >= 0)
		return d->sequential_us[c];
	return d->overhead_us[c][d->last_write];
}

static double
later(double a, double b)
{
	return a > b ? a : b;
}

/* The segment has room for so much: what was read longest ago makes way. */
static void
segment_trim(const struct disk *d, struct segment *g)
{
	if (g->hi - g->lo > d->segment_sectors)
		g->lo = g->hi - d->segment_sectors;
}

/* How far to read ahead after a request for lbn up to end. */
static uint64_t
goal_after(const struct disk *d, uint64_t lbn, uint64_t end)
{
	uint64_t begin, goal = end;

	if (d->ahead == AHEAD_SLIDING)
		goal = end + d->segment_sectors;
	else if (d->ahead == AHEAD_KEEP && lbn + d->segment_sectors > end)
		goal = lbn + d->segment_sectors;
	else if (d->ahead == AHEAD_TRACK)
		mechanics_track(&d->mechanics, end - 1, &begin, &goal);
	return goal < d->mechanics.capacity ? goal : d->mechanics.capacity;
}

/* Read-ahead has reached the end of the track: its front passes next. */
static void
read_front_of_track(const struct disk *d, struct segment *g, double now)
{
	uint64_t begin, end;

	mechanics_track(&d->mechanics, g->lo, &begin, &end);
	if (now >=
	    d->free + d->mechanics.revolution_us * (double)(g->lo - begin) / (double)(end - begin))
		g->lo = begin;
}

/* Are the heads reading ahead at this moment? */
static bool
is_reading(const struct disk *d)
{
	return d->filling && d->filling->hi < d->filling->goal;
}

/* Find out how far read-ahead has got. */
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
		g->hi += p.done;
		d->free = p.end;
		segment_trim(d, g);
	}
	if (g && d->ahead == AHEAD_TRACK && g->hi == g->goal)
		read_front_of_track(d, g, now);
}

/* Put what is dirty on the disk, beginning at time at or when the mechanism is free. */
static void
write_out(struct disk *d, double at)
{
	struct pass p = {
		.sector = d->dirty.lo,
		.sectors = d->dirty.hi - d->dirty.lo,
		.write = true,
		.start = later(at, d->free),
		.least_us = d->least_us[1],
		.ready = d->dirty.ready,
		.until = INFINITY,
	};

	if (!d->dirty.requests)
		return;
	mechanics_run(&d->mechanics, &p);
	d->free = p.end;
	d->filling = NULL;
	d->dirty.requests = 0;
}

/* What the drive has done by itself since the last request: read ahead, then write. */
static void
catch_up(struct disk *d, double now)
{
	double at;

	read_ahead(d, now);
	at = later(d->free, d->dirty.since);
	if (!is_reading(d) && at < now)
		write_out(d, at);
}

/* The segment that holds the sector, or that is about to receive it. */
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
 * The data reach the host: over the bus from time from on, or one sector
 * behind the heads, whichever ends later.  p: what the heads did, or NULL.
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

/* Read from the media into the segment, up to the end of the request. */
static void
fetch(struct disk *d, const struct command_time *c, struct segment *g, struct pass *p)
{
	p->sector = g->hi;
	p->sectors = c->end - g->hi;
	p->until = INFINITY;
	mechanics_run(&d->mechanics, p);
	d->filling = g;
	d->free = p->end;
	g->hi = c->end;
}

static void
read_miss(struct disk *d, struct command_time *c)
{
	struct segment *g = oldest_segment(d);
	struct pass	p = {
		    .start = later(c->start + overhead_us(d, READ_MISS, c->lbn), d->free),
		    .least_us = is_reading(d) ? 0 : d->least_us[0],
	};

	*g = (struct segment){ c->lbn, c->lbn, goal_after(d, c->lbn, c->end), d->reads };
	fetch(d, c, g, &p);
	segment_trim(d, g);
	deliver(d, c, p.first, &p);
}

/* The front of the request is in the segment; the rest is on its way, or must be fetched. */
static void
read_rest(struct disk *d, struct command_time *c, struct segment *g)
{
	double	    from = c->start + overhead_us(d, READ_HIT, c->lbn);
	bool	    waits = c->lbn == g->hi;
	struct pass p = { .start = d->free };

	if (g != d->filling)
		p.start = later(c->start + overhead_us(d, READ_MISS, c->lbn), d->free);
	fetch(d, c, g, &p);
	deliver(d, c, waits ? later(from, p.first) : from, &p);
}

/* A hit: read-ahead goes on, or turns to this segment. */
static void
look_further(struct disk *d, struct command_time *c, struct segment *g)
{
	uint64_t further = goal_after(d, c->lbn, c->end);

	if (g != d->filling && d->filling && d->stop_on_other_hit)
		d->filling = NULL;
	if (!d->resume_on_hit || further <= g->goal || (d->filling && g != d->filling))
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
	struct segment *g = find_segment(d, c->lbn);

	if (!(g && c->end <= g->hi) && overlaps_dirty(d, c)) {
		write_out(d, c->start);
		g = find_segment(d, c->lbn);
	}
	d->reads++;
	*from_buffer = g && (c->end <= g->hi || g == d->filling);
	if (!g) {
		read_miss(d, c);
		return;
	}
	g->used = d->reads;
	if (c->end > g->hi)
		read_rest(d, c, g);
	else
		deliver(d, c, c->start + overhead_us(d, READ_HIT, c->lbn), NULL);
	look_further(d, c, g);
	segment_trim(d, g);
}

/* What the buffer holds of these sectors is out of date. */
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

/* From when on sectors may pass under the heads: not one before its data have come. */
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
	d->free = p.end;
	d->filling = NULL;
	deliver(d, c, begin, NULL);
	if (p.end <= c->done)
		return;
	c->done = p.end;
	c->part_us[SERVICE_SEEK] = p.seek_us;
	c->part_us[SERVICE_ROTATION] = p.rotation_us;
	c->part_us[SERVICE_TRANSFER] = p.transfer_us;
	c->part_us[SERVICE_BUS] = 0;
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
	g->hi = g->goal = c->end;
	g->used = ++d->reads;
	segment_trim(d, g);
}

/* Into the buffer: behind what waits there to be written, or once that is on the disk. */
static void
write_back(struct disk *d, struct command_time *c, double begin)
{
	struct dirty *w = &d->dirty;

	if (!d->purge_on_write)
		keep_written(d, c);
	if (w->requests && w->requests < d->joined_writes && c->lbn == w->hi) {
		deliver(d, c, begin, NULL);
		w->hi = c->end;
		w->ready = c->done;
		w->requests++;
		return;
	}
	write_out(d, begin);
	begin = later(begin, d->free);
	deliver(d, c, begin, NULL);
	*w = (struct dirty){ c->lbn, c->end, 1, begin, data_ready(d, c, begin) };
}

static void
serve_write(struct disk *d, struct command_time *c)
{
	double begin = c->start + overhead_us(d, WRITE, c->lbn);

	drop_copies(d, c);
	if (d->write_through)
		write_through(d, c, begin);
	else
		write_back(d, c, begin);
}

/* Rounded down, but not if it is whole save for an error of calculation. */
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
	for (int part = SERVICE_PARTS - 1; part > SERVICE_OVERHEAD; part--) {
		usec_t begin;

		edge = c->part_us[part] < edge - c->start ? edge - c->part_us[part] : c->start;
		begin = whole(edge);
		out->part[part] = end - begin;
		end = begin;
	}
	out->part[SERVICE_OVERHEAD] = end - now;
}

static void
disk_service(void *self, const struct transfer *r, struct service *out)
{
	struct disk	   *d = self;
	struct command_time c = {
		.lbn = r->sector,
		.end = r->sector + r->sectors,
		/* The last request's end was rounded down: start when it truly ended. */
		.start = later((double)r->now, d->done),
	};

	assert(r->sectors >= 1 && c.end <= d->mechanics.capacity);
	assert(whole(c.start) == r->now);
	out->from_buffer = false;
	catch_up(d, c.start);
	if (r->write)
		serve_write(d, &c);
	else
		serve_read(d, &c, &out->from_buffer);
	answer(&c, r->now, out);
	d->done = c.done;
	d->last_end = c.end;
	d->last_write = r->write;
}

/* What a copy of the drive would do: by construction what it then does. */
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
	d->resume_on_hit = sheet_choice(s, "buffer", "resume_on_hit", "no yes");
	d->stop_on_other_hit = sheet_choice(s, "buffer", "stop_on_other_hit", "no yes");
	d->write_through = sheet_choice(s, "buffer", "writes", "back through");
	d->joined_writes = (uint32_t)sheet_count(s, "buffer", "joined_writes", 1, 1000000);
	d->purge_on_write = sheet_choice(s, "buffer", "purge_on_write", "no yes");
}

static int
disk_init(void *self, const char *text, struct error *e)
{
	struct disk *d = self;
	struct sheet s;

	sheet_open(&s, text);
	sheet_choice(&s, "", "kind", "disk");
	sheet_text(&s, "", "summary");
	sheet_text(&s, "", "source");
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

const struct device device_disk = {
	.plugin = {
		.name = "disk",
		.summary = "a disk drive with seeks, rotation and a read-ahead buffer, from a data sheet",
		.state_size = sizeof(struct disk),
	},
	.init = disk_init,
	.release = disk_release,
	.capacity = disk_capacity,
	.service = disk_service,
	.positioning = disk_positioning,
};
