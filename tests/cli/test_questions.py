# SPDX-License-Identifier: MIT
"""Groups of every dimension, selections, search, slices and anomalies, computed again here."""
import collections
import json
import math
import re
import unittest

from cli_support import CliTest
from test_numbers import FIGURES, SpansTest

MICRO = 1_000_000


def meets(span, start, end):
    if span.start == span.end:
        return start <= span.start < end
    return span.start < end and span.end > start


class Groups(SpansTest):
    """Those that `--by` can name beside name, pass, track and scope."""

    def test_by_every_dimension(self):
        keys = {
            "category": lambda s: (s.text["category"], s.text["clock"]),
            "process": lambda s: (s.text["process"], s.text["clock"]),
            "depth": lambda s: (s.text["depth"], s.text["clock"]),
            "status": lambda s: (s.text["status"], s.text["clock"]),
            "class": lambda s: (s.text["classes"] or "none", s.text["clock"]),
            "frame": lambda s: (s.text["frame"], s.text["clock"]),
            "all": lambda s: ("all", s.text["clock"]),
        }
        for by, key in keys.items():
            spans = self.without_scopes(self.spans) if by == "category" else self.spans
            if by == "frame":
                spans = [span for span in spans if span.text["frame"]]
            with self.subTest(by):
                answer = self.json("stats", self.files.demo, "--by", by, "--json")
                rows = [(row["name"], *(row[figure] for figure in FIGURES)) for row in answer["rows"]]
                self.assertEqual(sorted(rows), sorted(self.expected(spans, key, lambda group: group[0])))
                self.assertEqual(
                    [-row[2] for row in rows], sorted(-row[2] for row in rows)
                )
                table = self.csv("stats", self.files.demo, "--by", by, "--csv")
                self.assertEqual(
                    [(row["name"], *(int(row[figure]) for figure in FIGURES)) for row in table], rows
                )
                self.ok("stats", self.files.demo, "--by", by)

    def test_by_thread_is_by_track_without_queues(self):
        tracks = self.json("stats", self.files.demo, "--by", "track", "--json")["rows"]
        threads = self.json("stats", self.files.demo, "--by", "thread", "--json")["rows"]
        self.assertTrue(any(row["name"].startswith("queue") for row in tracks))
        self.assertEqual(threads, [row for row in tracks if row["name"].startswith("thread")])

    def test_by_lane_adds_up_to_the_tracks(self):
        lanes = self.json("stats", self.files.demo, "--by", "lane", "--json")["rows"]
        tracks = self.json("stats", self.files.demo, "--by", "track", "--json")["rows"]
        sums = collections.Counter()
        for row in lanes:
            self.assertIn("depth", row["name"])
            self.assertEqual(row["busy_ns"], row["total_ns"])  # spans of a lane never overlap
            sums[row["track"]] += row["total_ns"]
        self.assertEqual(dict(sums), {row["name"]: row["total_ns"] for row in tracks})

    def test_selections_narrow_what_is_counted(self):
        spans = self.without_scopes(self.spans)
        half = sorted(span.duration for span in spans)[len(spans) // 2]
        for options, is_in in (
            (["--match", "GBuf"], lambda s: "gbuf" in s.text["name"].lower()),
            (["--track", "queue 0"], lambda s: s.text["track"] == "queue 0"),
            (["--longer-than", f"{half}ns"], lambda s: s.duration >= half),
            (["--shorter-than", str(half)], lambda s: s.duration <= half),
            (["--track", "queue 0", "--match", "shadow"],
             lambda s: s.text["track"] == "queue 0" and "shadow" in s.text["name"]),
        ):
            with self.subTest(options):
                chosen = [span for span in spans if is_in(span)]
                self.assertTrue(0 < len(chosen) < len(spans))
                self.check("name", chosen, lambda s: (s.text["name"], s.text["clock"]), options=options)
        for option in ("--track", "--category"):
            text = self.fails(2, "stats", self.files.demo, option, "no such thing")
            self.assertIn("no such thing", text)

    def test_search_finds_every_name_that_contains_it(self):
        for text in ("shadow", "GBUFFER", "a", "no such name"):
            expected = [s for s in self.spans if text.lower() in s.text["name"].lower()]
            answer = self.json("search", self.files.demo, text, "--json", "--limit", "100000")
            self.assertEqual(answer["total"], len(expected))
            self.assertEqual([row["row"] for row in answer["rows"]], [s.row for s in expected])
            for row, span in zip(answer["rows"], expected, strict=True):
                self.assertEqual((row["name"], row["track"]), (span.text["name"], span.text["track"]))
                self.assertEqual((row["start_ns"], row["end_ns"]), (span.start, span.end))
            table = self.csv("search", self.files.demo, text, "--csv", "--limit", "3")
            self.assertEqual([int(row["row"]) for row in table], [s.row for s in expected[:3]])
        start = self.spans[0].start
        window = ["--time", f"{start}:{start + 50_000_000}"]
        expected = [s for s in self.spans if "shadow" in s.text["name"] and meets(s, start, start + 50_000_000)]
        answer = self.json("search", self.files.demo, "shadow", "--json", *window, "--track", "queue 0")
        self.assertEqual(
            [row["row"] for row in answer["rows"]],
            [s.row for s in expected if s.text["track"] == "queue 0"],
        )

    # ---- anomalies ----

    def baselines(self, spans):
        """Of each name and clock: count, mean rounded down, deviation to the nearest."""
        groups = collections.defaultdict(list)
        for span in spans:
            if span.text["status"] == "complete":
                groups[span.text["name"], span.text["clock"]].append(span.duration)
        out = {}
        for key, values in groups.items():
            n, total = len(values), sum(values)
            mean = total // n
            squares = sum((n * value - total) ** 2 for value in values)  # n^3 times the variance
            root = math.isqrt(squares // n**3)
            while (2 * root + 1) ** 2 * n**3 <= 4 * squares:
                root += 1
            out[key] = (n, mean, root)
        return out

    def test_anomalies_are_scored_against_their_peers(self):
        for options, peers in (
            ([], self.spans),
            (["--base-frames", "1:5"],
             [s for s in self.spans if s.text["frame"] and 1 <= int(s.text["frame"]) < 5]),
            (["--two-sided", "--threshold", "0.5"], self.spans),
        ):
            with self.subTest(options):
                self.check_anomalies(options, self.baselines(peers))

    def check_anomalies(self, options, baselines):
        threshold = 500_000 if "--threshold" in options else 3 * MICRO
        answer = self.json("anomalies", self.files.demo, "--json", "--limit", "100000", *options)
        expected, reasons = [], collections.Counter()
        for span in self.spans:
            key = (span.text["name"], span.text["clock"])
            if span.text["status"] != "complete":
                reasons["unfinished"] += 1
            elif key not in baselines:
                reasons["no_baseline"] += 1
            elif baselines[key][0] < 2:
                reasons["few"] += 1
            else:
                reasons["scored"] += 1
                _, mean, deviation = baselines[key]
                off = span.duration - mean
                off = abs(off) if "--two-sided" in options else max(off, 0)
                score = off * MICRO // max(deviation, 1)
                if score >= threshold:
                    expected.append((-score, span.row))
        expected.sort()
        self.assertEqual([(-row["score_micro"], row["row"]) for row in answer["rows"]], expected)
        self.assertEqual(answer["anomalous"], len(expected))
        self.assertEqual({k: v for k, v in answer["reasons"].items() if v}, dict(reasons))
        for row in answer["rows"]:
            span = self.spans[row["row"]]
            count, mean, deviation = baselines[span.text["name"], span.text["clock"]]
            self.assertEqual(row["group"], span.text["name"])
            self.assertEqual(row["duration_ns"], span.duration)
            self.assertEqual(
                [row["baseline"][key] for key in ("count", "mean_ns", "deviation_ns")],
                [count, mean, deviation],
            )
        table = self.csv("anomalies", self.files.demo, "--csv", "--limit", "7", *options)
        self.assertEqual([int(row["row"]) for row in table], [row for _, row in expected[:7]])
        self.assertIn("of all spans", self.ok("anomalies", self.files.demo, *options).stdout)

    def test_baselines_of_another_file_are_matched_by_texts(self):
        other = self.files.folder / "other.json"
        events = [
            {"ph": "X", "name": "gbuffer", "pid": 1, "tid": 1, "ts": i * 10, "dur": 1 + i % 2}
            for i in range(10)
        ] + [{"ph": "X", "name": "gbuffer", "pid": 1, "tid": 1, "ts": 1000, "dur": 100}]
        other.write_text(json.dumps(events[:10]))
        longer = self.files.folder / "longer.json"
        longer.write_text(json.dumps(events))
        answer = self.json("anomalies", longer, "--base", other, "--json")
        # Ten of 1 or 2 us: 1,500 ns and 500 ns; then (100,000 - 1,500) / 500.
        (row,) = answer["rows"]
        self.assertEqual((row["row"], row["score_micro"]), (10, 197 * MICRO))
        self.assertEqual(row["baseline"], {"count": 10, "mean_ns": 1500, "deviation_ns": 500, "error_ppm": 0})
        self.assertEqual(self.json("anomalies", other, "--base", longer, "--json")["rows"], [])

    def test_groups_of_two_ranges_are_scored(self):
        arguments = ["anomalies", self.files.demo, "--groups", "--frames", "10:20", "--base-frames", "2:8"]
        answer = self.json(*arguments, "--json", "--limit", "1000")
        sides = []
        for first, end in ((2, 8), (10, 20)):
            groups = collections.defaultdict(list)
            for span in self.spans:
                if span.text["frame"] and first <= int(span.text["frame"]) < end:
                    groups[span.text["name"], span.text["clock"]].append(span.duration)
            sides.append(groups)
        self.assertEqual(
            {(row["name"], row["clock"]) for row in answer["rows"]}, set(sides[0]) | set(sides[1])
        )
        scores = []
        for row in answer["rows"]:
            key = (row["name"], row["clock"])
            for side, name in enumerate(("base", "new")):
                values = sides[side].get(key)
                got = row[name] and (row[name]["count"], row[name]["mean_ns"])
                self.assertEqual(got, values and (len(values), sum(values) // len(values)))
            if row["base"] and row["new"]:
                base, new = row["base"]["mean_ns"], row["new"]["mean_ns"]
                ratio = new * MICRO // max(base, 1)
                score = row["score"]
                self.assertEqual(score["ratio_micro"], ratio)
                self.assertEqual(score["micro"], max(ratio - MICRO, 0))
                self.assertEqual(score["mean_delta_ns"], new - base)
                self.assertEqual(score["count_delta"], row["new"]["count"] - row["base"]["count"])
                self.assertEqual(row["regression"], score["micro"] >= MICRO // 4)
                scores.append(score["micro"])
            else:
                self.assertIsNone(row["score"])
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual(answer["regressed"], sum(row["regression"] for row in answer["rows"]))
        table = self.csv(*arguments, "--csv", "--limit", "1000")
        self.assertEqual([row["name"] for row in table], [row["name"] for row in answer["rows"]])
        self.ok(*arguments)
        self.fails(2, "anomalies", self.files.demo, "--groups")


class Slices(CliTest):
    """a leads to b and c, both to d, d to e; x has nothing to do with it."""

    LINKS = (("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        times = {name: 100 * i for i, name in enumerate("abcdex")}
        events = [
            {"ph": "X", "name": name, "pid": 1, "tid": name, "ts": ts, "dur": 50}
            for name, ts in times.items()
        ]
        for i, (source, target) in enumerate(cls.LINKS):
            flow = {"cat": "flow", "name": "leads to", "id": i, "pid": 1}
            events.append({**flow, "ph": "s", "tid": source, "ts": times[source] + 10})
            events.append({**flow, "ph": "f", "bp": "e", "tid": target, "ts": times[target] + 10})
        cls.file = cls.files.folder / "flows.json"
        cls.file.write_text(json.dumps(events))

    def row_of(self, name):
        (row,) = self.json("search", self.file, name, "--json")["rows"]
        return row["row"]

    def slice_of(self, name, direction, *options):
        answer = self.json(
            "path", self.file, "--span", self.row_of(name), "--slice", direction, "--json", *options
        )
        return answer, {row["name"]: row["hops"] for row in answer["rows"]}

    def test_what_led_to_a_span_and_what_followed(self):
        for name, direction, expected in (
            ("d", "backward", {"d": 0, "b": -1, "c": -1, "a": -2}),
            ("d", "forward", {"d": 0, "e": 1}),
            ("b", "both", {"b": 0, "a": -1, "d": 1, "e": 2}),
            ("x", "both", {"x": 0}),
            ("a", "forward", {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3}),
        ):
            with self.subTest(f"{name} {direction}"):
                answer, hops = self.slice_of(name, direction)
                self.assertEqual(hops, expected)
                self.assertEqual(answer["direction"], direction)
                self.assertEqual((answer["left_out"], answer["outside"], answer["hops_limited"]), (0, 0, False))
                table = self.csv(
                    "path", self.file, "--span", self.row_of(name), "--slice", direction, "--csv"
                )
                self.assertEqual({row["name"]: int(row["hops"]) for row in table}, expected)

    def test_limits_of_a_slice_are_told(self):
        answer, hops = self.slice_of("a", "forward", "--hops", "1")
        self.assertEqual((hops, answer["hops_limited"]), ({"a": 0, "b": 1, "c": 1}, True))
        answer, hops = self.slice_of("a", "forward", "--limit", "2")
        self.assertEqual((hops, answer["left_out"]), ({"a": 0, "b": 1}, 2))
        answer, hops = self.slice_of("a", "forward", "--time", "0:250us")
        self.assertEqual((hops, answer["outside"]), ({"a": 0, "b": 1, "c": 1}, 2))
        text = self.ok("path", self.file, "--span", self.row_of("a"), "--slice", "forward", "--hops", "1").stdout
        self.assertIn("behind --hops", text)

    def test_a_path_can_be_of_some_spans_only(self):
        whole = self.json("path", self.file, "--json")
        self.assertEqual([row["name"] for row in whole["chain"]], ["a", "b", "d", "e"])
        part = self.json("path", self.file, "--time", "0:250us", "--json")
        self.assertEqual([row["name"] for row in part["chain"]], ["a", "b"])

    def test_wrong_slices_are_status_2(self):
        for arguments in (["--slice", "up", "--span", "0"], ["--slice", "both"], ["--csv", "--span", "0"],
                          ["--span", "0", "--slice", "both", "--limit", "0"], ["--hops", "3"],
                          ["--span", "0", "--hops", "3"]):
            self.fails(2, "path", self.file, *arguments)

    def test_a_span_that_is_not_selected_has_no_path(self):
        row = self.row_of("e")
        for options in (["--errors"], ["--time", "0:250us"], ["--match", "a"]):
            with self.subTest(options):
                self.assertIn("not among", self.fails(2, "path", self.file, "--span", row, *options))
        self.ok("path", self.file, "--span", row, "--match", "e")

    def test_a_span_around_all_others_has_a_way_out(self):
        events = json.loads(self.file.read_text())
        whole = {"ph": "X", "name": "whole", "pid": 1, "tid": "w", "ts": 0, "dur": 1000}
        file = self.files.folder / "wrapped.json"
        file.write_text(json.dumps([*events, whole]))
        text = " ".join(self.ok("path", file).stdout.split())
        option, value = re.search(r"(--shorter-than) (\d+ns)", text).groups()
        part = self.json("path", file, option, value, "--json")
        self.assertEqual([row["name"] for row in part["chain"]], ["a", "b", "d", "e"])
        self.assertNotIn("--shorter-than", self.ok("path", file, option, value).stdout)


class Names(CliTest):
    """What is not there is refused with what there is; ids that are not there are no numbers."""

    def file(self, name, *events):
        file = self.files.folder / name
        file.write_text(json.dumps([{"ph": "X", "ts": 1, "dur": 2, **event} for event in events]))
        return file

    def test_which_there_are(self):
        few = self.file("few.json", {"name": "a", "cat": "Draw", "tid": 1}, {"name": "b", "cat": "Op", "tid": 2})
        many = self.file("many.json", *({"name": "a", "cat": f"cat{i}", "tid": i} for i in range(12)))
        for option, words in (("--category", ["Draw", "Op"]), ("--track", ["thread 1", "thread 2"])):
            complaint = self.fails(2, "stats", few, option, "nonsense")
            for word in (*words, "nonsense", option):
                self.assertIn(word, complaint)
            self.assertNotIn("and more", complaint)
            self.assertIn("and more", self.fails(2, "stats", many, option, "nonsense"))

    def test_ids_that_are_not_there(self):
        file = self.file(
            "ids.json", {"name": "a"}, {"name": "b", "pid": -3, "tid": -1},
            {"name": "c", "pid": 18446744073709551615, "tid": 140737353979712},
            {"name": "d", "pid": 4294967301, "tid": 7},
        )
        processes = ["no process", "process -3", "process 18446744073709551615", "process 4294967301"]
        names = {row["name"] for row in self.json("stats", file, "--by", "process", "--json")["rows"]}
        self.assertEqual(names, set(processes))
        rows = self.csv("export", file, "--to", "csv")
        self.assertEqual([row["process"] for row in rows], processes)
        self.assertEqual([row["pid"] for row in rows], ["", "-3", "", "4294967301"])
        self.assertEqual([row["tid"] for row in rows], ["", "-1", "140737353979712", "7"])
        events = self.json("export", file, "--to", "chrome")["traceEvents"]
        told = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
        spans = {event["name"]: event for event in events if event["ph"] == "X"}
        self.assertEqual([told[spans[name]["pid"]] for name in "abcd"], processes)
        self.assertEqual((spans["b"]["pid"], spans["d"]["pid"]), (-3, 4294967301))
        self.assertEqual([spans[name]["tid"] for name in "bcd"], [-1, 140737353979712, 7])
        self.assertEqual(len({event["pid"] for event in spans.values()}), 4)

    def test_why_there_is_nothing(self):
        file = self.file("unknown.json", {"name": "a", "ph": "?"}, {"name": "b", "ph": "?"})
        self.assertIn("2 unknown_phase", self.ok("stats", file).stdout)

    def test_rows_of_tracks_are_named_once(self):
        file = self.file("tracks.json", {"name": "a", "tid": 1}, {"name": "b", "tid": 2})
        self.assertEqual(self.ok("stats", file, "--by", "track").stdout.count("thread 1"), 1)
        self.assertEqual(self.csv("stats", file, "--by", "track", "--csv")[0]["track"], "thread 1")


if __name__ == "__main__":
    unittest.main()
