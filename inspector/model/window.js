// SPDX-License-Identifier: MIT
// @ts-check
/*
 * The part of the time axis that is on screen. Trace times are signed 64-bit nanoseconds and stay BigInt;
 * a window is a BigInt start, a fraction of a nanosecond, and a length as a Number. Whatever is drawn is made
 * relative to the start first, where a double is exact, so nothing shakes at the far end of a long trace.
 */

/**
 * @typedef {object} TimeWindow
 * @property {bigint} startNs whole nanoseconds of the left edge
 * @property {number} fraction 0 <= fraction < 1: the rest of the left edge, for smooth panning at high zoom
 * @property {number} lengthNs width of the window, > 0
 */

/** Closer than this there is nothing left to see: nanoseconds are the unit of the trace. */
export const MIN_LENGTH_NS = 8;
/** Half of the 64-bit range: a window never wraps around. */
export const MAX_LENGTH_NS = 2 ** 62;

const INT64_MAX = (1n << 63n) - 1n;
const INT64_MIN = -(1n << 63n);

/** @param {bigint} value */
export function clampInt64(value) {
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;
}

/**
 * @param {bigint} startNs
 * @param {number} lengthNs
 * @param {number} [fraction]
 * @returns {TimeWindow}
 */
export function makeWindow(startNs, lengthNs, fraction = 0) {
    const length = Math.min(MAX_LENGTH_NS, Math.max(MIN_LENGTH_NS, lengthNs));
    const whole = Math.floor(fraction);
    return { startNs: clampInt64(startNs + BigInt(whole)), fraction: fraction - whole, lengthNs: length };
}

/**
 * A window around [startNs, endNs) with some air at both sides.
 * @param {bigint} startNs
 * @param {bigint} endNs
 * @param {number} [margin] share of the length left free on each side
 */
export function windowAround(startNs, endNs, margin = 0.02) {
    const length = Math.max(Number(endNs - startNs), MIN_LENGTH_NS);
    const air = Math.floor(length * margin);
    return makeWindow(startNs - BigInt(air), length + 2 * air);
}

/**
 * Nanoseconds from the left edge of the window.
 * @param {TimeWindow} window
 * @param {bigint} timeNs
 */
export function offsetNs(window, timeNs) {
    return Number(timeNs - window.startNs) - window.fraction;
}

/**
 * @param {TimeWindow} window
 * @param {bigint} timeNs
 * @param {number} widthPx
 */
export function timeToPx(window, timeNs, widthPx) {
    return (offsetNs(window, timeNs) * widthPx) / window.lengthNs;
}

/**
 * The whole nanosecond under a pixel (rounded down, so that a time belongs to one place only).
 * @param {TimeWindow} window
 * @param {number} px
 * @param {number} widthPx
 */
export function pxToTime(window, px, widthPx) {
    const offset = window.fraction + (px * window.lengthNs) / widthPx;
    return clampInt64(window.startNs + BigInt(Math.floor(offset)));
}

/** First whole nanosecond that is past the right edge. @param {TimeWindow} window */
export function windowEnd(window) {
    return clampInt64(window.startNs + BigInt(Math.ceil(window.fraction + window.lengthNs)));
}

/**
 * @param {TimeWindow} window
 * @param {number} deltaPx positive moves the window later
 * @param {number} widthPx
 */
export function pan(window, deltaPx, widthPx) {
    const moved = window.fraction + (deltaPx * window.lengthNs) / widthPx;
    return makeWindow(window.startNs, window.lengthNs, moved);
}

/**
 * Zoom about a pixel: what is under it stays under it.
 * @param {TimeWindow} window
 * @param {number} factor above 1 shows more time
 * @param {number} anchorPx
 * @param {number} widthPx
 */
export function zoom(window, factor, anchorPx, widthPx) {
    const length = Math.min(MAX_LENGTH_NS, Math.max(MIN_LENGTH_NS, window.lengthNs * factor));
    const anchor = anchorPx / widthPx;
    const moved = window.fraction + anchor * (window.lengthNs - length);
    return makeWindow(window.startNs, length, moved);
}

/** How much longer than the trace a window may be. */
const MOST_SHARE = 1.15;
/** Share of a window that may lie beyond an end of the trace. */
const OVER_SHARE = 0.2;

/**
 * Keep the window at the trace: hardly longer, and never far beyond its ends.
 * @param {TimeWindow} window
 * @param {bigint} firstNs
 * @param {bigint} lastNs
 */
export function confine(window, firstNs, lastNs) {
    const whole = Math.max(Number(lastNs - firstNs), MIN_LENGTH_NS);
    const length = Math.min(window.lengthNs, whole * MOST_SHARE);
    const low = firstNs - BigInt(Math.floor(length * OVER_SHARE));
    const high = lastNs - BigInt(Math.floor(length * (1 - OVER_SHARE)));
    let start = window.startNs;
    let fraction = window.fraction;
    if (start < low) {
        start = low;
        fraction = 0;
    } else if (start > high) {
        start = high;
        fraction = 0;
    }
    return makeWindow(start, length, fraction);
}

/**
 * Between two windows, for a short animation: the logarithm of the length moves evenly.
 * @param {TimeWindow} from
 * @param {TimeWindow} to
 * @param {number} share 0 to 1
 */
export function blend(from, to, share) {
    if (share >= 1) {
        return to;
    }
    const length = from.lengthNs * (to.lengthNs / from.lengthNs) ** share;
    // The left edge is placed so that the fixed point of the zoom stays fixed.
    const ratio = to.lengthNs === from.lengthNs
        ? share
        : (from.lengthNs - length) / (from.lengthNs - to.lengthNs);
    const distance = Number(to.startNs - from.startNs) + to.fraction - from.fraction;
    return makeWindow(from.startNs, length, from.fraction + distance * ratio);
}

/** @param {TimeWindow} a @param {TimeWindow} b */
export function sameWindow(a, b) {
    return a.startNs === b.startNs && a.fraction === b.fraction && a.lengthNs === b.lengthNs;
}
