// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPlace, formatPlace, isStep, parsePlace } from '../../../inspector/model/address.js';
import * as frames from '../../../inspector/model/frames.js';
import * as layout from '../../../inspector/model/layout.js';
import { clockTotals, share, sortRows, nextSort, visibleRows } from '../../../inspector/model/table.js';

const place = (change) => ({ ...firstPlace(), ...change });

test('every place survives its way through the address', () => {
    const places = [
        place({}),
        place({ window: { startNs: -9223372036854775808n, fraction: 0, lengthNs: 12.5 }, selected: 0 }),
        place({ window: { startNs: 9_007_199_254_740_993_123n, fraction: 0, lengthNs: 33e6 }, selected: 4294967294, range: { first: 72, last: 88 } }),
        place({ find: 'a & b=c #%/+ü', mark: { by: 'scope', name: 'post/bloom: 1&2' }, folded: [0, 3, 1073741824] }),
        place({ file: 2 }),
        place({ by: 'track', sort: { column: 'p95', descending: false }, budgetUs: 0 }),
    ];
    for (const item of places) {
        assert.deepEqual(parsePlace(`#${formatPlace(item)}`), item);
    }
    assert.equal(formatPlace(firstPlace()), '');
});

test('an address that means nothing is left out, never guessed', () => {
    for (const text of ['t=x', 't=1+0', 't=1+-5', 't=99999999999999999999+1', 'span=-1', 'span=1e3', 'frames=1', 'frames=a:b', 'find=%', 'fold=x,-1', 'by=colour',
        'sort=total', 'sort=colour.asc', 'budget=-1', 'budget=99999999', 'file=0', 'file=x', 'mark=name:', 'mark=x:y', '&&=&a', 'unknown=1']) {
        assert.deepEqual(parsePlace(text), firstPlace(), text);
    }
    assert.deepEqual(parsePlace('frames=9:2').range, { first: 2, last: 9 });
});

test('choices are steps of the back button, moving about is none', () => {
    const window = { startNs: 1n, fraction: 0, lengthNs: 10 };
    assert.equal(isStep(place({}), place({ window })), false);
    assert.equal(isStep(place({ window }), place({ window, selected: 3 })), true);
    assert.equal(isStep(place({}), place({ range: { first: 1, last: 2 } })), true);
});

function table(gpu, flags = {}) {
    const made = frames.emptyFrames(gpu.length);
    gpu.forEach((ns, i) => {
        made.id[i] = BigInt(100 + i);
        made.startNs[i] = BigInt(i) * 16_000_000n;
        made.gpuNs[i] = ns;
        made.cpuNs[i] = ns < 0 ? -1 : ns / 2;
        made.flags[i] = flags[i] ?? 0;
    });
    return made;
}

test('the strip scales to its frames, and one extreme frame does not flatten the rest', () => {
    assert.equal(frames.stripScale(table([10, 10, 30])).cut, false);
    const { topNs, cut, medianNs } = frames.stripScale(table([...Array(99).fill(10), 10000]));
    assert.equal(cut, true);
    assert.ok(topNs < 100);
    assert.equal(medianNs, 10);
    assert.equal(frames.stripScale(table([-1, -1])).topNs, 1);
});

test('columns of the strip keep the largest of the frames that share one', () => {
    const many = table(Array.from({ length: 1000 }, (_, i) => (i === 777 ? 500 : 10)), { 777: frames.FRAME.GPU_HITCH });
    const columns = frames.stripColumns(many, 100);
    assert.equal(columns.length, 100);
    assert.equal(columns[77].gpuNs, 500);
    assert.equal(columns[77].flags, frames.FRAME.GPU_HITCH);
    assert.equal(columns.reduce((sum, column) => sum + column.last - column.first + 1, 0), 1000, 'no frame is left out');
});

test('frames are found by place, by number and by time', () => {
    const made = table([10, 10, 10]);
    assert.equal(frames.frameAtPx(0, 300, 3), 0);
    assert.equal(frames.frameAtPx(299, 300, 3), 2);
    assert.equal(frames.frameAtPx(-50, 300, 3), 0);
    assert.equal(frames.frameAtPx(1, 300, 0), -1);
    assert.equal(frames.frameIndexOf(made, 102n), 2);
    assert.equal(frames.frameIndexOf(made, 7n), -1);
    assert.equal(frames.frameAtTime(made, 15_999_999n), 0);
    assert.equal(frames.frameAtTime(made, 16_000_000n), 1);
    assert.equal(frames.frameAtTime(made, -1n), -1);
});

test('hitches are gone through in a ring, and the worst is known', () => {
    const made = table([10, 40, 10, 90, 10], { 1: 1, 3: 2 });
    assert.equal(frames.worstHitch(made), 3);
    assert.equal(frames.nextHitch(made, 1, 1), 3);
    assert.equal(frames.nextHitch(made, 3, 1), 1);
    assert.equal(frames.nextHitch(made, 1, -1), 3);
    assert.equal(frames.nextHitch(table([1, 1]), 0, 1), -1);
    assert.equal(frames.worstHitch(table([1, 1])), -1);
    const warm = table([900, 10, 10, 10, 10, 10, 40, 60, 10], { 0: 1, 6: 1, 7: 2 });
    assert.equal(frames.longestHitch(warm), 7, 'warming up explains nothing');
    assert.equal(frames.worstHitch(warm), 6, 'the device explains more than the processor');
    assert.equal(frames.worstHitch(table([900, 10, 10, 10, 10, 10, 10, 60], { 0: 1, 7: 2 })), 7);
    assert.equal(frames.worstHitch(table([900, 10, 10, 10, 10, 10, 10], { 0: 1 })), 0, 'unless nothing else hitches');
});

test('percentiles are nearest rank', () => {
    assert.equal(frames.percentile([1, 2, 3, 4], 0.5), 2);
    assert.equal(frames.percentile([1, 2, 3, 4], 0.95), 4);
    assert.equal(frames.percentile([7], 0.5), 7);
    assert.ok(Number.isNaN(frames.percentile([], 0.5)));
    assert.deepEqual([...frames.sortedKnown(Float64Array.of(3, -1, 0, 2))], [0, 2, 3], 'unknown is left out, zero is not');
});

const track = (id, kind, laneCount) => ({ id, kind, name: `track ${id}`, domain: 'host', clock: 0, boundNs: -1, firstLane: id * 10, laneCount, group: id, spans: 1, counter: kind === 'counter' ? id : -1, unit: '' });

test('tracks lie below each other without gap or overlap, folded or not', () => {
    const tracks = layout.orderTracks([track(0, 'counter', 0), track(1, 'cpu', 2), track(2, 'gpu', 3)]);
    assert.deepEqual(tracks.map((item) => item.id), [2, 1, 0]);
    for (const folded of [new Set(), new Set([2]), new Set([0, 1, 2])]) {
        const made = layout.layoutTracks(tracks, folded);
        let y = 0;
        for (const box of made.boxes) {
            assert.equal(box.y, y);
            y += box.height;
            for (const lane of box.lanes) {
                assert.ok(lane.y >= box.bodyY && lane.y + lane.height <= box.y + box.height);
            }
        }
        assert.equal(made.height, y);
    }
});

test('a pointer finds the lane it is on, and the group when the track is folded', () => {
    const tracks = [track(2, 'gpu', 3)];
    const open = layout.layoutTracks(tracks, new Set());
    assert.equal(layout.hitTrack(open, 5)?.head, true);
    assert.equal(layout.hitTrack(open, layout.HEAD_PX + 1 + layout.ROW_PX + 3)?.lane?.lane, 21);
    assert.equal(layout.hitTrack(open, 1e6), null);
    const folded = layout.hitTrack(layout.layoutTracks(tracks, new Set([2])), layout.HEAD_PX / 2);
    assert.deepEqual([folded?.lane?.lane, folded?.lane?.folded, folded?.head], [2, true, false], 'it is one line');
    assert.equal(layout.scrollInto(0, 100, 150, 20), 70);
    assert.equal(layout.clampScroll(999, 300, 100), 200);
    assert.equal(layout.clampScroll(50, 80, 100), 0);
});

const row = (name, totalNs, track_ = '') => ({ key: 1, nameId: 1, name, scope: '', track: track_, count: 1, totalNs, selfNs: totalNs, busyNs: totalNs, minNs: totalNs, medianNs: totalNs, p95Ns: totalNs, maxNs: totalNs, zeros: 0, unfinished: 0, longest: 0 });

test('rows sort by any column, equal ones by name with numbers in their order', () => {
    const rows = [row('mip 10', 5n), row('mip 2', 5n), row('b', 9_007_199_254_740_993n), row('a', 9_007_199_254_740_992n)];
    assert.deepEqual(sortRows(rows, { column: 'total', descending: true }).map((item) => item.name), ['b', 'a', 'mip 2', 'mip 10']);
    assert.deepEqual(sortRows(rows, { column: 'name', descending: false }).map((item) => item.name), ['a', 'b', 'mip 2', 'mip 10']);
    assert.deepEqual(nextSort({ column: 'total', descending: true }, 'total'), { column: 'total', descending: false });
    assert.deepEqual(nextSort({ column: 'total', descending: true }, 'name'), { column: 'name', descending: false });
    assert.equal(share(1n, 3n).toFixed(4), '0.3333');
    assert.equal(share(1n, 0n), 0);
});

test('only rows in sight are made', () => {
    assert.deepEqual(visibleRows(0, 100, 20, 3), { first: 0, last: 3 });
    const { first, last } = visibleRows(20000, 100, 20, 5000);
    assert.ok(first <= 1000 && last >= 1005 && last - first < 30);
    assert.deepEqual(visibleRows(1e6, 100, 20, 10), { first: 10, last: 10 });
});

test('own time is summed for each clock apart, and a share is sorted by the share', () => {
    const row = (name, clock, selfNs) => ({ name, track: '', clock, selfNs });
    const rows = [row('encode', 0, 900n), row('submit', 0, 100n), row('shadows', 1, 30n), row('post', 1, 10n)];
    const totals = clockTotals(rows);
    assert.deepEqual(totals.get(0), { selfNs: 1000n, largestNs: 900n });
    assert.deepEqual(totals.get(1), { selfNs: 40n, largestNs: 30n });
    assert.deepEqual(sortRows(rows, { column: 'share', descending: true }).map((item) => item.name), ['encode', 'shadows', 'post', 'submit']);
});

test('many counters lie under one header, which folds them all', () => {
    const tracks = layout.orderTracks([track(0, 'cpu', 1), ...[1, 2, 3].map((id) => ({ ...track(id, 'counter', 0), low: 0, high: 1 }))]);
    const kinds = (folded) => layout.layoutTracks(tracks, new Set(folded)).boxes.map((box) => box.track.kind);
    assert.deepEqual(kinds([]), ['cpu', 'counters', 'counter', 'counter', 'counter']);
    assert.deepEqual(kinds([layout.COUNTERS_ID]), ['cpu', 'counters']);
    assert.deepEqual(layout.layoutTracks(tracks.slice(0, 3), new Set()).boxes.map((box) => box.track.kind), ['cpu', 'counter', 'counter'], 'two need no header');
});

test('a structure is new once, however often it comes back', () => {
    const none = frames.NO_TOPOLOGY;
    assert.deepEqual([...frames.firstUses(Uint32Array.of(none, 4, 7, 4, 7, none, 9, 4))], [0, 0, 1, 0, 0, 0, 1, 0]);
});
