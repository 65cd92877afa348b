// SPDX-License-Identifier: MIT
// @ts-check
/* Borders between the panes that can be moved, by hand and by key. */

import { byId, pageScale } from './dom.js';

const STEP_PX = 24;

/**
 * @param {string} id of the element
 * @param {'horizontal' | 'vertical'} orientation of the border
 * @param {string} variable custom property with the pane's size
 * @param {string} pane id of the pane that it sizes
 * @param {{ label: string, least: number, most: () => number }} options
 */
export function splitter(id, orientation, variable, pane, options) {
    const element = byId(id);
    const upright = orientation === 'vertical';
    element.tabIndex = 0;
    element.setAttribute('role', 'separator');
    element.setAttribute('aria-orientation', orientation);
    element.setAttribute('aria-label', options.label);
    const size = () => {
        const box = byId(pane).getBoundingClientRect();
        return (upright ? box.width : box.height) / pageScale();
    };
    const tell = () => {
        element.setAttribute('aria-valuemin', String(options.least));
        element.setAttribute('aria-valuemax', String(Math.round(options.most())));
        element.setAttribute('aria-valuenow', String(Math.round(size())));
    };
    const set = (/** @type {number} */ value) => {
        const kept = Math.round(Math.max(options.least, Math.min(options.most(), value)));
        document.documentElement.style.setProperty(variable, `${kept}px`);
    };
    new ResizeObserver(tell).observe(byId(pane));
    element.setAttribute('aria-valuenow', '0');
    element.addEventListener('pointerdown', (event) => {
        element.setPointerCapture(event.pointerId);
        event.preventDefault();
    });
    element.addEventListener('pointermove', (event) => {
        if (element.hasPointerCapture(event.pointerId)) {
            set((upright ? innerWidth - event.clientX : innerHeight - event.clientY) / pageScale());
        }
    });
    element.addEventListener('dblclick', () => document.documentElement.style.removeProperty(variable));
    element.addEventListener('keydown', (event) => {
        const grow = upright ? 'ArrowLeft' : 'ArrowUp';
        const shrink = upright ? 'ArrowRight' : 'ArrowDown';
        if (event.key === grow || event.key === shrink) {
            set(size() + (event.key === grow ? STEP_PX : -STEP_PX));
            event.preventDefault();
            event.stopPropagation();
        }
    });
}
