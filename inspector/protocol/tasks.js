// SPDX-License-Identifier: MIT
// @ts-check
/* Long work in steps: other questions are answered in between, and it ends when a newer one takes its place. docs/PROTOCOL.md, TASK. */

import { Cancelled, KIND } from './client.js';
import { u32Section, u64Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./wire.js').Section} Section */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {{ done: number, all: number, stage: number, stages: number }} TaskProgress rows; all is an estimate */

/** A step should not take longer than this: what the hand asks for waits for it. */
const STEP_MS = 12;
const FIRST_ROWS = 65536;
const LEAST_ROWS = 8192;
const MOST_ROWS = 8388608;
/** How long the hand is waited for, before a step goes on all the same. */
const PATIENCE = 4;

/** After whatever is to be drawn. @returns {Promise<void>} */
const breath = () => new Promise((done) => { setTimeout(done, 0); });

/** Rows of the next step, from what the last one took. @param {number} rows @param {number} ms */
export function nextRows(rows, ms) {
    const factor = Math.min(2, Math.max(0.5, STEP_MS / Math.max(0.5, ms)));
    return Math.round(Math.min(MOST_ROWS, Math.max(LEAST_ROWS, rows * factor)));
}

/**
 * @param {Client} client @param {number} trace @param {number} kind whose answer is wanted @param {readonly Section[]} sections of that kind
 * @param {Order} order a newer generation on the channel ends it @param {(progress: TaskProgress) => void} [tell]
 * @returns {Promise<Reply>} with the sections of the kind
 */
export async function runTask(client, trace, kind, sections, order, tell = () => {}) {
    if (!client.can(KIND.TASK)) {
        return client.ask(kind, trace, sections, order);
    }
    let rows = FIRST_ROWS;
    let reply = await client.ask(KIND.TASK, trace, [u32Section(0x2501, [kind]), u64Section(0x2504, [BigInt(rows)]), ...sections], order);
    for (let task = reply.one(0x2540, 0); task !== 0; task = reply.one(0x2540, 0)) {
        tell(progressOf(reply));
        await breath();
        for (let i = 0; client.open > 0 && i < PATIENCE; i++) {
            await breath();
        }
        if (order.generation < client.generations[order.channel]) {
            throw new Cancelled();
        }
        const began = performance.now();
        reply = await client.ask(KIND.TASK, trace, [u32Section(0x2502, [task]), u64Section(0x2504, [BigInt(rows)]), ...sections], order);
        rows = nextRows(rows, performance.now() - began);
    }
    return reply;
}

/** @param {Reply} reply @returns {TaskProgress} */
function progressOf(reply) {
    const [done, all, stage, stages] = Array.from(reply.u64(0x2541), Number);
    return { done, all, stage, stages };
}
