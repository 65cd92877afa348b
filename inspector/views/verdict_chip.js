// SPDX-License-Identifier: MIT
// @ts-check
/* What bounds the frames that the statistics are of: a chip, and a line with the reason where it is asked for. */

import { h } from './dom.js';
import { softwareTimes } from '../model/capture_meta.js';
import { unfilledWithin, windowReason, windowWords } from '../model/verdict.js';

/** @typedef {import('../state/app_state.js').Context} Context */

/** @param {Context} context @returns {{ chip: HTMLElement, reason: HTMLElement }} */
export function verdictChip(context) {
    const { store } = context;
    const reason = h('div', { class: 'verdict-reason', id: 'verdict-reason', role: 'note', hidden: true });
    const chip = h('button', {
        class: 'badge verdict', hidden: true, aria: { expanded: false, controls: 'verdict-reason' }, onclick: () => {
            reason.hidden = !reason.hidden;
            chip.setAttribute('aria-expanded', String(!reason.hidden));
        },
    });
    store.listen((state, before) => {
        const { verdict } = state;
        if (verdict === before.verdict) {
            return;
        }
        // Of frames without figures nothing is said; of those with figures it is said that they do not tell.
        const unfilled = verdict ? unfilledWithin(state.frames, verdict.range) : 0;
        const isTold = verdict !== null && verdict.verdict !== 'unknown';
        chip.hidden = !isTold && unfilled === 0;
        if (!verdict || chip.hidden) {
            reason.hidden = true;
            chip.setAttribute('aria-expanded', 'false');
            return;
        }
        chip.textContent = `${isTold ? '' : 'bound by: '}${windowWords(verdict)}`;
        chip.dataset.verdict = verdict.verdict;
        chip.dataset.frames = `${verdict.range.first} ${verdict.range.last}`;
        chip.classList.toggle('inferred', verdict.inferred > 0);
        chip.title = reason.textContent = `${windowReason(verdict, unfilled)} ${softwareTimes(state.info)}`.trim();
    });
    return { chip, reason };
}
