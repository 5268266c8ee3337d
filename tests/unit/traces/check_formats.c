/*
 * check_formats.c - what every trace format obeys, by being registered.
 *
 * Each test runs once for each format of traces/formats.def, whatever is in
 * it.  A format without a sample (samples.h) goes through what needs none.
 */
#include "sim/base/number.h"
#include "tests/unit/traces/samples.h"

/* Each load takes ten times as long under the sanitizer, and there the fuzzer damages more. */
enum {
	SHARE = SANITIZED ? 8 : 1,
	CUTS = 150 / SHARE,
	DAMAGES = 200 / SHARE,
	RANDOM_FILES = 150 / SHARE,
	RANDOM_BYTES = 3000
};

static bool given_parameters; /* which may exclude each other: a usage error */

/* Loaded whole and as promised, or refused with a reason that names the file. */
static void
check_outcome(int status, const char *what)
{
	size_t path = strlen(scratch_path);

	if (!status)
		status = trace_check(&trace, 0, trace.naccess, &error);
	if (!status) {
		check_promises();
		return;
	}
	REQUIRE(error.exit_code == EXIT_FAILED || given_parameters, "%s: exit %d", what,
	    error.exit_code);
	REQUIRE(!strchr(error.text, '\n'), "%s: '%s'", what, error.text);
	REQUIRE(!strncmp(error.text, scratch_path, path) && !strncmp(error.text + path, ": ", 2) &&
		error.text[path + 2],
	    "%s: '%s'", what, error.text);
}

/* As this format, and as the one that it is recognised to be. */
static void
survives(const void *bytes, size_t n, const struct format *f, const char *what)
{
	check_outcome(load_with(bytes, n, f, NULL), what);
	check_outcome(load_with(bytes, n, NULL, NULL), what);
}

/* The same of bytes that every format is given: they need to be recognised once. */
static void
survives_as_all(const void *bytes, size_t n, const struct format *f, const char *what)
{
	if (f == formats[0])
		survives(bytes, n, f, what);
	else
		check_outcome(load_with(bytes, n, f, NULL), what);
}

START_TEST(it_is_described)
{
	const struct format *f = formats[_i];

	ck_assert(f->plugin.name && f->plugin.summary && f->recognise);
	ck_assert_msg(strcspn(f->plugin.name, ":+,=. ") == strlen(f->plugin.name),
	    "no name to type: '%s'", f->plugin.name);
	ck_assert_msg(!f->read != !f->map, "%s must have one of read and map", f->plugin.name);
	ck_assert_msg(!f->write || (f->ending && *f->ending == '.'),
	    "%s is written to files with which ending?", f->plugin.name);
	for (int i = 0; i < _i; i++)
		ck_assert_str_ne(formats[i]->plugin.name, f->plugin.name);
}
END_TEST

START_TEST(no_byte_and_one_byte_are_no_trace)
{
	ck_assert_int_eq(load_with("", 0, formats[_i], NULL), -1);
	check_outcome(-1, "an empty file");
	for (int byte = 0; byte < 256; byte += SHARE) {
		char one = (char)byte, what[NUMBER_TEXT];

		snprintf(what, sizeof(what), "byte %d", byte);
		survives_as_all(&one, 1, formats[_i], what);
	}
}
END_TEST

START_TEST(random_bytes_are_survived)
{
	static const char *const letters[] = { NULL, "0123456789 \n", "0123456789,.-\n",
		"0123456789abcxRW<>()=\", \n\t" };
	static unsigned char	 bytes[RANDOM_BYTES];
	uint64_t		 state = 11;

	for (unsigned i = 0; i < RANDOM_FILES; i++) {
		const char *letter = letters[i % 4];
		size_t	    n = 1 + random_below(&state, RANDOM_BYTES);
		char	    what[32];

		for (size_t k = 0; k < n; k++)
			bytes[k] = (unsigned char)(letter
				? letter[random_below(&state, (uint32_t)strlen(letter))]
				: (char)random_below(&state, 256));
		snprintf(what, sizeof(what), "random file %u", i);
		survives_as_all(bytes, n, formats[_i], what);
	}
}
END_TEST

START_TEST(its_samples_load_the_same_each_time)
{
	for (struct sample *s = sample; s < sample + nsamples; s++) {
		uint64_t fingerprint, records;

		if (s->format != formats[_i])
			continue;
		check_outcome(load_with(s->bytes, s->n, s->format, NULL), s->name);
		if (!trace.naccess) {
			REQUIRE(!s->whole, "%s: %s", s->name, error.text);
			continue;
		}
		fingerprint = trace.fingerprint;
		records = trace.records;
		REQUIRE(!load_with(s->bytes, s->n, s->format, NULL) &&
			trace.fingerprint == fingerprint && trace.records == records,
		    "%s is another trace the second time", s->name);
	}
}
END_TEST

START_TEST(its_samples_are_not_those_of_another_format)
{
	for (struct sample *s = sample; s < sample + nsamples; s++)
		for (const struct format *const *f = formats; s->format == formats[_i] && *f; f++)
			REQUIRE(*f == s->format || !(*f)->recognise((const char *)s->bytes, s->n),
			    "%s is %s, %s recognises it, too", s->name, s->format->plugin.name,
			    (*f)->plugin.name);
}
END_TEST

START_TEST(its_samples_cut_off_anywhere_are_survived)
{
	for (struct sample *s = sample; s < sample + nsamples; s++) {
		size_t step = s->n / CUTS + 1;

		for (size_t cut = 0; s->format == formats[_i] && cut < s->n; cut += step) {
			char what[200];

			snprintf(what, sizeof(what), "%s cut at %zu", s->name, cut);
			survives(s->bytes, cut, s->format, what);
		}
	}
}
END_TEST

START_TEST(its_samples_damaged_anywhere_are_survived)
{
	static unsigned char damaged[SAMPLE_BYTES];
	uint64_t	     state = 5;

	for (struct sample *s = sample; s < sample + nsamples; s++)
		for (unsigned i = 0; s->format == formats[_i] && i < DAMAGES; i++) {
			char   what[200];
			size_t n = s->n < SAMPLE_BYTES ? s->n : SAMPLE_BYTES;

			memcpy(damaged, s->bytes, n);
			for (uint32_t k = 1 + random_below(&state, 3); k; k--)
				damaged[random_below(&state, (uint32_t)n)] =
				    (unsigned char)(random_below(&state, 2)
					    ? (char)random_below(&state, 256)
					    : "0 9-\n,.#<>=(\"RWX"[random_below(&state, 16)]);
			snprintf(what, sizeof(what), "%s damaged, %u", s->name, i);
			survives(damaged, n, s->format, what);
		}
}
END_TEST

START_TEST(a_packed_sample_cut_off_is_an_error)
{
	static unsigned char packed[2 * SAMPLE_BYTES];

	for (struct sample *s = sample; s < sample + nsamples; s++) {
		size_t n = gzip_member(s->bytes, s->n, packed, sizeof(packed)), step = n / 50 + 1;

		for (size_t cut = 2; s->format == formats[_i] && cut < n; cut += step) {
			REQUIRE(load_with(packed, cut, s->format, NULL), "%s packed, cut at %zu",
			    s->name, cut);
			check_outcome(-1, s->name);
		}
	}
}
END_TEST

/* The accesses of a trace, and their files. */
struct copy {
	size_t		  n;
	struct access	 *access;
	uint32_t	  nopen;
	struct open_file *open;
};

static struct copy
copy_trace(void)
{
	struct copy c = { .n = trace.naccess, .nopen = trace.nopen };

	c.access = malloc(c.n * sizeof(*c.access));
	c.open = malloc(c.nopen * sizeof(*c.open));
	memcpy(c.access, trace.access, c.n * sizeof(*c.access));
	memcpy(c.open, trace.open, c.nopen * sizeof(*c.open));
	return c;
}

/* Some formats have no processes, so that each file is open once. */
static void
is_copy(const struct copy *c, unsigned loses, const char *what)
{
	for (size_t i = 0; loses && i < c->n; i++) {
		struct access *a = (struct access *)(uintptr_t)&trace.access[i];

		REQUIRE(i < trace.naccess, "%s: %zu accesses", what, trace.naccess);
		REQUIRE(trace.open[a->open].file == c->open[c->access[i].open].file,
		    "%s: file of access %zu", what, i);
		if (loses & LOSES_OPENS)
			REQUIRE(trace.open[a->open].process == c->open[c->access[i].open].process,
			    "%s: process of access %zu", what, i);
		if (loses & LOSES_OPENS)
			a->fresh = c->access[i].fresh;
		if (loses & (LOSES_PROCESSES | LOSES_OPENS))
			a->open = c->access[i].open;
		if (loses & LOSES_SIZES)
			a->file_size = c->access[i].file_size;
	}
	accesses_equal(c->access, c->n);
	ck_assert(!(loses & LOSES_PROCESSES) || trace.nprocesses == 1);
	if (loses & (LOSES_PROCESSES | LOSES_OPENS))
		return;
	ck_assert_uint_eq(trace.nopen, c->nopen);
	for (uint32_t i = 0; i < c->nopen; i++)
		REQUIRE(trace.open[i].file == c->open[i].file &&
			trace.open[i].process == c->open[i].process,
		    "%s: open file %u", what, i);
}

static uint64_t
count_references(void)
{
	uint64_t n = 0;

	for (size_t i = 0; i < trace.naccess; i++)
		n += access_count(&trace, &trace.access[i]);
	return n;
}

/* A format of blocks: as many references, to as many blocks. */
static void
blocks_come_back(const struct format *f, const char *name)
{
	uint64_t references = count_references();
	block_t	 footprint;

	ck_assert_int_eq(trace_footprint(&trace, &error), 0);
	footprint = trace.footprint;
	REQUIRE(!write_scratch(f), "%s as %s: %s", name, f->plugin.name, error.text);
	REQUIRE(!load_path(scratch_path, NULL, false), "%s as %s: %s", name, f->plugin.name,
	    error.text);
	REQUIRE(!strcmp(trace.format, f->plugin.name), "%s: %s", name, trace.format);
	ck_assert_int_eq(trace_footprint(&trace, &error), 0);
	REQUIRE(trace.naccess == references && count_references() == references &&
		trace.footprint == footprint,
	    "%s as %s: %zu of %llu references", name, f->plugin.name, trace.naccess,
	    (unsigned long long)references);
}

/* The trace as it is now, written and read again. */
static void
comes_back(const struct format *f, const char *name)
{
	struct copy c;
	char	    what[200];

	if (f->by_block) {
		blocks_come_back(f, name);
		return;
	}
	c = copy_trace();
	snprintf(what, sizeof(what), "%s as %s", name, f->plugin.name);
	if (write_scratch(f)) {
		REQUIRE(strstr(error.text, "cannot hold"), "%s: %s", what, error.text);
		free(c.access);
		free(c.open);
		return;
	}
	REQUIRE(!load_path(scratch_path, f, false), "%s: %s", what, error.text);
	REQUIRE(!strcmp(trace.format, f->plugin.name), "%s", trace.format);
	ck_assert_msg(!trace_check(&trace, 0, c.n, &error), "%s", error.text);
	is_copy(&c, f->loses, what);
	free(c.access);
	free(c.open);
}

START_TEST(what_it_writes_it_reads_again)
{
	const struct format *f = formats[_i];

	if (!f->write)
		return;
	make_small_trace();
	comes_back(f, "a small trace");
	for (struct sample *s = sample; s < sample + nsamples; s++)
		if (!load_with(s->bytes, s->n, s->format, NULL))
			comes_back(f, s->name);
}
END_TEST

/* ---- parameters ---- */

/* "name=value" is taken, or refused with a usage error; what is taken loads as anything does. */
static void
try_parameter(const struct format *f, const struct param *q, const char *value, bool good)
{
	char	 text[200];
	uint64_t set;
	void	*self;

	snprintf(text, sizeof(text), "%s=%s", q ? q->name : "no-such-parameter", value);
	error = (struct error){ 0 };
	self = plugin_state(&f->plugin, text, &error);
	REQUIRE((self != NULL) == good, "%s:%s: %s", f->plugin.name, text,
	    self ? "taken" : error.text);
	if (!good) {
		REQUIRE(error.exit_code == EXIT_USAGE, "%s", error.text);
		REQUIRE(load_with("1\n", 2, f, text), "%s:%s", f->plugin.name, text);
		return;
	}
	memcpy(&set, (char *)self + q->offset, sizeof(set));
	free(self);
	given_parameters = true;
	check_outcome(load_with("1\n", 2, f, text), text);
	for (struct sample *s = sample; s < sample + nsamples; s++)
		if (s->format == f)
			check_outcome(load_with(s->bytes, s->n, f, text), text);
	given_parameters = false;
	REQUIRE(q->unit == PARAM_TEXT || (set >= q->min && set <= q->max), "%s:%s", f->plugin.name,
	    text);
}

static void
try_number(const struct format *f, const struct param *q, uint64_t value, bool good)
{
	char text[NUMBER_TEXT];

	try_parameter(f, q, number_format(text, value, q->unit), good);
}

START_TEST(its_parameters_are_what_they_say)
{
	const struct format *f = formats[_i];

	try_parameter(f, NULL, "1", false);
	for (const struct param *q = f->plugin.params; q && q->name; q++) {
		REQUIRE(q->initial >= q->min && q->initial <= q->max, "%s", q->name);
		REQUIRE(q->offset + sizeof(uint64_t) <= f->plugin.state_size, "%s", q->name);
		REQUIRE((q->words != NULL) == (q->unit == PARAM_WORD), "%s", q->name);
		try_parameter(f, q, "?", q->unit == PARAM_TEXT);
		for (uint64_t i = 0; q->words && i <= q->max; i++)
			try_parameter(f, q, q->words[i], true);
		if (q->words)
			continue;
		try_number(f, q, q->min, true);
		try_number(f, q, q->max, true);
		if (q->min)
			try_number(f, q, q->min - 1, false);
		if (q->unit == PARAM_COUNT && q->max < UINT64_MAX)
			try_number(f, q, q->max + 1, false);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("formats");
	int    n = samples_formats();

	tcase_add_unchecked_fixture(tc, samples_find, samples_release); /* once for all */
	tcase_add_loop_test(tc, it_is_described, 0, n);
	tcase_add_loop_test(tc, no_byte_and_one_byte_are_no_trace, 0, n);
	tcase_add_loop_test(tc, random_bytes_are_survived, 0, n);
	tcase_add_loop_test(tc, its_samples_load_the_same_each_time, 0, n);
	tcase_add_loop_test(tc, its_samples_are_not_those_of_another_format, 0, n);
	tcase_add_loop_test(tc, its_samples_cut_off_anywhere_are_survived, 0, n);
	tcase_add_loop_test(tc, its_samples_damaged_anywhere_are_survived, 0, n);
	tcase_add_loop_test(tc, a_packed_sample_cut_off_is_an_error, 0, n);
	tcase_add_loop_test(tc, what_it_writes_it_reads_again, 0, n);
	tcase_add_loop_test(tc, its_parameters_are_what_they_say, 0, n);
	return run_tests("formats", tc);
}
