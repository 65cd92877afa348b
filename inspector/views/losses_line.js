// SPDX-License-Identifier: MIT
// @ts-check
/* The six counters of losses, beside every view that shows what could be missing. Where the capture says nothing of them, neither does this. */

import { fill, h } from './dom.js';
import { showSection } from './capture_view.js';
import { grouped } from '../model/format.js';
import { hasLossCounters, NO_PROOF, shownLosses } from '../model/losses.js';
import { showView } from '../state/view_choice.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/losses.js').Losses} Losses */

/** @param {Context} context */
export function lossesLine(context) {
    const root = h('div', { class: 'losses-line num', role: 'note', hidden: true, aria: { label: 'Lost events' } });
    /** @type {Losses | null} */
    let shown = null;
    const draw = (/** @type {Losses | null} */ losses) => {
        if (losses === shown) {
            return;
        }
        shown = losses;
        root.hidden = losses === null || !hasLossCounters(losses);
        if (!losses || root.hidden) {
            return;
        }
        const list = shownLosses(losses);
        const lossy = list.some(({ value }) => value !== null && value > 0n);
        root.title = list.map(({ label, means }) => `${label}: ${means}`).join('\n');
        fill(root, h('span', { class: 'label' }, 'Lost events'),
            ...list.map(({ label, value }) => h('span', { class: value !== null && value > 0n ? 'some' : 'none' },
                h('b', {}, value === null ? '–' : grouped(value)), ` ${label}`)),
            lossy ? h('button', {
                class: 'link', title: NO_PROOF, onclick: () => {
                    showView(context, 'capture');
                    showSection('losses');
                },
            }, 'what is missing') : null);
    };
    context.store.listen((state, before) => {
        if (state.losses !== before.losses) {
            draw(state.losses);
        }
    });
    return root;
}
