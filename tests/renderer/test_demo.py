# SPDX-License-Identifier: MIT
"""frameglass demo, end to end: what it promises is to be found in the capture."""
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import unittest

FRAMEGLASS = os.environ["FRAMEGLASS"]
RESIZE_FRAME = 60
HITCH_FRAME = 80
FRAMES = 90


def run(*arguments):
    return subprocess.run([FRAMEGLASS, *map(str, arguments)], capture_output=True, text=True, check=False)


class DemoTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        folder = pathlib.Path(cls.holder.name)
        cls.capture = folder / "demo.sgpt"
        cls.picture = folder / "demo.png"
        cls.done = run("demo", "-o", cls.capture, "--frames", FRAMES, "--size", "96x54", "--png", cls.picture)
        cls.frames = json.loads(run("frames", cls.capture, "--json").stdout)["rows"]
        cls.info = json.loads(run("info", cls.capture, "--json").stdout)

    def test_the_demo_succeeds_and_says_what_it_did_on_standard_error_only(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertEqual(self.done.stdout, "")
        self.assertIn("graph passes", self.done.stderr)

    def test_the_capture_is_valid_and_closed(self):
        self.assertEqual(run("validate", self.capture).returncode, 0)
        self.assertTrue(self.info["closed"])
        self.assertEqual(self.info["frames"], FRAMES)

    def test_every_frame_has_gpu_times(self):
        self.assertEqual(len(self.frames), FRAMES)
        self.assertEqual([f["frame"] for f in self.frames if not f["gpu_ns"]], [])
        self.assertEqual(sum(f["dropped"] for f in self.frames), 0)

    def gpu(self, first, end):
        return statistics.median(f["gpu_busy_ns"] for f in self.frames[first:end])

    def test_frames_show_the_change_of_resolution(self):
        before = {f["topology"] for f in self.frames[8:RESIZE_FRAME]}
        after = {f["topology"] for f in self.frames[RESIZE_FRAME:]}
        self.assertFalse(before & after)
        line = run("frames", self.capture).stdout.splitlines()[1 + RESIZE_FRAME]
        self.assertRegex(line, r"resolution 96x54 -> 120x\d+\b")

    def test_frames_show_the_hitch(self):
        hitch = self.frames[HITCH_FRAME]["gpu_busy_ns"]
        calm = self.gpu(HITCH_FRAME - 15, HITCH_FRAME - 1)
        self.assertGreater(hitch, 1.8 * calm)

    def test_topologies_are_the_refresh_variants_at_two_resolutions_and_the_read_back(self):
        self.assertEqual(self.info["topologies"], 3 * 2 + 1)

    def test_the_picture_is_a_png(self):
        self.assertEqual(self.picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_without_a_driver_it_says_what_to_install(self):
        nowhere = {**os.environ, "VK_ICD_FILENAMES": "/nowhere.json", "VK_DRIVER_FILES": "/nowhere.json"}
        done = subprocess.run([FRAMEGLASS, "demo", "-o", self.capture.with_name("none.sgpt")], env=nowhere,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("mesa-vulkan-drivers", done.stderr)

    def test_a_device_that_is_not_there_is_refused_with_those_that_are(self):
        done = run("demo", "-o", self.capture.with_name("none.sgpt"), "--device", 17)
        self.assertEqual(done.returncode, 3)
        self.assertIn("1 is llvmpipe", done.stderr)

    def test_what_is_wrong_on_the_command_line_is_told(self):
        for arguments in (["--size", "96by54"], ["--level", "loud"], ["--frames", "0"], ["--size", "96x54x1"]):
            done = run("demo", "-o", self.capture, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(arguments[0], done.stderr)


if __name__ == "__main__":
    unittest.main()
