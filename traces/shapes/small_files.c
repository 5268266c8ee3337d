/*
 * small_files.c - many small files, each opened and read to its end.
 *
 * The size of a file is a matter of its number: any size between the smallest
 * and the largest, half of the files below their geometric mean.
 */
#include "sim/trace/shape.h"

enum order { ORDER_RANDOM, ORDER_LISTED };

struct small_files {
	struct shape_settings all;
	uint64_t	      files, smallest, largest, order;
	uint64_t	      visits;
	uint64_t	      file, bytes, offset; /* the current one; offset: of the next call */
};

static const char *const order_words[] = { "random", "listed", NULL };

static const struct param params[] = {
	{ "files", PARAM_COUNT, 2000, 1, SHAPE_FILES, offsetof(struct small_files, files),
	    "number of files", NULL },
	{ "smallest", PARAM_BYTES, 1024, 1, 1 << 30, offsetof(struct small_files, smallest),
	    "size of the smallest", NULL },
	{ "largest", PARAM_BYTES, 65536, 1, 1 << 30, offsetof(struct small_files, largest),
	    "size of the largest; small files are more frequent", NULL },
	SHAPE_PARAMS(20000, 1, 4096),
	{ "order", PARAM_WORD, ORDER_RANDOM, 0, ORDER_LISTED, offsetof(struct small_files, order),
	    "any file next, or each in its turn, round after round", order_words },
	{ 0 },
};

static int
small_files_init(void *self, struct error *e)
{
	struct small_files *s = self;

	return s->smallest > s->largest ? error_usage(e, "smallest is larger than largest") : 0;
}

static uint64_t
size_of(const struct small_files *s, uint64_t file)
{
	double share = chance_share(chance_at(~s->all.key, file));
	double ratio = (double)s->largest / (double)s->smallest;

	return (uint64_t)((double)s->smallest * chance_exp(share * chance_log(ratio)));
}

static void
open_next(struct small_files *s)
{
	uint64_t n = s->visits++;

	s->file = s->order == ORDER_LISTED ? n % s->files : chance_at(s->all.key, n) % s->files;
	s->bytes = size_of(s, s->file);
	s->offset = 0;
}

static bool
small_files_call(void *self, uint64_t i, struct shape_call *c)
{
	struct small_files *s = self;

	if (s->offset >= s->bytes) {
		open_next(s);
		c->opens = true;
	}
	c->file = s->file;
	c->file_bytes = s->bytes;
	c->offset = s->offset;
	s->offset += s->all.call;
	return true;
}

SHAPE(small_files,
    .plugin = { .name = "small-files",
	.summary = "many small files, each opened and read to its end",
	.state_size = sizeof(struct small_files),
	.params = params },
    .teaches = "files end before the window has grown: positioning takes longer than reading",
    .init = small_files_init, .call = small_files_call);
