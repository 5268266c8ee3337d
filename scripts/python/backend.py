"""backend.py - build the wheel: make, then the package, the library and the program in a zip (PEP 517).

Nothing but the standard library and what `make` needs.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
BUILD = "build"
DATE = (1980, 1, 1, 0, 0, 0)  # the same sources give the same bytes


def version() -> str:
    found = re.match(r"bufsim ([0-9.]+) ", (TOP / "CHANGES").read_text(encoding="utf-8"))
    if not found:
        raise SystemExit("CHANGES does not begin with a version")
    return found.group(1)


def metadata() -> str:
    return (
        f"Metadata-Version: 2.1\nName: bufsim\nVersion: {version()}\n"
        "Summary: How long would a program take with a given cache and prefetcher?\n"
        "License: MIT\nRequires-Python: >=3.9\n"
    )


def tag() -> str:
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"py3-none-{platform}"


def wheel_text() -> str:
    return f"Wheel-Version: 1.0\nGenerator: bufsim\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def make(*words: str) -> None:
    """Run make in the tree, as many jobs at once as there are processors."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE") and k != "MFLAGS"}
    command = [shutil.which("gmake") or "make", "-s", f"-j{os.cpu_count() or 1}", f"B={BUILD}", *words]
    if subprocess.run(command, cwd=TOP, env=environment).returncode:
        raise SystemExit(
            f"bufsim did not compile: cd {shlex.quote(str(TOP))} && scripts/setup build installs what it needs"
        )


def stripped(path: Path) -> bytes:
    """The bytes of a program or library without what only a debugger needs."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        shutil.copy(path, copy)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
        return copy.read_bytes()


class Wheel:
    """A wheel that is being written: each file is noted in its RECORD."""

    def __init__(self, path: Path) -> None:
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record: list[str] = []

    def add(self, name: str, data: bytes, mode: int = 0o644) -> None:
        info = zipfile.ZipInfo(name, DATE)
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self) -> None:
        name = f"{info()}/RECORD"
        self.add(name, "\n".join([*self.record, f"{name},,", ""]).encode())
        self.zip.close()


def info() -> str:
    return f"bufsim-{version()}.dist-info"


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Any = None) -> str:
    folder = Path(metadata_directory) / info()
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_text(), encoding="utf-8")
    return folder.name


def headers() -> dict[str, bytes]:
    """The headers that make installs, for plug-ins, by their path in the package."""
    with tempfile.TemporaryDirectory() as folder:
        make("install", f"DESTDIR={folder}", "PREFIX=/")
        top = Path(folder) / "include" / "bufsim"
        return {
            f"bufsim/include/{p.relative_to(top).as_posix()}": p.read_bytes()
            for p in sorted(top.rglob("*"))
            if p.is_file()
        }


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    make("all")
    name = f"bufsim-{version()}-{tag()}.whl"
    wheel = Wheel(Path(wheel_directory) / name)
    for path in sorted((HERE / "bufsim").iterdir()):
        if path.suffix == ".py" or path.name == "py.typed":
            wheel.add(f"bufsim/{path.name}", path.read_bytes())
    for path_in_wheel, data in headers().items():
        wheel.add(path_in_wheel, data)
    for library in (TOP / BUILD).glob("libbufsim.so.*"):
        if library.suffix[1:].isdigit():  # not a file of the linker
            wheel.add(f"bufsim/{library.name}", stripped(library))
    wheel.add(f"bufsim-{version()}.data/scripts/bufsim", stripped(TOP / BUILD / "bufsim"), 0o755)
    wheel.add(f"{info()}/METADATA", metadata().encode())
    wheel.add(f"{info()}/WHEEL", wheel_text().encode())
    wheel.add(f"{info()}/LICENSE", (TOP / "LICENSE").read_bytes())
    wheel.close()
    return name
