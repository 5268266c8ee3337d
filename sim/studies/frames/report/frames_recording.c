/* frames_recording.c - what a recording of a kernel holds, and what it lacks. */
#include <inttypes.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/frames/report/frames_recording.h"

static void
print_count(const char *before, uint64_t n, const char *what, FILE *out)
{
	char text[NUMBER_TEXT];

	fprintf(out, "%s%s %s%s", before, number_group(text, n), what, n == 1 ? "" : "s");
}

static double
percent(uint64_t part, uint64_t of)
{
	return of ? 100 * (double)part / (double)of : 0;
}

static void
print_contents(const struct recording_facts *f, FILE *out)
{
	uint64_t seen = f->gives - f->missed;

	print_count("recorded of a kernel: ", f->takes, "request", out);
	print_count(" of ", f->processes, "task", out);
	print_count(", ", seen, "free", out);
	fprintf(out, " (%.1f %% by another task: here the thread that took the pages frees them)",
	    percent(f->foreign, seen));
	print_count(", at most ", f->most, "page", out);
	fputs(" at once\n", out);
	if (f->refilled || f->drained) {
		print_count("the kernel itself moved ", f->refilled, "page", out);
		fputs(" from its buddy lists to those of a processor,", out);
		print_count(" and ", f->drained, "page", out);
		fputs(" back\n", out);
	}
}

static void
begin_line(const char *name, FILE *out)
{
	fputs(*name ? "bufsim: " : "note: ", out);
	text_print(name, out);
	fputs(*name ? ": " : "", out);
}

static void
print_number(const char *name, const char *what, uint64_t n, FILE *out)
{
	char text[NUMBER_TEXT];

	if (!n)
		return;
	begin_line(name, out);
	fprintf(out, "%s: %s\n", what, number_group(text, n));
}

static void
print_note(const char *name, const char *note, uint64_t times, FILE *out)
{
	char text[NUMBER_TEXT];

	begin_line(name, out);
	if (times)
		fprintf(out, "%s ", number_group(text, times));
	fprintf(out, "%s\n", note);
}

void
frames_losses(const struct recording_facts *f, const char *name, FILE *out)
{
	for (unsigned i = 0; i < RECORDING_NOTES && f->note[i]; i++)
		print_note(name, f->note[i], f->noted[i], out);
	print_number(name, "frees that are missing, put before the next request for their pages",
	    f->missed, out);
	print_number(name, "lines that are no events, passed over", f->skipped, out);
}

void
frames_recording(const struct recording_facts *f, FILE *out)
{
	print_contents(f, out);
	print_number("", "frees of pages that were taken before, left out", f->before, out);
	print_number("", "requests that the kernel did not meet, left out", f->failures, out);
	frames_losses(f, "", out);
}
