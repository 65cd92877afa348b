# SPDX-License-Identifier: MIT
"""The lines of C in the documentation are programs: built as they stand, they do what they say.

    FG_README_BLOCK=... FG_README_FRAME=... FG_README_TICK=... FG_DIAGNOSTICS_BLOCK=...
    FG_DIAGNOSTICS_LINES=... FG_FRAMEGLASS=... FG_LEVEL_NAME=... python3 readme_test.py
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

LEVEL = os.environ["FG_LEVEL_NAME"]
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

    def test_its_tick_counts(self):
        done = subprocess.run([os.environ["FG_README_TICK"]], capture_output=True, text=True,
                              check=True, timeout=60)
        expected = "frames 0\n" if LEVEL == "OFF" else \
            "Game/Sprites 50\nmemory/heap 10000\nframes 10\n"
        self.assertEqual(done.stdout, expected)

    def test_they_are_few(self):
        for block in (BLOCK, pathlib.Path(os.environ["FG_DIAGNOSTICS_BLOCK"])):
            lines = block.read_text().splitlines()
            statements = [line for line in lines if line.strip() not in ("", "}")]
            self.assertLessEqual(len(statements), 15)


class Architecture(unittest.TestCase):
    def test_it_names_every_header_of_the_engine_on_devices(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        page = (root / "docs/ARCHITECTURE.md").read_text()
        headers = [path.name for pattern in ("compute*.h", "gpu_trace*.h") for path in (root / "include/frameglass").glob(pattern)]
        self.assertGreater(len(headers), 8)
        self.assertEqual([name for name in headers if f"`{name}`" not in page], [])


class Diagnostics(unittest.TestCase):
    def test_its_lines_record_a_loop(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.environ["FG_DIAGNOSTICS_LINES"]], cwd=folder, check=True, timeout=60)
            path = f"{folder}/run.sgpt"
            info = json.loads(subprocess.run([FRAMEGLASS, "info", "--json", path], check=True,
                                             capture_output=True, timeout=60).stdout)
            stats = json.loads(subprocess.run([FRAMEGLASS, "stats", "--json", path], check=True,
                                              capture_output=True, timeout=60).stdout)
        counts = {row["name"]: row["count"] for row in stats["rows"]}
        self.assertEqual(info["frames"], 0 if LEVEL == "OFF" else 100)
        self.assertEqual(counts.get("Game/Tick", 0), 100 if LEVEL == "FULL" else 0)
        self.assertEqual(info["instants"], 10 if LEVEL == "FULL" else 0)


if __name__ == "__main__":
    unittest.main()
