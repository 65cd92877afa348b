# SPDX-License-Identifier: MIT
"""Two readers of one text: what capture_dump (C) and sgpt_dump.py print must be the same value.

    FG_CAPTURE_DUMP=path/to/capture_dump FG_GOLDEN=tests/golden python3 second_reader_test.py

First every golden file, then files damaged in ways that a fixed seed chooses: cuts, flipped bytes,
overwritten, repeated and removed stretches, and payloads that lie under a checksum that is right.
"""

import json
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest
import zlib

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


def lie(data, source):
    """Change bytes of one payload and make its checksum right again."""
    places, at = [], 32
    while at + 16 <= len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        places += [(at, length)] if length else []
        at += 16 + length
    at, length = source.choice(places)
    for _ in range(source.randrange(1, 4)):
        data[at + 16 + source.randrange(length)] = source.choice([0, 1, 127, 128, 255,
                                                                  source.randrange(256)])
    struct.pack_into("<I", data, at + 12, zlib.crc32(data[at + 16:at + 16 + length]))
    return bytes(data)


def damage(data, source):
    """One kind of damage, chosen and placed by `source`."""
    data = bytearray(data)
    at = source.randrange(len(data))
    length = source.randrange(1, 64)
    kind = source.randrange(10)
    if kind >= 5 and len(data) > 32:
        return lie(data, source)
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

    def test_cuts_and_flips_all_over_one_file_read_alike(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "damaged.sgpt"
            for name in ("v1_empty.sgpt", "v1_converted_crashed.sgpt"):
                data = (GOLDEN / name).read_bytes()
                for at in range(0, len(data), 37):
                    flipped = bytearray(data)
                    flipped[at] ^= 1 << at % 8
                    for changed in (data[:at], bytes(flipped)):
                        path.write_bytes(changed)
                        with self.subTest(f"{name} {at}, {len(changed)} bytes"):
                            self.assertEqual(ours(changed), theirs(path))

    def test_payloads_of_converted_traces_read_alike_with_any_byte_changed(self):
        """Under a checksum that is right: every byte that CONV, ROWS, MARK and ARGT are made of."""
        data = (GOLDEN / "v1_converted_crashed.sgpt").read_bytes()
        changed, at = [], 32
        while at < len(data):
            name, length = data[at + 4:at + 8], struct.unpack_from("<I", data, at + 8)[0]
            end = at + 16 + length
            for place in range(at + 16, end) if name in (b"CONV", b"ROWS", b"MARK", b"ARGT") else ():
                file = bytearray(data)
                file[place] ^= 1 << (place * 5 + 2) % 8
                struct.pack_into("<I", file, at + 12, zlib.crc32(file[at + 16:end]))
                changed.append(bytes(file))
            at = end
        self.assertGreater(len(changed), 300)
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i:04}.sgpt" for i in range(len(changed))]
            for path, file in zip(paths, changed):
                path.write_bytes(file)
            run = subprocess.run([DUMP, *map(str, paths)], capture_output=True, check=True, timeout=120)
            for i, (file, line) in enumerate(zip(changed, run.stdout.splitlines(), strict=True)):
                with self.subTest(i):
                    self.assertEqual(ours(file), json.loads(line))


if __name__ == "__main__":
    unittest.main()
