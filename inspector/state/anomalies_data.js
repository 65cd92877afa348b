// SPDX-License-Identifier: MIT
// @ts-check
/* Scores of spans against peers that somebody chose: nothing is scored until then. */

import { KIND } from '../protocol/client.js';
import { askAnomalies } from '../protocol/analysis.js';
import { BASELINES, NO_BASELINE, THRESHOLD } from '../model/anomalies.js';
import { windowEnd } from '../model/window.js';
import { CHANNEL, isRenewed, traceOf, updateExplore } from './app_state.js';
import { askLoad, askTraces } from '../protocol/document.js';
import { attempt } from './problems.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../model/anomalies.js').AnomalyPlace} AnomalyPlace */

const POLL_MS = 120;

/** Why these cannot be the peers; empty where they can. @param {Context} context @param {string} base */
export function mayScore(context, base) {
    const { place, entries } = context.store.state;
    return base === 'frames' && !place.range ? 'choose frames first' : base === 'file' && entries.length < 2 ? 'no other file is open' : '';
}

/** The peers are fixed when they are chosen: the window may move on. @param {Context} context @param {string} base */
export function chooseBaseline(context, base) {
    const { place, window, entries } = context.store.state;
    const { twoSided } = place.explore.baseline;
    const found = BASELINES.find((item) => item === base) ?? 'off';
    const other = entries.findIndex((_, i) => i + 1 !== place.file) + 1;
    updateExplore(context, {
        table: found === 'off' ? 'stats' : 'odd',
        baseline: {
            ...NO_BASELINE, base: found, twoSided,
            window: found === 'window' ? { startNs: window.startNs, endNs: windowEnd(window) } : null,
            frames: found === 'frames' ? place.range : null,
            file: found === 'file' ? other : 0,
        },
    });
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
        if (other > 0) {
            await loaded(context, other);
        }
        const anomalies = await tellWork(context, 'Scores', CHANNEL.ANOMALIES, (tell) => askAnomalies(client, traceOf(context), {
            selection: { window: null, frames: null, tracks: [], filter: state.filter?.filter ?? 0 },
            baseline: { window: baseline.window, frames: baseline.frames, trace: other },
            by: 'name',
            thresholdMicro: BigInt(THRESHOLD) * 1000000n,
            twoSided: baseline.twoSided,
        }, order, tell));
        store.update({ anomalies });
    };
    store.listen((state, before) => {
        const { baseline } = state.place.explore;
        const wanted = [baseline, baseline.base === 'off' ? null : state.filter];
        if (state.phase !== 'ready' || (!isRenewed(state, before) && wanted.every((part, i) => part === asked[i]))) {
            return;
        }
        asked = wanted;
        client.supersede(CHANNEL.ANOMALIES);
        if (baseline.base === 'off' || !client.can(KIND.ANOMALIES)) {
            store.update({ anomalies: null });
        } else {
            void attempt(context, 'The spans could not be scored', load);
        }
    });
}
