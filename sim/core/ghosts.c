/* ghosts.c - allocate and free the two arrays of ghosts. */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/ghosts.h"

int
ghosts_init(struct ghosts *g, uint64_t n, const struct cache *c, struct error *e)
{
	*g = (struct ghosts){ .n = n < c->nblocks ? (frame_t)n : c->nblocks };
	g->entry = memory_table((size_t)g->n + 1, sizeof(*g->entry));
	g->of = memory_table(c->nblocks, sizeof(*g->of));
	if (g->entry && g->of)
		return 0;
	ghosts_release(g);
	return error_set(e, "out of memory for the ghosts of files of %u blocks", c->nblocks);
}

void
ghosts_release(struct ghosts *g)
{
	free(g->entry);
	free(g->of);
	*g = (struct ghosts){ 0 };
}
