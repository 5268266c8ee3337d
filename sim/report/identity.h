/*
 * identity.h - when do two runs have the same settings?
 *
 * Settings count by their value, however they are typed: a plug-in by its name
 * and all its parameters, given or not, sizes in blocks, times in microseconds.
 * A data sheet or a plug-in that is given by its path counts by the contents of
 * the file, not by the path.  The trace has a fingerprint of its own.
 */
#ifndef SIM_IDENTITY_H
#define SIM_IDENTITY_H

#include "sim/core/config.h"
#include "sim/setup/options.h"

struct identity {
	uint64_t settings; /* fingerprint of the settings, files left out; 0: unknown */
	uint64_t files;	   /* fingerprint of the contents of files given by path; 0: none */
};

/* The options whose values are plug-ins that act in a run. */
enum { IDENTITY_PLUGINS = 4 };
extern const enum option_id identity_option[IDENTITY_PLUGINS];

/* Of one plug-in and those inside it: by what was chosen, or by the text of identity_option[i]. */
int identity_of_choice(const struct choice *c, struct identity *id, struct error *e);
int identity_of_text(unsigned i, const char *text, struct identity *id, struct error *e);

/* Of a run whose plug-ins have these identities.  The plug-ins and costs of c are not used. */
struct identity identity_of_run(const struct identity plugin[IDENTITY_PLUGINS],
    const struct config *c, uint32_t block_bytes, const struct options *o);

enum { FINGERPRINT_TEXT = 18 };

/* "af8fadce-be3f96d0": never taken for a number.  "" for 0.  Returns text. */
char *fingerprint_text(uint64_t fingerprint, char text[FINGERPRINT_TEXT]);

#endif
