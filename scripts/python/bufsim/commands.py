"""commands.py - run, compare, sweep, mrc, explain, map, film: the commands of the program."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import program
from .results import Explanation, Picture, Result, lines, table
from .trace import Traces, words


def run(trace: Traces, **options: Any) -> Result:
    """Simulate a trace: how long it takes, and why.

        run(trace, cache="64M", prefetch="ondemand:pages=64", device="nvme-960evo")

    Several traces in a list are programs that run at once.  help("run") explains the options; a flag
    is True.  elapsed_us and stall_us of the result are microseconds, cache_bytes bytes.
    """
    return Result("run", *words("run", trace, options), trace)


def sweep(trace: Traces, *, columns: str | Sequence[str] = "filled", **options: Any) -> Any:
    """Simulate every combination of lists of settings on all processors: a DataFrame with a row for each.

        sweep(trace, cache="1/8:1:x2", prefetch=["none", "linux24"], columns=["cache", "prefetch", "elapsed_us"])

    Several traces in a list are simulated each alone.  help("sweep") explains the options.

    columns: "filled": those with a value in some row; "varying": those that differ between rows;
        "all"; or a list of keys of run, and names of options
    Without pandas: a list of dicts.
    """
    arguments, files = words("sweep", trace, options)
    return table(lines(program.call(["sweep", *arguments, "--json"], files)), columns)


def compare(trace: Traces, **options: Any) -> Any:
    """Rank prefetchers, policies and other settings: a DataFrame with a row for each, as of sweep().

    compare(trace, cache="64M", prefetch=["none", "linux24", "ondemand"])
    """
    arguments, files = words("compare", trace, options)
    tables = json.loads(program.call(["compare", *arguments, "--json"], files))["tables"]
    return table([{"trace": t["trace"], **row} for t in tables for row in t["runs"]])


def mrc(trace: Traces, **options: Any) -> Any:
    """Miss-ratio curves: a DataFrame with a row for each policy and size of the cache.

    mrc(trace, policy=["lru", "2q"])
    """
    arguments, files = words("mrc", trace, options)
    return table(lines(program.call(["mrc", *arguments, "--json"], files)), "all")


def _written(command: str, trace: Traces, options: dict[str, Any], option: str, ending: str) -> str:
    """What the command writes to a file of that ending."""
    arguments, files = words(command, trace, options)
    with tempfile.TemporaryDirectory(prefix="bufsim-") as folder:
        path = Path(folder) / f"result{ending}"
        program.call([command, *arguments, option, str(path)], files)
        return path.read_text(encoding="utf-8")


def explain(trace: Traces, **options: Any) -> Explanation:
    """A run step by step: the rules that read ahead, the blocks, the waits.

    print(explain(trace, prefetch="linux24", first=100, calls=5))
    """
    arguments, files = words("explain", trace, options)
    text = program.call(["explain", *arguments], files)
    return Explanation(text, lambda: _written("explain", trace, options, "--output", ".json"))


def film(trace: Traces, **options: Any) -> Picture:
    """Some calls as a picture: waits, requests, blocks in the cache.  Drawn by gnuplot; options of explain."""
    return Picture(_written("explain", trace, options, "--output", ".svg"))


def map(trace: Traces, **options: Any) -> Picture:
    """A run as a picture: block against time, hits, misses, prefetched blocks.  Drawn by gnuplot; options of run."""
    return Picture(_written("run", trace, options, "--map", ".svg"))


def help(topic: str = "") -> str:
    """What the program says about a command, an option ("--cache"), a plug-in, or "counters"."""
    return program.call(["help", topic] if topic else ["help"])
