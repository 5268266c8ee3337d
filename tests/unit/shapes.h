/*
 * shapes.h - random traces of several shapes, alone and two at once.
 */
#ifndef TESTS_UNIT_SHAPES_H
#define TESTS_UNIT_SHAPES_H

#include "sim/trace/merge.h"
#include "tests/unit/support.h"

enum draft_kind { SEQUENTIAL, LOOPS, RANDOM, MIXED, SHARED, LARGE_CALLS, EDGES, SHAPES };
enum { CALLS = 120, FILE_BLOCKS = 70, FILES = 5, TRACES = 5 * SHAPES, ADVISED = 2 * SHAPES };
enum { MERGED = SHAPES - 1, ALL = TRACES + MERGED };

static const char *const shape_name[] = { "sequential", "loops", "random", "mixed", "shared",
	"large calls", "edges" };

static struct draft drafts[TRACES];
static struct trace merged[MERGED]; /* of a shape and the one behind it */

/* Of the shared traces three processes open two files each, else one opens all of them. */
static inline void
open_files(struct draft *d, enum draft_kind shape)
{
	for (uint32_t i = 0; i < FILES; i++)
		draft_file(d, 100 + i, shape == EDGES && i < 2 ? 1 + i : FILE_BLOCKS);
	if (shape != SHARED) {
		for (uint32_t i = 0; i < FILES; i++)
			draft_open(d, i, 0);
		return;
	}
	for (uint32_t process = 0; process < 3; process++) {
		draft_open(d, 0, process);
		draft_open(d, 1 + process, process);
	}
}

/* The open file of the i-th call; of the shared traces each of the six has one. */
static inline uint32_t
choose_open(enum draft_kind shape, uint32_t i, uint64_t *seed)
{
	if (shape == SHARED)
		return i < 6 ? i : random_below(seed, 6);
	if (shape == EDGES)
		return i / 8 % FILES;
	return shape == LOOPS ? 0 : i / 30 % FILES;
}

/* The blocks of the i-th call. */
static inline void
choose_blocks(enum draft_kind shape, uint32_t i, uint64_t *seed, uint32_t *first, uint32_t *count)
{
	*count = 1 + random_below(seed, 4);
	switch (shape) {
	case SEQUENTIAL:
	case EDGES:
		*first = i * 3 % FILE_BLOCKS;
		*count = 3;
		break;
	case LOOPS:
		*first = i % 11;
		*count = 1;
		break;
	case LARGE_CALLS:
		*first = random_below(seed, 20);
		*count = 1 + random_below(seed, FILE_BLOCKS);
		break;
	default:
		*first = i % 4 ? random_below(seed, 12) : random_below(seed, FILE_BLOCKS);
	}
}

/* Within the file. */
static inline void
clip_blocks(const struct draft *d, uint32_t open, uint32_t *first, uint32_t *count)
{
	uint32_t blocks = d->file[d->open[open].file].nblocks;

	*first %= blocks;
	if (*first + *count > blocks)
		*count = blocks - *first;
}

static inline bool
is_write(enum draft_kind shape, uint64_t *seed)
{
	static const uint32_t tenths[SHAPES] = { [MIXED] = 5, [SHARED] = 3, [LARGE_CALLS] = 2 };

	return random_below(seed, 10) < tenths[shape];
}

/* The file is empty, ends before, at, in or right behind the call, or is as large as usual. */
static inline uint64_t
edge_size(const struct access *a, uint64_t *seed)
{
	const uint64_t end = a->offset + a->length;
	const uint64_t size[] = { 0, a->offset / 2, a->offset, a->offset + 1, end - 1, end,
		a->file_size };

	return size[random_below(seed, sizeof(size) / sizeof(*size))];
}

/* Any advice about any range, at most two at a time. */
static inline void
advise(struct draft *d, uint64_t *seed)
{
	for (uint32_t n = random_below(seed, 5); n > 2 && d->trace.nadvice < DRAFT_ADVICE; n--) {
		uint64_t       length = random_below(seed, 4) ? random_below(seed, 100000) : 0;
		struct advice *a = draft_advise(d, random_below(seed, ADVICE_KINDS),
		    random_below(seed, d->trace.nopen),
		    random_below(seed, (FILE_BLOCKS + 2) * DRAFT_BLOCK_BYTES), length);

		if (random_below(seed, 4) == 0)
			a->file_size = random_below(seed, (uint32_t)a->file_size);
		a->fresh = random_below(seed, 10) == 0;
	}
}

/* Calls that begin and end anywhere in their blocks, files that grow and are opened again. */
static inline void
make_trace(struct draft *d, enum draft_kind shape, uint64_t seed, bool advised)
{
	usec_t time = 0;

	draft_start(d);
	open_files(d, shape);
	for (uint32_t i = 0; i < CALLS; i++) {
		uint32_t       open = choose_open(shape, i, &seed), first, count, before, behind;
		bool	       write = is_write(shape, &seed);
		struct access *a;

		choose_blocks(shape, i, &seed, &first, &count);
		clip_blocks(d, open, &first, &count);
		before = random_below(&seed, 3) ? 0 : random_below(&seed, 2000);
		behind = random_below(&seed, 3) ? 0 : random_below(&seed, 2000);
		a = draft_call(d, time, open, (uint64_t)first * DRAFT_BLOCK_BYTES + before,
		    count * DRAFT_BLOCK_BYTES - before - behind, write);
		if (shape == EDGES)
			a->file_size = edge_size(a, &seed);
		else if (random_below(&seed, 4) == 0)
			a->file_size = random_below(&seed, FILE_BLOCKS * DRAFT_BLOCK_BYTES);
		a->fresh = random_below(&seed, 20) == 0;
		if (advised)
			advise(d, &seed);
		time += random_below(&seed, 2) ? random_below(&seed, 20000) : 0;
	}
}

static inline void
shapes_make(void)
{
	static char name[] = "draft";

	for (unsigned i = 0; i < TRACES; i++) {
		make_trace(&drafts[i], i % SHAPES, 1 + i, i < ADVISED);
		drafts[i].trace.name = name;
		drafts[i].trace.source.path = name;
	}
	for (unsigned i = 0; i < MERGED; i++) {
		const struct trace part[] = { drafts[i].trace, drafts[SHAPES + i + 1].trace };
		struct error	   e;

		ck_assert_msg(!trace_merge(&merged[i], part, 2, false, MERGE_BY_TIME, &e), "%s",
		    e.text);
	}
}

static inline void
shapes_release(void)
{
	for (unsigned i = 0; i < MERGED; i++)
		trace_release(&merged[i]);
}

static inline const struct trace *
shape_trace(unsigned number)
{
	return number < TRACES ? &drafts[number].trace : &merged[number - TRACES];
}

static inline const char *
shape_of(unsigned number)
{
	return number < TRACES ? shape_name[number % SHAPES] : "merged";
}

#endif
