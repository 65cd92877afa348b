// SPDX-License-Identifier: MIT
// @ts-check
/* A metric: its value, what it means, and the way to its track and back. */

import { announce, h, icon } from './dom.js';
import { sharesOf } from './metrics_view.js';
import { sparkLine } from './spark_line.js';
import { exactNs, grouped, UNKNOWN } from '../model/format.js';
import { frameAtTime } from '../model/frames.js';
import { ACCURACY_WORDS, KIND_WORDS, metricDigits, metricText, NEVER, whyNoValue } from '../model/metrics.js';
import { rangeName } from '../model/sides.js';
import { chooseMetric, showMetricTrack } from '../state/diagnostics.js';
import { metricsHere } from '../state/metrics_data.js';
import { goToFrame } from '../state/navigate.js';
import { showView } from '../state/view_choice.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/metrics.js').Metric} Metric */
/** @typedef {import('./dom.js').Child} Child */

/** @param {Context} context @param {string} name @returns {Child[]} */
export function metricDetail(context, name) {
    const { state } = context.store;
    const { place, frames, sparks } = state;
    const metric = metricsHere(state).find((item) => item.name === name);
    const head = h('h2', {}, h('span', {}, name),
        h('button', { class: 'close', title: 'Drop the selection (Esc)', aria: { label: 'Drop the selection' }, onclick: () => chooseMetric(context, null) }, icon('close')));
    if (!metric) {
        return [head, h('p', { class: 'warning' }, 'This capture has no such metric.')];
    }
    announce(`${name}, ${metric.last === null ? 'never published' : metricText(metric, metric.last)}`);
    const where = place.range && frames ? rangeName(frames, place.range) : 'whole capture';
    const curve = metric.counter < 0 ? undefined : sparks?.curves.get(metric.counter);
    return [
        head,
        h('div', { class: 'path' }, [metric.kind === 'not told' ? '' : metric.kind, metric.unit, where].filter(Boolean).join('  ·  ')),
        h('div', { class: metric.last === null ? 'big unknown' : 'big' }, ...bigValue(metric)),
        metric.last !== null && metricDigits(metric, metric.last) !== metricText(metric, metric.last) ? h('div', { class: 'num exact' }, metricDigits(metric, metric.last)) : null,
        metric.last === null ? h('p', { class: 'reason' }, whyNoValue(metric)) : null,
        metric.about ? h('p', {}, metric.about) : null,
        curve ? h('div', { class: 'metric-curve' }, sparkLine(curve, sparks?.lengthNs ?? 0, 300, 60, sharesOf(state))) : null,
        ...ways(context, metric),
        h('h3', {}, 'what it is'),
        h('dl', { class: 'num' }, ...entry('unit', metric.unit || UNKNOWN), ...entry('kind', KIND_WORDS[metric.kind]), ...entry('accuracy', ACCURACY_WORDS[metric.accuracy])),
        h('h3', {}, `values, ${where}`),
        h('dl', { class: 'num' },
            ...entry('smallest', metricText(metric, metric.low)), ...entry('largest', metricText(metric, metric.high)),
            ...entry('samples', metric.counter < 0 ? NEVER : grouped(metric.samples)), ...lastSample(context, metric)),
    ];
}

/** @param {Metric} metric @returns {Child[]} */
function bigValue(metric) {
    const text = metricText(metric, metric.last);
    const [, number, unit] = /^(≈ ?-?[\d,.]+|-?[\d,.]+)\s*(.*)$/.exec(text) ?? [text, text, ''];
    return [number, unit ? h('small', {}, ` ${unit}`) : null];
}

/** To the track and back. @param {Context} context @param {Metric} metric @returns {Child[]} */
function ways(context, metric) {
    const { view } = context.store.state.place;
    const hasTrack = metric.counter >= 0 && context.store.state.tracks.some((track) => track.counter === metric.counter);
    return [h('p', { class: 'ways' },
        hasTrack ? h('button', { class: 'push', onclick: () => showMetricTrack(context, metric.name) }, view === 'timeline' ? 'Bring its track in sight' : 'Show its track') : null,
        view === 'metrics' ? null : h('button', { class: 'push', onclick: () => showView(context, 'metrics') }, 'All metrics'))];
}

/** @param {Context} context @param {Metric} metric @returns {Child[]} */
function lastSample(context, metric) {
    const { info, frames } = context.store.state;
    if (metric.last === null) {
        return [];
    }
    const frame = frames && frames.count > 0 ? frameAtTime(frames, metric.lastNs) : -1;
    const go = () => goToFrame(context, frame);
    return [...(frame >= 0 && frames ? [h('dt', {}, 'last one in'), h('dd', {}, h('button', { class: 'link', onclick: go }, `frame ${frames.id[frame]}`))] : []),
        ...entry('from the start', exactNs(metric.lastNs - (info?.startNs ?? 0n)))];
}

/** @param {string} key @param {string} text */
function entry(key, text) {
    return [h('dt', {}, key), h('dd', { class: text === UNKNOWN || text === NEVER ? 'unknown' : text.length > 24 ? 'wide' : undefined }, text)];
}
