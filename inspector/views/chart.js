// SPDX-License-Identifier: MIT
// @ts-check
/* A row of things as a picture: the pointer tells of one, a click or Enter chooses it, the arrow keys go along. */

import { h, onFrame, pixelRatio, pointIn } from './dom.js';
import { prepare } from '../draw/canvas.js';
import { CHART_LEFT, CHART_RIGHT } from '../draw/memory_picture.js';
import { frameAtPx } from '../model/frames.js';

/** @typedef {import('./dom.js').Child} Child */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */
/**
 * @typedef {object} ChartSource
 * @property {string} label what it is, for those who listen
 * @property {() => number} count
 * @property {() => number} current the chosen one; -1 for none
 * @property {(context: CanvasRenderingContext2D, width: number, height: number, hover: number) => void} draw
 * @property {(index: number) => Child[]} tell of the tooltip
 * @property {(index: number) => string} say in one line
 * @property {(index: number) => void} choose
 */

/** @param {Tooltip} tooltip @param {ChartSource} source */
export function chart(tooltip, source) {
    const canvas = h('canvas', { aria: { hidden: true } });
    const root = h('div', { class: 'chart', tabindex: 0, role: 'slider', aria: { label: source.label, valuemin: 0, valuemax: 0, valuenow: 0 } }, canvas);
    let hover = -1;

    const draw = onFrame(() => {
        const width = root.clientWidth;
        const height = root.clientHeight;
        if (width > 0 && height > 0) {
            source.draw(prepare(canvas, width, height, pixelRatio()), width, height, hover);
            root.dataset.drawn = String(Number(root.dataset.drawn ?? 0) + 1);
        }
        const count = source.count();
        const at = hover >= 0 ? hover : source.current();
        root.setAttribute('aria-valuemax', String(Math.max(0, count - 1)));
        root.setAttribute('aria-valuenow', String(Math.max(0, at)));
        root.setAttribute('aria-valuetext', at >= 0 && at < count ? source.say(at) : 'none chosen');
    });
    const set = (/** @type {number} */ index) => {
        if (index !== hover) {
            hover = index;
            draw();
        }
    };
    const leave = () => {
        set(-1);
        tooltip.hide();
    };
    const indexAt = (/** @type {MouseEvent} */ event) => {
        const { x } = pointIn(root, event);
        const room = root.clientWidth - CHART_LEFT - CHART_RIGHT;
        return x < CHART_LEFT - 4 || x > CHART_LEFT + room + 4 ? -1 : frameAtPx(x - CHART_LEFT, room, source.count());
    };
    root.addEventListener('pointermove', (event) => {
        const index = indexAt(event);
        set(index);
        if (index < 0) {
            tooltip.hide();
        } else {
            tooltip.show(event.clientX, event.clientY, ...source.tell(index));
        }
    });
    root.addEventListener('pointerleave', leave);
    root.addEventListener('blur', leave);
    root.addEventListener('click', (event) => {
        const index = indexAt(event);
        if (index >= 0) {
            source.choose(index);
        }
    });
    root.addEventListener('keydown', (event) => {
        const count = source.count();
        const at = hover >= 0 ? hover : source.current();
        const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
        if (next !== undefined && count > 0) {
            const index = Math.min(count - 1, Math.max(0, next));
            set(index);
            const box = root.getBoundingClientRect();
            const share = (CHART_LEFT + ((index + 0.5) * (root.clientWidth - CHART_LEFT - CHART_RIGHT)) / count) / root.clientWidth;
            tooltip.show(box.left + share * box.width, box.top + box.height / 2, ...source.tell(index));
        } else if ((event.key === 'Enter' || event.key === ' ') && hover >= 0) {
            source.choose(hover);
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    });
    new ResizeObserver(draw).observe(root);
    return { root, draw, leave };
}
