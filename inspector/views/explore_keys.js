// SPDX-License-Identifier: MIT
// @ts-check
/* Keys of what is asked of a trace. */

import { announce } from './dom.js';
import { nextDirection, stepHops } from '../model/focus.js';
import { updateExplore } from '../state/app_state.js';
import { focusOn, toggleLinks } from '../state/links_data.js';
import { togglePath } from '../state/path_data.js';
import { toggleSlice } from '../state/slice_data.js';
import { cancelWork } from '../state/working.js';

/** @typedef {import('../state/app_state.js').Context} Context */

/** @param {Context} context @param {KeyboardEvent} event @param {() => void} openFilter @returns {boolean} whether it was one of these */
export function exploreKey(context, event, openFilter) {
    const { state } = context.store;
    const { explore, selected, view } = state.place;
    if (view !== 'timeline' || !document.body.classList.contains('with-explore')) {
        return false;
    }
    switch (event.key) {
        case 'i': case 'I': openFilter(); return true;
        case 'y': case 'Y': toggleLinks(context); return true;
        case 'v': case 'V': updateExplore(context, { curve: !explore.curve }); return true;
        case 'g': case 'G': togglePath(context); return true;
        case 'x': case 'X':
            if (!toggleSlice(context, event.shiftKey ? 'on' : 'back')) {
                announce('select a span first');
            }
            return true;
        case 'r': case 'R':
            if (selected === null) {
                announce('select a span first');
            } else {
                focusOn(context, selected);
            }
            return true;
        case '<': case '>':
            if (explore.focus) {
                updateExplore(context, { focus: stepHops(explore.focus, event.key === '>' ? 1 : -1) });
            }
            return explore.focus !== null;
        case 'q': case 'Q':
            if (explore.focus) {
                updateExplore(context, { focus: nextDirection(explore.focus) });
            }
            return explore.focus !== null;
        case 'Escape':
            if (state.working) {
                cancelWork(context);
                return true;
            }
            if (selected === null && (explore.slice || explore.focus || explore.path.of !== 'off' || explore.measured)) {
                const over = explore.over === 'measured' ? 'frames' : explore.over;
                updateExplore(context, explore.slice ? { slice: null, table: explore.table === 'slice' ? 'stats' : explore.table } : explore.focus ? { focus: null }
                    : explore.path.of !== 'off' ? { path: { ...explore.path, of: 'off' }, table: 'stats' } : { measured: null, over });
                return true;
            }
            return false;
        default: return false;
    }
}
