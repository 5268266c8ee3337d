/* check_blktrace.c - traces/blktrace.c: recordings of one processor and of several. */
#include <stdlib.h>
#include <sys/stat.h>

#include "tests/unit/traces/noted.h"

enum { ROOM = 1 << 20, HEADER_BYTES = 48 };

enum {
	READ = 1 << 16,
	WRITE = 1 << 17,
	PC = 1 << 25,
	NOTIFY = 1 << 26,
	DISCARD = 1 << 29,
	Q = 1,
	D = 7,
	C = 8,
	NAME = NOTIFY,
	MESSAGE = NOTIFY | 2
};

static unsigned char bytes[ROOM];
static size_t	     n;
static bool	     big; /* byte order of what is added */
static uint32_t	     magic = 0x65617407, device = 8 << 20 | 16;

static char folder[64];

static void
put(uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		bytes[n++] = (unsigned char)(value >> 8 * (big ? size - 1 - i : i));
}

static void
add(uint32_t action, uint64_t ns, uint64_t sector, uint32_t length, uint32_t pid, const char *text)
{
	ck_assert_uint_lt(n + HEADER_BYTES + strlen(text), ROOM);
	put(magic, 4);
	put(1, 4);
	put(ns, 8);
	put(sector, 8);
	put(length, 4);
	put(action, 4);
	put(pid, 4);
	put(device, 4);
	put(0, 4);
	put(0, 2);
	put(strlen(text), 2);
	memcpy(bytes + n, text, strlen(text));
	n += strlen(text);
}

/* What has been added, as FOLDER/NAME. */
static void
save(const char *name)
{
	char  path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
	n = 0;
}

static void
load_saved(const char *name, const char *params)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	ck_assert_msg(!load_file_as(path, "blktrace", params), "%s", error.text);
}

static void
make(void)
{
	scratch_make();
	n = 0;
	snprintf(folder, sizeof(folder), "/tmp/bufsim-check-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void
discard(void)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0);
	scratch_remove();
}

START_TEST(the_sample_is_that_of_blkparse)
{
	static const char *const expected[] = {
		"R 0 512000 131072 1 fresh",
		"W 0 4096 4096 1",
		"R 1 32768 8192 2 fresh",
		"W 0 8192 4096 1",
		"R 0 643072 4096 1",
	};
	uint64_t fingerprint;

	loads_sample("tests/data/small.blktrace", "blktrace");
	accesses_are(5, expected);
	ck_assert_int_eq(trace.access[1].time, 4019);
	ck_assert_str_eq(trace.file[0].name, "8,16");
	ck_assert_uint_eq(trace.lacks, LACKS_FILES);
	fingerprint = trace.fingerprint;
	ck_assert_msg(!load_path("tests/data/small.blkparse", NULL, false), "%s", error.text);
	ck_assert_uint_eq(trace.fingerprint, fingerprint);
}
END_TEST

START_TEST(either_byte_order_is_read)
{
	for (unsigned i = 0; i < 2; i++) {
		big = i;
		n = 0;
		add(Q | READ, 5000000999, 800, 4096, 7, "");
		add(Q | WRITE, 5000003998, (uint64_t)1 << 33, 1024, 7, "some more");
		add(Q | READ, 5000003999, 808, 512, 7, "");
		ck_assert_msg(!load_bytes(bytes, n), "%s", error.text);
		access_is(0, "R 0 409600 4096 1 fresh");
		access_is(1, "W 0 4398046511104 1024 1");
		access_is(2, "R 0 413696 512 1");
		ck_assert_int_eq(trace.access[1].time, 2); /* whole microseconds since the first */
		ck_assert_int_eq(trace.access[2].time, 3);
	}
}
END_TEST

START_TEST(what_moves_nothing_is_left_out)
{
	add(MESSAGE, 1000, 0, 0, 0, "hello");
	add(NOTIFY | 1, 1, 0, 8, 0, "12345678");
	add(Q | READ | NOTIFY, 2000, 8, 4096, 7, "");
	add(Q | READ | PC, 2000, 8, 36, 7, "abcdef");
	add(Q | WRITE | DISCARD, 2000, 8, 4096, 7, "");
	add(Q | WRITE, 2000, 8, 0, 7, "");
	add(15 | READ, 2000, 8, 4096, 7, "0123456789abcdef");
	add(D | READ, 3000, 8, 4096, 7, "");
	add(Q | 1 << 8 | READ, 4000, 8, 4096, 7, "cgroup12");
	add(C | READ, 5000, 8, 4096, 7, "");
	ck_assert_msg(!load_bytes(bytes, n), "%s", error.text);
	ck_assert_uint_eq(trace.records, 1);
	noted("one event of each request is read: as it was submitted (Q)");
}
END_TEST

/* A remap tells the device it comes from, with the most significant byte first, in its text. */
static void
add_remap(uint64_t sector, uint32_t from_device, uint64_t from_sector)
{
	add(15 | READ, 2000, sector, 4096, 7, "0123456789abcdef");
	for (unsigned i = 0; i < 4; i++)
		bytes[n - 16 + i] = (unsigned char)(from_device >> 8 * (3 - i));
	for (unsigned i = 0; i < 8; i++)
		bytes[n - 8 + i] = (unsigned char)(from_sector >> 8 * (7 - i));
}

START_TEST(a_request_is_read_in_one_layer)
{
	static const char *const layers[] = { "", "layer=lower", "layer=both" };
	static const char *const names[] = { "253,0", "8,16", "253,0" };
	uint32_t		 upper = 253 << 20, lower = device;

	for (unsigned i = 0; i < 6; i++) {
		big = i % 2;
		n = 0;
		device = upper;
		add(Q | READ, 1000, 8, 4096, 7, "");
		device = lower;
		add_remap(800, upper, 8);
		add(Q | READ, 3000, 800, 4096, 7, "");
		ck_assert(!load_as("blktrace", layers[i / 2], bytes, n));
		ck_assert_uint_eq(trace.naccess, i / 2 == 2 ? 2 : 1);
		ck_assert_str_eq(trace.file[0].name, names[i / 2]);
	}
	for (unsigned i = 0; i < 2; i++) { /* the volume is on a partition of the disk */
		big = i;
		n = 0;
		device = upper;
		add(Q | READ, 1000, 8, 4096, 7, "");
		device = lower;
		add_remap(800, upper, 8);
		add_remap(100800, lower + 2, 800);
		add(Q | READ, 3000, 100800, 4096, 7, "");
		ck_assert(!load_as("blktrace", "", bytes, n));
		ck_assert_uint_eq(trace.naccess, 1);
	}
	n = 0;
	add(D | READ, 1000, 8, 4096, 7, "");
	add(6 | READ, 2000, 8, 4096, 7, "");
	add(D | READ, 3000, 8, 4096, 7, "");
	ck_assert(!load_as("blktrace", "", bytes, n));
	ck_assert_uint_eq(trace.naccess, 1);
	noted("requests read once that were issued again after a requeue (R): 1");
}
END_TEST

START_TEST(messages_name_the_processes)
{
	struct trace_options o = { .block_bytes = BLOCK_BYTES, .stream_by = STREAM_PROCESS_NAME };

	add(NAME, 100, 0, 0, 7, "java");
	add(Q | READ, 1000, 8, 4096, 7, "");
	add(NAME, 1500, 0, 0, 8, "java");
	add(Q | READ, 2000, 8, 4096, 8, "");
	add(Q | READ, 3000, 8, 4096, 9, "");
	add(NAME, 3500, 0, 0, 9, "a name of 16 chars and more");
	add(Q | READ, 4000, 8, 4096, 9, "");
	scratch_write(bytes, n);
	ck_assert_msg(!trace_load(&trace, scratch_path, &o, &error), "%s", error.text);
	ck_assert_uint_eq(trace.nprocesses, 3);
	ck_assert_uint_eq(trace.open[trace.access[0].open].process,
	    trace.open[trace.access[1].open].process);
}
END_TEST

/* Three processors, one without events; of numbers 0, 2, 10 and 11. */
static void
save_set(void)
{
	add(Q | READ, 1000, 0, 4096, 7, "");
	add(C | READ, 3500, 8, 4096, 7, "");
	add(Q | READ, 4000, 24, 4096, 7, "");
	save("x.blktrace.0");
	add(Q | READ, 2000, 8, 4096, 7, "");
	add(Q | READ, 4000, 32, 4096, 7, "");
	save("x.blktrace.2");
	add(Q | READ, 3000, 16, 4096, 7, "");
	save("x.blktrace.10");
	save("x.blktrace.11");
	add(Q | READ, 1, 16, 4096, 7, "");
	save("xx.blktrace.0");
	add(Q | READ, 1, 16, 4096, 7, "");
	save("x.blktrace.3.old");
}

START_TEST(the_files_of_all_processors_are_merged_by_time)
{
	static const char *const named[] = { "x.blktrace.0", "x.blktrace.10", "x.blktrace.11" };

	save_set();
	for (unsigned i = 0; i < 3; i++) {
		load_saved(named[i], NULL);
		ck_assert_str_eq(trace.name, "x");
		ck_assert_uint_eq(trace.naccess, 5);
		for (unsigned k = 0; k < 5; k++)
			ck_assert_uint_eq(trace.access[k].offset, 4096 * k);
		ck_assert_uint_eq(trace.out_of_order, 0);
		ck_assert_uint_eq(trace.source.bytes, HEADER_BYTES * 6);
		noted("the files of all processors (NAME.blktrace.*) are merged by time: --format "
		      "blktrace:cpu=one reads one");
	}
	load_saved("x.blktrace.2", "cpu=one");
	ck_assert_uint_eq(trace.naccess, 2);
	load_saved("x.blktrace.3.old", NULL);
	ck_assert_uint_eq(trace.naccess, 1);
}
END_TEST

START_TEST(the_empty_file_of_a_set_is_recognised)
{
	char path[128];

	save_set();
	snprintf(path, sizeof(path), "%s/x.blktrace.11", folder);
	ck_assert_msg(!load_path(path, NULL, false), "%s", error.text);
	ck_assert_uint_eq(trace.naccess, 5);
}
END_TEST

START_TEST(many_files_are_merged)
{
	enum { FILES = 200, EVENTS = 20 };

	for (unsigned f = 0; f < FILES; f++) {
		char name[32];

		for (unsigned i = 0; i < EVENTS; i++)
			add(Q | READ, 1000 * (uint64_t)(i * FILES + f * 7 % FILES + 1),
			    8 * (i * FILES + f * 7 % FILES), 4096, 7, "");
		snprintf(name, sizeof(name), "m.blktrace.%u", 3 * f);
		save(name);
	}
	load_saved("m.blktrace.0", NULL);
	ck_assert_uint_eq(trace.naccess, FILES * EVENTS);
	ck_assert_uint_eq(trace.out_of_order, 0);
	for (unsigned i = 0; i < FILES * EVENTS; i++) {
		ck_assert_uint_eq(trace.access[i].offset, 4096 * (uint64_t)i);
		ck_assert_int_eq(trace.access[i].time, i);
	}
}
END_TEST

START_TEST(the_best_action_of_all_files_is_read)
{
	add(C | READ, 1000, 8, 4096, 7, "");
	save("y.blktrace.0");
	add(D | READ, 500, 8, 4096, 7, "");
	save("y.blktrace.1");
	load_saved("y.blktrace.0", NULL);
	ck_assert_uint_eq(trace.records, 1);
	noted("no request is shown as it was submitted (Q): they are read as they were issued (D)");
	load_saved("y.blktrace.0", "action=C");
	ck_assert_uint_eq(trace.records, 1);
	noted("requests are read as they were completed (C)");
}
END_TEST

START_TEST(a_better_action_far_behind_begins_again)
{
	for (unsigned i = 0; i < 2000; i++)
		add((i < 1500 ? C : D) | READ, 1000 * i, i, 4096, 7, "");
	save("z.blktrace.0");
	for (unsigned i = 0; i < 2000; i++)
		add(C | READ, 1000 * i, i, 4096, 7, "");
	add(Q | WRITE, 3000000, 80, 4096, 7, "");
	add(Q | WRITE, 3001000, 88, 4096, 7, "");
	save("z.blktrace.1");
	load_saved("z.blktrace.0", NULL);
	ck_assert_uint_eq(trace.records, 2);
	access_is(0, "W 0 40960 4096 1");
	ck_assert_uint_eq(trace.source.bytes, HEADER_BYTES * 4002);
}
END_TEST

START_TEST(a_time_far_away_is_that_of_the_record_before)
{
	static const uint64_t leap = 1270000000000000000;

	for (unsigned at = 0; at < 4; at++) {
		n = 0;
		for (unsigned i = 0; i < 4; i++)
			add(Q | READ, 5000000000 + 1000 * i + (i == at ? leap : 0), 8 * i, 4096, 7,
			    "");
		ck_assert_msg(!load_bytes(bytes, n), "%s", error.text);
		for (unsigned i = 0; i < 4; i++) {
			ck_assert_uint_eq(trace.access[i].offset, 4096 * i);
			ck_assert_int_eq(trace.access[i].time,
			    at ? i - (i == at) : i - (i > 0)); /* the first: that of the next */
		}
		noted("a time more than a day away from those around it was replaced by the one "
		      "before it");
	}
}
END_TEST

/* Loading says "PATH: what". */
static void
refuses_added(const char *what)
{
	refuses_bytes(bytes, n, what);
	n = 0;
}

START_TEST(damage_is_named_with_its_place)
{
	add(Q | READ, 1000, 8, 4096, 7, "");
	add(Q | READ, 2000, 8, 4096, 7, "");
	n -= 5;
	refuses_added("record 2: at byte 48: the file ends too early: 43 of 48 bytes; the first 48 "
		      "bytes are whole: head -c 48");
	add(Q | READ, 1000, 8, 4096, 7, "");
	add(Q | READ, 2000, 8, 4096, 7, "0123456789");
	n -= 5;
	refuses_added("record 2: at byte 48: the file ends too early: 5 of 10 bytes; the first 48 "
		      "bytes are whole: head -c 48");
	add(MESSAGE, 1000, 8, 4096, 7, "0123456789");
	n -= 10;
	refuses_added("record 1: at byte 0: the file ends too early: 0 of 10 bytes");
	add(Q | READ, 1000, 8, 4096, 7, "");
	magic = 0x12345678;
	add(Q | READ, 1000, 8, 4096, 7, "");
	refuses_added("record 2: at byte 48: no record of blktrace begins here; the first 48 bytes "
		      "are whole: head -c 48");
	magic = 0x65617406;
	add(Q | READ, 1000, 8, 4096, 7, "");
	refuses_added("record 1: at byte 0: version 6 of blktrace: only version 7 is known");
	magic = 0x65617407;
	add(Q | READ, 1000, (uint64_t)1 << 60, 4096, 7, "");
	refuses_added("record 1: at byte 0: sector 1152921504606846976 is beyond any device");
	add(MESSAGE, 1000, 8, 4096, 7, "x");
	refuses_added("has no records");
}
END_TEST

START_TEST(damage_in_another_file_names_that)
{
	char what[200];

	add(Q | READ, 1000, 8, 4096, 7, "");
	add(Q | READ, 3000, 8, 4096, 7, "");
	save("w.blktrace.0");
	add(Q | READ, 2000, 8, 4096, 7, "");
	n--;
	save("w.blktrace.1");
	snprintf(what, sizeof(what), "%s/w.blktrace.0", folder);
	ck_assert_int_eq(load_path(what, NULL, false), -1);
	snprintf(what, sizeof(what),
	    "%s/w.blktrace.0: record 1: %s/w.blktrace.1: at byte 0: the file ends", folder, folder);
	ck_assert_msg(!strncmp(error.text, what, strlen(what)), "%s", error.text);
	snprintf(what, sizeof(what), "%s/w.blktrace.1", folder);
	unlink(what);
	mkdir(what, 0700);
	snprintf(what, sizeof(what), "%s/w.blktrace.0", folder);
	ck_assert_int_eq(load_path(what, NULL, false), -1);
	ck_assert_msg(strstr(error.text, "w.blktrace.1, which belongs to it: is a directory") !=
		NULL,
	    "%s", error.text);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("blktrace");

	tcase_add_checked_fixture(tc, make, discard);
	tcase_add_test(tc, the_sample_is_that_of_blkparse);
	tcase_add_test(tc, either_byte_order_is_read);
	tcase_add_test(tc, what_moves_nothing_is_left_out);
	tcase_add_test(tc, a_request_is_read_in_one_layer);
	tcase_add_test(tc, messages_name_the_processes);
	tcase_add_test(tc, the_files_of_all_processors_are_merged_by_time);
	tcase_add_test(tc, the_empty_file_of_a_set_is_recognised);
	tcase_add_test(tc, many_files_are_merged);
	tcase_add_test(tc, the_best_action_of_all_files_is_read);
	tcase_add_test(tc, a_better_action_far_behind_begins_again);
	tcase_add_test(tc, a_time_far_away_is_that_of_the_record_before);
	tcase_add_test(tc, damage_is_named_with_its_place);
	tcase_add_test(tc, damage_in_another_file_names_that);
	return run_tests("blktrace", tc);
}
