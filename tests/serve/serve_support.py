# SPDX-License-Identifier: MIT
"""What tests of `frameglass view` share: starting it, asking it, taking its replies apart."""
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.request

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n")
BINARY = "application/octet-stream"
HELLO, TRACES, LOAD, INFO = 1, 2, 3, 5


def message(kind, trace=0, sections=(), client=0):
    """A request; sections are (tag, type, count, payload)."""
    directory, payload = b"", b""
    begin = 48 + 16 * len(sections)
    for tag, form, count, data in sections:
        payload += bytes(-len(payload) % 8)
        directory += struct.pack("<HBBIII", tag, form, 0, count, begin + len(payload), len(data))
        payload += data
    payload += bytes(-len(payload) % 8)
    return struct.pack("<IHHIHHIIIIIIQ", 0x51564746, 1, kind, begin + len(payload), len(sections), 0, 1, client,
                       trace, 0, 0, 0, 0) + directory + payload


def section(reply, tag):
    """Payload of a section of a reply; b"" when it is not there."""
    for i in range(struct.unpack_from("<H", reply, 12)[0]):
        found, _, _, offset, size = struct.unpack_from("<HHIII", reply, 48 + 16 * i)
        if found == tag:
            return reply[offset:offset + size]
    return b""


def status(reply):
    return struct.unpack_from("<I", reply, 36)[0]


class ViewCase(unittest.TestCase):
    """FRAMEGLASS and MAKE_CAPTURE are set by the script that is run."""
    FRAMEGLASS = MAKE_CAPTURE = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make_capture(self, name, frames):
        path = self.folder / name
        subprocess.run([self.MAKE_CAPTURE, path, str(frames)], check=True)
        return path

    def start(self, *arguments):
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        process = subprocess.Popen([self.FRAMEGLASS, "view", *map(str, arguments)], stdout=subprocess.PIPE,
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
        post = urllib.request.Request(address + "q", request, {"Content-Type": BINARY})
        with urllib.request.urlopen(post, timeout=60) as answer:
            return answer.read()

    def load(self, address, trace=1):
        self.ask(address, message(LOAD, trace))
        self.until(lambda: section(self.ask(address, message(TRACES)), 0x0241)[trace - 1] == 2)

    def until(self, is_so, seconds=60):
        deadline = time.monotonic() + seconds
        while not is_so():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def end(self, process, number=signal.SIGTERM):
        process.send_signal(number)
        self.assertEqual(process.wait(60), 0)
