/* cmd_record.c - bufsim record: run a program, and record its reads and writes. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/cli/writable.h"
#include "sim/host/record/child.h"
#include "sim/host/record/record.h"
#include "sim/host/record/recorders.h"
#include "sim/registry.h"

enum {
	BLOCK_SHIFT = 12,     /* the report counts references to blocks of 4K */
	COLD_BYTES = 1 << 20, /* more has taken time */
	TOO_SHORT_US = 10000, /* a run of less tells nothing by its time */
	INTERRUPTED = 130     /* exit status after Ctrl-C */
};

struct totals {
	uint64_t calls, references, read, written;
};

static struct totals
count(const struct trace *t)
{
	struct totals all = { .calls = t->naccess };

	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];

		all.references +=
		    ((a->offset + a->length - 1) >> BLOCK_SHIFT) - (a->offset >> BLOCK_SHIFT) + 1;
		*(a->write ? &all.written : &all.read) += a->length;
	}
	return all;
}

/* ---- the report ---- */

/* "1 mapping", "2 mappings". */
static void
print_number(uint64_t n, const char *what, FILE *out)
{
	char text[NUMBER_TEXT];

	fprintf(out, "%s %s%s", number_group(text, n), what, n == 1 ? "" : "s");
}

static void
print_totals(const struct trace *t, const char *name, const struct totals *all, FILE *out)
{
	char calls[NUMBER_TEXT], references[NUMBER_TEXT], files[NUMBER_TEXT], read[NUMBER_TEXT],
	    written[NUMBER_TEXT];

	text_print(name, out);
	fprintf(out, ": %s calls, %s references to %s file%s, %s read, %s written\n",
	    number_group(calls, all->calls), number_group(references, all->references),
	    number_group(files, t->nfiles), t->nfiles == 1 ? "" : "s",
	    number_bytes(read, all->read), number_bytes(written, all->written));
}

static void
print_time(const struct recorded *r, const char *tool, FILE *out)
{
	char traced[NUMBER_TEXT], untraced[NUMBER_TEXT];

	fprintf(out, "time: %s with %s", number_time(traced, (uint64_t)r->traced_us), tool);
	if (r->untraced_us >= 0)
		fprintf(out, ", %s without", number_time(untraced, (uint64_t)r->untraced_us));
	if (r->untraced_us > 0 && r->traced_us > r->untraced_us)
		fprintf(out, ": %.1f times slower", (double)r->traced_us / (double)r->untraced_us);
	if (*r->unscaled)
		fprintf(out, "; think times are not scaled: %s", r->unscaled);
	else if (r->factor < 1)
		fprintf(out, "; think times are multiplied by %.3f", r->factor);
	else if (r->traced_us < r->untraced_us && r->untraced_us > TOO_SHORT_US)
		fputs("; the recorded run did less than the first one: if it found its work done, "
		      "type --no-baseline",
		    out);
	else
		fputs("; think times are kept", out);
	putc('\n', out);
}

static void
print_mapped(const struct recorded *r, uint64_t read, bool faults, FILE *out)
{
	char size[NUMBER_TEXT];

	if (r->mappings) {
		print_number(r->mappings, "mapping", out);
		fprintf(out, " of %s", number_bytes(size, r->mapped_bytes));
	} else {
		fputs("no mmap of files", out);
	}
	if (faults) {
		fputs(", of which the trace has ", out);
		print_number(r->faults, "page fault", out);
	} else if (r->mapped_bytes) {
		fprintf(out, ", at most %.1f %% of all bytes that were read",
		    100. * (double)r->mapped_bytes / (double)(r->mapped_bytes + read));
	}
}

static void
print_missed(const struct recorded *r, uint64_t read, bool faults, FILE *out)
{
	fputs("missed: ", out);
	print_mapped(r, read, faults, out);
	fputs("; ", out);
	if (r->rings)
		print_number(r->ring_requests, "request", out);
	fputs(r->rings ? " of io_uring" : "no io_uring", out);
	if (r->rings && !r->ring_requests)
		fputs(", or more: its kernel thread takes them unseen", out);
	fputs("; ", out);
	if (r->aio_requests)
		print_number(r->aio_requests, "request", out);
	fputs(r->aio_requests ? " of AIO\n" : "no AIO\n", out);
}

static void
print_troubles(const struct recorded *r, const char *tool, bool faults, FILE *out)
{
	char size[NUMBER_TEXT], lost[NUMBER_TEXT];

	if (r->status > 128)
		fprintf(out, "note: the program was ended by signal %d\n", r->status - 128);
	else if (r->status)
		fprintf(out, "note: the program ended with exit status %d\n", r->status);
	if (r->cold_bytes > COLD_BYTES)
		fprintf(out,
		    "note: the run without %s read %s from a disk, so its time is too long: "
		    "record again for the right scale\n",
		    tool, number_bytes(size, r->cold_bytes));
	if (faults && r->status == INTERRUPTED)
		fputs("note: perf drops its last page faults at Ctrl-C\n", out);
	if (r->cut)
		fputs("note: the recording ended before the program did\n", out);
	if (r->lost)
		fprintf(out,
		    "note: %s lost %s events, so calls are missing: --with strace loses none\n",
		    tool, number_group(lost, r->lost));
	if (r->skipped) {
		fputs("note: left out ", out);
		print_number(r->skipped, "line", out);
		fprintf(out, " of %s: ", tool);
		text_print(r->first_skipped, out);
		putc('\n', out);
	}
}

static int
report(const struct trace *t, const char *name, const struct recorded *r,
    const struct record_options *how, struct error *e)
{
	struct totals all = count(t);
	struct fold   f;

	if (fold_open(&f, stderr, e))
		return -1;
	print_totals(t, name, &all, f.out);
	print_time(r, how->recorder->name, f.out);
	print_missed(r, all.read, how->faults, f.out);
	print_troubles(r, how->recorder->name, how->faults, f.out);
	fputs("next: bufsim run ", f.out);
	text_shell(name, f.out);
	fputs(t->nsteps ? " --replay process\n" : "\n", f.out);
	return fold_close(&f, 0, e);
}

/* ---- the command ---- */

static const struct format *
format_of(const struct recorder *r, struct error *e)
{
	const char	    *params;
	const struct plugin *p = registry_find(PLUGIN_FORMAT, r->format, &params, e);

	return (const struct format *)(const void *)p;
}

/* "make -j2", where the trace comes from; cut if it is long. */
static void
command_text(char *const *argv, char *text, size_t room)
{
	size_t n = 0;

	for (*text = '\0'; *argv && n < room; argv++)
		n += (size_t)snprintf(text + n, room - n, "%s%s", n ? " " : "", *argv);
	text_clean(text, room, text);
}

static int
write_trace(struct trace *t, const struct format *f, char *const *argv, struct output *out,
    struct error *e)
{
	char text[256];
	int  failed;

	command_text(argv, text, sizeof(text));
	t->source.path = text;
	progress_begin("writing", NULL, t->naccess);
	failed = f->write(t, out, e);
	progress_end();
	t->source.path = t->path;
	if (!failed)
		return output_commit(out, NULL, e);
	output_abandon(out);
	return -1;
}

static int
record(const struct options *o, const struct format *f, struct recorded *r, struct error *e)
{
	struct record_options how = { .argv = o->program,
		.baseline = !o->no_baseline,
		.faults = o->mapped };
	struct output	     *out;
	struct trace	      t;
	int		      failed;

	if (record_check(&how, e))
		return -1;
	how.recorder = recorder_choose(o->recorder, o->mapped, e);
	how.format = how.recorder ? format_of(how.recorder, e) : NULL;
	if (!how.format)
		return -1;
	out = output_open(o->output, e);
	if (!out)
		return -1;
	if (record_run(&t, &how, r, e)) {
		output_abandon(out);
		return -1;
	}
	failed = write_trace(&t, f, o->program, out, e);
	if (!failed)
		failed = report(&t, o->output, r, &how, e);
	trace_release(&t);
	return failed;
}

/* The exit status of the program is passed on, without a message of its own. */
int
cmd_record(const struct options *o, FILE *out, struct error *e)
{
	const struct format *f;
	struct recorded	     r;

	if (!o->output)
		return error_usage(e,
		    "the name of the trace is missing: bufsim record -o NAME.bst -- %s ...",
		    o->program[0]);
	f = writable_by_ending(o->output, "", e);
	if (!f || writable_place(f, o->output, e))
		return -1;
	child_catch_signals();
	if (record(o, f, &r, e))
		return -1;
	if (!r.status)
		return 0;
	e->exit_code = r.status;
	return -1;
}
