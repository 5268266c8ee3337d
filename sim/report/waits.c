/* waits.c - the table of causes. */
#include "sim/report/waits.h"

const struct wait_info wait_info[CAUSES] = {
#define WAIT(name, what, word)                                                                     \
	{                                                                                          \
		what, word, offsetof(struct stats, name)                                           \
	}
	WAIT(stall_miss_us, "misses being read", "misses"),
	WAIT(stall_ride_us, "readahead read with them", "readahead"),
	WAIT(stall_demand_queue_us, "queued behind demand", "demand queue"),
	WAIT(stall_prefetch_queue_us, "queued behind prefetches", "prefetch queue"),
	WAIT(stall_write_queue_us, "queued behind writes", "write queue"),
	WAIT(stall_late_us, "late prefetches", "late prefetch"),
	WAIT(stall_delayed_us, "delayed hits", "delayed hits"),
	WAIT(stall_frame_us, "a free frame or request", "free frame"),
	WAIT(stall_write_us, "synchronous writes", "write"),
	WAIT(stall_idle_us, "an idle device", "idle device"),
	WAIT(cpu_us, "the processor", "processor"),
#undef WAIT
};
