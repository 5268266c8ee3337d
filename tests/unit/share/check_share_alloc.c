/* check_share_alloc.c - memory of a run that runs out, and that does not follow the references. */
#include "tests/unit/allocator.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"

static const char program[] = HEAD
    "P 0\nA 1 16\nA 2 100\nC\nL 1\nW 1 0\nU 1\nS 1\nB 1\n( 3\nW 2 0 1\n)\nJ\nP 1\nV 1\nB 1\nR 2 0\n";

static const char *const protocols[] = { "invalidate", "hlrc:home=block" };

/* Read and run: 0 or -1. */
static int
run_once(const char *text, const char *allocator, const char *protocol, struct error *e)
{
	struct way	      w = { .allocator = allocator, .protocol = protocol };
	struct outcome_of_run o;
	struct program	      p;
	int		      failed;

	if (program_from(&p, text, e))
		return -1;
	failed = run_program(&o, &p, &w, NULL, e);
	program_release(&p);
	return failed;
}

START_TEST(each_refusal_of_memory_is_an_error_and_leaves_nothing)
{
	const struct plugin *a = registry_list(PLUGIN_ALLOCATOR)[_i / 2];
	struct error	     e;

	for (uint64_t n = 1;; n++) {
		int failed;

		e = (struct error){ 0 };
		memset(&watch, 0, sizeof(watch));
		watch.on = true;
		watch.refuse = n;
		failed = run_once(program, a->name, protocols[_i % 2], &e);
		watch.on = false;
		REQUIRE(!watch.held, "%s: refusal %u leaves %d blocks", a->name, (unsigned)n,
		    (int)watch.held);
		if (watch.asked < n) {
			ck_assert_int_eq(failed, 0);
			ck_assert_uint_gt(n, 10);
			return;
		}
		REQUIRE(failed && strstr(e.text, "memory"), "%s: refusal %u: %s", a->name,
		    (unsigned)n, e.text);
	}
}
END_TEST

static uint64_t
bytes_of(const char *text, const char *protocol)
{
	struct error e;

	memset(&watch, 0, sizeof(watch));
	watch.on = true;
	ck_assert_int_eq(run_once(text, "ff", protocol, &e), 0);
	watch.on = false;
	return watch.bytes;
}

START_TEST(memory_does_not_follow_the_references)
{
	ck_assert_uint_eq(bytes_of(HEAD "P 0\nA 1 88\n( 10\n( 10\nW 1 0 1\n)\n)\n", protocols[_i]),
	    bytes_of(HEAD "P 0\nA 1 88\n( 10\n( 99\nW 1 0 1\n)\n)\n", protocols[_i]));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("share_alloc");
	int    n = 0;

	while (registry_list(PLUGIN_ALLOCATOR)[n])
		n++;
	tcase_add_loop_test(tc, each_refusal_of_memory_is_an_error_and_leaves_nothing, 0, 2 * n);
	tcase_add_loop_test(tc, memory_does_not_follow_the_references, 0, 2);
	return run_tests("share_alloc", tc);
}
