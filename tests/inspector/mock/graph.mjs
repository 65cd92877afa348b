// SPDX-License-Identifier: MIT
/* Frame graphs of the invented trace: one until frame 60, a larger one from there on. */

import { u16, u32, u64, u8, i64 } from './engine.mjs';
import { FRAME_COUNT } from './trace.mjs';

const NONE = 0xffffffff;
const [READS, WRITES, CREATES] = [1, 2, 4];
const CULLED = 1;
const SIDE_EFFECT = 2;
const [TRANSIENT, IMPORTED, CULLED_ONLY] = [1, 2, 4];
/** Frame from which the second graph is used. */
const CHANGE_FRAME = 60;

/** Passes in the order of their execution: scope, name, what they read, what they make. Position = identity. */
const PASSES = [
    ['depth', 'prepass', ['scene geometry 0'], ['depth 0']],
    ['depth', 'hi-z', ['depth 0'], ['hi-z 0']],
    ['shadows', 'cascade 0', ['scene geometry 0'], ['shadow atlas 0']],
    ['shadows', 'cascade 1', ['scene geometry 0'], ['shadow atlas 1']],
    ['shadows', 'cascade 2', ['scene geometry 0'], ['shadow atlas 2']],
    ['shadows', 'cascade 3', ['scene geometry 0'], ['shadow atlas 3']],
    ['geometry', 'cull instances', ['hi-z 0'], ['visible instances 0']],
    ['geometry', 'g-buffer', ['scene geometry 0', 'visible instances 0', 'depth 0'], ['albedo 0', 'normals 0']],
    ['lighting', 'ambient occlusion', ['depth 0', 'normals 0'], ['ao 0']],
    ['lighting', 'ao blur', ['ao 0'], ['ao 1']],
    ['lighting', 'clustered lights', ['albedo 0', 'normals 0', 'ao 1', 'shadow atlas 3'], ['hdr 0']],
    ['post', 'bloom down', ['hdr 0'], ['bloom 0']],
    ['post', 'bloom up', ['bloom 0'], ['bloom 1']],
    ['post', 'exposure', ['hdr 0'], ['exposure 0']],
    ['post', 'tonemap', ['hdr 0', 'bloom 1', 'exposure 0'], ['picture 0']],
    ['hud', 'text', ['picture 0'], ['picture 1']],
    ['hud', 'debug lines', ['depth 0'], ['debug picture 0']],
    ['hud', 'debug overlay', ['debug picture 0'], ['overlay 0']],
];
const CULLED_PASSES = new Set(['debug lines', 'debug overlay']);
export const PASS_NAMES = PASSES.map(([, name]) => name);
export const SCOPE_NAMES = PASSES.map(([scope]) => scope);

/** Position and identity of the pass of a span; NONE for spans of none. @param {string} name */
export function passIndex(name) {
    const index = PASS_NAMES.indexOf(name);
    return index < 0 ? NONE : index;
}

/** Resources: kind, flags, format, size for a picture of w by h, mips, usage. A width of 0 is a buffer of so many bytes. */
const RESOURCES = {
    'scene geometry': { kind: 1, flags: IMPORTED, bytes: -1n, usage: 192n, versions: 1 },
    depth: { kind: 2, flags: TRANSIENT, format: 126, pixel: 4n, usage: 0x24n, versions: 1 },
    'hi-z': { kind: 2, flags: TRANSIENT, format: 100, size: 1024, mips: 11, bytes: 5592404n, usage: 0xcn, versions: 1 },
    'shadow atlas': { kind: 2, flags: TRANSIENT, format: 126, size: 4096, bytes: 67108864n, usage: 0x24n, versions: 4 },
    'visible instances': { kind: 1, flags: TRANSIENT, bytes: 4194304n, usage: 0x120n, versions: 1 },
    albedo: { kind: 2, flags: TRANSIENT, format: 37, pixel: 4n, usage: 0x14n, versions: 1 },
    normals: { kind: 2, flags: TRANSIENT, format: 83, pixel: 4n, usage: 0x14n, versions: 1 },
    ao: { kind: 2, flags: TRANSIENT, format: 9, pixel: 1n, usage: 0xcn, versions: 2 },
    hdr: { kind: 2, flags: TRANSIENT, format: 97, pixel: 8n, usage: 0xcn, versions: 1 },
    bloom: { kind: 2, flags: TRANSIENT, format: 122, pixel: 2n, usage: 0xcn, versions: 2 },
    exposure: { kind: 1, flags: TRANSIENT, bytes: 16n, usage: 0x20n, versions: 1 },
    picture: { kind: 2, flags: IMPORTED, format: 37, pixel: 4n, usage: 0x10n, versions: 2 },
    'debug picture': { kind: 2, flags: TRANSIENT | CULLED_ONLY, format: 37, pixel: 4n, usage: 0x10n, versions: 1 },
    overlay: { kind: 2, flags: TRANSIENT | CULLED_ONLY, format: 37, pixel: 4n, usage: 0x10n, versions: 1 },
    'spare buffer': { kind: 1, flags: TRANSIENT, bytes: 1048576n, usage: 0x2n, versions: 1 },
};

/** @param {number} topology 0 or 1 */
function sizes(topology) {
    return topology === 0 ? [1280, 720] : [1600, 900];
}

/** Versions of one graph, in order. @param {number} topology */
export function versionsOf(topology) {
    const [w, h] = sizes(topology);
    return Object.entries(RESOURCES).flatMap(([name, resource], id) => Array.from({ length: resource.versions }, (_, version) => ({
        ...resource, id: id + 1, name, version,
        bytes: resource.bytes ?? resource.pixel * BigInt(w * h),
        size: resource.kind === 1 ? [0, 0, 0, 0, 0] : [2, resource.size ?? w, resource.size ?? h, 1, 1],
    })));
}

/** @param {number} topology */
export function edgesOf(topology) {
    const keys = versionsOf(topology).map((item) => `${item.name} ${item.version}`);
    return PASSES.flatMap(([, , reads, writes], pass) => [...new Set([...reads, ...writes])].map((key) => ({
        pass, version: keys.indexOf(key),
        access: (reads.includes(key) ? READS : 0) | (writes.includes(key) ? (key.endsWith(' 0') ? CREATES : WRITES) : 0),
    })).sort((a, b) => a.version - b.version));
}

/** Declared total, peak and unknown ones: each resource once, alive from its first use to its last, imported ones always. @param {number} topology */
export function declared(topology) {
    const versions = versionsOf(topology);
    const edges = edgesOf(topology);
    const lives = Object.keys(RESOURCES).map((name) => {
        const mine = versions.flatMap((item, i) => (item.name === name ? [i] : []));
        const uses = edges.filter((edge) => mine.includes(edge.version)).map((edge) => edge.pass);
        const { bytes, flags } = versions[mine[0]];
        return { bytes, uses: (flags & IMPORTED) !== 0 ? [0, PASSES.length - 1] : uses };
    });
    const known = lives.filter((life) => life.bytes >= 0n);
    const at = PASSES.map((_, pass) => known.filter(({ uses }) => uses.length > 0 && Math.min(...uses) <= pass && pass <= Math.max(...uses)).reduce((sum, { bytes }) => sum + bytes, 0n));
    return { total: known.reduce((sum, { bytes }) => sum + bytes, 0n), peak: at.reduce((a, b) => (a > b ? a : b)), unknown: lives.length - known.length };
}

export function topologiesAnswer(trace) {
    const both = [0, 1].map(declared);
    return [u64(0x1440, [0xabcdn, 0xef01n]), u32(0x1441, both.map(() => PASSES.length)), u32(0x1442, [0, 1].map((i) => versionsOf(i).length)), u32(0x1443, [CHANGE_FRAME, FRAME_COUNT - CHANGE_FRAME]),
        u32(0x1444, [0, CHANGE_FRAME]), u32(0x1445, both.map(() => trace.nameId('frame'))), u64(0x1446, both.map((item) => item.total)), u64(0x1447, both.map((item) => item.peak)), u32(0x1448, both.map((item) => item.unknown))];
}

export function structureAnswer(trace, request) {
    const frame = request.sections.get(0x1101)?.[0] ?? NONE;
    const topology = frame === NONE ? request.sections.get(0x1102)?.[0] ?? 0 : trace.frames[frame]?.topology;
    if (topology === undefined) {
        return null;
    }
    const versions = versionsOf(topology);
    const edges = edgesOf(topology);
    const bytes = declared(topology);
    const id = (text) => trace.nameId(text);
    const spans = PASS_NAMES.map((name) => trace.spans.find((span) => span.frame === frame && span.lane === 1 && trace.names[span.name] === name));
    const encodes = PASS_NAMES.map((name) => trace.spans.find((span) => span.frame === frame && span.lane === 4 && trace.names[span.name] === name));
    const length = (span) => (span ? span.end - span.begin : -1);
    const flags = PASSES.map(([, name]) => (CULLED_PASSES.has(name) && frame !== NONE ? CULLED : 0) | (name === 'text' ? SIDE_EFFECT : 0) | (frame === NONE ? 16 : 0));
    const first = (version) => edges.find((edge) => edge.version === version && edge.access > READS)?.pass ?? NONE;
    const last = (version) => edges.findLast((edge) => edge.version === version && (edge.access & READS) !== 0)?.pass ?? NONE;
    const column = (pick) => versions.map(pick);
    return [u32(0x1140, [topology]), u32(0x1141, [frame]), u64(0x1142, [topology === 0 ? 0xabcdn : 0xef01n]), u64(0x1143, [bytes.total, bytes.peak]), u32(0x1144, [CHANGE_FRAME, topology === 0 ? 0 : CHANGE_FRAME]), u32(0x1145, [bytes.unknown]),
        u64(0x1147, PASSES.map((_, i) => i)), u32(0x1148, PASS_NAMES.map(id)), u32(0x1149, PASSES.map(([scope]) => id(scope))), u16(0x114a, flags), u32(0x114b, PASSES.map(([, name]) => (CULLED_PASSES.has(name) ? 0 : 1))),
        i64(0x114c, spans.map(length)), i64(0x114d, encodes.map(length)), u32(0x114e, spans.map((span) => span?.row ?? NONE)), u32(0x114f, PASSES.map((_, i) => i)),
        u32(0x1150, column((v) => id(v.name))), u32(0x1151, column((v) => v.version)), u32(0x1152, column((v, i) => (v.version > 0 ? i - 1 : NONE))), u8(0x1153, column((v) => v.kind)), u16(0x1154, column((v) => v.flags)),
        u64(0x1155, column((v) => v.bytes)), u32(0x1156, column((v) => v.format ?? 0)), u32(0x1157, versions.flatMap((v) => v.size)), u32(0x1158, column((v) => v.mips ?? 1)), u32(0x1159, column(() => 1)), u64(0x115a, column((v) => v.usage)),
        u32(0x115b, column((_, i) => first(i))), u32(0x115c, column((_, i) => first(i))), u32(0x115d, column((_, i) => last(i))), u64(0x115e, column((v) => v.id)),
        u32(0x1160, edges.map((edge) => edge.pass)), u32(0x1161, edges.map((edge) => edge.version)), u8(0x1162, edges.map((edge) => edge.access)), u32(0x1164, [6]), u32(0x1165, [13])];
}
