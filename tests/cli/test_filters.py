# SPDX-License-Identifier: MIT
"""Which spans a command is about: every term, against the events that were written and sums made of them here."""
import collections
import dataclasses
import json
import random
import unittest

from cli_support import ROOT, CliTest

CLASSES = {"cpu_op": {"zone"}, "cuda_runtime": {"zone", "runtime"}}
WAIT = "cudaDeviceSynchronize"


@dataclasses.dataclass
class Zone:
    name: str
    category: str
    start_us: int
    length_us: int
    tid: int
    parent: "Zone | None" = None
    children: list = dataclasses.field(default_factory=list)

    @property
    def ns(self):
        return self.length_us * 1000

    @property
    def classes(self):
        return CLASSES[self.category] | ({"wait"} if self.name == WAIT else set())

    def event(self):
        return {"ph": "X", "pid": 1, "tid": self.tid, "name": self.name, "cat": self.category,
                "ts": self.start_us, "dur": self.length_us}


def grow(dice, zones, tid, start, length, depth, parent=None):
    """A zone and what is inside of it: sometimes one child that is nearly as long."""
    category = dice.choice(sorted(CLASSES))
    name = dice.choice([WAIT, "cudaLaunchKernel"]) if category == "cuda_runtime" else f"aten::{dice.choice('abc')}"
    zone = Zone(name, category, start, length, tid, parent)
    zones.append(zone)
    if parent is not None:
        parent.children.append(zone)
    at = start + 1
    while depth > 0 and at + 2 < start + length:
        part = min(dice.choice([1, 3, 40, length - 2, length * 9 // 10]), start + length - at - 1)
        if part > 0:
            grow(dice, zones, tid, at, part, depth - 1, zone)
        at += max(part, 1) + dice.randrange(20)


def is_short(zone, most_ns):
    return zone.parent is not None and zone.ns <= most_ns


def is_similar(zone, percent):
    return any(abs(zone.ns - child.ns) * 100 <= percent * zone.ns for child in zone.children)


TERMS = (
    (["--longer-than", "40us"], lambda z: z.ns >= 40_000),
    (["--shorter-than", "40us"], lambda z: z.ns <= 40_000),
    (["--longer-than", "40us", "--shorter-than", "40us"], lambda z: z.ns == 40_000),
    (["--class", "runtime"], lambda z: "runtime" in z.classes),
    (["--class", "zone,wait"], lambda z: {"zone", "wait"} <= z.classes),
    (["--no-class", "wait"], lambda z: "wait" not in z.classes),
    (["--class=runtime", "--no-class=wait,async"], lambda z: "runtime" in z.classes and "wait" not in z.classes),
    (["--hide-short", "3us"], lambda z: not is_short(z, 3000)),
    (["--hide-short", "2999ns"], lambda z: not is_short(z, 2999)),
    (["--hide-similar", "1"], lambda z: not is_similar(z, 1)),
    (["--hide-similar", "10"], lambda z: not is_similar(z, 10)),
    (["--hide-similar", "100"], lambda z: not is_similar(z, 100)),
    (["--hide-similar", "10", "--hide-short", "3us"], lambda z: not is_similar(z, 10) and not is_short(z, 3000)),
    (["--track", "thread 2", "--no-class", "runtime"], lambda z: z.tid == 2 and "runtime" not in z.classes),
    (["--category", "cpu_op", "--longer-than", "3us"], lambda z: z.category == "cpu_op" and z.ns >= 3000),
    (["--status", "complete"], lambda z: True),
)


class Filters(CliTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        dice = random.Random(5)
        cls.zones = []
        for tid in (1, 2):
            for i in range(6):
                grow(dice, cls.zones, tid, 1000 * i, dice.randrange(300, 999), 4)
        cls.file = cls.files.folder / "zones.json"
        cls.file.write_text(json.dumps([zone.event() for zone in cls.zones]))

    def chosen(self, is_in):
        return [zone for zone in self.zones if is_in(zone)]

    def test_statistics_are_of_what_is_left(self):
        for options, is_in in TERMS:
            with self.subTest(options):
                sums = collections.defaultdict(list)
                for zone in self.chosen(is_in):
                    sums[zone.name].append(zone.ns)
                rows = self.json("stats", self.file, "--json", *options)["rows"]
                self.assertEqual(
                    {row["name"]: (row["count"], row["total_ns"], row["max_ns"]) for row in rows},
                    {name: (len(all_), sum(all_), max(all_)) for name, all_ in sums.items()},
                )

    def test_every_term_leaves_some_and_takes_some(self):
        for options, is_in in TERMS[:-1]:
            self.assertTrue(0 < len(self.chosen(is_in)) < len(self.zones), options)

    def test_search_lists_what_is_left(self):
        for options, is_in in TERMS:
            with self.subTest(options):
                answer = self.json("search", self.file, "cuda", "--limit", "100000", "--json", *options)
                expected = [(z.name, z.start_us * 1000, z.ns) for z in self.chosen(is_in) if "cuda" in z.name]
                found = [(row["name"], row["start_ns"], row["end_ns"] - row["start_ns"]) for row in answer["rows"]]
                self.assertEqual(sorted(found), sorted(expected))
                self.assertEqual(answer["total"], len(expected))

    def test_anomalies_are_scored_of_what_is_left(self):
        for options, is_in in TERMS:
            with self.subTest(options):
                reasons = self.json("anomalies", self.file, "--json", *options)["reasons"]
                left = len(self.chosen(is_in))
                self.assertEqual(reasons["not_selected"], len(self.zones) - left)
                self.assertEqual(reasons["scored"] + reasons["few"], left)

    def test_paths_go_through_what_is_left(self):
        """No span here depends on another: the longest path is the longest span."""
        for options, is_in in TERMS:
            with self.subTest(options):
                answer = self.json("path", self.file, "--json", *options)
                self.assertEqual(answer["length_ns"], max(zone.ns for zone in self.chosen(is_in)))
                self.assertEqual(len(answer["chain"]), 1)

    def test_spans_that_failed_can_be_asked_for(self):
        file = ROOT / "tests/golden/v1_everything.sgpt"
        rows = self.csv("export", file, "--to", "csv")
        by_status = collections.Counter(row["status"] for row in rows)
        for words in ("error", "lost", "unfinished", "complete", "error,lost", "complete,unfinished"):
            expected = [row for row in rows if row["status"] in words.split(",")]
            self.assertTrue(expected, by_status)
            named = {int(row["row"]) for row in expected if row["name"]}
            found = set()
            for name in {row["name"] for row in rows if row["name"]}:
                answer = self.json("search", file, name, "--status", words, "--limit", "1000", "--json")
                found |= {row["row"] for row in answer["rows"]}
            self.assertEqual(found, named, words)
            reasons = self.json("anomalies", file, "--status", words, "--json")["reasons"]
            self.assertEqual(reasons["not_selected"], len(rows) - len(expected))
        failed = [row for row in rows if row["status"] == "error"]
        answer = self.json("stats", file, "--by", "all", "--errors", "--json")
        self.assertEqual(
            [(row["count"], row["total_ns"]) for row in answer["rows"]],
            [(len(failed), sum(int(row["duration_ns"]) for row in failed))],
        )

    def test_what_cannot_be_asked_is_told(self):
        for command, options, word in (
            ("stats", ["--longer-than", "5", "--shorter-than", "1"], "nothing between"),
            ("stats", ["--shorter-than", "0"], "more than 0"),
            ("stats", ["--buckets", "0"], "1 to 65536"),
            ("stats", ["--buckets", "65537"], "1 to 65536"),
            ("stats", ["--hide-similar", "0"], "1 to 100"),
            ("stats", ["--hide-similar", "101"], "1 to 100"),
            ("stats", ["--hide-short", "0"], "more than 0"),
            ("stats", ["--class", "zone,nonsense"], "frame,encode,gpu_pass"),
            ("stats", ["--no-class", ""], "frame,encode,gpu_pass"),
            ("stats", ["--status", "complete,"], "complete,unfinished,lost,error,forced"),
            ("stats", ["--errors", "--status", "lost"], "exclude each other"),
            ("anomalies", ["--min-peers", "0"], "at least 1"),
            ("anomalies", ["--threshold", "0"], "more than 0"),
            ("anomalies", ["--limit", "0"], "1 to 4294967295"),
            ("path", ["--hops", "0"], "1 to 4294967295"),
            ("path", ["--limit", "4294967296"], "1 to 4294967295"),
        ):
            with self.subTest(options):
                self.assertIn(word, self.fails(2, command, self.file, *options))
        self.assertIn("at least 1", self.fails(2, "search", self.file, "a", "--limit", "0"))


class Unfinished(CliTest):
    """a begins and never ends; b, which it leads to, does."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        events = [
            {"ph": "B", "pid": 1, "tid": 1, "name": "a", "ts": 0},
            {"ph": "s", "pid": 1, "tid": 1, "id": 1, "name": "f", "cat": "f", "ts": 1},
            {"ph": "f", "bp": "e", "pid": 1, "tid": 2, "id": 1, "name": "f", "cat": "f", "ts": 101},
            {"ph": "X", "pid": 1, "tid": 2, "name": "b", "ts": 100, "dur": 50},
        ]
        cls.file = cls.files.folder / "unfinished.json"
        cls.file.write_text(json.dumps(events))

    def test_a_path_marks_spans_without_an_end(self):
        chain = self.json("path", self.file, "--json")["chain"]
        self.assertEqual([(row["name"], row["status"]) for row in chain], [("a", "unfinished"), ("b", "complete")])
        text = self.ok("path", self.file).stdout
        self.assertIn("1 span of the path has no end", text)
        self.assertRegex(text, r"(?m)^work +0 +a .* no end$")
        self.assertNotRegex(text, r"(?m)^work +1 +b .* no end$")
        self.assertNotIn("no end", self.ok("path", self.file, "--status", "complete").stdout)

    def test_a_slice_marks_them_as_well(self):
        arguments = ["path", self.file, "--span", "1", "--slice", "backward"]
        statuses = {row["name"]: row["status"] for row in self.json(*arguments, "--json")["rows"]}
        self.assertEqual(statuses, {"a": "unfinished", "b": "complete"})
        self.assertEqual({row["name"]: row["status"] for row in self.csv(*arguments, "--csv")}, statuses)
        self.assertIn("no end", self.ok(*arguments).stdout)


if __name__ == "__main__":
    unittest.main()
