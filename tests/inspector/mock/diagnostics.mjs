// SPDX-License-Identifier: MIT
/*
 * What an invented program says of itself: zones of threads, markers, metrics, live resources, losses. Written from docs/PROTOCOL.md,
 * apart from the page. Everything is the same every time.
 */

import { f64, i64, u32, u64, u8 } from './engine.mjs';
import { BASE_NS, FRAME_COUNT, HITCH_FRAME } from './trace.mjs';

const NONE = 0xffffffff;
const MS = 1e6;
const ZONE = 0x40;
const UNFINISHED = 0x10000;
const FORCED = 0x200000;
const UNKNOWN = 2n ** 64n - 1n;
const EARLIEST = -(2n ** 63n);
const LATEST = 2n ** 63n - 1n;

/** Threads: lanes follow those of the plain trace (0 to 5). */
export const THREADS = [
    { name: 'Game thread', track: 3, lanes: [6, 7, 8] },
    { name: 'Worker 1', track: 4, lanes: [9, 10] },
    { name: 'Loader', track: 5, lanes: [11] },
];
/** How many resources are made in a frame of a leak and stay: from the hitch on, one each frame. */
export const LEAK_BYTES = 262144;

/** The trace as it is, with what its program says of itself. @param {any} trace @param {{ manyMarkers?: boolean }} options */
export function addDiagnostics(trace, options) {
    const add = (lane, track, begin, end, name, frame, flags = 0, parent = null) => {
        trace.spans.push({ row: trace.spans.length, lane, track, begin: Math.round(begin), end: Math.round(end), name: trace.nameId(name), frame, flags: ZONE | flags, parent });
        return trace.spans.length - 1;
    };
    const instants = [];
    trace.frames.forEach(({ start }, frame) => {
        const length = frame === HITCH_FRAME ? 24 : 8;
        const tick = add(6, 3, start, start + (length + 2) * MS, 'Game/Tick', frame);
        const update = add(7, 3, start + 0.2 * MS, start + (length / 2) * MS, 'Game/Update', frame, 0, tick);
        const forced = frame === HITCH_FRAME ? FORCED | UNFINISHED : 0;
        add(8, 3, start + 0.4 * MS, start + (forced ? length / 2 : length / 4) * MS, 'physics step', frame, forced, update);
        add(7, 3, start + (length / 2 + 0.1) * MS, start + (length + 1.5) * MS, 'Game/Draw', frame, 0, tick);
        const job = add(9, 4, start + 1 * MS, start + 6 * MS, 'job: skinning', frame);
        for (let i = 0; i < 8; i++) {
            add(10, 4, start + (1 + i * 0.6) * MS, start + (1.5 + i * 0.6) * MS, 'mesh batch', frame, 0, job);
        }
        instants.push({ at: start + 3 * MS, track: 3, name: 'entities', value: 1000 + frame });
        if (frame % 40 === 0) {
            instants.push({ at: start + 5 * MS, track: 5, name: 'level loaded', value: null });
        }
    });
    const last = trace.frames[FRAME_COUNT - 1];
    add(11, 5, trace.frames[10].start, trace.frames[12].start, 'load level', 10);
    add(11, 5, last.start + 4 * MS, trace.end, 'load next level', FRAME_COUNT - 1, UNFINISHED);
    if (options.manyMarkers) {
        for (let i = 0; i < 60000; i++) {
            instants.push({ at: Math.round((i / 60000) * trace.end), track: 4, name: 'packet', value: i });
        }
    }
    instants.forEach((instant) => { instant.at = Math.round(instant.at); instant.name = trace.nameId(instant.name); });
    instants.sort((a, b) => a.at - b.at);
    return Object.assign(trace, { instants, losses: lossesOf(trace), objects: objectsOf(trace), metrics: metricsOf(trace) });
}

/** @param {any} trace */
function lossesOf(trace) {
    const at = (frame) => Math.round(trace.frames[frame].start + 15 * MS);
    return [
        { track: 4, time: at(30), since: null, lost: 12 },
        { track: 4, time: at(HITCH_FRAME), since: at(30), lost: 1500 },
        { track: 4, time: at(HITCH_FRAME + 1), since: at(HITCH_FRAME), lost: 7 },
        { track: 5, time: at(100), since: null, lost: 3 },
    ];
}

/** A value for each frame, or null where the metric was not published yet. @param {any} trace */
function metricsOf(trace) {
    const wave = (i) => Math.abs(Math.sin(i / 9));
    const list = [
        { name: 'GPU memory', unit: 'bytes', kind: 1, accuracy: 0, value: (i) => Math.round(380e6 + 132e6 * wave(i)) },
        { name: 'Graphics/DrawCalls', unit: 'count', kind: 2, accuracy: 0, value: (i) => 200 + (i % 7) * 3 },
        { name: 'Runtime/WorkTime', unit: 'ns', kind: 2, accuracy: 1, value: (i) => Math.round((i === HITCH_FRAME ? 24 : 8) * MS + 1e5 * wave(i)) },
        { name: 'Audio/VoiceCreations', unit: 'count', kind: 0, accuracy: 0, value: (i) => i * 3 },
        { name: 'cpu/load', unit: 'basis points', kind: 1, accuracy: 1, value: (i) => Math.round(2500 + 5000 * wave(i)) },
        { name: 'net/received', unit: 'per second', kind: 3, accuracy: 0, value: (i) => (i < 50 ? null : 1e15 + i) },
        { name: 'game/speed', unit: '', kind: 255, accuracy: 255, float: true, value: (i) => 0.5 + wave(i) / 4 },
        { name: 'world/seed', unit: 'count', kind: 1, accuracy: 0, about: 'chosen once when the world is made', value: () => 9007199254740993n },
    ].map((metric, counter) => ({ ...metric, counter, samples: trace.frames.flatMap((frame, i) => (metric.value(i) === null ? [] : [{ at: Math.round(frame.start), value: metric.value(i) }])) }));
    return [...list, { name: 'Audio/AllocatedVoices', unit: 'count', kind: 1, accuracy: 0, counter: NONE, samples: [] },
        { name: 'GPU/Temperature', unit: 'count', kind: 1, accuracy: 2, counter: NONE, samples: [] }];
}

/** @param {any} trace */
function objectsOf(trace) {
    const list = [];
    const make = (name, type, bytes, made, gone, more = {}) => list.push({ number: list.length, id: 1000 + list.length, name, type, bytes, accuracy: 0, format: 0, size: [0, 0, 0, 0, 0], made, gone, ...more });
    make('backbuffer', 'render target 2d', 8294400, null, null, { accuracy: 1, format: 37, size: [1920, 1080, 1, 1, 1] });
    make('shadow atlas', 'render target 2d', 67108864, 0, null, { accuracy: 1, format: 126, size: [4096, 4096, 1, 1, 4] });
    make('rock albedo', 'texture 2d', 5592405, 5, 90, { accuracy: 1, format: 145, size: [2048, 2048, 1, 12, 1] });
    make('quad', 'vertex buffer', 64, 5, null);
    make('', 'custom', null, 5, null, { accuracy: 2 });
    for (let frame = 0; frame < FRAME_COUNT; frame++) {
        make(`staging ${frame}`, 'vertex buffer', 65536, frame, frame < FRAME_COUNT - 1 ? frame + 1 : null);
        if (frame >= HITCH_FRAME) {
            make(`decal ${frame}`, 'texture 2d', LEAK_BYTES, frame, null, { accuracy: 1, format: 37, size: [256, 256, 1, 1, 1] });
        }
    }
    const at = (frame) => Math.round(trace.frames[frame].start + 2 * MS);
    return list.map((object) => ({ ...object, madeFrame: object.made, goneFrame: object.gone, made: object.made === null ? null : at(object.made), gone: object.gone === null ? null : at(object.gone) }));
}

const absolute = (ns) => BASE_NS + BigInt(Math.round(ns));
const windowOf = (request, tag, end) => {
    const given = request.sections.get(tag);
    return given ? given.map((ns) => Number(ns - BASE_NS)) : [-1, end + 1];
};
const page = (request, first, limit, list) => {
    const from = request.sections.get(first)?.[0] ?? 0;
    return list.slice(from, from + (request.sections.get(limit)?.[0] ?? 1000));
};

const doubles = new Float64Array(1);
/** @param {any} metric @param {number | bigint | null | undefined} value */
function bitsOf(metric, value) {
    if (value === null || value === undefined) {
        return 0n;
    }
    if (!metric.float) {
        return BigInt(value);
    }
    doubles[0] = Number(value);
    return new BigUint64Array(doubles.buffer)[0];
}

/** Kind 25. @param {any} trace @param {any} request */
export function metricsAnswer(trace, request) {
    const [t0, t1] = windowOf(request, 0x1901, trace.end);
    const less = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
    const rows = page(request, 0x1902, 0x1903, trace.metrics).map((metric) => {
        const before = metric.samples.filter((sample) => sample.at < t1);
        const inside = before.filter((sample) => sample.at >= t0).map((sample) => sample.value).sort(less);
        return { metric, last: before.at(-1), inside };
    });
    const ids = (tag, text) => u32(tag, rows.map((row) => (text(row.metric) ? trace.nameId(text(row.metric)) : 0)));
    return [u32(0x1940, [trace.metrics.length]), ids(0x1941, (m) => m.name), ids(0x1942, (m) => m.unit), ids(0x1943, (m) => m.about), u8(0x1944, rows.map((r) => r.metric.kind)), u8(0x1945, rows.map((r) => r.metric.accuracy)),
        u32(0x1946, rows.map((r) => r.metric.counter)), u8(0x1947, rows.map((r) => (!r.last ? 0 : r.metric.float ? 3 : 1))), u64(0x1948, rows.map((r) => bitsOf(r.metric, r.last?.value))),
        i64(0x1949, rows.map((r) => (r.last ? absolute(r.last.at) : 0n))), u64(0x194a, rows.map((r) => r.inside.length)), u64(0x194b, rows.map((r) => bitsOf(r.metric, r.inside[0]))), u64(0x194c, rows.map((r) => bitsOf(r.metric, r.inside.at(-1))))];
}

/** Kind 8 for these metrics: samples where they are few, else bins of what falls into each. @param {any} trace @param {any} request */
export function countersAnswer(trace, request) {
    const wanted = request.sections.get(0x0803);
    const [t0, t1] = windowOf(request, 0x0801, trace.end);
    const width = request.sections.get(0x0802)[0];
    const level = Math.max(0, Math.floor(Math.log2((t1 - t0) / width)));
    const origin = (BASE_NS + BigInt(t0)) >> BigInt(level);
    const originNs = Number((origin << BigInt(level)) - BASE_NS);
    const samples = [];
    const bins = [];
    const [modes, sampleEnds, binEnds, low, high] = [[], [0], [0], [], []];
    for (const counter of wanted) {
        const metric = trace.metrics.find((item) => item.counter === counter);
        const all = (metric?.samples ?? []).map((sample) => ({ at: sample.at, value: Number(sample.value) }));
        const first = all.findLastIndex((sample) => sample.at <= t0);
        const list = all.slice(Math.max(0, first)).filter((sample) => sample.at < t1);
        const exact = list.length <= width;
        if (exact) {
            samples.push(...list);
        } else {
            for (const sample of list) {
                const bin = Math.max(0, Math.floor((sample.at - originNs) / 2 ** level));
                const held = bins.length > binEnds.at(-1) && bins.at(-1).bin === bin ? bins.at(-1) : null;
                if (held) {
                    Object.assign(held, { low: Math.min(held.low, sample.value), high: Math.max(held.high, sample.value), last: sample.value });
                } else {
                    bins.push({ bin, low: sample.value, high: sample.value, last: sample.value });
                }
            }
        }
        modes.push(exact ? 0 : 1);
        sampleEnds.push(samples.length);
        binEnds.push(bins.length);
        low.push(Math.min(...all.map((sample) => sample.value)));
        high.push(Math.max(...all.map((sample) => sample.value)));
    }
    return [i64(0x0840, request.sections.get(0x0801)), u32(0x0841, [level]), i64(0x0842, [origin]), u32(0x0848, wanted), u8(0x0849, modes), u32(0x084a, sampleEnds), u32(0x084b, binEnds), f64(0x084c, low), f64(0x084d, high),
        f64(0x0850, samples.map((s) => s.at - t0)), f64(0x0851, samples.map((s) => s.value)), u32(0x0858, bins.map((b) => b.bin)), f64(0x0859, bins.map((b) => b.low)), f64(0x085a, bins.map((b) => b.high)), f64(0x085b, bins.map((b) => b.last))];
}

/** Kind 9: instants of a window, in bins where they are too many. @param {any} trace @param {any} request */
export function instantsAnswer(trace, request) {
    const [t0, t1] = windowOf(request, 0x0901, trace.end);
    const list = trace.instants.filter((instant) => instant.at >= t0 && instant.at < t1);
    if (list.length <= (request.sections.get(0x0904)?.[0] ?? 1000)) {
        return [u32(0x0940, [list.length]), u8(0x0941, list.map(() => 1)), i64(0x0942, list.map((i) => absolute(i.at))), u32(0x0943, list.map((i) => i.track)), u32(0x0944, list.map((i) => i.name)), u32(0x0945, list.map(() => NONE)),
            u8(0x0946, list.map((i) => (i.value === null ? 0 : 1))), i64(0x0947, list.map((i) => BigInt(i.value ?? 0))), u32(0x0948, list.map(() => 0))];
    }
    const level = Math.max(0, Math.floor(Math.log2((t1 - t0) / request.sections.get(0x0905)[0])));
    const origin = (BASE_NS + BigInt(t0)) >> BigInt(level);
    const originNs = Number((origin << BigInt(level)) - BASE_NS);
    const bins = new Map();
    for (const instant of list) {
        const bin = Math.floor((instant.at - originNs) / 2 ** level);
        const key = `${bin} ${instant.track}`;
        const held = bins.get(key) ?? { bin, instant, count: 0 };
        held.count += 1;
        bins.set(key, held);
    }
    const rows = [...bins.values()].sort((a, b) => a.instant.at - b.instant.at);
    return [u32(0x0940, [list.length]), i64(0x0950, request.sections.get(0x0901)), u32(0x0951, [level]), i64(0x0952, [origin]), u32(0x0958, rows.map((r) => r.bin)), u32(0x0959, rows.map((r) => r.instant.track)), u8(0x095a, rows.map(() => 1)),
        u32(0x095b, rows.map((r) => r.count)), i64(0x095c, rows.map((r) => absolute(r.instant.at))), u32(0x095d, rows.map((r) => r.instant.name))];
}

const bytesSum = (list) => {
    const known = list.filter((object) => object.bytes !== null);
    return known.length === 0 && list.length > 0 ? UNKNOWN : BigInt(known.reduce((sum, object) => sum + object.bytes, 0));
};
const unknownIn = (list) => list.filter((object) => object.bytes === null).length;

/** Kind 26. @param {any} trace @param {any} request */
export function objectsAnswer(trace, request) {
    const [a, b] = windowOf(request, 0x1a01, trace.end);
    const aliveAt = (time) => trace.objects.filter((object) => (object.made === null || object.made < time) && (object.gone === null || object.gone >= time));
    const live = aliveAt(b);
    const made = trace.objects.filter((object) => object.made !== null && object.made >= a && object.made < b);
    const gone = trace.objects.filter((object) => object.gone !== null && object.gone >= a && object.gone < b);
    const kinds = [live, made, gone, made.filter((object) => live.includes(object))];
    const find = (request.sections.get(0x1a06) ?? '').toLowerCase();
    const shown = kinds[request.sections.get(0x1a02)?.[0] ?? 0].filter((object) => object.name.toLowerCase().includes(find) || object.type.includes(find));
    const [column, down] = request.sections.get(0x1a05) ?? [0, 0];
    const key = [(o) => o.number, (o) => o.bytes ?? -1, (o) => o.name, (o) => o.type, (o) => o.made ?? -1, (o) => o.gone ?? Infinity][column];
    const sorted = [...shown].sort((x, y) => (key(x) === key(y) ? x.number - y.number : (key(x) < key(y) ? -1 : 1) * (down ? -1 : 1)));
    const rows = page(request, 0x1a03, 0x1a04, sorted);
    const types = [...new Set(shown.map((object) => object.type))].map((type) => ({ type, list: shown.filter((object) => object.type === type) })).sort((x, y) => (bytesSum(x.list) < bytesSum(y.list) ? 1 : -1));
    const peak = trace.objects.filter((o) => o.made !== null && o.made < b).map((o) => ({ at: o.made, sum: bytesSum(aliveAt(o.made + 1)) })).reduce((best, now) => (now.sum > best.sum ? now : best), { at: 0, sum: 0n });
    const name = (text) => (text ? trace.nameId(text) : 0);
    return [u32(0x1a40, [shown.length]), u64(0x1a41, kinds.map((k) => k.length)), u64(0x1a42, kinds.map(bytesSum)), u64(0x1a43, kinds.map(unknownIn)), u64(0x1a44, [peak.sum]), i64(0x1a45, [absolute(peak.at)]),
        u32(0x1a48, rows.map((o) => o.number)), u64(0x1a49, rows.map((o) => o.id)), u32(0x1a4a, rows.map((o) => name(o.name))), u32(0x1a4b, rows.map((o) => name(o.type))), u64(0x1a4c, rows.map((o) => o.bytes ?? UNKNOWN)),
        u8(0x1a4d, rows.map((o) => o.accuracy)), u32(0x1a4e, rows.map((o) => o.format)), u32(0x1a4f, rows.flatMap((o) => o.size)), i64(0x1a50, rows.map((o) => (o.made === null ? EARLIEST : absolute(o.made)))),
        i64(0x1a51, rows.map((o) => (o.gone === null ? LATEST : absolute(o.gone)))), u32(0x1a52, rows.map((o) => o.madeFrame ?? NONE)), u32(0x1a53, rows.map((o) => o.goneFrame ?? NONE)), u32(0x1a54, rows.map(() => 1)), u8(0x1a55, rows.map((o) => (o.gone === null ? 0 : 1))),
        u32(0x1a58, types.map((t) => name(t.type))), u64(0x1a59, types.map((t) => t.list.length)), u64(0x1a5a, types.map((t) => bytesSum(t.list))), u64(0x1a5b, types.map((t) => unknownIn(t.list))),
        ...growth(trace, request, aliveAt), ...history(trace, request, name)];
}

function growth(trace, request, aliveAt) {
    const points = request.sections.get(0x1a07)?.[0] ?? 0;
    const times = Array.from({ length: points }, (_, i) => Math.round(((i + 1) / points) * trace.end));
    return points === 0 ? [] : [i64(0x1a60, times.map(absolute)), u64(0x1a61, times.map((time) => aliveAt(time).length)), u64(0x1a62, times.map((time) => bytesSum(aliveAt(time))))];
}

function history(trace, request, name) {
    const object = trace.objects[request.sections.get(0x1a08)?.[0] ?? NONE];
    if (!object) {
        return [];
    }
    const events = [...(object.made === null ? [] : [[object.made, 0, object.madeFrame]]), ...(object.gone === null ? [] : [[object.gone, 1, object.goneFrame]])];
    return [i64(0x1a68, events.map((e) => absolute(e[0]))), u8(0x1a69, events.map((e) => e[1])), u64(0x1a6a, events.map(() => object.bytes ?? UNKNOWN)), u32(0x1a6b, events.map(() => name(object.name))), u32(0x1a6c, events.map((e) => e[2]))];
}

/** Kind 27. @param {any} trace @param {any} request @param {boolean} isRecorded */
export function lossesAnswer(trace, request, isRecorded) {
    const list = page(request, 0x1b02, 0x1b03, trace.losses);
    const tracks = [...new Set(trace.losses.map((loss) => loss.track))].map((track) => ({ track, list: trace.losses.filter((loss) => loss.track === track) }));
    const sum = (losses) => losses.reduce((all, loss) => all + loss.lost, 0);
    tracks.sort((x, y) => sum(y.list) - sum(x.list));
    return [u32(0x1b40, [trace.losses.length]), u64(0x1b41, isRecorded ? [sum(trace.losses), 0, 4, 2, 0, 1, 0, 0] : Array(8).fill(UNKNOWN)), u32(0x1b48, list.map((l) => l.track)), i64(0x1b49, list.map((l) => absolute(l.time))),
        i64(0x1b4a, list.map((l) => (l.since === null ? EARLIEST : absolute(l.since)))), u64(0x1b4b, list.map((l) => l.lost)), u32(0x1b4c, list.map(() => NONE)),
        u32(0x1b50, tracks.map((t) => t.track)), u64(0x1b51, tracks.map((t) => sum(t.list))), u32(0x1b52, tracks.map((t) => t.list.length)), i64(0x1b53, tracks.map((t) => absolute(t.list[0].time))), i64(0x1b54, tracks.map((t) => absolute(t.list.at(-1).time)))];
}
