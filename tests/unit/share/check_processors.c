/* check_processors.c - whose turn it is, and who waits for whom. */
#include "sim/studies/share/model/processors.h"
#include "sim/studies/share/model/registry.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 3, problem p, words of 8 bytes\n"
#define OBJECT "P 0\nA 1 808\n" /* of 100 words */

/* ---- a protocol that writes down what it is shown ---- */

enum { LOG_ROOM = 4096 };

struct notes {
	char   text[LOG_ROOM];
	size_t used;
};

static void
note_reference(void *self, unsigned processor, uint32_t page, uint32_t word, bool write)
{
	struct notes *n = self;

	n->used += (size_t)snprintf(n->text + n->used, LOG_ROOM - n->used, "%u%c%u ", processor,
	    write ? 'W' : 'R', word);
}

static int
note_sync(void *self, const struct sync_event *s, struct error *e)
{
	struct notes *n = self;

	if (s->kind == SYNC_END)
		return 0;
	n->used += (size_t)snprintf(n->text + n->used, LOG_ROOM - n->used, "%u%c%u", s->processor,
	    "lusvbdcj"[s->kind], s -> number);
	if (s->from != NO_PROCESSOR)
		n->used += (size_t)snprintf(n->text + n->used, LOG_ROOM - n->used, "<%u", s->from);
	n->used += (size_t)snprintf(n->text + n->used, LOG_ROOM - n->used, " ");
	return 0;
}

static const struct protocol noting = { .reference = note_reference, .sync = note_sync };

/* 0 or -1. */
static int
run_noting(const char *text, bool counting, struct notes *n, struct error *e)
{
	static struct processors m;
	const struct plugin	*plugin = PLUGIN_ALLOCATOR->list[0];
	struct program		 p = program_of(text);
	struct heap		 h;
	struct clocks		 t;
	struct world w = { .program = &p, .heap = &h, .clocks = &t, .processors = p.processors };
	int	     failed;

	*n = (struct notes){ 0 };
	ck_assert_int_eq(heap_init(&h, &p, 4096, e), 0);
	ck_assert_int_eq(clocks_init(&t, &p, p.processors, e), 0);
	w.referenced = calloc((size_t)p.nwords + 1, sizeof(*w.referenced));
	m = (struct processors){ .program = &p,
		.heap = &h,
		.world = &w,
		.allocator = (const struct allocator *)(const void *)plugin,
		.allocator_self = plugin_state(plugin, NULL, e),
		.protocol = &noting,
		.protocol_self = n };
	failed = processors_run(&m, counting, e);
	free(m.allocator_self);
	free(w.referenced);
	clocks_release(&t);
	heap_release(&h);
	program_release(&p);
	return failed;
}

static void
expect_notes(const char *text, const char *notes)
{
	struct notes n;
	struct error e;

	ck_assert_msg(!run_noting(text, true, &n, &e), "%s", e.text);
	ck_assert_str_eq(n.text, notes);
}

static void
expect_error(const char *text, const char *message)
{
	struct notes n;
	struct error e;

	ck_assert_int_eq(run_noting(text, true, &n, &e), -1);
	ck_assert_str_eq(e.text, message);
}

/* ---- turns ---- */

START_TEST(turns_go_round_and_nothing_runs_before_create)
{
	expect_notes(HEAD OBJECT
	    "R 1 0\nR 1 1\nC\nR 1 2\nR 1 3\nP 1\nW 1 10\nW 1 11\nP 2\nR 1 20\n",
	    "0R0 0R1 0c0 1W10 2R20 0R2 1W11 0R3 ");
}
END_TEST

START_TEST(a_request_takes_a_turn)
{
	expect_notes(HEAD OBJECT "C\nR 1 0\nR 1 1\nP 1\nA 2 16\nW 1 10\n", "0c0 0R0 1W10 0R1 ");
}
END_TEST

START_TEST(a_lock_passes_in_the_order_of_arrival)
{
	expect_notes(HEAD OBJECT
	    "C\nL 5\nR 1 0\nU 5\nP 1\nR 1 9\nL 5\nR 1 1\nU 5\nP 2\nL 5\nR 1 2\nU 5\n",
	    "0c0 1R9 2l0 2R2 2u0 0l0<2 0R0 0u0 1l0<0 1R1 1u0 ");
}
END_TEST

START_TEST(who_waits_for_a_lock_goes_on_in_the_same_round_if_it_comes_later)
{
	expect_notes(HEAD OBJECT "C\nL 1\nR 1 0\nU 1\nR 1 7\nP 1\nR 1 9\nR 1 9\nL 1\nR 1 1\nU 1\n",
	    "0c0 1R9 0l0 1R9 0R0 0u0 1l0<0 1R1 0R7 1u0 ");
}
END_TEST

START_TEST(a_barrier_releases_all_at_once)
{
	expect_notes(HEAD OBJECT "C\nB 1\nR 1 0\nP 1\nR 1 8\nB 1\nR 1 1\nP 2\nB 1\nR 1 2\n",
	    "0c0 1R8 2b0 0b0 1b0 0d0 1d0 2d0 2R2 0R0 1R1 ");
}
END_TEST

START_TEST(a_flag_counts_posts)
{
	expect_notes(HEAD OBJECT
	    "C\nS 3\nS 3\nP 1\nV 3\nR 1 1\nP 2\nR 1 8\nR 1 8\nR 1 8\nV 3\nR 1 2\n",
	    "0c0 2R8 0s0 1v0<0 1R1 2R8 0s0 2R8 2v0<0 2R2 ");
}
END_TEST

START_TEST(join_waits_for_the_end_of_the_others)
{
	expect_notes(HEAD OBJECT "C\nJ\nR 1 0\nP 1\nR 1 1\nR 1 1\nP 2\nR 1 2\n",
	    "0c0 1R1 2R2 1R1 0j0 0R0 ");
}
END_TEST

START_TEST(from_create_nothing_is_shown_before)
{
	struct notes n;
	struct error e;

	ck_assert_int_eq(run_noting(HEAD OBJECT "L 1\nR 1 0\nU 1\nC\nR 1 2\nP 1\nW 1 10\n", false,
			     &n, &e),
	    0);
	ck_assert_str_eq(n.text, "0c0 1W10 0R2 ");
}
END_TEST

/* ---- what cannot go on ---- */

START_TEST(a_deadlock_says_who_waits_for_what)
{
	expect_error(HEAD "P 0\nC\nL 1\nB 3\nP 1\nR 1 0\nL 1\nP 2\nA 1 16\n",
	    "line 7: processor 1 references object 1 before processor 2 requests it in line 10");
	expect_error(HEAD "P 0\nC\nL 1\nB 3\nP 1\nL 2\nL 1\nP 2\n",
	    "deadlock: processor 0 waits for barrier 3 (line 5); processor 1 waits for lock 1 "
	    "(line 8), which processor 0 holds; processor 2 has ended");
	expect_error(HEAD "P 0\nC\nJ\nP 1\n\nV 9\n",
	    "deadlock: processor 0 waits for the end of the others (line 4); processor 1 waits "
	    "for flag 9 (line 7); processor 2 has ended");
	expect_error(HEAD "P 0\nV 9\nC\nP 1\nS 9\n",
	    "deadlock: processor 0 waits for flag 9 (line 3); processors 1, 2 have not started, "
	    "for want of a C");
}
END_TEST

START_TEST(a_deadlock_of_all_processors_fits_into_the_message)
{
	char text[4096];
	int  n = sprintf(text, "# program t, processors 64, problem p, words of 8 bytes\nP 0\nC\n");
	struct notes notes;
	struct error e;

	for (unsigned i = 1; i < PROCESSORS_MAX; i++)
		n += sprintf(text + n, "P %u\nV %u\n", i, 4000000000u + i);
	ck_assert_int_eq(run_noting(text, true, &notes, &e), -1);
	ck_assert_uint_lt(strlen(e.text), sizeof(e.text) - 1);
	ck_assert_ptr_nonnull(strstr(e.text, "have to wait too"));
	ck_assert_ptr_nonnull(strstr(e.text, "processor 0 has ended"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("machine");

	tcase_add_test(tc, turns_go_round_and_nothing_runs_before_create);
	tcase_add_test(tc, a_request_takes_a_turn);
	tcase_add_test(tc, a_lock_passes_in_the_order_of_arrival);
	tcase_add_test(tc, who_waits_for_a_lock_goes_on_in_the_same_round_if_it_comes_later);
	tcase_add_test(tc, a_barrier_releases_all_at_once);
	tcase_add_test(tc, a_flag_counts_posts);
	tcase_add_test(tc, join_waits_for_the_end_of_the_others);
	tcase_add_test(tc, from_create_nothing_is_shown_before);
	tcase_add_test(tc, a_deadlock_says_who_waits_for_what);
	tcase_add_test(tc, a_deadlock_of_all_processors_fits_into_the_message);
	return run_tests("machine", tc);
}
