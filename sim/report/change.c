/*
 * change.c - times and percentages in a sentence.
 *
 * Times in a sentence have the same unit and as many digits as the larger
 * needs, or all if they would look alike.
 */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/report/change.h"

const char change_plain[] = "\033[m", change_bold[] = "\033[1m", change_red[] = "\033[1;31m",
	   change_green[] = "\033[1;32m";

void
change_time(char text[CHANGE_TEXT], uint64_t us, uint64_t largest)
{
	double	    unit = largest < 1000 ? 1 : largest < 1000000 ? 1e3 : 1e6;
	const char *name = largest < 1000 ? "us" : largest < 1000000 ? "ms" : "s";
	int	    digits = unit == 1 ? 0 : (double)largest / unit < 10 ? 2 : 1;

	snprintf(text, CHANGE_TEXT, "%.*f %s", digits, (double)us / unit, name);
}

void
change_times(char a[CHANGE_TEXT], char b[CHANGE_TEXT], uint64_t us_a, uint64_t us_b)
{
	uint64_t largest = us_a > us_b ? us_a : us_b;

	change_time(a, us_a, largest);
	change_time(b, us_b, largest);
	if (us_a != us_b && !strcmp(a, b)) {
		number_time(a, us_a);
		number_time(b, us_b);
	}
}

void
change_percent(char text[CHANGE_TEXT], double x)
{
	snprintf(text, CHANGE_TEXT, "%.*f %%", 100 * x < 10 ? 1 : 0, 100 * x);
}

struct change
change_of(uint64_t now, uint64_t then)
{
	struct change c = { "as fast", "as", change_bold };
	double	      x = then ? (double)now / (double)then - 1 : now ? 1 : 0;
	char	      percent[CHANGE_TEXT];

	if (fabs(x) < 0.0005)
		return c;
	change_percent(percent, fabs(x));
	snprintf(c.degree, sizeof(c.degree), "%.*s%s%s", (int)sizeof(c.degree) - 16,
	    then ? percent : "", then ? " " : "", x > 0 ? "slower" : "faster");
	c.than = "than";
	c.colour = x > 0 ? change_red : change_green;
	return c;
}
