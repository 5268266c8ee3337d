/* sharing.c - the degree of false sharing of each word that was referenced. */
#include <stdlib.h>

#include "sim/studies/share/model/sharing.h"

typedef void per_word(void *to, uint32_t page, uint64_t referenced);

/* All words that were referenced; their objects are placed. */
static void
each_word(const struct heap *h, const uint64_t *referenced, per_word *act, void *to)
{
	const struct program *p = h->program;

	for (uint32_t i = 1; i <= p->nobjects; i++)
		for (uint32_t w = 0; heap_is_placed(h, i) && w < p->object[i].words; w++)
			if (referenced[p->object[i].first_word + w])
				act(to, heap_page(h, &h->address[i], w),
				    referenced[p->object[i].first_word + w]);
}

static void
join_page(void *to, uint32_t page, uint64_t referenced)
{
	((uint64_t *)to)[page] |= referenced;
}

struct measuring {
	struct sharing *s;
	const uint64_t *page;
	double		sum;
};

static void
add_word(void *to, uint32_t page, uint64_t referenced)
{
	struct measuring *m = to;
	int		  word = __builtin_popcountll(referenced);
	int		  all = __builtin_popcountll(m->page[page]);

	m->s->words++;
	m->sum += 1 - (double)word / all;
	if (word == all)
		m->s->none++;
	else /* (0, 0.1] is the first */
		m->s->bin[(SHARING_BINS * (all - word) - 1) / all]++;
}

int
sharing_measure(struct sharing *s, const struct heap *h, const uint64_t *referenced,
    struct error *e)
{
	uint64_t	*page = calloc((size_t)h->npages + 1, sizeof(*page));
	struct measuring m = { s, page, 0 };

	*s = (struct sharing){ 0 };
	if (!page)
		return error_set(e, "out of memory for %u pages", h->npages);
	each_word(h, referenced, join_page, page);
	each_word(h, referenced, add_word, &m);
	s->mean = s->words ? m.sum / (double)s->words : 0;
	free(page);
	return 0;
}
