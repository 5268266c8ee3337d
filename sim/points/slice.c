/* slice.c - successive points go to different slices. */
#include "sim/points/slice.h"
#include "sim/base/number.h"

int
points_slice_parse(struct points_slice *s, const char *text, struct error *e)
{
	*s = (struct points_slice){ 1, 1 };
	if (text && (!number_share(text, &s->part, &s->of) || s->part > s->of))
		return error_usage(e,
		    "--points: '%s' will not do: type N/M, such as 1/8 for the first of eight shares",
		    text);
	return 0;
}

/*
 * Of every `of` successive points each slice gets one.  The choice shifts by
 * the golden section; otherwise a slice could have a single size of the cache.
 */
bool
points_slice_has(const struct points_slice *s, size_t point)
{
	uint64_t section = point / s->of * UINT64_C(0x9e3779b97f4a7c15) >> 32; /* of 2^32 */

	return (point + (section * s->of >> 32)) % s->of == s->part - 1;
}
