/*
 * pthread.h - in place of the system's, which is not there: locks of a program with one thread.
 *
 * A lock that is taken twice is never waited for.  Threads cannot be started.
 */
#ifndef SIM_BROWSER_PTHREAD_H
#define SIM_BROWSER_PTHREAD_H

#include <errno.h>
#include <sys/types.h> /* pthread_mutex_t: there is room for an int */

static inline int *
pthread_mutex_held(pthread_mutex_t *m)
{
	return (int *)(void *)m;
}

static inline int
pthread_mutex_init(pthread_mutex_t *m, const void *attributes)
{
	(void)attributes;
	*pthread_mutex_held(m) = 0;
	return 0;
}

static inline int
pthread_mutex_destroy(pthread_mutex_t *m)
{
	return *pthread_mutex_held(m) ? EBUSY : 0;
}

static inline int
pthread_mutex_trylock(pthread_mutex_t *m)
{
	if (*pthread_mutex_held(m))
		return EBUSY;
	*pthread_mutex_held(m) = 1;
	return 0;
}

static inline int
pthread_mutex_lock(pthread_mutex_t *m)
{
	return pthread_mutex_trylock(m) ? EDEADLK : 0;
}

static inline int
pthread_mutex_unlock(pthread_mutex_t *m)
{
	*pthread_mutex_held(m) = 0;
	return 0;
}

#endif
