// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps what made the frame of the panel longer than the frames before it: the selected one, else the hitch of the first look. */

import { RequestError } from '../protocol/client.js';
import { askCompare } from '../protocol/compare.js';
import { worstHitch } from '../model/frames.js';
import { neighbours } from '../model/sides.js';
import { CHANNEL, isRenewed, traceOf } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/frames.js').FrameRange} FrameRange */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {import('../model/compare.js').CompareRow} CompareRow */
/** @typedef {{ frame: number, base: FrameRange, by: 'pass' | 'name', rows: readonly CompareRow[] }} FrameCost frame: its row; base: what it is judged by; by: what a row is */

/** The one frame that the panel tells of; null while it shows something else. @param {AppState} state @returns {number | null} */
export function toldFrame(state) {
    const { frames, place } = state;
    if (!frames || frames.count === 0 || place.selected !== null || place.pass !== null || place.resource !== null) {
        return null;
    }
    if (!place.range) {
        const worst = worstHitch(frames);
        return worst >= 0 ? worst : null;
    }
    const { first, last } = place.range;
    return first === last && first < frames.count ? first : null;
}

/**
 * What a frame's cost is told by: where the capture knows no passes, the names of its zones.
 * @param {AppState} state @returns {'pass' | 'name'}
 */
export function costUnit(state) {
    return state.info?.counts.passes === 0n ? 'name' : 'pass';
}

/** @param {Context} context */
export function keepFrameCost(context) {
    const { store, client } = context;
    let key = '';

    const load = async (/** @type {number} */ frame, /** @type {FrameRange} */ base) => {
        const trace = traceOf(context);
        const by = costUnit(store.state);
        const question = { base: { trace, frames: base }, next: { trace, frames: { first: frame, last: frame } }, by };
        try {
            const { rows } = await askCompare(client, question, client.supersede(CHANNEL.FRAME_COST));
            store.update({ frameCost: { frame, base, by, rows } });
        } catch (error) {
            // An engine that does not compare is no reason to show nothing else.
            if (!(error instanceof RequestError)) {
                throw error;
            }
        }
    };

    store.listen((state, before) => {
        if (isRenewed(state, before)) {
            key = '';
        }
        const frame = state.phase === 'ready' ? toldFrame(state) : null;
        const base = frame !== null && state.frames ? neighbours(state.frames, { first: frame, last: frame }) : null;
        // What is known of a frame stays while something else is shown.
        const next = frame !== null && base ? `${frame} ${base.first} ${base.last}` : key;
        if (next !== key && frame !== null && base) {
            key = next;
            void attempt(context, 'The frame could not be compared with those before', () => load(frame, base));
        }
    });
}
