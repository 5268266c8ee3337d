/* check_share_alloc.c - memory of a run that runs out, and that does not follow the references. */
#include "sim/studies/share/model/registry.h"
#include "sim/studies/share/model/summary.h"
#include "tests/unit/allocator.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"

static const char program[] = HEAD
    "P 0\nA 1 16\nA 2 100\nC\nL 1\nW 1 0\nU 1\nS 1\nB 1\n( 3\nW 2 0 1\n)\nJ\nP 1\nV 1\nB 1\nR 2 0\n";

static const char *const protocols[] = { "invalidate", "hlrc:home=block" };

struct setting {
	const char *text, *allocator, *protocol;
};

static int
read_and_run(const void *from, struct error *e)
{
	const struct setting *s = from;
	struct way	      w = { .allocator = s->allocator, .protocol = s->protocol };
	struct outcome_of_run o;
	struct program	      p;
	int		      failed;

	if (program_parse(&p, s->text, strlen(s->text), e))
		return -1;
	failed = run_program(&o, &p, &w, NULL, e);
	program_release(&p);
	return failed;
}

START_TEST(each_refusal_of_memory_is_an_error_and_leaves_nothing)
{
	const struct setting s = { program, PLUGIN_ALLOCATOR->list[_i / 2]->name,
		protocols[_i % 2] };

	ck_assert_uint_gt(watch_refusals(read_and_run, &s), 9);
}
END_TEST

static int
make_and_describe(const void *kind, struct error *e)
{
	struct program p;
	struct summary s;
	int	       failed;

	if (make_kind(&p, kind, e))
		return -1;
	failed = summary_make(&s, &p, 4096, e);
	if (!failed)
		summary_release(&s);
	program_release(&p);
	return failed;
}

START_TEST(so_is_each_refusal_to_a_kind_of_sharing_and_its_summary)
{
	ck_assert_uint_gt(watch_refusals(make_and_describe, "runs:users=2,rounds=1"), 9);
}
END_TEST

START_TEST(memory_does_not_follow_the_references)
{
	const struct setting few = { HEAD "P 0\nA 1 88\n( 10\n( 10\nW 1 0 1\n)\n)\n", "ff",
		protocols[_i] };
	const struct setting many = { HEAD "P 0\nA 1 88\n( 10\n( 99\nW 1 0 1\n)\n)\n", "ff",
		protocols[_i] };

	ck_assert_uint_eq(watch_bytes(read_and_run, &few), watch_bytes(read_and_run, &many));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("share_alloc");
	int    n = 0;

	while (PLUGIN_ALLOCATOR->list[n])
		n++;
	tcase_add_loop_test(tc, each_refusal_of_memory_is_an_error_and_leaves_nothing, 0, 2 * n);
	tcase_add_loop_test(tc, memory_does_not_follow_the_references, 0, 2);
	tcase_add_test(tc, so_is_each_refusal_to_a_kind_of_sharing_and_its_summary);
	return run_tests("share_alloc", tc);
}
