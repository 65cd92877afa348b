// SPDX-License-Identifier: MIT
/* The list of events: its tree, what is folded, the filter, the words. The order in which matches of the search are gone through. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countMatches, eventLines, FrameEvents, qualityText, workText } from '../../../inspector/model/events.js';
import { firstMatch, ranked } from '../../../inspector/model/search.js';

const event = (kind, depth, name, more = {}) => ({ kind, depth, row: null, name, pass: null, track: null, startNs: 0n, ns: -1, quality: 'none', counts: [0n, 0n, 0n], pipeline: '', ...more });
const bind = (at, name, more = {}) => ({ event: at, kind: 'binding', slot: 'set 0 binding 0', resource: null, name, access: 1, producer: null, text: '', ...more });

function list(draws = 3) {
    return new FrameEvents(5, [
        event('submission', 0, 'submission 0'),
        event('pass', 1, 'shadows', { pass: 0, row: 40, startNs: 1000n, ns: 500 }),
        event('gpu pass', 2, 'shadows', { pass: 0, row: 40, startNs: 1000n, ns: 500 }),
        ...Array.from({ length: draws }, () => event('draw', 3, 'draw indexed', { pass: 0, pipeline: 'depth only' })),
        event('pass', 1, 'lighting', { pass: 1, row: 41, startNs: 1600n, ns: 400 }),
        event('culled', 1, 'debug', { pass: 2 }),
        event('submission', 0, 'submission 1'),
    ], [bind(1, 'shadow atlas'), bind(3, 'vertices')]);
}
const closed = new Set();
const isOpen = (key, first) => (closed.has(key) ? false : first);

test('depths make a tree', () => {
    const events = list();
    assert.deepEqual(events.parents, [null, 0, 1, 2, 2, 2, 0, 0, null]);
    assert.deepEqual(events.ends, [8, 6, 6, 4, 5, 6, 7, 8, 9]);
    assert.equal(new Set(events.keys).size, events.keys.length, 'every event has a key of its own');
    assert.deepEqual(list().keys, events.keys, 'and the same in the next frame');
    assert.equal(events.eventOfPass(2), 7);
    assert.equal(events.eventOfPass(1), 6);
    assert.equal(events.eventOfPass(9), -1);
    assert.equal(events.eventOfRow(41), 6);
    assert.equal(events.eventOfRow(null), -1);
    assert.deepEqual(events.extent(), { startNs: 1000n, endNs: 2000n });
});

test('depths that jump, as of a damaged capture, break nothing', () => {
    const events = new FrameEvents(0, [event('pass', 4, 'a'), event('pass', 9, 'b'), event('pass', 0, 'c')], [bind(77, 'nowhere')]);
    assert.deepEqual(events.parents, [null, 0, null]);
    assert.equal(eventLines(events, isOpen, '').length, 3);
    assert.equal(new FrameEvents(0, [], []).extent(), null);
});

test('long lists of calls are folded at first, and what an event uses always is', () => {
    const few = list(3);
    assert.equal(eventLines(few, isOpen, '').length, 9);
    const many = list(40);
    assert.equal(eventLines(many, isOpen, '').length, 6, 'forty draws are one line with the pass that has them');
    const all = eventLines(many, () => true, '');
    assert.equal(all.length, many.events.length + 2);
    assert.deepEqual(all.slice(1, 4).map((line) => [line.event, line.bind]), [[1, -1], [1, 0], [2, -1]]);
});

test('folding leaves out all that is inside', () => {
    const events = list();
    closed.add(events.keys[1]);
    assert.deepEqual(eventLines(events, isOpen, '').map((line) => line.event), [0, 1, 6, 7, 8]);
    closed.clear();
});

test('a filter finds names, pipelines and what is used, with what they are in', () => {
    const events = list(40);
    const names = (text) => eventLines(events, isOpen, text).map((line) => [line.event, line.match]);
    assert.deepEqual(names('LIGHT'), [[0, false], [43, true]]);
    const pipeline = eventLines(events, isOpen, 'depth only');
    assert.equal(countMatches(pipeline), 40, 'also in what is folded');
    assert.deepEqual(names('vertices'), [[0, false], [1, false], [2, false], [3, true]]);
    assert.deepEqual(names('atlas'), [[0, false], [1, true]]);
    assert.deepEqual(names('nothing like it'), []);
});

test('work says what it counts and unknown is a word', () => {
    const work = (kind, quality, counts, name = '') => workText(event(kind, 0, name, { quality, counts }));
    assert.equal(work('draw', 'encoded', [3n, 1n, 1n], 'draw'), '3 vertices');
    assert.equal(work('draw', 'resolved', [1884160n, 2n, 14n], 'draw indexed indirect'), '1,884,160 indices × 2 · 14 draws');
    assert.equal(work('draw', 'unknown', [0n, 0n, 0n]), 'unknown');
    assert.equal(work('draw', 'none', [0n, 0n, 0n]), '');
    assert.equal(work('dispatch', 'encoded', [160n, 90n, 1n]), '160 × 90 × 1 groups');
    assert.equal(work('copy', 'encoded', [2048n, 0n, 0n]), '2.0 KiB');
    assert.equal(work('wait', 'encoded', [255n, 12n, 0n]), 'value 12 of 0xff');
    assert.equal(qualityText(event('draw', 0, '', { quality: 'unknown' })), 'unknown');
    assert.equal(qualityText(event('wait', 0, '', { quality: 'encoded' })), '');
});

test('the search goes to the device first, and to whole names before parts of them', () => {
    const found = (row, name, track, endNs) => ({ row, name, track, endNs: BigInt(endNs) });
    const gpu = (track) => track === 0;
    const matches = [found(1, 'light', 1, 10), found(2, 'light culling', 0, 20), found(3, 'Light', 0, 30), found(4, 'light', 1, 40), found(5, 'light', 0, 50)];
    const order = ranked(matches, ' light ', gpu);
    assert.deepEqual(order.map((item) => item.row), [3, 5, 2, 1, 4]);
    assert.equal(order[firstMatch(order, 'light', gpu, 35n)].row, 5, 'the first one on screen or behind it');
    assert.equal(order[firstMatch(order, 'light', gpu, 60n)].row, 3, 'else the first');
    assert.equal(firstMatch([], 'light', gpu, 0n), -1);
});
