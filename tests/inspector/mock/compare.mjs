// SPDX-License-Identifier: MIT
/* Two sides of the invented trace compared, and notes put into a copy of it. */

import { f64, i64, texts, u32, u64, u8 } from './engine.mjs';
import { passIndex } from './graph.mjs';

const NONE = 0xffffffff;
const TRACKS = ['Graphics queue', 'Async compute', 'Render thread'];
/** What a pass varies anyway, as a share of it. */
const NOISE = 0.08;
/** Of everything that does not follow from the spans. */
const INVENTED = {
    added: { name: 'sharpen', scope: 'post', track: TRACKS[0], state: 1, base: -1, next: 700000 },
    removed: { name: 'old fog', scope: 'lighting', track: TRACKS[0], state: 2, base: 300000, next: -1 },
    culled: { name: 'debug overlay', scope: 'hud', track: TRACKS[0], state: 3, base: 210000, next: -1 },
};

function median(sorted) {
    return sorted[Math.ceil(sorted.length / 2) - 1];
}

/** Spans of a side by key: sums of its frames. */
export function sums(trace, by, [from, to]) {
    const groups = new Map();
    for (const span of trace.spans) {
        const wanted = by === 3 ? (span.flags & 8) !== 0 : by === 0 ? span.lane !== 3 : span.lane === 1 || span.lane === 4;
        if (!wanted || span.frame < from || span.frame >= to) {
            continue;
        }
        const key = `${trace.names[span.name]}\n${span.track}`;
        const group = groups.get(key) ?? groups.set(key, { name: trace.names[span.name], track: span.track, frames: new Map(), row: span.row, longest: -1, count: 0, scope: '' }).get(key);
        const length = span.end - span.begin;
        group.frames.set(span.frame, (group.frames.get(span.frame) ?? 0) + length);
        group.count += 1;
        group.scope = by === 1 && span.parent !== null && span.track === 0 ? trace.names[trace.spans[span.parent].name] : '';
        if (length > group.longest) {
            group.longest = length;
            group.row = span.row;
        }
    }
    return groups;
}

function side(group, frames) {
    if (!group) {
        return { row: NONE, count: 0, mean: -1, median: -1 };
    }
    const sorted = [...group.frames.values()].sort((a, b) => a - b);
    return { row: group.row, count: group.count, mean: sorted.reduce((sum, value) => sum + value, 0) / frames, median: median(sorted) };
}

/** Work that tells why: shadows draw more, the g-buffer runs at a slower rate, nothing is known of the lights' work. */
function work(name, ratio) {
    if (/cascade/.test(name)) {
        return { unit: 'vertices', base: 1e6, next: 1e6 * ratio, cause: ratio > 1 ? 2 : 3 };
    }
    if (name === 'g-buffer') {
        return { unit: 'pixels', base: 2e6, next: 2e6, cause: ratio > 1 ? 4 : 5 };
    }
    if (name === 'ambient occlusion') {
        return { unit: 'invocations', base: 1e6, next: 1e6 * Math.sqrt(ratio), cause: ratio > 1 ? 6 : 7 };
    }
    return { unit: '', base: -1, next: -1, cause: 0 };
}

export function compareAnswer(trace, request) {
    const count = trace.frames.length;
    const base = request.sections.get(0x1701) ?? [0, count];
    const next = request.sections.get(0x1702) ?? [0, count];
    const by = request.sections.get(0x1704)?.[0] ?? 1;
    const lengths = [base[1] - base[0], next[1] - next[0]];
    const topology = [trace.frames[base[0]].topology, trace.frames[next[0]].topology];
    const groups = [sums(trace, by, base), sums(trace, by, next)];
    const rows = [...new Set([...groups[0].keys(), ...groups[1].keys()])].map((key) => {
        const known = groups[0].get(key) ?? groups[1].get(key);
        const [before, after] = [side(groups[0].get(key), lengths[0]), side(groups[1].get(key), lengths[1])];
        const delta = Math.max(0, after.mean) - Math.max(0, before.mean);
        const noise = Math.max(0, before.mean) * NOISE;
        const ratio = before.mean > 0 && after.mean > 0 ? after.mean / before.mean : 1;
        const why = work(known.name, ratio);
        return { name: known.name, scope: known.scope, track: TRACKS[known.track], state: 0, before, after, delta, noise, why: Math.abs(delta) <= noise ? { ...why, cause: 1 } : why, identity: known.track === 1 ? NONE : passIndex(known.name) };
    });
    if (topology[0] !== topology[1] && by === 1) {
        for (const item of Object.values(INVENTED)) {
            const one = (value) => ({ row: NONE, count: value < 0 ? 0 : 1, mean: value, median: value });
            rows.push({ ...item, before: one(item.base), after: one(item.next), delta: Math.max(0, item.next) - Math.max(0, item.base), noise: 0, why: work('', 1), identity: NONE });
        }
    }
    rows.sort((a, b) => Math.abs(b.delta) - Math.abs(a.delta) || (a.name < b.name ? -1 : 1));
    const mean = ([from, to], value) => trace.frames.slice(from, to).reduce((sum, frame) => sum + value(frame), 0) / (to - from);
    const changed = topology[0] !== topology[1];
    return [u32(0x1740, [rows.length]), u32(0x1741, lengths), f64(0x1742, [mean(base, (f) => f.gpuNs), mean(next, (f) => f.gpuNs)]), f64(0x1743, [mean(base, (f) => f.cpuNs), mean(next, (f) => f.cpuNs)]),
        u32(0x1744, topology), u8(0x1745, [changed ? 0 : 1]), texts(0x1748, rows.map((r) => r.name)), texts(0x1749, rows.map((r) => r.scope)), texts(0x174a, rows.map((r) => r.track)), u8(0x174b, rows.map((r) => r.state)),
        u32(0x174c, rows.map((r) => r.before.row)), u32(0x174d, rows.map((r) => r.after.row)), u64(0x174e, rows.map((r) => r.before.count)), u64(0x174f, rows.map((r) => r.after.count)),
        f64(0x1750, rows.map((r) => r.before.mean)), f64(0x1751, rows.map((r) => r.after.mean)), i64(0x1752, rows.map((r) => r.before.median)), i64(0x1753, rows.map((r) => r.after.median)),
        f64(0x1754, rows.map((r) => r.delta)), f64(0x1755, rows.map((r) => r.noise)), u8(0x1756, rows.map((r) => r.why.cause)), texts(0x1757, rows.map((r) => r.why.unit)),
        f64(0x1758, rows.map((r) => r.why.base)), f64(0x1759, rows.map((r) => r.why.next)), u32(0x175a, rows.map((r) => r.identity)), u32(0x175b, rows.map((r) => r.identity)), u8(0x175c, rows.map((r) => (r.track === TRACKS[2] ? 0 : 1))), u32(0x175d, rows.map(() => 0)),
        ...(changed ? [texts(0x1760, ['sharpened', 'fog volume', 'shadow atlas']), u8(0x1761, [1, 2, 3]), u64(0x1762, [-1, 4194304, 67108864]), u64(0x1763, [8294400, -1, 16777216]),
            texts(0x1764, ['', 'RGBA16F 160 x 90 x 64', 'D32_SFLOAT 4096 x 4096']), texts(0x1765, ['RGBA8 1920 x 1080', '', 'D32_SFLOAT 2048 x 2048'])] : []),
        texts(0x1768, ['GPU memory', 'draws']), texts(0x1769, ['bytes', '']), f64(0x176a, [400e6, 1200]), f64(0x176b, [512e6, 3600])];
}

/** The invented capture as a file: what is downloaded, and what a copy keeps of it. */
export const FILE = new TextEncoder().encode(`${'H'.repeat(32)}${'body '.repeat(40)}${'D'.repeat(64)}`);
const KEEP = 32 + 200;

export function amendAnswer(request) {
    const notes = request.sections.get(0x1801) ?? [];
    const frames = request.sections.get(0x1802) ?? [];
    const times = request.sections.get(0x1803) ?? [];
    const tail = new TextEncoder().encode(JSON.stringify(notes.map((note, i) => ({ note, frame: frames[i], time: String(times[i]) }))));
    return [u64(0x1840, [KEEP]), u8(0x1841, tail), u8(0x1842, Array.from({ length: 32 }, () => 104))];
}

/** What the server makes of it under x/<trace>/. @type {Record<string, string | Uint8Array>} */
export const DOWNLOADS = {
    file: FILE,
    redacted: new TextEncoder().encode(`${'R'.repeat(32)}pass 1`),
    chrome: '{"traceEvents":[]}\n',
    'graph-json': '{"topologies":[]}\n',
    csv: 'name,count\n',
};
export const TEMPLATE = '<!doctype html>\n<title>Frameglass</title>\n<script id="capture" type="text/plain" data-label="" data-packing="gzip"></script>\n<script>1;</script>\n';
