// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Instances, PATTERN, STRIDE } from '../../../inspector/draw/instances.js';
import { buildSpans } from '../../../inspector/draw/timeline_scene.js';
import { counterAt, hitLane, MODE, neighbourRow, SPAN } from '../../../inspector/model/lanes.js';
import { foldAll, layoutTracks, orderTracks } from '../../../inspector/model/layout.js';
import { againstMedian, propertyLabel, resourceShape, valueText, warnings } from '../../../inspector/model/span.js';

const BASE = 9_007_199_254_740_993_000n;

/** A view of one lane: spans as [row, begin, end, flags?], bins as [offset, run, row, count, cover]. */
function viewOf(spans, bins = [], mode = MODE.EXACT, group = false) {
    return {
        startNs: BASE,
        endNs: BASE + 1000n,
        widthPx: 100,
        binNs: 8,
        binOriginNs: -4,
        lanes: [{ id: 0, group, mode, binsMode: mode, blend: 255, firstSpan: 0, lastSpan: spans.length, firstBin: 0, lastBin: bins.length }],
        spans: {
            row: Uint32Array.from(spans, (span) => span[0]),
            begin: Float64Array.from(spans, (span) => span[1]),
            end: Float64Array.from(spans, (span) => span[2]),
            name: Uint32Array.from(spans, (span) => span[0]),
            flags: Uint32Array.from(spans, (span) => span[3] ?? 0),
            scope: new Uint32Array(0),
            origin: new Uint32Array(0),
            tint: new Uint8Array(0),
        },
        bins: {
            offset: Uint32Array.from(bins, (bin) => bin[0]),
            run: Uint32Array.from(bins, (bin) => bin[1]),
            row: Uint32Array.from(bins, (bin) => bin[2]),
            name: Uint32Array.from(bins, (bin) => bin[2]),
            count: Uint32Array.from(bins, (bin) => bin[3]),
            cover: Float64Array.from(bins, (bin) => bin[4]),
            flags: new Uint32Array(bins.length),
            scope: new Uint32Array(0),
            origin: new Uint32Array(0),
            tint: new Uint8Array(0),
            longest: new Float64Array(0),
        },
        incomplete: false,
    };
}
const hit = (view, at, tolerance = 0) => hitLane(view, view.lanes[0], at, tolerance);

test('the span under the pointer is told to the nanosecond', () => {
    const view = viewOf([[7, 0, 10], [8, 10, 300], [9, 500, 500]]);
    assert.equal(hit(view, 9.99)?.row, 7);
    const found = hit(view, 20);
    assert.deepEqual([found?.row, found?.startNs, found?.endNs, found?.exact], [8, BASE + 10n, BASE + 300n, true]);
    assert.equal(hit(view, 400), null);
});

test('what is narrower than the hand is steady can be pointed at, the nearest first', () => {
    const view = viewOf([[9, 500, 500], [10, 520, 521]]);
    assert.equal(hit(view, 503, 30)?.row, 9);
    assert.equal(hit(view, 516, 30)?.row, 10);
    assert.equal(hit(view, 560, 30), null);
});

test('in a folded group the shortest span at a time is the one', () => {
    const view = viewOf([[1, 0, 1000], [2, 100, 400], [3, 200, 210]], [], MODE.EXACT, true);
    assert.equal(hit(view, 205)?.row, 3);
    assert.equal(hit(view, 300)?.row, 2);
    assert.equal(hit(view, 900)?.row, 1);
});

test('a bin is told as a bin: several spans, the longest named, never an exact length', () => {
    const view = viewOf([[5, 400, 900]], [[1, 1, 21, 4, 6], [10, 5, 22, 0, 8]], MODE.DENSITY);
    const one = hit(view, 5);
    assert.deepEqual([one?.exact, one?.row, one?.count, one?.startNs, one?.endNs], [false, 21, 4, BASE + 4n, BASE + 12n]);
    assert.equal(hit(view, 100)?.row, 22, 'within a run');
    assert.equal(hit(view, 150), null);
    assert.equal(hit(view, 500)?.exact, true, 'readable spans lie over the bins');
});

test('neighbours go along the lane and end at its ends', () => {
    const view = viewOf([[7, 0, 10], [8, 10, 300], [9, 500, 500]]);
    assert.equal(neighbourRow(view, 8, 1), 9);
    assert.equal(neighbourRow(view, 8, -1), 7);
    assert.equal(neighbourRow(view, 9, 1), null);
    assert.equal(neighbourRow(view, 99, 1), null);
});

test('a counter holds its value until the next sample and is unknown before the first', () => {
    const counter = { counter: 0, startNs: BASE, exact: true, low: 1, high: 9, time: Float64Array.of(-5, 100), value: Float64Array.of(3, 9), least: null, most: null };
    assert.equal(counterAt(counter, 99)?.value, 3);
    assert.equal(counterAt(counter, 100)?.value, 9);
    assert.equal(counterAt(counter, -6), null);
});

/** What a scene draws, as plain objects. */
function drawn(view) {
    const out = new Instances(1);
    const track = { id: 0, kind: 'gpu', name: '', domain: 'host', clock: 0, boundNs: -1, firstLane: 0, laneCount: 1, group: 0, spans: 1, counter: -1, unit: '' };
    buildSpans(out, view, layoutTracks([track], new Set()), { colours: { of: (columns, i) => (0xff000000 | columns.name[i]) >>> 0, legend: () => [] }, laneDepth: Uint32Array.of(0), dim: false });
    return Array.from({ length: out.count }, (_, i) => ({ x0: out.floats[i * 6], x1: out.floats[i * 6 + 1], pattern: out.words[i * 6 + 5], colour: out.words[i * 6 + 4] }));
}

test('exact spans are drawn plain, open ones marked, bins patterned', () => {
    assert.equal(STRIDE, 24);
    assert.deepEqual(drawn(viewOf([[1, 0, 100], [2, 200, 1000, SPAN.UNFINISHED]])).map((r) => [r.x0, r.x1, r.pattern]),
        [[0, 10, PATTERN.SOLID], [20, 100, PATTERN.UNFINISHED]]);
    assert.deepEqual(drawn(viewOf([], [[1, 1, 1, 1, 8]], MODE.REPRESENTATIVE)).map((r) => r.pattern), [PATTERN.REPRESENTATIVE]);
    assert.deepEqual(drawn(viewOf([], [[1, 1, 1, 1, 8]], MODE.DENSITY)).map((r) => r.pattern), [PATTERN.DENSITY]);
});

test('bins that look the same and touch become one, others stay apart', () => {
    const same = drawn(viewOf([], [[0, 1, 1, 1, 8], [1, 3, 1, 1, 8], [5, 1, 1, 1, 8], [6, 1, 2, 1, 8]], MODE.REPRESENTATIVE));
    assert.equal(same.length, 3);
    assert.ok(Math.abs(same[0].x1 - same[0].x0 - 3.2) < 1e-5, 'four bins of 8 ns at 10 ns a pixel');
});

test('a lane that was not answered draws nothing rather than something wrong', () => {
    assert.equal(drawn(viewOf([[1, 0, 100]], [], MODE.UNANSWERED)).length, 0);
});

test('unknown is a word, and where a count comes from is said', () => {
    const property = (quality, value) => ({ key: 'draws', quality, value, children: [] });
    assert.equal(valueText({ type: 'unknown' }), 'unknown');
    assert.equal(valueText({ type: 'integer', integer: 0n }), '0');
    assert.equal(propertyLabel(property('encoded', { type: 'unknown' })), 'draws (encoded)');
    assert.equal(propertyLabel(property('resolved', { type: 'unknown' })), 'draws (resolved)');
    assert.equal(propertyLabel(property('plain', { type: 'unknown' })), 'draws');
    const resource = { kind: 'buffer', format: 0, size: [0, 0, 0, 0, 0], mips: 1, samples: 1 };
    assert.equal(resourceShape(resource), 'buffer');
    assert.equal(resourceShape({ ...resource, format: 97, size: [2, 1920, 1080, 1, 1], mips: 11, samples: 4 }), 'RGBA16F 1920×1080 11 mips 4 samples');
    assert.equal(resourceShape({ ...resource, format: 126, size: [2, 4096, 4096, 1, 6] }), 'D32F 4096² 6 layers');
});

test('a comparison with the median needs frames to compare with', () => {
    const series = (ns, medianNs) => ({ frame: Uint32Array.from(ns, (_, i) => i), ns: Float64Array.from(ns), count: new Uint32Array(ns.length), minNs: 0n, medianNs, p95Ns: 0n, maxNs: 0n });
    assert.equal(againstMedian(series([10, 10, 31], 10n), 2), '3.1× its median');
    assert.equal(againstMedian(series([10, 10], 10n), 1), '');
    assert.match(againstMedian(series([0, 0, 0], 0n), 1), /too coarse/);
});

test('a span that cannot be believed as it stands says why', () => {
    assert.equal(warnings(0).length, 0);
    assert.match(warnings(SPAN.UNFINISHED)[0], /No end/);
    assert.match(warnings(SPAN.LOST | SPAN.UNFINISHED)[0], /device was lost/);
    assert.match(warnings(SPAN.SCOPE)[0], /hull/);
    assert.match(warnings(SPAN.UNATTRIBUTED)[0], /outside/);
});

/** @param {number} id @param {string} kind @param {number} group of its process; -1 for none @param {number} [laneCount] */
function trackOf(id, kind, group, laneCount = 2) {
    return {
        id, kind, name: `t${id}`, domain: 'host', clock: 0, boundNs: -1, firstLane: id * 10, laneCount, group: id, spans: 3, counter: kind === 'counter' ? id : -1, unit: '',
        low: 0, high: 1, process: group < 0 ? null : { group, name: `p${group}` },
    };
}

test('tracks of one process follow each other below its header, the graphics processor\'s first, counters last', () => {
    const tracks = orderTracks([trackOf(0, 'cpu', 100), trackOf(1, 'counter', 100), trackOf(2, 'cpu', 101), trackOf(3, 'async', 100), trackOf(4, 'gpu', 101), trackOf(5, 'cpu', -1)]);
    assert.deepEqual(tracks.map((track) => track.id), [4, 2, 3, 0, 5, 1]);
    const { boxes, height } = layoutTracks(tracks, new Set());
    assert.deepEqual(boxes.map((box) => `${box.track.kind}${box.track.id}${box.inside ? ' inside' : ''}`),
        ['process101', 'gpu4 inside', 'cpu2 inside', 'process100', 'async3 inside', 'cpu0 inside', 'cpu5', 'counter1']);
    boxes.forEach((box, i) => assert.equal(box.y + box.height, boxes[i + 1]?.y ?? height, 'nothing overlaps and nothing is left out'));
});

test('a folded process is one lane of all of its lanes, and keeps the marks of its tracks', () => {
    const tracks = orderTracks([trackOf(0, 'cpu', 100), trackOf(1, 'cpu', 101), trackOf(2, 'cpu', 100)]);
    const { boxes } = layoutTracks(tracks, new Set([100]));
    assert.deepEqual(boxes.map((box) => box.track.id), [100, 101, 1]);
    assert.deepEqual(boxes[0].lanes.map(({ lane, folded }) => ({ lane, folded })), [{ lane: 100, folded: true }]);
    assert.deepEqual(boxes[0].tracks, [0, 2]);
    assert.deepEqual(foldAll(tracks, [100]), [100, 101], 'what is not all folded folds');
    assert.deepEqual(foldAll(tracks, [1, 100, 101]), [1], 'what is unfolds, and a track keeps its own fold');
});

test('one process alone has no header, and folds by its tracks', () => {
    const tracks = [trackOf(0, 'gpu', 100), trackOf(1, 'cpu', 100)];
    assert.deepEqual(layoutTracks(tracks, new Set([0])).boxes.map((box) => [box.track.id, box.lanes.length, box.inside]), [[0, 1, false], [1, 2, false]]);
    assert.deepEqual(foldAll(tracks, []), [0, 1]);
    assert.deepEqual(orderTracks([trackOf(0, 'cpu', 100), trackOf(1, 'gpu', 100)]).map((track) => track.id), [1, 0]);
});
