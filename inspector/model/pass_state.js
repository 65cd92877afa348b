// SPDX-License-Identifier: MIT
// @ts-check
/* Why a pass did not run, as far as the frame graph tells. */

import { counted } from './format.js';

/** @typedef {import('./structure.js').FrameStructure} FrameStructure */

/**
 * @param {FrameStructure} graph
 * @param {number} index
 * @returns {string[]} sentences; empty where there is nothing to explain
 */
export function passReason(graph, index) {
    const pass = graph.passes[index];
    if (!pass.known) {
        return ['The frame says nothing about this pass: whether it was kept is not known.'];
    }
    if (!pass.culled) {
        return pass.row === null ? [pass.failed ? 'The program left it by an error; no time of it was recorded.'
            : 'It was kept, but no time of it is known: it gave the device nothing, or its times never came.'] : [];
    }
    const outputs = graph.outputsOf(index);
    if (outputs.length === 0) {
        return ['Culled: it makes no resource of the graph, and it has no side effect.'];
    }
    const readers = new Set(outputs.flatMap((version) => graph.readersOf(version)).filter((reader) => reader !== index));
    const kept = [...readers].filter((reader) => !graph.passes[reader].culled);
    if (readers.size === 0) {
        return ['Culled: nobody reads what it makes, and it has no side effect.'];
    }
    if (kept.length === 0) {
        const who = `${counted(readers.size, 'pass', 'passes')} that ${readers.size === 1 ? 'was' : 'were'} culled too`;
        return [`Culled: what it makes is read only by ${who}, and it has no side effect.`];
    }
    return [`Culled, as the program recorded it, although ${counted(kept.length, 'kept pass reads', 'kept passes read')} what it makes.`];
}
