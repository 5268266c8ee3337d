/* check_notices.c - the table of write notices: what is reclaimed, and what is not. */
#include "sim/studies/share/model/notices.h"
#include "tests/unit/sharing.h"

enum { ROUNDS = 1000, NOTICES = 50 };

static struct notices
notices_of(struct program *p)
{
	struct notices t;
	struct error   e;

	*p = program_of(
	    "# program t, processors 3, problem p, words of 8 bytes\nP 0\nC\nB 1\nP 1\nB 1\nP 2\nB 1\n");
	ck_assert_int_eq(notices_init(&t, p, p->processors, &e), 0);
	return t;
}

/* An interval of a process. */
static void
write_pages(struct notices *t, unsigned process, uint64_t turn)
{
	struct error e;

	ck_assert_int_eq(notices_reserve(t, process, NOTICES, &e), 0);
	for (uint32_t page = 0; page < NOTICES; page++)
		notices_add(t, process, (struct notice){ page, turn });
}

static void
see_all(struct notices *t, unsigned process)
{
	for (unsigned i = 0; i < 3; i++)
		t->seen[process][i] = t->written[i].n;
}

START_TEST(what_all_have_seen_is_reclaimed)
{
	struct program p;
	struct notices t = notices_of(&p);

	for (unsigned round = 0; round < ROUNDS; round++) {
		write_pages(&t, 0, round);
		see_all(&t, 1);
		see_all(&t, 2);
	}
	ck_assert_uint_eq(t.written[0].n, ROUNDS * NOTICES);
	ck_assert_uint_lt(t.written[0].room, 4 * NOTICES);
	notices_release(&t);
	program_release(&p);
}
END_TEST

START_TEST(what_one_has_not_seen_is_kept)
{
	struct program	      p;
	struct notices	      t = notices_of(&p);
	const struct written *w = &t.written[0];

	for (unsigned round = 0; round < ROUNDS; round++) {
		write_pages(&t, 0, round);
		see_all(&t, 1);
		if (round < 2)
			see_all(&t, 2);
	}
	ck_assert_uint_le(w->first, 2 * NOTICES);
	for (uint64_t i = 2 * NOTICES; i < w->n; i++) {
		ck_assert_uint_eq(w->notice[i - w->first].page, i % NOTICES);
		ck_assert_uint_eq(w->notice[i - w->first].turn, i / NOTICES);
	}
	notices_release(&t);
	program_release(&p);
}
END_TEST

START_TEST(who_has_left_keeps_nothing)
{
	struct program p;
	struct notices t = notices_of(&p);

	notices_leave(&t, 2);
	for (unsigned round = 0; round < ROUNDS; round++) {
		write_pages(&t, 0, round);
		see_all(&t, 1);
	}
	ck_assert_uint_lt(t.written[0].room, 4 * NOTICES);
	notices_release(&t);
	program_release(&p);
}
END_TEST

START_TEST(a_stamp_has_the_most_of_all_who_post)
{
	struct program	p;
	struct notices	t = notices_of(&p);
	const uint64_t *stamp = notices_stamp(&t, SET_BARRIERS, 0);

	write_pages(&t, 0, 1);
	write_pages(&t, 1, 2);
	notices_post(&t, SET_BARRIERS, 0, 0);
	ck_assert_uint_eq(stamp[0], NOTICES);
	ck_assert_uint_eq(stamp[1], 0);
	notices_post(&t, SET_BARRIERS, 0, 1);
	ck_assert_uint_eq(stamp[0], NOTICES);
	ck_assert_uint_eq(stamp[1], NOTICES);
	notices_release(&t);
	program_release(&p);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("notices");

	tcase_add_test(tc, what_all_have_seen_is_reclaimed);
	tcase_add_test(tc, what_one_has_not_seen_is_kept);
	tcase_add_test(tc, who_has_left_keeps_nothing);
	tcase_add_test(tc, a_stamp_has_the_most_of_all_who_post);
	return run_tests("notices", tc);
}
