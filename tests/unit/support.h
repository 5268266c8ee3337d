/*
 * support.h - what the unit tests share: running a suite, a generator of
 * numbers that are always the same, and traces written call by call.
 */
#ifndef TESTS_UNIT_SUPPORT_H
#define TESTS_UNIT_SUPPORT_H

#include <check.h>
#include <signal.h>
#include <stdlib.h>

#include "sim/trace/trace.h"

/* 1 under the address sanitizer, which has its own allocator and takes memory of its own. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#if !defined(SANITIZED) && defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* ck_assert_msg() for loops: the runner is told of failures only. */
#define REQUIRE(condition, ...)                                                                    \
	do {                                                                                       \
		if (!(condition))                                                                  \
			ck_abort_msg(__VA_ARGS__);                                                 \
	} while (0)

/* Run one case of tests; what main() returns. */
static inline int
run_tests(const char *name, TCase *tests)
{
	Suite	*suite = suite_create(name);
	SRunner *runner;
	int	 failed;

	/* nohup ignores one of these signals, a shell two in the background: tests expect what a terminal gives. */
	for (const int *s = (const int[]){ SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, 0 }; *s; s++)
		signal(*s, SIG_DFL);
	tcase_set_timeout(tests, 600); /* a busy machine, the sanitizers */
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* A number below n, from Knuth's MMIX generator. */
static inline uint32_t
random_below(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*state >> 33) % n);
}

/* ---- a trace in memory ---- */

enum {
	DRAFT_CALLS = 512,
	DRAFT_ADVICE = 128,
	DRAFT_FILES = 8,
	DRAFT_OPENS = 16,
	DRAFT_BLOCK_BYTES = 4096
};

struct draft {
	struct trace	 trace;
	struct access	 access[DRAFT_CALLS];
	struct advice	 advice[DRAFT_ADVICE];
	struct open_file open[DRAFT_OPENS];
	struct file	 file[DRAFT_FILES];
	struct traced	 process[DRAFT_OPENS];
};

static inline void
draft_start(struct draft *d)
{
	d->trace = (struct trace){
		.block_bytes = DRAFT_BLOCK_BYTES,
		.block_shift = 12,
		.access = d->access,
		.advice = d->advice,
		.open = d->open,
		.file = d->file,
		.process = d->process,
		.nblocks = 1,
	};
}

/* One more file of that many blocks. */
static inline file_t
draft_file(struct draft *d, uint64_t inode, uint32_t blocks)
{
	struct trace *t = &d->trace;

	ck_assert_uint_lt(t->nfiles, DRAFT_FILES);
	t->file[t->nfiles] = (struct file){ .base = t->nblocks,
		.nblocks = blocks,
		.inode = inode,
		.bytes = (uint64_t)blocks * DRAFT_BLOCK_BYTES };
	t->nblocks += blocks;
	return t->nfiles++;
}

/* That process opens that file; every process up to the last must make a call. */
static inline uint32_t
draft_open(struct draft *d, file_t file, uint32_t process)
{
	struct trace *t = &d->trace;

	ck_assert_uint_lt(t->nopen, DRAFT_OPENS);
	ck_assert_uint_lt(process, DRAFT_OPENS);
	t->open[t->nopen] = (struct open_file){ .file = file, .process = process };
	if (process >= t->nprocesses)
		t->nprocesses = process + 1;
	t->process[process].pid = 100 + process;
	return t->nopen++;
}

/* One more call; its file's size is a multiple of the block. */
static inline struct access *
draft_call(struct draft *d, usec_t time, uint32_t open, uint64_t offset, uint32_t length,
    bool write)
{
	struct trace	  *t = &d->trace;
	const struct file *f = &t->file[t->open[open].file];
	struct access	  *a = &d->access[t->naccess];

	ck_assert_uint_lt(t->naccess, DRAFT_CALLS);
	ck_assert_uint_le(offset + length, (uint64_t)f->nblocks * DRAFT_BLOCK_BYTES);
	*a = (struct access){
		.time = time,
		.offset = offset,
		.length = length & INT32_MAX,
		.file_size = (uint64_t)f->nblocks * DRAFT_BLOCK_BYTES,
		.open = open & OPENS_MAX,
		.write = write,
	};
	if (length > t->longest_bytes)
		t->longest_bytes = length;
	t->naccess++;
	if (write)
		t->writes++;
	else
		t->reads++;
	return a;
}

/* Advice before the call made last. */
static inline struct advice *
draft_advise(struct draft *d, enum advice_kind kind, uint32_t open, uint64_t offset,
    uint64_t length)
{
	struct trace  *t = &d->trace;
	struct advice *a = &d->advice[t->nadvice];

	ck_assert_uint_lt(t->nadvice, DRAFT_ADVICE);
	*a = (struct advice){
		.before = t->naccess - 1,
		.offset = offset,
		.length = length,
		.file_size = (uint64_t)t->file[t->open[open].file].nblocks * DRAFT_BLOCK_BYTES,
		.open = open,
		.kind = kind & ADVICE_KIND_MASK,
	};
	d->access[t->naccess - 1].advised = true;
	t->nadvice++;
	return a;
}

/* The same in whole blocks. */
static inline struct access *
draft_blocks(struct draft *d, usec_t time, uint32_t open, uint32_t first, uint32_t count,
    bool write)
{
	return draft_call(d, time, open, (uint64_t)first * DRAFT_BLOCK_BYTES,
	    count * DRAFT_BLOCK_BYTES, write);
}

#endif
