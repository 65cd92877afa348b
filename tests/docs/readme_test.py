# SPDX-License-Identifier: MIT
"""The lines of C in README.md are a program: built as they stand, they record what they say.

    FG_SOURCE_DIR=... FG_README_BLOCK=... FG_README_FRAME=... FG_FRAMEGLASS=... python3 readme_test.py
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BLOCK = pathlib.Path(os.environ["FG_README_BLOCK"])
PROGRAM = os.environ["FG_README_FRAME"]
FRAMEGLASS = os.environ["FG_FRAMEGLASS"]


class Readme(unittest.TestCase):
    def test_its_lines_record_one_frame_of_one_pass(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM], cwd=folder, check=True, timeout=60)
            info = subprocess.run([FRAMEGLASS, "info", "--json", f"{folder}/one.sgpt"], check=True,
                                  capture_output=True, timeout=60)
            stats = subprocess.run([FRAMEGLASS, "stats", "--json", f"{folder}/one.sgpt"],
                                   check=True, capture_output=True, timeout=60)
        self.assertEqual(json.loads(info.stdout)["frames"], 1)
        self.assertIn("blur", [row["name"] for row in json.loads(stats.stdout)["rows"]])

    def test_they_are_few(self):
        lines = BLOCK.read_text().splitlines()
        statements = [line for line in lines if line.strip() not in ("", "}")]
        self.assertLessEqual(len(statements), 15)


if __name__ == "__main__":
    unittest.main()
