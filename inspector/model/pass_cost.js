// SPDX-License-Identifier: MIT
// @ts-check
/* What a pass takes against another frame, in words with their limits. */

import { causeText, isClaimed } from './compare.js';
import { durationAt } from './precision.js';

/** @typedef {import('./compare.js').CompareRow} CompareRow */

/**
 * The row of a pass among those of two frames; of several tracks the one that takes longest.
 * @param {readonly CompareRow[]} rows
 * @param {number} identity
 * @returns {CompareRow | null}
 */
export function rowOfPass(rows, identity) {
    const mine = rows.filter((row) => row.newIdentity === identity || row.baseIdentity === identity);
    return mine.reduce((/** @type {CompareRow | null} */ best, row) =>
        (best === null || Math.max(row.newNs, row.baseNs) > Math.max(best.newNs, best.baseNs) ? row : best), null);
}

/**
 * Why a pass took longer or shorter than in another frame; never more than what can be told.
 * @param {CompareRow} row
 * @param {string} other "frame 79"
 * @param {number} stepNs of its clock
 * @returns {{ title: string, text: string }}
 */
export function changeText(row, other, stepNs) {
    if (row.state !== 'both' || row.baseNs < 0 || row.newNs < 0) {
        return { title: `Against ${other}`, text: `${capital(causeText(row))}.` };
    }
    const difference = Math.abs(row.deltaNs);
    if (!isClaimed(row) || difference < stepNs) {
        return { title: `Against ${other}`, text: `No difference that counts: ${causeText(row)}.` };
    }
    const slower = row.deltaNs > 0;
    const figures = `${durationAt(difference, stepNs)} ${slower ? 'more' : 'less'}, from ${durationAt(row.baseNs, stepNs)} to ${durationAt(row.newNs, stepNs)}`;
    return { title: `Why it is ${slower ? 'slower' : 'faster'} than in ${other}`, text: `${figures}. ${capital(causeText(row))}.` };
}

/** @param {string} text */
function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Passes that are named for a frame: those that made it longer. */
const MAX_COSTLIER = 4;

/**
 * What took longer, beyond what it varies by itself: the most costly first. A pass that runs in every fourth frame and takes in this one
 * what it takes in those is nothing unusual, whatever the mean of all frames says.
 * @param {readonly CompareRow[]} rows
 * @param {'cpu' | 'gpu'} side whose time it is
 */
export function costlierRows(rows, side) {
    return rows.filter((row) => row.side === side && row.deltaNs > 0 && isClaimed(row) && row.newMedianNs - Math.max(0, row.baseMedianNs) > row.noiseNs)
        .sort((a, b) => b.deltaNs - a.deltaNs)
        .slice(0, MAX_COSTLIER);
}
