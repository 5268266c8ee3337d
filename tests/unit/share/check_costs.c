/* check_costs.c - faults by object and page, who shares them, and what led to one fault. */
#include "sim/studies/share/model/costs.h"
#include "sim/studies/share/model/history.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"

/* Objects 1 and 2 on a page, 3 behind them and onto the next; P1 writes 2 and the end of 3. */
static const char two_counters[] =
    HEAD "P 0\nA 1 16\nA 2 16\nA 3 5000\nC\nW 1 0 3 0\nP 1\nW 2 0 3 0\nW 3 600 2 1\n";

static const char *const allocators[] = { "sequential", "size", "pp", "ff", "ss" };
enum { ALLOCATORS = sizeof(allocators) / sizeof(*allocators) };

static struct costs costs;

static void
count(const struct program *p, const char *allocator, uint32_t page_bytes, struct outcome_of_run *o)
{
	const struct way      w = { .allocator = allocator, .page_bytes = page_bytes };
	struct share_observer observer;
	struct error	      e;

	ck_assert_int_eq(costs_init(&costs, p, page_bytes, &e), 0);
	observer = costs_observer(&costs);
	ck_assert_msg(!run_program(o, p, &w, &observer, &e), "%s", e.text);
}

START_TEST(faults_belong_to_objects_and_pages)
{
	struct program	      p = program_of(two_counters);
	struct outcome_of_run o;

	count(&p, "sequential", 4096, &o);
	ck_assert_uint_eq(costs.faults, o.cold + o.true_ + o.false_);
	ck_assert_uint_eq(costs.object[1].faults[FAULT_COLD], 1);
	ck_assert_uint_eq(costs.object[1].faults[FAULT_FALSE], 2);
	ck_assert_uint_eq(costs.object[2].faults[FAULT_FALSE], 2);
	ck_assert_uint_eq(costs.object[3].faults[FAULT_FALSE], 0);
	ck_assert_uint_eq(costs.page[0].faults[FAULT_FALSE], 4);
	ck_assert_uint_eq(costs.object[1].written_by, 1);
	ck_assert_uint_eq(costs.object[2].written_by, 2);
	ck_assert_uint_eq(costs.object[2].read_by, 0);
	ck_assert_uint_eq(costs.page[0].written_by, 3);
	ck_assert_uint_eq(costs.page[0].objects, 3);
	ck_assert_uint_eq(costs.page[1].objects, 1);
	ck_assert(costs_on_page(&costs, 1, 0));
	ck_assert(!costs_on_page(&costs, 1, 1));
	ck_assert(costs_on_page(&costs, 3, 0));
	ck_assert(costs_on_page(&costs, 3, 1));
	ck_assert_uint_eq(costs_worst_page(&costs, 3), 0);
	ck_assert_uint_eq(costs.object[1].sample, 4); /* P1 is first after C */
	costs_release(&costs);
	program_release(&p);
}
END_TEST

/* ---- random programs ---- */

enum { OBJECTS = 12, EVENTS = 200, TEXT_ROOM = 1 << 14 };

static uint32_t seed;

static uint32_t
draw_of(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static void
random_program(char text[TEXT_ROOM])
{
	uint32_t words[OBJECTS + 1];
	size_t	 n = (size_t)sprintf(text, HEAD "P 0\n");

	for (unsigned i = 1; i <= OBJECTS; i++) {
		words[i] = 1 + draw_of(i % 4 ? 8 : 900);
		n += (size_t)sprintf(text + n, "A %u %u\n", i, 8 + 8 * words[i]);
	}
	n += (size_t)sprintf(text + n, "C\n");
	for (unsigned p = 0; p < 2; p++) {
		if (p)
			n += (size_t)sprintf(text + n, "P 1\n");
		for (unsigned k = 0; k < EVENTS; k++) {
			unsigned i = 1 + draw_of(OBJECTS);

			n += (size_t)sprintf(text + n, "%c %u %u\n", draw_of(3) ? 'R' : 'W', i,
			    draw_of(words[i]));
		}
	}
}

static void
add(struct cost *sum, const struct cost *c)
{
	for (unsigned class = 0; class < FAULT_CLASSES; class ++)
		sum->faults[class] += c->faults[class];
	sum->read_by |= c->read_by;
	sum->written_by |= c->written_by;
}

/* Both sums are the counters of the protocol. */
static void
check_sums(const struct outcome_of_run *o)
{
	struct cost objects = { 0 }, pages = { 0 };

	for (uint32_t i = 1; i <= OBJECTS; i++)
		add(&objects, &costs.object[i]);
	for (uint32_t i = 0; i < costs.npages; i++)
		add(&pages, &costs.page[i]);
	ck_assert_uint_eq(costs.npages, o->pages);
	ck_assert_uint_eq(objects.faults[FAULT_COLD], o->cold);
	ck_assert_uint_eq(objects.faults[FAULT_TRUE], o->true_);
	ck_assert_uint_eq(objects.faults[FAULT_FALSE], o->false_);
	ck_assert_mem_eq(&objects.faults, &pages.faults, sizeof(pages.faults));
	ck_assert_uint_eq(objects.written_by, pages.written_by);
	ck_assert_uint_eq(objects.read_by, pages.read_by);
}

/* How many objects costs_on_page() finds is what was counted while they were placed. */
static void
check_neighbours(void)
{
	for (uint32_t page = 0; page < costs.npages; page++) {
		uint32_t found = 0;

		for (uint32_t i = 1; i <= OBJECTS; i++)
			found += costs_on_page(&costs, i, page);
		ck_assert_uint_eq(found, costs.page[page].objects);
	}
}

/* Ranked as by choosing the worst again and again; a shorter list is the beginning of a longer. */
static void
check_ranks(const struct cost *items, uint32_t n)
{
	uint32_t all[OBJECTS + 1], few[OBJECTS + 1];
	uint32_t any = costs_rank(items, n, all, n), left = 0;

	for (uint32_t i = 0; i < n; i++)
		left += cost_faults(&items[i]) > 0;
	ck_assert_uint_eq(any, left);
	for (uint32_t i = 1; i < any; i++) {
		const struct cost *a = &items[all[i - 1]], *b = &items[all[i]];

		ck_assert_uint_ge(a->faults[FAULT_FALSE], b->faults[FAULT_FALSE]);
		if (a->faults[FAULT_FALSE] == b->faults[FAULT_FALSE])
			ck_assert_uint_ge(cost_faults(a), cost_faults(b));
	}
	for (uint32_t k = 0; k < any; k++) {
		ck_assert_uint_eq(costs_rank(items, n, few, k), any);
		ck_assert_mem_eq(few, all, k * sizeof(*all));
	}
}

START_TEST(random_programs_add_up)
{
	static char text[TEXT_ROOM];

	seed = (uint32_t)_i;
	random_program(text);
	for (unsigned a = 0; a < ALLOCATORS; a++)
		for (uint32_t page = 64; page <= 4096; page *= 8) {
			struct program	      p = program_of(text);
			struct outcome_of_run o;

			count(&p, allocators[a], page, &o);
			check_sums(&o);
			check_neighbours();
			check_ranks(costs.object, OBJECTS + 1);
			costs_release(&costs);
			program_release(&p);
		}
}
END_TEST

/* ---- the history of a fault ---- */

static struct history history;

static void
look_back(const char *text, uint64_t number)
{
	struct program	      p = program_of(text);
	struct way	      w = { 0 };
	struct outcome_of_run o;
	struct share_observer find = history_find(&history, number), keep = history_keep(&history);
	struct error	      e;

	ck_assert_int_eq(run_program(&o, &p, &w, &find, &e), 0);
	if (history.fault.turn)
		ck_assert_int_eq(run_program(&o, &p, &w, &keep, &e), 0);
	program_release(&p);
}

START_TEST(a_false_fault_has_no_write_of_its_word)
{
	look_back(two_counters, 4); /* P0 writes object 1 again */
	ck_assert_int_eq(history.fault.class, FAULT_FALSE);
	ck_assert_uint_eq(history.fault.processor, 0);
	ck_assert_uint_eq(history.used.word, 0);
	ck_assert_uint_eq(history.lost.word, 1);
	ck_assert_uint_eq(history.lost.processor, 1);
	ck_assert_uint_eq(history.writes, 1);
	ck_assert_uint_eq(history.written_by, 2);
	ck_assert_uint_eq(history.written.turn, 0);
	ck_assert_uint_eq(history.npast, 3);
	ck_assert(history.past[0].fault && history.past[0].class == FAULT_COLD);
}
END_TEST

START_TEST(a_true_fault_has_one)
{
	look_back(HEAD "P 0\nA 1 16\nC\nW 1 0 3 0\nP 1\nR 1 0 3 0\n", 4);
	ck_assert_int_eq(history.fault.class, FAULT_TRUE);
	ck_assert_uint_eq(history.written.processor, 0);
	ck_assert_uint_ge(history.written.turn, history.lost.turn);
}
END_TEST

START_TEST(only_the_last_references_are_kept)
{
	/* P0 alone references 300 words, then P1 writes one of them and P0 reads it. */
	look_back(HEAD "P 0\nA 1 4000\nC\nW 1 0 300 1\nB 1\nB 2\nR 1 7\nP 1\nB 1\nW 1 7\nB 2\n",
	    303);
	ck_assert_uint_eq(history.fault.turn, 0);
	ck_assert_uint_eq(history.faults, 3);
	look_back(HEAD "P 0\nA 1 4000\nC\nW 1 0 300 1\nB 1\nB 2\nR 1 7\nP 1\nB 1\nW 1 7\nB 2\n", 3);
	ck_assert_uint_eq(history.npast, 301);
	ck_assert_uint_eq(history.past[300 % HISTORY_MAX].processor, 1);
	ck_assert_uint_eq(history.past[299 % HISTORY_MAX].word, 299);
}
END_TEST

START_TEST(the_same_reference_again_is_counted)
{
	look_back(HEAD "P 0\nA 1 24\nC\nW 1 0 5 0\nB 1\nB 2\nR 1 0\nP 1\nB 1\nW 1 1\nB 2\n", 3);
	ck_assert_uint_eq(history.npast, 2);
	ck_assert_uint_eq(history.past[0].times, 5);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("costs");

	tcase_add_test(tc, faults_belong_to_objects_and_pages);
	tcase_add_loop_test(tc, random_programs_add_up, 0, 10);
	tcase_add_test(tc, a_false_fault_has_no_write_of_its_word);
	tcase_add_test(tc, a_true_fault_has_one);
	tcase_add_test(tc, only_the_last_references_are_kept);
	tcase_add_test(tc, the_same_reference_again_is_counted);
	return run_tests("costs", tc);
}
