/*
 * number.h - numbers as people type and read them.
 *
 * Reading is strict, because a unit misread is a wrong result: digits, then
 * a unit that is spelt exactly as documented, and nothing else.  "64Mb",
 * "1e3", "-5" and "" are usage errors that say what is accepted.
 *
 * K, KB and KiB are all 1024 bytes, and so on, as for the sizes of buffers in
 * PostgreSQL, fio and the kernel.  A large B is bytes and a small b is blocks;
 * Kb could be either, and is refused.
 */
#ifndef SIM_NUMBER_H
#define SIM_NUMBER_H

#include "sim/base/plugin.h"

enum { NUMBER_TEXT = 32 }; /* room for any number in print */

/*
 * PARAM_COUNT: 12.  PARAM_BYTES: 4096, 64K, 64k, 64KB, 64KiB, "64 KiB", 1.5M, 2G, 1T.
 * PARAM_USEC: 250us, 10ms, 30s.  PARAM_SHARE: 0.5, 50%.  PARAM_PART: 0.5, 50%, 32b.  0, or -1
 * with a usage error.
 */
int number_parse(const char *text, enum param_unit unit, uint64_t *out, struct error *e);

/* Would a smaller number in the same place have been read? */
bool number_too_large(const char *text, enum param_unit unit);

/* A decimal number or a percentage: 0.1 or 10%.  False: neither. */
bool number_fraction(const char *text, double *out);

/* A number without a unit. */
bool number_whole(const char *text, uint64_t *out);

/* A number of blocks: digits and a b, such as 2048b.  False: something else. */
bool number_blocks(const char *text, uint64_t *out);

/* A share: 1/64, at most 1000000/1. */
bool number_share(const char *text, uint64_t *part, uint64_t *of);

/* A share as a percentage, 10%, or as a decimal with a point and at most 1, 0.1. */
bool number_part(const char *text, uint64_t *part, uint64_t *of);

/* A decimal number without sign or exponent: 0.25.  False: something else. */
bool number_decimal(const char *text, double *out);

/* A part in per cent; 0 of nothing. */
double number_percent(uint64_t part, uint64_t of);

/* How many of n --top shows: 0 is all. */
uint64_t number_top(uint64_t n, uint64_t top);

/* In the form that number_parse() reads: "64M", "30s", "12".  Returns buf. */
char *number_format(char buf[NUMBER_TEXT], uint64_t value, enum param_unit unit);

/* For people: "1,462,963".  Returns buf. */
char *number_group(char buf[NUMBER_TEXT], uint64_t value);

/* For people: "512 B", "4.0 KiB", "116.1 MiB", "2.5 GiB".  Returns buf. */
char *number_bytes(char buf[NUMBER_TEXT], uint64_t bytes);

/* The size of a disk, as makers count: "9.1 GB" is 9.1 times 10^9 bytes.  Returns buf. */
char *number_disk(char buf[NUMBER_TEXT], uint64_t bytes);

/* For people: "1,234.567 s", "12.345 ms", "250 us".  Returns buf. */
char *number_time(char buf[NUMBER_TEXT], uint64_t us);

#endif
