/* responses.c - turn arrivals and ends into counters, and rows of a file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/core/responses.h"

int
responses_init(struct responses *r, size_t ncalls, struct response *detail, struct error *e)
{
	*r = (struct responses){ .ncalls = ncalls, .detail = detail };
	r->us = calloc(ncalls, sizeof(*r->us));
	return r->us ? 0
		     : error_set(e, "out of memory for the response times of %zu calls", ncalls);
}

void
responses_release(struct responses *r)
{
	free(r->us);
	*r = (struct responses){ 0 };
}

/* A call that arrives and ends at the same time was never under way. */
static void
pass(struct responses *r, usec_t now)
{
	ASSERT(now >= r->until);
	if (now == r->until)
		return;
	if (r->under_way > r->most)
		r->most = r->under_way;
	r->sum_us += (uint64_t)r->under_way * (uint64_t)(now - r->until);
	r->until = now;
}

void
response_arrives(struct responses *r, size_t call, usec_t now)
{
	pass(r, now);
	r->us[call] = now;
	if (r->detail) {
		r->detail[call].arrival = now;
		r->detail[call].outstanding = r->under_way;
	}
	r->under_way++;
}

void
response_ends(struct responses *r, size_t call, usec_t now)
{
	pass(r, now);
	ASSERT(r->under_way && r->us[call] <= now);
	r->us[call] = now - r->us[call];
	if (r->detail)
		r->detail[call].us = r->us[call];
	r->under_way--;
}

void
responses_restart(struct responses *r, usec_t now)
{
	r->until = now;
	r->sum_us = r->most = 0;
}

/* ---- percentiles ---- */

static void
swap(usec_t *a, usec_t *b)
{
	usec_t was = *a;

	*a = *b;
	*b = was;
}

/*
 * The k-th smallest of n values, counted from 0.  Afterwards the values before
 * it are not larger, those behind it not smaller (C. A. R. Hoare, Algorithm
 * 65: Find.  Communications of the ACM 4(7), 1961).
 */
static usec_t
select_kth(usec_t *value, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		usec_t pivot = value[low + (high - low) / 2];
		size_t i = low, j = high;

		for (;; i++, j--) {
			while (value[i] < pivot)
				i++;
			while (value[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap(&value[i], &value[j]);
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return value[k];
}

usec_t
percentile(usec_t *value, size_t n, unsigned per_mille)
{
	return select_kth(value, n, (n * per_mille + 999) / 1000 - 1);
}

/* Response times were not recorded. */
static void
count_nothing(struct stats *st)
{
	st->response_calls = st->response_us = STAT_UNKNOWN;
	st->response_p50_us = st->response_p90_us = st->response_p99_us = STAT_UNKNOWN;
	st->response_p999_us = st->response_max_us = STAT_UNKNOWN;
	st->outstanding_max = st->outstanding_us = STAT_UNKNOWN;
}

void
responses_count(struct responses *r, size_t first, usec_t now, struct stats *st)
{
	size_t	n = r->ncalls - first;
	usec_t *us;

	if (!r->us) {
		count_nothing(st);
		return;
	}
	us = r->us + first;
	pass(r, now);
	st->outstanding_max = r->most;
	st->outstanding_us = r->sum_us;
	st->response_calls = n;
	st->response_us = 0;
	for (size_t i = 0; i < n; i++)
		st->response_us += (uint64_t)us[i];
	st->response_p50_us = (uint64_t)percentile(us, n, 500);
	st->response_p90_us = (uint64_t)percentile(us, n, 900);
	st->response_p99_us = (uint64_t)percentile(us, n, 990);
	st->response_p999_us = (uint64_t)percentile(us, n, 999);
	st->response_max_us = (uint64_t)percentile(us, n, 1000);
}

/* ---- the file ---- */

enum { ROW_ROOM = 512 };

static const char header[] = "call," RESPONSE_ARRIVAL ",op,bytes," RESPONSE_US
			     "," RESPONSE_OUTSTANDING ",queue_us,device_queue_us,overhead_us,"
			     "seek_us,rotation_us,transfer_us,bus_us\n";

static int
write_row(struct output *to, size_t call, const struct access *a, const struct response *r,
    bool parts, struct error *e)
{
	char   row[ROW_ROOM];
	size_t n;

	n = (size_t)snprintf(row, sizeof(row), "%zu,%" PRId64 ",%s,%u,%" PRId64 ",%u", call + 1,
	    r->arrival, a->write ? "write" : "read", a->length, r->us, r->outstanding);
	for (unsigned i = 0; i < RESPONSE_PARTS; i++)
		n += parts ? (size_t)snprintf(row + n, sizeof(row) - n, ",%" PRId64, r->part[i])
			   : (size_t)snprintf(row + n, sizeof(row) - n, ",");
	row[n++] = '\n';
	return output_bytes(to, row, n, e);
}

int
responses_write(const struct response *r, const struct trace *t, size_t first, bool parts,
    struct output *to, struct error *e)
{
	int failed = output_bytes(to, header, sizeof(header) - 1, e);

	for (size_t i = first; !failed && i < t->naccess; i++)
		failed = write_row(to, i, &t->access[i], &r[i], parts, e);
	return trace_unchanged(t, e) || failed ? -1 : 0;
}
