# SPDX-License-Identifier: MIT
"""What a frame's nodes took is the same in the capture and in files for other tools, and they are the scene's nodes."""
import collections
import csv
import io
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

CANVAS = os.environ["CANVAS"]
FRAMEGLASS = os.environ["FRAMEGLASS"]
# The tour asks for a detailed capture in frame 42.
TOUR = ["--headless", "--scene", "studio", "--script", "tour", "--frames", "46", "--size", "320x200", "--samples", "1"]


def run(program, *arguments):
    command = [program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=True).stdout


def totals_of_events(profile, names):
    """By name, of a profile that opens and closes; written down without any of our code."""
    total = collections.Counter()
    open_ones = []
    for event in profile["events"]:
        if event["type"] == "O":
            open_ones.append(event)
        else:
            begun = open_ones.pop()
            assert begun["frame"] == event["frame"], "ends close what was opened last"
            total[names[event["frame"]]] += event["at"] - begun["at"]
    assert not open_ones
    return total


class Chain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.capture = cls.folder / "tour.sgpt"
        run(CANVAS, *TOUR, "--out", cls.capture)
        rows = csv.DictReader(io.StringIO(cls.export("csv")))
        cls.nodes = [row for row in rows if row["track"] == "nodes"]
        cls.total = collections.Counter()
        for row in cls.nodes:
            cls.total[row["name"]] += int(row["duration_ns"])

    @classmethod
    def export(cls, form):
        path = cls.folder / f"out.{form}"
        run(FRAMEGLASS, "export", cls.capture, "--to", form, "-o", path)
        return path.read_text(encoding="utf-8")

    def test_the_nodes_are_those_of_the_scene(self):
        truth = json.loads(run(CANVAS, "--headless", "--scene", "studio", "--size", "320x200", "--print-truth"))
        names = [row["name"] for row in self.nodes]
        self.assertEqual(names[0], "frame")
        self.assertEqual(len(names) - 1 - names[1:].count("page"), truth["nodes"])
        self.assertTrue(all(row["status"] == "complete" for row in self.nodes))

    def test_children_lie_in_their_parents(self):
        by_row = {row["row"]: row for row in self.nodes}
        for row in self.nodes[1:]:
            parent = by_row[row["parent"]]
            self.assertEqual(int(row["depth"]), int(parent["depth"]) + 1)
            self.assertLessEqual(int(parent["start_ns"]), int(row["start_ns"]))
            self.assertLessEqual(int(row["end_ns"]), int(parent["end_ns"]))

    def test_speedscope_gets_the_same_totals(self):
        file = json.loads(self.export("speedscope"))
        names = [frame["name"] for frame in file["shared"]["frames"]]
        profile = next(profile for profile in file["profiles"] if profile["name"] == "nodes")
        self.assertEqual(totals_of_events(profile, names), self.total)

    def test_devtools_get_the_same_durations(self):
        events = json.loads(self.export("devtools"))["traceEvents"]
        begun, total = {}, collections.Counter()
        for event in events:
            if event.get("cat") != "blink.user_timing" or event["ph"] not in "be":
                continue
            if event["ph"] == "b":
                begun[event["id2"]["local"]] = event
                continue
            begin = begun.pop(event["id2"]["local"])
            detail = json.loads(begin["args"]["detail"])["devtools"]
            if detail["track"] == "nodes":
                total[begin["name"]] += round((event["ts"] - begin["ts"]) * 1000)
        self.assertEqual(total, self.total)


if __name__ == "__main__":
    unittest.main()
