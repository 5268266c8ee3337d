/* check_keys.c - traces/keys.c and rocksdb.c: keys become blocks, blocks of SST files have places. */
#include "tests/unit/traces/noted.h"

#define ROW "0,a,17,213,4,get,0\n"

START_TEST(the_sample_of_twitter_is_read)
{
	static const char *const expected[] = { "R 0 0 4096 1 fresh", "W 0 4096 4096 1",
		"R 0 0 4096 1" };

	loads_sample("tests/data/small.keys", "keys");
	accesses_are(3, expected);
	ck_assert_int_eq(trace.access[2].time, 1000000);
	noted("each key is one block, whatever the size of its object");
	noted_times("requests that neither get nor store an object, such as deletes, were left out",
	    1);
}
END_TEST

START_TEST(headings_of_meta_tell_the_columns)
{
	load(
	    "op_time,key,key_size,op,op_count,size,cache_hits,ttl\n7,ab,48,GET,3,87,1,0\n9,cd,67,SET,1,65,0,7200\n"
	    "9,cd,67,DELETE,1,65,0,7200\n9,ab,47,GET_LEASE,1,10,7,0\n");
	ck_assert_uint_eq(trace.naccess, 5);
	access_is(2, "R 0 0 4096 1");
	access_is(3, "W 0 4096 4096 1");
	ck_assert_int_eq(trace.access[4].time, 2000000);
	load("key,op,size,op_count,key_size\n1668757755,SET,82,1,40\nabc,GET,0,2,40\n");
	ck_assert_uint_eq(trace.naccess, 3);
	load("timestamp,cacheKey,OpType,objectSize\n1,x,get,5\n2,x,get,5\n");
	ck_assert_uint_eq(trace.naccess, 2);
}
END_TEST

START_TEST(requests_of_ibm_and_wikipedia_are_read)
{
	load("1219008 REST.PUT.OBJECT 8d 1056\n1221974 REST.HEAD.OBJECT 39 528\n"
	     "1232488 REST.GET.OBJECT 8d 1168 0 1167\n");
	access_is(0, "W 0 0 4096 1");
	access_is(1, "R 0 0 4096 1 fresh");
	ck_assert_int_eq(trace.access[1].time, 13480000);
	load(
	    "relative_unix\thashed_host_path_query\tresponse_size\ttime_firstbyte\n0\t83\t9\t1.8E-4\n1\t84\t9\t1.8E-4\n");
	ck_assert_uint_eq(trace.naccess, 2);
	access_is(1, "R 0 4096 4096 1");
}
END_TEST

START_TEST(damage_is_named)
{
	refuses(ROW ROW ROW ROW ROW "0,a\n",
	    "record 6 (line 6): '0,a' has no key, time and operation where rows before have them");
	refuses("key,op,size,op_count,key_size\na,GET,0,100001,40\n",
	    "record 1 (line 2): 'a,GET,0,100001,40' has no key, time and operation where rows before have "
	    "them");
}
END_TEST

START_TEST(the_sample_of_rocksdb_is_read)
{
	static const char *const expected[] = { "R 0 81920 4123 1 fresh", "R 0 86043 4096 1",
		"R 1 4096 65536 1 fresh" };

	loads_sample("tests/data/small.rocksdb", "rocksdb");
	accesses_are(3, expected);
	ck_assert_int_eq(trace.access[2].time, 469);
	ck_assert_str_eq(trace.file[0].name, "000138.sst");
	noted_times("references to blocks of no size were left out", 1);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("keys");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_of_twitter_is_read);
	tcase_add_test(tc, headings_of_meta_tell_the_columns);
	tcase_add_test(tc, requests_of_ibm_and_wikipedia_are_read);
	tcase_add_test(tc, damage_is_named);
	tcase_add_test(tc, the_sample_of_rocksdb_is_read);
	return run_tests("keys", tc);
}
