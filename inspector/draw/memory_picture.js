// SPDX-License-Identifier: MIT
// @ts-check
/* Memory as curves: what is alive over the passes of one frame, and what was declared and used over all frames. */

import { line, marker } from './canvas.js';
import { byteSize } from '../model/format.js';
import { FRAME } from '../model/frames.js';
import { byteMarks, historyScale } from '../model/memory_history.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {import('../model/frames.js').FrameRange} FrameRange */
/** @typedef {import('../model/memory.js').AliveCurve} AliveCurve */
/** @typedef {import('../model/memory_history.js').MemoryHistory} MemoryHistory */

export const CHART_LEFT = 62;
export const CHART_RIGHT = 10;
const TOP = 12;
const BOTTOM = 16;

/**
 * @typedef {object} Sheet
 * @property {CanvasRenderingContext2D} context
 * @property {Palette} palette
 * @property {number} width
 * @property {number} height
 */

/** Where things are. @param {Sheet} sheet @param {number} count @param {number} top of the scale */
function geometry(sheet, count, top) {
    const room = Math.max(1, sheet.width - CHART_LEFT - CHART_RIGHT);
    const base = sheet.height - BOTTOM;
    return {
        base,
        step: room / Math.max(1, count),
        xOf: (/** @type {number} */ index) => CHART_LEFT + (index * room) / Math.max(1, count),
        yOf: (/** @type {number} */ bytes) => base - (bytes / top) * (base - TOP),
    };
}

/** @param {Sheet} sheet @param {number} top @param {(bytes: number) => number} yOf */
function drawScale(sheet, top, yOf) {
    const { context, palette, width, height } = sheet;
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const value of byteMarks(top, Math.max(2, height / 32))) {
        const y = Math.round(yOf(value)) + 0.5;
        context.strokeStyle = palette.css['line-soft'];
        line(context, CHART_LEFT, y, width - CHART_RIGHT, y);
        context.fillStyle = palette.css['ink-3'];
        context.fillText(value === 0 ? '0' : byteSize(value).replace('.0 ', ' '), CHART_LEFT - 6, y);
    }
}

/**
 * Numbers under a row of things.
 * @param {Sheet} sheet @param {number} count @param {(index: number) => number} middle @param {(index: number) => string} text
 * @param {(step: number) => number} first that has one
 */
function drawNumbers(sheet, count, middle, text, first) {
    const { context, palette, width, height } = sheet;
    const perLabel = Math.max(1, (count * 44) / Math.max(1, width - CHART_LEFT - CHART_RIGHT));
    const power = 10 ** Math.floor(Math.log10(perLabel));
    const step = Math.max(1, ([1, 2, 5, 10].find((n) => n * power >= perLabel) ?? 10) * power);
    context.textAlign = 'center';
    context.fillStyle = palette.css['ink-3'];
    for (let i = first(step); i < count; i += step) {
        context.fillText(text(i), middle(i), height - 7);
    }
}

/**
 * Steps, one for each value; nothing where it is not known.
 * @param {Sheet} sheet @param {Float64Array} values @param {ReturnType<typeof geometry>} at @param {string} colour
 * @param {{ fill?: number, dash?: number[], width?: number }} style
 */
function drawSteps(sheet, values, at, colour, style) {
    const { context } = sheet;
    const { xOf, yOf, base } = at;
    if (style.fill) {
        context.globalAlpha = style.fill;
        context.fillStyle = colour;
        values.forEach((value, i) => {
            if (!Number.isNaN(value)) {
                const x = xOf(i);
                context.fillRect(x, yOf(value), xOf(i + 1) - x, base - yOf(value));
            }
        });
        context.globalAlpha = 1;
    }
    context.strokeStyle = colour;
    context.lineWidth = style.width ?? 1.5;
    context.setLineDash(style.dash ?? []);
    context.beginPath();
    let isOpen = false;
    values.forEach((value, i) => {
        if (Number.isNaN(value)) {
            isOpen = false;
            return;
        }
        const y = yOf(value);
        if (isOpen) {
            context.lineTo(xOf(i), y);
        } else {
            context.moveTo(xOf(i), y);
        }
        context.lineTo(xOf(i + 1), y);
        isOpen = true;
    });
    context.stroke();
    context.setLineDash([]);
    context.lineWidth = 1;
}

/**
 * Bytes alive at each pass of a frame.
 * @param {Sheet} sheet
 * @param {AliveCurve} curve
 * @param {{ hover: number, selected: number, culled: (pass: number) => boolean }} marks -1 for none
 */
export function drawPassCurve(sheet, curve, marks) {
    const { context, palette } = sheet;
    const count = curve.bytes.length;
    const top = Math.max(1, Number(curve.peak)) * 1.06;
    const at = geometry(sheet, count, top);
    drawScale(sheet, top, at.yOf);
    const column = (/** @type {number} */ pass, /** @type {string} */ colour, /** @type {number} */ alpha) => {
        context.globalAlpha = alpha;
        context.fillStyle = colour;
        context.fillRect(at.xOf(pass), TOP - 4, Math.max(2, at.step), at.base - TOP + 4);
        context.globalAlpha = 1;
    };
    if (marks.selected >= 0) {
        column(marks.selected, palette.css.select, 0.22);
    }
    if (marks.hover >= 0) {
        column(marks.hover, palette.css.ink, 0.09);
    }
    drawSteps(sheet, curve.bytes, at, palette.css.accent, { fill: 0.2 });
    context.fillStyle = palette.css['ink-3'];
    for (let pass = 0; pass < count; pass++) {
        if (marks.culled(pass)) {
            context.fillRect(at.xOf(pass) + at.step / 2 - 1.5, at.base + 1, 3, 2);
        }
    }
    if (curve.peakPass >= 0) {
        context.fillStyle = palette.css.select;
        marker(context, at.xOf(curve.peakPass) + at.step / 2, TOP - 1, 4);
    }
    drawNumbers(sheet, count, (pass) => at.xOf(pass) + at.step / 2, (pass) => String(pass + 1), (step) => step - 1);
}

/**
 * What was declared and what was used, frame by frame.
 * @param {Sheet} sheet
 * @param {MemoryHistory} history
 * @param {FrameTable} frames
 * @param {{ hover: number, range: FrameRange | null }} marks
 */
export function drawFrameCurve(sheet, history, frames, marks) {
    const { context, palette } = sheet;
    const { top, budgetFits } = historyScale(history);
    const at = geometry(sheet, frames.count, top);
    drawScale(sheet, top, at.yOf);
    if (marks.range) {
        context.fillStyle = palette.css.select;
        context.globalAlpha = 0.2;
        const x = at.xOf(marks.range.first);
        context.fillRect(x, TOP - 4, Math.max(2, at.xOf(marks.range.last + 1) - x), at.base - TOP + 4);
        context.globalAlpha = 1;
    }
    if (marks.hover >= 0) {
        context.globalAlpha = 0.09;
        context.fillStyle = palette.css.ink;
        context.fillRect(at.xOf(marks.hover), TOP - 4, Math.max(2, at.step), at.base - TOP + 4);
        context.globalAlpha = 1;
    }
    drawSteps(sheet, history.declared, at, palette.css.cpu, {});
    drawSteps(sheet, history.peak, at, palette.css.accent, { fill: 0.14 });
    if (history.used) {
        drawSteps(sheet, history.used, at, palette.css.gpu, { width: 2 });
    }
    if (history.budget && budgetFits) {
        drawSteps(sheet, history.budget, at, palette.css.bad, { dash: [5, 3] });
    }
    for (let i = 0; i < frames.count; i++) {
        const x = at.xOf(i) + at.step / 2;
        if (frames.flags[i] & FRAME.GPU_HITCH) {
            context.fillStyle = palette.css.bad;
            marker(context, x, TOP - 4, 3.5);
        }
        if (frames.flags[i] & FRAME.NOTE) {
            context.fillStyle = palette.css.accent;
            context.fillRect(at.xOf(i) - 0.5, TOP - 10, 1.5, 9);
        }
        if (frames.detail?.fresh[i]) {
            context.fillStyle = palette.css['ink-2'];
            context.fillRect(Math.round(at.xOf(i)), at.base, 1, 4);
        }
    }
    context.strokeStyle = palette.css.line;
    line(context, CHART_LEFT, at.base + 0.5, sheet.width - CHART_RIGHT, at.base + 0.5);
    drawNumbers(sheet, frames.count, (i) => at.xOf(i) + at.step / 2, (i) => String(frames.id[i]), () => 0);
}
