/*
 * fuzz_trace.c - the input is a trace: of any format, or of --format=NAME[:params].
 *
 * --packed: the input is packed by gzip first, so that damage is behind a
 * right checksum.  The checksums and lengths of a binary trace are made right
 * in most cases, for the same reason.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/base/checksum.h"
#include "sim/trace/format.h"
#include "tests/fuzz/harness.h"

static const struct format *format;
static const char	   *params;
static bool		    packed;

static void
set_format(const char *name)
{
	size_t n = strcspn(name, ":");

	if (name[n])
		params = name + n + 1;
	for (const struct format *const *f = formats; *f; f++)
		if (strlen((*f)->plugin.name) == n && !memcmp((*f)->plugin.name, name, n))
			format = *f;
	if (format)
		return;
	fprintf(stderr, "there is no format %s\n", name);
	exit(EXIT_FAILURE);
}

/* libFuzzer ignores words with two hyphens. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	for (int i = 1; i < *argc; i++) {
		if (!strncmp((*argv)[i], "--format=", 9))
			set_format((*argv)[i] + 9);
		packed |= !strcmp((*argv)[i], "--packed");
	}
	return 0;
}

/* ---- binary traces: docs/bst.md ---- */

enum {
	HEADER = 4096,
	AT_BYTES = 16,
	AT_ACCESSES = 24,
	AT_FILES = 32,
	AT_OPENS = 36,
	AT_PROCESSES = 40,
	AT_TEXT = 48,
	AT_TABLES_SUM = 176,
	AT_ADVICE = 184,
	AT_SUM = HEADER - 8,
	CHUNK = 1 << 16
};

static uint64_t
number(const uint8_t *at, size_t bytes)
{
	uint64_t n = 0;

	memcpy(&n, at, bytes);
	return n;
}

static void
put(uint8_t *at, uint64_t n)
{
	memcpy(at, &n, sizeof(n));
}

/* Lengths and sums of the n bytes; the text takes up what is left. */
static void
repair(uint8_t *b, size_t n)
{
	uint64_t accesses, chunks, fixed, text;

	if (n < HEADER)
		return;
	accesses = number(b + AT_ACCESSES, 8) % (n / 32 + 1);
	chunks = (accesses + CHUNK - 1) / CHUNK;
	fixed = chunks * 8 + number(b + AT_FILES, 4) * 24 + number(b + AT_OPENS, 4) * 8 +
	    number(b + AT_ADVICE, 8) % (n / 40 + 1) * 40 + number(b + AT_PROCESSES, 4) * 4;
	if (HEADER + accesses * 32 + fixed > n)
		return;
	text = n - HEADER - accesses * 32 - fixed;
	put(b + AT_BYTES, n);
	put(b + AT_ACCESSES, accesses);
	put(b + AT_ADVICE, number(b + AT_ADVICE, 8) % (n / 40 + 1));
	put(b + AT_TEXT, text);
	for (uint64_t k = 0; k < chunks; k++) {
		uint64_t left = accesses - k * CHUNK;

		put(b + HEADER + accesses * 32 + k * 8,
		    checksum(b + HEADER + k * CHUNK * 32, (left < CHUNK ? left : CHUNK) * 32));
	}
	put(b + AT_TABLES_SUM, checksum(b + HEADER + accesses * 32, fixed + text));
	put(b + AT_SUM, checksum(b, AT_SUM));
}

static void
write_repaired(const char *path, const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n + 1);

	memcpy(copy, bytes, n);
	repair(copy, n);
	harness_write(path, copy, n);
	free(copy);
}

static void
write_packed(const char *path, const uint8_t *bytes, size_t n)
{
	gzFile gz;

	unlink(path);
	gz = gzopen(path, "wb1");
	if (!gz || gzwrite(gz, bytes, (unsigned)n) != (int)n || gzclose(gz)) {
		perror(path);
		exit(EXIT_FAILURE);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct draw d = harness_draw(bytes, n);
	const char *path = harness_path("trace");

	if (format && format->map && draw_below(&d, 8))
		write_repaired(path, bytes, n);
	else if (packed)
		write_packed(path, bytes, n);
	else
		harness_write(path, bytes, n);
	trace_laws(path, format, params, &d);
	return 0;
}
