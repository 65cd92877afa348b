// SPDX-License-Identifier: MIT
// @ts-check
/* How far long work is, and what of it is known already: told while it takes longer than a glance. */

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../protocol/tasks.js').TaskProgress} TaskProgress */

const GLANCE_MS = 150;

/**
 * @template T
 * @param {Context} context @param {string} what @param {number} channel whose newest question it is
 * @param {(tell: (progress: TaskProgress) => void, part: (show: () => void) => void) => Promise<T>} work part: what shows the part that is known
 * @returns {Promise<T>}
 */
export async function tellWork({ store, client }, what, channel, work) {
    const began = performance.now();
    const mine = client.generations[channel];
    const isMine = () => client.generations[channel] === mine;
    /** @type {(() => void) | null} */
    let known = null;
    try {
        return await work(({ done, all }) => {
            if (isMine() && performance.now() - began > GLANCE_MS) {
                store.update({ working: { what, channel, done, all } });
                known?.();
                known = null;
            }
        }, (show) => { known = show; });
    } finally {
        if (store.state.working?.channel === channel && isMine()) {
            store.update({ working: null });
        }
    }
}

/** Long work that is told is not wanted any more. @param {Context} context */
export function cancelWork({ store, client }) {
    const { working } = store.state;
    if (working) {
        client.supersede(working.channel);
        store.update({ working: null });
    }
}
