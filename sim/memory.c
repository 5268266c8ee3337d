/* memory.c - ask the system for the size of its memory. */
#include <unistd.h>

#include "sim/memory.h"

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
