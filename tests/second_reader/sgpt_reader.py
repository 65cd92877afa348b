# SPDX-License-Identifier: MIT
"""A whole capture, read as sections 2, 3, 8 and 9 of docs/FORMAT.md say."""

import struct
import zlib

import sgpt_payloads
from sgpt_bytes import Cursor, Malformed

READER_VERSION = 1
SEARCH_BYTES = 16 << 20


class Refused(Exception):
    """The file is no capture for this reader; the message is the defect's name."""


def fourcc(kind):
    return struct.unpack("<I", kind)[0]


class File:
    """The bytes, and the candidates that are records in them."""

    def __init__(self, data):
        self.data = data
        self.known = {}

    def length_at(self, at):
        """Payload length of the record at `at`; None when the candidate there is none."""
        if at not in self.known:
            self.known[at] = self._length_at(at)
        return self.known[at]

    def _length_at(self, at):
        if at + 16 > len(self.data) or self.data[at:at + 4] != b"SREC":
            return None
        length, crc = struct.unpack_from("<II", self.data, at + 8)
        payload = self.data[at + 16:at + 16 + length]
        if at + 16 + length > len(self.data) or zlib.crc32(payload) != crc:
            return None
        return length

    def payload(self, at):
        return self.data[at + 16:at + 16 + self.length_at(at)]

    def end_of(self, at):
        return at + 16 + self.length_at(at)


def read_header(data):
    if len(data) < 32:
        raise Refused("short_header")
    magic, version, minimum, flags, checksum, offset, length = struct.unpack_from("<4sHHIIQQ", data)
    if magic != b"SGPT":
        raise Refused("bad_magic")
    if zlib.crc32(data[:8]) != checksum:
        raise Refused("header_checksum")
    if minimum > READER_VERSION:
        raise Refused("newer_format")
    return {"version": version, "minimum_version": minimum, "flags": flags,
            "directory_offset": offset, "directory_length": length}


def read_directory(file, at):
    """The DIRE at `at` when it is valid by itself, with what it lists; None otherwise."""
    if file.data[at + 4:at + 8] != b"DIRE" or file.length_at(at) is None:
        return None
    try:
        out = sgpt_payloads.dire(Cursor(file.payload(at)))
    except Malformed:
        return None
    section, previous = out["section_offset"], out["previous_offset"]
    if out["self_offset"] != at or not 32 <= section <= at or previous >= section:
        return None
    if (previous == 0) != (section == 32):
        return None
    fresh = [e["offset"] for e in out["frames"] if not e["flags"] & 1]
    late = [e["offset"] for e in out["frames"] if e["flags"] & 1]
    order = [e["flags"] & 1 for e in out["frames"]]
    for offsets in ([e["offset"] for e in out["records"]], fresh):
        if offsets != sorted(set(offsets)) or any(not section <= o < at for o in offsets):
            return None
    if order != sorted(order) or any(o >= section for o in late):
        return None
    return out


def last_directory(file):
    """Offset of the last valid DIRE in the file's last 16 MiB, or None."""
    lowest, limit = max(32, len(file.data) - SEARCH_BYTES), len(file.data)
    while True:
        at = file.data.rfind(b"SREC", lowest, limit)
        if at < 0:
            return None
        if read_directory(file, at) is not None:
            return at
        limit = at + 3


def find_directories(file, header, defects):
    """All directories, the oldest first, by the links backwards from the last one (section 9.1)."""
    at, size = None, len(file.data)
    if header["flags"] & 1:
        at, length = header["directory_offset"], header["directory_length"]
        if at == 0:
            defects.append(("directory_missing", 0, 0))
            at = None
        elif at < 32 or at + length > size:
            defects.append(("directory_range", 0, at))
            at = None
        elif read_directory(file, at) is None or file.end_of(at) - at != length:
            defects.append(("directory_damaged", at, 0))
            at = None
    at = last_directory(file) if at is None else at
    found = []
    while at is not None:
        directory = read_directory(file, at)
        found.append(directory)
        link, at = directory["previous_offset"], None
        if link != 0:
            before = read_directory(file, link)
            if before is not None and file.end_of(link) == directory["section_offset"]:
                at = link
            else:
                defects.append(("directory_link", directory["self_offset"], link))
    return found[::-1]


def next_place(file, directories, at, defect):
    """Where reading goes on after damage at `at`: section 9.2, step 4."""
    size = len(file.data)
    for directory in directories:
        if directory["section_offset"] <= at < directory["self_offset"]:
            later = [e["offset"] for e in directory["records"] if e["offset"] > at]
            return later[0] if later else directory["self_offset"]
    if defect == "bad_checksum":
        end = at + 16 + struct.unpack_from("<I", file.data, at + 8)[0]
        if end == size or file.length_at(end) is not None:
            return end
    where = at + 1
    while True:
        where = file.data.find(b"SREC", where)
        if where < 0:
            return size
        if file.length_at(where) is not None:
            return where
        where += 1


def walk(file, directories, defects, damaged):
    """Offsets of all records in order; damage is named on the way, its places kept in `damaged`."""
    at, size = 32, len(file.data)
    while at < size:
        left = size - at
        if left < 16:
            defects.append(("short_record", at, left))
            return
        if file.length_at(at) is not None:
            yield at
            at = file.end_of(at)
            continue
        length = struct.unpack_from("<I", file.data, at + 8)[0]
        if file.data[at:at + 4] != b"SREC":
            name, detail = "garbage", None
        elif length > left - 16:
            name, detail = "short_record", length
        else:
            name, detail = "bad_checksum", struct.unpack_from("<I", file.data, at + 4)[0]
        go_on = next_place(file, directories, at, name)
        damaged.append(at)
        defects.append((name, at, go_on - at if detail is None else detail))
        at = go_on


class State:
    """What the records so far have defined."""

    def __init__(self):
        self.symbols = {0: ""}
        self.topologies, self.templates = {}, {}
        self.raw = {b"TOPO": {}, b"TMPL": {}}
        self.ids = {kind: set() for kind in ("track", "clock", "process", "metric", "stack")}
        self.frames = {}
        self.last_frame = None
        self.meta = None


def first_over(indices, limit):
    return next((i for i in indices if i is not None and i >= limit), None)


def check_topology(record):
    """The refusals of a topology: (name, detail) or None."""
    passes, resources = len(record["passes"]), len(record["resources"])
    scopes = len(record["scopes"])
    bad = next((s["parent"] for i, s in enumerate(record["scopes"])
                if s["parent"] is not None and s["parent"] >= i), None)
    for item in record["passes"]:
        bad = bad if bad is not None else first_over([item["scope"]], scopes)
    references = [r["producer"] for r in record["resources"]]
    references += [g["owner"] for g in record["gpu_passes"]]
    references += [index for e in record["edges"] for index in (e["from"], e["to"])]
    bad = bad if bad is not None else first_over(references, passes)
    if bad is not None:
        return "pass_range", bad
    used = [i for p in record["passes"] for key in ("reads", "writes", "creates") for i in p[key]]
    bad = first_over(used, resources)
    return ("resource_range", bad) if bad is not None else None


def check_frame(record, topology, has_topology):
    """The refusals of a frame's passes, and the topology's part of its GPU passes filled in."""
    if record["passes"] is None:
        return None
    known = not has_topology or topology is not None
    lists = topology or {"passes": [], "gpu_passes": [], "resources": []}
    bad = None
    if known:
        bad = first_over([p["graph_pass"] for p in record["passes"]], len(lists["passes"]))
    resources = []
    for index, item in enumerate(record["gpu_passes"]):
        limits = [(item["submission"], len(record["submissions"])), (item["parent"], index),
                  (item["logical"], len(record["gpu_passes"]))]
        if known:
            limits = [(item["gpu_pass"], len(lists["gpu_passes"])),
                      (item.get("graph_pass"), len(lists["passes"]))] + limits
            resources += [a["resource"] for a in item["attachments"]]
        for value, limit in limits:
            if bad is None and value is not None and value >= limit:
                bad = value
    if bad is not None:
        return "pass_range", bad
    bad = first_over(resources, len(lists["resources"]))
    if bad is not None:
        return "resource_range", bad
    full = []
    for item in record["gpu_passes"]:
        item = dict(item)
        if item["gpu_pass"] is not None:
            given = topology["gpu_passes"][item["gpu_pass"]] if topology else \
                {"owner": None, "kind": 0, "label": 0}
            item.update(graph_pass=given["owner"], kind=given["kind"], label=given["label"])
        full.append(item)
    record["gpu_passes"] = full
    return None


def check_gpu_times(record, state):
    instances = [s["instance"] for key in ("spans", "statistics", "resolved") for s in record[key]]
    bad = first_over(instances, record["instance_count"])
    if bad is not None:
        return "pass_range", bad
    expected = state.frames.get(record["frame"])
    if expected is not None and expected != record["instance_count"]:
        return "instance_mismatch", record["instance_count"]
    return None


def check_order(kind, record):
    if kind == b"SPAN":
        keys = [(s["begin_ticks"], -s["end_ticks"]) for s in record["spans"]]
    elif kind == b"DEPS":
        keys = [tuple(d[end][key] for end in ("from", "to") for key in ("kind", "a", "b"))
                for d in record["dependencies"]]
    else:
        return None
    bad = next((i for i in range(1, len(keys)) if keys[i] < keys[i - 1]), None)
    return ("bad_order", bad) if bad is not None else None


def check_changed(kind, record, payload, state):
    if kind not in state.raw:
        return None
    before = state.raw[kind].setdefault(record["id"], payload)
    if before != payload:
        return {b"TOPO": "topology_changed", b"TMPL": "template_changed"}[kind], record["id"]
    return None


USED_ALL_THE_SAME = ("symbol", "topology", "template", "track", "clock", "process", "metric",
                     "stack", "frame")


def unknown_things(kind, record, uses, state):
    """Defects of a record that is used all the same: one per kind, the first in field order."""
    first = {}

    def missing(what, value):
        first.setdefault(what, value)

    for what, value in uses:
        known = state.symbols if what == "symbol" else state.ids[what]
        if value not in known:
            missing(what, value)
    if kind == b"FRAM":
        if record["topology"] is not None and record["topology"] not in state.topologies:
            missing("topology", record["topology"])
        if record["template"] is not None and record["template"] not in state.templates:
            missing("template", record["template"])
        if state.last_frame is not None and record["frame"] <= state.last_frame:
            missing("order", record["frame"])
    if kind == b"GSPN" and record["frame"] not in state.frames:
        missing("frame", record["frame"])
    if kind == b"STAK":
        stated = set(state.ids["stack"])
        for entry in record["stacks"]:
            if entry["parent"] is not None and entry["parent"] not in stated:
                missing("stack", entry["parent"])
            stated.add(entry["id"])
    out = [(what + "_unknown", first[what]) for what in USED_ALL_THE_SAME if what in first]
    return out + [("frame_order", first["order"])] if "order" in first else out


def learn(kind, record, state):
    """What the record defines for those after it; SYMS was learned while it was checked."""
    if kind == b"META":
        state.meta = state.meta or record
    elif kind == b"TOPO":
        state.topologies.setdefault(record["id"], record)
    elif kind == b"TMPL":
        state.templates.setdefault(record["id"], record)
    elif kind == b"CKPT":
        state.templates.clear()
        state.raw[b"TMPL"].clear()
    elif kind == b"TRAK":
        state.ids["track"].add(record["id"])
    elif kind == b"CLKS":
        state.ids["clock"].add(record["id"])
    elif kind == b"PROC":
        state.ids["process"].add(record["id"])
    elif kind == b"MDEF":
        state.ids["metric"].add(record["id"])
    elif kind == b"STAK":
        state.ids["stack"].update(entry["id"] for entry in record["stacks"])
    elif kind == b"FRAM":
        passes = record["gpu_passes"]
        state.frames[record["frame"]] = None if passes is None else len(passes)
        state.last_frame = record["frame"]


def read_record(kind, payload, state):
    """(record or None when it is not used, [(defect, detail)])."""
    cursor = Cursor(payload)
    out_of_list = None
    try:
        if kind == b"FRAM":
            record, out_of_list = sgpt_payloads.fram(cursor, state.templates)
        else:
            record = sgpt_payloads.DECODERS[kind](cursor)
    except Malformed:
        return None, [("bad_payload", fourcc(kind))]
    if kind == b"META" and state.meta is not None:
        return None, [("meta_repeated", 0)]
    refused = ("pass_range", out_of_list) if out_of_list is not None else None
    if kind == b"TOPO":
        refused = check_topology(record)
    elif kind == b"FRAM" and refused is None:
        topology = state.topologies.get(record["topology"])
        refused = check_frame(record, topology, record["topology"] is not None)
    elif kind == b"GSPN":
        refused = check_gpu_times(record, state)
    refused = refused or check_order(kind, record) or check_changed(kind, record, payload, state)
    if refused is not None:
        return None, [refused]
    defects = []
    if kind == b"SYMS":
        changed = [s["id"] for s in record["symbols"]
                   if state.symbols.setdefault(s["id"], s["text"]) != s["text"]]
        defects += [("symbol_changed", changed[0])] if changed else []
    defects += unknown_things(kind, record, cursor.uses, state)
    learn(kind, record, state)
    return record, defects


def check_directory(directory, taken, damaged):
    """directory_mismatch when the directory lists other records than those that were read."""
    start = directory["section_offset"]
    if any(start <= at < directory["self_offset"] for at in damaged):
        return []
    found = [(at, fourcc(kind), length) for at, kind, length in taken if at >= start]
    listed = [(e["offset"], e["type"], e["length"]) for e in directory["records"]]
    if found == listed:
        return []
    differing = (i for i, (x, y) in enumerate(zip(found, listed)) if x != y)
    return [("directory_mismatch", next(differing, min(len(found), len(listed))))]


class Capture:
    """header, directories, records [(offset, length, type, fields)] of those used, defects."""

    def __init__(self, data):
        self.file = File(data)
        self.header = read_header(data)
        self.defects = []
        self.directories = find_directories(self.file, self.header, self.defects)
        self.state = State()
        self.records, self.skipped = [], 0
        self.intact = []  # (offset, type, payload) of all records, refused ones included
        taken, damaged = [], []
        for at in walk(self.file, self.directories, self.defects, damaged):
            kind, length = data[at + 4:at + 8], self.file.length_at(at)
            if not taken and kind != b"META":
                self.defects.append(("meta_missing", at, fourcc(kind)))
            self._take(at, kind, length, taken, damaged)
            taken.append((at, kind, length))
            self.intact.append((at, kind, self.file.payload(at)))

    def _take(self, at, kind, length, taken, damaged):
        if kind not in sgpt_payloads.KNOWN:
            self.skipped += 1
            self.records.append((at, length, kind, None))
            return
        if kind == b"DIRE":
            record = read_directory(self.file, at)
            found = [("bad_payload", fourcc(kind))] if record is None else \
                check_directory(record, taken, damaged)
        else:
            record, found = read_record(kind, self.file.payload(at), self.state)
        self.defects += [(name, at, detail) for name, detail in found]
        if record is not None:
            self.records.append((at, length, kind, record))
