// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the statistics of the selected range. */

import { askStats } from '../protocol/queries.js';
import { CHANNEL, traceOf, trackOf } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */

/** @param {Context} context */
export function keepStats(context) {
    const { store, client } = context;
    /** What the statistics are of. @type {unknown[]} */
    let asked = [];
    store.listen((state) => {
        const { by, range, view } = state.place;
        const wanted = [by, range, state.frames];
        if (state.phase !== 'ready' || view !== 'timeline' || wanted.every((part, i) => part === asked[i])) {
            return;
        }
        asked = wanted;
        const order = client.supersede(CHANNEL.STATS);
        void attempt(context, 'The statistics could not be computed', async () => {
            const name = (/** @type {number} */ track) => trackOf(store.state, track)?.name ?? '';
            store.update({ stats: await askStats(client, traceOf(context), { by, frames: range, filter: 0 }, order, name) });
        });
    });
}
