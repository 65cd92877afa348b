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

/** Classes of work: what the hand waits for, and what may take its time. */
const CLASS = Object.freeze({ INTERACTIVE: 0, BACKGROUND: 2 });
/** Answers to a key or a click, and what a person asked for by name; everything else is kept in sight by itself. @type {ReadonlySet<number>} */
const OF_THE_HAND = new Set([KIND.FILTER_CREATE, KIND.SEARCH, KIND.FOCUS, KIND.SLICE, KIND.PATH, KIND.ANOMALIES, KIND.COMPARE]);
/** The engine chooses how much a step looks at, by its class and by what steps took. */
const ROWS = u64Section(0x2504, [0n]);
/** How long the hand is waited for, before a step goes on all the same. */
const PATIENCE = 4;

/** After whatever is to be drawn. @returns {Promise<void>} */
const breath = () => new Promise((done) => { setTimeout(done, 0); });

/** @param {number} kind */
export function classOf(kind) {
    return OF_THE_HAND.has(kind) ? CLASS.INTERACTIVE : CLASS.BACKGROUND;
}

/**
 * @param {Client} client @param {number} trace @param {number} kind whose answer is wanted @param {readonly Section[]} sections of that kind
 * @param {Order} order a newer generation on the channel ends it @param {(progress: TaskProgress) => void} [tell]
 * @param {(reply: Reply) => void} [part] takes what is known when a stage before the last one is done, told before its progress
 * @returns {Promise<Reply>} with the sections of the kind
 */
export async function runTask(client, trace, kind, sections, order, tell = () => {}, part = () => {}) {
    if (!client.can(KIND.TASK)) {
        return client.ask(kind, trace, sections, order);
    }
    let reply = await client.ask(KIND.TASK, trace, [u32Section(0x2501, [kind]), ROWS, u32Section(0x2505, [classOf(kind)]), ...sections], order);
    for (let task = reply.one(0x2540, 0); task !== 0; task = reply.one(0x2540, 0)) {
        if (reply.hasKind(kind)) {
            part(reply);
        }
        tell(progressOf(reply));
        await breath();
        for (let i = 0; client.open > 0 && i < PATIENCE; i++) {
            await breath();
        }
        if (order.generation < client.generations[order.channel]) {
            throw new Cancelled();
        }
        reply = await client.ask(KIND.TASK, trace, [u32Section(0x2502, [task]), ROWS, ...sections], order);
    }
    return reply;
}

/** @param {Reply} reply @returns {TaskProgress} */
function progressOf(reply) {
    const [done, all, stage, stages] = Array.from(reply.u64(0x2541), Number);
    return { done, all, stage, stages };
}
