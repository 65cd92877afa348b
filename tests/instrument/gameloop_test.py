# SPDX-License-Identifier: MIT
"""The game loop counts the same whatever threads it has, and Frameglass counts what it counts.

    FG_GAMELOOP=... FG_LEVEL_NAME=FULL [FG_FRAMEGLASS=...] python3 gameloop_test.py
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

GAMELOOP = os.environ["FG_GAMELOOP"]
FRAMEGLASS = os.environ.get("FG_FRAMEGLASS")
LEVEL = os.environ["FG_LEVEL_NAME"]


def play(*arguments, status=0):
    """Its own counts, and the metrics that it reports by name."""
    done = subprocess.run([GAMELOOP, "--fast", *arguments], capture_output=True, text=True,
                          timeout=120, check=False)
    if done.returncode != status:
        raise AssertionError(f"status {done.returncode}: {done.stdout}{done.stderr}")
    if status != 0:
        return None, None
    counts, *report = done.stdout.splitlines()
    rows = (re.match(r"  (\S+) +(counter|gauge|frame counter) +(\S+)", line) for line in report)
    metrics = {row[1]: None if row[3] == "-" else int(row[3]) for row in rows if row}
    return json.loads(counts), metrics


class Counts(unittest.TestCase):
    def test_do_not_depend_on_the_threads(self):
        alone, _ = play("--seconds", "6", "--threads", "0")
        for threads in ("1", "5"):
            self.assertEqual(play("--seconds", "6", "--threads", threads)[0], alone)
        self.assertGreater(alone["updates"], alone["draws"])  # late frames are caught up with
        self.assertGreater(alone["hidden"], 0)

    def test_depend_on_the_seed(self):
        self.assertNotEqual(play("--seconds", "3", "--seed", "2")[0],
                            play("--seconds", "3", "--seed", "3")[0])


# What a level does not have is not skipped: it is not there.
if LEVEL == "OFF":
    class Metrics(unittest.TestCase):
        def test_are_not_there_when_nothing_was_built_in(self):
            counts, metrics = play("--seconds", "2")
            self.assertEqual(counts["frames"], 120)
            self.assertEqual(metrics, {})
else:
    class Metrics(unittest.TestCase):
        def test_are_what_the_game_counted(self):
            counts, metrics = play("--seconds", "4")
            self.assertEqual(metrics["Audio/VoiceCreations"], counts["voices"])
            self.assertEqual(metrics["Audio/AllocatedVoices"], 0)
            self.assertEqual(metrics["Runtime/DrawCount"], 1)
            self.assertEqual(metrics["Graphics/DrawCalls"], metrics["Graphics/IndexedDrawCalls"] +
                             metrics["Graphics/NonIndexedDrawCalls"] +
                             metrics["Graphics/IndirectDrawCalls"])

        def test_stand_still_while_the_mode_is_off_but_for_what_comes_and_goes(self):
            _, metrics = play("--seconds", "2", "--mode", "off")
            self.assertEqual(metrics.pop("Audio/AllocatedVoices"), 0)
            self.assertEqual([value for value in metrics.values() if value is not None], [])

if LEVEL != "FULL":
    class Mode(unittest.TestCase):
        def test_above_what_was_built_in_is_refused(self):
            play("--mode", "full", status=2)

if LEVEL == "FULL" and FRAMEGLASS is not None:
    class Capture(unittest.TestCase):
        def setUp(self):
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            self.folder = pathlib.Path(folder.name)
            self.path = self.folder / "run.sgpt"

        def ask(self, command, path=None):
            done = subprocess.run([FRAMEGLASS, command, path or self.path, "--json"],
                                  capture_output=True, text=True, timeout=60, check=True)
            return json.loads(done.stdout)

        def counts_by_name(self, path=None):
            return {row["name"]: row["count"] for row in self.ask("stats", path)["rows"]}

        def sums_of_counters(self):
            """Of the counters that begin at 0 with every frame: what all frames have together."""
            done = subprocess.run([FRAMEGLASS, "export", self.path, "--to", "chrome"],
                                  capture_output=True, text=True, timeout=60, check=True)
            sums = collections.Counter()
            for event in json.loads(done.stdout)["traceEvents"]:
                if event["ph"] == "C":
                    sums[event["name"]] += sum(event["args"].values())
            return sums

        def test_has_every_frame_and_every_zone(self):
            counts, _ = play("--seconds", "4", "--out", self.path)
            rows = self.counts_by_name()
            self.assertEqual(self.ask("info")["frames"], counts["frames"])
            self.assertEqual(rows["Game/Tick"], counts["frames"])
            self.assertEqual(rows["Game/Update"], counts["updates"])
            self.assertEqual(rows["Game/Draw"], counts["draws"])
            self.assertEqual(rows["World/Move"], 8 * counts["updates"])
            self.assertEqual(rows["Content/LoadArea"], counts["areas"])

        def test_has_every_draw_in_its_frame(self):
            counts, _ = play("--seconds", "4", "--out", self.path)
            sums = self.sums_of_counters()
            self.assertEqual(sums["Runtime/UpdateCount"], counts["updates"])
            self.assertEqual(sums["Runtime/DrawCount"], counts["draws"])
            self.assertEqual(sums["Graphics/DrawCalls"], counts["draw_calls"])
            self.assertEqual(sums["Graphics/SubmittedPrimitives"], counts["primitives"])
            self.assertEqual(sums["Graphics/SpriteSubmissions"], counts["sprites"])
            # Shadows, scene, window; shadow, solid, smoke, sprite, tone.
            self.assertEqual(sums["Graphics/RenderTargetChanges"], 3 * counts["draws"])
            self.assertEqual(sums["Graphics/EffectChanges"], 5 * counts["draws"])

        def test_has_no_frames_of_a_hidden_window(self):
            counts, _ = play("--seconds", "5", "--out", self.path)
            self.assertGreater(counts["hidden"], 0)
            self.assertEqual(self.counts_by_name()["Game/Events"],
                             counts["frames"] + counts["hidden"])
            self.assertEqual(self.ask("info")["frames"], counts["frames"])

        def test_of_the_flight_recorder_is_written_at_the_end(self):
            counts, _ = play("--seconds", "4", "--flight", "1", "--out", self.folder)
            (dump,) = self.folder.glob("*.sgpt")
            rows = self.counts_by_name(dump)
            self.assertGreater(rows["Game/Tick"], 0)
            self.assertLessEqual(rows["Game/Tick"], counts["frames"])


if __name__ == "__main__":
    unittest.main()
