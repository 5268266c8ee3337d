/* unpack.c - the table of packings, and what to type for files that none of them unpacks. */
#include <string.h>

#include "sim/base/text.h"
#include "sim/trace/unpack/unpack.h"

#define X(id) extern const struct packing packing_##id;
#include "sim/trace/unpack/packings.def"
#undef X
#define X(id) &packing_##id,
const struct packing *const packings[] = {
#include "sim/trace/unpack/packings.def"
	NULL
};
#undef X

/* Not unpacked here. */
static const struct {
	const char *magic, *what, *command;
	size_t	    n;
} refused[] = {
	{ "PK\3\4", "is a zip archive: unpack one member of it", "unzip -p FILE MEMBER", 4 },
	{ "PK\5\6", "is an empty zip archive: unpack another one", "unzip -p FILE MEMBER", 4 },
	{ "7z\xbc\xaf\x27\x1c", "is a 7-Zip archive: unpack one member of it",
	    "7z x -so FILE MEMBER", 6 },
	{ "\x04\x22\x4d\x18", "is compressed with lz4: unpack it first", "lz4 -dc FILE", 4 },
	{ "\x1f\x9d", "is compressed with compress: unpack it first", "uncompress -c FILE", 2 },
};

enum { TAR_MAGIC = 257 };

const struct packing *
unpack_find(const unsigned char *head, size_t n)
{
	for (const struct packing *const *p = packings; *p; p++)
		if (n >= (*p)->magic && (*p)->begins(head, n))
			return *p;
	return NULL;
}

int
unpack_refuse(const unsigned char *head, size_t n, struct error *e)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (n >= refused[i].n && !memcmp(head, refused[i].magic, refused[i].n))
			return error_set(e, "%s, as in `%s | bufsim run -`", refused[i].what,
			    refused[i].command);
	return 0;
}

int
unpack_refuse_archive(const unsigned char *head, size_t n, struct error *e)
{
	if (n < TAR_MAGIC + 5 || memcmp(head + TAR_MAGIC, "ustar", 5) != 0)
		return 0;
	return error_set(e,
	    "is a tar archive: unpack one member of it, as in "
	    "`tar -xOf FILE MEMBER | bufsim run -`");
}

int
unpack_missing(const struct packing *p, struct error *e)
{
	return error_set(e,
	    "is compressed with %s, and this bufsim was built without %s: unpack it first, as in "
	    "`%s FILE | bufsim run -`",
	    p->name, p->library, p->command);
}

size_t
unpack_name(const char *name)
{
	size_t n = strlen(name);

	for (const struct packing *const *p = packings; *p; p++)
		if (text_ends_in(name, n, (*p)->ending))
			return n - strlen((*p)->ending);
	return n;
}
