// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the frame graph of the shown frame, while a view or the panel looks at it. */

import { RequestError, STATUS, isCancelled } from '../protocol/client.js';
import { askFrameStructure } from '../protocol/structure.js';
import { FRAME_VIEWS } from '../model/address.js';
import { NO_TOPOLOGY } from '../model/frames.js';
import { CHANNEL, traceOf } from './app_state.js';
import { attempt } from './problems.js';
import { shownFrame } from './selection.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */

/** Frames whose graphs are kept: enough to go back and forth between some. */
const KEPT = 24;
const WITHOUT = 'No frame graph was recorded for this frame. It is from level "structure" (1) on, and only of programs that say what their graph is.';

/** Whether anything on screen needs the graph. @param {AppState} state */
function isWanted(state) {
    const { view, pass, resource } = state.place;
    return state.phase === 'ready' && (FRAME_VIEWS.includes(view) || pass !== null || resource !== null);
}

/** @param {Context} context */
export function keepStructure(context) {
    const { store, client } = context;
    /** @type {Map<number, FrameStructure>} by frame, the latest last */
    const kept = new Map();
    /** @type {number | null} the frame that the state shows, or that was asked for */
    let current = null;

    const load = async (/** @type {number} */ frame) => {
        try {
            const structure = await askFrameStructure(client, traceOf(context), frame, client.supersede(CHANNEL.STRUCTURE));
            kept.set(frame, structure);
            if (kept.size > KEPT) {
                kept.delete(/** @type {number} */ (kept.keys().next().value));
            }
            if (current === frame) {
                store.update({ structure, structureNote: '' });
            }
        } catch (error) {
            if (current === frame && !isCancelled(error)) {
                store.update({ structure: null, structureNote: error instanceof Error ? error.message : String(error) });
            }
            if (!(error instanceof RequestError) || error.status !== STATUS.NOT_FOUND) {
                throw error;
            }
        }
    };

    store.listen((state, before) => {
        if (!isWanted(state)) {
            return;
        }
        const frame = shownFrame(state);
        if (frame === current && state.frames === before.frames) {
            return;
        }
        if (state.frames !== before.frames) {
            kept.clear();
        }
        current = frame;
        const known = frame === null ? undefined : kept.get(frame);
        if (frame === null) {
            store.update({ structure: null, structureNote: 'The capture has no finished frame.' });
        } else if (known) {
            store.update({ structure: known, structureNote: '' });
        } else if ((state.frames?.detail?.topology[frame] ?? NO_TOPOLOGY) === NO_TOPOLOGY) {
            store.update({ structure: null, structureNote: WITHOUT });
        } else {
            // What is shown stays until the answer is there: moving from frame to frame does not flicker.
            void attempt(context, 'The frame graph could not be read', () => load(frame));
        }
    });
}
