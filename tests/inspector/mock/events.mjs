// SPDX-License-Identifier: MIT
/* Events of the invented trace: two submissions, scopes, passes, their calls and what those use; and a graph too large for any screen. */

import { i64, u16, u32, u64, u8 } from './engine.mjs';
import { edgesOf, PASS_NAMES, SCOPE_NAMES, versionsOf } from './graph.mjs';
import { BASE_NS } from './trace.mjs';

const NONE = 0xffffffff;
const KIND = { SUBMISSION: 0, SCOPE: 1, PASS: 2, GPU_PASS: 3, DRAW: 4, DISPATCH: 5, COPY: 6, CULLED: 8, WAIT: 9, SIGNAL: 10 };
const [NO_COUNTS, ENCODED, RESOLVED, NOT_KNOWN] = [0, 1, 2, 3];
const [BINDING, ATTACHMENT, DECLARED] = [0, 1, 2];
const COMPUTE = new Set(['hi-z', 'cull instances', 'ambient occlusion', 'ao blur', 'exposure']);
/** More calls than a list unfolds by itself. */
export const G_BUFFER_DRAWS = 40;

/** @param {string} name of a pass */
function callsOf(name) {
    if (COMPUTE.has(name)) {
        return [{ kind: KIND.DISPATCH, name: 'dispatch', quality: ENCODED, counts: [160, 90, 1], pipeline: name }];
    }
    if (name === 'g-buffer') {
        return Array.from({ length: G_BUFFER_DRAWS }, (_, i) => ({ kind: KIND.DRAW, name: 'draw indexed', quality: ENCODED, counts: [300 + i, 1, 1], pipeline: 'opaque' }));
    }
    const indirect = name.startsWith('cascade');
    return [
        { kind: KIND.DRAW, name: indirect ? 'draw indexed indirect' : 'draw', quality: indirect ? NOT_KNOWN : ENCODED, counts: indirect ? [0, 0, 0] : [3, 1, 1], pipeline: name },
        ...(name === 'cascade 0' ? [{ kind: KIND.DRAW, name: 'draw indexed indirect', quality: RESOLVED, counts: [1884160, 2, 14], pipeline: 'masked shadow' }] : []),
    ];
}

/** @param {ReturnType<typeof import('./trace.mjs').makeTrace>} trace @param {number} frame */
function eventsOf(trace, frame) {
    const { topology } = trace.frames[frame];
    const spans = trace.spans.filter((span) => span.frame === frame);
    const spanOf = (name, lane) => spans.find((span) => span.lane === lane && trace.names[span.name] === name);
    const versions = versionsOf(topology);
    const edges = edgesOf(topology);
    const events = [];
    const binds = [];
    const add = (kind, depth, name, more = {}) => events.push({ kind, depth, name, pass: NONE, span: undefined, quality: NO_COUNTS, counts: [0, 0, 0], pipeline: '', ...more }) - 1;
    let submission = -1;
    let scope = '';
    PASS_NAMES.forEach((name, pass) => {
        if (pass === 0 || name === 'ambient occlusion') {
            submission += 1;
            scope = '';
            add(KIND.SUBMISSION, 0, `submission ${submission}`);
            if (submission > 0) {
                add(KIND.WAIT, 1, 'wait for semaphore', { quality: ENCODED, counts: [14, frame, 0] });
            }
        }
        if (SCOPE_NAMES[pass] !== scope) {
            scope = SCOPE_NAMES[pass];
            add(KIND.SCOPE, 1, scope, { span: spanOf(scope, 0) });
        }
        const span = spanOf(name, 1);
        const own = add(span ? KIND.PASS : KIND.CULLED, 2, name, { pass, span });
        const mine = edges.filter((edge) => edge.pass === pass);
        const producer = (version) => edges.find((edge) => edge.version === version && edge.access > 1)?.pass ?? NONE;
        for (const edge of mine) {
            binds.push({ event: own, kind: DECLARED, slot: '', version: edge.version, access: edge.access, producer: edge.access & 1 ? producer(edge.version) : NONE, text: '' });
        }
        if (!span) {
            return;
        }
        const gpu = add(KIND.GPU_PASS, 3, name, { pass, span });
        for (const edge of mine.filter((item) => item.access > 1 && versions[item.version].kind === 2 && !COMPUTE.has(name))) {
            binds.push({ event: gpu, kind: ATTACHMENT, slot: 'color 0', version: edge.version, access: edge.access, producer: NONE, text: 'clear, store' });
        }
        for (const call of callsOf(name)) {
            const at = add(call.kind, 4, call.name, { ...call, pass });
            mine.filter((edge) => edge.access & 1).forEach((edge, slot) => {
                binds.push({ event: at, kind: BINDING, slot: `set 0 binding ${slot}`, version: edge.version, access: 1, producer: producer(edge.version), text: '' });
            });
        }
    });
    add(KIND.SIGNAL, 1, 'signal semaphore', { quality: ENCODED, counts: [15, frame, 0] });
    return { topology, events, binds, versions };
}

export function eventsAnswer(trace, request) {
    const [frame] = request.sections.get(0x1601) ?? [NONE];
    if (!trace.frames[frame]) {
        return null;
    }
    const { topology, events, binds, versions } = eventsOf(trace, frame);
    const id = (text) => trace.nameId(text);
    const column = (pick) => events.map(pick);
    const used = (pick) => binds.map(pick);
    return [u32(0x1640, [events.length]), u32(0x1641, [topology]), u8(0x1642, column((e) => e.kind)), u8(0x1643, column((e) => e.depth)), u32(0x1644, column((e) => e.span?.row ?? NONE)), u32(0x1645, column((e) => id(e.name))),
        u32(0x1646, column((e) => e.pass)), u32(0x1647, column(() => 0)), i64(0x1648, column((e) => (e.span ? BASE_NS + BigInt(e.span.begin) : 0n))), i64(0x1649, column((e) => (e.span ? e.span.end - e.span.begin : -1))),
        u8(0x164a, column((e) => e.quality)), u64(0x164b, column((e) => e.counts[0])), u64(0x164c, column((e) => e.counts[1])), u64(0x164d, column((e) => e.counts[2])), u32(0x164e, column((e) => (e.pipeline ? id(e.pipeline) : 0))),
        u32(0x1650, used((b) => b.event)), u8(0x1651, used((b) => b.kind)), u32(0x1652, used((b) => (b.slot ? id(b.slot) : 0))), u32(0x1653, used((b) => b.version)), u32(0x1654, used((b) => id(versions[b.version].name))),
        u8(0x1655, used((b) => b.access)), u32(0x1656, used((b) => b.producer)), u32(0x1657, used((b) => (b.text ? id(b.text) : 0)))];
}

export const LARGE = { passes: 200, versions: 500 };

/** Every pass makes two or three versions and reads some of those before it. */
export function largeGraphAnswer(trace, request) {
    const passes = Array.from({ length: LARGE.passes }, (_, i) => i);
    const versions = Array.from({ length: LARGE.versions }, (_, i) => i);
    const maker = (version) => Math.floor((version * LARGE.passes) / LARGE.versions);
    const reads = (pass) => [1, 7, 23].map((back) => Math.floor(((pass - back) * LARGE.versions) / LARGE.passes)).filter((version) => version >= 0);
    const edges = passes.flatMap((pass) => [...versions.filter((version) => maker(version) === pass).map((version) => ({ pass, version, access: 4 })),
        ...reads(pass).map((version) => ({ pass, version, access: 1 }))].sort((a, b) => a.version - b.version));
    const id = (text) => trace.nameId(text);
    const all = (value) => versions.map(() => value);
    return [u32(0x1140, [0]), u32(0x1141, request.sections.get(0x1101) ?? [0]), u64(0x1143, [1n << 30n, 1n << 28n]), u32(0x1144, [120, 0]), u32(0x1145, [0]), u32(0x1148, passes.map((i) => id(`generated pass number ${i}`))),
        u32(0x1149, passes.map((i) => id(`stage ${Math.floor(i / 12)}`))), u16(0x114a, passes.map((i) => (i % 40 === 39 ? 1 : 0))), u32(0x114b, passes.map((i) => (i % 40 === 39 ? 0 : 1))), i64(0x114c, passes.map((i) => (i % 40 === 39 ? -1 : 1000 + i * 500))),
        i64(0x114d, passes.map(() => 1000)), u32(0x114e, passes.map(() => NONE)), u32(0x114f, passes), u32(0x1150, versions.map((i) => id(`generated resource ${i}`))), u32(0x1151, all(0)), u32(0x1152, all(NONE)), u8(0x1153, all(2)), u16(0x1154, all(1)),
        u64(0x1155, versions.map((i) => (i % 9 === 0 ? -1n : 2097152n))), u32(0x1156, all(97)), u32(0x1157, versions.flatMap(() => [2, 512, 512, 1, 1])), u32(0x1158, all(1)), u32(0x1159, all(1)), u64(0x115a, all(0)), u32(0x115b, versions.map(maker)),
        u32(0x115c, versions.map(maker)), u32(0x115d, all(NONE)), u64(0x115e, versions.map((i) => i + 1)), u32(0x1160, edges.map((e) => e.pass)), u32(0x1161, edges.map((e) => e.version)), u8(0x1162, edges.map((e) => e.access)), u32(0x1164, []), u32(0x1165, [])];
}
