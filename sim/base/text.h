/*
 * text.h - text from outside (names in a trace, paths), made safe to print:
 * one line of valid UTF-8 without control characters.
 *
 * Each byte that is not UTF-8 (RFC 3629) and each control character (C0, DEL,
 * C1, the line separators U+2028 and U+2029, and U+FFFE and U+FFFF, which XML
 * forbids) becomes a '?'.
 */
#ifndef SIM_TEXT_H
#define SIM_TEXT_H

#include <stdio.h>
#include <string.h>

#include "sim/base/types.h"

/* Would it be printed as it is? */
bool text_is_clean(const char *text);

void text_print(const char *text, FILE *out);

/* The same between quotes; a quote in the text is doubled. */
void text_quote(const char *text, char quote, FILE *out);

/* One word of a shell: between single quotes where it needs them. */
void text_shell(const char *text, FILE *out);

/*
 * The same into buf, which may be the text itself, cut between two characters
 * if room is too small.  Returns buf.
 */
char *text_clean(char *buf, size_t room, const char *text);

static inline bool
text_begins(const char *text, const char *beginning)
{
	return !strncmp(text, beginning, strlen(beginning));
}

/*
 * The last ending of the first n bytes of a path, with its point, begins there; n: there is none.
 * A name that begins with a point has none for that: .csv is a hidden file.
 */
size_t text_ending(const char *path, size_t n);

/* Are the last of its first n bytes that ending, in capitals or not, with something before it in the name? */
bool text_ends_in(const char *path, size_t n, const char *ending);

/* Each `from` becomes `to`: "vetoed_blocks", "vetoed blocks". */
void text_replace(char *text, char from, char to);

/* The part of a path behind its folder. */
const char *text_file_name(const char *path);

/* Copy a text to *at, which has room for it, and advance *at behind it.  Returns the copy. */
const char *text_keep(char **at, const char *text);

#endif
