/* check_json.c - sim/report/json.c: whatever the strings are, the output is JSON in UTF-8. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/report/json.h"
#include "tests/unit/support.h"

START_TEST(any_string_gives_valid_json)
{
	char	     name[256], *text;
	size_t	     n;
	FILE	    *out = open_memstream(&text, &n);
	cJSON	    *object = cJSON_CreateObject(), *again;
	struct error e;

	for (unsigned i = 1; i < sizeof(name); i++)
		name[i - 1] = (char)i;
	name[sizeof(name) - 1] = '\0';
	ck_assert_ptr_nonnull(cJSON_AddStringToObject(object, "every \xc2\x9b byte \xff", name));
	ck_assert_ptr_nonnull(cJSON_AddStringToObject(object, "cut", "na\xc3"));
	ck_assert_int_eq(json_print(object, true, out, &e), 0);
	fclose(out);
	ck_assert_uint_eq(strcspn(text, "\n"), n - 1);
	text[n - 1] = '\0';
	ck_assert(text_is_clean(text));
	again = cJSON_Parse(text);
	ck_assert_ptr_nonnull(again);
	ck_assert_str_eq(cJSON_GetObjectItem(again, "cut")->valuestring, "na?");
	ck_assert_int_eq(strncmp(again->child->valuestring, name, 0x7e), 0);
	ck_assert_str_eq(again->child->string, "every ? byte ?");
	cJSON_Delete(again);
	free(text);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("json");

	tcase_add_test(tests, any_string_gives_valid_json);
	return run_tests("json", tests);
}
