// SPDX-License-Identifier: MIT
// @ts-check
/* Questions about dependencies: the lines of a window, what is connected to spans. docs/PROTOCOL.md, LINKS, FOCUS, SLICE. */

import { KIND } from './client.js';
import { runTask } from './tasks.js';
import { i32Section, i64Section, u32Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {(progress: import('./tasks.js').TaskProgress) => void} Tell */
/** @typedef {import('../model/links.js').LinkView} LinkView */
/** @typedef {import('../model/focus.js').Focus} Focus */
/** @typedef {import('../model/focus.js').FocusAnswer} FocusAnswer */

const FEW_LINES = 200;
const STRAIGHT = 0xffffffff;

/**
 * @typedef {object} LinksQuestion
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {number} widthPx
 * @property {number[]} lanes
 * @property {number[]} groups
 * @property {number[]} placeY middle of each of them
 * @property {[number, number]} inView top and bottom, in the same unit
 * @property {number} filter
 * @property {number} families bits; 0 for all
 * @property {number[]} rows whose dependencies are wanted whatever hides others
 */

/**
 * In steps: the first question of a filter makes an index, and what there is of it stays when a newer question takes its place.
 * @param {Client} client @param {number} trace @param {LinksQuestion} question @param {Order} order @param {Tell} [tell] @returns {Promise<LinkView>}
 */
export async function askLinks(client, trace, question, order, tell) {
    const { startNs, endNs, widthPx, lanes, groups, placeY, inView, filter, families, rows } = question;
    const reply = await runTask(client, trace, KIND.LINKS, [
        i64Section(0x1d01, [startNs, endNs]),
        u32Section(0x1d02, [widthPx]),
        u32Section(0x1d03, lanes),
        u32Section(0x1d04, groups),
        i32Section(0x1d05, placeY),
        i32Section(0x1d06, inView),
        u32Section(0x1d07, [filter]),
        u32Section(0x1d08, [families]),
        u32Section(0x1d0c, rows),
    ], order, tell);
    const [link, source, target, shownSource, shownTarget, sourcePlace, targetPlace] =
        [0x1d40, 0x1d41, 0x1d42, 0x1d43, 0x1d44, 0x1d45, 0x1d46].map((tag) => reply.u32(tag));
    const counts = Array.from(reply.u64(0x1d58), Number);
    const [outside, hidden, same, others, placeless, culled, overBudget] = Array.from(reply.u64(0x1d59), Number);
    return {
        startNs,
        endNs,
        placeY: Int32Array.from(placeY),
        lines: {
            link, source, target, shownSource, shownTarget, sourcePlace, targetPlace,
            from: reply.f64(0x1d47),
            to: reply.f64(0x1d48),
            family: reply.u8(0x1d49),
            marks: reply.u8(0x1d4a),
            // So few can be told apart: they need no corridors.
            bundle: link.length <= FEW_LINES ? new Uint32Array(link.length).fill(STRAIGHT) : reply.u32(0x1d4b),
        },
        bundles: { from: reply.f64(0x1d50), to: reply.f64(0x1d51), fromY: reply.i32(0x1d52), toY: reply.i32(0x1d53), lines: reply.u32(0x1d54) },
        budget: counts[0] ?? 0,
        wanted: counts[1] ?? 0,
        wantedLeft: counts[2] ?? 0,
        leftOut: { outside, hidden, same, families: others, placeless, culled, overBudget },
    };
}

const DIRECTIONS = { both: 0, out: 1, in: 2 };
const NO_LIMIT = 0xffffffff;

/** Terms of FOCUS, and of a filter. @param {Focus} focus @param {number} families @returns {[number, number, number, number]} */
export function reachOf(focus, families) {
    return [DIRECTIONS[focus.direction], focus.hops === null ? NO_LIMIT : focus.hops, families, 0];
}

/**
 * How far a focus reaches.
 * @param {Client} client @param {number} trace @param {Focus} focus @param {number} families @param {Order} order
 * @returns {Promise<FocusAnswer>}
 */
export async function askFocus(client, trace, focus, families, order) {
    const reply = await runTask(client, trace, KIND.FOCUS, [
        u32Section(0x1e01, focus.seeds),
        u32Section(0x1e02, reachOf(focus, families)),
        u32Section(0x1e04, [1]),
    ], order);
    const [seeds, repeated, missing] = reply.u32(0x1e41);
    const [notFollowed, frontier] = reply.u32(0x1e45);
    return {
        rows: reply.one(0x1e40, 0),
        seeds, repeated, missing, notFollowed, frontier,
        hops: Array.from(reply.u32(0x1e42)),
    };
}
