// SPDX-License-Identifier: MIT
// @ts-check
/* The critical path: what it is asked for, and what it says. */

import { grouped } from './format.js';

/** @typedef {'work' | 'wait' | 'queue' | 'unknown'} PieceKind */
/**
 * @typedef {object} PathPiece
 * @property {PieceKind} kind
 * @property {boolean} claimed false: the clocks do not let the gap be told, it has no time
 * @property {number | null} row
 * @property {number | null} link
 * @property {number} family of the dependency
 * @property {boolean} derived the dependency was not recorded: it follows from the frame graph
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {string} name
 * @property {number | null} track
 */
/**
 * @typedef {object} PathAnswer
 * @property {bigint} lengthNs
 * @property {number | null} endpoint null: no row takes part
 * @property {number} flags
 * @property {{ rows: number, links: number, leftOut: number, invalid: number, maxHops: number, chain: number, cycle: number }} counts
 * @property {{ workNs: bigint, waitNs: bigint, queueNs: bigint, unknownNs: bigint, overlapNs: bigint, unclaimed: number }} sums
 * @property {'links' | 'parents'} by what it went along
 * @property {number} all pieces in all
 * @property {number} first of them that was read
 * @property {number[]} cycle
 * @property {PathPiece[]} pieces
 * @property {bigint | null} slackNs of the selected span; null: it takes no part
 */

export const PATH_FLAG = Object.freeze({ INVALID_PARENT: 1, CYCLIC: 4, CUT: 8, SATURATED: 16 });
/** What the path is of. @typedef {'off' | 'span' | 'frame' | 'window' | 'all'} PathOf */
/** null: over dependencies where there are any, else by parents. @typedef {'links' | 'parents' | null} PathBy */
/** @typedef {{ of: PathOf, by: PathBy }} PathPlace */
/** @type {readonly PathOf[]} */
export const PATH_OF = ['off', 'span', 'frame', 'window', 'all'];
export const PATH_OF_WORDS = { off: 'off', span: 'the selected span', frame: 'the chosen frames', window: 'what is on screen', all: 'the whole trace' };
/** @type {PathPlace} */
export const NO_PATH = { of: 'off', by: null };
export const PIECE_WORDS = {
    work: 'runs',
    wait: 'waits: another one it needs still runs',
    queue: 'waits for its track: another span is on it',
    unknown: 'gap, not known why',
};

/** @param {PathPlace} path */
export function formatPath(path) {
    return path.by === null ? path.of : `${path.of}:${path.by}`;
}

/** @param {string} value @returns {PathPlace | null} */
export function parsePath(value) {
    const [of, by] = value.split(':');
    const found = PATH_OF.find((item) => item === of);
    return !found ? null : by === undefined ? { of: found, by: null } : by === 'links' || by === 'parents' ? { of: found, by } : null;
}

/** What a person has to know of the answer, in sentences. @param {PathAnswer} path @param {PathOf} of what was asked for */
export function pathRemarks(path, of) {
    const lines = [];
    if (path.flags & PATH_FLAG.CYCLIC) {
        lines.push(`${path.counts.leftOut} spans depend on each other in a circle, or on such spans: they take no part.`);
    }
    if (path.flags & PATH_FLAG.INVALID_PARENT) {
        lines.push(`${path.counts.invalid} spans hang on a parent that does not exist: they take no part.`);
    }
    if (path.flags & PATH_FLAG.CUT) {
        lines.push('The chain is longer than is kept: its end is shown.');
    }
    if (path.sums.unclaimed > 0) {
        lines.push(`${path.sums.unclaimed} gaps cannot be told: they are within the error of the clocks, or between clocks that nothing connects.`);
    }
    if (path.sums.overlapNs > 0n) {
        lines.push('Some spans began before what they depend on had ended.');
    }
    if (path.by === 'links' && path.counts.chain === 1 && path.counts.links > 0) {
        lines.push('One span covers the whole range, and no chain of dependencies takes longer: Filter (I) hides it, '
            + `with at most ${grouped(Number((path.lengthNs - 1n) / 1000n))} µs${of === 'span' ? '' : ', or ask for the selected span'}.`);
    }
    if (path.by === 'parents') {
        lines.push('By parents: each span lies inside the one before it, so their times overlap and the length counts them all.');
    }
    return lines;
}
