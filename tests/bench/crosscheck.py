"""Untimed replay of bufsim against libCacheSim: the misses of the same policies, as CSV.

crosscheck.py BUFSIM TRACE.oracleGeneral...

Fails if misses differ where they must be equal.  A model (models.py) takes the place of a side
where no parameters make both equal, if the trace is not long.
"""
import csv
import struct
import subprocess
import sys
from pathlib import Path

import models
import peer

RECORD = struct.Struct("<IQIq")
LONGEST = 500_000  # references that a model is given
SHARES = (100, 10, 3)  # of the distinct blocks

# Policy of bufsim, of libCacheSim, and whether their misses must be equal; models of either.
PAIRS = (
    ("lru", "LRU", True, None, None),
    ("fifo", "FIFO", True, None, None),
    ("clock", "Clock", True, None, None),
    ("clock:init=1", "Clock:init_freq=1", True, None, None),
    ("sieve", "Sieve", True, models.sieve, models.sieve),
    ("opt", "Belady", True, models.opt, models.opt),
    ("2q", "TwoQ", True, None, None),
    ("2q:kin=10%,kout=100%", "TwoQ:a_in_size_ratio=0.1,a_out_size_ratio=1.0", True, None, None),
    ("arc", "ARC", True, None, None),
    ("mq", "MQ", False, None, None),
    ("mq:life=9999b,ghosts=400%", "MQ", False, None, None),
    ("mq:queues=1", "MQ:n_queue=1", True, None, None),
    ("lecar", "LeCaR", False, None, None),
    ("lecar:rate=0,start=1", "LeCaR:update_weight=False,lru_weight=1.0", True, None, None),
    ("lecar:rate=0,start=0,keep=0", "LeCaR:update_weight=False,lru_weight=0.0", True, None, None),
    ("lecar:rate=0,start=0.5,keep=0", "LeCaR:update_weight=False,lru_weight=0.5", False, None, None),
    ("lru2", "LRUK", False, None, None),
    ("lru2:crp=0,history=1b", "LRUK", False, None, models.lru2),
    ("lirs", "LIRS", False, None, None),
    ("lirs:hir=1%", "LIRS", False, models.lirs, None),
    ("s3fifo", "S3FIFO", False, models.s3fifo, models.s3fifo_main_at_first),
    ("wtinylfu", "WTinyLFU", False, None, None),
    ("wtinylfu:window=1%,sketch=1", "WTinyLFU", False, None, None),
    ("clockpro", "ClockPro", False, None, None),
    ("random", "Random", False, None, None),
)


def references(path):
    return [block for _, block, _, _ in RECORD.iter_unpack(Path(path).read_bytes())]


def misses_of_bufsim(bufsim, path, policy, blocks):
    command = [bufsim, "run", path, "--replay", "untimed", "--policy", policy, "--cache", f"{blocks}b", "--csv"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return int(next(csv.DictReader(out.splitlines()))["misses"])


def hashpower_for(blocks):
    return max(10, (2 * blocks).bit_length())


def modelled(model, refs, blocks, misses):
    """What the model says: empty if there is none; and whether it is right."""
    if not model or len(refs) > LONGEST:
        return "", True
    says = model(refs, blocks)
    return says, says == misses


def rows(bufsim, path):
    name, refs = Path(path).stem, references(path)
    distinct = len(set(refs))
    for ours, theirs, equal, model, peer_model in PAIRS:
        for blocks in (distinct // share for share in SHARES):
            got = misses_of_bufsim(bufsim, path, ours, blocks)
            want, _ = peer.replay(peer.reader_of(path), blocks, hashpower_for(blocks), theirs)
            says, right = modelled(model, refs, blocks, got)
            peer_says, peer_right = modelled(peer_model, refs, blocks, want)
            good = right and peer_right and (got == want or not equal)
            yield good, (
                name, len(refs), blocks, ours, theirs, got, want, f"{100 * (got / want - 1):.3f}",
                "yes" if equal else "no", says, peer_says,
            )


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    failed = equal = different = 0
    out.writerow((
        "trace", "references", "cache_blocks", "policy", "libcachesim_policy", "misses",
        "libcachesim_misses", "difference_percent", "must_be_equal", "model_misses", "libcachesim_model_misses",
    ))
    for path in sys.argv[2:]:
        for good, row in rows(sys.argv[1], path):
            out.writerow(row)
            failed += not good
            equal += row[5] == row[6]
            different += row[5] != row[6]
            if not good:
                print("FAILED ", *row, file=sys.stderr)
    print(f"{equal} comparisons equal, {different} not, {failed} failed", file=sys.stderr)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
