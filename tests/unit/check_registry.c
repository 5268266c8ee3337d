/* check_registry.c - every plug-in is complete, and found by its name alone. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/kinds.h"
#include "sim/core/stats.h"
#include "sim/registry.h"
#include "sim/studies/frames/model/registry.h"
#include "sim/studies/share/model/registry.h"
#include "sim/trace/generate/workload.h"
#include "tests/unit/support.h"

static struct error  e;
static struct choice choice;

static void
setup(void)
{
	e = (struct error){ 0 };
}

static void
teardown(void)
{
	choice_release(&choice);
}

/* The plug-in chosen, or NULL. */
static const struct plugin *
choose(const struct plugin_kind *kind, const char *text)
{
	choice_release(&choice);
	return registry_choose(kind, text, &choice, &e) ? NULL : choice.plugin;
}

static const char *
said(const struct plugin_kind *kind, const char *text)
{
	ck_assert_ptr_null(choose(kind, text));
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	return e.text;
}

static void
check_params(const struct plugin *p)
{
	for (const struct param *q = p->params; q && q->name; q++) {
		ck_assert_uint_le(q->min, q->initial);
		ck_assert(
		    p->either || q->initial == NOT_GIVEN || q->initial <= q->max + !!q->words);
		ck_assert_uint_le(q->offset + sizeof(uint64_t), p->state_size);
		ck_assert_uint_gt(strlen(q->meaning), 0);
	}
}

START_TEST(every_plug_in_has_a_name_of_its_own_a_summary_and_sound_parameters)
{
	for (const struct plugin_kind *const *k = all_kinds; *k; k++) {
		ck_assert_ptr_nonnull((*k)->list[0]);
		for (const struct plugin *const *p = (*k)->list; *p; p++) {
			ck_assert_uint_gt(strlen((*p)->summary), 0);
			check_params(*p);
			if (*k == PLUGIN_DEVICE) /* some need a sheet, or another device */
				continue;
			ck_assert_ptr_eq(choose(*k, (*p)->name), *p);
			ck_assert_ptr_null(choice.params);
		}
	}
}
END_TEST

/* Names of columns are made of those of plug-ins and counters. */
START_TEST(every_counter_is_in_the_state_and_has_a_name_of_its_own)
{
	char   name[200][64];
	size_t n = 0, known = 0;

	for (struct own_counter i = { 0 }; registry_next_counter(&i); n++) {
		ck_assert_uint_le(i.counter->offset + sizeof(uint64_t), i.plugin->state_size);
		ck_assert_int_lt(i.counter - i.plugin->counters, COUNTERS_MAX);
		ck_assert_uint_gt(strlen(i.counter->unit), 0);
		ck_assert_uint_gt(strlen(i.counter->meaning), 0);
		ck_assert_uint_eq(strspn(i.counter->name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
		    strlen(i.counter->name));
		ck_assert_uint_lt(n, 200);
		strcpy(name[n], i.name);
		known += !strcmp(i.name, "iprp_forgotten_runs");
		for (size_t k = 0; k < n; k++)
			ck_assert_str_ne(name[k], i.name);
		for (const struct counter *c = stat_info; c->name; c++)
			ck_assert_str_ne(c->name, i.name);
	}
	ck_assert_uint_eq(known, 1);
}
END_TEST

/* Counters are of a run, which formats take no part in. */
START_TEST(a_format_has_no_counters)
{
	for (const struct plugin *const *p = PLUGIN_FORMAT->list; *p; p++)
		ck_assert_ptr_null((*p)->counters);
}
END_TEST

START_TEST(every_wrapper_shows_what_is_inside_and_names_what_exists)
{
	for (const struct plugin_kind *const *k = all_kinds; *k; k++)
		for (const struct plugin *const *p = (*k)->list; *p; p++) {
			ck_assert(!(*p)->around == !(*p)->inner);
			if ((*p)->around && *(*p)->around)
				ck_assert_ptr_nonnull(choose(*k, (*p)->around));
		}
}
END_TEST

static void
check_prefetcher(const struct prefetcher *p)
{
	ck_assert(p->access || !strcmp(p->plugin.name, "none")); /* it is never asked */
	ck_assert(!p->state == !p->state_names);
	ck_assert(!p->plugin.around || p->init);
}

START_TEST(every_plug_in_has_the_functions_the_core_calls_unasked)
{
	for (const struct plugin *const *p = PLUGIN_POLICY->list; *p; p++) {
		const struct policy *policy = (const struct policy *)(const void *)*p;

		ck_assert(policy->hit && policy->evict && policy->insert && policy->replay);
	}
	for (const struct plugin *const *p = PLUGIN_PREFETCHER->list; *p; p++)
		check_prefetcher((const struct prefetcher *)(const void *)*p);
	for (const struct plugin *const *p = PLUGIN_SCHEDULER->list; *p; p++)
		ck_assert(((const struct scheduler *)(const void *)*p)->pick);
	for (const struct plugin *const *p = PLUGIN_DEVICE->list; *p; p++) {
		const struct device *d = (const struct device *)(const void *)*p;

		ck_assert(d->capacity && d->service && (!d->plugin.around || d->init));
	}
	for (const struct format *const *f = formats; *f; f++)
		ck_assert((*f)->recognise && ((*f)->read || (*f)->map));
	for (const struct plugin *const *p = PLUGIN_SHAPE->list; *p; p++) {
		const struct shape *shape = (const struct shape *)(const void *)*p;

		ck_assert(shape->call && strlen(shape->teaches) > 0 && !(*p)->counters);
	}
	for (const struct plugin *const *p = PLUGIN_POOL->list; *p; p++) {
		const struct pool *pool = (const struct pool *)(const void *)*p;

		ck_assert(pool->init && pool->release && pool->alloc && pool->free);
		ck_assert(pool->free_pages && pool->largest_order && !(*p)->counters);
	}
	for (const struct plugin *const *p = PLUGIN_LOAD->list; *p; p++)
		ck_assert(((const struct load *)(const void *)*p)->write && !(*p)->counters);
	for (const struct plugin *const *p = PLUGIN_KIND->list; *p; p++) {
		const struct sharing_kind *kind = (const struct sharing_kind *)(const void *)*p;

		ck_assert(kind->work && strlen(kind->teaches) > 0 && !(*p)->counters);
	}
}
END_TEST

static void
check_is_no_topic(const char *name)
{
	static const char *const words[] = { "counters", "counter", "workloads", "workload",
		"patterns", "sizes", "size", "traces", "trace", "commands", "options" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		ck_assert_str_ne(name, words[i]);
	for (const struct plugin_kind *const *k = all_kinds; *k; k++) {
		ck_assert_str_ne(name, (*k)->name);
		ck_assert_str_ne(name, (*k)->plural);
	}
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		ck_assert_str_ne(name, s->name);
	for (const struct workload *w = workloads; w->name; w++) {
		ck_assert_str_ne(name, w->name);
		ck_assert_str_ne(name, w->group);
	}
}

/*
 * bufsim list NAME explains all plug-ins of that name, but nothing else beside them.  Some plug-ins
 * of caches and of shared memory have the name of a workload.
 */
START_TEST(no_plug_in_of_frames_has_the_name_of_another_topic)
{
	static const struct plugin_kind *const kinds[] = { PLUGIN_POOL, PLUGIN_LOAD, PLUGIN_CORE };

	for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
		for (const struct plugin *const *p = kinds[k]->list; *p; p++)
			check_is_no_topic((*p)->name);
}
END_TEST

START_TEST(parameters_are_what_follows_the_colon)
{
	const char *text = "linux24:max=31,min=3";

	ck_assert_str_eq(choose(PLUGIN_PREFETCHER, text)->name, "linux24");
	ck_assert_ptr_eq(choice.params, text + 8);
	ck_assert_ptr_nonnull(choose(PLUGIN_PREFETCHER, "linux24:"));
	ck_assert_str_eq(choice.params, "");
	ck_assert_str_eq(said(PLUGIN_PREFETCHER, "iprp:threshold=4+linux24:mx=7"),
	    "unknown parameter of linux24 'mx'; did you mean 'max'?");
	ck_assert_str_eq(said(PLUGIN_PREFETCHER, "iprp:treshold=4+linux24"),
	    "unknown parameter of iprp 'treshold'; did you mean 'threshold'?");
}
END_TEST

/* "iprp(threshold=4)+linux24(max=31)": names, parameters, and the lines of a sheet. */
static const char *
composed(const struct plugin_kind *kind, const char *text)
{
	static char got[200];
	size_t	    used = 0;

	if (!choose(kind, text))
		return e.text;
	for (const struct choice *c = &choice; c; c = c->inner) {
		const char *params = c->params ? c->params : "";

		used += (size_t)snprintf(got + used, sizeof(got) - used, "%s%s(%.*s)%s",
		    used ? "+" : "", c->plugin->name, (int)strcspn(params, "+"), params,
		    c->sheet ? ": a sheet" : "");
	}
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
		ck_assert_str_eq(composed(PLUGIN_PREFETCHER, list[i].typed), list[i].meant);
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
		{ "linux24+none", "linux24 cannot wrap another prefetcher" },
		{ "none:+linux24", "none cannot wrap another prefetcher" },
		{ "iprp+iprp", "iprp wraps another prefetcher and cannot be wrapped itself" },
		{ "iprp+none+none", "none cannot wrap another prefetcher" },
		{ "iprp+iprp+linux24",
		    "iprp wraps another prefetcher and cannot be wrapped itself" },
		{ "iprp+linux24:max=31+obl", "linux24 cannot wrap another prefetcher" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		ck_assert_str_eq(said(PLUGIN_PREFETCHER, list[i].typed), list[i].said);
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
	ck_assert_ptr_nonnull(strstr(said(PLUGIN_PREFETCHER, name), "...; it has: none, linux24"));
	name[200] = 'x';
	ck_assert_ptr_nonnull(strstr(said(PLUGIN_POLICY, name), "...; it has: lru, fifo"));
	ck_assert_ptr_null(choose(PLUGIN_DEVICE, name));
}
END_TEST

START_TEST(every_data_sheet_says_what_it_is_and_suits_its_kind)
{
	char summary[200];

	for (const struct data_sheet *s = data_sheets; s->name; s++) {
		void *state;

		ck_assert_msg(choose(PLUGIN_DEVICE, s->name) != NULL, "%s: %s", s->name, e.text);
		ck_assert_ptr_eq(choice.sheet, s->text);
		data_sheet_value(s->text, "summary", summary, sizeof(summary));
		ck_assert_uint_gt(strlen(summary), 0);
		state = device_start(&choice, &e);
		ck_assert_msg(state != NULL, "%s: %s", s->name, e.text);
		ck_assert_uint_gt(device_of(&choice)->capacity(state), 0);
		device_stop(device_of(&choice), state);
	}
}
END_TEST

START_TEST(a_kind_without_data_sheets_is_a_device_itself)
{
	ck_assert_str_eq(choose(PLUGIN_DEVICE, "fixed:latency=5ms")->name, "fixed");
	ck_assert_str_eq(choice.params, "latency=5ms");
	ck_assert_ptr_null(choice.sheet);
}
END_TEST

START_TEST(a_kind_with_data_sheets_asks_for_one)
{
	ck_assert_ptr_null(choose(PLUGIN_DEVICE, "disk"));
	ck_assert_ptr_nonnull(strstr(e.text, "atlas10k"));
	ck_assert_ptr_null(choose(PLUGIN_DEVICE, "cheeta9lp"));
	ck_assert_str_eq(e.text, "unknown device 'cheeta9lp'; did you mean 'cheetah9lp'?");
}
END_TEST

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
		ck_assert_str_eq(composed(PLUGIN_DEVICE, list[i].typed), list[i].meant);
}
END_TEST

START_TEST(what_is_no_array_of_one_device_is_a_usage_error)
{
	static const struct {
		const char *typed, *said;
	} list[] = {
		{ "raid0", "raid0 wraps another device: say which, such as raid0+cheetah9lp" },
		{ "raid5:disks=3",
		    "raid5 wraps another device: say which, such as raid5:disks=3+cheetah9lp" },
		{ "raid0+raid5+fixed", "raid5 wraps another device and cannot be wrapped itself" },
		{ "raid0+raid0:disks=2",
		    "raid0 wraps another device and cannot be wrapped itself" },
		{ "raid0+fixed+fixed", "fixed cannot wrap another device" },
		{ "fixed:latency=1ms+fixed", "fixed cannot wrap another device" },
		{ "cheetah9lp+raid0", "cheetah9lp cannot wrap another device" },
		{ "raid5+cheetah9lp:heads=3+null",
		    "cheetah9lp is a data sheet and has no parameters, such as 'heads=3'" },
		{ "raid0+", "the name of a device is missing; see: bufsim list devices" },
		{ "raid0+fixd", "unknown device 'fixd'; did you mean 'fixed'?" },
		{ "raid1+fixed",
		    "unknown device 'raid1'; did you mean 'raid0'? It wraps another device, as in "
		    "raid0+hc310; so does raid5" },
		{ "cheetah9lp:heads=3",
		    "cheetah9lp is a data sheet and has no parameters, such as 'heads=3'" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		ck_assert_str_eq(said(PLUGIN_DEVICE, list[i].typed), list[i].said);
		ck_assert_ptr_null(choice.inner);
	}
}
END_TEST

START_TEST(a_path_is_that_of_a_data_sheet)
{
	const struct plugin *p = choose(PLUGIN_DEVICE, "sim/device/sheets/cheetah9lp.dev");

	ck_assert_msg(p != NULL, "%s", e.text);
	ck_assert_str_eq(p->name, "disk");
	ck_assert_ptr_nonnull(strstr(choice.sheet, "[geometry]"));
}
END_TEST

START_TEST(a_path_of_something_else_is_an_error_that_names_it)
{
	static const char *const wrong[] = { "/nonexistent/x.dev", "sim/", "./Makefile" };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_ptr_null(choose(PLUGIN_DEVICE, wrong[i]));
		ck_assert_ptr_eq(strstr(e.text, wrong[i]), e.text);
		ck_assert_int_eq(e.exit_code, EXIT_FAILED);
		ck_assert_ptr_null(choice.sheet);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("registry");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, every_plug_in_has_a_name_of_its_own_a_summary_and_sound_parameters);
	tcase_add_test(tc, every_counter_is_in_the_state_and_has_a_name_of_its_own);
	tcase_add_test(tc, a_format_has_no_counters);
	tcase_add_test(tc, every_wrapper_shows_what_is_inside_and_names_what_exists);
	tcase_add_test(tc, every_plug_in_has_the_functions_the_core_calls_unasked);
	tcase_add_test(tc, no_plug_in_of_frames_has_the_name_of_another_topic);
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
