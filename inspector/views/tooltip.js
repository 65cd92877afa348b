// SPDX-License-Identifier: MIT
// @ts-check
/* What is under the pointer, in words and exact figures. */

import { byId, fill, h, pageScale } from './dom.js';

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
            const scale = pageScale();
            const [atX, atY] = [x / scale, y / scale];
            const left = atX + AWAY_PX + width > innerWidth / scale - 6 ? atX - AWAY_PX - width : atX + AWAY_PX;
            const top = atY + AWAY_PX + height > innerHeight / scale - 6 ? atY - AWAY_PX - height : atY + AWAY_PX;
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
