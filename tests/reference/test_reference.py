# SPDX-License-Identifier: MIT
"""frameglass bench --reference: the report has the shape of docs/REFERENCE.md, and its figures hold together."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FRAMEGLASS = os.environ["FRAMEGLASS"]
PAGE = pathlib.Path(os.environ["REFERENCE_MD"]).read_text(encoding="utf-8")
SAMPLE = json.loads(re.search(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL).group(1))
ENGINE = sys.argv.pop(1) if len(sys.argv) > 1 else "cpu"
SPANS = 2000
SCENARIOS = ["exact-expanded", "exact-collapsed", "exact-filtered", "exact-focused", "exact-picking", "density",
             "representative"]
OF_DEVICE = {"adapter", "limits", "allocations"}
OF_PICKING = {"picks", "deferred_picks"}


def bench(*arguments):
    return subprocess.run(
        [FRAMEGLASS, "bench", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def reference(*arguments):
    return bench("--reference", "--spans", SPANS, "--seconds", 0, "--width", 16, "--engine", ENGINE, *arguments)


def nearest_rank(times, percent):
    ordered = sorted(times)
    return ordered[max(0, (len(ordered) * percent + 99) // 100 - 1)]


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = reference()
        cls.report = json.loads(cls.done.stdout)

    def compare(self, sample, found, path, left_out=frozenset()):
        """Same keys, values of the same kind; null is of any kind."""
        if sample is None or found is None:
            return
        if isinstance(sample, bool) or not isinstance(sample, int):
            self.assertIs(type(found), type(sample), path)
        else:
            self.assertIs(type(found), int, path)
        if isinstance(sample, dict):
            self.assertEqual(set(found) - left_out, set(sample) - left_out, path)
            for key in set(found) & set(sample):
                self.compare(sample[key], found[key], f"{path}.{key}")
        elif isinstance(sample, list) and path != "$.scenarios":
            for item in found:
                self.compare(sample[0], item, path + "[]")

    def test_the_report_has_the_shape_of_the_page(self):
        self.assertEqual(self.done.stderr, "")
        self.assertEqual(self.report["schema_version"], 1)
        self.compare(SAMPLE, self.report, "$", OF_DEVICE if ENGINE == "cpu" else frozenset())
        self.assertEqual(OF_DEVICE <= set(self.report), ENGINE == "vulkan")
        for item in self.report["scenarios"]:
            is_picking = item["scenario"] == "exact-picking"
            self.compare(SAMPLE["scenarios"][0], item, item["scenario"], frozenset() if is_picking else OF_PICKING)
            self.assertEqual(OF_PICKING <= set(item), is_picking)

    def test_every_scenario_is_drawn_by_every_renderer(self):
        renderers = ["engine", "device"] if ENGINE == "vulkan" else ["engine"]
        found = [(item["renderer"], item["scenario"]) for item in self.report["scenarios"]]
        self.assertEqual(found, [(renderer, name) for renderer in renderers for name in SCENARIOS])
        for item in self.report["scenarios"]:
            with self.subTest(item["renderer"], scenario=item["scenario"]):
                self.assertIsNone(item["failed"])
                self.assertGreaterEqual(item["frames"]["count"], 3)
                self.assertEqual(item["unanswered_targets"], 0)

    def test_percentiles_are_nearest_ranks_of_all_times(self):
        for item in self.report["scenarios"]:
            for key in ("frames", "picks"):
                if key in item:
                    times = item[key]["all_ns"]
                    self.assertEqual(item[key]["count"], len(times))
                    self.assertEqual(item[key]["p50_ns"], nearest_rank(times, 50))
                    self.assertEqual(item[key]["p95_ns"], nearest_rank(times, 95))
                    self.assertEqual(item[key]["max_ns"], max(times))

    def test_outputs_are_spans_where_it_says_exact_and_bins_elsewhere(self):
        outputs = {(item["renderer"], item["scenario"]): item for item in self.report["scenarios"]}
        for (renderer, name), item in outputs.items():
            with self.subTest(renderer, scenario=name):
                if name.startswith("exact"):
                    self.assertEqual(item["max_bins"], 0)
                    self.assertGreaterEqual(outputs[renderer, "exact-expanded"]["max_spans"], item["max_spans"])
                else:
                    self.assertGreater(item["max_bins"], 0)
        self.assertGreater(outputs["engine", "exact-expanded"]["max_spans"], 0)
        self.assertGreater(outputs["engine", "exact-expanded"]["max_spans"],
                           outputs["engine", "exact-filtered"]["max_spans"])

    def test_a_small_trace_is_no_verdict(self):
        self.assertEqual(self.report["trace"]["spans"], SPANS)
        self.assertEqual(self.report["trace"]["dependencies"], SPANS)
        self.assertEqual(self.report["trace"]["lanes"], 256)
        # A software device may need more than 33 ms for a frame.
        self.assertIn(self.report["verdict"], ("incomplete", "fail"))
        self.assertEqual(self.done.returncode, 1 if self.report["verdict"] == "fail" else 0)
        self.assertIn(f"{SPANS} spans and {SPANS} dependencies: not the reference's size", self.report["failures"])
        self.assertEqual(self.report["engine"]["answers"], ENGINE)

    def test_the_table_goes_beside_a_report_in_a_file(self):
        if ENGINE != "cpu":
            self.skipTest("the same for every engine")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            done = reference("-o", path, "--dependencies", 0)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertEqual(json.loads(path.read_text(encoding="utf-8"))["trace"]["dependencies"], 0)
            self.assertIn("verdict: ", done.stdout)
            for name in SCENARIOS:
                self.assertIn(name, done.stdout)
            self.assertEqual(reference("-o", pathlib.Path(folder) / "no" / "report.json").returncode, 3)

    def test_what_to_measure_has_to_be_said(self):
        self.assertEqual(bench().returncode, 2)
        self.assertIn("--reference", bench().stderr)
        self.assertEqual(reference("--engine", "abacus").returncode, 2)
        self.assertEqual(reference("--spans", "0").returncode, 2)


if __name__ == "__main__":
    unittest.main()
