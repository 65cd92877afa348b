// SPDX-License-Identifier: MIT
// @ts-check
/* One pass over all frames: small, with its figures under it. */

import { h, pixelRatio, pointIn } from './dom.js';
import { prepare } from '../draw/canvas.js';
import { drawSpark } from '../draw/spark.js';
import { counted, duration } from '../model/format.js';
import { frameAtPx } from '../model/frames.js';
import { goToFrame } from '../state/navigate.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {import('../model/span.js').Series} Series */
/** @typedef {import('./dom.js').Child} Child */

const HEIGHT = 60;

/** @param {Context} context @param {Palette} palette @param {Series} series @param {number | null} frame the one that is shown @returns {Child[]} */
export function sparkline(context, palette, series, frame) {
    const { frames } = context.store.state;
    if (!frames || series.frame.length < 2) {
        return [];
    }
    const canvas = h('canvas', { role: 'img', aria: { label: 'Its time in every frame' } });
    const box = h('div', { class: 'spark', title: 'Its time in every frame; a click goes to the frame' }, canvas);
    const summary = `${counted(series.frame.length, 'frame')} · median ${duration(series.medianNs)} · p95 ${duration(series.p95Ns)} · max ${duration(series.maxNs)}`;
    const note = h('div', { class: 'num spark-note' }, summary);
    const under = (/** @type {MouseEvent} */ event) => frameAtPx(pointIn(box, event).x, box.clientWidth, frames.count);
    const draw = (/** @type {number} */ hover) => {
        const width = box.clientWidth;
        drawSpark(prepare(canvas, width, HEIGHT, pixelRatio()), palette, { width, height: HEIGHT, frameCount: frames.count, current: frame, hover }, series);
    };
    box.addEventListener('pointermove', (event) => {
        const index = under(event);
        const at = series.frame.indexOf(index);
        note.textContent = `frame ${frames.id[index]}: ${at < 0 ? 'it did not run, or its time never came' : duration(series.ns[at])}`;
        draw(index);
    });
    box.addEventListener('pointerleave', () => {
        note.textContent = summary;
        draw(-1);
    });
    box.addEventListener('click', (event) => goToFrame(context, under(event)));
    // The width is known once the panel is on the page.
    requestAnimationFrame(() => {
        if (canvas.isConnected) {
            draw(-1);
        }
    });
    return [box, note];
}
