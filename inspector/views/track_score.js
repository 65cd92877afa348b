// SPDX-License-Identifier: MIT
// @ts-check
/* How much more the spans of a track take than in the baseline, beside the track's name. */

import { h } from './dom.js';
import { times } from '../model/compare.js';
import { isRegression, scoreFacts, whyNoScore, worst } from '../model/group_scores.js';

/** @typedef {import('../state/app_state.js').AppState} AppState */

/**
 * Of the tracks that a header stands for the one that is worst.
 * @param {AppState} state @param {readonly number[]} tracks
 * @returns {{ mark: HTMLElement | null, title: string, tinted: boolean }}
 */
export function trackScore({ trackScores }, tracks) {
    const found = worst(tracks.flatMap((track) => trackScores?.get(track) ?? []));
    if (!found) {
        return { mark: null, title: '', tinted: false };
    }
    const tinted = isRegression(found);
    const several = tracks.length > 1 ? `Worst of its tracks, ${found.name}. ` : '';
    const mark = whyNoScore(found) || !tinted ? null
        : h('span', { class: 'worse num' }, times(found.ratio), h('span', { class: 'unseen' }, ' of what its spans took in the baseline'));
    return { mark, title: ` Against the baseline: ${several}${scoreFacts(found)}`, tinted };
}
