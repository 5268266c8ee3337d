/* check_option.c - command lines that are understood, and what is said of others. */
#include <stdio.h>
#include <string.h>

#include "sim/core/simulate.h"
#include "sim/setup/options.h"
#include "tests/unit/support.h"

enum { WORDS = 16, LINE = 512 };

static struct options o;
static struct error   e;
static char	      line[LINE];

/* Words are separated by blanks; "''" is an empty one. */
static int
parse(enum command_id command, const char *text)
{
	static char *argv[WORDS + 1]; /* kept: o.program points into it */
	int	     argc = 0;

	e = (struct error){ 0 };
	ck_assert_uint_lt(strlen(text), sizeof(line));
	strcpy(line, text);
	for (char *w = strtok(line, " "); w; w = strtok(NULL, " ")) {
		ck_assert_int_lt(argc, WORDS);
		argv[argc++] = strcmp(w, "''") ? w : w + 2;
	}
	argv[argc] = NULL;
	return options_parse(&o, command, argc, argv, &e);
}

static void
accepts(const char *text)
{
	ck_assert_msg(!parse(COMMAND_RUN, text), "%s: %s", text, e.text);
}

static void
refuses(const char *text, const char *why)
{
	ck_assert_msg(parse(COMMAND_RUN, text) < 0, "'%s' was accepted", text);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	ck_assert_msg(strstr(e.text, why) != NULL, "%s: %s", text, e.text);
}

START_TEST(without_options_all_have_their_defaults)
{
	accepts("run trace");
	ck_assert_str_eq(o.argument[0], "trace");
	ck_assert_uint_eq(o.cache.n, 64 << 20);
	ck_assert(!o.cache.blocks);
	ck_assert_str_eq(o.policy, "lru");
	ck_assert_str_eq(o.text[OPTION_policy], "lru");
	ck_assert_uint_eq(o.block, 4096);
	ck_assert(!o.json && !o.csv && !o.help);
	ck_assert_ptr_null(o.format);
	ck_assert_ptr_null(o.text[OPTION_format]);
}
END_TEST

START_TEST(defaults_are_those_of_the_simulator)
{
	struct config c;

	config_defaults(&c);
	accepts("run trace");
	ck_assert_uint_eq(o.layout, c.layout);
	ck_assert_uint_eq(o.replay, c.replay);
	ck_assert_uint_eq(o.writes, c.writes);
	ck_assert_uint_eq(o.wait, c.wait);
	ck_assert_uint_eq(o.complete, c.complete);
	ck_assert_uint_eq(o.queue, c.queue_requests);
	ck_assert(o.request.blocks);
	ck_assert_uint_eq(o.request.n, c.request_blocks);
	ck_assert_int_eq(o.flush_interval, c.flush_interval_us);
	ck_assert_int_eq(o.flush_age, c.flush_age_us);
	ck_assert_double_eq(o.think_scale, c.think_scale);
	ck_assert_uint_eq(o.warmup.calls, c.warmup_calls);
}
END_TEST

START_TEST(choices_are_in_the_order_of_their_enum)
{
	accepts("run t --layout accusim --replay process --writes through --wait block "
		"--complete buffer --mmap touch");
	ck_assert_uint_eq(o.layout, LAYOUT_ACCUSIM);
	ck_assert_uint_eq(o.replay, REPLAY_PROCESS);
	ck_assert_uint_eq(o.writes, WRITES_THROUGH);
	ck_assert_uint_eq(o.wait, WAIT_BLOCK);
	ck_assert_uint_eq(o.complete, COMPLETE_BUFFER);
	ck_assert_uint_eq(o.mmap, 1);
	accepts("run t --writes accusim");
	ck_assert_uint_eq(o.writes, WRITES_ACCUSIM);
}
END_TEST

START_TEST(options_and_the_trace_come_in_any_order)
{
	accepts("run --cache 2048b trace --json");
	ck_assert_str_eq(o.argument[0], "trace");
	ck_assert_uint_eq(o.cache.n, 2048);
	ck_assert(o.cache.blocks);
	ck_assert(o.json);
	accepts("run --cache=2048b -- --trace");
	ck_assert_str_eq(o.argument[0], "--trace");
	accepts("run -");
	ck_assert_str_eq(o.argument[0], "-");
}
END_TEST

START_TEST(a_beginning_will_do)
{
	accepts("run t --cac 2M --prefetch linux24:max=32");
	ck_assert_uint_eq(o.cache.n, 2 << 20);
	ck_assert_str_eq(o.prefetch, "linux24:max=32");
}
END_TEST

START_TEST(a_second_value_is_refused)
{
	refuses("run t --map a.svg --map b.svg",
	    "--map is given twice, a.svg and b.svg: leave one out");
	refuses("run t --cpu call=1 --cpu page=2", "type --cpu call=1,page=2");
	refuses("run t --layout packed --layout accusim",
	    "leave one out; bufsim compare and sweep take --layout packed,accusim");
	refuses("run t --cache 1M --cache 1M", "--cache 1M is given twice: leave one out");
	accepts("run t --json --json");
}
END_TEST

START_TEST(times_factors_and_shares_are_read)
{
	accepts("run t --flush-age 1500ms --think-scale 0.5 --warmup 5000");
	ck_assert_int_eq(o.flush_age, 1500000);
	ck_assert_double_eq(o.think_scale, 0.5);
	ck_assert_uint_eq(o.warmup.calls, 5000);
	accepts("run t --warmup 12.5%");
	ck_assert_uint_eq(o.warmup.calls, 0);
	ck_assert_double_eq(o.warmup.fraction, 0.125);
	accepts("run t --warmup 0.25");
	ck_assert_double_eq(o.warmup.fraction, 0.25);
}
END_TEST

START_TEST(sizes_that_are_none_are_refused)
{
	static const char *const bad[] = { "64Q", "-5", "''", "1e3", "64MBs", "0.5b", "M", "0%" };
	char			 text[64];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "run t --cache %s", bad[i]);
		refuses(text,
		    "will not do: type a size such as 64M, a number of blocks such as 2048b, "
		    "or a share of the footprint such as 10%");
	}
	refuses("run t --cache 8192", "'8192' has no unit: add K, M, G or T for bytes");
	refuses("run t --cache 1.5", "'1.5' has no unit");
	refuses("run t --cache 64Mb", "type 64MB for bytes; a small b is for blocks");
	refuses("run t --cache 20mib", "type 20MB for bytes; a small b is for blocks");
	refuses("run t --cache auto", "lists and ranges are for bufsim sweep, compare and mrc");
	refuses("run t --cache 64 MB", "--cache: type 64MB, without the blank");
	refuses("run t --cache 64 blocks", "--cache: type 64b, without the blank");
	refuses("run t --flush-age 5 s", "--flush-age: type 5s, without the blank");
	refuses("run t --cache 99999999999999999999b", "is too large");
	refuses("run t --cache 99999999999T", "is too large");
}
END_TEST

START_TEST(other_values_that_are_none_are_refused)
{
	refuses("run t --think-scale -1", "--think-scale: '-1' will not do");
	refuses("run t --think-scale 1e3", "--think-scale: '1e3' will not do");
	refuses("run t --warmup 1.5", "--warmup: '1.5' will not do");
	refuses("run t --warmup 100%", "--warmup: '100%' will not do");
	refuses("run t --warmup %", "--warmup: '%' will not do");
	refuses("run t --warmup ''", "--warmup: '' will not do");
	refuses("run t --warmup 0.00000000000000000000000000000000001", "will not do");
	refuses("run t --queue x", "--queue: 'x' will not do");
	refuses("run t --flush-age 30", "--flush-age: '30' will not do");
	refuses("run t --flush-age 0s", "is not between 1us and a year");
	refuses("run t --block ''", "--block: '' will not do");
	refuses("run t --replay proces", "unknown value 'proces'; did you mean 'process'?");
	refuses("run t --wait forever", "unknown value 'forever'; choose call|block");
	refuses("run t --wait ''", "unknown value ''; choose call|block");
}
END_TEST

START_TEST(unknown_options_suggest_the_nearest)
{
	refuses("run t --cahce 1M", "unknown option '--cahce'; did you mean '--cache'?");
	refuses("run t --prefetcher x",
	    "unknown option '--prefetcher'; did you mean '--prefetch'?");
	refuses("run t --xyz", "unknown option '--xyz'; see: bufsim help run");
	refuses("run t -c 1M", "unknown option '-c'; did you mean '--cache'?");
	refuses("run t -cache 1M", "'-cache': type two minus signs: --cache");
	refuses("run t -z 1M", "unknown option '-z'; see: bufsim help run");
	refuses("run t --algo lru", "unknown option '--algo'; did you mean '--policy'?");
	refuses("run t --size 1M", "unknown option '--size'; did you mean '--cache'?");
	refuses("run t --cache-size 1M", "unknown option '--cache-size'; did you mean '--cache'?");
	refuses("run t --parallel 4",
	    "--jobs is an option of compare, sweep, mrc, advise and share, not of run");
	refuses("run --trace t",
	    "unknown option '--trace'; a trace needs no option: bufsim run TRACE");
	refuses("run t -o x", "--output is an option of sweep, ");
	refuses("run t --re 1", "'--re' could be --replay, --request");
	refuses("run t --json=1", "--json takes no value");
	refuses("run t --cache", "--cache needs a value: --cache 2048b");
}
END_TEST

START_TEST(an_option_of_another_command_is_said_to_be_one)
{
	ck_assert_int_eq(parse(COMMAND_STAT, "stat t --cache 1M"), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "--cache is an option of run, compare, sweep, "));
	ck_assert_ptr_nonnull(strstr(e.text, ", not of stat"));
	ck_assert_int_eq(parse(COMMAND_STAT, "stat t --block 8K --json"), 0);
	ck_assert_uint_eq(o.block, 8192);
}
END_TEST

START_TEST(arguments_are_counted)
{
	refuses("run", "run what? Type: bufsim run TRACE");
	ck_assert_int_eq(parse(COMMAND_RUN, "run a b c"), 0);
	ck_assert_uint_eq(o.narguments, 3);
	ck_assert_int_lt(parse(COMMAND_CONVERT, "convert a"), 0);
	ck_assert_str_eq(e.text,
	    "convert what? Type: bufsim convert IN... OUT ('-' is standard input)");
	ck_assert_int_lt(parse(COMMAND_LIST, "list a b"), 0);
	ck_assert_str_eq(e.text, "list takes one [TOPIC]: 'b' is too many");
	ck_assert_int_eq(parse(COMMAND_RUN, "run --help"), 0);
	ck_assert(o.help);
	ck_assert_int_eq(parse(COMMAND_LIST, "list"), 0);
	ck_assert_ptr_null(o.argument[0]);
}
END_TEST

START_TEST(sizes_become_blocks_only_if_they_are_whole_ones)
{
	struct size s = { .n = 8192 };
	uint64_t    blocks;

	ck_assert_int_eq(size_blocks(&s, 4096, 0, &blocks, &e), 0);
	ck_assert_uint_eq(blocks, 2);
	ck_assert_int_eq(size_blocks(&s, 16384, 0, &blocks, &e), -1);
	ck_assert_str_eq(e.text, "8K is not a whole number of blocks of 16K: 1b is near");
	s = (struct size){ .n = 3, .blocks = true };
	ck_assert_int_eq(size_blocks(&s, 16384, 0, &blocks, &e), 0);
	ck_assert_uint_eq(blocks, 3);
	s.n = 0;
	ck_assert_int_eq(size_blocks(&s, 4096, 0, &blocks, &e), -1);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
}
END_TEST

START_TEST(every_option_has_a_meaning_and_an_example_that_is_accepted)
{
	char text[LINE];

	for (const struct option_info *i = option_info; i->name; i++) {
		ck_assert_uint_gt(strlen(i->meaning), 0);
		ck_assert_ptr_eq(strstr(i->example, "--"), i->example);
		ck_assert(!strncmp(i->example + 2, i->name, strlen(i->name)));
		for (unsigned id = 0; id < COMMANDS; id++) {
			if (!option_belongs(i, id))
				continue;
			snprintf(text, sizeof(text), "%s%s%s %s%s", command_info[id].name,
			    id == COMMAND_RECORD || !*command_info[id].argument ? "" : " a",
			    id == COMMAND_CONVERT ? " b" : "", i->example,
			    id == COMMAND_RECORD ? " -- a" : "");
			ck_assert_msg(!parse(id, text), "%s: %s", text, e.text);
		}
	}
}
END_TEST

START_TEST(a_program_stands_behind_two_minus_signs)
{
	ck_assert_int_eq(parse(COMMAND_RECORD, "record -o x -- make -j2 --help -- -o y"), 0);
	ck_assert_str_eq(o.output, "x");
	ck_assert(!o.help);
	ck_assert_str_eq(o.program[0], "make");
	ck_assert_str_eq(o.program[2], "--help");
	ck_assert_str_eq(o.program[3], "--");
	ck_assert_str_eq(o.program[5], "y");
	ck_assert_ptr_null(o.program[6]);
	ck_assert_int_eq(parse(COMMAND_RECORD, "record -o x --"), -1);
	ck_assert_str_eq(e.text, "record what? Type: bufsim record -o FILE -- COMMAND...");
	ck_assert_int_eq(parse(COMMAND_RECORD, "record -o x make"), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "'make': the program stands behind --"));
	ck_assert_int_eq(parse(COMMAND_RECORD, "record --help"), 0);
	accepts("run -- trace");
	ck_assert_ptr_null(o.program);
}
END_TEST

START_TEST(letters_are_short_for_options)
{
	ck_assert_int_eq(parse(COMMAND_SWEEP, "sweep a -j 3 b -ofile c"), 0);
	ck_assert_uint_eq(o.jobs, 3);
	ck_assert_str_eq(o.output, "file");
	ck_assert_uint_eq(o.narguments, 3);
	ck_assert_str_eq(o.argument[2], "c");
	ck_assert_ptr_null(o.argument[3]);
	refuses("run a -j 3",
	    "--jobs is an option of compare, sweep, mrc, advise and share, not of run");
	ck_assert_int_eq(parse(COMMAND_RUN, "run -h"), 0);
	ck_assert(o.help);
	ck_assert_int_eq(parse(COMMAND_SWEEP, "sweep a -j"), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "--jobs needs a value"));
}
END_TEST

START_TEST(a_sweep_leaves_lists_as_they_are)
{
	ck_assert_int_eq(parse(COMMAND_SWEEP, "sweep a --cache 1M:2M:x2 --writes back,through"), 0);
	ck_assert_str_eq(o.text[OPTION_cache], "1M:2M:x2");
	ck_assert_str_eq(o.text[OPTION_writes], "back,through");
	ck_assert_int_eq(option_set(&o, &option_info[OPTION_cache], "3b", &e), 0);
	ck_assert_uint_eq(o.cache.n, 3);
	ck_assert_str_eq(o.text[OPTION_cache], "3b");
	ck_assert_int_eq(parse(COMMAND_SWEEP, "sweep a --block 4K,8K"), -1);
	ck_assert_int_eq(parse(COMMAND_MRC, "mrc a --policy lru,2q"), 0);
	ck_assert_str_eq(o.text[OPTION_policy], "lru,2q");
	ck_assert(option_takes_list(&option_info[OPTION_policy], COMMAND_MRC));
	ck_assert(!option_takes_list(&option_info[OPTION_policy], COMMAND_RUN));
	ck_assert(!option_takes_list(&option_info[OPTION_block], COMMAND_SWEEP));
}
END_TEST

START_TEST(shares_are_of_the_footprint)
{
	struct size s;
	uint64_t    blocks;

	accepts("run t --cache 1/8");
	s = o.cache;
	ck_assert_int_eq(size_blocks(&s, 4096, 1000, &blocks, &e), 0);
	ck_assert_uint_eq(blocks, 125);
	ck_assert_int_eq(size_blocks(&s, 4096, 3, &blocks, &e), 0);
	ck_assert_uint_eq(blocks, 1);
	ck_assert_int_eq(size_blocks(&s, 4096, 0, &blocks, &e), -1);
	accepts("run t --cache 12.5%");
	ck_assert_int_eq(size_blocks(&o.cache, 4096, 1000, &blocks, &e), 0);
	ck_assert_uint_eq(blocks, 125);
	accepts("run t --cache 0.5");
	ck_assert_int_eq(size_blocks(&o.cache, 4096, 1000, &blocks, &e), 0);
	ck_assert_uint_eq(blocks, 500);
	refuses("run t --cache 1/0", "will not do");
	refuses("run t --cache 0/8", "will not do");
	refuses("run t --cache 1/", "will not do");
}
END_TEST

START_TEST(costs_are_nanoseconds_by_name)
{
	struct cpu_costs *c = &o.cpu.typed;
	char		  words[CPU_COSTS_TEXT];

	accepts("run t");
	ck_assert_uint_eq(o.cpu.from, CPU_OF_SHEET);
	ck_assert(!cpu_costs_any(c));
	accepts("run t --cpu call=812,page=410,byte=0.09,read_page=2400,single_page=800.5");
	ck_assert_uint_eq(o.cpu.from, CPU_TYPED);
	ck_assert_uint_eq(c->call_ps, 812000);
	ck_assert_uint_eq(c->page_ps, 410000);
	ck_assert_uint_eq(c->byte_ps, 90);
	ck_assert_uint_eq(c->read_page_ps, 2400000);
	ck_assert_uint_eq(c->single_page_ps, 800500);
	ck_assert_str_eq(cpu_costs_words(*c, words),
	    "call 812 ns, page 410 ns, byte 0.09 ns, read_page 2400 ns, single_page 800.5 ns");
	accepts("run t --cpu none");
	ck_assert_uint_eq(o.cpu.from, CPU_NONE);
	accepts("run t --cpu page=0,byte=0");
	ck_assert_uint_eq(o.cpu.from, CPU_NONE);
	accepts("run t --cpu call=10000000");
	refuses("run t --cpu call=10000001",
	    "'call=10000001' is too large: 10000000 ns is the most");
	refuses("run t --cpu byte=100000.5", "'byte=100000.5' is too large: 100000 ns is the most");
	refuses("run t --cpu byte=0.0004", "'byte=0.0004' is too small: 0.001 ns is the least");
	refuses("run t --cpu call=-1", "'call=-1' will not do: type nanoseconds without a unit");
	refuses("run t --cpu call=1us", "'call=1us' will not do: type nanoseconds without a unit");
	refuses("run t --cpu call=", "'call=' will not do");
	refuses("run t --cpu call", "'call' needs a number of nanoseconds: type call=500");
	refuses("run t --cpu cal=1", "unknown cost 'cal'; did you mean 'call'?");
	refuses("run t --cpu shet", "unknown cost 'shet'; did you mean 'sheet'?");
	refuses("run t --cpu 800", "unknown cost '800'; type none, sheet, or nanoseconds such as");
	refuses("run t --cpu call=1,page=2,call=3", "call is given twice");
	refuses("run t --cpu call=1,,page=2", "a cost is missing");
	refuses("run t --cpu call=1,", "a cost is missing");
	refuses("run t --cpu ''", "a cost is missing");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("option");

	tcase_add_test(tc, without_options_all_have_their_defaults);
	tcase_add_test(tc, defaults_are_those_of_the_simulator);
	tcase_add_test(tc, choices_are_in_the_order_of_their_enum);
	tcase_add_test(tc, options_and_the_trace_come_in_any_order);
	tcase_add_test(tc, a_beginning_will_do);
	tcase_add_test(tc, a_second_value_is_refused);
	tcase_add_test(tc, times_factors_and_shares_are_read);
	tcase_add_test(tc, sizes_that_are_none_are_refused);
	tcase_add_test(tc, other_values_that_are_none_are_refused);
	tcase_add_test(tc, unknown_options_suggest_the_nearest);
	tcase_add_test(tc, an_option_of_another_command_is_said_to_be_one);
	tcase_add_test(tc, arguments_are_counted);
	tcase_add_test(tc, sizes_become_blocks_only_if_they_are_whole_ones);
	tcase_add_test(tc, every_option_has_a_meaning_and_an_example_that_is_accepted);
	tcase_add_test(tc, a_program_stands_behind_two_minus_signs);
	tcase_add_test(tc, letters_are_short_for_options);
	tcase_add_test(tc, a_sweep_leaves_lists_as_they_are);
	tcase_add_test(tc, shares_are_of_the_footprint);
	tcase_add_test(tc, costs_are_nanoseconds_by_name);
	return run_tests("option", tc);
}
