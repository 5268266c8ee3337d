/*
 * check_placing.c - pages of known requests, and what allocator.h promises of
 * every allocator that is registered, with every word of its parameters.
 *
 * The requests are those of the SPLASH-2 programs in table 2 of Han and Cho, with 32 processors.
 */
#include "tests/unit/sharing.h"

enum { RUNS_MAX = 24, TEXT_ROOM = 40000, PAGE = 4096 };

struct requests {
	unsigned bytes, count;
};

struct table {
	unsigned	sequential, size; /* pages */
	struct requests run[RUNS_MAX];
};

static const struct table	 cholesky = { 5311, 5316,
	       { { 24, 1 }, { 80, 33 }, { 160, 1 }, { 672, 1 }, { 8272, 32 }, { 262160, 76 },
		   { 357640, 1 }, { 487072, 1 }, { 715272, 1 } } };
static const struct table	 fft = { 12392, 12395,
	       { { 48, 1 }, { 136, 2 }, { 16392, 1 }, { 16912392, 3 } } };
static const struct table	 lu = { 547, 551,
	       { { 136, 1 }, { 69640, 32 }, { 264, 5 }, { 4104, 2 }, { 64, 1 } } };
static const struct table	 ocean = { 5892, 5901,
	       { { 32, 1 }, { 40, 1 }, { 248, 1 }, { 164216, 1 }, { 532520, 2 }, { 534584, 1 },
		   { 1065032, 2 }, { 1065040, 1 }, { 1597544, 2 }, { 2130056, 3 }, { 9585368, 1 } } };
static const struct table	 radix = { 1185, 1190,
	       { { 2361032, 1 }, { 1048584, 2 }, { 144, 2 }, { 264, 3 }, { 131208, 1 }, { 8200, 32 } } };
static const struct table	 water = { 87, 91,
	       { { 136, 1 }, { 32, 32 }, { 136, 1 }, { 24, 2 }, { 40, 4 }, { 24, 1 }, { 40, 4 }, { 24, 1 },
		   { 40, 4 }, { 24, 1 }, { 40, 4 }, { 184, 1 }, { 688, 512 }, { 24, 64 } } };
static const struct table *const tables[] = { &cholesky, &fft, &lu, &ocean, &radix, &water };

/* The requests of processor 0, and nothing else. */
static void
write_requests(char text[TEXT_ROOM], const struct table *t)
{
	int n = sprintf(text, "# program t, processors 32, problem p, words of 8 bytes\nP 0\n");
	unsigned object = 0;

	for (const struct requests *r = t->run; r->count; r++)
		for (unsigned i = 0; i < r->count; i++)
			n += sprintf(text + n, "A %u %u\n", ++object, r->bytes);
	ck_assert_int_lt(n, TEXT_ROOM);
}

static uint32_t
pages_of(const struct table *t, const char *allocator)
{
	static char text[TEXT_ROOM];

	write_requests(text, t);
	return run_of(text, &(struct way){ .allocator = allocator }).pages;
}

START_TEST(pages_of_the_paper)
{
	const struct table *t = tables[_i];

	ck_assert_uint_eq(pages_of(t, "sequential"), t->sequential);
	ck_assert_uint_eq(pages_of(t, "size"), t->size);
	ck_assert_uint_eq(pages_of(t, "ff"), 0);
}
END_TEST

START_TEST(pp_of_water_when_no_small_object_straddles)
{
	ck_assert_uint_eq(pages_of(&water, "pp:spanning=min"), 128);
}
END_TEST

/* ---- one by one ---- */

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"

START_TEST(spanning_min_and_fit_differ_for_an_object_that_needs_two_pages)
{
	/* 3000 + 6000 bytes touch three pages; the second object needs two. */
	const char *small = HEAD "P 0\nA 1 3000\nA 2 6000\n";
	/* 1000 + 6000: two pages either way. */
	const char *large = HEAD "P 0\nA 1 1000\nA 2 6000\n";

	ck_assert_uint_eq(run_of(small, &(struct way){ .allocator = "sequential" }).pages, 3);
	ck_assert_uint_eq(run_of(large, &(struct way){ .allocator = "sequential:spanning=min" })
			      .pages,
	    2);
	ck_assert_uint_eq(run_of(large, &(struct way){ .allocator = "sequential:spanning=fit" })
			      .pages,
	    3);
}
END_TEST

START_TEST(ff_follows_the_first_reference)
{
	/* Objects 1 and 2 of processor 0, 3 of processor 1; 4 has none. */
	const char *text =
	    HEAD "P 0\nA 1 16\nA 2 16\nA 3 16\nA 4 16\nR 1 0\nC\nR 2 0\nP 1\nR 3 0\nR 1 0\n";
	struct outcome_of_run o = run_of(text, &(struct way){ .allocator = "ff" });

	ck_assert_uint_eq(o.pages, 2);
	ck_assert_uint_eq(o.cold, 3); /* 2 is on a page that 0 holds */
}
END_TEST

START_TEST(ff_from_create_forgets_the_master)
{
	const char *text = HEAD "P 0\nA 1 16\nA 2 16\nW 1 0\nW 2 0\nC\nR 2 0\nP 1\nR 1 0\n";

	ck_assert_uint_eq(run_of(text, &(struct way){ .allocator = "ff" }).pages, 1);
	ck_assert_uint_eq(run_of(text, &(struct way){ .allocator = "ff", .from_create = true })
			      .pages,
	    2);
}
END_TEST

START_TEST(ss_spreads_only_runs_of_equal_sizes)
{
	/* 1 goes to the general space when 2 comes; 2 and 3 wait, and 4, the last. */
	const char *text =
	    HEAD "P 0\nA 1 16\nA 2 24\nA 3 24\nA 4 32\nC\nR 1 0\nR 2 0\nP 1\nR 3 0\nR 4 0\n";

	ck_assert_uint_eq(run_of(text, &(struct way){ .allocator = "ss" }).pages, 3);
	ck_assert_uint_eq(run_of(text, &(struct way){ .allocator = "ff" }).pages, 2);
	/* Without a reference, only the object that is alone in its size takes a page. */
	ck_assert_uint_eq(run_of(HEAD "P 0\nA 1 16\nA 2 24\nA 3 24\nA 4 32\n",
			      &(struct way){ .allocator = "ss" })
			      .pages,
	    1);
}
END_TEST

/* ---- all of them ---- */

struct at_work {
	const struct allocator *a;
	void		       *self;
	struct heap		h;
};

static void
start(struct at_work *w, const struct program *p, const struct plugin *plugin, const char *params,
    uint32_t page_bytes)
{
	struct error e;

	w->a = (const struct allocator *)(const void *)plugin;
	w->self = plugin_state(plugin, params, &e);
	ck_assert_ptr_nonnull(w->self);
	ck_assert_int_eq(heap_init(&w->h, p, page_bytes, &e), 0);
	ck_assert(!w->a->init || !w->a->init(w->self, &w->h, &e));
}

static void
stop(struct at_work *w)
{
	plugin_free(w->self, w->a->release);
	heap_release(&w->h);
}

/* Each byte of memory belongs to one object, and words follow each other in pages. */
static void
check_places(const struct heap *h)
{
	char *taken = calloc(h->npages, h->page_bytes);

	for (uint32_t i = 1; i <= h->program->nobjects; i++) {
		const struct address *at = &h->address[i];

		REQUIRE(at->skew < h->page_bytes + TAG_BYTES, "object %u begins too late", i);
		for (uint64_t b = 0; b < heap_bytes(h, i); b++) {
			uint64_t byte = at->skew - TAG_BYTES + b;
			uint32_t page = h->page_of[at->pages + (byte >> h->page_shift)];
			char	*one = &taken[(size_t)page * h->page_bytes + byte % h->page_bytes];

			REQUIRE(page < h->npages, "object %u has page %u", i, page);
			REQUIRE(!(*one)++, "object %u shares a byte", i);
		}
	}
	ck_assert_uint_le(h->npages, h->room);
	free(taken);
}

static void
check_allocator(const struct plugin *plugin, const char *params, uint32_t page_bytes)
{
	struct program p =
	    program_of(HEAD "P 0\nA 1 9\nA 2 16\nA 3 16\nA 4 70\nA 5 200\nA 6 16\nA 7 128\n"
			    "A 8 128\nA 9 1000\nA 10 64\nA 11 64\nA 12 64\nA 13 9\n");
	struct at_work w;

	start(&w, &p, plugin, params, page_bytes);
	for (uint32_t i = 1; i <= p.nobjects; i++) {
		w.a->request(w.self, &w.h, i, i % 2);
		REQUIRE(w.a->touch || heap_is_placed(&w.h, i), "%s has no touch()", plugin->name);
		if (i % 3 == 0 && !heap_is_placed(&w.h, i))
			w.a->touch(w.self, &w.h, i, 0);
	}
	for (uint32_t i = 1; i <= p.nobjects; i++) {
		if (!heap_is_placed(&w.h, i))
			w.a->touch(w.self, &w.h, i, i % 2);
		REQUIRE(heap_is_placed(&w.h, i), "%s: object %u has no place", plugin->name, i);
	}
	check_places(&w.h);
	stop(&w);
	program_release(&p);
}

START_TEST(every_allocator_gives_each_object_memory_of_its_own)
{
	for (const struct plugin *const *p = registry_list(PLUGIN_ALLOCATOR); *p; p++)
		for (uint32_t page = PAGE_BYTES_MIN; page <= PAGE; page *= 4) {
			check_allocator(*p, NULL, page);
			for (unsigned i = 0; (*p)->params && spanning_words[i]; i++) {
				char text[32];

				snprintf(text, sizeof(text), "spanning=%s", spanning_words[i]);
				check_allocator(*p, text, page);
			}
		}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("placing");

	tcase_add_loop_test(tc, pages_of_the_paper, 0, sizeof(tables) / sizeof(*tables));
	tcase_add_test(tc, pp_of_water_when_no_small_object_straddles);
	tcase_add_test(tc, spanning_min_and_fit_differ_for_an_object_that_needs_two_pages);
	tcase_add_test(tc, ff_follows_the_first_reference);
	tcase_add_test(tc, ff_from_create_forgets_the_master);
	tcase_add_test(tc, ss_spreads_only_runs_of_equal_sizes);
	tcase_add_test(tc, every_allocator_gives_each_object_memory_of_its_own);
	return run_tests("placing", tc);
}
