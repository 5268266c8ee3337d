"""frame.py - the columns of a data frame, checked and numbered: what a binary trace holds of them.

Files, processes and open files are numbered by first use, as bufsim does it
when it reads rows of CSV: the same rows give the same trace.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from .program import Error

ROWS_MAX = 2**31 - 1
LENGTH_MAX = 2**31 - 1
END_MAX = (2**31 - 1) * 4096  # of a file, bytes
PID_MAX = 2**32 - 1
SPAN_MAX = 2**52  # microseconds
READS = "r read reads pread readv rd rs ra rm rsm ram".split()
WRITES = "w write writes pwrite writev wr ws wm wsm wfs".split()
PER_UNIT = {"s": (1000000, 1), "ms": (1000, 1), "us": (1, 1), "ns": (1, 1000)}  # to microseconds: times this, by that

LACKS_FILES, LACKS_PROCESSES, LACKS_TIMES = 1, 2, 4

Array = np.ndarray[Any, Any]


@dataclass
class Calls:
    """Calls that move data, in the order of time."""

    time: Array  # microseconds since the first
    offset: Array
    length: Array
    write: Array
    fresh: Array  # first read since the file was opened
    size: Array  # of the file at this time
    open: Array  # number of the open file
    opens: Array  # [number]: its file and process
    file_identity: Array
    file_bytes: Array
    file_names: list[str]  # empty: files have none
    pids: Array
    process_names: list[str]  # empty: processes have none
    rows: int  # with those of length 0
    empty: int
    lacks: int = field(default=0)


def _refuse(row: int, text: str) -> NoReturn:
    raise Error(f"row {row}, from 0: {text}", record=row)


def _refuse_first(bad: Array, column: str, values: Array, text: str, first: int = 0) -> None:
    """Refuse the first row for which bad is true, if any is.  first: the row of values[0]."""
    if bad.any():
        row = int(bad.argmax())
        _refuse(row + first, f"{column} {values[row]} {text}")


def _names(frame: Any) -> list[Any]:
    for attribute in ("keys", "column_names", "columns"):
        names = getattr(frame, attribute, None)
        if names is not None:
            return list(names() if callable(names) else names)
    raise Error(f"{type(frame).__name__} has no columns by name")


def _column(frame: Any, name: str) -> Any:
    names = _names(frame)
    if name not in names:
        near = difflib.get_close_matches(str(name), map(str, names), 1)
        hint = f"did you mean {near[0]!r}?" if near else "it has " + ", ".join(map(repr, names))
        raise Error(f"the frame has no column {name!r}: {hint}")
    return frame[name]


def _values(column: Any) -> Array:
    if getattr(getattr(column, "dtype", None), "tz", None) is not None:
        return np.asarray(column, dtype="datetime64[ns]")
    values = np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)
    if values.ndim != 1:
        raise Error(f"a column has {values.ndim} dimensions")
    return values


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _refuse_missing(values: Array, name: str) -> None:
    if values.dtype.kind in "fc":
        missing = np.isnan(values)
    elif values.dtype.kind in "mM":
        missing = np.isnat(values)
    elif values.dtype.kind == "O":
        pandas = sys.modules.get("pandas")
        missing = pandas.isna(values) if pandas else np.fromiter(map(_is_missing, values), bool, len(values))
    else:
        return
    if missing.any():
        _refuse(int(missing.argmax()), f"{name} is missing")


# ---- numbers ----


def _integers(values: Array, name: str) -> Array:
    """The same as int64 or uint64."""
    if values.dtype.kind in "iu":
        return values
    if values.dtype.kind not in "fO":
        raise Error(f"{name} has no whole numbers, but values such as {values[0]!r}")
    try:
        with np.errstate(invalid="ignore"):
            whole = values.astype(np.int64)
        wrong = np.asarray(whole != values, dtype=bool)
    except (ValueError, TypeError, OverflowError):
        wrong = np.fromiter((not isinstance(v, (int, np.integer)) for v in values), bool, len(values))
        whole = values
    _refuse_first(wrong, name, values, "is not a whole number")
    return whole


def _whole(values: Array, name: str, most: int) -> Array:
    _refuse_missing(values, name)
    whole = _integers(values, name)
    if whole.dtype.kind != "u":
        _refuse_first(whole < 0, name, values, "is below 0")
    _refuse_first(whole > most, name, values, f"is more than {most}")
    return whole.astype(np.int64, copy=False)


def _times(values: Array, name: str, unit: str) -> Array:
    """Microseconds."""
    if unit not in PER_UNIT:
        raise Error(f"time_unit {unit!r}: there are {', '.join(PER_UNIT)}")
    _refuse_missing(values, name)
    times, parts = PER_UNIT[unit]
    if values.dtype.kind in "mM":
        return values.astype(values.dtype.kind + "8[us]").astype(np.int64)
    if values.dtype.kind == "f":
        scaled = np.rint(values * times / parts)
        _refuse_first(~(np.abs(scaled) < 2**62), name, values, "is no time")
        return scaled.astype(np.int64)
    whole = _integers(values, name)
    if unit == "us" and whole.dtype == np.int64:
        return whole
    _refuse_first((whole > 2**62 // times) | (whole < -(2**62) // times), name, values, "is no time")
    return whole.astype(np.int64, copy=False) * times // parts


def _relative(times: Array, values: Array, name: str) -> Array:
    falls = times[1:] < times[:-1]
    _refuse_first(falls, name, values[1:], "is before that of the row above: sort the frame by it", 1)
    span = int(times[-1]) - int(times[0])
    if span > SPAN_MAX:
        raise Error(f"{name}: the calls span {span / 1e6:.0f} s: is time_unit right?")
    relative: Array = times - times[0]
    return relative


# ---- numbering by first use ----


def _by_first_use(codes: Array, n: int) -> tuple[Array, Array]:
    """Codes below n, numbered by first use; and the old code of each number."""
    first = np.full(n, -1, np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last assignment stays: the first use
    used = np.flatnonzero(first >= 0)
    order = used[np.argsort(first[used])]
    number = np.empty(n, np.int64)
    number[order] = np.arange(len(order))
    return number[codes], order


def _distinct(values: Array) -> tuple[Array, Array]:
    """Each value as a number, by first use; and the value of each number.  A missing one is -1, or an error."""
    if values.dtype.kind in "iu":
        least, most = int(values.min()), int(values.max())
        if most - least < 4 * len(values) and most < 2**62:
            codes, order = _by_first_use(values.astype(np.int64, copy=False) - least, most - least + 1)
            return codes, order + least
    pandas = sys.modules.get("pandas")
    if pandas:
        codes, distinct = pandas.factorize(values)
        return codes, np.asarray(distinct)
    distinct, codes = np.unique(values, return_inverse=True)
    codes, order = _by_first_use(codes, len(distinct))
    return codes, distinct[order]


def _words(column: Any, name: str) -> tuple[Array, list[str]]:
    """A column of words: each as a number, by first use; and the words."""
    categories = getattr(getattr(column, "cat", None), "categories", None)
    if categories is not None:
        codes, distinct = column.cat.codes.to_numpy().astype(np.int64), np.asarray(categories)
    else:
        values = _values(column)
        if "pandas" not in sys.modules:
            _refuse_missing(values, name)
        codes, distinct = _distinct(values)
    if codes.min() < 0:
        _refuse(int(codes.argmin()), f"{name} is missing")
    if categories is not None:
        codes, order = _by_first_use(codes, len(distinct))
        distinct = distinct[order]
    return codes, [w.decode(errors="surrogateescape") if isinstance(w, bytes) else str(w) for w in distinct]


def _is_write(column: Any, name: str) -> Array:
    codes, words = _words(column, name)
    known = [w.lower() for w in words]
    for number, word in enumerate(known):
        if word not in READS and word not in WRITES:
            _refuse(int((codes == number).argmax()), f"{name} {words[number]!r} is neither a read nor a write")
    return np.array([w in WRITES for w in known])[codes]


# ---- the frame ----


def _pids(given: Mapping[str, Any], names: Mapping[str, str], rows: int) -> tuple[Array, dict[int, str]]:
    """The pid of each row, and the first name that each has."""
    process = _words(given["process"], names["process"]) if "process" in given else None
    if "pid" in given:
        pids = _whole(_values(given["pid"]), names["pid"], PID_MAX)
    elif process:
        pids = process[0] + 1
    else:
        pids = np.ones(rows, np.int64)
    if not process:
        return pids, {}
    codes, distinct = _distinct(pids)
    first = np.empty(len(distinct), np.int64)
    first[codes[::-1]] = process[0][::-1]
    return pids, {int(pid): process[1][word] for pid, word in zip(distinct, first)}


def _check_columns(frame: Any, names: Mapping[str, str]) -> tuple[dict[str, Any], int]:
    given = {kind: _column(frame, name) for kind, name in names.items()}
    lengths = {names[kind]: len(column) for kind, column in given.items()}
    rows = max(lengths.values())
    if min(lengths.values()) != rows:
        raise Error("the columns have different lengths: " + ", ".join(f"{k} {v}" for k, v in lengths.items()))
    if rows > ROWS_MAX:
        raise Error(f"the frame has {rows} rows, at most {ROWS_MAX} are read: divide it")
    if not rows:
        raise Error("the frame has no rows")
    if "file" not in names and ("pid" in names or "process" in names):
        raise Error("pid and process have no effect without file: leave them out, or name the column of files")
    return given, rows


def _first_reads(write: Array, number: Array, n: int) -> Array:
    """Which calls are the first read of their open file?"""
    reads = np.flatnonzero(~write)
    first = np.full(n, -1, np.int64)
    first[number[reads[::-1]]] = reads[::-1]
    fresh = np.zeros(len(write), bool)
    fresh[first[first >= 0]] = True
    return fresh


def calls(frame: Any, names: Mapping[str, str], time_unit: str) -> Calls:
    """The calls of a frame.  names: of the columns, by kind, as the arguments of Trace.from_frame()."""
    given, rows = _check_columns(frame, names)
    offset = _whole(_values(given["offset"]), names["offset"], END_MAX)
    length = _whole(_values(given["length"]), names["length"], LENGTH_MAX)
    end = offset + length
    _refuse_first(end > END_MAX, names["offset"], offset, "is beyond the largest file, 8 TiB")
    time = np.zeros(rows, np.int64)
    if "time" in given:
        values = _values(given["time"])
        time = _relative(_times(values, names["time"], time_unit), values, names["time"])
    write = _is_write(given["op"], names["op"]) if "op" in given else np.zeros(rows, bool)
    file, words = _words(given["file"], names["file"]) if "file" in given else (np.zeros(rows, np.int64), [])
    pid, called = _pids(given, names, rows)
    size = _whole(_values(given["size"]), names["size"], END_MAX) if "size" in given else None
    moves = length > 0
    if not moves.any():
        raise Error(f"{names['length']} is 0 in all rows: the frame has no reads or writes")
    if not moves.all():
        time, offset, length, end, write = time[moves], offset[moves], length[moves], end[moves], write[moves]
        time, file, pid = time - time[0], file[moves], pid[moves]
        size = None if size is None else size[moves]
    file, identity = _by_first_use(file, int(file.max()) + 1)
    process, pids = _distinct(pid)
    number, order = file, np.arange(len(identity))
    if len(pids) > 1:
        number, order = _distinct(process * len(identity) + file)
    file_bytes = np.zeros(len(identity), np.int64)
    np.maximum.at(file_bytes, file, end if size is None else np.maximum(end, size))
    return Calls(
        time=time,
        offset=offset,
        length=length,
        write=write,
        fresh=_first_reads(write, number, len(order)),
        size=file_bytes[file] if size is None else size,
        open=number,
        opens=np.stack((order % len(identity), order // len(identity)), axis=1),
        file_identity=identity + 1,
        file_bytes=file_bytes,
        file_names=[words[i] for i in identity] if words else [],
        pids=pids,
        process_names=[called[int(p)] for p in pids] if called else [],
        rows=rows,
        empty=rows - len(time),
        lacks=_lacks(names),
    )


def _lacks(names: Mapping[str, str]) -> int:
    lacks = 0 if "file" in names else LACKS_FILES
    lacks |= 0 if "pid" in names or "process" in names else LACKS_PROCESSES
    return lacks | (0 if "time" in names else LACKS_TIMES)
