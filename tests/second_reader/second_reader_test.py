# SPDX-License-Identifier: MIT
"""Two readers of one text: what capture_dump (C) and sgpt_dump.py print must be the same value.

    FG_CAPTURE_DUMP=path/to/capture_dump FG_GOLDEN=tests/golden python3 second_reader_test.py

First every golden file, then files damaged in ways that a fixed seed chooses: cuts, flipped bytes,
swapped, repeated and removed stretches.
"""

import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import sgpt_dump

DUMP = os.environ["FG_CAPTURE_DUMP"]
GOLDEN = pathlib.Path(os.environ["FG_GOLDEN"])
DAMAGED_PER_FILE = int(os.environ.get("FG_DAMAGED_PER_FILE", "12"))


def ours(data):
    return json.loads(json.dumps(sgpt_dump.dump(data)))


def theirs(path):
    run = subprocess.run([DUMP, str(path)], capture_output=True, check=False, timeout=60)
    if run.returncode not in (0, 1):
        raise AssertionError(f"{DUMP} {path}: status {run.returncode}: {run.stderr!r}")
    return json.loads(run.stdout)


def damage(data, source):
    """One kind of damage, chosen and placed by `source`."""
    data = bytearray(data)
    at = source.randrange(len(data))
    length = source.randrange(1, 64)
    kind = source.randrange(5)
    if kind == 0:
        return bytes(data[:at])
    if kind == 1:
        for _ in range(source.randrange(1, 4)):
            data[source.randrange(len(data))] ^= 1 << source.randrange(8)
    elif kind == 2:
        del data[at:at + length]
    elif kind == 3:
        data[at:at] = data[at:at + length]
    else:
        data[at:at + length] = bytes(source.randrange(256) for _ in range(length))
    return bytes(data)


class SecondReader(unittest.TestCase):
    maxDiff = 2000

    def test_golden_files_read_alike(self):
        paths = sorted(GOLDEN.glob("*.sgpt"))
        self.assertGreater(len(paths), 20)
        for path in paths:
            with self.subTest(path.name):
                expected = json.loads(path.with_suffix(".json").read_text())
                self.assertEqual(ours(path.read_bytes()), expected)

    def test_damaged_files_read_alike(self):
        source = random.Random(20261129)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "damaged.sgpt"
            for golden in sorted(GOLDEN.glob("v1_*.sgpt")):
                for number in range(DAMAGED_PER_FILE):
                    data = damage(golden.read_bytes(), source)
                    path.write_bytes(data)
                    with self.subTest(f"{golden.name} {number}"):
                        self.assertEqual(ours(data), theirs(path))


if __name__ == "__main__":
    unittest.main()
