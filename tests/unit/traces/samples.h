/*
 * samples.h - what there is to try trace formats with: the beginnings of all
 * traces in tests/data and traces/samples, and a small trace as every format
 * writes it that can.  No format is named here.
 *
 * A file whose content no format recognises is a sample of the format that
 * its name ends in, as in some.csv or some.csv.gz; else it is no sample.
 */
#ifndef TESTS_UNIT_TRACES_SAMPLES_H
#define TESTS_UNIT_TRACES_SAMPLES_H

#include <glob.h>
#include <sys/stat.h>

#include "sim/registry.h"
#include "sim/trace/load.h"
#include "tests/unit/loading.h"

enum { SAMPLES_MAX = 100, SAMPLE_BYTES = 16 << 10 };

struct sample {
	const struct format *format;
	char		     name[128]; /* of its file */
	unsigned char	    *bytes;
	size_t		     n;
	bool		     whole; /* no more of it was left out */
};

static struct sample sample[SAMPLES_MAX];
static unsigned	     nsamples;

/* Every format is a test of its own. */
static inline int
samples_formats(void)
{
	int n = 0;

	while (formats[n])
		n++;
	return n;
}

static inline int
load_scratch(const struct format *f, const char *params)
{
	const struct trace_options options = {
		.block_bytes = BLOCK_BYTES,
		.format = f,
		.format_params = params,
	};

	trace_release(&trace);
	error = (struct error){ 0 };
	return trace_load(&trace, scratch_path, &options, &error);
}

static inline int
load_with(const void *bytes, size_t n, const struct format *f, const char *params)
{
	scratch_write(bytes, n);
	return load_scratch(f, params);
}

/* ---- a small trace that comes from no file ---- */

/* Two processes, three files, two of them open twice; writes, advice, an empty call. */
static inline int
small_record(void *self, struct input *in, struct record *r, struct error *e)
{
	static const enum op op[] = { OP_READ, OP_READ, OP_WRITE, OP_ADVISE, OP_READ, OP_CLOSE };
	unsigned	    *next = self, i = (*next)++;

	if (i == 200)
		return 0;
	*r = (struct record){
		.time = (usec_t)i * 100 - (i % 50 == 49 ? 150 : 0),
		.pid = 7 + i / 20 % 2,
		.fd = 3 + i % 4,
		.op = op[i % 6],
		.advice = i / 6 % ADVICE_KINDS,
		.inode = 50 + i % 4 % 3,
		.file_size = 1 << 20,
		.offset = (uint64_t)i * 1000,
		.length = i == 12 ? 0 : 100 + i * 20,
	};
	return 1;
}

static inline void
make_small_trace(void)
{
	const struct trace_options options = { .block_bytes = BLOCK_BYTES };
	unsigned		   next = 0;

	trace_release(&trace);
	ck_assert_msg(!trace_make(&trace, "small", &options, small_record, &next, &error), "%s",
	    error.text);
	ck_assert_uint_gt(trace.nadvice, 0);
	ck_assert_uint_gt(trace.out_of_order, 0);
}

/* What is loaded, to the scratch file. */
static inline int
write_scratch(const struct format *f)
{
	struct output *out = output_open(scratch_path, &error);

	if (!out)
		return -1;
	if (!f->write(&trace, out, &error))
		return output_commit(out, NULL, &error);
	output_abandon(out);
	return -1;
}

/* ---- samples ---- */

static inline const struct format *
format_of(const char *path, const char *head, size_t n)
{
	size_t length = strlen(path);

	for (const struct format *const *f = formats; n && *f; f++)
		if ((*f)->recognise(head, n))
			return *f;
	if (length > 3 && !strcmp(path + length - 3, ".gz"))
		length -= 3;
	for (const struct format *const *f = formats; *f; f++) {
		size_t ending = strlen((*f)->plugin.name);

		if (length > ending && path[length - ending - 1] == '.' &&
		    !memcmp(path + length - ending, (*f)->plugin.name, ending))
			return *f;
	}
	return NULL;
}

/* The file, if it is one of a trace; of a long text whole lines. */
static inline void
add_sample(const char *path)
{
	struct sample *s = &sample[nsamples];
	struct input  *in = input_open(path, &error);
	const char    *head;

	ck_assert_msg(in != NULL, "%s: %s", path, error.text);
	head = input_head(in, &s->n, &error);
	ck_assert_msg(head != NULL, "%s: %s", path, error.text);
	s->format = format_of(path, head, s->n);
	s->whole = s->n <= SAMPLE_BYTES;
	if (s->format) {
		ck_assert_uint_lt(nsamples, SAMPLES_MAX);
		for (s->n = s->whole ? s->n : SAMPLE_BYTES; !s->whole && head[s->n - 1] != '\n';)
			if (!--s->n) {
				s->n = SAMPLE_BYTES; /* no lines */
				break;
			}
		s->bytes = malloc(s->n);
		memcpy(s->bytes, head, s->n);
		snprintf(s->name, sizeof(s->name), "%s", path);
		nsamples++;
	}
	input_close(in);
}

static inline void
add_samples(const char *pattern)
{
	glob_t files;

	ck_assert_int_eq(glob(pattern, 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct stat st;

		if (!stat(files.gl_pathv[i], &st) && S_ISREG(st.st_mode))
			add_sample(files.gl_pathv[i]);
	}
	globfree(&files);
}

static inline void
add_written(const struct format *f)
{
	make_small_trace();
	ck_assert_msg(!write_scratch(f), "%s: %s", f->plugin.name, error.text);
	add_sample(scratch_path);
	ck_assert_msg(nsamples && sample[nsamples - 1].format == f &&
		!strcmp(sample[nsamples - 1].name, scratch_path),
	    "%s does not recognise what it writes", f->plugin.name);
	snprintf(sample[nsamples - 1].name, sizeof(sample[nsamples - 1].name), "written as %s",
	    f->plugin.name);
}

/* Fixture: a scratch file and all samples. */
static inline void
samples_find(void)
{
	scratch_make();
	nsamples = 0;
	add_samples("tests/data/*");
	add_samples("traces/samples/*");
	ck_assert_uint_ge(nsamples, 5);
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->write)
			add_written(*f);
	trace_release(&trace);
}

static inline void
samples_release(void)
{
	for (unsigned i = 0; i < nsamples; i++)
		free(sample[i].bytes);
	scratch_remove();
}

#endif
