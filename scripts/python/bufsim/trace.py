"""trace.py - a trace: a file, or a data frame that has become one."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from typing import Any, Union

from .program import Error, arguments
from .results import Result


class Trace:
    """A trace of reads and writes, made by Trace.open() or Trace.from_frame()."""

    def __init__(self, path: str, format: str | None = None) -> None:
        self.path = path
        self.format = format

    @classmethod
    def open(cls, path: str | os.PathLike[str], format: str | None = None) -> Trace:
        """The trace in a file of any format that bufsim reads, plain or packed.

        format: as of --format, such as "csv:time=1,offset=2,length=3"; without it, the format is
        recognised by the content.
        """
        name = os.fsdecode(path)
        if not os.path.exists(name):
            raise Error(f"{name}: cannot be opened: No such file or directory", file=name)
        return cls(name, format)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        time: str | None,
        offset: str,
        length: str,
        file: str | None = None,
        op: str | None = None,
        pid: str | None = None,
        process: str | None = None,
        size: str | None = None,
        time_unit: str = "us",
        name: str = "frame",
    ) -> Trace:
        """The calls in the rows of a data frame, or of anything with columns by name.

        Each argument is the name of a column, or None if there is none.  Needs NumPy.

        time: start of the call, in time_unit ("s", "ms", "us", "ns"), or dates; never falls
        offset, length: bytes; a call of length 0 is left out
        file: name or number of the file; without it, all calls are to one volume
        op: R, W, read, write and the like; without it, all calls are reads
        pid, process: number and name of the process
        size: bytes of the file at this time; without it, each file has the size that its calls reach
        name: of the trace, in results
        """
        try:
            from . import bst  # NumPy is needed here alone
            from . import frame as frames
        except ImportError as error:
            raise Error(f"Trace.from_frame() needs NumPy: {error}") from error
        if os.sep in name:
            raise Error(f"name {name!r}: it must not have a {os.sep}")
        columns = {
            "time": time,
            "offset": offset,
            "length": length,
            "file": file,
            "op": op,
            "pid": pid,
            "process": process,
            "size": size,
        }
        calls = frames.calls(frame, {k: v for k, v in columns.items() if v is not None}, time_unit)
        folder = tempfile.mkdtemp(prefix="bufsim-")
        path = os.path.join(folder, f"{name}.bst")
        try:
            bst.write(path, calls)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        trace = cls(path)
        weakref.finalize(trace, shutil.rmtree, folder, ignore_errors=True)
        return trace

    def stat(self, **options: Any) -> Result:
        """Calls, files, blocks, reuse distances and think times: help("stat") explains the options."""
        return Result("stat", *words("stat", self, options), self)

    def __repr__(self) -> str:
        return f"Trace({self.path!r})" if self.format is None else f"Trace({self.path!r}, {self.format!r})"


Traces = Union[Trace, str, os.PathLike[str], Sequence[Union[Trace, str, os.PathLike[str]]]]


def several(traces: Traces) -> list[Trace | str | os.PathLike[str]]:
    """The traces as a list, also of one."""
    return [traces] if isinstance(traces, (Trace, str, os.PathLike)) else list(traces)


def words(command: str, traces: Traces, options: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The arguments of a command, and the files among them."""
    opened = [t if isinstance(t, Trace) else Trace.open(t) for t in several(traces)]
    formats = {t.format for t in opened}
    if len(formats) > 1:
        raise Error("the traces have different formats: leave the format out, or convert them first")
    format = formats.pop() if formats else None
    given = options if format is None else {"format": format, **options}
    files = [t.path if t.path[:1] != "-" else f"./{t.path}" for t in opened]
    return [*files, *arguments(command, given)], files
