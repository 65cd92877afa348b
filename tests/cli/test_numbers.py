# SPDX-License-Identifier: MIT
"""A second opinion: what the program computes, computed again here from what it exports."""
import collections
import decimal
import json
import math
import unittest

from cli_support import CliTest

FIGURES = ("count", "total_ns", "self_ns", "busy_ns", "min_ns", "median_ns", "p95_ns", "max_ns")


def nearest_rank(values, numerator, denominator):
    """The value at position ceil(p * n); exact."""
    return values[max(-(-numerator * len(values) // denominator), 1) - 1]


def union_length(intervals):
    length, reach = 0, -math.inf
    for start, end in sorted(intervals):
        if end > reach:
            length += end - max(start, reach)
            reach = end
    return length


class Span:
    def __init__(self, row):
        self.row = int(row["row"])
        self.parent = int(row["parent"]) if row["parent"] else None
        self.start, self.end = int(row["start_ns"]), int(row["end_ns"])
        self.duration = int(row["duration_ns"])
        self.classes = set(row["classes"].split("|"))
        self.text = row

    def interval(self):
        return self.start, self.end


class SpansTest(CliTest):
    """What tests about the spans of the demo share."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        test = cls("spans_of_the_demo")
        cls.spans = test.spans_of_the_demo()
        cls.children = collections.defaultdict(list)
        for span in cls.spans:
            if span.parent is not None:
                cls.children[span.parent].append(span)

    def spans_of_the_demo(self):
        return [Span(row) for row in self.csv("export", self.files.demo, "--to", "csv")]

    def self_ns(self, span):
        return span.duration - union_length(
            (max(child.start, span.start), min(child.end, span.end))
            for child in self.children[span.row]
        )

    def figures(self, name, spans):
        durations = sorted(span.duration for span in spans)
        return (
            name,
            len(spans),
            sum(durations),
            sum(self.self_ns(span) for span in spans),
            union_length(span.interval() for span in spans),
            durations[0],
            nearest_rank(durations, 1, 2),
            nearest_rank(durations, 95, 100),
            durations[-1],
        )

    def expected(self, spans, key, name):
        groups = collections.defaultdict(list)
        for span in spans:
            if span.text["status"] == "complete":
                groups[key(span)].append(span)
        rows = [self.figures(name(group), spans) for group, spans in groups.items()]
        return sorted(rows, key=lambda row: (-row[2], row[0].encode()))

    def check(self, by, spans, key, name=lambda group: group[0], options=()):
        answer = self.json("stats", self.files.demo, "--by", by, "--json", *options)
        self.assertEqual(answer["by"], by)
        rows = [(row["name"], *(row[figure] for figure in FIGURES)) for row in answer["rows"]]
        expected = self.expected(spans, key, name)
        self.assertEqual(sorted(rows), sorted(expected))
        order = [(-row[2], row[0].encode()) for row in rows]
        self.assertEqual(order, sorted(order))
        table = self.csv("stats", self.files.demo, "--by", by, "--csv", *options)
        self.assertEqual(
            [(row["name"], *(int(row[figure]) for figure in FIGURES)) for row in table], rows
        )

    @staticmethod
    def without_scopes(spans):
        """Statistics by name leave out the hulls of passes that are counted already."""
        return [span for span in spans if "scope" not in span.classes]


class Numbers(SpansTest):
    def test_statistics_by_name(self):
        self.check("name", self.without_scopes(self.spans), lambda span: (span.text["name"], span.text["clock"]))

    def test_statistics_by_track(self):
        self.check("track", self.spans, lambda span: (span.text["track"], span.text["process"]))

    def test_statistics_by_pass(self):
        spans = [span for span in self.spans if span.text["pass"]]
        self.check(
            "pass", spans,
            lambda span: (span.text["pass"], span.text["scope"], span.text["clock"]),
        )

    def test_statistics_by_scope(self):
        spans = [span for span in self.spans if "scope" in span.classes]
        self.check("scope", spans, lambda span: (span.text["scope"], span.text["clock"]))

    def test_statistics_of_some_frames(self):
        spans = [s for s in self.spans if s.text["frame"] and 5 <= int(s.text["frame"]) < 9]
        self.check(
            "name", self.without_scopes(spans), lambda span: (span.text["name"], span.text["clock"]),
            options=("--frames", "5:9"),
        )

    def test_statistics_of_a_window(self):
        first = min(span.start for span in self.spans)
        start, end = first + 30_000_000, first + 100_500_000
        spans = [
            span for span in self.spans
            if (span.start < end and span.end > start)
            or (span.duration == 0 and start <= span.start < end)
        ]
        self.assertLess(len(spans), len(self.spans))
        for window in (f"{start}:{end}ns", "+30ms:+100.5ms"):
            self.check(
                "name", self.without_scopes(spans), lambda span: (span.text["name"], span.text["clock"]),
                options=("--time", window),
            )

    def test_the_device_took_the_time_that_it_was_told(self):
        rows = self.json("stats", self.files.demo, "--by", "name", "--json")["rows"]
        device = {row["name"]: row for row in rows if row.get("total_ns", 0) > 20 * 100_000}
        self.assertEqual(device["gbuffer"]["median_ns"], 2000003)
        self.assertEqual(device["gbuffer"]["max_ns"], 4 * 2000003)
        self.assertEqual(device['shadow, "near"']["min_ns"], 500001)

    def test_frames(self):
        rows = self.json("frames", self.files.demo, "--json")["rows"]
        self.assertEqual([row["frame"] for row in rows], list(range(20)))
        for row in rows:
            mine = [span for span in self.spans if span.text["frame"] == str(row["frame"])]
            gpu = [span.interval() for span in mine if "gpu_pass" in span.classes]
            (frame,) = [span for span in mine if "frame" in span.classes]
            self.assertEqual(row["spans"], len(mine))
            self.assertEqual(row["start_ns"], frame.start)
            self.assertEqual(row["cpu_ns"], frame.duration)
            self.assertEqual(row["gpu_ns"], max(e for _, e in gpu) - min(s for s, _ in gpu))
            self.assertEqual(row["gpu_busy_ns"], union_length(gpu))
            is_large, is_culled = row["frame"] >= 8, row["frame"] % 3 == 0
            graphs = {(False, True): 0, (False, False): 1, (True, False): 2, (True, True): 3}
            self.assertEqual(row["topology"], graphs[is_large, is_culled])
            self.assertEqual(row["dropped"], 0)
        self.assertIsNone(rows[-1]["verdict"])
        table = self.csv("frames", self.files.demo, "--csv")
        for row, line in zip(rows, table, strict=True):
            self.assertEqual(
                {key: "" if value is None else str(value) for key, value in row.items()}, line
            )

    def test_information_counts_what_is_there(self):
        info = self.json("info", self.files.demo, "--json")
        self.assertEqual(info["spans"], len(self.spans))
        self.assertEqual(info["start_ns"], min(span.start for span in self.spans))
        self.assertEqual(info["end_ns"], max(span.end for span in self.spans))
        self.assertEqual((info["frames"], info["topologies"]), (20, 4))
        self.assertGreaterEqual(info["counters"], 1)
        self.assertEqual(info["counter_samples"], 20 * info["counters"])
        self.assertEqual(info["instants"], 1)
        self.assertEqual(info["dropped"], {})
        self.assertEqual(info["unfinished"], 0)
        self.assertIn("make_capture", info["meta"].values())
        self.assertIn("known numbers", info["meta"].values())

    def test_chrome_has_every_span_to_the_nanosecond(self):
        text = self.ok("export", self.files.demo, "--to", "chrome").stdout
        events = json.loads(text, parse_float=decimal.Decimal)["traceEvents"]
        slices = {event["args"]["row"]: event for event in events if event["ph"] == "X"}
        self.assertEqual(len(slices), len(self.spans))
        for span in self.spans:
            event = slices[span.row]
            self.assertEqual(event["ts"] * 1000, span.start)
            self.assertEqual(event["dur"] * 1000, span.duration)
            self.assertEqual(event["name"], span.text["name"])
            self.assertEqual(event.get("cat", ""), span.text["category"])
        threads = collections.defaultdict(list)
        for event in slices.values():
            threads[event["pid"], event["tid"]].append(event)
        for thread in threads.values():
            self.assert_nested(thread)
        named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
        self.assertLessEqual(set(threads), named)
        samples = [list(e["args"].values())[0] for e in events if e["name"] == "lights"]
        self.assertEqual(samples, [i * i for i in range(20)])
        flows = collections.Counter(event["ph"] for event in events)
        self.assertEqual(flows["s"], flows["f"])
        self.assertEqual(flows["s"], self.json("info", self.files.demo, "--json")["dependencies"])
        self.assertGreaterEqual(flows["s"], 20)

    def assert_nested(self, events):
        """Read as viewers do (longer first, then in file order), the depths are ours."""
        stack = []
        for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
            end = event["ts"] + event["dur"]
            while stack and stack[-1] <= event["ts"]:
                stack.pop()
            if stack:
                self.assertLessEqual(end, stack[-1])
            self.assertEqual(len(stack), int(self.spans[event["args"]["row"]].text["depth"]))
            stack.append(end)

    def test_the_frame_graph_is_what_was_described(self):
        graph = self.json("export", self.files.demo, "--to", "graph-json")
        topologies = graph["topologies"]
        # A culled pass has no GPU pass, which makes it another topology: the small, then the large pair.
        self.assertEqual([t["frames"] for t in topologies], [3, 5, 8, 4])
        culled = [[p["culled_frames"] for p in t["passes"]] for t in topologies]
        self.assertEqual(culled, [[0, 0, 0, 3, 0], [0] * 5, [0] * 5, [0, 0, 0, 4, 0]])
        for topology in topologies:
            self.assertEqual([p["name"] for p in topology["passes"]],
                             ['shadow, "near"', "gbuffer", "bloom", "unused", "tonemap"])
            self.assertEqual(topology["passes"][0]["scope"], "geometry/shadow")
            self.assertEqual({p["known_frames"] for p in topology["passes"]}, {topology["frames"]})
        depth = 1024 * 1024 * 4
        for topology, width in zip(topologies, (320, 320, 640, 640), strict=True):
            color = width * 180 * 4
            sizes = [r["declared_bytes"] for r in topology["resources"]]
            self.assertEqual(sizes, [depth, color, color, color])
            self.assertEqual(topology["declared_bytes"], depth + 3 * color)
            edges = {(e["from"], e["to"], e["resource"]) for e in topology["edges"]}
            self.assertEqual(
                edges, {(0, 1, 0), (0, 3, 0), (1, 2, 1), (1, 3, 1), (1, 4, 1), (2, 4, 2)}
            )


if __name__ == "__main__":
    unittest.main()
