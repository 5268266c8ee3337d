/* check_table.c - sim/table/table.c: one table, in four forms and in little room. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/table/table.h"
#include "tests/unit/support.h"

struct fruit {
	const char *name;
	uint64_t    eaten, us;
	double	    ripe, price;
};

static const struct fruit fruits[] = {
	{ "apple", 1234567, 250, 0.5, 1 },
	{ "a|b,c\x1b", 7, 12345, NAN, 1.00004 },
	{ NULL, UINT64_MAX, UINT64_MAX, 0.125, 0.75 },
};

static struct table t;
static char	    text[4096];

static const void *
fruit_at(const struct table *table, size_t row)
{
	return (const struct fruit *)table->self + row;
}

/* The first is what others are compared with. */
static void
price_cell(struct cell *to, const struct table *table, size_t row, const struct column *c)
{
	to->number = fruits[row].price;
	to->shown = row ? NULL : "-";
}

static void
nothing_cell(struct cell *to, const struct table *table, size_t row, const struct column *c)
{
}

static void
setup(void)
{
#define OF(field) offsetof(struct fruit, field)
	static const struct column all[] = {
		{ "name", "fruit", CELL_TEXT, .offset = OF(name), .least = 4, .optional = true },
		{ "us", "time", CELL_TIME, .offset = OF(us), .place = 2, .absent = GIVES_WAY(2) },
		{ "eaten", "eaten", CELL_COUNT, .offset = OF(eaten), .place = 1,
		    .absent = 1 << 1 | GIVES_WAY(3) },
		{ "ripe", NULL, CELL_SHARE, .offset = OF(ripe) },
		{ NULL, "ripe", CELL_SHARE, .offset = OF(ripe), .place = 3, .near = true },
		{ "price", "price", CELL_CHANGE, .cell = price_cell, .place = 4 },
		{ "none", "none", CELL_COUNT, .cell = nothing_cell, .place = 5, .csv_only = true },
	};
#undef OF

	t = (struct table){ .self = fruits, .row = fruit_at, .nrows = 3 };
	table_add(&t, all, sizeof(all) / sizeof(*all));
}

static FILE *
begin(void)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(f);
	return f;
}

static void
text_is(unsigned width, const char *expected)
{
	FILE *f = begin();

	setup();
	table_fit(&t, width);
	table_text(&t, f);
	fclose(f);
	ck_assert_str_eq(text, expected);
}

START_TEST(columns_are_in_their_places_and_as_wide_as_their_cells)
{
	text_is(80,
	    "fruit       eaten       time   ripe    price\n"
	    "apple   1,234,567     250 us 50.0 %        -\n"
	    "a|b,c?          7  12.345 ms      -   +0.0 %\n"
	    "-               -          - 12.5 %  -25.0 %\n");
}
END_TEST

START_TEST(what_finds_no_room_is_left_out_in_the_order_of_its_tries)
{
	text_is(43,
	    "fruit        time   ripe    price\n"
	    "apple      250 us 50.0 %        -\n"
	    "a|b,c?  12.345 ms      -   +0.0 %\n"
	    "-               - 12.5 %  -25.0 %\n");
	text_is(32,
	    "fruit    ripe    price\n"
	    "apple  50.0 %        -\n"
	    "a|b,c?      -   +0.0 %\n"
	    "-      12.5 %  -25.0 %\n");
	text_is(5,
	    "...t   ripe    price\n"
	    "...e 50.0 %        -\n"
	    "...?      -   +0.0 %\n"
	    "-    12.5 %  -25.0 %\n");
}
END_TEST

START_TEST(without_fitting_widths_are_those_given_and_no_line_ends_in_blanks)
{
	static const struct column all[] = {
		{ NULL, "n", CELL_NUMBER, .offset = offsetof(struct fruit, eaten), .width = 4 },
		{ NULL, "name", CELL_TEXT, .offset = offsetof(struct fruit, name), .width = 3 },
		{ NULL, "", CELL_NUMBER, .offset = offsetof(struct fruit, eaten), .width = 9,
		    .left = true },
	};
	FILE *f = begin();

	t = (struct table){ .self = fruits, .row = fruit_at, .nrows = 1 };
	table_add(&t, all, 3);
	table_text(&t, f);
	fclose(f);
	ck_assert_str_eq(text, "   n  name\n1234567  apple  1234567\n");
}
END_TEST

START_TEST(markdown_escapes_and_aligns)
{
	FILE *f = begin();

	table_fit(&t, UINT_MAX);
	table_markdown(&t, f);
	fclose(f);
	ck_assert_str_eq(text,
	    "| fruit | eaten | time | ripe | price |\n"
	    "|---|---:|---:|---:|---:|\n"
	    "| apple | 1,234,567 | 250 us | 50.0 % | - |\n"
	    "| a\\|b,c? | 7 | 12.345 ms | - | +0.0 % |\n"
	    "| - | - | - | 12.5 % | -25.0 % |\n");
}
END_TEST

START_TEST(csv_has_all_columns_as_they_were_added)
{
	FILE *f = begin();

	table_csv_heading(&t, f);
	for (size_t i = 0; i < t.nrows; i++)
		table_csv_row(&t, i, f);
	fclose(f);
	ck_assert_str_eq(text,
	    "name,us,eaten,ripe,price,none\n"
	    "apple,250,1234567,0.5,1,\n"
	    "\"a|b,c?\",12345,7,,1.00004,\n"
	    ",,,0.125,0.75,\n");
}
END_TEST

START_TEST(json_has_null_for_what_is_unknown)
{
	cJSON *object = cJSON_CreateObject();
	char  *got;

	ck_assert(table_json(&t, object, "fruits"));
	got = cJSON_PrintUnformatted(object);
	ck_assert_str_eq(got,
	    "{\"fruits\":[{\"name\":\"apple\",\"us\":250,\"eaten\":1234567,\"ripe\":0.5,\"price\":1},"
	    "{\"name\":\"a|b,c\\u001b\",\"us\":12345,\"eaten\":7,\"ripe\":null,\"price\":1.00004},"
	    "{\"us\":null,\"eaten\":null,\"ripe\":0.125,\"price\":0.75}]}");
	cJSON_free(got);
	cJSON_Delete(object);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("table");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, columns_are_in_their_places_and_as_wide_as_their_cells);
	tcase_add_test(tests, what_finds_no_room_is_left_out_in_the_order_of_its_tries);
	tcase_add_test(tests, without_fitting_widths_are_those_given_and_no_line_ends_in_blanks);
	tcase_add_test(tests, markdown_escapes_and_aligns);
	tcase_add_test(tests, csv_has_all_columns_as_they_were_added);
	tcase_add_test(tests, json_has_null_for_what_is_unknown);
	return run_tests("table", tests);
}
