/* pages.c - the page cache, the files and the simple disks of the vectors. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vectors/pages.h"

enum { MOST_PAGES = 1 << 24 };

/* ---- text ---- */

static void
text_reserve(struct text *t, size_t more)
{
	if (t->used + more < t->room)
		return;
	t->room = 2 * (t->used + more) + 256;
	t->s = realloc(t->s, t->room);
	if (!t->s)
		abort();
}

void
text_clear(struct text *t)
{
	text_reserve(t, 1);
	t->used = 0;
	t->s[0] = '\0';
}

void
text_add(struct text *t, const char *format, ...)
{
	va_list args;
	int	n;

	text_reserve(t, 64);
	va_start(args, format);
	n = vsnprintf(t->s + t->used, t->room - t->used, format, args);
	va_end(args);
	if ((size_t)n >= t->room - t->used) {
		text_reserve(t, (size_t)n + 1);
		va_start(args, format);
		vsnprintf(t->s + t->used, t->room - t->used, format, args);
		va_end(args);
	}
	t->used += (size_t)n;
}

void
text_list_start(struct text *t)
{
	text_clear(t);
	text_add(t, "[");
}

void
text_list_add(struct text *t, int64_t value)
{
	text_add(t, t->used > 1 ? ",%" PRId64 : "%" PRId64, value);
}

void
text_list_end(struct text *t)
{
	text_add(t, "]");
}

/* ---- JSON ---- */

int
json_number(const cJSON *o, const char *name, uint64_t max, uint64_t *value, struct error *e)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, name);

	*value = 0;
	if (!cJSON_IsNumber(m) || m->valuedouble < 0 || m->valuedouble > (double)max)
		return error_set(e, "'%s' is not a number from 0 to %" PRIu64, name, max);
	*value = (uint64_t)m->valuedouble;
	if ((double)*value != m->valuedouble) /* exact: both are whole */
		return error_set(e, "'%s' is not a whole number", name);
	return 0;
}

int
json_optional(const cJSON *o, const char *name, uint64_t fallback, uint64_t max, uint64_t *value,
    struct error *e)
{
	*value = fallback;
	if (!cJSON_GetObjectItemCaseSensitive(o, name))
		return 0;
	return json_number(o, name, max, value, e);
}

int
step_compare(const cJSON *step, const char *name, const char *got, char *why, size_t room,
    struct error *e)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(step, name);
	char	    *printed = NULL;
	const char  *expected;
	size_t	     used = strlen(why);
	int	     result;

	if (!m)
		return error_set(e, "the step has no '%s'", name);
	expected = cJSON_IsString(m) ? m->valuestring : (printed = cJSON_PrintUnformatted(m));
	if (!expected)
		return error_set(e, "out of memory");
	result = strcmp(expected, got) != 0;
	if (result)
		snprintf(why + used, room - used,
		    "    %s\n      recorded: %s\n      came:     %s\n", name, expected, got);
	cJSON_free(printed);
	return result;
}

/* ---- files ---- */

static int
add_file(struct pages *p, const cJSON *size, struct error *e)
{
	struct trace *t = &p->trace;
	struct file  *f = &p->file[t->nfiles++];
	double	      bytes = cJSON_IsNumber(size) ? size->valuedouble : -1;

	if (bytes < 0 || bytes > (double)MOST_PAGES * PAGE_BYTES)
		return error_set(e, "file %s: not a size this program can take", size->string);
	f->base = t->nblocks;
	f->inode = strtoull(size->string, NULL, 10);
	f->bytes = (uint64_t)bytes;
	f->nblocks = (uint32_t)((f->bytes + PAGE_BYTES - 1) / PAGE_BYTES) + PAGES_BEYOND;
	if (f->nblocks > (uint32_t)MOST_PAGES - t->nblocks)
		return error_set(e, "the files are too large for this program");
	t->nblocks += f->nblocks;
	return 0;
}

static int
find_file(const struct pages *p, uint64_t inode, file_t *found, struct error *e)
{
	for (file_t i = 0; i < p->trace.nfiles; i++) {
		*found = i;
		if (p->file[i].inode == inode)
			return 0;
	}
	return error_set(e, "the header has no file %" PRIu64, inode);
}

static int
add_open(struct pages *p, const cJSON *pair, struct error *e)
{
	const cJSON *fd = cJSON_GetArrayItem(pair, 0), *ino = cJSON_GetArrayItem(pair, 1);
	uint32_t     i = p->trace.nopen++;

	if (!cJSON_IsNumber(fd) || !cJSON_IsNumber(ino))
		return error_set(e, "'opens' are not pairs of numbers");
	p->descriptor[i] = (uint32_t)fd->valueint;
	return find_file(p, (uint64_t)ino->valueint, &p->open[i].file, e);
}

static int
add_files(struct pages *p, const cJSON *header, struct error *e)
{
	const cJSON *files = cJSON_GetObjectItemCaseSensitive(header, "files"), *m;
	const cJSON *opens = cJSON_GetObjectItemCaseSensitive(header, "opens");
	size_t	     nopen = (size_t)cJSON_GetArraySize(opens);

	p->file = calloc((size_t)cJSON_GetArraySize(files) + 1, sizeof(*p->file));
	p->open = calloc(nopen + 1, sizeof(*p->open));
	p->descriptor = calloc(nopen + 1, sizeof(*p->descriptor));
	p->started = calloc(nopen + 1, sizeof(*p->started));
	if (!p->file || !p->open || !p->descriptor || !p->started)
		return error_set(e, "out of memory");
	if (!cJSON_IsObject(files) || !cJSON_IsArray(opens))
		return error_set(e, "the header lacks 'files' or 'opens'");
	p->trace.file = p->file;
	p->trace.open = p->open;
	cJSON_ArrayForEach(m, files) if (add_file(p, m, e) < 0) return -1;
	cJSON_ArrayForEach(m, opens) if (add_open(p, m, e) < 0) return -1;
	return 0;
}

/* ---- begin and end ---- */

static int
set_mode(struct pages *p, const cJSON *header, struct error *e)
{
	const cJSON *mode = cJSON_GetObjectItemCaseSensitive(header, "mode");

	p->mode = 'Z';
	if (cJSON_IsString(mode))
		p->mode = mode->valuestring[0];
	if (!p->mode || !strchr("ABCRZ", p->mode))
		return error_set(e, "'%c' is no mode of completion: A, B, C, R or Z", p->mode);
	if (json_optional(header, "n", 0, UINT32_MAX, &p->delay, e) < 0)
		return -1;
	return json_optional(header, "reqmax", UINT32_MAX, UINT32_MAX, &p->reqmax, e);
}

static int
obtain(struct pages *p, const char *params, struct error *e)
{
	block_t n = p->trace.nblocks;

	p->page = calloc(n, sizeof(*p->page));
	p->flight = calloc(n, sizeof(*p->flight));
	if (!p->page || !p->flight)
		return error_set(e, "out of memory");
	if (cache_init(&p->cache, n, n, e) < 0)
		return -1;
	p->self =
	    prefetcher_start(&(struct choice){ .plugin = &p->prefetcher->plugin, .params = params },
		&p->trace, e);
	return p->self ? 0 : -1;
}

int
pages_begin(struct pages *p, const cJSON *header, const struct prefetcher *prefetcher,
    const char *params, struct error *e)
{
	*p = (struct pages){
		.prefetcher = prefetcher,
		.trace = { .nblocks = 1, .block_bytes = PAGE_BYTES, .block_shift = PAGE_SHIFT },
	};
	if (set_mode(p, header, e) < 0 || add_files(p, header, e) < 0)
		return -1;
	return obtain(p, params, e);
}

void
pages_end(struct pages *p)
{
	if (p->self)
		prefetcher_stop(p->prefetcher, p->self);
	cache_release(&p->cache);
	free(p->page);
	free(p->flight);
	free(p->file);
	free(p->open);
	free(p->descriptor);
	free(p->started);
	free(p->events.s);
	free(p->demanded.s);
	free(p->ahead.s);
	*p = (struct pages){ 0 };
}

/* ---- the cache ---- */

static block_t
block_of(const struct pages *p, uint32_t index)
{
	return p->demand.base + index;
}

/* Within the current file, and what may lie just behind it? */
static bool
exists(const struct pages *p, uint32_t index)
{
	return index < p->file[p->demand.file].nblocks;
}

/* The frame of a block is always that of the same number. */
static void
bring_in(struct pages *p, block_t b, uint8_t flags)
{
	cache_bind(&p->cache, b, b);
	p->cache.frame[b].flags = flags;
	p->page[b] = (struct page){ 0 };
}

/* A folio goes as a whole. */
static void
drop(struct pages *p, block_t base, uint32_t index)
{
	uint8_t	 order = p->page[base + index].order;
	uint32_t first = index >> order << order;

	for (block_t b = base + first; b < base + first + (1u << order); b++) {
		frame_t f = cache_find(&p->cache, b);

		if (f && !(p->cache.frame[f].flags & FRAME_INFLIGHT))
			cache_unbind(&p->cache, f);
	}
}

int
pages_change(struct pages *p, const cJSON *step, struct error *e)
{
	const cJSON *op = cJSON_GetObjectItemCaseSensitive(step, "op");
	bool	     evicts = cJSON_IsString(op) && !strcmp(op->valuestring, "evict");
	uint64_t     inode, first, n;
	file_t	     file = 0;

	if (cJSON_IsString(op) && !strcmp(op->valuestring, "read"))
		return 0;
	if (!cJSON_IsString(op) || (!evicts && strcmp(op->valuestring, "cache") != 0))
		return error_set(e, "'op' is none of read, cache, evict");
	if (json_number(step, "ino", UINT32_MAX, &inode, e) < 0 ||
	    find_file(p, inode, &file, e) < 0 ||
	    json_number(step, "first", UINT32_MAX, &first, e) < 0 ||
	    json_number(step, "n", UINT32_MAX, &n, e) < 0)
		return -1;
	for (uint64_t i = first; i < first + n && i < p->file[file].nblocks; i++) {
		block_t base = p->file[file].base, b = base + (block_t)i;

		if (evicts && cache_find(&p->cache, b))
			drop(p, base, (uint32_t)i);
		else if (!evicts && !cache_find(&p->cache, b))
			bring_in(p, b, 0);
	}
	return 1;
}

bool
pages_found(const struct pages *p, uint32_t index)
{
	return exists(p, index) && cache_find(&p->cache, block_of(p, index));
}

bool
pages_in_flight(const struct pages *p, uint32_t index)
{
	return pages_found(p, index) && p->cache.frame[block_of(p, index)].flags & FRAME_INFLIGHT;
}

struct page *
pages_page(const struct pages *p, uint32_t index)
{
	return &p->page[block_of(p, index)];
}

/* ---- the disk ---- */

void
pages_done(struct pages *p, block_t b)
{
	uint32_t kept = 0;

	p->cache.frame[b].flags &= (uint8_t)~FRAME_INFLIGHT;
	p->cache.npinned--;
	for (uint32_t i = 0; i < p->nflight; i++)
		if (p->flight[i] != b)
			p->flight[kept++] = p->flight[i];
	p->nflight = kept;
}

/* The oldest in flight, as long as they were submitted no later than that. */
static void
complete_until(struct pages *p, uint64_t submitted)
{
	while (p->nflight && p->page[p->flight[0]].submitted <= submitted)
		pages_done(p, p->flight[0]);
}

/* The oldest in flight, up to block b. */
static void
complete_through(struct pages *p, block_t b)
{
	while (p->cache.frame[b].flags & FRAME_INFLIGHT)
		pages_done(p, p->flight[0]);
}

/* May block b join the newest request? */
static bool
joins(const struct pages *p, block_t b)
{
	return p->in_request && p->in_request < p->reqmax && p->nflight &&
	    p->flight[p->nflight - 1] + 1 == b;
}

static void
enter_flight(struct pages *p, block_t b)
{
	if (joins(p, b)) {
		p->in_request++;
	} else {
		p->in_request = 1;
		p->request++;
	}
	p->page[b].submitted = p->mode == 'R' ? p->request : p->touches;
	p->flight[p->nflight++] = b;
	p->cache.npinned++;
}

void
pages_touch(struct pages *p)
{
	p->touches++;
	if (p->mode == 'A' && !p->sleep)
		complete_until(p, UINT64_MAX);
	else if (p->mode == 'C' && p->touches >= p->delay)
		complete_until(p, p->touches - p->delay);
}

void
pages_wait(struct pages *p, uint32_t index)
{
	block_t b = block_of(p, index);

	pages_event(p, "W", index);
	if (p->sleep)
		p->sleep(p, b);
	else if (p->mode == 'A')
		complete_until(p, UINT64_MAX);
	else if (p->mode == 'B')
		pages_done(p, b);
	else if (p->mode == 'C')
		complete_through(p, b);
	else if (p->mode == 'R')
		complete_until(p, p->page[b].submitted);
	p->in_request = 0;
}

/* ---- a call ---- */

static int
find_open(const struct pages *p, uint64_t fd, uint32_t *found, struct error *e)
{
	for (uint32_t i = 0; i < p->trace.nopen; i++) {
		*found = i;
		if (p->descriptor[i] == fd)
			return 0;
	}
	return error_set(e, "the header does not open descriptor %" PRIu64, fd);
}

int
pages_call(struct pages *p, const cJSON *step, struct error *e)
{
	uint64_t	   fd, offset, length;
	uint32_t	   open = 0;
	const struct file *f;

	if (json_number(step, "fd", UINT32_MAX, &fd, e) < 0 || find_open(p, fd, &open, e) < 0 ||
	    json_number(step, "off", (uint64_t)UINT32_MAX * PAGE_BYTES, &offset, e) < 0 ||
	    json_number(step, "len", INT32_MAX, &length, e) < 0)
		return -1;
	f = &p->file[p->open[open].file];
	p->call = (struct access){
		.offset = offset,
		.length = (uint32_t)length & INT32_MAX,
		.file_size = f->bytes,
		.open = open & OPENS_MAX,
		.fresh = !p->started[open],
	};
	p->started[open] = true;
	p->demand = (struct demand){
		.call = &p->call,
		.file = p->open[open].file,
		.index = UINT32_MAX, /* none yet */
		.first = access_first(&p->trace, &p->call),
		.cache = &p->cache,
		.base = f->base,
		.end = f->nblocks - PAGES_BEYOND,
		.nblocks = f->nblocks,
	};
	text_clear(&p->events);
	text_list_start(&p->demanded);
	text_list_start(&p->ahead);
	return 0;
}

void
pages_event(struct pages *p, const char *letter, uint32_t index)
{
	text_add(&p->events, p->events.used ? " %s%u" : "%s%u", letter, index);
}

static void
submit(struct pages *p, uint32_t index, const char *letter, uint8_t flags)
{
	block_t b = block_of(p, index);

	if (letter)
		pages_event(p, letter, index);
	if (!exists(p, index)) /* nonsense: the event says so */
		return;
	if (p->mode == 'Z' && !p->sleep) {
		bring_in(p, b, flags);
		return;
	}
	bring_in(p, b, flags | FRAME_INFLIGHT);
	enter_flight(p, b);
	if (p->submitted)
		p->submitted(p, b, letter[0]);
}

void
pages_submit(struct pages *p, uint32_t index, const char *letter)
{
	submit(p, index, letter, FRAME_PREFETCHED);
	text_list_add(&p->ahead, index);
}

void
pages_demand(struct pages *p, uint32_t index)
{
	submit(p, index, "D", 0);
	text_list_add(&p->demanded, index);
}

static enum reference
classify(uint8_t flags)
{
	if (flags & FRAME_AWAITED)
		return REF_MISS;
	if (flags & FRAME_PREFETCHED)
		return flags & FRAME_INFLIGHT ? REF_LATE : REF_FIRST_HIT;
	return flags & FRAME_INFLIGHT ? REF_DELAYED : REF_HIT;
}

/* As the simulator does when a call references a block. */
void
pages_consult(struct pages *p, uint32_t index, uint32_t left, bool absent)
{
	struct demand *d = &p->demand;
	uint8_t	      *flags = NULL;

	if (left && pages_found(p, index))
		flags = &p->cache.frame[block_of(p, index)].flags;
	d->again = d->index == index;
	d->index = index;
	d->left = left;
	d->absent = absent;
	d->marked = flags && *flags & FRAME_MARKED;
	d->locked = flags ? *flags & FRAME_INFLIGHT : absent;
	d->how = absent || !flags ? REF_MISS : classify(*flags);
	if (flags)
		*flags &= FRAME_INFLIGHT | FRAME_DIRTY;
	plan_start(&p->plan);
	p->prefetcher->access(p->self, d, &p->plan);
}

static void
carry_out_page(struct pages *p, uint32_t index, const char *fresh, const char *cached)
{
	const struct demand *d = &p->demand;
	uint8_t		    *flags;

	if (pages_found(p, index)) {
		if (cached)
			pages_event(p, cached, index);
		return;
	}
	pages_submit(p, index, fresh);
	if (!exists(p, index))
		return;
	flags = &p->cache.frame[block_of(p, index)].flags;
	if (index > d->index && index - d->index < d->left)
		*flags ^= FRAME_PREFETCHED | FRAME_AWAITED;
	if (plan_marks(&p->plan, index)) {
		*flags |= FRAME_MARKED;
		text_add(&p->events, "!");
	}
}

void
pages_carry_out(struct pages *p, const char *fresh, const char *cached)
{
	const struct plan *plan = &p->plan;

	for (unsigned i = 0; i < plan->n; i++)
		for (uint32_t k = 0; k < plan->extent[i].count; k++)
			carry_out_page(p, plan->extent[i].index + k, fresh, cached);
	for (uint32_t k = 0; k < plan->unmark.count; k++)
		if (pages_found(p, plan->unmark.index + k))
			p->cache.frame[block_of(p, plan->unmark.index + k)].flags &=
			    (uint8_t)~FRAME_MARKED;
	if (plan->unplug)
		pages_event(p, "K", 0);
	if (plan->unplug && p->begin)
		p->begin(p);
}
