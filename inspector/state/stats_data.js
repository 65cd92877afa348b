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
    store.listen((state, before) => {
        const moved = state.place.range !== before.place.range || state.place.by !== before.place.by;
        if (state.phase !== 'ready' || (before.phase === 'ready' && !moved)) {
            return;
        }
        const { by, range } = state.place;
        const order = client.supersede(CHANNEL.STATS);
        void attempt(context, 'The statistics could not be computed', async () => {
            const name = (/** @type {number} */ track) => trackOf(store.state, track)?.name ?? '';
            store.update({ stats: await askStats(client, traceOf(context), { by, frames: range, filter: 0 }, order, name) });
        });
    });
}
