#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CNATRACE files at the command line: every command takes them, and any trace is written as one."""
import json
import struct
import subprocess
import unittest

from cli_support import MAKE_CAPTURE, ROOT, CliTest, run

GOLDEN = ROOT / "tests" / "golden"
LOOP = GOLDEN / "cnatrace_loop.cnatrace"


def read(data):
    """Header, names and events, from the layout alone."""
    magic, version, reserved, names, events, dropped = struct.unpack_from("<8sHHIQQ", data)
    assert (magic, version, reserved) == (b"CNATRACE", 1, 0)
    at, texts = 32, {}
    for _ in range(names):
        number, size = struct.unpack_from("<II", data, at)
        texts[number] = data[at + 8 : at + 8 + size].decode()
        at += 8 + size
    rows = [struct.unpack_from("<7QqIBBH", data, at + 72 * i) for i in range(events)]
    assert at + 72 * events == len(data)
    return dropped, texts, rows


class Cnatrace(CliTest):
    def made(self, path, *options):
        out = self.files.folder / "made.cnatrace"
        done = run("export", path, "--to", "cnatrace", "-o", out, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out, done

    def test_every_command_takes_them(self):
        for command in ("info", "frames", "stats", "validate"):
            done = run(command, LOOP)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
        done = run("diff", LOOP, LOOP)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_info_counts_what_is_in_them(self):
        info = json.loads(run("info", LOOP, "--json").stdout)
        self.assertEqual((info["format"], info["version"], info["closed"]), ("cnatrace", 1, True))
        self.assertEqual((info["spans"], info["instants"], info["frames"]), (6, 2, 2))
        self.assertEqual(info["dropped"], {"dropped events": 12})
        self.assertEqual(info["repairs"], {"malformed_zone": 1})

    def test_nothing_is_missing_of_a_gpu_that_is_not_there(self):
        self.assertNotIn("no GPU times", run("frames", LOOP).stdout)

    def test_zones_are_nested_on_their_threads(self):
        lines = run("export", LOOP, "--to", "csv").stdout.splitlines()
        rows = [line.split(",") for line in lines[1:]]
        self.assertEqual([(r[2], r[4], r[6]) for r in rows], [
            ("thread 1", "0", "Frame"), ("thread 1", "1", "Game/Tick"),
            ("thread 1", "2", "Game/Update"), ("thread 2", "0", "Übergang → 夜 🌙"),
            ("thread 1", "0", "Frame"), ("thread 3", "0", "far")])

    def test_validate_says_what_is_refused(self):
        self.assertEqual(run("validate", LOOP, "--json").returncode, 0)
        for path in sorted(GOLDEN.glob("refuse_cnatrace_*.cnatrace")):
            done = run("validate", path)
            corrupt = json.loads(path.with_suffix(".json").read_text())["refused"] == "FG_ERR_CORRUPT"
            self.assertEqual(done.returncode, 1 if corrupt else 3, path)
            self.assertIn(path.name, done.stderr)
            self.assertEqual(run("info", path).returncode, 3)

    def test_what_they_cannot_become_is_told(self):
        for options in (("--to", "sgpt", "--redact"), ("--to", "chrome", "--redact")):
            done = run("export", LOOP, *options)
            self.assertEqual(done.returncode, 3)
            self.assertIn("cnatrace files", done.stderr)
        self.assertEqual(run("repair", LOOP, "-o", self.files.folder / "no.sgpt").returncode, 3)

    def test_they_are_written_again_as_they_were(self):
        out, done = self.made(LOOP)
        self.assertRegex(done.stderr, r"^\S+: cnatrace, [0-9.]+ (bytes|[kM]B)\n$")  # and nothing was left out
        dropped, texts, rows = read(out.read_bytes())
        _, before_texts, before = read(LOOP.read_bytes())
        self.assertEqual(dropped, 12)

        # Numbers of names and correlations are the writer's own. Of resources only the number is
        # kept, and of what was malformed only where it was.
        def meaning(names, row):
            time, duration, frame, thread, _, _, value, name, kind, category = row[1:11]
            if kind in (3, 4):
                return kind, time, frame, value
            if kind == 5:
                return kind, time, frame, thread, names[name]
            return kind, time, duration, frame, thread, value, names[name], category

        self.assertEqual(sorted(meaning(texts, r) for r in rows),
                         sorted(meaning(before_texts, r) for r in before))

    def test_a_capture_becomes_one(self):
        out, _ = self.made(self.files.demo)
        _, texts, rows = read(out.read_bytes())
        info = json.loads(run("info", self.files.demo, "--json").stdout)
        self.assertEqual(sum(r[9] in (0, 2) for r in rows), info["spans"])
        self.assertEqual(sum(r[9] == 2 for r in rows), info["frames"])
        ends = [r[1] + r[2] for r in rows]
        self.assertEqual(ends, sorted(ends))
        correlations = {(r[4], r[5]) for r in rows if r[9] == 0}
        self.assertTrue(all(r[6] == 0 or (r[4], r[6]) in correlations for r in rows))
        self.assertTrue(any(r[6] != 0 for r in rows))

    def test_a_full_file_is_written_again_whole(self):
        big = self.files.folder / "big.cnatrace"
        rows = [struct.pack("<7QqIBBH", i + 1, 10 * i, 5, 0, 1, i + 1, 0, i % 2, 1, i % 2, 0, 0)
                for i in range(32768)]
        big.write_bytes(b"CNATRACE" + struct.pack("<HHIQQ", 1, 0, 1, 32768, 3)
                        + struct.pack("<II", 1, 1) + b"z" + b"".join(rows))
        out, done = self.made(big)
        self.assertRegex(done.stderr, r"^\S+: cnatrace, [0-9.]+ (bytes|[kM]B)\n$")  # and nothing was left out
        dropped, _, kept = read(out.read_bytes())
        self.assertEqual((dropped, len(kept)), (3, 32768))

    def test_what_does_not_fit_is_cut_from_the_oldest_and_told(self):
        long = self.files.folder / "long.sgpt"
        subprocess.run([MAKE_CAPTURE, long, "5000"], check=True)
        out, done = self.made(long)
        dropped, _, kept = read(out.read_bytes())
        spans = json.loads(run("info", long, "--json").stdout)["spans"]
        self.assertGreater(spans, 32768)
        self.assertEqual(len(kept), 32768)
        self.assertGreaterEqual(dropped, spans - 32768)
        self.assertIn("oldest events were left out", done.stderr)


if __name__ == "__main__":
    unittest.main()
