"""results.py - what commands return: results with attributes, tables, pictures, explanations."""

from __future__ import annotations

import functools
import html
import importlib.util
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .program import Error, call

# Options whose keys in JSON have other names.
KEYS = {"cache": "cache_bytes", "prefetch": "prefetcher"}


class Result(Mapping[str, Any]):
    """The numbers of one run, or of one trace: result["misses"] or result.misses.

    The keys are those of --json, which help("counters") explains, and the names of options: cache
    (in bytes) and prefetch besides device, policy and the like.  What does not apply is None.
    """

    def __init__(self, command: str, arguments: list[str], files: Sequence[str], traces: Any) -> None:
        self._call = command, arguments, files
        self._traces = traces  # the file of a frame stays as long as a report may be requested
        self._values: dict[str, Any] = json.loads(call([command, *arguments, "--json"], files))

    def __getitem__(self, key: str) -> Any:
        return self._values[key if key in self._values else KEYS.get(key, key)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            try:
                return self[name]
            except KeyError:
                pass
        raise AttributeError(f"the result has no {name}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values, *KEYS]

    def report(self) -> str:
        """The same as the program prints it for a person.  Computed when it is requested."""
        command, arguments, files = self._call
        return call([command, *arguments], files)

    @property
    def outcomes(self) -> dict[str, int]:
        """What became of the prefetched blocks: timely, late, costly, useless, polluting, left."""
        found = {k[8:-7]: v for k, v in self._values.items() if k.startswith("outcome_") and k.endswith("_blocks")}
        left = ("prefetch_unused_blocks", "prefetch_inflight_blocks")
        return {**found, "left": sum(self._values[k] for k in left)} if found else {}

    def __repr__(self) -> str:
        return "Result(" + ", ".join(f"{k}={v!r}" for k, v in self._main().items()) + ")"

    def _main(self) -> dict[str, Any]:
        main = (
            "trace policy prefetcher device cache_bytes elapsed_us stall_us references hit_ratio misses accuracy "
            "coverage requests files footprint_blocks duration_us"
        )
        return {k: self._values[k] for k in main.split() if self._values.get(k) is not None}

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><th style='text-align:left'>{html.escape(k)}</th><td>{html.escape(_number(v))}</td></tr>"
            for k, v in self._main().items()
        )
        return f"<table>{''.join(rows)}</table>"


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


# ---- tables ----

Row = dict[str, Any]


def lines(text: str) -> list[Row]:
    """Rows of JSON Lines."""
    return [json.loads(line) for line in text.splitlines()]


def _varies(rows: list[Row], name: str) -> bool:
    return any(row.get(name) != rows[0].get(name) for row in rows)


def _is_filled(rows: list[Row], name: str) -> bool:
    return any(row.get(name) not in (None, "") for row in rows)


def _chosen(rows: list[Row], columns: str | Sequence[str]) -> dict[str, str]:
    """The columns that are wanted: their names, and their keys in the rows."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if columns == "varying":
        return {k: k for k in keys if _varies(rows, k)}
    if columns == "filled":
        return {k: k for k in keys if _is_filled(rows, k)}
    if columns == "all":
        return {k: k for k in keys}
    if isinstance(columns, str):
        raise Error(f"columns {columns!r}: there are 'filled', 'varying', 'all', and lists of names")
    chosen = {name: name if name in keys else KEYS.get(name, name) for name in columns}
    for name, key in chosen.items():
        if key not in keys:
            raise Error(f"columns: the rows have no {name!r}")
    return chosen


def table(rows: list[Row], columns: str | Sequence[str] = "filled") -> Any:
    """Rows as a DataFrame where pandas is installed, else as a list of dicts."""
    chosen = _chosen(rows, columns) if rows else {}
    kept = [{name: row.get(key) for name, key in chosen.items()} for row in rows]
    if not importlib.util.find_spec("pandas"):
        return kept
    import pandas

    return pandas.DataFrame(kept)


# ---- pictures and explanations ----


class Picture:
    """A picture, which a notebook shows.  svg: its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, NAME.svg."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg


class Explanation:
    """Calls step by step.  text: as the program prints it; rows: a row for each call.

    begin_us and end_us are times of the simulation; block is the first of so many blocks.
    """

    def __init__(self, text: str, film: Callable[[], str]) -> None:
        self.text = text
        self._film = film  # its JSON, which takes another run

    @functools.cached_property
    def rows(self) -> Any:
        names = ("call", "process", "begin_us", "end_us", "write", "block", "blocks")
        film = json.loads(self._film())
        rows = [dict(zip(names, call)) for call in film["calls"]]
        for row in rows:
            row["pid"] = film["processes"][row.pop("process")]["pid"]
            row["write"] = bool(row["write"])
        return table(rows, "all")

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__
