/*
 * sheet.h - a data sheet: INI text of sections, keys and values.
 *
 * Look up every key of the device, then call sheet_close().  The first fault
 * is stored, later look-ups return valid values, and a key that was not looked
 * up is an error.  Each message names section and key.  Section [cpu_ns]
 * (cpu_costs.h) is looked up by sheet_close(): any device may have it.
 */
#ifndef SIM_SHEET_H
#define SIM_SHEET_H

#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/device/cpu_costs.h"

enum { SHEET_KEY_MAX = 64, SHEET_VALUE_MAX = 200 };

struct sheet_entry {
	char section[SHEET_KEY_MAX], key[SHEET_KEY_MAX], value[SHEET_VALUE_MAX];
	bool known; /* it was looked up */
};

struct sheet {
	struct sheet_entry *entry;
	size_t		    nentries, room;
	struct error	    error;   /* the first fault; exit_code 0: none so far */
	const char	   *missing; /* the section, if that is the fault */
};

/* sheet_close() reports faults in the text, and must follow in any case. */
void sheet_open(struct sheet *s, const char *text);

/* 0, or -1 with the first fault in *e. */
int sheet_close(struct sheet *s, struct error *e);

/* The costs in section [cpu_ns] of a data sheet that is known to be good.  False: it has none, and they are 0. */
bool sheet_costs(const char *text, struct cpu_costs *to);

/* Has a fault been found? */
static inline bool
sheet_failed(const struct sheet *s)
{
	return s->error.exit_code != 0;
}

/* Section "" is the part before the first section. */
bool sheet_has(const struct sheet *s, const char *section, const char *key);

/* Never NULL: "" if the key is missing. */
const char *sheet_text(struct sheet *s, const char *section, const char *key);

/* A number within [min, max], a whole one for sheet_count(); min after a fault. */
double sheet_number(struct sheet *s, const char *section, const char *key, double min, double max);
uint64_t sheet_count(struct sheet *s, const char *section, const char *key, uint64_t min,
    uint64_t max);

/* The same for a key that may be left out. */
double sheet_number_or(struct sheet *s, const char *section, const char *key, double min,
    double max, double otherwise);

/* The index, from 0, of the value in the blank-separated words; another value is a fault: 0. */
unsigned sheet_choice(struct sheet *s, const char *section, const char *key, const char *words);

/* The same for a key that may be left out. */
unsigned sheet_choice_or(struct sheet *s, const char *section, const char *key, const char *words,
    unsigned otherwise);

/* The entry of a section after entry e (NULL: the first one), or NULL: for lists. */
const struct sheet_entry *sheet_next(struct sheet *s, const char *section,
    const struct sheet_entry *e);

/* The key and then the n blank-separated numbers of the value: n + 1 non-negative numbers. */
void sheet_row(struct sheet *s, const struct sheet_entry *e, double *number, unsigned n);

/* A copy of the text with that value of the key, for free(); NULL: out of memory. */
char *sheet_with(const char *text, const char *section, const char *key, const char *value,
    struct error *e);

/* A fault that the caller found: "[section] key: ...". */
void sheet_fault(struct sheet *s, const char *section, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
