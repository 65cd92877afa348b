// SPDX-License-Identifier: MIT
// @ts-check
/* The whole trace on a strip: a band for each track or process, in it a sub-band for each category, and the window over it. */

import { hueOf, mix } from '../model/colour.js';
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
 * @param {(name: number) => string} nameText
 */
export function drawMinimap({ context, palette, width, height }, map, extent, groups, nameText) {
    context.clearRect(0, 0, width, height);
    const bands = bandsOf(groups, height);
    const { cells, binNs } = map;
    /** @type {Map<string, string>} */
    const colours = new Map();
    const colourOf = (/** @type {string} */ name, /** @type {number} */ step) => {
        const key = `${name} ${step}`;
        let colour = colours.get(key);
        if (!colour) {
            const rgb = mix(palette.rgb.panel, palette.hues[hueOf(name)], 0.3 + (0.7 * step) / STEPS);
            colour = `rgb(${rgb.map((part) => Math.round(part * 255)).join(' ')})`;
            colours.set(key, colour);
        }
        return colour;
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
            drawBin({ context, palette, width, height }, map, band, i, end, lanes, startPx + bin * pxPerBin, pxPerBin, colourOf, nameText);
            i = end;
        }
    }
}

/**
 * The categories of one bin, below each other, each as high as its share of the lanes.
 * @param {Sheet} sheet @param {Minimap} map @param {Band} band @param {number} first @param {number} last @param {number} lanes
 * @param {number} x @param {number} width @param {(name: string, step: number) => string} colourOf @param {(name: number) => string} nameText
 */
function drawBin({ context }, map, band, first, last, lanes, x, width, colourOf, nameText) {
    const { cells, binNs } = map;
    const inner = Math.max(1, band.height - (band.height > 5 ? 1 : 0));
    let y = band.y;
    for (let i = first; i < last; i++) {
        const part = (inner * cells.lanes[i]) / lanes;
        const cover = Math.min(1, cells.cover[i] / (binNs * cells.lanes[i]));
        const name = nameText(cells.category[i]) || nameText(cells.name[i]);
        context.fillStyle = colourOf(name, Math.ceil(cover * STEPS));
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
