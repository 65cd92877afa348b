# SPDX-License-Identifier: MIT
"""frameglass demo --no-gpu: a capture with something in it for every view, on any machine."""
import csv
import io
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import unittest

from cli_support import FRAMEGLASS, run

# What DevTools has colours for.
PALETTE = ("primary", "primary-light", "primary-dark", "secondary", "secondary-light",
           "secondary-dark", "tertiary", "tertiary-light", "tertiary-dark", "warning", "error")
# What a colour is by: the first of these classes that a span has, else how deep it lies.
COLOURS = (("frame", "primary"), ("wait", "warning"), ("gpu_pass", "tertiary-dark"), ("subpass", "tertiary-dark"),
           ("encode", "tertiary"), ("scope", "primary-light"))
DEPTHS = ("secondary-dark", "secondary", "secondary-light")
RESIZE_FRAME = 60
HITCH_FRAME = 80
# No loader, no driver: whatever this machine has is out of reach.
NOWHERE = {**os.environ, "VK_ICD_FILENAMES": "/nowhere.json", "VK_DRIVER_FILES": "/nowhere.json"}


def answer(*arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class DemoWithoutGpuTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.folder = pathlib.Path(cls.holder.name)
        cls.capture = cls.folder / "demo.sgpt"
        cls.done = cls.demo("-o", cls.capture)
        cls.info = answer("info", cls.capture)
        cls.frames = answer("frames", cls.capture)["rows"]
        exported = run("export", cls.capture, "--to", "graph-json")
        cls.graph = json.loads(exported.stdout)

    @staticmethod
    def demo(*arguments):
        return subprocess.run([FRAMEGLASS, "demo", "--no-gpu", *map(str, arguments)], env=NOWHERE,
                              capture_output=True, text=True, check=False)

    def test_it_needs_no_driver_and_speaks_on_standard_error_only(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertEqual(self.done.stdout, "")
        self.assertIn("no GPU", self.done.stderr)

    def test_the_capture_is_valid_closed_and_whole(self):
        self.assertEqual(run("validate", self.capture).returncode, 0)
        self.assertTrue(self.info["closed"])
        self.assertEqual(self.info["frames"], 120)
        self.assertEqual(self.info["dropped"], {})
        self.assertEqual([f["frame"] for f in self.frames if not f["gpu_ns"]], [])

    def test_topologies_are_three_variants_at_two_resolutions(self):
        self.assertEqual(self.info["topologies"], 6)
        before = {f["topology"] for f in self.frames[:RESIZE_FRAME]}
        after = {f["topology"] for f in self.frames[RESIZE_FRAME:]}
        self.assertEqual((len(before), len(after), before & after), (3, 3, set()))

    def test_one_frame_hitches_and_one_pass_made_it(self):
        median = statistics.median(f["gpu_ns"] for f in self.frames)
        slow = [f["frame"] for f in self.frames if f["gpu_ns"] > 1.5 * median]
        self.assertEqual(slow, [HITCH_FRAME])
        rows = answer("stats", self.capture, "--by", "pass", "--frames", "80:81")["rows"]
        self.assertEqual(rows[0]["name"], "reflections")
        self.assertGreater(rows[0]["total_ns"], 5 * rows[1]["total_ns"])

    def test_two_queues_run_side_by_side(self):
        rows = answer("stats", self.capture, "--by", "track", "--frames", "40:41")["rows"]
        busy = {row["name"]: row["busy_ns"] for row in rows if row["name"].startswith("queue")}
        self.assertEqual(sorted(busy), ["queue 0", "queue 1"])
        # More work than the frame is long: some of it ran at once.
        self.assertGreater(sum(busy.values()), self.frames[40]["gpu_ns"])
        self.assertGreater(self.info["dependencies"], 200)

    def test_the_graph_has_culled_passes_transients_and_imports(self):
        text = json.dumps(self.graph)
        for name in ("show normals", "shadow atlas", "light clusters", "back buffer"):
            self.assertIn(name, text)

    def test_memory_counters_say_what_sharing_saves(self):
        self.assertGreaterEqual(self.info["counters"], 10)
        self.assertIn("shared from", self.done.stderr)

    def test_memory_in_use_holds_what_is_imported_and_what_is_shared(self):
        chrome = json.loads(run("export", self.capture, "--to", "chrome").stdout)
        series = {}
        for event in chrome["traceEvents"]:
            if event["ph"] == "C":
                series.setdefault(event["name"], []).append(next(iter(event["args"].values())))
        parts = [series[f"resident.{part}"] for part in ("images", "streamed", "buffers", "transient")]
        self.assertEqual(len(series["memory.used"]), 120)
        for used, *held in zip(series["memory.used"], *parts):
            # What the recorder itself uses comes on top: little.
            self.assertLess(0, used - sum(held))
            self.assertLess(used - sum(held), 8 << 20)
        self.assertLess(max(series["memory.used"]), series["memory.budget"][0])

    def test_every_span_is_a_measure_of_devtools_on_a_track_of_its_own(self):
        events = json.loads(run("export", self.capture, "--to", "devtools").stdout)["traceEvents"]
        rows = list(csv.DictReader(io.StringIO(run("export", self.capture, "--to", "csv").stdout)))
        ends = {e["id2"]["local"]: e for e in events if e["ph"] == "e"}
        begins = [e for e in events if e["ph"] == "b"]
        self.assertEqual((len(begins), len(ends)), (len(rows), len(rows)))
        tracks = {}
        for begin, row in zip(begins, rows):
            end = ends[begin["id2"]["local"]]
            for event in (begin, end):
                self.assertEqual((event["cat"], event["pid"], event["tid"], event["name"]),
                                 ("blink.user_timing", 1, 2, row["name"]))
            # Microseconds as doubles: what is compared are nanoseconds.
            self.assertEqual(round(begin["ts"] * 1000), int(row["start_ns"]))
            self.assertEqual(round(end["ts"] * 1000), int(row["end_ns"]))
            told = json.loads(begin["args"]["detail"])["devtools"]
            self.assertEqual(told["dataType"], "track-entry")
            self.assertIn(told["color"], PALETTE)
            classes = row["classes"].replace("|", " ").split()
            self.assertEqual(told["color"], next((color for name, color in COLOURS if name in classes),
                                                 DEPTHS[min(int(row["depth"]), 2)]))
            self.assertNotIn("nominal", told["track"])
            self.assertTrue(told["tooltipText"].endswith(row["name"]))
            self.assertTrue(all(len(pair) == 2 and all(isinstance(part, str) for part in pair)
                                for pair in told["properties"]))
            self.assertEqual(dict(map(tuple, told["properties"]))["row"], row["row"])
            tracks.setdefault((told["trackGroup"], told["track"]), set()).add(row["track"])
        self.assertEqual(len(tracks), len({(row["process"], row["track"]) for row in rows}))
        self.assertTrue(all(len(of) == 1 for of in tracks.values()))
        draws = [pair for e in begins for pair in json.loads(e["args"]["detail"])["devtools"]["properties"]
                 if pair[0] == "work/draw calls"]
        self.assertTrue(draws)
        # The panel shows what lies between these two.
        start, stop = (next(e for e in events if e["name"] == f"Tracing{word}InBrowser")
                       for word in ("Started", "Stopped"))
        self.assertLessEqual(start["ts"], min(e["ts"] for e in begins))
        self.assertGreaterEqual(stop["ts"], max(e["ts"] for e in ends.values()))

    def test_a_cost_that_cannot_be_measured_is_not_told(self):
        self.assertNotIn("recording cost", run("info", self.capture).stdout)

    def test_levels_keep_more_and_more(self):
        sizes = []
        for level in ("timing", "structure", "workload", "verbose"):
            path = self.folder / f"{level}.sgpt"
            self.assertEqual(self.demo("-o", path, "--level", level, "--frames", 12).returncode, 0)
            self.assertEqual(run("validate", path).returncode, 0)
            sizes.append(path.stat().st_size)
        self.assertEqual(sizes, sorted(set(sizes)))

    def test_two_runs_of_one_seed_tell_the_same_and_another_seed_does_not(self):
        again, other = self.folder / "again.sgpt", self.folder / "other.sgpt"
        self.demo("-o", again)
        self.demo("-o", other, "--seed", 8)
        self.assertEqual(answer("frames", again), answer("frames", self.capture))
        self.assertEqual(answer("stats", again), answer("stats", self.capture))
        self.assertNotEqual(answer("stats", other), answer("stats", self.capture))

    def test_what_only_a_renderer_could_do_is_refused(self):
        for arguments in (["--png", "a.png"], ["--scene", "a.gltf"], ["--device", "1"], ["--frames", "0"]):
            done = self.demo("-o", self.folder / "none.sgpt", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(arguments[0], done.stderr)

    def test_a_file_that_cannot_be_written_is_named(self):
        done = self.demo("-o", "/nowhere/at/all.sgpt")
        self.assertEqual(done.returncode, 3)
        self.assertIn("/nowhere/at/all.sgpt", done.stderr)


if __name__ == "__main__":
    unittest.main()
