# SPDX-License-Identifier: MIT
"""frameglass info: what a capture says of the program itself."""
import unittest

from cli_support import ROOT, CliTest

PROCESS = ROOT / "tests" / "golden" / "v1_process.sgpt"


class InfoOfTheProgram(CliTest):
    def test_metrics_say_what_they_are_and_unknown_is_null(self):
        metrics = {row["name"]: row for row in self.json("info", PROCESS, "--json")["metrics"]}
        self.assertEqual(metrics["Audio/VoiceCreations"]["kind"], "counter")
        self.assertEqual(metrics["Audio/VoiceCreations"]["accuracy"], "estimated")
        self.assertEqual(metrics["Audio/VoiceCreations"]["last"], 40)
        self.assertEqual(metrics["Graphics/DrawCalls"]["kind"], "frame counter")
        never = metrics["gpu/never published"]
        self.assertEqual((never["last"], never["low"], never["high"], never["samples"]), (None, None, None, 0))
        self.assertEqual(never["accuracy"], "unavailable")

    def test_counters_that_nobody_defined_are_metrics_of_which_nothing_is_told(self):
        (row,) = [row for row in self.json("info", self.files.demo, "--json")["metrics"]][:1]
        self.assertIsNone(row["kind"])
        self.assertIsNone(row["accuracy"])
        self.assertGreater(row["samples"], 0)

    def test_live_resources_are_those_at_the_end(self):
        live = self.json("info", PROCESS, "--json")["live_resources"]
        self.assertEqual((live["count"], live["made"] + live["gone"] > 0), (1, True))
        self.assertEqual(live["rows"][0]["name"], "atlas")
        self.assertEqual(live["bytes"], live["rows"][0]["bytes"])
        self.assertEqual(sum(row["bytes"] for row in live["types"]), live["bytes"])

    def test_a_capture_that_tells_of_no_resources_does_not_say_that_there_are_none(self):
        self.assertIsNone(self.json("info", self.files.demo, "--json")["live_resources"])

    def test_losses_are_counters_and_sums_of_tracks(self):
        losses = self.json("info", PROCESS, "--json")["losses"]
        self.assertEqual(len(losses["counters"]), 9)
        self.assertEqual(losses["counters"]["malformed zones"], 1)
        self.assertEqual(losses["counters"]["source failures"], 3)
        self.assertEqual(losses["tracks"][0]["track"], "main thread")
        self.assertEqual(losses["tracks"][0]["lost"], losses["counters"]["producer drops"])
        self.assertEqual(losses["tracks"][0]["gaps"], 2)

    def test_people_get_tables_with_a_dash_for_what_is_not_known(self):
        text = self.ok("info", PROCESS).stdout
        (never,) = [line for line in text.splitlines() if line.startswith("gpu/never published")]
        self.assertEqual(never.split()[-4:], ["-", "-", "-", "0"])
        self.assertIn("producer drops", text)
        self.assertIn("main thread", text)
        self.assertIn("atlas", text)
        self.assertNotIn("live resource", self.ok("info", self.files.demo).stdout)

    def test_zones_are_in_the_statistics_of_names_and_tracks(self):
        rows = self.json("stats", PROCESS, "--json")["rows"]
        self.assertTrue(any(row["count"] > 0 for row in rows), rows)
        by_track = self.json("stats", PROCESS, "--by", "track", "--json")["rows"]
        self.assertIn("main thread", [row["name"] for row in by_track])


if __name__ == "__main__":
    unittest.main()
