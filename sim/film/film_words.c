/* film_words.c - the words of pictures and data of a film. */
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/draw/picture.h"
#include "sim/film/film_words.h"

/* A blank at which no line ends. */
#define FIRM_BLANK "\u00a0"

const char *const film_use_word[FILM_USES] = { "demand", "prefetch", "write" };

const char *const film_part_word[SERVICE_PARTS] = { "queue", "overhead", "seek", "rotation",
	"transfer", "bus" };

const struct film_fate_words film_fate_words[FILM_FATES] = {
	[FILM_HIT] = { "hit", "hits" },
	[FILM_FIRST_HIT] = { "first hit", "prefetched, used in time" },
	[FILM_LATE] = { "late", "late prefetches" },
	[FILM_DELAYED] = { "delayed", "delayed hits" },
	[FILM_MISS] = { "miss", "misses" },
	[FILM_EVICTED] = { "evicted", "evicted" },
	[FILM_UNUSED] = { "unused", "evicted unused" },
};

const char *
film_process_name(const struct film *f, uint32_t i, char text[FILM_NAME])
{
	const struct film_process *p = &f->process[i];
	char			   name[FILM_NAME / 2];

	if (f->programs && f->t->program)
		text_clean(text, FILM_NAME, f->t->program[p->program]);
	else if (p->traced && p->traced->name)
		snprintf(text, FILM_NAME, "%s %u", text_clean(name, sizeof(name), p->traced->name),
		    p->traced->pid);
	else if (p->traced)
		snprintf(text, FILM_NAME, "process %u", p->traced->pid);
	else
		snprintf(text, FILM_NAME, "process");
	return text;
}

/* ---- the heading ---- */

/* The causes with the most time, at most two. */
static void
print_causes(const struct film *f, double all, FILE *to)
{
	bool printed[WAITS] = { false };

	for (unsigned n = 0; n < 2; n++) {
		unsigned most = WAITS;

		for (unsigned i = 0; i < WAITS; i++)
			if (!printed[i] && f->act_us[i] &&
			    (most == WAITS || f->act_us[i] > f->act_us[most]))
				most = i;
		if (most == WAITS || (n && 100 * (double)f->act_us[most] < all))
			return;
		printed[most] = true;
		fprintf(to, "%s %s %.0f" FIRM_BLANK "%%", n ? "," : ":", wait_info[most].what,
		    100 * (double)f->act_us[most] / all);
	}
}

struct heading {
	const struct film *film;
	const char	  *trace;
};

/* "csq, calls 201 to 220: 45 % of 132.4 ms is waiting: late prefetches 30 %, ..." */
static void
print_heading(const void *self, FILE *to)
{
	const struct heading *h = self;
	const struct film    *f = h->film;
	uint64_t	      waits = 0;
	double		      all;
	char		      first[NUMBER_TEXT], last[NUMBER_TEXT], time[NUMBER_TEXT];

	for (unsigned i = 0; i < WAITS; i++)
		waits += f->act_us[i];
	all = (double)(waits + f->act_us[FILM_THINK] + f->act_us[FILM_CPU]);
	text_print(h->trace, to);
	fprintf(to, ", call%s %s", f->ncall > 1 ? "s" : "", number_group(first, f->first));
	if (f->ncall > 1)
		fprintf(to, " to %s", number_group(last, f->first + f->ncall - 1));
	number_time(time, (uint64_t)(f->end - f->begin));
	if (!waits)
		fprintf(to, ": %s without waiting", time);
	else
		fprintf(to, ": %s, %.0f %% of %s %swaiting", time, 100 * (double)waits / all,
		    f->nprocesses == 1 ? "it"
			: f->programs  ? "the programs' time"
				       : "the processes' time",
		    f->nprocesses == 1 ? "" : "is ");
	if (waits)
		print_causes(f, all, to);
}

char *
film_heading(const struct film *f, const char *trace, struct error *e)
{
	return picture_heading_text(NULL, print_heading, &(struct heading){ f, trace }, e);
}
