/* check_bst.c - traces/bst.c and its text: what is written is read again, and nothing damaged is.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "sim/base/checksum.h"
#include "sim/base/number.h"
#include "sim/trace/format.h"
#include "tests/unit/loading.h"

extern const struct format format_bst, format_text;

/* Where docs/bst.md says that things are. */
enum {
	FILE_BYTES = 16,
	NACCESS = 24,
	NFILES = 32,
	NOPEN = 36,
	NPROCESSES = 40,
	LONGEST = 44,
	TEXT_BYTES = 48,
	DURATION = 56,
	WRITES = 80,
	TABLES_SUM = 176,
	NADVICE = 184,
	HEADER_SUM = 4088,
	HEADER = 4096,
	ACCESS = 32,
	ENTRY = 24,
	ADVICE = 40,
	CHUNK = 65536,
};

static unsigned char binary[SCRATCH_BYTES], good[SCRATCH_BYTES];
static size_t	     length; /* of them */
static char	     second_path[80];

static void
start(void)
{
	scratch_make();
	snprintf(second_path, sizeof(second_path), "%s.second", scratch_path);
}

static void
end(void)
{
	scratch_remove();
	unlink(second_path);
}

static uint32_t
get32(size_t at)
{
	uint32_t n;

	memcpy(&n, binary + at, sizeof(n));
	return n;
}

static uint64_t
get64(size_t at)
{
	uint64_t n;

	memcpy(&n, binary + at, sizeof(n));
	return n;
}

static void
put32(size_t at, uint32_t n)
{
	memcpy(binary + at, &n, sizeof(n));
}

static void
put64(size_t at, uint64_t n)
{
	memcpy(binary + at, &n, sizeof(n));
}

static size_t
tables(void)
{
	return HEADER + get64(NACCESS) * ACCESS;
}

static size_t
files(void)
{
	return tables() + (get64(NACCESS) + CHUNK - 1) / CHUNK * 8;
}

static size_t
opens(void)
{
	return files() + get32(NFILES) * (size_t)ENTRY;
}

static void
write_as(const struct format *f, const char *path)
{
	struct output *out = output_open(path, &error);

	ck_assert_msg(out != NULL, "%s", error.text);
	ck_assert_msg(!f->write(&trace, out, &error), "%s", error.text);
	ck_assert_msg(!output_commit(out, NULL, &error), "%s", error.text);
}

static size_t
read_file(const char *path, unsigned char *to)
{
	FILE  *f = fopen(path, "rb");
	size_t n;

	ck_assert_ptr_nonnull(f);
	n = fread(to, 1, SCRATCH_BYTES, f);
	fclose(f);
	return n;
}

/* The trace in memory, as a binary trace. */
static void
compile_loaded(void)
{
	write_as(&format_bst, second_path);
	length = read_file(second_path, binary);
	ck_assert_uint_eq(get64(FILE_BYTES), length);
}

static void
convert(const char *text)
{
	load(text);
	compile_loaded();
}

/* Correct all checksums: what is wrong now is wrong on purpose. */
static void
seal(void)
{
	size_t naccess = get64(NACCESS);

	for (size_t i = 0; i < naccess; i += CHUNK)
		put64(tables() + i / CHUNK * 8,
		    XXH3_64bits(binary + HEADER + i * ACCESS,
			(naccess - i < CHUNK ? naccess - i : CHUNK) * ACCESS));
	put64(TABLES_SUM, XXH3_64bits(binary + tables(), length - tables()));
	put64(HEADER_SUM, XXH3_64bits(binary, HEADER_SUM));
}

static int
load_binary(void)
{
	return load_bytes(binary, length);
}

static void
binary_is_refused(const char *what)
{
	refuses_bytes(binary, length, what);
}

/* It loads, but the check of its accesses says "PATH: what". */
static void
check_refuses(size_t first, size_t n, const char *what)
{
	char expected[1200];

	ck_assert_int_eq(trace_check(&trace, first, n, &error), -1);
	snprintf(expected, sizeof(expected), "%s: %s", scratch_path, what);
	ck_assert_str_eq(error.text, expected);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
}

static void
binary_loads(void)
{
	ck_assert_msg(!load_binary(), "%s", error.text);
	ck_assert_msg(!trace_check(&trace, 0, trace.naccess, &error), "%s", error.text);
	check_promises();
}

/* ---- byte for byte ---- */

START_TEST(the_checksum_is_that_of_the_library)
{
	uint64_t state = 9;

	for (size_t i = 0; i < sizeof(good); i++)
		good[i] = (unsigned char)random_below(&state, 256);
	for (size_t n = 0; n < 5000; n = n < 1100 ? n + 1 : n * 2)
		REQUIRE(checksum(good + n % 7, n) == XXH3_64bits(good + n % 7, n), "%zu bytes", n);
	ck_assert_uint_eq(checksum(good, sizeof(good)), XXH3_64bits(good, sizeof(good)));
}
END_TEST

START_TEST(an_access_is_32_bytes_in_a_documented_order)
{
	static const unsigned char expected[ACCESS] = { 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15,
		16, 17, 18, 21, 22, 23, 24, 25, 26, 27, 28, 0x31, 0x32, 0x33, 0x84, 0x41, 0x42,
		0x43, 0x04 };
	struct access		   a = { .time = 0x0807060504030201,
			     .offset = 0x1211100f0e0d0c0b,
			     .file_size = 0x1c1b1a1918171615,
			     .length = 0x04333231,
			     .write = 1,
			     .open = 0x04434241,
			     .fresh = 0 };

	ck_assert_mem_eq(&a, expected, ACCESS);
	a.write = 0;
	a.fresh = 1;
	ck_assert_uint_eq(((unsigned char *)&a)[27], 0x04);
	ck_assert_uint_eq(((unsigned char *)&a)[31], 0x84);
}
END_TEST

START_TEST(the_parts_of_a_file_are_where_the_manual_says)
{
	static const char tail[] = "\0text\0";
	size_t		  at;

	convert("10 7 3 R 50 9000 0 100\n15 8 3 W 60 0 5 20\n");
	ck_assert_mem_eq(binary, "\211BST\r\n\032\n\4\3\2\1\1\0\0\0", 16);
	ck_assert_uint_eq(get64(NACCESS), 2);
	ck_assert_uint_eq(get32(NFILES), 2);
	ck_assert_uint_eq(get32(NOPEN), 2);
	ck_assert_uint_eq(get32(NPROCESSES), 2);
	ck_assert_uint_eq(get32(LONGEST), 100);
	ck_assert_uint_eq(get64(DURATION), 5);
	ck_assert_uint_eq(get64(WRITES), 1);
	ck_assert_uint_eq(get64(TABLES_SUM), XXH3_64bits(binary + tables(), length - tables()));
	ck_assert_uint_eq(get64(HEADER_SUM), XXH3_64bits(binary, HEADER_SUM));
	ck_assert_uint_eq(get64(HEADER + 32), 5); /* time of the second access */
	ck_assert_uint_eq(get64(tables()), XXH3_64bits(binary + HEADER, 2 * ACCESS));
	ck_assert_uint_eq(get64(files()), 50);
	ck_assert_uint_eq(get64(files() + 8), 9000);
	ck_assert_uint_eq(get64(files() + ENTRY), 60);
	ck_assert_uint_eq(get64(files() + ENTRY + 8), 25);
	ck_assert_uint_eq(get32(opens() + 8), 1);
	ck_assert_uint_eq(get32(opens() + 16), 7);
	ck_assert_uint_eq(get32(opens() + 20), 8);
	at = opens() + 24;
	ck_assert_str_eq((char *)binary + at, scratch_path);
	at += strlen(scratch_path);
	ck_assert_mem_eq(binary + at, tail, sizeof(tail) - 1);
	ck_assert_uint_eq(at + sizeof(tail) - 1 + strlen(BUFSIM_VERSION) + 1, length);
}
END_TEST

static size_t
advice(void)
{
	return opens() + get32(NOPEN) * (size_t)8;
}

static const char advised[] = "0 1 3 R 50 9000 0 100\n5 1 3 A 50 8000 4096 0\n5 1 3 J 50 8000 7 6\n"
			      "9 1 3 R 50 9000 0 100\n9 1 3 D 50 9000 0 5\n10 2 3 W 50 9000 0 1\n";

START_TEST(advice_lies_between_open_files_and_processes)
{
	convert(advised);
	ck_assert_uint_eq(get32(12), 2);
	ck_assert_uint_eq(get64(NADVICE), 3);
	ck_assert_uint_eq(get64(advice()), 1);
	ck_assert_uint_eq(get64(advice() + 8), 4096);
	ck_assert_uint_eq(get64(advice() + 16), 0);
	ck_assert_uint_eq(get64(advice() + 24), 8000);
	ck_assert_uint_eq(get32(advice() + 32), 0);
	ck_assert_uint_eq(get32(advice() + 36), 3 | 0x40000000u);
	ck_assert_uint_eq(get32(advice() + ADVICE + 36), 1 | 0x40000000u);
	ck_assert_uint_eq(get64(advice() + 2 * ADVICE), 2);
	ck_assert_uint_eq(get32(advice() + 2 * ADVICE + 36), 4);
	ck_assert_uint_eq(get32(advice() + 3 * ADVICE), 1); /* the first pid */
	ck_assert_uint_eq(get32(HEADER + ACCESS + 28), 0x40000000u);
	ck_assert_uint_eq(get32(HEADER + 2 * ACCESS + 28), 0x40000001u);
	convert("0 1 3 R 50 9000 0 100\n5 1 3 A 50 8000 4096 0\n");
	ck_assert_uint_eq(get32(12), 1); /* no advice is left: version 1 */
	ck_assert_uint_eq(get64(NADVICE), 0);
}
END_TEST

/* ---- version 3 ---- */

enum {
	NSTEPS = 192,
	STARTS = 200,
	WAITS = 208,
	LACKS_AT = 224,
	STREAM = 228,
	NOTES = 232,
	STEP = 40
};

static const char family[] = "0 1 3 R 9 100 0 10\n1 1 0 F 2 0 0 0\n2 1 0 T 2 0 0 5\n"
			     "3 2 3 R 9 100 0 10\n4 2 0 X 0 0 0 0\n9 1 3 R 9 100 0 10\n";

static size_t
steps(void)
{
	return advice() + get64(NADVICE) * (size_t)ADVICE;
}

START_TEST(steps_are_where_the_document_says)
{
	convert(family);
	ck_assert_uint_eq(get32(12), 3);
	ck_assert_uint_eq(get64(NSTEPS), 3);
	ck_assert_uint_eq(get64(STARTS), 1);
	ck_assert_uint_eq(get64(WAITS), 1);
	ck_assert_uint_eq(get64(steps()), 1);		    /* time */
	ck_assert_uint_eq(get64(steps() + 8), 1);	    /* until */
	ck_assert_uint_eq(get64(steps() + 16), 1);	    /* calls before */
	ck_assert_uint_eq(get32(steps() + 24), 0);	    /* process */
	ck_assert_uint_eq(get32(steps() + 28), 1);	    /* other */
	ck_assert_uint_eq(get32(steps() + 32), STEP_START); /* kind */
	ck_assert_uint_eq(get64(steps() + STEP + 8), 7);
	ck_assert_uint_eq(get32(steps() + STEP + 32), STEP_WAIT);
	ck_assert_uint_eq(get32(steps() + 2 * STEP + 32), STEP_EXIT);
	ck_assert_uint_eq(get64(steps() + 3 * STEP), 0);     /* the first process: no name */
	ck_assert_uint_eq(get32(steps() + 3 * STEP + 8), 1); /* pid */
	ck_assert_uint_eq(get32(steps() + 3 * STEP + 24), 2);
}
END_TEST

/* What the trace in memory lacked is known to the file. */
START_TEST(names_of_processes_notes_and_what_is_lacking_are_kept)
{
	load(family);
	trace.process[1].name = "cc1";
	trace.note[0] = "a note";
	trace.note[1] = "another one";
	trace.lacks = LACKS_FILES | LACKS_TIMES;
	trace.stream_by = STREAM_PID;
	compile_loaded();
	ck_assert_uint_eq(get64(NOTES), 2);
	ck_assert_int_eq(load_path(second_path, NULL, false), 0);
	ck_assert_ptr_null(trace.process[0].name);
	ck_assert_str_eq(trace.process[1].name, "cc1");
	ck_assert_str_eq(trace.note[0], "a note");
	ck_assert_str_eq(trace.note[1], "another one");
	ck_assert_ptr_null(trace.note[2]);
	ck_assert_uint_eq(trace.lacks, LACKS_FILES | LACKS_TIMES);
	ck_assert_uint_eq(trace.stream_by, STREAM_PID);
	ck_assert_uint_eq(trace.starts, 1);
	ck_assert_uint_eq(trace.waits, 1);
}
END_TEST

START_TEST(a_trace_without_steps_is_written_for_older_releases)
{
	convert("0 1 3 R 9 100 0 10\n");
	ck_assert_uint_eq(get32(12), 1);
	convert("0 1 3 R 9 100 0 10\n1 1 0 X 0 0 0 0\n");
	ck_assert_uint_eq(get32(12), 1);
	convert("0 1 3 A 9 100 0 10\n0 1 3 R 9 100 0 10\n");
	ck_assert_uint_eq(get32(12), 2);
}
END_TEST

/* ---- there and back ---- */

static struct trace before;

static void
same_as_before(void)
{
	ck_assert_int_eq(trace_check(&trace, 0, trace.naccess, &error), 0);
	ck_assert_uint_eq(trace.naccess, before.naccess);
	ck_assert_mem_eq(trace.access, before.access, before.naccess * sizeof(*before.access));
	ck_assert_uint_eq(trace.nopen, before.nopen);
	ck_assert_mem_eq(trace.open, before.open, before.nopen * sizeof(*before.open));
	processes_equal(&before);
	ck_assert_uint_eq(trace.nfiles, before.nfiles);
	for (file_t f = 0; f < before.nfiles; f++) {
		ck_assert_uint_eq(trace.file[f].base, before.file[f].base);
		ck_assert_uint_eq(trace.file[f].nblocks, before.file[f].nblocks);
		ck_assert_uint_eq(trace.file[f].bytes, before.file[f].bytes);
		ck_assert_uint_eq(trace.file[f].inode, before.file[f].inode);
	}
	ck_assert_uint_eq(trace.longest_bytes, before.longest_bytes);
	ck_assert_uint_eq(trace.nadvice, before.nadvice);
	if (before.nadvice)
		ck_assert_mem_eq(trace.advice, before.advice,
		    before.nadvice * sizeof(*before.advice));
	check_promises();
}

/* Convert what is loaded, write that as text, and convert the text. */
static void
goes_round(void)
{
	write_as(&format_bst, second_path);
	before = trace;
	trace = (struct trace){ 0 };
	ck_assert_msg(!load_path(second_path, NULL, false), "%s", error.text);
	same_as_before();
	for (file_t f = 0; f < before.nfiles; f++)
		if (before.file[f].name)
			ck_assert_str_eq(trace.file[f].name, before.file[f].name);
		else
			ck_assert_ptr_null(trace.file[f].name);
	ck_assert_uint_eq(trace.records, before.records);
	ck_assert_uint_eq(trace.fingerprint, before.fingerprint);
	write_as(&format_text, scratch_path);
	ck_assert_msg(!load_path(scratch_path, &format_text, false), "%s", error.text);
	same_as_before();
	trace_release(&before);
}

START_TEST(real_traces_survive_being_converted_and_written_as_text)
{
	static const char *const path[] = { "tests/data/small.txt", "tests/data/small.strace",
		"tests/data/coreutils.strace.gz", "traces/samples/csq.txt.gz" };

	for (size_t i = 0; i < sizeof(path) / sizeof(*path); i++)
		for (int touch = 0; touch < 2; touch++) {
			ck_assert_msg(!load_path(path[i], NULL, touch), "%s", error.text);
			goes_round();
		}
}
END_TEST

enum { PIDS = 7 };

/* A start, a wait, or one end of a pipe. */
static size_t
random_step(uint64_t *state, unsigned time, char *text, size_t room)
{
	unsigned pid = random_below(state, PIDS - 2), other = 1 + random_below(state, PIDS - 2);
	char	 op = "FFTTPGX"[random_below(state, 7)];

	if (other == pid)
		other++;
	if (op == 'T' && !random_below(state, 3))
		other = 0;
	return (size_t)snprintf(text, room, "%u %u 0 %c %u 0 %u %u\n", time, pid, op,
	    op == 'P' || op == 'X' ? 0 : other, op == 'G' ? 1 + random_below(state, 4) : 0,
	    op == 'T' || op == 'G' ? random_below(state, 50) : 0);
}

/* Opens, closes, exits, advice, steps and calls in any order, of few descriptors on few files. */
static void
random_text(uint64_t *state, char *text, size_t room)
{
	bool steps = random_below(state, 2), advice = !steps && random_below(state, 2);

	size_t used = 0;

	for (unsigned i = 0; steps && i < PIDS; i++) /* so that all are known */
		used += (size_t)snprintf(text + used, room - used, "%u %u 3 R 1 100 0 10\n", i, i);
	for (unsigned i = PIDS; i < 400; i++)
		if (steps && !random_below(state, 8))
			used += random_step(state, i, text + used, room - used);
		else
			used +=
			    (size_t)snprintf(text + used, room - used, "%u %u %u %c %u %u %u %u\n",
				steps || random_below(state, 8) ? i : random_below(state, 400),
				random_below(state, 3), random_below(state, 4),
				"RRRRWWOOCXMADSJN"[random_below(state, advice ? 16 : 11)],
				random_below(state, 5), random_below(state, 20000),
				random_below(state, 20000), random_below(state, 9000));
}

START_TEST(any_trace_survives_being_converted_and_written_as_text)
{
	static char text[400 * 60];
	uint64_t    state = 11;

	for (int i = 0; i < 200; i++) {
		random_text(&state, text, sizeof(text));
		load(text);
		goes_round();
	}
}
END_TEST

START_TEST(text_and_packed_text_compile_to_the_same_but_for_their_source)
{
	static unsigned char packed[4096];
	static const char    text[] = "0 1 3 R 50 9000 0 100\n5 1 3 R 50 9000 0 100\n";
	size_t		     n = gzip_member(text, strlen(text), packed, sizeof(packed)), to;

	convert(text);
	to = length;
	memcpy(good, binary, to);
	ck_assert_msg(!load_bytes(packed, n), "%s", error.text);
	ck_assert_uint_eq(trace.source.bytes, n);
	ck_assert_uint_eq(trace.source.xxh3, XXH3_64bits(packed, n));
	compile_loaded();
	ck_assert_uint_eq(length, to);
	for (size_t i = 0; i < length; i++)
		if (binary[i] != good[i])
			REQUIRE((i >= 152 && i < 168) || i >= HEADER_SUM, "byte %zu", i);
}
END_TEST

START_TEST(one_file_serves_every_block_size)
{
	struct trace_options o = { .block_bytes = 512 };

	convert("0 1 3 R 50 1025 511 2\n");
	scratch_write(binary, length);
	trace_release(&trace);
	ck_assert_int_eq(trace_load(&trace, scratch_path, &o, &error), 0);
	ck_assert_uint_eq(trace.file[0].nblocks, 3);
	trace_release(&trace);
	o.block_bytes = 1 << 20;
	ck_assert_int_eq(trace_load(&trace, scratch_path, &o, &error), 0);
	ck_assert_uint_eq(trace.file[0].nblocks, 1);
}
END_TEST

START_TEST(a_binary_trace_knows_where_it_comes_from)
{
	static const char text[] = "0 1 3 R 50 9000 0 100\n";

	convert(text);
	ck_assert_int_eq(load_path(second_path, NULL, false), 0);
	ck_assert_str_eq(trace.format, "bst");
	ck_assert_str_eq(trace.source.path, scratch_path);
	ck_assert_str_eq(trace.source.format, "text");
	ck_assert_str_eq(trace.source.version, BUFSIM_VERSION);
	ck_assert_uint_eq(trace.source.bytes, strlen(text));
	ck_assert_uint_eq(trace.source.xxh3, XXH3_64bits(text, strlen(text)));
	ck_assert(!trace.source.touched);
	memcpy(good, binary, length);
	compile_loaded(); /* again, from itself */
	ck_assert_mem_eq(binary, good, length);
}
END_TEST

START_TEST(mappings_must_have_been_touched_when_it_was_converted)
{
	char expected[400];

	scratch_text("0 1 3 M 50 10000 0 8192\n1 1 3 R 50 10000 0 10\n");
	ck_assert_int_eq(load_path(scratch_path, NULL, false), 0);
	compile_loaded();
	ck_assert_int_eq(load_path(second_path, NULL, true), -1);
	snprintf(expected, sizeof(expected),
	    "%s: was converted without --mmap touch: convert %s again with "
	    "bufsim convert --mmap touch",
	    second_path, scratch_path);
	ck_assert_str_eq(error.text, expected);
	ck_assert_int_eq(load_path(scratch_path, NULL, true), 0);
	compile_loaded();
	for (int touch = 0; touch < 2; touch++) {
		ck_assert_int_eq(load_path(second_path, NULL, touch), 0);
		ck_assert_uint_eq(trace.naccess, 2);
		ck_assert(trace.source.touched);
	}
	convert("0 1 3 R 50 10000 0 10\n");
	ck_assert_int_eq(load_path(second_path, NULL, true), 0);
}
END_TEST

/* ---- what cannot be mapped is copied to a temporary file ---- */

START_TEST(a_packed_one_is_unpacked_and_checked_as_any_other)
{
	static unsigned char packed[8192];
	char		     what[200], is[NUMBER_TEXT], should[NUMBER_TEXT];
	size_t		     n;

	convert("0 1 3 R 50 9000 0 100\n5 1 3 R 50 9000 300 7\n");
	n = gzip_member(binary, length, packed, sizeof(packed));
	ck_assert_msg(!load_bytes(packed, n), "%s", error.text);
	ck_assert_int_eq(trace_check(&trace, 0, 2, &error), 0);
	ck_assert_uint_eq(trace.access[1].offset, 300);
	ck_assert_str_eq(trace.source.format, "text");
	refuses_bytes(packed, n - 9, "the gzip data ends too early: the file is truncated");
	n = gzip_member(binary, length - 1, packed, sizeof(packed));
	snprintf(what, sizeof(what), "has %s bytes instead of %s: copy or convert it again",
	    number_group(is, length - 1), number_group(should, length));
	refuses_bytes(packed, n, what);
}
END_TEST

START_TEST(standard_input_is_a_file_or_a_pipe)
{
	int ends[2];

	convert("0 1 3 R 50 9000 0 100\n");
	ck_assert_ptr_nonnull(freopen(second_path, "r", stdin));
	ck_assert_int_eq(load_path("-", NULL, false), 0);
	ck_assert_int_eq(trace_check(&trace, 0, 1, &error), 0);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write(ends[1], binary, length), (ssize_t)length);
	close(ends[1]);
	ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(load_path("-", NULL, false), 0);
	ck_assert_int_eq(trace_check(&trace, 0, 1, &error), 0);
	ck_assert_uint_eq(trace.access[0].length, 100);
}
END_TEST

START_TEST(a_folder_without_room_is_named)
{
	static unsigned char packed[8192];

	convert("0 1 3 R 50 9000 0 100\n");
	setenv("TMPDIR", "/nowhere", 1);
	refuses_bytes(packed, gzip_member(binary, length, packed, sizeof(packed)),
	    "TMPDIR: /nowhere: no temporary file can be made there: No such file or directory");
	unsetenv("TMPDIR");
}
END_TEST

/* ---- damage ---- */

START_TEST(one_that_was_cut_or_grew_says_how_long_it_should_be)
{
	char what[200];

	convert("0 1 3 R 50 9000 0 100\n");
	snprintf(what, sizeof(what), "has 4,100 bytes instead of %u,%03u: copy or convert it again",
	    (unsigned)length / 1000, (unsigned)length % 1000);
	refuses_bytes(binary, 4100, what);
	refuses_bytes(binary, 4095,
	    "has 4,095 bytes, less than the header of a binary trace: copy or convert it again");
	snprintf(what, sizeof(what),
	    "has %u,%03u bytes instead of %u,%03u: copy or convert it again",
	    (unsigned)(length + 1) / 1000, (unsigned)(length + 1) % 1000, (unsigned)length / 1000,
	    (unsigned)length % 1000);
	length++;
	binary_is_refused(what);
}
END_TEST

START_TEST(what_this_machine_or_program_cannot_read_says_what_to_do)
{
	convert("0 1 3 R 50 9000 0 100\n");
	memcpy(good, binary, length);
	put32(8, 0x04030201);
	binary_is_refused("was made on a machine of the other byte order: there, type bufsim "
			  "convert FILE.bst FILE.txt.gz; here, convert that");
	memcpy(binary, good, length);
	put32(12, 4);
	binary_is_refused(
	    "is a binary trace of version 4, this bufsim reads versions 1 to 3: convert it "
	    "again");
	memcpy(binary, good, length);
	memmove(binary + 4, binary + 5, length - 5); /* a carriage return lost */
	binary_is_refused("was copied as if it were text: copy it again as it is");
	memset(binary, '#', length);
	scratch_write(binary, length);
	ck_assert_int_eq(load_path(scratch_path, &format_bst, false), -1);
	ck_assert_ptr_nonnull(strstr(error.text, ": is not a binary trace"));
}
END_TEST

START_TEST(damage_to_header_or_tables_is_found_when_it_is_loaded)
{
	char what[200];

	convert("0 1 3 R 50 9000 0 100\n5 1 3 R 50 9000 0 100\n");
	snprintf(what, sizeof(what),
	    "chunk 1 of 1 is damaged (accesses 1 to 2): convert it again from %s", scratch_path);
	memcpy(good, binary, length);
	for (size_t at = 0; at < length; at += at < 200 || at >= tables() ? 1 : 61) {
		memcpy(binary, good, length);
		binary[at] ^= 4;
		if (at >= HEADER && at < HEADER + 2 * ACCESS) {
			ck_assert_msg(!load_binary(), "%s", error.text);
			check_refuses(0, 1, what);
		} else {
			REQUIRE(load_binary(), "byte %zu", at);
		}
	}
}
END_TEST

START_TEST(a_damaged_chunk_is_named_and_the_others_can_be_used)
{
	static const char what[] = "chunk 2 of 2 is damaged (accesses 65,537 to 79,028): convert "
				   "it again from traces/samples/csq.txt.gz";

	ck_assert_int_eq(load_path("traces/samples/csq.txt.gz", NULL, false), 0);
	compile_loaded();
	binary[HEADER + 70000 * ACCESS + 5] ^= 1;
	ck_assert_msg(!load_binary(), "%s", error.text);
	ck_assert_int_eq(trace_check(&trace, 0, CHUNK, &error), 0);
	check_refuses(CHUNK - 1, 2, what);
	check_refuses(79027, CHUNK, what);
	ck_assert_int_eq(trace_check(&trace, 65535, 1, &error), 0);
	ck_assert_int_eq(trace_check(&trace, 79028, 1, &error), 0); /* none */
}
END_TEST

/* ---- contents that no trace can have, with correct checksums ---- */

static const char three[] = "0 1 3 R 50 9000 0 100\n5 2 3 R 60 9000 0 100\n9 1 3 R 50 9000 0 100\n";

/* The whole file with one number changed and sealed. */
static void
with(size_t at, size_t bytes, uint64_t n)
{
	memcpy(binary, good, length);
	if (bytes == 4)
		put32(at, (uint32_t)n);
	else
		put64(at, n);
	seal();
}

/* The same in the header: what that says of the rest no longer holds. */
static void
with_header(size_t at, size_t bytes, uint64_t n)
{
	memcpy(binary, good, length);
	memcpy(binary + at, &n, bytes);
	put64(HEADER_SUM, XXH3_64bits(binary, HEADER_SUM));
}

/* The binary trace, in use, written so long ago that a change gets a new time. */
static void
load_old(void)
{
	const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };

	ck_assert_int_eq(utimensat(AT_FDCWD, second_path, times, 0), 0);
	ck_assert_msg(!load_path(second_path, NULL, false), "%s", error.text);
}

static void
is_said(const char *what)
{
	char expected[160];

	snprintf(expected, sizeof(expected), "%s: %s", second_path, what);
	ck_assert_str_eq(error.text, expected);
}

static void
put_byte(size_t at, unsigned char byte)
{
	int fd = open(second_path, O_WRONLY);

	ck_assert_int_eq(pwrite(fd, &byte, 1, (off_t)at), 1);
	close(fd);
}

START_TEST(one_that_changes_while_it_is_in_use_is_an_error)
{
	convert("0 1 3 R 50 9000 0 100\n5 1 3 R 50 9000 100 100\n");
	load_old();
	ck_assert_int_eq(trace_check(&trace, 0, 2, &error), 0);
	put_byte(HEADER + ACCESS + 24, 99);
	ck_assert_int_eq(trace_unchanged(&trace, &error), -1);
	is_said("changed while it was being read");
	ck_assert_int_eq(trace_check(&trace, 0, 2, &error), -1);
	is_said("changed while it was being read");
	put_byte(HEADER + ACCESS + 24, 100);
	ck_assert_int_eq(trace_unchanged(&trace, &error), 0);
	ck_assert_int_eq(truncate(second_path, HEADER), 0);
	ck_assert_int_eq(trace_unchanged(&trace, &error), -1);
	is_said("became shorter while it was being read");
}
END_TEST

START_TEST(a_change_before_the_first_use_is_not_taken_for_damage)
{
	convert("0 1 3 R 50 9000 0 100\n5 1 3 R 50 9000 100 100\n");
	load_old();
	put_byte(HEADER + 24, 99);
	ck_assert_int_eq(trace_check(&trace, 0, 2, &error), -1);
	is_said("changed while it was being read");
}
END_TEST

/* The system call that writes what is mapped fails, and says nothing of the reason. */
START_TEST(one_that_is_cut_while_it_is_copied_is_an_error)
{
	static char    text[1 << 20];
	size_t	       n = 0;
	struct output *out;
	char	       path[100];
	int	       failed;

	for (int i = 0; i < 20000; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%d 1 3 R 50 9000 0 100\n", i);
	convert(text);
	load_old();
	ck_assert_int_eq(trace_check(&trace, 0, trace.naccess, &error), 0);
	snprintf(path, sizeof(path), "%s.out", scratch_path);
	out = output_open(path, &error);
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(truncate(second_path, HEADER), 0);
	failed = output_bytes(out, trace.access, trace.naccess * sizeof(*trace.access), &error);
	ck_assert_int_eq(failed, -1);
	output_abandon(out);
	ck_assert_int_eq(trace_unchanged(&trace, &error), -1);
	is_said("became shorter while it was being read");
}
END_TEST

START_TEST(impossible_headers_are_refused)
{
	static const struct {
		size_t	 at, bytes;
		uint64_t n;
	} wild[] = {
		{ NFILES, 4, 0 },
		{ NFILES, 4, 1 },
		{ NOPEN, 4, 0 },
		{ NOPEN, 4, UINT32_MAX },
		{ NPROCESSES, 4, 3 },
		{ NACCESS, 8, 0 },
		{ NACCESS, 8, 4 },
		{ NACCESS, 8, UINT64_MAX / ACCESS - 5 },
		{ TEXT_BYTES, 8, 0 },
		{ TEXT_BYTES, 8, UINT64_MAX - 5 },
		{ LONGEST, 4, 0 },
		{ LONGEST, 4, 0x80000000u },
		{ DURATION, 8, UINT64_C(1) << 60 },
	};

	convert(three);
	memcpy(good, binary, length);
	for (size_t i = 0; i < sizeof(wild) / sizeof(*wild); i++) {
		with_header(wild[i].at, wild[i].bytes, wild[i].n);
		binary_is_refused("its header contradicts itself: convert it again");
	}
}
END_TEST

START_TEST(impossible_tables_are_refused)
{
	static const char inside[] = "its tables contradict each other: convert it again";
	size_t		  text;

	convert(three);
	memcpy(good, binary, length);
	text = length - get64(TEXT_BYTES);
	with(files() + 8, 8, UINT64_MAX);
	binary_is_refused(inside);
	with(files() + 16, 8, get64(TEXT_BYTES));
	binary_is_refused(inside);
	with(opens(), 4, 2);
	binary_is_refused(inside);
	with(opens() + 4, 4, 2);
	binary_is_refused(inside);
	with(opens() + 4, 4, 1); /* process 0 has no open file */
	binary_is_refused(inside);
	memcpy(binary, good, length);
	binary[length - 1] = 'x';
	seal();
	binary_is_refused(inside);
	memset(binary + text, 'x', length - 1 - text);
	binary[length - 1] = '\0';
	seal();
	binary_is_refused(inside);
}
END_TEST

START_TEST(impossible_advice_is_refused)
{
	static const struct {
		size_t	 at, bytes; /* in the advice */
		uint64_t n;
	} wild[] = {
		{ 0, 8, 3 },				/* before an access that there is not */
		{ 0, 8, UINT64_MAX }, { ADVICE, 8, 0 }, /* out of order */
		{ 8, 8, UINT64_MAX },			/* beyond all numbers, with a length */
		{ 24, 8, 9001 },			/* a file larger than it ever is */
		{ 32, 4, 2 },				/* an open file that there is not */
		{ 36, 4, 5 },				/* a kind */
	};
	char what[200];

	convert(advised);
	snprintf(what, sizeof(what),
	    "chunk 1 of 1 has an impossible access (accesses 1 to 3): convert it again from %s",
	    scratch_path);
	put64(advice() + 16, 1);
	memcpy(good, binary, length);
	for (size_t i = 0; i < sizeof(wild) / sizeof(*wild); i++) {
		with(advice() + wild[i].at, wild[i].bytes, wild[i].n);
		binary_is_refused("its tables contradict each other: convert it again");
	}
	with(advice() + 2 * ADVICE, 8, 1); /* nothing precedes the last access any more */
	ck_assert_msg(!load_binary(), "%s", error.text);
	check_refuses(0, 3, what);
	with(HEADER + ACCESS + 28, 4, 0); /* nothing is said to precede the second */
	ck_assert_msg(!load_binary(), "%s", error.text);
	check_refuses(0, 3, what);
	with(HEADER + 28, 4, 0xc0000000u); /* but something the first */
	ck_assert_msg(!load_binary(), "%s", error.text);
	check_refuses(0, 3, what);
	with_header(12, 4, 1); /* an old version with advice, a new one without */
	binary_is_refused("its header contradicts itself: convert it again");
	convert(three);
	memcpy(good, binary, length);
	with_header(12, 4, 2);
	binary_is_refused("its header contradicts itself: convert it again");
	with_header(NADVICE, 8, UINT64_MAX / ADVICE);
	binary_is_refused("its header contradicts itself: convert it again");
}
END_TEST

START_TEST(damage_to_advice_is_found_when_it_is_loaded)
{
	convert(advised);
	memcpy(good, binary, length);
	for (size_t at = advice(); at < advice() + 3 * ADVICE; at++) {
		memcpy(binary, good, length);
		binary[at] ^= 4;
		binary_is_refused("its tables are damaged: convert it again");
	}
}
END_TEST

START_TEST(impossible_steps_are_refused)
{
	static const struct {
		size_t	 at, bytes;
		uint64_t n;
	} wild[] = {
		{ 0, 8, UINT64_MAX },	    /* before the first access */
		{ 0, 8, 8 },		    /* after the next one, and after its own end */
		{ 8, 8, (1ull << 52) + 1 }, /* a wait for more than 142 years */
		{ 16, 8, 2 },		    /* more calls before it than before the next one */
		{ 24, 4, 1 },		    /* out of order */
		{ 24, 4, 2 },		    /* a process that there is not */
		{ 28, 4, 2 },
		{ 28, 4, 0 },	       /* its own child */
		{ 28, 4, UINT32_MAX }, /* any child cannot be started */
		{ 32, 4, STEP_KINDS },
		{ 36, 4, 1 },			/* a number without a pipe */
		{ STEP + 32, 4, STEP_RECEIVE }, /* and a pipe without */
		{ 2 * STEP + 28, 4, 1 },	/* an exit of another */
		{ 3 * STEP, 8, UINT64_MAX },	/* a name outside of the text */
		{ 3 * STEP + 12, 4, 1 },
	};

	convert(family);
	memcpy(good, binary, length);
	for (size_t i = 0; i < sizeof(wild) / sizeof(*wild); i++) {
		with(steps() + wild[i].at, wild[i].bytes, wild[i].n);
		binary_is_refused("its tables contradict each other: convert it again");
		memcpy(binary, good, length);
	}
	with_header(NSTEPS, 8, UINT64_MAX / STEP);
	binary_is_refused("its header contradicts itself: convert it again");
	with_header(LACKS_AT, 4, 1u << LACKS);
	binary_is_refused("its header contradicts itself: convert it again");
	with_header(STREAM, 4, STREAM_NONE + 1);
	binary_is_refused("its header contradicts itself: convert it again");
	with_header(NOTES, 8, TRACE_NOTES + 1);
	binary_is_refused("its header contradicts itself: convert it again");
	with_header(NOTES, 8, 1); /* there is no text for it */
	binary_is_refused("its tables contradict each other: convert it again");
	convert("0 1 3 R 9 100 0 10\n"); /* an older version has none of it */
	memcpy(good, binary, length);
	with_header(STARTS, 8, 1);
	binary_is_refused("its header contradicts itself: convert it again");
}
END_TEST

START_TEST(impossible_accesses_are_refused)
{
	static const struct {
		size_t	 at, bytes;
		uint64_t n;
	} wild[] = {
		{ HEADER, 8, 1 },		    /* time does not begin at 0 */
		{ HEADER + ACCESS, 8, 10 },	    /* and falls */
		{ HEADER + ACCESS, 8, UINT64_MAX }, /* below 0 */
		{ HEADER + ACCESS, 8, INT64_MAX },
		{ HEADER + 2 * ACCESS, 8, 8 }, /* it does not end with the last */
		{ DURATION, 8, 10 },
		{ HEADER + 8, 8, 8901 }, /* past the end of the file */
		{ HEADER + 8, 8, UINT64_MAX },
		{ HEADER + 16, 8, 9001 },
		{ HEADER + 24, 4, 0 },		       /* nothing */
		{ HEADER + 24, 4, 101 },	       /* longer than the longest */
		{ HEADER + 24, 4, 100 | 0x80000000u }, /* a write, though there are none */
		{ HEADER + 28, 4, 2 },		       /* an open file that there is not */
		{ HEADER + 28, 4, INT32_MAX },
		{ LONGEST, 4, 99 },
	};
	char what[200];

	convert(three);
	snprintf(what, sizeof(what),
	    "chunk 1 of 1 has an impossible access (accesses 1 to 3): convert it again from %s",
	    scratch_path);
	memcpy(good, binary, length);
	for (size_t i = 0; i < sizeof(wild) / sizeof(*wild); i++) {
		with(wild[i].at, wild[i].bytes, wild[i].n);
		REQUIRE(!load_binary(), "%zu: %s", i, error.text);
		check_refuses(0, 3, what);
	}
	with(HEADER + ACCESS + 28, 4, 0); /* open file 1 is not used */
	ck_assert_msg(!load_binary(), "%s", error.text);
	snprintf(what, sizeof(what),
	    "some of its open files are never used: convert it again from %s", scratch_path);
	check_refuses(0, 3, what);
	check_refuses(0, 3, what); /* still */
	memcpy(binary, good, length);
	seal();
	binary_loads();
}
END_TEST

START_TEST(time_must_not_fall_between_chunks_either)
{
	for (int second_first = 0; second_first < 2; second_first++) {
		ck_assert_int_eq(load_path("traces/samples/csq.txt.gz", NULL, false), 0);
		compile_loaded();
		put64(HEADER + CHUNK * ACCESS, get64(HEADER + (CHUNK - 1) * ACCESS) - 1);
		seal();
		ck_assert_msg(!load_binary(), "%s", error.text);
		ck_assert_int_eq(trace_check(&trace, second_first ? CHUNK : 0, CHUNK, &error), 0);
		ck_assert_int_eq(trace_check(&trace, second_first ? 0 : CHUNK, CHUNK, &error), -1);
		ck_assert_ptr_nonnull(strstr(error.text,
		    second_first ? "chunk 1 of 2 has an impossible"
				 : "chunk 2 of 2 has an impossible"));
	}
}
END_TEST

/* One to three numbers changed where it counts, or one byte anywhere. */
static void
damage(uint64_t *state)
{
	static const uint64_t wild[] = { 0, 1, 2, 255, 4096, INT32_MAX, UINT32_MAX, INT64_MAX,
		UINT64_MAX };
	size_t		      accesses = get64(NACCESS) * ACCESS;

	for (uint32_t k = 1 + random_below(state, 3); k; k--) {
		size_t at = random_below(state, 3) == 0 ? random_below(state, 192)
		    : random_below(state, 2)
		    ? HEADER + random_below(state, (uint32_t)accesses)
		    : tables() + random_below(state, (uint32_t)(length - tables()));

		at -= random_below(state, 4) ? at % 4 : 0;
		if (at + 8 > length)
			at = length - 8;
		if (random_below(state, 2))
			put32(at, (uint32_t)wild[random_below(state, 9)]);
		else
			put64(at, wild[random_below(state, 9)] + random_below(state, 3));
	}
}

START_TEST(whatever_is_damaged_is_refused_or_sound)
{
	uint64_t state = 5;
	unsigned sound = 0;
	size_t	 whole, naccess;
	char	 text[400 * 60];

	random_text(&state, text, sizeof(text));
	convert(text);
	whole = length;
	naccess = get64(NACCESS);
	memcpy(good, binary, whole);
	for (unsigned i = 0; i < 1000; i++) {
		length = whole;
		memcpy(binary, good, length);
		damage(&state);
		if (get64(NACCESS) == naccess)
			seal();
		if (!random_below(&state, 10))
			length = random_below(&state, (uint32_t)length);
		if (load_binary() || trace_check(&trace, 0, trace.naccess, &error)) {
			ck_assert_int_eq(error.exit_code, EXIT_FAILED);
			continue;
		}
		sound++;
		if (trace.nblocks < 1 << 20)
			ck_assert_int_eq(trace_footprint(&trace, &error), 0);
		for (size_t k = 1; k < trace.naccess; k++)
			ck_assert_int_ge(trace.access[k].time, trace.access[k - 1].time);
	}
	ck_assert_uint_gt(sound, 0);
	ck_assert_uint_lt(sound, 900);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("bst");

	tcase_add_checked_fixture(tests, start, end);
	tcase_add_test(tests, the_checksum_is_that_of_the_library);
	tcase_add_test(tests, an_access_is_32_bytes_in_a_documented_order);
	tcase_add_test(tests, the_parts_of_a_file_are_where_the_manual_says);
	tcase_add_test(tests, advice_lies_between_open_files_and_processes);
	tcase_add_test(tests, impossible_advice_is_refused);
	tcase_add_test(tests, steps_are_where_the_document_says);
	tcase_add_test(tests, names_of_processes_notes_and_what_is_lacking_are_kept);
	tcase_add_test(tests, a_trace_without_steps_is_written_for_older_releases);
	tcase_add_test(tests, impossible_steps_are_refused);
	tcase_add_test(tests, damage_to_advice_is_found_when_it_is_loaded);
	tcase_add_test(tests, real_traces_survive_being_converted_and_written_as_text);
	tcase_add_test(tests, any_trace_survives_being_converted_and_written_as_text);
	tcase_add_test(tests, text_and_packed_text_compile_to_the_same_but_for_their_source);
	tcase_add_test(tests, one_file_serves_every_block_size);
	tcase_add_test(tests, a_binary_trace_knows_where_it_comes_from);
	tcase_add_test(tests, mappings_must_have_been_touched_when_it_was_converted);
	tcase_add_test(tests, a_packed_one_is_unpacked_and_checked_as_any_other);
	tcase_add_test(tests, standard_input_is_a_file_or_a_pipe);
	tcase_add_test(tests, a_folder_without_room_is_named);
	tcase_add_test(tests, one_that_was_cut_or_grew_says_how_long_it_should_be);
	tcase_add_test(tests, what_this_machine_or_program_cannot_read_says_what_to_do);
	tcase_add_test(tests, damage_to_header_or_tables_is_found_when_it_is_loaded);
	tcase_add_test(tests, a_damaged_chunk_is_named_and_the_others_can_be_used);
	tcase_add_test(tests, one_that_changes_while_it_is_in_use_is_an_error);
	tcase_add_test(tests, a_change_before_the_first_use_is_not_taken_for_damage);
	tcase_add_test(tests, one_that_is_cut_while_it_is_copied_is_an_error);
	tcase_add_test(tests, impossible_headers_are_refused);
	tcase_add_test(tests, impossible_tables_are_refused);
	tcase_add_test(tests, impossible_accesses_are_refused);
	tcase_add_test(tests, time_must_not_fall_between_chunks_either);
	tcase_add_test(tests, whatever_is_damaged_is_refused_or_sound);
	return run_tests("bst", tests);
}
