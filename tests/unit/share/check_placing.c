/*
 * check_placing.c - pages of known requests, and what allocator.h promises of
 * every allocator that is registered, with every word of its parameters.
 *
 * The requests are those of the SPLASH-2 programs in table 2 of Han and Cho, with 32 processors.
 */
#include "sim/base/number.h"
#include "sim/studies/share/model/registry.h"
#include "sim/trace/chance.h"
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

/* The requests of processor 0, and nothing else.  The length of the text. */
static int
write_requests(char text[TEXT_ROOM], const struct table *t)
{
	int n = sprintf(text, "# program t, processors 32, problem p, words of 8 bytes\nP 0\n");
	unsigned object = 0;

	for (const struct requests *r = t->run; r->count; r++)
		for (unsigned i = 0; i < r->count; i++)
			n += sprintf(text + n, "A %u %u\n", ++object, r->bytes);
	ck_assert_int_lt(n, TEXT_ROOM);
	return n;
}

/* Each object is referenced by one processor, chosen at random. */
static void
write_users(char text[TEXT_ROOM], const struct table *t, uint64_t seed)
{
	unsigned objects = 0;
	int	 n = write_requests(text, t);

	for (const struct requests *r = t->run; r->count; r++)
		objects += r->count;
	n += sprintf(text + n, "C\n");
	for (unsigned p = 0; p < 32; p++) {
		if (p)
			n += sprintf(text + n, "P %u\n", p);
		for (unsigned i = 1; i <= objects; i++)
			if (chance_at(seed, i) % 32 == p)
				n += sprintf(text + n, "R %u 0\n", i);
	}
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

START_TEST(ff_needs_at_most_a_page_more_for_each_other_processor)
{
	const struct table *t = tables[_i];
	static char	    text[TEXT_ROOM];

	for (uint64_t seed = 1; seed <= 5; seed++) {
		uint32_t ff, ss;

		write_users(text, t, seed);
		ff = run_of(text, &(struct way){ .allocator = "ff" }).pages;
		ss = run_of(text, &(struct way){ .allocator = "ss" }).pages;
		ck_assert_uint_ge(ff, t->sequential);
		ck_assert_uint_le(ff, t->sequential + 31);
		ck_assert_uint_ge(ss, t->sequential);
		ck_assert_uint_le(ss, t->sequential + 32); /* and the general space */
	}
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

/* ---- allocators of today ---- */

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

/* Where an object begins: page and byte. */
struct spot {
	uint32_t page, byte;
};

struct requested {
	uint32_t    bytes;
	unsigned    processor;
	struct spot place;
};

static void
expect_places(const char *allocator, uint32_t page_bytes, const struct requested *r, unsigned n)
{
	char		     text[2000] = HEAD "P 0\n";
	size_t		     used = strlen(text);
	const char	    *params;
	const struct plugin *plugin;
	struct error	     e;
	struct program	     p;
	struct at_work	     w;

	for (unsigned i = 0; i < n; i++)
		used += (size_t)sprintf(text + used, "A %u %u\n", i + 1, r[i].bytes);
	p = program_of(text);
	plugin = registry_find(PLUGIN_ALLOCATOR, allocator, &params, &e);
	ck_assert_ptr_nonnull(plugin);
	start(&w, &p, plugin, params, page_bytes);
	for (unsigned i = 0; i < n; i++) {
		const struct address *at = &w.h.address[i + 1];

		w.a->request(w.self, &w.h, i + 1, r[i].processor);
		ck_assert_uint_eq(at->skew - TAG_BYTES, r[i].place.byte);
		ck_assert_uint_eq(w.h.page_of[at->pages], r[i].place.page);
	}
	stop(&w);
	program_release(&p);
}

#define EXPECT_PLACES(allocator, page, r)                                                          \
	expect_places(allocator, page, r, sizeof(r) / sizeof(*(r)))

START_TEST(arena_has_the_classes_of_table_1_of_jemalloc)
{
	static const uint32_t class[] = { 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
		384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048, 2560, 3072, 3584, 4096,
		5 << 10, 6 << 10, 7 << 10, 8 << 10, 10 << 10, 12 << 10, 14 << 10 };

	for (size_t i = 0; i < sizeof(class) / sizeof(*class); i++) {
		uint32_t	       least = i ? class[i - 1] + 1 : 9;
		const struct requested r[] = {
			{ least, 0, { 0, 0 } },
			{ class [i], 0, { class[i] / 65536, class[i] % 65536 } },
			{ class[i] + 1, 0, { 1, 0 } }, /* of the next class, or large */
		};

		EXPECT_PLACES("arena:large=page", 65536, r);
	}
}
END_TEST

START_TEST(arena_separates_requesters_and_classes)
{
	static const struct requested r[] = {
		{ 24, 0, { 0, 0 } },
		{ 30, 0, { 0, 32 } },
		{ 24, 1, { 1, 0 } },
		{ 24, 0, { 0, 64 } },
		{ 40, 0, { 2, 0 } },
		{ 17, 1, { 1, 32 } },
		{ 48, 0, { 2, 48 } },
	};

	EXPECT_PLACES("arena", 4096, r);
}
END_TEST

START_TEST(arena_packs_a_slab_over_its_pages_and_gives_large_objects_their_own)
{
	static const struct requested r[] = {
		{ 3000, 0, { 0, 0 } },
		{ 3000, 0, { 0, 3072 } }, /* and page 1 */
		{ 3000, 0, { 1, 2048 } },
		{ 15000, 0, { 3, 0 } }, /* behind page 2 of the third; 3 to 6 */
		{ 15000, 0, { 7, 0 } },
		{ 3000, 0, { 2, 1024 } },
		{ 3000, 0, { 11, 0 } },
	};

	EXPECT_PLACES("arena:large=page", 4096, r);
}
END_TEST

START_TEST(arena_leaves_whole_lines_free)
{
	/* Of class 10K: lines of 64 bytes without an object have no number. */
	static const struct requested r[] = {
		{ 8200, 0, { 0, 0 } },
		{ 8200, 0, { 129, 0 } },
		{ 100, 0, { 258, 0 } }, /* of class 112: the next one is in the middle of a line */
		{ 100, 0, { 259, 48 } },
	};

	EXPECT_PLACES("arena", 64, r);
}
END_TEST

START_TEST(arena_begins_large_objects_at_lines_of_pages_that_no_other_has)
{
	struct program p = program_of(HEAD "P 0\nA 1 20000\nA 2 20000\nA 3 20000\nA 4 20000\n");
	const struct plugin *plugin;
	const char	    *params;
	struct error	     e;
	struct at_work	     w;
	uint32_t	     different = 0;

	plugin = registry_find(PLUGIN_ALLOCATOR, "arena", &params, &e);
	ck_assert_ptr_nonnull(plugin);
	start(&w, &p, plugin, params, PAGE);
	for (uint32_t i = 1; i <= p.nobjects; i++) {
		const struct address *at = &w.h.address[i];
		uint32_t	      before = w.h.npages;

		w.a->request(w.self, &w.h, i, 0);
		ck_assert_uint_eq((at->skew - TAG_BYTES) % 64, 0);
		ck_assert_uint_lt(at->skew - TAG_BYTES, PAGE);
		ck_assert_uint_eq(w.h.page_of[at->pages], before);
		different += i > 1 && at->skew != at[-1].skew;
	}
	ck_assert_uint_gt(different, 0);
	stop(&w);
	program_release(&p);
}
END_TEST

START_TEST(pad_goes_to_the_line_or_to_the_page)
{
	static const struct requested lines[] = {
		{ 16, 0, { 0, 0 } },
		{ 64, 1, { 0, 64 } },
		{ 65, 0, { 0, 128 } },
		{ 3840, 0, { 0, 256 } },
		{ 16, 0, { 1, 0 } },
	};
	static const struct requested pages[] = {
		{ 16, 0, { 0, 0 } },
		{ 4096, 1, { 1, 0 } },
		{ 4097, 0, { 2, 0 } },
		{ 16, 0, { 4, 0 } },
	};

	EXPECT_PLACES("pad:to=64", 4096, lines);
	EXPECT_PLACES("pad:to=4K", 4096, pages);
	EXPECT_PLACES("pad", 4096, pages);
}
END_TEST

START_TEST(pad_is_to_a_power_of_two)
{
	struct program	      p = program_of(HEAD "P 0\nA 1 16\n");
	struct way	      w = { .allocator = "pad:to=100" };
	struct outcome_of_run o;
	struct error	      e = { 0 };

	ck_assert_int_eq(run_program(&o, &p, &w, NULL, &e), -1);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	ck_assert_str_eq(e.text, "t: pad: to is a power of two");
	program_release(&p);
}
END_TEST

/* ---- all of them ---- */

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

/* Each word, or the ends and a line. */
static void
check_param(const struct plugin *plugin, const struct param *q, uint32_t page_bytes)
{
	const uint64_t some[] = { q->min, 64, q->max };
	char	       text[64], value[NUMBER_TEXT];

	for (unsigned i = 0; q->words ? q->words[i] != NULL : i < 3; i++) {
		snprintf(text, sizeof(text), "%s=%s", q->name,
		    q->words ? q->words[i] : number_format(value, some[i], q->unit));
		check_allocator(plugin, text, page_bytes);
	}
}

START_TEST(every_allocator_gives_each_object_memory_of_its_own)
{
	for (const struct plugin *const *p = PLUGIN_ALLOCATOR->list; *p; p++)
		for (uint32_t page = PAGE_BYTES_MIN; page <= PAGE; page *= 4) {
			check_allocator(*p, NULL, page);
			for (const struct param *q = (*p)->params; q && q->name; q++)
				check_param(*p, q, page);
		}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("placing");

	tcase_add_loop_test(tc, pages_of_the_paper, 0, sizeof(tables) / sizeof(*tables));
	tcase_add_loop_test(tc, ff_needs_at_most_a_page_more_for_each_other_processor, 0,
	    sizeof(tables) / sizeof(*tables));
	tcase_add_test(tc, pp_of_water_when_no_small_object_straddles);
	tcase_add_test(tc, spanning_min_and_fit_differ_for_an_object_that_needs_two_pages);
	tcase_add_test(tc, ff_follows_the_first_reference);
	tcase_add_test(tc, ff_from_create_forgets_the_master);
	tcase_add_test(tc, ss_spreads_only_runs_of_equal_sizes);
	tcase_add_test(tc, arena_has_the_classes_of_table_1_of_jemalloc);
	tcase_add_test(tc, arena_separates_requesters_and_classes);
	tcase_add_test(tc, arena_packs_a_slab_over_its_pages_and_gives_large_objects_their_own);
	tcase_add_test(tc, arena_begins_large_objects_at_lines_of_pages_that_no_other_has);
	tcase_add_test(tc, arena_leaves_whole_lines_free);
	tcase_add_test(tc, pad_goes_to_the_line_or_to_the_page);
	tcase_add_test(tc, pad_is_to_a_power_of_two);
	tcase_add_test(tc, every_allocator_gives_each_object_memory_of_its_own);
	return run_tests("placing", tc);
}
