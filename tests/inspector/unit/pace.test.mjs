// SPDX-License-Identifier: MIT
/* How long views take: histories of renderers, and what they decide; who answers, in words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addSample, detailWhile, emptyHistories, PACE_SAMPLES, paceOf, paceRows, rendererOf, SLOW_MS } from '../../../inspector/model/pace.js';
import { engineBadge, engineRows } from '../../../inspector/model/engine.js';
import { Client, FLAG, KIND } from '../../../inspector/protocol/client.js';
import { askEngine } from '../../../inspector/protocol/engine.js';
import { readRequests, texts, u64, writeReply } from '../mock/engine.mjs';

const filled = (key, renderer, values) => values.reduce((histories, ms) => addSample(histories, key, renderer, ms), emptyHistories());

test('a history has its own nearest ranks and count for each renderer', () => {
    const histories = [30, 10, 20].reduce((h, ms) => addSample(h, 'a', 'density', ms), filled('a', 'exact', Array.from({ length: 20 }, (_, i) => i + 1)));
    assert.deepEqual(paceRows(histories), [
        { renderer: 'exact', count: 20, p50Ms: 10, p95Ms: 19 },
        { renderer: 'density', count: 3, p50Ms: 20, p95Ms: 30 },
    ]);
});

test('histories are bounded, the oldest samples go first', () => {
    const rows = paceRows(filled('a', 'exact', [...new Array(50).fill(1000), ...new Array(PACE_SAMPLES).fill(1)]));
    assert.deepEqual(rows, [{ renderer: 'exact', count: PACE_SAMPLES, p50Ms: 1, p95Ms: 1 }]);
});

test('another key forgets the samples of all renderers', () => {
    const histories = addSample(addSample(filled('a', 'exact', [5, 6]), 'a', 'density', 7), 'b', 'exact', 9);
    assert.deepEqual(paceRows(histories), [{ renderer: 'exact', count: 1, p50Ms: 9, p95Ms: 9 }]);
});

const lane = (mode, spans, bins) => ({ id: 0, group: false, mode, binsMode: mode, blend: 255, firstSpan: 0, lastSpan: spans, firstBin: 0, lastBin: bins });

test('the renderer of a picture made most of its marks, and its bounds are told', () => {
    const view = { startNs: 0n, endNs: 1000n, widthPx: 100, binNs: 8, lanes: [lane(0, 5, 0), lane(1, 2, 40), lane(2, 0, 12)] };
    assert.equal(rendererOf(view), 'representative');
    assert.equal(rendererOf({ lanes: [lane(255, 0, 0)] }), 'exact');
    assert.deepEqual(paceOf(view, emptyHistories()), { renderer: 'representative', columns: 100, most: 3 * 126, cells: 126, rows: [] });
});

test('less detail is asked for only while the window moves, where exact views were too slow at this scale', () => {
    const slow = filled('a', 'exact', new Array(5).fill(SLOW_MS + 1));
    assert.equal(detailWhile('auto', slow, 'a', true), 'representative');
    assert.equal(detailWhile('auto', slow, 'a', false), 'auto');
    assert.equal(detailWhile('auto', slow, 'b', true), 'auto');
    assert.equal(detailWhile('exact', slow, 'a', true), 'exact', 'what was chosen stays');
    assert.equal(detailWhile('auto', filled('a', 'exact', new Array(4).fill(SLOW_MS + 1)), 'a', true), 'auto', 'too few say nothing');
    assert.equal(detailWhile('auto', filled('a', 'exact', new Array(50).fill(SLOW_MS)), 'a', true), 'auto');
    const slower = new Array(5).fill(SLOW_MS * 2).reduce((h, ms) => addSample(h, 'a', 'representative', ms), slow);
    assert.equal(detailWhile('auto', slower, 'a', true), 'auto', 'bins were no faster');
});

test('who answers is a word where it is not just the CPU, and says why', () => {
    const counts = { own: 7, other: 2, submissions: 30 };
    const cpu = { name: 'cpu', answers: 'cpu', device: '', reason: '', counts };
    assert.equal(engineBadge(null), null);
    assert.equal(engineBadge(cpu), null);
    assert.deepEqual(engineRows(cpu), [['by', 'the CPU']]);
    const gpu = { ...cpu, name: 'vulkan', answers: 'vulkan', device: 'Some GPU' };
    assert.deepEqual([engineBadge(gpu).text.join(''), engineBadge(gpu).tone], ['Vulkan answers: Some GPU', 'good']);
    assert.deepEqual(engineRows(gpu), [['by', 'Vulkan on Some GPU'], ['on the device', '7 of 9'], ['submissions', '30']]);
    const fallen = { ...gpu, answers: 'cpu', reason: 'the device was lost (statistics)' };
    assert.deepEqual([engineBadge(fallen).text.join(''), engineBadge(fallen).tone], ['CPU answers in place of Vulkan', 'warn']);
    assert.match(engineBadge(fallen).title, /^The CPU answers in place of Vulkan on Some GPU: the device was lost \(statistics\)\. Nothing is lost/);
    const none = { ...fallen, device: '', reason: 'there is no driver' };
    assert.deepEqual(engineRows(none), [['by', 'The CPU answers in place of Vulkan: there is no driver.']]);
});

test('a reply that says that another engine answers is told once, and what it says is read', async () => {
    const client = new Client(async (buffer) => {
        const parts = readRequests(buffer).map((request) => writeReply(request,
            request.kind === KIND.ENGINE ? [texts(0x2840, ['vulkan', 'cpu', 'Some GPU', 'lost']), u64(0x2841, [3, 4, 5])] : [], { flags: FLAG.INSTEAD }));
        return Uint8Array.from(parts.flatMap((part) => [...part])).buffer;
    });
    const told = [];
    client.onInstead = (trace) => told.push(trace);
    await Promise.all([client.ask(KIND.TRACES, 1), client.ask(KIND.TRACES, 1), client.ask(KIND.TRACES, 2)]);
    assert.deepEqual(told, [1, 2]);
    assert.deepEqual(await askEngine(client, 1), { name: 'vulkan', answers: 'cpu', device: 'Some GPU', reason: 'lost', counts: { own: 3, other: 4, submissions: 5 } });
    assert.deepEqual(told, [1, 2]);
});
