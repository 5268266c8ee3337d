/*
 * allocator.h - in the place of the allocator: memory is counted, and refused on demand.
 *
 * For programs called check_..._alloc: the Makefile links them with --wrap for malloc, calloc,
 * realloc, free and strdup, so that requests of the simulator pass through here.
 */
#ifndef TESTS_UNIT_ALLOCATOR_H
#define TESTS_UNIT_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/support.h"

static struct {
	bool	 on;
	uint64_t asked;	 /* so many times for memory */
	uint64_t refuse; /* this one of them; 0: none */
	int64_t	 held;	 /* blocks obtained and not given back */
	uint64_t bytes;	 /* obtained, some perhaps given back */
} watch;

void *__real_malloc(size_t n) __attribute__((weak));
void *__real_calloc(size_t n, size_t size) __attribute__((weak));
void *__real_realloc(void *p, size_t n) __attribute__((weak));
void  __real_free(void *p) __attribute__((weak));
char *__real_strdup(const char *s) __attribute__((weak));
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void  __wrap_free(void *p);
char *__wrap_strdup(const char *s);

static inline bool
refused(void)
{
	return watch.on && ++watch.asked == watch.refuse;
}

static inline void *
obtained(void *p, size_t bytes)
{
	watch.held += watch.on && p;
	watch.bytes += watch.on && p ? bytes : 0;
	return p;
}

void *
__wrap_malloc(size_t n)
{
	return refused() ? NULL : obtained(__real_malloc(n), n);
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return refused() ? NULL : obtained(__real_calloc(n, size), n * size);
}

void *
__wrap_realloc(void *p, size_t n)
{
	if (refused())
		return NULL;
	return p ? __real_realloc(p, n) : obtained(__real_realloc(p, n), n);
}

char *
__wrap_strdup(const char *s)
{
	return refused() ? NULL : obtained(__real_strdup(s), strlen(s) + 1);
}

void
__wrap_free(void *p)
{
	watch.held -= watch.on && p;
	__real_free(p);
}

/* Watch from here on; the nth allocation fails. */
static inline void
watch_from_here(uint64_t refuse)
{
	watch.asked = 0;
	watch.held = 0;
	watch.bytes = 0;
	watch.refuse = refuse;
	watch.on = true;
}

/* Makes something of `from` and releases it: 0, or -1 with an error. */
typedef int watched(const void *from, struct error *e);

/* Watched while allocation n fails, 0: none does; nothing may be left.  What make() returns. */
static inline int
watch_make(watched *make, const void *from, uint64_t n, struct error *e)
{
	int failed;

	*e = (struct error){ 0 };
	watch_from_here(n);
	failed = make(from, e);
	watch.on = false;
	REQUIRE(!watch.held, "%lld blocks kept after allocation %llu failed", (long long)watch.held,
	    (unsigned long long)n);
	return failed;
}

/* Each allocation fails once, which must be an error that says so.  How many there are. */
static inline uint64_t
watch_refusals(watched *make, const void *from)
{
	struct error e;

	for (uint64_t n = 1;; n++) {
		int failed = watch_make(make, from, n, &e);

		if (watch.asked < n) {
			REQUIRE(!failed, "'%s'", e.text);
			return watch.asked;
		}
		REQUIRE(failed && strstr(e.text, "memory"), "allocation %llu: %d, '%s'",
		    (unsigned long long)n, failed, e.text);
	}
}

/* The bytes that it obtains. */
static inline uint64_t
watch_bytes(watched *make, const void *from)
{
	struct error e;

	REQUIRE(!watch_make(make, from, 0, &e), "'%s'", e.text);
	return watch.bytes;
}

#endif
