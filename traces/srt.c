/*
 * srt.c - traces of disks in HP's format SRT.
 *
 * A header in text ends at the first form feed.  Then records of big-endian
 * words of 32 bits, the first of which is the length of the record in bytes:
 *
 *	length, version << 16 | type, seconds, microseconds, start, stop, bytes, block, device,
 *	drive, cylinder, flags, and more that is not used
 *
 * Types 1 and 4 are transfers.  Bit 0 of the flags is a read.  Blocks are
 * sectors of the size that the header says (256 bytes for the disks of 1992),
 * not of 512 bytes.  A device and its drive are one volume.
 *
 *	C. Ruemmler, J. Wilkes.  UNIX disk access patterns.  USENIX Winter 1993.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/bytes.h"
#include "sim/trace/format.h"

enum {
	HEADER_BYTES = 64 << 10,
	RECORD_BYTES_MIN = 48, /* up to the flags */
	RECORD_BYTES_MAX = 1024,
	SECTOR = 512, /* if the header does not say */
	TYPE_MASK = 0xffff,
	FLAG_READ = 1,
};

/* Words of a record. */
enum { LENGTH, TYPE, SECONDS, MICROSECONDS, BYTES = 6, BLOCK, DEVICE, DRIVE, FLAGS = 11, WORDS };

static const char magic[] = "$$TR_IOREC-";

struct srt {
	uint64_t sector; /* bytes; 0: the header says */
	bool	 begun;
};

static const struct param params[] = {
	{ "sector", PARAM_BYTES, 0, 0, 64 << 10, offsetof(struct srt, sector),
	    "bytes of a sector; 0: those of the header", NULL },
	{ 0 },
};

static bool
srt_recognise(const char *head, size_t n)
{
	return n >= strlen(magic) && !memcmp(head, magic, strlen(magic));
}

/* The number behind "sectorsize =" at s, or 0. */
static uint64_t
sector_at(const char *s)
{
	static const char word[] = "sectorsize";

	if (strncmp(s, word, strlen(word)) != 0)
		return 0;
	s += strlen(word);
	while (isspace((unsigned char)*s) || *s == '=')
		s++;
	return strtoul(s, NULL, 10);
}

/* All disks must have the same. */
static int
find_sector(struct srt *s, const char *text, struct input *in, struct error *e)
{
	for (; *text; text++) {
		uint64_t sector = sector_at(text);

		if (!sector)
			continue;
		if (s->sector && s->sector != sector)
			return error_set(e,
			    "its disks have sectors of %llu and of %llu bytes: choose with "
			    "--format srt:sector=%llu",
			    (unsigned long long)s->sector, (unsigned long long)sector,
			    (unsigned long long)s->sector);
		s->sector = sector;
	}
	if (s->sector)
		return 0;
	s->sector = SECTOR;
	input_note(in, "the header does not say the size of sectors: 512 bytes are assumed");
	return 0;
}

/* Skip the header, and take the size of sectors from it. */
static int
read_header(struct srt *s, struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e), *end;
	char	   *text;
	int	    status;

	if (!head)
		return -1;
	end = memchr(head, '\f', n);
	if (!srt_recognise(head, n) || !end)
		return error_set(e,
		    "not of SRT: it has no header of text that ends with a form feed");
	n = (size_t)(end - head) + 1;
	text = malloc(n);
	if (!text)
		return error_no_memory(e);
	status = input_bytes(in, text, n, e) == 1 ? 0 : -1;
	text[n - 1] = '\0';
	for (size_t i = 0; i < n - 1; i++)
		text[i] = text[i] ? text[i] : ' ';
	if (!status && !s->sector)
		status = find_sector(s, text, in, e);
	free(text);
	s->begun = true;
	return status;
}

/* 1: a record, in b; else as input_bytes(). */
static int
next_record(struct input *in, unsigned char b[RECORD_BYTES_MAX], struct error *e)
{
	int	 status = input_bytes(in, b, RECORD_BYTES_MIN, e);
	uint32_t length;

	if (status <= 0)
		return status;
	length = bytes_be32(b);
	if (length < RECORD_BYTES_MIN || length > RECORD_BYTES_MAX || length % 4)
		return error_set(e, "a record of %u bytes: the trace is damaged", length);
	if (length == RECORD_BYTES_MIN)
		return 1;
	status = input_bytes(in, b + RECORD_BYTES_MIN, length - RECORD_BYTES_MIN, e);
	return status ? status : error_set(e, "the file ends in the middle of a record");
}

static int
srt_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct srt   *s = self;
	unsigned char b[RECORD_BYTES_MAX];
	uint32_t      word[WORDS], type;

	if (unlikely(!s->begun) && read_header(s, in, e))
		return -1;
	do {
		int status = next_record(in, b, e);

		if (status <= 0)
			return status;
		for (unsigned i = 0; i < WORDS; i++)
			word[i] = bytes_be32(b + i * sizeof(*word));
		type = word[TYPE] & TYPE_MASK;
		if (type != 1 && type != 4)
			input_count(in, "records other than transfers were skipped");
	} while (type != 1 && type != 4);
	r->op = word[FLAGS] & FLAG_READ ? OP_READ : OP_WRITE;
	r->time = (usec_t)word[SECONDS] * 1000000 + word[MICROSECONDS];
	r->inode = (uint64_t)(word[DEVICE] >> 8 & 0xff) << 32 | word[DRIVE];
	r->offset = (uint64_t)word[BLOCK] * s->sector;
	r->length = word[BYTES];
	return 1;
}

FORMAT(srt,
    .plugin = { .name = "srt",
	.summary = "HP's traces of disks, SRT",
	.state_size = sizeof(struct srt),
	.params = params },
    .lacks = LACKS_FILES | LACKS_PROCESSES, .recognise = srt_recognise, .read = srt_read);
