// SPDX-License-Identifier: MIT
/* The address of views, passes, resources and comparisons; which frame is shown. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPlace, formatPlace, isStep, parsePlace } from '../../../inspector/model/address.js';
import { emptyFrames } from '../../../inspector/model/frames.js';
import { initialState } from '../../../inspector/state/app_state.js';
import { shownFrame } from '../../../inspector/state/selection.js';
import { pinned } from '../../../inspector/state/view_choice.js';

test('views, selections and choices come back from the address', () => {
    for (const change of [
        { view: 'structure' }, { pass: 12 }, { pass: 0 }, { resource: { name: 'shadow atlas', version: 3, nth: 0 } }, { resource: { name: 'a:b,c&d=e#f%', version: 0, nth: 2 } }, { resource: { name: '', version: 1, nth: 0 } },
        { compare: { base: { file: 1, first: 40, last: 40 }, next: { file: 2, first: 80, last: 90 } } },
        { compare: { base: { file: 1, first: 0, last: 0, time: { startNs: -5n, endNs: 9223372036854775807n } }, next: { file: 2, first: 3, last: 4 } } }, { filter: 'draw & co' }, { colour: 'queue' }, { unit: 'us' },
        { view: 'events', pass: 3, range: { first: 80, last: 80 }, selected: 77 },
    ]) {
        const place = { ...firstPlace(), ...change };
        const text = formatPlace(place);
        assert.deepEqual(parsePlace(`#${text}`), place, text);
        assert.ok(!/[\s<>"]/.test(text), text);
    }
    assert.equal(formatPlace(firstPlace()), '', 'only what differs is written');
});

test('what cannot be understood is left out', () => {
    for (const text of ['view=nothing', 'pass=-1', 'pass=x', 'res=atlas', 'res=atlas:-1', 'res=%E0%A4%A:1:x', 'cmp=1:40:40', 'cmp=1:4:4,0:5:5', 'cmp=1:4:4,1:5:5,1:6:6',
        'cmp=1:t5:5,1:4:4', 'cmp=1:t9:5,1:4:4', 'cmp=1:t5,1:4:4', 'cmp=1:t0:9223372036854775808,1:4:4', 'cmp=0:t1:2,1:4:4', 'colour=mauve', 'unit=days']) {
        assert.deepEqual(parsePlace(text), firstPlace(), text);
    }
    assert.deepEqual(parsePlace('cmp=1:9:4,2:5:5').compare?.base, { file: 1, first: 4, last: 9 });
});

test('another view is a step that the back button undoes', () => {
    assert.equal(isStep(firstPlace(), { ...firstPlace(), view: 'events' }), true);
    assert.equal(isStep(firstPlace(), { ...firstPlace(), window: { startNs: 0n, fraction: 0, lengthNs: 5 } }), false);
});

test('that the pass of a selected span became known is no step of its own', () => {
    const span = { ...firstPlace(), selected: 7 };
    assert.equal(isStep(span, { ...span, pass: 3 }), false);
    assert.equal(isStep(span, { ...span, selected: 8, pass: 3 }), true);
    assert.equal(isStep(firstPlace(), { ...firstPlace(), pass: 3 }), true, 'a pass that was chosen is one');
});

/** @param {object} place @param {object} [more] */
function state(place, more = {}) {
    const frames = emptyFrames(20);
    frames.gpuNs.fill(10);
    frames.gpuNs[12] = 50;
    frames.flags[12] = 1;
    return { ...initialState(), frames, place: { ...firstPlace(), ...place }, ...more };
}
const selection = (row, frame) => ({ selection: { info: { row, frame } } });

test('the shown frame: the last of the range, else that of the span, else the hitch of the first look', () => {
    assert.equal(shownFrame(state({ range: { first: 3, last: 7 }, selected: 5 }, selection(5, 9))), 7);
    assert.equal(shownFrame(state({ selected: 5 }, selection(5, 9))), 9);
    assert.equal(shownFrame(state({ selected: 6 }, selection(5, 9))), 12, 'an older selection says nothing');
    assert.equal(shownFrame(state({})), 12);
    assert.equal(shownFrame(state({ range: { first: 3, last: 700 } })), 19, 'an address may name more than there is');
    assert.equal(shownFrame({ ...state({}), frames: emptyFrames(0) }), null);
    const calm = state({});
    calm.frames.flags[12] = 0;
    assert.equal(shownFrame(calm), 0);
});

test('a view of one frame names it, others do not', () => {
    assert.deepEqual(pinned(state({ view: 'structure' })).range, { first: 12, last: 12 });
    assert.deepEqual(pinned(state({ view: 'events', range: { first: 2, last: 4 } })).range, { first: 2, last: 4 });
    assert.equal(pinned(state({ view: 'timeline' })).range, null);
    assert.equal(pinned(state({ view: 'notes' })).range, null);
});
