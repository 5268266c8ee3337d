/* store.c - accesses in memory, and from 64 MB on in a file. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/trace/format.h"
#include "sim/trace/store.h"

enum { FIRST = 4096, SPILL_FROM = (64 << 20) / sizeof(struct access) };

static int
grow_file(struct store *s, size_t n, size_t wanted, struct error *e)
{
	struct access *from = s->spill.base ? NULL : s->access;

	if (from && spill_open(&s->spill, s->folder, e))
		return -1;
	if (spill_grow(&s->spill, wanted * sizeof(*s->access), e))
		return -1;
	s->access = s->spill.base;
	s->capacity = wanted;
	if (from)
		memcpy(s->access, from, n * sizeof(*from));
	free(from);
	return 0;
}

int
store_grow(struct store *s, size_t n, struct error *e)
{
	size_t	       wanted = s->capacity ? s->capacity * 2 : FIRST;
	struct access *grown = NULL;

	if (n < s->capacity)
		return 0;
	if (s->folder && n >= SPILL_FROM)
		return grow_file(s, n, s->capacity + SPILL_FROM, e);
	if (wanted <= SIZE_MAX / sizeof(*grown))
		grown = realloc(s->access, wanted * sizeof(*grown));
	if (!grown)
		return error_no_memory(e);
	s->access = grown;
	s->capacity = wanted;
	return 0;
}

void
store_pass(const struct store *s, size_t i)
{
	if (s->spill.base && i % TRACE_BATCH == 0 && i)
		memory_drop(&s->access[i - TRACE_BATCH], TRACE_BATCH * sizeof(*s->access));
}

/* ---- in a trace ---- */

struct spilled {
	struct mapping mapping;
	struct spill   spill;
};

static int
check_nothing(const struct trace *t, size_t first, size_t n, struct error *e)
{
	return 0;
}

static void
unmap(struct trace *t)
{
	struct spilled *s = (struct spilled *)(void *)t->mapping;

	spill_close(&s->spill);
	free(s);
	t->mapping = NULL;
	t->access = NULL;
}

static int
give_file(struct store *s, struct trace *t, struct error *e)
{
	struct spilled *kept = malloc(sizeof(*kept));

	if (!kept)
		return error_no_memory(e);
	*kept = (struct spilled){ { check_nothing, unmap }, s->spill };
	t->mapping = &kept->mapping;
	t->access = s->access;
	*s = (struct store){ 0 };
	return 0;
}

int
store_give(struct store *s, struct trace *t, struct error *e)
{
	struct access *exact;

	if (s->spill.base)
		return give_file(s, t, e);
	exact = realloc(s->access, t->naccess * sizeof(*exact));
	if (exact)
		s->access = exact;
	t->access = s->access;
	*s = (struct store){ 0 };
	return 0;
}

void
store_release(struct store *s)
{
	if (s->spill.base)
		spill_close(&s->spill);
	else
		free(s->access);
	*s = (struct store){ 0 };
}
