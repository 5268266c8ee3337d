/*
 * vscsi.c - CloudPhysics' traces of the disks of virtual machines, vscsi 1 and 2.
 *
 * One disk a file.  Records of 32 or 40 bytes, little-endian, without a header:
 *
 *	1: number u32, length u32, segments u32, command u16, version u16, sector u64, time u64
 *	2: command u16, version u16, number u32, length u32, segments u32, sector u64, time u64,
 *	   response time u64
 *
 * The version is in the upper byte of its word.  Lengths are in bytes, sectors
 * have 512 bytes, times are in microseconds.  Only reads and writes are calls.
 *
 *	C. Waldspurger, N. Park, A. Garthwaite, I. Ahmad.  Efficient MRC
 *	construction with SHARDS.  FAST 2015.
 */
#include "sim/base/bytes.h"
#include "sim/trace/format.h"

enum { RECORD_BYTES_MAX = 40, RECORDS_LOOKED_AT = 16, SECTOR_SHIFT = 9, VERSIONS = 2 };

/* Places in a record. */
static const struct layout {
	size_t	 bytes, command, version, length, sector, time;
	unsigned number;
} layouts[VERSIONS] = {
	{ 32, 12, 15, 4, 16, 24, 1 },
	{ 40, 0, 3, 8, 16, 24, 2 },
};

struct vscsi {
	const struct layout *layout; /* NULL: not known yet */
};

/* By the first records; NULL: neither. */
static const struct layout *
find_layout(const unsigned char *b, size_t n)
{
	for (const struct layout *l = layouts; l < layouts + VERSIONS; l++) {
		size_t records = n / l->bytes, right = 0;

		if (records > RECORDS_LOOKED_AT)
			records = RECORDS_LOOKED_AT;
		while (right < records && b[right * l->bytes + l->version] == l->number)
			right++;
		if (records && right == records)
			return l;
	}
	return NULL;
}

static bool
vscsi_recognise(const char *head, size_t n)
{
	return find_layout((const unsigned char *)head, n);
}

static int
begin(struct vscsi *s, struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e);

	if (!head)
		return -1;
	s->layout = n ? find_layout((const unsigned char *)head, n) : layouts;
	if (!s->layout)
		return error_set(e,
		    "not of vscsi: neither byte 15 of each 32 is 1 nor byte 3 of each 40 is 2");
	return 0;
}

/* SCSI commands of 6, 10, 12 and 16 bytes; false: it moves no data. */
static bool
find_op(uint32_t command, enum op *op)
{
	switch (command) {
	case 0x08:
	case 0x28:
	case 0xa8:
	case 0x88:
		*op = OP_READ;
		return true;
	case 0x0a:
	case 0x2a:
	case 0xaa:
	case 0x8a:
		*op = OP_WRITE;
		return true;
	default:
		return false;
	}
}

static int
vscsi_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct vscsi	    *s = self;
	const struct layout *l;
	unsigned char	     b[RECORD_BYTES_MAX];
	uint64_t	     sector;

	if (unlikely(!s->layout) && begin(s, in, e))
		return -1;
	l = s->layout;
	for (;;) {
		int status = input_bytes(in, b, l->bytes, e);

		if (status <= 0)
			return status;
		if (b[l->version] != l->number)
			return error_set(e, "its version is %u instead of %u: the trace is damaged",
			    b[l->version], l->number);
		if (likely(find_op(bytes_le16(b + l->command), &r->op)))
			break;
		input_count(in, "SCSI commands other than reads and writes were skipped");
	}
	sector = bytes_le64(b + l->sector);
	r->time = (usec_t)bytes_le64(b + l->time);
	r->inode = 1;
	r->length = bytes_le32(b + l->length);
	r->offset = sector > UINT64_MAX >> SECTOR_SHIFT ? UINT64_MAX : sector << SECTOR_SHIFT;
	return 1;
}

FORMAT(vscsi,
    .plugin = { .name = "vscsi",
	.summary = "CloudPhysics' traces of virtual disks, vscsi 1 and 2",
	.state_size = sizeof(struct vscsi) },
    .lacks = LACKS_FILES | LACKS_PROCESSES, .recognise = vscsi_recognise, .read = vscsi_read);
