// SPDX-License-Identifier: MIT
// @ts-check
/* What is under the pointer, in words and exact figures. */

import { byId, fill, h } from './dom.js';

/** @typedef {import('./dom.js').Child} Child */

const AWAY_PX = 14;

export function makeTooltip() {
    const element = h('div', { class: 'tip', role: 'tooltip', hidden: true });
    byId('overlay').appendChild(element);
    return {
        /** @param {number} x @param {number} y of the pointer @param {...Child} children */
        show(x, y, ...children) {
            fill(element, ...children);
            element.hidden = false;
            const { offsetWidth: width, offsetHeight: height } = element;
            const left = x + AWAY_PX + width > innerWidth - 6 ? x - AWAY_PX - width : x + AWAY_PX;
            const top = y + AWAY_PX + height > innerHeight - 6 ? y - AWAY_PX - height : y + AWAY_PX;
            element.style.left = `${Math.max(4, left)}px`;
            element.style.top = `${Math.max(4, top)}px`;
        },
        hide() {
            element.hidden = true;
        },
    };
}

/** @typedef {ReturnType<typeof makeTooltip>} Tooltip */

/** A line of figures. @param {...Child} children */
export function figures(...children) {
    return h('div', { class: 'num' }, ...children);
}

/** A remark. @param {...Child} children */
export function remark(...children) {
    return h('div', { class: 'say' }, ...children);
}

/** @param {string} text @param {string} [colour] */
export function title(text, colour) {
    return h('div', { class: 'title' }, colour ? h('span', { class: 'chip', colour }) : null, h('span', {}, text));
}
