// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps what bounds the frames that the statistics are of. */

import { askVerdict } from '../protocol/document.js';
import { framesWithin } from '../model/verdict.js';
import { windowEnd } from '../model/window.js';
import { CHANNEL, traceOf } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */

/** While the window moves nothing is asked. */
const STILL_MS = 250;

/** @param {AppState} state @returns {import('../model/frames.js').FrameRange | null} */
function framesOf(state) {
    const { frames, place, window } = state;
    const { over, measured } = place.explore;
    if (!frames || frames.count === 0 || frames.detail === null) {
        return null;
    }
    const span = over === 'window' ? { startNs: window.startNs, endNs: windowEnd(window) } : over === 'measured' ? measured : null;
    if (span) {
        return framesWithin(frames, span.startNs, span.endNs);
    }
    return (over === 'frames' && place.range) || { first: 0, last: frames.count - 1 };
}

/** @param {Context} context */
export function keepVerdict(context) {
    const { store, client } = context;
    /** @type {unknown[]} */
    let asked = [];
    let timer = 0;
    const load = async () => {
        const range = framesOf(store.state);
        const order = client.supersede(CHANNEL.VERDICT);
        store.update({ verdict: range ? await askVerdict(client, traceOf(context), range, order) : null });
    };
    store.listen((state) => {
        const { range, explore } = state.place;
        const { over } = explore;
        const wanted = [state.frames, range, over, over === 'measured' ? explore.measured : over === 'window' ? state.window : null];
        if (state.phase !== 'ready' || wanted.every((part, i) => part === asked[i])) {
            return;
        }
        const moved = wanted.slice(0, 3).every((part, i) => part === asked[i]);
        asked = wanted;
        clearTimeout(timer);
        timer = window.setTimeout(() => void attempt(context, 'What bounds the frames could not be told', load), moved && over === 'window' ? STILL_MS : 0);
    });
}
