// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPlace, parsePlace } from '../../../inspector/model/address.js';
import { nextDirection, parseFocus, stepHops, toggleSeed } from '../../../inspector/model/focus.js';
import { endsOf, isStandIn, LINK, linkAt, wayOf } from '../../../inspector/model/links.js';
import { bandsOf, minimapPx, minimapTime } from '../../../inspector/model/minimap.js';
import { KIND } from '../../../inspector/protocol/client.js';
import { askStats } from '../../../inspector/protocol/queries.js';
import { classOf } from '../../../inspector/protocol/tasks.js';
import { bothTerms } from '../../../inspector/state/search.js';

test('what is asked of a trace is in the address, whole, and nothing that cannot be understood', () => {
    const parts = ['only=errors,noruntime,child:500,parent:9,least:40,most:900', 'cats=a%2Cb,c', 'tracks=1,7', 'focus=3,9:in:all', 'links=-2-5', 'path=frame:parents',
        'slice=812:on:3', 'odd=measured:-5:900,by:category,from:2.5,both', 'over=measured', 'measured=-9:70', 'detail=density', 'handoff=smooth', 'table=odd', 'curve=on'];
    assert.equal(formatPlace(parsePlace(parts.join('&'))), parts.join('&'));
    for (const part of ['focus=:in:1', 'focus=1:up:1', 'path=everything', 'odd=frames', 'odd=window:9:1', 'odd=file', 'slice=3:up', 'slice=:back', 'over=all-of-it', 'measured=5:5', 'detail=more', 'links=-99']) {
        assert.equal(formatPlace(parsePlace(part)), '', part);
    }
});

test('a focus has seeds, a way and hops; the last seed that goes ends it', () => {
    const one = toggleSeed(null, 5);
    assert.deepEqual(toggleSeed(one, 8)?.seeds, [5, 8]);
    assert.equal(toggleSeed(one, 5), null);
    assert.equal(stepHops({ ...one, hops: 8 }, 1).hops, null);
    assert.equal(stepHops({ ...one, hops: null }, -1).hops, 8);
    assert.equal(stepHops({ ...one, hops: 0 }, -1).hops, 0);
    assert.deepEqual(['both', 'out', 'in'].map((direction) => nextDirection({ ...one, direction }).direction), ['out', 'in', 'both']);
    assert.deepEqual(parseFocus('4,4,2:out:3'), { seeds: [4, 2], direction: 'out', hops: 3 });
});

test('a highlight never shows what the filter hides', () => {
    assert.deepEqual(bothTerms({ categories: [1, 2], tracks: [] }, { categories: [2, 3] }).categories, [2]);
    assert.equal(bothTerms({ categories: [1] }, { categories: [3] }).names?.length, 1, 'nothing passes');
    assert.equal(bothTerms({ status: 8 }, { status: 1 }).names?.length, 1);
    assert.deepEqual(bothTerms({ tracks: [4] }, { names: [9] }), { tracks: [4], names: [9], categories: [], status: undefined });
});

test('the line under a pointer is the nearest along its way, over its hubs', () => {
    const view = {
        placeY: Int32Array.of(0, 100),
        lines: {
            link: Uint32Array.of(7, 3), from: Float64Array.of(0, 0), to: Float64Array.of(100, 100), sourcePlace: Uint32Array.of(0, 0), targetPlace: Uint32Array.of(1, 1),
            marks: Uint8Array.of(0, 0),
            bundle: Uint32Array.of(0xffffffff, 0),
        },
        bundles: { from: Float64Array.of(0), to: Float64Array.of(0), fromY: Int32Array.of(50), toY: Int32Array.of(100), lines: Uint32Array.of(1) },
    };
    const same = (value) => value;
    assert.deepEqual(wayOf(view, 1, same, same), [{ x: 0, y: 0 }, { x: 0, y: 50 }, { x: 0, y: 100 }, { x: 100, y: 100 }]);
    assert.equal(linkAt(view, { x: 50, y: 52 }, 5, same, same), 0);
    assert.equal(linkAt(view, { x: 50, y: 98 }, 5, same, same), 1);
    assert.equal(linkAt(view, { x: 90, y: 20 }, 5, same, same), -1);
});

test('a line to a span that stands for a hidden end never runs backwards in time', () => {
    const { SOURCE_PROJECTED: source, TARGET_PROJECTED: target } = LINK;
    const ends = (from, to, marks) => Object.values(endsOf({ from: [from], to: [to], marks: [marks] }, 0));
    assert.deepEqual(ends(20, 14, target), [20, 20], 'what was caused later lies in a span that began before');
    assert.deepEqual(ends(90, 14, source), [14, 14], 'what caused it lies in a span that ends after');
    assert.deepEqual(ends(42, 14, source | target), [42, 42]);
    assert.deepEqual(ends(10, 14, source | target), [10, 14]);
    assert.deepEqual(ends(20, 14, 0), [20, 14], 'spans that are shown are drawn as they are');
    assert.equal(isStandIn(LINK.TARGET_HIDDEN) && isStandIn(source) && !isStandIn(LINK.EXACT | LINK.UNCLAIMED), true);
});

test('the overview has a band for each group, and pixels are times there and back', () => {
    const bands = bandsOf([4, 9, 2], 30);
    assert.deepEqual([...bands.values()].map((band) => band.y), [0, 10, 20]);
    assert.equal(bandsOf(Array.from({ length: 100 }, (_, i) => i), 20).get(99)?.y, 18);
    const extent = { startNs: -1000n, endNs: 9000n };
    assert.equal(minimapTime(extent, minimapPx(extent, 4000n, 640), 640), 4000n);
    assert.equal(minimapTime(extent, 900, 640), 9000n);
});

test('what a person waits for is apart from what may take its time', () => {
    assert.deepEqual([KIND.FILTER_CREATE, KIND.FOCUS, KIND.SLICE, KIND.PATH, KIND.ANOMALIES, KIND.COMPARE, KIND.STATS, KIND.LINKS].map(classOf), [0, 0, 0, 0, 0, 0, 2, 2]);
});


test('statistics come in steps, in the background, with all figures that STATS has', async () => {
    /** @type {{ kind: number, tags: Map<number, number[]> }[]} */
    const asked = [];
    /** @type {Record<number, unknown>} */
    const columns = {
        0x0c40: 1, 0x0c42: [3], 0x0c43: [1], 0x0c44: [0xffffffff], 0x0c45: [5n], 0x0c46: [90n], 0x0c47: [80n], 0x0c48: [70n], 0x0c49: [0n], 0x0c4a: [10n], 0x0c4b: [30n], 0x0c4c: [40n],
        0x0c4f: [2n], 0x0c50: [4n], 0x0c51: [9], 0x0c52: [0], 0x0c53: [0],
    };
    const column = (/** @type {number} */ tag) => (tag === 0x2541 ? [asked.length, 2, 0, 2] : columns[tag] ?? []);
    const client = {
        open: 0, generations: [0, 1], can: () => true, name: () => 'draw',
        ask: async (/** @type {number} */ kind, /** @type {number} */ _trace, /** @type {import('../../../inspector/protocol/wire.js').Section[]} */ sections) => {
            asked.push({ kind, tags: new Map(sections.map(({ tag, bytes }) => [tag, [new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)]])) });
            const one = (/** @type {number} */ tag, /** @type {unknown} */ none) => (tag === 0x2540 ? (asked.length < 3 ? 7 : 0) : columns[tag] ?? none);
            // The second step completes the totals: all but busy times and percentiles.
            return { one, u32: column, u64: column, hasKind: () => asked.length === 2 };
        },
    };
    let told = 0;
    /** @type {import('../../../inspector/model/table.js').Stats[]} */
    const parts = [];
    const { rows, all, state } = await askStats(/** @type {any} */ (client), 0, { by: 'name', frames: null, filter: 0 }, { channel: 1, generation: 1 }, () => '', () => { told++; },
        (part) => parts.push(part));
    assert.deepEqual(asked.map(({ kind }) => kind), [KIND.TASK, KIND.TASK, KIND.TASK]);
    assert.deepEqual(asked[0].tags.get(0x2501), [KIND.STATS]);
    assert.deepEqual(asked[0].tags.get(0x2505), [2]);
    assert.ok(asked.every(({ tags }) => tags.get(0x2504)?.[0] === 0), 'the engine chooses how much a step looks at');
    assert.deepEqual(asked.slice(1).map(({ tags }) => [tags.get(0x2502), tags.has(0x2501), tags.get(0x0c01)]), [[[7], false, [0]], [[7], false, [0]]]);
    assert.deepEqual([all, told, rows.length, state], [1, 2, 1, 'whole']);
    assert.deepEqual(parts.map((part) => [part.state, part.rows[0].totalNs, part.rows[0].busyNs, part.rows[0].medianNs, part.rows[0].p95Ns]), [['counting', 90n, null, null, null]]);
    assert.deepEqual([rows[0].name, rows[0].totalNs, rows[0].busyNs, rows[0].zeros, rows[0].unfinished], ['draw', 90n, 70n, 4, 2]);
});
