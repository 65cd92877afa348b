# SPDX-License-Identifier: MIT
"""The frame strip: section 8's frame entries, from directories where there are any."""

import sgpt_payloads
from sgpt_bytes import Cursor, Malformed, UNKNOWN64

LIMIT = 2**63 - 1


def to_ns(ticks, clock):
    if clock is None or clock["period_num"] == 0 or clock["period_den"] == 0 or ticks > LIMIT:
        return UNKNOWN64
    num, den = clock["period_num"], clock["period_den"]
    return min((2 * ticks * num + den) // (2 * den), LIMIT)


class _Times:
    """GPU times of one frame so far: of the clock of the first record that has any."""

    def __init__(self):
        self.clock, self.begin, self.end = None, None, None

    def add(self, record):
        spans = [s for s in record["spans"] if s["status"] == 0]
        if not spans or self.clock not in (None, record["clock"]):
            return
        begins, ends = [s["begin_ticks"] for s in spans], [s["end_ticks"] for s in spans]
        if self.clock is not None:
            begins.append(self.begin)
            ends.append(self.end)
        self.clock, self.begin, self.end = record["clock"], min(begins), max(ends)

    def ns(self, clocks):
        if self.clock is None:
            return UNKNOWN64
        return to_ns((self.end - self.begin) % 2**64, clocks.get(self.clock))


class _Strip:
    """The frames so far, in order of their offsets."""

    def __init__(self, capture):
        self.capture = capture
        self.entries, self.at, self.newest = [], {}, {}
        self.clocks, self.times = {}, {}

    def add(self, entry):
        self.entries.append(entry)
        self.at[entry[1]] = entry
        self.newest[entry[0]] = entry

    def take_directory(self, directory):
        for e in directory["frames"]:
            fields = [e["frame"], e["offset"], e["gpu_ns"], e["cpu_ns"], e["dropped"]]
            if not e["flags"] & 1:
                self.add(fields)
            elif e["offset"] in self.at and self.at[e["offset"]][0] == e["frame"]:
                self.at[e["offset"]][:] = fields

    def take_times(self, record):
        entry = self.newest.get(record["frame"])
        if entry is None:
            return
        if entry[2] != UNKNOWN64 and entry[1] not in self.times:
            return  # a directory knows more records than are read here
        times = self.times.setdefault(entry[1], _Times())
        times.add(record)
        if times.clock is not None:
            entry[2] = times.ns(self.clocks)

    def take_frame(self, at, record):
        ticks = (record["end_ticks"] - record["begin_ticks"]) % 2**64
        dropped = min(sum(d["count"] for d in record["drops"]), 2**32 - 1)
        self.add([record["frame"], at, UNKNOWN64, to_ns(ticks, self.clocks.get(record["clock"])),
                  dropped])

    def scan(self, begin, end):
        """Intact records that no directory describes, whether they will be used or not."""
        for at, kind, payload in self.capture.intact:
            if not begin <= at < end or kind not in (b"CLKS", b"FRAM", b"GSPN"):
                continue
            try:
                if kind == b"CLKS":
                    clock = sgpt_payloads.clks(Cursor(payload))
                    self.clocks[clock["id"]] = clock
                elif kind == b"FRAM":
                    self.take_frame(at, sgpt_payloads.fram(Cursor(payload), None)[0])
                else:
                    self.take_times(sgpt_payloads.gspn(Cursor(payload)))
            except Malformed:
                pass


def strip(capture):
    """[frame, offset, gpu_ns, cpu_ns, dropped] of all frames, by offset; unknown times are None."""
    out = _Strip(capture)
    directories = capture.directories
    if directories:
        out.scan(32, directories[0]["section_offset"])
    for directory in directories:
        out.take_directory(directory)
    end = capture.file.end_of(directories[-1]["self_offset"]) if directories else 32
    out.scan(end, len(capture.file.data))
    return out.entries
