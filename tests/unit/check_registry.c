/* check_registry.c - every plug-in is complete, and found by its name alone. */
#include <stdio.h>
#include <string.h>

#include "sim/registry.h"
#include "tests/unit/support.h"

static struct error e;
static const char  *params;
static const char  *sheet;
static char	   *owned;

/* What the last device found is made of, if it is an array. */
static const struct device *inner_device;
static const char	   *inner_device_params;

static void
setup(void)
{
	e = (struct error){ 0 };
}

static const char *
said(enum plugin_kind kind, const char *text)
{
	ck_assert_ptr_null(registry_find(kind, text, &params, &e));
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	return e.text;
}

static const struct device *
device(const char *text)
{
	return registry_find_device(text, &params, &inner_device, &inner_device_params, &sheet,
	    &owned, &e);
}

static void
check_params(const struct plugin *p)
{
	for (const struct param *q = p->params; q && q->name; q++) {
		ck_assert_uint_le(q->min, q->initial);
		ck_assert_uint_le(q->initial, q->max);
		ck_assert_uint_le(q->offset + sizeof(uint64_t), p->state_size);
		ck_assert_uint_gt(strlen(q->meaning), 0);
	}
}

START_TEST(every_plug_in_has_a_name_of_its_own_a_summary_and_sound_parameters)
{
	for (enum plugin_kind kind = 0; kind < PLUGIN_KINDS; kind++) {
		ck_assert_ptr_nonnull(registry_list(kind)[0]);
		for (const struct plugin *const *p = registry_list(kind); *p; p++) {
			ck_assert_uint_gt(strlen((*p)->summary), 0);
			ck_assert_ptr_eq(registry_find(kind, (*p)->name, &params, &e), *p);
			ck_assert_ptr_null(params);
			check_params(*p);
		}
	}
}
END_TEST

static void
check_prefetcher(const struct prefetcher *p)
{
	ck_assert(p->access || !strcmp(p->plugin.name, "none")); /* it is never asked */
	ck_assert(!p->around == !p->control);
	ck_assert(!p->state == !p->state_names);
	if (p->around)
		ck_assert_ptr_nonnull(registry_find(PLUGIN_PREFETCHER, p->around, &params, &e));
}

START_TEST(every_plug_in_has_the_functions_the_core_calls_unasked)
{
	for (const struct plugin *const *p = registry_list(PLUGIN_POLICY); *p; p++) {
		const struct policy *policy = (const struct policy *)(const void *)*p;

		ck_assert(policy->hit && policy->evict && policy->insert && policy->replay);
	}
	for (const struct plugin *const *p = registry_list(PLUGIN_PREFETCHER); *p; p++)
		check_prefetcher((const struct prefetcher *)(const void *)*p);
	for (const struct plugin *const *p = registry_list(PLUGIN_SCHEDULER); *p; p++)
		ck_assert(((const struct scheduler *)(const void *)*p)->pick);
	for (const struct device *const *d = device_kinds; *d; d++)
		ck_assert((*d)->capacity && (*d)->service && (!(*d)->control || (*d)->init));
	for (const struct format *const *f = formats; *f; f++)
		ck_assert((*f)->recognise && ((*f)->read || (*f)->map));
}
END_TEST

START_TEST(parameters_are_what_follows_the_colon)
{
	const char *text = "linux24:max=31,min=3";

	ck_assert_str_eq(registry_find(PLUGIN_PREFETCHER, text, &params, &e)->name, "linux24");
	ck_assert_ptr_eq(params, text + 8);
	ck_assert_ptr_nonnull(registry_find(PLUGIN_PREFETCHER, "linux24:", &params, &e));
	ck_assert_str_eq(params, "");
}
END_TEST

/* "iprp(threshold=4)+linux24(max=31)": names, and the parameters they are set with. */
static const char *
composed(const char *text)
{
	static char		 got[200];
	const char		*inner_params;
	const struct prefetcher *inner, *p;

	p = registry_find_prefetcher(text, &params, &inner, &inner_params, &e);
	if (!p) {
		ck_assert_int_eq(e.exit_code, EXIT_USAGE);
		return e.text;
	}
	snprintf(got, sizeof(got), "%s(%.*s)", p->plugin.name,
	    params ? (int)strcspn(params, "+") : 0, params ? params : "");
	if (inner)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "+%s(%s)",
		    inner->plugin.name, inner_params ? inner_params : "");
	else
		ck_assert_ptr_null(inner_params);
	return got;
}

START_TEST(a_controller_stands_before_another_prefetcher)
{
	static const struct {
		const char *typed, *meant;
	} list[] = {
		{ "none", "none()" },
		{ "linux24:max=31,min=3", "linux24(max=31,min=3)" },
		{ "iprp", "iprp()+linux24()" },
		{ "iprp:threshold=4", "iprp(threshold=4)+linux24()" },
		{ "iprp+none", "iprp()+none()" },
		{ "iprp:+obl:", "iprp()+obl()" },
		{ "iprp+linux24:max=31,min=3", "iprp()+linux24(max=31,min=3)" },
		{ "iprp:threshold=4,alpha=0.5+linux24:max=31,min=3",
		    "iprp(threshold=4,alpha=0.5)+linux24(max=31,min=3)" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		ck_assert_str_eq(composed(list[i].typed), list[i].meant);
}
END_TEST

START_TEST(what_cannot_be_composed_is_a_usage_error)
{
	static const struct {
		const char *typed, *said;
	} list[] = {
		{ "iprp+linx24", "unknown prefetcher 'linx24'; did you mean 'linux24'?" },
		{ "iprp:threshold=4+linx24:max=31",
		    "unknown prefetcher 'linx24'; did you mean 'linux24'?" },
		{ "ippr+linux24", "unknown prefetcher 'ippr'; did you mean 'iprp'?" },
		{ "iprp+", "the name of a prefetcher is missing; see: bufsim list prefetchers" },
		{ "+linux24", "the name of a prefetcher is missing; see: bufsim list prefetchers" },
		{ "linux24+none", "linux24 is no controller: nothing can be put into it with +" },
		{ "none:+linux24", "none is no controller: nothing can be put into it with +" },
		{ "iprp+iprp", "iprp+iprp: one controller around one prefetcher is possible" },
		{ "iprp+none+none",
		    "iprp+none+none: one controller around one prefetcher is possible" },
		{ "iprp+iprp+linux24",
		    "iprp+iprp+linux24: one controller around one prefetcher is possible" },
		{ "iprp+linux24:max=31+obl",
		    "iprp+linux24:max=31+obl: one controller around one prefetcher is possible" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		ck_assert_str_eq(composed(list[i].typed), list[i].said);
}
END_TEST

START_TEST(an_unknown_name_suggests_the_nearest)
{
	ck_assert_str_eq(said(PLUGIN_POLICY, "lur"), "unknown policy 'lur'; did you mean 'lru'?");
	ck_assert_str_eq(said(PLUGIN_POLICY, "lur:a=1"),
	    "unknown policy 'lur'; did you mean 'lru'?");
	ck_assert_str_eq(said(PLUGIN_SCHEDULER, ""),
	    "the name of a scheduler is missing; see: bufsim list schedulers");
	ck_assert_str_eq(said(PLUGIN_FORMAT, "txet"),
	    "unknown format 'txet'; did you mean 'text'?");
}
END_TEST

START_TEST(a_name_longer_than_any_is_unknown_like_another)
{
	char name[300];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	name[200] = '+';
	ck_assert_ptr_nonnull(strstr(composed(name), "see: bufsim list prefetchers"));
	name[200] = 'x';
	ck_assert_ptr_nonnull(strstr(said(PLUGIN_POLICY, name), "see: bufsim list policies"));
	ck_assert_ptr_null(device(name));
}
END_TEST

START_TEST(every_data_sheet_says_what_it_is_and_suits_its_kind)
{
	char summary[200];

	for (const struct data_sheet *s = data_sheets; s->name; s++) {
		const struct device *d = device(s->name);
		void		    *state;

		ck_assert_msg(d != NULL, "%s: %s", s->name, e.text);
		ck_assert_ptr_eq(sheet, s->text);
		ck_assert_ptr_null(owned);
		data_sheet_value(s->text, "summary", summary, sizeof(summary));
		ck_assert_uint_gt(strlen(summary), 0);
		state = calloc(1, d->plugin.state_size);
		ck_assert_msg(!d->init(state, sheet, &e), "%s: %s", s->name, e.text);
		ck_assert_uint_gt(d->capacity(state), 0);
		d->release(state);
		free(state);
	}
}
END_TEST

START_TEST(a_kind_without_data_sheets_is_a_device_itself)
{
	const struct device *d = device("fixed:latency=5ms");

	ck_assert_str_eq(d->plugin.name, "fixed");
	ck_assert_str_eq(params, "latency=5ms");
	ck_assert_ptr_null(sheet);
}
END_TEST

START_TEST(a_kind_with_data_sheets_asks_for_one)
{
	ck_assert_ptr_null(device("disk"));
	ck_assert_ptr_nonnull(strstr(e.text, "atlas10k"));
	ck_assert_ptr_null(device("cheeta9lp"));
	ck_assert_str_eq(e.text, "unknown device 'cheeta9lp'; did you mean 'cheetah9lp'?");
}
END_TEST

/* "raid0(disks=4)+disk(): a sheet": kinds, and the parameters they are set with. */
static const char *
made_of(const char *text)
{
	static char	     got[200];
	const struct device *d = device(text);

	if (!d)
		return e.text;
	snprintf(got, sizeof(got), "%s(%.*s)%s%s(%s)%s", d->plugin.name,
	    params ? (int)strcspn(params, "+") : 0, params ? params : "", inner_device ? "+" : "",
	    inner_device ? inner_device->plugin.name : "",
	    inner_device_params ? inner_device_params : "", sheet ? ": a sheet" : "");
	free(owned);
	return got;
}

START_TEST(an_array_is_made_of_another_device)
{
	static const struct {
		const char *typed, *meant;
	} list[] = {
		{ "raid0+fixed", "raid0()+fixed()" },
		{ "raid5:+null", "raid5()+null()" },
		{ "raid0:disks=4,unit=64K+fixed:latency=5ms,rate=1M",
		    "raid0(disks=4,unit=64K)+fixed(latency=5ms,rate=1M)" },
		{ "raid5:disks=3+cheetah9lp", "raid5(disks=3)+disk(): a sheet" },
		{ "raid0+sim/device/sheets/cheetah9lp.dev", "raid0()+disk(): a sheet" },
		{ "raid0:unit=4K+./sim/device/sheets/cheetah9lp.dev",
		    "raid0(unit=4K)+disk(): a sheet" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		ck_assert_str_eq(made_of(list[i].typed), list[i].meant);
}
END_TEST

START_TEST(what_is_no_array_of_one_device_is_a_usage_error)
{
	static const struct {
		const char *typed, *said;
	} list[] = {
		{ "raid0", "raid0 is an array: say of what, such as raid0+cheetah9lp" },
		{ "raid5:disks=3",
		    "raid5 is an array: say of what, such as raid5:disks=3+cheetah9lp" },
		{ "raid0+raid5+fixed", "raid0+raid5+fixed: one array of one device is possible" },
		{ "raid0+raid0:disks=2",
		    "raid0+raid0:disks=2: one array of one device is possible" },
		{ "raid0+fixed+fixed", "fixed is no array: nothing can be put into it with +" },
		{ "fixed:latency=1ms+fixed",
		    "fixed is no array: nothing can be put into it with +" },
		{ "cheetah9lp+raid0", "cheetah9lp is no array: nothing can be put into it with +" },
		{ "raid0+", "the name of a device is missing; see: bufsim list devices" },
		{ "raid0+fixd", "unknown device 'fixd'; did you mean 'fixed'?" },
		{ "raid1+fixed", "unknown device 'raid1'; did you mean 'raid0'?" },
		{ "cheetah9lp:heads=3",
		    "cheetah9lp is a data sheet and has no parameters, such as 'heads=3'" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		ck_assert_str_eq(made_of(list[i].typed), list[i].said);
		ck_assert_int_eq(e.exit_code, EXIT_USAGE);
		ck_assert_ptr_null(owned);
	}
}
END_TEST

START_TEST(a_path_is_that_of_a_data_sheet)
{
	const struct device *d = device("sim/device/sheets/cheetah9lp.dev");

	ck_assert_msg(d != NULL, "%s", e.text);
	ck_assert_str_eq(d->plugin.name, "disk");
	ck_assert_ptr_eq(sheet, owned);
	ck_assert_ptr_nonnull(strstr(owned, "[geometry]"));
	free(owned);
}
END_TEST

START_TEST(a_path_of_something_else_is_an_error_that_names_it)
{
	static const char *const wrong[] = { "/nonexistent/x.dev", "sim/", "./Makefile" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_ptr_null(device(wrong[i]));
		ck_assert_ptr_eq(strstr(e.text, wrong[i]), e.text);
		ck_assert_int_eq(e.exit_code, EXIT_FAILED);
		ck_assert_ptr_null(owned);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("registry");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, every_plug_in_has_a_name_of_its_own_a_summary_and_sound_parameters);
	tcase_add_test(tc, every_plug_in_has_the_functions_the_core_calls_unasked);
	tcase_add_test(tc, parameters_are_what_follows_the_colon);
	tcase_add_test(tc, a_controller_stands_before_another_prefetcher);
	tcase_add_test(tc, what_cannot_be_composed_is_a_usage_error);
	tcase_add_test(tc, an_unknown_name_suggests_the_nearest);
	tcase_add_test(tc, a_name_longer_than_any_is_unknown_like_another);
	tcase_add_test(tc, every_data_sheet_says_what_it_is_and_suits_its_kind);
	tcase_add_test(tc, a_kind_without_data_sheets_is_a_device_itself);
	tcase_add_test(tc, a_kind_with_data_sheets_asks_for_one);
	tcase_add_test(tc, an_array_is_made_of_another_device);
	tcase_add_test(tc, what_is_no_array_of_one_device_is_a_usage_error);
	tcase_add_test(tc, a_path_is_that_of_a_data_sheet);
	tcase_add_test(tc, a_path_of_something_else_is_an_error_that_names_it);
	return run_tests("registry", tc);
}
