# SPDX-License-Identifier: MIT
"""The local server under attack: what other origins, wrong names, odd paths and bad peers get.

  attack_test.py FIXTURE [unittest arguments]
"""
import contextlib
import http.client
import os
import re
import socket
import struct
import subprocess
import sys
import time
import unittest

FIXTURE = sys.argv.pop(1)
HELLO = struct.pack("<IHHIHHIIIIIIQ", 0x51564746, 1, 1, 48, 0, 0, 7, 0, 0, 0, 0, 0, 0)
BINARY = "application/octet-stream"


class ServerCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.process = subprocess.Popen([FIXTURE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        address = cls.process.stdout.readline()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n", address)
        assert match, address
        cls.port, cls.token = int(match[1]), match[2]

    @classmethod
    def tearDownClass(cls):
        cls.process.stdin.close()
        cls.process.stdout.close()
        assert cls.process.wait(60) == 0, "the server did not end cleanly"

    def ask(self, method, path, body=None, headers=None, skip_host=False):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.putrequest(method, path, skip_host=skip_host, skip_accept_encoding=True)
            sent = dict(headers or {})
            if body is not None and "Content-Length" not in sent and "Transfer-Encoding" not in sent:
                sent["Content-Length"] = str(len(body))
            for name, value in sent.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()

    def post(self, body=HELLO, path=None, **headers):
        sent = {"Content-Type": BINARY}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        return self.ask("POST", path or f"/{self.token}/q", body, sent)

    def raw(self, data, timeout=60):
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as peer:
            peer.sendall(data)
            answer = b""
            while True:
                try:
                    piece = peer.recv(65536)
                except ConnectionResetError:
                    break
                if not piece:
                    break
                answer += piece
        return answer

    def is_alive(self):
        status, _, data = self.post()
        return status == 200 and data[:4] == b"FGVR"


class WhoIsLetIn(ServerCase):
    def test_a_request_with_everything_right_is_answered(self):
        status, headers, data = self.post(Origin=f"http://127.0.0.1:{self.port}", Sec_Fetch_Site="same-origin")
        self.assertEqual(status, 200)
        self.assertEqual(headers["Content-Type"], BINARY)
        magic, version, kind, size = struct.unpack_from("<IHHI", data)
        self.assertEqual((magic, version, kind, size), (0x52564746, 1, 1, len(data)))

    def test_a_wrong_or_missing_token_finds_nothing(self):
        wrong = ("0" if self.token[0] != "0" else "1") + self.token[1:]
        late = self.token[:-1] + ("0" if self.token[-1] != "0" else "1")
        paths = ["/", "/q", "//q", f"/{wrong}/q", f"/{late}/q", f"/{self.token[:-1]}/q", f"/{self.token}",
                 f"/{self.token.upper()}/q" if self.token.upper() != self.token else "/x/q", f"//{self.token}/q",
                 f"/%2f{self.token}/q", f"/x/../{self.token}/q", f"/{self.token}q"]
        for path in paths:
            with self.subTest(path=path):
                status, _, data = self.ask("POST", path, HELLO, {"Content-Type": BINARY})
                self.assertEqual((status, data), (404, b"404\n"))
                status, _, data = self.ask("GET", path)
                self.assertEqual((status, data), (404, b"404\n"))

    def test_another_host_is_misdirected(self):
        for host in ["evil.test", f"evil.test:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port + 1}",
                     f"localhost.evil.test:{self.port}", f"[::1]:{self.port}", ""]:
            with self.subTest(host=host):
                status, _, _ = self.ask("GET", f"/{self.token}/", headers={"Host": host}, skip_host=True)
                self.assertIn(status, (400, 421))
        status, _, _ = self.ask("GET", f"/{self.token}/", skip_host=True)
        self.assertIn(status, (400, 421))

    def test_localhost_is_a_name_of_ours(self):
        status, _, _ = self.ask("POST", f"/{self.token}/q", HELLO,
                                {"Host": f"localhost:{self.port}", "Content-Type": BINARY}, skip_host=True)
        self.assertEqual(status, 200)

    def test_two_hosts_are_none(self):
        head = (f"GET /{self.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nHost: evil.test\r\n"
                "Connection: close\r\n\r\n")
        self.assertRegex(self.raw(head.encode()), rb"^HTTP/1\.[01] (400|421) ")

    def test_other_origins_are_forbidden(self):
        for origin in ["http://evil.test", "null", f"https://127.0.0.1:{self.port}",
                       f"http://127.0.0.1:{self.port + 1}", f"http://127.0.0.1:{self.port}.evil.test", ""]:
            with self.subTest(origin=origin):
                status, headers, _ = self.post(Origin=origin)
                self.assertEqual(status, 403)
                self.assertFalse([name for name in headers if name.lower().startswith("access-control")])
        for site in ["cross-site", "same-site", ""]:
            with self.subTest(site=site):
                self.assertEqual(self.post(Sec_Fetch_Site=site)[0], 403)

    def test_only_binary_posts_are_taken(self):
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", BINARY + "; x=y"]:
            with self.subTest(kind=kind):
                self.assertEqual(self.post(Content_Type=kind)[0], 415)
        self.assertEqual(self.ask("POST", f"/{self.token}/q", HELLO)[0], 415)

    def test_other_methods_are_not_allowed(self):
        for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"]:
            with self.subTest(method=method):
                self.assertEqual(self.ask(method, f"/{self.token}/")[0], 405)

    def test_a_preflight_gets_no_permission(self):
        status, headers, _ = self.ask("OPTIONS", f"/{self.token}/q", headers={
            "Origin": "http://evil.test", "Access-Control-Request-Method": "POST"})
        self.assertEqual(status, 405)
        self.assertFalse([name for name in headers if name.lower().startswith("access-control")])


class WhatIsSent(ServerCase):
    def test_every_answer_carries_the_protective_headers(self):
        answers = [self.post(), self.ask("GET", "/"), self.ask("GET", f"/{self.token}/"),
                   self.post(Origin="http://evil.test"), self.ask("PUT", f"/{self.token}/")]
        for status, headers, _ in answers:
            with self.subTest(status=status):
                policy = headers["Content-Security-Policy"]
                self.assertIn("default-src 'none'", policy)
                self.assertIn("frame-ancestors 'none'", policy)
                # WebAssembly may be compiled; texts may not be run.
                self.assertNotIn("unsafe", policy.replace("'wasm-unsafe-eval'", ""))
                self.assertNotIn("*", policy)
                self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
                self.assertEqual(headers["Referrer-Policy"], "no-referrer")
                self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
                self.assertEqual(headers["Cache-Control"], "no-store")
                self.assertNotIn("Server", headers)

    def test_paths_name_embedded_files_and_nothing_else(self):
        for path in ["../" * 8 + "etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd", "./index.html",
                     "/index.html", "index.html/", "index.html%00", "INDEX.HTML", "style/../index.html", "q", "main.js/"]:
            with self.subTest(path=path):
                head = (f"GET /{self.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                        "Connection: close\r\n\r\n")
                self.assertRegex(self.raw(head.encode()), rb"^HTTP/1\.[01] 404 ")

    def test_the_page_is_there(self):
        status, headers, data = self.ask("GET", f"/{self.token}/")
        if status == 404:
            self.skipTest("built without the inspector's files")
        self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
        self.assertEqual(self.ask("GET", f"/{self.token}/index.html")[2], data)
        self.assertEqual(self.ask("HEAD", f"/{self.token}/")[2], b"")
        for part in re.findall(rb'(?:src|href)="([^":#]+)"', data):
            with self.subTest(part=part):
                self.assertEqual(self.ask("GET", f"/{self.token}/{part.decode()}")[0], 200)


class BadPeers(ServerCase):
    def test_a_body_that_says_that_it_is_huge_is_refused_unread(self):
        for length in [4 * 1024 * 1024 + 1, 1 << 40, (1 << 64) - 1, 10 ** 30]:
            with self.subTest(length=length):
                head = (f"POST /{self.token}/q HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: {BINARY}\r\n"
                        f"Content-Length: {length}\r\n\r\n")
                begun = time.monotonic()
                self.assertRegex(self.raw(head.encode()), rb"^(HTTP/1\.[01] (400|413) |$)")
                self.assertLess(time.monotonic() - begun, 8)
        self.assertTrue(self.is_alive())

    def test_an_endless_chunked_body_is_cut_off(self):
        head = (f"POST /{self.token}/q HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: {BINARY}\r\n"
                "Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + bytes(0x10000) + b"\r\n"
        sent = 0
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as peer:
            peer.sendall(head.encode())
            try:
                while sent < 64 << 20:
                    peer.sendall(chunk)
                    sent += len(chunk)
            except (BrokenPipeError, ConnectionResetError):
                pass
        self.assertLess(sent, 64 << 20)
        self.assertTrue(self.is_alive())

    def test_a_slow_head_is_closed(self):
        begun = time.monotonic()
        self.raw(b"GET / HT", timeout=60)
        self.assertLess(time.monotonic() - begun, 45)

    def test_a_body_that_drips_is_closed(self):
        head = (f"POST /{self.token}/q HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: {BINARY}\r\n"
                "Content-Length: 1000\r\n\r\n")
        begun = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as peer:
            peer.sendall(head.encode())
            try:
                while time.monotonic() - begun < 60:
                    peer.sendall(b"x")
                    time.sleep(0.2)
            except (BrokenPipeError, ConnectionResetError):
                pass
        self.assertLess(time.monotonic() - begun, 45)

    def test_a_long_head_is_refused(self):
        head = (f"GET /{self.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX: " + "y" * 100000 + "\r\n\r\n")
        self.assertRegex(self.raw(head.encode()), rb"^(HTTP/1\.[01] 4\d\d |$)")
        self.assertTrue(self.is_alive())

    def test_many_connections_are_let_go_again(self):
        peers = []
        for _ in range(100):
            try:
                peers.append(socket.create_connection(("127.0.0.1", self.port), timeout=2))
            except OSError:
                break
        deadline = time.monotonic() + 60
        alive = False
        while not alive and time.monotonic() < deadline:
            try:
                alive = self.is_alive()
            except OSError:
                time.sleep(0.2)
        for peer in peers:
            peer.close()
        self.assertTrue(alive)

    def test_noise_does_no_harm(self):
        for data in [b"\0" * 4096, os.urandom(4096), b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                     b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"\x16\x03\x01\x02\0\x01\0\x01\xfc"]:
            self.raw(data)
        self.assertTrue(self.is_alive())

    def test_malformed_messages_get_error_replies(self):
        for body in [b"", b"x", HELLO[:-1], b"FGVQ" + b"\xff" * 44, os.urandom(1000)]:
            status, _, data = self.post(body)
            self.assertEqual(status, 200)
            self.assertEqual(data[:4], b"FGVR")
            self.assertNotEqual(struct.unpack_from("<I", data, 36)[0], 0)

    def test_it_listens_on_the_loopback_address_alone(self):
        local = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        for address in sorted(local - {"127.0.0.1"}) + ["127.0.0.2"]:
            with self.subTest(address=address):
                with self.assertRaises(OSError):
                    socket.create_connection((address, self.port), timeout=2).close()


if __name__ == "__main__":
    unittest.main()
