# SPDX-License-Identifier: MIT
"""frameglass view --follow: a file that grows, ends, stops, is not there yet, is cut.

  follow_test.py FRAMEGLASS MAKE_CAPTURE [unittest arguments]
"""
import os
import signal
import struct
import sys
import time
import unittest

from serve_support import INFO, TRACES, ViewCase, message, section, status

ViewCase.FRAMEGLASS, ViewCase.MAKE_CAPTURE = sys.argv.pop(1), sys.argv.pop(1)
FRAMES = 60
NOT_LIVE, GROWS, ENDED, GIVEN_UP = range(4)


class Follow(ViewCase):
    def setUp(self):
        super().setUp()
        self.whole = self.make_capture("whole.sgpt", FRAMES).read_bytes()
        # As it was while it was written: closing it is the last thing that happens.
        self.unclosed = self.whole[:8] + bytes(4) + self.whole[12:16] + bytes(16) + self.whole[32:]
        self.path = self.folder / "live.sgpt"

    def write(self, begin, end):
        with open(self.path, "ab") as file:
            file.write(self.unclosed[begin:end])

    def close_it(self):
        with open(self.path, "r+b") as file:
            file.seek(16)
            file.write(self.whole[16:32])
            file.seek(8)
            file.write(self.whole[8:12])

    def follow(self, *arguments):
        self.process = self.start("--follow", "--no-browser", *(arguments or [self.path]))
        return self.process

    def state(self):
        reply = self.ask(self.home, message(TRACES))
        return {"live": section(reply, 0x024C)[0], "frames": struct.unpack("<I", section(reply, 0x024B))[0],
                "revision": struct.unpack("<Q", section(reply, 0x0248))[0], "state": section(reply, 0x0241)[0],
                "bytes": struct.unpack("<Q", section(reply, 0x0245))[0], "failure": section(reply, 0x0249)[8:].decode()}

    def loaded_frames(self):
        reply = self.ask(self.home, message(INFO, 1))
        self.assertEqual(status(reply), 0)
        return struct.unpack_from("<Q", section(reply, 0x0540), 13 * 8)[0]

    def test_the_strip_and_the_trace_grow_until_the_end_is_written(self):
        half = len(self.unclosed) // 2
        self.write(0, half)
        self.home = self.address(self.follow())
        first = self.state()
        self.assertEqual(first["live"], GROWS)
        self.assertTrue(0 < first["frames"] < FRAMES)
        self.write(half, half + half // 2)  # nobody has loaded it yet: the strip grows by itself
        self.until(lambda: self.state()["frames"] > first["frames"])
        self.load(self.home)
        before = self.state()
        self.assertEqual(self.loaded_frames(), before["frames"])
        self.write(half + half // 2, len(self.unclosed))
        self.until(lambda: self.state()["bytes"] == len(self.whole))
        after = self.state()
        self.assertEqual(after["frames"], FRAMES)
        self.assertGreater(after["revision"], before["revision"])
        self.assertEqual(self.loaded_frames(), FRAMES)
        self.assertEqual(after["live"], GROWS)
        self.close_it()
        self.until(lambda: self.state()["live"] == ENDED)
        self.assertEqual(self.loaded_frames(), FRAMES)
        self.end(self.process)

    def test_a_program_that_crashes_leaves_what_it_wrote(self):
        cut = len(self.unclosed) - 700  # in the middle of something
        self.write(0, cut)
        self.home = self.address(self.follow())
        self.load(self.home)
        frames = self.loaded_frames()
        time.sleep(1)
        state = self.state()
        self.assertEqual((state["live"], state["failure"]), (GROWS, ""))
        self.assertEqual(self.loaded_frames(), frames)
        revision = state["revision"]
        time.sleep(1)
        self.assertEqual(self.state()["revision"], revision)  # nothing changed, nothing is done
        self.end(self.process)

    def test_a_file_that_is_not_there_yet_is_waited_for(self):
        self.follow()
        line = self.process.stderr.readline()
        self.assertIn("waiting", line)
        self.assertIn(str(self.path), line)
        self.write(0, 20)  # not even a header
        time.sleep(0.5)
        self.assertIsNone(self.process.poll())
        self.write(20, len(self.unclosed) // 2)
        self.home = self.address(self.process)
        self.load(self.home)
        self.assertGreater(self.loaded_frames(), 0)
        self.end(self.process)

    def test_waiting_ends_on_request(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.follow()
            self.assertIn("waiting", self.process.stderr.readline())
            self.end(self.process, number)
            self.assertEqual(self.process.stdout.read(), "")

    def test_a_pipe_is_refused_at_once(self):
        os.mkfifo(self.path)
        self.follow()
        self.assertEqual(self.process.wait(30), 2)
        self.assertIn("pipe", self.process.stderr.read())

    def test_a_file_that_is_cut_or_written_anew_is_given_up_in_words(self):
        other = self.make_capture("other.sgpt", FRAMES).read_bytes()
        for change in (lambda file: file.truncate(1000), lambda file: file.write(other + bytes(100000))):
            self.path.unlink(missing_ok=True)
            self.write(0, len(self.unclosed) // 2)
            self.home = self.address(self.follow())
            self.load(self.home)
            frames = self.loaded_frames()
            with open(self.path, "r+b") as file:
                change(file)
            self.until(lambda: self.state()["live"] == GIVEN_UP)
            state = self.state()
            self.assertIn("written anew", state["failure"])
            self.assertEqual(state["state"], 2)
            self.assertEqual(self.loaded_frames(), frames)  # what was shown stays
            self.end(self.process)

    def test_a_closed_file_has_ended_and_one_that_is_not_followed_is_not_live(self):
        self.path.write_bytes(self.whole)
        self.home = self.address(self.follow())
        self.load(self.home)
        self.until(lambda: self.state()["live"] == ENDED)
        self.end(self.process)
        process = self.start(self.path, "--no-browser")
        self.home = self.address(process)
        self.assertEqual(self.state()["live"], NOT_LIVE)
        self.end(process)

    def test_standard_input_cannot_be_followed(self):
        self.follow("-")
        self.assertEqual(self.process.wait(20), 2)
        self.assertIn("--follow", self.process.stderr.read())


if __name__ == "__main__":
    unittest.main()
