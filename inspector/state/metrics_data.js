// SPDX-License-Identifier: MIT
// @ts-check
/* Metrics in the chosen frames, and their curves over the whole capture, while somebody looks at them. */

import { askMetrics } from '../protocol/diagnostics.js';
import { askCounters } from '../protocol/views.js';
import { objectPoints } from '../model/objects.js';
import { CHANNEL, isRenewed, traceOf } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/metrics.js').Metric} Metric */
/** @typedef {import('../model/lanes.js').CounterView} CounterView */
/** @typedef {{ curves: ReadonlyMap<number, CounterView>, startNs: bigint, lengthNs: number }} Sparks by number of the counter */

/** Steps of a curve: as many as a small picture has pixels. */
const SPARK_PX = 240;

/** Metrics as the shown frames have them: those of the whole capture where no frames are chosen. @param {AppState} state @returns {readonly Metric[]} */
export function metricsHere(state) {
    return state.place.range && state.rangeMetrics ? state.rangeMetrics : state.metrics;
}

/** @param {Context} context */
export function keepMetrics(context) {
    const { store, client } = context;
    /** @type {unknown[]} */
    let asked = [];
    let hasSparks = false;

    const loadRange = async () => {
        const { frames, info, place } = store.state;
        if (!info || !place.range) {
            store.update({ rangeMetrics: null });
            return;
        }
        const order = client.supersede(CHANNEL.METRICS);
        store.update({ rangeMetrics: await askMetrics(client, traceOf(context), objectPoints(frames, place.range, info), order) });
    };
    const loadSparks = async () => {
        const { info, metrics } = store.state;
        const counters = metrics.filter((metric) => metric.counter >= 0).map((metric) => metric.counter);
        if (!info || counters.length === 0 || info.endNs <= info.startNs) {
            store.update({ sparks: null });
            return;
        }
        const question = { startNs: info.startNs, endNs: info.endNs + 1n, widthPx: SPARK_PX, counters };
        const answers = await askCounters(client, traceOf(context), question, client.supersede(CHANNEL.SPARKS));
        store.update({ sparks: { curves: new Map(answers.map((answer) => [answer.counter, answer])), startNs: info.startNs, lengthNs: Number(info.endNs - info.startNs) } });
    };
    store.listen((state, before) => {
        if (isRenewed(state, before) || state.metrics !== before.metrics) {
            asked = [];
            hasSparks = false;
        }
        const { view, range, metrics } = state.place;
        if (state.phase !== 'ready' || (view !== 'metrics' && metrics.chosen === null)) {
            return;
        }
        const wanted = [range, state.frames];
        if (asked.length === 0 || wanted.some((part, i) => part !== asked[i])) {
            asked = wanted;
            void attempt(context, 'The metrics could not be read', loadRange);
        }
        if (!hasSparks) {
            hasSparks = true;
            void attempt(context, 'The curves of the metrics could not be read', loadSparks);
        }
    });
}
