/*
 * kind_sor.c - red-black successive over-relaxation: a grid in blocks of rows, whose borders the
 * neighbours read.
 */
#include "sim/studies/share/model/kind.h"

struct sor {
	struct kind_settings all; /* objects: red and black; size is not used */
	uint64_t	     rows, step;
};

enum { PAGE_START = 4096, FLOAT_BYTES = 4 };

static const struct param params[] = {
	{ "processors", PARAM_COUNT, 16, 1, PROCESSORS_MAX, KIND_AT(processors),
	    "number of processors", NULL },
	{ "rows", PARAM_COUNT, 4096, 64, 8192, offsetof(struct sor, rows),
	    "rows and columns of the grid, of 4 bytes a point; half of them are red", NULL },
	{ "rounds", PARAM_COUNT, 20, 1, 100000, KIND_AT(rounds),
	    "sweeps over the red points, and over the black ones", NULL },
	{ "step", PARAM_COUNT, 64, 1, 512, offsetof(struct sor, step),
	    "a reference stands for so many words of 8 bytes", NULL },
	{ 0 },
};

/* Words of a row of one colour. */
static uint64_t
row_words(const struct sor *k)
{
	return k->rows / 2 * FLOAT_BYTES / TAG_BYTES;
}

static int
sor_check(const void *self, struct error *e)
{
	const struct sor *k = self;

	if (row_words(k) % k->step)
		return error_usage(e, "step: a row of %u words is not a multiple of %u",
		    (unsigned)row_words(k), (unsigned)k->step);
	return 0;
}

/* Rows begin where pages do, if the objects do. */
static void
sor_request(const void *self, struct script *s, unsigned processor)
{
	const struct sor *k = self;

	for (unsigned colour = 1; !processor && colour <= 2; colour++)
		script_line(s, "A %u %llu", colour,
		    (unsigned long long)(PAGE_START + row_words(k) * k->rows * TAG_BYTES));
}

static uint64_t
first_row(const struct sor *k, unsigned processor)
{
	return k->rows * processor / k->all.processors;
}

/* One reference of rows in a loop, by that many rows away. */
static void
refer(const struct sor *k, struct script *s, char letter, unsigned colour, uint64_t row)
{
	script_line(s, "%c %u %llu %llu %llu", letter, colour,
	    (unsigned long long)(PAGE_START / TAG_BYTES - 1 + row * row_words(k)),
	    (unsigned long long)row_words(k), (unsigned long long)k->step);
}

/* The points of one colour become a mean of their neighbours, which have the other. */
static void
sweep(const struct sor *k, struct script *s, unsigned processor, unsigned colour)
{
	uint64_t from = first_row(k, processor), end = first_row(k, processor + 1);

	if (!from)
		from = 1;
	if (end == k->rows)
		end--;
	script_line(s, "( %llu", (unsigned long long)(end - from));
	script_line(s, "( %llu", (unsigned long long)(row_words(k) / k->step));
	for (int by = -1; by <= 1; by++)
		refer(k, s, 'R', 3 - colour, (uint64_t)((int64_t)from + by));
	refer(k, s, 'W', colour, from);
	script_line(s, ")");
	script_line(s, ")");
}

/* Each processor sets its own rows. */
static void
begin(const struct sor *k, struct script *s, unsigned processor)
{
	uint64_t from = first_row(k, processor), end = first_row(k, processor + 1);

	script_line(s, "( %llu", (unsigned long long)(end - from));
	script_line(s, "( %llu", (unsigned long long)(row_words(k) / k->step));
	for (unsigned colour = 1; colour <= 2; colour++)
		refer(k, s, 'W', colour, from);
	script_line(s, ")");
	script_line(s, ")");
	script_line(s, "B 1");
}

static void
sor_work(const void *self, struct script *s, unsigned processor)
{
	const struct sor *k = self;

	begin(k, s, processor);
	for (uint64_t r = 0; r < k->all.rounds && script_has_room(s); r++)
		for (unsigned colour = 1; colour <= 2; colour++) {
			sweep(k, s, processor, colour);
			script_line(s, "B 1");
		}
}

KIND(sor,
    .plugin = { .name = "sor",
	.summary =
	    "a grid in blocks of rows: each processor reads the border rows of its neighbours",
	.state_size = sizeof(struct sor),
	.params = params },
    .teaches = "two processors of a node save the fetches of the border between them",
    .check = sor_check, .request = sor_request, .work = sor_work);
