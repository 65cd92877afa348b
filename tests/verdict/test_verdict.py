# SPDX-License-Identifier: MIT
"""The command line says what the HUD said of the same frames, by the rule of docs/VERDICT.md."""
import json
import os
import subprocess
import unittest

from cli_support import CliTest

MAKE_WORKLOAD = os.environ["MAKE_WORKLOAD"]
NAMES = ("cpu", "gpu", "balanced", "present", "alternating", "mostly-gpu", "capped", "paused", "untimed-cpu",
         "untimed-gpu", "untimed-present", "noise")
KINDS = ("cpu", "gpu", "present", "balanced")


def rule(row, is_noise=False):
    """The published rule, once more, from the row's own figures; GPU times that are noise are none."""
    frame, work, gpu = row["frame_ns"], row["cpu_work_ns"], None if is_noise else row["gpu_busy_ns"]
    wait = row["present_wait_ns"] or 0
    if frame is None or work is None or frame - max(row["cpu_ns"], gpu or 0) > 10**9:
        return None, None
    tolerance = frame * 15 // 100
    if gpu is None:
        if work < frame - tolerance - wait:
            return "gpu", "inferred"
        return ("present" if wait > tolerance else "cpu"), "inferred"
    if wait > tolerance and work < frame - tolerance and gpu < frame - tolerance:
        return "present", "measured"
    if wait <= tolerance and work + gpu < frame - tolerance:
        return None, None
    if abs(work - gpu) <= tolerance or min(work, gpu) >= frame - tolerance:
        return "balanced", "measured"
    return ("cpu" if work > gpu else "gpu"), "measured"


class Verdict(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.captures = {}
        for name in NAMES:
            path = cls.files.folder / f"{name}.sgpt"
            done = subprocess.run([MAKE_WORKLOAD, name, path], check=True, capture_output=True)
            cls.captures[name] = (path, json.loads(done.stdout))

    def check_window(self, window, hud, rows):
        told = sum(hud[kind] for kind in KINDS)
        self.assertEqual(window["verdict"], hud["truth"])
        self.assertEqual(window["verdict"], hud["verdict"])
        self.assertEqual(window["inferred"], hud["inferred"])
        self.assertEqual({kind: window[kind] for kind in KINDS}, {kind: hud[kind] for kind in KINDS})
        self.assertEqual((window["told"], window["frames"]), (told, len(rows)))

    def test_frames_and_all_of_them_are_as_the_hud_said_and_as_they_were_made(self):
        for name, (path, hud) in self.captures.items():
            with self.subTest(name):
                found = self.json("frames", path, "--frames", "1:41", "--json")
                # A pause is for the HUD before a frame, for the capture after one.
                beside = {17, 18} if name == "paused" else set()
                for row, said in zip(found["rows"], hud["frames"][1:], strict=True):
                    self.assertEqual((row["verdict"], row["basis"]), rule(row, name == "noise"))
                    self.assertEqual(row["verdict"] or "", said["truth"])
                    if row["frame"] not in beside:
                        self.assertEqual(row["verdict"] or "", said["verdict"])
                        self.assertEqual(row["basis"] == "inferred", said["inferred"])
                self.check_window(found["window"], hud, found["rows"])

    def test_the_demo_is_judged_by_the_rule(self):
        for row in self.json("frames", self.files.demo, "--json")["rows"]:
            self.assertEqual((row["verdict"], row["basis"]), rule(row))

    def test_information_and_statistics_say_the_same_as_frames(self):
        for name, (path, hud) in self.captures.items():
            with self.subTest(name):
                window = self.json("frames", path, "--json")["window"]
                self.assertEqual(self.json("info", path, "--json")["verdict"], window)
                self.assertEqual(self.json("stats", path, "--json")["verdict"], window)
                some = self.json("stats", path, "--frames", "1:41", "--json")["verdict"]
                self.check_window(some, hud, range(40))

    def test_a_window_of_time_is_of_the_frames_that_run_in_it(self):
        path, _ = self.captures["alternating"]
        rows = self.json("frames", path, "--json")["rows"]
        start = rows[3]["start_ns"] + rows[3]["frame_ns"] // 2
        end = rows[6]["start_ns"]
        found = self.json("stats", path, "--time", f"{start}:{end}", "--json")["verdict"]
        self.assertEqual(found, self.json("frames", path, "--frames", "3:6", "--json")["window"])

    def test_people_are_told_that_times_are_not_of_execution(self):
        for name in ("noise", "cpu"):
            for command in ("info", "frames", "stats"):
                text = self.ok(command, self.captures[name][0]).stdout
                self.assertEqual("are not of execution: no verdict is of them" in text, name == "noise", (name, command))

    def test_people_are_told_what_is_inferred(self):
        path, _ = self.captures["untimed-gpu"]
        line = "GPU-bound (inferred): GPU 41 of 41 frames"
        self.assertIn(f"\nTogether {line}.\n", self.ok("frames", path).stdout)
        self.assertIn("gpu (inferred)", self.ok("frames", path).stdout)
        self.assertIn(line, self.ok("info", path).stdout)
        self.assertIn(f"The frames are {line}.", self.ok("stats", path).stdout)
        path, _ = self.captures["alternating"]
        text = self.ok("frames", path).stdout
        self.assertIn("\nTogether CPU-bound: CPU 21, GPU 20 of 41 frames.\n", text)
        self.assertNotIn("inferred", text)
        self.assertIn("a pause", self.ok("frames", self.captures["paused"][0]).stdout)

    def test_without_frames_there_is_no_verdict(self):
        trace = self.files.folder / "plain.json"
        trace.write_text('[{"ph": "X", "name": "a", "ts": 1, "dur": 2, "pid": 1, "tid": 1}]')
        self.assertIsNone(self.json("info", trace, "--json")["verdict"])
        self.assertIsNone(self.json("stats", trace, "--json")["verdict"])
        self.assertNotIn("verdict", self.ok("info", trace).stdout)


if __name__ == "__main__":
    unittest.main()
