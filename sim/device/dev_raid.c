/*
 * dev_raid.c - arrays of devices that are all alike: striped, and striped with
 * rotating parity.
 *
 * Successive units of the array lie on successive members.  RAID-5 uses one
 * unit of each row for the parity of the others, first on the last member, then
 * on the one before it (left-symmetric): unit k is on member k modulo members
 * in both.  A request is cut into units; units that are contiguous on a member
 * are one transfer.  Members work at the same time, each on up to its depth of
 * transfers, begun in order of arrival.  The request ends with its last
 * transfer, and gets the times of that transfer.
 *
 * RAID-5 writes whole rows at once.  For a partial row it first reads the old
 * data and the old parity, and then writes both.
 *
 * After: D. Patterson, G. Gibson, R. Katz, A case for redundant arrays of
 * inexpensive disks (RAID), SIGMOD 1988; left-symmetric: E. Lee, R. Katz,
 * Performance consequences of parity placement in disk arrays, ASPLOS 1991.
 * Departures: no failed members, no cache and no time of its own in the array;
 * rows are never completed by reading the units that are not written; a write
 * that depends on reads starts as soon as its member can take one more
 * transfer, not when all members have read, and counts for its request from
 * then on.
 */
#include <stdlib.h>

#include "sim/device/device.h"

enum { MEMBERS_MAX = 64, UNIT_BYTES = 64 << 10, UNIT_MAX = 1 << 30 };

/* The offset between the clocks of neighbouring members: their platters must not turn in step. */
#define STAGGER_US 2311

struct member {
	struct instance device;
	usec_t	       *end; /* [depth] ends of the transfers that may be under way */

	uint64_t sector; /* gathered for the current request */
	uint32_t sectors, segments;
};

struct raid {
	uint64_t	     nmembers, unit_bytes;
	const struct device *inner;
	struct member	    *member;
	uint64_t	     unit, data, rows; /* sectors; units of data in a row */
	uint32_t	     depth;	       /* of a member */
	struct transfer	     request;	       /* the current one */
};

/* A point in time, and the parts of the service time up to it. */
struct path {
	usec_t end;
	usec_t part[SERVICE_PARTS];
};

/* Transfers that may start together, and the one of them that ends last. */
struct job {
	bool		     write, from_buffer;
	struct path	     after, longest;
	const struct member *first;	 /* the member with the first sector */
	usec_t		     data_begin; /* on that member; -1: unknown yet */
};

static const struct param raid0_parameters[] = {
	{ "disks", PARAM_COUNT, 4, 2, MEMBERS_MAX, offsetof(struct raid, nmembers),
	    "members, all alike", NULL },
	{ "unit", PARAM_BYTES, UNIT_BYTES, SECTOR_BYTES, UNIT_MAX,
	    offsetof(struct raid, unit_bytes), "bytes on each member in turn", NULL },
	{ .name = NULL },
};

static const struct param raid5_parameters[] = {
	{ "disks", PARAM_COUNT, 5, 3, MEMBERS_MAX, offsetof(struct raid, nmembers),
	    "members, all alike", NULL },
	{ "unit", PARAM_BYTES, UNIT_BYTES, SECTOR_BYTES, UNIT_MAX,
	    offsetof(struct raid, unit_bytes), "bytes on each member in turn", NULL },
	{ .name = NULL },
};

/* ---- transfers ---- */

/* The transfer under way that ends first is where the next one goes: none begins before it. */
static usec_t *
earliest_end(const struct raid *d, const struct member *m)
{
	usec_t *first = m->end;

	for (usec_t *end = m->end; end < m->end + d->depth; end++)
		if (*end < *first)
			first = end;
	return first;
}

static usec_t
later(usec_t a, usec_t b)
{
	return a > b ? a : b;
}

/* What is gathered for the member. */
static void
transfer(struct raid *d, struct job *j, struct member *m)
{
	struct transfer t = { .sector = m->sector,
		.sectors = m->sectors,
		.segments = m->segments,
		.write = j->write };
	struct path	p = j->after;
	usec_t	       *end = earliest_end(d, m), start = later(d->request.now, *end), begin;
	struct service	s = { 0 };

	ASSERT(m->sectors && m->segments && m->segments <= m->sectors);
	t.now = start + (m - d->member) * STAGGER_US;
	d->inner->service(m->device.self, &t, &s);
	ASSERT(service_is_sound(&s));
	*end = start + s.part[SERVICE_QUEUE];
	begin = later(*end, p.end);
	p.part[SERVICE_QUEUE] += begin - p.end;
	p.end = begin;
	for (unsigned i = SERVICE_QUEUE + 1; i < SERVICE_PARTS; i++) {
		p.part[i] += s.part[i];
		p.end += s.part[i];
		*end += s.part[i];
	}
	ASSERT(*end >= start && p.end >= j->after.end);
	if (p.end > j->longest.end)
		j->longest = p;
	if (m == j->first && j->data_begin < 0)
		j->data_begin = start + s.data_begin;
	j->from_buffer &= s.from_buffer;
	m->sectors = m->segments = 0;
}

/* The pieces of memory of that many sectors of the request, which are all alike. */
static uint32_t
segments_of(const struct raid *d, uint64_t sectors)
{
	const struct transfer *r = &d->request;

	return (uint32_t)((sectors * r->segments + r->sectors - 1) / r->sectors);
}

static void
gather(struct raid *d, struct job *j, struct member *m, uint64_t sector, uint64_t sectors)
{
	ASSERT(sectors && sector + sectors <= d->rows * d->unit); /* on the member */
	if (m->sectors && m->sector + m->sectors != sector)
		transfer(d, j, m);
	if (!m->sectors)
		m->sector = sector;
	m->sectors += (uint32_t)sectors;
	m->segments += segments_of(d, sectors);
	ASSERT(m->sector + m->sectors == sector + sectors);
}

/* What is gathered for all members; how long that took, with what came before. */
static struct path
finish(struct raid *d, struct job *j)
{
	for (struct member *m = d->member; m < d->member + d->nmembers; m++)
		if (m->sectors)
			transfer(d, j, m);
	return j->longest;
}

static struct job
job_after(const struct path *p, bool write)
{
	return (struct job){
		.write = write,
		.from_buffer = !write,
		.after = *p,
		.longest = *p,
		.data_begin = -1,
	};
}

/* ---- units and rows ---- */

/* The member that unit k of the data is on. */
static struct member *
member_of(const struct raid *d, uint64_t k)
{
	return &d->member[k % d->nmembers];
}

static struct member *
parity_of(const struct raid *d, uint64_t row)
{
	return &d->member[d->nmembers - 1 - row % d->nmembers];
}

/* The units from sector up to end. */
static void
gather_units(struct raid *d, struct job *j, uint64_t sector, uint64_t end)
{
	while (sector < end) {
		uint64_t k = sector / d->unit, at = sector % d->unit, n = d->unit - at;

		if (n > end - sector)
			n = end - sector;
		gather(d, j, member_of(d, k), k / d->data * d->unit + at, n);
		sector += n;
	}
}

/* The parity of the same sectors, which lie in one row. */
static void
gather_parity(struct raid *d, struct job *j, uint64_t sector, uint64_t end)
{
	uint64_t row = sector / d->unit / d->data, at = sector % d->unit, n = end - sector;

	ASSERT(sector < end && (end - 1) / d->unit / d->data == row);
	if (at + n > d->unit) { /* of more than one unit */
		at = 0;
		n = d->unit;
	}
	gather(d, j, parity_of(d, row), row * d->unit + at, n);
}

/* ---- requests ---- */

static struct path
plain(struct raid *d, const struct transfer *r, const struct path *now, struct service *out)
{
	struct job j = job_after(now, r->write);

	j.first = member_of(d, r->sector / d->unit);
	gather_units(d, &j, r->sector, r->sector + r->sectors);
	finish(d, &j);
	out->from_buffer = j.from_buffer;
	out->data_begin = j.data_begin - r->now;
	return j.longest;
}

/* Whole rows, data and parity. */
static struct path
write_rows(struct raid *d, const struct path *now, uint64_t sector, uint64_t end)
{
	struct job j = job_after(now, true);
	uint64_t   row = sector / d->unit / d->data, rows = (end - sector) / d->unit / d->data;

	for (uint64_t to = row + rows; row < to; row++)
		for (struct member *m = d->member; m < d->member + d->nmembers; m++)
			gather(d, &j, m, row * d->unit, d->unit);
	return finish(d, &j);
}

/* Part of a row: read it with its parity, or write both. */
static struct path
part_of_row(struct raid *d, const struct path *after, bool write, uint64_t sector, uint64_t end)
{
	struct job j = job_after(after, write);

	gather_units(d, &j, sector, end);
	gather_parity(d, &j, sector, end);
	return finish(d, &j);
}

static struct path
longer(struct path a, struct path b)
{
	return b.end > a.end ? b : a;
}

/* Part of a row, whole rows, part of a row; none of them but one need be there. */
static struct path
write_with_parity(struct raid *d, const struct transfer *r, const struct path *now)
{
	uint64_t    row = d->unit * d->data, sector = r->sector, end = sector + r->sectors;
	uint64_t    whole = (sector + row - 1) / row * row, rest = end / row * row;
	uint64_t    head = whole < end ? whole : end; /* where the first part ends */
	struct path old[2] = { *now, *now }, last = *now;

	if (sector < head)
		old[0] = part_of_row(d, now, false, sector, head);
	if (whole <= rest && rest < end)
		old[1] = part_of_row(d, now, false, rest, end);
	if (whole < rest)
		last = write_rows(d, now, whole, rest);
	if (sector < head)
		last = longer(last, part_of_row(d, &old[0], true, sector, head));
	if (whole <= rest && rest < end)
		last = longer(last, part_of_row(d, &old[1], true, rest, end));
	return last;
}

static void
raid_service(void *self, const struct transfer *r, struct service *out)
{
	struct raid *d = self;
	struct path  now = { .end = r->now }, last;

	ASSERT(r->sectors && r->sector + r->sectors <= d->rows * d->data * d->unit);
	*out = (struct service){ 0 };
	d->request = *r;
	if (r->write && d->data < d->nmembers)
		last = write_with_parity(d, r, &now);
	else
		last = plain(d, r, &now, out);
	for (unsigned i = 0; i < SERVICE_PARTS; i++)
		out->part[i] = last.part[i];
}

static uint64_t
raid_capacity(const void *self)
{
	const struct raid *d = self;

	return d->rows * d->data * d->unit;
}

static uint32_t
raid_depth(const void *self)
{
	const struct raid *d = self;
	uint64_t	   depth = d->depth * d->nmembers;

	return depth < DEPTH_MAX ? (uint32_t)depth : DEPTH_MAX;
}

/* ---- setting up ---- */

static int
make_members(struct raid *d, const struct choice *inner, struct error *e)
{
	d->inner = device_of(inner);
	d->member = calloc(d->nmembers, sizeof(*d->member));
	if (!d->member)
		return error_set(e, "out of memory for an array");
	for (struct member *m = d->member; m < d->member + d->nmembers; m++) {
		m->device = (struct instance){ inner->plugin, device_start(inner, e) };
		if (!m->device.self)
			return -1;
		d->depth = d->inner->depth ? d->inner->depth(m->device.self) : 1;
		m->end = calloc(d->depth, sizeof(*m->end));
		if (!m->end)
			return error_set(e, "out of memory for an array");
	}
	return 0;
}

static int
start(struct raid *d, const struct choice *chosen, uint64_t parity, struct error *e)
{
	const char *name = chosen->plugin->name;
	uint64_t    capacity;

	d->data = d->nmembers - parity;
	d->unit = d->unit_bytes / SECTOR_BYTES;
	if (d->unit_bytes % SECTOR_BYTES)
		return error_usage(e, "unit of %s is a multiple of %d, not %llu", name,
		    SECTOR_BYTES, (unsigned long long)d->unit_bytes);
	if (make_members(d, chosen->inner, e))
		return -1;
	capacity = d->inner->capacity(d->member[0].device.self);
	d->rows = capacity / d->unit;
	if (!d->rows)
		return error_set(e, "%s has a unit of %llu sectors, and its members only %llu",
		    name, (unsigned long long)d->unit, (unsigned long long)capacity);
	if (d->rows > UINT64_MAX / d->data / d->unit)
		d->rows = UINT64_MAX / d->data / d->unit;
	return 0;
}

static int
raid0_init(void *self, const struct choice *chosen, struct error *e)
{
	return start(self, chosen, 0, e);
}

static int
raid5_init(void *self, const struct choice *chosen, struct error *e)
{
	return start(self, chosen, 1, e);
}

static void
raid_release(void *self)
{
	struct raid *d = self;

	for (struct member *m = d->member; m && m < d->member + d->nmembers; m++) {
		device_stop(d->inner, m->device.self);
		free(m->end);
	}
	free(d->member);
}

static const struct instance *
raid_inner(const void *self, unsigned n)
{
	const struct raid *d = self;

	return n < d->nmembers ? &d->member[n].device : NULL;
}

/* All members at work; with parity, each has data, too. */
static double
raid_sector_us(const void *self)
{
	const struct raid *d = self;

	return d->inner->sector_us
	    ? d->inner->sector_us(d->member[0].device.self) / (double)d->nmembers
	    : 0;
}

DEVICE(raid0,
	.plugin = {
		.name = "raid0",
		.summary = "striped over devices put in with +, such as raid0:disks=2+cheetah9lp",
		.source = "D. Patterson, G. Gibson, R. Katz: A case for redundant arrays of inexpensive disks (RAID), SIGMOD 1988",
		.state_size = sizeof(struct raid),
		.params = raid0_parameters,
		.around = "",
		.inner = raid_inner,
	},
	.init = raid0_init,
	.release = raid_release,
	.capacity = raid_capacity,
	.depth = raid_depth,
	.service = raid_service,
	.sector_us = raid_sector_us);

DEVICE(raid5,
	.plugin = {
		.name = "raid5",
		.summary = "the same with rotating parity, such as raid5+cheetah9lp",
		.source = "D. Patterson, G. Gibson, R. Katz: A case for redundant arrays of inexpensive disks (RAID), SIGMOD 1988",
		.state_size = sizeof(struct raid),
		.params = raid5_parameters,
		.around = "",
		.inner = raid_inner,
	},
	.init = raid5_init,
	.release = raid_release,
	.capacity = raid_capacity,
	.depth = raid_depth,
	.service = raid_service,
	.sector_us = raid_sector_us);
