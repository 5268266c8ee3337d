/* calibrate_text.c - a calibration as text: the answer, a table with spread, misfits, what to type next. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/host/report/calibrate_report.h"

enum { CELL = 32 };

#define SPREAD_MAX 0.25 /* middle half of the rounds, as a share of the figure */
#define WAIT_MAX 0.10	/* of the time, waiting for a processor */

bool
calibrate_doubt(const struct calibrate_report *r, char text[CALIBRATE_DOUBT])
{
	enum quantity_id widest = calibration_widest(r->fit);
	double		 spread = r->fit->quantity[widest].middle;
	double		 wait = r->facts.elapsed_s > 0 ? r->facts.waited_s / r->facts.elapsed_s : 0;

	if (wait > WAIT_MAX)
		snprintf(text, CALIBRATE_DOUBT,
		    "this program waited for a processor for %.0f %% of the time (limit %.0f %%)",
		    100 * wait, 100 * WAIT_MAX);
	else if (spread > SPREAD_MAX)
		snprintf(text, CALIBRATE_DOUBT,
		    "the middle half of the rounds spreads over %.0f %% of %s (limit %.0f %%)",
		    100 * spread, quantity_info[widest].name, 100 * SPREAD_MAX);
	else
		return false;
	return true;
}

/* ---- numbers ---- */

/* Three digits and no exponent: 0.0471, 1.25, 87.1, 1938. */
static char *
digits(char cell[CELL], double x)
{
	int decimals = !(x > 0) ? 0 : 2 - (int)floor(log10(x));

	snprintf(cell, CELL, "%.*f", decimals < 0 ? 0 : decimals > 4 ? 4 : decimals, x);
	return cell;
}

/* "58,000": two digits count. */
static char *
rough(char cell[NUMBER_TEXT], double x)
{
	double unit = pow(10, floor(log10(fmax(x, 1))) - 1);

	unit = fmax(unit, 1);
	return number_group(cell, (uint64_t)(round(x / unit) * unit));
}

static char *
bytes_text(char cell[CELL], uint32_t bytes)
{
	if (bytes % 1024)
		snprintf(cell, CELL, "%" PRIu32 " bytes", bytes);
	else if (bytes % (1 << 20))
		snprintf(cell, CELL, "%" PRIu32 " KB", bytes >> 10);
	else
		snprintf(cell, CELL, "%" PRIu32 " MB", bytes >> 20);
	return cell;
}

/* ---- the answer ---- */

static void
print_answer(const struct calibrate_report *r, FILE *out)
{
	const struct quantity *f = r->fit->quantity;
	char		       time[CELL], rate[CELL], reads[NUMBER_TEXT], page[CELL];

	fprintf(out,
	    "4 KB in %s us, %s GB/s, %s reads a second at depth %" PRIu32
	    "; a cached page costs %s us\n",
	    digits(time, f[QUANTITY_read_us].value),
	    digits(rate, f[QUANTITY_contiguous_mb_s].value / 1e3),
	    rough(reads, f[QUANTITY_reads_per_s].value), r->fit->depth,
	    digits(page, f[QUANTITY_cached_page_us].value));
}

static void
print_warnings(const struct calibrate_report *r, FILE *out)
{
	char doubt[CALIBRATE_DOUBT], near[CELL], far[CELL];

	if (calibrate_doubt(r, doubt))
		fprintf(out, "too noisy to believe: %s; let the machine come to rest and repeat\n",
		    doubt);
	if (!calibration_is_disk(r->fit))
		return;
	fprintf(out,
	    "warning: a read far from the last takes %s us, one close to it %s us: this is a disk "
	    "with arms, which a sheet of kind ssd describes badly; take the sheet of a disk "
	    "(bufsim list devices), fit it with bufsim validate FILE --calibrate --device SHEET, "
	    "and name that with --device\n",
	    digits(far, r->fit->quantity[QUANTITY_far_us].value),
	    digits(near, r->fit->quantity[QUANTITY_near_us].value));
}

static void
print_machine(const struct calibrate_report *r, FILE *out)
{
	char bytes[NUMBER_TEXT];

	text_print(*r->facts.host.type ? r->facts.host.type : "a file system", out);
	fprintf(out, " on device %s, ", r->facts.host.device);
	text_print(r->facts.host.system, out);
	putc(' ', out);
	text_print(r->facts.host.release, out);
	fprintf(out, "; %" PRIu32 " round%s over %s in %.0f s\n", r->fit->rounds,
	    r->fit->rounds == 1 ? "" : "s", number_bytes(bytes, r->facts.bytes),
	    r->facts.elapsed_s);
}

/* ---- the table ---- */

static void
print_table(const struct calibrate_report *r, FILE *out)
{
	fprintf(out, "\n%-34s %-5s %9s %9s %9s\n", "", "", "median", "least", "most");
	for (unsigned i = 0; i < QUANTITIES; i++) {
		const struct quantity *f = &r->fit->quantity[i];
		char		       value[CELL], low[CELL], high[CELL];

		fprintf(out, "%-34s %-5s %9s %9s %9s\n", quantity_info[i].meaning,
		    quantity_info[i].unit, digits(value, f->value), digits(low, f->low),
		    digits(high, f->high));
	}
}

static void
print_misfits(const struct calibrate_report *r, FILE *out)
{
	static const char *const name[SERIES] = {
		[SERIES_DIRECT] = "direct reads",
		[SERIES_SCATTERED] = "into scattered pages",
		[SERIES_DEPTH] = "several at once",
		[SERIES_COLD] = "through the page cache",
		[SERIES_LARGE] = "cached, large folios",
		[SERIES_SINGLE] = "cached, single pages",
	};

	fputs("\nthe sheet against these measurements, at worst:\n", out);
	for (unsigned i = 0; i < SERIES; i++) {
		const struct misfit *m = &r->fit->misfit[i];
		char		     bytes[CELL];

		if (!m->at || !name[i])
			continue;
		fprintf(out, "  %-22s %+4.0f %% at %s", name[i], 100 * m->share,
		    bytes_text(bytes, m->at->bytes));
		if (m->at->depth > 1)
			fprintf(out, ", %" PRIu32 " at once", m->at->depth);
		putc('\n', out);
	}
}

/* ---- notes ---- */

static void
print_wait(const struct calibrate_report *r, FILE *out)
{
	double wait = r->facts.elapsed_s > 0 ? 100 * r->facts.waited_s / r->facts.elapsed_s : 0;

	if (r->facts.fifo)
		fprintf(out, "real-time priority (SCHED_FIFO); ");
	else
		fprintf(out,
		    "no real-time priority (SCHED_FIFO needs root): the wait for a "
		    "processor is subtracted; ");
	fprintf(out, "this program waited for a processor for %.1f %% of the time\n", wait);
}

static void
print_notes(const struct calibrate_report *r, FILE *out)
{
	char first[CELL], second[CELL];

	putc('\n', out);
	print_wait(r, out);
	if (calibration_has_tier(r->fit))
		fprintf(out,
		    "a second read takes %s us, the first %s us: a cache below this kernel, such as "
		    "a host's, serves it; the sheet is of a mix of both\n",
		    digits(second, r->fit->quantity[QUANTITY_second_us].value),
		    digits(first, r->fit->quantity[QUANTITY_first_us].value));
	if (!r->facts.huge)
		fputs("huge pages are off here, or /sys does not tell: contiguous memory may have "
		      "been only partly contiguous\n",
		    out);
	if (!strcmp(r->facts.host.type, "overlay"))
		fputs("overlay: the times include what it adds to those of the file system below\n",
		    out);
	if (r->fit->rounds == 1)
		fputs("one round has no spread\n", out);
}

void
calibrate_text(const struct calibrate_report *r, FILE *out)
{
	print_warnings(r, out);
	print_answer(r, out);
	print_machine(r, out);
	print_table(r, out);
	print_misfits(r, out);
	print_notes(r, out);
	fputs("\nwritten to ", out);
	text_print(r->sheet, out);
	fputs("; next: bufsim replay TRACE --device ", out);
	if (!r->is_here && !strchr(r->sheet, '/'))
		fputs("./", out); /* else it would be the name of a device */
	text_print(r->is_here ? "here" : r->sheet, out);
	putc('\n', out);
}
