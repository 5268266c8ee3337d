/* check_memory.c - tables are zeroed, and in huge pages where there are any. */
#define _GNU_SOURCE /* for machine_shows.h */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "tests/machine_shows.h"
#include "tests/unit/support.h"

enum { MEGABYTE = 1 << 20, BYTES = 16 * MEGABYTE };

START_TEST(a_table_is_zeroed_and_may_be_small_or_large)
{
	for (size_t bytes = 1; bytes <= BYTES; bytes *= 16) {
		char *table = memory_table(bytes, 1);

		ck_assert_ptr_nonnull(table);
		for (size_t i = 0; i < bytes; i++)
			REQUIRE(!table[i], "byte %zu of %zu", i, bytes);
		memset(table, 1, bytes);
		free(table);
	}
}
END_TEST

/* Does the system give huge pages on request? */
static bool
huge_pages_on_request(void)
{
	char  line[80] = "";
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");

	if (!f)
		return false;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	return strstr(line, "[madvise]") && !access("/proc/self/smaps", R_OK);
}

/* Has the system taken the advice for the mapping that holds p? */
static bool
huge_if_possible(const void *p)
{
	unsigned long from, to;
	char	      line[256];
	bool	      inside = false, huge = false;
	FILE	     *f = fopen("/proc/self/smaps", "r");

	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			inside = (uintptr_t)p >= from && (uintptr_t)p < to;
		else if (inside && !strncmp(line, "VmFlags:", 8))
			huge = strstr(line, " hg") != NULL;
	}
	fclose(f);
	return huge;
}

/* In a vast one a touch here and there must not cost a huge page each. */
START_TEST(a_large_table_asks_for_huge_pages_and_a_small_or_vast_one_does_not)
{
	char *large = memory_table(BYTES / 4, 4), *small = memory_table(10, 4);
	char *vast = memory_table((size_t)1 << 30, 4);

	ck_assert_ptr_nonnull(large);
	ck_assert_ptr_nonnull(small);
	ck_assert_ptr_nonnull(vast);
	ck_assert(!huge_if_possible(vast + BYTES));
	free(vast);
	ck_assert(huge_if_possible(large));
	ck_assert(huge_if_possible(large + BYTES - 1));
	ck_assert(!huge_if_possible(small));
	free(large);
	free(small);
}
END_TEST

START_TEST(this_machine_has_memory)
{
	ck_assert_uint_gt(memory_bytes(), MEGABYTE);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("memory");

	tcase_add_test(tests, a_table_is_zeroed_and_may_be_small_or_large);
	if (!huge_pages_on_request())
		puts("skipped: huge pages are not given on request here");
	else if (machine_shows("/tmp", 1, (bool (*const[])(struct shows *)){ shows_memory }))
		tcase_add_test(tests,
		    a_large_table_asks_for_huge_pages_and_a_small_or_vast_one_does_not);
	tcase_add_test(tests, this_machine_has_memory);
	return run_tests("memory", tests);
}
