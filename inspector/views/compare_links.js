// SPDX-License-Identifier: MIT
// @ts-check
/* From a comparison to what it compares. */

import { updatePlace } from '../state/app_state.js';
import { openPlace } from '../state/history.js';
import { glideTo, goToFrame, showFrames } from '../state/navigate.js';
import { selectAndReveal } from '../state/selection.js';
import { showView } from '../state/view_choice.js';
import { windowAround } from '../model/window.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/address.js').Side} Side */

/** A span of a side, on the timeline. @param {Context} context @param {Side} side @param {number | null} row */
export function openSpan(context, side, row) {
    if (row === null) {
        return;
    }
    const { place } = context.store.state;
    if (side.file !== place.file) {
        openPlace({ file: side.file, selected: row, compare: place.compare });
        return;
    }
    // One step, that the back button undoes as one.
    updatePlace(context, { view: 'timeline', selected: row, pass: null, resource: null });
    void selectAndReveal(context, row);
}

/** The frames of a side, or its range of time, on the timeline. @param {Context} context @param {Side} side */
export function openFrames(context, side) {
    const { place } = context.store.state;
    const range = { first: side.first, last: side.last };
    const window = side.time ? windowAround(side.time.startNs, side.time.endNs) : null;
    if (side.file !== place.file) {
        openPlace({ file: side.file, range: window ? null : range, window, compare: place.compare });
    } else if (window) {
        showView(context, 'timeline');
        glideTo(context, window);
    } else if (side.first === side.last) {
        showView(context, 'timeline');
        goToFrame(context, side.first);
    } else {
        showView(context, 'timeline');
        context.store.update({ place: { ...context.store.state.place, range } });
        showFrames(context, range);
    }
}
