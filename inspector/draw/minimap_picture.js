// SPDX-License-Identifier: MIT
// @ts-check
/* The whole trace on a strip: a band for each track or process, in it a sub-band for each category, and the window over it. */

import { cssColour, mix } from '../model/colour.js';
import { bandsOf, minimapPx } from '../model/minimap.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../model/minimap.js').Minimap} Minimap */
/** @typedef {import('../model/minimap.js').Extent} Extent */
/** @typedef {import('../model/minimap.js').Band} Band */
/** @typedef {{ context: CanvasRenderingContext2D, palette: Palette, width: number, height: number }} Sheet */

/** Steps of coverage: enough to see what is busy. */
const STEPS = 6;
/** The window is never narrower than a hand can see. */
const LEAST_WINDOW_PX = 3;

/**
 * Drawn when the trace or the size has changed, not when the window moves.
 * @param {Sheet} sheet @param {Minimap} map @param {Extent} extent @param {readonly number[]} groups in display order
 * @param {(cell: number, group: number) => readonly [number, number, number]} hueAt
 */
export function drawMinimap({ context, palette, width, height }, map, extent, groups, hueAt) {
    context.clearRect(0, 0, width, height);
    const bands = bandsOf(groups, height);
    const { cells, binNs } = map;
    /** Steps of each hue. @type {Map<readonly number[], string[]>} */
    const colours = new Map();
    const colourOf = (/** @type {readonly [number, number, number]} */ hue, /** @type {number} */ step) => {
        let steps = colours.get(hue);
        if (!steps) {
            steps = Array.from({ length: STEPS + 1 }, (_, i) => cssColour(mix(palette.rgb.panel, [...hue], 0.3 + (0.7 * i) / STEPS)));
            colours.set(hue, steps);
        }
        return steps[step];
    };
    const startPx = minimapPx(extent, map.startNs, width);
    const pxPerBin = (binNs * width) / Math.max(1, Number(extent.endNs - extent.startNs));
    for (const group of map.groups) {
        const band = bands.get(group.group);
        if (!band) {
            continue;
        }
        for (let i = group.first; i < group.last;) {
            const bin = cells.bin[i];
            let end = i;
            let lanes = 0;
            for (; end < group.last && cells.bin[end] === bin; end++) {
                lanes += cells.lanes[end];
            }
            drawBin(context, map, band, { first: i, last: end, lanes }, startPx + bin * pxPerBin, pxPerBin, (cell, step) => colourOf(hueAt(cell, group.group), step));
            i = end;
        }
    }
}

/**
 * The categories of one bin, below each other, each as high as its share of the lanes.
 * @param {CanvasRenderingContext2D} context @param {Minimap} map @param {Band} band @param {{ first: number, last: number, lanes: number }} bin
 * @param {number} x @param {number} width @param {(cell: number, step: number) => string} colourOf
 */
function drawBin(context, map, band, { first, last, lanes }, x, width, colourOf) {
    const { cells, binNs } = map;
    const inner = Math.max(1, band.height - (band.height > 5 ? 1 : 0));
    let y = band.y;
    for (let i = first; i < last; i++) {
        const part = (inner * cells.lanes[i]) / lanes;
        const cover = Math.min(1, cells.cover[i] / (binNs * cells.lanes[i]));
        context.fillStyle = colourOf(i, Math.ceil(cover * STEPS));
        context.fillRect(x, y, Math.max(1, width), part);
        y += part;
    }
}

/**
 * The window: what is not in it steps back, its frame is four rectangles.
 * @param {Sheet} sheet @param {Extent} extent @param {import('../model/window.js').TimeWindow} window
 * @param {{ startNs: bigint, endNs: bigint } | null} chosen the selected frames, or the measured range
 */
export function drawMinimapWindow({ context, palette, width, height }, extent, window, chosen) {
    context.clearRect(0, 0, width, height);
    const scale = window.lengthNs / Math.max(1, Number(extent.endNs - extent.startNs));
    const middle = minimapPx(extent, window.startNs, width) + (scale * width) / 2;
    const half = Math.max(LEAST_WINDOW_PX, scale * width) / 2;
    const left = Math.max(0, middle - half);
    const right = Math.min(width, middle + half);
    if (chosen) {
        const from = minimapPx(extent, chosen.startNs, width);
        context.fillStyle = palette.css.select;
        context.globalAlpha = 0.25;
        context.fillRect(from, 0, Math.max(1, minimapPx(extent, chosen.endNs, width) - from), height);
        context.globalAlpha = 1;
    }
    context.fillStyle = palette.css.ground;
    context.globalAlpha = 0.55;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.globalAlpha = 1;
    context.fillStyle = palette.css.accent;
    context.fillRect(left, 0, right - left, 1);
    context.fillRect(left, height - 1, right - left, 1);
    context.fillRect(left, 0, 1, height);
    context.fillRect(right - 1, 0, 1, height);
}
