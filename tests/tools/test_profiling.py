# SPDX-License-Identifier: MIT
"""The profiling build has what profilers of the system name functions by."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ("-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls")
SOURCE = ROOT / "src" / "base" / "verdict.c"


class Profiling(unittest.TestCase):
    def command(self, folder, *options):
        """How one source is compiled by a build with these options."""
        subprocess.run(
            [os.environ["CMAKE"], "-S", ROOT, "-B", folder, "-G", "Ninja", "-DFG_RECORDER_ONLY=ON",
             "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *options],
            check=True, capture_output=True)
        commands = json.loads((folder / "compile_commands.json").read_text())
        (found,) = [entry for entry in commands if pathlib.Path(entry["file"]) == SOURCE]
        return found

    def test_functions_have_frame_pointers_and_names(self):
        with tempfile.TemporaryDirectory() as holder:
            folder = pathlib.Path(holder)
            found = self.command(folder, "-DFG_PROFILING=ON")
            self.assertEqual([flag for flag in FLAGS if flag in found["command"].split()], list(FLAGS))
            subprocess.run(found["command"], shell=True, cwd=found["directory"], check=True)
            (thing,) = folder.rglob("verdict.c.o")
            self.assertIn(b".debug_info", thing.read_bytes())

    def test_the_preset_is_this_build(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        (preset,) = [p for p in presets["configurePresets"] if p["name"] == "profiling"]
        self.assertEqual(preset["cacheVariables"], {"CMAKE_BUILD_TYPE": "Release", "FG_PROFILING": "ON"})
        self.assertIn("profiling", [p["name"] for p in presets["buildPresets"]])


if __name__ == "__main__":
    unittest.main()
