/* heap.c - objects at the ends of spaces, and spaces on pages. */
#include <stdlib.h>

#include "sim/studies/share/model/allocator.h"

const char *const spanning_words[] = { "no", "min", "fit", NULL };

static unsigned
shift_of(uint32_t power_of_two)
{
	return (unsigned)__builtin_ctz(power_of_two);
}

/* Pages that an object touches if it begins at that byte of one. */
static uint64_t
pages_touched(const struct heap *h, uint64_t from, uint64_t bytes)
{
	return (from + bytes + h->page_bytes - 1) >> h->page_shift;
}

/* Each object may begin in the middle of a page. */
static int
count_room(struct heap *h, uint64_t *pages, struct error *e)
{
	const struct program *p = h->program;

	*pages = 0;
	for (uint32_t i = 1; i <= p->nobjects; i++) {
		*pages += pages_touched(h, h->page_bytes - 1, p->object[i].bytes);
		if (*pages >= UINT32_MAX)
			return error_set(e, "the objects are on more than %u pages of %u bytes",
			    UINT32_MAX, h->page_bytes);
	}
	return 0;
}

static void
lay_out(struct heap *h)
{
	const struct program *p = h->program;
	uint32_t	      pages = 0;

	for (uint32_t i = 1; i <= p->nobjects; i++) {
		h->address[i] = (struct address){ .skew = UNPLACED, .pages = pages };
		pages += (uint32_t)pages_touched(h, h->page_bytes - 1, p->object[i].bytes);
	}
}

int
heap_init(struct heap *h, const struct program *p, uint32_t page_bytes, struct error *e)
{
	uint64_t room;

	*h = (struct heap){ .program = p,
		.page_bytes = page_bytes,
		.page_shift = shift_of(page_bytes),
		.word_shift = shift_of(p->word_bytes) };
	if (count_room(h, &room, e))
		return -1;
	h->room = (uint32_t)room;
	h->address = calloc((size_t)p->nobjects + 1, sizeof(*h->address));
	h->requested = calloc((size_t)p->nobjects + 1, sizeof(*h->requested));
	h->early = calloc((size_t)p->nobjects + 1, sizeof(*h->early));
	h->page_of = calloc(room + 1, sizeof(*h->page_of));
	if (h->address && h->requested && h->early && h->page_of) {
		lay_out(h);
		return 0;
	}
	heap_release(h);
	return error_set(e, "out of memory for the places of %u objects", p->nobjects);
}

void
heap_release(struct heap *h)
{
	free(h->address);
	free(h->requested);
	free(h->early);
	free(h->page_of);
	*h = (struct heap){ 0 };
}

void
heap_place(struct heap *h, struct space *s, uint32_t object)
{
	struct address *at = &h->address[object];
	uint64_t	from = s->left ? h->page_bytes - s->left : 0, bytes = heap_bytes(h, object);
	uint64_t	n = pages_touched(h, from, bytes);

	ASSERT(!heap_is_placed(h, object));
	at->skew = (uint32_t)from + TAG_BYTES;
	for (uint64_t i = 0; i < n; i++) {
		if (i || !s->left)
			s->page = h->npages++;
		h->page_of[at->pages + i] = s->page;
	}
	s->left = (uint32_t)((n << h->page_shift) - from - bytes);
}

void
heap_skip(struct heap *h, struct space *s, uint64_t bytes)
{
	if (bytes < s->left) {
		s->left -= (uint32_t)bytes;
		return;
	}
	bytes = (bytes - s->left) % h->page_bytes;
	heap_begin_page(s);
	if (bytes) {
		s->page = h->npages++;
		s->left = h->page_bytes - (uint32_t)bytes;
	}
}

void
heap_place_spanning(struct heap *h, struct space *s, uint32_t object, uint64_t spanning)
{
	uint64_t bytes = heap_bytes(h, object);

	if (spanning == SPANNING_FIT && bytes > s->left)
		heap_begin_page(s);
	if (spanning == SPANNING_MIN && s->left &&
	    pages_touched(h, h->page_bytes - s->left, bytes) > pages_touched(h, 0, bytes))
		heap_begin_page(s);
	heap_place(h, s, object);
}
