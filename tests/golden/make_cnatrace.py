#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the golden CNATRACE files, and beside each what every reader must get from it.

  tests/golden/make_cnatrace.py FOLDER

Written from the layout alone, without a line of the reader: 32 bytes of header, names, events of
72 bytes, all little-endian. A file that is here never changes; new ones are added at the end.
"""
import json
import pathlib
import struct
import sys

MAGIC = b"CNATRACE"
MOST = 2**64 - 1


def header(names, events, dropped=0, magic=MAGIC, version=1, reserved=0):
    return magic + struct.pack("<HHIQQ", version, reserved, names, events, dropped)


def name(number, text):
    return struct.pack("<II", number, len(text)) + text


def event(sequence=1, time=0, duration=0, frame=0, thread=1, correlation=1, parent=0, value=0,
          name=0, kind=0, category=0, reserved=0):
    return struct.pack("<7QqIBBH", sequence, time, duration, frame, thread, correlation, parent,
                       value, name, kind, category, reserved)


def meaning(names, events, dropped=0):
    """What a reader shows: names by number, events without their reserved field."""
    return {"version": 1, "dropped_events": dropped, "names": sorted(names),
            "events": [list(struct.unpack("<7QqIBBH", e)[:11]) for e in events]}


def file_of(names, events, dropped=0, **more):
    return (header(len(names), len(events), dropped, **more)
            + b"".join(name(n, t) for n, t in names) + b"".join(events))


def good(names, events, dropped=0, shown=None, **more):
    texts = shown or [[n, t.decode()] for n, t in names]
    return file_of(names, events, dropped, **more), meaning(texts, events, dropped)


NAMES = [(1, b"Frame"), (2, b"Game/Tick"), (3, b"Game/Update"), (4, b"saved"),
         (5, b"Diagnostics/ResourceCreated"), (6, b"Diagnostics/ResourceDestroyed"),
         (7, b"Diagnostics/MalformedZone"), (8, "Übergang → 夜 🌙".encode()), (40000, b"far")]
LOOP = [
    event(1, 1_000_100, 0, 1, 1, 101, 0, 7, 5, 3, 3),
    event(2, 1_000_500, 250_000, 1, 1, 2, 1, 0, 3, 0, 1),
    event(3, 1_000_200, 600_000, 1, 1, 1, 0, 0, 2, 0, 0),
    event(4, 1_000_000, 700_000, 1, 1, 1, 0, 0, 1, 2, 0),
    event(5, 1_100_000, 1, 1, 2, 1, 0, 0, 8, 0, 5),
    event(6, 1_100_001, 0, 1, 2, 202, 0, -5, 4, 1, 6),
    event(7, 1_650_000, 0, 1, 2, 203, 0, 0, 7, 5, 0),
    event(8, 1_800_000, 0, 2, 1, 104, 0, 7, 6, 4, 3),
    event(9, 1_900_000, 40_000, 2, 3, 1, 0, 0, 40000, 0, 7),
    event(10, 1_700_000, 300_000, 2, 1, 2, 0, 0, 1, 2, 0),
]
EXTREMES = [
    event(MOST, MOST, MOST, MOST, MOST, MOST, MOST, -2**63, 2**32 - 1, 5, 7),
    event(0, 0, 0, 0, 0, 0, 0, 2**63 - 1, 0, 0, 0),
]
ODD = [event(3, 20, 5, name=9, reserved=0xffff), event(2, 10, name=77, kind=1)]
ONE = [(1, b"zone")]

FILES = {
    "cnatrace_empty": good([], []),
    "cnatrace_loop": good(NAMES, LOOP, 12),
    "cnatrace_extremes": good([(0, b""), (2**32 - 1, b"last")], EXTREMES, MOST),
    # Accepted: numbers in any order, names that are no UTF-8 or not there, reserved fields.
    "cnatrace_odd": good([(9, b"nine"), (2, b"a\xffb\xc3"), (5, b"\xed\xa0\x80")], ODD,
                         shown=[[9, "nine"], [2, "a\ufffdb\ufffd"], [5, "\ufffd" * 3]],
                         reserved=3),
}
REFUSED = {
    "magic": ("FG_ERR_FORMAT", file_of(ONE, [event()], magic=b"CNATRACF")),
    "short_header": ("FG_ERR_CORRUPT", file_of([], [])[:31]),
    "version": ("FG_ERR_VERSION", file_of(ONE, [event()], version=2)),
    "many_names": ("FG_ERR_LIMIT", header(65537, 0)),
    "many_events": ("FG_ERR_LIMIT", header(0, 32769)),
    "long_name": ("FG_ERR_LIMIT", header(1, 0) + struct.pack("<II", 1, (1 << 20) + 1)),
    "cut_names": ("FG_ERR_CORRUPT", file_of(ONE, [])[:-1]),
    "cut_events": ("FG_ERR_CORRUPT", file_of(ONE, [event(), event(2)])[:-1]),
    "kind": ("FG_ERR_CORRUPT", file_of(ONE, [event(kind=6)])),
    "category": ("FG_ERR_CORRUPT", file_of(ONE, [event(category=8)])),
    "repeated_name": ("FG_ERR_CORRUPT", file_of(ONE + ONE, [event()])),
    "trailing_byte": ("FG_ERR_CORRUPT", file_of(ONE, [event()]) + b"\0"),
}


def text_of(shown):
    """One line for each name and event."""
    if "refused" in shown:
        return json.dumps(shown) + "\n"
    lines = ["{", f' "version": {shown["version"]},',
             f' "dropped_events": {shown["dropped_events"]},']
    for key in ("names", "events"):
        rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in shown[key])
        lines.append(f' "{key}": [' + (f"\n{rows}\n ]" if rows else "]")
                     + ("," if key == "names" else ""))
    return "\n".join(lines + ["}", ""])


def main():
    folder = pathlib.Path(sys.argv[1])
    files = dict(FILES)
    for key, (refused, data) in REFUSED.items():
        files["refuse_cnatrace_" + key] = data, {"refused": refused}
    for key, (data, shown) in files.items():
        (folder / f"{key}.cnatrace").write_bytes(data)
        (folder / f"{key}.json").write_text(text_of(shown), encoding="utf-8")


main()
