/* bands.c - as many names as fit, those of the largest files first. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/draw/bands.h"

enum { /* in pixels */
	LINE = 17,
	BAND = 4, /* a lower file gets neither lines around it nor its name */
	LABELS = 12,
	TEXT_ROOM = 512,
};

struct band { /* of a file, in pixels from the lower edge */
	file_t file;
	double low, high;
};

static double
height_of(const struct bands *p, block_t b)
{
	double n = b < p->first ? 0 : b > p->end ? p->end - p->first : b - p->first;

	return n * p->height / (p->end - p->first);
}

static struct band
band_of(const struct bands *p, file_t f)
{
	const struct file *file = &p->t->file[f];

	return (
	    struct band){ f, height_of(p, file->base), height_of(p, file->base + file->nblocks) };
}

/* Lines where a file that is high enough begins or ends. */
static void
set_borders(const struct bands *p, const struct band *band, file_t n, FILE *to)
{
	for (file_t f = 1; f < n; f++)
		if (band[f].low > 0 && band[f].low < p->height &&
		    (band[f].high - band[f].low >= BAND ||
			band[f - 1].high - band[f - 1].low >= BAND))
			fprintf(to,
			    "set arrow from graph 0, graph %.5f rto graph 1, graph 0 nohead back "
			    "linecolor rgb '#c8c8c8' linewidth 0.6\n",
			    band[f].low / p->height);
}

/* The end of a path distinguishes files, so a long name keeps its end. */
static void
set_band_label(const struct bands *p, const struct band *b, FILE *to)
{
	char	    inode[NUMBER_TEXT], name[TEXT_ROOM], text[TEXT_ROOM + 4];
	const char *path = class_file_name(p->t, b->file, inode), *slash = strrchr(path, '/');
	const char *last = text_clean(name, sizeof(name), slash && slash[1] ? slash + 1 : path);
	bool	    whole = picture_width(last) <= p->width;

	snprintf(text, sizeof(text), "%s%s", whole ? "" : "...",
	    whole ? last : picture_tail(last, p->width - picture_width("...")));
	picture_label(p->of, text, p->x, p->top + p->height - (unsigned)((b->low + b->high) / 2),
	    "left textcolor rgb '#606060'", to);
}

static bool
collides(const struct band *b, const struct band *labelled, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		double apart = (b->low + b->high - labelled[i].low - labelled[i].high) / 2;

		if (apart < LINE && apart > -LINE)
			return true;
	}
	return false;
}

static int
by_height(const void *a, const void *b)
{
	const struct band *x = a, *y = b;
	double		   more = (y->high - y->low) - (x->high - x->low);

	return more > 0 ? 1 : more < 0 ? -1 : x->file < y->file ? -1 : x->file > y->file;
}

int
bands_draw(const struct bands *p, FILE *to, struct error *e)
{
	struct band  labelled[LABELS];
	struct band *band = calloc(p->t->nfiles, sizeof(*band));
	unsigned     n = 0;

	if (!band)
		return error_set(e, "out of memory for the picture");
	for (file_t f = 0; f < p->t->nfiles; f++)
		band[f] = band_of(p, f);
	set_borders(p, band, p->t->nfiles, to);
	qsort(band, p->t->nfiles, sizeof(*band), by_height);
	for (file_t f = 0; f < p->t->nfiles && band[f].high - band[f].low >= BAND; f++)
		if (n < LABELS && !collides(&band[f], labelled, n)) {
			labelled[n++] = band[f];
			set_band_label(p, &band[f], to);
		}
	free(band);
	return 0;
}
