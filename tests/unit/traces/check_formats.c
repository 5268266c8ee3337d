/*
 * check_formats.c - what every trace format obeys, by being registered.
 *
 * Each test runs once for each format of traces/formats.def, whatever is in
 * it.  A format without a sample (samples.h) goes through what needs none.
 */
#include "sim/base/number.h"
#include "tests/unit/traces/samples.h"

enum { CUTS = 250, DAMAGES = 400, RANDOM_FILES = 150, RANDOM_BYTES = 3000 };

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
	for (int byte = 0; byte < 256; byte++) {
		char one = (char)byte, what[16];

		snprintf(what, sizeof(what), "byte %d", byte);
		survives(&one, 1, formats[_i], what);
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
		survives(bytes, n, formats[_i], what);
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

/* The file and process of each access, beside its open file. */
static void
keep(const struct trace *t, struct access *access, struct open_file *of)
{
	memcpy(access, t->access, t->naccess * sizeof(*access));
	for (size_t i = 0; i < t->naccess; i++)
		of[i] = t->open[access[i].open];
}

/* The calls of a format that writes calls only. */
static void
calls_equal(const struct access *access, const struct open_file *of, size_t n, const char *name)
{
	ck_assert_uint_eq(trace.naccess, n);
	for (size_t i = 0; i < n; i++) {
		const struct access    *a = &trace.access[i], *b = &access[i];
		const struct open_file *f = &trace.open[a->open];

		REQUIRE(a->time == b->time && a->offset == b->offset && a->length == b->length &&
			a->write == b->write && f->file == of[i].file &&
			f->process == of[i].process,
		    "%s: call %zu", name, i);
	}
}

/* The trace as it is now, written and read again. */
static void
comes_back(const struct format *f, const char *name)
{
	size_t		  n = trace.naccess;
	struct access	 *access = malloc(n * sizeof(*access));
	struct open_file *open = malloc(trace.nopen * sizeof(*open));
	struct open_file *of = malloc(n * sizeof(*of));
	uint32_t	  nopen = trace.nopen;

	keep(&trace, access, of);
	memcpy(open, trace.open, nopen * sizeof(*open));
	REQUIRE(!write_scratch(f), "%s as %s: %s", name, f->plugin.name, error.text);
	REQUIRE(!load_path(scratch_path, f, false), "%s as %s: %s", name, f->plugin.name,
	    error.text);
	REQUIRE(!strcmp(trace.format, f->plugin.name), "%s", trace.format);
	ck_assert_msg(!trace_check(&trace, 0, n, &error), "%s", error.text);
	if (f->calls_only)
		calls_equal(access, of, n, name);
	else
		accesses_equal(access, n);
	ck_assert(f->calls_only || trace.nopen == nopen);
	for (uint32_t i = 0; i < nopen && !f->calls_only; i++)
		REQUIRE(trace.open[i].file == open[i].file &&
			trace.open[i].process == open[i].process,
		    "%s as %s: open file %u", name, f->plugin.name, i);
	free(access);
	free(open);
	free(of);
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
	REQUIRE(set >= q->min && set <= q->max, "%s:%s", f->plugin.name, text);
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
		try_parameter(f, q, "?", false);
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

	tcase_add_checked_fixture(tc, samples_find, samples_release);
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
