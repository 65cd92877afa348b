// SPDX-License-Identifier: MIT
// @ts-check
/* The frame strip: GPU bars with the CPU as marks over them, on one scale. */

import { drawFlag, line, marker } from './canvas.js';
import { FRAME, scaleMarks, stripColumns, stripScale } from '../model/frames.js';
import { shortDuration } from '../model/format.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {import('../model/frames.js').FrameRange} FrameRange */

export const STRIP_LEFT = 96;
export const STRIP_RIGHT = 108;
const TOP = 16;
const BOTTOM = 16;

/**
 * @typedef {object} StripInput
 * @property {CanvasRenderingContext2D} context
 * @property {Palette} palette
 * @property {number} width
 * @property {number} height
 * @property {FrameTable} frames
 * @property {FrameRange | null} range
 * @property {number} hover frame under the pointer, -1 for none
 * @property {number} budgetNs 0: no line
 * @property {{ from: number, to: number } | null} shown what the timeline shows, in frames with fractions
 * @property {readonly { frame: number, isOpen: boolean }[]} notes open: only the page has it
 * @property {readonly { range: FrameRange, label: string, hue: 'accent' | 'select' }[]} sides of a comparison
 */

/** @typedef {{ room: number, hasGpu: boolean, scale: ReturnType<typeof stripScale>, columns: ReturnType<typeof stripColumns> }} Reduced to a column a pixel */
/** The strip is drawn with every move of the window: what hangs on the frames alone is kept. @type {WeakMap<FrameTable, Reduced>} */
const reduced = new WeakMap();

/** @param {FrameTable} frames @param {number} room @returns {Reduced} */
function reduce(frames, room) {
    let kept = reduced.get(frames);
    if (kept?.room !== room) {
        const hasGpu = kept?.hasGpu ?? frames.gpuNs.some((ns) => ns >= 0);
        kept = { room, hasGpu, scale: kept?.scale ?? stripScale(frames), columns: stripColumns(frames, room) };
        reduced.set(frames, kept);
    }
    return kept;
}

/** @param {StripInput} input */
export function drawStrip(input) {
    const { context, palette, width, height, frames } = input;
    const room = width - STRIP_LEFT - STRIP_RIGHT;
    const base = height - BOTTOM;
    const { scale: { topNs, medianNs, cut }, columns, hasGpu } = reduce(frames, room);
    const yOf = (/** @type {number} */ ns) => base - (Math.min(ns, topNs) * (base - TOP)) / topNs;
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'middle';
    drawScale(input, topNs, yOf);
    drawLegend(input, hasGpu);
    const inRange = (/** @type {number} */ first, /** @type {number} */ last) =>
        !input.range || (last >= input.range.first && first <= input.range.last);
    for (const column of columns) {
        const x = STRIP_LEFT + column.x;
        const gap = column.width >= 3 ? 1 : 0;
        const w = Math.max(0.75, column.width - gap);
        const strong = inRange(column.first, column.last) || column.first === input.hover;
        const bar = hasGpu ? column.gpuNs : column.cpuNs;
        if (bar >= 0) {
            context.fillStyle = hasGpu ? palette.css.gpu : palette.css.cpu;
            context.globalAlpha = strong ? 0.95 : 0.4;
            const y = yOf(bar);
            context.fillRect(x, y, w, base - y);
        } else {
            // No GPU time is not a time of zero: an open frame, hatched at the bottom.
            context.globalAlpha = 0.7;
            context.fillStyle = palette.css['ink-3'];
            for (let y = base - 6; y < base; y += 3) {
                context.fillRect(x, y, w, 1);
            }
        }
        context.globalAlpha = strong ? 1 : 0.6;
        if (hasGpu && column.cpuNs >= 0) {
            context.fillStyle = palette.css.cpu;
            context.fillRect(x, yOf(column.cpuNs) - 1, w, 2);
        }
        context.globalAlpha = 1;
        drawColumnMarks(input, column, x + column.width / 2, base, cut && Math.max(column.gpuNs, column.cpuNs) > topNs);
    }
    drawLines(input, topNs, medianNs, yOf);
    drawNumbers(input, room, base);
    drawRange(input, room, base);
    drawSides(input, room, base);
}

/** @param {StripInput} input @param {number} topNs @param {(ns: number) => number} yOf */
function drawScale(input, topNs, yOf) {
    const { context, palette, width } = input;
    context.textAlign = 'right';
    for (const value of scaleMarks(topNs, input.height > 95 ? 3.4 : 2.2)) {
        const y = Math.round(yOf(value)) + 0.5;
        context.strokeStyle = palette.css['line-soft'];
        line(context, STRIP_LEFT, y, width - STRIP_RIGHT, y);
        context.fillStyle = palette.css['ink-3'];
        context.fillText(value === 0 ? '0' : shortDuration(value), STRIP_LEFT - 6, y);
    }
}

/** Where no frame has a GPU time the bars are those of the processor. @param {StripInput} input @param {boolean} hasGpu */
function drawLegend(input, hasGpu) {
    const { context, palette } = input;
    context.textAlign = 'left';
    if (!hasGpu) {
        context.fillStyle = palette.css.cpu;
        context.fillRect(8, TOP + 2, 8, 8);
        context.fillStyle = palette.css['ink-2'];
        context.fillText('CPU', 20, TOP + 6);
        return;
    }
    context.fillStyle = palette.css.gpu;
    context.fillRect(8, TOP + 2, 8, 8);
    context.fillStyle = palette.css.cpu;
    context.fillRect(8, TOP + 21, 8, 2);
    context.fillStyle = palette.css['ink-2'];
    context.fillText('GPU', 20, TOP + 6);
    context.fillText('CPU', 20, TOP + 22);
}

/**
 * @param {StripInput} input
 * @param {import('../model/frames.js').StripColumn} column
 * @param {number} x
 * @param {number} base
 * @param {boolean} cut
 */
function drawColumnMarks(input, column, x, base, cut) {
    const { context, palette } = input;
    if (column.flags & FRAME.GPU_HITCH) {
        context.fillStyle = palette.css.bad;
        marker(context, x, 8, 4);
    } else if (column.flags & FRAME.CPU_HITCH) {
        // The other side, the other shape: an open marker, smaller.
        context.strokeStyle = palette.css.cpu;
        context.beginPath();
        context.moveTo(x - 3, 3.5);
        context.lineTo(x, 7.5);
        context.lineTo(x + 3, 3.5);
        context.stroke();
    }
    if (cut) {
        context.strokeStyle = palette.css.panel;
        context.lineWidth = 2;
        line(context, x - column.width / 2, TOP + 7, x + column.width / 2, TOP + 4);
        context.lineWidth = 1;
    }
    if (column.fresh) {
        context.strokeStyle = palette.css['ink-2'];
        const left = Math.round(x - column.width / 2) + 0.5;
        line(context, left, base, left, base + 4);
    }
    if (column.dropped > 0) {
        context.fillStyle = palette.css.warn;
        context.fillRect(x - Math.max(1.5, column.width / 2), base + 1, Math.max(3, column.width), 3);
    }
    if (column.flags & FRAME.DEVICE_LOST) {
        context.fillStyle = palette.css.bad;
        context.fillText('✕', x - 4, base - 6);
    }
}

/**
 * @param {StripInput} input
 * @param {number} topNs
 * @param {number} medianNs
 * @param {(ns: number) => number} yOf
 */
function drawLines(input, topNs, medianNs, yOf) {
    const { context, palette, width, budgetNs } = input;
    context.textAlign = 'right';
    if (budgetNs > 0 && budgetNs <= topNs) {
        const y = Math.round(yOf(budgetNs)) + 0.5;
        context.strokeStyle = palette.css.good;
        context.setLineDash([4, 3]);
        line(context, STRIP_LEFT, y, width - STRIP_RIGHT, y);
        context.setLineDash([]);
    }
    context.textAlign = 'left';
    context.fillStyle = palette.css['ink-3'];
    if (Number.isFinite(medianNs)) {
        context.fillText(`median ${shortDuration(medianNs)}`, width - STRIP_RIGHT + 8, TOP + 6);
    }
}

/** @param {StripInput} input @param {number} room @param {number} base */
function drawNumbers(input, room, base) {
    const { context, palette, frames } = input;
    if (frames.count === 0) {
        return;
    }
    const perLabel = Math.max(1, (frames.count * 58) / room);
    const power = 10 ** Math.floor(Math.log10(perLabel));
    const step = Math.max(1, ([1, 2, 5, 10].find((n) => n * power >= perLabel) ?? 10) * power);
    context.textAlign = 'center';
    context.fillStyle = palette.css['ink-3'];
    for (let i = 0; i < frames.count; i += step) {
        const x = STRIP_LEFT + ((i + 0.5) * room) / frames.count;
        context.fillText(String(frames.id[i]), x, base + 9);
    }
    for (const note of input.notes) {
        const x = STRIP_LEFT + ((note.frame + 0.5) * room) / frames.count;
        drawFlag(context, x, TOP - 6, note.isOpen ? palette.css.warn : palette.css.accent, note.isOpen);
    }
}

/** @param {StripInput} input @param {number} room @param {number} base */
function drawSides(input, room, base) {
    const { context, palette, frames } = input;
    context.textAlign = 'left';
    for (const { range, label, hue } of input.sides) {
        const left = STRIP_LEFT + (range.first * room) / frames.count;
        const right = STRIP_LEFT + ((range.last + 1) * room) / frames.count;
        context.fillStyle = palette.css[hue];
        context.globalAlpha = 0.12;
        context.fillRect(left, 0, right - left, base);
        context.globalAlpha = 1;
        context.fillRect(left, base, Math.max(3, right - left), 3);
        // Base before its frames, new behind them: the words never meet.
        const isBase = hue === 'accent';
        context.textAlign = isBase ? 'right' : 'left';
        const x = isBase ? left - 4 : right + 4;
        const width = context.measureText(label).width;
        context.fillStyle = palette.css.panel;
        context.globalAlpha = 0.85;
        context.fillRect(isBase ? x - width - 2 : x - 2, base - 14, width + 4, 13);
        context.globalAlpha = 1;
        context.fillStyle = palette.css[hue];
        context.fillText(label, x, base - 7);
    }
}

/** @param {StripInput} input @param {number} room @param {number} base */
function drawRange(input, room, base) {
    const { context, palette, frames, range, shown } = input;
    if (shown && frames.count > 0) {
        const left = STRIP_LEFT + Math.max(0, shown.from / frames.count) * room;
        const right = STRIP_LEFT + Math.min(1, shown.to / frames.count) * room;
        context.fillStyle = palette.css['ink-2'];
        context.fillRect(left, base, Math.max(2, right - left), 2);
    }
    if (!range || frames.count === 0) {
        return;
    }
    const left = STRIP_LEFT + (range.first * room) / frames.count;
    const right = STRIP_LEFT + ((range.last + 1) * room) / frames.count;
    context.fillStyle = palette.css.select;
    context.globalAlpha = 0.1;
    context.fillRect(left, 0, right - left, base);
    context.globalAlpha = 1;
    context.fillRect(left - 1, 0, 1.5, base);
    context.fillRect(right - 0.5, 0, 1.5, base);
}
