/*
 * sheet_text.c - print a data sheet.
 *
 * The stages of the kind ssd are used as far as they were measured: commands
 * one at a time, a latency that requests do not share, one link.  Dies and
 * channels take no time, nothing is read ahead in the device, and writes take
 * what reads take: they were not measured.
 */
#include <inttypes.h>
#include <math.h>

#include "sim/base/text.h"
#include "sim/device/device.h"
#include "sim/host/measure/sheet_text.h"

enum { NAME_ROOM = 128, QUEUE_DEPTH = 32, WRITE_BUFFER_MB = 64 };

#define RATE_MAX 1e6 /* MB/s, of a sheet */

/* A ';' would begin a comment. */
static void
print_name(const char *key, const char *text, FILE *out)
{
	char name[NAME_ROOM];

	text_clean(name, sizeof(name), text);
	for (char *c = name; *c; c++)
		if (*c == ';')
			*c = ',';
	fprintf(out, "%s = %s\n", key, name);
}

static void
print_both(const char *section, double us, FILE *out)
{
	fprintf(out, "\n[%s]\nread = %.3f\nwrite = %.3f\n", section, us, us);
}

static void
print_host(const struct calibration *c, const struct probe_facts *facts, double rate, FILE *out)
{
	uint64_t sectors = facts->device_bytes / SECTOR_BYTES;

	fprintf(out,
	    "\n[host]\n; the size of the file system\n"
	    "capacity_sectors = %" PRIu64 "\nqueue_depth = %d\n"
	    "read_mb_s = %.2f\nwrite_mb_s = %.2f\nduplex = yes\n",
	    sectors ? sectors : facts->bytes / SECTOR_BYTES, QUEUE_DEPTH, rate, rate);
	print_both("command_us", c->quantity[QUANTITY_command_us].value, out);
	print_both("latency_us", c->quantity[QUANTITY_latency_us].value, out);
}

static void
print_processor(const struct calibration *c, FILE *out)
{
	static const struct {
		const char	*key;
		enum quantity_id quantity;
	} row[] = {
		{ "call", QUANTITY_call_ns },
		{ "page", QUANTITY_page_ns },
		{ "byte", QUANTITY_byte_ns },
		{ "read_page", QUANTITY_read_page_ns },
		{ "single_page", QUANTITY_single_page_ns },
	};

	fputs("\n[cpu_ns]\n; single_page instead of page where folios have one page: without "
	      "readahead\n",
	    out);
	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++)
		fprintf(out, "%s = %.4f\n", row[i].key, c->quantity[row[i].quantity].value);
}

void
sheet_print(const struct calibration *c, const struct probe_facts *facts, FILE *out)
{
	const struct host *host = &facts->host;
	double		   rate = fmin(c->quantity[QUANTITY_contiguous_mb_s].value, RATE_MAX);
	char		   text[2 * NAME_ROOM];

	fputs("kind = ssd\n", out);
	snprintf(text, sizeof(text), "measured: %s on device %s, %s %s",
	    *host->type ? host->type : "a file system", host->device, host->system, host->release);
	print_name("summary", text, out);
	fprintf(out,
	    "source = bufsim calibrate, %" PRIu32 " rounds; writes were not measured: as reads\n",
	    c->rounds);
	print_host(c, facts, rate, out);
	fputs("\n[flash]\n; all that takes time is above\n"
	      "channels = 64\ndies = 16\npage_bytes = 4096\nread_us = 0\nchannel_mb_s = 1000000\n"
	      "\n[read_cache]\nstreams = 1\nahead_pages = 0\n",
	    out);
	fprintf(out, "\n[write_buffer]\nmb = %d\nsustained_mb_s = %.2f\n", WRITE_BUFFER_MB, rate);
	fprintf(out, "\n[segment_us]\nread = %.4f\n", c->quantity[QUANTITY_segment_us].value);
	print_processor(c, out);
}
