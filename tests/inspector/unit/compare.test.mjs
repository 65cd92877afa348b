// SPDX-License-Identifier: MIT
/* What a comparison says, and what is offered for one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrangeRows, causeText, changedWords, COSTLY_FIRST, headline, isClaimed, nextCompareSort, ratioOf, rowName, times } from '../../../inspector/model/compare.js';
import { emptyFrames } from '../../../inspector/model/frames.js';
import { lossesIn, neighbours, notesBetween, notesIn, rangeText, readRange, samePair, suggestions, timeName } from '../../../inspector/model/sides.js';
import { formatPlace, parsePlace } from '../../../inspector/model/address.js';

const row = (more = {}) => ({
    name: 'g-buffer', scope: 'geometry', track: 'graphics', side: 'gpu', ordinal: 0, state: 'both', baseRow: 1, newRow: 2, baseCount: 1, newCount: 1,
    baseNs: 1e6, newNs: 3e6, baseMedianNs: 1e6, newMedianNs: 3e6, deltaNs: 2e6, noiseNs: 1e5, cause: 'untold', unit: '', baseWork: -1, newWork: -1,
    baseIdentity: 0, newIdentity: 0, ...more,
});
const comparison = (more = {}) => ({
    rows: [row()], all: 1, frames: [1, 1], gpuNs: [10e6, 30e6], cpuNs: [5e6, 5e6], topology: [0, 0], graphs: 'same', resources: [], counters: [], ...more,
});

test('a difference is claimed only when it is larger than what is known of its noise', () => {
    assert.ok(isClaimed(row()));
    assert.ok(!isClaimed(row({ noiseNs: 2e6 })), 'as large as the noise is not larger');
    assert.ok(!isClaimed(row({ noiseNs: -1 })), 'unknown noise');
    assert.ok(isClaimed(row({ deltaNs: -2e6 })));
    assert.match(causeText(row({ noiseNs: 5e6, cause: 'noise' })), /within its noise \(±5\.000 ms\)/);
    assert.match(causeText(row({ noiseNs: -1 })), /not known/);
    assert.equal(causeText(row({ deltaNs: 0 })), 'no difference');
    assert.equal(causeText(row({ deltaNs: 0, newNs: -1 })), 'not known on both sides');
});

test('the cause is told in words, with work and rate apart', () => {
    const more = row({ cause: 'more work', unit: 'vertices (counted by the device)', baseWork: 1000, newWork: 2940 });
    assert.equal(causeText(more), 'more work: 2.94× vertices, rate unchanged within 3 %');
    assert.equal(causeText({ ...more, newWork: 2000 }), 'more work: 2.00× vertices, rate 1.50×, no more than it varies');
    assert.match(causeText(more, true), /vertices \(counted by the device\)/);
    assert.equal(causeText(row({ cause: 'slower', unit: 'pixels', baseWork: 5, newWork: 5 })), 'slower rate: 3.00× the time per pixel, work the same');
    assert.equal(causeText(row({ cause: 'more work but faster', unit: 'vertices', baseWork: 1, newWork: 4 })), 'more work but faster: 4.00× vertices, 0.75× the time per vertex');
    assert.equal(causeText(row()), 'not told: no work was recorded');
    assert.equal(causeText(row({ unit: 'draws', baseWork: 4 })), 'not told: draws are not known on both sides');
    assert.match(causeText(row({ state: 'culled', newNs: -1 })), /^culled since/);
});

test('ratios say how far they are from one, and unknown is no ratio', () => {
    assert.equal(times(3), '3.00×');
    assert.equal(times(1.004), '1.004×');
    assert.equal(times(0.056), '0.056×');
    assert.equal(times(1234.5), '1,235×');
    assert.equal(ratioOf(-1, 5), null);
    assert.equal(ratioOf(0, 5), null);
});

test('of two whole traces their lengths are told, and no word of frames', () => {
    const whole = comparison({ frames: [0, 0], gpuNs: [-1, -1], cpuNs: [-1, -1], lengthNs: [1e9, 1.25e9], graphs: 'unknown', whole: true, rows: [row({ noiseNs: -1 })] });
    const said = headline(whole, ['all of file 1', 'all of file 2']);
    assert.equal(said.time + said.change, 'All of file 2: 1.250 s long, against 1.000 s (all of file 1): +250.000 ms, 1.25×.');
    assert.match(said.limits, /one of each/);
    assert.deepEqual([said.graph, said.costly.length, said.tone], ['', 0, 'unknown']);
    assert.doesNotMatch(`${said.time}${said.change}${said.graph}${said.limits}`, /frame/);
    assert.match(headline({ ...whole, lengthNs: [-1, -1] }, ['a', 'b']).time, /On one side at least nothing has a time/);
});

test('a range of time beside frames is told as what it is', () => {
    const mixed = comparison({ frames: [0, 15], gpuNs: [-1, 10e6], cpuNs: [-1, -1], lengthNs: [2e6, -1], graphs: 'unknown', whole: true, rows: [row({ noiseNs: -1 })] });
    const said = headline(mixed, ['+1.000 ms to +3.000 ms', 'frames 65 to 79']);
    assert.equal(said.time, '+1.000 ms to +3.000 ms, 2.000 ms long: its sums beside the means of frames 65 to 79.');
    assert.match(said.limits, /no difference of a row that both sides have is claimed/);
    assert.match(headline({ ...mixed, frames: [1, 0], lengthNs: [-1, 5] }, ['frame 9', '+0 ns to +5 ns']).time, /^\+0 ns to \+5 ns, 5 ns long: its sums beside frame 9\.$/);
});

test('a range of time is a side: named from the first time on, told from frames and from other times, with its own notes', () => {
    const time = { startNs: 500n, endNs: 2500n };
    assert.equal(timeName(time, 1000n), '−500 ns to +1.500 µs');
    const side = { file: 1, first: 0, last: 0 };
    const pair = { base: side, next: { ...side, time } };
    assert.ok(samePair(pair, { base: { ...side }, next: { ...side, time: { ...time } } }));
    assert.ok(!samePair(pair, { base: side, next: side }), 'the first frame is no range of time');
    assert.ok(!samePair(pair, { base: side, next: { ...side, time: { startNs: 500n, endNs: 2501n } } }));
    const marks = [{ frame: 0, timeNs: 499n }, { frame: 4, timeNs: 500n }, { frame: -1, timeNs: 2499n }, { frame: -1, timeNs: 2500n }];
    assert.deepEqual(notesIn(marks, pair.next), [marks[1], marks[2]]);
    assert.deepEqual(notesIn(marks, pair.base), [marks[0]]);
});

test('the headline names the time, the graph, what it is most, and its limits', () => {
    const rows = [row(), row({ name: 'sky', deltaNs: 5e6 }), row({ name: 'ui', deltaNs: -4e6 }), row({ name: 'encode', side: 'cpu', deltaNs: 9e6 }), row({ name: 'fog', deltaNs: 1e4 })];
    const said = headline(comparison({ rows }), ['frame 40', 'frame 80']);
    assert.equal(said.time + said.change, 'Frame 80: 30.000 ms on the GPU, against 10.000 ms (frame 40): +20.000 ms, 3.00×.');
    assert.equal(said.tone, 'slower');
    assert.deepEqual(said.costly.map((item) => item.name), ['sky', 'g-buffer'], 'GPU rows in the direction of the whole, none within the noise');
    assert.match(said.limits, /One frame on each side/);
    assert.match(said.limits, /1 row differs by less than it varies anyway/);
    const unknown = headline(comparison({ gpuNs: [-1, 30e6], cpuNs: [-1, -1] }), ['a', 'b']);
    assert.match(unknown.time, /not known on both sides/);
    assert.equal(unknown.change, '');
    assert.match(headline(comparison({ gpuNs: [-1, -1] }), ['a', 'b']).time, /on the CPU \(GPU times are not known/);
    const differ = headline(comparison({ graphs: 'differ', rows: [row({ state: 'added' }), row({ state: 'added', side: 'cpu' }), row({ name: 'x', state: 'culled' })] }), ['a', 'b']);
    assert.equal(differ.graph, 'The frame graphs differ: 1 added, 1 culled since.');
    assert.match(headline(comparison({ frames: [15, 1] }), ['frames 1 to 15', 'frame 16']).time, /\(mean of frames 1 to 15\)/);
});

test('rows are sorted by what they cost, filtered by name, and left out when nothing is claimed', () => {
    const rows = [row({ name: 'b', deltaNs: 1e6 }), row({ name: 'a', deltaNs: -3e6 }), row({ name: 'c', deltaNs: 1e3 }), row({ name: 'd', deltaNs: 1, state: 'added' })];
    const names = (sort, filter) => arrangeRows(rows, sort, { find: '', claimed: false, ...filter }).map((item) => item.name).join('');
    assert.equal(names(COSTLY_FIRST), 'abcd');
    assert.equal(names({ column: 'name', descending: false }), 'abcd');
    assert.equal(names({ column: 'delta', descending: false }), 'dcba');
    assert.equal(names(COSTLY_FIRST, { claimed: true }), 'abd', 'what was added stays');
    assert.equal(names(COSTLY_FIRST, { find: 'GEOMETRY/b' }), 'b');
    assert.deepEqual(nextCompareSort(COSTLY_FIRST, 'delta'), { column: 'delta', descending: false });
    assert.equal(nextCompareSort(COSTLY_FIRST, 'cause').descending, false);
    assert.equal(rowName(row({ ordinal: 2 })), 'g-buffer #3');
});

test('of two descriptions only what differs is left', () => {
    assert.deepEqual(changedWords('D32F 4096 x 4096, transient', 'D32F 2048 x 2048, transient'), { base: 'D32F 4096 x 4096', next: 'D32F 2048 x 2048' });
    assert.deepEqual(changedWords('buffer', 'buffer'), { base: '', next: '' });
});

/** Frames 100, 101, ...: a hitch, new structures, losses where the lists say. */
function frames(count, { hitches = [], fresh = [], dropped = [] } = {}) {
    const table = emptyFrames(count);
    table.detail = { topology: new Uint32Array(count), fresh: new Uint8Array(count) };
    for (let i = 0; i < count; i++) {
        table.id[i] = BigInt(100 + i);
        table.gpuNs[i] = 1e6;
    }
    hitches.forEach((i) => { table.flags[i] = 1; table.gpuNs[i] = 5e6; });
    fresh.forEach((i) => { table.detail.fresh[i] = 1; });
    dropped.forEach((i) => { table.dropped[i] = 2; });
    return table;
}

test('frames are read as somebody writes them, and refused with a reason', () => {
    const table = frames(50);
    assert.deepEqual(readRange(table, '140').range, { first: 40, last: 40 });
    for (const text of ['110-120', '110:120', 'frames 110 to 120', ' 120 - 110 ', '110..120']) {
        assert.deepEqual(readRange(table, text).range, { first: 10, last: 20 }, text);
    }
    assert.deepEqual(readRange(table, 'all').range, { first: 0, last: 49 });
    assert.match(readRange(table, '7').problem, /no frame 7: this capture has 100 to 149/);
    assert.match(readRange(table, 'ten').problem, /write one frame as 40/);
    assert.match(readRange(frames(0), '1').problem, /no frames/);
    assert.deepEqual(readRange(frames(0), 'all').range, { first: 0, last: 0 }, 'all of a trace without frames');
    assert.equal(rangeText(frames(0), { first: 0, last: 0 }), 'all');
    assert.equal(rangeText(table, { first: 0, last: 49 }), 'all');
    assert.equal(rangeText(table, { first: 1, last: 3 }), '101-103');
});

test('a hitch is offered beside ordinary frames, a new structure with both of its sides', () => {
    const table = frames(60, { hitches: [40], fresh: [1, 2, 20, 21] });
    assert.deepEqual(neighbours(table, { first: 40, last: 40 }), { first: 25, last: 39 });
    assert.deepEqual(neighbours(table, { first: 24, last: 24 }), { first: 21, last: 23 }, 'not beyond a new structure');
    const list = suggestions({ file: 1, frames: table, marks: [{ frame: 50 }, { frame: 40 }], range: null, files: [{ label: 'a', frames: 60 }] });
    assert.deepEqual(list.map((item) => item.key), ['hitch', 'change-20', 'note-50'], 'warm-up is no change, the hitch\'s note is not offered twice');
    assert.deepEqual(list[1].pair, { base: { file: 1, first: 5, last: 19 }, next: { file: 1, first: 20, last: 34 } });
    const two = suggestions({ file: 2, frames: table, marks: [], range: null, files: [{ label: 'a', frames: 9 }, { label: 'b', frames: 60 }] });
    assert.deepEqual(two[0].pair, { base: { file: 1, first: 0, last: 8 }, next: { file: 2, first: 0, last: 59 } });
    const chosen = suggestions({ file: 1, frames: table, marks: [], range: { first: 30, last: 30 }, files: [] });
    assert.deepEqual(chosen[0].pair.next, { file: 1, first: 30, last: 30 });
    assert.deepEqual(suggestions({ file: 1, frames: frames(1), marks: [], range: null, files: [] }), []);
    assert.equal(suggestions({ file: 1, frames: frames(10), marks: [], range: null, files: [] })[0].key, 'halves');
});

test('notes between the sides are found in either order, losses are summed', () => {
    const marks = [{ frame: 3 }, { frame: 10 }, { frame: -1 }];
    const pair = { base: { file: 1, first: 9, last: 12 }, next: { file: 1, first: 4, last: 4 } };
    assert.deepEqual(notesBetween(marks, pair), [{ frame: 10 }]);
    assert.deepEqual(lossesIn(frames(10, { dropped: [2, 3, 8] }), { first: 2, last: 5 }), { dropped: 4, unmeasured: 0 });
    assert.ok(samePair(pair, structuredClone(pair)));
    assert.ok(!samePair(pair, null));
});

test('the address keeps what is compared and how', () => {
    const place = { ...parsePlace('view=compare&cmp=1:40:40,2:80:99&cmpby=scope&cmpsort=name.asc&cmponly=claimed') };
    assert.deepEqual(place.compare, { base: { file: 1, first: 40, last: 40 }, next: { file: 2, first: 80, last: 99 } });
    assert.equal(place.compareBy, 'scope');
    assert.deepEqual(place.compareSort, { column: 'name', descending: false });
    assert.equal(place.compareClaimed, true);
    assert.equal(formatPlace(place), 'view=compare&cmp=1:40:40,2:80:99&cmpby=scope&cmpsort=name.asc&cmponly=claimed');
    assert.equal(formatPlace(parsePlace('cmpby=x&cmpsort=y.asc&cmponly=z')), '');
});
