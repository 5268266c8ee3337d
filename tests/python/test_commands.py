"""Commands of the package give the numbers of the command line, and its errors."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import bufsim
from bufsim import program

TOP = Path(__file__).resolve().parents[2]
SAMPLE = str(TOP / "traces/samples/tpch-myisam.txt.gz")
SMALL = str(TOP / "tests/data/small.txt")
try:
    import pandas
except ImportError:
    pandas = None


def by_command(*words):
    return subprocess.run([program.path(), *words], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def rows(table):
    """The rows of a table, with or without pandas."""
    if not pandas:
        return table
    return [{k: None if pandas.isna(v) else v for k, v in row.items()} for row in table.to_dict("records")]


def random_options(chance):
    """Settings as keyword arguments, and as words of the command line."""
    values = {
        "cache": ["4M", "2048b", "1/8", "10%", "0"],
        "policy": ["lru", "clock", "2q", "arc"],
        "prefetch": ["none", "linux24:max=15", "ondemand:pages=64", "iprp+ondemand"],
        "device": ["cheetah9lp", "nvme-960evo", "fixed"],
        "scheduler": ["fifo", "deadline"],
        "replay": ["serial", "process", "open"],
        "writes": ["back", "through"],
        "flush_interval": ["1s", "500ms"],
        "queue": [16, 128],
        "think_scale": [0.5, 1, 2],
        "warmup": [0, 0.1],
        "block": ["4K", "8K"],
        "shadow": [True, False],
    }
    chosen = {k: chance.choice(v) for k, v in values.items() if chance.random() < 0.6}
    words = []
    for name, value in chosen.items():
        if value is True:
            words += ["--" + name.replace("_", "-")]
        elif value is not False:
            words += ["--" + name.replace("_", "-"), str(value)]
    return chosen, words


class SameNumbers(unittest.TestCase):
    def test_run_with_random_settings(self):
        chance = random.Random(3)
        for _ in range(50):
            options, words = random_options(chance)
            with self.subTest(words=words):
                printed = subprocess.run([program.path(), "run", SMALL, *words, "--json"], capture_output=True)
                if printed.returncode:
                    with self.assertRaises(bufsim.Error) as caught:
                        bufsim.run(SMALL, **options)
                    self.assertEqual(f"bufsim: {caught.exception}\n", printed.stderr.decode())
                    self.assertEqual(caught.exception.exit_code, printed.returncode)
                else:
                    self.assertEqual(dict(bufsim.run(SMALL, **options)), json.loads(printed.stdout))

    def test_sweep(self):
        given = {"cache": ["1M", "4M"], "prefetch": "none,ondemand:pages=8,32"}
        words = ["sweep", SMALL, "--cache", "1M,4M", "--prefetch", given["prefetch"]]
        expected = [json.loads(line) for line in by_command(*words, "--json").splitlines()]
        self.assertEqual(rows(bufsim.sweep(SMALL, columns="all", **given)), expected)
        filled = rows(bufsim.sweep(SMALL, **given))
        self.assertEqual([r["elapsed_us"] for r in filled], [r["elapsed_us"] for r in expected])
        self.assertNotIn("covered_references", filled[0])
        varying = rows(bufsim.sweep(SMALL, columns="varying", **given))
        self.assertIn("cache_bytes", varying[0])
        self.assertNotIn("device", varying[0])
        named = rows(bufsim.sweep(SMALL, columns=["cache", "prefetch", "device"], **given))
        self.assertEqual(named[0], {"cache": 1 << 20, "prefetch": "none", "device": "cheetah9lp"})

    def test_compare_mrc_and_stat(self):
        best = json.loads(by_command("compare", SMALL, "--cache", "1M", "--json"))["tables"][0]["runs"]
        compared = rows(bufsim.compare(SMALL, cache="1M"))
        self.assertEqual([r["elapsed_us"] for r in compared], [r["elapsed_us"] for r in best])
        curve = [json.loads(line) for line in by_command("mrc", SMALL, "--json").splitlines()]
        self.assertEqual(rows(bufsim.mrc(SMALL)), curve)
        stat = bufsim.Trace.open(SMALL).stat(block="8K")
        self.assertEqual(dict(stat), json.loads(by_command("stat", SMALL, "--block", "8K", "--json")))
        self.assertEqual(stat.report(), by_command("stat", SMALL, "--block", "8K"))

    def test_explain(self):
        e = bufsim.explain(SAMPLE, prefetch="ondemand", first=3, calls=4)
        words = ["--prefetch", "ondemand", "--first", "3", "--calls", "4"]
        self.assertEqual(e.text, by_command("explain", SAMPLE, *words))
        self.assertEqual([r["call"] for r in rows(e.rows)], [3, 4, 5, 6])

    def test_several_traces_are_programs_at_once(self):
        both = [bufsim.Trace.open(SMALL), SMALL]
        self.assertEqual(dict(bufsim.run(both)), json.loads(by_command("run", SMALL, SMALL, "--json")))


class Results(unittest.TestCase):
    def test_attributes(self):
        result = bufsim.run(SAMPLE, cache="64M", prefetch="ondemand:pages=64", device="nvme-960evo")
        self.assertEqual(result.prefetch, "ondemand:pages=64")
        self.assertEqual(result.cache, 64 << 20)
        self.assertEqual(result.misses, result["misses"])
        self.assertEqual(sum(result.outcomes.values()), result.prefetched_blocks)
        self.assertEqual(list(result.outcomes)[0], "timely")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ends.txt"  # while blocks are being read ahead
            calls = (f"{10 * i} 1 3 R 1 10485760 {i * 16384} 16384\n" for i in range(8))
            path.write_text("0 1 3 O 1 10485760 0 0\n" + "".join(calls))
            ends = bufsim.run(path, format="text", prefetch="ondemand", device="fixed:latency=1s")
        self.assertGreater(ends.prefetch_inflight_blocks, 0)
        self.assertEqual(sum(ends.outcomes.values()), ends.prefetched_blocks)
        self.assertIn("<td>ondemand:pages=64</td>", result._repr_html_())
        self.assertIn("elapsed_us=", repr(result))
        with self.assertRaisesRegex(AttributeError, "the result has no nonsense"):
            result.nonsense  # noqa: B018

    def test_pictures(self):
        try:
            film = bufsim.film(SMALL, calls=5)
        except bufsim.Error as error:
            self.assertIn("gnuplot is not installed", str(error))
            self.skipTest("gnuplot is not installed")
        self.assertIn("<svg", film._repr_svg_())
        with tempfile.TemporaryDirectory() as folder:
            bufsim.map(SMALL).save(Path(folder) / "map.svg")
            self.assertIn("<svg", (Path(folder) / "map.svg").read_text())

    def test_help(self):
        self.assertEqual(bufsim.help("run"), by_command("help", "run"))


class Errors(unittest.TestCase):
    def test_unknown_options(self):
        for given, text in {
            "prefetcher": "run.. has no option prefetcher: did you mean prefetch?",
            "think-scale": "did you mean think_scale?",
            "cach": "did you mean cache?",
            "json": "has no option json",
        }.items():
            with self.assertRaisesRegex(TypeError, text):
                bufsim.run(SMALL, **{given: "1"})

    def test_columns_without_such_a_name(self):
        with self.assertRaisesRegex(bufsim.Error, "the rows have no 'nonsense'"):
            bufsim.sweep(SMALL, columns=["nonsense"])
        with self.assertRaisesRegex(bufsim.Error, "columns 'some': there are 'filled'"):
            bufsim.sweep(SMALL, columns="some")

    def test_file_and_record(self):
        with self.assertRaises(bufsim.Error) as caught:
            bufsim.Trace.open("no/such/file")
        self.assertEqual(caught.exception.file, "no/such/file")
        with tempfile.TemporaryDirectory() as folder:
            bad = os.path.join(folder, "a: b.txt")
            Path(bad).write_text("10 7 3 R 50 9000 0 100\n11 7 3 R 50\n12 7 3 R 50 9000 0 100\n")
            with self.assertRaisesRegex(bufsim.Error, "fields instead of 8") as caught:
                bufsim.run(bad)
            self.assertEqual((caught.exception.file, caught.exception.record), (bad, 2))
            self.assertEqual(caught.exception.exit_code, 1)

    def test_formats(self):
        trace = bufsim.Trace.open(SMALL, format="text")
        self.assertEqual(trace.stat().format, "text")
        with self.assertRaisesRegex(bufsim.Error, "different formats"):
            bufsim.run([trace, SMALL])

    @unittest.skipUnless(os.path.exists("/proc/self/task"), "no /proc")
    def test_the_end_of_the_program_is_an_error(self):
        killer = threading.Thread(target=self.kill_child)
        killer.start()
        with self.assertRaisesRegex(bufsim.Error, "was ended by SIGKILL") as caught:
            for _ in range(100):
                bufsim.run(SAMPLE)
        killer.join()
        self.assertEqual(caught.exception.exit_code, -9)

    @unittest.skipUnless(os.path.exists("/proc/self/task"), "no /proc")
    def test_an_interrupt_for_python_alone_ends_the_program(self):
        code = (
            "import bufsim, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
            "print(flush=True); bufsim.sweep(sys.argv[1], cache='1M:999M:+1M')"
        )  # a shell may have set it to be ignored in the background
        words = [sys.executable, "-c", code, SAMPLE]
        # A session of its own: as in a notebook, the signal does not reach the program by a terminal.
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        with process:
            process.stdout.readline()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, message = process.communicate(timeout=60)
        self.assertIn(b"KeyboardInterrupt", message)
        with self.assertRaises(ProcessLookupError):
            os.killpg(process.pid, 0)

    def kill_child(self):
        """Other threads go on while the program runs: this one ends it."""
        for _ in range(3000):
            for task in os.listdir("/proc/self/task"):
                children = Path(f"/proc/self/task/{task}/children").read_text().split()
                for child in children:
                    if "bufsim" in Path(f"/proc/{child}/cmdline").read_text(errors="replace"):
                        os.kill(int(child), 9)
                        return
            time.sleep(0.002)


class Document(unittest.TestCase):
    def test_the_examples_of_the_page_run(self):
        page = (TOP / "docs/python.md").read_text(encoding="utf-8")
        examples = re.findall(r"```python\n(.*?)```\n\nprints\n\n((?:    [^\n]*\n)+)", page, re.S)
        self.assertEqual(len(examples), page.count("```python"))
        for example, shown in examples:
            if "sort_values" in example and not pandas:
                continue
            done = subprocess.run(
                [sys.executable, "-c", example], cwd=TOP, stdout=subprocess.PIPE, check=True, encoding="utf-8"
            )
            self.assertEqual(done.stdout, re.sub(r"(?m)^    ", "", shown))


if __name__ == "__main__":
    unittest.main()
