// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the whole trace in few cells, of what the filter shows. */

import { KIND } from '../protocol/client.js';
import { MINIMAP_OF, askMinimap } from '../protocol/minimap.js';
import { CHANNEL, isRenewed, traceOf } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */

/** With more tracks than this processes have the bands. */
const MOST_TRACKS = 96;

/** @param {Context} context */
export function keepMinimap(context) {
    const { store, client } = context;
    store.listen((state, before) => {
        if (state.phase !== 'ready' || (!isRenewed(state, before) && state.filter === before.filter)) {
            return;
        }
        if (!client.can(KIND.MINIMAP)) {
            store.update({ minimap: null });
            return;
        }
        const order = client.supersede(CHANNEL.MINIMAP);
        void attempt(context, 'The overview could not be made', async () => {
            const of = state.tracks.length > MOST_TRACKS ? MINIMAP_OF.PROCESSES : MINIMAP_OF.TRACKS;
            store.update({ minimap: await askMinimap(client, traceOf(context), { of, filter: state.filter?.filter ?? 0 }, order) });
        });
    });
}
