// SPDX-License-Identifier: MIT
// @ts-check
/* The parts of the address for metrics and live resources. */

import { METRICS_BY_NAME, METRIC_COLUMNS } from './metrics.js';
import { HEAVIEST_FIRST, OBJECTS_SHOWN, OBJECT_COLUMNS } from './objects.js';

/**
 * @typedef {object} MetricsPlace
 * @property {import('./metrics.js').MetricSort} sort
 * @property {string} find words that a metric must have
 * @property {string | null} chosen name of the selected metric
 */
/**
 * @typedef {object} ObjectsPlace
 * @property {import('./objects.js').ObjectSort} sort
 * @property {string} find
 * @property {import('./objects.js').ObjectsShown} shown
 * @property {number | null} chosen number of the selected one
 */

/** @type {MetricsPlace} */
export const FIRST_METRICS = { sort: METRICS_BY_NAME, find: '', chosen: null };
/** @type {ObjectsPlace} */
export const FIRST_OBJECTS = { sort: HEAVIEST_FIRST, find: '', shown: 'live', chosen: null };

/** @param {{ column: string, descending: boolean }} sort */
function formatSort(sort) {
    return `${sort.column}.${sort.descending ? 'desc' : 'asc'}`;
}

/**
 * @template {string} Column
 * @param {string} value @param {readonly Column[]} columns
 * @returns {{ column: Column, descending: boolean } | null}
 */
function parseSort(value, columns) {
    const match = /^([a-z]+)\.(asc|desc)$/.exec(value);
    const column = columns.find((name) => name === match?.[1]);
    return column ? { column, descending: match?.[2] === 'desc' } : null;
}

/** @param {MetricsPlace} metrics @param {ObjectsPlace} objects @returns {string[]} only what differs from the first look */
export function formatDiagnostics(metrics, objects) {
    const parts = [];
    if (metrics.chosen !== null) {
        parts.push(`metric=${encodeURIComponent(metrics.chosen)}`);
    }
    if (formatSort(metrics.sort) !== formatSort(FIRST_METRICS.sort)) {
        parts.push(`msort=${formatSort(metrics.sort)}`);
    }
    if (metrics.find !== '') {
        parts.push(`mfind=${encodeURIComponent(metrics.find)}`);
    }
    if (objects.chosen !== null) {
        parts.push(`live=${objects.chosen}`);
    }
    if (objects.shown !== FIRST_OBJECTS.shown) {
        parts.push(`lshow=${objects.shown}`);
    }
    if (formatSort(objects.sort) !== formatSort(FIRST_OBJECTS.sort)) {
        parts.push(`lsort=${formatSort(objects.sort)}`);
    }
    if (objects.find !== '') {
        parts.push(`lfind=${encodeURIComponent(objects.find)}`);
    }
    return parts;
}

/**
 * @param {{ metrics: MetricsPlace, objects: ObjectsPlace }} place
 * @param {string} key @param {string} value @param {(value: string) => string} decode
 */
export function readDiagnostics(place, key, value, decode) {
    const { metrics, objects } = place;
    switch (key) {
        case 'metric':
            place.metrics = { ...metrics, chosen: decode(value) || null };
            break;
        case 'msort':
            place.metrics = { ...metrics, sort: parseSort(value, METRIC_COLUMNS) ?? metrics.sort };
            break;
        case 'mfind':
            place.metrics = { ...metrics, find: decode(value) };
            break;
        case 'live':
            place.objects = { ...objects, chosen: /^\d{1,10}$/.test(value) ? Number(value) : null };
            break;
        case 'lshow':
            place.objects = { ...objects, shown: OBJECTS_SHOWN.find((shown) => shown === value) ?? objects.shown };
            break;
        case 'lsort':
            place.objects = { ...objects, sort: parseSort(value, OBJECT_COLUMNS) ?? objects.sort };
            break;
        case 'lfind':
            place.objects = { ...objects, find: decode(value) };
            break;
        default:
    }
}
