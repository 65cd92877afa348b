// SPDX-License-Identifier: MIT
// @ts-check
/* What could be compared: frames as somebody writes them, and the pairs that are worth a look. */

import { FRAME, clampRange, frameIndexOf, isHitch, rangeBetween, worstHitch } from './frames.js';
import { formatSide } from './address.js';
import { duration, grouped } from './format.js';

/** @typedef {import('./address.js').Side} Side */
/** @typedef {import('./frames.js').FrameTable} FrameTable */
/** @typedef {import('./frames.js').FrameRange} FrameRange */
/** @typedef {import('./lanes.js').Mark} Mark */
/** @typedef {{ base: Side, next: Side }} Pair */
/** @typedef {{ key: string, label: string, title: string, pair: Pair }} Suggestion */

/** Frames on a side of a change: enough to see what a frame does anyway. */
const NEIGHBOURS = 15;
/** So many changes and notes are offered; more would bury the rest. */
const MAX_OF_KIND = 3;

/** @param {FrameTable} frames @param {FrameRange} range */
export function rangeName(frames, range) {
    const number = (/** @type {number} */ index) => grouped(frames.id[Math.min(index, frames.count - 1)] ?? BigInt(index));
    return range.first === range.last ? `frame ${number(range.first)}` : `frames ${number(range.first)} to ${number(range.last)}`;
}

/** A range of time, counted from the first time of its trace. @param {import('./address_explore.js').Measured} time @param {bigint} firstNs */
export function timeName(time, firstNs) {
    const [from, to] = [time.startNs, time.endNs].map((ns) => `${ns < firstNs ? '−' : '+'}${duration(Math.abs(Number(ns - firstNs)))}`);
    return `${from} to ${to}`;
}

/** As it stands in the field of a side: numbers of frames. @param {FrameTable} frames @param {FrameRange} range */
export function rangeText(frames, range) {
    if (frames.count === 0) {
        return 'all';
    }
    if (range.first === 0 && range.last === frames.count - 1 && frames.count > 1) {
        return 'all';
    }
    return range.first === range.last ? `${frames.id[range.first]}` : `${frames.id[range.first]}-${frames.id[range.last]}`;
}

/**
 * "40", "40-60", "40:60", "40 to 60", "all": numbers of frames to rows.
 * @param {FrameTable} frames
 * @param {string} text
 * @returns {{ range: FrameRange | null, problem: string }}
 */
export function readRange(frames, text) {
    const wrong = (/** @type {string} */ problem) => ({ range: null, problem });
    if (frames.count === 0) {
        return /^\s*(all)?\s*$/i.test(text) ? { range: { first: 0, last: 0 }, problem: '' } : wrong('this trace has no frames: all of it is compared');
    }
    if (/^\s*(all)?\s*$/i.test(text)) {
        return { range: { first: 0, last: frames.count - 1 }, problem: '' };
    }
    const match = /^\s*(?:frames?)?\s*(\d{1,18})\s*(?:(?:-|:|–|\.\.|to)\s*(\d{1,18})\s*)?$/i.exec(text.replaceAll(',', ''));
    if (!match) {
        return wrong('write one frame as 40, several as 40-60, or all');
    }
    const first = frameIndexOf(frames, BigInt(match[1]));
    const last = match[2] === undefined ? first : frameIndexOf(frames, BigInt(match[2]));
    if (first < 0 || last < 0) {
        const missing = first < 0 ? match[1] : match[2];
        return wrong(`there is no frame ${missing}: this capture has ${frames.id[0]} to ${frames.id[frames.count - 1]}`);
    }
    return { range: rangeBetween(first, last), problem: '' };
}

/** The first frames of a recording make pipelines and fill caches: they are like no other. */
const WARM_UP_FRAMES = 5;

/** A structure that no frame before it had: what follows is not what was before. @param {FrameTable} frames @param {number} index */
function isFresh(frames, index) {
    return index >= WARM_UP_FRAMES && frames.detail?.fresh[index] === 1;
}

/**
 * Ordinary frames from one on: up to a hitch, a new structure or the warm-up.
 * @param {FrameTable} frames @param {number} from first that is taken @param {1 | -1} step
 * @returns {FrameRange | null}
 */
function ordinary(frames, from, step) {
    const least = from >= WARM_UP_FRAMES ? WARM_UP_FRAMES : 0;
    let end = from;
    let count = 0;
    while (end >= least && end < frames.count && count < NEIGHBOURS && !isHitch(frames, end)) {
        const isEdge = step < 0 && isFresh(frames, end);
        // Structures that take turns come one after the other: those that begin together are one change.
        if (step > 0 && count >= WARM_UP_FRAMES && isFresh(frames, end)) {
            break;
        }
        end += step;
        count += 1;
        if (isEdge) {
            break;
        }
    }
    return count > 0 ? rangeBetween(from, end - step) : null;
}

/** The first ordinary frames from one on. @param {FrameTable} frames @param {number} from */
function ordinaryAfter(frames, from) {
    let start = from;
    while (start < frames.count - 1 && start < from + WARM_UP_FRAMES && isHitch(frames, start)) {
        start += 1;
    }
    return ordinary(frames, start, 1);
}

/**
 * Frames to judge others by: the ordinary ones before, else those after, else whatever is next to them.
 * @param {FrameTable} frames @param {FrameRange} range
 * @returns {FrameRange | null}
 */
export function neighbours(frames, range) {
    const near = ordinary(frames, range.first - 1, -1) ?? ordinaryAfter(frames, range.last + 1);
    if (near) {
        return near;
    }
    const index = range.first > 0 ? range.first - 1 : range.last + 1;
    return index < frames.count ? { first: index, last: index } : null;
}

/**
 * Pairs that are worth a look, the best first.
 * @param {{ file: number, frames: FrameTable | null, marks: readonly Mark[], range: FrameRange | null,
 *   files: readonly { label: string, frames: number }[] }} known
 * @returns {Suggestion[]}
 */
export function suggestions(known) {
    const { frames, file } = known;
    /** @type {Suggestion[]} */
    const list = filePairs(known.files);
    if (!frames || frames.count < 2) {
        return list;
    }
    const side = (/** @type {FrameRange} */ range) => ({ file, first: range.first, last: range.last });
    const add = (/** @type {string} */ key, /** @type {string} */ label, /** @type {FrameRange | null} */ base, /** @type {FrameRange | null} */ next) => {
        if (base && next) {
            list.push({ key, label, title: `${rangeName(frames, base)}, then ${rangeName(frames, next)}`, pair: { base: side(base), next: side(next) } });
        }
    };
    const chosen = known.range ? clampRange(known.range, frames.count) : null;
    if (chosen && (chosen.first > 0 || chosen.last < frames.count - 1)) {
        add('selected', `${rangeName(frames, chosen)}, as selected, and those before`, neighbours(frames, chosen), chosen);
    }
    const hitch = worstHitch(frames);
    if (hitch >= 0 && !(chosen?.first === hitch && chosen.last === hitch)) {
        add('hitch', `the hitch at frame ${frames.id[hitch]} and those before`, neighbours(frames, { first: hitch, last: hitch }), { first: hitch, last: hitch });
    }
    const told = new Set([hitch, ...changes(frames).slice(0, MAX_OF_KIND)]);
    for (const index of changes(frames).slice(0, MAX_OF_KIND)) {
        add(`change-${index}`, `around the new structure of frame ${frames.id[index]}`,
            neighbours(frames, { first: index, last: frames.count - 1 }), ordinaryAfter(frames, index) ?? { first: index, last: index });
    }
    const noted = [...new Set(known.marks.map((mark) => mark.frame).filter((frame) => frame > 0 && !told.has(frame)))];
    for (const index of noted.slice(0, MAX_OF_KIND)) {
        add(`note-${index}`, `around the note at frame ${frames.id[index]}`, neighbours(frames, { first: index, last: frames.count - 1 }),
            ordinaryAfter(frames, index) ?? { first: index, last: index });
    }
    if (list.length === 0) {
        const half = Math.floor(frames.count / 2);
        add('halves', 'the first half and the second', { first: 0, last: half - 1 }, { first: half, last: frames.count - 1 });
    }
    return list;
}

/** Of two files the first is the base. @param {readonly { label: string, frames: number }[]} files @returns {Suggestion[]} */
function filePairs(files) {
    if (files.length < 2 || (files[0].frames === 0) !== (files[1].frames === 0)) {
        return [];
    }
    const whole = (/** @type {number} */ i) => ({ file: i + 1, first: 0, last: Math.max(0, files[i].frames - 1) });
    return [{ key: 'files', label: 'all of file 1 and all of file 2', title: `${files[0].label}, then ${files[1].label}`, pair: { base: whole(0), next: whole(1) } }];
}

/** Frames from which on the structures are new. @param {FrameTable} frames */
function changes(frames) {
    const list = [];
    let last = -Infinity;
    for (let i = 0; i < frames.count - 1; i++) {
        if (isFresh(frames, i)) {
            if (i - last > WARM_UP_FRAMES) {
                list.push(i);
            }
            last = i;
        }
    }
    return list;
}

/** @param {Pair | null} a @param {Pair | null} b */
export function samePair(a, b) {
    return a === b || (a !== null && b !== null && formatSide(a.base) === formatSide(b.base) && formatSide(a.next) === formatSide(b.next));
}

/** Notes of a side. @param {readonly Mark[]} marks @param {Side} side */
export function notesIn(marks, { first, last, time }) {
    return marks.filter((mark) => (time ? mark.timeNs >= time.startNs && mark.timeNs < time.endNs : mark.frame >= first && mark.frame <= last));
}

/**
 * Notes that lie between two sides of one capture, both included.
 * @param {readonly Mark[]} marks @param {Pair} pair
 */
export function notesBetween(marks, pair) {
    const first = Math.min(pair.base.first, pair.next.first);
    const last = Math.max(pair.base.last, pair.next.last);
    return marks.filter((mark) => mark.frame >= first && mark.frame <= last);
}

/** Frames that lost something: their figures lack it. @param {FrameTable} frames @param {FrameRange} range */
export function lossesIn(frames, range) {
    let dropped = 0;
    let unmeasured = 0;
    for (let i = range.first; i <= Math.min(range.last, frames.count - 1); i++) {
        dropped += frames.dropped[i];
        unmeasured += frames.flags[i] & FRAME.NO_GPU ? 1 : 0;
    }
    return { dropped, unmeasured };
}
