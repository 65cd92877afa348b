// SPDX-License-Identifier: MIT
// @ts-check
/* Which view is shown, and which frame in it. */

import { FRAME_VIEWS } from '../model/address.js';
import { shownFrame } from './selection.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/address.js').Place} Place */
/** @typedef {import('../model/address.js').ViewName} ViewName */

/**
 * A view of one frame names it, in the strip and in the address: dropping a selection never leads to another frame.
 * @param {AppState} state
 * @param {number | null} [ofSpan] frame of the selected span, where it is known before the selection was read
 * @returns {Place}
 */
export function pinned(state, ofSpan = null) {
    const { place } = state;
    const frame = place.range === null && FRAME_VIEWS.includes(place.view) ? ofSpan ?? shownFrame(state) : null;
    return frame === null ? place : { ...place, range: { first: frame, last: frame } };
}

/** @param {Context} context @param {ViewName} view */
export function showView(context, view) {
    const { store } = context;
    if (view !== store.state.place.view) {
        store.update({ place: pinned({ ...store.state, place: { ...store.state.place, view } }) });
    }
}
