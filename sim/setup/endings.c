/* endings.c - the endings of names, and what is written under them. */
#include <string.h>
#include <strings.h>

#include "sim/base/output.h"
#include "sim/base/text.h"
#include "sim/setup/endings.h"
#include "sim/trace/format.h"
#include "sim/trace/unpack/unpack.h"

/* Formats of other programs, too; those of traces that can be written are in `formats`. */
static const char known[] =
    ".csv .tsv .json .jsonl .ndjson .yaml .yml .toml .xml .html .htm .md .txt .tex .rst "
    ".svg .png .jpg .jpeg .gif .webp .tif .tiff .bmp .pdf .ps .eps .dev "
    ".parquet .arrow .feather .orc .avro .xlsx .xls .ods .doc .docx .odt .db .sqlite .sqlite3 .sql "
    ".h5 .hdf5 .nc .npz .npy .pkl .pickle .rds .rda .mat .dta";

/* Beside those that unpack.h knows. */
static const char packings_unknown[] = ".lz4 .zip .7z .tar .tgz .lzma .lz .z .br .rar";

const struct written written_csv = { .what = "CSV", .endings = ".csv" };
const struct written written_table = { .what = "CSV",
	.endings = ".csv",
	.drawn = true,
	.or_json = true };
const struct written written_json = { .what = "JSON", .endings = JSON_ENDINGS };
const struct written written_text = { .what = "text", .endings = ".txt" };

/* Is that ending, of n bytes, in the list? */
static bool
lists(const char *list, const char *ending, size_t n)
{
	for (size_t length; *list; list += length + strspn(list + length, " ")) {
		length = strcspn(list, " ");
		if (length == n && !strncasecmp(list, ending, n))
			return true;
	}
	return false;
}

static size_t
without_packing(const char *path)
{
	size_t n = unpack_name(path), at;

	if (path[n])
		return n;
	at = text_ending(path, n);
	return lists(packings_unknown, path + at, n - at) ? at : n;
}

static bool
names_format(const char *ending, size_t n)
{
	if (lists(known, ending, n))
		return true;
	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->write && lists((*f)->ending, ending, n))
			return true;
	return false;
}

static const char *
remark_on(const struct written *w, const char *ending, size_t n)
{
	if (w->drawn && lists(".svg .png .pdf", ending, n))
		return "; bufsim plot makes pictures from it";
	if (w->or_json && lists(JSON_ENDINGS, ending, n))
		return ", or --json for JSON";
	if (w == &written_json && lists(".csv", ending, n))
		return ", or leave out --json for CSV";
	return ", or a name without an ending";
}

int
endings_check(const char *option, const char *path, const struct written *w, struct error *e)
{
	size_t end, stem;

	if (!path || !strcmp(path, "-"))
		return 0;
	end = without_packing(path);
	stem = text_ending(path, end);
	if (names_format(path + stem, end - stem) && !lists(w->endings, path + stem, end - stem))
		return error_usage(e, "%s%s: this writes %s: type %.*s%.*s%s%s", option, path,
		    w->what, (int)stem, path, (int)strcspn(w->endings, " "), w->endings,
		    output_packs(path) && !w->plain ? ".gz" : "",
		    remark_on(w, path + stem, end - stem));
	if (!path[end] || (output_packs(path) && !w->plain))
		return 0;
	if (w->plain)
		return error_usage(e, "%s%s: %s is not packed here: type %.*s", option, path,
		    w->what, (int)end, path);
	return error_usage(e, "%s%s: only gzip is written: type %.*s.gz, or pack it afterwards",
	    option, path, (int)end, path);
}
