# SPDX-License-Identifier: MIT
"""frameglass view as a user starts it: address, replies, browser, end.

  view_command_test.py FRAMEGLASS MAKE_CAPTURE [unittest arguments]
"""
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

FRAMEGLASS, MAKE_CAPTURE = sys.argv.pop(1), sys.argv.pop(1)
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/[0-9a-f]{32}/\n")


def message(kind, trace=0):
    return struct.pack("<IHHIHHIIIIIIQ", 0x51564746, 1, kind, 48, 0, 0, 1, 0, trace, 0, 0, 0, 0)


def section(reply, tag):
    """Count and payload of a section of a reply."""
    for i in range(struct.unpack_from("<H", reply, 12)[0]):
        found, _, count, offset, size = struct.unpack_from("<HHIII", reply, 48 + 16 * i)
        if found == tag:
            return count, reply[offset:offset + size]
    return 0, b""


class ViewCommand(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.capture = self.folder / "some.sgpt"
        subprocess.run([MAKE_CAPTURE, self.capture, "12"], check=True)

    def start(self, *arguments, env=None):
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        environment.update(env or {})
        process = subprocess.Popen([FRAMEGLASS, "view", *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env=environment,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def address(self, process):
        line = process.stdout.readline()
        self.assertRegex(line, ADDRESS)
        return line.strip()

    def ask(self, address, request):
        post = urllib.request.Request(address + "q", request, {"Content-Type": "application/octet-stream"})
        with urllib.request.urlopen(post, timeout=60) as answer:
            return answer.read()

    def end(self, process, number):
        process.send_signal(number)
        self.assertEqual(process.wait(60), 0)
        self.assertEqual(process.stderr.read(), "")

    def test_it_shows_the_strip_then_loads_and_ends_on_request(self):
        process = self.start(self.capture)
        address = self.address(process)
        strip = self.ask(address, message(4, 1))
        self.assertEqual(section(strip, 0x0441)[0], 12)
        self.assertEqual(struct.unpack_from("<I", self.ask(address, message(5, 1)), 36)[0], 9)
        deadline = time.monotonic() + 60
        while True:
            traces = self.ask(address, message(3, 1))
            if section(traces, 0x0241)[1][0] == 2:
                break
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.assertIn(b"some.sgpt", section(traces, 0x0242)[1])
        self.assertNotIn(str(self.folder).encode(), traces)
        info = self.ask(address, message(5, 1))
        self.assertEqual(struct.unpack_from("<I", info, 36)[0], 0)
        self.assertEqual(struct.unpack_from("<Q", section(info, 0x0540)[1], 13 * 8)[0], 12)
        self.end(process, signal.SIGTERM)

    def test_it_ends_on_interrupt(self):
        process = self.start(self.capture, "--no-browser")
        self.address(process)
        self.end(process, signal.SIGINT)

    def test_it_shows_two_captures(self):
        process = self.start(self.capture, self.capture)
        traces = self.ask(self.address(process), message(2))
        self.assertEqual(section(traces, 0x0240)[0], 2)
        self.end(process, signal.SIGTERM)

    def test_each_start_has_another_secret(self):
        first, second = self.start(self.capture), self.start(self.capture)
        self.assertNotEqual(self.address(first).split("/")[3], self.address(second).split("/")[3])

    def test_a_port_can_be_asked_for_and_may_be_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
        process = self.start(self.capture, "--port", port)
        self.assertIn(f":{port}/", self.address(process))
        other = self.start(self.capture, "--port", port)
        self.assertEqual(other.wait(60), 3)
        self.assertIn(str(port), other.stderr.read())
        self.assertEqual(other.stdout.read(), "")

    def test_it_opens_a_browser_only_where_there_is_a_display(self):
        opened = self.folder / "opened"
        opener = self.folder / "xdg-open"
        opener.write_text(f'#!/bin/sh\nprintf "%s" "$1" > "{opened}.new"\nmv "{opened}.new" "{opened}"\n')
        opener.chmod(0o755)
        path = f"{self.folder}:{os.environ['PATH']}"
        for arguments, env in [([], {}), (["--no-browser"], {"DISPLAY": ":99"})]:
            process = self.start(self.capture, *arguments, env={"PATH": path, **env})
            self.address(process)
            time.sleep(0.3)
            self.assertFalse(opened.exists())
            self.end(process, signal.SIGTERM)
        process = self.start(self.capture, env={"PATH": path, "WAYLAND_DISPLAY": "wayland-9"})
        address = self.address(process)
        deadline = time.monotonic() + 60
        while not opened.exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.assertEqual(opened.read_text(), address)
        self.end(process, signal.SIGTERM)

    def test_what_cannot_be_read_is_said(self):
        text = self.folder / "text.txt"
        text.write_text("no capture\n" * 100)
        for path, status in [(self.folder / "missing.sgpt", 3), (text, 3), (self.folder, 3)]:
            with self.subTest(path=path):
                process = self.start(path)
                self.assertEqual(process.wait(60), status)
                self.assertIn(path.name, process.stderr.read())
                self.assertEqual(process.stdout.read(), "")

    def test_a_wrong_command_line_is_refused(self):
        for arguments in [[], ["--port", "65536", self.capture], ["--port", "x", self.capture], ["--what", self.capture],
                          [self.capture] * 3]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.start(*arguments).wait(60), 2)


if __name__ == "__main__":
    unittest.main()
