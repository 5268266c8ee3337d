/* check_loads.c - the blocks that every run must read, against an exhaustive search. */
#include "sim/analysis/loads.h"
#include "tests/unit/support.h"

enum { BLOCKS = 6, CALLS = 24, INSTANCES = 400 };

static struct draft d;
static uint8_t	    least[CALLS + 1][1 << BLOCKS];

static uint8_t
lower(uint8_t a, unsigned b)
{
	return b < a ? (uint8_t)b : a;
}

/* From call i on, with that set in a cache of so many frames. */
static uint8_t
search(uint32_t i, unsigned held, unsigned frames)
{
	const struct access *a = &d.access[i];
	unsigned	     bit = 1u << (a->offset / DRAFT_BLOCK_BYTES);
	unsigned	     cost = !(held & bit) && !a->write;
	uint8_t		     best = UINT8_MAX;

	if (held & bit)
		return least[i + 1][held];
	if ((unsigned)__builtin_popcount(held) < frames)
		return (uint8_t)(cost + least[i + 1][held | bit]);
	for (unsigned out = 1; out < 1 << BLOCKS; out <<= 1)
		if (held & out)
			best = lower(best, cost + least[i + 1][(held & ~out) | bit]);
	return best;
}

static uint8_t
fewest(unsigned frames)
{
	for (unsigned set = 0; set < 1 << BLOCKS; set++)
		least[CALLS][set] = 0;
	for (uint32_t i = CALLS; i-- > 0;)
		for (unsigned set = 0; set < 1 << BLOCKS; set++)
			if ((unsigned)__builtin_popcount(set) <= frames)
				least[i][set] = search(i, set, frames);
	return least[0][0];
}

START_TEST(no_choice_of_victims_reads_fewer_blocks)
{
	uint64_t     seed = 1;
	struct error e;

	for (unsigned n = 0; n < INSTANCES; n++) {
		unsigned frames = 1 + random_below(&seed, BLOCKS);
		uint64_t loads;

		draft_start(&d);
		draft_open(&d, draft_file(&d, 1, BLOCKS), 0);
		for (unsigned i = 0; i < CALLS; i++)
			draft_blocks(&d, i, 0, random_below(&seed, BLOCKS), 1,
			    random_below(&seed, 10) < n % 6);
		ck_assert(!loads_least(&d.trace, frames, &loads, &e));
		ck_assert_uint_eq(loads, fewest(frames));
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("loads");

	tcase_add_test(tests, no_choice_of_victims_reads_fewer_blocks);
	return run_tests("loads", tests);
}
