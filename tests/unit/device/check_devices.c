/*
 * check_devices.c - what device.h promises, of every data sheet, kind and
 * array that is registered, with every parameter at its ends.
 */
#include "tests/unit/conformance.h"
#include "tests/unit/shapes.h"

enum { TRANSFERS = 1000, LARGEST = 1 << 22 };

/* ---- a device, given as much work as it takes ---- */

struct unit {
	const char	    *text;
	struct config	     cfg;
	const struct device *device;
	void		    *self;
	uint64_t	     capacity;
	uint32_t	     depth;
	usec_t		     now, end[DEPTH_MAX];
	struct service	     last;
};

static uint32_t
depth_of(const struct unit *u)
{
	return u->device->depth ? u->device->depth(u->self) : 1;
}

/* False if its parameters contradict each other. */
static bool
start(struct unit *u, const char *text)
{
	struct error e;

	*u = (struct unit){ .text = text };
	choose_plainly(&u->cfg);
	choose_setting(&u->cfg, PLUGIN_DEVICE, text);
	u->device = chosen_device(&u->cfg);
	u->self = device_start(&u->cfg.device, &e);
	if (!u->self) {
		check_refused(text, &e);
		release_choices(&u->cfg);
		return false;
	}
	u->capacity = u->device->capacity(u->self);
	u->depth = depth_of(u);
	REQUIRE(u->capacity && u->depth && u->depth <= DEPTH_MAX, "%s: %llu sectors, depth %u",
	    text, (unsigned long long)u->capacity, u->depth);
	return true;
}

static void
finish(struct unit *u)
{
	REQUIRE(u->device->capacity(u->self) == u->capacity && depth_of(u) == u->depth,
	    "%s: it is not what it was", u->text);
	device_stop(config_device(&u->cfg), u->self);
	release_choices(&u->cfg);
}

/* The place of the transfer that ends first. */
static usec_t *
first_end(struct unit *u)
{
	usec_t *first = u->end;

	for (usec_t *end = u->end; end < u->end + u->depth; end++)
		if (*end < *first)
			first = end;
	return first;
}

static void
check_service(const struct unit *u, const struct transfer *t)
{
	const struct service *s = &u->last;

	for (unsigned i = 0; i < SERVICE_PARTS; i++)
		REQUIRE(s->part[i] >= 0, "%s: part %u is negative", u->text, i);
	REQUIRE(service_us(s) >= 0 && service_us(s) <= INT64_MAX - t->now, "%s: it never ends",
	    u->text);
	REQUIRE(s->data_begin >= 0 && s->data_begin <= service_us(s),
	    "%s: data begin outside the service", u->text);
	REQUIRE(!t->write || !s->from_buffer, "%s: a write from the buffer", u->text);
}

/* As soon as it takes it, or after a pause. */
static void
serve(struct unit *u, const struct transfer *t, usec_t pause)
{
	usec_t	       *end = first_end(u);
	struct transfer now = *t;

	if (*end > u->now)
		u->now = *end;
	now.now = u->now += pause;
	memset(&u->last, 0xA5, sizeof(u->last)); /* each field must be set */
	u->last.from_buffer = t->write;
	u->device->service(u->self, &now, &u->last);
	check_service(u, &now);
	*end = u->now + service_us(&u->last);
}

/* ---- what is to be done ---- */

/* Short and long, all over the device: first and last sectors, one behind the other. */
static struct transfer
draw_transfer(const struct unit *u, const struct transfer *last, bool largest, uint64_t *seed)
{
	struct transfer t = { .sectors = largest ? LARGEST : 1 + random_below(seed, 300),
		.write = random_below(seed, 3) == 0 };
	uint64_t	free;

	if (t.sectors > u->capacity)
		t.sectors = (uint32_t)u->capacity;
	t.segments = 1 + random_below(seed, random_below(seed, 2) ? t.sectors : 1);
	free = u->capacity - t.sectors;
	switch (random_below(seed, 6)) {
	case 0:
		t.sector = random_below(seed, 2) ? 0 : free;
		break;
	case 1:
	case 2:
		t.sector = last->sector + last->sectors;
		break;
	default:
		t.sector =
		    (uint64_t)random_below(seed, INT32_MAX) << 32 | random_below(seed, INT32_MAX);
	}
	if (t.sector > free)
		t.sector %= free + 1;
	return t;
}

static usec_t
draw_pause(uint64_t *seed)
{
	static const uint32_t longest[] = { 1, 1, 100, 30000, 10000000 };

	return random_below(seed, longest[random_below(seed, 5)]);
}

/* Where the arm would have to go is what it then takes, and asking changes nothing. */
static void
check_positioning(struct unit *u, struct unit *twin, const struct transfer *t)
{
	const struct device *d = u->device;
	struct transfer	     then = *t;
	usec_t		     us;

	then.now = twin->now;
	us = d->positioning(u->self, &then);
	then.sector = 0; /* fits there too */
	REQUIRE(d->positioning(u->self, &then) >= 0, "%s: before it is there", u->text);
	then.sector = t->sector;
	REQUIRE(d->positioning(u->self, &then) == us, "%s: another answer", u->text);
	REQUIRE(us == twin->last.part[SERVICE_SEEK] + twin->last.part[SERVICE_ROTATION],
	    "%s: seek and rotation are not what was predicted", u->text);
}

static bool
same_service(const struct service *a, const struct service *b)
{
	return !memcmp(a->part, b->part, sizeof(a->part)) && a->data_begin == b->data_begin &&
	    a->from_buffer == b->from_buffer;
}

/* Two of them have the same history, but that only one of them is also asked about positions. */
static void
conform(const char *text)
{
	static struct unit asked, twin;
	struct transfer	   t = { .sectors = 1, .segments = 1 };
	uint64_t	   seed = 1;

	if (!start(&asked, text))
		return;
	ck_assert(start(&twin, text));
	for (unsigned i = 0; i < TRANSFERS; i++) {
		usec_t pause = draw_pause(&seed);

		t = draw_transfer(&asked, &t, i % 400 == 200, &seed);
		serve(&twin, &t, pause);
		if (asked.device->positioning)
			check_positioning(&asked, &twin, &t);
		serve(&asked, &t, pause);
		REQUIRE(same_service(&asked.last, &twin.last), "%s: transfer %u differs", text, i);
	}
	finish(&asked);
	finish(&twin);
}

START_TEST(every_device_serves_any_transfer_as_it_promises)
{
	static struct settings s;

	settings_all(&s, PLUGIN_DEVICE);
	for (unsigned i = 0; i < s.n; i++)
		conform(s.text[i]);
}
END_TEST

/* The first request of a device at rest. */
static usec_t
first_time(const char *text, uint32_t segments)
{
	static struct unit u;

	if (!start(&u, text))
		return 0;
	serve(&u, &(struct transfer){ .sectors = 64, .segments = segments }, 0);
	finish(&u);
	return service_us(&u.last);
}

START_TEST(more_segments_never_make_a_request_faster)
{
	static struct settings s;

	settings_all(&s, PLUGIN_DEVICE);
	for (unsigned i = 0; i < s.n; i++) {
		usec_t one = first_time(s.text[i], 1);

		for (uint32_t segments = 2; segments <= 64; segments *= 2)
			REQUIRE(first_time(s.text[i], segments) >= one, "%s: %u segments",
			    s.text[i], segments);
	}
}
END_TEST

/* Calls go to it as they are, without a cache. */
START_TEST(every_device_alone_takes_the_same_time_twice)
{
	static struct settings s;

	shapes_make();
	settings_all(&s, PLUGIN_DEVICE);
	for (unsigned i = 0; i < 3 * s.n; i++) {
		static const enum replay replay[] = { REPLAY_SERIAL, REPLAY_PROCESS, REPLAY_OPEN };
		const struct trace	*t = shape_trace(i % TRACES);
		static struct config	 cfg;
		struct stats		 first, again;
		struct error		 e;

		choose_plainly(&cfg);
		choose_setting(&cfg, PLUGIN_DEVICE, s.text[i / 3]);
		cfg.replay = replay[i % 3];
		if (simulate(&cfg, t, &first, &e)) {
			check_refused(s.text[i / 3], &e);
			continue;
		}
		REQUIRE(!simulate(&cfg, t, &again, &e), "%s: %s", s.text[i / 3], e.text);
		REQUIRE(!memcmp(&first, &again, sizeof(first)), "%s: another time", s.text[i / 3]);
		REQUIRE(first.device_busy_us + first.device_idle_us == first.elapsed_us,
		    "%s: busy and idle are not all", s.text[i / 3]);
	}
	shapes_release();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("devices");

	tcase_add_test(tests, every_device_serves_any_transfer_as_it_promises);
	tcase_add_test(tests, more_segments_never_make_a_request_faster);
	tcase_add_test(tests, every_device_alone_takes_the_same_time_twice);
	return run_tests("devices", tests);
}
