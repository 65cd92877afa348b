// SPDX-License-Identifier: MIT
// @ts-check
/* Nodes of a detailed capture: their own times, and what is told of each. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bySelf, nodeFacts, nodesOf, nodeTitle, selfOf } from '../../../inspector/model/nodes.js';

/** @param {number} row @param {number} lane @param {number} begin @param {number} end */
const span = (row, lane, begin, end) => ({ row, name: row, lane, begin, end });
const name = (/** @type {number} */ id) => `n${id}`;

test('own times are less those of the nodes right inside, whatever order spans come in', () => {
    const spans = [span(3, 2, 12, 15), span(1, 1, 10, 20), span(0, 0, 0, 100), span(2, 1, 30, 70), span(4, 0, 100, 110)];
    const nodes = nodesOf(spans, 5, name);
    assert.deepEqual(nodes.map(({ row, selfNs, totalNs, depth }) => [row, selfNs, totalNs, depth]), [[0, 50, 100, 0], [1, 7, 10, 1], [3, 3, 3, 2], [2, 40, 40, 1], [4, 10, 10, 0]]);
    assert.equal(nodes.reduce((sum, { selfNs }) => sum + selfNs, 0), 110, 'nothing is counted twice');
    assert.deepEqual(bySelf(nodes).map(({ row }) => row), [0, 2, 4, 1, 3]);
});

test('a node that takes as long as the one around it is inside of it, by its lane', () => {
    const nodes = nodesOf([span(1, 1, 0, 10), span(0, 0, 0, 10), span(2, 1, 10, 10)], 0, name);
    assert.deepEqual(nodes.map(({ row, selfNs, depth }) => [row, selfNs, depth]), [[0, 0, 0], [1, 10, 1], [2, 0, 0]]);
});

test('what several nodes inside cover is taken off once, and those without length take nothing', () => {
    const spans = [span(0, 0, 0, 100), span(1, 1, 10, 40), span(2, 2, 30, 60), span(3, 3, 35, 38), span(4, 1, 60, 60), span(5, 1, 70, 70), span(6, 1, 80, 90), span(7, 2, 80, 85)];
    const nodes = nodesOf(spans, 0, name);
    assert.deepEqual(nodes.map(({ row, selfNs, depth }) => [row, selfNs, depth]),
        [[0, 40, 0], [1, 30, 1], [2, 27, 1], [3, 3, 2], [4, 0, 1], [5, 0, 1], [6, 5, 1], [7, 5, 2]]);
    const apart = nodesOf([span(0, 0, 0, 100), span(1, 1, 10, 30), span(2, 2, 20, 50), span(3, 1, 50, 70), span(4, 2, 60, 65)], 0, name);
    assert.deepEqual(apart.map(({ row, selfNs }) => [row, selfNs]), [[0, 40], [1, 20], [2, 30], [3, 15], [4, 5]]);
});

test('nesting and own times are the engine\'s: the latest that holds a span is around it, and nanoseconds that no direct child has are its own', () => {
    let seed = 7;
    const below = (/** @type {number} */ limit) => (seed = (seed * 16807) % 2147483647) % limit;
    for (let round = 0; round < 200; round++) {
        const spans = Array.from({ length: 12 }, () => ({ begin: below(30), length: below(12) }))
            .sort((a, b) => a.begin - b.begin || b.length - a.length).map(({ begin, length }, row) => span(row, 0, begin, begin + length));
        const parents = spans.map(({ row, begin, end }) => spans.slice(0, row).findLastIndex((other) => other.end >= end && other.end > begin));
        const own = spans.map(({ row, begin, end }) => Array.from({ length: end - begin }, (_, i) => begin + i)
            .filter((ns) => !spans.some((child) => parents[child.row] === row && child.begin <= ns && ns < child.end)).length);
        assert.deepEqual(nodesOf(spans, 0, name).map(({ selfNs }) => selfNs), own);
    }
});

test('what the recorder measured of its own goes before what nesting comes to', () => {
    const [node] = nodesOf([span(0, 0, 0, 100)], 0, name);
    const facts = nodeFacts([{ key: 'self ns', quality: 'plain', value: { type: 'integer', integer: 60n }, children: [] }]);
    assert.deepEqual([selfOf(node), selfOf(node, nodeFacts([])), selfOf(node, facts)], [100, 100, 60]);
    assert.match(nodeTitle(node, facts), /^n0: 100 ns, of its own 60 ns$/);
});

test('what a capture says of a node is told apart from its attributes', () => {
    const integer = (/** @type {string} */ key, /** @type {bigint} */ value) =>
        ({ key, quality: /** @type {const} */ ('plain'), value: { type: /** @type {const} */ ('integer'), integer: value }, children: [] });
    const culled = { key: 'culled', quality: /** @type {const} */ ('plain'), value: { type: /** @type {const} */ ('text'), text: 'yes' }, children: [] };
    const facts = nodeFacts([integer('id', 7n), integer('self ns', 3n), integer('draws', 5n), integer('self draws', 2n), culled, integer('fills', 4n)]);
    assert.deepEqual(facts, { id: '7', selfNs: 3, draws: '5 (2)', culled: true, rest: 'fills 4' });
    assert.deepEqual(nodeFacts([integer('draws', 5n), integer('self draws', 5n)]), { id: '', selfNs: null, draws: '5', culled: false, rest: '' });
    assert.deepEqual(nodeFacts([]), { id: '', selfNs: null, draws: '', culled: false, rest: '' });
});
