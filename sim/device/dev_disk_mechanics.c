/*
 * dev_disk_mechanics.c - arm, heads and platters of a disk.
 *
 * The place of a sector follows from its zone, its angle from the skews: a
 * track starts track_skew sectors later than the one before it, or
 * cylinder_skew sectors if that was in another cylinder.  The angle of the
 * platters follows from the clock alone.  A pass goes track by track: move the
 * arm or change heads, wait for the sector, transfer.  With zero latency, a
 * read that arrives in the middle of its sectors begins there and takes one
 * revolution.
 *
 * Departures: remapped defective sectors are left out (they make no difference
 * in comparisons with measured drives).  Cost: a look-up of the zone and one
 * evaluation of the formula per track.
 */
#include <stdlib.h>

#include "sim/device/dev_disk_mechanics.h"

/* Part of a revolution.  Angles closer than this are the same: rounding must not cost a turn. */
#define SAME_ANGLE 1e-6

/* A measured seek curve jitters; a fall by more than this part is an error in the sheet. */
#define SEEK_FALL_MAX 0.1

enum { CYLINDERS_MAX = 1000000, SEEK_US_MAX = 1000000 };

struct place {
	const struct zone *zone;
	uint32_t	   cylinder, track, sector; /* within the zone, the cylinder, the track */
	uint32_t	   head;
	uint32_t	   left; /* sectors on this track from this one on */
};

static const struct zone *
find_zone(const struct mechanics *m, uint64_t sector)
{
	uint32_t lo = 0, hi = m->nzones;

	if (sector - m->zone[m->at_zone].first < m->zone[m->at_zone].sectors)
		return &m->zone[m->at_zone];
	while (hi - lo > 1) {
		uint32_t middle = (lo + hi) / 2;

		if (sector < m->zone[middle].first)
			hi = middle;
		else
			lo = middle;
	}
	return &m->zone[lo];
}

static uint32_t
least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static struct place
locate(const struct mechanics *m, uint64_t sector)
{
	const struct zone *z = find_zone(m, sector);
	struct place	   p = { .zone = z };
	uint32_t	   i = (uint32_t)(sector - z->first), stretch = i / z->stretch;

	p.left = least(z->sectors - i, z->stretch - (i - stretch * z->stretch));
	i += z->reserved + stretch * z->spares;
	p.cylinder = i / z->per_cylinder;
	i -= p.cylinder * z->per_cylinder;
	p.track = i / z->per_track;
	p.sector = i - p.track * z->per_track;
	p.head = m->serpentine && p.cylinder % 2 ? m->heads - 1 - p.track : p.track;
	p.left = least(p.left, z->per_track - p.sector);
	return p;
}

double
mechanics_sector_us(const struct mechanics *m, uint64_t sector)
{
	return locate(m, sector).zone->sector_us;
}

/* As locate() finds it, with nothing else: most requests need it. */
uint32_t
mechanics_cylinder(const struct mechanics *m, uint64_t sector)
{
	const struct zone *z = find_zone(m, sector);
	uint32_t	   i = (uint32_t)(sector - z->first);

	i += z->reserved + i / z->stretch * z->spares;
	return z->cylinder + i / z->per_cylinder;
}

void
mechanics_track(const struct mechanics *m, uint64_t sector, uint64_t *begin, uint64_t *end)
{
	struct place p = locate(m, sector);
	uint64_t     before = sector - p.zone->first;

	*begin = sector - (before < p.sector ? before : p.sector);
	*end = sector + p.left;
}

/* The time until the sector starts to pass under the head. */
static double
latency_us(const struct mechanics *m, const struct place *p, double t)
{
	const struct zone *z = p->zone;
	uint64_t skewed = (uint64_t)(p->track + (m->heads - 1) * p->cylinder) * z->track_skew +
	    (uint64_t)p->cylinder * z->cylinder_skew + p->sector;
	double turns = t / m->revolution_us;
	double wait =
	    (double)(skewed % z->per_track) / z->per_track - (turns - (double)(int64_t)turns);

	if (wait < -SAME_ANGLE)
		wait += 1;
	ASSERT(wait <= 1);
	return wait > 0 ? wait * m->revolution_us : 0;
}

/* The time of the arm movement, or of the change of heads. */
static double
move_us(const struct mechanics *m, const struct place *p, bool write)
{
	uint32_t to = p->zone->cylinder + p->cylinder, from = m->at_cylinder;
	double	 us;

	ASSERT(to < m->cylinders && from < m->cylinders);
	us = m->seek_us[to > from ? to - from : from - to];
	if (p->head != m->at_head && us < m->head_switch_us)
		us = m->head_switch_us;
	return write && us > 0 ? us + m->write_settle_us : us;
}

/* Transfer up to n sectors of one track and return their number; the seek takes seek_us. */
static uint64_t
run_track(const struct mechanics *m, struct pass *p, const struct place *at, uint64_t n,
    double seek_us)
{
	double sector_us = at->zone->sector_us, all_us = (double)n * sector_us;
	double t = p->end + seek_us > p->ready ? p->end + seek_us : p->ready;
	double wait_us = latency_us(m, at, t), first = t + wait_us + sector_us;

	if (p->done == 0) {
		p->first = first;
		p->first_seek_us = seek_us;
		p->first_rotation_us = wait_us;
		p->first_transfer_us = sector_us;
	}
	if (m->zero_latency && !p->write && isinf(p->until))
		wait_us = fmin(wait_us, m->revolution_us - all_us); /* from the middle on */
	t += wait_us;
	if (t + all_us > p->until) {
		n = p->until > t ? (uint64_t)((p->until - t) / sector_us) : 0;
		all_us = (double)n * sector_us;
	}
	if (n == 0)
		return 0;
	ASSERT(seek_us >= 0 && t + all_us > p->end); /* time goes on */
	p->seek_us += seek_us;
	p->rotation_us += wait_us;
	p->transfer_us += all_us;
	p->end = t + all_us;
	return n;
}

void
mechanics_run(struct mechanics *m, struct pass *p)
{
	ASSERT(p->sectors && p->sector + p->sectors <= m->capacity);
	p->end = p->start;
	while (p->done < p->sectors) {
		struct place at = locate(m, p->sector + p->done);
		uint64_t     left = p->sectors - p->done, n;
		double	     seek_us = move_us(m, &at, p->write);

		if (p->done == 0 && seek_us < p->least_us)
			seek_us = p->least_us;
		if (left > at.left)
			left = at.left;
		n = run_track(m, p, &at, left, seek_us);
		if (n == 0) /* not even the first sector: the arm stays */
			return;
		m->at_zone = (uint32_t)(at.zone - m->zone);
		m->at_cylinder = at.zone->cylinder + at.cylinder;
		m->at_head = at.head;
		ASSERT(n <= left);
		p->done += n;
		if (n < left)
			return;
	}
}

/* "first cylinder = last cylinder, sectors per track, two skews, reserved, spares" */
static void
load_zone(struct mechanics *m, struct sheet *s, const struct sheet_entry *e)
{
	enum { FIRST, LAST, PER_TRACK, TRACK_SKEW, CYLINDER_SKEW, RESERVED, SPARES, COLUMNS };
	struct zone *z = &m->zone[m->nzones];
	double	     row[COLUMNS], cylinders, most, ranges;

	sheet_row(s, e, row, COLUMNS - 1);
	for (unsigned i = 0; i < COLUMNS; i++)
		if (row[i] != floor(row[i]))
			sheet_fault(s, "zones", e->key, "%g is not a whole number", row[i]);
	cylinders = row[LAST] - row[FIRST] + 1;
	most = cylinders * m->heads * row[PER_TRACK];
	ranges = m->spare_cylinders ? floor(cylinders / m->spare_cylinders) : 1;
	if (row[FIRST] < m->cylinders)
		sheet_fault(s, "zones", e->key, "overlaps the zone before it (up to cylinder %u)",
		    m->cylinders - 1);
	else if (cylinders < 1 || row[LAST] >= CYLINDERS_MAX)
		sheet_fault(s, "zones", e->key, "last cylinder %.15g is not between %.15g and %d",
		    row[LAST], row[FIRST], CYLINDERS_MAX - 1);
	else if (row[PER_TRACK] < 1 || most > UINT32_MAX)
		sheet_fault(s, "zones", e->key, "%.15g sectors per track: no, or too many sectors",
		    row[PER_TRACK]);
	else if (row[TRACK_SKEW] > row[PER_TRACK] || row[CYLINDER_SKEW] > row[PER_TRACK])
		sheet_fault(s, "zones", e->key, "a skew is longer than a track");
	else if (m->spare_cylinders && row[SPARES] > m->heads * row[PER_TRACK])
		sheet_fault(s, "zones", e->key, "more spare sectors than a cylinder has");
	else if (row[RESERVED] + ranges * row[SPARES] >= most)
		sheet_fault(s, "zones", e->key, "nothing left beside reserved and spare sectors");
	if (sheet_failed(s))
		return;
	z->first = m->nzones ? z[-1].first + z[-1].sectors : 0;
	z->cylinder = (uint32_t)row[FIRST];
	z->per_track = (uint32_t)row[PER_TRACK];
	z->per_cylinder = z->per_track * m->heads;
	z->track_skew = (uint32_t)row[TRACK_SKEW];
	z->cylinder_skew = (uint32_t)row[CYLINDER_SKEW];
	z->reserved = (uint32_t)row[RESERVED];
	z->sector_us = m->revolution_us / row[PER_TRACK];
	z->spares = (uint32_t)row[SPARES];
	z->sectors = (uint32_t)(most - row[RESERVED] - ranges * row[SPARES]);
	z->stretch = z->sectors;
	if (m->spare_cylinders && ranges > 0)
		z->stretch = m->spare_cylinders * z->per_cylinder - z->spares;
	m->cylinders = (uint32_t)row[LAST] + 1;
	m->nzones++;
}

static void
load_zones(struct mechanics *m, struct sheet *s)
{
	const struct sheet_entry *e = NULL;
	uint64_t		  all = 0;

	while (!sheet_failed(s) && (e = sheet_next(s, "zones", e))) {
		if (m->nzones == ZONES_MAX)
			sheet_fault(s, "zones", e->key, "more than %d zones", ZONES_MAX);
		else
			load_zone(m, s, e);
	}
	if (m->nzones)
		all = m->zone[m->nzones - 1].first + m->zone[m->nzones - 1].sectors;
	if (!m->nzones)
		sheet_fault(s, "zones", "0", "missing");
	if (all < m->capacity)
		sheet_fault(s, "geometry", "capacity_sectors",
		    "the [zones] hold only %llu: is one missing?", (unsigned long long)all);
}

/* Fill the curve between two of its points. */
static void
fill_seek(struct mechanics *m, uint32_t x0, double us0, uint32_t x1, double us1)
{
	for (uint32_t x = x0 + 1; x <= x1; x++)
		m->seek_us[x] = us0 + (us1 - us0) * (x - x0) / (x1 - x0);
}

static void
load_seek(struct mechanics *m, struct sheet *s)
{
	const struct sheet_entry *e = NULL;
	uint32_t		  x = 0;
	double			  us = 0, row[2];

	while (!sheet_failed(s) && (e = sheet_next(s, "seek_ms", e))) {
		sheet_row(s, e, row, 1);
		row[1] *= 1000;
		if (row[0] <= x || row[0] >= m->cylinders)
			sheet_fault(s, "seek_ms", e->key, "is not between %u and %u cylinders",
			    x + 1, m->cylinders - 1);
		else if (row[1] > SEEK_US_MAX)
			sheet_fault(s, "seek_ms", e->key, "%s is not between 0 and 1000", e->value);
		else if (row[1] < us * (1 - SEEK_FALL_MAX))
			sheet_fault(s, "seek_ms", e->key, "the curve falls, from %g to %s",
			    us / 1000, e->value);
		if (sheet_failed(s))
			return;
		fill_seek(m, x, us, (uint32_t)row[0], row[1]);
		x = (uint32_t)row[0];
		us = row[1];
	}
	if (x == 0 && m->cylinders > 1)
		sheet_fault(s, "seek_ms", "1", "missing");
	if (!sheet_failed(s))
		fill_seek(m, x, us, m->cylinders - 1, us);
}

void
mechanics_load(struct mechanics *m, struct sheet *s)
{
	m->capacity = sheet_count(s, "geometry", "capacity_sectors", 1, (uint64_t)1 << 50);
	m->heads = (uint32_t)sheet_count(s, "geometry", "heads", 1, 1000);
	m->serpentine = sheet_choice_or(s, "geometry", "mapping", "ascending serpentine", 0);
	if (sheet_has(s, "geometry", "spare_cylinders"))
		m->spare_cylinders =
		    (uint32_t)sheet_count(s, "geometry", "spare_cylinders", 1, CYLINDERS_MAX);
	m->zero_latency = sheet_choice_or(s, "mechanics", "zero_latency", "no yes", 0);
	m->revolution_us = 60e6 / sheet_number(s, "mechanics", "rpm", 1, 1e6);
	m->head_switch_us = 1000 * sheet_number(s, "mechanics", "head_switch_ms", 0, 1000);
	m->write_settle_us = 1000 * sheet_number(s, "mechanics", "write_settle_ms", 0, 1000);
	load_zones(m, s);
	if (sheet_failed(s))
		return;
	m->seek_us = calloc(m->cylinders, sizeof(*m->seek_us));
	if (!m->seek_us)
		sheet_fault(s, "seek_ms", "1", "out of memory for %u cylinders", m->cylinders);
	load_seek(m, s);
}

void
mechanics_release(struct mechanics *m)
{
	free(m->seek_us);
	m->seek_us = NULL;
}
