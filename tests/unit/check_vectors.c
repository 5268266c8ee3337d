/*
 * check_vectors.c - the simulator itself against the golden vectors.
 *
 * tests/vectors has an engine of its own between the vectors and the
 * prefetcher.  Here the same reads are a trace, replayed with long thinking
 * on a quick device, and the plans of each call must be the recorded pages:
 * in 2.4 in their order; in later kernels as a set, for there the simulator
 * submits a missing page first, and with the state that they lead to.
 * Pages that go by themselves are thrown out by advice, which 2.4 has not.
 *
 * Only patterns whose I/O would complete alike: every read lies within its
 * file, no page comes by itself, and in 2.4 no call finds a page readable
 * that it had read ahead itself without having slept since.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "sim/core/engine/engine.h"
#include "sim/trace/input.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_linux24, prefetcher_linux26, prefetcher_ondemand;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_fixed;

enum { PAGE = 4096, READS = 4096, TEXT = 1 << 16, SECOND = 1000000, EVICTIONS = 16, SET = 4096 };

static struct {
	struct trace  trace;
	struct access access[READS];
	struct advice advice[EVICTIONS];
	char *expected[READS]; /* "D0 A1 A2 ": demanded and read ahead; or pages_and_state() */
	struct open_file open[4];
	struct file	 file[4];
	struct traced	 process[1];
	bool		 fits;
	char		 name[64];
} pattern;

static const struct prefetcher *prefetcher;
static unsigned			n_patterns, n_reads, n_evictions;

/* ---- pages in any order ---- */

static struct {
	uint32_t page[SET], n;
} set;

static void
set_add(uint32_t page)
{
	REQUIRE(set.n < SET, "%s: a call reads too many pages", pattern.name);
	set.page[set.n++] = page;
}

static int
by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* "0 1 2 3; [0,4,3,4096]": the set, which is empty then, and a state. */
static void
pages_and_state(char to[TEXT], const char *state)
{
	size_t used = 0;

	qsort(set.page, set.n, sizeof(*set.page), by_number);
	for (uint32_t i = 0; i < set.n; i++)
		used += (size_t)snprintf(to + used, TEXT - used, i ? " %u" : "%u", set.page[i]);
	snprintf(to + used, TEXT - used, "; %s", state);
	set.n = 0;
}

/* ---- what the simulator does ---- */

static char   did[TEXT];
static size_t did_used;
static size_t did_call;
static char   did_state[256];

static void
compare_call(void)
{
	if (prefetcher != &prefetcher_linux24)
		pages_and_state(did, did_state);
	REQUIRE(!strcmp(did, pattern.expected[did_call]), "%s, read %zu: %s but recorded was %s",
	    pattern.name, did_call, did, pattern.expected[did_call]);
	did[0] = '\0';
	did_used = 0;
}

static void
tell(char letter, uint32_t index)
{
	if (prefetcher != &prefetcher_linux24)
		set_add(index);
	else
		did_used +=
		    (size_t)snprintf(did + did_used, TEXT - did_used, "%c%u ", letter, index);
}

/* As the vectors write it: "[0,4,3,4096]". */
static void
note_state(const void *self, uint32_t open)
{
	int64_t value[STATE_MAX];
	size_t	used = 0;

	prefetcher->state(self, open, value);
	for (unsigned i = 0; prefetcher->state_names[i]; i++)
		used += (size_t)snprintf(did_state + used, sizeof(did_state) - used, "%c%lld",
		    i ? ',' : '[', (long long)value[i]);
	snprintf(did_state + used, sizeof(did_state) - used, "]");
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
		for (uint32_t k = 0; k < ev->plan->extent[i].count; k++) {
			uint32_t index = ev->plan->extent[i].index + k;

			if (index < d->end && !demand_holds(d, index))
				tell('A', index);
		}
	note_state(ev->self, d->call->open);
}

static void
simulate_pattern(const char *params)
{
	struct config cfg;
	struct error  e;
	struct engine s;

	config_defaults(&cfg);
	cfg.cache_blocks = pattern.trace.nblocks;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher->plugin;
	cfg.prefetcher.params = params;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_fixed.plugin;
	cfg.device.params = "latency=1us,rate=1T";
	cfg.wait = WAIT_BLOCK;
	cfg.observer = (struct observer){ .mask = 1u << EVENT_PLAN, .see = see };
	did_call = did_used = set.n = 0;
	did[0] = '\0';
	ck_assert_msg(!engine_init(&s, &cfg, &pattern.trace, &e), "%s", e.text);
	ck_assert_msg(!engine_run(&s, &e), "%s", e.text);
	engine_release(&s);
	for (; did_call < pattern.trace.naccess; did_call++)
		compare_call();
	n_patterns++;
	n_reads += (unsigned)pattern.trace.naccess;
	n_evictions += (unsigned)pattern.trace.nadvice;
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
		.advice = pattern.advice,
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

/* What the events say in letters D and A; NULL: it found a page that it had just requested. */
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

/* The pages of the events that say that one is read, and the state. */
static char *
expected_set(const char *events, const cJSON *state)
{
	char *text = malloc(TEXT), *printed = cJSON_PrintUnformatted(state);

	for (; *events; events += strcspn(events, " "), events += *events == ' ')
		if (strchr("DSAR", *events))
			set_add((uint32_t)strtoul(events + 1, NULL, 10));
	pages_and_state(text, printed);
	cJSON_free(printed);
	return text;
}

static void
add_eviction(const cJSON *step)
{
	struct trace  *t = &pattern.trace;
	struct advice *a = &pattern.advice[t->nadvice];
	const char    *op = cJSON_GetObjectItemCaseSensitive(step, "op")->valuestring;
	uint32_t       open = 0;

	if (prefetcher == &prefetcher_linux24 || strcmp(op, "evict")) {
		pattern.fits = false;
		return;
	}
	while (pattern.file[pattern.open[open].file].inode != (uint64_t)number(step, "ino"))
		open++;
	REQUIRE(t->nadvice++ < EVICTIONS, "%s evicts too often", pattern.name);
	*a = (struct advice){
		.before = t->naccess,
		.offset = (uint64_t)number(step, "first") * PAGE,
		.length = (uint64_t)number(step, "n") * PAGE,
		.file_size = pattern.file[pattern.open[open].file].bytes,
		.open = open,
		.kind = ADVICE_DONTNEED,
	};
}

static void
add_read(const cJSON *step)
{
	struct trace	  *t = &pattern.trace;
	uint32_t	   open = (uint32_t)number(step, "fd");
	const struct file *f = &pattern.file[pattern.open[open].file];
	struct access	  *a = &pattern.access[t->naccess];
	const cJSON	  *events = cJSON_GetObjectItemCaseSensitive(step, "ev");
	const cJSON	  *state = cJSON_GetObjectItemCaseSensitive(step, "st");
	char		  *expected;
	bool		   seen = false;

	expected = prefetcher == &prefetcher_linux24 ? expected_of(events->valuestring)
						     : expected_set(events->valuestring, state);

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
		.advised = t->nadvice && pattern.advice[t->nadvice - 1].before == t->naccess,
		.fresh = !seen,
	};
	if (a->length > t->longest_bytes)
		t->longest_bytes = a->length;
	pattern.expected[t->naccess++] = expected;
	t->reads++;
}

static void
finish_pattern(const char *params)
{
	if (pattern.fits && pattern.trace.naccess)
		simulate_pattern(params);
}

static void
simulate_file(const char *path, const struct prefetcher *by, const char *params)
{
	struct error  e;
	struct input *in = input_open(path, &e);
	char	     *line;
	size_t	      length;
	int	      more;

	ck_assert_msg(in != NULL, "%s", e.text);
	prefetcher = by;
	n_patterns = n_reads = n_evictions = 0;
	pattern.fits = false;
	while ((more = input_line(in, &line, &length, &e)) > 0) {
		cJSON *o = cJSON_ParseWithLength(line, length);

		if (cJSON_GetObjectItemCaseSensitive(o, "hdr")) {
			finish_pattern(params);
			start_pattern(o);
		} else if (pattern.fits && !cJSON_GetObjectItemCaseSensitive(o, "ret")) {
			add_eviction(o);
		} else if (pattern.fits) {
			add_read(o);
		}
		cJSON_Delete(o);
	}
	ck_assert_msg(more == 0, "%s", e.text);
	finish_pattern(params);
	forget_pattern();
	input_close(in);
}

START_TEST(the_simulator_reads_what_2_4_20_read)
{
	simulate_file("tests/data/vectors/ra24/k20_A31.jsonl.gz", &prefetcher_linux24,
	    "version=2.4.20");
	ck_assert_uint_ge(n_patterns, 20);
	ck_assert_uint_ge(n_reads, 1000);
}
END_TEST

START_TEST(the_simulator_reads_what_2_4_27_read)
{
	simulate_file("tests/data/vectors/ra24/k27_A31.jsonl.gz", &prefetcher_linux24,
	    "version=2.4.27");
	ck_assert_uint_ge(n_patterns, 20);
	ck_assert_uint_ge(n_reads, 1000);
}
END_TEST

START_TEST(a_larger_maximum_is_obeyed)
{
	simulate_file("tests/data/vectors/ra24/k20_A127.jsonl.gz", &prefetcher_linux24, "max=127");
	ck_assert_uint_ge(n_patterns, 20);
	ck_assert_uint_ge(n_reads, 1000);
}
END_TEST

static const struct later {
	const char		*file; /* the end of its name */
	const struct prefetcher *prefetcher;
	const char		*params;
	unsigned		 patterns, evictions;
} later[] = {
	{ "k2.6.22.19_ra32", &prefetcher_linux26, "version=2.6.22", 30, 0 },
	{ "k2.6.24.4_ra32", &prefetcher_ondemand, "version=2.6.24", 30, 0 },
	{ "k4.19_ra32", &prefetcher_ondemand, "version=4.19", 30, 0 },
	{ "k4.19_ra64", &prefetcher_ondemand, "version=4.19,pages=64", 5, 0 },
	{ "k6.8_ra32", &prefetcher_ondemand, "version=6.8", 30, 0 },
	{ "k6.8_ra256", &prefetcher_ondemand, "version=6.8,pages=256", 5, 0 },
	{ "k6.8_ra32_io320", &prefetcher_ondemand, "version=6.8,io_pages=320", 5, 0 },
	{ "evict_ahead.k2.6.22.19_ra32", &prefetcher_linux26, "version=2.6.22", 1, 1 },
	{ "evict_ahead.k2.6.24.4_ra32", &prefetcher_ondemand, "version=2.6.24", 1, 1 },
	{ "evict_ahead.k4.19_ra32", &prefetcher_ondemand, "version=4.19", 1, 1 },
	{ "evict_ahead.k6.8_ra32", &prefetcher_ondemand, "version=6.8", 1, 1 },
};
enum { LATER = sizeof(later) / sizeof(*later) };

START_TEST(the_simulator_reads_what_later_kernels_read)
{
	char path[128];

	snprintf(path, sizeof(path), "tests/data/vectors/ra26/%s.jsonl.gz", later[_i].file);
	simulate_file(path, later[_i].prefetcher, later[_i].params);
	ck_assert_uint_ge(n_patterns, later[_i].patterns);
	ck_assert_uint_ge(n_evictions, later[_i].evictions);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("vectors");

	tcase_add_test(tests, the_simulator_reads_what_2_4_20_read);
	tcase_add_test(tests, the_simulator_reads_what_2_4_27_read);
	tcase_add_test(tests, a_larger_maximum_is_obeyed);
	tcase_add_loop_test(tests, the_simulator_reads_what_later_kernels_read, 0, LATER);
	return run_tests("vectors", tests);
}
