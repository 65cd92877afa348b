// SPDX-License-Identifier: MIT
// @ts-check
/* Markers of a window of time: each with its value, or counted where there are too many to tell apart. */

import { grouped } from './format.js';

/**
 * @typedef {object} Instant
 * @property {number} at ns from the start of the window that was asked for
 * @property {number} track -1: of the whole capture
 * @property {number} name
 * @property {bigint | null} value what the program gave with it
 * @property {number} count more than one: the first of several that are too close to be told apart
 */
/**
 * @typedef {object} InstantView
 * @property {bigint} startNs
 * @property {readonly Instant[]} list by time
 * @property {number} all in the window
 * @property {boolean} binned the list counts instead of telling each
 */

/** @param {string} name @param {bigint | null} value */
export function instantText(name, value) {
    return value === null ? name || '(no name)' : `${name || '(no name)'} ${grouped(value)}`;
}

/**
 * The markers of a track that are drawn: those that would lie on one another are one flag with a count.
 * @param {readonly Instant[]} list of one track, by time
 * @param {(at: number) => number} xOf @param {number} left @param {number} right @param {number} widthPx of a flag
 * @returns {{ x: number, index: number, count: number }[]} index of the first that a flag stands for
 */
export function flagsOf(list, xOf, left, right, widthPx) {
    /** @type {{ x: number, index: number, count: number }[]} */
    const flags = [];
    for (let i = 0; i < list.length; i++) {
        const x = xOf(list[i].at);
        if (x < left - widthPx || x > right) {
            continue;
        }
        const before = flags.at(-1);
        if (before && x - before.x < widthPx) {
            before.count += list[i].count;
        } else {
            flags.push({ x, index: i, count: list[i].count });
        }
    }
    return flags;
}

/** @type {WeakMap<InstantView, Map<number, Instant[]>>} */
const sorted = new WeakMap();

/** Markers by their track. @param {InstantView} view @returns {Map<number, Instant[]>} */
export function byTrack(view) {
    let tracks = sorted.get(view);
    if (!tracks) {
        tracks = new Map();
        for (const instant of view.list) {
            const known = tracks.get(instant.track);
            if (known) {
                known.push(instant);
            } else {
                tracks.set(instant.track, [instant]);
            }
        }
        sorted.set(view, tracks);
    }
    return tracks;
}
