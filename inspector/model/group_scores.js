// SPDX-License-Identifier: MIT
// @ts-check
/* How much longer the spans of a group take than they did. */

import { grouped, percent, shortDuration } from './format.js';
import { times } from './compare.js';

/**
 * @typedef {object} GroupScore
 * @property {string} name empty where a number is all there is
 * @property {number | null} key a number, in the trace that is scored; null where it is a text or is not there
 * @property {number | null} baseKey
 * @property {number} count complete spans
 * @property {number} baseCount
 * @property {bigint} meanNs
 * @property {bigint} baseMeanNs
 * @property {number} errors of a million spans
 * @property {number} baseErrors
 * @property {number} flags
 * @property {number} ratio
 * @property {number} score
 * @property {number} tint 0: no score; 128 and more: at or over the threshold
 */

/** A group takes so much more than it did that it is told: a quarter. */
export const GROUP_THRESHOLD = 0.25;
const FLAG = { ONLY_NEW: 1, ONLY_BASE: 2, BAD_NEW: 4, BAD_BASE: 8, SATURATED: 16, OVER: 32 };

/** Why it has no score; empty where it has one. @param {GroupScore} group */
export function whyNoScore(group) {
    return group.flags & FLAG.ONLY_NEW ? 'no complete span in the base'
        : group.flags & FLAG.ONLY_BASE ? 'no complete span in what is compared'
            : group.flags & (FLAG.BAD_NEW | FLAG.BAD_BASE) ? 'its figures cannot be' : '';
}

/** The same in two words, for a narrow place. @param {GroupScore | null} group */
export function noScoreWord(group) {
    return !group ? 'no spans' : group.flags & FLAG.ONLY_NEW ? 'only new' : group.flags & FLAG.ONLY_BASE ? 'only base' : 'cannot be';
}

/** @param {GroupScore} group */
export function isRegression(group) {
    return (group.flags & FLAG.OVER) !== 0;
}

/** @param {GroupScore} group */
export function scoreText(group) {
    return group.flags & FLAG.SATURATED ? '> 10¹³' : group.score >= 100 ? grouped(Math.round(group.score)) : group.score.toFixed(2);
}

/** What the score was made of. @param {GroupScore} group */
export function scoreFacts(group) {
    const none = whyNoScore(group);
    if (none) {
        return `Not scored: ${none}.`;
    }
    const errors = group.errors === group.baseErrors ? '' : `; ${percent(group.errors / 1e6)} fail, ${percent(group.baseErrors / 1e6)} did`;
    const mean = (/** @type {bigint} */ ns, /** @type {number} */ count, /** @type {string} */ where) => `${shortDuration(Number(ns))} ${where} (of ${grouped(count)})`;
    return `A span takes ${mean(group.meanNs, group.count, 'on average')}, ${mean(group.baseMeanNs, group.baseCount, 'in the base')}: ${times(group.ratio)}${errors}.`;
}

/** The worst of several that are one row elsewhere; null of none. @param {readonly GroupScore[]} groups */
export function worst(groups) {
    return groups.reduce((/** @type {GroupScore | null} */ most, group) => {
        const better = !most || (whyNoScore(most) !== '' && whyNoScore(group) === '') || (whyNoScore(group) === '' && group.score > most.score);
        return better ? group : most;
    }, null);
}

/**
 * What a group is told by, in both of the answers that a comparison is made of.
 * @param {'cpu' | 'gpu'} side @param {{ name: string } | { identities: readonly [number | null, number | null] }} group passes by their identities, base and new
 */
export function groupKey(side, group) {
    return 'name' in group ? `${side} ${group.name}` : `${side} ${group.identities.map((id) => id ?? '-').join(':')}`;
}
