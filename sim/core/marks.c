/* marks.c - one mark for each process and file with a descriptor, found by bisection. */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/marks.h"

#define NO_PROCESS UINT32_MAX /* of the entry behind the last: files without a descriptor */

static int
by_file_and_process(const void *a, const void *b)
{
	const struct open_file *x = a, *y = b;

	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

/* The marks of n sorted descriptors, of which several may be those of one process and file. */
static void
fill(struct marks *m, const struct open_file *open, uint32_t n)
{
	uint32_t used = 0;
	file_t	 file = 0;

	for (uint32_t i = 0; i < n; i++) {
		while (file <= open[i].file)
			m->first[file++] = used;
		if (!i || by_file_and_process(&open[i - 1], &open[i]))
			m->mark[used++] = (struct mark){ open[i].process, MARK_NONE };
	}
	while (file <= m->nfiles)
		m->first[file++] = used;
	m->mark[n] = (struct mark){ NO_PROCESS, MARK_NONE };
	for (file = 0; file < m->nfiles; file++)
		m->recent[file] = m->first[file] < m->first[file + 1] ? m->first[file] : n;
}

int
marks_init(struct marks *m, const struct trace *t, struct error *e)
{
	struct open_file *sorted = calloc((size_t)t->nopen + 1, sizeof(*sorted));

	*m = (struct marks){ .nfiles = t->nfiles };
	m->mark = memory_table((size_t)t->nopen + 1, sizeof(*m->mark));
	m->first = memory_table((size_t)t->nfiles + 1, sizeof(*m->first));
	m->recent = memory_table((size_t)t->nfiles + 1, sizeof(*m->recent));
	if (!sorted || !m->mark || !m->first || !m->recent) {
		free(sorted);
		marks_release(m);
		return error_set(e, "out of memory for the marks of %u descriptors and %u files",
		    t->nopen, t->nfiles);
	}
	for (uint32_t i = 0; i < t->nopen; i++)
		sorted[i] = t->open[i];
	qsort(sorted, t->nopen, sizeof(*sorted), by_file_and_process);
	fill(m, sorted, t->nopen);
	free(sorted);
	return 0;
}

void
marks_release(struct marks *m)
{
	free(m->mark);
	free(m->first);
	free(m->recent);
	*m = (struct marks){ 0 };
}

struct mark *
marks_find(struct marks *m, const struct use *u)
{
	uint32_t low, high;

	if (u->file >= m->nfiles)
		return NULL;
	low = m->first[u->file];
	high = m->first[u->file + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (m->mark[middle].process == u->process) {
			m->recent[u->file] = middle;
			return &m->mark[middle];
		}
		if (m->mark[middle].process < u->process)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}
