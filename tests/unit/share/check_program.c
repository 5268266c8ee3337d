/* check_program.c - the text form: its code, its events, its errors, and back. */
#include <unistd.h>

#include "sim/base/output.h"
#include "sim/studies/share/model/cursor.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"

enum { EVENTS_ROOM = 4096 };

static const char tiny[] = "tests/data/share/tiny.txt";

/* ---- events ---- */

/* The events of a processor: "A1 W1:0 L1 R1:0 ...". */
static void
write_events(char text[EVENTS_ROOM], const struct program *p, unsigned processor)
{
	struct cursor c;
	struct event  v;
	size_t	      n = 0;

	*text = '\0';
	cursor_start(&c, p, processor);
	while ((v = cursor_next(&c)).kind != CODE_END) {
		n += (size_t)snprintf(text + n, EVENTS_ROOM - n, "%s%c%u", n ? " " : "",
		    "-RW---ALUBSVCJ-"[v.kind], v.object);
		if (v.kind == CODE_READ || v.kind == CODE_WRITE)
			n += (size_t)snprintf(text + n, EVENTS_ROOM - n, ":%u", v.word);
	}
	ck_assert_int_eq(cursor_next(&c).kind, CODE_END);
}

static void
expect_events(const char *text, const char *events)
{
	struct program p = program_of(text);
	char	       made[EVENTS_ROOM];

	write_events(made, &p, 0);
	ck_assert_str_eq(made, events);
	program_release(&p);
}

START_TEST(all_events_of_the_example)
{
	struct program p;
	struct error   e;
	char	       text[EVENTS_ROOM];

	ck_assert_msg(!program_read(&p, tiny, &e), "%s", e.text);
	ck_assert_str_eq(p.name, "tiny");
	ck_assert_str_eq(p.problem, "hand-written example");
	ck_assert_uint_eq(p.processors, 2);
	ck_assert_uint_eq(p.word_bytes, 8);
	ck_assert_uint_eq(p.nobjects, 2);
	ck_assert_uint_eq(p.nwords, 10);
	ck_assert_uint_eq(p.nreferences, 24);
	ck_assert_uint_eq(p.nwrites, 12);
	write_events(text, &p, 0);
	ck_assert_str_eq(text,
	    "A1 A2 W1:0 W1:1 W1:2 W1:3 W1:4 W1:5 W1:6 W1:7 C0 L0 R1:0 W2:0 R1:1 W2:0 R1:2 W2:0 U0 "
	    "S0 B0 R1:0 R1:1 R1:4 R1:5 J0");
	write_events(text, &p, 1);
	ck_assert_str_eq(text, "L0 R2:0 U0 V0 W2:1 B0 R1:7 R1:5 R1:3 R1:1");
	program_release(&p);
}
END_TEST

START_TEST(loops_nest_and_strides_belong_to_the_outermost_first)
{
	expect_events(HEAD "P 0\nA 1 808\n( 2\n( 2\nR 1 50 10 -1\n)\nW 1 0 1\n)\n",
	    "A1 R1:50 R1:49 W1:0 R1:60 R1:59 W1:1");
	expect_events(HEAD "P 0\nA 1 808\n( 2\n( 1\n( 1\n( 2\nR 1 9 0 0 0 1\n)\n)\n)\n)\n",
	    "A1 R1:9 R1:10 R1:9 R1:10");
	expect_events(HEAD "P 0\nA 1 808\nW 1 8 3 -4\nR 1 7\n", "A1 W1:8 W1:4 W1:0 R1:7");
}
END_TEST

START_TEST(a_thousand_million_references_take_no_memory)
{
	struct program p = program_of(
	    HEAD "P 0\nA 1 16\n( 1000\n( 1000\n( 1000\nR 1 0\n)\n)\nW 1 0\n)\n( 4000000000\n( "
		 "4000000000\n( 4000000000\nW 1 0\n)\n)\n)\n");

	ck_assert_uint_lt(p.ncode, 100);
	ck_assert_uint_eq(p.nreferences, UINT64_MAX);
	program_release(&p);
}
END_TEST

START_TEST(ids_may_be_large_and_each_set_has_its_own)
{
	expect_events(HEAD "P 0\nL 4000000000\nB 4000000000\nU 4000000000\nL 7\nS 9\n",
	    "L0 B0 U0 L1 S0");
}
END_TEST

START_TEST(comments_blank_lines_and_carriage_returns_change_nothing)
{
	expect_events(HEAD "\n# note\nP 0\r\n\nA 1 16\r\n  # more\n R  1\t0 \n", "A1 R1:0");
}
END_TEST

START_TEST(an_instruction_knows_its_line)
{
	struct program p =
	    program_of(HEAD "P 0\nA 1 80\nR 1 0 4 1\n( 2\nR 1 0 1\n)\n\n# note\nW 1 0\nW 1 1\nC\n");
	const uint64_t	line[] = { 3, 4, 5, 6, 7, 10, 11, 12 };
	const uint32_t *at = p.code + p.start[0];
	unsigned	n = 0;

	for (; code_kind(*at) != CODE_END; at += code_length(*at)) {
		if (code_kind(*at) == CODE_LINE)
			continue;
		ck_assert_uint_eq(program_line(&p, 0, at), line[n++]);
		if (code_kind(*at) == CODE_RUN) { /* its reference and its end are on its line */
			at += code_length(*at);
			at += code_length(*at);
		}
	}
	ck_assert_uint_eq(n, sizeof(line) / sizeof(*line));
	program_release(&p);
}
END_TEST

/* ---- back to text ---- */

static char *
written(const struct program *p, const char *path)
{
	struct error   e;
	struct output *out = output_open(path, &e);
	static char    text[EVENTS_ROOM];
	FILE	      *f;
	size_t	       n;

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(program_write(p, out, &e), 0);
	ck_assert_int_eq(output_commit(out, NULL, &e), 0);
	f = fopen(path, "r");
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	unlink(path);
	return text;
}

START_TEST(writing_gives_the_same_lines)
{
	static const char *const texts[] = {
		HEAD
		"P 0\nA 1 80\nW 1 0 8 1\nC\nL 1\n( 3\nR 1 0 1\nW 1 0\n)\nU 1\nS 1\nB 1\n( 2\n( 2\nR 1 0 4 1\n)\n)\nJ\nP 1\nV 1\nB 1\nR 1 7 4 -2\nR 1 7 1 0\n",
		HEAD "P 1\nL 4000000000\nP 0\nC\n",
	};
	char path[] = "/tmp/check_program_XXXXXX";

	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct program p = program_of(texts[i]), q;
		char	      *text = written(&p, path);

		if (!i)
			ck_assert_str_eq(text, texts[i]);
		q = program_of(text); /* the sections are in the order of processors */
		ck_assert_str_eq(written(&q, path), text);
		program_release(&p);
		program_release(&q);
	}
}
END_TEST

/* ---- errors ---- */

static const struct {
	const char *text, *message;
} wrong[] = {
	{ "", "is empty" },
	{ "P 0\n",
	    "line 1: the first line is not '# program NAME, processors N, problem TEXT, words of B bytes'" },
	{ "# program t, processors 65, problem p, words of 8 bytes\n",
	    "line 1: processors: the number is not between 1 and 64" },
	{ "# program t, processors 0, problem p, words of 8 bytes\n",
	    "line 1: processors: the number is not between 1 and 64" },
	{ "# program t, processors 2, problem p, words of 3 bytes\n",
	    "line 1: the bytes of a word are not 1, 2, 4 or 8" },
	{ "# program t, processors 2x, problem p, words of 8 bytes\n",
	    "line 1: processors: the number is not between 1 and 64" },
	{ "# program t, processors 2, problem p, words of 8x bytes\n",
	    "line 1: the bytes of a word are not 1, 2, 4 or 8" },
	{ HEAD "# nothing\n", "line 2: nothing follows; no P names a processor" },
	{ HEAD "R 1 0\n", "line 2: R before the first P, which names its processor" },
	{ HEAD "P 2\n", "line 2: processor 2: the trace has 2, from 0 to 1" },
	{ HEAD "P 0\nP 1\nP 0\n", "line 4: a second section of processor 0" },
	{ HEAD "P 0\nX 1\n", "line 3: 'X' is not one of P A R W ( ) L U B S V C J" },
	{ HEAD "P 0\nRW 1\n", "line 3: 'RW' is not one of P A R W ( ) L U B S V C J" },
	{ HEAD "P 0\nU 7\n", "line 3: processor 0 unlocks 7, which it does not hold" },
	{ HEAD "P 0\nL 7\nP 1\nU 7\n", "line 5: processor 1 unlocks 7, which it does not hold" },
	{ HEAD "P 0\nL 7\nL 7\n", "line 4: processor 0 locks 7, which it holds" },
	{ HEAD "P 0\nA 1 16\n( 3\nR 1 0\n", "the loop of line 4 is not closed" },
	{ HEAD "P 0\nA 1 16\n( 3\nR 1 0\nP 1\n", "line 6: the loop of line 4 is not closed" },
	{ HEAD "P 0\n)\n", "line 3: a loop ends here, and none is open" },
	{ HEAD "P 0\n( 1\n( 1\n( 1\n( 1\n( 1\n", "line 7: more than 4 loops inside each other" },
	{ HEAD "P 0\n( 2\n)\n", "line 4: there is nothing in the loop of line 3" },
	{ HEAD "P 0\n( 2\n# x\n\n)\n", "line 6: there is nothing in the loop of line 3" },
	{ HEAD "P 0\n( 0\n", "line 3: number of times: 0 is too small (at least 1)" },
	{ HEAD "P 0\n( 2\nB 1\n",
	    "line 4: B in the loop of line 3, which holds R, W and loops only" },
	{ HEAD "P 0\n( 2\nR 1 0 1 1\n", "line 4: more strides than loops, which are 1" },
	{ HEAD "P 0\nR 1 0 3\n", "line 3: stride: is missing" },
	{ HEAD "P 0\nR 1\n", "line 3: word: is missing" },
	{ HEAD "P 0\nR 1 0 3 1 1\n", "line 3: '1' is too much on this line" },
	{ HEAD "P 0\nR 1 -1\n", "line 3: word: -1 is negative" },
	{ HEAD "P 0\nR 1 4294967296\n",
	    "line 3: word: 4294967296 is too large (at most 4294967295)" },
	{ HEAD "P 0\nA 1 8\n", "line 3: size: 8 is too small (at least 9)" },
	{ HEAD "P 0\nA 1 16\nP 1\nA 1 16\n",
	    "line 5: object 1 is requested again: line 3 requests it" },
	{ HEAD "P 0\nA 2 16\n", "line 3: there is an object 2, but object 1 is never requested" },
	{ HEAD "P 0\nR 1 0\n", "line 3: object 1 is never requested" },
	{ HEAD "P 0\nR 1 0\nA 1 16\n",
	    "line 3: object 1 is referenced before its request in line 4" },
	{ HEAD "P 0\nA 1 24\nR 1 2\n",
	    "line 4: word 2 is outside of object 1, whose words are 0 to 1" },
	{ HEAD "P 0\nA 1 24\n( 2\n( 3\nR 1 0 1 1\n)\n)\n",
	    "line 6: word 3 is outside of object 1, whose words are 0 to 1" },
	{ HEAD "P 0\nA 1 24\nR 1 1 3 -1\n",
	    "line 4: word -1 is outside of object 1, whose words are 0 to 1" },
	{ HEAD "P 1\nC\n", "line 3: C belongs to processor 0, not to 1" },
	{ HEAD "P 0\nC\nC\n", "line 4: a second C" },
	{ HEAD "P 0\nJ\n", "line 3: J without a C before it" },
	{ HEAD "P 0\nC\nJ\nJ\n", "line 5: a second J" },
	{ HEAD "P 0\nP 1\nB 1\n", "line 3: processor 1 never starts: there is no C" },
};

START_TEST(what_is_wrong_is_said_with_its_line)
{
	struct program p;
	struct error   e = { 0 };

	ck_assert_int_eq(program_parse(&p, wrong[_i].text, strlen(wrong[_i].text), &e), -1);
	ck_assert_str_eq(e.text, wrong[_i].message);
}
END_TEST

START_TEST(a_file_that_is_missing_is_named)
{
	struct program p;
	struct error   e = { 0 };

	ck_assert_int_eq(program_read(&p, "tests/data/share/none.txt", &e), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "tests/data/share/none.txt"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("program");

	tcase_add_test(tc, all_events_of_the_example);
	tcase_add_test(tc, loops_nest_and_strides_belong_to_the_outermost_first);
	tcase_add_test(tc, a_thousand_million_references_take_no_memory);
	tcase_add_test(tc, ids_may_be_large_and_each_set_has_its_own);
	tcase_add_test(tc, comments_blank_lines_and_carriage_returns_change_nothing);
	tcase_add_test(tc, an_instruction_knows_its_line);
	tcase_add_test(tc, writing_gives_the_same_lines);
	tcase_add_loop_test(tc, what_is_wrong_is_said_with_its_line, 0,
	    sizeof(wrong) / sizeof(*wrong));
	tcase_add_test(tc, a_file_that_is_missing_is_named);
	return run_tests("program", tc);
}
