// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blend, confine, makeWindow, MIN_LENGTH_NS, offsetNs, pan, pxToTime, timeToPx, windowAround, windowEnd, zoom } from '../../../inspector/model/window.js';

const FAR = 9_007_199_254_740_993_123n;

test('a time far beyond 2^53 keeps its nanosecond', () => {
    const window = makeWindow(FAR, 1000);
    assert.equal(offsetNs(window, FAR + 1n), 1);
    assert.equal(timeToPx(window, FAR + 250n, 1000), 250);
    assert.equal(pxToTime(window, 250, 1000), FAR + 250n);
});

test('zooming keeps what is under the pointer, in and out a thousand times', () => {
    let window = makeWindow(FAR, 1e9);
    const under = pxToTime(window, 317, 1000);
    for (let i = 0; i < 40; i++) {
        window = zoom(window, 0.7, 317, 1000);
    }
    assert.ok(Math.abs(timeToPx(window, under, 1000) - 317) <= 1000 / window.lengthNs + 1e-6);
    for (let i = 0; i < 40; i++) {
        window = zoom(window, 1 / 0.7, 317, 1000);
    }
    const drift = Number(window.startNs - FAR);
    assert.ok(Math.abs(drift) <= 1e9 * 1e-6, `drifted ${drift} ns`);
});

test('panning forth and back by fractions of a nanosecond comes home', () => {
    let window = makeWindow(FAR, 10);
    for (let i = 0; i < 1000; i++) {
        window = pan(window, 0.25, 1000);
    }
    assert.ok(Math.abs(offsetNs(window, FAR) + 2.5) < 1e-6);
    for (let i = 0; i < 1000; i++) {
        window = pan(window, -0.25, 1000);
    }
    assert.ok(Math.abs(offsetNs(window, FAR)) < 1e-6);
});

test('a window never becomes narrower than what can be told apart, nor leaves 64 bits', () => {
    assert.equal(zoom(makeWindow(0n, 10), 1e-9, 0, 100).lengthNs, MIN_LENGTH_NS);
    const last = makeWindow((1n << 63n) - 5n, 1e9);
    assert.equal(windowEnd(last), (1n << 63n) - 1n);
    assert.equal(pan(last, 1e9, 1).startNs, (1n << 63n) - 1n);
});

test('a confined window still shows some of the trace', () => {
    for (const start of [-(10n ** 15n), 10n ** 15n]) {
        const window = confine(makeWindow(start, 1e6), 0n, 1_000_000_000n);
        assert.ok(windowEnd(window) > 0n && window.startNs < 1_000_000_000n);
    }
    assert.ok(confine(makeWindow(0n, 1e18), 0n, 1000n).lengthNs <= 1250);
});

test('around a span there is air on both sides, and an empty span has a width', () => {
    const window = windowAround(1000n, 2000n, 0.1);
    assert.equal(window.startNs, 900n);
    assert.equal(windowEnd(window), 2100n);
    assert.ok(windowAround(5n, 5n).lengthNs >= MIN_LENGTH_NS);
});

test('a glide ends exactly where it should and moves one way', () => {
    const from = makeWindow(FAR, 1e9);
    const to = makeWindow(FAR + 400_000_000n, 1e6);
    assert.deepEqual(blend(from, to, 1), to);
    let last = -1;
    for (let share = 0; share < 1; share += 0.05) {
        const now = offsetNs(from, blend(from, to, share).startNs);
        assert.ok(now >= last);
        last = now;
    }
});
