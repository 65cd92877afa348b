// SPDX-License-Identifier: MIT
// @ts-check
/* The selected span and what is known of it. */

import { askSeries, askSpan, askStructure } from '../protocol/queries.js';
import { RequestError, STATUS } from '../protocol/client.js';
import { CHANNEL, traceOf, updatePlace } from './app_state.js';
import { attempt } from './problems.js';
import { revealTime } from './navigate.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../model/span.js').SpanInfo} SpanInfo */
/** @typedef {import('../model/span.js').Structure} Structure */

/** @param {Context} context @param {number | null} row */
export function select(context, row) {
    if (row !== context.store.state.place.selected) {
        updatePlace(context, { selected: row });
    }
}

/** Select a span and bring it on screen. @param {Context} context @param {number} row */
export async function selectAndReveal(context, row) {
    await attempt(context, 'The span could not be read', async () => {
        const info = await askSpan(context.client, traceOf(context), row);
        select(context, row);
        unfold(context, info.track);
        revealTime(context, info.startNs, info.endNs);
    });
}

/** @param {Context} context @param {number} track */
function unfold(context, track) {
    const { folded } = context.store.state.place;
    if (folded.includes(track)) {
        updatePlace(context, { folded: folded.filter((id) => id !== track) });
    }
}

/** @param {Context} context */
export function keepSelection(context) {
    const { store, client } = context;
    /** @type {Map<number, Promise<Structure>>} by frame; a session looks at few */
    const structures = new Map();

    /** @param {SpanInfo} info @returns {Promise<Structure> | null} */
    const structureOf = (info) => {
        if (info.pass === null || info.frame === null) {
            return null;
        }
        const frame = info.frame;
        let found = structures.get(frame);
        if (!found) {
            found = askStructure(client, traceOf(context), frame);
            structures.set(frame, found);
            found.catch(() => structures.delete(frame));
        }
        return found;
    };

    const load = async (/** @type {number} */ row) => {
        const order = client.supersede(CHANNEL.SPAN);
        const trace = traceOf(context);
        try {
            const [info, series] = await Promise.all([askSpan(client, trace, row, order), askSeries(client, trace, row, order)]);
            store.update({ selection: { info, series, structure: null } });
            const structure = await structureOf(info);
            if (structure && store.state.selection?.info === info) {
                store.update({ selection: { info, series, structure } });
            }
        } catch (error) {
            if (error instanceof RequestError && error.status === STATUS.NOT_FOUND) {
                // An old address may name a span that this capture does not have.
                updatePlace(context, { selected: null });
            }
            throw error;
        }
    };

    store.listen((state, before) => {
        const { selected } = state.place;
        if (state.phase !== 'ready' || (before.phase === 'ready' && selected === before.place.selected)) {
            return;
        }
        if (selected === null) {
            client.supersede(CHANNEL.SPAN);
            store.update({ selection: null });
        } else {
            void attempt(context, `Span ${selected} could not be read`, () => load(selected));
        }
    });
}
