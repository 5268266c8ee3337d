/*
 * loading.h - what the tests of the loader and its formats share: a scratch
 * file, plain or packed, and traces loaded from it.
 */
#ifndef TESTS_UNIT_LOADING_H
#define TESTS_UNIT_LOADING_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LIBLZMA
#include <lzma.h>
#endif
#ifdef HAVE_LIBBZ2
#include <bzlib.h>
#endif

#include "sim/trace/load.h"
#include "sim/trace/place_steps.h"
#include "tests/unit/support.h"

enum { SCRATCH_BYTES = 4 << 20, BLOCK_BYTES = 4096 };

static char	    scratch_path[64];
static struct trace trace;
static struct error error;

/* Fixture: one scratch file for each test, which runs in a process of its own. */
static inline void
scratch_make(void)
{
	int fd;

	snprintf(scratch_path, sizeof(scratch_path), "/tmp/bufsim-check-XXXXXX");
	fd = mkstemp(scratch_path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	trace = (struct trace){ 0 };
	error = (struct error){ 0 };
}

static inline void
scratch_remove(void)
{
	trace_release(&trace);
	unlink(scratch_path);
}

static inline void
scratch_write(const void *bytes, size_t n)
{
	FILE *f;

	unlink(scratch_path); /* some file systems wait for the disk when a file is overwritten */
	f = fopen(scratch_path, "wb");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, n, f), n);
	ck_assert_int_eq(fclose(f), 0);
}

static inline void
scratch_text(const char *text)
{
	scratch_write(text, strlen(text));
}

/* One member of a gzip file made of n bytes: its length. */
static inline size_t
gzip_member(const void *bytes, size_t n, unsigned char *out, size_t room)
{
	z_stream z = { 0 };

	ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
	    Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)bytes;
	z.avail_in = (uInt)n;
	z.next_out = out;
	z.avail_out = (uInt)room;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return room - z.avail_out;
}

/* One member of that packing: its length; 0: the packing was not built in. */
static inline size_t
pack_member(const char *packing, const void *bytes, size_t n, unsigned char *out, size_t room)
{
	if (!strcmp(packing, "gzip"))
		return gzip_member(bytes, n, out, room);
#ifdef HAVE_LIBZSTD
	if (!strcmp(packing, "zstd")) {
		ZSTD_CCtx *z = ZSTD_createCCtx();
		size_t	   length;

		ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
		length = ZSTD_compress2(z, out, room, bytes, n);
		ck_assert(!ZSTD_isError(length));
		ZSTD_freeCCtx(z);
		return length;
	}
#endif
#ifdef HAVE_LIBLZMA
	if (!strcmp(packing, "xz")) {
		size_t length = 0;

		ck_assert_int_eq(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, bytes, n, out,
				     &length, room),
		    LZMA_OK);
		return length;
	}
#endif
#ifdef HAVE_LIBBZ2
	if (!strcmp(packing, "bzip2")) {
		unsigned length = (unsigned)room;

		ck_assert_int_eq(BZ2_bzBuffToBuffCompress((char *)out, &length,
				     (char *)(uintptr_t)bytes, (unsigned)n, 9, 0, 0),
		    BZ_OK);
		return length;
	}
#endif
	return 0;
}

static inline int
load_path(const char *path, const struct format *format, bool touch)
{
	const struct trace_options options = {
		.block_bytes = BLOCK_BYTES,
		.format = format,
		.touch_mmaps = touch,
	};

	trace_release(&trace);
	error = (struct error){ 0 };
	return trace_load(&trace, path, &options, &error);
}

static inline int
load_bytes(const void *bytes, size_t n)
{
	scratch_write(bytes, n);
	return load_path(scratch_path, NULL, false);
}

static inline void
load(const char *text)
{
	ck_assert_msg(!load_bytes(text, strlen(text)), "%s", error.text);
}

/* Loading says "PATH: what". */
static inline void
refuses_bytes(const void *bytes, size_t n, const char *what)
{
	char expected[1200];

	ck_assert_int_eq(load_bytes(bytes, n), -1);
	snprintf(expected, sizeof(expected), "%s: %s", scratch_path, what);
	ck_assert_str_eq(error.text, expected);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
}

static inline void
refuses(const char *text, const char *what)
{
	refuses_bytes(text, strlen(text), what);
}

/* The i-th access in words: "R file offset length pid fresh". */
static inline void
access_is(size_t i, const char *expected)
{
	const struct access *a = &trace.access[i];
	char		     text[128];

	ck_assert_uint_lt(i, trace.naccess);
	snprintf(text, sizeof(text), "%c %u %llu %u %u%s", a->write ? 'W' : 'R',
	    trace.open[a->open].file, (unsigned long long)a->offset, a->length,
	    trace.process[trace.open[a->open].process].pid, a->fresh ? " fresh" : "");
	ck_assert_str_eq(text, expected);
}

/* The accesses are those of another trace. */
static inline void
accesses_equal(const struct access *expected, size_t n)
{
	ck_assert_uint_eq(trace.naccess, n);
	for (size_t i = 0; i < n; i++) {
		const struct access *a = &trace.access[i], *b = &expected[i];

		ck_assert_int_eq(a->time, b->time);
		ck_assert_uint_eq(a->offset, b->offset);
		ck_assert_uint_eq(a->file_size, b->file_size);
		ck_assert_uint_eq(a->length, b->length);
		ck_assert_uint_eq(a->open, b->open);
		ck_assert(a->write == b->write && a->fresh == b->fresh);
	}
}

/* The processes are those of another trace. */
static inline void
processes_equal(const struct trace *expected)
{
	ck_assert_uint_eq(trace.nprocesses, expected->nprocesses);
	for (uint32_t i = 0; i < trace.nprocesses; i++)
		ck_assert_uint_eq(trace.process[i].pid, expected->process[i].pid);
	ck_assert_uint_eq(trace.nsteps, expected->nsteps);
	if (trace.nsteps)
		ck_assert_mem_eq(trace.step, expected->step, trace.nsteps * sizeof(*trace.step));
}

/* The k-th step in words: "process calls time kind other until". */
static inline void
step_is(size_t k, const char *expected)
{
	static const char *const kind[] = { "starts", "exits", "waits", "sends", "receives" };
	const struct step	*s = &trace.step[k];
	char			 text[128];
	int			 n;

	ck_assert_uint_lt(k, trace.nsteps);
	n = snprintf(text, sizeof(text), "%u after %llu at %lld %s", trace.process[s->process].pid,
	    (unsigned long long)s->calls, (long long)s->time, kind[s->kind]);
	if (s->kind == STEP_WAIT && s->other == STEP_ANY)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " any");
	else if (s->kind != STEP_EXIT && s->kind != STEP_SEND)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %u",
		    trace.process[s->other].pid);
	if (s->number)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " number %u", s->number);
	if (s->kind == STEP_WAIT || s->kind == STEP_RECEIVE)
		snprintf(text + n, sizeof(text) - (size_t)n, " until %lld", (long long)s->until);
	ck_assert_str_eq(text, expected);
}

/* All of them; n expected. */
static inline void
steps_are(size_t n, const char *const expected[])
{
	ck_assert_uint_eq(trace.nsteps, n);
	for (size_t k = 0; k < n; k++)
		step_is(k, expected[k]);
}

/* All of them; n expected. */
static inline void
accesses_are(size_t n, const char *const expected[])
{
	ck_assert_uint_eq(trace.naccess, n);
	for (size_t i = 0; i < n; i++)
		access_is(i, expected[i]);
}

/* Whatever is loaded must be what trace.h promises. */
static inline void
check_promises(void)
{
	block_t next = 1;
	file_t	seen = 0;
	usec_t	time = 0;

	ck_assert_uint_gt(trace.naccess, 0);
	ck_assert_int_eq(trace.access[0].time, 0);
	for (file_t f = 0; f < trace.nfiles; f++) {
		ck_assert_uint_eq(trace.file[f].base, next);
		next += trace.file[f].nblocks;
	}
	ck_assert_uint_eq(trace.nblocks, next);
	for (size_t i = 0; i < trace.naccess; i++) {
		const struct access *a = &trace.access[i];

		ck_assert_uint_lt(a->open, trace.nopen);
		ck_assert_uint_lt(trace.open[a->open].process, trace.nprocesses);
		ck_assert_uint_le(trace.open[a->open].file, seen);
		seen += trace.open[a->open].file == seen;
		ck_assert_int_ge(a->time, time);
		time = a->time;
		ck_assert_uint_ge(a->length, 1);
		ck_assert_uint_le(access_first(&trace, a) + access_count(&trace, a),
		    trace.file[trace.open[a->open].file].nblocks);
		ck_assert_uint_le(a->file_size,
		    (uint64_t)trace.file[trace.open[a->open].file].nblocks * BLOCK_BYTES);
	}
	ck_assert_uint_eq(seen, trace.nfiles);
	ck_assert(steps_sound(&trace));
}

/* n times: damage bytes in a few places, load, and expect either a sound trace or a reason. */
static inline void
survives_damage(const unsigned char *bytes, size_t n, unsigned times)
{
	static unsigned char damaged[SCRATCH_BYTES];
	uint64_t	     state = 1;

	for (unsigned i = 0; i < times; i++) {
		size_t length = random_below(&state, 4) ? n : random_below(&state, (uint32_t)n);

		memcpy(damaged, bytes, n);
		for (uint32_t k = 1 + random_below(&state, 3); k; k--)
			damaged[random_below(&state, (uint32_t)n)] = random_below(&state, 2)
			    ? (unsigned char)random_below(&state, 256)
			    : (unsigned char)("0 9-\n#<>=(\"RWX"[random_below(&state, 14)]);
		if (!load_bytes(damaged, length)) {
			check_promises();
			continue;
		}
		ck_assert_int_eq(error.exit_code, EXIT_FAILED);
		ck_assert_ptr_null(strchr(error.text, '\n'));
		ck_assert_uint_gt(strlen(error.text), strlen(scratch_path) + 2);
	}
}

#endif
