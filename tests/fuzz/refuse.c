/*
 * refuse.c - to be preloaded (LD_PRELOAD): the allocation of number REFUSE
 * fails, once; 0: none.  REFUSE_COUNT is a file that gets the number of
 * allocations of the program.  Programs that it starts are left alone.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The allocator of the GNU C library, under its other names. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t alignment, size_t n);

static unsigned long asked, refuse;
static int	     on;
static pid_t	     first;

__attribute__((constructor)) static void
begin(void)
{
	const char *n = getenv("REFUSE");

	refuse = n ? strtoul(n, NULL, 10) : 0;
	unsetenv("LD_PRELOAD");
	first = getpid();
	on = 1;
}

__attribute__((destructor)) static void
end(void)
{
	const char *path = getenv("REFUSE_COUNT");
	char	    text[32];
	int	    fd, n;

	on = 0;
	if (!path || getpid() != first)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	n = snprintf(text, sizeof(text), "%lu\n", asked);
	if (fd < 0 || write(fd, text, (size_t)n) != n)
		_exit(126);
}

static int
refused(void)
{
	if (!on || ++asked != refuse)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *
malloc(size_t n)
{
	return refused() ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	return refused() ? NULL : __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	return refused() ? NULL : __libc_realloc(p, n);
}

void *
aligned_alloc(size_t alignment, size_t n)
{
	return refused() ? NULL : __libc_memalign(alignment, n);
}

int
posix_memalign(void **p, size_t alignment, size_t n)
{
	if (refused())
		return ENOMEM;
	*p = __libc_memalign(alignment, n);
	return *p ? 0 : ENOMEM;
}
