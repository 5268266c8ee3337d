/*
 * check_vectors.c - the simulator itself against the golden vectors.
 *
 * tests/vectors has an engine of its own between the vectors and the
 * prefetcher.  Here the same reads are a trace, replayed with long thinking
 * on a quick device, and the plans of each call must be the recorded pages.
 *
 * Only patterns whose I/O would complete alike: every read lies within its
 * file, nothing comes or goes by itself, and no call finds a page readable
 * that it had read ahead itself without having slept since.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "sim/core/sim.h"
#include "sim/trace/input.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_linux24;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_fixed;

enum { PAGE = 4096, READS = 4096, TEXT = 1 << 16, SECOND = 1000000 };

static struct {
	struct trace	 trace;
	struct access	 access[READS];
	char		*expected[READS]; /* "D0 A1 A2 ": demanded and read ahead */
	struct open_file open[4];
	struct file	 file[4];
	struct process	 process[1];
	bool		 fits;
	char		 name[64];
} pattern;

static unsigned n_patterns, n_reads;

/* ---- what the simulator does ---- */

static char   did[TEXT];
static size_t did_used;
static size_t did_call;

static void
compare_call(void)
{
	REQUIRE(!strcmp(did, pattern.expected[did_call]), "%s, read %zu: %s but recorded was %s",
	    pattern.name, did_call, did, pattern.expected[did_call]);
	did[0] = '\0';
	did_used = 0;
}

static void
tell(char letter, uint32_t index)
{
	did_used += (size_t)snprintf(did + did_used, TEXT - did_used, "%c%u ", letter, index);
}

static void
see(void *ctx, const struct event *ev)
{
	const struct demand *d = ev->demand;
	size_t		     call = (size_t)(d->call - pattern.access);

	for (; did_call < call; did_call++)
		compare_call();
	if (d->absent)
		tell('D', d->index);
	for (unsigned i = 0; i < ev->plan->n; i++)
		for (uint32_t k = 0; k < ev->plan->extent[i].count; k++)
			if (!demand_holds(d, ev->plan->extent[i].index + k))
				tell('A', ev->plan->extent[i].index + k);
}

static void
simulate_pattern(const char *version)
{
	struct config cfg;
	struct error  e;
	struct sim    s;

	config_defaults(&cfg);
	cfg.cache_blocks = pattern.trace.nblocks;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_linux24.plugin;
	cfg.prefetcher.params = version;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_fixed.plugin;
	cfg.device.params = "latency=1us,rate=1T";
	cfg.wait = WAIT_BLOCK;
	cfg.observer = (struct observer){ .mask = 1u << EVENT_PLAN, .see = see };
	did_call = did_used = 0;
	did[0] = '\0';
	ck_assert_msg(!sim_init(&s, &cfg, &pattern.trace, &e), "%s", e.text);
	ck_assert_msg(!sim_run(&s, &e), "%s", e.text);
	sim_release(&s);
	for (; did_call < pattern.trace.naccess; did_call++)
		compare_call();
	n_patterns++;
	n_reads += (unsigned)pattern.trace.naccess;
}

/* ---- patterns ---- */

static double
number(const cJSON *from, const char *name)
{
	return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive((cJSON *)from, name));
}

static void
forget_pattern(void)
{
	for (size_t i = 0; i < pattern.trace.naccess; i++)
		free(pattern.expected[i]);
	pattern.trace.naccess = 0;
}

static void
start_pattern(const cJSON *header)
{
	struct trace *t = &pattern.trace;
	const cJSON  *m, *opens = cJSON_GetObjectItemCaseSensitive(header, "opens");

	forget_pattern();
	*t = (struct trace){
		.block_bytes = PAGE,
		.block_shift = 12,
		.nblocks = 1,
		.nprocesses = 1,
		.access = pattern.access,
		.open = pattern.open,
		.file = pattern.file,
		.process = pattern.process,
	};
	cJSON_ArrayForEach(m, cJSON_GetObjectItemCaseSensitive(header, "files"))
	{
		struct file *f = &pattern.file[t->nfiles++];

		f->base = t->nblocks;
		f->inode = strtoull(m->string, NULL, 10);
		f->bytes = (uint64_t)m->valuedouble;
		f->nblocks = (uint32_t)((f->bytes + PAGE - 1) / PAGE);
		t->nblocks += f->nblocks;
	}
	cJSON_ArrayForEach(m, opens)
	{
		double ino = cJSON_GetArrayItem(m, 1)->valuedouble;

		while (pattern.file[pattern.open[t->nopen].file].inode != (uint64_t)ino)
			pattern.open[t->nopen].file++;
		t->nopen++;
	}
	pattern.fits = true;
	snprintf(pattern.name, sizeof(pattern.name), "%s",
	    cJSON_GetObjectItemCaseSensitive(header, "pat")->valuestring);
}

/* What the events say in letters D and A; NULL: it found a page that it had just asked for. */
static char *
expected_of(const char *events)
{
	char	*text = calloc(strlen(events) + 2, 1);
	size_t	 used = 0, slept = 0; /* up to there it has slept since */
	char	 asked[32];
	unsigned index;
	int	 n;
	char	 letter;

	while (sscanf(events, " %c%u%n", &letter, &index, &n) == 2) {
		events += n;
		snprintf(asked, sizeof(asked), "A%u ", index);
		if (letter == 'W')
			slept = used;
		else if (letter == 'H' && strstr(text + slept, asked)) {
			free(text);
			return NULL;
		} else if (strchr("DSA", letter)) {
			used +=
			    (size_t)sprintf(text + used, "%c%u ", letter == 'D' ? 'D' : 'A', index);
		}
	}
	return text;
}

static void
add_read(const cJSON *step)
{
	struct trace	  *t = &pattern.trace;
	uint32_t	   open = (uint32_t)number(step, "fd");
	const struct file *f = &pattern.file[pattern.open[open].file];
	struct access	  *a = &pattern.access[t->naccess];
	const cJSON	  *events = cJSON_GetObjectItemCaseSensitive(step, "ev");
	char		  *expected = events ? expected_of(events->valuestring) : NULL;
	bool		   seen = false;

	if (!expected || number(step, "ret") != number(step, "len")) {
		free(expected);
		pattern.fits = false;
		return;
	}
	for (size_t i = 0; i < t->naccess; i++)
		seen |= pattern.access[i].open == open;
	*a = (struct access){
		.time = (usec_t)t->naccess * SECOND,
		.offset = (uint64_t)number(step, "off"),
		.length = (uint32_t)number(step, "len") & INT32_MAX,
		.file_size = f->bytes,
		.open = open & OPENS_MAX,
		.fresh = !seen,
	};
	if (a->length > t->longest_bytes)
		t->longest_bytes = a->length;
	pattern.expected[t->naccess++] = expected;
	t->reads++;
}

static void
finish_pattern(const char *version)
{
	if (pattern.fits && pattern.trace.naccess)
		simulate_pattern(version);
}

static void
simulate_file(const char *path, const char *version)
{
	struct error  e;
	struct input *in = input_open(path, &e);
	char	     *line;
	size_t	      length;
	int	      more;

	ck_assert_msg(in != NULL, "%s", e.text);
	n_patterns = n_reads = 0;
	pattern.fits = false;
	while ((more = input_line(in, &line, &length, &e)) > 0) {
		cJSON *o = cJSON_ParseWithLength(line, length);

		if (cJSON_GetObjectItemCaseSensitive(o, "hdr")) {
			finish_pattern(version);
			start_pattern(o);
		} else if (pattern.fits) {
			add_read(o);
		}
		cJSON_Delete(o);
	}
	ck_assert_msg(more == 0, "%s", e.text);
	finish_pattern(version);
	forget_pattern();
	input_close(in);
}

START_TEST(the_simulator_reads_what_2_4_20_read)
{
	simulate_file("tests/data/vectors/ra24/k20_A31.jsonl.gz", "version=2.4.20");
	ck_assert_uint_ge(n_patterns, 20);
	ck_assert_uint_ge(n_reads, 1000);
}
END_TEST

START_TEST(the_simulator_reads_what_2_4_27_read)
{
	simulate_file("tests/data/vectors/ra24/k27_A31.jsonl.gz", "version=2.4.27");
	ck_assert_uint_ge(n_patterns, 20);
	ck_assert_uint_ge(n_reads, 1000);
}
END_TEST

START_TEST(a_larger_maximum_is_obeyed)
{
	simulate_file("tests/data/vectors/ra24/k20_A127.jsonl.gz", "max=127");
	ck_assert_uint_ge(n_patterns, 20);
	ck_assert_uint_ge(n_reads, 1000);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("vectors");

	tcase_add_test(tests, the_simulator_reads_what_2_4_20_read);
	tcase_add_test(tests, the_simulator_reads_what_2_4_27_read);
	tcase_add_test(tests, a_larger_maximum_is_obeyed);
	return run_tests("vectors", tests);
}
