/*
 * program_read.c - the text form of a shared-memory trace, into code.
 *
 * Each line is an instruction (CODE_RUN: a line of three), so that
 * program_line() can count; blank lines and comments leave a CODE_LINE.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/studies/share/model/program.h"
#include "sim/trace/input.h"
#include "sim/trace/scan.h"

enum { NUMBERS_MAX = 2 + LOOPS_MAX, WORD_BYTES_MAX = 8, QUOTE = 24 };

struct parser {
	struct program *p;
	struct input   *in;
	size_t		room;	    /* of the code */
	uint32_t	rooms;	    /* of the objects, with the one before the first */
	unsigned	processor;  /* PROCESSORS_MAX: before the first section */
	uint64_t	line, next; /* of the next instruction, if none is left out */
	unsigned	depth;
	uint64_t	opened[LOOPS_MAX]; /* lines of the open loops */
	size_t		body[LOOPS_MAX];   /* where the code behind them begins */
	bool	       *held;		   /* [ids of locks] by this processor */
	uint32_t	nheld;		   /* room of held */
	bool		joins;
};

/* ---- code ---- */

static int
emit(struct parser *r, const uint32_t *words, unsigned n, struct error *e)
{
	struct program *p = r->p;

	if (p->ncode + n > r->room) {
		size_t	  room = 2 * r->room + 4096;
		uint32_t *grown = realloc(p->code, room * sizeof(*grown));

		if (!grown)
			return error_set(e, "out of memory for the instructions");
		p->code = grown;
		r->room = room;
	}
	memcpy(p->code + p->ncode, words, n * sizeof(*words));
	p->ncode += n;
	return 0;
}

static int
emit_one(struct parser *r, enum code kind, uint64_t number, struct error *e)
{
	const uint32_t words[] = { kind, (uint32_t)number };

	return emit(r, words, code_length(kind), e);
}

/* ---- numbers of a line ---- */

/* A whole number with an optional minus. */
static const char *
scan_stride(const char *s, uint32_t *stride)
{
	uint64_t n = 0;
	bool	 minus = *s == '-';

	s = scan_number(s + minus, INT32_MAX, &n);
	*stride = minus ? 0 - (uint32_t)n : (uint32_t)n;
	return s;
}

/* The only number of a line. */
static int
take_only(const char *s, const char *name, uint64_t min, uint64_t max, uint64_t *n, struct error *e)
{
	return scan_take(&s, name, min, max, n, e) || scan_end(s, e) ? -1 : 0;
}

/* ---- references ---- */

/* "n stride" behind a reference outside loops: a run, and its one stride. */
static int
take_run(struct parser *r, const char *s, uint32_t strides[LOOPS_MAX], unsigned *n, struct error *e)
{
	uint64_t times;

	if (scan_take(&s, "number of references", 1, UINT32_MAX, &times, e))
		return -1;
	s = scan_blanks(s);
	if (scan_ends_line(s))
		return error_set(e, "stride: is missing");
	if (!scan_stride(s, strides))
		return scan_explain("stride", *s == '-' ? s + 1 : s, INT32_MAX, e);
	*n = 1;
	return scan_end(s + scan_length(s), e) || emit_one(r, CODE_RUN, times, e) ? -1 : 0;
}

static int
take_strides(const struct parser *r, const char *s, uint32_t strides[LOOPS_MAX], unsigned *n,
    struct error *e)
{
	for (s = scan_blanks(s); !scan_ends_line(s); s = scan_blanks(s)) {
		if (*n == r->depth)
			return error_set(e, "more strides than loops, which are %u", r->depth);
		if (!scan_stride(s, &strides[*n]))
			return scan_explain("stride", *s == '-' ? s + 1 : s, INT32_MAX, e);
		++*n;
		s += scan_length(s);
	}
	return 0;
}

static int
take_reference(struct parser *r, enum code kind, const char *s, struct error *e)
{
	uint64_t object, word;
	uint32_t words[2 + LOOPS_MAX];
	unsigned n = 0;
	bool	 run;

	if (scan_take(&s, "object", 1, OBJECTS_MAX, &object, e) ||
	    scan_take(&s, "word", 0, UINT32_MAX, &word, e))
		return -1;
	run = !r->depth && !scan_ends_line(scan_blanks(s));
	if (run ? take_run(r, s, words + 2, &n, e) : take_strides(r, s, words + 2, &n, e))
		return -1;
	words[0] = kind | n << CODE_BITS | (uint32_t)object << OBJECT_SHIFT;
	words[1] = (uint32_t)word;
	if (emit(r, words, 2 + n, e))
		return -1;
	return run ? emit_one(r, CODE_CLOSE, 0, e) : 0;
}

/* ---- loops ---- */

static int
take_loop(struct parser *r, const char *s, struct error *e)
{
	uint64_t times;

	if (take_only(s, "number of times", 1, UINT32_MAX, &times, e))
		return -1;
	if (r->depth == LOOPS_MAX)
		return error_set(e, "more than %d loops inside each other", LOOPS_MAX);
	if (emit_one(r, CODE_LOOP, times, e))
		return -1;
	r->opened[r->depth] = r->line;
	r->body[r->depth++] = r->p->ncode;
	return 0;
}

/* Is there nothing but comments? */
static bool
is_empty(const struct program *p, size_t body)
{
	while (body < p->ncode && code_kind(p->code[body]) == CODE_LINE)
		body += code_length(p->code[body]);
	return body == p->ncode;
}

static int
take_close(struct parser *r, const char *s, struct error *e)
{
	if (scan_end(s, e))
		return -1;
	if (!r->depth)
		return error_set(e, "a loop ends here, and none is open");
	if (is_empty(r->p, r->body[--r->depth]))
		return error_set(e, "there is nothing in the loop of line %llu",
		    (unsigned long long)r->opened[r->depth]);
	return emit_one(r, CODE_CLOSE, 0, e);
}

static int
check_closed(const struct parser *r, struct error *e)
{
	if (!r->depth)
		return 0;
	return error_set(e, "the loop of line %llu is not closed",
	    (unsigned long long)r->opened[r->depth - 1]);
}

/* ---- objects ---- */

static int
grow_objects(struct parser *r, uint64_t object, struct error *e)
{
	struct program *p = r->p;
	uint32_t	room = r->rooms ? r->rooms : 64;
	struct object  *grown;

	while (room <= object)
		room *= 2;
	if (room > r->rooms) {
		grown = calloc(room, sizeof(*grown)); /* takes memory where it is used */
		if (!grown)
			return error_set(e, "out of memory for the objects");
		if (r->rooms)
			memcpy(grown, p->object, r->rooms * sizeof(*grown));
		free(p->object);
		p->object = grown;
		r->rooms = room;
	}
	if (object > p->nobjects)
		p->nobjects = (uint32_t)object;
	return 0;
}

static int
take_request(struct parser *r, const char *s, struct error *e)
{
	const uint64_t most = TAG_BYTES + (uint64_t)(UINT32_MAX / 2) * r->p->word_bytes;
	uint64_t       object, bytes;
	struct object *o;

	if (scan_take(&s, "object", 1, OBJECTS_MAX, &object, e) ||
	    scan_take(&s, "size", TAG_BYTES + 1, most, &bytes, e) || scan_end(s, e) ||
	    grow_objects(r, object, e))
		return -1;
	o = &r->p->object[object];
	if (o->bytes)
		return error_set(e, "object %llu is requested again: line %llu requests it",
		    (unsigned long long)object, (unsigned long long)o->line);
	*o = (struct object){ .bytes = bytes,
		.line = r->line,
		.words = (uint32_t)((bytes - TAG_BYTES + r->p->word_bytes - 1) / r->p->word_bytes),
		.processor = r->processor };
	return emit_one(r, CODE_REQUEST, object, e);
}

/* ---- synchronisation ---- */

static int
number_of(struct parser *r, enum sync_set set, uint64_t id, uint32_t *number, struct error *e)
{
	struct sync_ids *s = &r->p->ids[set];
	uint32_t	*at = map_at(&s->map, id), *grown;

	if (at && !*at) {
		grown = array_grow(s->id, s->n, &s->room, sizeof(*s->id));
		at = grown ? at : NULL;
		if (grown) {
			s->id = grown;
			s->id[s->n++] = (uint32_t)id;
			*at = s->n;
		}
	}
	if (!at)
		return error_set(e, "out of memory for locks, barriers and flags");
	*number = *at - 1;
	return 0;
}

/* A lock is held between its L and its U. */
static int
check_lock(struct parser *r, enum code kind, uint32_t lock, struct error *e)
{
	const uint32_t n = r->p->ids[SET_LOCKS].n, id = r->p->ids[SET_LOCKS].id[lock];

	if (n > r->nheld) {
		bool *grown = realloc(r->held, 2 * n * sizeof(*grown));

		if (!grown)
			return error_set(e, "out of memory for the locks");
		memset(grown + r->nheld, 0, (2 * n - r->nheld) * sizeof(*grown));
		r->held = grown;
		r->nheld = 2 * n;
	}
	if (r->held[lock] == (kind == CODE_LOCK))
		return error_set(e,
		    kind == CODE_LOCK ? "processor %u locks %u, which it holds"
				      : "processor %u unlocks %u, which it does not hold",
		    r->processor, id);
	r->held[lock] = kind == CODE_LOCK;
	return 0;
}

static int
take_sync(struct parser *r, enum code kind, const char *s, struct error *e)
{
	enum sync_set set = kind == CODE_BARRIER       ? SET_BARRIERS
	    : kind == CODE_LOCK || kind == CODE_UNLOCK ? SET_LOCKS
						       : SET_FLAGS;
	uint64_t      id;
	uint32_t      number = 0;

	if (take_only(s, "number", 0, UINT32_MAX, &id, e) || number_of(r, set, id, &number, e))
		return -1;
	if (set == SET_LOCKS && check_lock(r, kind, number, e))
		return -1;
	return emit_one(r, kind, number, e);
}

static int
take_create(struct parser *r, const char *s, struct error *e)
{
	if (scan_end(s, e))
		return -1;
	if (r->processor)
		return error_set(e, "C belongs to processor 0, not to %u", r->processor);
	if (r->p->creates)
		return error_set(e, "a second C");
	r->p->creates = true;
	return emit_one(r, CODE_CREATE, 0, e);
}

static int
take_join(struct parser *r, const char *s, struct error *e)
{
	if (scan_end(s, e))
		return -1;
	if (r->processor)
		return error_set(e, "J belongs to processor 0, not to %u", r->processor);
	if (!r->p->creates)
		return error_set(e, "J without a C before it");
	if (r->joins)
		return error_set(e, "a second J");
	r->joins = true;
	return emit_one(r, CODE_JOIN, 0, e);
}

/* ---- sections ---- */

static int
end_section(struct parser *r, struct error *e)
{
	if (check_closed(r, e))
		return -1;
	return r->processor < PROCESSORS_MAX ? emit_one(r, CODE_END, 0, e) : 0;
}

static int
take_section(struct parser *r, const char *s, struct error *e)
{
	struct program *p = r->p;
	uint64_t	n;

	if (take_only(s, "processor", 0, UINT32_MAX, &n, e))
		return -1;
	if (n >= p->processors)
		return error_set(e, "processor %llu: the trace has %u, from 0 to %u",
		    (unsigned long long)n, p->processors, p->processors - 1);
	if (end_section(r, e))
		return -1;
	if (p->first_line[n])
		return error_set(e, "a second section of processor %llu", (unsigned long long)n);
	r->processor = (unsigned)n;
	r->next = p->first_line[n] = r->line + 1;
	p->start[n] = p->ncode;
	if (r->nheld)
		memset(r->held, 0, r->nheld * sizeof(*r->held));
	return 0;
}

/* ---- lines ---- */

static int
take_event(struct parser *r, char letter, const char *s, struct error *e)
{
	switch (letter) {
	case 'A':
		return take_request(r, s, e);
	case 'L':
		return take_sync(r, CODE_LOCK, s, e);
	case 'U':
		return take_sync(r, CODE_UNLOCK, s, e);
	case 'B':
		return take_sync(r, CODE_BARRIER, s, e);
	case 'S':
		return take_sync(r, CODE_POST, s, e);
	case 'V':
		return take_sync(r, CODE_WAIT, s, e);
	case 'C':
		return take_create(r, s, e);
	default:
		return take_join(r, s, e);
	}
}

static int
refuse(const char *s, struct error *e)
{
	char text[QUOTE + 4];

	scan_quote(text, QUOTE, s, scan_length(s));
	return error_set(e, "'%s' is not one of P A R W ( ) L U B S V C J", text);
}

static int
take_line(struct parser *r, const char *s, struct error *e)
{
	char letter = *s;

	if (!scan_ends_field(s[1]) || !strchr("PARW()LUBSVCJ", letter))
		return refuse(s, e);
	s++;
	if (letter == 'P')
		return take_section(r, s, e);
	if (r->processor == PROCESSORS_MAX)
		return error_set(e, "%c before the first P, which names its processor", letter);
	if (r->line != r->next && emit_one(r, CODE_LINE, r->line, e))
		return -1;
	r->next = r->line + 1;
	switch (letter) {
	case 'R':
		return take_reference(r, CODE_READ, s, e);
	case 'W':
		return take_reference(r, CODE_WRITE, s, e);
	case '(':
		return take_loop(r, s, e);
	case ')':
		return take_close(r, s, e);
	}
	if (r->depth)
		return error_set(e, "%c in the loop of line %llu, which holds R, W and loops only",
		    letter, (unsigned long long)r->opened[r->depth - 1]);
	return take_event(r, letter, s, e);
}

/* ---- the header ---- */

static char *
keep(const char *from, size_t n)
{
	char *text = malloc(n + 1);

	if (text) {
		memcpy(text, from, n);
		text[n] = '\0';
	}
	return text;
}

/* The last place where the word begins; NULL: none. */
static const char *
last(const char *s, const char *word)
{
	const char *found = NULL;

	for (; (s = strstr(s, word)); s++)
		found = s;
	return found;
}

static int
take_header(struct program *p, const char *s, struct error *e)
{
	static const char program[] = "# program ", processors[] = ", processors ",
			  problem[] = ", problem ", words[] = ", words of ";
	const char *name = s + strlen(program), *many = strstr(s, processors), *text,
		   *of = last(s, words);
	uint64_t n, bytes;

	if (strncmp(s, program, strlen(program)) != 0 || !many || !of)
		return error_set(e,
		    "the first line is not '# program NAME, processors N, "
		    "problem TEXT, words of B bytes'");
	text = scan_digits(many + strlen(processors), UINT32_MAX, &n);
	if (!text || *text != ',' || n < 1 || n > PROCESSORS_MAX)
		return error_set(e, "processors: the number is not between 1 and %d",
		    PROCESSORS_MAX);
	if (!scan_number(of + strlen(words), WORD_BYTES_MAX, &bytes) || !bytes ||
	    bytes & (bytes - 1))
		return error_set(e, "the bytes of a word are not 1, 2, 4 or 8");
	text += strncmp(text, problem, strlen(problem)) ? 0 : strlen(problem);
	p->processors = (unsigned)n;
	p->word_bytes = (unsigned)bytes;
	p->name = keep(name, (size_t)(many - name));
	p->problem = keep(text, text < of ? (size_t)(of - text) : 0);
	return p->name && p->problem ? 0 : error_no_memory(e);
}

/* ---- all of it ---- */

static int
read_lines(struct parser *r, struct error *e)
{
	char  *line;
	size_t length;
	int    status;

	while ((status = input_line(r->in, &line, &length, e)) == 1) {
		const char *s = scan_blanks(line);

		r->line = input_line_number(r->in);
		if (strlen(line) != length)
			return error_set(e, "a zero byte in the line: this is not text");
		if (r->line == 1 && take_header(r->p, line, e))
			return -1;
		if (*s != '#' && !scan_ends_line(s) && take_line(r, s, e))
			return -1;
	}
	return status;
}

static int
finish(struct parser *r, struct error *e)
{
	struct program *p = r->p;
	size_t		end;

	if (!r->line)
		return error_set(e, "is empty");
	if (r->processor == PROCESSORS_MAX)
		return error_set(e, "line %llu: nothing follows; no P names a processor",
		    (unsigned long long)r->line);
	if (end_section(r, e))
		return -1;
	end = p->ncode; /* of processors without a section */
	if (emit_one(r, CODE_END, 0, e))
		return -1;
	for (unsigned i = 0; i < p->processors; i++)
		if (!p->first_line[i])
			p->start[i] = end;
		else if (i && !p->creates)
			return error_set(e, "line %llu: processor %u never starts: there is no C",
			    (unsigned long long)p->first_line[i] - 1, i);
	return program_check(p, e);
}

static int
parse(struct program *p, struct input *in, struct error *e)
{
	struct parser r = { .p = p, .in = in, .processor = PROCESSORS_MAX };
	int	      failed;

	*p = (struct program){ 0 };
	failed = read_lines(&r, e);
	if (failed && r.line)
		error_prefix(e, "line %llu", (unsigned long long)r.line);
	if (!failed)
		failed = grow_objects(&r, 0, e) || finish(&r, e);
	free(r.held);
	if (failed)
		program_release(p);
	return failed ? -1 : 0;
}

struct text {
	const char *at;
	size_t	    left;
};

static ssize_t
read_text(void *from, void *to, size_t n, struct error *e)
{
	struct text *t = from;

	n = n < t->left ? n : t->left;
	memcpy(to, t->at, n);
	t->at += n;
	t->left -= n;
	return (ssize_t)n;
}

int
program_parse(struct program *p, const char *text, size_t n, struct error *e)
{
	struct text   t = { text, n };
	struct input *in = input_from(read_text, &t, e);
	int	      failed;

	if (!in)
		return -1;
	failed = parse(p, in, e);
	input_close(in);
	return failed;
}

int
program_read(struct program *p, const char *path, struct error *e)
{
	struct input *in = input_open(path, e);
	int	      failed = -1;

	*p = (struct program){ 0 };
	if (in) {
		failed = parse(p, in, e);
		input_close(in);
	}
	if (!failed) {
		p->path = keep(path, strlen(path));
		failed = p->path ? 0 : error_no_memory(e);
		if (failed)
			program_release(p);
	}
	return failed ? error_prefix(e, "%s", path) : 0;
}
