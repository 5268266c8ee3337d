/* check_summary.c - a known program, and random ones against their references one by one. */
#include <stdlib.h>

#include "sim/studies/share/model/cursor.h"
#include "sim/studies/share/model/summary.h"
#include "tests/unit/sharing.h"

static struct error e;

static struct summary
summary_of(const struct program *p, uint32_t page_bytes)
{
	struct summary s;

	ck_assert(!summary_make(&s, p, page_bytes, &e));
	return s;
}

START_TEST(a_known_program_is_described)
{
	struct program p = program_of(
	    "# program t, processors 3, problem p, words of 8 bytes\n"
	    "P 0\nA 1 24\nA 2 24\nA 3 72\nA 5 24\nW 3 0 8 1\nC\nL 7\nU 7\nS 1\nS 1\nB 1\n"
	    "P 1\nA 4 72\nV 1\nL 7\nU 7\n( 5\n( 3\nR 3 1 0 2\nW 1 1\n)\n)\nB 1\nP 2\nB 1\n");
	struct summary s = summary_of(&p, 64);

	ck_assert_uint_eq(s.bytes, 216);
	ck_assert_uint_eq(s.pages, 4);
	ck_assert_uint_eq(s.all.references, 38);
	ck_assert_uint_eq(s.all.writes, 23);
	ck_assert_uint_eq(s.all.requests, 5);
	ck_assert_uint_eq(s.all.locks, 2);
	ck_assert_uint_eq(s.all.barriers, 1);
	ck_assert_uint_eq(s.all.posts, 2);
	ck_assert_uint_eq(s.all.waits, 1);
	ck_assert_uint_eq(s.of[1].references, 30);
	ck_assert_uint_eq(s.of[1].words, 4);
	ck_assert_uint_eq(s.of[1].objects, 2);
	ck_assert_uint_eq(s.of[0].pages, 2); /* bytes 56 to 119 */
	ck_assert_uint_eq(s.of[1].pages, 2); /* byte 16, and bytes 64 to 103 */
	ck_assert_uint_eq(s.of[2].pages, 0);
	ck_assert_uint_eq(s.objects_by[0], 3);
	ck_assert_uint_eq(s.objects_by[1], 1);
	ck_assert_uint_eq(s.objects_by[2], 1);
	ck_assert_uint_eq(s.words_by[0], 2 + 1 + 2 + 8);
	ck_assert_uint_eq(s.words_by[1], 1 + 5);
	ck_assert_uint_eq(s.words_by[2], 3);
	ck_assert_uint_eq(s.pages_by[0], 2);
	ck_assert_uint_eq(s.pages_by[2], 2);
	summary_release(&s);
	program_release(&p);
}
END_TEST

START_TEST(requests_are_in_order_of_size_with_their_runs)
{
	struct program p =
	    program_of("# program t, processors 3, problem p, words of 8 bytes\n"
		       "P 0\nA 1 24\nA 2 24\nA 3 16\nA 4 24\nC\nP 2\nA 5 24\nA 6 100\n");
	struct summary s = summary_of(&p, 4096);

	ck_assert_uint_eq(s.nsizes, 3);
	ck_assert_uint_eq(s.size[0].bytes, 16);
	ck_assert_uint_eq(s.size[1].bytes, 24);
	ck_assert_uint_eq(s.size[1].objects, 4);
	ck_assert_uint_eq(s.size[1].processors, 5);
	ck_assert_uint_eq(s.size[1].nruns, 2);
	ck_assert_uint_eq(s.run[s.size[1].first_run].length, 2);
	ck_assert_uint_eq(s.run[s.size[1].first_run + 1].length, 2);
	ck_assert_uint_eq(s.run[s.size[1].first_run + 1].first, 4);
	ck_assert_uint_eq(s.size[2].bytes, 100);
	ck_assert_uint_eq(s.size[2].processors, 4);
	summary_release(&s);
	program_release(&p);
}
END_TEST

/* ---- random programs, with all loops run ---- */

enum { PROCESSORS = 4, OBJECTS = 8, ROOM = 20000, WORDS = 8 * 200, PAGE = 64 };

/* A nest of loops around references that stay within 200 words. */
static char *
draw_nest(char *at, uint64_t *seed)
{
	unsigned depth = random_below(seed, 5), times[4];

	for (unsigned i = 0; i < depth; i++) {
		times[i] = 1 + random_below(seed, 4);
		at += sprintf(at, "( %u\n", times[i]);
	}
	for (unsigned n = 1 + random_below(seed, 2); n; n--) {
		at += sprintf(at, "%c %u %u", random_below(seed, 2) ? 'R' : 'W',
		    1 + random_below(seed, OBJECTS), 60 + random_below(seed, 80));
		for (unsigned i = 0, m = random_below(seed, depth + 1); i < m; i++)
			at += sprintf(at, " %d", (int)random_below(seed, 9) - 4);
		at += sprintf(at, "\n");
	}
	for (unsigned i = 0; i < depth; i++)
		at += sprintf(at, ")\n");
	return at;
}

static void
draw_program(char text[ROOM], uint64_t seed)
{
	char *at = text +
	    sprintf(text, "# program t, processors %d, problem p, words of 4 bytes\nP 0\n",
		PROCESSORS);

	for (unsigned i = 1; i <= OBJECTS; i++)
		at += sprintf(at, "A %u %u\n", i, 808 + 4 * random_below(&seed, 2));
	at += sprintf(at, "C\n");
	for (unsigned p = 0; p < PROCESSORS; p++) {
		if (p)
			at += sprintf(at, "P %u\n", p);
		for (unsigned n = random_below(&seed, 12); n; n--)
			at = draw_nest(at, &seed);
	}
	ck_assert_int_lt(at - text, ROOM);
}

/* The processors of each word, and what each does, by running the code. */
static void
run_all(const struct program *p, uint64_t *who, uint64_t references[PROCESSORS],
    uint64_t writes[PROCESSORS])
{
	for (unsigned i = 0; i < PROCESSORS; i++) {
		struct cursor c;
		struct event  v;

		cursor_start(&c, p, i);
		while ((v = cursor_next(&c)).kind != CODE_END) {
			if (v.kind != CODE_READ && v.kind != CODE_WRITE)
				continue;
			who[p->object[v.object].first_word + v.word] |= UINT64_C(1) << i;
			references[i]++;
			writes[i] += v.kind == CODE_WRITE;
		}
	}
}

static void
expect_degrees(const struct program *p, const struct summary *s, const uint64_t *who)
{
	uint64_t	words[PROCESSORS + 1] = { 0 }, pages[PROCESSORS + 1] = { 0 }, place = 0;
	static uint64_t page[WORDS];

	memset(page, 0, sizeof(page));
	for (uint32_t i = 1; i <= OBJECTS; place += p->object[i++].bytes)
		for (uint32_t w = 0; w < p->object[i].words; w++) {
			words[__builtin_popcountll(who[p->object[i].first_word + w])]++;
			page[(place + TAG_BYTES + 4 * w) / PAGE] |=
			    who[p->object[i].first_word + w];
		}
	for (uint64_t i = 0; i < (place + PAGE - 1) / PAGE; i++)
		pages[__builtin_popcountll(page[i])]++;
	for (unsigned i = 0; i <= PROCESSORS; i++) {
		ck_assert_uint_eq(s->words_by[i], words[i]);
		ck_assert_uint_eq(s->pages_by[i], pages[i]);
	}
}

START_TEST(random_programs_are_described_as_they_run)
{
	static char	text[ROOM];
	static uint64_t who[WORDS + 16 * OBJECTS];
	uint64_t	references[PROCESSORS] = { 0 }, writes[PROCESSORS] = { 0 };
	struct program	p;
	struct summary	s;

	draw_program(text, (uint64_t)_i + 1);
	p = program_of(text);
	s = summary_of(&p, PAGE);
	memset(who, 0, sizeof(who));
	run_all(&p, who, references, writes);
	for (unsigned i = 0; i < PROCESSORS; i++) {
		ck_assert_uint_eq(s.of[i].references, references[i]);
		ck_assert_uint_eq(s.of[i].writes, writes[i]);
	}
	ck_assert_uint_eq(s.all.references, p.nreferences);
	ck_assert_uint_eq(s.all.writes, p.nwrites);
	expect_degrees(&p, &s, who);
	summary_release(&s);
	program_release(&p);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("summary");

	tcase_add_test(tc, a_known_program_is_described);
	tcase_add_test(tc, requests_are_in_order_of_size_with_their_runs);
	tcase_add_loop_test(tc, random_programs_are_described_as_they_run, 0, 30);
	return run_tests("summary", tc);
}
