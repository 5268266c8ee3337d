"""plugins.py - plug-ins in C from a string: compile, check, score."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import program
from .commands import run
from .program import Error
from .results import Result
from .trace import Traces, several

# The option that chooses a plug-in of that macro.
OPTIONS = {"POLICY": "policy", "PREFETCHER": "prefetch", "DEVICE": "device", "SCHEDULER": "scheduler"}

# Patterns of the program for check(): sound and adverse, reads and writes, one block and many.
PATTERNS = (
    "uniform:size=4M,calls=2000",
    "sequential:size=4M",
    "loop:size=2M,calls=3000",
    "zipf:blocks=1000,calls=3000,writes=0.3",
    "sequential:size=1M+strided:size=4M,step=16K",
)
CACHES = ("1b", "7b", "1/4", "1/1")
MEMORY = 4 << 30  # bytes


class Plugin(os.PathLike[str]):
    """A compiled plug-in: a value for its option, run(trace, prefetch=plugin).

    plugin("depth=8") is the same with parameters, plugin + "ondemand" a controller around a prefetcher.
    The shared object is removed with the last of them.
    """

    def __init__(self, path: str, option: str, compiled: tuple[str, Sequence[str]], setting: str = "") -> None:
        self.path = path
        self.option = option
        self._compiled = compiled
        self._setting = setting
        self._owner: Plugin | None = None

    def _set(self, setting: str) -> Plugin:
        other = Plugin(self.path, self.option, self._compiled, setting)
        other._owner = self._owner or self
        return other

    def __call__(self, parameters: str) -> Plugin:
        return self._set(f":{parameters}")

    def __add__(self, inner: Any) -> Plugin:
        return self._set(f"{self._setting}+{os.fspath(inner)}")

    def checked(self) -> Plugin:
        """The same, compiled with the assertions of the headers."""
        source, flags = self._compiled
        return compile(source, flags=[*flags, "-DBUFSIM_ASSERT"])._set(self._setting)

    def __fspath__(self) -> str:
        return self.path + self._setting

    def __repr__(self) -> str:
        return f"<bufsim plug-in for {self.option}: {os.fspath(self)}>"


def _include() -> str:
    return str(Path(__file__).resolve().parent / "include")


def compile(source: str, *, flags: Sequence[str] = ()) -> Plugin:
    """A plug-in from a string of C: a policy, prefetcher, device or scheduler.

        next = bufsim.compile('''
        #include "sim/core/prefetch.h"
        static void access(void *self, const struct demand *d, struct plan *plan)
        {
            if (d->how == REF_MISS)
                plan_add(plan, d->index + 1, 1);
        }
        PREFETCHER(next, .plugin = { .name = "next" }, .access = access);
        ''')
        bufsim.run(trace, prefetch=next)

    The compiler is $CC, or cc.  Its messages are the text of the Error, and record is the line of the first.
    """
    found = re.search(r"\b(POLICY|PREFETCHER|DEVICE|SCHEDULER)\s*\(\s*(\w+)\s*,", source)
    if not found:
        raise Error(f"the source defines no plug-in: it ends with one of the macros {', '.join(OPTIONS)}")
    folder = tempfile.mkdtemp(prefix="bufsim-")
    path = str(Path(folder) / f"{found.group(2)}.so")
    compiler = shlex.split(os.environ.get("CC") or "cc")
    command = [*compiler, "-O2", "-g", "-shared", "-fPIC", "-I", _include(), *flags, "-x", "c", "-", "-o", path]
    try:
        done = subprocess.run(command, input=source, capture_output=True, encoding="utf-8", errors="replace")
    except OSError as e:
        shutil.rmtree(folder)
        raise Error(f"no C compiler {compiler[0]}: install one, or name it in the environment variable CC") from e
    if done.returncode:
        shutil.rmtree(folder)
        line = re.search(r"<stdin>:(\d+):", done.stderr)
        raise Error(f"the source does not compile\n{done.stderr}", None, int(line.group(1)) if line else None)
    if done.stderr:
        sys.stderr.write(done.stderr)
    plugin = Plugin(path, OPTIONS[found.group(1)], (source, tuple(flags)))
    weakref.finalize(plugin, shutil.rmtree, folder, ignore_errors=True)
    return plugin


def score(
    plugin: Plugin,
    traces: Traces,
    metric: str = "elapsed_us",
    *,
    against: str | None = None,
    seconds: int = 60,
    memory: int | None = MEMORY,
    **options: Any,
) -> float:
    """One number for a plug-in, for searches by programs: the mean of a key of run() over traces.

        score(plugin, ["a.bst", "b.bst"], cache="1/8", device="nvme-960evo")

    Each trace is a run of its own.  against: the name of another plug-in; the score is then the geometric
    mean of the ratios to it, below 1 where the metric is less.
    seconds, memory (bytes; where the system can limit it, as Linux does): of each run.  A plug-in that needs
    more, or crashes, is an Error.
    """
    each = several(traces)
    if not each:
        raise Error("there is no trace to score with")
    product, total = 1.0, 0.0
    for trace in each:
        with program.limited(seconds, memory):
            value = _value(plugin.option, plugin, trace, metric, options)
        if against is None:
            total += value
            continue
        other = _value(plugin.option, against, trace, metric, options)
        if not other:
            raise Error(f"{metric} of {against} is 0: there is no ratio to it")
        product *= value / other
    return total / len(each) if against is None else product ** (1 / len(each))


def _value(option: str, setting: Any, trace: Any, metric: str, options: dict[str, Any]) -> float:
    result = run(trace, **{**options, option: setting})
    value = getattr(result, metric, None)
    if not isinstance(value, (int, float)):
        raise Error(f"the result has no number {metric}: help('counters') lists them")
    return float(value)


def check(plugin: Plugin, *, seconds: int = 60) -> None:
    """Does a plug-in keep the laws of bufsim?  An Error says which one is broken, and with which settings.

    On generated patterns and caches from one block to the whole file: it comes to an end and gives
    the same numbers twice.  Of a policy: victims are valid, and the timed run hits as often as the untimed replay.
    """
    checked = plugin.checked()
    with program.limited(seconds, MEMORY):
        for pattern in PATTERNS:
            for cache in CACHES:
                for replay in ("serial", "process"):
                    _keeps_laws(checked, pattern=pattern, cache=cache, replay=replay)


def _keeps_laws(plugin: Plugin, **options: Any) -> None:
    timed = {**options, plugin.option: plugin, "writes": "through"}

    def broken(law: object, setting: dict[str, Any], exit_code: int | None = None) -> Error:
        return Error(f"{law}: bufsim run {' '.join(program.arguments('run', setting))}", exit_code=exit_code)

    def numbers(setting: dict[str, Any]) -> Result:
        try:
            return run([], **setting)
        except Error as e:
            raise broken(e, setting, e.exit_code) from None

    if plugin.option == "policy" and options["replay"] == "serial":
        untimed = numbers({**options, plugin.option: plugin, "replay": "untimed"})
    else:
        untimed = None
    result = numbers(timed)
    if dict(numbers(timed)) != dict(result):
        raise broken("two runs give different numbers", timed)
    if untimed and untimed.hits != result.hits:
        raise broken(f"{result.hits} hits in time, {untimed.hits} without", timed)
