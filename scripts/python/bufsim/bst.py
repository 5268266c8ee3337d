"""bst.py - write a binary trace: docs/bst.md has the meaning of every byte."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .frame import LACKS_FILES, Calls
from .program import Error

CHUNK = 1 << 16  # accesses that have one checksum
HEADER_BYTES = 4096
MAGIC = b"\211BST\r\n\032\n"
ORDER_MARK = 0x01020304
PLAIN, LACKING = 1, 3  # versions
STREAM_VOLUME = 1
SOURCE = ("data frame", "frame", "python")  # path, format, version
ACCESS = np.dtype([("time", "<i8"), ("offset", "<u8"), ("size", "<u8"), ("length", "<u4"), ("open", "<u4")])


@functools.cache
def _xxh3() -> Callable[[Any, int], int]:
    """XXH3_64bits() of libxxhash, which libbufsim brings with it."""
    libraries = [str(p) for p in Path(__file__).parent.glob("libbufsim.so.*")]
    for name in [*libraries, ctypes.util.find_library("xxhash")]:
        if name:
            function: Callable[[Any, int], int] = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t)(
                ("XXH3_64bits", ctypes.CDLL(name))
            )
            return function
    raise Error("libxxhash is not installed")


def _sum(data: bytes) -> int:
    return _xxh3()(data, len(data))


def _accesses(calls: Calls, start: int) -> np.ndarray[Any, Any]:
    part = slice(start, start + CHUNK)
    access = np.empty(len(calls.time[part]), ACCESS)
    access["time"] = calls.time[part]
    access["offset"] = calls.offset[part]
    access["size"] = calls.size[part]
    access["length"] = calls.length[part] | calls.write[part].astype(np.int64) << 31
    access["open"] = calls.open[part] | calls.fresh[part].astype(np.int64) << 31
    return access


class _Texts:
    """Strings with a zero byte at their ends, each with its offset."""

    def __init__(self) -> None:
        self.data = bytearray()

    def add(self, text: str) -> int:
        at = len(self.data)
        self.data += text.replace("\0", "?").encode(errors="surrogateescape") + b"\0"
        return at


def _tables(calls: Calls, sums: list[int], version: int) -> tuple[bytes, int]:
    """What follows the accesses, and how many bytes of it are text."""
    texts = _Texts()
    for text in SOURCE:
        texts.add(text)
    files = np.zeros((len(calls.file_bytes), 3), "<u8")
    files[:, 0] = calls.file_identity
    files[:, 1] = calls.file_bytes
    if calls.file_names:
        files[:, 2] = [texts.add(name) for name in calls.file_names]
    if version == PLAIN:
        processes = calls.pids.astype("<u4").tobytes()
    else:
        people = np.zeros((len(calls.pids), 2), "<u8")
        people[:, 1] = calls.pids
        if calls.process_names:
            people[:, 0] = [texts.add(name) for name in calls.process_names]
        processes = people.tobytes()
    parts = [np.array(sums, "<u8").tobytes(), files.tobytes(), calls.opens.astype("<u4").tobytes()]
    return b"".join([*parts, processes, texts.data]), len(texts.data)


def _header(calls: Calls, tables: bytes, text_bytes: int, version: int, fingerprint: int) -> bytes:
    n, writes = len(calls.time), int(calls.write.sum())
    head = struct.pack("<8sIIQQ", MAGIC, ORDER_MARK, version, HEADER_BYTES + n * ACCESS.itemsize + len(tables), n)
    head += struct.pack("<4I", len(calls.file_bytes), len(calls.opens), len(calls.pids), int(calls.length.max()))
    head += struct.pack("<QQ", text_bytes, int(calls.time[-1]))
    head += struct.pack("<12Q", calls.rows, n - writes, writes, calls.empty, *[0] * 7, n * ACCESS.itemsize)
    head += struct.pack("<QQQ", fingerprint, 0, _sum(tables))
    head += struct.pack("<5Q", *[0] * 5)
    head += struct.pack("<II", calls.lacks, STREAM_VOLUME if calls.lacks & LACKS_FILES else 0)
    head = head.ljust(HEADER_BYTES - 8, b"\0")
    return head + struct.pack("<Q", _sum(head))


def write(path: str, calls: Calls) -> None:
    """Write calls as the file."""
    if sys.byteorder != "little":
        raise Error("binary traces are written on little-endian machines alone: write the frame as CSV")
    version = LACKING if calls.lacks or calls.process_names else PLAIN
    sums = []
    with open(path, "wb") as file:
        file.seek(HEADER_BYTES)
        for start in range(0, len(calls.time), CHUNK):
            data = _accesses(calls, start).tobytes()
            sums.append(_sum(data))
            file.write(data)
        tables, text_bytes = _tables(calls, sums, version)
        file.write(tables)
        file.seek(0)
        file.write(_header(calls, tables, text_bytes, version, _sum(struct.pack(f"<{len(sums)}Q", *sums))))
