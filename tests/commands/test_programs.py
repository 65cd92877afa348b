#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples write lists of their frames, and ask RenderDoc where there is one.

  test_programs.py canvas|renderer
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WHICH = sys.argv.pop(1)
FAKE = os.environ["FGT_RENDERDOC"]
ABSENT = "RenderDoc is not in this process"


def run(folder, *arguments, preload=None, status=0):
    """What the program says on both streams."""
    if WHICH == "canvas":
        command = [os.environ["CANVAS"], "--headless", "--frames", "4", "--size", "160x120", *arguments]
    else:
        command = [os.environ["RENDERER"], "--frames", "2", "--size", "64x48", *arguments]
    environment = dict(os.environ)
    if preload is not None:
        environment["LD_PRELOAD"] = preload
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == status, (result.returncode, result.stdout, result.stderr)
    return result.stdout + result.stderr


def sums(text):
    """The numbers at the end, by their words."""
    end = text.split("\nSums\n")[1]
    return {words: int(number) for number, words in re.findall(r"^ *(\d+)  (.+)$", end, re.MULTILINE)}


class Lists(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        for name in ("one.txt", "other.txt"):
            run(cls.folder, "--command-list", name)
        cls.text = (cls.folder / "one.txt").read_text(encoding="utf-8")

    def test_lists_of_equal_frames_are_equal(self):
        self.assertEqual(self.text, (self.folder / "other.txt").read_text(encoding="utf-8"))

    def test_draws_are_numbered_up_to_their_sum(self):
        numbers = sums(self.text)
        calls = re.findall(r"^.{9} *(?:gl|vk)[A-Z]\w+\(", self.text, re.MULTILINE)
        self.assertEqual(numbers["calls listed"], len(calls))
        self.assertEqual(numbers["calls that did not fit"], 0)
        draws = re.findall(r"^ *(\d+)  +(?:gl|vk)\w*Draw\w*\(", self.text, re.MULTILINE)
        self.assertEqual([int(number) for number in draws], list(range(1, numbers["draws"] + 1)))
        dispatches = re.findall(r"^ *d(\d+)  +vkCmdDispatch\(", self.text, re.MULTILINE)
        self.assertEqual([int(number) for number in dispatches], list(range(1, numbers["dispatches"] + 1)))
        self.assertGreater(numbers["draws"], 5)

    @unittest.skipUnless(WHICH == "canvas", "once is enough")
    def test_a_list_that_cannot_be_written_fails_the_run(self):
        said = run(self.folder, "--command-list", "no/such/folder.txt", status=1)
        self.assertIn("no/such/folder.txt: the operating system refused", said)

    @unittest.skipUnless(WHICH == "renderer", "of command buffers")
    def test_each_submitted_buffer_is_a_section_with_the_passes_of_the_graph(self):
        text = self.text
        titles = re.findall(r"^CommandBuffer#(\d+), submitted as (\d+) of (\d+)$", text, re.MULTILINE)
        self.assertGreater(len(titles), 1)
        self.assertEqual([int(t[1]) for t in titles], list(range(1, len(titles) + 1)))
        self.assertEqual({int(t[2]) for t in titles}, {len(titles)})
        self.assertEqual(len(re.findall(r"vkBeginCommandBuffer\(", text)), len(titles))
        for name in ("upload", "cull early", "cascade 0", "tonemap"):
            self.assertRegex(text, rf'(?m)^ {{9}}"{name}"$')
        self.assertRegex(text, r'pipeline = Pipeline#\d+ "light clusters"\)')
        self.assertEqual(text.count("vkCmdBeginRendering("), text.count("vkCmdEndRendering("))

    def option(self):
        return ["--renderdoc"] if WHICH == "canvas" else ["--renderdoc-frame", "2"]

    @unittest.skipIf(os.environ.get("FGT_BRIEF"), "once is enough")
    def test_without_renderdoc_a_word_says_so(self):
        self.assertIn(ABSENT, run(self.folder, *self.option(), status=1))

    @unittest.skipIf(os.environ.get("FGT_BRIEF"), "once is enough")
    @unittest.skipIf(os.environ.get("FGT_SANITIZED"), "a sanitizer wants to be the first library")
    def test_renderdoc_captures_the_frame_when_it_is_there(self):
        said = run(self.folder, *self.option(), preload=FAKE)
        self.assertIn("RenderDoc 1.6.0 captured a frame: /captures/frame0.rdc", said)


if __name__ == "__main__":
    unittest.main()
