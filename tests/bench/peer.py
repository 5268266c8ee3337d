"""LRU of libCacheSim, in C from the first request to the last: misses, requests, CPU seconds."""
import sys
import time

import libcachesim

path, blocks, hashpower = sys.argv[1:]
reader = libcachesim.TraceReader(
    path,
    libcachesim.TraceType.ORACLE_GENERAL_TRACE,
    libcachesim.ReaderInitParam(ignore_obj_size=True),
)
start = time.process_time()
cache = libcachesim.LRU(int(blocks), hashpower=int(hashpower))
miss_ratio, _ = cache.process_trace(reader)
seconds = time.process_time() - start
requests = reader.get_num_of_req()
print(round(miss_ratio * requests), requests, f"{seconds:.6f}")
