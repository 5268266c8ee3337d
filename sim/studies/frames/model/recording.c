/* recording.c - a recording read, and dealt to threads. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/studies/frames/model/recording.h"
#include "sim/trace/input.h"
#include "sim/trace/scan.h"

enum { QUOTE = 24 };

#define GIVEN UINT32_MAX /* in the place of the process: the page is given back */

struct page_event {
	uint32_t page;
	uint32_t process; /* that takes it, or GIVEN */
};

/* Pages and processes have the numbers of their first takes, from 0. */
struct recording {
	uint64_t	       rounds;
	struct recording_facts facts;
	uint32_t	       pages;
	struct page_event     *event;
	size_t		       n, room;
};

/* ---- events ---- */

struct source {
	struct recording *to;
	struct input	 *in;
	uint64_t	  cache, processes; /* of the first line */
	uint64_t	  held;
	struct map	  page;	   /* 2 x (number from 1) + 1 if it is held */
	struct map	  process; /* number from 1 */
};

static int
add_event(struct recording *r, uint32_t page, uint32_t process, struct error *e)
{
	if (r->n == r->room) {
		size_t		   room = r->room ? 2 * r->room : 1024;
		struct page_event *more = realloc(r->event, room * sizeof(*more));

		if (!more)
			return error_set(e, "out of memory for %zu events", room);
		r->event = more;
		r->room = room;
	}
	r->event[r->n++] = (struct page_event){ page, process };
	return 0;
}

static int
take(struct source *r, uint64_t page, uint64_t process, struct error *e)
{
	struct recording *to = r->to;
	uint32_t	 *at = map_at(&r->page, page), *by = map_at(&r->process, process);

	if (!at || !by)
		return error_set(e, "out of memory for %u pages", to->pages);
	if (*at & 1)
		return error_set(e, "page %llu is taken, but was not given back",
		    (unsigned long long)page);
	if (!*at)
		*at = 2 * ++to->pages;
	if (!*by)
		*by = ++to->facts.processes;
	*at |= 1;
	to->facts.takes++;
	if (++r->held > to->facts.most)
		to->facts.most = r->held;
	return add_event(to, *at / 2 - 1, *by - 1, e);
}

static int
give(struct source *r, uint64_t page, struct error *e)
{
	uint32_t *at = map_at(&r->page, page);

	if (!at)
		return error_set(e, "out of memory for %u pages", r->to->pages);
	if (!(*at & 1))
		return error_set(e, "page %llu is given back, but is not taken",
		    (unsigned long long)page);
	*at &= ~UINT32_C(1);
	r->to->facts.gives++;
	r->held--;
	return add_event(r->to, *at / 2 - 1, GIVEN, e);
}

/* ---- lines ---- */

static int
take_event(struct source *r, const char *s, struct error *e)
{
	char	 what = *s, text[QUOTE + 4];
	uint64_t page, process;

	if ((what != '+' && what != '-') || !scan_ends_field(s[1])) {
		scan_quote(text, QUOTE, s, scan_length(s));
		return error_set(e, "'%s' is not + or -", text);
	}
	s++;
	if (scan_take(&s, "page", 0, r->cache - 1, &page, e) ||
	    scan_take(&s, "process", 0, r->processes - 1, &process, e) || scan_end(s, e))
		return -1;
	return what == '+' ? take(r, page, process, e) : give(r, page, e);
}

/* ---- the first line ---- */

static const char title[] = "# bufsim frames ";

static int
recognise(struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e);

	if (!head)
		return -1;
	if (!n)
		return error_set(e, "is empty");
	if (n < strlen(title) || memcmp(head, title, strlen(title)) != 0)
		return error_set(e,
		    "is not a recording of frames; if it is a trace, type bufsim run TRACE --frames "
		    "FILE, then bufsim frames FILE");
	return 0;
}

/* ", name N" */
static const char *
scan_named(const char *s, const char *name, uint64_t max, uint64_t *n)
{
	size_t length = strlen(name);

	if (!s || strncmp(s, name, length) != 0)
		return NULL;
	s = scan_digits(s + length, max, n);
	return s && *n ? s : NULL;
}

static int
take_header(struct source *r, const char *s, struct error *e)
{
	uint64_t format;

	s = scan_digits(s + strlen(title), UINT32_MAX, &format);
	if (s && format != RECORDING_FORMAT)
		return error_set(e, "is in format %llu; this program reads format %d",
		    (unsigned long long)format, RECORDING_FORMAT);
	s = scan_named(s, ", cache ", INT32_MAX, &r->cache);
	s = scan_named(s, ", processes ", UINT32_MAX, &r->processes);
	if (!s || (*s != ',' && !scan_ends_line(s)))
		return error_set(e,
		    "the first line is not '# bufsim frames %d, cache N, processes N, trace NAME'",
		    RECORDING_FORMAT);
	r->to->facts.cache_blocks = r->cache;
	return 0;
}

/* ---- all of it ---- */

static int
read_lines(struct source *r, struct error *e)
{
	char  *line;
	size_t length;
	int    status;

	while ((status = input_line(r->in, &line, &length, e)) == 1) {
		const char *s = scan_blanks(line);

		if (strlen(line) != length)
			return error_set(e, "a zero byte in the line: this is not text");
		if (input_line_number(r->in) == 1 && take_header(r, line, e))
			return -1;
		if (*s != '#' && !scan_ends_line(s) && take_event(r, s, e))
			return -1;
	}
	return status;
}

static int
read_input(struct recording *to, struct input *in, struct error *e)
{
	struct source r = { .to = to, .in = in };
	uint64_t      line;
	int	      failed;

	if (recognise(in, e))
		return -1;
	failed = read_lines(&r, e);
	line = input_line_number(in);
	if (!failed && !to->n)
		failed = error_set(e, "nothing follows: no page is taken");
	map_release(&r.page);
	map_release(&r.process);
	return failed ? error_prefix(e, "line %llu", (unsigned long long)line) : 0;
}

void
recording_release(struct instance *load)
{
	struct recording *r = load->self;

	if (r)
		free(r->event);
	free(r);
	*load = (struct instance){ 0 };
}

const struct recording_facts *
recording_facts(const struct instance *load)
{
	return &((const struct recording *)load->self)->facts;
}

/* ---- dealing ---- */

static uint64_t
thread_of(const struct recording *r, const struct page_event *v, uint64_t threads)
{
	uint64_t n = r->facts.processes;

	if (n >= threads)
		return v->process % threads;
	return v->process + n * (v->page % ((threads - v->process + n - 1) / n));
}

#define HELD (UINT32_C(1) << 31) /* else: the slot of the thread, from 1; 0: none yet */

static int
deal(struct recording *r, struct script *s, unsigned thread, uint64_t threads, uint32_t *place,
    struct error *e)
{
	uint32_t slots = 0;

	for (const struct page_event *v = r->event; v < r->event + r->n; v++) {
		uint32_t *at = &place[v->page];

		if (v->process == GIVEN) {
			if (!(*at & HELD))
				continue;
			*at &= ~HELD;
			if (script_add(s, MOVE_GIVE, *at - 1, 0, e))
				return -1;
		} else if (thread_of(r, v, threads) == thread) {
			*at = (*at ? *at : ++slots) | HELD;
			if (script_add(s, MOVE_TAKE, (*at & ~HELD) - 1, 0, e))
				return -1;
		}
	}
	return 0;
}

static int
give_rest(const struct recording *r, struct script *s, const uint32_t *place, struct error *e)
{
	for (uint32_t page = 0; page < r->pages; page++)
		if (place[page] & HELD && script_add(s, MOVE_GIVE, (place[page] & ~HELD) - 1, 0, e))
			return -1;
	return 0;
}

static int
recording_write(void *self, struct script *s, unsigned thread, const struct frames_shape *shape,
    struct error *e)
{
	struct recording *r = self;
	uint32_t	 *place = calloc(r->pages, sizeof(*place));
	int		  failed;

	s->rounds = r->rounds;
	if (!place)
		return error_set(e, "out of memory for %u pages", r->pages);
	failed = deal(r, s, thread, shape->threads, place, e) || give_rest(r, s, place, e);
	free(place);
	return failed ? -1 : 0;
}

static const struct param recording_params[] = {
	{ "rounds", PARAM_COUNT, 1, 1, UINT64_C(1) << 40, offsetof(struct recording, rounds),
	    "how often", NULL },
	{ 0 },
};

static const struct load recording = {
	.plugin = { .name = "recording",
	    .summary = "the pages that the cache of a run takes and gives back",
	    .state_size = sizeof(struct recording),
	    .params = recording_params },
	.write = recording_write,
};

int
recording_load(struct instance *load, const char *path, struct error *e)
{
	struct recording *r = plugin_state(&recording.plugin, NULL, e);
	struct input	 *in;
	int		  failed = -1;

	*load = (struct instance){ &recording.plugin, r };
	if (!r)
		return -1;
	in = input_open(path, e);
	if (in) {
		failed = read_input(r, in, e);
		input_close(in);
	}
	if (failed)
		recording_release(load);
	return failed ? error_prefix(e, "%s", path) : 0;
}
