// SPDX-License-Identifier: MIT
// @ts-check
/* Metrics of a program: what each one is, in which unit, how exact, and what its last value was. */

import { exactReading, grouped, reading } from './format.js';
import { compareText } from './table.js';

/** @typedef {'counter' | 'gauge' | 'frame counter' | 'delta' | 'not told'} MetricKind */
/** @typedef {'exact' | 'estimated' | 'unavailable' | 'not told'} Accuracy */
/** @typedef {bigint | number | null} Figure whole numbers are exact; null: it is not known */
/**
 * @typedef {object} Metric
 * @property {string} name
 * @property {MetricKind} kind
 * @property {string} unit as the capture names it
 * @property {Accuracy} accuracy
 * @property {string} about what it is, in the program's words; often empty
 * @property {Figure} last before the end of the window that was asked for; null: nothing was published until then
 * @property {bigint} lastNs time of that sample
 * @property {Figure} low smallest in the window, null where it has no sample there
 * @property {Figure} high
 * @property {number} samples in the window
 * @property {number} counter its number among the counters; -1: nothing was ever published
 */
/** @typedef {'name' | 'kind' | 'unit' | 'accuracy' | 'value' | 'min' | 'max' | 'samples'} MetricColumn */
/** @typedef {{ column: MetricColumn, descending: boolean }} MetricSort */

/** @type {readonly MetricColumn[]} */
export const METRIC_COLUMNS = ['name', 'kind', 'unit', 'accuracy', 'value', 'min', 'max', 'samples'];
/** @type {MetricSort} */
export const METRICS_BY_NAME = { column: 'name', descending: false };
/** What stands where a metric was never published: no value, and no zero either. */
export const NEVER = '–';

/** @type {Record<MetricKind, string>} */
export const KIND_WORDS = {
    counter: 'counter: only adds up',
    gauge: 'gauge: the value that was set last',
    'frame counter': 'frame counter: begins at 0 with every frame; a value is that of one frame',
    delta: 'delta: what came since the sample before',
    'not told': 'the capture does not say what kind of value it is',
};
/** @type {Record<Accuracy, string>} */
export const ACCURACY_WORDS = {
    exact: 'exact: everything is counted',
    estimated: 'estimated: the program cannot know it exactly',
    unavailable: 'unavailable: nothing on this machine tells it',
    'not told': 'the capture does not say how exact it is',
};

const TEXT_COLUMNS = ['name', 'kind', 'unit', 'accuracy'];

/** The sort after a head is pressed. @param {MetricSort} sort @param {MetricColumn} column @returns {MetricSort} */
export function nextMetricSort(sort, column) {
    return sort.column === column ? { column, descending: !sort.descending } : { column, descending: !TEXT_COLUMNS.includes(column) };
}

/** @param {Metric} metric @param {'value' | 'min' | 'max' | 'samples'} column @returns {Figure} */
function figureOf(metric, column) {
    return { value: metric.last, min: metric.low, max: metric.high, samples: metric.samples }[column];
}

/**
 * What has no value comes last, however the rest is sorted; equals are sorted by name.
 * @param {readonly Metric[]} metrics @param {MetricSort} sort
 */
export function sortMetrics(metrics, sort) {
    const { column, descending } = sort;
    const sign = descending ? -1 : 1;
    return [...metrics].sort((a, b) => {
        if (column === 'name' || column === 'kind' || column === 'unit' || column === 'accuracy') {
            return sign * compareText(a[column], b[column]) || compareText(a.name, b.name);
        }
        const [left, right] = [figureOf(a, column), figureOf(b, column)];
        if (left === null || right === null) {
            return Number(left === null) - Number(right === null) || compareText(a.name, b.name);
        }
        return sign * (left < right ? -1 : left > right ? 1 : 0) || compareText(a.name, b.name);
    });
}

/** All words must be in its name, kind, unit or accuracy. @param {readonly Metric[]} metrics @param {string} text */
export function filterMetrics(metrics, text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return metrics.filter((metric) => {
        const all = `${metric.name} ${metric.kind} ${unitWord(metric.unit)} ${metric.accuracy} ${metric.about} ${metric.counter < 0 ? 'never published' : ''}`.toLowerCase();
        return words.every((word) => all.includes(word));
    });
}

/** The unit as a word of its own. @param {string} unit */
export function unitWord(unit) {
    return unit === 'ns' ? 'time' : unit || 'none';
}

/**
 * A value of a metric in its unit; a dash where there is none. What is estimated says so.
 * @param {Metric} metric @param {Figure} value
 */
export function metricText(metric, value) {
    return value === null ? NEVER : (metric.accuracy === 'estimated' ? '≈ ' : '') + shortReading(Number(value), metric.unit);
}

const LARGE = [{ from: 1e18, letter: 'E' }, { from: 1e15, letter: 'P' }, { from: 1e12, letter: 'T' }, { from: 1e9, letter: 'G' }];

/** Counts too long for a column have four digits and a letter; all digits are in the tip. @param {number} value @param {string} unit */
export function shortReading(value, unit) {
    const large = unit === 'bytes' || unit === 'ns' || unit === 'basis points' ? undefined : LARGE.find(({ from }) => Math.abs(value) >= from);
    if (!large) {
        return reading(value, unit);
    }
    const text = `${(value / large.from).toFixed(3)} ${large.letter}`;
    return unit === '' || unit === 'count' ? text : unit === 'per second' ? `${text}/s` : `${text} ${unit}`;
}

/** With all digits that were recorded; empty where there is no value. @param {Metric} metric @param {Figure} value */
export function metricDigits(metric, value) {
    if (value === null) {
        return '';
    }
    return typeof value === 'bigint' ? `${grouped(value)}${metric.unit === '' || metric.unit === 'count' ? '' : ` ${metric.unit}`}` : exactReading(value, metric.unit);
}

/** Why a metric has no value, in words; empty where it has one. @param {Metric} metric */
export function whyNoValue(metric) {
    if (metric.last !== null) {
        return '';
    }
    return metric.accuracy === 'unavailable' ? 'Nothing on this machine tells it: it has no value.'
        : metric.counter < 0 ? 'It was defined, and never published while this was recorded: its value is not known, which is not 0.'
            : 'It was published only later: until here its value is not known, which is not 0.';
}

/**
 * A curve in a box as the points of a path: a step for each value, and a band between the least and the most where several share one.
 * @param {import('./lanes.js').CounterView} counter @param {number} lengthNs of what it covers @param {number} width @param {number} height
 * @returns {{ line: string, band: string }} what `d` of an SVG path wants; empty where nothing is known
 */
export function sparkPath(counter, lengthNs, width, height) {
    const { time, value, least, most, low, high } = counter;
    const base = Math.min(0, low);
    const size = Math.max(0, high) - base;
    const x = (/** @type {number} */ ns) => Math.max(0, Math.min(width, (ns / lengthNs) * width)).toFixed(1);
    const y = (/** @type {number} */ figure) => (height - 1 - (size > 0 ? (figure - base) / size : 0) * (height - 2)).toFixed(1);
    const line = [];
    const band = [];
    for (let i = 0; i < time.length; i++) {
        if (Number.isNaN(value[i])) {
            continue;
        }
        const until = i + 1 < time.length ? time[i + 1] : lengthNs;
        line.push(`${line.length === 0 ? 'M' : 'L'}${x(time[i])} ${y(value[i])}H${x(until)}`);
        if (least && most && most[i] > least[i]) {
            band.push(`M${x(time[i])} ${y(most[i])}H${x(until)}V${y(least[i])}H${x(time[i])}Z`);
        }
    }
    return { line: line.join(''), band: band.join('') };
}
