// SPDX-License-Identifier: MIT
// @ts-check
/* Who answers questions about the trace. */

import { KIND } from './client.js';

/** @typedef {import('../model/engine.js').EngineInfo} EngineInfo */

/** @param {import('./client.js').Client} client @param {number} trace @returns {Promise<EngineInfo>} */
export async function askEngine(client, trace) {
    const reply = await client.ask(KIND.ENGINE, trace);
    const [name, answers, device, reason] = reply.texts(0x2840);
    const [own, other, submissions] = Array.from(reply.u64(0x2841), Number);
    return { name: name ?? '', answers: answers ?? '', device: device ?? '', reason: reason ?? '', counts: { own: own ?? 0, other: other ?? 0, submissions: submissions ?? 0 } };
}
