# SPDX-License-Identifier: MIT
"""Ctrl-C: work ends early, with one line, and the process dies of the signal as shells expect."""
import pathlib
import signal
import subprocess
import time
import unittest

from cli_support import FRAMEGLASS, CliTest

PATIENCE_S = 120


def is_armed(process):
    """True once the process has a way of its own to end on SIGINT."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    (mask,) = [line for line in status.splitlines() if line.startswith("SigCgt:")]
    return bool(int(mask.split()[1], 16) >> (signal.SIGINT - 1) & 1)


def is_asleep(process):
    return pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def wait_for(process, condition):
    end = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < end:
        if condition(process):
            return
        time.sleep(0.005)
    raise AssertionError("it did not come to the point")


@unittest.skipUnless(pathlib.Path("/proc/self/status").exists(), "needs /proc")
class Interrupted(CliTest):
    def start(self, *arguments, **options):
        process = subprocess.Popen(
            [FRAMEGLASS, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **options,
        )
        self.addCleanup(process.kill)
        return process

    def ends(self, process, number):
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, -number, errors)
        lines = errors.decode().splitlines()
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith("frameglass "), lines)
        self.assertTrue(lines[0].endswith("interrupted"), lines)

    def test_waiting_for_input_is_given_up(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start("info", "-")
            wait_for(process, lambda p: is_armed(p) and is_asleep(p))
            self.ends(process, number)

    def test_nothing_is_left_of_a_file_that_was_not_begun(self):
        out = self.files.folder / "never.sgpt"
        process = self.start("import", "-", "-o", out)
        wait_for(process, lambda p: is_armed(p) and is_asleep(p))
        self.ends(process, signal.SIGINT)
        self.assertEqual(list(self.files.folder.glob("never*")), [])

    def test_writing_that_nobody_reads_is_given_up(self):
        process = self.start("export", self.files.demo, "--to", "chrome")
        # The pipe is full once it waits: there is more to write than goes into it.
        wait_for(process, lambda p: is_armed(p) and is_asleep(p))
        self.ends_writing(process)

    def ends_writing(self, process):
        process.send_signal(signal.SIGINT)
        process.wait(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertEqual(process.stderr.read().decode(), "frameglass export: interrupted\n")
        self.assertGreater(len(process.stdout.read()), 4096)
        process.stdin.close()

    def test_a_signal_that_the_parent_ignores_stays_ignored(self):
        process = self.start(
            "info", "-", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
        )
        wait_for(process, is_asleep)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(self.files.demo.read_bytes(), timeout=PATIENCE_S)
        self.assertEqual((process.returncode, errors), (0, b""))
        self.assertIn(b"spans", out)


if __name__ == "__main__":
    unittest.main()
