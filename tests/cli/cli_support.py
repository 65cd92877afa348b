# SPDX-License-Identifier: MIT
"""What the tests of the command line share: the program, and captures to give it."""
import csv
import gzip
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FRAMEGLASS = os.environ["FRAMEGLASS"]
MAKE_CAPTURE = os.environ["MAKE_CAPTURE"]


def run(*arguments, stdin=b"", cwd=None):
    """Run frameglass; standard output and error as text."""
    done = subprocess.run(
        [FRAMEGLASS, *map(str, arguments)], input=stdin, capture_output=True, cwd=cwd, check=False
    )
    done.stdout = done.stdout.decode("utf-8")
    done.stderr = done.stderr.decode("utf-8")
    return done


class Files:
    """demo.sgpt of make_capture, the same packed, damaged, and cut."""

    def __init__(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)
        self.demo = self.folder / "demo.sgpt"
        subprocess.run([MAKE_CAPTURE, self.demo], check=True)
        whole = self.demo.read_bytes()
        self.packed = self.folder / "demo.sgpt.gz"
        self.packed.write_bytes(gzip.compress(whole))
        self.damaged = self.folder / "damaged.sgpt"
        self.damaged.write_bytes(self.spoil(whole))
        self.cut = self.folder / "cut.sgpt"
        self.cut.write_bytes(whole[: len(whole) * 2 // 3])

    @staticmethod
    def spoil(whole):
        """Change one byte of a frame's payload in the middle of the file."""
        at = whole.index(b"SRECFRAM", len(whole) // 2) + 20
        return whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :]

    def close(self):
        self.holder.cleanup()


class CliTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = Files()
        cls.addClassCleanup(cls.files.close)

    def ok(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def json(self, *arguments, **options):
        return json.loads(self.ok(*arguments, **options).stdout)

    def csv(self, *arguments, **options):
        return list(csv.DictReader(io.StringIO(self.ok(*arguments, **options).stdout)))

    def fails(self, status, *arguments, **options):
        """Exits with `status`, says why in lines, and prints no result."""
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertTrue(done.stderr.startswith("frameglass"), done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr


def have(program):
    return shutil.which(program) is not None
