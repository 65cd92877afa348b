// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps how long the views of the timeline take, from the question to the picture. */

import { addSample, detailWhile, emptyHistories, paceOf, rendererOf } from '../model/pace.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/lanes.js').TimelineView} TimelineView */

/** Scales of one picture differ by rounding when the window is moved. */
const SCALE_DIGITS = 6;

/** What a picture is made of, but for where the window is. @param {AppState} state */
function keyOf(state) {
    const { explore, folded, colour, file } = state.place;
    const { window, timelineWidthPx, timelineHeightPx, filter, highlight, anomalies, entry } = state;
    return JSON.stringify([entry?.trace, file, (window.lengthNs / timelineWidthPx).toPrecision(SCALE_DIGITS), timelineWidthPx, timelineHeightPx, folded, colour,
        filter?.filter, highlight?.filter, anomalies?.scores, explore.detail, explore.handoff, explore.links, explore.familiesOff]);
}

/** @param {Context} context */
export function paceKeeper(context) {
    const { store } = context;
    let histories = emptyHistories();
    return {
        /** A question is asked. @returns {(view: TimelineView) => void} to be called when the answer is about to be drawn */
        begin() {
            const beganAt = performance.now();
            const key = keyOf(store.state);
            return (view) => requestAnimationFrame(() => {
                if (key === keyOf(store.state)) {
                    histories = addSample(histories, key, rendererOf(view), performance.now() - beganAt);
                    store.update({ pace: paceOf(view, histories) });
                }
            });
        },
        /** @param {boolean} moves @returns {import('../model/address_explore.js').Detail} */
        detail(moves) {
            const { state } = store;
            // The engine in the page and the CPU of the same machine are as fast as they will be; a device shares its time.
            const chosen = state.place.explore.detail;
            return state.engine?.device ? detailWhile(chosen, histories, keyOf(state), moves) : chosen;
        },
    };
}
