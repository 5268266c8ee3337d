/* check_endings.c - an ending that names something else than what is written is refused. */
#include <stdio.h>
#include <string.h>

#include "sim/setup/endings.h"
#include "sim/trace/format.h"
#include "tests/unit/support.h"

static const struct written rows = { .what = "CSV",
	.endings = ".csv",
	.plain = true,
	.drawn = true,
	.or_json = true };

static struct error error;

static void
takes(const char *path, const struct written *w)
{
	ck_assert_msg(!endings_check("-o ", path, w, &error), "%s", error.text);
}

static void
refuses(const char *path, const struct written *w, const char *why)
{
	ck_assert_msg(endings_check("-o ", path, w, &error), "%s is taken", path);
	ck_assert_str_eq(error.text, why);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
}

START_TEST(a_name_may_have_the_right_ending_none_or_one_that_is_not_known)
{
	static const char *const names[] = { "q", "q.csv", "q.CSV", "q.out", "q.dat", "q.1", "q.",
		"run-0.7", "a.svg/q", "../q", ".svg", "a/.parquet", "q.svg.out", "-", NULL };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		takes(names[i], &written_csv);
		takes(names[i], &rows);
	}
	takes("q.ndjson", &written_json);
	takes("q.txt", &written_text);
}
END_TEST

START_TEST(another_format_is_refused_in_capitals_and_packed_too)
{
	refuses("q.parquet", &written_csv,
	    "-o q.parquet: this writes CSV: type q.csv, or a name without an ending");
	refuses("a.b/run-0.7.XLSX", &written_csv,
	    "-o a.b/run-0.7.XLSX: this writes CSV: type a.b/run-0.7.csv, or a name without an "
	    "ending");
	refuses("q.db.gz", &written_csv,
	    "-o q.db.gz: this writes CSV: type q.csv.gz, or a name without an ending");
	refuses("q.db.zst", &written_csv,
	    "-o q.db.zst: this writes CSV: type q.csv, or a name without an ending");
	refuses("q.csv", &written_text,
	    "-o q.csv: this writes text: type q.txt, or a name without an ending");
	refuses(".q.svg", &written_text,
	    "-o .q.svg: this writes text: type .q.txt, or a name without an ending");
}
END_TEST

START_TEST(what_would_write_the_other_format_is_said)
{
	refuses("q.json", &written_csv,
	    "-o q.json: this writes CSV: type q.csv, or a name without an ending");
	refuses("q.json", &written_table,
	    "-o q.json: this writes CSV: type q.csv, or --json for JSON");
	refuses("q.svg", &written_table,
	    "-o q.svg: this writes CSV: type q.csv; bufsim plot makes pictures from it");
	refuses("q.csv", &written_json,
	    "-o q.csv: this writes JSON: type q.json, or leave out --json for CSV");
}
END_TEST

START_TEST(gzip_is_written_and_no_other_packing)
{
	takes("q.gz", &written_csv);
	takes("q.csv.GZ", &written_csv);
	refuses("q.csv.zst", &written_csv,
	    "-o q.csv.zst: only gzip is written: type q.csv.gz, or pack it afterwards");
	refuses("q.zip", &written_csv,
	    "-o q.zip: only gzip is written: type q.gz, or pack it afterwards");
	refuses("q.csv.gz", &rows, "-o q.csv.gz: CSV is not packed here: type q.csv");
	refuses("q.db.gz", &rows,
	    "-o q.db.gz: this writes CSV: type q.csv, or a name without an ending");
}
END_TEST

START_TEST(each_format_of_traces_keeps_its_ending_to_itself)
{
	char path[64];

	for (const struct format *const *f = formats; *f; f++) {
		const struct written w = { .what = "it", .endings = (*f)->ending };

		if (!(*f)->write)
			continue;
		snprintf(path, sizeof(path), "q%s", (*f)->ending);
		takes(path, &w);
		ck_assert_int_eq(endings_check("", path, &written_json, &error), -1);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("endings");

	tcase_add_test(tc, a_name_may_have_the_right_ending_none_or_one_that_is_not_known);
	tcase_add_test(tc, another_format_is_refused_in_capitals_and_packed_too);
	tcase_add_test(tc, what_would_write_the_other_format_is_said);
	tcase_add_test(tc, gzip_is_written_and_no_other_packing);
	tcase_add_test(tc, each_format_of_traces_keeps_its_ending_to_itself);
	return run_tests("endings", tc);
}
