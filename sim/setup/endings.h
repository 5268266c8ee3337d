/*
 * endings.h - what the ending of an output's name says, and whether that is what is written.
 *
 * A file that is called q.parquet and holds CSV is worse than none.  So an ending that is known as
 * that of another format or packing is refused; one that is not known is part of the name.
 */
#ifndef SIM_ENDINGS_H
#define SIM_ENDINGS_H

#include "sim/base/error.h"
#include "sim/base/types.h"

/* What is written under a name that may have an ending. */
struct written {
	const char *what;    /* "CSV" */
	const char *endings; /* ".csv", with blanks between several; the first is offered */
	bool	    plain;   /* it cannot be packed */
	bool	    drawn;   /* by bufsim plot */
	bool	    or_json; /* with --json it would be JSON */
};

#define JSON_ENDINGS ".json .jsonl .ndjson"

extern const struct written written_csv;   /* beside a report */
extern const struct written written_table; /* CSV of a command that has --json, too */
extern const struct written written_json;  /* of such a command, with --json */
extern const struct written written_text;  /* a trace or a recording */

/*
 * A usage error if the ending of path names something else, or a packing that is not written.
 * option: what gives the name, as "--output ", or "".  A path of NULL or "-" will do.
 */
int endings_check(const char *option, const char *path, const struct written *w, struct error *e);

#endif
