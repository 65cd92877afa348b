// SPDX-License-Identifier: MIT
// @ts-check
/* What the diagnostics of a program lost: in all, and where. Whoever reads a view must see that something may be missing from it. */

import { grouped, UNKNOWN } from './format.js';

/**
 * @typedef {object} Loss some events of one track
 * @property {number} track -1: of the whole capture
 * @property {bigint | null} sinceNs they were lost after this; null: since the track began
 * @property {bigint} timeNs and before this, where it was noticed
 * @property {bigint} count
 */
/** @typedef {{ track: number, count: bigint, gaps: number, firstNs: bigint, lastNs: bigint }} TrackLoss */
/**
 * @typedef {object} Losses
 * @property {readonly Loss[]} list by time
 * @property {number} all more than the list has where they were too many
 * @property {readonly TrackLoss[]} tracks that lost anything, the most first
 * @property {readonly (bigint | null)[]} counters as LOSS_COUNTERS; null: the capture does not say
 */

/** In the order of the protocol: a short name, and what it means. The first six are shown beside every view. @type {readonly { label: string, means: string }[]} */
export const LOSS_COUNTERS = [
    { label: 'dropped', means: 'events that found the ring of their thread full, or no ring' },
    { label: 'overwritten', means: 'events that left the history of the process before anybody read them' },
    { label: 'before the start', means: 'dropped events that are older than anything that is recorded' },
    { label: 'malformed zones', means: 'zones that were ended twice, on another thread, or below others, or were too deep' },
    { label: 'malformed frames', means: 'frames that were begun while one was open, or ended while none was' },
    { label: 'failed sources', means: 'sources of metrics that failed when they were asked' },
    { label: 'metrics refused', means: 'metrics that got no place: too many, a bad name, or another kind of the same name' },
    { label: 'frame counters left out', means: 'values of frame counters that found no room in the history of frames' },
    { label: 'resources refused', means: 'resources that are not told of, for want of memory or because too many lived' },
];
const BESIDE_VIEWS = 6;

export const NO_PROOF = 'A missing event is no proof that nothing happened.';

/** Whether the capture says anything about losses at all. @param {Losses | null} losses */
export function hasLossCounters(losses) {
    return losses !== null && losses.counters.some((value) => value !== null);
}

/** @param {Losses | null} losses */
export function lossTotal(losses) {
    return losses === null ? 0n : losses.counters.reduce((/** @type {bigint} */ sum, value) => sum + (value ?? 0n), 0n);
}

/** What stands beside the views. @param {Losses} losses @returns {{ label: string, means: string, value: bigint | null }[]} */
export function shownLosses(losses) {
    return LOSS_COUNTERS.slice(0, BESIDE_VIEWS).map((counter, i) => ({ ...counter, value: losses.counters[i] ?? null }));
}

/** In one line, for those who listen and for tips. @param {Losses} losses */
export function lossSentence(losses) {
    return shownLosses(losses).map(({ label, value }) => `${value === null ? UNKNOWN : grouped(value)} ${label}`).join(', ');
}

/** @type {WeakMap<Losses, Map<number, Loss[]>>} */
const byTrack = new WeakMap();

/** Losses of a track in a window, both ends included, by time. @param {Losses} losses @param {number} track @param {bigint} startNs @param {bigint} endNs @returns {Loss[]} */
export function lossesIn(losses, track, startNs, endNs) {
    let tracks = byTrack.get(losses);
    if (!tracks) {
        tracks = new Map();
        for (const loss of losses.list) {
            const known = tracks.get(loss.track);
            if (known) {
                known.push(loss);
            } else {
                tracks.set(loss.track, [loss]);
            }
        }
        byTrack.set(losses, tracks);
    }
    return (tracks.get(track) ?? []).filter((loss) => loss.timeNs >= startNs && loss.timeNs <= endNs);
}

/**
 * Losses of a track that share pixels are added up: none ever vanishes, however far one zooms out.
 * @param {readonly { x: number, count: bigint }[]} places by x
 * @param {number} widthPx of one mark
 * @returns {{ x: number, right: number, count: bigint, gaps: number }[]} right: where the last of them is
 */
export function mergeAt(places, widthPx) {
    /** @type {{ x: number, right: number, count: bigint, gaps: number }[]} */
    const merged = [];
    for (const place of places) {
        const before = merged.at(-1);
        if (before && place.x - before.x < widthPx) {
            before.count += place.count;
            before.gaps += 1;
            before.right = place.x;
        } else {
            merged.push({ x: place.x, right: place.x, count: place.count, gaps: 1 });
        }
    }
    return merged;
}

/**
 * The next loss after a time, or the last one before it; from an end on from the other.
 * @param {readonly Loss[]} list by time @param {bigint} timeNs @param {1 | -1} step
 * @returns {Loss | null}
 */
export function nextLoss(list, timeNs, step) {
    // What is in the middle of the screen is where one is: half a pixel of rounding is no other place.
    const after = list.filter((loss) => (step > 0 ? loss.timeNs > timeNs + 1n : loss.timeNs < timeNs - 1n));
    return (step > 0 ? after[0] ?? list[0] : after.at(-1) ?? list.at(-1)) ?? null;
}
