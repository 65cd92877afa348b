# SPDX-License-Identifier: MIT
"""Sections 4 to 8 of docs/FORMAT.md: one function per record type, from payload to plain values.

Each takes a Cursor and gives a dictionary whose keys are the field names of the text.
"""

from sgpt_bytes import MASK64, NONE32, Malformed, signed64


def syms(c):
    symbols = c.list_of(lambda: {"id": c.u32(), "text": c.text()})
    if any(s["id"] == 0 and s["text"] != "" for s in symbols):
        raise Malformed
    return {"symbols": symbols}


def meta(c):
    out = {"session_hi": c.fix64(), "session_lo": c.fix64(), "start_wall_ns": c.i64(),
           "level": c.u32(), "development": c.u32()}
    for key in ("producer", "program", "note", "engine_version", "engine_revision", "build_flags",
                "adapter_vendor", "adapter_architecture", "adapter_device", "adapter_description",
                "driver", "driver_version", "api", "os"):
        out[key] = c.text()
    out["features"] = c.list_of(c.text)
    out["limits"] = c.list_of(lambda: {"name": c.text(), "value": c.u64()})
    out["settings"] = c.list_of(lambda: {"key": c.text(), "value": c.text()})
    return out


def clks(c):
    out = {"id": c.u32(), "kind": c.u32(), "domain": c.u32(), "host_clock": c.maybe_clock(),
           "name": c.sym(), "reason": c.sym(), "period_num": c.u64(), "period_den": c.u64(),
           "valid_bits": c.u32(), "first_reading": c.u64()}
    out["readings"] = c.list_of(
        lambda: {"ticks": c.u64(), "host_ticks": c.u64(), "deviation_ns": c.u64()})
    return out


def proc(c):
    return {"id": c.u32(), "os_id": c.opt64(), "name": c.sym(), "sort": c.i64()}


def trak(c):
    return {"id": c.u32(), "kind": c.u32(), "process": c.use("process", c.opt32()),
            "parent": c.maybe_track(), "clock": c.maybe_clock(), "name": c.sym(),
            "os_id": c.opt64(), "queue_flags": c.u32(), "sort": c.i64()}


def pipe(c):
    return {"label": c.sym(), "kind": c.u32(), "shader_module": c.sym(), "entry_point": c.sym(),
            "workgroup_x": c.u32(), "workgroup_y": c.u32(), "workgroup_z": c.u32(),
            "vertex_layout_hash": c.fix64()}


def _resource(c):
    out = {"id": c.u64(), "name": c.sym(), "version": c.u32(), "flags": c.u32(),
           "producer": c.opt32(), "kind": c.u32(), "usage": c.u64(), "footprint_bytes": c.opt64()}
    for key in ("size_bytes", "clear_offset", "clear_bytes"):
        out[key] = c.u64() if out["kind"] == 1 else 0
    for key in ("format", "dimension", "width", "height", "depth", "mip_count", "layer_count",
                "sample_count"):
        out[key] = c.u32() if out["kind"] == 2 else 0
    return out


def topo(c):
    out = {"id": c.u32(), "hash": c.fix64(), "name": c.sym()}
    out["scopes"] = c.list_of(lambda: {"name": c.sym(), "parent": c.opt32()})
    out["passes"] = c.list_of(
        lambda: {"id": c.u64(), "name": c.sym(), "scope": c.opt32(), "flags": c.u32(),
                 "reads": c.list_of(c.u32), "writes": c.list_of(c.u32),
                 "creates": c.list_of(c.u32)})
    out["resources"] = c.list_of(lambda: _resource(c))
    out["gpu_passes"] = c.list_of(
        lambda: {"owner": c.opt32(), "kind": c.u32(), "label": c.sym()})
    out["edges"] = c.list_of(lambda: {"from": c.u32(), "to": c.u32()})
    return out


def _pass_shape(c):
    return {"graph_pass": c.u32(), "flags": c.u32(), "ref_count": c.u32(),
            "track": c.maybe_track()}


def _binding(c):
    return {"set": c.u32(), "slot": c.u32(), "element": c.u32(), "kind": c.u32(),
            "resource": c.u64(), "name": c.sym(), "offset": c.u64(), "size_bytes": c.opt64()}


def _work(c):
    out = {"kind": c.u32(), "repeat": c.u32(), "pipeline": c.sym(), "x": c.u64(), "y": c.u32(),
           "z": c.u32()}
    for key in ("workgroup_x", "workgroup_y", "workgroup_z"):
        out[key] = c.u32() if out["kind"] in (6, 7) else 0
    indirect = out["kind"] in (2, 3, 4, 5, 7)
    for key, read in (("buffer", c.u64), ("offset", c.u64), ("draw_count", c.u32),
                      ("stride_bytes", c.u32)):
        out[key] = read() if indirect else 0
    out["bindings"] = c.list_of(lambda: _binding(c))
    return out


def _attachment(c):
    out = {key: c.u32() for key in ("kind", "format", "load", "store", "sample_count", "width",
                                    "height")}
    out["resource"] = c.opt32()
    return out


def _gpu_pass_shape(c):
    out = {"gpu_pass": c.opt32()}
    if out["gpu_pass"] is None:
        out.update(graph_pass=c.opt32(), kind=c.u32(), label=c.sym())
    out.update(track=c.maybe_track(), submission=c.opt32(), parent=c.opt32(), logical=c.opt32(),
               fragment=c.u32())
    out["attachments"] = c.list_of(lambda: _attachment(c))
    out["works"] = c.list_of(lambda: _work(c))
    return out


def tmpl(c):
    return {"id": c.u32(), "passes": c.list_of(lambda: _pass_shape(c)),
            "gpu_passes": c.list_of(lambda: _gpu_pass_shape(c))}


class OutOfRange(Exception):
    """An index is outside of its list: `name` of the defect, `detail` is the index."""

    def __init__(self, name, detail):
        super().__init__(name)
        self.name = name
        self.detail = detail


def _replace(c, shapes, shape):
    """A list of changed entries over the template's: the index is a gap after the one before.

    Decodes everything before it complains: an index out of range is a later refusal than a
    payload that cannot be decoded.
    """
    shapes = list(shapes)
    index = -1
    bad = None
    for gap, changed in c.list_of(lambda: (c.u32(), shape(c))):
        index += 1 + gap
        if index >= len(shapes):
            bad = index if bad is None else bad
        else:
            shapes[index] = changed
    return shapes, bad


def fram(c, templates):
    """The CPU side. `templates` maps ids to TMPL payloads; gives (frame, index out of range).

    Without templates only what is in front of the template's number is read.
    """
    out = {"frame": c.u64(), "topology": c.opt32(), "level": c.u32(), "clock": c.clock(),
           "track": c.maybe_track(), "begin_ticks": c.fix64()}
    begin = out["begin_ticks"]
    out["end_ticks"] = c.unsigned_delta(begin)
    known = c.u32()
    out["submit_ticks"] = c.delta(begin) if known & 1 else None
    out["wait_ticks"] = c.u64() if known & 2 else None
    out["present_wait_ticks"] = c.u64() if known & 4 else None
    out["recorder_ns"] = c.u64() if known & 8 else None
    pair = lambda: {"id": c.u64(), "value": c.u64()}
    out["submissions"] = c.list_of(
        lambda: {"track": c.maybe_track(), "submit_ticks": c.delta(begin),
                 "waits": c.list_of(pair), "signals": c.list_of(pair)})
    out["counters"] = c.list_of(
        lambda: {"name": c.sym(), "unit": c.sym(), "value": c.value()})
    out["drops"] = c.list_of(lambda: {"reason": c.u32(), "count": c.u64()})
    if templates is None:
        return out, None
    out["template"] = c.opt32()
    out["passes"] = out["gpu_passes"] = []
    if out["template"] is None:
        return out, None
    template = templates.get(out["template"])
    if template is None:
        out["passes"] = out["gpu_passes"] = None
        return out, None
    passes, bad = _replace(c, template["passes"], _pass_shape)
    out["gpu_passes"], bad_gpu = _replace(c, template["gpu_passes"], _gpu_pass_shape)
    out["passes"] = []
    at = begin
    for shape in passes:
        item = dict(shape, begin_ticks=0, end_ticks=0)
        if shape["flags"] & 2:
            item["begin_ticks"] = c.delta(at)
            item["end_ticks"] = at = c.unsigned_delta(item["begin_ticks"])
        out["passes"].append(item)
    return out, bad if bad is not None else bad_gpu


def gspn(c):
    out = {"frame": c.u64(), "clock": c.clock(), "flags": c.u32(), "instance_count": c.u32(),
           "epoch_ticks": c.fix64(), "latency_ns": c.opt64()}
    layout = c.u32()
    count = c.u32()
    if layout > 1 or count > c.left():
        raise Malformed
    shared_origin = c.u32() if layout == 1 else None
    out["spans"] = []
    expected, at = 0, out["epoch_ticks"]
    for i in range(count):
        if layout == 1:
            span = {"instance": i, "status": 0, "origin": shared_origin}
        else:
            # Instances are 32-bit numbers; a delta that leads elsewhere cannot be decoded.
            instance = expected + c.i64()
            if not 0 <= instance <= NONE32:
                raise Malformed
            span = {"instance": instance, "status": c.u32(), "origin": c.u32()}
        expected = span["instance"] + 1
        begin = end = 0
        if span["status"] in (0, 3, 5):
            begin = at = c.delta(at)
        if span["status"] == 0:
            end = at = c.unsigned_delta(begin)
        elif span["status"] == 5:
            end = at = c.delta(begin)
        span.update(begin_ticks=begin, end_ticks=end)
        out["spans"].append(span)

    def statistics():
        item = {"instance": c.u32(), "mask": c.u32()}
        item["values"] = [c.u64() for _ in range(bin(item["mask"]).count("1"))]
        return item

    out["statistics"] = c.list_of(statistics)
    out["resolved"] = c.list_of(
        lambda: {"instance": c.u32(), "work": c.u32(), "draw": c.u32(), "x": c.u64(),
                 "y": c.u32(), "z": c.u32()})
    return out


def note(c):
    return {"frame": c.opt64(), "clock": c.maybe_clock(), "ticks": c.i64(), "category": c.sym(),
            "text": c.text()}


def lost(c):
    return {"frame": c.opt64(), "clock": c.maybe_clock(), "ticks": c.u64(), "reason": c.text(),
            "open": c.list_of(lambda: {"frame": c.u64(), "instance": c.u32()})}


def span(c):
    out = {"id": c.u32(), "track": c.track(), "clock": c.clock(),
           "first_ticks": signed64(c.fix64()), "last_ticks": signed64(c.fix64())}
    count, columns = c.u32(), c.u32()
    if not 1 <= count <= 65536 or count > c.left():
        raise Malformed
    begins, at = [], out["first_ticks"]
    for _ in range(count):
        at += c.u64()
        begins.append(at)
    ends = [begin + c.u64() for begin in begins]
    column = lambda bit, read, absent: [read() if columns & bit else absent for _ in range(count)]
    depths = column(1, c.u32, 0)
    names = [c.sym() for _ in range(count)]
    categories = column(2, c.sym, 0)
    flags = column(4, c.u32, 0)
    frames = column(8, c.opt64, None)
    objects = column(16, c.opt64, None)
    values = column(32, c.i64, 0)
    fits = all(-2**63 <= t < 2**63 for t in begins + ends)
    if not fits or begins[0] != out["first_ticks"] or max(ends) != out["last_ticks"]:
        raise Malformed
    out["spans"] = [
        {"begin_ticks": b, "end_ticks": e, "depth": d, "name": n, "category": k, "flags": f,
         "frame": r, "object": o, "value": v}
        for b, e, d, n, k, f, r, o, v in zip(begins, ends, depths, names, categories, flags,
                                             frames, objects, values)]
    return out


def deps(c):
    kind = a = b = 0
    out = []
    count = c.u32()
    if count > c.left():
        raise Malformed
    for _ in range(count):
        kind_step, a_step, b_step = c.u64(), c.u64(), c.u64()
        b = b_step + (b if kind_step == 0 and a_step == 0 else 0)
        a = a_step + (a if kind_step == 0 else 0)
        kind += kind_step
        if kind > NONE32 or a > MASK64 or b > MASK64:
            raise Malformed
        out.append({"from": {"kind": kind, "a": a, "b": b},
                    "to": {"kind": c.u32(), "a": c.delta(a), "b": c.delta(b)},
                    "family": c.u32(), "flags": c.u32(), "name": c.sym()})
    return {"dependencies": out}


def args(c):
    return {"lists": c.list_of(
        lambda: {"owner": c.ref(),
                 "arguments": c.list_of(lambda: {"key": c.sym(), "value": c.value()})})}


def stak(c):
    return {"stacks": c.list_of(
        lambda: {"id": c.u32(), "parent": c.opt32(), "function": c.sym(), "file": c.sym(),
                 "module": c.sym(), "line": c.u32(), "address": c.u64()})}


def _stepped(c, item):
    """A list whose entries begin with a delta to the ticks before; ticks are signed here."""
    at = 0

    def one():
        nonlocal at
        at = c.delta(at)
        return dict({"ticks": signed64(at)}, **item())

    return c.list_of(one)


def smpl(c):
    out = {"track": c.track(), "clock": c.clock(), "unit": c.sym()}
    out["samples"] = _stepped(
        c, lambda: {"stack": c.use("stack", c.opt32()), "weight": c.u64()})
    return out


def mdef(c):
    return {"id": c.u32(), "kind": c.u32(), "track": c.maybe_track(), "name": c.sym(),
            "unit": c.sym(), "description": c.sym(), "accuracy": c.u32() if c.left() else 0}


def msmp(c):
    out = {"metric": c.use("metric", c.u32()), "clock": c.clock()}
    out["samples"] = _stepped(c, lambda: {"value": c.value()})
    return out


def revt(c):
    out = {"clock": c.clock()}
    out["events"] = _stepped(
        c, lambda: {"kind": c.u32(), "resource": c.u64(), "frame": c.opt64(), "name": c.sym(),
                    "type": c.sym(), "heap": c.opt32(), "size_bytes": c.opt64()})
    keys = ("event", "format", "width", "height", "depth", "mip_count", "layer_count", "accuracy")
    detail = lambda: {key: c.u32() for key in keys}
    out["details"] = c.list_of(detail) if c.left() else []
    named = [item["event"] for item in out["details"]]
    if named != sorted(set(named)) or any(event >= len(out["events"]) for event in named):
        raise Malformed
    return out


def zraw(c):
    out = {"track": c.use("track", c.fix32()), "clock": c.use("clock", c.fix32()),
           "first_sequence": c.fix64(), "dropped_count": c.fix64()}
    count, size = c.fix32(), c.fix32()
    c.raw(16)
    if size < 24 or count * size > c.left():
        raise Malformed
    out["event_size"] = size
    out["events"] = []
    for _ in range(count):
        event = {"ticks": c.fix64(), "symbol": c.fix32(), "kind": c.fix16(), "depth": c.fix16(),
                 "value": c.fix64()}
        if event["kind"] != 0:
            c.use("symbol", event["symbol"])
        out["events"].append(event)
        c.raw(size - 24)
    return out


def cntr(c):
    return {"counters": c.list_of(
        lambda: {"name": c.sym(), "unit": c.sym(), "count": c.u64(), "minimum": c.f64(),
                 "maximum": c.f64(), "last": c.f64()})}


def summ(c):
    out = {key: c.u64() for key in ("frame_count", "gpu_frame_count", "recorder_ns",
                                    "recorded_cpu_ns", "write_ns", "growth_count",
                                    "memory_peak_bytes")}
    out["drops"] = c.list_of(lambda: {"reason": c.u32(), "count": c.u64()})
    return out


def conv(c):
    out = {"format": c.text(), "version": c.u32(), "level": c.opt32(), "clock": c.clock(),
           "other_events": c.u64()}
    out["metas"] = c.list_of(lambda: {"key": c.text(), "value": c.text()})
    for key in ("losses", "skipped"):
        out[key] = c.list_of(lambda: {"name": c.text(), "value": c.u64()})
    out["repairs"] = c.list_of(
        lambda: {"kind": c.text(), "count": c.u64(), "first_offset": c.opt64()})
    out["frames"] = c.list_of(
        lambda: {"frame": c.u64(), "begin_ticks": c.i64(), "end_ticks": c.i64(),
                 "submit_ticks": c.i64(), "flags": c.u32(), "level": c.u32(),
                 "track": c.maybe_track(), "dropped": c.u32(), "missing": c.u32(),
                 "recorder_ns": c.i64(), "latency_ns": c.i64(), "wait_ns": c.i64(),
                 "present_wait_ns": c.i64()})
    return out


def rows(c):
    return {"block": c.u32(), "runs": c.list_of(
        lambda: {"count": c.u32(), "classes": c.u32(), "status": c.u32()}),
            "parents": c.list_of(lambda: {"index": c.u32(), "parent": c.opt32()})}


def mark(c):
    return {"clock": c.clock(), "marks": c.list_of(
        lambda: {"ticks": c.i64(), "track": c.maybe_track(), "name": c.sym(),
                 "category": c.sym(), "flags": c.u32(), "frame": c.opt64(), "value": c.i64()})}


def argt(c):
    argument = lambda: {"key": c.sym(), "depth": c.u32(), "kind": c.u32(), "quality": c.u32(),
                        "value": c.value()}
    return {"trees": c.list_of(lambda: {"owner": c.ref(), "arguments": c.list_of(argument)})}


def ckpt(c):
    return {"ordinal": c.u32(), "session_hi": c.fix64(), "session_lo": c.fix64(),
            "frame_count": c.u64(), "record_count": c.u64()}


def dire(c):
    """Fixed widths; whether it is valid where it stands is for the reader to say."""
    out = {"self_offset": c.fix64(), "previous_offset": c.fix64(), "session_lo": c.fix64(),
           "flags": c.fix32()}
    record_count, frame_count = c.fix32(), c.fix32()
    c.fix32()
    out["section_offset"] = c.fix64()
    if record_count * 16 + frame_count * 40 > c.left():
        raise Malformed
    out["records"] = [{"type": c.fix32(), "length": c.fix32(), "offset": c.fix64()}
                      for _ in range(record_count)]
    out["frames"] = [{"frame": c.fix64(), "offset": c.fix64(), "gpu_ns": c.fix64(),
                      "cpu_ns": c.fix64(), "dropped": c.fix32(), "flags": c.fix32()}
                     for _ in range(frame_count)]
    return out


DECODERS = {b"SYMS": syms, b"META": meta, b"CLKS": clks, b"PROC": proc, b"TRAK": trak,
            b"PIPE": pipe, b"TOPO": topo, b"TMPL": tmpl, b"GSPN": gspn, b"NOTE": note,
            b"LOST": lost, b"SPAN": span, b"DEPS": deps, b"ARGS": args, b"STAK": stak,
            b"SMPL": smpl, b"MDEF": mdef, b"MSMP": msmp, b"REVT": revt, b"ZRAW": zraw, b"CONV": conv,
            b"ROWS": rows, b"MARK": mark, b"ARGT": argt,
            b"CNTR": cntr, b"SUMM": summ, b"CKPT": ckpt, b"DIRE": dire}

# A frame cannot be decoded without its template: fram() takes more than the payload.
KNOWN = set(DECODERS) | {b"FRAM"}
