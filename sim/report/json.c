/* json.c - numbers and lines of JSON. */
#include <inttypes.h>

#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/report/json.h"

bool
json_count(cJSON *to, const char *name, uint64_t n)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	return cJSON_AddRawToObject(to, name, text);
}

bool
json_decimal(cJSON *to, const char *name, double x)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof(text), "%.9g", x);
	return cJSON_AddRawToObject(to, name, text);
}

int
json_print(cJSON *object, bool whole, FILE *out, struct error *e)
{
	char *text = whole ? cJSON_PrintUnformatted(object) : NULL;

	cJSON_Delete(object);
	if (!text)
		return error_set(e, "out of memory for the output");
	text_print(text, out); /* cJSON passes on bytes that are not UTF-8 */
	putc('\n', out);
	cJSON_free(text);
	return 0;
}

int
json_picture(cJSON *object, bool whole, struct picture *to, struct error *e)
{
	struct memo text;
	int	    failed = memo_open(&text, e);

	failed |= json_print(object, whole && !failed, text.out, e);
	failed |= memo_close(&text, e);
	*to = (struct picture){ .bytes = text.text, .n = text.bytes };
	return failed;
}
