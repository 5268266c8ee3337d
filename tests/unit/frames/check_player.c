/* check_player.c - a thread at its script, and pages that threads send to each other. */
#include <pthread.h>
#include <sched.h>

#include "tests/unit/frames/trying.h"

static struct error e;

struct stage {
	struct frames *f;
	struct players p;
};

/* Players cannot be opened on two threads. */
static void
refuse(struct instance load, const char *why)
{
	const struct frames_shape shape = { 1, 8, 2, true };
	struct choice		  pool = pool_by_name("buddy");
	struct frames		 *f = frames_open(&pool, &shape, &e);
	struct players		  p;

	ck_assert_int_eq(players_open(&p, f, &load, &shape, &e), -1);
	ck_assert_str_eq(e.text, why);
	frames_close(f);
}

static struct stage
stage_of(struct instance load, unsigned threads)
{
	const struct frames_shape shape = { 1, 8, threads, true };
	struct choice		  pool = pool_by_name("buddy");
	struct stage		  s = { .f = frames_open(&pool, &shape, &e) };

	ck_assert_msg(s.f && !players_open(&s.p, s.f, &load, &shape, &e), "%s", e.text);
	return s;
}

static void
stage_close(struct stage *s)
{
	players_close(&s->p);
	frames_close(s->f);
}

static void
move(struct stage *s, unsigned thread, enum player_state expected)
{
	ck_assert_int_eq(player_move(&s->p.player[thread]), expected);
}

START_TEST(moves_come_in_their_order_round_after_round)
{
	struct typed typed = { { "t00 t11 g11 g00", "" }, 2 };
	struct stage s = stage_of(load_typed(&typed), 1);
	const int    free_pages[] = { 7, 5, 7, 8, 7, 5, 7, 8 };

	for (unsigned i = 0; i < 8; i++) {
		move(&s, 0, PLAYER_MOVED);
		ck_assert_uint_eq(frames_free_pages(s.f), (unsigned)free_pages[i]);
	}
	move(&s, 0, PLAYER_DONE);
	move(&s, 0, PLAYER_DONE);
	ck_assert_uint_eq(s.p.moves, 8);
	ck_assert_uint_eq(s.p.operations, 8);
	stage_close(&s);
}
END_TEST

START_TEST(a_thread_without_moves_is_done)
{
	struct typed typed = { { "t00 g00", "" }, 3 };
	struct stage s = stage_of(load_typed(&typed), 2);

	move(&s, 1, PLAYER_DONE);
	move(&s, 0, PLAYER_MOVED);
	ck_assert_uint_eq(s.p.moves, 6);
	stage_close(&s);
}
END_TEST

START_TEST(a_request_that_fails_leaves_nothing_to_free_or_to_send)
{
	struct typed typed = { { "t03 t10 s10 r20 g20 g10 g03", "" }, 1 };
	struct stage s = stage_of(load_typed(&typed), 1);

	for (unsigned i = 0; i < 7; i++)
		move(&s, 0, PLAYER_MOVED);
	move(&s, 0, PLAYER_DONE);
	ck_assert_uint_eq(frames_counts(s.f).failed, 1);
	ck_assert_uint_eq(frames_counts(s.f).operations, 2);
	ck_assert_uint_eq(frames_free_pages(s.f), 8);
	stage_close(&s);
}
END_TEST

START_TEST(a_thread_waits_for_a_page_and_for_room)
{
	struct typed typed = { { "t00 s00", "r00 g00" }, 5 };
	struct stage s = stage_of(load_typed(&typed), 2);

	move(&s, 1, PLAYER_BLOCKED);
	for (unsigned i = 0; i < 4; i++) /* two rounds */
		move(&s, 0, PLAYER_MOVED);
	move(&s, 0, PLAYER_MOVED);
	move(&s, 0, PLAYER_BLOCKED);
	move(&s, 0, PLAYER_BLOCKED);
	move(&s, 1, PLAYER_MOVED);
	move(&s, 0, PLAYER_MOVED);
	ck_assert_uint_eq(frames_free_pages(s.f), 5);
	move(&s, 1, PLAYER_MOVED);
	ck_assert_uint_eq(frames_free_pages(s.f), 6);
	ck_assert_uint_eq(frames_thread(s.f, 1)->counts.operations, 1);
	stage_close(&s);
}
END_TEST

START_TEST(the_next_of_the_last_thread_is_the_first)
{
	struct typed typed = { { "t00 s00 r10 g10", "t00 s00 r10 g10" }, 1 };
	struct stage s = stage_of(load_typed(&typed), 3);

	for (unsigned i = 0; i < 3; i++) {
		move(&s, i, PLAYER_MOVED);
		move(&s, i, PLAYER_MOVED);
	}
	move(&s, 0, PLAYER_MOVED);
	ck_assert_ptr_eq(s.p.player[0].slot[1], arena_address(frames_arena(s.f), 2));
	stage_close(&s);
}
END_TEST

START_TEST(an_empty_slot_is_not_freed_and_sent_as_such)
{
	struct typed typed = { { "g00 t00 g00 g00 t00 s00 s00 r10 r20 g10 g20 g10", "" }, 2 };
	struct stage s = stage_of(load_typed(&typed), 1);

	while (player_move(&s.p.player[0]) == PLAYER_MOVED) {}
	ck_assert_uint_eq(s.p.player[0].round, 2);
	ck_assert_uint_eq(frames_counts(s.f).operations, 8);
	stage_close(&s);
}
END_TEST

START_TEST(players_restart_from_anywhere)
{
	struct typed typed = { { "g10 g20 t00 t10 t20 s00 s10 r00 r10 g00 g10 g20", "" }, 1 };
	const struct frames_shape shape = { 1, 8, 1, true };
	struct choice		  pool = pool_by_name("buddy");
	struct stage		  s = stage_of(load_typed(&typed), 1);

	for (unsigned i = 0; i < 12; i++) {
		for (unsigned k = 0; k < i; k++)
			move(&s, 0, PLAYER_MOVED);
		frames_close(s.f);
		s.f = frames_open(&pool, &shape, &e);
		players_restart(&s.p, s.f);
	}
	for (unsigned i = 0; i < 12; i++)
		move(&s, 0, PLAYER_MOVED);
	move(&s, 0, PLAYER_DONE);
	ck_assert_uint_eq(frames_free_pages(s.f), 8);
	stage_close(&s);
}
END_TEST

/* Each thread has a round more than the one before. */
static int
more_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *error)
{
	(void)self;
	(void)shape;
	s->rounds = thread + 1;
	return script_add(s, MOVE_SEND, 0, 0, error) || script_add(s, MOVE_RECEIVE, 0, 0, error);
}

static const struct load more = { .plugin = { .name = "more" }, .write = more_write };

START_TEST(threads_that_do_not_receive_what_is_sent_are_refused)
{
	struct typed typed = { { "t00 s00", "r00 g00 r00 g00" }, 3 };

	refuse(load_typed(&typed),
	    "thread 0 sends 1 pages in each of 3 rounds, the next thread receives 2 in 3");
	refuse((struct instance){ &more.plugin, NULL },
	    "thread 0 sends 1 pages in each of 1 rounds, the next thread receives 1 in 2");
}
END_TEST

/* ---- channels ---- */

static void
channel_of(struct channel *c, size_t room)
{
	*c = (struct channel){ .page = calloc(room, sizeof(void *)), .mask = room - 1 };
}

START_TEST(a_channel_holds_as_many_as_it_has_room_for)
{
	static char    pages[1000];
	struct channel c;
	void	      *page;

	channel_of(&c, 4);
	for (unsigned sent = 0, received = 0; received < 1000;) {
		while (sent < 1000 && channel_send(&c, &pages[sent]))
			sent++;
		ck_assert_uint_eq(sent, received + 4 < 1000 ? received + 4 : 1000);
		for (unsigned i = 0; i <= received % 4 && received < sent; i++, received++) {
			ck_assert(channel_receive(&c, &page));
			ck_assert_ptr_eq(page, &pages[received]);
		}
	}
	ck_assert(!channel_receive(&c, &page));
	free(c.page);
}
END_TEST

enum { SENT = 300000 };
static char numbers[SENT];

static void *
send_all(void *channel)
{
	for (size_t i = 0; i < SENT; i++)
		while (!channel_send(channel, &numbers[i]))
			sched_yield();
	return NULL;
}

START_TEST(two_threads_pass_everything_in_order)
{
	struct channel c;
	pthread_t      sender;
	void	      *page;

	channel_of(&c, 16);
	ck_assert_int_eq(pthread_create(&sender, NULL, send_all, &c), 0);
	for (size_t i = 0; i < SENT; i++) {
		while (!channel_receive(&c, &page))
			sched_yield();
		REQUIRE(page == &numbers[i], "number %zu", i);
	}
	pthread_join(sender, NULL);
	free(c.page);
}
END_TEST

/* ---- no circle of waiting threads ---- */

enum { SENDS = 7, THREADS = 5 };

/* SENDS sends and receives in any order in which never more is received than sent. */
static int
tangled_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *error)
{
	uint64_t *state = self;
	unsigned  sent = 0, received = 0;

	(void)thread;
	(void)shape;
	s->rounds = 20;
	while (received < SENDS) {
		bool sends = sent < SENDS && (sent == received || random_below(state, 2));

		if (script_add(s, sends ? MOVE_SEND : MOVE_RECEIVE, sends ? 0 : 1, 0, error))
			return -1;
		sent += sends;
		received += !sends;
	}
	return 0;
}

static const struct load tangled = { .plugin = { .name = "tangled" }, .write = tangled_write };

/* Each thread in turn, by chance, goes on for some moves or until it has to wait. */
static void
play_by_chance(struct stage *s, uint64_t *state)
{
	unsigned done = 0, in_vain = 0;

	while (done < THREADS) {
		struct player *p = &s->p.player[random_below(state, THREADS)];
		uint32_t       moves = 1 + random_below(state, 200);

		in_vain++;
		while (moves-- && player_move(p) == PLAYER_MOVED)
			in_vain = 0;
		REQUIRE(in_vain < 1000, "all wait");
		done = 0;
		for (unsigned i = 0; i < THREADS; i++)
			done += s->p.player[i].round == 20;
	}
}

START_TEST(threads_never_wait_for_each_other_in_a_circle)
{
	uint64_t state = 1;

	for (unsigned i = 0; i < 300; i++) {
		struct stage s = stage_of((struct instance){ &tangled.plugin, &state }, THREADS);

		play_by_chance(&s, &state);
		stage_close(&s);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("player");

	tcase_add_test(tc, moves_come_in_their_order_round_after_round);
	tcase_add_test(tc, a_thread_without_moves_is_done);
	tcase_add_test(tc, a_request_that_fails_leaves_nothing_to_free_or_to_send);
	tcase_add_test(tc, a_thread_waits_for_a_page_and_for_room);
	tcase_add_test(tc, the_next_of_the_last_thread_is_the_first);
	tcase_add_test(tc, an_empty_slot_is_not_freed_and_sent_as_such);
	tcase_add_test(tc, players_restart_from_anywhere);
	tcase_add_test(tc, threads_that_do_not_receive_what_is_sent_are_refused);
	tcase_add_test(tc, a_channel_holds_as_many_as_it_has_room_for);
	tcase_add_test(tc, two_threads_pass_everything_in_order);
	tcase_add_test(tc, threads_never_wait_for_each_other_in_a_circle);
	return run_tests("player", tc);
}
