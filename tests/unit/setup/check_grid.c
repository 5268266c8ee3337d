/* check_grid.c - lists are taken apart at the right commas, and every combination comes once. */
#include <stdio.h>
#include <string.h>

#include "sim/setup/grid.h"
#include "tests/unit/support.h"

static struct grid    grid;
static struct options options;
static struct error   error;

/* A command as typed; its words are separated by single blanks. */
static int
start_of(enum command_id command, const char *text)
{
	static char line[512];
	char	   *argv[32];
	int	    argc = 0;

	snprintf(line, sizeof(line), "%s trace %s", command_info[command].name, text);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	error = (struct error){ 0 };
	ck_assert_int_eq(options_parse(&options, command, argc, argv, &error), 0);
	return grid_init(&grid, command, &options, &error);
}

static int
start(const char *text)
{
	return start_of(COMMAND_SWEEP, text);
}

static void
values_are(enum option_id id, const char *expected)
{
	char got[512] = "";

	for (unsigned v = 0; v < grid.nvalues[id]; v++) {
		strcat(got, v ? " " : "");
		strcat(got, grid.value[id][v]);
	}
	ck_assert_str_eq(got, expected);
}

START_TEST(without_lists_there_is_one_point_of_defaults)
{
	ck_assert_int_eq(start(""), 0);
	ck_assert_uint_eq(grid.npoints, 1);
	ck_assert_int_eq(grid_point(&grid, 0, &options, &error), 0);
	ck_assert_str_eq(options.policy, "lru");
	ck_assert_uint_eq(options.cache.n, 64 << 20);
	ck_assert_uint_eq(options.queue, 128);
	grid_release(&grid);
}
END_TEST

START_TEST(parameters_stay_with_their_name)
{
	static const struct {
		const char *typed, *values;
	} list[] = {
		{ "none,linux24", "none linux24" },
		{ "linux24:max=31,min=3,none", "linux24:max=31,min=3 none" },
		{ "none,linux24:max=31,min=3", "none linux24:max=31,min=3" },
		{ "linux24:max=31,linux24:max=63,min=1", "linux24:max=31 linux24:max=63,min=1" },
		{ "iprp+linux24,none", "iprp+linux24 none" },
		{ "none,iprp:threshold=4,alpha=0.5+linux24:max=31,min=3",
		    "none iprp:threshold=4,alpha=0.5+linux24:max=31,min=3" },
		{ "iprp:threshold=4,alpha=50%+none,iprp", "iprp:threshold=4,alpha=50%+none iprp" },
		{ "iprp+linux24:max=31,min=3,iprp+obl", "iprp+linux24:max=31,min=3 iprp+obl" },
		{ "iprp:threshold=4+linux24,iprp:threshold=8,alpha=1",
		    "iprp:threshold=4+linux24 iprp:threshold=8,alpha=1" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		char text[128];

		snprintf(text, sizeof(text), "--prefetch %s", list[i].typed);
		ck_assert_int_eq(start(text), 0);
		values_are(OPTION_prefetch, list[i].values);
		grid_release(&grid);
	}
}
END_TEST

START_TEST(sizes_take_ranges)
{
	ck_assert_int_eq(start("--cache 1M:8M:x2,9b --request 4K,8b"), 0);
	values_are(OPTION_cache, "1M 2M 4M 8M 9b");
	values_are(OPTION_request, "4K 8b");
	ck_assert_uint_eq(grid.npoints, 10);
	grid_release(&grid);
}
END_TEST

START_TEST(the_first_option_changes_fastest_and_all_combinations_differ)
{
	static const struct {
		uint64_t    cache;
		const char *policy;
		unsigned    writes;
	} expected[] = { { 4, "lru", 0 }, { 8, "lru", 0 }, { 4, "fifo", 0 }, { 8, "fifo", 0 },
		{ 4, "lru", 1 }, { 8, "lru", 1 }, { 4, "fifo", 1 }, { 8, "fifo", 1 } };

	ck_assert_int_eq(start("--writes back,through --policy lru,fifo --cache 4b,8b"), 0);
	ck_assert_uint_eq(grid.npoints, 8);
	for (uint64_t i = 0; i < 8; i++) {
		ck_assert_int_eq(grid_point(&grid, i, &options, &error), 0);
		ck_assert_uint_eq(options.cache.n, expected[i].cache);
		ck_assert_str_eq(options.policy, expected[i].policy);
		ck_assert_str_eq(options.text[OPTION_policy], expected[i].policy);
		ck_assert_uint_eq(options.writes, expected[i].writes);
	}
	grid_release(&grid);
}
END_TEST

START_TEST(what_is_wrong_with_a_list_is_a_usage_error)
{
	static const char *const wrong[] = { "--policy lru,,fifo", "--policy lru,", "--policy ,",
		"--cache 4b,,8b", "--cache 8b:4b:x2" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_msg(start(wrong[i]) < 0, "%s", wrong[i]);
		ck_assert_int_eq(error.exit_code, EXIT_USAGE);
		ck_assert_int_eq(strncmp(error.text, wrong[i], 7), 0);
	}
}
END_TEST

START_TEST(a_bad_value_is_found_when_its_turn_comes)
{
	ck_assert_int_eq(start("--writes back,trough --queue 5,x"), 0);
	ck_assert_int_eq(grid_point(&grid, 0, &options, &error), 0);
	ck_assert_int_eq(grid_point(&grid, 1, &options, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "through"));
	ck_assert_int_eq(grid_point(&grid, 2, &options, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "--queue"));
	grid_release(&grid);
}
END_TEST

START_TEST(share_has_lists_of_its_own)
{
	ck_assert_int_eq(start_of(COMMAND_SHARE,
			     "--allocator size:spanning=no,ff --page 64:4K:x8 --from start,create"),
	    0);
	ck_assert_uint_eq(grid.npoints, 2 * 3 * 2);
	values_are(OPTION_allocator, "size:spanning=no ff");
	values_are(OPTION_page, "64 512 4K");
	ck_assert_uint_eq(grid.nvalues[OPTION_policy], 0);
	grid_release(&grid);
	ck_assert_int_eq(start(""), 0);
	ck_assert_uint_eq(grid.nvalues[OPTION_allocator], 0);
	grid_release(&grid);
	ck_assert(option_takes_list(&option_info[OPTION_page], COMMAND_SHARE));
	ck_assert(!option_takes_list(&option_info[OPTION_page], COMMAND_SWEEP));
	ck_assert(!option_takes_list(&option_info[OPTION_policy], COMMAND_SHARE));
}
END_TEST

START_TEST(a_combination_is_named_by_what_differs)
{
	char name[64] = "csq", shorter[10] = "";

	ck_assert_int_eq(start("--cache 4M,8M --policy lru --device ssd,disk"), 0);
	grid_name(&grid, 3, name, sizeof(name));
	ck_assert_str_eq(name, "csq --cache 8M --device disk");
	grid_name(&grid, 0, shorter, sizeof(shorter));
	ck_assert_str_eq(shorter, "--cache 4");
	grid_release(&grid);
	*name = '\0';
	ck_assert_int_eq(start("--cache 4M"), 0);
	grid_name(&grid, 0, name, sizeof(name));
	ck_assert_str_eq(name, "");
	grid_release(&grid);
}
END_TEST

START_TEST(points_are_combinations_of_each_input)
{
	size_t n;

	ck_assert_int_eq(start("--cache 4M,8M --policy lru,fifo"), 0);
	ck_assert_int_eq(grid_count(&grid, 3, 12, &n, &error), 0);
	ck_assert_uint_eq(n, 12);
	ck_assert_int_eq(grid_count(&grid, 3, 11, &n, &error), -1);
	ck_assert_str_eq(error.text, "more than 11 points: use shorter lists");
	ck_assert_int_eq(grid_count(&grid, UINT64_MAX, 11, &n, &error), -1);
	grid_release(&grid);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("grid");

	tcase_add_test(tests, without_lists_there_is_one_point_of_defaults);
	tcase_add_test(tests, parameters_stay_with_their_name);
	tcase_add_test(tests, sizes_take_ranges);
	tcase_add_test(tests, the_first_option_changes_fastest_and_all_combinations_differ);
	tcase_add_test(tests, what_is_wrong_with_a_list_is_a_usage_error);
	tcase_add_test(tests, share_has_lists_of_its_own);
	tcase_add_test(tests, a_bad_value_is_found_when_its_turn_comes);
	tcase_add_test(tests, a_combination_is_named_by_what_differs);
	tcase_add_test(tests, points_are_combinations_of_each_input);
	return run_tests("grid", tests);
}
