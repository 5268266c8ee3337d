/* write.h - write(2) until all bytes are written. */
#ifndef SIM_WRITE_H
#define SIM_WRITE_H

#include <errno.h>
#include <unistd.h>

/* -1: errno says why. */
static inline int
write_all(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n) {
		ssize_t done = write(fd, at, n);

		if (done < 0 && errno != EINTR)
			return -1;
		at += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

#endif
