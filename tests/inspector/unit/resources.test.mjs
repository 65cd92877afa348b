// SPDX-License-Identifier: MIT
/* Declared memory: lifetimes, peaks, what could share memory, memory over the frames. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliveTogether, findAliasing } from '../../../inspector/model/aliasing.js';
import { firstPlace, formatPlace, parsePlace } from '../../../inspector/model/address.js';
import { emptyFrames } from '../../../inspector/model/frames.js';
import * as memory from '../../../inspector/model/memory.js';
import { byteMarks, counterByFrame, declaredByFrame, historyScale } from '../../../inspector/model/memory_history.js';
import { usageWords } from '../../../inspector/model/vulkan_usage.js';

const [READS, WRITES, CREATES] = [1, 2, 4];
const KiB = 1024n;

/** @param {string} name @param {number} id @param {object} [change] */
const version = (name, id, change = {}) => ({ name, version: 0, kind: 'texture', transient: true, imported: false, culledOnly: false, bytes: 64n * KiB, format: 37,
    size: [2, 128, 128, 1, 1], mips: 1, samples: 1, usage: 0x14n, id: BigInt(id), ...change });
/** @param {number} count @param {object[]} versions @param {[number, number, number][]} edges pass, version, access */
const graph = (count, versions, edges) => ({ passes: Array.from({ length: count }, () => ({ async: false, culled: false })), versions,
    edges: edges.map(([pass, resource, access]) => ({ pass, resource, access })) });
const names = (groups) => groups.map((group) => group.name);

test('all versions of a resource share its memory: counted once, at the largest, from the first use to the last', () => {
    const shape = graph(6, [version('a', 7), version('b', 8, { bytes: KiB }), version('a', 7, { version: 1, bytes: 96n * KiB })],
        [[1, 0, CREATES], [2, 0, READS], [3, 2, WRITES], [4, 2, READS], [0, 1, CREATES], [5, 1, READS]]);
    const groups = memory.groupResources(shape);
    assert.equal(groups.length, 2);
    const [a] = groups;
    assert.deepEqual([a.versions, a.bytes, a.first, a.last, a.firstWriter, a.lastReader], [[0, 2], 96n * KiB, 1, 4, 1, 4]);
    const curve = memory.aliveCurve(groups, 6);
    assert.deepEqual([...curve.bytes].map((bytes) => bytes / 1024), [1, 97, 97, 97, 97, 1]);
    assert.deepEqual([curve.peak, curve.peakPass, curve.declared, curve.unknown], [97n * KiB, 1, 97n * KiB, 0]);
});

test('what is imported lives all the time; what nobody touches is declared and never alive', () => {
    const shape = graph(4, [version('in', 1, { imported: true, transient: false }), version('idle', 2)], [[2, 0, READS]]);
    const [imported, idle] = memory.groupResources(shape);
    assert.deepEqual([imported.first, imported.last, idle.first, idle.last], [0, 3, -1, -1]);
    const curve = memory.aliveCurve([imported, idle], 4);
    assert.deepEqual([...curve.bytes], [65536, 65536, 65536, 65536]);
    assert.equal(curve.declared, 128n * KiB);
    assert.equal(imported.inherits, true);
});

test('a resource of unknown size is in no sum and counted apart, and 0 is a size', () => {
    const shape = graph(2, [version('x', 1, { bytes: -1n }), version('none', 2, { bytes: 0n }), version('y', 3)], [[0, 0, CREATES], [0, 1, CREATES], [1, 2, CREATES]]);
    const curve = memory.aliveCurve(memory.groupResources(shape), 2);
    assert.deepEqual([curve.unknown, curve.declared, curve.peak, curve.peakPass], [1, 64n * KiB, 64n * KiB, 1]);
    const partly = memory.groupResources(graph(1, [version('z', 4, { bytes: -1n }), version('z', 4, { version: 1 })], [[0, 0, CREATES]]));
    assert.equal(partly[0].bytes, 64n * KiB);
});

test('sums are exact beyond what a double holds', () => {
    const big = (1n << 53n) + 1n;
    const curve = memory.aliveCurve(memory.groupResources(graph(1, [version('a', 1, { bytes: big }), version('b', 2, { bytes: big })], [[0, 0, CREATES], [0, 1, CREATES]])), 1);
    assert.equal(curve.peak, 2n * big);
});

test('the lifetime without culled passes is told beside the declared one', () => {
    const shape = graph(4, [version('a', 1)], [[0, 0, CREATES], [1, 0, READS], [3, 0, READS]]);
    shape.passes[3].culled = true;
    const [a] = memory.groupResources(shape);
    assert.deepEqual([a.first, a.last, a.keptFirst, a.keptLast], [0, 3, 0, 1]);
    shape.passes.forEach((pass) => { pass.culled = true; });
    assert.deepEqual(memory.groupResources(shape).map((group) => [group.keptFirst, group.keptLast]), [[-1, -1]]);
});

test('rows sort both ways, with what is not known last, and filter by every word', () => {
    const groups = memory.groupResources(graph(3, [version('mip 10', 1), version('mip 2', 2, { bytes: -1n, kind: 'buffer', format: 0, usage: 0x100n, size: [0, 0, 0, 0, 0] }), version('big', 3, { bytes: 1n << 40n, imported: true })],
        [[0, 0, CREATES], [1, 1, CREATES]]));
    const sorted = (column, descending) => names(memory.sortGroups(groups, { column, descending }));
    assert.deepEqual(sorted('bytes', true), ['big', 'mip 10', 'mip 2']);
    assert.deepEqual(sorted('bytes', false), ['mip 10', 'big', 'mip 2']);
    assert.deepEqual(sorted('name', false), ['big', 'mip 2', 'mip 10']);
    assert.deepEqual(sorted('writer', true), ['mip 2', 'mip 10', 'big']);
    for (const column of memory.RESOURCE_COLUMNS) {
        assert.equal(sorted(column, true).length, 3);
    }
    assert.deepEqual(names(memory.filterGroups(groups, 'INDIRECT mip')), ['mip 2']);
    assert.deepEqual(names(memory.filterGroups(groups, 'imported')), ['big']);
    assert.deepEqual(names(memory.filterGroups(groups, 'indirect big')), []);
    assert.deepEqual(memory.nextResourceSort({ column: 'bytes', descending: true }, 'name'), { column: 'name', descending: false });
    assert.deepEqual(memory.nextResourceSort({ column: 'name', descending: false }, 'bytes'), { column: 'bytes', descending: true });
});

test('only transient resources of known size that are never alive together share a block', () => {
    const shape = graph(6, [version('a', 1), version('b', 2, { bytes: 48n * KiB }), version('c', 3, { bytes: 32n * KiB }), version('kept', 4, { transient: false }), version('old', 5), version('blind', 6, { bytes: -1n })],
        [[0, 0, CREATES], [2, 0, READS], [3, 1, CREATES], [5, 1, READS], [2, 2, CREATES], [3, 2, READS], [0, 3, CREATES], [4, 4, READS], [5, 5, CREATES]]);
    const aliasing = findAliasing(memory.groupResources(shape), 6);
    assert.deepEqual(aliasing.blocks.map((block) => names(block.members)), [['a', 'b']]);
    assert.deepEqual([aliasing.blocks[0].bytes, aliasing.savedBytes, aliasing.candidateBytes, aliasing.floorBytes], [64n * KiB, 48n * KiB, 144n * KiB, 96n * KiB]);
    assert.deepEqual(aliasing.left, { unknown: 1, inherits: 1, async: 0, culled: 0 });
    shape.passes[5].async = true;
    assert.deepEqual(findAliasing(memory.groupResources(shape), 6).blocks, []);
});

test('over many graphs no two members of a block are ever alive together, and no saving is larger than what can be saved', () => {
    let seed = 11;
    const random = (/** @type {number} */ n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed % n; };
    for (let round = 0; round < 200; round++) {
        const passes = 1 + random(20);
        const versions = Array.from({ length: random(24) }, (_, i) => version(`r${i}`, i, { bytes: BigInt(random(9)) * KiB }));
        const edges = versions.flatMap((_, i) => { const at = random(passes); return [[at, i, CREATES], [at + random(passes - at), i, READS]]; });
        const aliasing = findAliasing(memory.groupResources(graph(passes, versions, /** @type {any} */ (edges))), passes);
        for (const { members, bytes, savedBytes } of aliasing.blocks) {
            assert.equal(bytes, members.reduce((most, member) => (member.bytes > most ? member.bytes : most), 0n));
            assert.equal(savedBytes, members.reduce((sum, member) => sum + member.bytes, 0n) - bytes);
            members.forEach((a, i) => members.slice(i + 1).forEach((b) => assert.equal(aliveTogether(a, b), false)));
        }
        assert.ok(aliasing.candidateBytes - aliasing.savedBytes >= aliasing.floorBytes);
    }
});

test('usage is words, and a bit without one is told as its number', () => {
    assert.deepEqual(usageWords('texture', 0x16n), ['copied to', 'sampled', 'color target']);
    assert.deepEqual(usageWords('buffer', 0x120n), ['storage', 'indirect']);
    assert.deepEqual(usageWords('buffer', 1n << 40n), ['bit 40']);
    assert.deepEqual(usageWords('texture', 0n), []);
});

test('memory of a frame is what holds at its end; before the first sample nothing is known', () => {
    const frames = emptyFrames(4);
    frames.startNs.set([1000n, 2000n, 3000n, 4000n]);
    const counter = { counter: 0, startNs: 1000n, exact: true, low: 0, high: 0, time: Float64Array.from([1500, 1600, 3500]), value: Float64Array.from([7, 9, 11]), least: null, most: null };
    assert.deepEqual([...counterByFrame(frames, counter, 5000n)], [NaN, 9, 9, 11]);
});

test('frames without a graph, and graphs of unknown size, stay unknown', () => {
    const frames = emptyFrames(3);
    frames.detail = /** @type {any} */ ({ topology: Uint32Array.from([1, 0xffffffff, 0]) });
    const { declared, peak, unknown } = declaredByFrame(frames, { declared: [-1n, 100n], peak: [-1n, 60n], unknown: Uint32Array.from([4, 2]) });
    assert.deepEqual([[...declared], [...peak], [...unknown]], [[100, NaN, NaN], [60, NaN, NaN], [2, 0, 4]]);
});

test('a budget far above everything does not flatten it; marks are round amounts', () => {
    const history = { declared: Float64Array.from([100, NaN]), peak: Float64Array.from([60, NaN]), unknown: new Uint32Array(2), used: Float64Array.from([90, 95]), budget: Float64Array.from([1e6, 1e6]) };
    assert.equal(historyScale(history).budgetFits, false);
    assert.ok(historyScale(history).top < 200);
    assert.equal(historyScale({ ...history, budget: Float64Array.from([NaN, 250]) }).budgetFits, true);
    assert.deepEqual(byteMarks(300 * 1024 * 1024, 3), [0, 128 * 1024 * 1024, 256 * 1024 * 1024]);
    assert.equal(byteMarks(1, 3)[0], 0);
});

test('sorting and filtering of resources survive the address', () => {
    const place = { ...firstPlace(), view: /** @type {const} */ ('resources'), resourceSort: { column: /** @type {const} */ ('life'), descending: false }, resourceFind: 'a&b =', sharing: true };
    assert.deepEqual(parsePlace(formatPlace(place)), place);
    for (const text of ['rsort=colour.asc', 'rsort=bytes', 'rshow=x', 'rfind=%']) {
        assert.deepEqual(parsePlace(text), firstPlace(), text);
    }
});
