/* events.c - which events of the block layer are taken, and their volumes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/common/events.h"

const char *const events_words[] = { "auto", "Q", "D", "C", NULL };
const char *const events_layers[] = { "upper", "lower", "both", NULL };

enum { VOLUME_SHIFT = 55, VOLUMES_MAX = 1 << (64 - VOLUME_SHIFT) }; /* in the keys of extents */

void
events_choose(struct events *v, enum event_action best)
{
	if (v->asked != EVENT_AUTO)
		v->taken = (enum event_action)v->asked;
	else if (v->taken == EVENT_AUTO)
		v->taken = best < EVENT_C ? best : EVENT_C;
}

int
events_again(struct events *v, enum event_action action, const char *format, struct input *in,
    struct error *e)
{
	if (!input_rewinds(in) && v->outdated)
		return error_set(e,
		    "the first remap of volume %s is far behind the beginning: name the file "
		    "instead of a pipe",
		    v->volume[v->upper - 1].name);
	if (!input_rewinds(in))
		return error_set(e,
		    "the first event of action %s is far behind the beginning: use --format "
		    "%s:action=%s, or name the file instead of a pipe",
		    events_words[action], format, events_words[action]);
	if (!v->outdated)
		v->taken = action;
	map_release(&v->remapped.at);
	map_release(&v->requeued.at);
	v->remapped = v->requeued = (struct expected){ 0 };
	v->repeats = v->reissues = 0;
	v->shifts = (struct shifts){ 0 };
	v->outdated = false;
	for (uint32_t i = 0; i < v->nvolumes; i++)
		v->volume[i].given = false;
	return input_rewind(in, e) ? -1 : READ_AGAIN;
}

/* ---- volumes ---- */

/* The number of a volume, from 1; NIL: out of memory. */
static uint32_t
find(struct events *v, uint32_t major, uint32_t minor, struct error *e)
{
	uint32_t      *number;
	struct volume *grown;

	if (likely(v->last && major == v->major && minor == v->minor))
		return v->last;
	number = map_at(&v->number, (uint64_t)major << 32 | minor);
	if (number && !*number) {
		grown = array_grow(v->volume, v->nvolumes, &v->capacity, sizeof(*grown));
		v->volume = grown ? grown : v->volume;
		number = grown ? number : NULL;
	}
	if (!number) {
		error_no_memory(e);
		return NIL;
	}
	if (!*number) {
		v->volume[v->nvolumes] = (struct volume){ .given = false };
		snprintf(v->volume[v->nvolumes].name, sizeof(v->volume->name),
		    "%" PRIu32 ",%" PRIu32, major, minor);
		*number = ++v->nvolumes;
	}
	v->major = major;
	v->minor = minor;
	v->last = *number;
	return v->last;
}

int
events_record(struct events *v, const struct extent *x, struct record *r, struct error *e)
{
	uint32_t number = find(v, x->major, x->minor, e);

	if (!number)
		return -1;
	r->path = v->volume[number - 1].name;
	r->offset = x->sector * SECTOR_BYTES;
	r->length = (uint64_t)x->sectors * SECTOR_BYTES;
	return 1;
}

int
events_expect(struct events *v, enum event_action a, const struct extent *x, struct error *e)
{
	uint32_t number = find(v, x->major, x->minor, e);

	if (!number)
		return -1;
	if (a == EVENT_REMAP)
		v->volume[number - 1].is_upper = true;
	else
		v->volume[number - 1].seen |= 1U << a;
	return 0;
}

/* ---- extents that show up again ---- */

static uint64_t
key(uint32_t volume, uint64_t sector)
{
	return (uint64_t)volume << VOLUME_SHIFT | sector;
}

static int
expect(struct expected *x, uint32_t volume, uint64_t sector, uint32_t sectors, struct error *e)
{
	uint32_t *at;

	if (volume >= VOLUMES_MAX || sector >> VOLUME_SHIFT || !sectors)
		return 0;
	at = map_at(&x->at, key(volume, sector));
	if (!at)
		return error_no_memory(e);
	x->extents += !*at;
	*at = sectors;
	return 0;
}

/*
 * Was the extent expected?  It may be several in one, as requests are merged, or the beginning of
 * one, as they are split.  1; 0; -1: out of memory.
 */
static int
meet(struct expected *x, uint32_t volume, const struct extent *of, struct error *e)
{
	uint64_t sector = of->sector, end = of->sector + of->sectors;

	while (x->extents && sector < end && volume < VOLUMES_MAX && !(sector >> VOLUME_SHIFT)) {
		uint32_t *at = map_at(&x->at, key(volume, sector)), sectors;

		if (!at)
			return error_no_memory(e);
		if (!*at)
			break;
		sectors = *at;
		*at = 0;
		x->extents--;
		sector += sectors;
	}
	if (sector > end && expect(x, volume, end, (uint32_t)(sector - end), e))
		return -1;
	return sector > of->sector;
}

/*
 * A partition has no requests of its own.  If an extent is expected there, it shows up on the disk
 * instead; blktrace calls the partition by the number of its disk.
 */
static int
pass_on(struct events *v, uint32_t lower, uint32_t upper, const struct extent *x,
    const struct extent *from, struct error *e)
{
	struct extent part = { .sector = from->sector, .sectors = x->sectors };
	int	      met = meet(&v->remapped, upper, &part, e);

	if (!met)
		met = meet(&v->remapped, lower, &part, e);
	return met > 0 ? expect(&v->remapped, lower, x->sector, x->sectors, e) : met;
}

int
events_remap(struct events *v, const struct extent *x, const struct extent *from, struct error *e)
{
	uint32_t upper = find(v, from->major, from->minor, e), lower = NIL;

	if (upper)
		lower = find(v, x->major, x->minor, e);
	if (!upper || !lower)
		return -1;
	if (lower == upper)
		return 0;
	if (!(v->volume[upper - 1].seen & 1U << v->taken))
		return pass_on(v, lower, upper, x, from, e);
	if (!v->lower) {
		v->lower = lower;
		v->upper = upper;
	}
	if (v->layer == LAYER_LOWER) {
		v->outdated |= !v->volume[upper - 1].is_upper && v->volume[upper - 1].given;
		v->volume[upper - 1].is_upper = true;
	}
	return v->layer == LAYER_UPPER ? expect(&v->remapped, lower, x->sector, x->sectors, e) : 0;
}

int
events_requeue(struct events *v, const struct extent *x, struct error *e)
{
	uint32_t number = find(v, x->major, x->minor, e);

	if (!number)
		return -1;
	return v->taken == EVENT_D ? expect(&v->requeued, number, x->sector, x->sectors, e) : 0;
}

/* ---- volumes that repeat each other without remaps ---- */

/* The latest request of another volume that is as long. */
static const struct placed *
find_twin(const struct shifts *h, uint32_t volume, const struct extent *x)
{
	for (uint64_t i = h->n; i > 0 && h->n - i < EVENTS_LATEST; i--) {
		const struct placed *p = &h->latest[(i - 1) % EVENTS_LATEST];

		if (p->volume != volume && p->sectors == x->sectors && x->sector != p->sector)
			return p;
	}
	return NULL;
}

/* A vote for the shift from its twin (R. S. Boyer, J S. Moore, MJRTY, 1991). */
static void
see_shift(struct shifts *h, uint32_t volume, const struct extent *x)
{
	const struct placed *twin = find_twin(h, volume, x);
	bool fits = twin && h->votes && volume == h->to && twin->volume == h->from &&
	    x->sector - twin->sector == h->shift;

	h->latest[h->n++ % EVENTS_LATEST] = (struct placed){ volume, x->sectors, x->sector };
	if (twin && !h->votes) {
		h->from = twin->volume;
		h->to = volume;
		h->shift = x->sector - twin->sector;
		h->votes = h->same = h->of = 1;
		h->jumps = 0;
		h->end = twin->sector + twin->sectors;
		return;
	}
	if (fits) {
		h->jumps += twin->sector != h->end;
		h->end = twin->sector + twin->sectors;
	}
	h->same += fits;
	h->of += h->votes && volume == h->to;
	if (fits)
		h->votes++;
	else if (h->votes && volume == h->to)
		h->votes--;
}

int
events_take(struct events *v, const struct extent *x, struct error *e)
{
	uint32_t       number = find(v, x->major, x->minor, e);
	struct volume *of = number ? &v->volume[number - 1] : NULL;
	int	       again, repeats;

	if (!of)
		return -1;
	of->seen |= 1U << v->taken;
	repeats = v->layer == LAYER_LOWER ? of->is_upper : meet(&v->remapped, number, x, e);
	again = repeats < 0 ? -1 : meet(&v->requeued, number, x, e);
	if (again < 0)
		return -1;
	v->reissues += again > 0;
	v->repeats += repeats && !again;
	of->given |= !again && !repeats;
	if (v->nvolumes > 1 && !again && !repeats)
		see_shift(&v->shifts, number, x);
	return !again && !repeats;
}

/* ---- the report ---- */

static void
note_repeats(struct events *v, const char *format, struct input *in)
{
	const char *lower = v->volume[v->lower - 1].name, *upper = v->volume[v->upper - 1].name;
	bool	    lower_read = v->layer == LAYER_LOWER;

	if (v->layer == LAYER_BOTH)
		snprintf(*v->note, sizeof(*v->note),
		    "requests to volume %s show up again below it, on %s: --format %s:layer=upper "
		    "reads them once",
		    upper, lower, format);
	else
		snprintf(*v->note, sizeof(*v->note),
		    "requests left out: %" PRIu64 "; by remaps, volume %s repeats %s, and the "
		    "%s one is read; --format %s:layer=%s reads the other, layer=both all",
		    v->repeats, lower, upper, lower_read ? "lower" : "upper", format,
		    lower_read ? "upper" : "lower");
	input_note(in, *v->note);
}

/* Two jumps at least, as two disks may be read in step from end to end, and nine requests of ten. */
static void
note_shift(struct events *v, const char *format, struct input *in)
{
	const struct shifts *h = &v->shifts;
	const char	    *to;
	int64_t		     shift = (int64_t)h->shift;

	if (v->lower || h->jumps < 2 || h->same < h->of - h->of / 10)
		return;
	to = v->volume[h->to - 1].name;
	snprintf(v->note[2], sizeof(v->note[2]),
	    "requests of volume %s look like those of %s once more (%" PRId64
	    " sectors %s; there are no remaps that tell): %" PRIu64
	    "; to leave them out: %s | grep -v ' %s ' | bufsim run -",
	    to, v->volume[h->from - 1].name, shift < 0 ? -shift : shift,
	    shift < 0 ? "before" : "further on", h->same,
	    strcmp(format, "blktrace") ? "cat LOG" : "blkparse -i NAME", to);
	input_note(in, v->note[2]);
}

void
events_note(struct events *v, const char *format, struct input *in)
{
	static const char *const note[] = {
		[EVENT_Q] = "one event of each request is read: as it was submitted (Q)",
		[EVENT_D] = "no request is shown as it was submitted (Q): they are read as they "
			    "were issued (D)",
		[EVENT_C] = "no request is shown as it was submitted or issued (Q, D): they are "
			    "read as they were completed (C)",
	};
	static const char *const asked[] = {
		[EVENT_D] = "requests are read as they were issued (D)",
		[EVENT_C] = "requests are read as they were completed (C)",
	};

	if (v->asked == EVENT_AUTO || v->asked == EVENT_Q)
		input_note(in, note[v->taken]);
	else
		input_note(in, asked[v->asked]);
	if (v->lower && (v->repeats || v->layer == LAYER_BOTH))
		note_repeats(v, format, in);
	note_shift(v, format, in);
	if (!v->reissues)
		return;
	snprintf(v->note[1], sizeof(v->note[1]),
	    "requests read once that were issued again after a requeue (R): %" PRIu64, v->reissues);
	input_note(in, v->note[1]);
}

void
events_release(struct events *v)
{
	free(v->volume);
	map_release(&v->number);
	map_release(&v->remapped.at);
	map_release(&v->requeued.at);
}

void
events_note_leap(struct input *in)
{
	input_note(in,
	    "a time more than a day away from those around it was replaced by the one before it");
}
