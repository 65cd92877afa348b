# SPDX-License-Identifier: MIT
"""What people see: help, tables in a terminal, words where there is nothing, other tools' files, one and many."""
import collections
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import unittest

from cli_support import FRAMEGLASS, ROOT, CliTest

COMMANDS = ("anomalies", "demo", "diff", "export", "frames", "import", "info", "path", "repair", "search", "stats",
            "validate", "view")
TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'


def spoken(literals):
    """What a C compiler makes of some literals beside each other."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals)).replace('\\"', '"').replace("\\n", "\n")


def abouts(source):
    return [spoken(text) for text in re.findall(r"\.about\s*=\s*" + TEXT, source.replace("\\\n", "\n"))]


class Help(CliTest):
    def sources_of(self, command):
        """Its own file, and the lists of options that it takes from others."""
        source = (ROOT / f"src/cli/cmd_{command}.c").read_text()
        for header in ("command.h", "cli_select.h"):
            for name, body in re.findall(
                r"#define (FGI_OPTIONS?_\w+)\(\w+\)((?:.*\\\n)+.*\n)", (ROOT / "src/cli" / header).read_text()
            ):
                if name + "(" in source:
                    source += body
        return source

    def test_every_word_of_every_option_is_in_the_help(self):
        count = 0
        for command in COMMANDS:
            text = self.ok(command, "--help").stdout
            source = self.sources_of(command)
            for about in abouts(source):
                self.assertIn(about, text, command)
                count += 1
            for name in re.findall(r'\.name = "([a-z-]+)"', source.replace("\\\n", "\n")):
                if name != command:
                    self.assertRegex(text, rf"(?m)^ +(-\w, )?--{name}( |$)", command)
            for argument in re.findall(r"\.argument =\s*" + TEXT, source.replace("\\\n", "\n")):
                self.assertIn(" " + spoken(argument), text, command)
        self.assertGreater(count, 80)

    def test_what_an_option_does_stands_in_one_column(self):
        for command in COMMANDS:
            for line in self.ok(command, "--help").stdout.split("\n\n")[2].splitlines():
                option = re.match(r" +(?:-\w, )?--\S+(?: [A-Za-z0-9<]\S*)?(?= |$)", line)
                rest = line[option.end():] if option else line
                if rest.strip():
                    self.assertEqual(len(line) - len(rest.lstrip()), 31, line)


def in_terminal(columns, *arguments):
    """Standard output of a run that believes to have a terminal, of so many characters a line."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([FRAMEGLASS, *map(str, arguments)], stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        chunks = []
        while True:
            try:
                chunk = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            chunks.append(chunk)
        process.wait()
    os.close(ours)
    return b"".join(chunks).decode().replace("\r\n", "\n")


class Widths(CliTest):
    NAME = "void at::native::vectorized_elementwise_kernel<4, at::native::MulFunctor<float>, std::array<char*, 3ul>>(int)"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.names = [cls.NAME, cls.NAME.replace("Mul", "Add"), "naïve – 時間 " * 6, "short"]
        events = [{"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": 10 * i, "dur": 5} for i, name in enumerate(cls.names)]
        cls.file = cls.files.folder / "long.json"
        cls.file.write_text(json.dumps(events))

    def test_tables_fit_into_a_terminal(self):
        for columns in (90, 110, 130):
            for command in (["stats"], ["search", "a"], ["path", "--span", "0"]):
                if command == ["stats"] and columns < 100:
                    continue  # its numbers alone are wider
                text = in_terminal(columns, command[0], self.file, *command[1:])
                table = [line for line in text.splitlines() if "..." in line]
                self.assertTrue(table, text)
                for line in table:
                    self.assertLessEqual(len(line), columns)
                    self.assertRegex(line, r"void a.*\.\.\..*>\(int\)|na.*\.\.\.")

    def test_a_wide_terminal_shows_names_whole(self):
        self.assertIn(self.NAME, in_terminal(400, "stats", self.file))
        self.assertNotIn("...", in_terminal(400, "stats", self.file))

    def test_columns_stay_aligned(self):
        lines = in_terminal(110, "stats", self.file).splitlines()[:5]
        at = lines[0].index("count") + len("count")
        for line in lines[1:]:
            self.assertRegex(line[:at], r" 1$")

    def test_what_is_piped_is_whole(self):
        text = self.ok("stats", self.file).stdout
        for name in self.names:
            self.assertIn(name.strip(), text)

    def test_a_terminal_too_narrow_for_the_numbers_still_has_them(self):
        self.assertEqual(re.findall(r"\d+\.\d{3}", in_terminal(20, "stats", self.file)),
                         re.findall(r"\d+\.\d{3}", self.ok("stats", self.file).stdout))


class Words(CliTest):
    def made(self, name, events):
        file = self.files.folder / name
        file.write_text(json.dumps(events))
        return file

    def test_an_empty_answer_says_why(self):
        file = self.made("plain.json", [{"ph": "X", "pid": 1, "tid": 1, "name": "a", "ts": 0, "dur": 5}])
        for by, word in (("pass", "no frame graphs"), ("scope", "no frame graphs"), ("frame", "no frames in this trace")):
            self.assertIn(word, self.ok("stats", file, "--by", by).stdout)
        self.assertIn("No span that is selected", self.ok("stats", file, "--match", "b").stdout)
        self.assertIn("no frames in this trace", self.ok("frames", file).stdout)
        self.assertIn("No frame of these numbers", self.ok("frames", self.files.demo, "--frames", "90:99").stdout)
        self.assertNotIn("No frame", self.ok("frames", self.files.demo).stdout)
        self.assertIn("no spans in this trace", self.ok("stats", self.made("none.json", [])).stdout)

    def test_one_is_not_many(self):
        event = {"ph": "X", "pid": 1, "tid": 1, "name": "a", "ts": 0, "dur": 5}
        one = self.made("one.json", [event])
        two = self.made("two.json", [event, {**event, "tid": 2, "name": "ab"}])
        for file, words in (
            (one, {"search a": r"\n1 span\n", "info": r" 1 on 1 track, 1 lane, \d+ names\n", "path": ": 1 span, 5.000 us of work",
                   "stats --histogram": r"\n1 span\. The edges"}),
            (two, {"search a": r"\n2 spans\n", "info": r" 2 on 2 tracks, 2 lanes, \d+ names\n", "path": ": 1 span, 5.000 us of work",
                   "stats --histogram": r"\n2 spans\. The edges"}),
        ):
            for command, word in words.items():
                first, *rest = command.split()
                self.assertRegex(self.ok(first, file, *rest).stdout, word)

    def test_edges_of_a_histogram_can_be_read(self):
        lengths = (0, 1, 1.5, 700, 5_000_000)
        file = self.made("wide.json", [
            {"ph": "X", "pid": 1, "tid": i, "name": "a", "ts": 0, "dur": us} for i, us in enumerate(lengths)])
        rows = [line.split("  ") for line in self.ok("stats", file, "--histogram").stdout.splitlines()[1:6]]
        rows = [[cell.strip() for cell in row if cell.strip()] for row in rows]
        self.assertEqual(rows, [["0 ns", "0 ns", "1"], ["512 ns", "1.023 us", "1"], ["1.024 us", "2.047 us", "1"],
                                ["524.288 us", "1.049 ms", "1"], ["4.295 s", "8.590 s", "1"]])

    def test_a_window_of_a_search_can_be_asked_for(self):
        events = [{"ph": "X", "pid": 1, "tid": 1, "name": f"n{i}", "ts": 1623142623531390 + 1000.003 * i, "dur": i % 3}
                  for i in range(9)]
        file = self.made("epoch.json", events)
        for line in self.ok("search", file, "n").stdout.splitlines()[1:10]:
            name = line.split()[1]
            (window,) = re.findall(r"\+\S+:\+\S+", line)
            rows = self.json("search", file, "n", "--time", window, "--json")["rows"]
            self.assertEqual([row["name"] for row in rows], [name], line)

    def test_info_tells_the_trace_before_what_is_written_in_it(self):
        text = self.ok("info", self.files.demo).stdout
        self.assertLess(text.index("  spans "), text.index("  producer "))
        self.assertLess(text.index("  memory "), text.index("  producer "))

    def test_an_export_to_a_file_says_so(self):
        for to in ("csv", "chrome", "sgpt"):
            out = self.files.folder / f"told.{to}"
            done = self.ok("export", self.files.demo, "--to", to, "-o", out)
            self.assertEqual(done.stdout, "")
            (line,) = done.stderr.splitlines()
            size = out.stat().st_size
            told = re.fullmatch(rf"{re.escape(str(out))}: {to}, ([0-9.]+) kB", line)
            self.assertAlmostEqual(float(told[1]), size / 1000, delta=0.051)

    def test_files_of_other_tools_are_refused_by_name(self):
        packet = b"\x0a\x06\x32\x04\x40\x01\x50\x02"
        for data, word in (
            (packet, "Perfetto protobuf"), (packet * 600, "Perfetto protobuf"),
            (b"\x0a\x80\x02\xa2\x02\x10" + bytes(250) + packet, "Perfetto protobuf"),
            (b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04\x12\x05", "pprof profile"),
            ((0x0BADF00D).to_bytes(8, "little") + bytes(16), "spall"), (b"tlZ\x04abc", "Tracy"), (b"tZstabc", "Tracy"),
            (bytes.fromhex("1000044678541600"), "Fuchsia"), (b"PERFILE2abc", "perf record"),
            (b"SQLite format 3\0", "SQLite"), (b"# tracer: nop\n#\n", "ftrace"), (b"<!DOCTYPE html>\n", "HTML"),
            (b"RDOC....", "RenderDoc"), (bytes.fromhex("c11ffcc1"), "CTF"),
        ):
            with self.subTest(word):
                text = self.fails(3, "info", "-", stdin=data)
                self.assertIn("it looks like a", text)
                self.assertIn(word, text)
        for data in (b"\x0a", b"\x0a\x00", b"\x0a\x05hello\x0b", b"\n\nhello", b"\x0a\x02\x07\x00", b"abc"):
            with self.subTest(data):
                self.assertNotIn("looks like", self.fails(3, "info", "-", stdin=data))


class Zeroes(CliTest):
    def test_each_zero_in_a_text_is_mended_once_under_its_own_name(self):
        begin, end = b'[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1,"name":"', b'"}]'
        for name, shown, repairs in (
            (b"a\0b", "a\ufffdb", {"control_byte": 1}),
            (b"a\\u0000b", "a\ufffdb", {"null_character": 1}),
            (b"a\0b\\u0000\\u0000", "a\ufffdb\ufffd\ufffd", {"control_byte": 1, "null_character": 2}),
            (b"a\\qb", "a\\qb", {"bad_escape": 1}),
            (b"\\udc00", "\ufffd", {"bad_escape": 1}),
        ):
            with self.subTest(name):
                whole = begin + name + end
                self.assertEqual(self.json("info", "-", "--json", stdin=whole)["repairs"], repairs)
                rows = self.json("stats", "-", "--json", stdin=whole)["rows"]
                self.assertEqual([row["name"] for row in rows], [shown])


class Numbers(CliTest):
    """Numbers of processes and threads are those of the source."""

    EVENTS = [
        {"ph": "M", "name": "process_name", "pid": 700, "args": {"name": "game"}},
        {"ph": "X", "pid": 700, "tid": 703, "name": "a", "ts": 0, "dur": 5},
        {"ph": "X", "pid": 700, "tid": "worker", "name": "b", "ts": 0, "dur": 5},
        {"ph": "X", "pid": 700, "tid": 0, "name": "c", "ts": 0, "dur": 5},
        {"ph": "X", "pid": 9, "tid": 703, "name": "d", "ts": 0, "dur": 5},
        {"ph": "X", "pid": 9, "tid": 99999999999, "name": "e", "ts": 0, "dur": 5},
        {"ph": "X", "pid": 9, "tid": 4, "name": "f", "ts": 0, "dur": 10},
        {"ph": "X", "pid": 9, "tid": 4, "name": "g", "ts": 5, "dur": 10},
        {"ph": "X", "pid": "server", "tid": 1, "name": "h", "ts": 0, "dur": 5},
        {"ph": "b", "pid": 9, "tid": 4, "name": "i", "cat": "x", "id": 1, "ts": 0},
        {"ph": "e", "pid": 9, "tid": 4, "name": "i", "cat": "x", "id": 1, "ts": 5},
    ]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = cls.files.folder / "numbers.json"
        cls.file.write_text(json.dumps(cls.EVENTS))

    def test_csv_has_them(self):
        rows = {row["name"]: row for row in self.csv("export", self.file, "--to", "csv")}
        for event in self.EVENTS[1:-2]:
            row = rows[event["name"]]
            for key in ("pid", "tid"):
                self.assertEqual(row[key], str(event[key]) if isinstance(event[key], int) else "", row)
        self.assertEqual([rows[name]["process"] for name in "adh"], ["game", "process 9", "server"])

    def test_chrome_keeps_them_where_they_tell_threads_apart(self):
        events = json.loads(self.ok("export", self.file, "--to", "chrome").stdout)["traceEvents"]
        spans = {event["name"]: event for event in events if event["ph"] == "X"}
        self.assertEqual(sorted(spans), list("abcdefghi"))
        for name, pid, tid in (
            ("a", 700, 703), ("c", 700, 0), ("d", 9, 703), ("e", 9, 99999999999), ("f", 9, 4)
        ):
            self.assertEqual((spans[name]["pid"], spans[name]["tid"]), (pid, tid))
        self.assertEqual(spans["b"]["pid"], 700)
        for name in "bgi":  # of no number, overlapping: above those that are kept
            self.assertTrue(99999999999 < spans[name]["tid"] < 1 << 53, spans[name])
        self.assertTrue(700 < spans["h"]["pid"] < 1 << 53)
        places = collections.Counter((event["pid"], event["tid"]) for event in spans.values())
        self.assertEqual(set(places.values()), {1})
        for event in events:
            if event["ph"] == "M" and event["name"] == "thread_name":
                self.assertIn((event["pid"], event["tid"]), places)

    def test_a_copy_is_numbered_as_its_source(self):
        copy = self.files.folder / "copy.json"
        self.ok("export", self.file, "--to", "chrome", "-o", copy)
        again = json.loads(self.ok("export", copy, "--to", "chrome").stdout)["traceEvents"]
        first = json.loads(copy.read_text())["traceEvents"]

        def place(events):
            return {event["name"]: (event["pid"], event["tid"]) for event in events if event["ph"] == "X"}

        self.assertEqual(place(again), place(first))


if __name__ == "__main__":
    unittest.main()
