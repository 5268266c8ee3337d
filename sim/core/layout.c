/* layout.c - from block number to sector. */
#include "sim/core/layout.h"
#include "sim/base/number.h"

/* The size of AccuSim's disk, in sectors, and the 1 MiB of an inode. */
enum { ACCUSIM_SECTORS = 17783240, ACCUSIM_INODE_SHIFT = 11 };

int
layout_check(uint64_t needed, uint64_t capacity, struct error *e)
{
	char files[NUMBER_TEXT], device[NUMBER_TEXT];

	if (needed <= capacity)
		return 0;
	return error_set(e, "the files take %s, but the device holds %s",
	    number_disk(files, needed * SECTOR_BYTES),
	    number_disk(device, capacity * SECTOR_BYTES));
}

uint64_t
layout_sectors(enum layout_kind kind, bool whole, const struct trace *t)
{
	const struct file *last;
	uint64_t	   block_sectors = t->block_bytes / SECTOR_BYTES;

	if (kind == LAYOUT_ACCUSIM)
		return ACCUSIM_SECTORS;
	if (whole || !t->nfiles)
		return (uint64_t)(t->nblocks - 1) * block_sectors;
	last = &t->file[t->nfiles - 1];
	return (uint64_t)(last->base - 1) * block_sectors +
	    (last->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

int
layout_init(struct layout *l, enum layout_kind kind, const struct trace *t, uint64_t capacity,
    struct error *e)
{
	*l = (struct layout){ kind, t, t->block_bytes / SECTOR_BYTES, capacity };
	return layout_check(layout_sectors(kind, true, t), capacity, e);
}

uint64_t
layout_accusim_sector(const struct layout *l, block_t b)
{
	const struct file *f = &l->trace->file[trace_file(l->trace, b)];
	uint32_t slot = (uint32_t)f->inode << ACCUSIM_INODE_SHIFT; /* 32 bits, as in AccuSim */
	uint64_t sector = (slot + (b - f->base) * l->block_sectors) % ACCUSIM_SECTORS;
	uint64_t last = l->capacity - l->block_sectors;

	return sector < last ? sector : last;
}
