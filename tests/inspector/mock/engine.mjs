// SPDX-License-Identifier: MIT
/* Answers the view protocol over the invented trace: enough of docs/PROTOCOL.md for the page, written apart from it. */

import { amendAnswer, compareAnswer } from './compare.mjs';
import { addDiagnostics, countersAnswer, instantsAnswer, lossesAnswer, metricsAnswer, objectsAnswer, THREADS } from './diagnostics.mjs';
import { eventsAnswer, largeGraphAnswer } from './events.mjs';
import { passIndex, structureAnswer, topologiesAnswer } from './graph.mjs';
import { groupScoresAnswer, rowScoresAnswer, taskAnswer } from './tasks.mjs';
import { makeTrace, BASE_NS } from './trace.mjs';

const NONE = 0xffffffff;
const encoder = new TextEncoder();
const aligned = (size) => (size + 7) & ~7;

const bytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
export const u8 = (tag, values) => ({ tag, type: 1, count: values.length, bytes: Uint8Array.from(values) });
export const u16 = (tag, values) => ({ tag, type: 2, count: values.length, bytes: bytes(Uint16Array.from(values)) });
export const u32 = (tag, values) => ({ tag, type: 3, count: values.length, bytes: bytes(Uint32Array.from(values)) });
export const u64 = (tag, values) => ({ tag, type: 4, count: values.length, bytes: bytes(BigUint64Array.from(values, (v) => BigInt.asUintN(64, BigInt(v)))) });
export const i64 = (tag, values) => ({ tag, type: 5, count: values.length, bytes: bytes(BigInt64Array.from(values, BigInt)) });
export const f64 = (tag, values) => ({ tag, type: 6, count: values.length, bytes: bytes(Float64Array.from(values)) });
export const text = (tag, value) => ({ tag, type: 7, count: encoder.encode(value).length, bytes: encoder.encode(value) });
export function texts(tag, values) {
    const parts = values.map((value) => encoder.encode(value));
    const offsets = new Uint32Array(values.length + 1);
    parts.forEach((part, i) => { offsets[i + 1] = offsets[i] + part.length; });
    const all = new Uint8Array(offsets.byteLength + offsets[values.length]);
    all.set(bytes(offsets));
    parts.forEach((part, i) => all.set(part, offsets.byteLength + offsets[i]));
    return { tag, type: 8, count: values.length, bytes: all };
}

export function writeReply(request, sections, header = {}) {
    const size = 48 + 16 * sections.length + sections.reduce((sum, section) => sum + aligned(section.bytes.length), 0);
    const out = new Uint8Array(size);
    const view = new DataView(out.buffer);
    view.setUint32(0, 0x52564746, true);
    view.setUint16(4, 1, true);
    view.setUint16(6, request.kind, true);
    view.setUint32(8, size, true);
    view.setUint16(12, sections.length, true);
    view.setUint16(14, header.flags ?? 0, true);
    view.setUint32(16, request.id, true);
    view.setUint32(24, request.trace, true);
    view.setUint32(32, header.names ?? request.names, true);
    view.setUint32(36, header.status ?? 0, true);
    let at = 48 + 16 * sections.length;
    sections.forEach((section, i) => {
        view.setUint16(48 + 16 * i, section.tag, true);
        view.setUint8(50 + 16 * i, section.type);
        view.setUint32(52 + 16 * i, section.count, true);
        view.setUint32(56 + 16 * i, at, true);
        view.setUint32(60 + 16 * i, section.bytes.length, true);
        out.set(section.bytes, at);
        at += aligned(section.bytes.length);
    });
    return out;
}

function readTexts(raw, count) {
    const offsets = new Uint32Array(raw.buffer, 0, count + 1);
    return Array.from({ length: count }, (_, i) => new TextDecoder().decode(raw.slice(offsets.byteLength + offsets[i], offsets.byteLength + offsets[i + 1])));
}

export function readRequests(buffer) {
    const list = [];
    const copy = new Uint8Array(buffer).slice();
    const view = new DataView(copy.buffer);
    for (let at = 0; at < copy.length;) {
        const size = view.getUint32(at + 8, true);
        const sections = new Map();
        for (let i = 0; i < view.getUint16(at + 12, true); i++) {
            const entry = at + 48 + 16 * i;
            const [type, count, offset, length] = [view.getUint8(entry + 2), view.getUint32(entry + 4, true), view.getUint32(entry + 8, true), view.getUint32(entry + 12, true)];
            const raw = copy.slice(at + offset, at + offset + length);
            sections.set(view.getUint16(entry, true), type === 3 ? [...new Uint32Array(raw.buffer)] : type === 5 ? [...new BigInt64Array(raw.buffer)]
                : type === 7 ? new TextDecoder().decode(raw) : type === 8 ? readTexts(raw, count) : [...raw.slice(0, count)]);
        }
        list.push({ kind: view.getUint16(at + 6, true), id: view.getUint32(at + 16, true), trace: view.getUint32(at + 24, true), names: view.getUint32(at + 32, true), sections });
        at += size;
    }
    return list;
}

/** In front of every name where names are to look like markup. */
export const MARKUP = '<img src=x onerror="window.injected = 1">&amp;';

/** @param {{ nominal?: boolean, damaged?: boolean, level?: number, noMemory?: boolean, loadPolls?: number, unanswered?: number, markup?: boolean, files?: number, largeGraph?: boolean, noGraph?: boolean, diagnostics?: boolean, manyMarkers?: boolean, kinds?: number[], held?: boolean }} options kinds: those that it says it answers, of more than every engine does; held: tasks do not end until it is not; unanswered: a lane; diagnostics: the program says of itself what it does; files: how many were opened */
export function makeEngine(options = {}) {
    const trace = makeTrace();
    const threads = options.diagnostics ? THREADS : [];
    if (options.diagnostics) {
        addDiagnostics(trace, options);
    } else {
        const samples = trace.frames.map((frame, i) => ({ at: frame.start, value: 380e6 + 132e6 * Math.abs(Math.sin(i / 9)) }));
        Object.assign(trace, { instants: [], losses: [], objects: [], metrics: [{ name: 'GPU memory', unit: 'bytes', kind: 255, accuracy: 255, counter: 0, float: true, samples }] });
    }
    const filters = [null];
    const domain = options.nominal ? 2 : 1;
    const bound = options.nominal ? -1n : 2731n;
    const absolute = (ns) => BASE_NS + BigInt(Math.round(ns));
    const relative = (ns) => Number(ns - BASE_NS);
    const nameOf = (span) => trace.names[span.name];
    let polls = options.loadPolls ?? 0;

    const shown = (list) => (options.markup ? list.map((name) => (name === '' ? '' : MARKUP + name)) : list);
    const files = Array.from({ length: options.files ?? 1 }, (_, i) => i + 1);
    const tracesTable = (state, wanted = files) => {
        const each = (value) => wanted.map(() => value);
        return [u32(0x0240, wanted), u8(0x0241, each(state)), texts(0x0242, shown(wanted.map((file) => (file === 1 ? 'invented.sgpt' : `invented ${file}.sgpt`)))), texts(0x0243, each('sgpt')), texts(0x0244, each('')),
            u64(0x0245, each(1234567)), u64(0x0246, each(3 - polls)), u64(0x0247, each(4)), u64(0x0248, each(1)), texts(0x0249, each('')), u32(0x024a, each(0)), u32(0x024b, each(trace.frames.length)), u8(0x024c, each(0))];
    };
    const frameColumns = (base) => [u64(base, trace.frames.map((_, i) => i)), i64(base + 1, trace.frames.map((frame) => absolute(frame.start)))];
    const passes = (request) => {
        const filter = filters[request.sections.get(0x0705)?.[0] ?? 0];
        return filter ? (span) => filter(span) : () => true;
    };

    const view = (request) => {
        const [t0, t1] = request.sections.get(0x0701).map(relative);
        const width = request.sections.get(0x0702)[0];
        const wanted = [...(request.sections.get(0x0703) ?? []).map((id) => [id, false]), ...(request.sections.get(0x0704) ?? []).map((id) => [id, true])];
        const pass = passes(request);
        const level = Math.max(0, Math.floor(Math.log2((t1 - t0) / width)));
        const binNs = 2 ** level;
        const origin = (BASE_NS + BigInt(t0)) >> BigInt(level);
        const originNs = Number((origin << BigInt(level)) - BASE_NS);
        const spans = [];
        const bins = [];
        const [modes, spanEnds, binEnds] = [[], [0], [0]];
        for (const [id, group] of wanted) {
            const list = trace.spans.filter((span) => (group ? span.track === id : span.lane === id) && pass(span)
                && (span.begin < t1 && span.end > t0 || span.begin === span.end && span.begin >= t0 && span.begin < t1)).sort((a, b) => a.begin - b.begin || a.row - b.row);
            const exact = list.length < width / 6;
            const readable = exact ? list : list.filter((span) => (span.end - span.begin) * width / (t1 - t0) >= 24);
            spans.push(...readable);
            if (!exact) {
                const found = new Map();
                for (const span of list) {
                    const from = Math.max(0, Math.floor((span.begin - originNs) / binNs));
                    const to = Math.min(Math.floor((t1 - originNs) / binNs), Math.max(from, Math.ceil((span.end - originNs) / binNs) - 1));
                    for (let bin = from; bin <= to; bin++) {
                        const edge = originNs + bin * binNs;
                        const cover = Math.max(0, Math.min(span.end, edge + binNs) - Math.max(span.begin, edge));
                        const held = found.get(bin) ?? { bin, span, count: 0, cover: 0 };
                        held.span = span.end - span.begin > held.span.end - held.span.begin ? span : held.span;
                        held.count += span.begin >= edge ? 1 : 0;
                        held.cover = Math.min(binNs, held.cover + cover);
                        found.set(bin, held);
                    }
                }
                bins.push(...[...found.values()].sort((a, b) => a.bin - b.bin));
            }
            if (!group && id === options.unanswered) {
                modes.push(255);
                spans.length = spanEnds.at(-1);
                bins.length = binEnds.at(-1);
                spanEnds.push(spans.length);
                binEnds.push(bins.length);
                continue;
            }
            modes.push(exact ? 0 : list.length > width / 2 ? 2 : 1);
            spanEnds.push(spans.length);
            binEnds.push(bins.length);
        }
        return [i64(0x0740, [absolute(t0), absolute(t1)]), u32(0x0741, [level]), i64(0x0742, [origin]), u32(0x0748, wanted.map(([id]) => id)), u8(0x0749, modes),
            u32(0x074a, spanEnds), u32(0x074b, binEnds), u32(0x0750, spans.map((s) => s.row)), f64(0x0751, spans.map((s) => s.begin - t0)), f64(0x0752, spans.map((s) => s.end - t0)),
            u32(0x0753, spans.map((s) => s.name)), u32(0x0754, spans.map(() => 0)), u32(0x0755, spans.map((s) => s.flags)), u32(0x0760, bins.map((b) => b.bin)), u32(0x0767, bins.map(() => 1)), u32(0x0761, bins.map((b) => b.span.row)),
            u32(0x0762, bins.map((b) => b.span.name)), u32(0x0764, bins.map((b) => b.count)), f64(0x0765, bins.map((b) => b.cover)), u32(0x0766, bins.map(() => 0)),
            ...colouredBy(request.sections.get(0x0709)?.[0] ?? 0, spans, bins.map((b) => b.span))];
    };
    // What colours may tell, where the page asks for it.
    const colouredBy = (fields, spans, rows) => [
        ...(fields & 2 ? [u32(0x0757, spans.map((s) => s.track)), u32(0x0768, rows.map((s) => s.track))] : []),
        ...(fields & 8 ? [u32(0x0759, spans.map((s) => s.name)), u32(0x0769, rows.map((s) => s.name))] : []),
        ...(fields & 16 ? [f64(0x076a, rows.map((s) => s.end - s.begin))] : []),
    ];

    const stats = (request) => {
        const by = request.sections.get(0x0c01)?.[0] ?? 0;
        const [from, to] = request.sections.get(0x0c03) ?? [0, trace.frames.length];
        const groups = new Map();
        for (const span of trace.spans.filter((s) => s.frame >= from && s.frame < to && (by !== 1 || s.lane === 1) && (by !== 3 || s.flags & 8))) {
            // Groups never mix clocks: a pass has a row for its encoding and one for the device.
            const key = by === 2 ? span.track : 2 * span.name + (span.track < 2 ? 1 : 0);
            (groups.get(key) ?? groups.set(key, []).get(key)).push(span);
        }
        const trackNames = ['Graphics queue', 'Async compute', 'Render thread', ...threads.map((thread) => thread.name)].map((name) => trace.nameId(name));
        const rows = [...groups].map(([key, list]) => {
            const sorted = list.map((s) => s.end - s.begin).sort((a, b) => a - b);
            const total = sorted.reduce((sum, v) => sum + v, 0);
            const children = list.reduce((sum, s) => sum + trace.spans.filter((c) => c.parent === s.row).reduce((all, c) => all + c.end - c.begin, 0), 0);
            const tracks = new Set(list.map((s) => s.track));
            const longest = list.reduce((best, s) => (s.end - s.begin > best.end - best.begin ? s : best), list[0]);
            return { key, name: by === 2 ? trackNames[key] : key >> 1, clock: list[0].track < 2 ? 1 : 0, track: tracks.size === 1 ? [...tracks][0] : NONE, count: list.length, total, self: total - children, sorted, longest: longest.row,
                zeroes: sorted.filter((v) => v === 0).length };
        }).sort((a, b) => b.total - a.total);
        const rank = (sorted, p) => sorted[Math.ceil(p * sorted.length) - 1];
        const column = (tag, value) => u64(tag, rows.map((row) => value(row)));
        return [u32(0x0c40, [rows.length]), u64(0x0c41, [rows.reduce((sum, row) => sum + row.total, 0)]), u32(0x0c42, rows.map((r) => (by === 1 ? passIndex(trace.names[r.name]) : r.key))), u32(0x0c43, rows.map((r) => r.name)), u32(0x0c44, rows.map((r) => r.track)),
            u64(0x0c45, rows.map((r) => r.count)), column(0x0c46, (r) => r.total), column(0x0c47, (r) => r.self), column(0x0c48, (r) => r.total), column(0x0c49, (r) => r.sorted[0]),
            column(0x0c4a, (r) => rank(r.sorted, 0.5)), column(0x0c4b, (r) => rank(r.sorted, 0.95)), column(0x0c4c, (r) => r.sorted[r.sorted.length - 1]), u64(0x0c4f, rows.map(() => 0)), u64(0x0c50, rows.map((r) => r.zeroes)), u32(0x0c51, rows.map((r) => r.longest)), u32(0x0c52, rows.map((r) => r.clock)), u32(0x0c53, rows.map(() => 0))];
    };

    const span = (request) => {
        const found = trace.spans[request.sections.get(0x0f01)[0]];
        if (!found) {
            return null;
        }
        const gpu = found.track < 2;
        const pass = found.lane === 1 || found.lane === 4 ? passIndex(nameOf(found)) : NONE;
        const properties = gpu ? [[0, 'work', 0, 0, 0n, ''], [1, 'draws', 2, 1, 212n, ''], [1, 'draws, indirect', 6, 1, 0n, ''], [1, 'draws, indirect', 2, 2, 14n, ''], [1, 'vertices', 2, 1, 1884160n, ''], [1, 'workgroup size', 6, 0, 0n, ''],
            [0, 'pipeline', 0, 0, 0n, ''], [1, 'name', 4, 0, 0n, nameOf(found)], [0, 'attachments', 0, 0, 0n, ''], [1, 'depth', 0, 0, 0n, ''], [2, 'format', 4, 0, 0n, 'D32_SFLOAT'], [2, 'load', 4, 0, 0n, 'clear'], [2, 'store', 4, 0, 0n, 'store']] : [];
        const wait = found.lane === 1 ? trace.spans.find((s) => s.lane === 1 && s.frame === found.frame && s.end <= found.begin) : undefined;
        return [i64(0x0f40, [absolute(found.begin), absolute(found.end)]), u64(0x0f46, [found.end - found.begin - trace.spans.filter((s) => s.parent === found.row).reduce((sum, s) => sum + s.end - s.begin, 0)]),
            u32(0x0f41, [found.row, found.name, 0, found.track, found.lane, 0, found.parent ?? NONE, found.frame, pass, pass === NONE ? 0 : found.name, gpu && found.parent !== null ? trace.spans[found.parent].name : 0, trace.frames[found.frame].topology,
                pass, gpu ? 1 : NONE, NONE, gpu ? 1 : 0]),
            u32(0x0f4b, [trace.spans.filter((s) => s.parent === found.row).length]),
            u32(0x0f42, [found.flags]), u64(0x0f43, [0]), i64(0x0f44, [gpu ? bound : -1n]), u8(0x0f45, [gpu ? domain : 0]),
            u32(0x0f50, properties.map((p) => p[0])), u32(0x0f51, properties.map((p) => trace.nameId(p[1]))), u8(0x0f52, properties.map((p) => p[2])), u8(0x0f53, properties.map((p) => p[3])), u64(0x0f54, properties.map((p) => (p[2] === 4 ? trace.nameId(p[5]) : p[4]))),
            ...(wait ? [u32(0x0f60, [wait.row]), u32(0x0f61, [wait.name]), u8(0x0f62, [4]), u8(0x0f63, [options.nominal ? 0 : 1]), i64(0x0f64, [options.nominal ? 0 : found.begin - wait.end])] : [])];
    };

    const series = (request) => {
        const of = trace.spans[request.sections.get(0x1501)[0]];
        if (!of) {
            return null;
        }
        const sums = new Map();
        for (const item of trace.spans.filter((s) => s.name === of.name && s.track === of.track)) {
            sums.set(item.frame, (sums.get(item.frame) ?? 0) + item.end - item.begin);
        }
        const sorted = [...sums.values()].sort((a, b) => a - b);
        const rank = (p) => sorted[Math.ceil(p * sorted.length) - 1];
        return [u32(0x1540, [...sums.keys()]), u64(0x1541, [...sums.values()]), u32(0x1542, [...sums.keys()].map(() => 1)), u64(0x1543, [sorted[0], rank(0.5), rank(0.95), sorted[sorted.length - 1]])];
    };

    const ids = (tag, list) => u32(tag, list.map((item) => trace.nameId(item)));
    const info = () => [u64(0x0540, [trace.spans.length, 0, trace.instants.length, 1, 120, 0, 0, 0, 0, trace.names.length, 1, 4, 6, 120, 3, 2, 0, 1, 30]), i64(0x0541, [BASE_NS, absolute(trace.end), BASE_NS, absolute(trace.end)]), texts(0x0542, ['sgpt', '1.0']),
        u8(0x0543, [options.damaged ? 0 : 1, options.damaged ? 1 : 0, options.level ?? 2, 0, 1, 1]), ids(0x0544, ['gpu pass without a slot']), u64(0x0545, [3]), texts(0x0546, options.damaged ? ['directory rebuilt'] : []), u64(0x0547, options.damaged ? [1] : []),
        texts(0x0548, options.damaged ? ['record_checksum'] : []), u64(0x0549, options.damaged ? [4711] : []), ids(0x054a, options.damaged ? ['the payload does not match its checksum; the record was left out'] : []),
        u64(0x0558, [options.damaged ? 1 : 0]), ...(options.newer ? [ids(0x054b, ['XNEW']), u64(0x054c, [12])] : []), ids(0x054d, ['device', 'driver', 'resolution', 'vendor', ...(options.nominal ? ['setting.driver.hint'] : [])]),
        ids(0x054e, ['Software device', 'invented 1.0', '320x180', '', ...(options.nominal ? ['a software device: its times are made up'] : [])]), ids(0x0550, ['host', 'device']), u32(0x0551, [0, 2]), u8(0x0552, [0, domain]), i64(0x0553, [-1n, bound]),
        ids(0x0554, ['', options.nominal ? 'The driver offers no calibrated timestamps.' : '']), u64(0x0555, [1, 1, 1, 1]), u8(0x0556, [64, 36]), u32(0x0557, [0, 40]), i64(0x0559, [24000000n]), u32(0x055a, [options.noMemory ? NONE : 0, NONE])];

    const tracks = () => {
        const more = (first, value) => [...first, ...threads.map(value)];
        const lanes = threads.flatMap((thread) => thread.lanes.map((_, depth) => ({ track: thread.track, depth })));
        const names = more(['Graphics queue', 'Async compute', 'Render thread'], (thread) => thread.name).map((name) => trace.nameId(name));
        const counters = trace.metrics.filter((metric) => metric.counter !== NONE);
        return [u32(0x0640, [0]), i64(0x0641, [1]), u32(0x0642, [200]), u32(0x0648, names), u32(0x0649, more([0, 0, 0], () => 0)), u8(0x064a, more([1, 1, 0], () => 0)), u32(0x064b, more([1, 1, 0], () => 0)), u8(0x064c, more([domain, domain, 0], () => 0)), i64(0x064d, more([bound, bound, -1n], () => -1n)),
            i64(0x064e, more([0, 1, 1], () => 1)), u32(0x064f, more([0, 5, 3], (thread) => thread.lanes[0])), u32(0x0650, more([3, 1, 2], (thread) => thread.lanes.length)), u32(0x0651, more([0, 1, 2], (thread) => thread.track)),
            u32(0x0652, more([9000, 240, 2000], (thread) => trace.spans.filter((s) => s.track === thread.track).length)),
            u32(0x0658, [0, 0, 0, 2, 2, 1, ...lanes.map((lane) => lane.track)]), u32(0x0659, [0, 1, 2, 0, 1, 0, ...lanes.map((lane) => lane.depth)]), u32(0x065a, [0, 0, 0, 0, 0, 0, ...lanes.map(() => 0)]), u32(0x065b, [1, 1, 1, 1, 1, 1, ...lanes.map(() => 1)]),
            u32(0x0660, counters.map((metric) => trace.nameId(metric.name))), u32(0x0661, counters.map((metric) => trace.nameId(metric.unit))), u32(0x0662, counters.map(() => NONE)), u32(0x0663, counters.map((metric) => metric.samples.length))];
    };

    const filterCreate = (request) => {
        const needle = request.sections.get(0x0a01)?.toLowerCase();
        const names = request.sections.get(0x0a02);
        const onTracks = request.sections.get(0x0a04);
        const pass = (s) => (needle === undefined || nameOf(s).toLowerCase().includes(needle)) && (!names || names.includes(s.name)) && (!onTracks || onTracks.includes(s.track));
        return [u32(0x0a40, [filters.push(pass) - 1]), u32(0x0a41, [trace.spans.filter(pass).length])];
    };
    const search = (request) => {
        const needle = request.sections.get(0x0e01).toLowerCase();
        const found = trace.spans.filter((s) => nameOf(s).toLowerCase().includes(needle));
        return [u32(0x0e40, [found.length]), u32(0x0e41, [NONE]), u32(0x0e42, found.map((s) => s.row)), u32(0x0e43, found.map((s) => s.name)), u32(0x0e44, found.map((s) => s.track)), u32(0x0e45, found.map((s) => s.frame)),
            i64(0x0e46, found.map((s) => absolute(s.begin))), i64(0x0e47, found.map((s) => absolute(s.end)))];
    };
    const marks = (request) => ((request.sections.get(0x0902)?.[0] ?? 3) === 1 ? instantsAnswer(trace, request) : notes());
    const notes = () => [u32(0x0940, [1]), u8(0x0941, [2]), i64(0x0942, [absolute(trace.frames[40].start)]), u32(0x0943, [NONE]), u32(0x0944, [trace.nameId('this is where it stutters')]), u32(0x0945, [40])];
    /* All are GPU-bound; of the last ten it is inferred. */
    const isInferred = (i) => i >= trace.frames.length - 10;
    const window = ([first, end]) => [u32(0x0d58, [2]), u32(0x0d59, [0, 0, end - first, 0, 0, 0]), u32(0x0d5a, [trace.frames.slice(first, end).filter((_, i) => isInferred(first + i)).length])];
    const frames = (request) => [...(request.sections.has(0x0d03) ? window(request.sections.get(0x0d03)) : []), u32(0x0d40, [trace.frames.length]), u32(0x0d41, trace.frames.map((_, i) => i)), ...frameColumns(0x0d42), i64(0x0d44, trace.frames.map((f) => absolute(f.start + f.cpuNs))), i64(0x0d45, trace.frames.map((f) => f.cpuNs)),
        i64(0x0d46, trace.frames.map((f) => f.gpuNs)), i64(0x0d47, trace.frames.map((f) => f.gpuNs)), i64(0x0d48, trace.frames.map((f) => absolute(f.gpuStart))), i64(0x0d49, trace.frames.map((f) => absolute(f.gpuEnd))),
        u32(0x0d4a, trace.frames.map(() => 90)), u32(0x0d4b, trace.frames.map((f) => f.dropped)), u32(0x0d4c, trace.frames.map((f) => (options.noGraph ? NONE : f.topology))), u8(0x0d4d, trace.frames.map(() => 2)), u16(0x0d4e, trace.frames.map((f, i) => f.flags | (isInferred(i) ? 128 : 0))),
        u32(0x0d50, trace.frames.map(() => 0)), i64(0x0d52, trace.frames.map(() => 2100000)), i64(0x0d53, trace.frames.map(() => 200000)), i64(0x0d54, trace.frames.map(() => 400000n)),
        i64(0x0d56, trace.frames.map(() => 16000000n)), i64(0x0d57, trace.frames.map((f) => f.cpuNs)), u8(0x0d55, trace.frames.map(() => options.level ?? 2))];
    const strip = () => [u32(0x0440, [trace.frames.length]), frameColumns(0x0441)[0], i64(0x0443, trace.frames.map((f) => f.cpuNs)), i64(0x0444, trace.frames.map((f) => f.gpuNs)),
        u32(0x0446, trace.frames.map((f) => f.dropped)), u8(0x0447, trace.frames.map((f) => f.flags & 15))];

    const answers = { 1: () => [u32(0x0140, [1]), ...(options.kinds ? [u16(0x0143, options.kinds)] : []), ...tracesTable(0)], 2: () => tracesTable(polls-- > 0 ? 1 : 2), 3: (request) => tracesTable(polls > 0 ? 1 : 2, [request.trace]), 4: strip, 5: info, 6: tracks, 7: view, 8: (request) => countersAnswer(trace, request), 9: marks,
        10: filterCreate, 11: () => [], 12: stats, 13: frames, 14: search, 15: span, 17: (request) => (options.largeGraph ? largeGraphAnswer : structureAnswer)(trace, request), 20: () => topologiesAnswer(trace), 21: series,
        22: (request) => eventsAnswer(trace, request), 23: (request) => compareAnswer(trace, request), 24: (request) => amendAnswer(request), 25: (request) => metricsAnswer(trace, request), 26: (request) => objectsAnswer(trace, request), 27: (request) => lossesAnswer(trace, request, options.diagnostics),
        38: (request) => groupScoresAnswer(trace, request), 39: (request) => rowScoresAnswer(trace, request) };
    answers[37] = taskAnswer(answers, options);

    return (buffer) => {
        const replies = readRequests(buffer).map((request) => {
            const sections = answers[request.kind]?.(request) ?? null;
            if (!sections) {
                return writeReply(request, [text(0x0040, 'there is no such thing in the trace')], { status: 4 });
            }
            const named = request.trace > 0 && request.names < trace.names.length ? [u32(0x0042, [request.names]), texts(0x0043, shown(trace.names.slice(request.names)))] : [];
            return writeReply(request, [...named, ...sections], { names: trace.names.length });
        });
        return Buffer.concat(replies);
    };
}
