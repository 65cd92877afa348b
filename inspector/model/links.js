// SPDX-License-Identifier: MIT
// @ts-check
/* Dependencies as lines of a window, and which one is under a pointer. */

/** Bits of a line's marks. */
export const LINK = Object.freeze({ EXACT: 1, SOURCE_PROJECTED: 2, TARGET_PROJECTED: 4, SOURCE_HIDDEN: 8, TARGET_HIDDEN: 16, UNCLAIMED: 32 });
/** By number; what is above is shown as the last. */
export const FAMILIES = ['other', 'semaphore', 'fence', 'queue order', 'data', 'flow', 'submit', 'frame graph'];

/**
 * @typedef {object} LinkColumns
 * @property {Uint32Array} link number of the dependency
 * @property {Uint32Array} source its rows
 * @property {Uint32Array} target
 * @property {Uint32Array} shownSource rows that stand for them
 * @property {Uint32Array} shownTarget
 * @property {Uint32Array} sourcePlace positions among the places of the question
 * @property {Uint32Array} targetPlace
 * @property {Float64Array} from ns from startNs
 * @property {Float64Array} to
 * @property {Uint8Array} family
 * @property {Uint8Array} marks
 * @property {Uint32Array} bundle
 */
/** @typedef {{ from: Float64Array, to: Float64Array, fromY: Int32Array, toY: Int32Array, lines: Uint32Array }} BundleColumns */
/** @typedef {{ outside: number, hidden: number, same: number, families: number, placeless: number, culled: number, overBudget: number }} LeftOut */
/**
 * @typedef {object} LinkView
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {Int32Array} placeY middle of each place, as it was asked
 * @property {LinkColumns} lines
 * @property {BundleColumns} bundles
 * @property {number} budget
 * @property {number} wanted lines of the selection
 * @property {number} wantedLeft of them without room or place
 * @property {LeftOut} leftOut
 */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {(ns: number) => number} ToX from startNs to a pixel */

const STRAIGHT = 0xffffffff;

/** @param {number} family */
export function familyName(family) {
    return FAMILIES[family] ?? 'another kind';
}

/** Of which kind a dependency is, and whether it was recorded. @param {number} family @param {boolean} derived */
export function dependencyWords(family, derived) {
    return derived ? `${familyName(family)}, derived` : familyName(family);
}

/** What it means that a dependency is derived. */
export const DERIVED_TITLE = 'Not recorded: it follows from what the passes of the frame graph make and read.';

/** Is an end hidden, so that a span around it, or nothing, stands for it? @param {number} marks */
export function isStandIn(marks) {
    return (marks & (LINK.SOURCE_PROJECTED | LINK.TARGET_PROJECTED | LINK.SOURCE_HIDDEN | LINK.TARGET_HIDDEN)) !== 0;
}

/**
 * Where a line begins and ends, from startNs. A span that stands for a hidden end begins before it or ends after it: drawn there the
 * line would run backwards in time, as if what came later had caused it. It meets such a span at the time of its other end.
 * @param {LinkColumns} lines @param {number} i
 */
export function endsOf(lines, i) {
    const [from, to] = [lines.from[i], lines.to[i]];
    const marks = lines.marks[i];
    return from <= to ? { from, to } : {
        from: marks & LINK.SOURCE_PROJECTED && !(marks & LINK.TARGET_PROJECTED) ? to : from,
        to: marks & LINK.TARGET_PROJECTED ? from : to,
    };
}

/**
 * The way of a line: two points, or four where it goes over hubs.
 * @param {LinkView} view @param {number} i @param {ToX} toX @param {(y: number) => number} toY
 * @returns {Point[]}
 */
export function wayOf(view, i, toX, toY) {
    const { lines, bundles, placeY } = view;
    const ends = endsOf(lines, i);
    const from = { x: toX(ends.from), y: toY(placeY[lines.sourcePlace[i]]) };
    const to = { x: toX(ends.to), y: toY(placeY[lines.targetPlace[i]]) };
    const b = lines.bundle[i];
    // A hub was placed for the ends as they came.
    return b === STRAIGHT || ends.from !== lines.from[i] || ends.to !== lines.to[i] ? [from, to]
        : [from, { x: toX(bundles.from[b]), y: toY(bundles.fromY[b]) }, { x: toX(bundles.to[b]), y: toY(bundles.toY[b]) }, to];
}

/** @param {Point} p @param {Point} a @param {Point} b */
function distance(p, a, b) {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const square = dx * dx + dy * dy;
    const share = square > 0 ? Math.max(0, Math.min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / square)) : 0;
    return Math.hypot(p.x - a.x - share * dx, p.y - a.y - share * dy);
}

/**
 * The line under a pointer: the nearest within so many pixels along the way that it is drawn; ties: the lower number.
 * @param {LinkView} view @param {Point} at @param {number} tolerance @param {ToX} toX @param {(y: number) => number} toY
 * @returns {number} its position; -1 for none
 */
export function linkAt(view, at, tolerance, toX, toY) {
    let best = -1;
    let nearest = tolerance;
    for (let i = 0; i < view.lines.link.length; i++) {
        const way = wayOf(view, i, toX, toY);
        for (let k = 1; k < way.length; k++) {
            const gap = Math.floor(distance(at, way[k - 1], way[k]) * 16) / 16;
            if (gap < nearest || (best >= 0 && gap === nearest && view.lines.link[i] < view.lines.link[best])) {
                nearest = gap;
                best = i;
            }
        }
    }
    return best;
}

/** How many dependencies of the window are not drawn. @param {LinkView} view */
export function notDrawn({ leftOut }) {
    return leftOut.hidden + leftOut.same + leftOut.placeless + leftOut.culled + leftOut.overBudget;
}
