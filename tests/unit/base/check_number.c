/* check_number.c - what is a number and what is not. */
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/word.h"
#include "tests/unit/support.h"

static struct error e;
static char	    buf[NUMBER_TEXT];

static void
reads(const char *text, enum param_unit unit, uint64_t expected)
{
	uint64_t n = ~expected;

	ck_assert_msg(!number_parse(text, unit, &n, &e), "'%s': %s", text, e.text);
	ck_assert_uint_eq(n, expected);
}

static void
refuses(const char *text, enum param_unit unit)
{
	uint64_t n;

	e = (struct error){ 0 };
	ck_assert_msg(number_parse(text, unit, &n, &e) < 0, "'%s' was read", text);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(e.text, text));
}

START_TEST(sizes_take_k_m_g_t_of_either_case)
{
	reads("4096", PARAM_BYTES, 4096);
	reads("64k", PARAM_BYTES, 64 << 10);
	reads("64M", PARAM_BYTES, 64 << 20);
	reads("2G", PARAM_BYTES, 2ULL << 30);
	reads("1t", PARAM_BYTES, 1ULL << 40);
	reads("64MB", PARAM_BYTES, 64 << 20);
	reads("64mB", PARAM_BYTES, 64 << 20);
	reads("64MiB", PARAM_BYTES, 64 << 20);
	reads("64 MiB", PARAM_BYTES, 64 << 20);
	reads("1.5G", PARAM_BYTES, 3ULL << 29);
	reads("0.1K", PARAM_BYTES, 102); /* the nearest */
	reads("4096B", PARAM_BYTES, 4096);
	reads("0", PARAM_BYTES, 0);
}
END_TEST

START_TEST(times_need_a_unit)
{
	reads("250us", PARAM_USEC, 250);
	reads("10ms", PARAM_USEC, 10000);
	reads("30s", PARAM_USEC, 30000000);
	refuses("30", PARAM_USEC);
	refuses("30S", PARAM_USEC);
	refuses("1.5s", PARAM_USEC);
}
END_TEST

START_TEST(shares_are_decimals_or_percentages)
{
	static const char *const bad[] = { "", "%", "1e3", ".5", "5.", "-1", "50 %", "50%%", "1/2",
		"0,5", "half", "1000001", "99999999999999999999999999999999999" };

	reads("0.5", PARAM_SHARE, 500000);
	reads("50%", PARAM_SHARE, 500000);
	reads("1", PARAM_SHARE, 1000000);
	reads("100%", PARAM_SHARE, 1000000);
	reads("0", PARAM_SHARE, 0);
	reads("0%", PARAM_SHARE, 0);
	reads("12.5%", PARAM_SHARE, 125000);
	reads("0.0000005", PARAM_SHARE, 1);  /* the nearest */
	reads("150%", PARAM_SHARE, 1500000); /* whether that may be is a matter of the range */
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refuses(bad[i], PARAM_SHARE);
}
END_TEST

START_TEST(parts_of_a_cache_are_shares_or_blocks)
{
	static const char *const bad[] = { "", "b", "0b", "32B", "32 b", "4294967296b", "half",
		"-1", "4294", "9999" };

	reads("25%", PARAM_PART, 250000);
	reads("0.25", PARAM_PART, 250000);
	reads("4293", PARAM_PART, UINT64_C(4293) * SHARE_ONE);
	reads("1b", PARAM_PART, PART_BLOCKS + 1);
	reads("4294967295b", PARAM_PART, PART_BLOCKS + UINT32_MAX);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refuses(bad[i], PARAM_PART);
	ck_assert_str_eq(number_format(buf, 250000, PARAM_PART), "0.25");
	ck_assert_str_eq(number_format(buf, PART_BLOCKS + 32, PARAM_PART), "32b");
}
END_TEST

START_TEST(parts_are_percentages_or_decimals_with_a_point)
{
	static const char *const bad[] = { "", "1", "1.5", "0%", "0.0", "10 %", ".5", "1.", "-1%",
		"1/8", "10%%", "0.12345678", "99999999999%" };
	static const struct {
		const char *text;
		uint64_t    part, of;
	} good[] = { { "10%", 10, 100 }, { "12.5%", 125, 1000 }, { "0.1", 1, 10 },
		{ "1.0", 10, 10 }, { "200%", 200, 100 } };
	uint64_t part, of;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(!number_part(bad[i], &part, &of), "'%s' was read", bad[i]);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		ck_assert(number_part(good[i].text, &part, &of));
		ck_assert_uint_eq(part, good[i].part);
		ck_assert_uint_eq(of, good[i].of);
	}
}
END_TEST

START_TEST(what_is_not_spelt_as_documented_is_refused)
{
	static const char *const bad[] = { "", " 1", "1 ", "20mib", "64Mb", "64kb", "64Q", "64Mi",
		"64  M", "64 ", "1.M", "99999999T", "1e3", "-5", "+5", "0x10", "1,000", "K", "b",
		"1.5", "1b" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		refuses(bad[i], PARAM_BYTES);
		refuses(bad[i], PARAM_COUNT);
	}
	refuses("64K", PARAM_COUNT);
}
END_TEST

START_TEST(more_than_64_bits_are_refused)
{
	reads("18446744073709551615", PARAM_COUNT, UINT64_MAX);
	refuses("18446744073709551616", PARAM_COUNT);
	refuses("99999999999999999999999", PARAM_COUNT);
	refuses("16777216T", PARAM_BYTES);
	reads("16777215T", PARAM_BYTES, 16777215ULL << 40);
}
END_TEST

START_TEST(blocks_are_digits_and_a_b)
{
	uint64_t n;

	ck_assert(number_blocks("2048b", &n));
	ck_assert_uint_eq(n, 2048);
	ck_assert(!number_blocks("2048B", &n));
	ck_assert(!number_blocks("2048", &n));
	ck_assert(!number_blocks("b", &n));
	ck_assert(!number_blocks("-1b", &n));
}
END_TEST

START_TEST(decimals_have_neither_sign_nor_exponent)
{
	double x;

	ck_assert(number_decimal("0.25", &x));
	ck_assert_double_eq(x, 0.25);
	ck_assert(number_decimal("12", &x));
	ck_assert_double_eq(x, 12);
	ck_assert(!number_decimal("", &x));
	ck_assert(!number_decimal(".5", &x));
	ck_assert(!number_decimal("5.", &x));
	ck_assert(!number_decimal("-1", &x));
	ck_assert(!number_decimal("1e3", &x));
	ck_assert(!number_decimal("0,5", &x));
	ck_assert(!number_decimal("nan", &x));
}
END_TEST

START_TEST(what_is_printed_can_be_read_again)
{
	static const uint64_t values[] = { 0, 1, 999, 1000, 1024, 4096, 5000000, 64 << 20,
		1ULL << 40, UINT64_MAX };

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		for (enum param_unit unit = PARAM_COUNT; unit <= PARAM_USEC; unit++)
			reads(number_format(buf, values[i], unit), unit, values[i]);
	ck_assert_str_eq(number_format(buf, 64 << 20, PARAM_BYTES), "64M");
	ck_assert_str_eq(number_format(buf, 1500, PARAM_USEC), "1500us");
	ck_assert_str_eq(number_format(buf, 30000000, PARAM_USEC), "30s");
}
END_TEST

START_TEST(a_share_is_printed_so_that_it_can_be_read_again)
{
	static const uint64_t values[] = { 0, 1, 10, 99, 125000, 500000, 999999, 1000000, 1234567,
		20000000 };

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		reads(number_format(buf, values[i], PARAM_SHARE), PARAM_SHARE, values[i]);
	ck_assert_str_eq(number_format(buf, 500000, PARAM_SHARE), "0.5");
	ck_assert_str_eq(number_format(buf, 1000000, PARAM_SHARE), "1");
	ck_assert_str_eq(number_format(buf, 0, PARAM_SHARE), "0");
	ck_assert_str_eq(number_format(buf, 20000000, PARAM_SHARE), "20");
	ck_assert_str_eq(number_format(buf, 1, PARAM_SHARE), "0.000001");
}
END_TEST

START_TEST(thousands_are_grouped)
{
	ck_assert_str_eq(number_group(buf, 0), "0");
	ck_assert_str_eq(number_group(buf, 999), "999");
	ck_assert_str_eq(number_group(buf, 1000), "1,000");
	ck_assert_str_eq(number_group(buf, 1462963), "1,462,963");
	ck_assert_str_eq(number_group(buf, UINT64_MAX), "18,446,744,073,709,551,615");
}
END_TEST

START_TEST(times_are_printed_in_a_sensible_unit)
{
	ck_assert_str_eq(number_time(buf, 0), "0 us");
	ck_assert_str_eq(number_time(buf, 999), "999 us");
	ck_assert_str_eq(number_time(buf, 12345), "12.345 ms");
	ck_assert_str_eq(number_time(buf, 999999), "999.999 ms");
	ck_assert_str_eq(number_time(buf, 1000000), "1.000 s");
	ck_assert_str_eq(number_time(buf, 1234567890), "1,234.567 s");
	ck_assert_str_eq(number_time(buf, UINT64_MAX), "18,446,744,073,709.551 s");
}
END_TEST

START_TEST(bytes_are_printed_in_a_sensible_unit)
{
	ck_assert_str_eq(number_bytes(buf, 0), "0 B");
	ck_assert_str_eq(number_bytes(buf, 1023), "1023 B");
	ck_assert_str_eq(number_bytes(buf, 4096), "4.0 KiB");
	ck_assert_str_eq(number_bytes(buf, 64 << 20), "64.0 MiB");
	ck_assert_str_eq(number_bytes(buf, 5ULL << 39), "2.5 TiB");
	ck_assert_str_eq(number_bytes(buf, UINT64_MAX), "16.0 EiB");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("number");

	tcase_add_test(tc, sizes_take_k_m_g_t_of_either_case);
	tcase_add_test(tc, times_need_a_unit);
	tcase_add_test(tc, shares_are_decimals_or_percentages);
	tcase_add_test(tc, parts_of_a_cache_are_shares_or_blocks);
	tcase_add_test(tc, parts_are_percentages_or_decimals_with_a_point);
	tcase_add_test(tc, what_is_not_spelt_as_documented_is_refused);
	tcase_add_test(tc, more_than_64_bits_are_refused);
	tcase_add_test(tc, blocks_are_digits_and_a_b);
	tcase_add_test(tc, decimals_have_neither_sign_nor_exponent);
	tcase_add_test(tc, what_is_printed_can_be_read_again);
	tcase_add_test(tc, a_share_is_printed_so_that_it_can_be_read_again);
	tcase_add_test(tc, thousands_are_grouped);
	tcase_add_test(tc, times_are_printed_in_a_sensible_unit);
	tcase_add_test(tc, bytes_are_printed_in_a_sensible_unit);
	return run_tests("number", tc);
}
