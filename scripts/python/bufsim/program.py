"""program.py - the program bufsim: where it is, its options, a call of it, and its errors."""

from __future__ import annotations

import contextlib
import contextvars
import difflib
import functools
import os
import re
import resource
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

# What the functions of the package decide: the form of the output, and its place.
OWN = {"help", "json", "csv", "markdown", "output", "map", "resume"}


class Error(Exception):
    """What went wrong, in the words of the program.

    file: the file that it is about, or None
    record: the number of its record, from 1; of a data frame the row, from 0; or None
    exit_code: of the program, negative if a signal ended it; None: it was not called
    """

    __module__ = "bufsim"

    def __init__(
        self,
        message: str,
        file: str | None = None,
        record: int | None = None,
        exit_code: int | None = None,
    ) -> None:
        super().__init__(message)
        self.file = file
        self.record = record
        self.exit_code = exit_code


@functools.cache
def path() -> str:
    """The program that was installed with this package, which may not be the first of the PATH."""
    site = Path(__file__).resolve().parents[1]
    folders = [site / "bin"]  # of pip --target
    for scheme in sysconfig.get_scheme_names():
        if Path(sysconfig.get_path("platlib", scheme)).resolve() == site:
            folders.append(Path(sysconfig.get_path("scripts", scheme)))
    for folder in folders:
        if (folder / "bufsim").is_file():
            return str(folder / "bufsim")
    raise Error(f"the program bufsim is not in {folders[-1]}: install the package again")


def _failure(message: str, exit_code: int, files: Iterable[str]) -> Error:
    text = re.sub(r"^bufsim: ", "", message.strip())
    if exit_code < 0:
        name = signal.Signals(-exit_code).name
        text = f"{text}: " if text else ""
        text += f"the program bufsim was ended by {name}"
    record = re.search(r": record (\d+)", text)
    file = next((f for f in files if text.startswith(f"{f}: ")), None)
    return Error(text, file, int(record.group(1)) if record else None, exit_code)


# Seconds and bytes that a call may take, in this thread.
_limits: contextvars.ContextVar[tuple[float, int | None] | None] = contextvars.ContextVar("limits", default=None)


@contextlib.contextmanager
def limited(seconds: float, memory: int | None) -> Iterator[None]:
    """Calls that take more end, with an Error."""
    token = _limits.set((seconds, memory))
    try:
        yield
    finally:
        _limits.reset(token)


def call(arguments: list[str], files: Iterable[str] = ()) -> str:
    """What the program prints for these arguments.  Its notes go to standard error."""
    seconds, memory = _limits.get() or (None, None)
    process = subprocess.Popen(
        [path(), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="surrogateescape",
    )
    try:
        if memory is not None and hasattr(resource, "prlimit"):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_AS, (memory, memory))
        output, message = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise Error(f"it takes more than {seconds} s") from None
    except BaseException:  # Ctrl-C: a notebook sends it to Python alone
        process.send_signal(signal.SIGINT)
        process.communicate()
        raise
    if process.returncode:
        raise _failure(message, process.returncode, files)
    if message:
        sys.stderr.write(message)
    return output


@functools.cache
def options(command: str) -> frozenset[str]:
    """The options of a command, as the program completes them: think_scale for --think-scale."""
    lines = call(["--complete", command, "--"]).splitlines()
    return frozenset(line.split("\t")[0][2:].replace("-", "_") for line in lines) - OWN


def _text(value: Any) -> str:
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(_text(v) for v in value)
    return str(value)


def arguments(command: str, given: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as words of the command line.  True is a flag; None and False are left out."""
    words = []
    for name, value in given.items():
        if name not in options(command):
            near = difflib.get_close_matches(name, options(command), 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else f"help({command!r}) lists them"
            raise TypeError(f"{command}() has no option {name}: {hint}")
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(_text(value))
    return words
