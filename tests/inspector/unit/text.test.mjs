// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteSize, counted, duration, exactNs, exactReading, grouped, percent, readableNs, reading, shortDuration } from '../../../inspector/model/format.js';
import { fitLabel, widthCache } from '../../../inspector/model/fit.js';
import { family, hueOf, HUE_COUNT, packColour, parseColour } from '../../../inspector/model/colour.js';
import { pickStep, tickLabel, ticks } from '../../../inspector/model/ruler.js';
import { makeWindow } from '../../../inspector/model/window.js';
import { formatName } from '../../../inspector/model/vulkan_formats.js';

test('numbers are grouped, negative and large ones too', () => {
    assert.equal(grouped(0), '0');
    assert.equal(grouped(999), '999');
    assert.equal(grouped(-1234567n), '-1,234,567');
    assert.equal(exactNs(9223372036854775807n), '9,223,372,036,854,775,807 ns');
});

test('a duration takes the unit in which it reads best and loses no zero', () => {
    assert.equal(duration(0), '0 ns');
    assert.equal(duration(999n), '999 ns');
    assert.equal(duration(3_412_160n), '3.412 ms');
    assert.equal(duration(15_100), '15.100 µs');
    assert.equal(duration(2_000_000_000n), '2.000 s');
    assert.equal(shortDuration(2731), '2.73 µs');
    assert.equal(readableNs(8_910_384_000n), '8,910,384,000 ns (8.91 s)');
    assert.equal(readableNs(-420), '-420 ns', 'few digits need no second form');
});

test('sizes, shares and readings name their units', () => {
    assert.equal(byteSize(67108864n), '64.0 MiB');
    assert.equal(byteSize(16), '16 B');
    assert.equal(percent(0.1417), '14.2 %');
    assert.equal(reading(Number.NaN), 'unknown');
    assert.equal(reading(4096, 'bytes'), '4.0 KiB');
    assert.equal(counted(1, 'span'), '1 span');
    assert.equal(counted(2000, 'span'), '2,000 spans');
});

test('labels fit or say nothing', () => {
    const width = (text) => [...text].length * 6;
    assert.equal(fitLabel('shadow atlas', 100, width), 'shadow atlas');
    assert.equal(fitLabel('shadow atlas', 42, width), 'shadow…');
    assert.equal(fitLabel('shadow atlas', 12, width), '');
    assert.equal(fitLabel('', 100, width), '');
    for (let room = 0; room < 80; room++) {
        assert.ok(width(fitLabel('a longer label', room, width)) <= Math.max(0, room));
    }
    assert.equal(fitLabel('🎲🎲🎲🎲', 18, width), '🎲🎲…', 'letters are not cut in halves');
});

test('a width is measured once', () => {
    let asked = 0;
    const width = widthCache((text) => { asked++; return text.length; }, 4);
    width('a');
    width('a');
    assert.equal(asked, 1);
});

test('a name keeps its hue, and a family shares it', () => {
    assert.equal(family('cascade 0'), family('cascade 12'));
    assert.equal(family('mip[3]'), 'mip');
    assert.equal(family('42'), '42');
    assert.equal(hueOf('bloom down 1'), hueOf('bloom down 2'));
    const used = new Set(Array.from({ length: 200 }, (_, i) => hueOf(`pass ${String.fromCharCode(97 + (i % 26))}${i * 7}x`)));
    assert.equal(used.size, HUE_COUNT, 'every hue is used');
});

test('colours of the style sheet are understood', () => {
    assert.deepEqual(parseColour('#ff0080').map((v) => Math.round(v * 255)), [255, 0, 128]);
    assert.deepEqual(parseColour('rgb(1, 2, 3)').map((v) => Math.round(v * 255)), [1, 2, 3]);
    assert.deepEqual(parseColour('#0f0'), [0, 1, 0]);
    assert.throws(() => parseColour('tomato'));
    assert.equal(packColour([1, 0, 0], 1), 0xff0000ff);
});

test('steps of the ruler are pleasant at every scale', () => {
    for (let power = 0; power < 18; power++) {
        const { stepNs, minor } = pickStep(1.3 * 10 ** power);
        assert.ok(stepNs >= 1.3 * 10 ** power && stepNs <= 6 * 10 ** power * 1.3, `10^${power}`);
        assert.ok(minor >= 1 && minor <= 5);
    }
    assert.equal(pickStep(20e9).stepNs, 30e9);
    assert.equal(pickStep(90e9).stepNs, 120e9);
});

test('tick labels share a unit and say as much as the step needs', () => {
    assert.equal(tickLabel(5e6, 1e6, 33e6), '5 ms');
    assert.equal(tickLabel(5_200_000, 200_000, 33e6), '5.2 ms');
    assert.equal(tickLabel(7_004_192, 2, 8e6), '7.004192 ms');
    assert.equal(tickLabel(40, 10, 1000), '40 ns');
    assert.equal(tickLabel(75e9, 15e9, 600e9), '1:15');
    assert.equal(tickLabel(-75e9, 15e9, 600e9), '-1:15');
});

test('a ruler ends, however far from its origin it is', () => {
    assert.deepEqual(ticks(makeWindow(2n ** 62n, 1500), 1000, 0n), []);
    assert.ok(ticks(makeWindow(2n ** 62n, 1500), 1000, 2n ** 62n - 5n).length > 0);
});

test('ticks are where they say, from an origin far away', () => {
    const base = 9_007_199_254_740_993_000n;
    const list = ticks(makeWindow(base + 1_000_000n, 10e6), 1000, base, 84);
    const five = list.find((tick) => tick.label === '5 ms');
    assert.ok(five && Math.abs(five.px - 400) < 1e-6);
    const labelled = list.filter((tick) => tick.label);
    for (let i = 1; i < labelled.length; i++) {
        assert.ok(labelled[i].px - labelled[i - 1].px >= 84 - 1e-9);
    }
});

test('formats of Vulkan read short, unknown ones by number', () => {
    assert.equal(formatName(37), 'RGBA8');
    assert.equal(formatName(97), 'RGBA16F');
    assert.equal(formatName(126), 'D32F');
    assert.equal(formatName(43), 'RGBA8 sRGB');
    assert.equal(formatName(1000156000), 'format 1000156000');
});

test('an exact reading keeps every digit', () => {
    assert.equal(exactReading(398458880.5, 'bytes'), '398,458,880.5 bytes (380 MiB)');
    assert.equal(exactReading(1350, ''), '1,350');
    assert.equal(exactReading(0.1234567), '0.1234567 (0.123)');
    assert.equal(exactReading(1e300, 'x'), '1e+300 x');
    assert.equal(exactReading(NaN), 'unknown');
});
