// SPDX-License-Identifier: MIT
// @ts-check
/* Live resources over the capture: their bytes as an area with a scale, how many there are as a line with its own. */

import { CHART_LEFT, CHART_RIGHT } from './memory_picture.js';
import { line } from './canvas.js';
import { byteSize, grouped } from '../model/format.js';
import { byteMarks } from '../model/memory_history.js';

/** @typedef {import('../model/objects.js').Growth} Growth */
/** @typedef {import('./memory_picture.js').Sheet} Sheet */

const TOP = 10;
const BOTTOM = 6;

/** @param {Float64Array} values */
function largest(values) {
    return values.reduce((most, value) => (value > most ? value : most), 0);
}

/**
 * @param {Sheet} sheet @param {Growth} growth
 * @param {{ hover: number, from: number, to: number }} marks points; the chosen ones are from `from` to `to`, below zero: none
 */
export function drawGrowth(sheet, growth, marks) {
    const { context, palette, width, height } = sheet;
    const count = Math.max(1, growth.timeNs.length);
    const room = Math.max(1, width - CHART_LEFT - CHART_RIGHT);
    const base = height - BOTTOM;
    const top = Math.max(1, largest(growth.bytes)) * 1.06;
    const most = Math.max(1, largest(growth.count)) * 1.06;
    const xOf = (/** @type {number} */ i) => CHART_LEFT + (i * room) / count;
    const yOf = (/** @type {number} */ share) => base - share * (base - TOP);
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const value of byteMarks(top, Math.max(2, height / 32))) {
        const y = Math.round(yOf(value / top)) + 0.5;
        context.strokeStyle = palette.css['line-soft'];
        line(context, CHART_LEFT, y, width - CHART_RIGHT, y);
        context.fillStyle = palette.css['ink-3'];
        context.fillText(value === 0 ? '0' : byteSize(value).replace('.0 ', ' '), CHART_LEFT - 6, y);
    }
    const column = (/** @type {number} */ first, /** @type {number} */ last, /** @type {string} */ colour, /** @type {number} */ alpha) => {
        context.globalAlpha = alpha;
        context.fillStyle = colour;
        context.fillRect(xOf(first), TOP - 4, Math.max(2, xOf(last + 1) - xOf(first)), base - TOP + 4);
        context.globalAlpha = 1;
    };
    if (marks.to >= 0) {
        column(Math.max(0, marks.from), marks.to, palette.css.select, 0.22);
    }
    if (marks.hover >= 0) {
        column(marks.hover, marks.hover, palette.css.ink, 0.09);
    }
    context.globalAlpha = 0.2;
    context.fillStyle = palette.css.accent;
    context.beginPath();
    growth.bytes.forEach((value, i) => {
        if (!Number.isNaN(value)) {
            context.rect(xOf(i), yOf(value / top), xOf(i + 1) - xOf(i), base - yOf(value / top));
        }
    });
    context.fill();
    context.globalAlpha = 1;
    steps(context, growth.bytes, xOf, (value) => yOf(value / top), palette.css.accent);
    steps(context, growth.count, xOf, (value) => yOf(value / most), palette.css.cpu);
    context.textAlign = 'right';
    context.fillStyle = palette.css['ink-2'];
    context.fillText(`up to ${grouped(Math.round(largest(growth.count)))} at once`, width - CHART_RIGHT - 4, TOP - 2);
}

/**
 * @param {CanvasRenderingContext2D} context @param {Float64Array} values @param {(i: number) => number} xOf @param {(value: number) => number} yOf
 * @param {string} colour
 */
function steps(context, values, xOf, yOf, colour) {
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    let isOpen = false;
    values.forEach((value, i) => {
        if (Number.isNaN(value)) {
            isOpen = false;
            return;
        }
        if (isOpen) {
            context.lineTo(xOf(i), yOf(value));
        } else {
            context.moveTo(xOf(i), yOf(value));
        }
        context.lineTo(xOf(i + 1), yOf(value));
        isOpen = true;
    });
    context.stroke();
    context.lineWidth = 1;
}
