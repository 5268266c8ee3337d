"""bufsim - how long would a program take with a given cache and prefetcher?

    import bufsim
    trace = bufsim.Trace.open("csq.txt.gz")
    result = bufsim.run(trace, cache="64M", prefetch="ondemand:pages=64")
    print(result.elapsed_us, result.hit_ratio)
    print(result.report())

Options have the names of the command line, with _ for -: help("run") explains
them.  The program does the work in a process of its own: other threads go on,
and Ctrl-C ends it.  Names that end in _us are microseconds, in _bytes bytes, in
_blocks blocks of the size of the option block; ratios are from 0 to 1.
"""

from .commands import compare, explain, film, help, map, mrc, run, sweep
from .plugins import Plugin, check, compile, score
from .program import Error
from .results import Explanation, Picture, Result
from .trace import Trace

__all__ = [
    "Error",
    "Explanation",
    "Picture",
    "Plugin",
    "Result",
    "Trace",
    "check",
    "compare",
    "compile",
    "explain",
    "film",
    "help",
    "map",
    "mrc",
    "run",
    "score",
    "sweep",
]
