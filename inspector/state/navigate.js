// SPDX-License-Identifier: MIT
// @ts-check
/* Moving about in time. */

import { blend, confine, pan, sameWindow, windowAround, zoom } from '../model/window.js';
import { FRAME_VIEWS } from '../model/address.js';
import { clampRange, rangeExtent } from '../model/frames.js';
import { firstWindow } from './loading.js';
import { updatePlace } from './app_state.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../model/window.js').TimeWindow} TimeWindow */
/** @typedef {import('../model/frames.js').FrameRange} FrameRange */

const GLIDE_MS = 160;

let glide = 0;

/** Whether the reader asked the system for less motion. */
export function reducedMotion() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** @param {Context} context @param {TimeWindow} window */
function show(context, window) {
    const { store } = context;
    const { info } = store.state;
    const kept = info ? confine(window, info.startNs, info.endNs) : window;
    if (!sameWindow(kept, store.state.window) || store.state.place.window === null) {
        const place = { ...store.state.place, window: kept };
        store.update({ window: kept, place });
    }
}

/** At once, ending any motion. @param {Context} context @param {TimeWindow} window */
export function jumpTo(context, window) {
    cancelAnimationFrame(glide);
    show(context, window);
}

/** With a short motion, so that the eye can follow. @param {Context} context @param {TimeWindow} target */
export function glideTo(context, target) {
    cancelAnimationFrame(glide);
    const { store } = context;
    const { info } = store.state;
    const to = info ? confine(target, info.startNs, info.endNs) : target;
    const from = store.state.window;
    if (reducedMotion()) {
        show(context, to);
        return;
    }
    const began = performance.now();
    const step = (/** @type {number} */ now) => {
        const share = Math.min(1, Math.max(0, (now - began) / GLIDE_MS));
        const eased = 1 - (1 - share) ** 3;
        show(context, blend(from, to, share >= 1 ? 1 : eased));
        if (share < 1) {
            glide = requestAnimationFrame(step);
        }
    };
    glide = requestAnimationFrame(step);
}

/** @param {Context} context @param {number} deltaPx */
export function panBy(context, deltaPx) {
    const { window, timelineWidthPx } = context.store.state;
    if (timelineWidthPx > 0) {
        jumpTo(context, pan(window, deltaPx, timelineWidthPx));
    }
}

/** @param {Context} context @param {number} factor @param {number} anchorPx */
export function zoomBy(context, factor, anchorPx) {
    const { window, timelineWidthPx } = context.store.state;
    if (timelineWidthPx > 0) {
        jumpTo(context, zoom(window, factor, anchorPx, timelineWidthPx));
    }
}

/** The whole trace. @param {Context} context */
export function showAll(context) {
    const { info } = context.store.state;
    if (info) {
        glideTo(context, windowAround(info.startNs, info.endNs, 0.01));
    }
}

/** @param {Context} context */
export function showFirstLook(context) {
    const { state } = context.store;
    glideTo(context, firstWindow({ ...state, place: { ...state.place, range: null } }));
}

/** The frames of a range on screen. @param {Context} context @param {FrameRange} range */
export function showFrames(context, range) {
    const { frames } = context.store.state;
    const inside = frames ? clampRange(range, frames.count) : null;
    if (frames && inside) {
        const extent = rangeExtent(frames, inside);
        glideTo(context, windowAround(extent.startNs, extent.endNs));
    }
}

/**
 * Select a range of frames, for the statistics and as origin of the ruler; null selects all, where a view can show them.
 * @param {Context} context
 * @param {FrameRange | null} range
 */
export function selectFrames(context, range) {
    const { frames, place } = context.store.state;
    const inside = range && frames ? clampRange(range, frames.count) : null;
    if (inside === null && FRAME_VIEWS.includes(place.view)) {
        return;
    }
    if (inside?.first !== place.range?.first || inside?.last !== place.range?.last) {
        updatePlace(context, { range: inside });
    }
}

/** Select one frame and show it. @param {Context} context @param {number} index */
export function goToFrame(context, index) {
    selectFrames(context, { first: index, last: index });
    showFrames(context, { first: index, last: index });
}

/**
 * A span on screen, wide enough to be read, moving no more than needed.
 * @param {Context} context
 * @param {bigint} startNs
 * @param {bigint} endNs
 */
export function revealTime(context, startNs, endNs) {
    const { window, timelineWidthPx } = context.store.state;
    const length = Number(endNs - startNs);
    const left = Number(startNs - window.startNs);
    const share = length / window.lengthNs;
    const inside = left >= 0 && left + length <= window.lengthNs;
    if (inside && share > 0.01) {
        return;
    }
    if (share > 0.01 && share < 0.9) {
        const middle = startNs + (endNs - startNs) / 2n - BigInt(Math.floor(window.lengthNs / 2));
        glideTo(context, { startNs: middle, fraction: 0, lengthNs: window.lengthNs });
    } else {
        glideTo(context, windowAround(startNs, endNs, aroundSpan(length, window.lengthNs, timelineWidthPx)));
    }
}

/** A span that was gone to is this wide at least: enough to be seen, and what is around it stays in sight. */
const SEEN_PX = 24;

/**
 * How much to show on either side of a span, as a multiple of its length: no nearer than needed to see it.
 * @param {number} length
 * @param {number} windowNs
 * @param {number} widthPx
 */
function aroundSpan(length, windowNs, widthPx) {
    const wanted = Math.max(6 * length, Math.min(windowNs, (length * widthPx) / SEEN_PX));
    return Math.max(2.5, (wanted / Math.max(1, length) - 1) / 2);
}
