/* layout.c - from block number to sector. */
#include "sim/core/layout.h"

/* The size of AccuSim's disk, in sectors, and the 1 MiB of an inode. */
enum { ACCUSIM_SECTORS = 17783240, ACCUSIM_INODE_SHIFT = 11 };

int
layout_check(uint64_t needed, uint64_t capacity, struct error *e)
{
	if (needed <= capacity)
		return 0;
	return error_set(e,
	    "the files need %.1f MB of disk, but the device holds %.1f MB: "
	    "try --device fixed or a larger data sheet",
	    (double)needed * SECTOR_BYTES / 1e6, (double)capacity * SECTOR_BYTES / 1e6);
}

int
layout_init(struct layout *l, enum layout_kind kind, const struct trace *t, uint64_t capacity,
    struct error *e)
{
	*l = (struct layout){ kind, t, t->block_bytes / SECTOR_BYTES, capacity };
	return layout_check(kind == LAYOUT_ACCUSIM ? ACCUSIM_SECTORS
						   : (uint64_t)(t->nblocks - 1) * l->block_sectors,
	    capacity, e);
}

static uint64_t
accusim_sector(const struct layout *l, block_t b)
{
	const struct file *f = &l->trace->file[trace_file(l->trace, b)];
	uint32_t slot = (uint32_t)f->inode << ACCUSIM_INODE_SHIFT; /* 32 bits, as in AccuSim */
	uint64_t sector = (slot + (b - f->base) * l->block_sectors) % ACCUSIM_SECTORS;
	uint64_t last = l->capacity - l->block_sectors;

	return sector < last ? sector : last;
}

uint64_t
layout_sector(const struct layout *l, block_t b)
{
	return l->kind == LAYOUT_PACKED ? (uint64_t)(b - 1) * l->block_sectors
					: accusim_sector(l, b);
}
