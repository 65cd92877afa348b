// SPDX-License-Identifier: MIT
// @ts-check
/* Where tracks and their lanes are, from top to bottom, in CSS pixels from the top of the first track. */

export const HEAD_PX = 22;
export const ROW_PX = 18;
export const FOLDED_PX = 12;
/** A counter has its name beside its curve, not above it. */
export const COUNTER_PX = 30;
/** One that never changes needs no curve. */
export const CONSTANT_PX = 18;
export const GAP_PX = 5;
/** The header over the counters, from so many on; its id is no track's. */
export const COUNTERS_ID = 0x3fffffff;
export const MANY_COUNTERS = 3;

/** @typedef {'cpu' | 'gpu' | 'async' | 'counter' | 'counters'} TrackKind counters: the header over all of them */
/** @typedef {'host' | 'calibrated' | 'nominal'} Domain */
/**
 * @typedef {object} Track
 * @property {number} id
 * @property {TrackKind} kind
 * @property {string} name
 * @property {Domain} domain what its times are worth
 * @property {number} clock position in the table of clocks; -1 where there is none
 * @property {number} boundNs error bound of its clock, below zero where none is claimed
 * @property {number} firstLane
 * @property {number} laneCount its lanes follow each other
 * @property {number} group stands for all its lanes when folded
 * @property {number} spans
 * @property {number} counter its number among the counters; -1 for tracks of spans
 * @property {string} unit of a counter
 * @property {number} low smallest value of a counter, NaN where it is not known
 * @property {number} high
 */
/**
 * @typedef {object} LaneBox
 * @property {number} lane id of the lane, or of the group when the track is folded
 * @property {boolean} folded
 * @property {number} y
 * @property {number} height
 */
/**
 * @typedef {object} TrackBox
 * @property {Track} track
 * @property {boolean} folded
 * @property {number} y top of its header
 * @property {number} height header and body
 * @property {number} bodyY
 * @property {LaneBox[]} lanes empty for counters
 */
/** @typedef {{ boxes: TrackBox[], height: number }} Layout */

const ORDER = { gpu: 0, async: 1, cpu: 2, counters: 3, counter: 4 };

/** A counter with one value all along. @param {Track} track */
export function isConstant(track) {
    return track.low === track.high;
}

/**
 * GPU queues first, then what else runs, the processor's threads, counters last; the engine's order within a kind.
 * @param {readonly Track[]} tracks
 */
export function orderTracks(tracks) {
    return tracks
        .map((track, index) => ({ track, index }))
        .sort((a, b) => ORDER[a.track.kind] - ORDER[b.track.kind] || a.index - b.index)
        .map((item) => item.track);
}

/** A header that stands for all counters. @param {number} count @returns {Track} */
function countersHeader(count) {
    return {
        id: COUNTERS_ID, kind: 'counters', name: 'counters', domain: 'host', clock: -1, boundNs: -1, firstLane: 0, laneCount: 0, group: 0,
        spans: count, counter: -1, unit: '', low: NaN, high: NaN,
    };
}

/**
 * @param {readonly Track[]} tracks in order
 * @param {ReadonlySet<number>} folded ids of tracks
 * @returns {Layout}
 */
export function layoutTracks(tracks, folded) {
    let y = 0;
    /** @type {TrackBox[]} */
    const boxes = [];
    const counters = tracks.filter((track) => track.kind === 'counter').length;
    for (const track of tracks) {
        if (track.kind === 'counter' && counters >= MANY_COUNTERS) {
            if (boxes.at(-1)?.track.kind !== 'counters' && boxes.at(-1)?.track.kind !== 'counter') {
                const isFolded = folded.has(COUNTERS_ID);
                boxes.push({ track: countersHeader(counters), folded: isFolded, y, height: HEAD_PX + 1, bodyY: y + HEAD_PX + 1, lanes: [] });
                y += HEAD_PX + 1;
            }
            if (folded.has(COUNTERS_ID)) {
                continue;
            }
        }
        const isFolded = folded.has(track.id);
        const counter = track.kind === 'counter';
        const head = counter ? 0 : HEAD_PX + 1;
        const bodyY = y + head;
        /** @type {LaneBox[]} */
        let lanes = [];
        let body = 0;
        if (counter) {
            body = isFolded || isConstant(track) ? CONSTANT_PX : COUNTER_PX;
        } else if (isFolded) {
            lanes = [{ lane: track.group, folded: true, y: bodyY, height: FOLDED_PX }];
            body = FOLDED_PX;
        } else {
            lanes = Array.from({ length: track.laneCount }, (_, index) => (
                { lane: track.firstLane + index, folded: false, y: bodyY + index * ROW_PX, height: ROW_PX }));
            body = Math.max(1, track.laneCount) * ROW_PX;
        }
        const height = head + body + (counter ? 1 : GAP_PX);
        boxes.push({ track, folded: isFolded, y, height, bodyY, lanes });
        y += height;
    }
    return { boxes, height: y };
}

/**
 * @param {Layout} layout
 * @param {number} y
 * @returns {{ box: TrackBox, head: boolean, lane: LaneBox | null } | null}
 */
export function hitTrack(layout, y) {
    const box = layout.boxes.find((item) => y >= item.y && y < item.y + item.height);
    if (!box) {
        return null;
    }
    const lane = box.lanes.find((item) => y >= item.y && y < item.y + item.height) ?? null;
    return { box, head: y < box.bodyY, lane };
}

/** Tracks that show between two heights. @param {Layout} layout @param {number} top @param {number} bottom */
export function visibleBoxes(layout, top, bottom) {
    return layout.boxes.filter((box) => box.y < bottom && box.y + box.height > top);
}

/**
 * Scroll so that a lane can be seen, moving no more than needed.
 * @param {number} scroll
 * @param {number} viewHeight
 * @param {number} top
 * @param {number} height
 */
export function scrollInto(scroll, viewHeight, top, height) {
    if (top < scroll) {
        return top;
    }
    return top + height > scroll + viewHeight ? top + height - viewHeight : scroll;
}

/** @param {number} scroll @param {number} contentHeight @param {number} viewHeight */
export function clampScroll(scroll, contentHeight, viewHeight) {
    return Math.max(0, Math.min(scroll, contentHeight - viewHeight));
}
