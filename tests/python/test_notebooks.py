"""The notebooks run, and print what they show."""

import importlib.util
import unittest

import notebooks


@unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
class Notebooks(unittest.TestCase):
    def test_cells_print_what_the_notebook_shows(self):
        paths = sorted(notebooks.FOLDER.glob("*.ipynb"))
        self.assertEqual(len(paths), 2)
        for path in paths:
            with self.subTest(path.name):
                self.assertEqual(notebooks.differences(path), [])


if __name__ == "__main__":
    unittest.main()
