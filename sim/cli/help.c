/* help.c - help, manual page and completion from the tables of options and plug-ins. */
#include <ctype.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/terminal.h"
#include "sim/cli/help.h"
#include "sim/core/stats.h"
#include "sim/registry.h"
#include "sim/trace/unpack/unpack.h"

enum {
	OPTION_COLUMN = 32,
	COMMAND_COLUMN = 22,
	SIZE_COLUMN = 22,
	OVERVIEW_EXAMPLES = 5, /* of the commands that stand first */
	TEXT_ROOM = 512,
	LESSON_ROOM = 4096,
	RANGE_ROOM = 128,
	NAME_ROOM = 64
};

static const char purpose[] = "how long would a program take with a given cache and prefetcher?";

static const struct {
	const char *typed, *text;
} sizes[] = {
	{ "64M, 64MB, 64MiB, 64m", "64 x 1024 x 1024 bytes; likewise K, G and T, and 1.5G" },
	{ "16384b", "blocks of --block bytes" },
	{ "1/8, 12.5%, 0.125",
	    "a share of the footprint, the blocks that the trace references; only of --cache" },
	{ "64M,128M", "a list, for sweep, compare and mrc" },
	{ "1M:1G:x2", "a range: 1M, 2M, 4M ... 1G; +1M adds instead; 10%:100%:+10%" },
	{ "auto", "the eighths of the footprint: 1/8, 2/8 ... 8/8" },
};

enum option_id
help_option_of(enum plugin_kind kind)
{
	static const enum option_id option[PLUGIN_KINDS] = {
		[PLUGIN_POLICY] = OPTION_policy,
		[PLUGIN_PREFETCHER] = OPTION_prefetch,
		[PLUGIN_SCHEDULER] = OPTION_scheduler,
		[PLUGIN_DEVICE] = OPTION_device,
		[PLUGIN_FORMAT] = OPTION_format,
		[PLUGIN_SHAPE] = OPTION_pattern,
		[PLUGIN_PROTOCOL] = OPTION_protocol,
		[PLUGIN_ALLOCATOR] = OPTION_allocator,
		[PLUGIN_KIND] = OPTION_kinds,
		[PLUGIN_POOL] = OPTION_pool,
		[PLUGIN_LOAD] = OPTION_load,
		[PLUGIN_MACHINE] = OPTION_machine,
	};

	return option[kind];
}

void
help_range(const struct param *q, char *buf, size_t n)
{
	char initial[NUMBER_TEXT], min[NUMBER_TEXT], max[NUMBER_TEXT], word[NUMBER_TEXT];
	const char * or ;

	if (q->unit == PARAM_WORD) {
		size_t used = (size_t)snprintf(buf, n, "default %s, one of", q->words[q->initial]);

		for (uint64_t i = 0; i <= q->max && used < n; i++)
			used += (size_t)snprintf(buf + used, n - used, " %s", q->words[i]);
		return;
	}
	if (q->unit == PARAM_NAME) {
		snprintf(buf, n, "default none, a word");
		return;
	}
	number_format(min, q->min, q->unit);
	number_format(max, q->max, q->unit);
	or = q->unit == PARAM_PART ? " of the cache, or blocks such as 32b" : "";
	snprintf(word, sizeof(word), "%s%s", q->words ? ", or " : "", q->words ? q->words[0] : "");
	if (q->initial > q->max)
		snprintf(buf, n, "from %s to %s%s%s", min, max, or, word);
	else
		snprintf(buf, n, "default %s, from %s to %s%s%s",
		    number_format(initial, q->initial, q->unit), min, max, or, word);
}

void
help_version(FILE *out)
{
	const char *comma = "";

	fputs("bufsim " BUFSIM_VERSION "\nunpacks ", out);
	for (const struct packing *const *p = packings; *p; p++) {
		if (!(*p)->start)
			continue;
		fprintf(out, "%s%s", comma, (*p)->name);
		comma = ", ";
	}
	putc('\n', out);
}

/* ---- on the terminal ---- */

/* Print words from the given column on; the first line is at column `at`. */
static void
wrap_at(const char *text, size_t at, size_t column, FILE *out)
{
	size_t width = terminal_width(out);

	for (; *text; text += strspn(text, " ")) {
		size_t n = strcspn(text, " ");

		if (at < column || at + 1 + n > width) {
			if (at >= column)
				putc('\n', out), at = 0;
			fprintf(out, "%*s", (int)(column - at), "");
			at = column;
		} else if (at > column) {
			putc(' ', out);
			at++;
		}
		fwrite(text, 1, n, out);
		at += n;
		text += n;
	}
	putc('\n', out);
}

void
help_wrap(const char *text, size_t column, FILE *out)
{
	wrap_at(text, 0, column, out);
}

void
help_entry(const char *left, size_t column, const char *text, FILE *out)
{
	size_t at = strlen(left) + 2;

	fprintf(out, "  %s", left);
	if (at >= column) {
		putc('\n', out);
		at = 0;
	}
	wrap_at(text, at, column, out);
}

/* Before the argument of a command, if it has one. */
static const char *
blank(const struct command_info *c)
{
	return *c->argument ? " " : "";
}

static void
print_commands(FILE *out)
{
	char left[TEXT_ROOM];

	for (const struct command_info *c = command_info; c->name; c++) {
		snprintf(left, sizeof(left), "%s%s%s", c->name, blank(c), c->argument);
		help_entry(left, COMMAND_COLUMN, c->summary, out);
	}
}

/* "--policy", or "-j, --jobs". */
static const char *
option_spelt(const struct option_info *i, char buf[NAME_ROOM])
{
	const char letter[] = { '-', option_letter(i), ',', ' ', '\0' };

	snprintf(buf, NAME_ROOM, "%s--%s", option_letter(i) ? letter : "", i->name);
	return buf;
}

static void
print_options(enum command_id id, FILE *out)
{
	char left[TEXT_ROOM], text[TEXT_ROOM], name[NAME_ROOM];

	for (const struct option_info *i = option_info; i->name; i++) {
		if (!option_belongs(i, id))
			continue;
		snprintf(left, sizeof(left), "%s%s%s", option_spelt(i, name),
		    i->argument ? " " : "", i->argument ? i->argument : "");
		snprintf(text, sizeof(text), "%s%s%s%s", i->meaning, i->initial ? " [" : "",
		    i->initial ? i->initial : "", i->initial ? "]" : "");
		help_entry(left, OPTION_COLUMN, text, out);
	}
}

void
help_overview(FILE *out)
{
	static const struct {
		const char *command, *text;
	} more[] = {
		{ "bufsim help run", "a command and its options; bufsim run -h is the same" },
		{ "bufsim help --cache", "an option; bufsim help sizes: how sizes are written" },
		{ "bufsim list", "all policies, prefetchers, schedulers, devices and formats" },
		{ "bufsim list ondemand", "one of them: parameters, defaults, ranges, source" },
		{ "bufsim --help=man", "the manual page" },
		{ "bufsim --help=bash", "completion for bash; or =zsh, =fish" },
		{ "bufsim --version", "the version" },
	};

	fprintf(out, "bufsim - %s\n\n", purpose);
	for (unsigned id = 0; id < OVERVIEW_EXAMPLES; id++)
		fprintf(out, "  %s\n", command_info[id].example);
	fputs("\nCommands:\n", out);
	print_commands(out);
	fputs("\nMore help:\n", out);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		help_entry(more[i].command, COMMAND_COLUMN + 2, more[i].text, out);
	fputs("\nResults go to standard output, messages to standard error.  Exit status: 0,\n"
	      "1 if something failed, 2 if the command line is wrong, 128 and its number if a\n"
	      "signal ended it.\n",
	    out);
}

void
help_sizes(FILE *out)
{
	fputs("sizes, of --cache, --request, --block and parameters\n", out);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		help_entry(sizes[i].typed, SIZE_COLUMN, sizes[i].text, out);
}

/* "run, sweep" for an option. */
static void
print_takers(const struct option_info *i, FILE *out)
{
	char   text[TEXT_ROOM];
	size_t used = 0;

	if (i == &option_info[OPTION_help])
		return;
	for (unsigned id = 0; id < COMMANDS && used < sizeof(text); id++)
		if (option_belongs(i, (enum command_id)id))
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
			    used ? ", " : "of bufsim ", command_info[id].name);
	help_wrap(text, 2, out);
}

void
help_option(const struct option_info *i, FILE *out)
{
	char name[NAME_ROOM];

	fprintf(out, "%s%s%s%s%s%s\n", option_spelt(i, name), i->argument ? " " : "",
	    i->argument ? i->argument : "", i->initial ? " [" : "", i->initial ? i->initial : "",
	    i->initial ? "]" : "");
	print_takers(i, out);
	help_wrap(i->meaning, 2, out);
	if (i->argument)
		fprintf(out, "  example: %s\n", i->example);
	if (option_is_size(i))
		fputs("  bufsim help sizes: how sizes are written\n", out);
}

bool
help_for(const char *name, FILE *out)
{
	for (unsigned id = 0; id < COMMANDS; id++)
		if (!strcmp(command_info[id].name, name)) {
			help_command((enum command_id)id, out);
			return true;
		}
	return false;
}

/* Descriptions of commands, beside their options. */
static const char *const lesson[COMMANDS] = {
	[COMMAND_RUN] =
	    "\nTRACE is a file, plain or packed by gzip, zstd, xz or bzip2, or - for\n"
	    "standard input.  Parameters follow a name, as in --prefetch\n"
	    "linux24:max=31,min=3; a controller wraps another prefetcher, as in\n"
	    "iprp+ondemand:pages=64.  bufsim list shows names and parameters, bufsim list\n"
	    "counters the meaning of --json and --csv.\n"
	    "\n--replay untimed uses only --cache, --policy, --block and --warmup: no device, no prefetcher, no writing back.\n"
	    "\nSeveral TRACEs are programs that start together and run at once, on one cache\n"
	    "and one device.  Each program makes its calls one after the other, with the\n"
	    "think times of its trace between them; with --replay process each process of each\n"
	    "program does so; untimed, all calls are in the order of their times.  The report\n"
	    "and the array programs of --json also show how long each program took.\n"
	    "\nWith --replay open each call starts at its time in the trace, even if earlier\n"
	    "calls have not ended, and the result is the response time.\n"
	    "\n--cache 0 leaves out the cache: each call is one request to the device, in any replay but untimed;\n"
	    "--policy, --writes and all other settings of a cache are ignored.  See\n"
	    "docs/open.md.\n",
	[COMMAND_COMPARE] =
	    "\nEvery setting up to --warmup takes a list, as in sweep: --policy lru,clock.  Each\n"
	    "TRACE has a table, ranked by time; by mean response time with --replay open, by\n"
	    "misses with --replay untimed.  \"vs none\" compares with the run without\n"
	    "prefetching and with otherwise the same settings; \"vs first\", if none is not one\n"
	    "of several prefetchers, with the first run of the lists.  \"waits for\" is the\n"
	    "largest cause of stalls, and its share of all time.  In --json and --csv relative\n"
	    "is the time divided by that of the run compared with.\n",
	[COMMAND_SWEEP] =
	    "\nEvery setting up to --warmup takes a list: --policy lru,clock.  Sizes also take\n"
	    "ranges: 1M:1G:x2 doubles, 1M:9M:+2M adds, 1/64:1:x2 are shares of the footprint,\n"
	    "auto is its eighths.  Numbers and parameters take ranges too: ondemand:pages=4:256:x2,\n"
	    "and lists of numbers: ondemand:pages=8,32.  Several of them multiply.\n"
	    "The rows have the columns of run --csv and are in the order of the lists, with the\n"
	    "cache changing fastest, for any number of --jobs.  A row is written to the file as\n"
	    "soon as its simulation ends: after Ctrl-C or a crash the same command with --resume\n"
	    "does the rest.  With --together a point is one run of all TRACEs at once.  On a\n"
	    "terminal the results are a table as of compare; -o - prints the rows.\n",
	[COMMAND_PLOT] =
	    "\nCSV is a file, or - for standard input, written by run --csv, sweep or mrc --csv;\n"
	    "rows of several files are drawn together.  Files of run --responses give the\n"
	    "distribution of response times, one line per file, or with --y outstanding the\n"
	    "calls under way over time.  Other files give one panel for each trace, and one line\n"
	    "over the cache size for each combination of settings; the name of a line consists\n"
	    "of the settings in which the rows differ.  COLUMN is a name in bufsim list counters.\n"
	    "\nFiles of share give one panel for each program and a bar for each row: its faults\n"
	    "stacked by class, with --y time the time of the mean processor by part.  With --x page\n"
	    "or another column, lines; --relative then is in per cent.\n"
	    "\nFiles of frames give one panel for each workload: operations per second, or any column\n"
	    "with --y, as bars, or as lines against the threads if these differ; --x blocks, or\n"
	    "a parameter such as n, is another axis.  --y largest-order, --y met and\n"
	    "--y met-after show the fragmentation.\n\n"
	    "Values that span more than a factor of 20 get a logarithmic axis, ratios never.\n"
	    "gnuplot must be installed.\n",
	[COMMAND_MRC] =
	    "\n--policy takes a list, as in sweep: --policy lru,clock.  LRU takes one pass for all\n"
	    "sizes.  Other policies are replayed at each size, as by run --replay untimed, but\n"
	    "references are decoded once for 16 caches; --jobs and the memory of the machine limit\n"
	    "how many there are at a time.  With --sample they are replayed in caches that are\n"
	    "smaller by the share of the blocks; numbers of blocks in parameters are scaled, too.\n"
	    "A policy that a sample does not show, such as one that looks for blocks beside each\n"
	    "other, is refused there.\n"
	    "\nSIZES is a list of sizes and ranges as for sweep, or all.  --csv, and any --output,\n"
	    "has the columns trace, policy, cache_blocks, cache_bytes, footprint_blocks,\n"
	    "references, misses, miss_ratio, miss_ratio_error and sample.  With --sample the true\n"
	    "ratio is within miss_ratio_error of miss_ratio with 95 % confidence, misses are\n"
	    "estimates, and powers of two too small for the sample are left out.\n"
	    "Calls of several TRACEs are in the order of their times.\n",
	[COMMAND_ADVISE] =
	    "\nThe trace is simulated with windows of 0 to 4096 KB, with the schedulers of Linux, with\n"
	    "other sizes of requests, and with advice (posix_fadvise) about the files that the program\n"
	    "waits for most, or that are read in vain most.  Linux as it comes has a window of 128 KB,\n"
	    "requests of at most --request, no advice, and no scheduler for a drive that takes more than\n"
	    "32 commands at once (NVMe), else mq-deadline.  What saves less than 1 % is not recommended.\n"
	    "\nA line flips if it costs time on a machine nearby: with 0.75 or 1.25 times the cache, or on\n"
	    "the next slower or faster drive of the same kind that has a data sheet.  What a line saves is\n"
	    "the time of all the others without it, less the time of all.  -o writes the trace with the\n"
	    "advice in it, for bufsim run.  DEV is the name of your drive.\n"
	    "\nHow it searches, what the JSON has, and results: docs/advise.md.\n",
	[COMMAND_CLASSIFY] =
	    "\nReads are classified in the order of the trace, block by block; writes are left\n"
	    "out.  The class is the one that the detector of iprp gives at that moment, so the\n"
	    "first time through a loop is sequential.  A run is a sequence of references to a\n"
	    "file, each to the block of the one before or to the next block; a loop is a run that\n"
	    "is repeated, and its period is counted in references to any file.  -o draws a\n"
	    "picture of references --from to --to (gnuplot must be installed); the table is\n"
	    "always of all references.\n"
	    "--csv has a row for each run, in the order in which they begin: trace, inode,\n"
	    "file (its name, if the trace has it), first_block, last_block, blocks, began (the\n"
	    "number of its first reference, from 1), references, class (of its last reference),\n"
	    "loop_first_block and period (of the loop that it repeats, at that moment; else empty).\n"
	    "--json has the totals and the first --top loops.\n",
	[COMMAND_VALIDATE] =
	    "\nFILE, plain or packed, or - for standard input, is CSV with the columns op (R or W),\n"
	    "lbn, blocks (of 512 bytes), measured_response_ms and idle_before_ms, among others;\n"
	    "or DiskSim's text of six fields: R|W flag first_block blocks response_us gap_us.\n"
	    "Of the files published with DiskSim, those of HP C2247A, C2490A, C3323A, Seagate\n"
	    "ST41601N and DEC RZ26 need --gap after.  Each request starts after the simulated\n"
	    "end of the one before, plus the idle time of the drive.  The demerit is the root\n"
	    "mean square of the differences between the sorted measured and the sorted\n"
	    "simulated times; a percentile is the nearest rank.  A request is sequential if it\n"
	    "starts where the one before ended.  -o draws both distributions (gnuplot must be\n"
	    "installed); with --calibrate and a name that ends in .dev it writes the whole data\n"
	    "sheet with the fitted constants, for --device ./FILE.dev.  See docs/validate.md.\n",
	[COMMAND_SHARE] =
	    "\nTRACE is a shared-memory trace, plain or packed, or - for standard input: the objects,\n"
	    "references, locks, barriers and flags of each processor of a program.\n"
	    "\n--protocol, --allocator, --page, --nodes, --from and --cold take lists, as in sweep: --allocator\n"
	    "sequential,ff --page 64:64K:x4.  One combination of a trace and settings is a report.\n"
	    "Several are a table for each trace and protocol, in which change compares with the\n"
	    "first allocator at otherwise the same settings, or else with the first row.  --csv, and any --output, has a row for\n"
	    "each, in the order of the traces and lists, and --json a line for each.  bufsim plot\n"
	    "draws the rows.\n"
	    "\nThe classes of faults, the allocators and the modelled time: docs/share.md.\n",
	[COMMAND_SCALE] =
	    "\nFILE, or - for standard input, is CSV with the columns threads, total and region, a row\n"
	    "for each run: the time of all of it, and of its region of interest, the parallel part, in\n"
	    "seconds.  Several runs with each number of threads, 15 say, show the spread.  A column\n"
	    "program tells several programs apart.\n"
	    "\nT_roi is the mean time in the region and T_non that outside; S is the speed-up against\n"
	    "1 thread, of the region or of the whole program.  The law is n / (1 + a (n - 1) + b n (n - 1)):\n"
	    "a is what is serial or waits its turn, b what each pair of threads costs each other, peak where\n"
	    "more threads begin to cost.  In brackets are 95 % of 1,000 fits to resampled runs.  In group\n"
	    "A the region falls, in group B it is near linear and then flat.  -o draws both speed-ups\n"
	    "(gnuplot must be installed).\n"
	    "\n--self times a sweep of TRACEs, with the settings and lists of bufsim sweep; without a TRACE, of a\n"
	    "generated workload, and without --cache and --prefetch, of seven sizes and four prefetchers.\n"
	    "The region is the simulation by the workers; loading, and writing the\n"
	    "table, are outside.  --csv then prints the runs, as FILE has them.  See docs/scale.md.\n",
	[COMMAND_FRAMES] =
	    "\nThreads take page frames from an allocator and give them back, as the workload says: on the\n"
	    "cores of this machine, where time is measured, or on modelled ones, where it is computed.\n"
	    "An operation is a request that was met, or a free.  The result is that of the repetition\n"
	    "with the median time; memory is new in each.\n"
	    "\nFILE is a recording of the frames that a simulated cache takes and gives back: bufsim run TRACE\n"
	    "--frames FILE.  It is the workload; --workload recording:rounds=10 repeats it.  Without --blocks\n"
	    "there are as many blocks as the cache fills, and one more.\n"
	    "\n--allocator, --workload, --blocks, --block-pages, --threads and --machine take lists, as in\n"
	    "sweep: --allocator buddy,lazy,ondemand --workload churn:n=1,100,600 --threads 1:8:x2.  Points are\n"
	    "measured one after the other.  One is a report; several are a table, in which ratio compares the\n"
	    "operations per second with those of the first allocator at otherwise the same settings.\n"
	    "--csv, and -o FILE.csv, has a row for each and --json a line for each.  -o FILE.svg (.png, .pdf) draws\n"
	    "operations per second, or with --fragmentation the largest free run over the load; bufsim plot draws\n"
	    "the same from the CSV.\n"
	    "\nThe allocators, what locks and cache lines cost modelled cores, and results: docs/frames.md.\n",
	[COMMAND_GENERATE] =
	    "\nWORKLOAD is a shape with parameters, such as zipf:alpha=0.9,blocks=20000, or a name\n"
	    "of bufsim list workloads.  A+B are two processes at once, each with files of its own;\n"
	    "in A/B the process begins with B when A has ended; A+B/C is A and B, then C.\n"
	    "uniform/sequential:file=1 reads the file of the first shape.  The same WORKLOAD gives\n"
	    "the same calls on every machine; :seed=1 gives others.\n"
	    "\nWithout -o the trace is printed as text: bufsim generate zipf | bufsim run -.\n"
	    "bufsim run, compare, sweep, explain, live, mrc, convert, stat and classify take the workload\n"
	    "themselves: --pattern zipf; several with commas are several programs.  See\n"
	    "docs/generate.md.\n",
	[COMMAND_RECORD] =
	    "\nThe program runs twice: first without strace, to measure its time, then under\n"
	    "strace, which records it.  --no-baseline leaves out the first run, and so does\n"
	    "standard input that is a pipe, as one run reads it.  The first run also brings the\n"
	    "files into the cache: think time is then computation, not waiting for a disk.\n"
	    "What the first run prints is dropped, unless it prints on a terminal.  Use\n"
	    "--no-baseline for a program that finds its work done the second time (or make -B).\n"
	    "\nThink times are multiplied by the time without strace / the time with it, never\n"
	    "by more than 1.  They stay as they are if the recorded run is shorter than a millisecond,\n"
	    "or if the runs end with different exit statuses.\n"
	    "\nFILE ends in .bst, .txt, .txt.gz or what else convert writes.  It is written when the program and all\n"
	    "processes that it started have ended.  Ctrl-C ends the program, unless it catches\n"
	    "that, and then the recording; the trace has all calls so far.  Ctrl-C after the end of the\n"
	    "program ends the processes that it left behind.  A signal that is sent to bufsim\n"
	    "alone goes to the program.\n"
	    "\nThe exit status is that of the program, 128 and its number if a signal ended it, 127 if\n"
	    "there is no such program, 126 if it cannot be started; 1 if there is no trace for\n"
	    "another reason.\n"
	    "\nReads through mmap, io_uring and AIO are not recorded, but counted.  --mmap faults\n"
	    "makes a read of 4 KiB of each page fault on a mapped file, by `perf trace`; a page\n"
	    "that the kernel mapped together with a neighbour (fault-around, up to 64 KiB) has none.\n"
	    "Inodes and sizes are those of this machine at the first open.\n",
	[COMMAND_CONVERT] =
	    "\nWith --merge, OUT has the calls of all INs in the order of their times, as one\n"
	    "program that makes one call after the other.  bufsim run IN IN... simulates several\n"
	    "programs, which think and wait independently.  Files and processes of different INs\n"
	    "stay different.\n"
	    "\nOUT ends in .bst, .txt, .tr (AccuSim), .fio, .csv or .oracleGeneral (libCacheSim); text\n"
	    "also in .gz.  What the format cannot hold is said in one line.  With --slice, --only,\n"
	    "--scale-think or --anonymise the counts of opens, closes and mappings are lost.\n",
};

/* The next paragraph; an empty line ends it.  *text is set behind it; false: there is none. */
static bool
next_paragraph(const char **text, char paragraph[LESSON_ROOM])
{
	const char *begin = *text + strspn(*text, "\n"), *end = strstr(begin, "\n\n");
	size_t	    n = end ? (size_t)(end - begin) : strlen(begin);

	snprintf(paragraph, LESSON_ROOM, "%.*s", (int)n, begin);
	*text = begin + n;
	return n;
}

/* Newlines of the text are blanks. */
static void
print_lesson(const char *text, FILE *out)
{
	char paragraph[LESSON_ROOM];

	while (next_paragraph(&text, paragraph)) {
		for (char *c = paragraph; (c = strchr(c, '\n'));)
			*c = ' ';
		help_wrap(paragraph, 0, out);
		if (*text && text[strspn(text, "\n")])
			putc('\n', out);
	}
}

void
help_command(enum command_id id, FILE *out)
{
	const struct command_info *c = &command_info[id];
	char			   head[TEXT_ROOM];

	snprintf(head, sizeof(head), "bufsim %s%s%s - %s", c->name, blank(c), c->argument,
	    c->summary);
	help_wrap(head, 0, out);
	fprintf(out, "\n  %s\n\nOptions [default]:\n", c->example);
	print_options(id, out);
	if (!lesson[id])
		return;
	putc('\n', out);
	print_lesson(lesson[id], out);
}

/* ---- the manual page ---- */

/* Print text as roff: a point or a quote must not start a line, a minus stays a minus. */
static void
roff(const char *text, FILE *out)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	for (; *text; text++)
		if (*text == '-')
			fputs("\\-", out);
		else if (*text == '\\')
			fputs("\\e", out);
		else
			putc(*text, out);
}

static void
roff_item(const char *name, const char *argument, const char *text, FILE *out)
{
	fputs(".TP\n.B ", out);
	roff(name, out);
	if (argument) {
		fputs(" \\fI", out);
		roff(argument, out);
		fputs("\\fR", out);
	}
	putc('\n', out);
	roff(text, out);
	putc('\n', out);
}

static void
roff_option(const struct option_info *i, FILE *out)
{
	char name[NAME_ROOM], text[TEXT_ROOM];

	snprintf(text, sizeof(text), "%s%s%s%s.", i->meaning, i->initial ? " (default " : "",
	    i->initial ? i->initial : "", i->initial ? ")" : "");
	roff_item(option_spelt(i, name), i->argument, text, out);
	if (i->argument) {
		fputs("Example: ", out);
		roff(i->example, out);
		fputs(".\n", out);
	}
}

static void
roff_lesson(const char *text, FILE *out)
{
	char paragraph[LESSON_ROOM];

	while (next_paragraph(&text, paragraph)) {
		fputs(".PP\n", out);
		roff(paragraph, out);
		if (paragraph[strlen(paragraph) - 1] != '\n')
			putc('\n', out);
	}
}

static void
roff_options(FILE *out)
{
	for (unsigned id = 0; id < COMMANDS; id++) {
		const struct command_info *c = &command_info[id];

		fprintf(out, ".SS \"bufsim %s%s%s\"\n", c->name, blank(c), c->argument);
		roff(c->summary, out);
		putc('\n', out);
		for (const struct option_info *i = option_info; i->name; i++)
			if (option_belongs(i, (enum command_id)id))
				roff_option(i, out);
		if (lesson[id])
			roff_lesson(lesson[id], out);
	}
}

static void
roff_param(const struct param *q, FILE *out)
{
	char range[RANGE_ROOM], text[TEXT_ROOM];

	help_range(q, range, sizeof(range));
	snprintf(text, sizeof(text), "%s: %s (%s)", q->name, q->meaning, range);
	fputs(".br\n", out);
	roff(text, out);
	putc('\n', out);
}

static void
roff_plugin(const struct plugin *p, FILE *out)
{
	roff_item(p->name, NULL, p->summary, out);
	for (const struct param *q = p->params; q && q->name; q++)
		roff_param(q, out);
}

static void
roff_shapes(FILE *out)
{
	const struct plugin *const *shape = registry_list(PLUGIN_SHAPE);
	char			    text[TEXT_ROOM];

	for (const struct plugin *const *p = shape; *p; p++) {
		snprintf(text, sizeof(text), "%s; %s.", (*p)->summary,
		    ((const struct shape *)(const void *)*p)->teaches);
		roff_item((*p)->name, NULL, text, out);
		for (const struct param *q = (*p)->params; q->name; q++)
			if (!shape_shares(q))
				roff_param(q, out);
	}
	roff_item("of all", NULL, "Parameters of every shape.", out);
	for (const struct param *q = (*shape)->params; q->name; q++)
		if (shape_shares(q))
			roff_param(q, out);
}

static void
roff_plugins(FILE *out)
{
	char text[TEXT_ROOM];

	for (enum plugin_kind kind = 0; kind < PLUGIN_KINDS; kind++) {
		fputs(".SH ", out);
		for (const char *c = plugin_kind_plural(kind); *c; c++)
			putc(toupper((unsigned char)*c), out);
		fprintf(out, "\nNames for \\-\\-%s.\n", option_info[help_option_of(kind)].name);
		for (const struct plugin *const *p = registry_list(kind);
		     kind != PLUGIN_SHAPE && *p; p++)
			roff_plugin(*p, out);
		if (kind == PLUGIN_SHAPE)
			roff_shapes(out);
		if (kind == PLUGIN_DEVICE)
			for (const struct data_sheet *s = data_sheets; s->name; s++) {
				data_sheet_value(s->text, "summary", text, sizeof(text));
				roff_item(s->name, NULL, text, out);
			}
	}
}

static void
roff_figure(const char *name, const char *unit, const char *meaning, FILE *out)
{
	char text[TEXT_ROOM];

	snprintf(text, sizeof(text), "%s%s%s%s", meaning, *unit ? " (" : "", unit,
	    *unit ? ")" : "");
	roff_item(name, NULL, text, out);
}

static void
roff_figures(FILE *out)
{
	fputs(
	    ".SH COUNTERS\nKeys of run \\-\\-json and columns of run \\-\\-csv, in this order, between the\nidentity of the run and its other options.  What is unknown or not given is an empty\nfield of CSV and null in JSON.\n",
	    out);
	for (const struct counter *i = stat_info; i->name; i++)
		roff_figure(i->name, i->unit, i->meaning, out);
	fputs(
	    ".SH COUNTERS OF PLUG\\-INS\nThey follow the counters above; of a plug\\-in that takes no part in a run they are\nunknown.\n",
	    out);
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		roff_figure(i.name, i.counter->unit, i.counter->meaning, out);
	fputs(".SH RATIOS\nThey follow the counters; 0/0 is unknown.\n", out);
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		roff_figure(i->name, i->unit, i->meaning, out);
	fputs(".SH FIGURES OF A TRACE\nKeys of stat \\-\\-json.\n", out);
#define FIGURE(name, unit, meaning) roff_figure(#name, unit, meaning, out);
#define DISTRIBUTION FIGURE
#include "sim/analysis/figures.def"
#undef FIGURE
#undef DISTRIBUTION
}

void
help_man(FILE *out)
{
	fputs(".TH BUFSIM 1 " BUFSIM_DATE " \"bufsim " BUFSIM_VERSION "\" \"User Commands\"\n"
	      ".SH NAME\nbufsim \\- trace-driven simulator of buffer caches and prefetching\n"
	      ".SH SYNOPSIS\n",
	    out);
	for (const struct command_info *c = command_info; c->name; c++)
		fprintf(out, ".B bufsim %s\n%s%s%s.RI [ options ]\n.br\n", c->name,
		    *c->argument ? ".I " : "", c->argument, *c->argument ? "\n" : "");
	fputs(
	    ".B bufsim \\-\\-help\n|\n.B \\-\\-help=man\n|\n.B \\-\\-help=bash\n|\n.B \\-\\-help=zsh\n|\n.B "
	    "\\-\\-help=fish\n|\n.B \\-\\-version\n.br\n.B bufsim \\-\\-complete\n.I WORD...\n"
	    ".SH DESCRIPTION\nA trace of the reads and writes of a program is replayed against a "
	    "simulated\nbuffer cache, a prefetcher and a device:\n",
	    out);
	fprintf(out,
	    "%s\nResults go to standard output, messages to standard error.\n"
	    ".SH COMMANDS AND OPTIONS\n"
	    "Sizes take K, M, G and T, which are powers of 1024 (64M, 64MB and 64MiB are the\n"
	    "same), or b for blocks; a cache also takes a share of the footprint, 10%% or 1/8.\n"
	    "Times take us, ms and s.  Parameters follow a name: linux24:max=31,min=3; a controller wraps\n"
	    "another prefetcher: iprp+linux24.  A trace is a file, plain or\n"
	    "packed by gzip, zstd, xz or bzip2, or \\- for standard input.\n",
	    purpose);
	roff_options(out);
	roff_plugins(out);
	roff_figures(out);
	fputs(
	    ".SH ENVIRONMENT\n.TP\n.B COLUMNS\nThe width of the terminal, instead of what it "
	    "reports.  Output into a pipe or a file always fits 80 columns.\n"
	    ".TP\n.B NO_COLOR\nIf set and not empty, output on a terminal has no colour.\n"
	    ".TP\n.B TERM\nIf it is dumb, there is neither colour nor a line that shows the "
	    "progress.\n"
	    ".SH EXIT STATUS\n0 if all went well, 1 if something failed, 2 if the command line is "
	    "wrong,\n128 and its number if a signal ended it.\n.SH EXAMPLES\n.nf\n",
	    out);
	for (const struct command_info *c = command_info; c->name; c++) {
		roff(c->example, out);
		putc('\n', out);
	}
	fputs(".fi\n", out);
}
