#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces of other tools at the command line: made captures, packed in ZIP, asked for paths and groups."""
import decimal
import io
import json
import unittest
import zipfile

from cli_support import ROOT, CliTest, run

LOOP = ROOT / "tests" / "golden" / "cnatrace_loop.cnatrace"
ODD = ROOT / "tests" / "golden" / "cnatrace_odd.cnatrace"


def exact(text):
    return json.loads(text, parse_float=decimal.Decimal)


class Unseekable(io.RawIOBase):
    """Makes zipfile put the sizes behind the data."""

    def __init__(self):
        super().__init__()
        self.data = b""

    def writable(self):
        return True

    def write(self, data):
        self.data += bytes(data)
        return len(data)


class Import(CliTest):
    def same(self, before, after):
        for arguments in (("export", "--to", "csv"), ("stats", "--by", "track", "--json"),
                          ("frames", "--csv"), ("stats", "--by", "class", "--csv")):
            command, *rest = arguments
            self.assertEqual(self.ok(command, before, *rest).stdout,
                             self.ok(command, after, *rest).stdout, arguments)

    def test_an_imported_trace_has_the_same_rows_and_the_same_report(self):
        for path in (LOOP, ODD):
            out = self.files.folder / "imported.sgpt"
            done = self.ok("import", path, "-o", out)
            self.assertEqual(done.stdout, "")
            self.assertIn("cnatrace version 1", done.stderr)
            self.same(path, out)
            before, after = self.json("info", path, "--json"), self.json("info", out, "--json")
            self.assertEqual((after["format"], after["closed"]), ("sgpt", True))
            for key in ("spans", "unfinished", "instants", "objects", "tracks", "lanes", "frames",
                        "start_ns", "end_ns", "dropped", "repairs", "losses", "live_resources"):
                self.assertEqual(before[key], after[key], key)
            self.ok("validate", out)

    def test_what_was_mended_is_told_where_people_and_programs_look(self):
        out = self.files.folder / "mended.sgpt"
        self.assertIn("mended: malformed_zone, 1 time", self.ok("import", LOOP, "-o", out).stderr)
        report = self.json("import", LOOP, "-o", out, "--json")
        self.assertEqual(report["repairs"], {"malformed_zone": {"count": 1, "first_offset": None}})
        self.assertEqual((report["dropped"], report["left_out"]), ({"dropped events": 12}, {}))

    def test_a_capture_is_copied_and_export_does_the_same(self):
        out = self.files.folder / "copy.sgpt"
        self.ok("import", self.files.packed, "-o", out)
        self.assertEqual(out.read_bytes(), self.files.demo.read_bytes())
        self.ok("import", LOOP, "-o", out)
        made = self.files.folder / "made.sgpt"
        self.ok("export", LOOP, "--to", "sgpt", "-o", made)
        self.assertEqual(out.read_bytes(), made.read_bytes())

    def test_what_cannot_be_imported_leaves_the_file_that_was_there(self):
        out = self.files.folder / "kept.sgpt"
        out.write_bytes(b"mine")
        self.assertIn("expected", self.fails(3, "import", ROOT / "README.md", "-o", out))
        self.assertEqual(out.read_bytes(), b"mine")
        self.fails(2, "import", LOOP)
        self.fails(2, "import", LOOP, "-o", "-", "--json")

    # ---- ZIP

    def packed(self, compression, data, members=1, folder=False):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", compression) as archive:
            if folder:
                archive.writestr("traces/", b"")
            for i in range(members):
                archive.writestr(f"traces/{i}.cnatrace", data)
        return file.getvalue()

    def zip_info(self, data):
        path = self.files.folder / "packed.zip"
        path.write_bytes(data)
        return path

    def test_a_zip_archive_of_one_file_is_undone(self):
        data = LOOP.read_bytes()
        stream = Unseekable()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("behind.cnatrace", data)
        for packed in (self.packed(zipfile.ZIP_STORED, data),
                       self.packed(zipfile.ZIP_DEFLATED, data, folder=True), stream.data,
                       self.packed(zipfile.ZIP_DEFLATED, data) [:-30]):
            path = self.zip_info(packed)
            self.assertEqual(self.json("info", path, "--json")["spans"], 6)
            piped = run("info", "-", "--json", stdin=packed)
            self.assertEqual(piped.returncode, 0, piped.stderr)

    def test_other_archives_are_refused_with_the_reason(self):
        data = LOOP.read_bytes()
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            with archive.open("big", "w", force_zip64=True) as member:
                member.write(data)
        locked = bytearray(self.packed(zipfile.ZIP_STORED, data))
        locked[6] |= 1
        locked[locked.index(b"PK\x01\x02") + 8] |= 1
        squeezed = self.packed(zipfile.ZIP_BZIP2, data)
        for packed, reason in ((self.packed(zipfile.ZIP_STORED, data, members=2), "more than one"),
                               (bytes(locked), "encrypted"), (squeezed, "another way"),
                               (self.packed(zipfile.ZIP_STORED, data, members=0), "expected")):
            self.assertIn(reason, self.fails(3, "info", self.zip_info(packed)))

    def test_a_damaged_archive_is_used_as_far_as_it_goes(self):
        packed = bytearray(self.packed(zipfile.ZIP_STORED, self.files.demo.read_bytes()))
        packed[len(packed) // 2] ^= 0x40
        done = self.ok("info", self.zip_info(bytes(packed)))
        self.assertIn("does not match its checksum", done.stderr)

    # ---- questions

    def test_the_path_of_a_span_ends_in_it(self):
        rows = self.csv("export", self.files.demo, "--to", "csv")
        gbuffer = max(int(row["row"]) for row in rows if row["name"] == "gbuffer")
        for row in (0, len(rows) // 2, gbuffer):
            path = self.json("path", self.files.demo, "--span", row, "--json")
            self.assertEqual(path["chain"][-1]["row"], row)
            self.assertEqual(path["chain"][-1]["name"], rows[row]["name"])
            self.assertEqual(path["length_ns"], path["sums"]["work_ns"])
            self.assertEqual(path["length_ns"], sum(
                int(rows[item["row"]]["duration_ns"]) for item in path["chain"]))
            self.assertLessEqual(path["length_ns"] + path["slack_ns"], path["longest_ns"])
            self.assertIn(row, [item["row"] for item in path["before"]["rows"]])
            self.assertIn(f"row {row}:", self.ok("path", self.files.demo, "--span", row).stdout)
        self.assertIsNone(self.json("path", self.files.demo, "--json")["row"])
        # Its graph says that bloom comes before tonemap, its semaphores say the opposite.
        circle = self.json("path", self.files.demo, "--span", len(rows) - 1, "--json")
        self.assertEqual((circle["cyclic"], circle["left_out"], circle["chain"]), (True, 2, []))
        self.fails(2, "path", self.files.demo, "--span", len(rows))
        self.fails(2, "path", self.files.demo, "--by", "luck")

    def test_groups_of_any_dimension_add_up(self):
        rows = [row for row in self.csv("export", self.files.demo, "--to", "csv")
                if row["status"] in ("complete", "error")]
        total = sum(int(row["duration_ns"]) for row in rows)
        for by in ("all", "process", "lane", "depth", "status", "class"):
            groups = self.json("stats", self.files.demo, "--by", by, "--json")["rows"]
            self.assertEqual(sum(group["count"] for group in groups), len(rows), by)
            self.assertEqual(sum(group["total_ns"] for group in groups), total, by)
            table = self.csv("stats", self.files.demo, "--by", by, "--csv")
            self.assertEqual([int(row["total_ns"]) for row in table],
                             [group["total_ns"] for group in groups], by)
        self.fails(2, "stats", self.files.demo, "--by", "luck")

    def test_histograms_and_buckets_count_every_span(self):
        info = self.json("info", self.files.demo, "--json")
        histogram = self.json("stats", self.files.demo, "--histogram", "--json")
        self.assertEqual(sum(one["count"] for one in histogram["bins"]), histogram["measured"])
        self.assertEqual(histogram["measured"], info["spans"] - info["unfinished"])
        buckets = self.json("stats", LOOP, "--buckets", "3", "--json")["buckets"]
        self.assertEqual(len(buckets), 3)
        self.assertEqual(sum(one["starts"] for one in buckets), 6)
        self.fails(2, "stats", LOOP, "--buckets", "3", "--histogram")

    # ---- exports

    def test_folded_stacks_add_up_to_the_self_time_of_all(self):
        lines = self.ok("export", self.files.demo, "--to", "folded").stdout.splitlines()
        total = 0
        for line in lines:
            stack, _, figure = line.rpartition(" ")
            self.assertGreaterEqual(len(stack.split(";")), 3, line)
            total += int(figure)
        groups = self.json("stats", self.files.demo, "--by", "all", "--json")["rows"]
        self.assertEqual(total, sum(group["self_ns"] for group in groups))

    def test_speedscope_profiles_nest_and_lose_no_nanosecond(self):
        for path in (self.files.demo, LOOP):
            file = exact(self.ok("export", path, "--to", "speedscope").stdout)
            total = 0
            for profile in file["profiles"]:
                last, still_open = 0, []
                for event in profile["events"]:
                    self.assertGreaterEqual(event["at"], last)
                    last = event["at"]
                    if event["type"] == "O":
                        still_open.append(event)
                    else:
                        begun = still_open.pop()
                        self.assertEqual(begun["frame"], event["frame"])
                        total += event["at"] - begun["at"]
                self.assertEqual(still_open, [])
                self.assertLessEqual(last, profile["endValue"])
            rows = self.csv("export", path, "--to", "csv")
            self.assertEqual(total, sum(int(row["duration_ns"]) for row in rows))

    def test_chrome_events_have_exact_times(self):
        events = exact(self.ok("export", LOOP, "--to", "chrome").stdout)
        spans = [event for event in events["traceEvents"] if event["ph"] == "X"]
        rows = self.csv("export", LOOP, "--to", "csv")
        self.assertEqual([int(event["dur"] * 1000) for event in spans],
                         [int(row["duration_ns"]) for row in rows])


if __name__ == "__main__":
    unittest.main()
