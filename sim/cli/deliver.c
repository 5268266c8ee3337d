/* deliver.c - to a file, or to standard output. */
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/output.h"
#include "sim/cli/deliver.h"

int
deliver(const struct memo *m, const char *path, bool text, FILE *out, struct error *e)
{
	struct fold f;

	if (path && strcmp(path, "-") != 0)
		return output_whole(path, m->text, m->bytes, e);
	if (!text) {
		fwrite(m->text, 1, m->bytes, out);
		return 0;
	}
	if (fold_open(&f, out, e))
		return -1;
	fwrite(m->text, 1, m->bytes, f.out);
	return fold_close(&f, 0, e);
}
