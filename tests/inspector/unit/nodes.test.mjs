// SPDX-License-Identifier: MIT
// @ts-check
/* Nodes of a detailed capture: their own times, and what is told of each. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bySelf, nodeFacts, nodesOf } from '../../../inspector/model/nodes.js';

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

test('what a capture says of a node is told apart from its attributes', () => {
    const integer = (/** @type {string} */ key, /** @type {bigint} */ value) =>
        ({ key, quality: /** @type {const} */ ('plain'), value: { type: /** @type {const} */ ('integer'), integer: value }, children: [] });
    const culled = { key: 'culled', quality: /** @type {const} */ ('plain'), value: { type: /** @type {const} */ ('text'), text: 'yes' }, children: [] };
    const facts = nodeFacts([integer('id', 7n), integer('self ns', 3n), integer('draws', 5n), integer('self draws', 2n), culled, integer('fills', 4n)]);
    assert.deepEqual(facts, { id: '7', draws: '5 (2)', culled: true, rest: 'fills 4' });
    assert.deepEqual(nodeFacts([integer('draws', 5n), integer('self draws', 5n)]), { id: '', draws: '5', culled: false, rest: '' });
    assert.deepEqual(nodeFacts([]), { id: '', draws: '', culled: false, rest: '' });
});
