/*
 * check_invalidate.c - known faults of the protocol invalidate, and random programs
 * against the definitions done word by word with turns.
 */
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"

enum { FAULTS_MAX = 64 };

struct seen {
	char	 letter[FAULTS_MAX + 1];
	unsigned n;
};

static void
see(void *self, const struct fault *f)
{
	struct seen *s = self;

	ck_assert_uint_lt(s->n, FAULTS_MAX);
	s->letter[s->n++] = "ctf"[f->class];
}

/* The faults in order, and upgrades. */
static void
expect(const char *text, const struct way *w, const char *faults, uint64_t upgrades)
{
	struct program	      p = program_of(text);
	struct seen	      s = { 0 };
	struct share_observer observer = { .self = &s, .fault = see };
	struct outcome_of_run o = { 0 };
	struct error	      e;

	ck_assert_int_eq(run_program(&o, &p, w, &observer, &e), 0);
	ck_assert_str_eq(s.letter, faults);
	ck_assert_uint_eq(o.upgrades, upgrades);
	ck_assert_uint_eq(o.cold + o.true_ + o.false_, strlen(faults));
	program_release(&p);
}

START_TEST(writes_of_two_words_of_a_page_fault_falsely)
{
	expect(HEAD "P 0\nA 1 24\nC\nW 1 0 3 0\nP 1\nW 1 1 3 0\n", &(struct way){ 0 }, "ccffff", 0);
}
END_TEST

START_TEST(writes_on_two_pages_fault_once)
{
	expect(HEAD "P 0\nA 1 5000\nC\nW 1 0 3 0\nP 1\nW 1 600 3 0\n", &(struct way){ 0 }, "cc", 0);
}
END_TEST

START_TEST(a_written_word_that_another_reads_upgrades_and_faults_truly)
{
	expect(HEAD "P 0\nA 1 16\nC\nW 1 0 3 0\nP 1\nR 1 0 3 0\n", &(struct way){ 0 }, "cctt", 2);
}
END_TEST

START_TEST(a_write_at_the_very_turn_of_the_loss_makes_the_fault_true)
{
	/* 1 reads words 0 and 1, 0 writes word 1 and takes the page, 1 reads words 1 and 0 again. */
	expect(HEAD "P 0\nA 1 24\nC\nB 1\nW 1 1\nB 2\nP 1\nR 1 0\nR 1 1\nB 1\nB 2\nR 1 1\nR 1 0\n",
	    &(struct way){ 0 }, "cct", 0);
	expect(HEAD "P 0\nA 1 24\nC\nB 1\nW 1 1\nB 2\nP 1\nR 1 0\nR 1 1\nB 1\nB 2\nR 1 0\nR 1 1\n",
	    &(struct way){ 0 }, "ccf", 0);
}
END_TEST

START_TEST(own_writes_before_the_loss_do_not_make_a_fault_true)
{
	/* 0 writes word 0; 1 takes the page to write word 1; 0 reads its own word. */
	expect(HEAD "P 0\nA 1 24\nC\nW 1 0\nB 1\nB 2\nR 1 0\nP 1\nB 1\nW 1 1\nB 2\n",
	    &(struct way){ 0 }, "ccf", 0);
}
END_TEST

START_TEST(with_cold_any_only_the_first_processor_is_cold)
{
	const struct way any = { .cold = COLD_ANY };

	expect(HEAD "P 0\nA 1 24\nC\nW 1 0\nB 1\nP 1\nB 1\nR 1 0\n", &any, "ct", 0);
	expect(HEAD "P 0\nA 1 24\nC\nR 1 0\nB 1\nP 1\nB 1\nR 1 0\n", &any, "cf", 0);
}
END_TEST

START_TEST(from_create_forgets_what_came_before)
{
	const char *text = HEAD "P 0\nA 1 24\nW 1 0\nC\nR 1 0\nP 1\nR 1 1\n";

	expect(text, &(struct way){ 0 }, "cc", 0);
	expect(text, &(struct way){ .from_create = true }, "cc", 0);
	ck_assert_uint_eq(run_of(text, &(struct way){ 0 }).references, 3);
	ck_assert_uint_eq(run_of(text, &(struct way){ .from_create = true }).references, 2);
}
END_TEST

START_TEST(the_degree_of_false_sharing_is_that_of_the_definition)
{
	/* On one page: word 0 by both, word 1 by one of two; word 2 by none. */
	struct outcome_of_run o =
	    run_of(HEAD "P 0\nA 1 32\nC\nR 1 0\nP 1\nR 1 0\nR 1 1\n", &(struct way){ 0 });

	ck_assert_uint_eq(o.sharing.words, 2);
	ck_assert_uint_eq(o.sharing.none, 1);
	ck_assert_uint_eq(o.sharing.bin[4], 1);
	ck_assert_double_eq_tol(o.sharing.mean, 0.25, 1e-12);
}
END_TEST

START_TEST(more_writes_than_generations_are_refused)
{
	struct program	      p = program_of(HEAD "P 0\nA 1 16\n( 4294967295\nW 1 0\n)\nW 1 0\n");
	struct outcome_of_run o;
	struct error	      e = { 0 };

	ck_assert_int_eq(run_program(&o, &p, &(struct way){ 0 }, NULL, &e), -1);
	ck_assert_str_eq(e.text, "t: more than 4294967295 writes");
	program_release(&p);
}
END_TEST

/* ---- against the definitions ---- */

enum { PROCESSORS = 5, OBJECTS = 6, WORDS = 40, EVENTS = 400, PAGE = 64, PAGES = 40 };

struct draft_program {
	char text[PROCESSORS * EVENTS * 16 + 1000];
	struct {
		unsigned word; /* of all objects: at this byte */
		bool	 write;
	} event[PROCESSORS][EVENTS];
};

/* Objects of 8 words of 4 bytes lie end to end, with their tags. */
static unsigned
byte_of(unsigned word)
{
	return word / 8 * 40 + 8 + word % 8 * 4;
}

static void
draw(struct draft_program *d, uint64_t *state)
{
	char *at = d->text;

	at += sprintf(at, "# program t, processors %d, problem p, words of 4 bytes\nP 0\n",
	    PROCESSORS);
	for (unsigned o = 1; o <= OBJECTS; o++)
		at += sprintf(at, "A %u 40\n", o);
	at += sprintf(at, "C\n");
	for (unsigned p = 0; p < PROCESSORS; p++) {
		if (p)
			at += sprintf(at, "P %u\n", p);
		for (unsigned i = 0; i < EVENTS; i++) {
			d->event[p][i].word = random_below(state, OBJECTS * 8);
			d->event[p][i].write = !random_below(state, 3);
			at += sprintf(at, "%c %u %u\n", d->event[p][i].write ? 'W' : 'R',
			    d->event[p][i].word / 8 + 1, d->event[p][i].word % 8);
		}
	}
}

struct model {
	bool		      referenced[WORDS * 8][PROCESSORS];
	uint64_t	      written[WORDS * 8][PROCESSORS]; /* turn of the last write by each */
	uint64_t	      lost[PAGES][PROCESSORS];
	char		      holds[PAGES][PROCESSORS]; /* 0, 'r' or 'w' */
	struct outcome_of_run o;
};

static void
model_fault(struct model *m, unsigned p, unsigned page, unsigned word)
{
	bool other = false;

	for (unsigned q = 0; q < PROCESSORS; q++)
		other |= q != p && m->written[word][q] && m->written[word][q] >= m->lost[page][p];
	if (!m->referenced[word][p])
		m->o.cold++;
	else if (other)
		m->o.true_++;
	else
		m->o.false_++;
}

static void
model_reference(struct model *m, uint64_t turn, unsigned p, unsigned word, bool write)
{
	unsigned page = byte_of(word) / PAGE;

	if (!m->holds[page][p])
		model_fault(m, p, page, word);
	else if (write && m->holds[page][p] == 'r')
		m->o.upgrades++;
	for (unsigned q = 0; q < PROCESSORS; q++) {
		if (q == p || !m->holds[page][q])
			continue;
		if (write)
			m->lost[page][q] = turn;
		m->holds[page][q] = write ? 0 : 'r';
	}
	if (write || !m->holds[page][p])
		m->holds[page][p] = write ? 'w' : 'r';
	m->referenced[word][p] = true;
	if (write)
		m->written[word][p] = turn;
}

START_TEST(random_programs_count_as_the_definitions_say)
{
	static struct draft_program d;
	uint64_t		    state = (uint64_t)_i + 1;
	struct model		    m = { 0 };
	struct outcome_of_run	    o;

	draw(&d, &state);
	for (unsigned i = 0; i < EVENTS; i++) /* C takes a turn of 0, but the order is the same */
		for (unsigned p = 0; p < PROCESSORS; p++) {
			unsigned who = (p + 1) % PROCESSORS;

			model_reference(&m, 1 + i * PROCESSORS + p, who, d.event[who][i].word,
			    d.event[who][i].write);
		}
	o = run_of(d.text, &(struct way){ .page_bytes = PAGE });
	ck_assert_uint_gt(m.o.true_, 0);
	ck_assert_uint_gt(m.o.false_, 0);
	ck_assert_uint_gt(m.o.upgrades, 0);
	ck_assert_uint_eq(o.cold, m.o.cold);
	ck_assert_uint_eq(o.true_, m.o.true_);
	ck_assert_uint_eq(o.false_, m.o.false_);
	ck_assert_uint_eq(o.upgrades, m.o.upgrades);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("invalidate");

	tcase_add_test(tc, writes_of_two_words_of_a_page_fault_falsely);
	tcase_add_test(tc, writes_on_two_pages_fault_once);
	tcase_add_test(tc, a_written_word_that_another_reads_upgrades_and_faults_truly);
	tcase_add_test(tc, a_write_at_the_very_turn_of_the_loss_makes_the_fault_true);
	tcase_add_test(tc, own_writes_before_the_loss_do_not_make_a_fault_true);
	tcase_add_test(tc, with_cold_any_only_the_first_processor_is_cold);
	tcase_add_test(tc, from_create_forgets_what_came_before);
	tcase_add_test(tc, the_degree_of_false_sharing_is_that_of_the_definition);
	tcase_add_test(tc, more_writes_than_generations_are_refused);
	tcase_add_loop_test(tc, random_programs_count_as_the_definitions_say, 0, 20);
	return run_tests("invalidate", tc);
}
