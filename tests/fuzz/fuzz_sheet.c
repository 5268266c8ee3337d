/* fuzz_sheet.c - the input is a data sheet: a device is started from it, and serves requests. */
#include <stdlib.h>
#include <string.h>

#include "sim/device/sheet.h"
#include "tests/fuzz/harness.h"

enum { REQUESTS = 100, SECTORS = 64 };

static void
serve(const struct device *device, void *self, struct draw *d)
{
	uint64_t capacity = device->capacity(self);
	usec_t	 now = 0;

	LAW(capacity, "a device without sectors");
	if (device->depth)
		LAW(device->depth(self) && device->depth(self) <= DEPTH_MAX, "depth");
	for (int i = 0; i < REQUESTS; i++) {
		uint64_t	n = capacity < SECTORS ? capacity : SECTORS;
		struct transfer t = { .sectors = 1 + draw_below(d, (uint32_t)n),
			.write = draw_below(d, 2),
			.now = now };
		struct service	s = { 0 };

		t.sector = draw_between(d, 0, capacity - t.sectors);
		t.segments = 1 + draw_below(d, t.sectors);
		if (device->positioning)
			LAW(device->positioning(self, &t) >= 0, "a negative time");
		device->service(self, &t, &s);
		for (int p = 0; p < SERVICE_PARTS; p++)
			LAW(s.part[p] >= 0, "part %d takes a negative time", p);
		LAW(service_us(&s) <= SPAN_MAX_US, "a request of centuries");
		now += service_us(&s) + (usec_t)draw_below(d, 20000);
	}
}

/* A constant that is replaced is replaced, and nothing else. */
static void
replace(const char *text)
{
	struct error e = { 0 };
	char	    *again = sheet_with(text, "overhead", "read_hit_after_read", "0.25", &e);

	if (!again)
		harness_refused(&e);
	free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct draw   d = harness_draw(bytes, n);
	const char   *path = harness_path("sheet.dev");
	struct choice c;
	struct error  e = { 0 };
	char	     *text = calloc(1, n + 1);
	void	     *self;

	memcpy(text, bytes, n);
	replace(text);
	free(text);
	harness_write(path, bytes, n);
	if (registry_choose(PLUGIN_DEVICE, path, &c, &e)) {
		harness_refused(&e);
		return 0;
	}
	self = device_start(&c, &e);
	if (self)
		serve(device_of(&c), self, &d);
	else
		harness_refused(&e);
	device_stop(device_of(&c), self);
	choice_release(&c);
	return 0;
}
