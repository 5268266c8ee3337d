/*
 * accusim.h - the records of AccuSim's trace, for its two files.
 */
#ifndef TRACES_ACCUSIM_H
#define TRACES_ACCUSIM_H

#include "sim/trace/format.h"

enum type {
	TYPE_NEW = 0,
	TYPE_FORK = 1,
	TYPE_EXIT = 2,
	TYPE_READ = 3,
	TYPE_WRITE = 4,
	TYPE_OPEN = 5,
	TYPE_CLOSE = 6,
	TYPE_SEEK = 7,
	TYPE_SEEKL = 8,
	TYPE_STAT = 9,
	TYPE_PREAD = 13,
	TYPE_PWRITE = 14,
	TYPES = 32
};

enum {
	HEAD_BYTES = 8,
	RWS_BYTES = 32,
	BODY_BYTES_MAX = 36,
	NAME_BYTES_MAX = 4096,
	PID_MAX = 1 << 22, /* the largest pid of Linux */
};

#define FILE_BYTES_MAX ((uint64_t)1 << 32)

int accusim_write(const struct trace *t, struct output *out, struct error *e);

#endif
