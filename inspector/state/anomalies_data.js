// SPDX-License-Identifier: MIT
// @ts-check
/* Scores of spans and tracks against peers that somebody chose: nothing is scored until then. */

import { KIND } from '../protocol/client.js';
import { askAnomalies } from '../protocol/analysis.js';
import { askGroupScores, askRowScore } from '../protocol/scores.js';
import { BASELINES } from '../model/anomalies.js';
import { windowEnd } from '../model/window.js';
import { CHANNEL, isRenewed, traceOf, updateExplore } from './app_state.js';
import { askLoad, askTraces } from '../protocol/document.js';
import { attempt } from './problems.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/anomalies.js').AnomalyPlace} AnomalyPlace */
/** @typedef {import('../protocol/analysis.js').Baseline} Baseline */
/** @typedef {import('../model/group_scores.js').GroupScore} GroupScore */

const POLL_MS = 120;

/**
 * What can be chosen as peers, with words for each; of other files each by itself.
 * @param {AppState} state @param {Record<string, string>} words @returns {[string, string][]}
 */
export function baselineChoices(state, words) {
    const others = state.entries.flatMap((entry, i) => (i + 1 === state.place.file ? []
        : [/** @type {[string, string]} */ ([`file:${i + 1}`, `${words.file} ${i + 1}: ${entry.label}`])]));
    return [...BASELINES.filter((base) => base !== 'file').map((base) => /** @type {[string, string]} */ ([base, words[base]])), ...others];
}

/** What is chosen, as one of these. @param {AnomalyPlace} baseline */
export function baselineChoice({ base, file }) {
    return base === 'file' ? `file:${file}` : base;
}

/** Why these cannot be the peers; empty where they can. @param {Context} context @param {string} base */
export function mayScore(context, base) {
    const { place } = context.store.state;
    return base === 'frames' && !place.range ? 'choose frames first'
        : base === 'measured' && !place.explore.measured ? 'measure a range first: Shift and a drag over the timeline' : '';
}

/** The peers are fixed when they are chosen: the window may move on. @param {Context} context @param {string} choice */
export function chooseBaseline(context, choice) {
    const { place, window } = context.store.state;
    const { baseline, measured, table } = place.explore;
    const [base, file = '0'] = choice.split(':');
    const found = BASELINES.find((item) => item === base) ?? 'off';
    updateExplore(context, {
        table: found !== 'off' ? 'odd' : table === 'odd' ? 'stats' : table,
        baseline: {
            ...baseline, base: found,
            window: found === 'window' ? { startNs: window.startNs, endNs: windowEnd(window) } : found === 'measured' ? measured : null,
            frames: found === 'frames' ? place.range : null,
            file: Number(file),
        },
    });
}

/** @param {Context} context @param {Partial<Pick<AnomalyPlace, 'by' | 'from' | 'twoSided'>>} change */
export function changeBaseline(context, change) {
    updateExplore(context, { baseline: { ...context.store.state.place.explore.baseline, ...change } });
}

/** @param {Context} context @param {number} number of the trace */
async function loaded({ client }, number) {
    const of = (/** @type {import('../protocol/document.js').TraceEntry[]} */ list) => list.find((entry) => entry.trace === number);
    let entry = of(await askLoad(client, number));
    while (entry && entry.state !== 'loaded') {
        if (entry.state === 'failed') {
            throw new Error(entry.failure || 'the other file cannot be read');
        }
        await new Promise((done) => { setTimeout(done, POLL_MS); });
        entry = of(await askTraces(client));
    }
}

/** Tracks whose spans take more than those of the baseline; a trace against itself has none. @param {Context} context @param {Baseline} baseline */
async function scoreTracks(context, baseline) {
    const { store, client } = context;
    const order = client.supersede(CHANNEL.TRACK_SCORES);
    if (!client.can(KIND.GROUP_SCORES) || (baseline.trace === 0 && !baseline.window && !baseline.frames)) {
        store.update({ trackScores: null });
        return;
    }
    const groups = await tellWork(context, 'Scores of tracks', CHANNEL.TRACK_SCORES, (tell) => askGroupScores(client, traceOf(context), {
        selection: { window: null, frames: null, tracks: [], filter: store.state.filter?.filter ?? 0 }, baseline, by: 'track', tracks: 'all',
    }, order, tell));
    /** @type {Map<number, GroupScore>} */
    const trackScores = new Map();
    for (const group of groups) {
        if (group.key !== null) {
            trackScores.set(group.key, group);
        }
    }
    store.update({ trackScores });
}

/** Why the selected span has a score, or none. @param {Context} context */
function keepRowScore(context) {
    const { store, client } = context;
    store.listen((state, before) => {
        const { selected } = state.place;
        if (state.anomalies === before.anomalies && selected === before.place.selected) {
            return;
        }
        const order = client.supersede(CHANNEL.ROW_SCORE);
        const scores = state.anomalies?.scores ?? 0;
        if (selected === null || scores === 0 || !client.can(KIND.ROW_SCORES)) {
            if (state.rowScore) {
                store.update({ rowScore: null });
            }
            return;
        }
        void attempt(context, 'The score of the span could not be read', async () => {
            store.update({ rowScore: { row: selected, ...await askRowScore(client, traceOf(context), scores, selected, order) } });
        });
    });
}

/** @param {Context} context */
export function keepAnomalies(context) {
    const { store, client } = context;
    /** @type {unknown[]} */
    let asked = [];
    const load = async () => {
        const { state } = store;
        const { baseline } = state.place.explore;
        const order = client.supersede(CHANNEL.ANOMALIES);
        const other = baseline.base === 'file' ? state.entries[baseline.file - 1]?.trace ?? 0 : 0;
        if (baseline.base === 'file' && other === 0) {
            throw new Error(`file ${baseline.file} is not open`);
        }
        if (other > 0) {
            await loaded(context, other);
        }
        const base = { window: baseline.window, frames: baseline.frames, trace: other };
        const anomalies = await tellWork(context, 'Scores', CHANNEL.ANOMALIES, (tell) => askAnomalies(client, traceOf(context), {
            selection: { window: null, frames: null, tracks: [], filter: state.filter?.filter ?? 0 },
            baseline: base,
            by: baseline.by,
            thresholdMicro: BigInt(Math.round(baseline.from * 1e6)),
            twoSided: baseline.twoSided,
        }, order, tell));
        store.update({ anomalies });
        await scoreTracks(context, base);
    };
    store.listen((state, before) => {
        const { baseline } = state.place.explore;
        const wanted = baseline.base === 'off' ? ['off'] : [baseline, state.filter];
        if (state.phase !== 'ready' || (!isRenewed(state, before) && wanted.length === asked.length && wanted.every((part, i) => part === asked[i]))) {
            return;
        }
        asked = wanted;
        client.supersede(CHANNEL.ANOMALIES);
        client.supersede(CHANNEL.TRACK_SCORES);
        if (baseline.base === 'off' || !client.can(KIND.ANOMALIES)) {
            if (state.anomalies || state.trackScores) {
                store.update({ anomalies: null, trackScores: null });
            }
        } else {
            void attempt(context, 'The spans could not be scored', load);
        }
    });
    keepRowScore(context);
}
