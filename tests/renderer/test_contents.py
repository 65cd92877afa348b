# SPDX-License-Identifier: MIT
"""What a capture of the demo holds, as the second reader of the format sees it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FRAMEGLASS = os.environ["FRAMEGLASS"]
SECOND_READER = pathlib.Path(os.environ["SECOND_READER"]) / "sgpt_dump.py"
FRAMES = 4
COMPUTE, RENDER = 2, 1
DRAW_INDEXED_INDIRECT, DISPATCH = 3, 6
TRANSIENT, IMPORTED = 1, 2


class Capture:
    """Records of one short run at one level, by type, with symbols looked up."""

    def __init__(self, folder, level):
        path = folder / f"{level}.sgpt"
        subprocess.run([FRAMEGLASS, "demo", "-o", path, "--frames", str(FRAMES), "--size", "96x54",
                        "--level", level], check=True, capture_output=True)
        dump = subprocess.run([sys.executable, SECOND_READER, path], check=True, capture_output=True)
        document = json.loads(dump.stdout)
        self.records = {}
        for record in document["records"]:
            self.records.setdefault(record["type"], []).append(record["payload"])
        self.symbols = {symbol["id"]: symbol["text"]
                        for record in self.records["SYMS"] for symbol in record["symbols"]}

    def frame(self, index):
        return self.records["FRAM"][index]

    def passes(self, index):
        return [(self.symbols[item["label"]], item) for item in self.frame(index)["gpu_passes"]]


class ContentsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        folder = pathlib.Path(cls.holder.name)
        cls.structure = Capture(folder, "structure")
        cls.workload = Capture(folder, "workload")
        cls.verbose = Capture(folder, "verbose")

    def works(self, capture, label):
        return [work for name, item in capture.passes(0) if name == label for work in item["works"]]

    def test_structure_has_culled_passes_and_footprints_but_no_work(self):
        topology = self.structure.records["TOPO"][0]
        resources = topology["resources"]
        self.assertTrue(all(item["footprint_bytes"] for item in resources))
        self.assertEqual({item["flags"] for item in resources}, {TRANSIENT, IMPORTED})
        self.assertEqual([w for _, item in self.structure.passes(0) for w in item["works"]], [])
        culled = [p for p in self.structure.frame(0)["passes"] if p["flags"] & 1]
        self.assertGreaterEqual(len(culled), 3)

    def test_indirect_draws_name_their_buffer_in_the_graph_and_their_offsets(self):
        draws = self.works(self.workload, "g-buffer")
        self.assertGreater(len(draws), 8)
        self.assertEqual({work["kind"] for work in draws}, {DRAW_INDEXED_INDIRECT})
        identities = {item["id"]: self.workload.symbols[item["name"]]
                      for item in self.workload.records["TOPO"][0]["resources"]}
        self.assertEqual({identities[work["buffer"]] for work in draws}, {"draws early", "draws late"})
        self.assertEqual(len({(work["buffer"], work["offset"]) for work in draws}), len(draws))

    def test_hi_z_is_one_graph_pass_with_a_dispatch_for_each_level(self):
        levels = [item for name, item in self.workload.passes(0) if name.startswith("hi-z")]
        self.assertEqual(len(levels), 6)
        self.assertEqual(len({item["graph_pass"] for item in levels}), 1)
        for item in levels:
            self.assertEqual([work["kind"] for work in item["works"]], [DISPATCH])

    def test_every_dispatch_has_a_pipeline_with_a_workgroup_size(self):
        for label, item in self.workload.passes(0):
            for work in item["works"]:
                if item["kind"] == COMPUTE:
                    self.assertNotEqual(work["pipeline"], 0, label)
                    self.assertGreaterEqual(work["workgroup_x"] * work["workgroup_y"], 64, label)

    def test_attachments_say_what_is_loaded_and_stored(self):
        passes = dict(self.workload.passes(0))
        clear, load, store, nothing = 2, 1, 1, 3
        self.assertEqual([(a["load"], a["store"]) for a in passes["g-buffer"]["attachments"]],
                         [(clear, store), (clear, store), (load, nothing)])
        self.assertEqual([(a["load"], a["store"]) for a in passes["bloom up 1"]["attachments"]],
                         [(load, store)])
        for label, item in self.workload.passes(0):
            self.assertEqual(item["kind"] == RENDER, bool(item["attachments"]), label)

    def test_bindings_are_those_of_the_pipeline_and_of_level_verbose_only(self):
        self.assertEqual(self.works(self.workload, "lighting")[0]["bindings"], [])
        self.assertEqual(len(self.works(self.verbose, "lighting")[0]["bindings"]), 9)
        resolve = self.works(self.verbose, "resolve")[0]["bindings"]
        identities = {item["id"]: self.verbose.symbols[item["name"]]
                      for item in self.verbose.records["TOPO"][0]["resources"]}
        self.assertEqual([identities[item["resource"]] for item in resolve], ["toned"])

    def test_counters_give_the_scale_of_the_scene_and_the_resolution(self):
        counters = {self.workload.symbols[item["name"]]: item["value"]["value"]
                    for item in self.workload.frame(0)["counters"]}
        self.assertEqual((counters["render.width"], counters["render.height"]), (96, 54))
        for name in ("scene.meshes", "scene.instances", "scene.lights", "resident.geometry",
                     "resident.images", "resident.buffers", "resident.transient"):
            self.assertGreater(counters[name], 0, name)
        self.assertLess(counters["resident.transient"], counters["declared.transient"])

    def test_waits_for_the_device_are_told_apart_from_work(self):
        for index in range(2, FRAMES):
            frame = self.workload.frame(index)
            self.assertGreater(frame["wait_ticks"], 0)
            self.assertLess(frame["wait_ticks"], frame["end_ticks"] - frame["begin_ticks"])
            self.assertIsNone(frame["present_wait_ticks"])

    def test_features_are_names_in_a_list(self):
        features = self.workload.records["META"][0]["features"]
        self.assertIn("bloom", features)
        self.assertIn("synchronization2", features)
        self.assertEqual([name for name in features if "," in name], [])


if __name__ == "__main__":
    unittest.main()
