// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the events of the shown frame, while their list is shown. */

import { RequestError, STATUS, isCancelled } from '../protocol/client.js';
import { askEvents } from '../protocol/events.js';
import { CHANNEL, traceOf } from './app_state.js';
import { attempt } from './problems.js';
import { shownFrame } from './selection.js';

/** @typedef {import('./app_state.js').Context} Context */

/** @param {Context} context */
export function keepEvents(context) {
    const { store, client } = context;
    /** What the list is of, or was asked for. @type {unknown[]} */
    let current = [];

    const load = async (/** @type {number} */ frame, /** @type {unknown[]} */ mine) => {
        try {
            const events = await askEvents(client, traceOf(context), frame, client.supersede(CHANNEL.EVENTS));
            if (current === mine) {
                const note = events.events.length > 0 ? '' : 'This frame gave the device nothing that was recorded.';
                store.update({ events: note === '' ? events : null, eventsNote: note });
            }
        } catch (error) {
            if (current === mine && !isCancelled(error)) {
                store.update({ events: null, eventsNote: error instanceof Error ? error.message : String(error) });
            }
            // Nothing of the kind in this capture is no failure of the page.
            if (!(error instanceof RequestError) || (error.status !== STATUS.NOT_FOUND && error.status !== STATUS.UNSUPPORTED)) {
                throw error;
            }
        }
    };
    store.listen((state) => {
        if (state.phase !== 'ready' || state.place.view !== 'events') {
            return;
        }
        const frame = shownFrame(state);
        const wanted = [frame, state.frames];
        if (wanted.every((part, i) => part === current[i])) {
            return;
        }
        current = wanted;
        if (frame === null) {
            store.update({ events: null, eventsNote: 'The capture has no finished frame.' });
        } else {
            void attempt(context, 'The events could not be read', () => load(frame, wanted));
        }
    });
}
