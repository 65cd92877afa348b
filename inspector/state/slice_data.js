// SPDX-License-Identifier: MIT
// @ts-check
/* What led to a span, and what followed from it: asked for the span that was selected when somebody wanted to know. */

import { KIND, RequestError, STATUS } from '../protocol/client.js';
import { askSlice } from '../protocol/slice.js';
import { NO_PATH } from '../model/path.js';
import { CHANNEL, isRenewed, traceOf, updateExplore } from './app_state.js';
import { wantedFamilies } from './links_data.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../model/slice.js').SliceWay} SliceWay */

/**
 * It takes the place of a path: both would dim what the other shows.
 * @param {Context} context @param {number | null} row @param {SliceWay} way
 */
export function chooseSlice(context, row, way) {
    const { explore } = context.store.state.place;
    updateExplore(context, row === null ? { slice: null, table: explore.table === 'slice' ? 'stats' : explore.table }
        : { slice: { row, way, hops: explore.slice?.hops ?? null }, path: { ...NO_PATH, by: explore.path.by }, table: 'slice' });
}

/** The key of it: a second time none. @param {Context} context @param {SliceWay} way @returns {boolean} whether there is a span to ask for */
export function toggleSlice(context, way) {
    const { explore, selected } = context.store.state.place;
    const row = selected ?? explore.slice?.row ?? null;
    const again = explore.slice !== null && explore.slice.way === way && explore.slice.row === row;
    chooseSlice(context, again ? null : row, way);
    return row !== null;
}

/** @param {Context} context */
export function keepSlice(context) {
    const { store, client } = context;
    /** @type {unknown[]} */
    let asked = [];
    const load = async () => {
        const { state } = store;
        const { explore } = state.place;
        if (!explore.slice) {
            return;
        }
        const order = client.supersede(CHANNEL.SLICE);
        try {
            const slice = await askSlice(client, traceOf(context), { slice: explore.slice, filter: state.filter?.filter ?? 0, families: wantedFamilies(explore) }, order);
            store.update({ slice, sliceNote: '' });
        } catch (error) {
            if (!(error instanceof RequestError) || error.status !== STATUS.NOT_FOUND) {
                throw error;
            }
            store.update({ slice: null, sliceNote: `There is no span ${explore.slice.row} in this trace.` });
        }
    };
    store.listen((state, before) => {
        const { slice, familiesOff } = state.place.explore;
        const wanted = [slice, slice ? state.filter : null, slice ? familiesOff : null];
        if (state.phase !== 'ready' || (!isRenewed(state, before) && wanted.every((part, i) => part === asked[i]))) {
            return;
        }
        asked = wanted;
        client.supersede(CHANNEL.SLICE);
        if (!slice || !client.can(KIND.SLICE)) {
            store.update({ slice: null, sliceNote: '' });
        } else {
            void attempt(context, 'What led to the span could not be read', load);
        }
    });
}
