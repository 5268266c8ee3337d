/* fuzz_numbers.c - the input is a number, a size, a range, a field: what is read prints as it was. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/setup/range.h"
#include "sim/trace/scan.h"
#include "tests/fuzz/harness.h"

/* What is printed in the form of the parser is read as the same value. */
static void
number_laws(const char *text)
{
	for (enum param_unit unit = 0; unit < PARAM_WORD; unit++) {
		struct error e = { 0 };
		uint64_t     n, again;
		char	     shown[NUMBER_TEXT];

		if (number_parse(text, unit, &n, &e)) {
			harness_refused(&e);
			continue;
		}
		number_format(shown, n, unit);
		LAW(!number_parse(shown, unit, &again, &e) && again == n, "'%s' becomes '%s'", text,
		    shown);
	}
}

static void
other_laws(const char *text)
{
	uint64_t n, of;
	double	 x;
	char	 shown[NUMBER_TEXT];

	if (number_fraction(text, &x))
		LAW(x >= 0, "'%s' is %g", text, x);
	if (number_decimal(text, &x))
		LAW(x >= 0, "'%s' is %g", text, x);
	if (number_share(text, &n, &of))
		LAW(n && of, "'%s'", text);
	if (number_whole(text, &n)) {
		number_group(shown, n);
		number_bytes(shown, n);
		number_time(shown, n);
	}
	number_blocks(text, &n);
}

static void
field_laws(const char *text)
{
	uint64_t     n;
	usec_t	     time;
	char	     quoted[16], *field[4], *copy = strdup(text);
	struct error e = { 0 };

	if (!scan_number(text, UINT32_MAX, &n))
		LAW(scan_explain("field", text, UINT32_MAX, &e) && *e.text, "no reason for '%s'",
		    text);
	else
		LAW(n <= UINT32_MAX, "'%s'", text);
	scan_hex(text, &n);
	scan_seconds(text, &time);
	scan_quote(quoted, sizeof(quoted) - 4, text, strlen(text));
	LAW(scan_length(text) <= strlen(text), "'%s'", text);
	scan_fields(copy, ' ', field, 4);
	strcpy(copy, text);
	scan_fields(copy, ',', field, 4);
	free(copy);
}

/* Each item of a range is a size by itself. */
static void
range_laws(const char *text)
{
	char	     **size = NULL;
	unsigned       n = 0;
	struct error   e = { 0 };
	struct options o = { 0 };

	if (range_expand(text, &size, &n, &e))
		harness_refused(&e);
	else
		for (unsigned i = 0; i < n; i++)
			LAW(!option_set(&o, &option_info[OPTION_cache], size[i], &e), "'%s': %s",
			    text, e.text);
	LAW(n <= RANGE_SIZES_MAX, "%u sizes", n);
	for (unsigned i = 0; i < n; i++)
		free(size[i]);
	free(size);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char *text = calloc(1, n + 1);

	memcpy(text, bytes, n);
	number_laws(text);
	other_laws(text);
	field_laws(text);
	range_laws(text);
	free(text);
	return 0;
}
