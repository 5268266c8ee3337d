/*
 * check_family_threads.c - threads begin, wait and end in the order that the steps of a trace say;
 * runs of many threads on real files, where pages can be seen.
 */
#define _GNU_SOURCE /* for machine_shows.h */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "sim/host/measure/family.h"
#include "tests/unit/measure/staged.h"

enum { MEMBERS = 6, STEPS_MAX = 32, LOG = 64, ROUNDS = 20 };

static struct step   step[STEPS_MAX];
static struct trace  t;
static struct family family;
static struct error  error;

/* What was done, in order: the process's number and what it did. */
static char	   done[LOG][8];
static atomic_uint ndone;
static usec_t	   born[MEMBERS];

static void
family_of(uint32_t n)
{
	t = (struct trace){ .nprocesses = n, .step = step };
	ndone = 0;
}

static void
has(uint32_t process, enum step_kind kind, uint32_t other, uint32_t number)
{
	size_t i = t.nsteps++;

	step[i] = (struct step){ .time = 100 * (usec_t)i,
		.process = process,
		.kind = kind,
		.other = other,
		.number = number };
}

static void
note(uint32_t i, const char *what)
{
	snprintf(done[atomic_fetch_add(&ndone, 1)], sizeof(*done), "%u%s", i, what);
}

static unsigned
when(const char *what)
{
	for (unsigned i = 0; i < ndone; i++)
		if (!strcmp(done[i], what))
			return i;
	ck_abort_msg("%s was not done", what);
	return 0;
}

/* Each step is noted: before it is taken, except for waits, behind them. */
static void *
live(void *number)
{
	static const char *const words[STEP_KINDS] = { "start", "exit", "wait", "send", "get" };
	uint32_t		 i = (uint32_t)(uintptr_t)number;

	family_begin(&family, i, &born[i]);
	note(i, "begin");
	for (const struct step *s; (s = family_step(&family, i));) {
		bool waits = s->kind == STEP_WAIT || s->kind == STEP_RECEIVE;

		if (!waits)
			note(i, words[s->kind]);
		family_take(&family, i);
		if (waits)
			note(i, words[s->kind]);
	}
	note(i, "end");
	family_end(&family, i);
	return NULL;
}

static bool
all_call(const void *self, uint32_t i)
{
	return true;
}

/* Backwards, so that children are there before their parents. */
static void
live_all(void)
{
	pthread_t id[MEMBERS];

	ck_assert_msg(!family_init(&family, &t, all_call, NULL, &error), "%s", error.text);
	for (uint32_t i = t.nprocesses; i--;)
		ck_assert(!pthread_create(&id[i], NULL, live, (void *)(uintptr_t)i));
	for (uint32_t i = 0; i < t.nprocesses; i++)
		pthread_join(id[i], NULL);
	ck_assert_uint_eq(family.living, 0);
	ck_assert_uint_eq(family.waiting, 0);
	family_release(&family);
}

START_TEST(a_child_begins_when_its_parent_starts_it)
{
	family_of(3);
	has(0, STEP_START, 1, 0);
	has(1, STEP_START, 2, 0);
	live_all();
	ck_assert(when("0start") < when("1begin") && when("1start") < when("2begin"));
	ck_assert_int_eq(born[1], 0);
	ck_assert_int_eq(born[2], 100);
}
END_TEST

START_TEST(a_wait_ends_when_the_other_has_ended)
{
	family_of(3);
	has(0, STEP_START, 1, 0);
	has(0, STEP_START, 2, 0);
	has(0, STEP_WAIT, 2, 0);
	has(1, STEP_WAIT, 2, 0); /* a brother, too */
	live_all();
	ck_assert(when("2end") < when("0wait") && when("2end") < when("1wait"));
}
END_TEST

START_TEST(who_waits_for_any_child_has_each_once)
{
	family_of(4);
	for (uint32_t i = 1; i < 4; i++)
		has(0, STEP_START, i, 0);
	has(0, STEP_WAIT, 3, 0);
	has(0, STEP_WAIT, STEP_ANY, 0); /* not number 3 again */
	has(0, STEP_WAIT, STEP_ANY, 0);
	has(0, STEP_WAIT, STEP_ANY, 0); /* there is none left */
	live_all();
	for (unsigned i = 0, ends = 0, waits = 0; i < ndone; i++) {
		ends += !strcmp(done[i] + 1, "end");
		waits += !strcmp(done[i] + 1, "wait");
		ck_assert(waits < 4 ? ends >= waits : ends >= 3);
	}
}
END_TEST

START_TEST(a_child_ends_with_its_exit)
{
	family_of(2);
	has(0, STEP_START, 1, 0);
	has(0, STEP_WAIT, STEP_ANY, 0);
	has(1, STEP_EXIT, 0, 0);
	live_all();
	ck_assert(when("1exit") < when("0wait"));
}
END_TEST

START_TEST(a_receiver_waits_for_as_many_sends)
{
	family_of(2);
	has(0, STEP_START, 1, 0);
	has(0, STEP_RECEIVE, 1, 2);
	has(0, STEP_RECEIVE, 1, 9); /* it has ended meanwhile */
	has(1, STEP_SEND, 0, 0);
	has(1, STEP_SEND, 0, 0);
	live_all();
	for (unsigned i = 0, sends = 0; i < when("0get"); i++) {
		sends += !strcmp(done[i], "1send");
		ck_assert(i + 1 < when("0get") || sends == 2);
	}
	ck_assert(when("1end") < when("0end"));
}
END_TEST

/* Two wait for each other, two children are never started. */
START_TEST(a_ring_of_waits_is_broken)
{
	family_of(5);
	has(0, STEP_WAIT, 1, 0);
	has(1, STEP_WAIT, 0, 0);
	has(2, STEP_START, 3, 0);
	has(3, STEP_START, 2, 0);
	has(4, STEP_WAIT, 4, 0);
	live_all();
	for (uint32_t i = 0; i < 5; i++) {
		char end[8];

		snprintf(end, sizeof(end), "%uend", i);
		when(end);
	}
}
END_TEST

START_TEST(one_that_is_started_twice_begins_once)
{
	family_of(2);
	has(0, STEP_START, 1, 0);
	has(0, STEP_START, 1, 0);
	live_all();
	ck_assert_uint_eq(ndone, 6);
}
END_TEST

static void *
wait_in_vain(void *number)
{
	usec_t at;

	family_begin(&family, 1, &at);
	family_end(&family, 1);
	return NULL;
}

START_TEST(a_failure_ends_all_waits)
{
	pthread_t id;

	family_of(2);
	has(0, STEP_START, 1, 0); /* it never does */
	ck_assert(!family_init(&family, &t, all_call, NULL, &error));
	ck_assert(!pthread_create(&id, NULL, wait_in_vain, NULL));
	family_dismiss(&family);
	pthread_join(id, NULL);
	family_release(&family);
}
END_TEST

/* ---- real files ---- */

START_TEST(many_threads_read_what_one_reads)
{
	struct draft	     d;
	struct stage	     s;
	struct run_how	     how = { .by_process = true };
	struct run_times     times = { 0 };
	static float	     us[STAGED_CALLS];
	static const uint8_t kinds[] = { STEP_START, STEP_WAIT };

	staged_draft(&d);
	for (uint32_t i = 0; i < 2; i++)
		step[i] = (struct step){ .calls = i ? STAGED_CALLS / 4 : 10,
			.other = 1,
			.kind = kinds[i] };
	d.trace.step = step;
	d.trace.nsteps = 2;
	REQUIRE(!stage_make(&s, &d.trace, STAGED_DIR, &error), "%s", error.text);
	times.call_us = us;
	for (unsigned i = 0; i < 3; i++) {
		how.random = i == 1;
		how.think_scale = i == 2;
		REQUIRE(!stage_run(&s, &how, &times, &error), "%s", error.text);
		ck_assert_uint_ge(times.pages_read, 2 * STAGED_PAGES / 2);
		for (unsigned k = 0; k < STAGED_CALLS; k++)
			ck_assert(us[k] > 0);
	}
	stage_release(&s);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("family_threads");

	tcase_add_loop_test(tc, a_child_begins_when_its_parent_starts_it, 0, ROUNDS);
	tcase_add_loop_test(tc, a_wait_ends_when_the_other_has_ended, 0, ROUNDS);
	tcase_add_loop_test(tc, who_waits_for_any_child_has_each_once, 0, ROUNDS);
	tcase_add_loop_test(tc, a_child_ends_with_its_exit, 0, ROUNDS);
	tcase_add_loop_test(tc, a_receiver_waits_for_as_many_sends, 0, ROUNDS);
	tcase_add_loop_test(tc, a_ring_of_waits_is_broken, 0, ROUNDS);
	tcase_add_test(tc, one_that_is_started_twice_begins_once);
	tcase_add_loop_test(tc, a_failure_ends_all_waits, 0, ROUNDS);
	if (pages_can_be_seen())
		tcase_add_test(tc, many_threads_read_what_one_reads);
	return run_tests("family_threads", tc);
}
