# SPDX-License-Identifier: MIT
"""The two readers say the same, value by value, of golden captures and of damaged ones.

    python3 test_agreement.py CAPTURE_DUMP GOLDEN_FOLDER [SEED ROUNDS]
"""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

import sgpt_dump

DUMP = pathlib.Path(sys.argv[1])
GOLDEN = pathlib.Path(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 else 8


def differences(ours, theirs, path=""):
    """The places where two JSON values are not the same; booleans are not numbers."""
    if type(ours) is not type(theirs):
        return [f"{path}: {ours!r} and {theirs!r}"]
    if isinstance(ours, dict):
        if list(ours) != list(theirs):
            return [f"{path}: keys {list(ours)} and {list(theirs)}"]
        return [d for key in ours for d in differences(ours[key], theirs[key], f"{path}/{key}")]
    if isinstance(ours, list):
        if len(ours) != len(theirs):
            return [f"{path}: {len(ours)} and {len(theirs)} items"]
        return [d for i, pair in enumerate(zip(ours, theirs))
                for d in differences(*pair, f"{path}/{i}")]
    return [] if ours == theirs else [f"{path}: {ours!r} and {theirs!r}"]


def c_reader(path):
    done = subprocess.run([DUMP, path], capture_output=True, check=True)
    return json.loads(done.stdout)


def python_reader(data):
    return json.loads(json.dumps(sgpt_dump.dump(data)))


def record_offsets(data):
    """(offset, payload length) of the records of an undamaged capture."""
    at = 32
    while at + 16 <= len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        yield at, length
        at += 16 + length


def seal(data, at, length):
    struct.pack_into("<I", data, at + 12, zlib.crc32(data[at + 16:at + 16 + length]))


class Agreement(unittest.TestCase):
    maxDiff = None

    def check(self, data, what):
        with tempfile.NamedTemporaryFile(suffix=".sgpt") as file:
            file.write(data)
            file.flush()
            found = differences(c_reader(file.name), python_reader(data))
        self.assertEqual(found[:5], [], what)

    def test_every_golden_capture_reads_as_its_json(self):
        files = sorted(GOLDEN.glob("*.sgpt"))
        self.assertGreaterEqual(len(files), 30)
        for path in files:
            with self.subTest(path.name):
                expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
                ours = python_reader(path.read_bytes())
                self.assertEqual(differences(expected, ours)[:5], [])

    def test_both_readers_agree_on_files_that_are_cut(self):
        for path in sorted(GOLDEN.glob("v1_*.sgpt")):
            data = path.read_bytes()
            chance = random.Random(f"{SEED} cut {path.name}")
            for _ in range(ROUNDS):
                size = chance.randrange(len(data))
                self.check(data[:size], f"{path.name} cut at {size}")

    def test_both_readers_agree_on_files_with_changed_bytes(self):
        for path in sorted(GOLDEN.glob("v1_*.sgpt")):
            chance = random.Random(f"{SEED} change {path.name}")
            for _ in range(ROUNDS):
                data = bytearray(path.read_bytes())
                places = [chance.randrange(len(data)) for _ in range(chance.choice((1, 1, 2, 5)))]
                for at in places:
                    data[at] ^= chance.randrange(1, 256)
                self.check(bytes(data), f"{path.name} changed at {places}")

    def test_both_readers_agree_on_payloads_that_are_wrong_but_sealed(self):
        """Changes under a right checksum: what a checksum cannot find."""
        for path in sorted(GOLDEN.glob("v1_*.sgpt")):
            chance = random.Random(f"{SEED} seal {path.name}")
            for _ in range(ROUNDS * 3):
                data = bytearray(path.read_bytes())
                records = list(record_offsets(data))
                if not records:
                    continue
                at, length = chance.choice(records)
                if length == 0:
                    continue
                places = [at + 16 + chance.randrange(length) for _ in range(chance.choice((1, 2)))]
                for place in places:
                    data[place] ^= chance.choice((1, 2, 0x40, 0x80, chance.randrange(1, 256)))
                seal(data, at, length)
                self.check(bytes(data), f"{path.name} sealed change at {places}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
