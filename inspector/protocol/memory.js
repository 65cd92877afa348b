// SPDX-License-Identifier: MIT
// @ts-check
/* Questions about memory: which counters are of the device's, and what the frame graphs declare. */

import { KIND } from './client.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('../model/memory_history.js').TopologyBytes} TopologyBytes */

const NONE = 0xffffffff;

/**
 * Counters of the device memory in use and of the budget; null where they were not recorded.
 * @param {Client} client @param {number} trace
 * @returns {Promise<{ used: number | null, budget: number | null }>}
 */
export async function askMemoryCounters(client, trace) {
    const counters = (await client.ask(KIND.INFO, trace)).u32(0x055a);
    const known = (/** @type {number | undefined} */ counter) => (counter === undefined || counter === NONE ? null : counter);
    return { used: known(counters[0]), budget: known(counters[1]) };
}

/** @param {Client} client @param {number} trace @returns {Promise<TopologyBytes>} by number of the frame graph */
export async function askTopologyBytes(client, trace) {
    const reply = await client.ask(KIND.TOPOLOGIES, trace);
    const signed = (/** @type {number} */ tag) => Array.from(reply.u64(tag), (value) => BigInt.asIntN(64, value));
    return { declared: signed(0x1446), peak: signed(0x1447), unknown: reply.u32(0x1448) };
}
