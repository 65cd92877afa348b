// SPDX-License-Identifier: MIT
// @ts-check
/* The question for a frame graph. */

import { KIND } from './client.js';
import { u32Section } from './wire.js';
import { FrameStructure } from '../model/structure.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('../model/structure.js').GraphPass} GraphPass */
/** @typedef {import('../model/structure.js').GraphVersion} GraphVersion */

const NONE = 0xffffffff;
const KINDS = ['', 'buffer', 'texture', 'acceleration structure'];
/** Numbers of a version's size: dimension, width, height, depth, layers. */
const SIZE_NUMBERS = 5;
const PASS = { CULLED: 1, SIDE_EFFECT: 2, ASYNC: 4, FAILED: 8, NOT_KNOWN: 16 };
const VERSION = { TRANSIENT: 1, IMPORTED: 2, CULLED_ONLY: 4 };

/** @param {number | undefined} value */
const orNull = (value) => (value === undefined || value === NONE ? null : value);
/** Unsigned, with all bits set where it is not known. @param {bigint | undefined} value */
const orUnknown = (value) => (value === undefined ? -1n : BigInt.asIntN(64, value));

/**
 * The graph of a frame and what the frame made of it.
 * @param {Client} client @param {number} trace @param {number} frame row @param {Order} [order]
 */
export async function askFrameStructure(client, trace, frame, order) {
    const reply = await client.ask(KIND.STRUCTURE, trace, [u32Section(0x1101, [frame])], order);
    const name = (/** @type {number} */ id) => client.name(trace, id);
    const bytes = reply.u64(0x1143);
    const after = reply.u32(0x1165);
    return new FrameStructure({
        topology: reply.one(0x1140, NONE),
        frame: orNull(reply.one(0x1141, frame)),
        users: reply.u32(0x1144)[0] ?? 0,
        declaredBytes: orUnknown(bytes[0]),
        peakBytes: orUnknown(bytes[1]),
        unknownBytes: reply.one(0x1145, 0),
        passes: readPasses(reply, name),
        versions: readVersions(reply, name),
        edges: readEdges(reply),
        orders: Array.from(reply.u32(0x1164), (before, i) => ({ before, after: after[i] })),
    });
}

/** @param {Reply} reply @param {(id: number) => string} name @returns {GraphPass[]} */
function readPasses(reply, name) {
    const [scopes, refs, rows, identities] = [0x1149, 0x114b, 0x114e, 0x114f].map((tag) => reply.u32(tag));
    const flags = reply.u16(0x114a);
    const [gpu, cpu] = [0x114c, 0x114d].map((tag) => reply.i64(tag));
    return Array.from(reply.u32(0x1148), (id, i) => {
        const bits = flags[i] ?? PASS.NOT_KNOWN;
        return {
            name: name(id),
            scope: name(scopes[i] ?? 0),
            identity: identities[i] ?? NONE,
            culled: (bits & PASS.CULLED) !== 0,
            sideEffect: (bits & PASS.SIDE_EFFECT) !== 0,
            async: (bits & PASS.ASYNC) !== 0,
            failed: (bits & PASS.FAILED) !== 0,
            known: (bits & PASS.NOT_KNOWN) === 0,
            refs: orNull(refs[i]),
            gpuNs: Number(gpu[i] ?? -1n),
            cpuNs: Number(cpu[i] ?? -1n),
            row: orNull(rows[i]),
        };
    });
}

/** @param {Reply} reply @param {(id: number) => string} name @returns {GraphVersion[]} */
function readVersions(reply, name) {
    const [numbers, previous, formats, mips, samples, producers, first, last] =
        [0x1151, 0x1152, 0x1156, 0x1158, 0x1159, 0x115b, 0x115c, 0x115d].map((tag) => reply.u32(tag));
    const kinds = reply.u8(0x1153);
    const flags = reply.u16(0x1154);
    const [bytes, usage, ids] = [0x1155, 0x115a, 0x115e].map((tag) => reply.u64(tag));
    const sizes = reply.u32(0x1157);
    /** @type {Map<string, number>} */
    const equals = new Map();
    return Array.from(reply.u32(0x1150), (id, i) => {
        const key = `${id}:${numbers[i]}`;
        const nth = equals.get(key) ?? 0;
        equals.set(key, nth + 1);
        return {
            name: name(id),
            version: numbers[i],
            nth,
            previous: orNull(previous[i]),
            kind: KINDS[kinds[i]] ?? '',
            transient: (flags[i] & VERSION.TRANSIENT) !== 0,
            imported: (flags[i] & VERSION.IMPORTED) !== 0,
            culledOnly: (flags[i] & VERSION.CULLED_ONLY) !== 0,
            bytes: orUnknown(bytes[i]),
            format: formats[i] ?? 0,
            size: Array.from(sizes.subarray(SIZE_NUMBERS * i, SIZE_NUMBERS * (i + 1))),
            mips: mips[i] ?? 0,
            samples: samples[i] ?? 0,
            usage: usage[i] ?? 0n,
            producer: orNull(producers[i]),
            first: orNull(first[i]),
            last: orNull(last[i]),
            // Without ids every version is taken for a resource of its own.
            id: ids[i] ?? BigInt(i),
        };
    });
}

/** @param {Reply} reply @returns {import('../model/structure.js').GraphEdge[]} */
function readEdges(reply) {
    const resources = reply.u32(0x1161);
    const access = reply.u8(0x1162);
    return Array.from(reply.u32(0x1160), (pass, i) => ({ pass, resource: resources[i], access: access[i] }));
}
