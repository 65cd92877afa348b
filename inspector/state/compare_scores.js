// SPDX-License-Identifier: MIT
// @ts-check
/* Scores of what is compared: how much longer the spans of each row take. Asked for once the comparison is there. */

import { KIND } from '../protocol/client.js';
import { askGroupScores } from '../protocol/scores.js';
import { groupKey, worst } from '../model/group_scores.js';
import { CHANNEL } from './app_state.js';
import { compareByOf, framesOf } from './compare_data.js';
import { attempt } from './problems.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/group_scores.js').GroupScore} GroupScore */

/** @param {Context} context */
export function keepCompareScores(context) {
    const { store, client } = context;
    const load = async () => {
        const { state } = store;
        const { comparison } = state;
        const { compare } = state.place;
        if (!comparison || !compare) {
            return;
        }
        const by = compareByOf(state);
        const order = client.supersede(CHANNEL.GROUP_SCORES);
        const [base, next] = [compare.base, compare.next].map((side) => ({
            frames: framesOf(state, side), window: side.time ?? null, trace: state.entries[side.file - 1].trace,
        }));
        /** @type {Map<string, GroupScore[]>} */
        const found = new Map();
        for (const side of /** @type {const} */ (['cpu', 'gpu'])) {
            if (!comparison.rows.some((row) => row.side === side)) {
                continue;
            }
            const question = {
                selection: { window: next.window, frames: next.frames, tracks: [], filter: 0 },
                baseline: { window: base.window, frames: base.frames, trace: base.trace === next.trace ? 0 : base.trace },
                by, tracks: side,
            };
            const groups = await tellWork(context, 'Scores', CHANNEL.GROUP_SCORES, (tell) => askGroupScores(client, next.trace, question, order, tell));
            for (const group of groups) {
                const key = groupKey(side, by === 'pass' ? { identities: [group.baseKey, group.key] } : { name: group.name });
                found.set(key, [...found.get(key) ?? [], group]);
            }
        }
        /** @type {Map<string, GroupScore>} */
        const scores = new Map();
        for (const [key, groups] of found) {
            const most = worst(groups);
            if (most) {
                scores.set(key, most);
            }
        }
        store.update({ groupScores: scores });
    };
    store.listen((state, before) => {
        if (state.comparison === before.comparison) {
            return;
        }
        client.supersede(CHANNEL.GROUP_SCORES);
        const scored = client.can(KIND.GROUP_SCORES);
        store.update({ groupScores: scored ? null : new Map() });
        if (state.comparison?.whole && scored) {
            void attempt(context, 'The rows could not be scored', load);
        }
    });
}
