/* check_hint.c - sim/trace/hint.c: what is to be typed for rows of columns, and that it works when it is typed. */
#include "sim/trace/hint.h"
#include "tests/unit/traces/noted.h"

static const struct sheet_of {
	const char *text, *hint; /* NULL: none */
	unsigned    calls;
} shapes[] = {
	/* headings */
	{ "id;when;what;lba;n\n1;2.5;R;88;8\n2;3;W;96;16\n",
	    "csv:time=when,op=what,offset=lba,length=n,unit=512,separator=semicolon", 2 },
	{ "Date,Op,LBA,Blocks\n2024-01-31 10:00:00.5,R,100,8\n2024-01-31 10:00:01.5,W,108,16\n",
	    "csv:time=Date,op=Op,offset=LBA,length=Blocks,unit=512,separator=comma", 2 },
	{ "ts_ns;disk;rw;sector;nr_sectors\n1700000000000000000;sda;R;2048;8\n"
	  "1700000000500000000;sdb;W;4096;16\n",
	    "csv:time=ts_ns,op=rw,offset=sector,length=nr_sectors,volume=disk,time-unit=ns,"
	    "unit=512,separator=semicolon",
	    2 },
	{ "time(us),op,address,size\n0,read,0x1000,4096\n10,write,0x2000,4096\n",
	    "'csv:time=time(us),op=op,offset=address,length=size,time-unit=us,separator=comma'",
	    2 },
	{ "# time lba size op\n0.1 100 8 R\n0.2 108 8 W\n",
	    "csv:time=time,op=op,offset=lba,length=size,unit=512,separator=blank", 2 },
	{ "\"id\",\"start_time_ms\",\"file_offset\",\"io_size\",\"type\",\"file name\"\n"
	  "1,100,0,4096,\"Read\",\"/a, b\"\n2,200,4096,4096,\"Write\",\"/c\"\n",
	    "'csv:time=start_time_ms,op=type,offset=file_offset,length=io_size,file=file name,"
	    "time-unit=ms,separator=comma'",
	    2 },
	{ "start_time;end_time;bytes;offset;file\n1,5;1,6;4096;0;a\n2,25;2,3;4096;4096;b\n",
	    "csv:time=start_time,offset=offset,length=bytes,file=file,separator=semicolon", 2 },
	{ "issued,completed,device,offset_bytes,length_bytes,is_write\n"
	  "1.0,1.1,0,4096,4096,0\n1.5,1.6,0,8192,4096,1\n",
	    "csv:time=issued,op=is_write,offset=offset_bytes,length=length_bytes,volume=device,"
	    "read=0,write=1,separator=comma",
	    2 },
	{ "Time of Day,Process Name,PID,Operation,Path,Offset,Length\n"
	  "3:09:47.1 PM,app.exe,10,ReadFile,C:\\a.txt,0,4096\n"
	  "3:09:47.2 PM,app.exe,10,WriteFile,C:\\a.txt,4096,512\n",
	    "'csv:time=Time of Day,op=Operation,offset=Offset,length=Length,file=Path,pid=PID,"
	    "process=Process Name,read=ReadFile,write=WriteFile,separator=comma'",
	    2 },
	{ "id,x,y,z\n5,1.5,77,8\n6,1.75,99,8\n7,1.8,3,16\n",
	    "csv:time=x,offset=y,length=z,unit=512,separator=comma", 3 },
	{ "size,size,ioOffset\n1,4096,0\n2,4096,4096\n",
	    "csv:offset=ioOffset,length=2,separator=comma", 2 },
	/* lines before the heading */
	{ "Trace of disk sda\nmade on Monday\ntime;lba;len;rw\n0.5;100;8;R\n0.7;200;8;W\n",
	    "csv:time=time,op=rw,offset=lba,length=len,unit=512,separator=semicolon,skip=2", 2 },
	{ "Made up in the shape of the .load files of blkreplay\n\n######\n"
	  "start ; sector; length ; op ;  replay_delay=0 ; replay_duration=0\n"
	  "      0.000000000 ;     37766853 ;   64 ; W ; 0.0 ; 0.0\n"
	  "      0.449518165 ;     37766920 ;   16 ; R ; 0.0 ; 0.0\n"
	  "      0.466638358 ;     57324376 ;    8 ; RA ; 0.0 ; 0.0\n",
	    "csv:time=start,op=op,offset=sector,length=length,unit=512,separator=semicolon,skip=3",
	    3 },
	/* no heading */
	{ "0, 5041, 0, 4096, 12288, 0\n1, 5041, 1, 4096, 0, 0\n5, 6041, 0, 8192, 4096, 0\n",
	    "csv:time=1,op=3,offset=5,length=4,read=0,write=1,separator=comma", 3 },
	{ "0041f7a0 R\n13f5e2c0 R\n05e78900 W\n0041f7a8 R\n",
	    "csv:op=2,offset=1,hex=offset,separator=blank", 4 },
	{ "0 1859088 0 8\n5 1859096 0 16\n9 77 0 8\n",
	    "csv:time=1,offset=2,length=4,unit=512,separator=blank", 3 },
	{ "R,4096,512\nW,8192,1024\nR,0,512\n", "csv:op=1,offset=2,length=3,separator=comma", 3 },
	{ "1700000000.123 8,0 R 2048 8 cat\n1700000000.223 8,0 W 4096 8 cat\n",
	    "csv:time=1,op=3,offset=4,length=5,unit=512,separator=blank", 2 },
	{ "2024-01-31 10:00:00 R 4096 512\n2024-01-31 10:00:01 W 8192 512\n",
	    "csv:time=1,op=2,offset=3,length=4,separator=blank", 2 },
	{ "1;R;88\n", "csv:op=2,offset=3,length=1,unit=512,separator=semicolon", 1 },
	{ "1 (x) = 3\n", NULL, 0 },
	/* objects */
	{ "timestamp,key,key_size,value_size,client_id,operation,TTL\n0,aX-1,14,100,1,get,0\n"
	  "0,aX-2,14,100,1,set,60\n1,aX-1,14,100,2,gets,0\n2,q,1,1,2,delete,0\n",
	    "'csv:time=timestamp,op=operation,object=key,read=get|gets,write=set,others=skip,"
	    "separator=comma'",
	    3 },
	{ "0,aX-1,14,100,1,get,0\n0,aX-2,14,100,1,set,60\n1,aX-1,14,100,2,get,0\n",
	    "csv:time=1,op=6,object=2,read=get,write=set,separator=comma", 3 },
	{ "1219008 REST.PUT.OBJECT 8d4fcda3d675bac9 1056\n1221974 REST.HEAD.OBJECT 39d177fb735ac5df "
	  "528\n1232488 REST.GET.OBJECT 95d363d3fbdc0b03 1168 0 1167\n",
	    "'csv:time=1,op=2,object=3,read=REST.HEAD.OBJECT|REST.GET.OBJECT,"
	    "write=REST.PUT.OBJECT,separator=blank'",
	    3 },
	{ "user1\nuser2\nuser1\n", "csv:object=1", 3 },
	{ "9007199254740993,GET\n9007199254740994,GET\n",
	    "csv:op=2,object=1,read=GET,separator=comma", 2 },
	/* a known format with another unit of time */
	{ "0.000000,hm,0,Read,1024,2048,10\n0.110000,hm,0,Write,2048,512,20\n", "msr:time-unit=s",
	    2 },
	{ "7,R,4096,512,1577808000\n7,W,0,512,1577808001\n", "alibaba:time-unit=s", 2 },
	/* nothing to guess */
	{ "Lorem ipsum dolor\nsit amet, consectetur\nadipiscing elit\n", NULL, 0 },
	{ "17/2/2020\tfoo\tbar\n", NULL, 0 },
	{ "\n\n", NULL, 0 },
	{ "1,2,3\n1,2\n1\n", NULL, 0 },
};

/* Load the text as the hint says; quotes are those of the shell. */
static void
type(const char *hint, const char *text)
{
	char  words[HINT_TEXT], *params;
	char *name = words;

	snprintf(words, sizeof(words), "%s", hint + (*hint == '\''));
	words[strcspn(words, "'")] = '\0';
	params = strchr(name, ':');
	*params++ = '\0';
	loads_as(name, params, text, strlen(text));
}

START_TEST(the_hint_works)
{
	const struct sheet_of *s = &shapes[_i];
	char		       text[HINT_TEXT];
	bool		       given = hint_columns(s->text, strlen(s->text), text);

	ck_assert_msg(given == (s->hint != NULL), "%s", given ? text : s->hint);
	if (!given)
		return;
	ck_assert_str_eq(text,
	    (snprintf(error.text, sizeof(error.text), "--format %s", s->hint), error.text));
	type(s->hint, s->text);
	ck_assert_uint_eq(trace.naccess, s->calls);
}
END_TEST

/* Lines, columns and words without end. */
START_TEST(anything_is_survived)
{
	static char text[200000];
	char	    hint[HINT_TEXT];
	uint64_t    seed = 1;

	for (unsigned round = 0; round < 200; round++) {
		static const char letters[] = "0123456789abcxR,;. \t\n\"#:-|'";
		size_t		  n = round < 190 ? 500 : sizeof(text);

		for (size_t i = 0; i < n; i++)
			text[i] = letters[((seed = seed * 6364136223846793005u + 1) >> 33) %
			    (round % 2 ? 27 : 17)];
		hint_columns(text, n, hint);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("hint");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_loop_test(tc, the_hint_works, 0, (int)(sizeof(shapes) / sizeof(*shapes)));
	tcase_add_test(tc, anything_is_survived);
	return run_tests("hint", tc);
}
