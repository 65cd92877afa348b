// SPDX-License-Identifier: MIT
// @ts-check
/* What the program counts: every metric with its unit, its accuracy and its values. What was never published has a dash, never a zero. */

import { fill, h, onFrame } from './dom.js';
import { findField } from './find_field.js';
import { lossesLine } from './losses_line.js';
import { sparkLine } from './spark_line.js';
import { drawNoRows, drawRows, drawSortHead, rowKey } from './virtual_rows.js';
import { counted, grouped } from '../model/format.js';
import { ACCURACY_WORDS, filterMetrics, KIND_WORDS, metricDigits, metricText, NEVER, nextMetricSort, sortMetrics, whyNoValue } from '../model/metrics.js';
import { objectPoints } from '../model/objects.js';
import { rangeName } from '../model/sides.js';
import { updatePlace } from '../state/app_state.js';
import { chooseMetric, showMetricTrack, updateMetrics } from '../state/diagnostics.js';
import { metricsHere } from '../state/metrics_data.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/metrics.js').Metric} Metric */
/** @typedef {import('../model/metrics.js').MetricColumn} MetricColumn */
/** @typedef {import('../model/metrics.js').Figure} Figure */

const SPARK = { width: 120, height: 18 };
/** @type {readonly { id: MetricColumn | 'curve', label: string, width?: string, class: string, title: string }[]} */
const COLUMNS = [
    { id: 'name', label: 'metric', class: 'text', title: '' },
    { id: 'value', label: 'value', width: '10cqw', class: '', title: 'the last one that was published in the shown frames, or before; a dash where none ever was' },
    { id: 'curve', label: 'over the capture', width: '14cqw', class: 'text curve', title: 'its values from the begin of the capture to its end, from 0 on' },
    { id: 'min', label: 'min', width: '9.5cqw', class: '', title: 'smallest value in the shown frames' },
    { id: 'max', label: 'max', width: '9.5cqw', class: '', title: 'largest value in the shown frames' },
    { id: 'samples', label: 'samples', width: '7cqw', class: '', title: 'in the shown frames' },
    { id: 'kind', label: 'kind', width: '11cqw', class: 'text', title: 'what its values mean' },
    { id: 'unit', label: 'unit', width: '10cqw', class: 'text', title: '' },
    { id: 'accuracy', label: 'accuracy', width: '10cqw', class: 'text', title: 'how exactly the program knows it' },
];

/** @param {Context} context @returns {import('./view_switch.js').View} */
export function metricsView(context) {
    const { store } = context;
    const title = h('h2');
    const about = h('span', { class: 'range' });
    const all = h('button', { class: 'link', onclick: () => updatePlace(context, { range: null }) }, 'whole capture');
    const field = findField('Only metrics with…', 'Only metrics that have these words', (find) => updateMetrics(context, { find }));
    const headRow = h('tr');
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Metrics. Up and down go along, Enter selects, right arrow shows the track' } },
        h('table', { class: 'num' }, h('colgroup'), h('thead', {}, headRow), body));
    const note = h('div', { class: 'note' });
    const empty = h('p', { class: 'empty' });
    const root = h('section', { class: 'view-metrics list-view', aria: { label: 'Metrics' } },
        h('div', { class: 'bar' }, title, about, all, field.root), empty, scroller, note, lossesLine(context));
    const isShown = () => store.state.place.view === 'metrics';
    /** A row that comes into sight with the next picture. @type {string | null} */
    let wanted = null;

    const rows = () => {
        const { sort, find } = store.state.place.metrics;
        return sortMetrics(filterMetrics(metricsHere(store.state), find), sort);
    };
    const draw = onFrame(() => {
        if (!isShown()) {
            return;
        }
        const { state } = store;
        const here = metricsHere(state);
        const list = rows();
        scroller.hidden = note.hidden = here.length === 0;
        empty.hidden = here.length > 0;
        title.textContent = counted(here.length, 'metric');
        about.textContent = aboutText(state, here, list);
        all.hidden = state.place.range === null;
        field.show(state.place.metrics.find);
        if (here.length === 0) {
            fill(empty, h('b', {}, 'No metrics'), emptyReason(state));
            return;
        }
        drawSortHead(headRow, COLUMNS, state.place.metrics.sort, '', (column) => column.label, (column) => {
            if (column.id !== 'curve') {
                updateMetrics(context, { sort: nextMetricSort(store.state.place.metrics.sort, column.id) });
            }
        });
        if (wanted !== null && scroller.clientHeight > 0) {
            drawRows(scroller, body, list, COLUMNS.length, (row) => metricRow(context, row));
            center(scroller, list.findIndex((row) => row.name === wanted));
            wanted = null;
        }
        drawRows(scroller, body, list, COLUMNS.length, (row) => metricRow(context, row));
        if (list.length === 0) {
            drawNoRows(body, COLUMNS.length, `No metric has "${state.place.metrics.find.trim()}" in its name, kind, unit or accuracy.`);
        }
        const never = here.filter((metric) => metric.last === null).length;
        fill(note, 'A frame counter begins at 0 with every frame; a counter only adds up. ',
            never > 0 ? h('b', {}, `${counted(never, 'metric')} with a dash: never published, which is not 0.`) : null);
        root.dataset.drawn = String(list.length);
    }, body);
    scroller.addEventListener('scroll', draw);
    scroller.addEventListener('keydown', (event) => {
        const taken = rowKey(event, body, (row, isRow) => {
            if (isRow && (event.key === 'Enter' || event.key === ' ')) {
                chooseMetric(context, row.dataset.key ?? null);
            } else if (event.key === 'ArrowRight') {
                showMetricTrack(context, row.dataset.key ?? '');
            } else {
                return false;
            }
            return true;
        });
        if (taken || event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            event.stopPropagation();
        }
    });
    new ResizeObserver(draw).observe(scroller);
    store.listen((state, before) => {
        const { place } = state;
        if (place.metrics.chosen !== before.place.metrics.chosen) {
            wanted = place.metrics.chosen;
        }
        if (isShown() && (state.metrics !== before.metrics || state.rangeMetrics !== before.rangeMetrics || state.sparks !== before.sparks
            || place.metrics !== before.place.metrics || place.range !== before.place.range || place.unit !== before.place.unit || state.phase !== before.phase)) {
            draw();
        }
    });
    return {
        name: 'metrics',
        root,
        show: draw,
        hide: () => {},
        redraw: draw,
        key: (event) => field.key(event),
    };
}

/** @param {HTMLElement} scroller @param {number} at row */
function center(scroller, at) {
    const row = scroller.querySelector('tbody tr');
    const height = row instanceof HTMLElement && row.dataset.key ? row.offsetHeight : 22;
    const top = at * height;
    if (at >= 0 && (top < scroller.scrollTop || top + 2 * height > scroller.scrollTop + scroller.clientHeight)) {
        scroller.scrollTop = Math.max(0, top - scroller.clientHeight / 2);
    }
}

/** @param {AppState} state @param {readonly Metric[]} here @param {readonly Metric[]} list */
function aboutText(state, here, list) {
    const { frames, place } = state;
    const where = place.range && frames ? `values in ${rangeName(frames, place.range)}` : 'values of the whole capture';
    return [place.metrics.find.trim() === '' ? '' : `${grouped(list.length)} of ${grouped(here.length)}`, where].filter(Boolean).join(' · ');
}

/** @param {AppState} state */
function emptyReason(state) {
    return state.phase === 'failed' ? 'The capture could not be opened.' : state.phase !== 'ready' ? 'They come with the trace.'
        : 'The program publishes none: FG_COUNTER_ADD, FG_GAUGE_SET and FG_FRAME_COUNTER_ADD of frameglass/instrument.h make them.';
}

/** What of the capture is shown, as shares of its length. @param {AppState} state */
export function sharesOf(state) {
    const { frames, place, info, sparks } = state;
    if (!place.range || !info || !sparks) {
        return null;
    }
    const { fromNs, toNs } = objectPoints(frames, place.range, info);
    const share = (/** @type {bigint} */ ns) => Math.max(0, Math.min(1, Number(ns - sparks.startNs) / sparks.lengthNs));
    return { from: share(fromNs), to: share(toNs) };
}

/** @param {Context} context @param {Metric} metric */
function metricRow(context, metric) {
    const { state } = context.store;
    const on = state.place.metrics.chosen === metric.name;
    const { sparks } = state;
    const figure = (/** @type {Figure} */ value) => h('td', {
        class: value === null ? 'unknown' : '',
        title: metricDigits(metric, value) || whyNoValue(metric) || undefined,
    }, metricText(metric, value));
    const word = (/** @type {string} */ text, /** @type {string} */ tip) => h('td', { class: 'text', title: tip },
        text === 'not told' || text === '' ? h('span', { class: 'unknown' }, NEVER) : text);
    const curve = metric.counter < 0 ? undefined : sparks?.curves.get(metric.counter);
    const choose = () => chooseMetric(context, on ? null : metric.name);
    const element = h('tr', { class: on ? 'on' : undefined, tabindex: -1, aria: { selected: on }, data: { key: metric.name }, onclick: choose },
        h('td', { class: 'text', title: metric.about || metric.name }, metric.name || '(no name)'),
        figure(metric.last),
        h('td', { class: 'text curve' }, sparkLine(curve, sparks?.lengthNs ?? 0, SPARK.width, SPARK.height, sharesOf(state))),
        figure(metric.low),
        figure(metric.high),
        h('td', {}, metric.counter < 0 ? h('span', { class: 'unknown' }, NEVER) : grouped(metric.samples)),
        word(metric.kind, KIND_WORDS[metric.kind]),
        word(metric.unit, ''),
        word(metric.accuracy, ACCURACY_WORDS[metric.accuracy]));
    element.addEventListener('dblclick', () => showMetricTrack(context, metric.name));
    return element;
}
