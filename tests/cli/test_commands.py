# SPDX-License-Identifier: MIT
"""Every command: what it prints, its exit statuses, and inputs of every kind."""
import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import unittest
import zlib

from cli_support import FRAMEGLASS, ROOT, CliTest, have, run

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "second_reader"))
import sgpt_dump

READERS = ("info", "frames", "stats")
ALL = (
    "anomalies", "demo", "diff", "export", "frames", "import", "info", "path", "repair", "search", "stats", "validate",
    "view",
)


def small_files():
    """In a child: a file that grows over 4 KB is a write error, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


class Words(CliTest):
    def test_help_and_version_are_results_of_every_command(self):
        for command in ALL:
            with self.subTest(command):
                text = self.ok(command, "--help").stdout
                self.assertTrue(text.startswith(f"usage: frameglass {command}"), text)
                self.assertRegex(self.ok(command, "--version").stdout, r"^frameglass \d+\.\d+\.\d+\n$")

    def test_the_list_of_commands_is_complete(self):
        text = self.ok("--help").stdout
        for command in ALL:
            self.assertIn(f"\n  {command} ", text)
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run().stderr, text)

    def test_a_wrong_command_line_is_status_2(self):
        demo = self.files.demo
        for arguments in (
            ["no-such-command"],
            ["info"],
            ["info", demo, demo],
            ["info", demo, "--no-such-option"],
            ["info", demo, "--json=yes"],
            ["frames", demo, "--json", "--csv"],
            ["frames", demo, "--frames", "ten:20"],
            ["frames", demo, "--frames", "20:10"],
            ["frames", demo, "--frames"],
            ["stats", demo, "--by", "colour"],
            ["stats", demo, "--time", "5ms:1ms"],
            ["stats", demo, "--time", "1.0000000001s:2s"],
            ["stats", demo, "--json", "--csv"],
            ["diff", demo],
            ["diff", "-", "-"],
            ["diff", demo, demo, "--by", "colour"],
            ["diff", demo, demo, "--fail-above", "much"],
            ["diff", demo, demo, "--fail-above", "%"],
            ["diff", demo, demo, "--fail-above", "-5%"],
            ["diff", demo, demo, "--base-frames", "100:200"],
            ["export", demo],
            ["export", demo, "--to", "pdf"],
            ["repair", demo],
        ):
            with self.subTest(arguments):
                self.fails(2, *arguments)

    def test_options_may_stand_anywhere(self):
        demo = str(self.files.demo)
        expected = self.ok("info", demo, "--json").stdout
        self.assertEqual(self.ok("info", "--json", demo).stdout, expected)
        self.assertEqual(self.ok("info", "--json", "--", demo).stdout, expected)
        by_pass = self.ok("stats", demo, "--by", "pass").stdout
        self.assertEqual(self.ok("stats", "--by=pass", demo).stdout, by_pass)


class Inputs(CliTest):
    def same_as_file(self, path, **options):
        for command in READERS:
            with self.subTest(command):
                done = self.ok(command, path, "--json", **options)
                self.assertEqual(done.stdout, self.ok(command, self.files.demo, "--json").stdout)
                self.assertEqual(done.stderr, "")

    def test_gzip_is_undone(self):
        self.same_as_file(self.files.packed)

    def test_standard_input_is_a_file(self):
        self.same_as_file("-", stdin=self.files.demo.read_bytes())

    def test_packed_standard_input_is_a_file(self):
        self.same_as_file("-", stdin=self.files.packed.read_bytes())

    @unittest.skipUnless(have("zstd"), "zstd is not installed")
    def test_zstd_is_undone(self):
        packed = subprocess.run(
            ["zstd", "-q", "-c", self.files.demo], capture_output=True, check=True
        ).stdout
        self.same_as_file("-", stdin=packed)

    def test_packed_text_of_another_tool_is_read_from_standard_input(self):
        event = {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}
        text = json.dumps([event]).encode()
        packed = [text, gzip.compress(text)]
        if have("zstd"):
            packed.append(subprocess.run(["zstd", "-q", "-c"], input=text, capture_output=True, check=True).stdout)
        for data in packed:
            with self.subTest(data[:4]):
                self.assertEqual(self.json("info", "-", "--json", stdin=data)["spans"], 1)
                events = self.json("export", "-", "--to", "chrome", stdin=data)["traceEvents"]
                (span,) = (event for event in events if event["ph"] == "X")
                self.assertEqual((span["name"], span["ts"], span["dur"]), ("a", 1, 2))

    def test_a_named_pipe_is_a_file(self):
        pipe = self.files.folder / "pipe.sgpt"
        os.mkfifo(pipe)
        with subprocess.Popen(["cp", self.files.demo, pipe]) as writer:
            done = self.ok("info", pipe, "--json")
            self.assertEqual(writer.wait(), 0)
        self.assertEqual(done.stdout, self.ok("info", self.files.demo, "--json").stdout)

    def test_what_cannot_be_read_is_status_3(self):
        folder = self.files.folder
        (folder / "empty.sgpt").write_bytes(b"")
        (folder / "text.sgpt").write_bytes(b"this is no capture\n")
        (folder / "header.sgpt").write_bytes(self.files.demo.read_bytes()[:20])
        (folder / "packed.gz").write_bytes(self.files.packed.read_bytes()[:12])
        cases = {
            "missing.sgpt": "no such file",
            "empty.sgpt": "empty",
            "text.sgpt": "expected the start of a known format (sgpt, cnatrace, chrome), found the bytes 74 68",
            "header.sgpt": "short_header",
            "packed.gz": "at byte 12: the gzip stream is cut short",
            ".": "cannot be read",
        }
        for name, words in cases.items():
            for command in (*READERS, "validate"):
                with self.subTest(f"{command} {name}"):
                    message = self.fails(3, command, folder / name)
                    self.assertIn((folder / name).name, message)
                    self.assertIn(words, message)
            self.fails(3, "export", folder / name, "--to", "csv")
            self.fails(3, "repair", folder / name, "-o", folder / "never.sgpt")
            self.assertFalse((folder / "never.sgpt").exists())

    def test_a_newer_format_is_refused_by_name(self):
        bytes_ = bytearray(self.files.demo.read_bytes())
        bytes_[6:8] = (999).to_bytes(2, "little")
        crc = zlib.crc32(bytes(bytes_[:8]))
        bytes_[12:16] = crc.to_bytes(4, "little")
        newer = self.files.folder / "newer.sgpt"
        newer.write_bytes(bytes_)
        self.assertIn("newer_format", self.fails(3, "info", newer))


class Damage(CliTest):
    def test_a_damaged_capture_is_read_in_part(self):
        for command in READERS:
            with self.subTest(command):
                done = self.ok(command, self.files.damaged, "--json")
                self.assertIn("damaged", done.stderr)
                self.assertIn("bad_checksum", done.stderr)
                self.assertRegex(done.stderr, r"at byte \d+")
        whole = self.json("info", self.files.demo, "--json")
        part = self.json("info", self.files.damaged, "--json")
        self.assertTrue(part["recovered"])
        self.assertFalse(whole["recovered"])
        self.assertGreater(part["spans"], whole["spans"] // 2)
        self.assertLess(part["spans"], whole["spans"])
        self.assertTrue(part["repairs"])
        self.assertFalse(whole["repairs"])

    def test_a_cut_capture_is_read_in_part(self):
        done = self.ok("info", self.files.cut, "--json")
        info = json.loads(done.stdout)
        self.assertTrue(info["recovered"])
        self.assertIn("cut.sgpt", done.stderr)
        self.assertGreater(info["frames"], 5)
        self.assertLess(info["frames"], 20)

    def test_a_cut_packing_is_read_in_part(self):
        packed = self.files.packed.read_bytes()
        done = self.ok("info", "-", "--json", stdin=packed[: len(packed) * 3 // 4])
        self.assertIn("the gzip stream is cut short", done.stderr)
        self.assertGreater(json.loads(done.stdout)["frames"], 3)

    def test_validate_answers_by_its_status(self):
        done = self.ok("validate", self.files.demo)
        self.assertIn("valid", done.stdout)
        self.assertEqual(self.json("validate", self.files.demo, "--json")["defects"], [])
        done = run("validate", self.files.damaged)
        self.assertEqual(done.returncode, 1)
        self.assertIn("bad_checksum", done.stdout)
        done = run("validate", self.files.damaged, "--json")
        self.assertEqual(done.returncode, 1)
        answer = json.loads(done.stdout)
        self.assertFalse(answer["valid"])
        self.assertEqual(len(answer["defects"]), answer["defect_count"])
        at = self.files.damaged.read_bytes().index(
            b"SRECFRAM", len(self.files.demo.read_bytes()) // 2
        )
        self.assertIn(("bad_checksum", at), [(d["kind"], d["offset"]) for d in answer["defects"]])

    def test_validate_says_no_to_a_packing_that_is_cut(self):
        packed = self.files.packed.read_bytes()
        done = run("validate", "-", stdin=packed[:-20])
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("cut short", done.stdout)

    def test_a_damaged_header_is_an_answer_for_validate(self):
        bytes_ = bytearray(self.files.demo.read_bytes())
        bytes_[13] ^= 1
        self.assertEqual(run("validate", "-", stdin=bytes(bytes_)).returncode, 1)
        self.assertEqual(run("info", "-", stdin=bytes(bytes_)).returncode, 3)

    def test_input_without_an_end_is_refused_by_its_first_bytes(self):
        done = subprocess.run([FRAMEGLASS, "info", "/dev/zero"], capture_output=True, check=False,
                              timeout=60)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"expected the start of a known format", done.stderr)

    def test_repair_of_a_cut_capture_is_valid(self):
        repaired = self.files.folder / "repaired_cut.sgpt"
        self.ok("repair", self.files.cut, "-o", repaired)
        self.ok("validate", repaired)

    def test_repair_leaves_no_damage_but_what_is_lost(self):
        repaired = self.files.folder / "repaired.sgpt"
        done = self.ok("repair", self.files.damaged, "-o", repaired)
        self.assertIn("records kept", done.stdout)
        answer = json.loads(run("validate", repaired, "--json").stdout)
        self.assertLessEqual({defect["kind"] for defect in answer["defects"]}, {"frame_unknown"})
        info = self.json("info", repaired, "--json")
        self.assertTrue(info["closed"])
        before = self.json("frames", self.files.damaged, "--json")
        self.assertEqual(self.json("frames", repaired, "--json"), before)

    def test_repair_to_standard_output_is_closed_too(self):
        done = subprocess.run(
            [FRAMEGLASS, "repair", self.files.cut, "-o", "-"], capture_output=True, check=True
        )
        self.assertIn(b"records kept", done.stderr)
        self.assertTrue(self.json("info", "-", "--json", stdin=done.stdout)["closed"])

    def test_the_input_is_never_overwritten(self):
        before = self.files.demo.read_bytes()
        link = self.files.folder / "link.sgpt"
        link.symlink_to(self.files.demo)
        self.fails(2, "repair", self.files.demo, "-o", self.files.demo)
        self.fails(2, "repair", self.files.demo, "-o", link)
        self.fails(2, "export", self.files.demo, "--to", "csv", "-o", link)
        self.assertEqual(self.files.demo.read_bytes(), before)


class Copies(CliTest):
    def read_by_another(self, path):
        """What the second reader makes of it, which shares no line with the first."""
        found = sgpt_dump.dump(path.read_bytes())
        self.assertEqual(found["defects"], [])
        self.assertTrue(found["closed"])
        return found

    def test_the_capture_itself_is_copied_to_the_byte(self):
        copy = self.files.folder / "copy.sgpt"
        self.ok("export", self.files.packed, "--to", "sgpt", "-o", copy)
        self.assertEqual(copy.read_bytes(), self.files.demo.read_bytes())

    def test_a_redacted_copy_has_the_times_and_none_of_the_names(self):
        copy = self.files.folder / "redacted.sgpt"
        self.ok("export", self.files.demo, "--to", "sgpt", "--redact", "-o", copy)
        self.ok("validate", copy)
        text = json.dumps(self.read_by_another(copy))
        whole = json.dumps(self.read_by_another(self.files.demo))
        for name in ("gbuffer", "bloom", "shadow map"):
            self.assertIn(name, whole)
            self.assertNotIn(name, text)
        self.assertIn("pass 1", text)
        frames = [self.json("frames", path, "--json")["rows"] for path in (copy, self.files.demo)]
        self.assertEqual([row["gpu_ns"] for row in frames[0]], [row["gpu_ns"] for row in frames[1]])
        # A pipe, which cannot be patched, gets the same bytes.
        piped = subprocess.run([FRAMEGLASS, "export", self.files.demo, "--to", "sgpt", "--redact"],
                               capture_output=True, check=True).stdout
        self.assertEqual(piped, copy.read_bytes())


class Outputs(CliTest):
    def test_a_reader_that_goes_away_is_no_failure(self):
        for arguments in (["frames"], ["export", "--to", "csv"], ["export", "--to", "chrome"]):
            command = [FRAMEGLASS, arguments[0], self.files.demo, *arguments[1:]]
            # Ignored, the signal becomes a write error; as it is by default, it ends the program.
            for ignored in (False, True):
                with subprocess.Popen(
                    command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    restore_signals=not ignored,
                ) as process:
                    process.stdout.close()
                    self.assertEqual(process.stderr.read(), b"")
                    status = process.wait()
                self.assertIn(status, (0, -13))

    def test_a_full_disk_is_status_3(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [FRAMEGLASS, "info", self.files.demo, "--json"],
                stdout=full, stderr=subprocess.PIPE, check=False,
            )
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"could not be finished", done.stderr)
        self.fails(3, "export", self.files.demo, "--to", "csv", "-o", "/dev/full")
        self.fails(3, "export", self.files.demo, "--to", "csv", "-o", "/no/such/folder/x")

    def test_a_file_that_cannot_be_finished_leaves_what_was_there(self):
        folder = self.files.folder / "unfinished"
        folder.mkdir()
        kept, link, fresh = folder / "kept", folder / "link", folder / "fresh"
        kept.write_bytes(b"of before")
        link.symlink_to(kept)
        for arguments in (["export", "--to", "csv"], ["export", "--to", "sgpt"],
                          ["export", "--to", "sgpt", "--redact"], ["repair"]):
            for out in (kept, link, fresh):
                with self.subTest(f"{arguments} {out.name}"):
                    done = subprocess.run(
                        [FRAMEGLASS, arguments[0], self.files.demo, *arguments[1:], "-o", out],
                        capture_output=True, check=False, preexec_fn=small_files)
                    self.assertEqual(done.returncode, 3)
                    self.assertIn(str(out).encode(), done.stderr)
                    self.assertEqual(kept.read_bytes(), b"of before")
                    self.assertEqual({path.name for path in folder.iterdir()}, {"kept", "link"})

    def test_a_file_that_is_replaced_keeps_its_rights_and_its_link(self):
        kept, link = self.files.folder / "replaced.csv", self.files.folder / "replaced_link.csv"
        kept.write_bytes(b"of before")
        kept.chmod(0o600)
        link.symlink_to(kept)
        self.ok("export", self.files.demo, "--to", "csv", "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        self.assertEqual(kept.read_text(), self.ok("export", self.files.demo, "--to", "csv").stdout)

    def test_nothing_but_results_is_on_standard_output(self):
        for command in READERS:
            done = self.ok(command, self.files.damaged, "--json")
            json.loads(done.stdout)

    def test_tables_are_aligned_and_have_units(self):
        lines = self.ok("frames", self.files.demo).stdout.splitlines()
        self.assertEqual(lines[21:], ["", "Together GPU-bound: GPU 1 of 1 frame, 19 cannot be told."])
        # Of 16 ms the GPU takes 3.5, but 14 of the frame that hitches; the last one has no length.
        self.assertEqual([i for i in range(20) if "neither side fills it" not in lines[1 + i]], [12, 19])
        lines = lines[:21]
        self.assertIn("gpu ms", lines[0])
        ends = {line.index(" ", len(line) - len(line.lstrip())) for line in lines}
        self.assertEqual(len(ends), 1)
        text = self.ok("stats", self.files.demo).stdout
        self.assertIn("total ms", text)
        self.assertIn("coarse clock", text)

    def test_frames_shows_the_hitch_and_the_change(self):
        lines = self.ok("frames", self.files.demo).stdout.splitlines()
        self.assertIn("hitch (GPU)", lines[13])
        self.assertIn("new topology", lines[9])

    def renamed(self, name):
        """The demo with other bytes, seven of them, for its pass "gbuffer"."""
        data = bytearray(self.files.demo.read_bytes())
        at = 32
        while at < len(data):
            size = int.from_bytes(data[at + 8 : at + 12], "little")
            payload = bytes(data[at + 16 : at + 16 + size])
            if data[at + 4 : at + 8] == b"SYMS":
                payload = payload.replace(b"gbuffer", name)
                data[at + 16 : at + 16 + size] = payload
                data[at + 12 : at + 16] = zlib.crc32(payload).to_bytes(4, "little")
            at += 16 + size
        path = self.files.folder / "renamed.sgpt"
        path.write_bytes(data)
        return path

    def test_names_do_not_speak_to_the_terminal(self):
        for name, shown in {
            b"\x1b]0;x\x07\x7f": "\\x1b]0;x\\x07\\x7f",
            b"a\nb\rc\td": "a\\x0ab\\x0dc\\x09d",
            b"\xc2\x9b31mab": "\\xc2\\x9b31mab",
            b"\xe2\x80\xaeabcd": "\\xe2\\x80\\xaeabcd",
            b"\xff\xc0\x80\xed\xa0\x80z": "\ufffd" * 6 + "z", # repaired as it was read
            "\u20acuro\u00e4"[:4].encode() + b"x": "\u20acurox",
        }.items():
            with self.subTest(name):
                self.assertIn(shown, self.ok("stats", self.renamed(name)).stdout)


if __name__ == "__main__":
    unittest.main()
