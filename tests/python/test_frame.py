"""Frames become the traces that the program makes of the same rows as CSV; those that cannot are refused."""

import csv
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest

import bufsim
from bufsim import program

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

ROWS = 400
KINDS = ("time", "op", "file", "pid", "process", "size")


def random_columns(chance, kinds):
    """Columns of random calls: whole numbers and words."""
    rows = chance.randint(1, ROWS)
    columns = {"offset": [chance.randint(0, 50) * 700 for _ in range(rows)]}
    columns["length"] = [chance.choice([0, 1, 100, 4096, 70000]) for _ in range(rows)]
    columns["length"][chance.randrange(rows)] = 1
    columns["time"] = sorted(chance.randint(1000, 50000000) for _ in range(rows))
    columns["op"] = [chance.choice(["R", "read", "W", "Write"]) for _ in range(rows)]
    columns["file"] = [chance.choice(["a", "/b/c d", "\u00e9", "17"]) for _ in range(rows)]
    columns["pid"] = [chance.randint(0, 5) for _ in range(rows)]
    columns["process"] = [chance.choice(["cat", "ls"]) for _ in range(rows)]
    columns["size"] = [chance.randint(0, 100000) for _ in range(rows)]
    return {k: v for k, v in columns.items() if k in ("offset", "length", *kinds)}


def read(path):
    """What a binary trace holds, apart from what it says of its source."""
    with open(path, "rb") as file:
        data = file.read()
    head = struct.unpack("<8s6I", data[:8] + data[8:16] + data[32:48])
    counts = struct.unpack("<12Q", data[56:152])
    (accesses,) = struct.unpack("<Q", data[24:32])
    version, files, opens, processes = head[2], head[3], head[4], head[5]
    at = 4096 + 32 * accesses
    held = [data[8:16], accesses, head, counts, data[168:176], data[184:4088], data[4096:at]]
    at += 8 * -(-accesses // 65536)
    entries = list(struct.iter_unpack("<3Q", data[at : at + 24 * files]))
    at += 24 * files
    held.append(data[at : at + 8 * opens])
    at += 8 * opens
    size = 16 if version == 3 else 4
    people = list(struct.iter_unpack("<QII" if version == 3 else "<I", data[at : at + size * processes]))
    text = data[at + size * processes :]

    def named(offset):
        return text[offset : text.index(b"\0", offset)] if offset else None

    held.append([(inode, size, named(name)) for inode, size, name in entries])
    held.append([(named(p[0]), p[1]) if version == 3 else p for p in people])
    return held


def converted(folder, columns):
    """The binary trace that the program makes of the columns."""
    path = os.path.join(folder, "rows.csv")
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(zip(*columns.values()))
    form = "csv:time-unit=us," + ",".join(f"{c}={i}" for i, c in enumerate(columns, 1))
    trace = os.path.join(folder, "rows.bst")
    subprocess.run([program.path(), "convert", path, trace, "--format", form], check=True, stderr=subprocess.DEVNULL)
    return trace


def named(columns):
    return {"time": None, **{c: c for c in columns}}


@unittest.skipUnless(numpy, "NumPy is not installed")
class Frames(unittest.TestCase):
    def compare(self, columns, frame):
        with tempfile.TemporaryDirectory() as folder:
            trace = bufsim.Trace.from_frame(frame, **named(columns))
            self.assertEqual(read(trace.path), read(converted(folder, columns)))

    def test_rows_are_those_of_csv(self):
        chance = random.Random(1)
        for _ in range(60):
            kinds = {k for k in KINDS if chance.random() < 0.7}
            if "file" not in kinds:
                kinds -= {"pid", "process", "size"}
            columns = random_columns(chance, kinds)
            with self.subTest(columns=sorted(columns)):
                self.compare(columns, {k: numpy.array(v) for k, v in columns.items()})

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_of_pandas_too(self):
        chance = random.Random(2)
        for _ in range(20):
            columns = random_columns(chance, KINDS)
            frame = pandas.DataFrame(columns)
            self.compare(columns, frame)
            self.compare(columns, frame.astype({"file": "category", "op": "category", "pid": "Int64"}))

    def test_more_calls_than_a_chunk_holds(self):
        rows = 150000
        columns = {
            "time": list(range(0, 7 * rows, 7)),
            "file": [f"f{i % 97}" for i in range(rows)],
            "offset": [i * 4096 % (1 << 24) for i in range(rows)],
            "length": [4096] * rows,
        }
        self.compare(columns, columns)

    def test_times_of_all_units(self):
        rows = {"offset": [0, 0], "length": [1, 1]}
        for unit, times in {
            "s": [5, 7],
            "ms": [5000.5, 7000.5],
            "us": [5, 2000005],
            "ns": [5999, 2000005001],
        }.items():
            trace = bufsim.Trace.from_frame(
                {**rows, "t": times}, time="t", offset="offset", length="length", time_unit=unit
            )
            self.assertEqual(trace.stat().duration_us, 2000000, unit)
        dates = numpy.array(["2026-01-31T23:59:59", "2026-02-01T00:00:01"], "datetime64[ns]")
        trace = bufsim.Trace.from_frame({**rows, "t": dates}, time="t", offset="offset", length="length")
        self.assertEqual(trace.stat().duration_us, 2000000)

    def test_the_file_goes_with_the_trace(self):
        trace = bufsim.Trace.from_frame({"o": [0], "n": [1]}, time=None, offset="o", length="n", name="mine")
        self.assertEqual(bufsim.run(trace).trace, "mine")
        folder = os.path.dirname(trace.path)
        del trace
        self.assertFalse(os.path.exists(folder))


class WithoutNumPy(unittest.TestCase):
    def test_the_error_says_what_is_needed(self):
        code = """if True:
            import sys
            sys.modules["numpy"] = None
            import bufsim
            try:
                bufsim.Trace.from_frame({"o": [0]}, time=None, offset="o", length="o")
            except bufsim.Error as error:
                print(error)
            """
        printed = subprocess.run(
            [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, encoding="utf-8"
        ).stdout
        self.assertIn("needs NumPy", printed)


@unittest.skipUnless(numpy, "NumPy is not installed")
class BadFrames(unittest.TestCase):
    def refuse(self, text, record, **changed):
        frame = {"t": [1, 2, 3], "f": ["a", "b", "a"], "o": [0, 1, 2], "n": [1, 1, 1], "w": ["R", "W", "R"]}
        frame.update(changed)
        for rows in [frame, pandas.DataFrame(frame)] if pandas else [frame]:
            with self.assertRaisesRegex(bufsim.Error, text) as caught:
                bufsim.Trace.from_frame(rows, time="t", file="f", offset="o", length="n", op="w")
            self.assertEqual(caught.exception.record, record)

    def test_missing_values(self):
        self.refuse("row 1, from 0: o is missing", 1, o=[0, None, 2])
        self.refuse("n is missing", 2, n=[1, 1, float("nan")])
        self.refuse("t is missing", 0, t=[float("nan"), 1, 2])
        self.refuse("f is missing", 1, f=["a", None, "b"])
        self.refuse("w is missing", 2, w=["R", "R", None])

    def test_times_backwards(self):
        self.refuse("t 2 is before that of the row above: sort", 2, t=[1, 3, 2])

    def test_unknown_words(self):
        self.refuse("w 'fsync' is neither a read nor a write", 1, w=["R", "fsync", "W"])

    def test_impossible_numbers(self):
        self.refuse("o -1 is below 0", 1, o=[0, -1, 2])
        self.refuse("o 0.5 is not a whole number", 2, o=[0, 1, 0.5])
        self.refuse("o x is not a whole number", 1, o=numpy.array([0, "x", 2], object))
        self.refuse("n 2147483648 is more than 2147483647", 0, n=[2**31, 1, 1])
        self.refuse("beyond the largest file", 1, o=[0, 2**43 - 4096, 0])
        self.refuse("t inf is no time", 2, t=[0, 1, float("inf")])
        self.refuse("the calls span", None, t=[0, 1, 2**60])

    def test_no_calls(self):
        self.refuse("n is 0 in all rows", None, n=[0, 0, 0])
        self.refuse("no rows", None, t=[], f=[], o=[], n=[], w=[])

    def test_columns(self):
        with self.assertRaisesRegex(bufsim.Error, "no column 'ofset': did you mean 'offset'"):
            bufsim.Trace.from_frame({"offset": [1], "n": [1]}, time=None, offset="ofset", length="n")
        with self.assertRaisesRegex(bufsim.Error, "different lengths: o 2, n 1"):
            bufsim.Trace.from_frame({"o": [1, 2], "n": [1]}, time=None, offset="o", length="n")
        with self.assertRaisesRegex(bufsim.Error, "pid and process have no effect without file"):
            bufsim.Trace.from_frame({"o": [1]}, time=None, offset="o", length="o", pid="o")
        with self.assertRaisesRegex(bufsim.Error, "time_unit 'minutes': there are s, ms, us, ns"):
            bufsim.Trace.from_frame({"o": [1]}, time="o", offset="o", length="o", time_unit="minutes")

    def test_too_many_rows(self):
        many = numpy.broadcast_to(numpy.int8(1), 2**31)
        with self.assertRaisesRegex(bufsim.Error, "has 2147483648 rows, at most 2147483647"):
            bufsim.Trace.from_frame({"o": many}, time=None, offset="o", length="o")


if __name__ == "__main__":
    unittest.main()
