/* check_hlrc.c - known counts and times of the protocol hlrc, on programs made by hand. */
#include "sim/studies/share/model/registry.h"
#include "tests/unit/sharing.h"

#define HEAD4 "# program t, processors 4, problem p, words of 8 bytes\n"
#define HEAD3 "# program t, processors 3, problem p, words of 8 bytes\n"
#define HEAD2 "# program t, processors 2, problem p, words of 8 bytes\n"

struct counts {
	uint64_t faults, fetches, twins, diffs, diff_bytes, messages, write_notices;
};

#define COSTS                                                                                      \
	"kdsm2003:reference=1,fault=10,protect=5,send=100,latency=20,interrupt=30,byte=2000,"      \
	"copy=3000,diff=4000,apply=1000,spin=6,lock=7,barrier=11,manager=13"
enum { PAGE = 4096, SERVE_PAGE = 30 + 3 * PAGE + 100 };
enum { FETCH = 100 + 20 + SERVE_PAGE + 2 * PAGE + 20 + 30 + 3 * PAGE };

static struct share_result
run_as(const char *text, const char *protocol, const char *allocator, struct share_config c)
{
	struct program	    p = program_of(text);
	struct share_result r;
	struct error	    e;

	c.page_bytes = PAGE;
	ck_assert_msg(!registry_choose(PLUGIN_PROTOCOL, protocol, &c.protocol, &e), "%s", e.text);
	ck_assert_msg(!registry_choose(PLUGIN_COSTS, COSTS, &c.costs, &e), "%s", e.text);
	ck_assert(!registry_choose(PLUGIN_ALLOCATOR, allocator, &c.allocator, &e));
	ck_assert_msg(!share_run(&r, &c, &p, &e), "%s", e.text);
	choice_release(&c.protocol);
	choice_release(&c.allocator);
	choice_release(&c.costs);
	program_release(&p);
	return r;
}

static struct share_result
run_hlrc(const char *text, const char *protocol, const char *allocator, unsigned nodes)
{
	return run_as(text, protocol, allocator, (struct share_config){ .nodes = nodes });
}

/* The clocks of a run whose events come in the order of time. */
static struct clocks
run_in_time(const char *text, const char *protocol, unsigned nodes)
{
	struct share_result r = run_as(text, protocol, "sequential",
	    (struct share_config){ .nodes = nodes, .in_time = true });
	struct clocks	    t = r.clocks;

	share_release(&r);
	return t;
}

static struct counts
counts_of(const char *text, const char *protocol, const char *allocator, unsigned nodes)
{
	struct share_result r = run_hlrc(text, protocol, allocator, nodes);
	struct counts	    n = { counted(&r.protocol, "faults"), counted(&r.protocol, "fetches"),
		      counted(&r.protocol, "twins"), counted(&r.protocol, "diffs"),
		      counted(&r.protocol, "diff_bytes"), counted(&r.protocol, "messages"),
		      counted(&r.protocol, "write_notices") };

	share_release(&r);
	return n;
}

static void
expect(const char *text, const char *protocol, unsigned nodes, struct counts want)
{
	struct counts n = counts_of(text, protocol, "sequential", nodes);

	ck_assert_uint_eq(n.faults, want.faults);
	ck_assert_uint_eq(n.fetches, want.fetches);
	ck_assert_uint_eq(n.twins, want.twins);
	ck_assert_uint_eq(n.diffs, want.diffs);
	ck_assert_uint_eq(n.diff_bytes, want.diff_bytes);
	ck_assert_uint_eq(n.messages, want.messages);
	ck_assert_uint_eq(n.write_notices, want.write_notices);
}

/* ---- processes and nodes ---- */

START_TEST(a_neighbour_that_has_fetched_a_page_saves_the_fetch)
{
	const char *text =
	    HEAD4 "P 0\nA 1 16\nC\nW 1 0\nB 1\nP 1\nB 1\nR 1 0\nP 2\nB 1\nR 1 0\nP 3\nB 1\nR 1 0\n";

	/* Messages of 3 fetches and a barrier of 4; of 1 fetch and a barrier of 2. */
	expect(text, "hlrc", 2, (struct counts){ 3, 3, 0, 0, 0, 12, 1 });
	expect(text, "hlrc:per=node", 2, (struct counts){ 2, 1, 0, 0, 0, 4, 1 });
}
END_TEST

START_TEST(one_node_needs_no_messages)
{
	const char *text = HEAD2 "P 0\nA 1 16\nC\nL 1\nW 1 0\nU 1\nS 1\nB 1\nR 1 0\nB 1\nJ\n"
				 "P 1\nV 1\nL 1\nW 1 0\nU 1\nB 1\nB 1\n";

	expect(text, "hlrc:per=node", 1, (struct counts){ 0, 0, 0, 0, 0, 0, 2 });
	/* A write that fetches, its diff, a lock, a flag, two barriers. */
	expect(text, "hlrc", 1, (struct counts){ 1, 1, 1, 1, 8, 2 + 1 + 3 + 1 + 4, 2 });
}
END_TEST

START_TEST(three_processors_on_two_nodes_are_in_blocks)
{
	/* 0 and 1 are neighbours. */
	expect(HEAD3 "P 0\nA 1 16\nC\nR 1 0\nB 1\nP 1\nB 1\nR 1 0\nP 2\nB 1\n", "hlrc:per=node", 2,
	    (struct counts){ .messages = 2 });
	expect(HEAD3 "P 0\nA 1 16\nC\nR 1 0\nB 1\nP 1\nB 1\nP 2\nB 1\nR 1 0\n", "hlrc:per=node", 2,
	    (struct counts){ .faults = 1, .fetches = 1, .messages = 4 });
}
END_TEST

START_TEST(more_nodes_than_processors_are_one_for_each)
{
	expect(HEAD2 "P 0\nA 1 16\nC\nW 1 0\nB 1\nP 1\nB 1\nR 1 0\n", "hlrc:per=node", 8,
	    (struct counts){ 1, 1, 0, 0, 0, 4, 1 });
}
END_TEST

/* ---- intervals ---- */

START_TEST(a_write_to_an_invalid_page_is_one_fault_and_each_interval_has_a_twin)
{
	/* 1 fetches and makes a twin; in the next interval it still has the page, read-only. */
	expect(HEAD2
	    "P 0\nA 1 24\nC\nW 1 0\nB 1\nB 1\nB 1\nP 1\nB 1\nW 1 1\nB 1\nR 1 1\nW 1 1\nB 1\n",
	    "hlrc", 2, (struct counts){ 2, 1, 2, 2, 16, 2 + 2 + 6, 3 });
}
END_TEST

START_TEST(a_diff_has_each_word_once)
{
	expect(HEAD2 "P 0\nA 1 800\nC\nR 1 0\nB 1\nB 1\nP 1\nB 1\n( 3\nW 1 70 1\nW 1 5 0\n)\nB 1\n",
	    "hlrc", 2, (struct counts){ 1, 1, 1, 1, 32, 2 + 1 + 4, 1 });
}
END_TEST

START_TEST(two_processes_may_write_one_word_and_each_sends_it)
{
	expect(HEAD3
	    "P 0\nA 1 16\nC\nR 1 0\nB 1\nB 1\nP 1\nB 1\nW 1 0 4 0\nB 1\nP 2\nB 1\nW 1 0 4 0\nB 1\n",
	    "hlrc", 3, (struct counts){ 2, 2, 2, 2, 16, 4 + 2 + 8, 2 });
}
END_TEST

START_TEST(the_last_interval_does_not_end)
{
	expect(HEAD2 "P 0\nA 1 16\nC\nR 1 0\nB 1\nP 1\nB 1\nW 1 0\n", "hlrc", 2,
	    (struct counts){ 1, 1, 1, 0, 0, 4, 0 });
}
END_TEST

START_TEST(what_a_neighbour_has_written_goes_with_the_first_diff)
{
	/* 2 and 3 write a page; whose interval ends first sends all, the other nothing. */
	const char *text = HEAD4 "P 0\nA 1 24\nC\nR 1 0\nB 1\nB 1\nP 1\nB 1\nB 1\n"
				 "P 2\nB 1\nW 1 0\nR 1 0\nB 1\nP 3\nB 1\nW 1 1\nR 1 1\nB 1\n";

	expect(text, "hlrc:per=node", 2, (struct counts){ 2, 1, 1, 1, 16, 2 + 1 + 4, 2 });
	/* With what 3 writes then, it goes on in the same twin without a fault. */
	expect(HEAD4 "P 0\nA 1 24\nC\nR 1 0\nB 1\nB 1\nP 1\nB 1\nB 1\n"
		     "P 2\nB 1\nW 1 0\nR 1 0\nB 1\nP 3\nB 1\nW 1 1\nR 1 1 6 0\nW 1 1\nB 1\n",
	    "hlrc:per=node", 2, (struct counts){ 2, 1, 1, 2, 24, 2 + 2 + 4, 2 });
}
END_TEST

/* ---- locks and flags ---- */

START_TEST(a_lock_from_elsewhere_is_three_messages)
{
	/* The first acquisition, and those from oneself or a neighbour, are none. */
	const char *text = HEAD4 "P 0\nA 1 16\nC\nL 1\nU 1\nL 1\nU 1\nP 1\nR 1 0 9 0\nL 1\nU 1\n"
				 "P 2\nR 1 0 19 0\nL 1\nU 1\n";

	/* 1 has the home; 2 fetches. */
	ck_assert_uint_eq(counts_of(text, "hlrc", "sequential", 2).messages, 2 * 3 + 2);
	ck_assert_uint_eq(counts_of(text, "hlrc:per=node", "sequential", 2).messages, 3 + 2);
}
END_TEST

START_TEST(a_flag_is_a_message_when_the_wait_ends)
{
	/* The second post is not waited for. */
	expect(HEAD2 "P 0\nA 1 16\nC\nW 1 0\nS 1\nW 1 0\nS 1\nP 1\nV 1\nR 1 0\n", "hlrc", 2,
	    (struct counts){ 1, 1, 0, 0, 0, 3, 2 });
}
END_TEST

/* Object 1 has its home at 0 or its node; 2 to 5 are pages of one processor each, to pass turns. */
#define FIVE_PAGES "P 0\nA 1 4096\nA 2 4096\nA 3 4096\nA 4 4096\nA 5 4096\nC\n"

START_TEST(an_acquire_flushes_the_dirty_pages_that_it_invalidates_and_no_others)
{
	/* 2 has written words of objects 1 and 3 when it acquires what 1 wrote on object 1. */
	expect(HEAD3 FIVE_PAGES
	    "R 1 0\nR 3 9\nR 2 0 30 0\nB 1\n"
	    "P 1\nR 4 9\nR 4 9\nR 4 9\nL 1\nW 1 0\nU 1\nR 4 9 20 0\nB 1\n"
	    "P 2\nR 5 9\nR 5 9\nR 5 9\nW 1 1\nW 3 1\nR 5 9 8 0\nL 1\nW 3 1\nU 1\nR 5 9 5 0\nB 1\n",
	    "hlrc", 3,
	    (struct counts){ .faults = 3,
		.fetches = 3,
		.twins = 3,
		.diffs = 3,
		.diff_bytes = 24,
		.messages = 6 + 3 + 3 + 4,
		.write_notices = 3 });
}
END_TEST

START_TEST(a_page_flushed_at_an_acquire_and_written_again_is_one_notice)
{
	expect(HEAD3 FIVE_PAGES
	    "R 1 0\nR 3 9\nR 2 0 30 0\nB 1\n"
	    "P 1\nR 4 9\nR 4 9\nR 4 9\nL 1\nW 1 0\nU 1\nR 4 9 20 0\nB 1\n"
	    "P 2\nR 5 9\nR 5 9\nR 5 9\nW 1 1\nW 3 1\nR 5 9 8 0\nL 1\nW 1 1\nU 1\nR 5 9 5 0\nB 1\n",
	    "hlrc", 3,
	    (struct counts){ .faults = 4,
		.fetches = 4,
		.twins = 4,
		.diffs = 4,
		.diff_bytes = 32,
		.messages = 8 + 4 + 3 + 4,
		.write_notices = 3 });
}
END_TEST

START_TEST(a_lock_invalidates_only_the_mapping_of_its_acquirer)
{
	/* 2 and 3 have the page; 0 writes it; 2 acquires, and 3 still reads without a fault. */
	const char *begin = HEAD4 FIVE_PAGES
	    "R 1 0\nR 2 0 9 0\nL 1\nW 1 0\nU 1\nP 2\nR 4 9\nR 1 0\nR 4 9 18 0\nL 1\n"
	    "U 1\nR 4 9\n";
	char text[1000];

	sprintf(text, "%sP 3\nR 5 9\nR 1 0 30 0\n", begin);
	expect(text, "hlrc:per=node", 2, (struct counts){ 2, 1, 0, 0, 0, 2 + 3, 1 });

	/* 2 fetches it; 3 acquires the same, has a page that holds it, and keeps its mapping. */
	sprintf(text, "%sR 1 0\nP 3\nR 5 9\nR 1 0 40 0\nL 1\nU 1\nR 1 0\n", begin);
	expect(text, "hlrc:per=node", 2, (struct counts){ 3, 2, 0, 0, 0, 4 + 3, 1 });

	/* 3 writes on its mapping without a fetch. */
	sprintf(text, "%sP 3\nR 5 9\nR 1 0\nR 5 9 24 0\nW 1 1\nR 5 9 30 0\nS 1\n", begin);
	expect(text, "hlrc:per=node", 2, (struct counts){ 3, 1, 1, 1, 8, 2 + 3 + 1, 2 });
}
END_TEST

START_TEST(a_page_that_holds_what_a_notice_says_stays_mapped)
{
	/*
	 * 0 writes the page under lock 1, then under lock 2.  2 and 3 fetch it between the two.  2
	 * acquires lock 2; 3 acquires lock 1, which is older than the page, although its neighbour
	 * requires a newer one.
	 */
	expect(HEAD4 FIVE_PAGES "L 1\nW 1 0\nU 1\nR 2 0 12 0\nL 2\nW 1 0\nU 2\n"
				"P 2\nR 4 9 8 0\nR 1 0\nR 4 9 20 0\nL 2\nU 2\n"
				"P 3\nR 5 9 9 0\nR 1 0\nR 5 9 30 0\nL 1\nU 1\nR 1 0\n",
	    "hlrc:per=node", 2, (struct counts){ 2, 1, 0, 0, 0, 2 + 3 + 3, 2 });
}
END_TEST

START_TEST(notices_of_a_neighbour_invalidate_nothing)
{
	/* 2 writes the page, away from its home, and 3 acquires. */
	const char *text = HEAD4 FIVE_PAGES "R 1 0\nP 2\nR 4 9 5 0\nL 1\nW 1 0\nU 1\n"
					    "P 3\nR 5 9 3 0\nR 1 0\nR 5 9 20 0\nL 1\nU 1\nR 1 0\n";

	expect(text, "hlrc:per=node", 2, (struct counts){ 2, 1, 1, 1, 8, 2 + 1, 1 });
}
END_TEST

/* ---- homes ---- */

START_TEST(homes_are_where_the_rule_says)
{
	/* Four pages; each processor reads one, which is its own in blocks of 1. */
	const char *text =
	    HEAD4 "P 0\nA 1 16384\nC\nR 1 0\nP 1\nR 1 600\nP 2\nR 1 1100\nP 3\nR 1 1600\n";
	/* 8 pages: processor 1 has pages 2 and 3 of blocks, and 1 and 5 in turn. */
	const char *eight = HEAD4 "P 0\nA 1 32768\nC\nP 1\nR 1 600\nR 1 1100\nR 1 1600\nR 1 2600\n";

	ck_assert_uint_eq(counts_of(text, "hlrc:home=block", "sequential", 4).faults, 0);
	ck_assert_uint_eq(counts_of(text, "hlrc:home=roundrobin", "sequential", 4).faults, 0);
	ck_assert_uint_eq(counts_of(eight, "hlrc", "sequential", 4).faults, 0);
	ck_assert_uint_eq(counts_of(eight, "hlrc:home=block", "sequential", 4).faults, 2);
	ck_assert_uint_eq(counts_of(eight, "hlrc:home=roundrobin", "sequential", 4).faults, 2);
	/* With nodes {0, 1} and {2, 3}: pages 0 to 3; 0, 1, 4 and 5. */
	ck_assert_uint_eq(counts_of(eight, "hlrc:per=node,home=block", "sequential", 2).faults, 1);
	ck_assert_uint_eq(counts_of(eight, "hlrc:per=node,home=roundrobin", "sequential", 2).faults,
	    2);
}
END_TEST

START_TEST(blocks_are_of_the_pages_at_the_end)
{
	/* ff begins a page at each reference: pages 0 and 1 of 4 are in the first block. */
	const char *text = HEAD2 "P 0\nA 1 4096\nA 2 4096\nA 3 4096\nA 4 4096\nC\n"
				 "R 1 0\nR 2 0\nR 3 0\nR 4 0\n";

	ck_assert_uint_eq(counts_of(text, "hlrc:home=block", "ff", 2).faults, 2);
}
END_TEST

START_TEST(nothing_counts_before_create_and_after_join)
{
	/* The first reference after create makes the home, although 0 has written before. */
	expect(HEAD2 "P 0\nA 1 16\nA 2 5000\nW 1 0\nL 1\nW 2 600\nU 1\nC\nJ\nR 1 0\nW 2 600\n"
		     "P 1\nR 1 0\nW 1 0\nL 1\nU 1\n",
	    "hlrc", 2, (struct counts){ .messages = 3, .write_notices = 1 });
}
END_TEST

/* ---- time ---- */

START_TEST(each_part_costs_what_is_set)
{
	struct share_result r = run_hlrc(HEAD2
	    "P 0\nA 1 16\nC\nL 1\nW 1 0\nU 1\nB 1\nB 1\nP 1\nB 1\nL 1\nW 1 0\nU 1\nB 1\n",
	    "hlrc", "sequential", 2);
	const uint64_t	   *part = r.clocks.part_ns[1], *of_home = r.clocks.part_ns[0];

	ck_assert_uint_eq(part[TIME_COMPUTE], 1);
	ck_assert_uint_eq(part[TIME_FAULT], 10 + 5);
	ck_assert_uint_eq(part[TIME_FETCH], FETCH);
	ck_assert_uint_eq(part[TIME_DIFF], 3 * PAGE + 4 * PAGE + 100);
	/* To the manager, which had the lock last, and back; and the records. */
	ck_assert_uint_eq(part[TIME_LOCK], 100 + 20 + (30 + 7 + 100) + 20 + 30 + 7);
	ck_assert_uint_eq(part[TIME_LOCAL], 0);
	ck_assert_uint_eq(of_home[TIME_FAULT], 10 + 5);
	ck_assert_uint_eq(of_home[TIME_LOCK], 7);
	ck_assert_uint_eq(of_home[TIME_COMPUTE], 1);
	/* A page, a diff of 8 bytes, the lock, and a message of each barrier. */
	ck_assert_uint_eq(of_home[TIME_SERVE],
	    SERVE_PAGE + (30 + 8) + (30 + 7 + 100) + 2 * (30 + 13));
	share_release(&r);
}
END_TEST

START_TEST(a_home_serves_one_after_the_other)
{
	/* Two pages of 0; the network has room for both. */
	struct clocks t = run_in_time(HEAD3 "P 0\nA 1 8184\nC\nR 1 0\nR 1 600\nB 1\n"
					    "P 1\nB 1\nR 1 0\nP 2\nB 1\nR 1 600\n",
	    "hlrc", 3);
	uint64_t      first = t.part_ns[1][TIME_FETCH], second = t.part_ns[2][TIME_FETCH];

	ck_assert_uint_eq(first, FETCH);
	/* 2 leaves the barrier when the manager has sent a second message. */
	ck_assert_uint_eq(second, FETCH + SERVE_PAGE - (100 + 13));
}
END_TEST

START_TEST(a_page_on_its_way_is_waited_for_by_a_neighbour)
{
	struct clocks t =
	    run_in_time(HEAD4 "P 0\nA 1 16\nC\nR 1 0\nB 1\nP 1\nB 1\nP 2\nB 1\nR 1 0\n"
			      "P 3\nB 1\nR 1 0\n",
		"hlrc:per=node", 2);

	ck_assert_uint_eq(t.part_ns[2][TIME_FETCH], FETCH);
	/* Both fault at once; 3 has the lock of the node 6 ns later, and waits so much less. */
	ck_assert_uint_eq(t.part_ns[3][TIME_FETCH], FETCH - 6);
}
END_TEST

START_TEST(the_others_go_on_during_a_fault)
{
	/* By turns 1 comes to the lock first; by time it waits for its page, and 2 has been there. */
	const char	   *text = HEAD3 "P 0\nA 1 8184\nC\nR 1 0\nB 1\nP 1\nB 1\nR 1 0\nL 1\nU 1\n"
					 "P 2\nW 1 600\nB 1\n( 9\nR 1 600 0\n)\nL 1\nU 1\n";
	struct share_result turns = run_hlrc(text, "hlrc", "sequential", 3);
	struct clocks	    time = run_in_time(text, "hlrc", 3);

	ck_assert_uint_eq(turns.clocks.part_ns[1][TIME_LOCK], 7);
	ck_assert_uint_eq(time.part_ns[2][TIME_LOCK], 7);
	ck_assert_uint_gt(time.part_ns[1][TIME_LOCK], 7);
	share_release(&turns);
}
END_TEST

START_TEST(processes_share_a_processor)
{
	/* Four processes on two processors: 2 and 3 are one team, and come to the barrier as one. */
	const char *text =
	    HEAD4 "P 0\nA 1 16\nC\nW 1 0\nB 1\nP 1\nB 1\nR 1 0\nP 2\nB 1\nR 1 0\nP 3\nB 1\nR 1 0\n";
	struct share_result r = run_as(text, "hlrc", "sequential",
	    (struct share_config){ .nodes = 2, .processors = 2, .in_time = true });

	ck_assert_uint_eq(r.clocks.processors, 2);
	ck_assert_uint_eq(r.clocks.part_ns[1][TIME_COMPUTE], 2);
	ck_assert_uint_eq(counted(&r.protocol, "faults"), 1);
	ck_assert_uint_eq(counted(&r.protocol, "fetches"), 1);
	ck_assert_uint_eq(counted(&r.protocol, "messages"), 2 + 2);
	share_release(&r);
}
END_TEST

START_TEST(the_table_of_notices_is_used_again)
{
	/* Two pages an interval; after each barrier all have seen them. */
	struct share_result r = run_hlrc(HEAD2
	    "P 0\nA 1 8184\nC\nW 1 0\nW 1 600\nB 1\nW 1 0\nW 1 600\nB 1\nW 1 0\nB 1\n"
	    "P 1\nB 1\nB 1\nB 1\n",
	    "hlrc", "sequential", 2);

	ck_assert_uint_eq(counted(&r.protocol, "write_notices"), 5);
	ck_assert_uint_eq(counted(&r.protocol, "intervals"), 6);
	ck_assert_uint_eq(counted(&r.protocol, "table_intervals"), 1);
	ck_assert_uint_eq(counted(&r.protocol, "table_bytes"), 2 * 4);
	ck_assert_uint_eq(counted(&r.protocol, "home_faults"), 5);
	share_release(&r);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("hlrc");

	tcase_add_test(tc, a_neighbour_that_has_fetched_a_page_saves_the_fetch);
	tcase_add_test(tc, one_node_needs_no_messages);
	tcase_add_test(tc, three_processors_on_two_nodes_are_in_blocks);
	tcase_add_test(tc, more_nodes_than_processors_are_one_for_each);
	tcase_add_test(tc, a_write_to_an_invalid_page_is_one_fault_and_each_interval_has_a_twin);
	tcase_add_test(tc, a_diff_has_each_word_once);
	tcase_add_test(tc, two_processes_may_write_one_word_and_each_sends_it);
	tcase_add_test(tc, the_last_interval_does_not_end);
	tcase_add_test(tc, what_a_neighbour_has_written_goes_with_the_first_diff);
	tcase_add_test(tc, a_lock_from_elsewhere_is_three_messages);
	tcase_add_test(tc, a_flag_is_a_message_when_the_wait_ends);
	tcase_add_test(tc, an_acquire_flushes_the_dirty_pages_that_it_invalidates_and_no_others);
	tcase_add_test(tc, a_page_flushed_at_an_acquire_and_written_again_is_one_notice);
	tcase_add_test(tc, a_lock_invalidates_only_the_mapping_of_its_acquirer);
	tcase_add_test(tc, a_page_that_holds_what_a_notice_says_stays_mapped);
	tcase_add_test(tc, notices_of_a_neighbour_invalidate_nothing);
	tcase_add_test(tc, homes_are_where_the_rule_says);
	tcase_add_test(tc, blocks_are_of_the_pages_at_the_end);
	tcase_add_test(tc, nothing_counts_before_create_and_after_join);
	tcase_add_test(tc, each_part_costs_what_is_set);
	tcase_add_test(tc, a_home_serves_one_after_the_other);
	tcase_add_test(tc, a_page_on_its_way_is_waited_for_by_a_neighbour);
	tcase_add_test(tc, the_others_go_on_during_a_fault);
	tcase_add_test(tc, processes_share_a_processor);
	tcase_add_test(tc, the_table_of_notices_is_used_again);
	return run_tests("hlrc", tc);
}
