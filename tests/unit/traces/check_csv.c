/*
 * check_csv.c - traces/csv.c and traces/columns/columns_odd.c: columns by name, other forms of numbers and times,
 * identifiers, words, lines before the first.
 */
#include "tests/unit/traces/noted.h"

enum { CALLS = 4 };

static int
load_csv(const char *params, const char *text)
{
	return load_as("csv", params, text, strlen(text));
}

/* "10: R 4096 512": time, kind, offset and length of each call. */
static const struct form {
	const char *params, *text, *call[CALLS];
} forms[] = {
	/* columns by name, in capitals or not, quoted, with a mark before the heading */
	{ "offset=lba,time=TimeStamp,length=size", "lba,x,timestamp,Size\n8,q,1.5,2\n9,q,2,3\n",
	    { "0: R 8 2", "500000: R 9 3" } },
	{ "offset=first block,length=4", "# id;\"first block\";x;n\n1;8;q;2\n1;9;q;3\n",
	    { "0: R 8 2", "0: R 9 3" } },
	{ "offset=lba,op=op", "#time op lba\n0 R 5\n1 W 6\n", { "0: R 5 1", "0: W 6 1" } },
	{ "offset=lba,skip=2", "made by hand\n\"1,2,3\n\n  lba\tn \n7\t1\n", { "0: R 7 1" } },
	{ "offset=b", "a,b\n1,2\na,b\n1,3\na,b\n1,4\n", { "0: R 2 1", "0: R 3 1", "0: R 4 1" } },
	/* what is between columns */
	{ "time=1,offset=2", "1;10\n2;20\n", { "0: R 10 1", "1000000: R 20 1" } },
	{ "time=1,offset=3,time-unit=s", "1,5;R;10\n2;W;20\n", { "0: R 10 1", "500000: R 20 1" } },
	{ "offset=3,length=2", "\"a,b\",1,10\n\"c\"\"d,\",2,20\n", { "0: R 10 1", "0: R 20 2" } },
	{ "file=1,offset=2,separator=blank", "\"a b\" 10\nc 20\n", { "0: R 10 1", "0: R 20 1" } },
	/* numbers */
	{ "offset=1,length=2", "0x1F,0X10\n31,16\n", { "0: R 31 16", "0: R 31 16" } },
	{ "offset=1,op=2,hex=offset", "0041f7a0 R\n0x10 W\n41F7A0 R\n",
	    { "0: R 4323232 1", "0: W 16 1", "0: R 4323232 1" } },
	{ "offset=1,length=2,hex=both", "10,10\n", { "0: R 16 16" } },
	{ "offset=1,length=2,hex=length", "10,10\n", { "0: R 10 16" } },
	{ "offset=1,length=2", "4096.0,1.5e3\n1E2,5.12E+2\n15e-1e,1\n", { NULL } },
	{ "offset=1,length=2", "4096.0,1.5e3\n1E2,5.12E+2\n12000e-3,100.\n",
	    { "0: R 4096 1500", "0: R 100 512", "0: R 12 100" } },
	{ "offset=1,length=2", "\"1,234,567\",\"4,096\"\n\"12,345\",1\n",
	    { "0: R 1234567 4096", "0: R 12345 1" } },
	{ "offset=1,length=2,separator=tab", "1.234.567\t4096,0\n1 234 567\t1'024\n1_000\t12,345\n",
	    { "0: R 1234567 4096", "0: R 1234567 1024", "0: R 1000 12345" } },
	{ "time=1,offset=2,separator=tab", "0,5\t1\n1.000,25\t1\n1,002,003.5\t1\n0.5e4\t1\n",
	    { "0: R 1 1", "999750000: R 1 1", "4999500000: R 1 1", "1002003000000: R 1 1" } },
	{ "time=1,offset=2,decimal=comma,separator=tab", "1,250\t1.000\n2.000,5\t7\n1.500\t8\n",
	    { "0: R 1000 1", "1498750000: R 8 1", "1999250000: R 7 1" } },
	{ "time=1,offset=2,decimal=point,separator=tab", "1,250\t1,000\n1250.5\t7\n",
	    { "0: R 1000 1", "500000: R 7 1" } },
	{ "time=1,offset=2", "1.5e-1,1\n2.5E-1,2\n1.7066592e9,3\n",
	    { "0: R 1 1", "100000: R 2 1", "1706659199850000: R 3 1" } },
	{ "time=1,offset=3,separator=blank", "0.123: R 1\n0.5: R 2\n",
	    { "0: R 1 1", "377000: R 2 1" } },
	{ "time=1,offset=2,time-unit=ns", "1000.0,1\n3500.5,2\n", { "0: R 1 1", "2: R 2 1" } },
	{ "offset=1,pid=2,size=3", "1,0x7,\"4,096\"\n", { "0: R 1 1" } },
	/* times of day */
	{ "time=1,offset=2", "23:59:59.5,1\n0:00:00.5,2\n23:59:59.75,3\n00:00:01,4\n",
	    { "0: R 1 1", "250000: R 3 1", "1000000: R 2 1", "1500000: R 4 1" } },
	{ "time=1,offset=2", "11:59:59 AM,1\n12:00:00 PM,2\n1:00:00 pm,3\n",
	    { "0: R 1 1", "1000000: R 2 1", "3601000000: R 3 1" } },
	{ "time=1,offset=2", "12:00:00 am,1\n1:00:00am,2\n", { "0: R 1 1", "3600000000: R 2 1" } },
	{ "time=1,offset=2,separator=semicolon", "10:00:00,25;1\n10:00:01,5;2\n",
	    { "0: R 1 1", "1250000: R 2 1" } },
	/* dates */
	{ "time=1,offset=2", "2024-01-31T23:59:59.5Z,1\n2024-02-01 00:00:00,2\n",
	    { "0: R 1 1", "500000: R 2 1" } },
	{ "time=1,offset=2", "2024-01-31T23:59:59+00:00,1\n2024-02-01 02:00:00 +0200,2\n",
	    { "0: R 1 1", "1000000: R 2 1" } },
	{ "time=1,offset=2", "2024-01-31 23:59:59 UTC,1\n2024/02/01 00:00:00 GMT,2\n",
	    { "0: R 1 1", "1000000: R 2 1" } },
	{ "time=1,offset=2", "20240131T235959,1\n20240201T000000.5Z,2\n",
	    { "0: R 1 1", "1500000: R 2 1" } },
	{ "time=1,offset=2", "\"2024-01-31 23:59:59,5\",1\n\"2024-02-01 00:00:00,25\",2\n",
	    { "0: R 1 1", "750000: R 2 1" } },
	{ "time=1,op=2,offset=3,separator=blank",
	    "2024-01-31 23:59:59.5 R 1\n2024/02/01 00:00:00 W 2\n2024-02-01 00:00:00,5 W 3\n",
	    { "0: R 1 1", "500000: W 2 1", "1000000: W 3 1" } },
	/* words */
	{ "op=1,offset=2,read=REST.GET.OBJECT|GET,write=REST.PUT.OBJECT|a-very-long-word",
	    "REST.GET.OBJECT,1\nrest.put.object,2\nget,3\nA-Very-Long-Word,4\n",
	    { "0: R 1 1", "0: W 2 1", "0: R 3 1", "0: W 4 1" } },
	{ "op=1,offset=2,read=0|2,write=1|x", "0,1\n1,2\n2,3\nX,4\n",
	    { "0: R 1 1", "0: W 2 1", "0: R 3 1", "0: W 4 1" } },
	{ "op=1,offset=2,read=REST.GET.OBJECT,others=skip",
	    "REST.GET.OBJECT,1\nREST.GET.OBJECTS,2\nREST.HEAD.OBJECT,3\nR,4\n",
	    { "0: R 1 1", "0: R 4 1" } },
	/* identifiers */
	{ "object=1", "12\nuser0\n18446744073709551615123\nuser0\n",
	    { "0: R 0 4096", "0: R 4096 4096", "0: R 8192 4096", "0: R 4096 4096" } },
	{ "object=key,op=op,time=t,unit=8K,read=get,write=set",
	    "t,op,key\n1,get,4503599627370497\n2,set,4503599627370498\n3,get,\"4503599627370497\"\n",
	    { "0: R 0 8192", "1000000: W 8192 8192", "2000000: R 0 8192" } },
	{ "object=2,op=1", "op,key\nr,a b\nw,\"c,d\"\n", { "0: R 0 4096", "0: W 4096 4096" } },
};

START_TEST(other_forms_are_read)
{
	const struct form *f = &forms[_i];
	char		   text[64];
	size_t		   n = 0;

	ck_assert_msg((load_csv(f->params, f->text) == 0) == (*f->call != NULL), "%s: %s",
	    f->params, error.text);
	for (; n < CALLS && f->call[n]; n++) {
		const struct access *a = &trace.access[n];

		ck_assert_uint_gt(trace.naccess, n);
		snprintf(text, sizeof(text), "%lld: %c %llu %d", (long long)a->time,
		    a->write ? 'W' : 'R', (unsigned long long)a->offset, (int)a->length);
		ck_assert_str_eq(text, f->call[n]);
	}
	ck_assert_uint_eq(trace.naccess, n);
}
END_TEST

static const struct fault {
	const char *params, *text, *what;
	int	    code;
} faults[] = {
	{ "offset=ofset", "id,offset\n1,2\n",
	    "record 1 (line 1): unknown column of the heading 'ofset'; did you mean 'offset'?",
	    EXIT_FAILED },
	{ "offset=place", "id,x\n1,2\n", "unknown column of the heading 'place'; it is 'id,x'",
	    EXIT_FAILED },
	{ "offset=x,length=2", "id,x\n1,2\n", "csv: column 2 is given twice, last as offset",
	    EXIT_USAGE },
	{ "offset=x", "\n\n", "has no heading", EXIT_FAILED },
	{ "offset=1,skip=3", "1\n2\n", "has no more than the 3 lines of skip=", EXIT_FAILED },
	{ "offset=65", "1\n", "csv: offset is a column from 1 to 64, or its name", EXIT_USAGE },
	{ "offset=99999999999999999999", "1\n", "from 1 to 64", EXIT_USAGE },
	{ "offset=0", "1\n", "which columns? The first line", EXIT_FAILED },
	{ "time=1", "1\n",
	    "csv: which column is the offset, or the identifier of an object? as in csv:offset=2 or "
	    "csv:object=2",
	    EXIT_USAGE },
	{ "object=1,length=2", "a,1\n",
	    "csv: an object is one block: leave out offset, length, size, file and volume",
	    EXIT_USAGE },
	{ "offset=1", "0041f7a0\n",
	    "column 1 (offset): '0041f7a0' is not a whole number: if it is hexadecimal, type "
	    "hex=offset behind --format csv:",
	    EXIT_FAILED },
	{ "offset=1,hex=offset", "xyz\n0g\n", "'0g' is not a hexadecimal number", EXIT_FAILED },
	{ "offset=1", "4096.5\n", "'4096.5' is not a whole number", EXIT_FAILED },
	{ "offset=1", "1e30\n", "'1e30' is not a whole number", EXIT_FAILED },
	{ "offset=1,separator=tab", "1,23,456\n", "'1,23,456' is not a whole number", EXIT_FAILED },
	{ "offset=1,separator=tab", "0,123\n", "'0,123' is not a whole number", EXIT_FAILED },
	{ "offset=1,separator=tab", "5 6\n", "'5 6' is not a whole number", EXIT_FAILED },
	{ "time=1,offset=2,separator=tab", "0,5\t1\n12,345\t1\n",
	    "record 2 (line 2): column 1 (time): 12,345 could have decimals or thousands: type "
	    "decimal=comma or decimal=point behind --format csv:",
	    EXIT_FAILED },
	{ "time=1,offset=2", "25:00:00,1\n", "'25:00:00' is not a number of seconds", EXIT_FAILED },
	{ "time=1,offset=2", "2024-13-01 00:00:00,1\n", "is not a number of seconds", EXIT_FAILED },
	{ "op=1,offset=2,read=a.b", "a.c,1\n", "'a.c' is not a word for reads or writes",
	    EXIT_FAILED },
};

START_TEST(what_cannot_be_read_is_explained)
{
	const struct fault *f = &faults[_i];

	ck_assert_int_eq(load_csv(f->params, f->text), -1);
	ck_assert_msg(strstr(error.text, f->what) != NULL, "%s", error.text);
	ck_assert_int_eq(error.exit_code, f->code);
}
END_TEST

START_TEST(objects_lack_addresses)
{
	loads_as("csv", "object=1", "a\nb\n", 4);
	ck_assert_uint_eq(trace.lacks,
	    LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES | LACKS_LENGTHS | LACKS_ADDRESSES);
	noted("each identifier is one block, whatever the size of its object");
	loads_as("csv", "object=2,pid=1", "1,b\n2,b\n", 8);
	ck_assert_uint_eq(trace.lacks, LACKS_FILES | LACKS_TIMES | LACKS_LENGTHS | LACKS_ADDRESSES);
	ck_assert_uint_eq(trace.nblocks, 2);
}
END_TEST

START_TEST(repeated_headings_are_counted)
{
	static const char text[] = "a,b\n1,2\na,b\n1,3\na,b\n1,4\n";

	loads_as("csv", "offset=b", text, strlen(text));
	noted("lines of headings were skipped");
	ck_assert_uint_eq(trace.noted[0], 2);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("csv");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_loop_test(tc, other_forms_are_read, 0, (int)(sizeof(forms) / sizeof(*forms)));
	tcase_add_loop_test(tc, what_cannot_be_read_is_explained, 0,
	    (int)(sizeof(faults) / sizeof(*faults)));
	tcase_add_test(tc, objects_lack_addresses);
	tcase_add_test(tc, repeated_headings_are_counted);
	return run_tests("csv", tc);
}
