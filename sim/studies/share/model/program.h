/*
 * program.h - what the processors of a parallel program do to shared memory.
 *
 * A program is a shared-memory trace in memory: for each processor a compact
 * code with the loops of the trace, never expanded, so that memory follows the
 * size of the trace and not the number of references.  cursor.h runs the code.
 *
 * The text form, one section a processor (docs/share.md):
 *
 *	# program NAME, processors N, problem TEXT, words of B bytes
 *	P p			processor p, from 0; what follows is its own
 *	A obj size		it requests object obj, of size bytes with its tag of TAG_BYTES
 *	R obj word		it reads a word of an object; W: it writes one
 *	R obj word n stride	outside loops: n references, each stride words further
 *	( n			the lines up to the matching ) n times, LOOPS_MAX deep
 *	R obj word s1 s2 ...	in loops: word + i1 * s1 + ...; i1 counts the outermost loop from 0
 *	L id, U id		a lock is acquired, released
 *	B id			a barrier of all processors
 *	S id, V id		a flag, a counting semaphore: post to it, wait for it
 *	C			by processor 0: create; no other runs before
 *	J			by processor 0: join; waits for the end of all others
 */
#ifndef SIM_SHARE_PROGRAM_H
#define SIM_SHARE_PROGRAM_H

#include "sim/base/error.h"
#include "sim/base/map.h"
#include "sim/base/types.h"

enum {
	PROCESSORS_MAX = 64, /* a set of processors is a uint64_t */
	LOOPS_MAX = 4,	     /* one inside the other */
	TAG_BYTES = 8,	     /* of each object, before its first word */
	OBJECTS_MAX = (1 << 25) - 1
};

/*
 * An instruction is a head of 32 bits and what follows it.  A head is its kind, and of a
 * reference the number of its strides and its object.
 */
enum code {
	CODE_END,     /* of the processor */
	CODE_READ,    /* word, strides */
	CODE_WRITE,   /* word, strides */
	CODE_LOOP,    /* times */
	CODE_RUN,     /* times: a loop that the trace writes on one line */
	CODE_CLOSE,   /* of the innermost loop */
	CODE_REQUEST, /* object */
	CODE_LOCK,    /* and those below: number */
	CODE_UNLOCK,
	CODE_BARRIER,
	CODE_POST,
	CODE_WAIT,
	CODE_CREATE,
	CODE_JOIN,
	CODE_LINE, /* number in the file: the next instruction is not on the line after the last */
	CODES
};

enum { CODE_BITS = 4, STRIDE_BITS = 3, OBJECT_SHIFT = CODE_BITS + STRIDE_BITS };

static inline enum code
code_kind(uint32_t head)
{
	return (enum code)(head & ((1u << CODE_BITS) - 1));
}

static inline unsigned
code_strides(uint32_t head)
{
	return head >> CODE_BITS & ((1u << STRIDE_BITS) - 1);
}

static inline uint32_t
code_object(uint32_t head)
{
	return head >> OBJECT_SHIFT;
}

/* Words of 32 bits of an instruction. */
static inline unsigned
code_length(uint32_t head)
{
	switch (code_kind(head)) {
	case CODE_READ:
	case CODE_WRITE:
		return 2 + code_strides(head);
	case CODE_END:
	case CODE_CLOSE:
	case CODE_CREATE:
	case CODE_JOIN:
		return 1;
	default:
		return 2;
	}
}

/* Locks, barriers and flags have ids of their own, which become numbers from 0. */
enum sync_set { SET_LOCKS, SET_BARRIERS, SET_FLAGS, SYNC_SETS };

struct sync_ids {
	struct map map;
	uint32_t  *id; /* [n] as in the trace */
	uint32_t   n, room;
};

struct object {
	uint64_t bytes; /* with its tag */
	uint64_t line;	/* of its request */
	uint32_t words;
	uint32_t first_word; /* the words of all objects are numbered one after the other */
	uint32_t processor;  /* that requests it */
};

struct program {
	char	       *name;	 /* of the header */
	char	       *problem; /* of the header */
	char	       *path;	 /* NULL: from an input that was open */
	unsigned	processors, word_bytes;
	uint32_t       *code;
	size_t		ncode;
	size_t		start[PROCESSORS_MAX];	    /* of each processor in code */
	uint64_t	first_line[PROCESSORS_MAX]; /* of its first instruction; 0: no section */
	struct object  *object;			    /* [1] to [nobjects] */
	uint32_t	nobjects;
	uint32_t	nwords;		      /* of all objects */
	uint64_t	nreferences, nwrites; /* with loops expanded; at most UINT64_MAX */
	bool		creates;	      /* is there a C? */
	struct sync_ids ids[SYNC_SETS];
};

/* From a file, plain or packed; "-" is standard input.  0 or -1: the error names file and line. */
int  program_read(struct program *p, const char *path, struct error *e);
void program_release(struct program *p);

/* The same from text in memory; the error names the line only. */
int program_parse(struct program *p, const char *text, size_t n, struct error *e);

struct output;

/* In the text form: reading it gives the same program. */
int program_write(const struct program *p, struct output *out, struct error *e);

/*
 * What no line shows alone: references outside their object, or before its request by the same
 * processor; objects that are never requested.  Counts references.  program_read() has called it.
 */
int program_check(struct program *p, struct error *e);

/* The line of the instruction at a place in the code, which belongs to that processor. */
uint64_t program_line(const struct program *p, unsigned processor, const uint32_t *at);

#endif
