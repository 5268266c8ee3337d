/*
 * kind.h - the interface of kinds of sharing: rules that make the program of several
 * processors, to show one thing at a time.
 *
 * A kind says what a processor references, and which locks and barriers keep it
 * apart from the others, so that what two processors reference and one writes
 * is ordered.  All else is the same for every kind: the sections, C and J.
 *
 * The state, self, begins with a struct kind_settings and is otherwise zeroed
 * except for the parameters of the plug-in.
 */
#ifndef SIM_SHARE_KIND_H
#define SIM_SHARE_KIND_H

#include "sim/base/plugin.h"
#include "sim/studies/share/model/program.h"

/* The parameters of all kinds. */
struct kind_settings {
	uint64_t processors;
	uint64_t objects;
	uint64_t size; /* bytes of an object with its tag */
	uint64_t rounds;
	uint64_t word; /* bytes: 1, 2, 4 or 8 */
};

/* The text of a program while it is made. */
struct script;

struct sharing_kind {
	struct plugin plugin;  /* the summary says who references what */
	const char   *teaches; /* one line: what it shows of allocators and pages */

	/* May be NULL.  Reports parameters that exclude each other. */
	int (*check)(const void *self, struct error *e);

	/* What that processor requests.  NULL: processor 0 requests all objects, of one size. */
	void (*request)(const void *self, struct script *s, unsigned processor);

	/* What processor 0 does before it creates the others.  May be NULL. */
	void (*prepare)(const void *self, struct script *s);

	/* What each processor does then. */
	void (*work)(const void *self, struct script *s, unsigned processor);
};

#define KIND_SIZES                                                                                 \
	{                                                                                          \
		sizeof(struct sharing_kind), sizeof(struct kind_settings), sizeof(struct program)  \
	}

/* Define kind_<id>. */
#define KIND(id, ...)                                                                              \
	const struct sharing_kind     kind_##id = { __VA_ARGS__ };                                 \
	const struct plugin_interface kind_##id##_interface = { PLUGIN_INTERFACE, KIND_SIZES,      \
		&kind_##id.plugin }

#define KIND_AT(field) offsetof(struct kind_settings, field)

/* The rows of the parameters of all kinds. */
#define KIND_PARAMS(nobjects, of_what, bytes, nrounds)                                             \
	{ "processors", PARAM_COUNT, 8, 2, PROCESSORS_MAX, KIND_AT(processors),                    \
		"number of processors", NULL },                                                    \
	    { "objects", PARAM_COUNT, nobjects, 1, 1000000, KIND_AT(objects), of_what, NULL },     \
	    { "size", PARAM_BYTES, bytes, TAG_BYTES + 1, 1 << 30, KIND_AT(size),                   \
		    "bytes of an object, with its tag of 8", NULL },                               \
	    { "rounds", PARAM_COUNT, nrounds, 1, 1000000, KIND_AT(rounds),                         \
		    "how often each processor does the same", NULL },                              \
	{                                                                                          \
		"word", PARAM_BYTES, 8, 1, 8, KIND_AT(word), "bytes of a word: 1, 2, 4 or 8", NULL \
	}

/* Words of an object of the size that is set. */
uint32_t kind_words(const struct kind_settings *k);

/* One line of the trace, as in program.h, without its end. */
void script_line(struct script *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Else further lines are left out, and the program is refused. */
bool script_has_room(const struct script *s);

/* n words of an object from that one on, by one line; 'R' or 'W'. */
void script_run(struct script *s, char letter, uint64_t object, uint64_t word, uint64_t n);

/* For each word of the object: read it and write it.  In that many loops. */
void script_update(struct script *s, uint64_t object, uint64_t words, unsigned loops);

struct choice;

/*
 * The program of the kind with its parameters, whose name is the text.  0, or -1: nothing is
 * left to release.
 */
int kind_make(struct program *p, const struct choice *kind, const char *text, struct error *e);

#endif
