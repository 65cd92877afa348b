// SPDX-License-Identifier: MIT
// @ts-check
/* Questions about memory: what the frame graphs declare. */

import { KIND } from './client.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('../model/memory_history.js').TopologyBytes} TopologyBytes */

/** @param {Client} client @param {number} trace @returns {Promise<TopologyBytes>} by number of the frame graph */
export async function askTopologyBytes(client, trace) {
    const reply = await client.ask(KIND.TOPOLOGIES, trace);
    const signed = (/** @type {number} */ tag) => Array.from(reply.u64(tag), (value) => BigInt.asIntN(64, value));
    return { declared: signed(0x1446), peak: signed(0x1447), unknown: reply.u32(0x1448) };
}
