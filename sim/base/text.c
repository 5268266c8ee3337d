/* text.c - valid UTF-8 passes, everything else becomes '?'. */
#include <string.h>
#include <strings.h>

#include "sim/base/text.h"

/* The character at `at`, and its length; length 0: not UTF-8. */
static uint32_t
decode(const unsigned char *at, size_t *length)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t	 n = *at < 0x80 ? 1 : *at < 0xc0 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
	uint32_t c = n < 2 ? *at : *at & (0xffu >> (n + 1));

	*length = 0;
	if (*at >= 0xf8)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80) /* also the end of the text */
			return 0;
		c = c << 6 | (at[i] & 0x3f);
	}
	if (c >= least[n] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff))
		*length = n;
	return c;
}

static bool
is_control(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
	    (c | 1) == 0xffff;
}

/* The length of the character to be printed as it is, or 0: a '?' for *skip bytes. */
static size_t
passes(const char *at, size_t *skip)
{
	size_t	 length;
	uint32_t c = decode((const unsigned char *)at, &length);

	*skip = length ? length : 1;
	return is_control(c) ? 0 : length;
}

bool
text_is_clean(const char *text)
{
	size_t skip;

	while (*text && passes(text, &skip))
		text += skip;
	return !*text;
}

/* With `as` for the character `quote`. */
static void
print(const char *text, char quote, const char *as, FILE *out)
{
	size_t skip;

	for (; *text; text += skip) {
		bool as_it_is = passes(text, &skip);

		if (*text == quote)
			fputs(as, out);
		else if (as_it_is)
			fwrite(text, 1, skip, out);
		else
			putc('?', out);
	}
}

void
text_print(const char *text, FILE *out)
{
	print(text, '\0', "", out);
}

void
text_quote(const char *text, char quote, FILE *out)
{
	putc(quote, out);
	print(text, quote, (char[]){ quote, quote, '\0' }, out);
	putc(quote, out);
}

void
text_shell(const char *text, FILE *out)
{
	static const char safe[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";

	if (*text && !text[strspn(text, safe)]) {
		fputs(text, out);
		return;
	}
	putc('\'', out);
	print(text, '\'', "'\\''", out);
	putc('\'', out);
}

char *
text_clean(char *buf, size_t room, const char *text)
{
	char  *to = buf;
	size_t skip;

	for (; *text; text += skip) {
		bool   same = passes(text, &skip) != 0;
		size_t n = same ? skip : 1;

		if ((size_t)(to - buf) + n >= room)
			break;
		memmove(to, same ? text : "?", n);
		to += n;
	}
	*to = '\0';
	return buf;
}

size_t
text_ending(const char *path, size_t n)
{
	size_t at = n;

	while (at && path[at - 1] != '.' && path[at - 1] != '/')
		at--;
	return at > 1 && path[at - 1] == '.' && path[at - 2] != '/' ? at - 1 : n;
}

bool
text_ends_in(const char *path, size_t n, const char *ending)
{
	size_t m = strlen(ending);

	return n > m && path[n - m - 1] != '/' && !strncasecmp(path + n - m, ending, m);
}

void
text_replace(char *text, char from, char to)
{
	while ((text = strchr(text, from)))
		*text++ = to;
}

const char *
text_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *
text_keep(char **at, const char *text)
{
	const char *kept = *at;

	*at = stpcpy(*at, text) + 1;
	return kept;
}
