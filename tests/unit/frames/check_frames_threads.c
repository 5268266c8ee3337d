/*
 * check_frames_threads.c - eight threads on every allocator: no page is taken twice, every one comes back.
 *
 * FRAMES_OPERATIONS=1000000: so many requests of each thread.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/unit/frames/pools.h"

enum { THREADS = 8, BOXES = 512, HELD = 32, ORDERS = 6, OPERATIONS = 40000 };

/* What threads leave for others: the address of a run plus its order. */
static _Atomic uintptr_t box[BOXES];
static struct drawn	 d;
static uint64_t		 operations;

static void
free_packed(struct frames_thread *t, uintptr_t packed)
{
	if (packed)
		frames_free(t, (void *)(packed & ~(uintptr_t)(FRAME_BYTES - 1)),
		    (unsigned)(packed % FRAME_BYTES));
}

static void *
work(void *thread)
{
	struct frames_thread *t = thread;
	uint64_t	      random = (uintptr_t)thread;
	uintptr_t	      held[HELD] = { 0 };

	for (uint64_t i = 0; i < operations; i++) {
		uintptr_t *h = &held[random_below(&random, HELD)];
		unsigned   order = random_below(&random, 2) ? 0 : random_below(&random, ORDERS);

		if (random_below(&random,
			2)) /* for another thread; what lay there is ours to free */
			*h = atomic_exchange(&box[random_below(&random, BOXES)], *h);
		free_packed(t, *h);
		*h = (uintptr_t)frames_alloc(t, order);
		if (*h)
			*h += order;
	}
	for (unsigned i = 0; i < HELD; i++)
		free_packed(t, held[i]);
	return NULL;
}

START_TEST(no_page_is_taken_twice_and_all_come_back)
{
	static const struct frames_shape shapes[] = { { 4, 512, THREADS, true },
		{ 32, 32, THREADS, true } };
	const char			*pool = pool_name(_i / 2);
	const struct arena		*a;
	pthread_t			 thread[THREADS];

	draw_open(&d, pool, shapes[_i % 2]);
	a = frames_arena(d.frames);
	for (unsigned i = 0; i < THREADS; i++)
		ck_assert(!pthread_create(&thread[i], NULL, work, frames_thread(d.frames, i)));
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (unsigned i = 0; i < BOXES; i++)
		free_packed(frames_thread(d.frames, i % THREADS), box[i]);
	ck_assert_uint_eq(frames_free_pages(d.frames), a->pages);
	for (unsigned i = 0; i < THREADS; i++)
		frames_drain(frames_thread(d.frames, i));
	REQUIRE(frames_free_pages(d.frames) == a->pages, "%s: %u of %u pages came back", pool,
	    (unsigned)frames_free_pages(d.frames), a->pages);
	ck_assert_int_eq(frames_largest_order(d.frames), (int)a->max_order);
	ck_assert_uint_eq(frames_counts(d.frames).operations % 2, 0);
	ck_assert_uint_ge(frames_counts(d.frames).operations, operations * THREADS);
	draw_close(&d);
}
END_TEST

int
main(void)
{
	TCase	   *tc = tcase_create("frames_threads");
	const char *number = getenv("FRAMES_OPERATIONS");

	operations = number ? strtoull(number, NULL, 10) : OPERATIONS;
	tcase_add_loop_test(tc, no_page_is_taken_twice_and_all_come_back, 0, 2 * pool_number());
	return run_tests("frames_threads", tc);
}
