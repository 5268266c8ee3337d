/* check_procmon.c - traces/procmon.c and xperf.c: what Windows shows of files and disks. */
#include "tests/unit/traces/noted.h"

#define HEADING                                                                                    \
	"\"Time of Day\",\"Process Name\",\"PID\",\"Operation\",\"Path\",\"Result\",\"Detail\"\r\n"

START_TEST(the_sample_of_process_monitor_is_read)
{
	static const char *const expected[] = { "R 0 0 4096 4012 fresh", "W 1 1048576 512 800" };

	loads_sample("tests/data/small.procmon", "procmon");
	accesses_are(2, expected);
	ck_assert_int_eq(trace.access[1].time, 1235); /* past midnight */
	ck_assert_str_eq(trace.file[1].name, "C:\\log \"1\".txt");
	noted_times("events other than ReadFile and WriteFile were left out", 2);
	noted_times("reads and writes that did not succeed were left out", 2);
	noted_times("paging I/O, of the system's cache and of mapped files, was left out", 1);
	noted_times("writes to the end of a file do not tell the place and were left out", 1);
}
END_TEST

START_TEST(columns_and_languages_may_be_others)
{
	load("Relative Time;TID;Path;Operation;Detail;PID\n"
	     "00:00:01,5000000;1;C:\\a;ReadFile;Offset: 4.096, Length: 12.288, Priority: Normal;7\n"
	     "00:00:02,0000000;1;C:\\a;WriteFile;Offset: 1\xc2\xa0"
	     "048\xc2\xa0"
	     "576, Length: 1\xe2\x80\xaf"
	     "024;7\n");
	access_is(0, "R 0 4096 12288 7 fresh");
	access_is(1, "W 0 1048576 1024 7");
	ck_assert_int_eq(trace.access[1].time, 500000);
	load(
	    "\"1:00:00.0 PM\",\"a\",\"7\",\"ReadFile\",\"C:\\a\",\"SUCCESS\",\"Offset: 0, Length: 5\"\n");
	ck_assert_str_eq(trace.format, "procmon");
	ck_assert_uint_eq(trace.naccess, 1);
}
END_TEST

START_TEST(damage_of_process_monitor_is_named)
{
	refuses(HEADING
	    "\"x\",\"a\",\"7\",\"ReadFile\",\"C:\\a\",\"SUCCESS\",\"Offset: 0, Length: 5\"\r\n",
	    "record 1 (line 2): Time of Day: 'x' is no time such as 10:23:45.1234567 AM");
	refuses(HEADING "\"1:00:00.0 PM\",\"a\",\"7\",\"ReadFile\",\"C:\\a\",\"SUCCESS\",\"\"\r\n",
	    "record 1 (line 2): Detail: '' has no offset and length");
	refuses(HEADING
	    "\"1:00:00.0 PM\",\"a\",\"y\",\"ReadFile\",\"C:\\a\",\"SUCCESS\",\"Offset: 0, Length: 5\"\r\n",
	    "record 1 (line 2): PID: 'y' is not a whole number");
}
END_TEST

START_TEST(the_sample_of_xperf_is_read)
{
	static const char *const expected[] = { "W 0 1712128 4096 1", "R 1 1720320 8192 2 fresh",
		"R 1 1728512 4096 2" };
	static const usec_t	 time[] = { 0, 834, 1134 };

	loads_sample("tests/data/small.xperf", "xperf");
	accesses_are(3, expected);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(trace.access[i].time, time[i]);
	ck_assert_str_eq(trace.file[1].name, "disk 1");
	noted("times are those of the start of a request: its end less the time it took");
	noted_times("events other than reads and writes of disks were left out", 2);
}
END_TEST

START_TEST(calls_to_files_are_read_when_asked_for)
{
	static const char rows[] =
	    "FileIoRead, TimeStamp, Process Name ( PID), ByteOffset, Size, Flags, FileName\n"
	    "FileIoRead, 1000, a (7), 0x1000, 0x800, 0x900, \"C:\\a, b\"\n"
	    "FileIoRead, 1001, a (7), 0x1000, 0x8000, 0x60043, \"C:\\a, b\"\n"
	    "FileIoWrite, 1100, a (7), 0x0, 0x10, 0xa00, \"C:\\c\"\n";

	refuses(rows,
	    "record 1 (line 4): has no requests to disks, but calls to files: type --format "
	    "xperf:events=files");
	loads_as("xperf", "events=files", rows, strlen(rows));
	ck_assert_uint_eq(trace.naccess, 2);
	access_is(0, "R 0 4096 2048 7 fresh");
	access_is(1, "W 1 0 16 7");
	ck_assert_int_eq(trace.access[1].time - trace.access[0].time, 100);
	ck_assert_str_eq(trace.file[0].name, "C:\\a, b");
	noted_times("paging I/O, of the system's cache and of mapped files, was left out", 1);
}
END_TEST

START_TEST(tables_of_wpa_have_any_columns)
{
	load("Line #,Process,IO Type,Disk,Size (B),Min Offset,Init Time (s)\n"
	     "1,\"a (b).exe (1234)\",Read,0,\"65,536\",\"123,904\",\"1,001.5\"\n"
	     "2,System,Write,0,\"4,096\",0x100000,\"1,001.6\"\nx\n");
	access_is(0, "R 0 123904 65536 1 fresh");
	access_is(1, "W 0 1048576 4096 1");
	ck_assert_int_eq(trace.access[1].time, 100000);
	load("Disk\tIO Type\tSize\tOffset\tComplete Time (s)\tIO Time (\xc2\xb5s)\n"
	     "1\tRead\t512\t4096\t2,5\t500000\n1\tWrite\t512\t4096\t3,5\t500000\n");
	ck_assert_int_eq(trace.access[1].time, 1000000);
}
END_TEST

START_TEST(a_dump_may_lack_its_header)
{
	static const char row[] = "DiskRead, 100, a ( 8), 1, 0xff, 0x1000, 0x200, 5, 0, 0x0, 4\n";

	load(row);
	access_is(0, "R 0 4096 512 1 fresh");
	refuses(
	    "DiskRead, 100, a ( 8), 1, 0xff, 0x1000, 0x200, 5, 0\nDiskRead, x, a ( 8), 1, 0xff, 0x1, 0x2, 5, 0\n",
	    "record 2 (line 2): DiskRead of disk 0: not time, offset and length");
}
END_TEST

#define COLUMNS_SHOWN                                                                              \
	"\"Time of Day\",\"Process Name\",\"PID\",\"Operation\",\"Path\",\"Result\",\"Detail\"\n"
#define READ_AT(time, path, detail)                                                                \
	"\"" time "\",\"a\",\"1\",\"ReadFile\",\"" path "\",\"SUCCESS\",\"" detail "\"\n"

START_TEST(groups_of_digits_are_those_of_any_language)
{
	static const char *const numbers[] = { "1,23,45,678",
		"12\xa0"
		"345\xa0"
		"678",
		"12\xe2\x80\x99"
		"345\xe2\x80\x99"
		"678",
		"12'345'678", "12.345.678", "12345678" };
	char			 text[400];

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		snprintf(text, sizeof(text),
		    COLUMNS_SHOWN READ_AT("1:00:00.5 AM", "C:\\a", "Offset: %s, Length: 4"),
		    numbers[i]);
		load(text);
		access_is(0, "R 0 12345678 4 1 fresh");
	}
	refuses(COLUMNS_SHOWN READ_AT("1:00:00.5 AM", "C:\\a", "Offset: 12_345, Length: 4"),
	    "record 1 (line 2): Detail: 'Offset: 12_345, Length: 4' has no offset and length");
}
END_TEST

START_TEST(names_are_the_same_in_capitals)
{
	load(COLUMNS_SHOWN READ_AT("1:00:00.5 AM", "C:\\a", "Offset: 0, Length: 4")
		READ_AT("1:00:00.6 AM", "C:\\A", "Offset: 0, Length: 4")
		    READ_AT("1:00:00.7 AM", "C:\\b", "Offset: 0, Length: 4"));
	ck_assert_uint_eq(trace.nfiles, 2);
	ck_assert_str_eq(trace.file[0].name, "C:\\a");
	ck_assert_str_eq(trace.file[1].name, "C:\\b");
}
END_TEST

START_TEST(times_stand_behind_dates_and_words)
{
	load("Date & Time,PID,Operation,Path,Result,Detail\n"
	     "1/5/2024 11:59:59 PM,1,ReadFile,a,SUCCESS,\"Offset: 0, Length: 4\"\n"
	     "1/6/2024 12:00:01 AM,1,ReadFile,a,SUCCESS,\"Offset: 0, Length: 4\"\n");
	ck_assert_int_eq(trace.access[1].time, 2000000);
	load(COLUMNS_SHOWN READ_AT("\u4e0a\u5348 11:00:00.5", "a", "Offset: 0, Length: 4")
		READ_AT("\u4e0b\u5348 1:00:00.5", "a", "Offset: 0, Length: 4"));
	ck_assert_int_eq(trace.access[1].time, 2 * 3600 * INT64_C(1000000));
	load("PID,Operation,Path,Result,Detail\n"
	     "1,ReadFile,a,SUCCESS,\"Offset: 0, Length: 4\"\n");
	ck_assert_uint_eq(trace.lacks, LACKS_TIMES);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("procmon");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_of_process_monitor_is_read);
	tcase_add_test(tc, columns_and_languages_may_be_others);
	tcase_add_test(tc, damage_of_process_monitor_is_named);
	tcase_add_test(tc, groups_of_digits_are_those_of_any_language);
	tcase_add_test(tc, names_are_the_same_in_capitals);
	tcase_add_test(tc, times_stand_behind_dates_and_words);
	tcase_add_test(tc, the_sample_of_xperf_is_read);
	tcase_add_test(tc, calls_to_files_are_read_when_asked_for);
	tcase_add_test(tc, tables_of_wpa_have_any_columns);
	tcase_add_test(tc, a_dump_may_lack_its_header);
	return run_tests("procmon", tc);
}
