// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyFrames, FRAME } from '../../../inspector/model/frames.js';
import { framesWithin, unfilledWithin, verdictReason, verdictText, windowReason, windowText, windowWords } from '../../../inspector/model/verdict.js';

/** Frames of 16 ms: what bounds them, flags, and how long the GPU was busy. */
function table(...rows) {
    const frames = emptyFrames(rows.length);
    const column = (pick) => Float64Array.from(rows, pick);
    frames.startNs = BigInt64Array.from(rows, (_, i) => 1000n + BigInt(i) * 16000000n);
    frames.flags = Uint16Array.from(rows, (row) => row.flags ?? 0);
    frames.detail = /** @type {any} */ ({
        verdict: Uint8Array.from(rows, (row) => row.verdict), frameNs: column((row) => row.frameNs ?? 16000000), cpuWorkNs: column(() => 4000000),
        gpuBusyNs: column((row) => row.gpuNs ?? -1), presentWaitNs: column((row) => row.presentNs ?? -1),
    });
    return frames;
}
const window = (verdict, counts, inferred = 0) => ({ range: { first: 0, last: 9 }, verdict, counts: [...counts, 0, 0, 0, 0, 0, 0].slice(0, 6), inferred });

test('a frame is said to be bound with the figures of the rule, and a guess is called one', () => {
    const frames = table({ verdict: 2, gpuNs: 15000000 }, { verdict: 2, flags: FRAME.INFERRED, presentNs: 2000000 }, { verdict: 0, flags: FRAME.PAUSE }, { verdict: 0, frameNs: -1 },
        { verdict: 0 }, { verdict: 4, gpuNs: 4000000 });
    assert.deepEqual(Array.from({ length: 6 }, (_, i) => verdictText(frames, i)), ['GPU-bound', 'GPU-bound (inferred)', '', '', '', 'balanced']);
    assert.equal(verdictReason(frames, 0), 'Of 16.000 ms: CPU worked 4.000 ms, GPU was busy 15.000 ms.');
    assert.match(verdictReason(frames, 1), /^Of 16\.000 ms: CPU worked 4\.000 ms, waited for present 2\.000 ms\. There was no whole GPU time .* guess .* left out\.$/);
    assert.match(verdictReason(frames, 2), /pause/);
    assert.match(verdictReason(frames, 3), /last frame has no length/);
    assert.equal(verdictReason(frames, 4), '');
    assert.equal(verdictReason(emptyFrames(1), 0), '');
});

test('of a frame that neither side fills it is said how much of it was neither', () => {
    const frames = table({ verdict: 0, gpuNs: 3600000 }, { verdict: 0, gpuNs: 3600000, presentNs: 1500000 }, { verdict: 2, gpuNs: 15000000 }, { verdict: 0 },
        { verdict: 0, gpuNs: 3600000, flags: FRAME.PAUSE }, { verdict: 0, gpuNs: 3600000, frameNs: -1 });
    assert.equal(verdictText(frames, 0), '');
    assert.equal(verdictReason(frames, 0), 'Of 16.000 ms: CPU worked 4.000 ms, GPU was busy 3.600 ms. At least 8.400 ms were none of this, so what bounds it cannot be told.');
    assert.match(verdictReason(frames, 1), /waited for present 1\.500 ms\. At least 6\.900 ms were none of this/);
    assert.equal(unfilledWithin(frames, { first: 0, last: 9 }), 2);
    assert.equal(unfilledWithin(frames, { first: 1, last: 2 }), 1);
    assert.equal(unfilledWithin(emptyFrames(3), { first: 0, last: 2 }), 0);
    assert.equal(unfilledWithin(null, { first: 0, last: 2 }), 0);
    assert.match(windowReason(window('gpu', [3, 0, 1]), 2), /^GPU-bound: GPU 1 of 1 frame, 3 cannot be told\. It is .*\. In 2 frames CPU and GPU together took less than the frame, and no wait .*the rest\.$/);
    assert.match(windowReason(window('unknown', [2]), 1), /^cannot be told\. Of 2 frames it cannot be told\. In 1 frame CPU/);
});

test('frames together are told in the words of the command line', () => {
    assert.equal(windowText(window('gpu', [1, 2, 57])), 'GPU-bound: CPU 2, GPU 57 of 59 frames');
    assert.equal(windowText(window('gpu', [0, 0, 1], 1)), 'GPU-bound (inferred): GPU 1 of 1 frame');
    assert.equal(windowText(window('mixed', [0, 30, 30], 4)), 'mixed (4 inferred): CPU 30, GPU 30 of 60 frames');
    assert.equal(windowText(window('present', [0, 0, 0, 8, 2])), 'present-bound: present 8, balanced 2 of 10 frames');
    assert.equal(windowText(window('unknown', [3])), 'cannot be told');
    assert.equal(windowWords(window('cpu', [0, 5], 5)), 'CPU-bound (inferred)');
    assert.match(windowReason(window('mixed', [2, 30, 30]), 0), /^mixed: .* Nothing bounds more than half of them\. Of 2 frames it cannot be told\.$/);
    assert.match(windowReason(window('cpu', [0, 30], 3), 0), / Of 3 frames there was no whole GPU time/);
});

test('frames of a range of time are those that run in it', () => {
    const frames = table({ verdict: 1 }, { verdict: 1 }, { verdict: 1 });
    assert.deepEqual(framesWithin(frames, 0n, 1000n), null);
    assert.deepEqual(framesWithin(frames, 0n, 1001n), { first: 0, last: 0 });
    assert.deepEqual(framesWithin(frames, 16001000n, 32001000n), { first: 1, last: 1 });
    assert.deepEqual(framesWithin(frames, 16000999n, 99999999n), { first: 0, last: 2 });
});
