# SPDX-License-Identifier: MIT
"""Print a capture as the canonical JSON of tests/golden/README.md.

    python3 sgpt_dump.py FILE.sgpt
"""

import json
import struct
import sys

from sgpt_bytes import UNKNOWN64
from sgpt_reader import Capture, Refused
from sgpt_strip import strip

UNSHOWN = (b"DIRE", b"TMPL", b"CKPT")
HIDDEN = {b"FRAM": ("template",), b"ZRAW": ("event_size",)}
SHAPE_KEYS = ("gpu_pass", "graph_pass", "kind", "label", "track", "submission", "parent",
              "logical", "fragment", "attachments", "works")


def shown(value):
    if isinstance(value, float):
        return "%016x" % struct.unpack("<Q", struct.pack("<d", value))
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shown(item) for item in value]
    return value


def payload(kind, record):
    if record is None or kind in UNSHOWN:
        return None
    out = {key: value for key, value in record.items() if key not in HIDDEN.get(kind, ())}
    if kind == b"FRAM":
        out["passes"] = out["passes"] or []
        out["gpu_passes"] = [{key: item[key] for key in SHAPE_KEYS}
                             for item in out["gpu_passes"] or []]
    return shown(out)


def dump(data):
    try:
        capture = Capture(data)
    except Refused as refusal:
        return {"refused": str(refusal)}
    records = []
    for at, length, kind, record in capture.records:
        item = {"type": kind.decode("latin-1"), "offset": at, "length": length}
        if kind == b"FRAM" and record["passes"] is None:
            item["incomplete"] = True
        item["payload"] = payload(kind, record)
        records.append(item)
    header = capture.header
    return {"version": header["version"], "min_reader": header["minimum_version"],
            "closed": bool(header["flags"] & 1),
            "frames": [[None if value == UNKNOWN64 else value for value in entry]
                       for entry in strip(capture)], "records": records,
            "skipped": capture.skipped, "defects": [list(d) for d in capture.defects]}


def main():
    with open(sys.argv[1], "rb") as file:
        json.dump(dump(file.read()), sys.stdout)
    print()


if __name__ == "__main__":
    main()
