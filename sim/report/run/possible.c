/* possible.c - "got 61 % of what was possible", and the bounds of the time. */
#include <math.h>

#include "sim/base/number.h"
#include "sim/report/run/possible.h"

bool
possible_share(const struct possible *p, uint64_t us, uint64_t none_us, double *share)
{
	if (none_us <= p->oracle_us)
		return false;
	*share = ((double)none_us - (double)us) / ((double)none_us - (double)p->oracle_us);
	return true;
}

static void
print_share(const struct possible *p, const struct stats *run, uint64_t none_us, FILE *out)
{
	double share;

	if (run->elapsed_us < p->oracle_us)
		fputs("  this run is faster: here the oracle is not the best that is possible\n",
		    out);
	else if (!possible_share(p, run->elapsed_us, none_us, &share))
		fputs("  nothing was to be gained by prefetching\n", out);
	else
		fprintf(out, "  got %ld %% of what was possible\n", lround(100 * share));
}

void
possible_print(const struct possible *p, const struct stats *run, uint64_t none_us, FILE *out)
{
	char   time[NUMBER_TEXT], blocks[NUMBER_TEXT];
	double us = (double)run->elapsed_us, least = (double)p->oracle_us;

	fprintf(out, "against the oracle\n  elapsed   %+11.1f %% (%s by %s, policy opt%s%s)\n",
	    least > 0 ? 100 * (us / least - 1) : 0, number_time(time, p->oracle_us), p->oracle,
	    p->scheduler ? ", scheduler " : "", p->scheduler ? p->scheduler : "");
	print_share(p, run, none_us, out);
	fprintf(out, "  at least  %13s in any run: to think and compute\n",
	    number_time(time, run->think_us + run->cpu_us));
	if (p->loads != STAT_UNKNOWN && p->loads_us)
		fprintf(out, "            %13s to read %s blocks, as the optimum must\n",
		    number_time(time, p->loads_us), number_group(blocks, p->loads));
}
