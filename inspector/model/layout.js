// SPDX-License-Identifier: MIT
// @ts-check
/* Where tracks and their lanes are, from top to bottom, in CSS pixels from the top of the first track. */

export const HEAD_PX = 22;
export const ROW_PX = 18;
/** A counter has its name beside its curve, not above it. */
export const COUNTER_PX = 30;
/** One that never changes needs no curve. */
export const CONSTANT_PX = 18;
export const GAP_PX = 5;
/** The header over the counters, from so many on; its id is no track's. */
export const COUNTERS_ID = 0x3fffffff;
export const MANY_COUNTERS = 3;

/** @typedef {'cpu' | 'gpu' | 'async' | 'counter' | 'counters' | 'process'} TrackKind counters, process: the header over several */
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
 * @property {Process | null} [process] that it belongs to
 */
/** group: stands for all its lanes when it is folded, and is its id among the folded. @typedef {{ group: number, name: string }} Process */
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
 * @property {LaneBox[]} lanes empty for counters, and for the header of an unfolded process
 * @property {boolean} inside below the header of a process
 * @property {readonly number[]} tracks ids of those whose marks stand in its header
 */
/** @typedef {{ boxes: TrackBox[], height: number }} Layout */

const ORDER = { gpu: 0, async: 1, cpu: 2, process: 2, counters: 3, counter: 4 };

/** A counter with one value all along. @param {Track} track */
export function isConstant(track) {
    return track.low === track.high;
}

/** Do the tracks of spans belong to several processes? @param {readonly Track[]} tracks */
function hasProcesses(tracks) {
    const groups = new Set();
    for (const track of tracks) {
        if (track.kind !== 'counter') {
            groups.add(track.process?.group ?? -1);
        }
    }
    return groups.size > 1;
}

/**
 * Tracks of one process follow each other. GPU queues first, then what else runs, the processor's threads, counters last: first the
 * processes by what they have, then the tracks in each; the engine's order within a kind.
 * @param {readonly Track[]} tracks
 */
export function orderTracks(tracks) {
    /** @type {Map<number, number>} */
    const ranks = new Map();
    const several = hasProcesses(tracks);
    const processOf = (/** @type {Track} */ track) => (several && track.kind !== 'counter' ? track.process?.group ?? Infinity : Infinity);
    for (const track of tracks) {
        ranks.set(processOf(track), Math.min(ranks.get(processOf(track)) ?? Infinity, ORDER[track.kind]));
    }
    const rankOf = (/** @type {Track} */ track) => (track.kind === 'counter' || !several ? ORDER[track.kind] : ranks.get(processOf(track)) ?? ORDER[track.kind]);
    return tracks
        .map((track, index) => ({ track, index, rank: rankOf(track), process: processOf(track) }))
        .sort((a, b) => a.rank - b.rank || (a.process === b.process ? 0 : a.process - b.process)
            || ORDER[a.track.kind] - ORDER[b.track.kind] || a.index - b.index)
        .map((item) => item.track);
}

/** A header over several tracks. @param {'counters' | 'process'} kind @param {number} id @param {string} name @param {number} spans @returns {Track} */
function header(kind, id, name, spans) {
    return {
        id, kind, name, domain: 'host', clock: -1, boundNs: -1, firstLane: 0, laneCount: 0, group: kind === 'process' ? id : 0,
        spans, counter: -1, unit: '', low: NaN, high: NaN,
    };
}

/** @param {Track} track @param {boolean} folded @param {number} y @param {boolean} inside @returns {TrackBox} */
function boxOf(track, folded, y, inside) {
    const counter = track.kind === 'counter';
    const isHeader = track.kind === 'counters' || (track.kind === 'process' && !folded);
    // What is folded is one line: its name, and all its lanes in one beside it.
    const isLine = folded && !counter && !isHeader;
    const head = counter || isLine ? 0 : HEAD_PX + 1;
    const bodyY = y + head;
    /** @type {LaneBox[]} */
    let lanes = [];
    let body = 0;
    if (counter) {
        body = folded || isConstant(track) ? CONSTANT_PX : COUNTER_PX;
    } else if (isLine) {
        lanes = [{ lane: track.group, folded: true, y: bodyY + (HEAD_PX - ROW_PX) / 2, height: ROW_PX }];
        body = HEAD_PX + 1;
    } else if (!isHeader) {
        lanes = Array.from({ length: track.laneCount }, (_, index) => (
            { lane: track.firstLane + index, folded: false, y: bodyY + index * ROW_PX, height: ROW_PX }));
        body = Math.max(1, track.laneCount) * ROW_PX;
    }
    const height = head + body + (isHeader || isLine ? 0 : counter ? 1 : GAP_PX);
    return { track, folded, y, height, bodyY, lanes, inside, tracks: isHeader ? [] : [track.id] };
}

/**
 * Processes have a header where there are several, counters where there are many.
 * @param {readonly Track[]} tracks in order
 * @param {ReadonlySet<number>} folded ids of tracks, groups of processes
 * @returns {Layout}
 */
export function layoutTracks(tracks, folded) {
    let y = 0;
    /** @type {TrackBox[]} */
    const boxes = [];
    const push = (/** @type {Track} */ track, inside = false) => {
        const box = boxOf(track, folded.has(track.id), y, inside);
        boxes.push(box);
        y += box.height;
        return box;
    };
    const counters = tracks.filter((track) => track.kind === 'counter').length;
    const several = hasProcesses(tracks);
    let process = -1;
    for (let i = 0; i < tracks.length; i++) {
        const track = tracks[i];
        const own = several && track.kind !== 'counter' ? track.process ?? null : null;
        if (own && own.group !== process) {
            const inside = tracks.filter((other) => other.kind !== 'counter' && other.process?.group === own.group);
            const box = push(header('process', own.group, own.name, inside.reduce((sum, other) => sum + other.spans, 0)));
            box.tracks = box.folded ? inside.map((other) => other.id) : [];
        }
        process = own?.group ?? -1;
        if (track.kind === 'counter' && counters >= MANY_COUNTERS && tracks[i - 1]?.kind !== 'counter') {
            push(header('counters', COUNTERS_ID, 'counters', counters));
        }
        if (!folded.has(track.kind === 'counter' && counters >= MANY_COUNTERS ? COUNTERS_ID : process)) {
            push(track, own !== null);
        }
    }
    return { boxes, height: y };
}

/** @type {{ tracks: readonly Track[], folded: readonly number[], layout: Layout } | null} */
let latest = null;

/** The same, made anew only when tracks came or were folded. @param {readonly Track[]} tracks @param {readonly number[]} folded */
export function layoutOf(tracks, folded) {
    if (!latest || latest.tracks !== tracks || latest.folded !== folded) {
        latest = { tracks, folded, layout: layoutTracks(tracks, new Set(folded)) };
    }
    return latest.layout;
}

/**
 * What a key folds: everything, of processes where they have headers; what is all folded unfolds.
 * @param {readonly Track[]} tracks @param {readonly number[]} folded @returns {number[]}
 */
export function foldAll(tracks, folded) {
    const several = hasProcesses(tracks);
    const all = [...new Set(tracks.filter((track) => track.kind !== 'counter').map((track) => (several && track.process ? track.process.group : track.id)))];
    const isAll = all.every((id) => folded.includes(id));
    return (isAll ? folded.filter((id) => !all.includes(id)) : [...new Set([...folded, ...all])]).sort((a, b) => a - b);
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
