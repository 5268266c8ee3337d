/* check_fheap.c - the heap of frames, against looking at all of them. */
#include "sim/core/fheap.h"
#include "tests/unit/support.h"

enum { FRAMES = 40 };

static struct cache cache;
static struct fheap heap;
static bool	    in[FRAMES + 1];
static struct rank  rank[FRAMES + 1];

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(cache_init(&cache, FRAMES, 2, &e), 0);
	ck_assert_int_eq(fheap_init(&heap, &cache, &e), 0);
}

static void
teardown(void)
{
	fheap_release(&heap);
	cache_release(&cache);
}

static void
rank_again(frame_t f, uint64_t value, uint64_t turn)
{
	in[f] = true;
	rank[f] = (struct rank){ value, turn };
	fheap_set(&heap, f, rank[f]);
}

/* Of the frames in the heap and not in flight. */
static frame_t
expected_first(void)
{
	frame_t first = NIL;

	for (frame_t f = 1; f <= FRAMES; f++)
		if (in[f] && !(cache.frame[f].flags & FRAME_INFLIGHT) &&
		    (!first || rank[f].value < rank[first].value ||
			(rank[f].value == rank[first].value && rank[f].turn < rank[first].turn)))
			first = f;
	return first;
}

static void
take(void)
{
	frame_t f = expected_first();

	ck_assert_uint_eq(fheap_take_evictable(&heap, cache.frame), f);
	in[f] = false;
}

START_TEST(frames_go_by_rank_and_then_by_turn)
{
	uint64_t seed = 1;

	for (unsigned i = 0; i < 20000; i++) {
		frame_t f = 1 + random_below(&seed, FRAMES);

		switch (random_below(&seed, 8)) {
		case 0:
			take();
			break;
		case 1:
			if (in[f])
				fheap_remove(&heap, f);
			in[f] = false;
			break;
		case 2:
			cache.frame[f].flags ^= FRAME_INFLIGHT;
			break;
		default:
			rank_again(f, random_below(&seed, 20), i);
		}
	}
	for (frame_t f = 1; f <= FRAMES; f++)
		cache.frame[f].flags = 0;
	while (expected_first())
		take();
	ck_assert_uint_eq(heap.n, 0);
	ck_assert_uint_eq(fheap_take_evictable(&heap, cache.frame), NIL);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("fheap");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, frames_go_by_rank_and_then_by_turn);
	return run_tests("fheap", tests);
}
