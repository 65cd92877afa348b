// SPDX-License-Identifier: MIT
// @ts-check
/* One pass over all frames, small. */

import { line } from './canvas.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../model/span.js').Series} Series */
/**
 * @typedef {object} SparkBox
 * @property {number} width
 * @property {number} height
 * @property {number} frameCount of the capture
 * @property {number | null} current
 * @property {number} hover frame under the pointer, -1 for none
 */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Palette} palette
 * @param {SparkBox} box
 * @param {Series} series
 */
export function drawSpark(context, palette, box, series) {
    const { width, height, current, hover } = box;
    const count = Math.max(1, box.frameCount);
    const top = Math.max(1, Number(series.maxNs));
    const step = width / count;
    const bar = Math.max(0.75, step >= 3 ? step - 1 : step);
    if (hover >= 0) {
        context.fillStyle = palette.css.raised;
        context.fillRect(hover * step, 0, Math.max(2, bar), height);
    }
    for (let i = 0; i < series.frame.length; i++) {
        const now = series.frame[i] === current;
        const size = Math.max(1, (series.ns[i] / top) * (height - 4));
        context.fillStyle = now ? palette.css.select : palette.css.gpu;
        context.globalAlpha = now || series.frame[i] === hover ? 1 : 0.65;
        context.fillRect(series.frame[i] * step, height - size, now ? Math.max(2, bar) : bar, size);
    }
    context.globalAlpha = 1;
    context.strokeStyle = palette.css['ink-3'];
    context.setLineDash([2, 3]);
    const y = Math.round(height - (Number(series.medianNs) / top) * (height - 4)) + 0.5;
    line(context, 0, y, width, y);
    context.setLineDash([]);
}
