# SPDX-License-Identifier: MIT
"""What the examples are told is meant, or refused with the value; what they print arrived, or they say so."""
import os
import pathlib
import subprocess
import tempfile
import unittest

CANVAS = os.environ["CANVAS"]
RENDERER = os.environ.get("RENDERER", "")
QUICK = ["--headless", "--frames", "1", "--size", "64x64"]
HUGE = "18446744073709551617"


def run(program, *arguments, stdout=subprocess.PIPE):
    return subprocess.run([program, *map(str, arguments)], stdout=stdout, stderr=subprocess.PIPE, text=True,
                          timeout=60, check=False)


class CanvasTest(unittest.TestCase):
    def assert_refused(self, program, option, value):
        done = run(program, option, value)
        self.assertEqual(done.returncode, 2, (option, value, done.stderr))
        self.assertIn(f"{option} {value}", done.stderr)

    def test_bad_numbers_are_refused_with_the_value(self):
        for option, values in {
                "--size": ["64x64junk", "64", "x64", "64x", "-64x64", "64x+64", "63x64", f"64x{HUGE}"],
                "--samples": ["4x", "", "3", "0", "32", " 4"],
                "--frames": ["-1x", "-1", "0", "1 ", HUGE],
                "--gpu-load": ["-18446744073709551615", "2x", "16777217"],
                "--cpu-load": ["4x", "nan", "inf", "-1", "x"],
        }.items():
            for value in values:
                self.assert_refused(CANVAS, option, value)

    @unittest.skipUnless(RENDERER, "no renderer")
    def test_the_renderer_refuses_them_too(self):
        for option, values in {
                "--size": ["64x64junk", "64", "-1x64", "4294967297x64"],
                "--frames": ["4x", "-1", "", "4294967296"],
                "--seed": ["-1"],
        }.items():
            for value in values:
                self.assert_refused(RENDERER, option, value)

    def test_help_is_no_error(self):
        for program in filter(None, [CANVAS, RENDERER]):
            done = run(program, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("usage:", done.stdout)

    def test_a_full_output_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in [["--help"], [*QUICK, "--print-truth"], QUICK]:
                done = run(CANVAS, *arguments, stdout=full)
                self.assertEqual(done.returncode, 1, arguments)
                self.assertIn("cannot write to stdout", done.stderr)

    def test_what_is_no_script_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder) / "script"
            for contents in [b"\0", b"# " + b"x" * (1 << 20)]:
                text.write_bytes(contents)
                self.assertEqual(run(CANVAS, *QUICK, "--script", text).returncode, 1)
            for path in [folder, "/dev/zero"]:
                done = run(CANVAS, *QUICK, "--script", path)
                self.assertEqual(done.returncode, 1, path)
                self.assertIn(path, done.stderr)
            text.write_text("1 pan 3 1\n")
            self.assertEqual(run(CANVAS, *QUICK, "--script", text).returncode, 0)

    def test_two_things_do_not_go_into_one_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "both"
            done = run(CANVAS, *QUICK, "--out", path, "--png", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(str(path), done.stderr)
            self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main()
