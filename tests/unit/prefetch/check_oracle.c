/*
 * check_oracle.c - the rules of the oracle in unit time, with known answers and against the optimum.
 *
 * A reference takes one unit, and a read F, which starts before the reference
 * of its unit is served; its victim leaves at once.  Ties among blocks that
 * are never referenced again go to the largest number: the strings are
 * followed by all blocks in order, which are not served.
 */
#include <string.h>

#include "prefetch/belady.h"
#include "prefetch/oracle_rules.h"
#include "tests/unit/support.h"

enum { LENGTH_MAX = 12, BLOCKS = 6, STRING_MAX = LENGTH_MAX + BLOCKS, INSTANCES = 1500, NONE = 0 };

struct string {
	uint8_t	 block[STRING_MAX]; /* 1 .. BLOCKS - 1, and in the end each of them */
	uint32_t length, fetch, frames;
	uint32_t batch;
};

struct state {
	const struct string *s;
	struct bits	     missing;
	bool		     held[BLOCKS];
	uint32_t	     victim[STRING_MAX];
	uint32_t	     cursor, arriving, arrives, now;
};

static struct error e;

/* The first reference from `from` on to block b. */
static uint32_t
next_of(const struct string *s, uint32_t b, uint32_t from)
{
	while (from < s->length + BLOCKS - 1 && s->block[from] != b)
		from++;
	return from < s->length + BLOCKS - 1 ? from : FUTURE_NEVER;
}

static uint32_t
count_held(const struct state *t)
{
	uint32_t n = t->arriving != NONE;

	for (uint32_t b = 1; b < BLOCKS; b++)
		n += t->held[b];
	return n;
}

/* The block whose next reference is farthest, but before `end`, or NONE. */
static uint32_t
farthest(const struct state *t, uint64_t end)
{
	uint32_t best = NONE;

	for (uint32_t b = 1; b < BLOCKS; b++)
		if (t->held[b] && next_of(t->s, b, t->cursor) < end &&
		    (!best || next_of(t->s, b, t->cursor) > next_of(t->s, best, t->cursor)))
			best = b;
	return best;
}

static uint32_t
leaves(void *ctx, uint32_t i)
{
	const struct state *t = ctx;
	uint64_t	    end = UINT64_MAX;
	uint32_t	    b;

	do {
		b = farthest(t, end);
		end = b ? next_of(t->s, b, t->cursor) : 0;
	} while (i-- > 0);
	return (uint32_t)end;
}

static void
find_missing(struct state *t)
{
	for (uint32_t b = 1; b < BLOCKS; b++) {
		uint32_t next = next_of(t->s, b, t->cursor);

		if (next >= t->s->length)
			continue;
		if (t->held[b] || t->arriving == b)
			bits_clear(&t->missing, next);
		else
			bits_set(&t->missing, next);
	}
}

static void
find_victims(struct state *t)
{
	struct belady b;

	ck_assert(!belady_init(&b, STRING_MAX, &e));
	b.vacant = t->s->frames;
	for (uint32_t i = 1; i < BLOCKS; i++)
		if (t->held[i])
			belady_hold(&b, next_of(t->s, i, 0));
	for (uint32_t i = 0; i < t->s->length; i++)
		if (!belady_refer(&b, i, next_of(t->s, t->s->block[i], i + 1), &t->victim[i]))
			t->victim[i] = 0;
	belady_release(&b);
}

static uint32_t
choose(struct state *t, enum oracle_rule rule)
{
	uint32_t       chosen[1];
	struct outlook o = {
		.cursor = t->cursor,
		.missing = &t->missing,
		.request = t->s->fetch,
		.block = t->s->fetch,
		.batch = 1,
		.vacant = t->s->frames - count_held(t),
		.within = BLOCKS,
		.victim = t->victim,
		.leaves = leaves,
		.ctx = t,
	};

	find_missing(t);
	return oracle_choose(rule, &o, chosen) ? t->s->block[chosen[0]] : NONE;
}

static void
fetch(struct state *t, uint32_t b)
{
	if (count_held(t) == t->s->frames)
		t->held[farthest(t, UINT64_MAX)] = false;
	t->arriving = b;
	t->arrives = t->now + t->s->fetch;
}

static void
start(struct state *t, const struct string *s)
{
	*t = (struct state){ .s = s };
	ck_assert(!bits_init(&t->missing, STRING_MAX, &e));
	for (uint32_t b = 1; b <= s->frames; b++)
		t->held[b] = true;
	find_victims(t);
}

/* The units that the string takes; on demand: without a rule. */
static uint32_t
time_of(const struct string *s, enum oracle_rule rule, bool on_demand)
{
	struct state t;
	uint32_t     now;

	start(&t, s);
	while (t.cursor < s->length) {
		uint32_t wanted = s->block[t.cursor];

		if (t.arriving && t.arrives <= t.now) {
			t.held[t.arriving] = true;
			t.arriving = NONE;
		}
		if (!t.arriving) {
			uint32_t b =
			    on_demand ? (t.held[wanted] ? NONE : wanted) : choose(&t, rule);

			if (b)
				fetch(&t, b);
		}
		if (t.held[wanted]) {
			t.cursor++;
			t.now++;
		} else {
			ck_assert_uint_ne(t.arriving, NONE);
			t.now = t.arrives;
		}
	}
	now = t.now;
	bits_release(&t.missing);
	return now;
}

static struct string
string_of(const char *text, uint32_t fetch)
{
	struct string s = { .fetch = fetch, .frames = 3 };

	for (; *text; text++)
		if (*text != ' ')
			s.block[s.length++] = (uint8_t)(*text - '0');
	for (uint32_t b = 1; b < BLOCKS; b++)
		s.block[s.length + b - 1] = (uint8_t)b;
	return s;
}

static const struct known {
	const char *text;
	uint32_t    fetch, demand, time[4], optimum;
} known[] = {
	{ "1 3 4 2 5 3 4 3 3 1 5 5", 4, 24, { 26, 21, 26, 26 }, 21 },
	{ "1 3 1 4 1 4 5 5 5 5 2 3", 3, 21, { 13, 19, 14, 13 }, 13 },
	{ "5 4 3 1 4 4 5 3 2 5 5 1", 2, 20, { 16, 20, 15, 15 }, 15 },
};

/* ---- the optimum ---- */

enum { SETS = 1 << BLOCKS };

/* The least time from a state on, with nothing arriving. */
static uint32_t least[LENGTH_MAX + 1][SETS];

static uint32_t
lower(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* From reference p with `held`, while b arrives `fetch` units from now. */
static uint32_t
while_arriving(const struct string *s, uint32_t p, uint32_t held, uint32_t b)
{
	uint32_t spent = 0;

	while (p < s->length && spent < s->fetch && held >> s->block[p] & 1) {
		p++;
		spent++;
	}
	if (p == s->length)
		return spent;
	return s->fetch + least[p][held | 1u << b];
}

static uint32_t
least_from(const struct string *s, uint32_t p, uint32_t held)
{
	bool	 full = (uint32_t)__builtin_popcount(held) == s->frames;
	uint32_t best = UINT32_MAX / 2;

	if (held >> s->block[p] & 1)
		best = 1 + least[p + 1][held];
	for (uint32_t b = 1; b < BLOCKS; b++) {
		if (held >> b & 1)
			continue;
		if (!full)
			best = lower(best, while_arriving(s, p, held, b));
		for (uint32_t v = 1; full && v < BLOCKS; v++)
			if (held >> v & 1)
				best = lower(best, while_arriving(s, p, held & ~(1u << v), b));
	}
	return best;
}

/* Larger sets and later references first: a read always adds a block or time passes. */
static uint32_t
optimum(const struct string *s)
{
	for (uint32_t set = 0; set < SETS; set++)
		least[s->length][set] = 0;
	for (uint32_t p = s->length; p-- > 0;) {
		for (uint32_t round = 0; round <= s->frames + 1; round++)
			for (uint32_t set = 0; set < SETS; set++) {
				if (!round)
					least[p][set] = UINT32_MAX / 2;
				else if ((uint32_t)__builtin_popcount(set) <= s->frames)
					least[p][set] = lower(least[p][set], least_from(s, p, set));
			}
	}
	return least[0][((2u << s->frames) - 1) & ~1u];
}

START_TEST(the_table_of_the_papers_rules)
{
	const struct known *k = &known[_i];
	struct string	    s = string_of(k->text, k->fetch);

	ck_assert_uint_eq(time_of(&s, ORACLE_AGGRESSIVE, true), k->demand);
	for (enum oracle_rule rule = ORACLE_AGGRESSIVE; rule <= ORACLE_FORESTALL; rule++)
		ck_assert_uint_eq(time_of(&s, rule, false), k->time[rule]);
	ck_assert_uint_eq(optimum(&s), k->optimum);
}
END_TEST

static struct string
draw(uint64_t *seed)
{
	char	      text[LENGTH_MAX + 1] = "";
	uint32_t      n = 4 + random_below(seed, LENGTH_MAX - 3);
	struct string s;

	for (uint32_t i = 0; i < n; i++)
		text[i] = (char)('1' + random_below(seed, BLOCKS - 1));
	s = string_of(text, 1 + random_below(seed, 5));
	s.frames = 2 + random_below(seed, 2);
	return s;
}

START_TEST(no_rule_is_worse_than_its_bound)
{
	uint64_t seed = 7;

	for (unsigned i = 0; i < INSTANCES; i++) {
		struct string s = draw(&seed);
		double	      best = optimum(&s), ratio = 1 + (double)s.fetch / s.frames;
		uint32_t      time[4];

		for (enum oracle_rule rule = ORACLE_AGGRESSIVE; rule <= ORACLE_FORESTALL; rule++) {
			time[rule] = time_of(&s, rule, false);
			REQUIRE(time[rule] >= best, "rule %d in %u: less than %g", rule, time[rule],
			    best);
		}
		REQUIRE(time[ORACLE_AGGRESSIVE] <= (ratio < 2 ? ratio : 2) * best,
		    "aggressive: %u, the optimum %g", time[ORACLE_AGGRESSIVE], best);
		REQUIRE(time[ORACLE_CONSERVATIVE] <= 2 * best, "conservative: %u, the optimum %g",
		    time[ORACLE_CONSERVATIVE], best);
		REQUIRE(time[ORACLE_CONSERVATIVE] <= time_of(&s, ORACLE_AGGRESSIVE, true),
		    "conservative is slower than demand");
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("oracle");

	tcase_add_loop_test(tests, the_table_of_the_papers_rules, 0,
	    sizeof(known) / sizeof(*known));
	tcase_add_test(tests, no_rule_is_worse_than_its_bound);
	return run_tests("oracle", tests);
}
