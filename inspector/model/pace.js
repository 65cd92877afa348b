// SPDX-License-Identifier: MIT
// @ts-check
/*
 * How long views take from the question to the picture: a history for each renderer, kept while the window moves at one scale and
 * forgotten when anything changes that pictures are made of.
 */

import { MODE } from './lanes.js';

/** @typedef {import('./lanes.js').TimelineView} TimelineView */
/** @typedef {'exact' | 'representative' | 'density'} Renderer */
/** @typedef {{ renderer: Renderer, count: number, p50Ms: number, p95Ms: number }} PaceRow */
/**
 * @typedef {object} Pace
 * @property {Renderer} renderer that made most of what is shown
 * @property {number} columns pixels
 * @property {number} most marks that an answer may have at most
 * @property {number} cells bins of which the longest span was looked for
 * @property {PaceRow[]} rows
 */

/** @type {readonly Renderer[]} */
export const RENDERERS = ['exact', 'representative', 'density'];
/** Samples of a history; the oldest go first. */
export const PACE_SAMPLES = 256;

/** Of each renderer the samples in the order in which they came. @typedef {{ key: string, samples: Record<Renderer, number[]> }} Histories */

/** @returns {Histories} */
export function emptyHistories() {
    return { key: '', samples: { exact: [], representative: [], density: [] } };
}

/**
 * One picture more. A key other than before forgets all of them.
 * @param {Histories} histories @param {string} key what pictures are made of, but for where the window is @param {Renderer} renderer @param {number} ms
 * @returns {Histories}
 */
export function addSample(histories, key, renderer, ms) {
    const { samples } = histories.key === key ? histories : emptyHistories();
    return { key, samples: { ...samples, [renderer]: [...samples[renderer], ms].slice(-PACE_SAMPLES) } };
}

/** Nearest rank. @param {number[]} sorted @param {number} p */
function rank(sorted, p) {
    return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
}

/** @param {Histories} histories @returns {PaceRow[]} of those that have samples */
export function paceRows(histories) {
    return RENDERERS.filter((renderer) => histories.samples[renderer].length > 0).map((renderer) => {
        const sorted = [...histories.samples[renderer]].sort((a, b) => a - b);
        return { renderer, count: sorted.length, p50Ms: rank(sorted, 0.5), p95Ms: rank(sorted, 0.95) };
    });
}

/** Marks that each renderer made of an answer. @param {TimelineView} view @returns {Record<Renderer, number>} */
function marksOf(view) {
    const marks = { exact: 0, representative: 0, density: 0 };
    for (const lane of view.lanes) {
        if (lane.mode === MODE.EXACT) {
            marks.exact += lane.lastSpan - lane.firstSpan;
        } else if (lane.mode === MODE.REPRESENTATIVE) {
            marks.representative += lane.lastBin - lane.firstBin;
        } else if (lane.mode === MODE.DENSITY) {
            marks.density += lane.lastBin - lane.firstBin;
        }
    }
    return marks;
}

/** Who made most of it; of equals the finer one. @param {TimelineView} view @returns {Renderer} */
export function rendererOf(view) {
    const marks = marksOf(view);
    return RENDERERS.reduce((most, renderer) => (marks[renderer] > marks[most] ? renderer : most), RENDERERS[0]);
}

/** @param {TimelineView} view @param {Histories} histories @returns {Pace} */
export function paceOf(view, histories) {
    const lengthNs = Number(view.endNs - view.startNs);
    const bins = Math.ceil(lengthNs / view.binNs) + 1;
    return {
        renderer: rendererOf(view),
        columns: view.widthPx,
        most: view.lanes.length * bins,
        cells: view.lanes.filter((lane) => lane.mode === MODE.REPRESENTATIVE).length * bins,
        rows: paceRows(histories),
    };
}

/** Slower than this, most pictures of a moving window come too late to be seen. */
export const SLOW_MS = 100;
/** Fewer say nothing. */
const TELLING = 5;

/**
 * What to ask for while the window moves: where exact views were too slow at this scale and bins were not, or were not tried, bins; at
 * rest what was chosen is asked for.
 * @param {import('./address_explore.js').Detail} chosen @param {Histories} histories @param {string} key @param {boolean} moves
 * @returns {import('./address_explore.js').Detail}
 */
export function detailWhile(chosen, histories, key, moves) {
    if (chosen !== 'auto' || !moves || histories.key !== key) {
        return chosen;
    }
    const rows = paceRows(histories);
    const of = (/** @type {Renderer} */ renderer) => rows.find((row) => row.renderer === renderer && row.count >= TELLING);
    const exact = of('exact');
    const bins = of('representative');
    return exact && exact.p95Ms > SLOW_MS && (!bins || bins.p95Ms < exact.p95Ms) ? 'representative' : 'auto';
}
