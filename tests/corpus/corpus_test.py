#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real traces of other programs against what a separate program counted in them.

FG_CORPUS names the folder; without it nothing here is tested, and that is said. By hand:

    FG_CORPUS=... FRAMEGLASS=build/bin/frameglass tests/corpus/corpus_test.py [part of a path ...]
"""
import decimal
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import corpus_truth

FRAMEGLASS = os.environ.get("FRAMEGLASS", "build/bin/frameglass")
# Kinds whose files are traces that we read; every other kind is refused, with a reason.
READ_KINDS = {"chrome", "chrome-zip"}
# Truth is in microseconds.
NS = 1000


def frameglass(*arguments):
    return subprocess.run([FRAMEGLASS, *map(str, arguments)], capture_output=True, check=False)


def unbound(info):
    """Flows that have no other end, as the repair report counts them."""
    return sum(count for kind, count in info["repairs"].items() if kind.startswith("flow_unbound"))


class Truth:
    """What is wrong with our figures of one file, as sentences."""

    def __init__(self, file):
        self.file = file
        self.wrong = []
        self.info = self.read("info", file.path, "--json")
        self.stats = self.read("stats", file.path, "--by", "name", "--json")

    @staticmethod
    def read(*arguments):
        done = frameglass(*arguments)
        if done.returncode != 0:
            raise AssertionError(f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return json.loads(done.stdout)

    def equal(self, what, ours, theirs):
        if ours != theirs:
            self.wrong.append(f"{what}: {ours}, must be {theirs}")

    def near(self, what, ours, theirs, within_ns):
        if ours is None or abs(ours - theirs) > within_ns:
            self.wrong.append(f"{what}: {ours}, must be {theirs} within {within_ns} ns")

    def counts(self):
        file, info = self.file, self.info
        complete = info["spans"] - info["unfinished"]
        self.equal("complete spans", complete,
                   file.number("complete_spans") + file.number("async_complete"))
        self.equal("unfinished", info["unfinished"],
                   file.number("unclosed_B") + file.number("async_open"))
        self.equal("instants", info["instants"],
                   file.number("instants") + file.number("async_instant"))
        self.equal("counter samples", info["counter_samples"], file.number("counter_values"))
        if "flow_links" in file.values or "flow_v2_in" not in file.values:
            self.equal("dependencies and unbound flows", info["dependencies"] + unbound(info),
                       file.number("flow_links"))

    def names(self):
        """Names and times of complete spans: only where no asynchronous ones are among them."""
        file, info = self.file, self.info
        if any(key.startswith("async_") for key in file.values):
            return
        rows = [row for row in self.stats["rows"] if row["count"] != 0]
        self.equal("distinct names", len({row["name"] for row in rows}),
                   file.number("distinct_span_names"))
        if file.number("complete_spans") == 0:
            return
        self.near("start", info["start_ns"], file.time("span_min") * NS, 1)
        self.near("end", info["end_ns"], file.time("span_max_end") * NS, 1)
        self.equal("longest names", [row["name"] for row in rows[:len(file.top)]],
                   [top.name for top in file.top])
        for top in file.top:
            mine = [row for row in rows if row["name"] == top.name]
            self.equal(f"count of {top.name}", sum(row["count"] for row in mine), top.count)
            self.near(f"total of {top.name}", sum(row["total_ns"] for row in mine),
                      top.total * NS, top.count)

    def check(self):
        self.counts()
        self.names()
        return self.wrong


class Corpus(unittest.TestCase):
    files = []

    def test_every_trace_has_the_figures_of_the_table(self):
        for file in self.files:
            with self.subTest(file=str(file.path)):
                if file.kind in READ_KINDS:
                    wrong = Truth(file).check()
                    self.assertEqual(wrong, [], "\n".join(["", *wrong]))

    def test_an_imported_trace_is_the_trace_it_was(self):
        for file in self.files:
            with self.subTest(file=str(file.path)), tempfile.TemporaryDirectory() as folder:
                if file.kind in READ_KINDS:
                    made = pathlib.Path(folder) / "made.sgpt"
                    done = frameglass("import", file.path, "-o", made, "--json")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(json.loads(done.stdout)["left_out"], {})
                    before, after = (Truth.read("info", path, "--json") for path in (file.path, made))
                    self.assertEqual(after["format"], "sgpt")
                    same = set(before) - {"format", "version", "names", "closed", "recovered",
                                          "memory"}
                    self.assertEqual({key: before[key] for key in same},
                                     {key: after[key] for key in same})
                    rows = [frameglass("export", path, "--to", "csv").stdout
                            for path in (file.path, made)]
                    self.assertEqual(rows[0] == rows[1], True, "other rows")

    def test_every_file_that_is_no_trace_of_ours_is_refused_with_a_reason(self):
        for file in self.files:
            with self.subTest(file=str(file.path)):
                if file.kind not in READ_KINDS:
                    done = frameglass("info", file.path)
                    said = done.stderr.decode(errors="replace")
                    self.assertEqual((done.returncode, done.stdout), (3, b""), said)
                    self.assertIn(file.path.name, said)
                    self.assertGreater(len(said), len(str(file.path)) + 20, said)

    def test_the_table_is_that_of_the_files_that_are_there(self):
        for file in self.files:
            self.assertTrue(file.path.is_file(), f"{file.path} is in INDEX.md and not in the folder")


def main():
    folder = os.environ.get("FG_CORPUS", "")
    if folder == "":
        print("SKIPPED: FG_CORPUS is not set: no real trace of another program was read")
        return 77
    corpus = pathlib.Path(folder)
    if not (corpus / "INDEX.md").is_file():
        print(f"SKIPPED: FG_CORPUS is {folder}, and there is no INDEX.md: nothing was read")
        return 77
    decimal.getcontext().prec = 60
    parts = sys.argv[1:]
    Corpus.files = [file for file in corpus_truth.read_index(corpus)
                    if not parts or any(part in str(file.path) for part in parts)]
    print(f"{len(Corpus.files)} files of {corpus}")
    return 0 if unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
