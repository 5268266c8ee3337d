/* check_nearest.c - what was probably meant. */
#include <string.h>

#include "sim/base/nearest.h"
#include "tests/unit/support.h"

static const char *
meant(const char *word)
{
	static const char *const known[] = { "lru", "fifo", "clock", "linux24", "cheetah9lp",
		"policies" };
	struct nearest		 n = nearest_to(word);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		nearest_offer(&n, known[i]);
	return n.best ? n.best : "nothing";
}

START_TEST(a_slip_of_the_fingers_is_found)
{
	ck_assert_str_eq(meant("lur"), "lru");	    /* swapped */
	ck_assert_str_eq(meant("lr"), "lru");	    /* left out */
	ck_assert_str_eq(meant("cloock"), "clock"); /* doubled */
	ck_assert_str_eq(meant("fofo"), "fifo");    /* another letter */
	ck_assert_str_eq(meant("linux-24"), "linux24");
	ck_assert_str_eq(meant("polices"), "policies");
}
END_TEST

START_TEST(case_does_not_matter)
{
	ck_assert_str_eq(meant("LRU"), "lru");
	ck_assert_str_eq(meant("Linux24"), "linux24");
}
END_TEST

START_TEST(a_beginning_is_near_whatever_its_length)
{
	ck_assert_str_eq(meant("chee"), "cheetah9lp");
	ck_assert_str_eq(meant("pol"), "policies");
}
END_TEST

START_TEST(a_different_word_suggests_nothing)
{
	ck_assert_str_eq(meant("opt"), "nothing");
	ck_assert_str_eq(meant("x"), "nothing");
	ck_assert_str_eq(meant(""), "nothing");
	ck_assert_str_eq(meant("a-word-that-is-far-longer-than-any-name-of-a-plug-in"), "nothing");
}
END_TEST

static const char *
name_meant(const char *word)
{
	static const char *const    known[] = { "lru", "fifo", "clock", "linux24", "sptf", "raid5",
		   "hc310" };
	static const struct synonym synonyms[] = { { "sstf", "sptf", NULL },
		{ "linux*", "ondemand", "a remark" }, { "man", NULL, "a page" } };
	struct nearest		    n = nearest_to(word);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		nearest_offer_name(&n, known[i]);
	for (size_t i = 0; i < sizeof(synonyms) / sizeof(*synonyms); i++)
		nearest_translate(&n, &synonyms[i]);
	return n.best ? n.best : "nothing";
}

START_TEST(another_name_is_not_a_slip)
{
	static const char *const other[] = { "s3fifo", "sieve", "lirs", "tinylfu", "wtinylfu",
		"gdsf", "lfu", "mru", "slru", "lruk", "lru-k", "arc", "lifo", "raid6", "raid10",
		"look", "man" };

	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++)
		ck_assert_msg(!strcmp(name_meant(other[i]), "nothing"), "%s", other[i]);
	ck_assert_str_eq(name_meant("lur"), "lru");
	ck_assert_str_eq(name_meant("LRU"), "lru");
	ck_assert_str_eq(name_meant("fio"), "fifo");
	ck_assert_str_eq(name_meant("ffio"), "fifo");
	ck_assert_str_eq(name_meant("clokc"), "clock");
	ck_assert_str_eq(name_meant("cloak"), "clock");
	ck_assert_str_eq(name_meant("lniux24"), "linux24");
	ck_assert_str_eq(name_meant("hc31"), "hc310");
}
END_TEST

START_TEST(a_synonym_is_translated)
{
	ck_assert_str_eq(name_meant("SSTF"), "sptf");
	ck_assert_str_eq(name_meant("linux6.8"), "ondemand");
	ck_assert_str_eq(name_meant("linux-24"), "linux24"); /* rather than a beginning */
}
END_TEST

START_TEST(the_error_says_what_was_typed_and_what_may_have_been_meant)
{
	struct nearest n = nearest_to("lur");
	struct error   e = { 0 };

	ck_assert_int_eq(nearest_error(&n, "policy", "see: bufsim list", &e), -1);
	ck_assert_str_eq(e.text, "unknown policy 'lur'; see: bufsim list");
	nearest_offer(&n, "lru");
	ck_assert_int_eq(nearest_error(&n, "policy", "see: bufsim list", &e), -1);
	ck_assert_str_eq(e.text, "unknown policy 'lur'; did you mean 'lru'?");
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("nearest");

	tcase_add_test(tc, a_slip_of_the_fingers_is_found);
	tcase_add_test(tc, case_does_not_matter);
	tcase_add_test(tc, a_beginning_is_near_whatever_its_length);
	tcase_add_test(tc, a_different_word_suggests_nothing);
	tcase_add_test(tc, another_name_is_not_a_slip);
	tcase_add_test(tc, a_synonym_is_translated);
	tcase_add_test(tc, the_error_says_what_was_typed_and_what_may_have_been_meant);
	return run_tests("nearest", tc);
}
