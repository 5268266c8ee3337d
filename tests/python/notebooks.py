"""notebooks.py - run the notebooks of docs/notebooks and compare what their cells print, word by word.

    python tests/python/notebooks.py --update

writes what the cells print into the notebooks.
"""

import contextlib
import io
import json
import os
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "docs/notebooks"


def source(cell):
    return "".join(cell["source"])


def printed(cell):
    return "".join("".join(o["text"]) for o in cell["outputs"])


def run(notebook):
    """What each cell of code prints."""
    space = {"__name__": "__main__"}
    before = os.getcwd()
    os.chdir(FOLDER)
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] != "code":
                continue
            text = io.StringIO()
            with contextlib.redirect_stdout(text):
                exec(compile(source(cell), "cell", "exec"), space)
            yield cell, text.getvalue()
    finally:
        os.chdir(before)


def differences(path):
    """The cells that print other words than the notebook shows."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [
        f"{path.name}: {source(cell)}\nprints\n{text}\nand not\n{printed(cell)}"
        for cell, text in run(notebook)
        if text.split() != printed(cell).split()
    ]


def update(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for count, (cell, text) in enumerate(run(notebook), 1):
        cell["execution_count"] = count
        cell["outputs"] = []
        if text:
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}]
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(__doc__)
    for each in sorted(FOLDER.glob("*.ipynb")):
        update(each)
