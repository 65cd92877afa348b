// SPDX-License-Identifier: MIT
// @ts-check
/* Filters of the engine: made in steps, named by number. docs/PROTOCOL.md, FILTER_CREATE. */

import { KIND } from './client.js';
import { runTask } from './tasks.js';
import { i64Section, textSection, u32Section } from './wire.js';
import { grouped } from '../model/format.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./wire.js').Section} Section */
/** @typedef {import('./views.js').Order} Order */
/**
 * All of them hold together; what is left out means everything. An empty list is no term.
 * @typedef {object} Terms
 * @property {string} [text]
 * @property {readonly number[]} [names]
 * @property {readonly number[]} [categories]
 * @property {readonly number[]} [tracks]
 * @property {number} [leastNs]
 * @property {number} [mostNs] 0: any
 * @property {[number, number]} [flags] that must be set, that must not
 * @property {number} [status] bits
 * @property {number} [shortChildNs]
 * @property {number} [similarPercent]
 * @property {{ seeds: readonly number[], reach: readonly [number, number, number, number] }} [focus]
 * @property {readonly number[]} [rows]
 */

/** Rows that one request has room for. */
const MOST_ROWS = 200000;

/** @param {Terms} terms @returns {Section[]} */
function sectionsOf(terms) {
    if ((terms.rows?.length ?? 0) > MOST_ROWS) {
        throw new Error(`of ${grouped(terms.rows?.length ?? 0)} spans at most ${grouped(MOST_ROWS)} can be told apart from the rest at once.`);
    }
    const lists = /** @type {const} */ ([[0x0a02, terms.names], [0x0a03, terms.categories], [0x0a04, terms.tracks], [0x0a0e, terms.rows]]);
    const sections = lists.flatMap(([tag, list]) => (list && list.length > 0 ? [u32Section(tag, list)] : []));
    if (terms.text) {
        sections.push(textSection(0x0a01, terms.text));
    }
    if (terms.leastNs || terms.mostNs) {
        sections.push(i64Section(0x0a07, [BigInt(Math.round(terms.leastNs ?? 0)), BigInt(Math.round(terms.mostNs ?? 0))]));
    }
    if (terms.flags) {
        sections.push(u32Section(0x0a08, terms.flags));
    }
    if (terms.status) {
        sections.push(u32Section(0x0a09, [terms.status]));
    }
    if (terms.shortChildNs) {
        sections.push(i64Section(0x0a0a, [BigInt(Math.round(terms.shortChildNs))]));
    }
    if (terms.similarPercent) {
        sections.push(u32Section(0x0a0b, [terms.similarPercent]));
    }
    if (terms.focus && terms.focus.seeds.length > 0) {
        sections.push(u32Section(0x0a0c, terms.focus.seeds), u32Section(0x0a0d, terms.focus.reach));
    }
    return sections;
}

/**
 * @param {Client} client @param {number} trace @param {Terms} terms @param {Order} [order]
 * @returns {Promise<{ filter: number, rows: number }>}
 */
export async function askFilter(client, trace, terms, order = { channel: 0, generation: 0 }) {
    const reply = await runTask(client, trace, KIND.FILTER_CREATE, sectionsOf(terms), order);
    return { filter: reply.one(0x0a40, 0), rows: reply.one(0x0a41, 0) };
}

/** @param {Client} client @param {number} trace @param {number} filter */
export async function dropFilter(client, trace, filter) {
    await client.ask(KIND.FILTER_DESTROY, trace, [u32Section(0x0b01, [filter])]);
}
