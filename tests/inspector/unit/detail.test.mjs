// SPDX-License-Identifier: MIT
/* The panel's models: digits that mean something, parts of a pass, why it was culled, why it is slower. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeUnit } from '../../../inspector/model/format.js';
import { changeText, rowOfPass } from '../../../inspector/model/pass_cost.js';
import { readAttachment, readBinding, readCalls, readQueries } from '../../../inspector/model/pass_parts.js';
import { passReason } from '../../../inspector/model/pass_state.js';
import { durationAt, figure, stepOfPeriod } from '../../../inspector/model/precision.js';
import { listText, propertyText, valueText } from '../../../inspector/model/span.js';
import { FrameStructure } from '../../../inspector/model/structure.js';

const property = (key, value, children = [], quality = 'plain') => ({ key, quality, value, children });
const group = (key, ...children) => property(key, { type: 'group' }, children);
const number = (key, integer, quality = 'encoded') => property(key, { type: 'integer', integer: BigInt(integer) }, [], quality);
const word = (key, text) => property(key, { type: 'text', text });
const unknown = (key, quality = 'encoded') => property(key, { type: 'unknown' }, [], quality);

test('a duration has no digit below the step of its clock', () => {
    assert.equal(durationAt(4672, 32), '4.7 µs');
    assert.equal(durationAt(4672, 1), '4.672 µs');
    assert.equal(durationAt(13096, 2574), '13 µs');
    assert.equal(durationAt(1926112, 32), '1.926 ms');
    assert.equal(durationAt(1926112, 100000), '1.9 ms');
    assert.equal(durationAt(48, 32), '64 ns');
    assert.equal(durationAt(0n, 32), '0 ns');
    assert.equal(durationAt(10, 2574), '0 µs');
});

test('a chosen unit is kept, with the digits that the clock has', () => {
    try {
        setTimeUnit('ms');
        assert.equal(durationAt(4672, 1), '0.004672 ms');
        assert.equal(durationAt(4672, 100), '0.0047 ms');
        setTimeUnit('ns');
        assert.equal(durationAt(4672, 1), '4,672 ns');
    } finally {
        setTimeUnit('auto');
    }
});

test('the step of a clock comes from its declared period', () => {
    assert.deepEqual(['1', '32', '625/12', '1/3', '0/0', ''].map(stepOfPeriod), [1, 32, 625 / 12, 1, 1, 1]);
});

test('a quotient bears three digits, a count all of them', () => {
    assert.deepEqual([4.5625, 0.0123456, 1234.5, 0, 99.96].map((value) => figure(value)), ['4.56', '0.0123', '1,235', '0', '100.0']);
    assert.equal(propertyText(property('time per pixel', { type: 'float', float: 1.23456789 }, [], 'derived')), '1.23');
    assert.equal(propertyText(property('ratio', { type: 'float', float: 1.23456789 })), '1.23457');
    assert.equal(valueText({ type: 'object', integer: 17n }), '0x11');
});

test('an attachment is one line, and what it does not say is unknown', () => {
    const full = readAttachment(group('depth', number('format', 126), word('load', 'clear'), word('store', 'store'), number('samples', 1), number('width', 2048), number('height', 2048), property('resource', { type: 'resource', index: 30 })));
    assert.deepEqual(full, { slot: 'depth', resource: 30, shape: 'D32F 2048²', load: 'clear', store: 'store' });
    const bare = readAttachment(group('color', unknown('format', 'plain'), unknown('samples', 'plain'), unknown('width', 'plain'), number('height', 4)));
    assert.deepEqual(bare, { slot: 'color', resource: null, shape: 'unknown', load: 'unknown', store: 'unknown' });
    assert.equal(readAttachment(group('color', number('samples', 4), number('width', 20), number('height', 10))).shape, '20×10 4 samples');
});

test('calls say what they asked for, what came back, and what nobody knows', () => {
    const dispatch = group('dispatch', number('x', 16), number('y', 2), number('z', 1), word('workgroup size', '64 x 1 x 1'), number('invocations', 2048, 'derived'), word('pipeline', 'cull'),
        group('bindings', group('set 0, slot 1 [0]', word('kind', 'storage buffer'), word('name', ''), property('resource', { type: 'object', integer: 17n }), property('offset', { type: 'bytes', integer: 256n }), property('size', { type: 'bytes', integer: 8192n }))));
    const indirect = group('draw indexed indirect', unknown('count'), number('draws at most', 1), word('pipeline', 'casters'));
    const blind = group('dispatch indirect', unknown('count'), unknown('workgroup size', 'plain'), unknown('invocations', 'derived'));
    const calls = readCalls([group('work', number('draw calls', 1), dispatch, indirect, blind), group('resolved', group('work 1, draw 0', number('x', 36, 'resolved'), number('y', 264, 'resolved'), number('z', 0, 'resolved')))]);
    assert.deepEqual(calls.map((call) => [call.name, call.amount, call.quality, call.workgroup, call.invocations]), [
        ['dispatch', '16 × 2 × 1 groups', 'encoded', '64 x 1 x 1', '2,048'],
        ['draw indexed indirect', '36 indices × 264 instances', 'resolved', '', ''],
        ['dispatch indirect', 'unknown', 'unknown', 'unknown', 'unknown'],
    ]);
    assert.deepEqual(calls[0].bindings, [{ slot: 'set 0, slot 1', kind: 'storage buffer', name: '', id: 17n, range: '8.0 KiB at 256 B' }]);
    assert.deepEqual(calls[1].rest.map((item) => item.key), ['draws at most']);
    assert.equal(readBinding(group('set 1, slot 0 [2]', unknown('size', 'plain'))).range, '');
});

test('queries that counted nothing are named apart; an unknown one is none of them', () => {
    const { counted, zero } = readQueries(group('statistics', number('vertex invocations', 3, 'resolved'), number('geometry invocations', 0, 'resolved'), unknown('compute invocations', 'resolved')));
    assert.deepEqual([counted.map((item) => item.key), zero], [['vertex invocations', 'compute invocations'], ['geometry invocations']]);
});

/** @param {object[]} passes @param {[number, number, number][]} edges */
function graphOf(passes, edges) {
    return new FrameStructure(/** @type {any} */ ({ topology: 0, frame: 0, users: 1, declaredBytes: 0n, peakBytes: 0n, unknownBytes: 0, orders: [],
        passes: passes.map((pass, i) => ({ name: `p${i}`, scope: '', identity: i, culled: false, sideEffect: false, async: false, failed: false, known: true, refs: 1, gpuNs: -1, cpuNs: -1, row: null, ...pass })),
        versions: [0, 1].map((i) => ({ name: `v${i}`, version: 0, nth: 0, previous: null, id: BigInt(i) })), edges: edges.map(([pass, resource, access]) => ({ pass, resource, access })) }));
}

test('a culled pass says who does not read it; one that only has no time says so', () => {
    const culled = { culled: true };
    assert.match(passReason(graphOf([culled], [[0, 0, 4]]), 0)[0], /^Culled: nobody reads what it makes/);
    assert.match(passReason(graphOf([culled, culled], [[0, 0, 4], [1, 0, 1]]), 0)[0], /read only by 1 pass that was culled too/);
    assert.match(passReason(graphOf([culled, {}], [[0, 0, 4], [1, 0, 1]]), 0)[0], /although 1 kept pass reads/);
    assert.match(passReason(graphOf([culled], []), 0)[0], /makes no resource/);
    assert.match(passReason(graphOf([{}], []), 0)[0], /no time of it is known/);
    assert.match(passReason(graphOf([{ known: false }], []), 0)[0], /not known/);
    assert.deepEqual(passReason(graphOf([{ row: 3 }], []), 0), []);
});

test('a difference is told only when it is larger than the noise and the step of the clock', () => {
    const row = (change) => ({ name: 'g', scope: '', track: '', state: /** @type {const} */ ('both'), baseRow: 1, newRow: 2, baseCount: 1, newCount: 1, baseNs: 1e6, newNs: 3e6, baseMedianNs: 1e6, newMedianNs: 3e6,
        deltaNs: 2e6, noiseNs: 1e4, cause: /** @type {import('../../../inspector/model/compare.js').Cause} */ ('more work'), unit: 'vertices', baseWork: 10, newWork: 30, baseIdentity: 4, newIdentity: 4, ...change });
    const more = changeText(row({}), 'frame 79', 32);
    assert.equal(more.title, 'Why it is slower than in frame 79');
    assert.match(more.text, /^2\.000 ms more, from 1\.000 ms to 3\.000 ms\. More work: 3\.00× vertices, rate unchanged/);
    assert.match(changeText(row({ deltaNs: 5e3, newNs: 1.005e6 }), 'frame 79', 32).text, /^No difference that counts/);
    assert.match(changeText(row({ deltaNs: 20, newNs: 1e6 + 20, noiseNs: -1 }), 'frame 79', 32).text, /^No difference that counts/);
    assert.match(changeText(row({ deltaNs: -5e5, newNs: 5e5, cause: 'untold', unit: '', newWork: -1 }), 'frame 79', 32).title, /faster/);
    assert.equal(changeText(row({ state: 'culled', newNs: -1 }), 'frame 79', 32).title, 'Against frame 79');
    assert.equal(rowOfPass([row({}), row({ newNs: 9e6, baseIdentity: null }), row({ newIdentity: 5, baseIdentity: 5, newNs: 1e9 })], 4)?.newNs, 9e6);
    assert.equal(rowOfPass([], 4), null);
});

test('lists of plain values are one line, empty ones too; what has names of its own is no list', () => {
    const integer = (key, value) => ({ key, quality: 'plain', value: { type: 'integer', integer: BigInt(value) }, children: [] });
    const group = (key, ...children) => ({ key, quality: 'plain', value: { type: 'group' }, children });
    const shape = group('0', integer('0', 32), integer('1', 3), integer('2', 100352));
    assert.equal(listText(shape), '[32, 3, 100352]', 'a comma inside of a number would be one too many');
    assert.equal(listText(group('Input Dims', shape, group('1'))), '[[32, 3, 100352], []]');
    assert.equal(listText(group('limits', integer('width', 4))), null);
    assert.equal(listText(group('rows', { key: '0', quality: 'plain', value: { type: 'span', row: 4 }, children: [] })), null, 'a span is a link');
    assert.equal(listText(integer('0', 1)), null);
});
