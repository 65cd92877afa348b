// SPDX-License-Identifier: MIT
// @ts-check
/* Keys that take something out of what is shown: a side of a comparison, a note, a file. */

import { announce } from './dom.js';
import { takeChosen } from '../state/compare_data.js';
import { showView } from '../state/view_choice.js';
import { rangeName } from '../model/sides.js';

/** @typedef {import('../state/app_state.js').Context} Context */

/**
 * @param {Context} context
 * @param {import('./notes_dialog.js').Writer} writer
 * @param {{ open: () => void }} menu of exports
 * @returns {(event: KeyboardEvent) => boolean} whether a key was one of these
 */
export function takeKeys(context, writer, menu) {
    const take = (/** @type {'base' | 'next'} */ which) => {
        const range = takeChosen(context, which);
        const { frames } = context.store.state;
        if (range && frames) {
            const name = rangeName(frames, range);
            announce(which === 'base' ? `${name}: the base of a comparison. Select others and press C to compare them with it.` : `${name}: compared with the base`);
        }
        if (which === 'next') {
            showView(context, 'compare');
        }
    };
    return (event) => {
        switch (event.key) {
            case 'b': case 'B': take('base'); return true;
            case 'c': case 'C': take('next'); return true;
            case 'm': case 'M': writer.open(); return true;
            case 'e': case 'E': menu.open(); return true;
            default: return false;
        }
    };
}
