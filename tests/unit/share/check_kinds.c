/*
 * check_kinds.c - kinds of sharing: the faults that theory gives, and what kind.h promises of
 * every kind that is registered.
 */
#include <stdlib.h>
#include <unistd.h>

#include "sim/base/output.h"
#include "sim/studies/share/model/registry.h"
#include "tests/unit/conformance.h"
#include "tests/unit/sharing.h"

static struct error e;

/* ---- known faults ---- */

enum { N = 8 }; /* processors, unless it is set */

struct known {
	const char *kind, *allocator;
	uint64_t    cold, true_, false_, upgrades;
	uint32_t    pages;
};

#define PAGE_EACH "pad:to=4K"

static const struct known known[] = {
	/* 16 objects of 8 words, read and written: their own arenas, or one page for all. */
	{ "private:objects=16,size=72,rounds=5", "arena", N, 0, 0, N, N },
	{ "private:objects=16,size=72,rounds=5", PAGE_EACH, 16, 0, 0, 16, 16 },
	/* Each consumer faults once in a round; the producer then has the page to read. */
	{ "producer-consumer:objects=16,rounds=7", PAGE_EACH, 16 * 2, 16 * 6, 0, 16 * 6, 16 },
	{ "producer-consumer:objects=16,rounds=7,consumers=3", PAGE_EACH, 16 * 4, 16 * 3 * 6, 0,
	    16 * 6, 16 },
	/* Each visit: a fault to read and an upgrade to write. */
	{ "migratory:objects=3,rounds=7", PAGE_EACH, 3 * N, 3 * N * 6, 0, 3 * N * 7, 3 },
	{ "migratory:objects=1,rounds=7,size=4K", "sequential", N, N * 6, 0, N * 7, 1 },
	/* Each processor fetches each page once. */
	{ "read:objects=64,size=256", "sequential", 4 * N, 0, 0, 0, 4 },
	{ "read:objects=64,size=256", "arena", 4 * N, 0, 0, 0, 4 },
	{ "read:objects=64,size=256", PAGE_EACH, 64 * N, 0, 0, 0, 64 },
	/* Each write faults, for another processor wrote before: 64 objects of 7 words. */
	{ "false:rounds=9", "sequential", 64 * 7, 0, 64 * 7 * 8, 0, 1 },
	{ "false:rounds=9", "arena", 64 * 7, 0, 64 * 7 * 8, 0, 1 },
	{ "false:rounds=9", PAGE_EACH, 64, 0, 0, 0, 64 },
	{ "false:rounds=9", "ff", N, 0, 0, 0, N },
	/* One object of each run for each processor. */
	{ "runs:rounds=5", "ff", N, 0, 0, N, N },
	{ "runs:rounds=5", "ss", N, 0, 0, N, N },
	{ "runs:rounds=5", PAGE_EACH, 4 * N, 0, 0, 4 * N, 4 * N },
	{ "runs:rounds=5,users=2", PAGE_EACH, 4 * N * 2, 4 * N * 4, 0, 4 * N * 5, 4 * N },
	/* The owner is joined by one that reads the first word. */
	{ "groups:objects=48,rounds=5", PAGE_EACH, 48 * 2, 48 * 4, 0, 48 * 5, 48 },
	/* 32 pages: one writes, four read. */
	{ "stripes:objects=1,size=128K,stripe=16K,rounds=5", "sequential", 32 * 4, 32 * 3 * 4, 0,
	    32 * 4, 32 },
};

START_TEST(faults_are_those_of_the_theory)
{
	const struct known   *k = &known[_i];
	struct way	      w = { .allocator = k->allocator };
	struct outcome_of_run o;
	struct program	      p;

	ck_assert_msg(!make_kind(&p, k->kind, &e) && !run_program(&o, &p, &w, NULL, &e), "%s",
	    e.text);
	ck_assert_uint_eq(o.cold, k->cold);
	ck_assert_uint_eq(o.true_, k->true_);
	ck_assert_uint_eq(o.false_, k->false_);
	ck_assert_uint_eq(o.upgrades, k->upgrades);
	ck_assert_uint_eq(o.pages, k->pages);
	program_release(&p);
}
END_TEST

START_TEST(false_sharing_is_all_of_it_at_any_number_of_processors)
{
	for (unsigned n = 2; n <= PROCESSORS_MAX; n *= 2) {
		struct outcome_of_run o;
		struct program	      p;
		char		      text[64];

		snprintf(text, sizeof(text), "false:processors=%u,rounds=3", n);
		ck_assert(
		    !make_kind(&p, text, &e) && !run_program(&o, &p, &(struct way){ 0 }, NULL, &e));
		ck_assert_uint_eq(o.cold + o.false_, o.references);
		ck_assert_uint_eq(o.cold, 64 * 7);
		program_release(&p);
	}
}
END_TEST

START_TEST(objects_that_are_private_or_only_read_never_fault_truly)
{
	for (const struct plugin *const *a = PLUGIN_ALLOCATOR->list; *a; a++)
		for (unsigned i = 0; i < 3; i++) {
			const char *const     kinds[] = { "private", "read", "false" };
			struct way	      w = { .allocator = (*a)->name };
			struct outcome_of_run o;
			struct program	      p;

			ck_assert(
			    !make_kind(&p, kinds[i], &e) && !run_program(&o, &p, &w, NULL, &e));
			REQUIRE(!o.true_, "%s with %s", kinds[i], (*a)->name);
			program_release(&p);
		}
}
END_TEST

/* ---- all of them, with all parameters ---- */

static char *
text_of(const struct program *p)
{
	char	       path[] = "/tmp/bufsim-kinds.XXXXXX";
	struct output *out;
	char	      *text = calloc(1, 1 << 25);
	FILE	      *f;

	close(mkstemp(path));
	out = output_open(path, &e);
	ck_assert_msg(out && !program_write(p, out, &e) && !output_commit(out, NULL, &e), "%s",
	    e.text);
	f = fopen(path, "r");
	ck_assert(f && fread(text, 1, (1 << 25) - 1, f));
	fclose(f);
	unlink(path);
	return text;
}

static void
check_same_again(const struct program *p)
{
	char	      *text = text_of(p), *again;
	struct program q = program_of(text);

	again = text_of(&q);
	ck_assert_str_eq(text, again);
	ck_assert_uint_eq(p->nreferences, q.nreferences);
	program_release(&q);
	free(text);
	free(again);
}

static struct settings settings;

START_TEST(with_any_parameter_at_its_ends_a_program_is_made_and_read_again)
{
	unsigned refused = 0;

	settings_registered(&settings, PLUGIN_KIND);
	settings_ends(&settings, PLUGIN_KIND);
	for (unsigned i = 0; i < settings.n; i++) {
		struct program p;

		if (make_kind(&p, settings.text[i], &e)) {
			REQUIRE(strchr(settings.text[i], '=') && e.exit_code, "%s: %s",
			    settings.text[i], e.text);
			refused++;
			continue;
		}
		REQUIRE(p.nreferences && p.nobjects, "%s", settings.text[i]);
		check_same_again(&p);
		program_release(&p);
	}
	REQUIRE(refused * 2 < settings.n, "%u of %u are refused", refused, settings.n);
}
END_TEST

START_TEST(a_program_of_too_much_text_is_refused)
{
	struct program p;

	ck_assert_int_eq(make_kind(&p, "migratory:rounds=1000000", &e), -1);
	ck_assert_str_eq(e.text,
	    "migratory:rounds=1000000: the program has more than 16 MiB of text");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("kinds");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, faults_are_those_of_the_theory, 0, sizeof(known) / sizeof(*known));
	tcase_add_test(tc, false_sharing_is_all_of_it_at_any_number_of_processors);
	tcase_add_test(tc, objects_that_are_private_or_only_read_never_fault_truly);
	tcase_add_test(tc, with_any_parameter_at_its_ends_a_program_is_made_and_read_again);
	tcase_add_test(tc, a_program_of_too_much_text_is_refused);
	return run_tests("kinds", tc);
}
