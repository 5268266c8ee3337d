/* memo.c - a stream that grows in memory. */
#include <stdlib.h>

#include "sim/base/memo.h"

int
memo_open(struct memo *m, struct error *e)
{
	*m = (struct memo){ 0 };
	m->out = open_memstream(&m->text, &m->bytes);
	return m->out ? 0 : error_set(e, "out of memory");
}

int
memo_close(struct memo *m, struct error *e)
{
	if (!fclose(m->out))
		return 0;
	free(m->text);
	m->text = NULL;
	return error_set(e, "out of memory");
}
