// SPDX-License-Identifier: MIT
// @ts-check
/* Text and marks on top of the rectangles: ruler, labels, notes, the selection with its error bands and waits. */

import { drawFlag, line, marker } from './canvas.js';
import { boxesById, laneKey } from './timeline_scene.js';
import { fitLabel } from '../model/fit.js';
import { frameAtTime, isHitch } from '../model/frames.js';
import { findRow, MODE } from '../model/lanes.js';
import { pxToTime, timeToPx, windowEnd } from '../model/window.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../model/lanes.js').TimelineView} TimelineView */
/** @typedef {import('../model/lanes.js').LaneView} LaneView */
/** @typedef {import('../model/lanes.js').Mark} Mark */
/** @typedef {import('../model/layout.js').Layout} Layout */
/** @typedef {import('../model/window.js').TimeWindow} TimeWindow */
/** @typedef {import('../model/ruler.js').Tick} Tick */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */

/** Frames, ticks, notes: a row for each, so that no flag hides a time. The style sheet says the same as --ruler. */
export const RULER_PX = 42;
const FRAME_ROW_PX = 15;
export const NOTE_ROW_PX = 10;
export const UNANSWERED_TEXT = 'not read: more than one answer may hold. Zoom in or fold other tracks';
/** Narrower than this a span has no room for a word. */
const LABEL_PX = 22;
/** Narrower than this a frame has no room for its number. */
const LEAST_NUMBER_PX = 12;

/**
 * @typedef {object} OverlayFrame
 * @property {CanvasRenderingContext2D} context
 * @property {Palette} palette
 * @property {TimeWindow} window
 * @property {Layout} layout
 * @property {number} gutter
 * @property {number} width whole canvas
 * @property {number} height
 * @property {number} scroll
 * @property {(text: string) => number} measure of the label font
 * @property {(name: number) => string} nameText
 */

/** @param {Pick<OverlayFrame, 'gutter' | 'window' | 'width'>} frame @param {bigint} timeNs */
export function xOf(frame, timeNs) {
    return frame.gutter + timeToPx(frame.window, timeNs, frame.width - frame.gutter);
}

/** @param {OverlayFrame} frame @param {Tick[]} ticks */
export function drawRuler(frame, ticks) {
    const { context, palette, gutter, width } = frame;
    context.fillStyle = palette.css.panel;
    context.fillRect(gutter, 0, width - gutter, RULER_PX);
    context.strokeStyle = palette.css.line;
    context.lineWidth = 1;
    line(context, gutter, RULER_PX - 0.5, width, RULER_PX - 0.5);
    context.save();
    context.beginPath();
    context.rect(gutter, 0, width - gutter, RULER_PX);
    context.clip();
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    context.fillStyle = palette.css['ink-2'];
    for (const tick of ticks) {
        const x = Math.round(gutter + tick.px) + 0.5;
        line(context, x, tick.label ? FRAME_ROW_PX + 3 : RULER_PX - 5, x, RULER_PX);
        if (tick.label && x >= gutter) {
            context.fillText(tick.label, x + 4, FRAME_ROW_PX + 9);
        }
    }
    context.restore();
}

/**
 * Frames along the top of the ruler, as bands with their numbers. However many there are, no more are visited than pixels.
 * @param {OverlayFrame} frame @param {FrameTable} frames @param {number} first @param {number} last
 * @param {import('../model/frames.js').FrameRange | null} range what is selected
 */
export function drawFrameBands(frame, frames, first, last, range) {
    const { context, palette, gutter, width, window } = frame;
    context.save();
    context.beginPath();
    context.rect(gutter, 0, width - gutter, RULER_PX);
    context.clip();
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    context.strokeStyle = palette.css.line;
    const edge = (/** @type {number} */ i) => (i < frames.count ? xOf(frame, frames.startNs[i]) : width);
    if (range && range.last >= first && range.first <= last) {
        const left = edge(Math.max(first, range.first));
        context.fillStyle = palette.css.select;
        context.globalAlpha = 0.22;
        context.fillRect(left, 0, Math.max(1, edge(Math.min(last, range.last) + 1) - left), FRAME_ROW_PX);
        context.globalAlpha = 1;
    }
    let free = gutter;
    for (let i = first; i <= last;) {
        const x = edge(i);
        const next = edge(i + 1);
        if (next - x >= 5) {
            line(context, Math.round(x) + 0.5, 0, Math.round(x) + 0.5, FRAME_ROW_PX);
        }
        const at = Math.max(x, gutter) + (isHitch(frames, i) ? 10 : 5);
        if (next - x >= LEAST_NUMBER_PX && at >= free) {
            const text = next - x > 70 ? `frame ${frames.id[i]}` : String(frames.id[i]);
            if (at + frame.measure(text) + 4 <= next) {
                context.fillStyle = range && i >= range.first && i <= range.last ? palette.css.ink : palette.css['ink-2'];
                context.fillText(text, at, FRAME_ROW_PX / 2 + 0.5);
                free = at + frame.measure(text) + 10;
            }
        }
        i = next - x >= 1 ? i + 1 : Math.max(i + 1, frameAtTime(frames, pxToTime(window, x + 1 - gutter, width - gutter)));
    }
    drawHitches(frame, frames, first, last);
    context.restore();
}

/** One mark for a pixel that has any. @param {OverlayFrame} frame @param {FrameTable} frames @param {number} first @param {number} last */
function drawHitches(frame, frames, first, last) {
    const { context, palette, gutter } = frame;
    context.fillStyle = palette.css.bad;
    let before = -1;
    for (let i = first; i <= last; i++) {
        if (!isHitch(frames, i)) {
            continue;
        }
        const x = Math.round(Math.max(xOf(frame, frames.startNs[i]), gutter));
        if (x !== before) {
            marker(context, x + 4.5, 10, 3.5);
            before = x;
        }
    }
}

/** @param {OverlayFrame} frame @param {Mark[]} marks */
export function drawNotes(frame, marks) {
    const { context, palette, gutter, width, height } = frame;
    for (const mark of marks) {
        const x = xOf(frame, mark.timeNs);
        if (x < gutter - 1 || x > width + 1) {
            continue;
        }
        // What only the page knows is drawn open.
        const colour = mark.page === undefined ? palette.css.accent : palette.css.warn;
        context.strokeStyle = colour;
        context.setLineDash([2, 3]);
        line(context, Math.round(x) + 0.5, RULER_PX, Math.round(x) + 0.5, height);
        context.setLineDash([]);
        drawFlag(context, x, RULER_PX - NOTE_ROW_PX, colour, mark.page !== undefined);
    }
}

/** @param {OverlayFrame} frame */
export function clipBody(frame) {
    const { context, gutter, width, height } = frame;
    context.save();
    context.beginPath();
    context.rect(gutter, RULER_PX, width - gutter, height - RULER_PX);
    context.clip();
}

/**
 * Labels of the spans that have room for one; of a folded track up to the next span, which may lie over it.
 * @param {OverlayFrame} frame
 * @param {TimelineView} view
 * @param {(tint: number | undefined) => string} colourOf
 */
export function drawLabels(frame, view, colourOf) {
    const { context, palette, gutter, width, window, scroll, height, measure, nameText } = frame;
    const boxes = boxesById(frame.layout);
    const scale = (width - gutter) / window.lengthNs;
    const shift = xOf(frame, view.startNs);
    const { spans } = view;
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    for (const lane of view.lanes) {
        const place = boxes.get(laneKey(lane))?.lane;
        const y = place ? place.y - scroll + RULER_PX : 0;
        if (!place || y > height || y + place.height < RULER_PX) {
            continue;
        }
        for (let i = lane.firstSpan; i < lane.lastSpan; i++) {
            const left = Math.max(gutter, shift + spans.begin[i] * scale);
            const next = place.folded && i + 1 < lane.lastSpan ? spans.begin[i + 1] : Infinity;
            const right = Math.min(width, shift + Math.min(spans.end[i], next) * scale);
            if (right - left >= LABEL_PX) {
                const text = fitLabel(nameText(spans.name[i]), right - left - 10, measure);
                if (text) {
                    context.fillStyle = colourOf(spans.tint[i]);
                    context.fillText(text, left + 5, y + place.height / 2 + 0.5);
                }
            } else if (left > width) {
                break;
            }
        }
    }
}

/**
 * Lanes that the engine left out, because one answer may only be so large: never to be taken for empty ones.
 * @param {OverlayFrame} frame @param {TimelineView} view
 */
export function drawUnanswered(frame, view) {
    const { context, palette, gutter, width, scroll, height } = frame;
    const boxes = boxesById(frame.layout);
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    for (const lane of view.lanes) {
        const place = lane.mode === MODE.UNANSWERED ? boxes.get(laneKey(lane))?.lane : undefined;
        const y = place ? place.y - scroll + RULER_PX : 0;
        if (!place || y > height || y + place.height < RULER_PX) {
            continue;
        }
        context.fillStyle = palette.css.warn;
        context.globalAlpha = 0.1;
        context.fillRect(gutter, y + 1, width - gutter, place.height - 2);
        context.globalAlpha = 1;
        context.fillText(UNANSWERED_TEXT, gutter + 8, y + place.height / 2 + 0.5);
    }
}

/**
 * Where a span is on the canvas, if it was drawn exactly.
 * @param {OverlayFrame} frame @param {TimelineView} view @param {number} row
 * @returns {{ x: number, width: number, y: number, height: number } | null}
 */
export function boxOfRow(frame, view, row) {
    const found = findRow(view, row);
    const place = found ? boxesById(frame.layout).get(laneKey(found.lane))?.lane : undefined;
    if (!found || !place) {
        return null;
    }
    const scale = (frame.width - frame.gutter) / frame.window.lengthNs;
    const shift = xOf(frame, view.startNs);
    const x = shift + view.spans.begin[found.index] * scale;
    const width = Math.max(1, shift + view.spans.end[found.index] * scale - x);
    return { x, width, y: place.y - frame.scroll + RULER_PX, height: place.height };
}

/**
 * @param {OverlayFrame} frame
 * @param {{ x: number, width: number, y: number, height: number }} box
 * @param {string} colour
 * @param {number} lineWidth
 */
export function outline(frame, box, colour, lineWidth) {
    const { context, gutter, width } = frame;
    const left = Math.max(gutter - 4, box.x);
    const right = Math.min(width + 4, box.x + box.width);
    if (right < left) {
        return;
    }
    context.strokeStyle = colour;
    context.lineWidth = lineWidth;
    const half = lineWidth / 2;
    context.strokeRect(left - half, box.y + 1 - half, right - left + lineWidth - 1, box.height - 2 + lineWidth);
    context.lineWidth = 1;
}

/**
 * How far each end may be off against other clocks.
 * @param {OverlayFrame} frame
 * @param {{ x: number, width: number, y: number, height: number }} box
 * @param {number} boundNs
 */
export function drawErrorBands(frame, box, boundNs) {
    const reach = (boundNs * (frame.width - frame.gutter)) / frame.window.lengthNs;
    if (boundNs <= 0 || reach < 1.5) {
        return;
    }
    const { context, palette } = frame;
    context.fillStyle = palette.css.ink;
    context.globalAlpha = 0.28;
    for (const x of [box.x, box.x + box.width]) {
        context.fillRect(x - reach, box.y + 1, 2 * reach, box.height - 2);
    }
    context.globalAlpha = 1;
}

/**
 * The selected span, and what it waited on.
 * @param {OverlayFrame} frame @param {TimelineView} view
 * @param {{ row: number, boundNs: number, waits: readonly { row: number | null }[] }} info
 */
export function drawSelection(frame, view, info) {
    for (const wait of info.waits) {
        if (wait.row !== null) {
            drawWait(frame, view, wait.row, info.row);
        }
    }
    const box = boxOfRow(frame, view, info.row);
    if (box) {
        drawErrorBands(frame, box, info.boundNs);
        outline(frame, box, frame.palette.css.select, 2);
    }
}

/** What the hand measured. @param {OverlayFrame} frame @param {{ from: bigint, to: bigint } | null} measure */
export function drawMeasure(frame, measure) {
    if (!measure) {
        return;
    }
    const { context, palette, height } = frame;
    const x0 = xOf(frame, measure.from);
    const x1 = xOf(frame, measure.to);
    context.fillStyle = palette.css.accent;
    context.globalAlpha = 0.14;
    context.fillRect(Math.min(x0, x1), RULER_PX, Math.abs(x1 - x0), height);
    context.globalAlpha = 1;
    context.fillRect(Math.round(x0), RULER_PX, 1, height);
    context.fillRect(Math.round(x1), RULER_PX, 1, height);
}

/** The track of the selected metric. @param {OverlayFrame} frame @param {number} counter -1: none */
export function drawChosenCounter(frame, counter) {
    const { context, palette, gutter, width, scroll, layout } = frame;
    const box = counter < 0 ? undefined : layout.boxes.find((item) => item.track.counter === counter);
    if (box) {
        context.fillStyle = context.strokeStyle = palette.css.select;
        context.globalAlpha = 0.1;
        context.fillRect(gutter, box.y - scroll + RULER_PX, width - gutter, box.height - 1);
        context.globalAlpha = 1;
        context.strokeRect(gutter + 0.5, box.y - scroll + RULER_PX + 0.5, width - gutter - 1, box.height - 2);
    }
}

/**
 * A curve from what was waited on to the one that waited.
 * @param {OverlayFrame} frame
 * @param {TimelineView} view
 * @param {number} from
 * @param {number} to
 */
function drawWait(frame, view, from, to) {
    const start = boxOfRow(frame, view, from);
    const end = boxOfRow(frame, view, to);
    if (!start || !end) {
        return;
    }
    const { context, palette } = frame;
    const x0 = start.x + start.width;
    const y0 = start.y + start.height / 2;
    const x1 = end.x;
    const y1 = end.y + end.height / 2;
    const bend = Math.max(14, Math.abs(x1 - x0) / 2);
    context.strokeStyle = palette.css.select;
    context.lineWidth = 1.25;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 4, y1);
    context.stroke();
    context.lineWidth = 1;
    context.fillStyle = palette.css.select;
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - 6, y1 - 3.5);
    context.lineTo(x1 - 6, y1 + 3.5);
    context.fill();
}

/**
 * Where a trace ends, so that nobody takes the rest for idle time.
 * @param {OverlayFrame} frame
 * @param {bigint} firstNs
 * @param {bigint} lastNs
 */
export function drawOutside(frame, firstNs, lastNs) {
    const { context, palette, gutter, width, height, window } = frame;
    const left = xOf(frame, firstNs);
    const right = lastNs < windowEnd(window) ? xOf(frame, lastNs) : width;
    context.fillStyle = palette.css.ground;
    context.globalAlpha = 0.6;
    if (left > gutter) {
        context.fillRect(gutter, RULER_PX, left - gutter, height);
    }
    if (right < width) {
        context.fillRect(right, RULER_PX, width - right, height);
    }
    context.globalAlpha = 1;
}
