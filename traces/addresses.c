/*
 * addresses.c - references of a program to its memory, by their addresses in hexadecimal.
 *
 *	0041f7a0 R		page traces of operating-systems courses
 *	3 0041f7a0 W		... with the number of the process
 *	s 0x1fffff50 1		loads and stores; what is behind the address is skipped
 *	 L 1ffefff7d0,8		lackey --trace-mem=yes of valgrind, with bytes
 *	2 0041f7a0		Dinero (din): 0 read, 1 write, 2 instruction
 *	0x401136: W 0x7ffe0010	pinatrace of Pin
 *	0x0041f7a0		addresses alone: reads
 *
 * The first row tells the order.  A modification (M) is a read and a write.
 * Instructions are read.  Each process has its own memory, which is one file; a
 * reference without a length is to one byte, so that it is to one block of any size.
 */
#include "traces/common/lines.h"

enum { WORDS = 5, ROWS = 64, LINE_ROOM = 128, ADDRESS_BITS = 48, EVIDENT_DIGITS = 4 };

enum { NOWHERE = -1 };

/* At which words of a row something is. */
struct layout {
	int  op, address, pid, n;
	bool dinero, sized; /* the length follows a comma, as of lackey */
};

struct addresses {
	struct layout layout;
	bool	      begun, writes_next; /* the other half of a modification */
	uint64_t      address, length, pid;
};

struct row {
	char	 op; /* R, W or M; 0: to be left out */
	uint64_t address, length, pid;
	bool
	    evident; /* the address can be nothing but hexadecimal: 0x1f, or 04f7a, but not "bad" */
};

/* ---- words ---- */

static bool
is_between(char c)
{
	return c == ' ' || c == '\t' || c == ',' || c == ';' || c == ':';
}

/* The starts of the words, at most `room`, and one place behind the last; their number. */
static int
split(const char *s, const char *word[WORDS + 1])
{
	int n = 0;

	for (; n < WORDS; n++) {
		while (is_between(*s))
			s++;
		word[n] = s;
		if (scan_ends_line(s))
			return n;
		while (!is_between(*s) && !scan_ends_line(s))
			s++;
	}
	word[n] = s;
	return n;
}

static bool
ends_word(const char *s)
{
	return is_between(*s) || scan_ends_line(s);
}

/* "0041f7a0" or "0x41f7a0": the place behind it, or NULL. */
static const char *
take_address(const char *s, struct row *w)
{
	bool	    marked = *s == '0' && (s[1] | 0x20) == 'x', letter = false, digit = false;
	const char *end;

	s += marked ? 2 : 0;
	end = scan_hex(s, &w->address);
	if (!end || !ends_word(end))
		return NULL;
	for (const char *at = s; at < end; at++) {
		letter |= scan_is_letter(*at);
		digit |= !scan_is_letter(*at);
	}
	w->evident = marked || (letter && digit && end - s >= EVIDENT_DIGITS);
	return end;
}

/* R, W or M of a word; 0: it is no operation. */
static char
op_of(const char *word)
{
	static const struct {
		const char *name;
		char	    op;
	} ops[] = { { "r", 'R' }, { "w", 'W' }, { "l", 'R' }, { "s", 'W' }, { "i", 'R' },
		{ "m", 'M' }, { "read", 'R' }, { "write", 'W' }, { "load", 'R' }, { "store", 'W' },
		{ "modify", 'M' }, { "ifetch", 'R' }, { "fetch", 'R' } };

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++) {
		const char *name = ops[i].name, *s = word;

		while (*name && (*s | 0x20) == *name)
			s++, name++;
		if (!*name && ends_word(s))
			return ops[i].op;
	}
	return 0;
}

/* "3" or "P3". */
static bool
take_pid(const char *s, uint64_t *pid)
{
	s += (*s | 0x20) == 'p';
	s = scan_digits(s, UINT32_MAX, pid);
	return s && ends_word(s);
}

/* ---- the layout ---- */

/* Of a row with an operation at word k. */
static struct layout
layout_by_op(const char *const word[], int n, int k)
{
	struct layout l = { .op = k, .pid = NOWHERE, .address = k + 1, .n = n };
	struct row    before = { 0 }, behind = { 0 };

	if (k == 0) {
		const char *end = take_address(word[1], &behind);

		l.sized = n == 3 && end && *end == ',';
		return l;
	}
	take_address(word[k - 1], &before);
	if (k == n - 1 || (!take_address(word[k + 1], &behind) && before.evident) ||
	    (before.evident && !behind.evident)) {
		l.address = k - 1;
		l.pid = k > 1 ? k - 2 : NOWHERE;
	} else {
		l.pid = before.evident ? NOWHERE : k - 1; /* or the address of the instruction */
	}
	return l;
}

static struct layout
layout_of(const char *line)
{
	struct layout l = { .op = NOWHERE, .pid = NOWHERE };
	const char   *word[WORDS + 1];

	l.n = split(line, word);
	for (int k = 0; k < l.n; k++)
		if (op_of(word[k]))
			return layout_by_op(word, l.n, k);
	l.address = l.n - 1;
	l.dinero = l.n == 2 && *word[0] <= '4' && ends_word(word[0] + 1);
	l.op = l.dinero ? 0 : NOWHERE;
	l.pid = l.n == 2 && !l.dinero ? 0 : NOWHERE;
	return l;
}

static char
op_of_dinero(const char *word)
{
	static const char ops[] = "RWR\0";

	return (unsigned)*word - '0' < sizeof(ops) && ends_word(word + 1) ? ops[*word - '0'] : 0;
}

static bool
scan_row(const struct layout *l, const char *line, struct row *w)
{
	const char *word[WORDS + 1];
	int	    n = split(line, word);

	*w = (struct row){ .op = 'R', .length = 1, .pid = 1 };
	if (!n || n != l->n || n >= WORDS || n <= l->address)
		return false;
	if (l->dinero)
		w->op = op_of_dinero(word[0]);
	else if (l->op != NOWHERE && !(w->op = op_of(word[l->op])))
		return false;
	if (l->pid != NOWHERE && !take_pid(word[l->pid], &w->pid))
		return false;
	if (!take_address(word[l->address], w))
		return false;
	return !l->sized || (scan_digits(word[2], INT32_MAX, &w->length) && w->length);
}

/* ---- the beginning ---- */

/* What is between rows of valgrind: "==123== Command: ls". */
static bool
is_message(const char *line)
{
	return *line == '#' || !strncmp(line, "==", 2) || !strncmp(line, "--", 2) ||
	    !strncmp(line, "SB ", 3) || scan_ends_line(scan_blanks(line));
}

/* All of the first rows are of one layout, and one at least, or the letter of lackey, can be nothing else. */
static bool
addresses_recognise(const char *head, size_t n)
{
	struct layout l = { 0 };
	struct row    w;
	char	      line[LINE_ROOM];
	bool	      evident = false;

	if (memchr(head, '\0', n))
		return false;
	for (unsigned rows = 0; rows < ROWS && n;) {
		bool whole = memchr(head, '\n', n) || !rows;

		scan_head(&head, &n, line, sizeof(line));
		if (!whole || is_message(line))
			continue;
		if (!rows)
			l = layout_of(line);
		evident |= !rows && l.sized && strchr("ILSM", line[strspn(line, " ")]);
		if (scan_row(&l, line, &w))
			rows++;
		else if (rows || !scan_is_heading(line))
			return false;
		evident |= rows && w.evident;
	}
	return evident;
}

/* ---- reading ---- */

static int
place(struct addresses *m, const struct row *w, struct error *e)
{
	uint64_t high = w->address >> (ADDRESS_BITS - 1);

	if (high && high != UINT64_MAX >> (ADDRESS_BITS - 1))
		return error_set(e, "address: 0x%llx is none of %d bits",
		    (unsigned long long)w->address, ADDRESS_BITS);
	m->address = w->address & (UINT64_MAX >> (64 - ADDRESS_BITS));
	m->length = w->length;
	m->pid = w->pid;
	return 1;
}

/* Take the layout of the first row. */
static void
begin(struct addresses *m, struct input *in, const char *line)
{
	struct row w;

	m->layout = layout_of(line);
	m->begun = scan_row(&m->layout, line, &w);
	if (m->begun && !m->layout.sized &&
	    m->layout.n > 1 + (m->layout.op > m->layout.address ? m->layout.op : m->layout.address))
		input_note(in, "numbers behind the address were skipped");
}

/* 1: a reference; 0: nothing of interest; -1: error. */
static int
take_line(struct addresses *m, struct input *in, const char *line, struct row *w, struct error *e)
{
	if (unlikely(is_message(line)))
		return 0;
	if (unlikely(!m->begun))
		begin(m, in, line);
	if (unlikely(!scan_row(&m->layout, line, w))) {
		input_skip(in, line);
		return 0;
	}
	if (unlikely(!w->op)) {
		input_count(in, "rows that are no references were left out");
		return 0;
	}
	return place(m, w, e);
}

static int
addresses_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct addresses *m = self;
	struct row	  w = { .op = 'W' };
	char		 *line;
	int		  status, taken = m->writes_next;

	m->writes_next = false;
	while (!taken) {
		status = scan_line(in, &line, e);
		if (status <= 0)
			return status;
		taken = take_line(m, in, line, &w, e);
		m->writes_next = w.op == 'M';
	}
	if (taken < 0)
		return -1;
	r->op = w.op == 'W' ? OP_WRITE : OP_READ;
	r->pid = (uint32_t)m->pid;
	r->inode = m->pid;
	r->offset = m->address;
	r->length = m->length;
	return 1;
}

FORMAT(addresses,
    .plugin = { .name = "addresses",
	.summary = "addresses of memory: page traces of courses, lackey, Dinero, Pin",
	.state_size = sizeof(struct addresses) },
    .lacks = LACKS_FILES | LACKS_TIMES, .recognise = addresses_recognise, .read = addresses_read);
