/*
 * blktrace.c - the binary files of blktrace, one for each processor.
 *
 * Records of 48 bytes in the byte order of the machine that was traced: magic
 * and version, sequence, time in ns, sector, bytes, action, pid, device,
 * processor, error, and the number of bytes that follow.  The low byte of the
 * action is what happened, the upper half is to what kind of request; events.h
 * says which are taken.  Messages are left out; those that name a process are
 * kept for --stream-by.
 *
 * NAME.blktrace.N are the files of one recording: all of them are read and
 * merged by time, whichever is named.  Each file is in the order of time, so
 * that the first event of each is enough.  Times count from the first event of
 * all, as those of blkparse do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/trace/beside.h"
#include "traces/common/earliest.h"
#include "traces/common/events.h"

enum { HEADER_BYTES = 48, DEVICE_MINOR_BITS = 20, COMM_BYTES = 16, REMAP_BYTES = 16, NS = 1000 };

#define SET ".blktrace."
#define MAGIC ((uint32_t)0x65617400)
#define VERSION ((uint32_t)7)
#define LEAP_NS (LEAP_US * NS)

/* Kinds of a request, and what happened to it. */
enum { KIND_WRITE = 1 << 17, KIND_PC = 1 << 25, KIND_NOTIFY = 1 << 26, KIND_DISCARD = 1 << 29 };
enum { DID_QUEUE = 1, DID_REQUEUE = 6, DID_ISSUE = 7, DID_COMPLETE = 8, DID_REMAP = 15 };
enum { NOTIFY_PROCESS = 0, NOTIFY_MESSAGE = 2 };

struct header {
	uint64_t time, sector;
	uint32_t magic, bytes, action, pid, device, following;
};

/* One file, at its next event that is taken. */
struct stream {
	struct input	 *in;
	bool		  swapped, begun;
	uint64_t	  at, next_at; /* where its record begins, and the one behind it */
	uint64_t	  before;      /* time of the record before */
	uint64_t	  first;       /* time of the first one */
	struct header	  h;
	enum event_action action;
};

enum cpu { CPU_ALL, CPU_ONE };

struct blktrace {
	struct events	events;
	uint64_t	cpu; /* enum cpu: the parameter */
	struct stream  *stream;
	struct input   *named;
	struct earliest earliest;
	uint32_t	nstreams, capacity;
	bool		started;
	uint64_t	origin;	 /* ns within a microsecond */
	struct map	name_of; /* pid -> number of its name */
	struct names	names;
	uint32_t	last_pid, last_name;
	unsigned char	following[UINT16_MAX];
};

static const char *const cpu_words[] = { "all", "one", NULL };

static const struct param params[] = { EVENTS_PARAMS,
	{ "cpu", PARAM_WORD, CPU_ALL, 0, CPU_ONE, offsetof(struct blktrace, cpu),
	    "read the files of all processors (NAME.blktrace.*), or only the one that is named",
	    cpu_words },
	{ 0 } };

/* ---- one record ---- */

ALWAYS_INLINE uint32_t
load32(const unsigned char *b, bool swapped)
{
	uint32_t n =
	    (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;

	return unlikely(swapped) ? __builtin_bswap32(n) : n;
}

ALWAYS_INLINE uint64_t
load64(const unsigned char *b, bool swapped)
{
	uint32_t low = load32(b, swapped), high = load32(b + 4, swapped);

	return unlikely(swapped) ? (uint64_t)low << 32 | high : (uint64_t)high << 32 | low;
}

ALWAYS_INLINE struct header
parse(const unsigned char *b, bool swapped)
{
	uint32_t last = load32(b + 44, swapped); /* error and length, 16 bits each */

	return (struct header){
		.magic = load32(b, swapped),
		.time = load64(b + 8, swapped),
		.sector = load64(b + 16, swapped),
		.bytes = load32(b + 24, swapped),
		.action = load32(b + 28, swapped),
		.pid = load32(b + 32, swapped),
		.device = load32(b + 36, swapped),
		.following = swapped ? last & UINT16_MAX : last >> 16,
	};
}

/* The action of a read or write; EVENT_OTHER: anything else. */
static enum event_action
action_of(const struct header *h)
{
	uint32_t did = h->action & 0xff;

	if (h->action & (KIND_NOTIFY | KIND_PC | KIND_DISCARD) || h->bytes < SECTOR_BYTES)
		return EVENT_OTHER;
	switch (did) {
	case DID_QUEUE:
		return EVENT_Q;
	case DID_ISSUE:
		return EVENT_D;
	case DID_COMPLETE:
		return EVENT_C;
	case DID_REMAP:
		return EVENT_REMAP;
	case DID_REQUEUE:
		return EVENT_REQUEUE;
	}
	return EVENT_OTHER;
}

static bool
is_magic(const unsigned char *b, bool swapped)
{
	return (load32(b, swapped) & ~(uint32_t)0xff) == MAGIC;
}

static bool
blktrace_recognise(const char *head, size_t n)
{
	const unsigned char *b = (const unsigned char *)head;

	return n >= 4 && (is_magic(b, false) || is_magic(b, true));
}

static struct extent
extent_of(const struct header *h)
{
	return (struct extent){ .major = h->device >> DEVICE_MINOR_BITS,
		.minor = h->device & ((1U << DEVICE_MINOR_BITS) - 1),
		.sector = h->sector,
		.sectors = h->bytes / SECTOR_BYTES };
}

/* What follows a remap: the place that it comes from, whatever the byte order of the machine. */
static bool
parse_origin(const struct header *h, const unsigned char *following, struct extent *from)
{
	struct header origin = { 0 };

	if (h->following < REMAP_BYTES)
		return false;
	origin.device = load32(following, true);
	origin.sector = load64(following + 8, true);
	*from = extent_of(&origin);
	return true;
}

/* ---- the streams ---- */

/* An error at the current record of a stream. */
static int
explain(const struct blktrace *b, const struct stream *s, struct error *e)
{
	error_prefix(e, "at byte %llu", (unsigned long long)s->at);
	return s->in == b->named ? -1 : error_prefix(e, "%s", input_path(s->in));
}

/* What to do with the part before the current record. */
static int
explain_cut(const struct stream *s, struct error *e)
{
	size_t used = strlen(e->text);

	if (!s->at)
		return -1;
	snprintf(e->text + used, sizeof(e->text) - used,
	    "; the first %llu bytes are whole: head -c %llu", (unsigned long long)s->at,
	    (unsigned long long)s->at);
	return -1;
}

static int
check_magic(const struct stream *s, const struct header *h, struct error *e)
{
	if (likely(h->magic == (MAGIC | VERSION)))
		return 0;
	if ((h->magic & ~(uint32_t)0xff) == MAGIC)
		return error_set(e, "version %lu of blktrace: only version 7 is known",
		    (unsigned long)(h->magic & 0xff));
	error_set(e, "no record of blktrace begins here");
	return explain_cut(s, e);
}

/* The time of the record behind the current one, if there is one. */
static int
peek_time(struct stream *s, uint64_t *time, struct error *e)
{
	size_t		     n;
	const char	    *head = input_head(s->in, &n, e);
	const unsigned char *b = (const unsigned char *)head;

	if (!head)
		return -1;
	if (n < HEADER_BYTES || !is_magic(b, s->swapped))
		return 0;
	*time = parse(b, s->swapped).time;
	return 1;
}

/* Its time is far from that before, or it is the first of its file. */
static int
check_leap(struct stream *s, struct error *e)
{
	uint64_t next;
	int	 more = peek_time(s, &next, e);

	if (more < 0)
		return -1;
	if (!s->begun)
		s->before =
		    more && s->h.time > next && s->h.time - next > LEAP_NS ? next : s->h.time;
	else if (more && !event_leaps(next, s->h.time, LEAP_NS))
		s->before = s->h.time;
	if (s->h.time != s->before)
		events_note_leap(s->in);
	s->h.time = s->before;
	return 0;
}

static int
keep_name(struct blktrace *b, const struct header *h, struct error *e)
{
	char	  name[COMM_BYTES + 1] = { 0 };
	uint32_t *number = map_at(&b->name_of, h->pid), interned;

	memcpy(name, b->following, h->following < COMM_BYTES ? h->following : COMM_BYTES);
	interned = names_intern(&b->names, name);
	if (!number || !interned)
		return error_no_memory(e);
	*number = interned;
	b->last_name = 0;
	return 0;
}

/* 1: s->h is the next record; 0: the file has ended. */
static int
next_record(struct blktrace *b, struct stream *s, struct error *e)
{
	unsigned char bytes[HEADER_BYTES];
	int	      status;

	s->at = s->next_at;
	status = input_bytes(s->in, bytes, HEADER_BYTES, e);
	if (status <= 0)
		return status ? explain_cut(s, e) : 0;
	s->h = parse(bytes, s->swapped);
	if (check_magic(s, &s->h, e))
		return -1;
	s->next_at = s->at + HEADER_BYTES + s->h.following;
	if (!s->h.following)
		return 1;
	status = input_bytes(s->in, b->following, s->h.following, e);
	if (!status)
		error_set(e, "the file ends too early: 0 of %lu bytes",
		    (unsigned long)s->h.following);
	return status > 0 ? 1 : explain_cut(s, e);
}

/* What an event says about later ones, or whether it is given out itself: 1, 0, or -1. */
static int
take(struct blktrace *b, const struct stream *s, struct error *e)
{
	struct extent at = extent_of(&s->h), from;

	if (s->action == EVENT_REMAP)
		return parse_origin(&s->h, b->following, &from)
		    ? events_remap(&b->events, &at, &from, e)
		    : 0;
	if (s->action == EVENT_REQUEUE)
		return events_requeue(&b->events, &at, e);
	if (!events_wants(&b->events, s->action))
		return 0;
	return s->action == b->events.taken ? events_take(&b->events, &at, e) : 1;
}

/* To the next event that is taken: 1; 0: the file has ended. */
static int
advance(struct blktrace *b, struct stream *s, struct error *e)
{
	int status;

	while ((status = next_record(b, s, e)) == 1) {
		uint32_t did = s->h.action & 0xff;

		if (s->h.action & KIND_NOTIFY && did != NOTIFY_MESSAGE) {
			if (did == NOTIFY_PROCESS && keep_name(b, &s->h, e))
				return -1;
			continue;
		}
		if (unlikely(!s->begun || event_leaps(s->h.time, s->before, LEAP_NS)) &&
		    check_leap(s, e))
			return -1;
		if (!s->begun)
			s->first = s->h.time;
		s->begun = true;
		s->before = s->h.time;
		s->action = action_of(&s->h);
		status = take(b, s, e);
		if (status)
			break;
	}
	return status;
}

/* ---- the beginning ---- */

static int
add_stream(void *self, struct input *in, struct error *e)
{
	struct blktrace *b = self;
	struct stream	*grown;

	grown = array_grow(b->stream, b->nstreams, &b->capacity, sizeof(*grown));
	if (!grown)
		return error_no_memory(e);
	b->stream = grown;
	b->stream[b->nstreams++] = (struct stream){ .in = in };
	return 0;
}

/* The file that is named, and those beside it. */
static int
open_streams(struct blktrace *b, struct input *in, struct error *e)
{
	b->named = in;
	if (b->cpu == CPU_ONE ? add_stream(b, in, e) : beside_open(in, SET, add_stream, b, e))
		return -1;
	if (b->nstreams > 1)
		input_note(in,
		    "the files of all processors (NAME.blktrace.*) are merged by time: "
		    "--format blktrace:cpu=one reads one");
	return earliest_init(&b->earliest, b->nstreams, e);
}

/* An event of the head, and what follows it, if that is there. */
static int
expect(struct blktrace *b, const struct header *h, const unsigned char *following,
    enum event_action *best, struct error *e)
{
	enum event_action a = action_of(h);
	struct extent	  at = extent_of(h);

	if (a > EVENT_REMAP)
		return 0;
	if (a == EVENT_REMAP)
		return following && parse_origin(h, following, &at)
		    ? events_expect(&b->events, a, &at, e)
		    : 0;
	*best = a < *best ? a : *best;
	return events_expect(&b->events, a, &at, e);
}

/* Look at the head of a stream: its byte order, and the best action in it. */
static int
look(struct blktrace *t, struct stream *s, enum event_action *best, struct error *e)
{
	size_t		     n;
	const char	    *head = input_head(s->in, &n, e);
	const unsigned char *b = (const unsigned char *)head;

	if (!head)
		return -1;
	s->swapped = n >= 4 && is_magic(b, true);
	while (n >= HEADER_BYTES && is_magic(b, s->swapped)) {
		struct header h = parse(b, s->swapped);
		bool	      whole = n - HEADER_BYTES >= h.following;

		if (expect(t, &h, whole ? b + HEADER_BYTES : NULL, best, e))
			return -1;
		if (!whole)
			break;
		b += HEADER_BYTES + h.following;
		n -= HEADER_BYTES + h.following;
	}
	return 0;
}

/* All streams at their first events. */
static int
start(struct blktrace *b, struct input *in, struct error *e)
{
	enum event_action best = EVENT_OTHER;
	uint64_t	  origin = UINT64_MAX;

	if (!b->nstreams && open_streams(b, in, e))
		return -1;
	for (uint32_t i = 0; i < b->nstreams; i++) {
		b->stream[i] = (struct stream){ .in = b->stream[i].in };
		if (look(b, &b->stream[i], &best, e))
			return explain(b, &b->stream[i], e);
	}
	events_choose(&b->events, best);
	b->earliest.n = 0;
	for (uint32_t i = 0; i < b->nstreams; i++) {
		struct stream *s = &b->stream[i];
		int	       status = advance(b, s, e);

		if (status < 0)
			return explain(b, s, e);
		if (s->begun && s->first < origin)
			origin = s->first;
		if (status)
			earliest_add(&b->earliest, i, s->h.time);
	}
	b->origin = origin % NS;
	earliest_order(&b->earliest);
	b->started = true;
	return 0;
}

/* The root has been given out. */
static int
next_event(struct blktrace *b, struct error *e)
{
	struct stream *s = &b->stream[b->earliest.at[0].stream];
	int	       status = advance(b, s, e);

	if (unlikely(status < 0))
		return explain(b, s, e);
	if (status)
		earliest_change(&b->earliest, s->h.time);
	else
		earliest_remove(&b->earliest);
	return 0;
}

/* ---- records ---- */

static const char *
name_of(struct blktrace *b, uint32_t pid, struct error *e)
{
	uint32_t *number;

	if (!b->names.n)
		return "";
	if (pid != b->last_pid || !b->last_name) {
		number = map_at(&b->name_of, pid);
		if (!number) {
			error_no_memory(e);
			return NULL;
		}
		b->last_pid = pid;
		b->last_name = *number;
	}
	return b->last_name ? b->names.name[b->last_name] : "";
}

static int
fill(struct blktrace *b, const struct header *h, struct record *r, struct error *e)
{
	struct extent at = extent_of(h);

	if (h->sector > UINT64_MAX / SECTOR_BYTES)
		return error_set(e, "sector %llu is beyond any device",
		    (unsigned long long)h->sector);
	r->op = h->action & KIND_WRITE ? OP_WRITE : OP_READ;
	r->time = (usec_t)((h->time - (h->time < b->origin ? h->time : b->origin)) / NS);
	r->pid = h->pid;
	r->process_name = name_of(b, h->pid, e);
	return r->process_name ? events_record(&b->events, &at, r, e) : -1;
}

static int
blktrace_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct blktrace *b = self;
	struct stream	*s;

	if (unlikely(!b->started) ? start(b, in, e) : next_event(b, e))
		return -1;
	s = b->earliest.n ? &b->stream[b->earliest.at[0].stream] : NULL;
	if (unlikely(b->events.outdated || (s && s->action != b->events.taken))) {
		b->started = false;
		return events_again(&b->events, s ? s->action : b->events.taken, "blktrace", in, e);
	}
	if (!s) {
		events_note(&b->events, "blktrace", in);
		return 0;
	}
	return fill(b, &s->h, r, e) == 1 ? 1 : explain(b, s, e);
}

static void
blktrace_release(void *self)
{
	struct blktrace *b = self;

	free(b->stream);
	free(b->earliest.at);
	events_release(&b->events);
	map_release(&b->name_of);
	names_release(&b->names);
}

FORMAT(blktrace,
    .plugin = { .name = "blktrace",
	.summary = "binary files of blktrace, NAME.blktrace.N",
	.state_size = sizeof(struct blktrace),
	.params = params },
    .set = SET, .lacks = LACKS_FILES, .recognise = blktrace_recognise, .release = blktrace_release,
    .read = blktrace_read);
