/* notes.c - what a trace lacks, what was skipped or sorted, what is behind its mappings. */
#include "sim/report/notes.h"
#include "sim/base/number.h"
#include "sim/base/plugin.h"

static const struct lacking {
	const char *what, *instead; /* or NULL */
} lacking[LACKS] = {
	{ "files", "each volume is one file, see --stream-by" },
	{ "processes", NULL },
	{ "think times", NULL },
	{ "lengths", "each call is one block" },
	{ "addresses", NULL },
};

const char *
notes_lack(unsigned i)
{
	return lacking[i].what;
}

static void
print_lacks(const struct trace *t, FILE *out)
{
	const char *comma = "";

	fprintf(out, "note: %s has no ", t->source.format);
	for (unsigned i = 0; i < LACKS; i++) {
		if (!(t->lacks & 1U << i))
			continue;
		fprintf(out, "%s%s", comma, lacking[i].what);
		if (lacking[i].instead)
			fprintf(out, " (%s)", lacking[i].instead);
		comma = ", no ";
	}
	putc('\n', out);
}

/*
 * Identifiers are numbered in the order of first use, here or where the trace was made: the next
 * number is then the next new one by construction, as no address is.
 */
static void
print_addresses(const struct trace *t, FILE *out)
{
	char size[NUMBER_TEXT];

	fputs("note: its identifiers are not places on a device: prefetching and disk times mean "
	      "nothing here, as identifiers in the order of first use make the next one the right "
	      "guess by construction; hit ratios without prefetching do (--replay untimed)\n",
	    out);
	if (t->longest_bytes < t->block_bytes)
		fprintf(out,
		    "note: a block holds several identifiers, and a hit may be one of another: use "
		    "--block %s\n",
		    number_format(size, t->longest_bytes, PARAM_BYTES));
}

void
notes_print_lacks(const struct trace *t, FILE *out)
{
	char note[NOTE_ROOM];

	if (t->lacks)
		print_lacks(t, out);
	if (t->lacks & LACKS_ADDRESSES)
		print_addresses(t, out);
	for (unsigned i = 0; i < TRACE_NOTES && t->note[i]; i++)
		fprintf(out, "note: %s\n", trace_note(t, i, note));
}

void
notes_print(const struct trace *t, FILE *out)
{
	char n[NUMBER_TEXT], size[NUMBER_TEXT];

	notes_print_lacks(t, out);
	if (t->mmaps && !t->source.touched)
		fprintf(out,
		    "note: reads through mmap are not in the trace (%s mapped %s): see --mmap\n",
		    number_group(n, t->mmaps), number_bytes(size, t->mmap_bytes));
	if (t->out_of_order)
		fprintf(out,
		    "note: %s record%s of the trace had to be sorted by time: are its times "
		    "absolute?\n",
		    number_group(n, t->out_of_order), t->out_of_order == 1 ? "" : "s");
}
