/* advise_words.c - what to type. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/host/report/advise_report.h"

const char *
advise_kind(uint8_t kind)
{
	static const char *const name[ADVICE_KINDS] = { [ADVICE_NORMAL] = "NORMAL",
		[ADVICE_RANDOM] = "RANDOM",
		[ADVICE_SEQUENTIAL] = "SEQUENTIAL",
		[ADVICE_WILLNEED] = "WILLNEED",
		[ADVICE_DONTNEED] = "DONTNEED" };

	return name[kind];
}

unsigned
advise_ncommands(const struct advise *a, const struct line *l)
{
	return l->kind == LINE_WINDOW ? backing_ncommands(&a->backing) : 1;
}

static void
print_call(const struct advise *a, const struct proposal *p, unsigned file, FILE *out)
{
	const struct file *f = &a->attempts.t->file[a->attempts.file[file]];
	uint8_t		   kind = p->setting.advice[file];
	uint64_t	   piece = setting_piece(&a->attempts, &p->setting);

	if (kind == ADVICE_WILLNEED && f->bytes > piece)
		fprintf(out,
		    "for (off = 0; off < size; off += %" PRIu64 ") posix_fadvise(fd, off, %" PRIu64
		    ", POSIX_FADV_WILLNEED)",
		    piece, piece);
	else
		fprintf(out, "posix_fadvise(fd, 0, 0, POSIX_FADV_%s)", advise_kind(kind));
	fputs("; after each open of ", out);
	if (f->name)
		text_print(f->name, out);
	else
		fprintf(out, "inode %" PRIu64, f->inode);
}

void
advise_command(const struct advise *a, const struct proposal *p, const struct line *l, unsigned i,
    FILE *out)
{
	const struct setting *s = &p->setting;

	switch (l->kind) {
	case LINE_WINDOW:
		backing_command(&a->backing, s->window_kb, i, out);
		break;
	case LINE_SCHEDULER:
		fprintf(out, "echo %s > /sys/block/%s/queue/scheduler",
		    kernel_word(&a->attempts.kernel, (enum kernel_scheduler)s->scheduler),
		    a->backing.disk);
		break;
	case LINE_REQUEST:
		fprintf(out, "echo %" PRIu64 " > /sys/block/%s/queue/max_sectors_kb",
		    (uint64_t)s->request_blocks * a->attempts.t->block_bytes >> 10,
		    a->backing.disk);
		break;
	case LINE_FILE:
		print_call(a, p, l->file, out);
		break;
	}
}

static void
print_word(const char *word, FILE *out)
{
	putc(' ', out);
	text_shell(word, out);
}

/* Is it about the file of the trace? */
static bool
is_of_input(enum option_id id)
{
	return id == OPTION_format || id == OPTION_pattern || id == OPTION_mmap ||
	    id == OPTION_stream_by;
}

/* Does the run need that option?  Prefetcher, scheduler and request are printed apart. */
static bool
is_needed(const struct options *o, enum option_id id)
{
	const struct option_info *i = &option_info[id];

	if (!option_belongs(i, COMMAND_RUN) || !i->argument || !o->text[id] ||
	    option_is_output(id) || id == OPTION_prefetch || id == OPTION_scheduler ||
	    id == OPTION_request)
		return false;
	return id == OPTION_device || !i->initial || strcmp(i->initial, o->text[id]) != 0;
}

static void
print_options(const struct options *o, bool rewritten, FILE *out)
{
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (is_needed(o, id) && !(rewritten && is_of_input(id))) {
			fprintf(out, " --%s", option_info[id].name);
			print_word(o->text[id], out);
		}
}

void
advise_confirm(const struct advise_report *r, const struct setting *s, FILE *out)
{
	const struct attempts *m = &r->advise->attempts;
	const struct options  *o = r->options;
	char		       prefetcher[PREFETCHER_TEXT];

	fputs("bufsim run", out);
	if (setting_advises(s))
		print_word(r->output ? r->output : "ADVISED.bst", out);
	else
		for (unsigned i = 0; i < o->narguments; i++)
			print_word(o->argument[i], out);
	print_options(o, setting_advises(s), out);
	setting_prefetcher(m, s, prefetcher);
	fprintf(out, " --prefetch %s --scheduler %s", prefetcher,
	    kernel_model((enum kernel_scheduler)s->scheduler));
	if (s->request_blocks != r->advise->as_is.request_blocks ||
	    o->text[OPTION_request] != option_info[OPTION_request].initial)
		fprintf(out, " --request %" PRIu32 "b", s->request_blocks);
}
