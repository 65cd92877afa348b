// SPDX-License-Identifier: MIT
// @ts-check
/* Scores of groups, in steps, and why rows have one. docs/PROTOCOL.md, GROUP_SCORES and ROW_SCORES. */

import { KIND } from './client.js';
import { DIMENSIONS, baseSections, selectionSections } from './analysis.js';
import { runTask } from './tasks.js';
import { u32Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('./analysis.js').Selection} Selection */
/** @typedef {import('./analysis.js').Baseline} Baseline */
/** @typedef {import('../model/analysis.js').Dimension} Dimension */
/** @typedef {import('../model/group_scores.js').GroupScore} GroupScore */

const NONE = 0xffffffff;
const PAGE_ROWS = 65536;
const TRACK_KINDS = { all: 0, cpu: 1, gpu: 2 };

/** @param {number | undefined} value */
const orNull = (value) => (value === undefined || value === NONE ? null : value);

/**
 * @param {Client} client @param {number} trace whose groups are scored
 * @param {{ selection: Selection, baseline: Baseline, by: Dimension, tracks: 'all' | 'cpu' | 'gpu' }} question
 * @param {Order} order @param {import('./analysis.js').Tell} [tell]
 * @returns {Promise<GroupScore[]>}
 */
export async function askGroupScores(client, trace, question, order, tell) {
    const kind = KIND.GROUP_SCORES;
    const reply = await runTask(client, trace, kind, [
        ...selectionSections(kind, question.selection),
        ...baseSections(kind, question.baseline),
        u32Section(0x2608, [DIMENSIONS[question.by]]),
        u32Section(0x260b, [TRACK_KINDS[question.tracks]]),
        u32Section(0x2611, [PAGE_ROWS]),
    ], order, tell);
    const [keys, baseKeys, errors, baseErrors, flags] = [0x2649, 0x264a, 0x2651, 0x2652, 0x2653].map((tag) => reply.u32(tag));
    const [counts, baseCounts, means, baseMeans, ratios, scores] = [0x264d, 0x264e, 0x264f, 0x2650, 0x2654, 0x2655].map((tag) => reply.u64(tag));
    const tints = reply.u8(0x2656);
    return reply.texts(0x2648).map((name, i) => ({
        name,
        key: orNull(keys[i]),
        baseKey: orNull(baseKeys[i]),
        count: Number(counts[i]),
        baseCount: Number(baseCounts[i]),
        meanNs: means[i],
        baseMeanNs: baseMeans[i],
        errors: errors[i],
        baseErrors: baseErrors[i],
        flags: flags[i],
        ratio: Number(ratios[i]) / 1e6,
        score: Number(scores[i]) / 1e6,
        tint: tints[i],
    }));
}

/**
 * Why a row has a score, or none.
 * @param {Client} client @param {number} trace @param {number} scores @param {number} row @param {Order} order
 * @returns {Promise<{ tint: number, reason: number }>}
 */
export async function askRowScore(client, trace, scores, row, order) {
    const reply = await client.ask(KIND.ROW_SCORES, trace, [u32Section(0x2701, [scores]), u32Section(0x2702, [row])], order);
    return { tint: reply.u8(0x2740)[0] ?? 0, reason: reply.u8(0x2741)[0] ?? 0 };
}
