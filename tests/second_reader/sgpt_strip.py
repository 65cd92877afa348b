# SPDX-License-Identifier: MIT
"""The frame strip: section 8's frame entries, from directories where there are any."""

from sgpt_bytes import UNKNOWN64

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


def strip(capture):
    """[frame, offset, gpu_ns, cpu_ns, dropped] of all frames, in order of their offsets."""
    computed, times, where, clocks = {}, {}, {}, {}
    for at, _, kind, record in capture.records:
        if kind == b"CLKS":
            clocks[record["id"]] = record
        elif kind == b"FRAM":
            cpu = to_ns((record["end_ticks"] - record["begin_ticks"]) % 2**64,
                        clocks.get(record["clock"]))
            dropped = min(sum(d["count"] for d in record["drops"]), 2**32 - 1)
            times[at], where[record["frame"]] = _Times(), at
            computed[at] = [record["frame"], at, UNKNOWN64, cpu, dropped]
        elif kind == b"GSPN" and record["frame"] in where:
            at = where[record["frame"]]
            times[at].add(record)
            computed[at][2] = times[at].ns(clocks)
    for directory in capture.directories:
        for e in directory["frames"]:
            computed[e["offset"]] = [e["frame"], e["offset"], e["gpu_ns"], e["cpu_ns"],
                                     e["dropped"]]
    return [computed[at] for at in sorted(computed)]
