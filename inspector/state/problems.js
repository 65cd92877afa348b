// SPDX-License-Identifier: MIT
// @ts-check
/* What failed, and what to do about it. */

import { isCancelled } from '../protocol/client.js';

/** @typedef {import('./app_state.js').Context} Context */

/**
 * Run something that asks the engine; what goes wrong is shown, what was replaced is forgotten.
 * @param {Context} context
 * @param {string} doing what was tried, as in "The statistics could not be computed"
 * @param {() => Promise<void>} work
 */
export async function attempt(context, doing, work) {
    try {
        await work();
    } catch (error) {
        if (!isCancelled(error)) {
            const text = error instanceof Error ? error.message : String(error);
            context.store.update({ problem: { what: doing, advice: text, lasting: false } });
        }
    }
}
