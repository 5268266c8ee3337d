/*
 * shape.h - the interface of shapes: rules that make the calls of a program.
 *
 * A shape says which bytes call i reads.  All else is the same for every
 * shape and done by generator.c: think times, writes, the time, several
 * shapes at once or one after the other.
 *
 * The state, self, begins with a struct shape_settings and is otherwise zeroed
 * except for the parameters of the plug-in (plugin.h).
 */
#ifndef SIM_SHAPE_H
#define SIM_SHAPE_H

#include "sim/base/plugin.h"
#include "sim/trace/chance.h"

enum shape_gaps { GAPS_CONSTANT, GAPS_EXPONENTIAL };

/* The parameters of all shapes.  init() may change calls, call and size. */
struct shape_settings {
	uint64_t calls;	 /* at most; 0: to the end of the file */
	uint64_t call;	 /* bytes of a call */
	uint64_t size;	 /* bytes of the file */
	uint64_t writes; /* share of the calls, of SHARE_ONE */
	uint64_t think;	 /* microseconds, or NOT_GIVEN */
	uint64_t gaps;	 /* enum shape_gaps */
	uint64_t file;	 /* the part of the pattern that has the files; 0: this one */
	uint64_t seed;
	uint64_t key; /* of chance_at(): from the seed and the part; no parameter */
};

#define NOT_GIVEN UINT64_MAX /* an initial value of a parameter */

/* One call.  Before call() it is a read of the first bytes of file 0, which has the size set. */
struct shape_call {
	uint64_t file;		 /* 0 .. SHAPE_FILES - 1 */
	uint64_t file_bytes;	 /* its size */
	uint64_t offset, length; /* bytes; what lies behind the end of the file is cut off */
	uint32_t descriptor;	 /* 0 .. SHAPE_DESCRIPTORS - 1 */
	bool	 opens;		 /* the file is opened before the call */
	bool	 write;
};

enum { SHAPE_FILES = 1000000, SHAPE_DESCRIPTORS = 1000 };

struct shape {
	struct plugin plugin;  /* the summary says what is read */
	const char   *teaches; /* one line: what this shows of caches and prefetchers */

	/* May be NULL.  Reports parameters that exclude each other. */
	int (*init)(void *self, struct error *e);
	void (*release)(void *self); /* may be NULL; also after an init() that failed */

	/* Call i, for i = 0, 1, 2, ... in this order; false: the file has ended. */
	bool (*call)(void *self, uint64_t i, struct shape_call *c);
};

#define SHAPE_SIZES                                                                                \
	{                                                                                          \
		sizeof(struct shape), sizeof(struct shape_settings), sizeof(struct shape_call)     \
	}

/* Define shape_<id>. */
#define SHAPE(id, ...)                                                                             \
	const struct shape	      shape_##id = { __VA_ARGS__ };                                \
	const struct plugin_interface shape_##id##_interface = { PLUGIN_INTERFACE, SHAPE_SIZES,    \
		&shape_##id.plugin }

extern const char *const shape_gaps_words[];

#define SHAPE_AT(field) offsetof(struct shape_settings, field)

/* The rows of the parameters of all shapes but the size of the file. */
#define SHAPE_PARAMS(ncalls, least, bytes)                                                         \
	{ "calls", PARAM_COUNT, ncalls, least, UINT64_C(4000000000), SHAPE_AT(calls),              \
		least ? "number of calls" : "most calls; 0: to the end of the file", NULL },       \
	    { "call", PARAM_BYTES, bytes, 1, 1 << 30, SHAPE_AT(call), "bytes of a call", NULL },   \
	    { "writes", PARAM_SHARE, 0, 0, SHARE_ONE, SHAPE_AT(writes),                            \
		    "share of the calls that write", NULL },                                       \
	    { "think", PARAM_USEC, NOT_GIVEN, 0, UINT64_C(3600000000), SHAPE_AT(think),            \
		    "time from a call to the next; if not given 100us, in explain and live 1s",    \
		    NULL },                                                                        \
	    { "gaps", PARAM_WORD, GAPS_CONSTANT, 0, GAPS_EXPONENTIAL, SHAPE_AT(gaps),              \
		    "think times are all the same, or random with that mean", shape_gaps_words },  \
	    { "file", PARAM_COUNT, 0, 0, 64, SHAPE_AT(file),                                       \
		    "read the files of the first, second, ... shape of the pattern; 0: own files", \
		    NULL },                                                                        \
	{                                                                                          \
		"seed", PARAM_COUNT, 0, 0, UINT64_C(1) << 62, SHAPE_AT(seed),                      \
		    "another number gives other random calls", NULL                                \
	}

/* Is it a parameter that all shapes have with the same default?  Lists show these once. */
static inline bool
shape_shares(const struct param *q)
{
	return q->offset >= SHAPE_AT(writes) && q->offset < sizeof(struct shape_settings);
}

/* The row of the size. */
#define SHAPE_SIZE(bytes)                                                                          \
	{                                                                                          \
		"size", PARAM_BYTES, bytes, 1, UINT64_C(1) << 42, SHAPE_AT(size),                  \
		    "bytes of the file", NULL                                                      \
	}

#endif
