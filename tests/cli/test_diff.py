# SPDX-License-Identifier: MIT
"""frameglass diff: what is claimed, what a gate makes of it, and how both are shown."""
import json
import unittest

from cli_support import ROOT, CliTest, run

# Of make_capture: frame 12 takes four times as long, "unused" is culled in every third frame,
# the resolution changes at frame 8.
SLOW = ("--base-frames", "4:12", "--new-frames", "12:13")


class Diff(CliTest):
    def diff(self, *arguments):
        return self.json("diff", self.files.demo, self.files.demo, "--json", *arguments)

    def gate(self, *arguments):
        done = run("diff", self.files.demo, self.files.demo, "--json", *arguments)
        return done.returncode, json.loads(done.stdout)

    def test_a_slow_frame_is_claimed_with_exact_numbers(self):
        found = self.diff(*SLOW)
        row = found["rows"][0]
        self.assertEqual((row["name"], row["side"], row["track"]), ("gbuffer", "gpu", "queue 0"))
        self.assertEqual((row["base"]["total_ns"], row["new"]["total_ns"]), (8 * 2000003, 8000012))
        self.assertEqual((row["delta_ns"], row["ratio"]), (6000009, 4))
        self.assertTrue(row["claimed"])
        self.assertLess(row["noise_ns"], 100)
        self.assertEqual((found["base_frames"], found["new_frames"]), (8, 1))
        self.assertEqual((found["gpu"]["new_ns"], found["gpu"]["claimed"]), (14000044, True))
        self.assertIsNone(found["verdict"])

    def test_what_is_culled_is_told_from_what_is_gone(self):
        culled = {row["name"]: row["state"] for row in self.diff(*SLOW)["only_base"]}
        self.assertEqual(culled, {"unused": "culled"})
        back = self.diff("--base-frames", "3:4", "--new-frames", "4:5")
        self.assertEqual({row["state"] for row in back["only_new"]}, {"no longer culled"})
        by_name = self.diff("--by", "name", *SLOW)
        self.assertEqual({row["state"] for row in by_name["only_base"]}, {"removed"})

    def test_of_two_whole_traces_their_lengths_are_told_and_no_word_of_frames(self):
        paths = []
        for length in (40, 70):
            path = self.files.folder / f"whole_{length}.json"
            path.write_text(json.dumps([{"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": ts, "dur": dur}
                                        for name, ts, dur in (("load", 5, length), ("draw", 10, 20))]))
            paths.append(path)
        told = self.ok("diff", *paths).stdout
        self.assertRegex(told, r"length +40\.000 us -> 70\.000 us, \+30\.000 us \(\+75\.0 %\)")
        self.assertRegex(told, r"load +thread 1 +40\.000 +70\.000 +30\.000 +75\.00 % +- +not judged")
        self.assertIn("no difference is claimed", told)
        self.assertNotIn("frame", told)
        found = self.json("diff", *paths, "--json")
        self.assertEqual(found["whole"], {"base_ns": 40000, "new_ns": 70000})
        self.assertIsNone(self.diff(*SLOW)["whole"])

    def test_two_ranges_of_time_of_one_trace_take_the_whole_spans_that_meet_them(self):
        events = [("load", ts, 10 + ts % 7) for ts in range(0, 200, 20)] + [("draw", ts, 5) for ts in range(95, 200, 10)]
        path = self.files.folder / "ranges.json"
        path.write_text(json.dumps([{"ph": "X", "pid": 1, "tid": name, "name": name, "ts": ts, "dur": dur}
                                    for name, ts, dur in events]))
        ranges = ((25, 98), (98, 150))
        options = [f"--{side}-time={start}us:{end}us" for side, (start, end) in zip(("base", "new"), ranges)]
        found = self.json("diff", path, path, "--json", *options)
        self.assertEqual(found["whole"], {"base_ns": 73000, "new_ns": 52000})
        self.assertEqual((found["base_frames"], found["new_frames"]), (0, 0))
        rows = {row["name"]: row for row in found["rows"]}
        for name in ("load", "draw"):
            for side, (start, end) in zip(("base", "new"), ranges):
                met = [dur for event, ts, dur in events if event == name and ts < end and ts + dur > start]
                told = rows[name][side]
                self.assertEqual((told["count"], told["total_ns"]), (len(met), 1000 * sum(met)), (name, side))
            self.assertFalse(rows[name]["claimed"])
        self.assertIn("a range of time", self.ok("diff", path, path, *options).stdout)
        self.assertEqual(run("diff", path, path, "--base-time", "5us:5us").returncode, 2)
        self.assertEqual(run("diff", path, path, *options, "--base-frames", "1:2").returncode, 2)

    def test_what_does_not_differ_at_all_is_only_counted_without_frames(self):
        path = self.files.folder / "alike.json"
        path.write_text(json.dumps([{"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": ts, "dur": 5}
                                    for ts, name in ((0, "alike_one"), (10, "alike_two"))]))
        told = self.ok("diff", path, path).stdout
        self.assertNotIn("alike_one", told)
        self.assertIn("2 of 2 rows do not differ at all", told)
        told = self.ok("diff", path, path, "--all").stdout
        self.assertIn("alike_one", told)
        self.assertNotIn("not listed", told)

    def test_the_same_frames_do_not_differ(self):
        for by in ("name", "pass", "track", "scope"):
            found = self.diff("--by", by)
            self.assertGreater(len(found["rows"]), 1, by)
            self.assertTrue(found["same_graphs"])
            self.assertEqual(found["only_base"] + found["only_new"] + found["resources"], [])
            for row in found["rows"]:
                self.assertEqual((row["delta_ns"], row["claimed"]), (0, False))

    def test_changed_resources_are_named_with_sizes(self):
        found = {item["name"]: item for item in self.diff("--base-frames", "7:8", "--new-frames", "8:9")["resources"]}
        self.assertEqual(set(found), {"color", "bloom", "swapchain"})
        self.assertEqual((found["color"]["base"], found["color"]["new"]),
                         ("RGBA8 320 x 180, transient", "RGBA8 640 x 180, transient"))
        self.assertEqual((found["color"]["base_bytes"], found["color"]["new_bytes"]), (230400, 460800))

    def test_a_gate_fails_for_what_is_claimed_and_too_slow(self):
        status, found = self.gate("--fail-above", "299%", *SLOW)
        self.assertEqual((status, found["verdict"]), (1, "fail"))
        self.assertTrue(all(row["fails"] == (row["side"] == "gpu") for row in found["rows"]))
        # Every pass takes exactly four times as long; the frame less, as "unused" is not in it.
        status, found = self.gate("--fail-above", "300", *SLOW)
        self.assertEqual((status, found["verdict"]), (0, "pass"))
        status, found = self.gate("--fail-above", "0%")
        self.assertEqual((status, found["verdict"]), (0, "pass"))
        # The other way round everything is faster.
        status, found = self.gate("--fail-above", "0%", "--base-frames", "12:13", "--new-frames", "13:14")
        self.assertFalse(any(row["fails"] for row in found["rows"]))

    def test_noise_fails_no_gate(self):
        """Ten frames with one hitch are slower on average, and that is no change of the ten."""
        status, found = self.gate("--fail-above", "1%", "--base-frames", "2:12", "--new-frames", "10:20")
        slower = [row for row in found["rows"] if row["side"] == "gpu" and row["delta_ns"] > 0.2 * row["base"]["mean_ns"]]
        self.assertGreater(len(slower), 2)
        self.assertFalse(any(row["claimed"] for row in slower))
        self.assertEqual(status, 0)

    def test_a_side_that_proves_nothing_does_not_pass_a_gate(self):
        empty = ROOT / "tests" / "golden" / "v1_empty.sgpt"
        for sides, why in (((self.files.demo, empty), "the new side has no frames"),
                           ((empty, self.files.demo), "the base has no frames"),
                           ((empty, empty), "no frames on either side")):
            with self.subTest(sides):
                done = run("diff", *sides, "--json", "--fail-above", "1%")
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIsNone(json.loads(done.stdout)["verdict"])
                self.assertIn(why, done.stderr)
                text = run("diff", *sides, "--fail-above", "1%")
                self.assertEqual(text.returncode, 3)
                self.assertIn("gate: cannot be judged", text.stdout)
                self.ok("diff", *sides)

    def test_gpu_times_of_one_side_alone_do_not_pass_a_gate(self):
        """Without a single GSPN record no GPU time ever came."""
        timeless = self.files.folder / "timeless.sgpt"
        timeless.write_bytes(self.files.demo.read_bytes().replace(b"SRECGSPN", b"SRECGSPx"))
        done = run("diff", self.files.demo, timeless, "--json", "--fail-above", "1%")
        found = json.loads(done.stdout)
        self.assertIsNone(found["gpu"]["new_ns"])
        self.assertEqual((done.returncode, found["verdict"]), (3, None))
        self.assertIn("the new side has no GPU times", done.stderr)
        # Both without: what the CPU did is compared.
        self.ok("diff", timeless, timeless, "--fail-above", "1%")

    def test_two_files_are_compared_like_one_with_itself(self):
        one = self.diff(*SLOW)
        two = self.json("diff", self.files.demo, self.files.packed, "--json", *SLOW)
        self.assertEqual(one, two)

    def test_people_see_claims_and_are_told_of_the_rest(self):
        text = self.ok("diff", self.files.demo, self.files.demo, *SLOW).stdout
        self.assertIn("frame graphs   differ", text)
        self.assertRegex(text, r"geometry/gbuffer +queue 0 +2\.000 +8\.000 +6\.000 +300\.00 %")
        self.assertRegex(text, r"unused +queue 0 .* culled since")
        self.assertIn("within their noise and not listed (--all lists them)", text)
        self.assertIn("within the noise", self.ok("diff", self.files.demo, self.files.demo, "--all").stdout)
        failed = run("diff", self.files.demo, self.files.demo, "--fail-above", "5%", *SLOW)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("\ngate: failed\n  GPU time of a frame\n  geometry/gbuffer (GPU)\n", failed.stdout)

    def test_damaged_captures_can_be_compared(self):
        done = run("diff", self.files.demo, self.files.damaged)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("damaged", done.stderr)


if __name__ == "__main__":
    unittest.main()
