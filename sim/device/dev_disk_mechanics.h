/* dev_disk_mechanics.h - arm, heads and platters of a disk: places and times of sectors. */
#ifndef SIM_DEV_DISK_MECHANICS_H
#define SIM_DEV_DISK_MECHANICS_H

#include <math.h>

#include "sim/device/sheet.h"

enum { ZONES_MAX = 64 };

/* Cylinders with equally many sectors on each track. */
struct zone {
	uint64_t first; /* sector of the disk */
	uint32_t sectors;
	uint32_t cylinder; /* the first one */
	uint32_t per_track, per_cylinder;
	uint32_t reserved; /* sectors at the front, not addressed */
	uint32_t spares;   /* sectors behind each stretch, not addressed */
	uint32_t stretch;
	uint32_t track_skew, cylinder_skew;
	double	 sector_us;
};

struct mechanics {
	uint64_t    capacity; /* sectors */
	uint32_t    heads, cylinders, nzones;
	uint32_t    spare_cylinders; /* cylinders that share spares; 0: a whole zone shares them */
	bool	    serpentine;	     /* odd cylinders of a zone are filled from the last head on */
	bool	    zero_latency;
	double	    revolution_us, head_switch_us, write_settle_us;
	double	   *seek_us; /* [cylinders] by distance */
	struct zone zone[ZONES_MAX];
	uint32_t    at_zone, at_cylinder, at_head; /* the arm */
};

/* A run of sectors under the heads.  Times are absolute. */
struct pass {
	/* Wanted: */
	uint64_t sector, sectors;
	bool	 write;
	double	 start;
	double	 least_us; /* the first move takes at least this */
	double	 ready;	   /* no sector before this time */
	double	 until;	   /* only sectors that have passed before this time */

	/* Got: */
	uint64_t done;	     /* sectors */
	double	 first, end; /* times when the first and the last sector have passed */
	double	 seek_us, rotation_us, transfer_us;
	double	 first_seek_us, first_rotation_us; /* of these, before the first sector */
	double	 first_transfer_us;
};

/* Faults are left in the sheet. */
void mechanics_load(struct mechanics *m, struct sheet *s);
void mechanics_release(struct mechanics *m);

void mechanics_run(struct mechanics *m, struct pass *p);

/* The time that a sector takes to pass under a head. */
double mechanics_sector_us(const struct mechanics *m, uint64_t sector);

/* The cylinder that holds a sector. */
uint32_t mechanics_cylinder(const struct mechanics *m, uint64_t sector);

/* The track that holds a sector: its first sector, and the one after its last. */
void mechanics_track(const struct mechanics *m, uint64_t sector, uint64_t *begin, uint64_t *end);

#endif
