// SPDX-License-Identifier: MIT
/* The frame graph: what hangs on what, the matrix, going about in it. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellAt, inSight, layoutMatrix, LEAN, lifeOf, moveCell, rowOfPass, rowOrder, scopeRuns, scrollTo } from '../../../inspector/model/matrix.js';
import { ACCESS, accessText, culledReason, FrameStructure, versionBytes, versionName } from '../../../inspector/model/structure.js';
import { countRole, reachOf, ROLE } from '../../../inspector/model/structure_reach.js';

const { READS, WRITES, CREATES } = ACCESS;
const pass = (name, more = {}) => ({ name, scope: '', identity: 0, culled: false, sideEffect: false, async: false, failed: false, known: true, refs: 1, gpuNs: 10, cpuNs: -1, row: null, ...more });
const version = (name, number, more = {}) => ({ name, version: number, nth: 0, previous: null, kind: 'texture', transient: true, imported: false, culledOnly: false, bytes: 64n, format: 0,
    size: [2, 4, 4, 1, 1], mips: 1, samples: 1, usage: 0n, producer: null, first: null, last: null, id: 0n, ...more });

/*
 *            0 depth  1 light  2 more light  3 sky  4 debug(culled)  5 tonemap
 * 0 depth v0  creates  reads                  reads  reads
 * 1 hdr v0             creates
 * 2 hdr v1                      writes                               reads
 * 3 stars v0                                  creates
 * 4 view v0                                          creates
 * 5 out v1                                                           writes
 * 6 unused v0
 */
function graph() {
    return new FrameStructure({
        topology: 3, frame: 7, users: 2, declaredBytes: 10n, peakBytes: 5n, unknownBytes: 0,
        passes: [pass('depth', { scope: 'geometry', identity: 20 }), pass('light', { scope: 'lighting/sun', identity: 21 }), pass('more light', { scope: 'lighting/lamps', identity: 22 }), pass('sky', { identity: 23 }),
            pass('debug', { culled: true, identity: 24, refs: 0, gpuNs: -1 }), pass('tonemap', { scope: 'post', identity: 25 })],
        versions: [version('depth', 0, { id: 1n, producer: 0 }), version('hdr', 0, { id: 2n, producer: 1 }), version('hdr', 1, { id: 2n, previous: 1, producer: 2 }), version('stars', 0, { id: 3n, producer: 3 }),
            version('view', 0, { id: 4n, culledOnly: true }), version('out', 1, { id: 5n, imported: true, bytes: -1n }), version('unused', 0, { id: 6n, nth: 1 })],
        edges: [{ pass: 0, resource: 0, access: CREATES }, { pass: 1, resource: 0, access: READS }, { pass: 1, resource: 1, access: CREATES }, { pass: 2, resource: 2, access: WRITES }, { pass: 3, resource: 0, access: READS },
            { pass: 3, resource: 3, access: CREATES }, { pass: 4, resource: 0, access: READS }, { pass: 4, resource: 4, access: CREATES }, { pass: 5, resource: 2, access: READS }, { pass: 5, resource: 5, access: WRITES }],
        orders: [],
    });
}
const roles = (list, role) => [...list].flatMap((item, i) => (item === role ? [i] : []));

test('a pass, a resource and their uses are found by what names them everywhere', () => {
    const structure = graph();
    assert.equal(structure.passOf(23), 3);
    assert.equal(structure.passOf(99), null);
    assert.equal(structure.passOf(null), null);
    assert.deepEqual(structure.keyOf(6), { name: 'unused', version: 0, nth: 1 });
    for (let i = 0; i < structure.versions.length; i++) {
        assert.equal(structure.versionOf(structure.keyOf(i)), i);
    }
    assert.equal(structure.versionOf({ name: 'unused', version: 0, nth: 0 }), null, 'another of the same name is not it');
    assert.deepEqual(structure.inputsOf(5), [2]);
    assert.deepEqual(structure.outputsOf(1), [1]);
    assert.deepEqual(structure.readersOf(0), [1, 3, 4]);
    assert.deepEqual(structure.writersOf(2), [2]);
    assert.deepEqual(structure.chainOf(1), [1, 2]);
    assert.deepEqual(structure.chainOf(2), [1, 2]);
    assert.equal(structure.accessOf(1, 0), READS);
    assert.equal(structure.accessOf(1, 6), 0);
});

test('inputs and outputs go through any number of steps, and through a version that is written over', () => {
    const structure = graph();
    const tonemap = reachOf(structure, 5, null);
    // more light writes over hdr v0, so light, and by it depth, is needed as well; sky and debug are not.
    assert.deepEqual(roles(tonemap.passes, ROLE.INPUT), [0, 1, 2]);
    assert.deepEqual(roles(tonemap.passes, ROLE.OUTPUT), []);
    assert.deepEqual(roles(tonemap.versions, ROLE.INPUT), [0, 1, 2]);
    assert.deepEqual(roles(tonemap.versions, ROLE.OUTPUT), [5]);
    const light = reachOf(structure, 1, null);
    assert.deepEqual(roles(light.passes, ROLE.SELF), [1]);
    assert.deepEqual(roles(light.passes, ROLE.INPUT), [0]);
    assert.deepEqual(roles(light.passes, ROLE.OUTPUT), [2, 5]);
    assert.equal(countRole(light.passes, ROLE.NONE), 2, 'sky and debug have nothing to do with it');
});

test('what is made anew hangs on nothing from before', () => {
    const structure = graph();
    structure.ofPass[2][0].access = WRITES | CREATES;
    assert.deepEqual(roles(reachOf(structure, 5, null).passes, ROLE.INPUT), [2]);
});

test('a circle of a damaged graph ends', () => {
    const structure = graph();
    structure.versions[1].previous = 2;
    structure.versions[2].previous = 1;
    assert.deepEqual(structure.chainOf(1), [1, 2]);
    assert.deepEqual(roles(reachOf(structure, 2, null).passes, ROLE.SELF), [2]);
});

test('a resource shows its versions, who makes it and every reader', () => {
    const structure = graph();
    const reach = reachOf(structure, null, 2);
    assert.deepEqual(roles(reach.versions, ROLE.SELF), [2]);
    assert.deepEqual(roles(reach.versions, ROLE.CHAIN), [1]);
    assert.deepEqual(roles(reach.passes, ROLE.WRITER), [2]);
    assert.deepEqual(roles(reach.passes, ROLE.READER), [5]);
    assert.deepEqual(roles(reach.passes, ROLE.CHAIN), [1]);
    assert.equal(reachOf(structure, null, null).any, false);
});

test('rows are in the order in which the frame comes upon them, what nobody touches is last', () => {
    const structure = graph();
    assert.deepEqual(rowOrder(structure), [0, 1, 2, 3, 4, 5, 6]);
    structure.ofVersion[5] = [{ pass: 0, resource: 5, access: READS }];
    assert.deepEqual(rowOrder(structure), [0, 5, 1, 2, 3, 4, 6]);
    assert.deepEqual(lifeOf(structure, 0), { first: 0, last: 4 });
    assert.equal(lifeOf(structure, 6), null);
    assert.deepEqual(scopeRuns(structure), [{ name: 'geometry', first: 0, last: 0 }, { name: 'lighting', first: 1, last: 2 }, { name: 'post', first: 5, last: 5 }]);
});

test('a point of the matrix is the cell under it, with names that lean', () => {
    const structure = graph();
    const layout = layoutMatrix(structure, rowOrder(structure), 900, 500);
    const none = { x: 0, y: 0 };
    const middle = (row, column) => ({ x: layout.sidePx + (column + 0.5) * layout.columnPx, y: layout.headPx + (row + 0.5) * layout.rowPx });
    for (let row = 0; row < 7; row++) {
        for (let column = 0; column < 6; column++) {
            assert.deepEqual(cellAt(layout, middle(row, column), none), { row, column });
        }
    }
    assert.deepEqual(cellAt(layout, { x: 5, y: middle(3, 0).y }, none), { row: 3, column: -1 });
    assert.equal(cellAt(layout, { x: 5, y: 5 }, none), null, 'the corner is no cell');
    assert.equal(cellAt(layout, { x: layout.sidePx + 6.5 * layout.columnPx, y: layout.headPx + 4 }, none), null);
    // 40 px up a name has gone to the right by 40 / tan(62°).
    const up = { x: middle(0, 2).x + 40 / Math.tan(LEAN), y: layout.namePx - 40 };
    assert.deepEqual(cellAt(layout, up, none), { row: -1, column: 2 });
    assert.deepEqual(cellAt(layout, middle(0, 0), { x: layout.columnPx * 2, y: layout.rowPx * 3 }), { row: 3, column: 2 });
});

test('only what is in sight is drawn, and what is selected comes into sight', () => {
    const count = 500;
    const large = new FrameStructure({ ...graph(), passes: Array.from({ length: 200 }, () => pass('p')), versions: Array.from({ length: count }, (_, i) => version('v', i, { id: BigInt(i) })),
        edges: Array.from({ length: count }, (_, i) => ({ pass: Math.floor((i * 200) / count), resource: i, access: CREATES })) });
    const layout = layoutMatrix(large, rowOrder(large), 974, 400);
    assert.ok(layout.columnPx >= 14, 'cells stay large enough to read');
    const size = { width: 974, height: 400 };
    const sight = inSight(layout, size, { x: 500, y: 1000 });
    assert.ok(sight.lastRow - sight.firstRow < 30 && sight.lastColumn - sight.firstColumn < 80);
    const far = scrollTo(layout, { row: 499, column: 199 }, size, { x: 0, y: 0 });
    const seen = inSight(layout, size, far);
    assert.ok(seen.lastRow >= 500 && seen.lastColumn >= 200);
    assert.deepEqual(scrollTo(layout, { row: seen.firstRow + 1, column: seen.firstColumn + 1 }, size, far), far, 'what is in sight stays where it is');
    assert.equal(rowOfPass(large, layout, 100, size, { x: 0, y: 0 }), 250);
});

test('keys go from cell to cell, and with Shift from use to use', () => {
    const structure = graph();
    const layout = layoutMatrix(structure, rowOrder(structure), 900, 500);
    const go = (row, column, key, jump = false) => moveCell(structure, layout, { row, column }, key, jump);
    assert.deepEqual(go(0, 0, 'ArrowRight'), { row: 0, column: 1 });
    assert.deepEqual(go(0, 1, 'ArrowRight', true), { row: 0, column: 3 });
    assert.deepEqual(go(0, 4, 'ArrowRight', true), { row: 0, column: 4 }, 'behind the last use one stays');
    assert.deepEqual(go(0, 3, 'ArrowDown', true), { row: 3, column: 3 });
    assert.deepEqual(go(6, 5, 'ArrowDown'), { row: 6, column: 5 });
    assert.deepEqual(go(0, 2, 'ArrowUp'), { row: -1, column: 2 });
    assert.deepEqual(go(-1, 0, 'ArrowLeft'), { row: -1, column: 0 }, 'the corner is no place');
    assert.deepEqual(go(3, 3, 'Home'), { row: 3, column: 0 });
    assert.deepEqual(go(3, 3, 'End'), { row: 3, column: 5 });
    assert.equal(go(0, 0, 'a'), null);
});

test('uses, culling and sizes in words', () => {
    assert.equal(accessText(READS), 'reads');
    assert.equal(accessText(READS | WRITES), 'reads and writes');
    assert.equal(accessText(CREATES | WRITES), 'creates');
    assert.equal(accessText(0), '');
    const { passes, versions } = graph();
    assert.match(culledReason(passes[4]), /no pass that was kept reads what it makes/);
    assert.equal(culledReason(passes[0]), '');
    assert.equal(versionName(versions[2]), 'hdr v1');
    assert.equal(versionBytes(versions[5]), 'unknown');
    assert.equal(versionBytes(versions[0]), '64 B');
});
