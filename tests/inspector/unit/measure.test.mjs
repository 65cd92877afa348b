// SPDX-License-Identifier: MIT
/* A measured time says no more than the hand and the clocks know. */

import assert from 'node:assert/strict';
import test from 'node:test';
import { measured, snapTo } from '../../../inspector/model/measure.js';

const track = (id, clock, domain, boundNs) => /** @type {any} */ ({ id, clock, domain, boundNs, name: `track ${id}` });
const cpu = track(0, 0, 'host', -1);
const gpu = track(1, 1, 'calibrated', 2000);
const other = track(2, 2, 'calibrated', 500);
const nominal = track(3, 3, 'nominal', -1);
const at = (timeNs, where, exact = true) => ({ timeNs: BigInt(timeNs), exact, track: where });

test('between ends of spans on one clock a time is exact', () => {
    assert.deepEqual(measured(at(1000, gpu), at(4567, gpu), 100), { text: '3,567 ns', remarks: [] });
    assert.deepEqual(measured(at(4567, gpu), at(1000, { ...gpu, id: 9 }), 100), { text: '3,567 ns', remarks: [] });
});

test('a hand is not more exact than a pixel', () => {
    const { text, remarks } = measured(at(0, gpu, false), at(1_234_567, gpu), 20_000);
    assert.equal(text, 'about 1.23 ms');
    assert.match(remarks[0], /one pixel is 20\.000 µs/);
    assert.equal(measured(at(0, null, false), at(123, null, false), 0.5).text, 'about 123 ns');
});

test('across calibrated clocks the bounds of both are added, and less than that is not claimed', () => {
    assert.equal(measured(at(0, gpu), at(10_000, other), 1).text, '10,000 ns ±2.500 µs');
    assert.equal(measured(at(0, cpu), at(10_000, gpu), 1).text, '10,000 ns ±2.000 µs');
    const small = measured(at(0, gpu), at(2_500, other), 1);
    assert.equal(small.text, 'no more than 5.000 µs');
    assert.match(small.remarks[0], /which came first is not known/);
    assert.equal(measured(at(0, gpu), at(2_501, other), 1).text, '2,501 ns ±2.500 µs');
});

test('nothing is measured across a nominal clock', () => {
    assert.equal(measured(at(0, cpu), at(10_000_000, nominal), 1).text, 'not measured');
    assert.equal(measured(at(0, nominal), at(10, nominal), 1).text, '10 ns');
});

test('near the end of a span the end is meant', () => {
    assert.equal(snapTo(100n, 900n, 105n, 1), 100n);
    assert.equal(snapTo(100n, 900n, 894n, 1), 900n);
    assert.equal(snapTo(100n, 900n, 107n, 1), null);
    assert.equal(snapTo(100n, 900n, 700n, 50), 900n);
});
