/* call.c - cut a system call into strings, and read its arguments. */
#include "traces/calls/call.h"
#include <ctype.h>
#include <string.h>

#include "sim/trace/scan.h"

#define DELETED "(deleted)"

/* Past a quoted string that begins at p. */
static char *
skip_string(char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/*
 * Past the <path> of a descriptor.  strace escapes < and > in it, but with -yy
 * devices nest, </dev/null<char 1:3>>, and sockets have arrows, <TCP:[a->b]>.
 */
static char *
skip_path(char *p)
{
	bool  arrows = p[1] != '/';
	int   depth = 0;
	char *close = strchr(p, '>');

	if (likely(close && !arrows && !memchr(p + 1, '<', (size_t)(close - p - 1))))
		return close + 1;
	for (; *p; p++) {
		depth += *p == '<';
		depth -= *p == '>' && !(arrows && p[-1] == '-');
		if (!depth)
			return p + 1;
	}
	return p;
}

static char *
skip_blanks(char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

/* Blanks around an argument are none of it: a call that was split has one where it was. */
static void
end_argument(char *end)
{
	for (*end = '\0'; end[-1] == ' '; end--)
		end[-1] = '\0';
}

static int
hex_digit(char c)
{
	return (c & 15) + (c > '9' ? 9 : 0);
}

/* The byte of "\x2f"; -1: it is none. */
static int
hex_byte(const char *p)
{
	return p[0] == '\\' && p[1] == 'x' && isxdigit((unsigned char)p[2]) &&
		isxdigit((unsigned char)p[3])
	    ? hex_digit(p[2]) << 4 | hex_digit(p[3])
	    : -1;
}

/* A byte as strace shows it in a path: octal digits are as few as the next character allows. */
static char *
put_byte(char *to, int byte, int next)
{
	static const char letters[] = "\tt\nn\vv\ff\rr\"\"\\\\";
	bool		  digit = next >= '0' && next <= '7';

	if (byte >= ' ' && byte < 0x7f && !strchr("\"\\<>", byte)) {
		*to++ = (char)byte;
		return to;
	}
	*to++ = '\\';
	for (const char *l = letters; *l; l += 2)
		if (byte == *l) {
			*to++ = l[1];
			return to;
		}
	if (digit || byte >= 0100)
		*to++ = (char)('0' + (byte >> 6));
	if (digit || byte >= 010)
		*to++ = (char)('0' + (byte >> 3 & 7));
	*to++ = (char)('0' + (byte & 7));
	return to;
}

size_t
call_unhex(char *text, size_t n)
{
	char *from = text, *to = text;

	if (likely(!strstr(text, "\\x")))
		return n;
	while (*from) {
		int byte = hex_byte(from), next;

		if (byte >= 0) {
			from += 4;
			next = hex_byte(from);
			to = put_byte(to, byte, next >= 0 ? next : *from);
			continue;
		}
		if (*from == '\\' && from[1])
			*to++ = *from++;
		*to++ = *from++;
	}
	*to = '\0';
	return (size_t)(to - text);
}

bool
call_cut(struct call *c, char *text)
{
	char *p = strchr(text, '(');
	int   depth = 1;

	if (!p)
		return false;
	c->name = text;
	*p++ = '\0';
	c->arg[0] = skip_blanks(p);
	c->nargs = 1;
	while (depth) {
		switch (*p) {
		case '\0':
			return false;
		case '"':
			p = skip_string(p);
			continue;
		case '<':
			if (isalnum((unsigned char)p[-1]) && p[1] != '<') {
				p = skip_path(p);
				continue;
			}
			break;
		case '(':
		case '[':
		case '{':
			depth++;
			break;
		case ')':
		case ']':
		case '}':
			depth--;
			break;
		case ',':
			if (depth == 1 && c->nargs < CALL_ARGS) {
				end_argument(p);
				c->arg[c->nargs++] = skip_blanks(p + 1);
			}
			break;
		}
		p++;
	}
	end_argument(p - 1);
	for (unsigned i = c->nargs; i < CALL_ARGS; i++)
		c->arg[i] = p - 1;
	p = skip_blanks(p);
	c->result_text = skip_blanks(p + (*p == '='));
	return *p == '=';
}

struct shown
call_fd(char *text)
{
	static const char deleted[] = " " DELETED;
	struct shown	  shown = { .fd = NO_FD };
	uint64_t	  fd;
	char		 *end = text;
	size_t		  n;
	char		 *close, *device;

	if (*text >= '0' && *text <= '9') {
		while (*end >= '0' && *end <= '9')
			end++;
		if (scan_digits(text, INT32_MAX, &fd))
			shown.fd = (int64_t)fd;
	} else if (*text != '-' ? !strncmp(text, "AT_FDCWD", 8) : !strncmp(text, "-100", 4)) {
		end = text + strspn(text, "AT_FDCW-0123456789");
		shown.fd = HERE_FD;
	}
	if (*end != '<' || shown.fd == NO_FD)
		return shown;
	shown.path = end + 1;
	close = strchr(shown.path, '>');
	n = close ? (size_t)(close - shown.path) : strlen(shown.path);
	shown.deleted = shown.path[n] && !strncmp(shown.path + n + 1, DELETED, strlen(DELETED));
	shown.path[n] = '\0';
	device = memchr(shown.path, '<', n); /* -yy: /dev/sda<block 8:0 */
	if (unlikely(device)) {
		*device = '\0';
		n = (size_t)(device - shown.path);
	}
	if (n > strlen(deleted) && !strcmp(shown.path + n - strlen(deleted), deleted)) {
		shown.path[n - strlen(deleted)] = '\0';
		shown.deleted = true;
	}
	return shown;
}

bool
call_number(const char *text, uint64_t *number)
{
	return text[0] == '0' && text[1] == 'x' ? scan_hex(text + 2, number)
						: scan_digits(text, UINT64_MAX, number);
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Does the word of n characters end with the name, as O_TRUNC and TRUNC do with TRUNC? */
static bool
ends_with_name(const char *word, size_t n, const char *name)
{
	size_t m = strlen(name);

	return n >= m && !strncmp(word + n - m, name, m) && (n == m || word[n - m - 1] == '_');
}

/* Words and numbers between anything else: "{flags=A|B, ..." or "0x1200000|17", to the first comma. */
bool
call_has(const char *flags, const char *name, uint64_t bit)
{
	static const char label[] = "flags=";
	const char	 *p = flags + (*flags == '{');
	uint64_t	  number;
	size_t		  n;

	if (!strncmp(p, label, strlen(label)))
		p += strlen(label);
	for (; *p && *p != ',' && *p != '}'; p += n) {
		n = 1;
		if (!is_word(*p))
			continue;
		while (is_word(p[n]))
			n++;
		if (*p >= '0' && *p <= '9' ? call_number(p, &number) && (number & bit) == bit
					   : ends_with_name(p, n, name))
			return true;
	}
	return false;
}

bool
call_is(const char *word, const char *name, uint64_t number)
{
	uint64_t value;
	size_t	 n = 0;

	if (call_number(word, &value))
		return value == number;
	while (is_word(word[n]))
		n++;
	return ends_with_name(word, n, name);
}

usec_t
call_duration(const char *text)
{
	const char *last = strrchr(text, '<');
	usec_t	    us;

	return last && (last = scan_seconds(last + 1, &us)) && !strcmp(last, ">") ? us : -1;
}
