// SPDX-License-Identifier: MIT
// @ts-check
/* Live resources between the two chosen points, while somebody looks at them. */

import { askObjects } from '../protocol/diagnostics.js';
import { objectPoints } from '../model/objects.js';
import { RequestError, STATUS } from '../protocol/client.js';
import { CHANNEL, isRenewed, traceOf, updatePlace } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */

/** Rows of the table: more than anybody reads; the sums are of all. */
const MAX_ROWS = 5000;
const GROWTH_POINTS = 400;

/** @param {AppState} state */
function isWanted(state) {
    return state.phase === 'ready' && state.info !== null && (state.place.view === 'live' || state.place.objects.chosen !== null);
}

/** @param {Context} context */
export function keepObjects(context) {
    const { store, client } = context;
    /** @type {unknown[]} */
    let asked = [];

    const load = async () => {
        const { frames, info, place } = store.state;
        if (!info) {
            return;
        }
        const { shown, sort, find, chosen } = place.objects;
        const points = objectPoints(frames, place.range, info);
        try {
            const question = { points, shown, sort, find, limit: MAX_ROWS, growth: GROWTH_POINTS, object: chosen };
            const answer = await askObjects(client, traceOf(context), question, client.supersede(CHANNEL.OBJECTS));
            store.update({ objects: { ...answer, of: chosen, points } });
        } catch (error) {
            if (error instanceof RequestError && error.status === STATUS.NOT_FOUND && chosen !== null) {
                // An old address may name one that this capture does not have.
                updatePlace(context, { objects: { ...store.state.place.objects, chosen: null } });
                return;
            }
            throw error;
        }
    };
    store.listen((state, before) => {
        if (isRenewed(state, before)) {
            asked = [];
        }
        if (!isWanted(state)) {
            return;
        }
        const { shown, sort, find, chosen } = state.place.objects;
        const wanted = [state.place.range, shown, sort, find, chosen];
        if (asked.length === 0 || wanted.some((part, i) => part !== asked[i])) {
            asked = wanted;
            void attempt(context, 'The live resources could not be read', load);
        }
    });
}
