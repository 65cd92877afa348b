// SPDX-License-Identifier: MIT
// @ts-check
/* Errors: what failed and what to do. */

import { announce, byId, fill, h } from './dom.js';

/** @typedef {import('../state/app_state.js').Context} Context */

/** @param {Context} context */
export function banner(context) {
    const { store } = context;
    const element = h('div', { class: 'banner', role: 'alert', hidden: true });
    byId('overlay').appendChild(element);
    store.listen((state, before) => {
        if (state.problem === before.problem) {
            return;
        }
        const { problem } = state;
        element.hidden = problem === null;
        if (problem) {
            fill(element, h('div', {}, h('b', {}, problem.what), h('p', {}, problem.advice)),
                problem.lasting ? h('button', { onclick: () => location.reload() }, 'Try again')
                    : h('button', { onclick: () => store.update({ problem: null }) }, 'Close'));
            announce(`${problem.what}. ${problem.advice}`);
        }
    });
}
