/*
 * noted.h - what the tests of single formats share: a trace loaded as one
 * format with parameters, and the notes of a trace.
 */
#ifndef TESTS_UNIT_TRACES_NOTED_H
#define TESTS_UNIT_TRACES_NOTED_H

#include "sim/registry.h"
#include "sim/trace/format.h"
#include "tests/unit/loading.h"

static inline const struct format *
format_called(const char *name)
{
	for (const struct format *const *f = formats; *f; f++)
		if (!strcmp((*f)->plugin.name, name))
			return *f;
	ck_abort_msg("no format %s", name);
	return NULL;
}

static inline int
load_file_as(const char *path, const char *name, const char *params)
{
	const struct trace_options options = {
		.block_bytes = BLOCK_BYTES,
		.format = format_called(name),
		.format_params = params,
	};

	trace_release(&trace);
	error = (struct error){ 0 };
	return trace_load(&trace, path, &options, &error);
}

static inline int
load_as(const char *name, const char *params, const void *bytes, size_t n)
{
	scratch_write(bytes, n);
	return load_file_as(scratch_path, name, params);
}

static inline void
loads_as(const char *name, const char *params, const void *bytes, size_t n)
{
	ck_assert_msg(!load_as(name, params, bytes, n), "%s", error.text);
}

/* The file is recognised as of that format. */
static inline void
loads_sample(const char *path, const char *format)
{
	ck_assert_msg(!load_path(path, NULL, false), "%s", error.text);
	ck_assert_str_eq(trace.format, format);
}

/* The trace has this note, about so many records. */
static inline void
noted_times(const char *note, uint64_t times)
{
	for (unsigned i = 0; i < TRACE_NOTES && trace.note[i]; i++)
		if (!strcmp(trace.note[i], note)) {
			ck_assert(times == UINT64_MAX || times == trace.noted[i]);
			return;
		}
	ck_abort_msg("not noted: %s", note);
}

/* The trace has this note. */
static inline void
noted(const char *note)
{
	noted_times(note, UINT64_MAX);
}

#endif
