/*
 * kind_lu_blocks.c - LU decomposition in blocks, each processor's own together in memory.
 *
 *	S. C. Woo, M. Ohara, E. Torrie, J. P. Singh, A. Gupta.  The SPLASH-2 programs:
 *	characterization and methodological considerations.  ISCA 1995.
 *
 * Blocks are dealt out to a grid of processors.  In step k the block on the diagonal is
 * factored, then those in its row and column, then all behind these change.  A reference stands for
 * a part of the work with a block.
 */
#include "sim/studies/share/model/kind.h"

struct lu {
	struct kind_settings all;
	uint64_t	     n, block, element, samples;
};

enum { PAGE_START = 4096, N_MAX = 2048 };

static const struct param params[] = {
	{ "processors", PARAM_COUNT, 16, 1, PROCESSORS_MAX, KIND_AT(processors),
	    "number of processors", NULL },
	{ "n", PARAM_COUNT, 1024, 64, N_MAX, offsetof(struct lu, n),
	    "rows and columns of the matrix", NULL },
	{ "block", PARAM_COUNT, 16, 4, 64, offsetof(struct lu, block),
	    "rows and columns of a block", NULL },
	{ "element", PARAM_COUNT, 4, 4, 8, offsetof(struct lu, element),
	    "bytes of an element: 4 or 8", NULL },
	{ "samples", PARAM_COUNT, 4, 1, 16, offsetof(struct lu, samples),
	    "references that stand for the work with a block", NULL },
	{ 0 },
};

static uint64_t
nblocks(const struct lu *k)
{
	return k->n / k->block;
}

static int
lu_check(const void *self, struct error *e)
{
	const struct lu *k = self;

	if (k->n % k->block)
		return error_usage(e, "block: %u rows are not blocks of %u", (unsigned)k->n,
		    (unsigned)k->block);
	if (k->element % 4)
		return error_usage(e, "element: has 4 or 8 bytes, not %u", (unsigned)k->element);
	return 0;
}

/* Columns of the grid of processors: as square as their number allows. */
static unsigned
columns(const struct lu *k)
{
	unsigned p = (unsigned)k->all.processors, rows = 1;

	for (unsigned i = 1; i * i <= p; i++)
		if (p % i == 0)
			rows = i;
	return p / rows;
}

static uint64_t
block_bytes(const struct lu *k)
{
	return k->block * k->block * k->element;
}

static unsigned
rows(const struct lu *k)
{
	return (unsigned)k->all.processors / columns(k);
}

static unsigned
owner(const struct lu *k, uint64_t i, uint64_t j)
{
	return (unsigned)(i % rows(k) * columns(k) + j % columns(k));
}

/* Blocks of a row that one processor of that column of the grid has. */
static uint64_t
own_in_row(const struct lu *k, uint64_t column)
{
	return (nblocks(k) - column + columns(k) - 1) / columns(k);
}

/* An object for each processor, with its blocks row by row from where a page begins. */
static void
lu_request(const void *self, struct script *s, unsigned processor)
{
	const struct lu *k = self;
	uint64_t	 bytes;

	for (unsigned p = 0; !processor && p < k->all.processors; p++) {
		uint64_t of_column = (nblocks(k) - p / columns(k) + rows(k) - 1) / rows(k);
		uint64_t blocks = of_column * own_in_row(k, p % columns(k));

		blocks += !blocks;
		bytes = PAGE_START + blocks * block_bytes(k);
		script_line(s, "A %u %llu", p + 1,
		    (unsigned long long)((bytes + 4095) / 4096 * 4096));
	}
}

static void
refer(const struct lu *k, struct script *s, char letter, uint64_t i, uint64_t j)
{
	uint64_t words = block_bytes(k) / TAG_BYTES;
	uint64_t at = i / rows(k) * own_in_row(k, j % columns(k)) + j / columns(k);

	script_line(s, "%c %u %llu %llu %llu", letter, owner(k, i, j) + 1,
	    (unsigned long long)(PAGE_START / TAG_BYTES - 1 + at * words),
	    (unsigned long long)k->samples, (unsigned long long)(words / k->samples));
}

static void
change_border(const struct lu *k, struct script *s, unsigned processor, uint64_t step, uint64_t i,
    uint64_t j)
{
	if (owner(k, i, j) != processor)
		return;
	refer(k, s, 'R', step, step);
	refer(k, s, 'W', i, j);
}

static void
change_inner(const struct lu *k, struct script *s, unsigned processor, uint64_t step)
{
	for (uint64_t i = step + 1; i < nblocks(k) && script_has_room(s); i++)
		for (uint64_t j = step + 1; j < nblocks(k); j++)
			if (owner(k, i, j) == processor) {
				refer(k, s, 'R', i, step);
				refer(k, s, 'R', step, j);
				refer(k, s, 'W', i, j);
			}
}

/* Each processor sets its own blocks. */
static void
begin(const struct lu *k, struct script *s, unsigned processor)
{
	for (uint64_t i = 0; i < nblocks(k); i++)
		for (uint64_t j = 0; j < nblocks(k); j++)
			if (owner(k, i, j) == processor)
				refer(k, s, 'W', i, j);
	script_line(s, "B 1");
}

static void
lu_work(const void *self, struct script *s, unsigned processor)
{
	const struct lu *k = self;

	begin(k, s, processor);
	for (uint64_t step = 0; step < nblocks(k) && script_has_room(s); step++) {
		if (owner(k, step, step) == processor)
			refer(k, s, 'W', step, step);
		script_line(s, "B 1");
		for (uint64_t i = step + 1; i < nblocks(k); i++) {
			change_border(k, s, processor, step, step, i);
			change_border(k, s, processor, step, i, step);
		}
		script_line(s, "B 1");
		change_inner(k, s, processor, step);
	}
	script_line(s, "B 1");
}

KIND(lu_blocks,
    .plugin = { .name = "lu-blocks",
	.summary = "a matrix in blocks: who owns a block reads those of its row and column",
	.state_size = sizeof(struct lu),
	.params = params,
	.source =
	    "S. C. Woo, M. Ohara, E. Torrie, J. P. Singh, A. Gupta: The SPLASH-2 programs: characterization and methodological considerations, ISCA 1995" },
    .teaches = "two processors in one row of the grid read the same blocks: one fetch for both",
    .check = lu_check, .request = lu_request, .work = lu_work);
