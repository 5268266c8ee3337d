"""Policies in a few lines of plain Python: slow, and plain enough to be checked by eye.

Each takes the references and the frames of a cache and returns the misses.
They say which side is right where bufsim and libCacheSim differ.
"""
import heapq
from collections import OrderedDict


def opt(refs, frames):
    """The block whose next reference is farthest goes."""
    never = len(refs)
    following, last = [never] * len(refs), {}
    for i in range(len(refs) - 1, -1, -1):
        following[i] = last.get(refs[i], never)
        last[refs[i]] = i
    resident, ranks, misses = {}, [], 0
    for i, block in enumerate(refs):
        if block not in resident:
            misses += 1
            while len(resident) >= frames:
                rank, victim = heapq.heappop(ranks)
                if resident.get(victim) == -rank:
                    del resident[victim]
        resident[block] = following[i]
        heapq.heappush(ranks, (-following[i], block))
    return misses


def sieve(refs, frames):
    """A queue with a bit a block, and a hand that moves from the oldest block to the newest."""
    older, newer, used = {}, {}, {}
    newest = oldest = hand = None
    misses = 0
    for block in refs:
        if block in used:
            used[block] = True
            continue
        misses += 1
        if len(used) >= frames:
            victim = oldest if hand is None else hand
            while used[victim]:
                used[victim] = False
                victim = oldest if newer[victim] is None else newer[victim]
            hand = newer[victim]
            before, after = newer.pop(victim), older.pop(victim)
            del used[victim]
            if before is None:
                newest = after
            else:
                older[before] = after
            if after is None:
                oldest = before
            else:
                newer[after] = before
        used[block], older[block], newer[block] = False, newest, None
        if newest is None:
            oldest = block
        else:
            newer[newest] = block
        newest = block
    return misses


def lru2(refs, frames):
    """LRU-2 that remembers nothing of evicted blocks; every reference counts."""
    times, ranks, misses = {}, [], 0
    for now, block in enumerate(refs, 1):
        if block in times:
            times[block] = (times[block][1], now)
        else:
            misses += 1
            while len(times) >= frames:
                last_but_one, last, victim = heapq.heappop(ranks)
                if times.get(victim) == (last_but_one, last):
                    del times[victim]
            times[block] = (0, now)
        heapq.heappush(ranks, (*times[block], block))
    return misses


class S3FIFO:
    """small, main: blocks with their uses, oldest first; ghosts: blocks, oldest first."""

    def __init__(self, frames, ghosts_most):
        self.frames, self.ghosts_most = frames, max(1, ghosts_most)
        self.small_most = max(1, frames // 10)
        self.small, self.main, self.ghosts = OrderedDict(), OrderedDict(), OrderedDict()

    def evict_small(self):
        while self.small:
            block, uses = self.small.popitem(last=False)
            if uses < 2:
                self.ghosts[block] = True
                if len(self.ghosts) > self.ghosts_most:
                    self.ghosts.popitem(last=False)
                return True
            self.main[block] = 0
        return False

    def evict_main(self):
        while self.main:
            block, uses = self.main.popitem(last=False)
            if not uses:
                return True
            self.main[block] = uses - 1
        return False

    def evict(self):
        if len(self.small) >= self.small_most and self.evict_small():
            return
        self.evict_main() or self.evict_small() or self.evict_main()


def s3fifo_with(refs, q, main_at_first):
    misses, evicted = 0, False
    for block in refs:
        for queue in (q.small, q.main):
            if block in queue:
                queue[block] = min(queue[block] + 1, 3)
                break
        else:
            misses += 1
            known = q.ghosts.pop(block, False)
            if len(q.small) + len(q.main) >= q.frames:
                q.evict()
                evicted = True
            fills = main_at_first and not evicted and len(q.small) >= q.small_most
            (q.main if known or fills else q.small)[block] = 0
    return misses


def s3fifo(refs, frames):
    """As many ghosts as blocks that the main queue is meant for."""
    return s3fifo_with(refs, S3FIFO(frames, frames - max(1, frames // 10)), False)


def s3fifo_main_at_first(refs, frames):
    """Until the first eviction, blocks that find the small queue full enter the main one; 0.9 of
    the frames, rounded down, are the ghosts."""
    return s3fifo_with(refs, S3FIFO(frames, frames * 9 // 10), True)


class LIRS:
    """stack: blocks by last reference, oldest first, with their state; others: those of them that
    are not LIR, in the same order; queue: resident HIR blocks."""

    def __init__(self, frames, hir):
        self.frames, self.lirs_most, self.lirs = frames, frames - hir, 0
        self.stack, self.others, self.queue = OrderedDict(), OrderedDict(), OrderedDict()

    def prune(self):
        while self.stack and next(iter(self.stack.values())) != "LIR":
            block, _ = self.stack.popitem(last=False)
            del self.others[block]

    def become_lir(self, block):
        self.others.pop(block, None)
        self.stack[block] = "LIR"
        self.stack.move_to_end(block)
        self.lirs += 1
        if self.lirs > self.lirs_most:
            oldest, _ = self.stack.popitem(last=False)
            self.lirs -= 1
            self.queue[oldest] = True
        self.prune()

    def shorten(self):
        while len(self.stack) > 2 * self.frames and self.others:
            block, _ = self.others.popitem(last=False)
            del self.stack[block]

    def touch(self, block, fill):
        if block in self.stack or fill:
            self.become_lir(block)
        else:
            self.stack[block] = "HIR"
            self.others[block] = True
            self.queue[block] = True
        self.shorten()

    def reference(self, block):
        """False: a miss."""
        if self.stack.get(block) == "LIR":
            self.stack.move_to_end(block)
            self.prune()
            return True
        if block in self.queue:
            del self.queue[block]
            self.touch(block, False)
            return True
        if self.lirs + len(self.queue) >= self.frames:
            victim, _ = self.queue.popitem(last=False)
            if victim in self.stack:
                self.stack[victim] = "ghost"
        self.touch(block, self.lirs < self.lirs_most)
        return False


def lirs(refs, frames):
    """1 % of the frames for HIR blocks, twice as many blocks in the stack as frames."""
    state = LIRS(frames, max(1, frames // 100))
    return sum(not state.reference(block) for block in refs)
