// SPDX-License-Identifier: MIT
// @ts-check
/* The question for the events of a frame, page by page. */

import { FLAG, KIND } from './client.js';
import { u32Section } from './wire.js';
import { BIND_KINDS, EVENT_KINDS, FrameEvents, QUALITIES } from '../model/events.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {import('../model/events.js').FrameEvent} FrameEvent */
/** @typedef {import('../model/events.js').Bind} Bind */

const NONE = 0xffffffff;
const PAGE_ROWS = 65536;

/** @param {number | undefined} value */
const orNull = (value) => (value === undefined || value === NONE ? null : value);

/**
 * @param {Client} client @param {number} trace @param {number} frame row @param {import('./views.js').Order} order
 * @returns {Promise<FrameEvents>}
 */
export async function askEvents(client, trace, frame, order) {
    /** @type {FrameEvent[]} */
    const events = [];
    /** @type {Bind[]} */
    const binds = [];
    const name = (/** @type {number | undefined} */ id) => client.name(trace, id ?? 0);
    for (let more = true; more;) {
        const reply = await client.ask(KIND.EVENTS, trace,
            [u32Section(0x1601, [frame]), u32Section(0x1602, [events.length]), u32Section(0x1603, [PAGE_ROWS])], order);
        const page = readEvents(reply, name);
        events.push(...page);
        binds.push(...readBinds(reply, name));
        more = page.length > 0 && (reply.flags & FLAG.OVERFLOW) !== 0;
    }
    return new FrameEvents(frame, events, binds);
}

/** @param {Reply} reply @param {(id: number | undefined) => string} name @returns {FrameEvent[]} */
function readEvents(reply, name) {
    const [rows, names, passes, tracks, pipelines] = [0x1644, 0x1645, 0x1646, 0x1647, 0x164e].map((tag) => reply.u32(tag));
    const [depths, qualities] = [0x1643, 0x164a].map((tag) => reply.u8(tag));
    const [starts, lengths] = [0x1648, 0x1649].map((tag) => reply.i64(tag));
    const [x, y, z] = [0x164b, 0x164c, 0x164d].map((tag) => reply.u64(tag));
    return Array.from(reply.u8(0x1642), (kind, i) => ({
        kind: EVENT_KINDS[kind] ?? 'work',
        depth: depths[i] ?? 0,
        row: orNull(rows[i]),
        name: name(names[i]),
        pass: orNull(passes[i]),
        track: orNull(tracks[i]),
        startNs: starts[i] ?? 0n,
        ns: Number(lengths[i] ?? -1n),
        quality: QUALITIES[qualities[i]] ?? 'none',
        counts: [x[i] ?? 0n, y[i] ?? 0n, z[i] ?? 0n],
        pipeline: name(pipelines[i]),
    }));
}

/** @param {Reply} reply @param {(id: number | undefined) => string} name @returns {Bind[]} */
function readBinds(reply, name) {
    const [slots, resources, names, producers, texts] = [0x1652, 0x1653, 0x1654, 0x1656, 0x1657].map((tag) => reply.u32(tag));
    const [kinds, accesses] = [0x1651, 0x1655].map((tag) => reply.u8(tag));
    return Array.from(reply.u32(0x1650), (event, i) => ({
        event,
        kind: BIND_KINDS[kinds[i]] ?? 'binding',
        slot: name(slots[i]),
        resource: orNull(resources[i]),
        name: name(names[i]),
        access: accesses[i] ?? 0,
        producer: orNull(producers[i]),
        text: name(texts[i]),
    }));
}
