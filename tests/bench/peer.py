"""A policy of libCacheSim, in C from the first request to the last: misses, requests, CPU seconds.

peer.py TRACE BLOCKS HASHPOWER [POLICY[:name=value,...]]    LRU, if no policy is given
"""
import ast
import sys
import time

import libcachesim


def reader_of(path):
    """The references of a trace in its fastest format, each of size 1."""
    return libcachesim.TraceReader(
        path,
        libcachesim.TraceType.ORACLE_GENERAL_TRACE,
        libcachesim.ReaderInitParam(ignore_obj_size=True),
    )


def value_of(word):
    """A number or a truth value; else the word."""
    try:
        return ast.literal_eval(word)
    except ValueError:
        return word


def replay(reader, blocks, hashpower, policy):
    """Misses and CPU seconds; the seconds begin before the hash table is made."""
    name, _, given = policy.partition(":")
    pairs = [pair.split("=") for pair in given.split(",") if pair]
    start = time.process_time()
    cache = getattr(libcachesim, name)(
        blocks, hashpower=hashpower, **{key: value_of(word) for key, word in pairs}
    )
    miss_ratio, _ = cache.process_trace(reader)
    seconds = time.process_time() - start
    return round(miss_ratio * reader.get_num_of_req()), seconds


def main():
    path, blocks, hashpower = sys.argv[1:4]
    policy = sys.argv[4] if len(sys.argv) > 4 else "LRU"
    reader = reader_of(path)
    misses, seconds = replay(reader, int(blocks), int(hashpower), policy)
    print(misses, reader.get_num_of_req(), f"{seconds:.6f}")


if __name__ == "__main__":
    main()
