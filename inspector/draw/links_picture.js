// SPDX-License-Identifier: MIT
// @ts-check
/* Dependencies over the boxes: lines from the end of a source to the start of a target, those of one way through one corridor. */

import { cssColour } from '../model/colour.js';
import { isStandIn, LINK, wayOf } from '../model/links.js';
import { RULER_PX, xOf } from './timeline_overlay.js';

/** @typedef {import('./timeline_overlay.js').OverlayFrame} OverlayFrame */
/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../model/links.js').LinkView} LinkView */
/** @typedef {import('../model/links.js').Point} Point */

const STRAIGHT = 0xffffffff;
/** Hue of each family; families without one are neutral. */
const HUES = [-1, 0, 3, 5, 2, 4, 1, 6];
const ARROW_PX = 6;

/** @param {Palette} palette @param {number} family */
export function familyColour(palette, family) {
    const rgb = HUES[family] >= 0 ? palette.hues[HUES[family]] : palette.neutral;
    return cssColour(rgb);
}

/** From the reply to the canvas. @param {OverlayFrame} frame @param {LinkView} view */
export function linkScale(frame, view) {
    const scale = (frame.width - frame.gutter) / frame.window.lengthNs;
    const shift = xOf(frame, view.startNs);
    return { toX: (/** @type {number} */ ns) => shift + ns * scale, toY: (/** @type {number} */ y) => y - frame.scroll + RULER_PX };
}

/** @param {CanvasRenderingContext2D} context @param {readonly Point[]} way */
function trace(context, way) {
    context.moveTo(way[0].x, way[0].y);
    if (way.length === 2) {
        context.lineTo(way[1].x, way[1].y);
    } else {
        // Over the hubs, round at the corners.
        context.quadraticCurveTo(way[1].x, way[1].y, (way[1].x + way[2].x) / 2, (way[1].y + way[2].y) / 2);
        context.quadraticCurveTo(way[2].x, way[2].y, way[3].x, way[3].y);
    }
}

/** @param {CanvasRenderingContext2D} context @param {Point} from @param {Point} to */
function arrow(context, from, to) {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const ux = (to.x - from.x) / length;
    const uy = (to.y - from.y) / length;
    context.beginPath();
    context.moveTo(to.x, to.y);
    context.lineTo(to.x - ux * ARROW_PX - uy * 3, to.y - uy * ARROW_PX + ux * 3);
    context.lineTo(to.x - ux * ARROW_PX + uy * 3, to.y - uy * ARROW_PX - ux * 3);
    context.fill();
}

/**
 * One path for each family and kind, so that thousands of lines are few strokes.
 * @param {OverlayFrame} frame @param {LinkView} view @param {{ hover: number, dim: boolean }} hand hover: number of a dependency, -1 for none
 */
export function drawLinks(frame, view, { hover, dim }) {
    const { context, palette } = frame;
    const { lines } = view;
    const { toX, toY } = linkScale(frame, view);
    /** @type {Map<number, number[]>} */
    const groups = new Map();
    const few = lines.link.length <= 64;
    for (let i = 0; i < lines.link.length; i++) {
        const exact = (lines.marks[i] & LINK.EXACT) !== 0;
        const bundled = lines.bundle[i] !== STRAIGHT;
        const standIn = isStandIn(lines.marks[i]);
        const open = standIn || (lines.marks[i] & LINK.UNCLAIMED) !== 0;
        const key = lines.family[i] * 16 + (standIn ? 8 : 0) + (exact ? 4 : 0) + (bundled ? 2 : 0) + (open ? 1 : 0);
        const list = groups.get(key);
        if (list) {
            list.push(i);
        } else {
            groups.set(key, [i]);
        }
    }
    context.save();
    for (const [key, list] of groups) {
        const exact = (key & 4) !== 0;
        const muted = (key & 8) !== 0;
        context.strokeStyle = context.fillStyle = exact ? palette.css.select : familyColour(palette, key >> 4);
        context.lineWidth = exact ? 1.5 : 1;
        context.globalAlpha = exact ? 1 : dim ? 0.1 : muted ? 0.35 : few ? 0.75 : (key & 2) !== 0 ? 0.25 : 0.4;
        // What is not certain, or ends where nothing is drawn, is dashed.
        context.setLineDash((key & 1) !== 0 ? [4, 3] : []);
        context.beginPath();
        const ways = list.map((i) => wayOf(view, i, toX, toY));
        ways.forEach((way) => trace(context, way));
        context.stroke();
        if (exact || (few && !muted)) {
            ways.forEach((way) => arrow(context, way[way.length - 2], way[way.length - 1]));
        }
    }
    const hovered = hover < 0 ? -1 : lines.link.indexOf(hover);
    if (hovered >= 0) {
        const way = wayOf(view, hovered, toX, toY);
        const ends = [way[0], way[way.length - 1]];
        context.globalAlpha = 1;
        context.setLineDash([]);
        context.strokeStyle = context.fillStyle = palette.css.ink;
        context.lineWidth = 2;
        context.beginPath();
        trace(context, ends);
        context.stroke();
        arrow(context, ends[0], ends[1]);
    }
    context.restore();
}
