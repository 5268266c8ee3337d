/*
 * format.h - the interface of trace formats.
 *
 * A format turns a stream of bytes into records, one per call of the traced
 * program, in the order of the trace.  Blocks and files are left to load.c and
 * builder.c.  Or a format maps a file that holds accesses in the form of
 * struct access.  Some formats can also be written.
 *
 * The state, self, is zeroed except for the parameters of the plug-in
 * (plugin.h), which are set from --format.  scan.h has the functions for
 * formats of text.
 */
#ifndef SIM_FORMAT_H
#define SIM_FORMAT_H

#include "sim/base/output.h"
#include "sim/base/plugin.h"
#include "sim/trace/input.h"
#include "sim/trace/load.h"
#include "sim/trace/trace.h"

/* OP_NAME is no call: the file `inode` is called `path`. */
enum op {
	OP_READ,
	OP_WRITE,
	OP_OPEN,
	OP_CLOSE,
	OP_MMAP,
	OP_EXIT,
	OP_ADVISE,
	OP_START,   /* of the process `child` */
	OP_WAIT,    /* for the end of `child`, or 0: of any process that this one has started */
	OP_SEND,    /* through a pipe, to a process that waits */
	OP_RECEIVE, /* a wait for the OP_SEND with `number` of the process `child` */
	OP_NAME,
};

#define SIZE_UNKNOWN UINT64_MAX

/* Of a format that lacks files, inode or path is that of the volume, and fd is not used. */
struct record {
	usec_t	 time; /* start of the call, microseconds from any origin */
	uint32_t pid, fd;
	bool	 no_fd; /* the format has no descriptors: fd becomes one of the file */
	enum op	 op;
	uint32_t advice;  /* of OP_ADVISE: enum advice_kind; ADVICE_KINDS: advice without effect */
	uint64_t inode;	  /* identity of the file, unless path is set; of OP_NAME: always */
	const char *path; /* or NULL; valid until the next read() */
	const char *process_name; /* or NULL; valid until the next read() */
	uint64_t    file_size;	  /* bytes at this moment, or SIZE_UNKNOWN */
	uint64_t    offset;	  /* bytes */
	uint64_t    length; /* bytes moved, mapped or advised about; of advice 0: to the end */
	uint32_t    child;  /* pid */
	uint32_t    number; /* of OP_RECEIVE: counted from 1, from the start of its process */
	usec_t	    lasts;  /* of OP_WAIT and OP_RECEIVE: as recorded */
};

/* Of read(): begin again, with the first record; what was learnt is in self.  See input_rewind(). */
enum { READ_AGAIN = 2 };

/* What a format cannot write: bits of format.loses. */
enum loss {
	LOSES_PROCESSES = 1, /* and which of them opened a file */
	LOSES_SIZES = 2,     /* of files, beyond what is read or written */
	LOSES_ADVICE = 4,
	LOSES_OPENS = 8,   /* which calls were made through one descriptor */
	LOSES_FILES = 16,  /* all blocks are those of one */
	LOSES_WRITES = 32, /* all calls are reads */
	LOSES_STEPS = 64,
};

/* The additional state of a mapped trace; that of a format begins with this. */
struct mapping {
	/* trace_check(); of no accesses: trace_unchanged() */
	int (*check)(const struct trace *t, size_t first, size_t n, struct error *e);
	/* Unmap, and free the state. */
	void (*unmap)(struct trace *t);
};

struct format {
	struct plugin plugin;
	const char   *ending; /* of the names of files in this format, for writing: ".txt" */
	const char *set; /* or NULL: in the names of files that are one trace: NAME, set, number */
	unsigned    lacks; /* enum lack: what its records never tell */

	/* Can the first n bytes of a file be this format? */
	bool (*recognise)(const char *head, size_t n);

	/*
	 * May be NULL: can a file that begins so be one of several, NAME.NUMBER, that are one
	 * trace if they are given together?  The inputs of the others are behind the first:
	 * input_next().
	 */
	bool (*of_set)(const char *head, size_t n);

	/*
	 * May be NULL.  After init(), and again when all is read: enum lack, if the parameters or
	 * the records decide; instead of lacks.
	 */
	unsigned (*lacking)(const void *self);

	/* May be NULL.  Reports parameters that exclude each other. */
	int (*init)(void *self, struct error *e);
	void (*release)(void *self); /* also after an init() that failed */

	/*
	 * 1: *r is the next record; 0: end of the trace; -1: error, without file name and
	 * number; READ_AGAIN after input_rewind().  *r is zeroed before, except for its file_size, which is SIZE_UNKNOWN.
	 */
	record_reader *read;

	/*
	 * Instead of read: fill the trace from a regular file, except its name, path and the
	 * blocks of its files.  After a failure the caller unmaps t->mapping if it is set.
	 */
	int (*map)(void *self, struct trace *t, int fd, struct error *e);

	unsigned loses; /* enum loss: what a file that it writes does not hold */

	/*
	 * NULL: the format cannot be written.  Reading the file again gives the same accesses,
	 * apart from what it loses; if by_block is set, only references to as many blocks, of the
	 * size of the trace.
	 */
	bool by_block;
	int (*write)(const struct trace *t, struct output *out, struct error *e);
};

#define FORMAT_SIZES                                                                               \
	{                                                                                          \
		sizeof(struct format), sizeof(struct record), sizeof(struct trace)                 \
	}

/* Define format_<id>. */
#define FORMAT(id, ...)                                                                            \
	const struct format	      format_##id = { __VA_ARGS__ };                               \
	const struct plugin_interface format_##id##_interface = { PLUGIN_INTERFACE, FORMAT_SIZES,  \
		&format_##id.plugin }

extern const struct format *const *const formats; /* NULL-terminated, most specific first */

#endif
