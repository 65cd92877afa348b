# SPDX-License-Identifier: MIT
"""The comparison with a peer, with a program in its place that answers as it does."""
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PEER = HERE.parents[1] / "bench" / "trace" / "peer.py"
STAND_IN = HERE / "stand_in_peer.py"
FIGURES = ("load_ns", "peak_bytes", "totals_ns", "percentiles_ns", "window_ns", "viewport_ns")


class PeerTest(unittest.TestCase):
    def run_peer(self, *arguments, **environment):
        command = [
            sys.executable, PEER, "--questions", os.environ["BENCH_QUESTIONS"],
            "--chrome", os.environ["BENCH_CHROME"], "--spans", "3000", *arguments,
        ]
        inherited = {key: value for key, value in os.environ.items() if key != "FG_TRACE_PROCESSOR"}
        return subprocess.run(
            [str(part) for part in command], capture_output=True, text=True, check=False,
            env={**inherited, **environment},
        )

    def test_without_a_peer_our_side_is_measured_and_that_is_said(self):
        done = self.run_peer()
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["spans"], 3000)
        self.assertIsNone(report["peer"])
        self.assertIn("FG_TRACE_PROCESSOR", report["note"])
        self.assertEqual(set(report["ours"]), set(FIGURES))
        self.assertTrue(all(report["ours"][figure] > 0 for figure in FIGURES), report)

    def check_compared(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["same_answers"], {"totals": True, "percentiles": True, "window": True})
        return report

    def test_a_peer_is_taken_by_its_path_and_asked_the_same(self):
        report = self.check_compared(self.run_peer("--peer", STAND_IN))
        self.assertEqual(report["program"], str(STAND_IN))
        self.assertTrue(all(report["peer"][figure] > 0 for figure in FIGURES), report)
        self.assertEqual(
            set(report["times_as_much"]), {"load", "peak", "totals", "percentiles", "window", "viewport"}
        )
        for key, ratio in report["times_as_much"].items():
            unit = "bytes" if key == "peak" else "ns"
            expected = report["peer"][f"{key}_{unit}"] / report["ours"][f"{key}_{unit}"]
            self.assertAlmostEqual(ratio, expected, delta=0.01)

    def test_a_peer_is_taken_from_the_environment(self):
        self.check_compared(self.run_peer(FG_TRACE_PROCESSOR=str(STAND_IN)))

    def test_a_peer_that_does_not_say_its_times_is_measured_from_outside(self):
        report = self.check_compared(self.run_peer("--peer", STAND_IN, STAND_IN_IS_SILENT="1"))
        self.assertIsNone(report["peer"]["totals_ns"])
        self.assertGreater(report["peer"]["load_ns"], 0)
        self.assertEqual(set(report["times_as_much"]), {"load", "peak"})

    def test_a_wrong_answer_is_told(self):
        done = self.run_peer("--peer", STAND_IN, STAND_IN_IS_WRONG="1")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(set(json.loads(done.stdout)["same_answers"].values()), {False})

    def test_a_path_that_is_no_program_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "no_program"
            for make in (lambda: None, lambda: path.write_text(""), lambda: path.chmod(stat.S_IRUSR)):
                make()
                if os.geteuid() == 0 and path.exists() and os.access(path, os.X_OK):
                    continue
                done = self.run_peer("--peer", path)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(str(path), done.stderr)
                self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
