/* check_pace.c - the rate and the switch time that are measured on devices. */
#include <math.h>

#include "sim/device/pace.h"
#include "sim/device/sheet.h"
#include "tests/unit/conformance.h"

static struct config cfg;

static struct pace
measured(const char *device)
{
	struct pace  p;
	struct error e;

	choose_setting(&cfg, PLUGIN_DEVICE, device);
	REQUIRE(!pace_measure(&p, &cfg.device, 8, &e), "%s: %s", device, e.text);
	return p;
}

static void
is_about(double x, double expected, double within)
{
	REQUIRE(fabs(x - expected) <= within * expected, "%g, not %g", x, expected);
}

START_TEST(a_fixed_time_and_rate_are_found_as_they_are)
{
	struct pace p = measured("fixed:latency=10ms,rate=4096000");

	is_about(p.switch_us, 10000, 1e-9);
	is_about(p.block_us, 1000, 1e-9);
}
END_TEST

/* Mean seek 5.467 ms + half a turn 2.987 + overhead 0.284, and 4.876 MB/s: the bus, not the platter. */
START_TEST(of_a_disk_the_rate_is_that_of_its_bus)
{
	struct pace p = measured("cheetah9lp-disksim");

	is_about(p.switch_us, 8737, 0.01);
	is_about(p.block_us, 4096 / 4.876, 0.002);
}
END_TEST

/* Blocks that are transferred during a switch, with the bus of the drive's parameters. */
START_TEST(drives_transfer_about_ten_blocks_while_they_switch)
{
	static const struct {
		const char *name, *sector_ms;
		double	    blocks;
	} drive[] = {
		{ "cheetah9lp", "0.105", 10 },
		{ "atlas10k", "0.099", 11 },
		{ "barracuda", "0.134", 13 },
		{ "ibm18es", "0.101", 14 },
	};

	for (size_t i = 0; i < sizeof(drive) / sizeof(*drive); i++) {
		struct choice own;
		struct pace   p;
		struct error  e;
		char	     *text;

		choose_setting(&cfg, PLUGIN_DEVICE, drive[i].name);
		own = cfg.device;
		text = sheet_with(own.sheet, "bus", "sector_ms", drive[i].sector_ms, &e);
		ck_assert_ptr_nonnull(text);
		own.sheet = text;
		REQUIRE(!pace_measure(&p, &own, 8, &e), "%s: %s", drive[i].name, e.text);
		free(text);
		ck_assert(round(p.switch_us / p.block_us) == drive[i].blocks);
	}
}
END_TEST

START_TEST(an_array_is_faster_by_its_members)
{
	struct pace one = measured("cheetah9lp"), four = measured("raid0:disks=4+cheetah9lp");

	is_about(four.switch_us, one.switch_us, 0.3);
	ck_assert(four.block_us < one.block_us / 2);
}
END_TEST

START_TEST(a_device_without_time_has_none)
{
	struct pace p = measured("null");

	ck_assert(p.switch_us == 0 && p.block_us == 0);
}
END_TEST

/* Every kind and sheet: times that can be divided, and the same at the second try. */
START_TEST(every_device_has_a_pace)
{
	static struct settings s;

	settings_all(&s, PLUGIN_DEVICE);
	for (unsigned i = 0; i < s.n; i++) {
		struct pace  p, again;
		struct error e;

		choose_setting(&cfg, PLUGIN_DEVICE, s.text[i]);
		if (pace_measure(&p, &cfg.device, 8, &e))
			continue; /* parameters that contradict each other */
		REQUIRE(isfinite(p.switch_us) && isfinite(p.block_us) && p.switch_us >= 0 &&
			p.block_us >= 0,
		    "%s", s.text[i]);
		again = measured(s.text[i]);
		REQUIRE(p.switch_us == again.switch_us && p.block_us == again.block_us, "%s",
		    s.text[i]);
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("pace");

	tcase_add_test(tests, a_fixed_time_and_rate_are_found_as_they_are);
	tcase_add_test(tests, of_a_disk_the_rate_is_that_of_its_bus);
	tcase_add_test(tests, drives_transfer_about_ten_blocks_while_they_switch);
	tcase_add_test(tests, an_array_is_faster_by_its_members);
	tcase_add_test(tests, a_device_without_time_has_none);
	tcase_add_test(tests, every_device_has_a_pace);
	return run_tests("pace", tests);
}
