/*
 * picture.c - the beginning of every script, and texts.
 *
 * The colours can be distinguished with any colour vision: M. Okabe and K. Ito,
 * "Color Universal Design", 2002, without the yellow, which is faint on white,
 * and with the wine of P. Tol, "Colour Schemes", 2021.
 */
#include <inttypes.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/draw/picture.h"

enum { FONT = 13, HEADING_FONT = 15, HEADING_LINE = 23, TEXT_ROOM = 2048 };

static bool
find_target(const char *path, enum plot_target *target)
{
	static const struct {
		const char	*ending;
		enum plot_target target;
	} known[] = { { ".svg", PLOT_SVG }, { ".png", PLOT_PNG }, { ".pdf", PLOT_PDF } };
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (text_ends_in(path, n, known[i].ending)) {
			*target = known[i].target;
			return true;
		}
	return false;
}

int
picture_target(const char *path, enum plot_target *target, struct error *e)
{
	if (find_target(path, target))
		return 0;
	return error_usage(e, "--output %s: its name must end in .svg, .png or .pdf", path);
}

bool
picture_is_data(const char *path)
{
	return text_ends_in(path, strlen(path), ".json");
}

int
picture_or_data(const char *option, const char *path, struct error *e)
{
	enum plot_target target;

	if (picture_is_data(path) || find_target(path, &target))
		return 0;
	return error_usage(e, "--%s %s: its name must end in .svg, .png, .pdf or .json", option,
	    path);
}

const char *
picture_colour(size_t i)
{
	static const char *const colours[PICTURE_COLOURS] = { "#0072b2", "#d55e00", "#cc79a7",
		"#009e73", "#56b4e9", "#e69f00", "#000000", "#882255" };

	return colours[i % PICTURE_COLOURS];
}

void
picture_canvas(enum plot_target target, unsigned width, unsigned height, FILE *script)
{
	double w = width, h = height;

	switch (target) {
	case PLOT_SVG:
		fprintf(script,
		    "set terminal svg standalone noenhanced size %.0f,%.0f dynamic background 'white' "
		    "font 'Helvetica,Arial,sans-serif,13'\n",
		    w, h);
		break;
	case PLOT_PDF:
		fprintf(script,
		    "set terminal pdfcairo noenhanced size %.3fin,%.3fin font 'Sans,9' "
		    "fontscale 1 linewidth 1.2 pointscale 0.6\n",
		    w / 96, h / 96);
		break;
	case PLOT_PNG:
		fprintf(script,
		    "set terminal pngcairo noenhanced size %.0f,%.0f font 'Sans,9.5' fontscale 2 "
		    "linewidth 2 pointscale 2\n",
		    2 * w, 2 * h);
		break;
	default:
		fprintf(script,
		    "set terminal sixelgd noenhanced truecolor size %.0f,%.0f font 'Sans,9.5' "
		    "background 'white'\n",
		    w, h);
	}
	fputs("set encoding utf8\n", script);
}

void
picture_place(struct canvas_size of, struct picture_box box, FILE *script)
{
	double w = of.width, h = of.height;

	fprintf(script,
	    "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
	    "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
	    box.left / w, (box.left + box.width) / w, 1 - box.top / h,
	    1 - (box.top + box.height) / h);
}

void
picture_axes(FILE *script)
{
	fputs("set border 3 linecolor rgb '#606060'\n"
	      "set tics nomirror out scale 0.7 textcolor rgb '#303030'\n",
	    script);
}

/* ---- texts ---- */

/* Double quotes: gnuplot ends a text in single quotes that begins with one.  An escape hides
 * what it would interpret: quotes, backslashes, commands in backquotes, macros. */
void
picture_text(const char *text, FILE *script)
{
	char line[TEXT_ROOM];

	putc('"', script);
	for (const char *c = text_clean(line, sizeof(line), text); *c; c++)
		if (strchr("\"\\`'@", *c))
			fprintf(script, "\\%03o", (unsigned)*c);
		else
			putc(*c, script);
	putc('"', script);
}

void
picture_xml(const char *text, FILE *to)
{
	char line[TEXT_ROOM];

	for (const char *c = text_clean(line, sizeof(line), text); *c; c++)
		if (*c == '&')
			fputs("&amp;", to);
		else if (*c == '<')
			fputs("&lt;", to);
		else if (*c == '>')
			fputs("&gt;", to);
		else
			putc(*c, to);
}

/* Of DejaVu Sans or Liberation Sans, whichever is wider, from the blank on; per cent of the font
 * size.  Other fonts that a viewer may take are narrower. */
static const unsigned char widths[] = { 32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32,
	34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 56, 102, 69, 69, 73, 78, 67,
	62, 78, 76, 30, 50, 67, 56, 87, 75, 79, 67, 79, 73, 67, 62, 74, 69, 99, 69, 67, 69, 40, 34,
	40, 84, 56, 50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53,
	40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84 };

/* In per cent of the font size; a character of many bytes counts at its first. */
static unsigned
width_of(unsigned char c)
{
	if (c >= ' ' && c < ' ' + sizeof(widths))
		return widths[c - ' '];
	return c < 0x80 ? 56 : c < 0xc0 ? 0 : c < 0xe1 ? 80 : c < 0xf0 ? 102 : 140;
}

unsigned
picture_width(const char *text)
{
	unsigned sum = 0;

	for (; *text; text++)
		sum += width_of((unsigned char)*text);
	return (sum * FONT + 99) / 100;
}

static size_t
character_bytes(const char *text)
{
	size_t n = 1;

	while ((text[n] & 0xc0) == 0x80)
		n++;
	return n;
}

size_t
picture_fit(const char *text, unsigned width)
{
	size_t	 n = 0, blank = 0, part = 0;
	unsigned sum = 0;

	while (text[n]) {
		sum += width_of((unsigned char)text[n]);
		if (n && sum * FONT > width * 100)
			return blank > n / 2 ? blank : part > n / 2 ? part : n;
		n += character_bytes(text + n);
		blank = text[n - 1] == ' ' ? n : blank;
		part = strchr(",+:/", text[n - 1]) ? n : part;
	}
	return n;
}

const char *
picture_tail(const char *text, unsigned width)
{
	while (*text && picture_width(text) > width)
		text += character_bytes(text);
	return text;
}

char *
picture_shorten(char buf[PICTURE_SHORT], const char *text, unsigned width)
{
	static const char dots[] = "...";
	unsigned	  half = (width - picture_width(dots)) / 2;

	if (picture_width(text) <= width)
		return text_clean(buf, PICTURE_SHORT, text);
	text_clean(buf, PICTURE_SHORT / 2, text);
	buf[picture_fit(buf, half)] = '\0';
	strcat(buf, dots);
	text = picture_tail(text, half);
	return strlen(buf) + strlen(text) < PICTURE_SHORT ? strcat(buf, text) : buf;
}

unsigned
picture_lines(const char *text, unsigned width)
{
	unsigned n = 0;

	for (; *text; n++)
		text += picture_fit(text, width);
	return n;
}

void
picture_label(struct canvas_size of, const char *text, unsigned x, unsigned y, const char *how,
    FILE *script)
{
	fputs("set label ", script);
	picture_text(text, script);
	fprintf(script, " at screen %.5f, screen %.5f %s\n", x / (double)of.width,
	    1 - y / (double)of.height, how);
}

void
picture_swatch(struct canvas_size of, const unsigned char rgb[3], unsigned x, unsigned y,
    FILE *script)
{
	double w = of.width, h = of.height, half = PICTURE_SWATCH / 2;

	fprintf(script,
	    "set object rectangle from screen %.5f, screen %.5f to screen %.5f, screen %.5f "
	    "fillstyle solid noborder fillcolor rgb '#%02x%02x%02x'\n",
	    x / w, 1 - (y + half) / h, (x + PICTURE_SWATCH) / w, 1 - (y - half) / h, rgb[0], rgb[1],
	    rgb[2]);
}

void
picture_ticks(char axis, uint64_t from, uint64_t to, FILE *script)
{
	static const uint64_t digit[] = { 1, 2, 5 };
	uint64_t	      step = 1;
	const char	     *before = "";
	char		      text[NUMBER_TEXT];

	for (uint64_t i = 0, power = 1; (to - from) / step > 7; power *= i % 3 == 2 ? 10 : 1, i++)
		step = digit[i % 3] * power;
	fprintf(script, "set %ctics (", axis);
	for (uint64_t n = (from + step - 1) / step * step; n <= to; n += step, before = ", ")
		fprintf(script, "%s'%s' %" PRIu64, before, number_group(text, n), n);
	fputs(")\n", script);
}

struct picture_unit
picture_time_unit(uint64_t span)
{
	static const struct picture_unit units[] = { { "time, days", 86400e6 },
		{ "time, h", 3600e6 }, { "time, s", 1e6 }, { "time, ms", 1e3 }, { "time, us", 1 } };
	size_t				 i = 0;

	while (units[i].of > 1 && (double)span < 3 * units[i].of)
		i++;
	return units[i];
}

static void
paragraph(struct canvas_size of, const char *text, unsigned x, unsigned y, unsigned width,
    unsigned height, const char *how, FILE *script)
{
	char line[TEXT_ROOM];

	for (size_t n; *text; text += n, y += height) {
		n = picture_fit(text, width);
		snprintf(line, sizeof(line), "%.*s", (int)n, text);
		picture_label(of, line, x, y, how, script);
	}
}

void
picture_paragraph(struct canvas_size of, const char *text, unsigned x, unsigned y, unsigned width,
    const char *how, FILE *script)
{
	paragraph(of, text, x, y, width, PICTURE_LINE, how, script);
}

char *
picture_heading_text(const char *title, void (*print)(const void *self, FILE *to), const void *self,
    struct error *e)
{
	struct memo text;

	if (memo_open(&text, e))
		return NULL;
	if (title)
		text_print(title, text.out);
	else
		print(self, text.out);
	return memo_close(&text, e) ? NULL : text.text;
}

void
picture_heading(struct canvas_size of, const char *text, unsigned x, unsigned y, unsigned width,
    enum plot_target target, FILE *script)
{
	const char *how = target == PLOT_SVG ? "left font ',15'"
	    : target == PLOT_PDF	     ? "left font ',10.4'"
					     : "left font ',11'";

	paragraph(of, text, x, y + HEADING_LINE / 2, width * FONT / HEADING_FONT, HEADING_LINE, how,
	    script);
}

unsigned
picture_heading_height(const char *text, unsigned width)
{
	return picture_lines(text, width * FONT / HEADING_FONT) * HEADING_LINE;
}
