// SPDX-License-Identifier: MIT
// @ts-check
/* In which order matches are gone through. */

/** @typedef {{ row: number, name: string, track: number, endNs: bigint }} FoundLike */

/**
 * What the device did before what was recorded for it, whole names before parts of names.
 * @param {FoundLike} found
 * @param {string} text what was searched
 * @param {(track: number) => boolean} onDevice
 */
export function rankOf(found, text, onDevice) {
    const whole = found.name.toLowerCase() === text.trim().toLowerCase();
    return (onDevice(found.track) ? 0 : 2) + (whole ? 0 : 1);
}

/**
 * By rank; within one rank as they came, which is the order of time.
 * @template {FoundLike} F
 * @param {readonly F[]} list
 * @param {string} text
 * @param {(track: number) => boolean} onDevice
 */
export function ranked(list, text, onDevice) {
    return list.map((found, at) => ({ found, at, rank: rankOf(found, text, onDevice) }))
        .sort((a, b) => a.rank - b.rank || a.at - b.at)
        .map((item) => item.found);
}

/**
 * Where to begin: the first of the best rank that ends on screen or behind it, else the first of all; -1 where there is none.
 * @param {readonly FoundLike[]} list ranked
 * @param {string} text
 * @param {(track: number) => boolean} onDevice
 * @param {bigint} fromNs begin of what is on screen
 */
export function firstMatch(list, text, onDevice, fromNs) {
    if (list.length === 0) {
        return -1;
    }
    const best = rankOf(list[0], text, onDevice);
    const later = list.findIndex((found) => found.endNs >= fromNs && rankOf(found, text, onDevice) === best);
    return Math.max(0, later);
}
