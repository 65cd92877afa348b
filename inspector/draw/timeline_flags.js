// SPDX-License-Identifier: MIT
// @ts-check
/*
 * In the band with a track's name: its markers as flags, and what was lost where it was noticed. What would lie on one another is one
 * mark with a count. A loss is drawn over everything and at every scale: zooming out adds losses up and hides none.
 */

import { drawFlag } from './canvas.js';
import { NOTE_ROW_PX, RULER_PX, xOf } from './timeline_overlay.js';
import { fitLabel } from '../model/fit.js';
import { grouped } from '../model/format.js';
import { byTrack, flagsOf, instantText } from '../model/instants.js';
import { HEAD_PX } from '../model/layout.js';
import { lossesIn, mergeAt } from '../model/losses.js';
import { windowEnd } from '../model/window.js';

/** @typedef {import('./timeline_overlay.js').OverlayFrame} OverlayFrame */
/** @typedef {import('../model/instants.js').Instant} Instant */
/** @typedef {import('../model/instants.js').InstantView} InstantView */
/** @typedef {import('../model/losses.js').Losses} Losses */
/** @typedef {import('../model/layout.js').TrackBox} TrackBox */

/** Flags nearer to one another than this are one. */
const FLAG_PX = 9;
/** Losses too: a mark has its count written on it. */
export const LOSS_PX = 44;
/** Less room than this holds no word. */
const LABEL_PX = 30;
const LABEL_GAP_PX = 6;

/** Where the marks of a track stand, on the canvas; those of no track are with the notes, in the ruler. @param {Pick<OverlayFrame, 'scroll'>} frame @param {TrackBox | null} box */
function bandOf(frame, box) {
    return box ? { y: box.y - frame.scroll + RULER_PX, height: HEAD_PX } : { y: RULER_PX - NOTE_ROW_PX, height: NOTE_ROW_PX };
}

/** Tracks with a band in sight, and the ruler. @param {OverlayFrame} frame @returns {(TrackBox | null)[]} */
function bands(frame) {
    const seen = frame.layout.boxes.filter((box) => {
        const y = box.y - frame.scroll + RULER_PX;
        return box.track.counter < 0 && box.tracks.length > 0 && y < frame.height && y + box.height > RULER_PX;
    });
    return [null, ...seen];
}

/** Markers in a band; on the one line of what is folded there is no room for them. @param {InstantView} view @param {TrackBox | null} box @returns {readonly Instant[]} */
function instantsOf(view, box) {
    return box?.folded ? [] : byTrack(view).get(box?.tracks[0] ?? -1) ?? [];
}

/** @param {OverlayFrame} frame @param {TrackBox | null} box @param {() => void} draw */
function within(frame, box, draw) {
    const { context, gutter, width, height } = frame;
    context.save();
    context.beginPath();
    context.rect(gutter, box ? RULER_PX : 0, width - gutter, box ? height : RULER_PX);
    context.clip();
    draw();
    context.restore();
}

/** @param {OverlayFrame} frame @param {InstantView} view */
export function drawInstants(frame, view) {
    const { context, palette, gutter, width, window } = frame;
    const scale = (width - gutter) / window.lengthNs;
    const origin = xOf(frame, view.startNs);
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    for (const box of bands(frame)) {
        const list = instantsOf(view, box);
        if (list.length === 0) {
            continue;
        }
        const { y, height } = bandOf(frame, box);
        const flags = flagsOf(list, (at) => origin + at * scale, gutter, width, FLAG_PX);
        within(frame, box, () => flags.forEach((flag, i) => {
            const instant = list[flag.index];
            const room = (flags[i + 1]?.x ?? width) - flag.x - LABEL_GAP_PX - FLAG_PX;
            drawFlag(context, flag.x, y + (box ? 5 : 0), palette.css.cpu, false);
            if (box && room >= LABEL_PX) {
                const text = flag.count > 1 ? `${grouped(flag.count)} markers` : instantText(frame.nameText(instant.name), instant.value);
                context.fillStyle = palette.css['ink-2'];
                context.fillText(fitLabel(text, room, frame.measure), flag.x + FLAG_PX + 3, y + height / 2 + 0.5);
            }
        }));
    }
}

/** @typedef {Pick<OverlayFrame, 'layout' | 'window' | 'gutter' | 'width' | 'scroll' | 'height'>} Shape where things are */

/** Losses of a band on screen, and their places. @param {Shape} shape @param {Losses} losses @param {TrackBox | null} box */
function placesOf(shape, losses, box) {
    const { window } = shape;
    const tracks = box?.tracks ?? [-1];
    const places = tracks.flatMap((track) => lossesIn(losses, track, window.startNs - 1n, windowEnd(window))
        .map((loss) => ({ x: xOf(shape, loss.timeNs), count: loss.count })));
    return tracks.length > 1 ? places.sort((a, b) => a.x - b.x) : places;
}

/** @param {OverlayFrame} frame @param {Losses} losses */
export function drawLosses(frame, losses) {
    const { context, palette, width } = frame;
    context.font = `600 11px ${palette.sans}`;
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    for (const box of bands(frame)) {
        const places = placesOf(frame, losses, box);
        if (places.length === 0) {
            continue;
        }
        const { y, height } = bandOf(frame, box);
        within(frame, box, () => {
            context.fillStyle = palette.css.bad;
            let before = -1;
            for (const { x } of places) {
                const left = Math.round(x) - 1;
                if (left !== before) {
                    context.fillRect(left, y + 1, 2, (box ? box.height : height) - 2);
                    before = left;
                }
            }
            for (const mark of mergeAt(places, LOSS_PX)) {
                drawLossMark(frame, mark.x, width, y, height, `−${grouped(mark.count)}`);
            }
        });
    }
}

/** @param {OverlayFrame} frame @param {number} x @param {number} right @param {number} y @param {number} height @param {string} text */
function drawLossMark(frame, x, right, y, height, text) {
    const { context, palette, measure } = frame;
    const size = measure(text) + 9;
    // At the right edge it stands before its place, so that its count is read.
    const left = Math.round(x + size > right ? x - size : x);
    const inset = height > 14 ? 3 : 0;
    context.fillStyle = palette.css.bad;
    context.fillRect(left, y + inset, size, height - 2 * inset);
    context.fillStyle = palette.css.ground;
    context.fillText(text, left + 4, y + height / 2 + 0.5);
}

/**
 * What stands under a pointer in a band.
 * @param {Shape} shape @param {InstantView | null} instants @param {Losses | null} losses @param {TrackBox | null} box null: the ruler
 * @param {number} x
 * @returns {{ loss: ReturnType<typeof mergeAt>[number] | null, flag: { first: Instant, list: readonly Instant[], count: number } | null }}
 */
export function marksAt(shape, instants, losses, box, x) {
    const { gutter, width, window } = shape;
    const marks = losses ? mergeAt(placesOf(shape, losses, box), LOSS_PX) : [];
    const loss = marks.reverse().find((mark) => x >= mark.x - 3 && x <= Math.max(mark.right, mark.x + LOSS_PX / 2) + 3) ?? null;
    const list = instants ? instantsOf(instants, box) : [];
    if (!instants || list.length === 0) {
        return { loss, flag: null };
    }
    const origin = xOf(shape, instants.startNs);
    const scale = (width - gutter) / window.lengthNs;
    const flags = flagsOf(list, (at) => origin + at * scale, gutter, width, FLAG_PX);
    const after = flags.findIndex((flag) => x < flag.x - 3);
    const at = (after < 0 ? flags.length : after) - 1;
    const found = at >= 0 && x <= flags[at].x + FLAG_PX + 3 ? flags[at] : null;
    const end = flags[at + 1]?.index ?? list.length;
    return { loss, flag: found ? { first: list[found.index], list: list.slice(found.index, end), count: found.count } : null };
}
