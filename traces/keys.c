/*
 * keys.c - traces of caches of whole objects, as text: the keys that clients asked for.
 *
 *	0,q:q:1:8WTfjZU14ee,17,213,4,get,0				Twitter
 *	op_time,key,key_size,op,op_count,size,cache_hits,ttl		Meta's key-value cache, by heading
 *	timestamp,cacheKey,OpType,objectSize,responseSize,...		Meta's CDN, by heading
 *	1219008 REST.GET.OBJECT 8d4fcda3d675bac9 1056 0 1055		IBM object store
 *	relative_unix	hashed_path_query	image_type	...	Wikipedia's CDN, by heading
 *
 * A key becomes one block (objects.h), by a checksum of 64 bits.  Times are seconds,
 * of IBM milliseconds.  What stores a key is a write.  A row of Meta stands for
 * op_count requests.
 *
 *	J. Yang, Y. Yue, K. V. Rashmi.  A large scale analysis of hundreds of
 *	in-memory cache clusters at Twitter.  OSDI 2020.
 */
#include "sim/base/checksum.h"
#include "traces/common/lines.h"
#include "traces/common/objects.h"

enum { CELLS = 24, LINE_ROOM = 1024, ROWS = 5, COUNT_MAX = 100000, TWITTER_TAIL = 5 };

enum column { KEY, TIME, OP, COUNT, COLUMNS };

/* Names in headings; of a name that ends in _ the beginning. */
static const char *const names[COLUMNS][4] = { { "key", "cacheKey", "hashed_", NULL },
	{ "op_time", "timestamp", "relative_unix", NULL }, { "op", "OpType", NULL },
	{ "op_count", NULL } };

static const char reads[] = "get gets GET_LEASE REST.GET.OBJECT 1";
static const char writes[] =
    "set add replace cas append prepend incr decr SET_LEASE REST.PUT.OBJECT";

struct order {
	int	 place[COLUMNS]; /* from 1; from -1 at the end of the line; 0: there is none */
	unsigned cells;		 /* needed */
	char	 separator;
	enum lines_unit unit;
};

struct keys {
	struct objects objects;
	struct order   order; /* cells 0: not known yet */
	uint64_t       again; /* so many more requests of the same row */
	uint64_t       hash;
	usec_t	       time;
	enum op	       op;
};

struct span {
	const char *s;
	size_t	    n;
};

static const struct order twitter = { .place = { 2, 1, -2, 0 },
	.cells = 7,
	.separator = ',',
	.unit = UNIT_S };
static const struct order ibm = { .place = { 3, 1, 2, 0 },
	.cells = 3,
	.separator = ' ',
	.unit = UNIT_MS };

/* ---- cells ---- */

static unsigned
split(const char *line, char separator, struct span cell[CELLS])
{
	unsigned n = 0;

	while (n < CELLS) {
		size_t length = 0;

		while (line[length] && line[length] != separator && line[length] != '\r')
			length++;
		cell[n++] = (struct span){ line, length };
		if (line[length] != separator)
			break;
		line += length + 1;
	}
	return n;
}

static struct span
cell_at(const struct span cell[], unsigned n, int place)
{
	return cell[place > 0 ? place - 1 : (int)n + place];
}

static bool
equals(struct span cell, const char *name)
{
	size_t n = strlen(name);

	return name[n - 1] == '_' ? cell.n > n && !strncmp(cell.s, name, n)
				  : cell.n == n && !strncmp(cell.s, name, n);
}

static bool
is_among(struct span cell, const char *list)
{
	return scan_is_among(cell.s, cell.n, list);
}

static bool
take_number(struct span cell, uint64_t max, uint64_t *n)
{
	const char *end = scan_digits(cell.s, max, n);

	return end == cell.s + cell.n;
}

/* ---- the order of columns ---- */

static bool
take_heading(struct order *o, const char *line)
{
	struct span cell[CELLS];
	unsigned    n;

	*o = (struct order){ .separator = lines_separator(line), .unit = UNIT_S };
	n = split(line, o->separator, cell);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < COLUMNS; k++)
			for (const char *const *name = names[k]; *name; name++)
				if (!o->place[k] && equals(cell[i], *name)) {
					o->place[k] = (int)i + 1;
					o->cells = i + 1;
				}
	return o->place[KEY] &&
	    (o->place[OP] ? n >= 4 : o->place[TIME] != 0 && o->separator == '\t');
}

/* Of Twitter, a key may have commas. */
static bool
is_twitter(const char *line)
{
	struct span cell[CELLS];
	uint64_t    number;
	unsigned    n = split(line, ',', cell);

	if (n < 7 || !take_number(cell[0], UINT32_MAX, &number))
		return false;
	for (int place = -TWITTER_TAIL; place < 0; place++)
		if (place != twitter.place[OP] &&
		    !take_number(cell_at(cell, n, place), UINT64_MAX, &number))
			return false;
	return is_among(cell_at(cell, n, twitter.place[OP]), reads) ||
	    is_among(cell_at(cell, n, twitter.place[OP]), writes) ||
	    equals(cell_at(cell, n, twitter.place[OP]), "delete");
}

static bool
is_ibm(const char *line)
{
	struct span cell[CELLS];
	uint64_t    number;
	unsigned    n = split(line, ' ', cell);

	return n >= 3 && n <= 6 && take_number(cell[0], UINT64_MAX, &number) && cell[1].n > 5 &&
	    !strncmp(cell[1].s, "REST.", 5);
}

/* As the line tells, which is a heading or a row; 0: neither, 1: a row, 2: a heading. */
static int
find_order(struct order *o, const char *line)
{
	if (take_heading(o, line))
		return 2;
	if (!is_twitter(line) && !is_ibm(line))
		return 0;
	*o = is_ibm(line) ? ibm : twitter;
	return 1;
}

static bool
keys_recognise(const char *head, size_t n)
{
	char	     line[LINE_ROOM];
	struct order o;
	unsigned     rows = 0;

	if (memchr(head, '\0', n))
		return false;
	while (rows < ROWS && n) {
		bool whole = memchr(head, '\n', n) || !rows;
		int  found;

		scan_head(&head, &n, line, sizeof(line));
		if (!whole || *line == '#' || scan_ends_line(line))
			continue;
		found = find_order(&o, line);
		if (found != 1)
			return found == 2 && !rows;
		rows++;
	}
	return rows;
}

/* ---- reading ---- */

static int
refuse_row(const char *line, struct error *e)
{
	char text[LINES_QUOTE + 4];

	scan_quote(text, LINES_QUOTE, line, strcspn(line, "\r"));
	return error_set(e, "'%s' has no key, time and operation where rows before have them",
	    text);
}

/* The kind of request: 1, or 0: it neither gets nor stores a key. */
static int
take_op(struct keys *k, struct input *in, struct span op)
{
	k->op = is_among(op, reads) ? OP_READ : OP_WRITE;
	if (k->op == OP_READ || is_among(op, writes) || is_among(op, "put"))
		return 1;
	input_count(in,
	    "requests that neither get nor store an object, such as deletes, were left out");
	return 0;
}

/* 1: requests; 0: nothing of interest; -1: error. */
static int
take_row(struct keys *k, struct input *in, const char *line, struct error *e)
{
	const struct order *o = &k->order;
	struct span	    cell[CELLS], key;
	unsigned	    n = split(line, o->separator, cell);
	uint64_t	    count = 1;

	if (n < o->cells)
		return refuse_row(line, e);
	key = cell_at(cell, n, o->place[KEY]);
	if (o->place[OP] < 0) /* up to the size of the key */
		key.n = (size_t)(cell[n - TWITTER_TAIL].s - 1 - key.s);
	k->time = 0;
	if (o->place[TIME] &&
	    (!lines_time(cell_at(cell, n, o->place[TIME]).s, o->unit, &k->time) ||
		!cell_at(cell, n, o->place[TIME]).n))
		return refuse_row(line, e);
	if (o->place[COUNT] && !take_number(cell_at(cell, n, o->place[COUNT]), COUNT_MAX, &count))
		return refuse_row(line, e);
	k->op = OP_READ;
	if (o->place[OP] && !take_op(k, in, cell_at(cell, n, o->place[OP])))
		return 0;
	k->hash = checksum(key.s, key.n);
	k->again = count;
	return count != 0;
}

static int
take_line(struct keys *k, struct input *in, const char *line, struct error *e)
{
	struct order o;

	if (unlikely(!k->order.cells || scan_is_letter(*line))) {
		int found = find_order(&o, line);

		if (found)
			k->order = o;
		if (found == 2)
			return 0;
		if (!k->order.cells) {
			input_skip(in, line);
			return 0;
		}
	}
	return take_row(k, in, line, e);
}

static int
keys_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct keys *k = self;
	char	    *line;

	while (!k->again) {
		int status = scan_line(in, &line, e);

		if (status <= 0 || (status = take_line(k, in, line, e)) < 0)
			return status;
		input_note(in, "each key is one block, whatever the size of its object");
	}
	k->again--;
	r->op = k->op;
	r->time = k->time;
	r->pid = 1;
	return objects_place(&k->objects, k->hash, r, e) ? -1 : 1;
}

FORMAT(keys,
    .plugin = { .name = "keys",
	.summary = "keys of object caches as text: Twitter, Meta, IBM, Wikipedia",
	.state_size = sizeof(struct keys),
	.params = objects_params,
	.source =
	    "Yang, Yue, Rashmi: A large scale analysis of hundreds of in-memory cache clusters at Twitter, OSDI 2020" },
    .lacks = OBJECTS_LACK, .recognise = keys_recognise, .read = keys_read,
    .release = objects_release);
