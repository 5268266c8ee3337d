/* check_layout.c - from block to sector, packed and as AccuSim placed files. */
#include "sim/core/layout.h"
#include "tests/unit/support.h"

enum { ACCUSIM_CAPACITY = 17783240 };

static struct draft  draft;
static struct layout layout;
static struct error  error;

static int
lay_out(enum layout_kind kind, uint64_t capacity)
{
	error = (struct error){ 0 };
	return layout_init(&layout, kind, &draft.trace, capacity, &error);
}

/* Where block `index` of file i starts. */
static uint64_t
sector(file_t i, uint32_t index)
{
	return layout_sector(&layout, draft.file[i].base + index);
}

static void
setup(void)
{
	draft_start(&draft);
}

START_TEST(packed_files_lie_end_to_end_from_sector_0)
{
	draft_file(&draft, 900, 3);
	draft_file(&draft, 7, 1);
	draft_file(&draft, 8, 5);
	ck_assert_int_eq(lay_out(LAYOUT_PACKED, 1000), 0);
	ck_assert_uint_eq(sector(0, 0), 0);
	ck_assert_uint_eq(sector(0, 2), 16);
	ck_assert_uint_eq(sector(1, 0), 24);
	ck_assert_uint_eq(sector(2, 0), 32);
	ck_assert_uint_eq(sector(2, 4), 64);
}
END_TEST

START_TEST(a_device_of_exactly_the_files_size_holds_them_and_no_smaller_one_does)
{
	draft_file(&draft, 1, 1000);
	draft_file(&draft, 2, 1);
	ck_assert_int_eq(lay_out(LAYOUT_PACKED, 1001 * 8), 0);
	ck_assert_uint_eq(sector(1, 0) + 8, 1001 * 8);
	ck_assert_int_eq(lay_out(LAYOUT_PACKED, 1001 * 8 - 1), -1);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	ck_assert_str_eq(error.text, "the files take 4.1 MB, but the device holds 4.1 MB");
}
END_TEST

START_TEST(a_larger_block_takes_more_sectors)
{
	draft.trace.block_bytes = 65536;
	draft.trace.block_shift = 16;
	draft_file(&draft, 1, 3);
	draft_file(&draft, 2, 1);
	ck_assert_int_eq(lay_out(LAYOUT_PACKED, 4 * 128), 0);
	ck_assert_uint_eq(sector(0, 1), 128);
	ck_assert_uint_eq(sector(1, 0), 384);
	ck_assert_int_eq(lay_out(LAYOUT_PACKED, 4 * 128 - 1), -1);
}
END_TEST

START_TEST(accusim_gives_every_inode_a_mebibyte)
{
	draft_file(&draft, 0, 1);
	draft_file(&draft, 3, 2);
	draft_file(&draft, 1, 300);
	ck_assert_int_eq(lay_out(LAYOUT_ACCUSIM, ACCUSIM_CAPACITY), 0);
	ck_assert_uint_eq(sector(0, 0), 0);
	ck_assert_uint_eq(sector(1, 0), 6144);
	ck_assert_uint_eq(sector(1, 1), 6152);
	ck_assert_uint_eq(sector(2, 0), 2048);
	ck_assert_uint_eq(sector(2, 255), 4088);
	ck_assert_uint_eq(sector(2, 256), 4096); /* in the room of inode 2 */
}
END_TEST

START_TEST(accusim_wraps_at_the_end_of_its_disk)
{
	draft_file(&draft, 8683, 60); /* 8683 * 2048 = 17,782,784 */
	ck_assert_int_eq(lay_out(LAYOUT_ACCUSIM, ACCUSIM_CAPACITY), 0);
	ck_assert_uint_eq(sector(0, 0), 17782784);
	ck_assert_uint_eq(sector(0, 56), ACCUSIM_CAPACITY - 8);
	ck_assert_uint_eq(sector(0, 57), 0);
	ck_assert_uint_eq(sector(0, 58), 8);
}
END_TEST

START_TEST(accusim_counts_sectors_in_32_bits)
{
	draft_file(&draft, 1u << 21, 1); /* 2^32 = 0 */
	draft_file(&draft, (1u << 21) + 3, 1);
	draft_file(&draft, (1u << 21) - 1, 257); /* 4,294,965,248 and up to 2^32 */
	draft_file(&draft, 1000409605, 1);
	draft_file(&draft, (UINT64_C(5) << 32) + 2, 1);
	ck_assert_int_eq(lay_out(LAYOUT_ACCUSIM, ACCUSIM_CAPACITY), 0);
	ck_assert_uint_eq(sector(0, 0), 0);
	ck_assert_uint_eq(sector(1, 0), 6144);
	ck_assert_uint_eq(sector(2, 0), 4294965248u % ACCUSIM_CAPACITY);
	ck_assert_uint_eq(sector(2, 255), (4294965248u + 2040) % ACCUSIM_CAPACITY);
	ck_assert_uint_eq(sector(2, 256), 0);
	ck_assert_uint_eq(sector(3, 0),
	    UINT64_C(1000409605) * 2048 % (UINT64_C(1) << 32) % ACCUSIM_CAPACITY);
	ck_assert_uint_eq(sector(4, 0), 4096);
}
END_TEST

START_TEST(accusim_keeps_a_block_that_would_cross_the_end_below_it)
{
	draft.trace.block_bytes = 8192;
	draft.trace.block_shift = 13;
	draft_file(&draft, 8683, 60);
	ck_assert_int_eq(lay_out(LAYOUT_ACCUSIM, ACCUSIM_CAPACITY), 0);
	ck_assert_uint_eq(sector(0, 27), 17783216);
	ck_assert_uint_eq(sector(0, 28), ACCUSIM_CAPACITY - 16); /* not 17,783,232 */
	ck_assert_uint_eq(sector(0, 29), 8);
	ck_assert_int_eq(lay_out(LAYOUT_ACCUSIM, ACCUSIM_CAPACITY + 8), 0);
	ck_assert_uint_eq(sector(0, 28), 17783232);
}
END_TEST

START_TEST(accusim_needs_a_disk_as_large_as_its_own)
{
	draft_file(&draft, 1, 1);
	ck_assert_int_eq(lay_out(LAYOUT_ACCUSIM, ACCUSIM_CAPACITY), 0);
	ck_assert_int_eq(lay_out(LAYOUT_ACCUSIM, ACCUSIM_CAPACITY - 1), -1);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
}
END_TEST

START_TEST(every_block_of_many_files_lies_in_its_own_file)
{
	static const uint32_t blocks[DRAFT_FILES] = { 1, 4, 1, 1, 9, 2, 1, 3 };

	for (uint32_t i = 0; i < DRAFT_FILES; i++)
		draft_file(&draft, 10 + i, blocks[i]);
	ck_assert_int_eq(lay_out(LAYOUT_ACCUSIM, ACCUSIM_CAPACITY), 0);
	for (uint32_t i = 0; i < DRAFT_FILES; i++)
		for (uint32_t k = 0; k < blocks[i]; k++)
			ck_assert_uint_eq(sector(i, k), (10 + i) * 2048 + k * 8);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("layout");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, packed_files_lie_end_to_end_from_sector_0);
	tcase_add_test(tests,
	    a_device_of_exactly_the_files_size_holds_them_and_no_smaller_one_does);
	tcase_add_test(tests, a_larger_block_takes_more_sectors);
	tcase_add_test(tests, accusim_gives_every_inode_a_mebibyte);
	tcase_add_test(tests, accusim_wraps_at_the_end_of_its_disk);
	tcase_add_test(tests, accusim_counts_sectors_in_32_bits);
	tcase_add_test(tests, accusim_keeps_a_block_that_would_cross_the_end_below_it);
	tcase_add_test(tests, accusim_needs_a_disk_as_large_as_its_own);
	tcase_add_test(tests, every_block_of_many_files_lies_in_its_own_file);
	return run_tests("layout", tests);
}
