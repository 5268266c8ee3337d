/*
 * harness.h - what the harnesses of libFuzzer share: a folder for their files,
 * and laws: an input that breaks one is a finding, as is one that crashes.
 *
 * Settings are drawn from the checksum of the input, so that an input that is
 * run again does the same again.
 */
#ifndef TESTS_FUZZ_HARNESS_H
#define TESTS_FUZZ_HARNESS_H

#include "sim/setup/setup.h"
#include "tests/fuzz/draw.h"

#define LAW(condition, ...)                                                                        \
	do {                                                                                       \
		if (!(condition))                                                                  \
			broken_law(#condition, __VA_ARGS__);                                       \
	} while (0)

void broken_law(const char *condition, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* libFuzzer calls these. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* A file of the process, such as "trace": the same path each time, in TMPDIR. */
const char *harness_path(const char *name);
void	    harness_write(const char *path, const void *bytes, size_t n);

struct draw harness_draw(const uint8_t *bytes, size_t n);

/* What is refused is refused with one line, and exit code 1 or 2. */
void harness_refused(const struct error *e);

/* ---- traces ---- */

/*
 * Load the file with drawn settings, and check what trace.h promises; write it in every format
 * and read it again; simulate it: the last two of one trace in FUZZ_SHARE.  format and params may
 * be NULL; without params, those of the format are drawn at times.
 */
void trace_laws(const char *path, const struct format *format, const char *params, struct draw *d);

/* Simulate with settings drawn for blocks of that size: argument and value in turn. */
void simulation_laws(struct trace *t, struct draw *d);

/* One run, and its sums. */
void run_laws(const struct config *c, const struct trace *t, const char *what);

#endif
