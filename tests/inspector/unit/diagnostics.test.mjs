// SPDX-License-Identifier: MIT
/* What a program says of itself, as models: metrics, live resources, losses, markers, and their parts of the address. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPlace, formatPlace, isStep, parsePlace } from '../../../inspector/model/address.js';
import { reading } from '../../../inspector/model/format.js';
import { emptyFrames } from '../../../inspector/model/frames.js';
import { byTrack, flagsOf, instantText } from '../../../inspector/model/instants.js';
import { hasLossCounters, lossesIn, lossSentence, mergeAt, nextLoss, shownLosses } from '../../../inspector/model/losses.js';
import { filterMetrics, METRICS_BY_NAME, metricDigits, metricText, nextMetricSort, sortMetrics, sparkPath, whyNoValue } from '../../../inspector/model/metrics.js';
import { frameOfPoint, nextObjectSort, objectBytes, objectExtent, objectName, objectPoints, pointAt, sumText } from '../../../inspector/model/objects.js';
import { costUnit } from '../../../inspector/state/frame_cost.js';
import { nothingChosen } from '../../../inspector/state/selection.js';

const metric = (name, more = {}) => ({ name, kind: 'gauge', unit: 'count', about: '', accuracy: 'exact', last: 5n, lastNs: 0n, low: 1n, high: 9n, samples: 3, counter: 0, ...more });
const NEVER = { last: null, low: null, high: null, samples: 0, counter: -1 };

test('a metric that was never published has a dash and a reason, and 0 is a value', () => {
    assert.equal(metricText(metric('a', NEVER), null), '–');
    assert.match(whyNoValue(metric('a', NEVER)), /never published.*not 0/);
    assert.match(whyNoValue(metric('a', { ...NEVER, accuracy: 'unavailable' })), /Nothing on this machine/);
    assert.match(whyNoValue(metric('a', { last: null, counter: 3 })), /only later/);
    assert.equal(whyNoValue(metric('a', { last: 0n })), '');
    assert.equal(metricText(metric('a', { last: 0n }), 0n), '0');
});

test('values read in their unit; an estimate says so; all digits are kept for the tip', () => {
    assert.equal(metricText(metric('a', { unit: 'bytes' }), 1536n), '1.5 KiB');
    assert.equal(metricText(metric('a', { unit: 'ns' }), 8_000_000n), '8.000 ms');
    assert.equal(metricText(metric('a', { unit: 'basis points', accuracy: 'estimated' }), 5549n), '≈ 55.49 %');
    assert.equal(metricText(metric('a', { unit: 'per second' }), 1200n), '1,200 /s');
    assert.equal(metricText(metric('a', { unit: 'per second' }), 1_500_000_000_000n), '1.500 T/s');
    assert.equal(metricText(metric('a', { unit: '' }), 0.5), '0.500');
    assert.equal(metricText(metric('a'), -1_234n), '-1,234');
    assert.equal(metricDigits(metric('a'), 9007199254740993n), '9,007,199,254,740,993', 'beyond what a double holds');
    assert.equal(metricDigits(metric('a', { unit: 'bytes' }), 1536n), '1,536 bytes');
    assert.equal(reading(10000, 'basis points'), '100.00 %');
    assert.equal(reading(7, 'count'), '7');
});

test('metrics sort by any column, and what has no value comes last both ways', () => {
    const list = [metric('mip 10', { last: 2n }), metric('mip 2', { last: 9007199254740993n }), metric('b', { last: 9007199254740992n }), metric('none', NEVER)];
    const names = (sort) => sortMetrics(list, sort).map((item) => item.name);
    assert.deepEqual(names(METRICS_BY_NAME), ['b', 'mip 2', 'mip 10', 'none']);
    assert.deepEqual(names({ column: 'value', descending: true }), ['mip 2', 'b', 'mip 10', 'none']);
    assert.deepEqual(names({ column: 'value', descending: false }), ['mip 10', 'b', 'mip 2', 'none']);
    assert.deepEqual(nextMetricSort(METRICS_BY_NAME, 'value'), { column: 'value', descending: true });
    assert.deepEqual(nextMetricSort(METRICS_BY_NAME, 'name'), { column: 'name', descending: true });
});

test('words find metrics by name, kind, unit and accuracy', () => {
    const list = [metric('Graphics/DrawCalls', { kind: 'frame counter' }), metric('memory/heap', { unit: 'bytes', accuracy: 'estimated' }), metric('voices', NEVER)];
    const found = (text) => filterMetrics(list, text).map((item) => item.name);
    assert.deepEqual(found('frame draw'), ['Graphics/DrawCalls']);
    assert.deepEqual(found('ESTIMATED'), ['memory/heap']);
    assert.deepEqual(found('never'), ['voices']);
    assert.deepEqual(found('  '), ['Graphics/DrawCalls', 'memory/heap', 'voices']);
    assert.deepEqual(found('draw bytes'), []);
});

test('a curve has a step for each value, from zero on, and a band where several share one', () => {
    const counter = { counter: 0, startNs: 0n, exact: true, low: 0, high: 10, time: Float64Array.of(0, 50), value: Float64Array.of(10, 0), least: null, most: null };
    assert.equal(sparkPath(counter, 100, 100, 12).line, 'M0.0 1.0H50.0L50.0 11.0H100.0');
    assert.equal(sparkPath(counter, 100, 100, 12).band, '');
    const bins = { ...counter, exact: false, least: Float64Array.of(0, 0), most: Float64Array.of(10, 0) };
    assert.equal(sparkPath(bins, 100, 100, 12).band, 'M0.0 1.0H50.0V11.0H0.0Z');
    const flat = { ...counter, low: 0, high: 0, value: Float64Array.of(0, 0) };
    assert.equal(sparkPath(flat, 100, 100, 12).line, 'M0.0 11.0H50.0L50.0 11.0H100.0');
    assert.equal(sparkPath({ ...counter, value: Float64Array.of(NaN, NaN) }, 100, 100, 12).line, '', 'nothing where nothing is known');
});

const frames = () => {
    const table = emptyFrames(4);
    table.startNs.set([100n, 200n, 300n, 400n]);
    return table;
};

test('the two points are those of the chosen frames, else of the capture', () => {
    const info = { startNs: 50n, endNs: 480n };
    assert.deepEqual(objectPoints(frames(), null, info), { fromNs: 50n, toNs: 480n });
    assert.deepEqual(objectPoints(frames(), { first: 1, last: 2 }, info), { fromNs: 200n, toNs: 400n });
    assert.deepEqual(objectPoints(frames(), { first: 3, last: 3 }, info), { fromNs: 400n, toNs: 480n });
    assert.deepEqual(objectPoints(frames(), { first: 9, last: 12 }, info), { fromNs: 400n, toNs: 480n }, 'an address may name more than there is');
    assert.deepEqual(objectPoints(frames(), { first: 3, last: 3 }, { startNs: 0n, endNs: 400n }), { fromNs: 400n, toNs: 401n }, 'never an empty window');
    assert.deepEqual(objectPoints(emptyFrames(0), { first: 1, last: 2 }, info), { fromNs: 50n, toNs: 480n });
});

test('points of the growth and frames lead to one another', () => {
    const growth = { timeNs: BigInt64Array.of(200n, 300n, 400n), count: Float64Array.of(1, 2, 3), bytes: Float64Array.of(1, NaN, 3) };
    assert.deepEqual([100n, 200n, 201n, 400n, 900n].map((time) => pointAt(growth, time)), [0, 0, 1, 2, 2]);
    assert.deepEqual([200n, 201n, 480n].map((time) => frameOfPoint(frames(), time)), [0, 1, 3]);
    assert.equal(frameOfPoint(emptyFrames(0), 200n), -1);
    assert.equal(frameOfPoint(null, 200n), -1);
});

test('live resources in words: unknown is no zero, estimates are marked', () => {
    assert.equal(objectBytes({ bytes: null, accuracy: 'unavailable' }), 'unknown');
    assert.equal(objectBytes({ bytes: 0n, accuracy: 'exact' }), '0 B');
    assert.equal(objectBytes({ bytes: 2048n, accuracy: 'estimated' }), '≈ 2.0 KiB');
    assert.equal(sumText({ count: 3, bytes: null, unknown: 3 }), 'unknown');
    assert.equal(sumText({ count: 0, bytes: null, unknown: 0 }), '0 B');
    const object = { name: '', type: 'vertex buffer', id: 1007n, size: [0, 0, 0, 0, 0] };
    assert.equal(objectName(object), 'vertex buffer #1,007');
    assert.equal(objectExtent(object), '');
    assert.equal(objectExtent({ ...object, size: [256, 256, 1, 9, 6] }), '256² 6 layers 9 mips');
    assert.equal(objectExtent({ ...object, size: [64, 32, 16, 1, 1] }), '64×32×16');
    assert.deepEqual(nextObjectSort({ column: 'bytes', descending: true }, 'bytes'), { column: 'bytes', descending: false });
    assert.deepEqual(nextObjectSort({ column: 'bytes', descending: true }, 'type'), { column: 'type', descending: false });
});

const loss = (track, timeNs, count) => ({ track, timeNs, sinceNs: null, count });

test('zooming out adds losses up: none ever vanishes', () => {
    const places = Array.from({ length: 1000 }, (_, i) => ({ x: i / 7, count: BigInt(i) }));
    for (const width of [1, 10, 44, 1e9]) {
        const marks = mergeAt(places, width);
        assert.equal(marks.reduce((sum, mark) => sum + mark.count, 0n), 499500n);
        assert.equal(marks.reduce((sum, mark) => sum + mark.gaps, 0), 1000);
        marks.slice(1).forEach((mark, i) => assert.ok(mark.x - marks[i].right > 0 && mark.x - marks[i].x >= width));
    }
    assert.deepEqual(mergeAt([], 44), []);
});

test('losses of a track in a window; the next one, and round again', () => {
    const losses = { list: [loss(1, 10n, 5n), loss(2, 20n, 7n), loss(1, 30n, 1n)], all: 3, tracks: [], counters: [] };
    assert.deepEqual(lossesIn(losses, 1, 10n, 30n).map((item) => item.count), [5n, 1n]);
    assert.deepEqual(lossesIn(losses, 1, 11n, 29n), []);
    assert.deepEqual(lossesIn(losses, 9, 0n, 99n), []);
    const at = (time, step) => nextLoss(losses.list, time, step)?.timeNs;
    assert.deepEqual([at(0n, 1), at(10n, 1), at(20n, 1), at(30n, 1)], [10n, 20n, 30n, 10n]);
    assert.deepEqual([at(99n, -1), at(30n, -1), at(10n, -1)], [30n, 20n, 30n]);
    assert.equal(nextLoss([], 0n, 1), null);
});

test('the six counters: what is not recorded is no zero', () => {
    const counters = [3n, 0n, null, 0n, 0n, 1n, 9n, 9n];
    const losses = { list: [], all: 0, tracks: [], counters };
    assert.deepEqual(shownLosses(losses).map((item) => item.value), [3n, 0n, null, 0n, 0n, 1n]);
    assert.match(lossSentence(losses), /^3 dropped, 0 overwritten, unknown before the start, /);
    assert.equal(hasLossCounters(losses), true);
    assert.equal(hasLossCounters({ ...losses, counters: counters.map(() => null) }), false);
    assert.equal(hasLossCounters(null), false);
});

test('markers that would lie on one another are one flag with their count', () => {
    const list = [0, 1, 2, 50, 90, 500].map((at) => ({ at, track: 0, name: 1, value: null, count: 1 }));
    const flags = flagsOf(list, (at) => at, 0, 100, 9);
    assert.deepEqual(flags, [{ x: 0, index: 0, count: 3 }, { x: 50, index: 3, count: 1 }, { x: 90, index: 4, count: 1 }]);
    const binned = [{ ...list[0], count: 400 }, { ...list[1], count: 7 }];
    assert.deepEqual(flagsOf(binned, (at) => at, 0, 100, 9), [{ x: 0, index: 0, count: 407 }]);
    assert.deepEqual([...byTrack({ startNs: 0n, list: [list[0], { ...list[1], track: -1 }], all: 2, binned: false }).keys()], [0, -1]);
    assert.equal(instantText('entities', 1080n), 'entities 1,080');
    assert.equal(instantText('entities', 0n), 'entities 0', 'a value of 0 is a value');
    assert.equal(instantText('level loaded', null), 'level loaded');
});

test('metrics and live resources come back from the address; what is not understood is left out', () => {
    const first = firstPlace();
    for (const change of [
        { view: 'metrics' }, { view: 'live' }, { metrics: { ...first.metrics, chosen: 'Graphics/Draw calls & co=1#2' } }, { metrics: { ...first.metrics, sort: { column: 'max', descending: true }, find: 'a b' } },
        { objects: { sort: { column: 'created', descending: false }, find: 'texture', shown: 'kept', chosen: 12 } }, { objects: { ...first.objects, chosen: 0 } },
    ]) {
        const place = { ...first, ...change };
        const text = formatPlace(place);
        assert.deepEqual(parsePlace(`#${text}`), place, text);
        assert.ok(!/[\s<>"]/.test(text), text);
    }
    for (const text of ['metric=', 'metric=%E0%A4%A', 'msort=colour.asc', 'live=-1', 'live=x', 'lshow=dead', 'lsort=format.asc', 'mfind=%E0%A4%A']) {
        assert.deepEqual(parsePlace(text), first, text);
    }
    assert.equal(isStep(first, { ...first, metrics: { ...first.metrics, chosen: 'a' } }), true);
});

test('nothing chosen drops a metric and a live resource, and keeps how they are sorted', () => {
    const first = firstPlace();
    const chosen = { ...first, pass: 3, metrics: { ...first.metrics, find: 'x', chosen: 'a' }, objects: { ...first.objects, chosen: 4 } };
    assert.deepEqual({ ...chosen, ...nothingChosen(chosen) }, { ...first, metrics: { ...first.metrics, find: 'x' } });
    assert.equal(nothingChosen(first).metrics, first.metrics, 'what does not change stays the same');
});

test('a frame of a capture without passes is told by the names of its zones', () => {
    const state = (/** @type {bigint} */ passes) => /** @type {any} */ ({ info: { counts: { passes } } });
    assert.equal(costUnit(state(0n)), 'name');
    assert.equal(costUnit(state(44n)), 'pass');
    assert.equal(costUnit(/** @type {any} */ ({ info: null })), 'pass');
});
