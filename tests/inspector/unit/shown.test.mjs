// SPDX-License-Identifier: MIT
/* How times and colours are shown on request: one unit for the page, what a colour tells. */

import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import { duration, setTimeUnit, shortDuration } from '../../../inspector/model/format.js';
import { tickLabel } from '../../../inspector/model/ruler.js';
import { columnUnit } from '../../../inspector/model/table.js';
import { COST_SHARES, costLabel, costStep, outermostScope } from '../../../inspector/model/colouring.js';
import { spanColours } from '../../../inspector/draw/span_colours.js';

afterEach(() => setTimeUnit('auto'));

test('one chosen unit is used for every time, with every digit', () => {
    assert.equal(duration(1_234_567n), '1.235 ms');
    setTimeUnit('ms');
    assert.equal(duration(1_234_567n), '1.234567 ms');
    assert.equal(duration(999), '0.000999 ms');
    setTimeUnit('us');
    assert.equal(duration(12_345_678n), '12,345.678 µs');
    setTimeUnit('ns');
    assert.equal(duration(12_345_678n), '12,345,678 ns');
    assert.equal(duration(5_000_000_000n), '5,000,000,000 ns');
});

test('a bound stays readable whatever unit was chosen', () => {
    setTimeUnit('ms');
    assert.equal(shortDuration(2_870), '2.87 µs');
});

test('columns and the ruler follow', () => {
    assert.equal(columnUnit([5_000_000n]).name, 'ms');
    setTimeUnit('us');
    assert.equal(columnUnit([5_000_000n]).name, 'µs');
    assert.equal(columnUnit([5_000_000n]).text(5_000_001n), '5,000.001');
    assert.equal(tickLabel(20_000_000, 10_000_000, 100_000_000), '20,000 µs');
    setTimeUnit('ns');
    assert.equal(columnUnit([5_000_000n]).text(5_000_001n), '5,000,001');
});

test('cost is a share of the frame budget, in steps that rise', () => {
    const budget = 10_000_000;
    assert.equal(costStep(0, budget), 0);
    assert.equal(costStep(99_999, budget), 0);
    assert.equal(costStep(100_000, budget), 1);
    assert.equal(costStep(1_999_999, budget), 4);
    assert.equal(costStep(2_000_000, budget), 5);
    assert.equal(costStep(1e12, budget), COST_SHARES.length - 1);
    assert.deepEqual([0, 1, 5].map(costLabel), ['under 1 % of the budget', '1 % to 2 %', '20 % and more']);
    assert.equal(outermostScope('shadows/cascade 2'), 'shadows');
    assert.equal(outermostScope(''), '');
});

const palette = /** @type {any} */ ({
    rgb: { ground: [0, 0, 0] }, neutral: [0.5, 0.5, 0.5],
    hues: Array.from({ length: 10 }, (_, i) => [i / 10, 0, 0]), heat: COST_SHARES.map((_, i) => [0, i / 10, 0]),
});
const names = ['', 'shadows/cascade 0', 'shadows/cascade 1', 'post'];
const columns = /** @type {any} */ ({ name: [1, 2, 3], scope: [1, 2, 0], origin: [4, 0xffffffff, 14] });
const track = /** @type {any} */ ({ id: 3, name: 'graphics' });
const colours = (/** @type {any} */ mode) => spanColours(palette, mode, 1e7, (id) => names[id]);

test('colouring by scope joins what lies in one outermost scope', () => {
    const by = colours('scope');
    const [a, b, none] = [0, 1, 2].map((i) => by.of(columns, i, 1, track, 0, false));
    assert.equal(a, b);
    assert.notEqual(a, none);
    assert.deepEqual(by.legend().map((entry) => entry.label), ['shadows', 'no scope']);
});

test('colouring by pool, queue and cost names what was coloured', () => {
    const pool = colours('pool');
    [0, 1, 2].forEach((i) => pool.of(columns, i, 1, track, 0, false));
    assert.deepEqual(pool.legend().map((entry) => entry.label), ['pool 4', 'pool 14', 'not from a query pool']);
    const queue = colours('queue');
    assert.equal(queue.of(columns, 0, 1, track, 0, false), queue.of(columns, 2, 1, track, 0, false));
    assert.deepEqual(queue.legend().map((entry) => entry.label), ['graphics']);
    const cost = colours('cost');
    assert.notEqual(cost.of(columns, 0, 1, track, 0, false), cost.of(columns, 0, 5e6, track, 0, false));
    // Nesting must not look like cost.
    assert.equal(cost.of(columns, 0, 1, track, 0, false), cost.of(columns, 0, 1, track, 3, false));
    assert.equal(cost.legend().length, 2);
    assert.deepEqual(colours('name').legend(), []);
});

test('a column of times has figures that fit it, and what is not zero never looks like it', () => {
    assert.equal(columnUnit([999_999_999n]).text(999_999_999n), '1,000.000');
    assert.equal(columnUnit([1_065_749_000n]).text(1_065_749_000n), '1,065.75', 'milliseconds from a thousand on have two digits');
    assert.deepEqual([60n, 500n, 0n].map(columnUnit([24_000_000n]).text), ['<0.001', '0.001', '0.000']);
});
