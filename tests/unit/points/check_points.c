/* check_points.c - results come in order, errors begin with the name of their point. */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/memo.h"
#include "sim/points/points.h"
#include "tests/unit/support.h"

enum { POINTS = 50 };

static struct error error;
static pid_t	    parent;

/* "i,": the later, the sooner it is there. */
static int
make_text(void *self, size_t i, FILE *out, struct error *e)
{
	const struct timespec t = { .tv_nsec = (long)((POINTS - i) % 4 * 1000000) };

	nanosleep(&t, NULL);
	fprintf(out, "%zu,", i);
	return 0;
}

/* With any number of workers, and with none. */
static const unsigned jobs[] = { 0, 1, 3, 100 };

START_TEST(texts_are_written_in_order)
{
	const struct points p = { .n = POINTS, .jobs = jobs[_i], .make = make_text };
	char		    expected[POINTS * 4] = "";
	struct memo	    m;

	for (int i = 0; i < POINTS; i++)
		sprintf(expected + strlen(expected), "%d,", i);
	ck_assert_int_eq(memo_open(&m, &error), 0);
	ck_assert_int_eq(points_print(&p, point_to_file, m.out, &error), 0);
	ck_assert_int_eq(memo_close(&m, &error), 0);
	ck_assert_str_eq(m.text, expected);
	free(m.text);
}
END_TEST

static int
make_square(void *self, size_t i, FILE *out, struct error *e)
{
	uint64_t result = i * i;

	ck_assert(*(const unsigned *)self ? getpid() != parent : getpid() == parent);
	fwrite(&result, sizeof(result), 1, out);
	return 0;
}

START_TEST(results_lie_where_they_belong)
{
	unsigned	    workers = jobs[_i];
	const struct points p = { .n = POINTS,
		.jobs = workers,
		.self = &workers,
		.make = make_square };
	struct {
		uint64_t other, square;
	} result[POINTS] = { 0 };

	parent = getpid();
	ck_assert_int_eq(points_collect(&p, &result->square, sizeof(result->square),
			     sizeof(*result), &error),
	    0);
	for (size_t i = 0; i < POINTS; i++) {
		ck_assert_uint_eq(result[i].square, i * i);
		ck_assert_uint_eq(result[i].other, 0);
	}
}
END_TEST

static int
fail_at_5(void *self, size_t i, FILE *out, struct error *e)
{
	return i == 5 ? error_usage(e, "is bad") : make_text(self, i, out, e);
}

static void
name(const void *self, size_t i, char name[POINT_NAME])
{
	snprintf(name, POINT_NAME, "%s %zu", (const char *)self, i);
}

static void
no_name(const void *self, size_t i, char name[POINT_NAME])
{
}

START_TEST(an_error_begins_with_the_name_of_its_point)
{
	char	      self[] = "point";
	struct points p = { .n = POINTS, .jobs = jobs[_i], .self = self, .make = fail_at_5 };
	static const char *const expected[] = { "is bad", "is bad", "point 5: is bad" };
	FILE			*out = tmpfile();

	for (int k = 0; k < 3; k++) {
		p.name = k == 2 ? name : k == 1 ? no_name : NULL;
		error = (struct error){ 0 };
		ck_assert_int_eq(points_print(&p, point_to_file, out, &error), -1);
		ck_assert_str_eq(error.text, expected[k]);
		ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	}
	fclose(out);
}
END_TEST

static int
write_three(void *to, const char *text, size_t bytes, struct error *e)
{
	int *n = to;

	return (*n)++ == 3 ? error_set(e, "the disk is full") : 0;
}

START_TEST(nothing_is_written_after_an_error_of_writing)
{
	const struct points p = { .n = POINTS, .jobs = jobs[_i], .make = make_text };
	int		    n = 0;

	ck_assert_int_eq(points_print(&p, write_three, &n, &error), -1);
	ck_assert_str_eq(error.text, "the disk is full");
	ck_assert_int_eq(n, 4);
}
END_TEST

START_TEST(no_points_are_no_work)
{
	const struct points p = { .jobs = jobs[_i] };

	ck_assert_int_eq(points_print(&p, point_to_file, NULL, &error), 0);
	ck_assert_int_eq(points_collect(&p, NULL, 8, 8, &error), 0);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("points");
	int    n = sizeof(jobs) / sizeof(*jobs);

	tcase_add_loop_test(tests, texts_are_written_in_order, 0, n);
	tcase_add_loop_test(tests, results_lie_where_they_belong, 0, n);
	tcase_add_loop_test(tests, an_error_begins_with_the_name_of_its_point, 0, n);
	tcase_add_loop_test(tests, nothing_is_written_after_an_error_of_writing, 0, n);
	tcase_add_loop_test(tests, no_points_are_no_work, 0, n);
	return run_tests("points", tests);
}
