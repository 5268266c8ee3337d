/* memory.c - the size of the machine's memory, huge pages, and pages given back. */
#define _DEFAULT_SOURCE /* madvise() is not in POSIX */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/memory.h"

/*
 * Smallest table for which huge pages pay, and largest one that still costs
 * little where only parts of it are used: a touch brings in a whole page.
 */
enum { HUGE_MIN = 1 << 21, HUGE_MAX = 1 << 26 };

uint64_t
memory_bytes(void)
{
#ifdef _SC_PHYS_PAGES
	long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);

	if (pages > 0 && page_bytes > 0)
		return (uint64_t)pages * (uint64_t)page_bytes;
#endif
	return UINT64_MAX;
}

void *
memory_table(size_t n, size_t element_bytes)
{
	char *table = calloc(n, element_bytes);
#ifdef MADV_HUGEPAGE
	size_t bytes = n * element_bytes;

	if (table && bytes >= HUGE_MIN && bytes <= HUGE_MAX) {
		char *page = table - (uintptr_t)table % (uintptr_t)sysconf(_SC_PAGESIZE);

		/* Only advice: everything works without huge pages. */
		(void)madvise(page, bytes + (size_t)(table - page), MADV_HUGEPAGE);
	}
#endif
	return table;
}

void
memory_drop(const void *start, size_t bytes)
{
#ifdef MADV_DONTNEED
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t first = ((uintptr_t)start + page - 1) / page * page;
	uintptr_t end = ((uintptr_t)start + bytes) / page * page;

	if (first < end) /* only advice */
		(void)madvise((void *)first, end - first, MADV_DONTNEED);
#endif
}
