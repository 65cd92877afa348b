# SPDX-License-Identifier: MIT
"""Downloads, copies with notes, and many clients at once, some of them bad.

  download_test.py FRAMEGLASS MAKE_CAPTURE [unittest arguments]
"""
import http.client
import json
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

from serve_support import HELLO, INFO, ViewCase, message, section, status

ViewCase.FRAMEGLASS, ViewCase.MAKE_CAPTURE = sys.argv.pop(1), sys.argv.pop(1)
FRAMES = 200
EXPORTS = ["chrome", "graph-json", "csv"]


class Downloads(ViewCase):
    def setUp(self):
        super().setUp()
        self.capture = self.make_capture('we"ird näme;.sgpt', FRAMES)
        self.process = self.start(self.capture)
        self.home = self.address(self.process)
        self.port, self.token = int(self.home.split(":")[2].split("/")[0]), self.home.split("/")[3]

    def get(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, f"/{self.token}/{path}",
                           headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, dict(response.getheaders()), data

    def open(self, path, buffer_bytes=4096):
        """A peer that has asked and reads nothing yet."""
        peer = socket.socket()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        peer.settimeout(60)
        peer.connect(("127.0.0.1", self.port))
        peer.sendall(f"GET /{self.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        self.addCleanup(peer.close)
        return peer

    def command(self, *arguments):
        return subprocess.run([self.FRAMEGLASS, *map(str, arguments)], check=True, capture_output=True).stdout

    def test_a_download_is_what_the_command_line_writes(self):
        self.assertTrue(self.get("x/1/file")[2] == self.capture.read_bytes())
        for what in EXPORTS:
            with self.subTest(what):
                self.assertEqual(self.get(f"x/1/{what}")[2], self.command("export", self.capture, "--to", what))
        redacted = self.get("x/1/redacted")[2]
        self.assertEqual(redacted, self.command("export", self.capture, "--to", "sgpt", "--redact"))
        self.assertNotEqual(redacted, self.capture.read_bytes())
        self.end(self.process)

    def test_what_it_is_and_how_it_is_called_is_safe(self):
        names = {"file": "we_ird_n__me_.sgpt", "redacted": "redacted.sgpt", "chrome": "we_ird_n__me_.json",
                 "graph-json": "we_ird_n__me_.graph.json", "csv": "we_ird_n__me_.csv"}
        for what, name in names.items():
            with self.subTest(what):
                code, headers, data = self.get(f"x/1/{what}", method="HEAD")
                self.assertEqual((code, data), (200, b""))
                self.assertEqual(headers["Content-Disposition"], f'attachment; filename="{name}"')
                self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
                self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
                self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
                self.assertEqual(headers["Cache-Control"], "no-store")
        self.end(self.process)

    def test_what_is_not_there_is_not_found(self):
        for path in ["x", "x/", "x/1", "x/1/", "x/0/file", "x/2/file", "x/01/file", "x/+1/file", "x/-1/file", "x/1 /file",
                     "x/1/FILE", "x/1/file/", "x/1/file?", "x/1//file", "x//1/file", "x/1/../1/file", "x/1/./file",
                     "x/1/%66ile", "x/1/file%00", "x/%31/file", "x/4294967297/file", "x/99999999999999999999/file",
                     "x/1/sgpt", "x/1/html", "x/1/" + "file" * 2000, "X/1/file"]:
            with self.subTest(path):
                head = f"GET /{self.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n"
                with socket.create_connection(("127.0.0.1", self.port), timeout=60) as peer:
                    peer.sendall(head.encode())
                    answer = peer.recv(4096)
                if path == "x/1/file?":
                    self.assertRegex(answer, rb"^HTTP/1\.1 200 ")  # an empty query is none
                else:
                    self.assertRegex(answer, rb"^HTTP/1\.[01] 4\d\d ")
        self.end(self.process)

    def test_a_foreign_page_cannot_read_it(self):
        mine = f"http://127.0.0.1:{self.port}"
        for headers in [{"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"Origin": "http://evil.test"},
                        {"Origin": "null"}, {"Origin": mine, "Sec_Fetch_Site": "cross-site"}]:
            for what in ["file", "redacted", *EXPORTS]:
                with self.subTest(what, **headers):
                    code, sent, data = self.get(f"x/1/{what}", **headers)
                    self.assertEqual((code, data), (403, b"403\n"))
                    self.assertFalse([name for name in sent if name.lower().startswith("access-control")])
        self.assertEqual(self.get("x/1/file", Host="evil.test")[0], 421)
        self.assertEqual(self.get("x/1/file", method="POST")[0], 404)
        self.assertEqual(self.get("x/1/file", method="DELETE")[0], 405)
        for headers in [{"Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "none"}, {"Origin": mine}]:
            self.assertEqual(self.get("x/1/file", **headers)[0], 200)
        self.end(self.process)

    def test_slow_readers_and_those_who_leave_keep_nobody_waiting(self):
        slow = [self.open(f"x/1/{what}") for what in ["chrome", "csv", "chrome"]]
        gone = [self.open(f"x/1/{what}") for what in ["file", "redacted", "file"]]
        for peer in gone:
            peer.recv(1)
            peer.close()
        begun = time.monotonic()
        self.load(self.home)
        self.assertEqual(status(self.ask(self.home, message(INFO, 1))), 0)
        self.assertTrue(self.get("x/1/file")[2] == self.capture.read_bytes())
        self.assertLess(time.monotonic() - begun, 30)
        # A slow one gets all of it in the end.
        data = b""
        while not data.endswith(b"0\r\n\r\n"):
            piece = slow[1].recv(65536)
            self.assertTrue(piece)
            data += piece
        self.end(self.process, signal.SIGINT)

    def test_as_many_as_there_is_room_for_are_made_at_once(self):
        peers = [self.open("x/1/chrome") for _ in range(12)]
        heads = [peer.recv(12) for peer in peers]
        self.assertEqual(heads.count(b"HTTP/1.1 200"), 4)
        self.assertEqual(heads.count(b"HTTP/1.1 503"), 8)
        self.assertEqual(self.get("x/1/file")[0], 200)  # is read, not made
        for peer in peers:
            peer.close()
        self.until(lambda: self.get("x/1/graph-json")[0] == 200)
        self.end(self.process)

    def test_it_ends_while_everything_is_under_way(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(self.capture)
            self.port, self.token = int(self.address(process).split(":")[2].split("/")[0]), ""
            self.assertIsNone(process.poll())
            peers = [socket.create_connection(("127.0.0.1", self.port), timeout=60) for _ in range(20)]
            for peer in peers[:10]:
                peer.sendall(b"GET / HT")
            process.send_signal(number)
            self.assertEqual(process.wait(30), 0)
            for peer in peers:
                peer.close()
        slow = [self.open_of(self.home, what) for what in ["chrome", "csv", "redacted", "file"]]
        self.assertTrue(slow)
        self.end(self.process, signal.SIGINT)

    def open_of(self, home, what):
        self.port, self.token = int(home.split(":")[2].split("/")[0]), home.split("/")[3]
        return self.open(f"x/1/{what}")

    def test_64_clients_with_filters_are_all_answered(self):
        self.load(self.home)
        wrong = []

        def client(number):
            try:
                hello = self.ask(self.home, message(HELLO))
                mine = struct.unpack_from("<I", section(hello, 0x0140))[0]
                text = b"pass" if number % 2 == 0 else b"a"
                made = self.ask(self.home, message(10, 1, [(0x0A01, 7, len(text), text)], mine))
                if status(made) not in (0, 1):
                    wrong.append(status(made))
                for _ in range(5):
                    reply = self.ask(self.home, message(INFO, 1, client=mine))
                    if status(reply) != 0:
                        wrong.append(status(reply))
            except OSError as error:
                wrong.append(error)

        threads = [threading.Thread(target=client, args=(number,)) for number in range(48)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.end(self.process)

    def test_requests_that_two_readers_would_read_differently_are_refused_or_read_once(self):
        body = message(HELLO)
        head = f"POST /{self.token}/q HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/octet-stream\r\n"
        hidden = f"GET /{self.token}/x/1/file HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode()
        tricks = [
            f"Content-Length: {len(body)}\r\nContent-Length: 0\r\n\r\n".encode() + body,
            f"Content-Length: {len(body)}\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + b"0\r\n\r\n" + hidden,
            b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
            f"Content-Length: +{len(body)}\r\n\r\n".encode() + body,
            f"Content-Length: {len(body)}, {len(body)}\r\n\r\n".encode() + body,
            b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + hidden,
        ]
        for trick in tricks:
            with self.subTest(trick[:60]), socket.create_connection(("127.0.0.1", self.port), timeout=60) as peer:
                peer.sendall(head.encode() + trick)
                peer.shutdown(socket.SHUT_WR)
                answer = b""
                try:
                    while piece := peer.recv(65536):
                        answer += piece
                except ConnectionResetError:
                    pass
                self.assertFalse(self.capture.read_bytes()[:64] in answer, answer[:200])
        self.assertEqual(self.get("x/1/file")[0], 200)
        self.end(self.process)

    def test_pipelined_requests_are_answered_in_order(self):
        one = f"GET /{self.token}/x/1/file HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n"
        two = f"GET /{self.token}/x/1/nothing HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n\r\n"
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as peer:
            peer.sendall((one + two).encode())
            answer = b""
            while piece := peer.recv(65536):
                answer += piece
        self.assertEqual(answer.count(b"HTTP/1.1 200"), 1)
        self.assertLess(answer.find(b"HTTP/1.1 200"), answer.find(b"HTTP/1.1 404"))
        self.assertTrue(self.capture.read_bytes() in answer)
        self.end(self.process)

    def test_a_copy_with_notes_is_made_as_the_answer_says(self):
        self.load(self.home)
        texts = ["first words".encode(), "zweite Wörter".encode()]
        offsets = struct.pack("<III", 0, len(texts[0]), sum(map(len, texts)))
        request = message(24, 1, [(0x1801, 8, 2, offsets + b"".join(texts)),
                                  (0x1802, 3, 2, struct.pack("<II", 3, 0xFFFFFFFF)),
                                  (0x1803, 5, 2, struct.pack("<qq", 0, 12345678))])
        reply = self.ask(self.home, request)
        self.assertEqual(status(reply), 0)
        keep = struct.unpack("<Q", section(reply, 0x1840))[0]
        head, tail = section(reply, 0x1842), section(reply, 0x1841)
        copy = self.folder / "copy.sgpt"
        copy.write_bytes(head + self.capture.read_bytes()[32:keep] + tail)
        self.assertIn(b"valid", self.command("validate", copy))
        before = json.loads(self.command("info", self.capture, "--json"))
        after = json.loads(self.command("info", copy, "--json"))
        self.assertEqual(after["notes"] - before["notes"] if "notes" in after else 2, 2)
        self.assertEqual(before["frames"], after["frames"])
        self.end(self.process)

    def test_notes_that_cannot_be_added_are_refused_in_words(self):
        self.load(self.home)
        one = struct.pack("<II", 0, 1) + b"x"
        cases = [
            ([], 1),
            ([(0x1801, 8, 1, struct.pack("<II", 0, 0))], 1),
            ([(0x1801, 8, 1, struct.pack("<II", 0, 4097) + b"x" * 4097)], 1),
            ([(0x1801, 8, 1, one), (0x1802, 3, 1, struct.pack("<I", FRAMES + 5))], 4),
            ([(0x1801, 8, 1, one), (0x1802, 3, 1, struct.pack("<I", 1)), (0x1803, 5, 1, struct.pack("<q", 7))], 1),
            ([(0x1801, 8, 1, one), (0x1802, 3, 2, struct.pack("<II", 1, 1))], 5),
            ([(0x1801, 8, 1025, struct.pack("<1026I", *range(1026)) + b"x" * 1025)], 1),
        ]
        for sections, expected in cases:
            with self.subTest(expected=expected, count=len(sections)):
                reply = self.ask(self.home, message(24, 1, sections))
                self.assertEqual(status(reply), expected)
                self.assertTrue(section(reply, 0x0040))
        self.end(self.process)


if __name__ == "__main__":
    unittest.main()
