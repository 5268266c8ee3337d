/* check_blkparse.c - traces/blkparse.c: one event of each request, and nothing else. */
#include "sim/registry.h"
#include "tests/unit/loading.h"
#include "tests/unit/traces/noted.h"

#define ROW(number, time, pid, rest) "  8,16   1 " number "  " time " " pid " " rest "\n"
#define Q1 ROW("1", "0.000001999", "900", " Q   R 8 + 8 [java]")

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = {
		"R 0 512000 131072 1 fresh",
		"W 0 4096 4096 1",
		"R 1 32768 8192 2 fresh",
		"W 0 8192 4096 1",
		"R 0 643072 4096 1",
	};
	static const usec_t time[] = { 0, 4019, 4029, 4059, 1499999 };

	loads_sample("tests/data/small.blkparse", "blkparse");
	accesses_are(5, expected);
	for (size_t i = 0; i < 5; i++)
		ck_assert_int_eq(trace.access[i].time, time[i]);
	ck_assert_str_eq(trace.file[0].name, "8,16");
	ck_assert_str_eq(trace.file[1].name, "8,0");
	ck_assert_uint_eq(trace.lacks, LACKS_FILES);
	ck_assert_uint_eq(trace.records, 5);
	noted("one event of each request is read: as it was submitted (Q)");
}
END_TEST

START_TEST(the_streams_are_volumes_processes_or_names)
{
	struct trace_options o = { .block_bytes = BLOCK_BYTES };
	static const struct {
		enum stream_by by;
		uint32_t       processes;
	} is[] = { { STREAM_VOLUME, 2 }, { STREAM_PID, 2 }, { STREAM_PROCESS_NAME, 2 },
		{ STREAM_NONE, 1 } };

	for (size_t i = 0; i < 4; i++) {
		o.stream_by = is[i].by;
		trace_release(&trace);
		ck_assert(!trace_load(&trace, "tests/data/small.blkparse", &o, &error));
		ck_assert_uint_eq(trace.nprocesses, is[i].processes);
	}
	scratch_text(ROW("1", "0.1", "7", "Q R 8 + 8 [a b]") ROW("2", "0.2", "8", "Q R 8 + 8 [a b]")
		ROW("3", "0.3", "7", "Q R 8 + 8 [a [b] c]"));
	o.stream_by = STREAM_PROCESS_NAME;
	trace_release(&trace);
	ck_assert(!trace_load(&trace, scratch_path, &o, &error));
	ck_assert_uint_eq(trace.nprocesses, 2);
}
END_TEST

START_TEST(what_is_issued_or_completed_is_read_if_nothing_is_submitted)
{
	load(ROW("1", "0.1", "7", "D R 8 + 8 [x]") ROW("2", "0.2", "0", "C R 8 + 8 [0]"));
	ck_assert_uint_eq(trace.naccess, 1);
	ck_assert_uint_eq(trace.records, 1);
	noted("no request is shown as it was submitted (Q): they are read as they were issued (D)");
	load(ROW("1", "0.1", "7", "A R 8 + 8 <- (8,17) 0") ROW("2", "0.2", "0", "C W 8 + 8 [0]"));
	access_is(0, "W 0 4096 4096 1");
	noted(
	    "no request is shown as it was submitted or issued (Q, D): they are read as they were "
	    "completed (C)");
}
END_TEST

#define ON(device, time, rest) "  " device "   1 1  " time " 7 " rest "\n"
#define UPPER(time, action, sector) ON("253,0", time, action " R " sector " + 8 [x]")
#define LOWER(time, action, sector) ON("8,0", time, action " R " sector " + 8 [x]")
#define REMAP(time, to, from) ON("8,0", time, "A R " to " + 8 <- (253,0) " from)

/* A volume, the disk below it, a request to the disk alone, and a partition. */
static const char layers[] =
    UPPER("0.1", "Q", "16") REMAP("0.1", "4112", "16") LOWER("0.1", "Q", "4112")
	LOWER("0.2", "D", "4112") LOWER("0.3", "C", "4112") UPPER("0.4", "C", "16")
	    LOWER("0.5", "Q", "800") LOWER("0.5", "D", "800") LOWER("0.6", "C", "800")
		ON("8,16", "0.7", "A W 2056 + 8 <- (8,17) 8") ON("8,16", "0.7", "Q W 2056 + 8 [x]")
		    UPPER("0.8", "Q", "24") REMAP("0.8", "4120", "24") LOWER("0.8", "Q", "4120");

static const struct layer {
	const char *params, *text;
	const char *first[4]; /* volume and offset of each request */
	const char *note;     /* the beginning of one, or NULL */
} layer[] = {
	{ "", layers, { "253,0 8192", "8,0 409600", "8,16 1052672", "253,0 12288" },
	    "requests left out: 2; by remaps, volume 8,0 repeats 253,0, and the upper one is "
	    "read; --format blkparse:layer=lower reads the other, layer=both all" },
	{ "layer=lower", layers, { "8,0 2105344", "8,0 409600", "8,16 1052672", "8,0 2109440" },
	    "requests left out: 2; by remaps, volume 8,0 repeats 253,0, and the lower one" },
	{ "action=D", layers, { "8,0 2105344", "8,0 409600" }, NULL },
	{ "action=C", layers, { "253,0 8192", "8,0 409600" }, "requests left out: 1;" },
	/* three layers */
	{ "",
	    ON("253,1", "0.1", "Q R 0 + 8 [x]") ON("253,0", "0.1", "A R 8 + 8 <- (253,1) 0")
		ON("253,0", "0.1", "Q R 8 + 8 [x]") REMAP("0.1", "80", "8") LOWER("0.1", "Q", "80"),
	    { "253,1 0" }, "requests left out: 2; by remaps, volume 253,0 repeats 253,1" },
	/* the volume is on a partition, whose remaps blktrace shows with the number of the disk */
	{ "",
	    UPPER("0.1", "Q", "0") REMAP("0.1", "80", "0")
		ON("8,0", "0.1", "A R 1080 + 8 <- (8,2) 80") LOWER("0.1", "Q", "1080"),
	    { "253,0 0" }, "requests left out: 1;" },
	/* two requests become one, and one becomes two */
	{ "action=C",
	    UPPER("0.1", "Q", "0") REMAP("0.1", "80", "0") UPPER("0.1", "Q", "8")
		REMAP("0.1", "88", "8") ON("8,0", "0.2", "C R 80 + 16 [0]") UPPER("0.3", "C", "0")
		    UPPER("0.3", "C", "8"),
	    { "253,0 0", "253,0 4096" }, "requests left out: 1;" },
	{ "action=C",
	    UPPER("0.1", "Q", "0") REMAP("0.1", "80", "0") ON("8,0", "0.2", "C R 80 + 4 [0]")
		ON("8,0", "0.2", "C R 84 + 4 [0]") LOWER("0.2", "C", "80") UPPER("0.3", "C", "0"),
	    { "8,0 40960", "253,0 0" }, "requests left out: 2;" },
	/* the disk below a volume that is not traced */
	{ "", REMAP("0.1", "80", "0") LOWER("0.1", "Q", "80"), { "8,0 40960" }, NULL },
	{ "action=D",
	    LOWER("0.1", "Q", "80") LOWER("0.1", "D", "80") LOWER("0.2", "R", "80")
		LOWER("0.3", "D", "80") LOWER("0.4", "D", "80"),
	    { "8,0 40960", "8,0 40960" },
	    "requests read once that were issued again after a requeue (R): 1" },
	{ "", LOWER("0.1", "Q", "80") LOWER("0.2", "R", "80") LOWER("0.3", "Q", "80"),
	    { "8,0 40960", "8,0 40960" }, NULL },
};

static bool
has_note(const char *begins)
{
	for (unsigned i = 0; i < TRACE_NOTES && trace.note[i]; i++)
		if (!strncmp(trace.note[i], begins, strlen(begins)))
			return true;
	return false;
}

/* Pairs of requests to 253,0 and 8,0, so many sectors further on; every fourth has another one. */
static bool
notes_shift(unsigned step, unsigned odd)
{
	char text[4096] = "";

	for (unsigned i = 1; i <= 8; i++) {
		unsigned sector = i * step, shift = odd && i % 4 == 0 ? odd : 2048;
		size_t	 used = strlen(text);

		snprintf(text + used, sizeof(text) - used,
		    "253,0 1 1 0.%u 5 Q R %u + 16 [x]\n8,0 1 1 0.%u 5 Q R %u + 16 [x]\n", i, sector,
		    i, sector + shift);
	}
	load(text);
	ck_assert_uint_eq(trace.naccess, 16);
	return has_note(
	    "requests of volume 8,0 look like those of 253,0 once more (2048 sectors "
	    "further on; there are no remaps that tell): 8; to leave them out: cat LOG | "
	    "grep -v ' 8,0 ' | bufsim run -");
}

START_TEST(volumes_that_repeat_each_other_without_remaps_are_noted)
{
	ck_assert(notes_shift(7919, 0));
	ck_assert(!notes_shift(16, 0)); /* two disks read in step */
	ck_assert(!notes_shift(7919, 4096));
}
END_TEST

START_TEST(a_request_is_read_in_one_layer)
{
	const struct layer *l = &layer[_i];
	char		    place[64];
	size_t		    n = 0;

	loads_as("blkparse", l->params, l->text, strlen(l->text));
	for (; n < 4 && l->first[n]; n++) {
		const struct access *a = &trace.access[n];

		ck_assert_uint_gt(trace.naccess, n);
		snprintf(place, sizeof(place), "%s %llu", trace.file[trace.open[a->open].file].name,
		    (unsigned long long)a->offset);
		ck_assert_str_eq(place, l->first[n]);
	}
	ck_assert_uint_eq(trace.naccess, n);
	if (l->note)
		ck_assert(has_note(l->note));
	else
		ck_assert(!has_note("requests left out"));
}
END_TEST

START_TEST(both_layers_are_read_if_asked_for)
{
	loads_as("blkparse", "layer=both", layers, strlen(layers));
	ck_assert_uint_eq(trace.naccess, 6);
	ck_assert(has_note("requests to volume 253,0 show up again below it, on 8,0: --format"));
}
END_TEST

/* The remap comes behind the part of the file that is looked at first. */
START_TEST(a_remap_far_behind_begins_again)
{
	static char text[400000];
	size_t	    n = 0;

	for (unsigned i = 0; i < 3000; i++)
		n += (size_t)sprintf(text + n, "  253,0 1 1 1.%09u 5 Q R %u + 8 [x]\n", i, 8 * i);
	sprintf(text + n, "%s%s%s", UPPER("2.0", "Q", "0"), REMAP("2.0", "80", "0"),
	    LOWER("2.0", "Q", "80"));
	loads_as("blkparse", "layer=lower", text, strlen(text));
	ck_assert_uint_eq(trace.naccess, 1);
	ck_assert_str_eq(trace.file[0].name, "8,0");
	ck_assert(has_note("requests left out: 3001;"));
}
END_TEST

START_TEST(an_action_can_be_asked_for)
{
	static const char text[] = ROW("1", "0.1", "7", "Q R 8 + 8 [x]")
	    ROW("2", "0.2", "7", "Q R 16 + 8 [x]") ROW("3", "0.3", "7", "D R 8 + 16 [x]");

	loads_as("blkparse", "action=D", text, strlen(text));
	ck_assert_uint_eq(trace.naccess, 1);
	access_is(0, "R 0 4096 8192 1 fresh");
	loads_as("blkparse", "action=Q", text, strlen(text));
	ck_assert_uint_eq(trace.naccess, 2);
	ck_assert_int_eq(load_as("blkparse", "action=C", text, strlen(text)), -1);
	ck_assert_ptr_nonnull(strstr(error.text, ": has no records"));
}
END_TEST

/* 3000 rows are more than the part of the file that is looked at first. */
START_TEST(a_better_action_far_behind_begins_again)
{
	static char text[400000];
	size_t	    n = 0;

	for (unsigned i = 0; i < 3000; i++)
		n += (size_t)sprintf(text + n, ROW("%u", "1.%09u", "5", "%c  R %u + 8 [x]"), i, i,
		    i < 1500 ? 'C' : 'D', 8 * i);
	sprintf(text + n, "%s%s", ROW("1", "2.0", "5", " Q  R 80 + 8 [x]"),
	    ROW("1", "2.5", "5", " Q  W 88 + 8 [x]"));
	load(text);
	ck_assert_uint_eq(trace.records, 2);
	ck_assert_uint_eq(trace.nfiles, 1);
	access_is(0, "R 0 40960 4096 1 fresh");
	access_is(1, "W 0 45056 4096 1");
	ck_assert_int_eq(trace.access[1].time, 500000);
	noted("one event of each request is read: as it was submitted (Q)");
	ck_assert_ptr_null(trace.note[1]);
}
END_TEST

START_TEST(what_moves_nothing_is_left_out)
{
	load(Q1 ROW("2", "0.1", "9", " Q  FN [x]") ROW("3", "0.2", "9", " Q  FWS 0 [x]")
		ROW("4", "0.3", "9", " Q   D 8 + 8 [x]") ROW("5", "0.4", "9", " Q   N 8 + 8 [x]")
		    ROW("6", "0.5", "9", " Q   R 36 (12 00 ..) [x]") ROW("7", "0.6", "9",
			" Q   R 8 + 0 [x]") ROW("8", "0.7", "9", " Q FWFSM 16 + 8 [x]"));
	ck_assert_uint_eq(trace.records, 2);
	access_is(1, "W 0 8192 4096 1");
}
END_TEST

START_TEST(a_time_far_away_is_that_of_the_row_before)
{
	load(Q1 ROW("2", "1270000000.0", "9", " Q R 8 + 8 [x]")
		ROW("3", "0.000009000", "9", " Q R 8 + 8 [x]"));
	ck_assert_int_eq(trace.access[1].time, 0);
	ck_assert_int_eq(trace.access[2].time, 8);
	noted("a time more than a day away from those around it was replaced by the one before it");
	load(ROW("2", "1270000000.0", "9", " Q R 8 + 8 [x]")
		Q1 ROW("3", "0.000009000", "9", " Q R 8 + 8 [x]"));
	ck_assert_int_eq(trace.access[1].time, 0);
	ck_assert_int_eq(trace.access[2].time, 8);
	load(Q1 ROW("2", "1270000000.0", "9", " Q R 8 + 8 [x]"));
	ck_assert_int_eq(trace.access[1].time, 0);
	load(Q1 ROW("2", "200000.0", "9", " Q R 8 + 8 [x]")
		ROW("3", "200001.0", "9", " Q R 8 + 8 [x]"));
	ck_assert_int_eq(trace.access[2].time, 200000999999); /* the day is over for good */
	ck_assert_str_eq(trace.note[0],
	    "one event of each request is read: as it was submitted (Q)");
}
END_TEST

START_TEST(headings_and_summaries_are_skipped_and_line_ends_of_either_kind)
{
	load("device cpu action\r\n" Q1
	     "CPU0 (8,16):\n Reads Queued: 3, 140KiB\n\nTotal (x):\n any 5\n"
	     "  8,16   1 2  0.1 9  Q R 8 + 8 [x]\r\n");
	ck_assert_uint_eq(trace.naccess, 2);
	noted("1 of 8 lines is no record: line 1, 'device cpu action'");
}
END_TEST

START_TEST(damage_is_named)
{
	refuses(Q1 Q1 Q1 Q1 Q1 "what 5\n",
	    "record 6 (line 6): not a line of blkparse: 'what 5'; print the default form, without "
	    "-f and -F");
	refuses(Q1 Q1 Q1 Q1 Q1 "  8,16   1 1  0.1 9  Q   R 8 + 1\n",
	    "record 6 (line 6): 'R 8 + 1' is not flags, sector + sectors [process]: the line is cut "
	    "off or damaged");
	refuses(Q1 Q1 Q1 Q1 Q1 "  8,16   1 1  0.1 9  Q   R 99999999999999999999 + 1 [x]\n",
	    "record 6 (line 6): 'R 99999999999999999999 + 1 [x]' is not flags, sector + sectors "
	    "[process]: the line is cut off or damaged");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("blkparse");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, the_streams_are_volumes_processes_or_names);
	tcase_add_test(tc, what_is_issued_or_completed_is_read_if_nothing_is_submitted);
	tcase_add_loop_test(tc, a_request_is_read_in_one_layer, 0,
	    (int)(sizeof(layer) / sizeof(*layer)));
	tcase_add_test(tc, both_layers_are_read_if_asked_for);
	tcase_add_test(tc, volumes_that_repeat_each_other_without_remaps_are_noted);
	tcase_add_test(tc, a_remap_far_behind_begins_again);
	tcase_add_test(tc, an_action_can_be_asked_for);
	tcase_add_test(tc, a_better_action_far_behind_begins_again);
	tcase_add_test(tc, what_moves_nothing_is_left_out);
	tcase_add_test(tc, a_time_far_away_is_that_of_the_row_before);
	tcase_add_test(tc, headings_and_summaries_are_skipped_and_line_ends_of_either_kind);
	tcase_add_test(tc, damage_is_named);
	return run_tests("blkparse", tc);
}
