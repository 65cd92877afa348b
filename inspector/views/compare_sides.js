// SPDX-License-Identifier: MIT
// @ts-check
/* What is compared with what: two pickers, and pairs that are worth a look. */

import { announce, fill, h, icon } from './dom.js';
import { chosenFrames, fileData, setCompare, setSide, swapSides, takeChosen, takeMeasured } from '../state/compare_data.js';
import { counted, duration } from '../model/format.js';
import { FRAME, mayHaveGpu, NO_TOPOLOGY, sortedKnown } from '../model/frames.js';
import { rangeName, rangeText, readRange, samePair, suggestions, timeName } from '../model/sides.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/address.js').Side} Side */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {'base' | 'next'} Which */

export const SIDE_NAMES = { base: 'Base', next: 'New' };

/** What a sentence calls a side: its frames or its times, and its file where there are two. @param {AppState} state @param {Side} side */
export function sideName(state, side) {
    const { frames, startNs } = fileData(state, side.file);
    const { compare } = state.place;
    const isTwo = compare !== null && compare.base.file !== compare.next.file;
    const all = frames && frames.count > 1 && side.first === 0 && side.last === frames.count - 1;
    const name = side.time ? timeName(side.time, startNs) : !frames ? 'these frames'
        : frames.count === 0 ? 'all' : all ? `all ${counted(frames.count, 'frame')}` : rangeName(frames, side);
    return isTwo ? `${name} of file ${side.file}` : name;
}

/** What is known of the side itself. @param {FrameTable} frames @param {Side} side */
function sideFacts(frames, side) {
    const facts = [];
    if (side.time) {
        facts.push(duration(Number(side.time.endNs - side.time.startNs)), 'all spans that meet it');
    } else if (frames.count === 0) {
        facts.push('a trace without frames: all of it');
    } else if (side.first === side.last) {
        const gpu = frames.gpuNs[side.first];
        const flags = frames.flags[side.first];
        facts.push(gpu >= 0 ? `GPU ${duration(gpu)}` : mayHaveGpu(frames, side.first) ? 'GPU times never came' : '');
        facts.push(flags & (FRAME.GPU_HITCH | FRAME.CPU_HITCH) ? 'a hitch' : '');
        const topology = frames.detail?.topology[side.first] ?? NO_TOPOLOGY;
        facts.push(topology === NO_TOPOLOGY ? '' : `topology ${topology}`);
    } else {
        const gpu = sortedKnown(frames.gpuNs.slice(side.first, side.last + 1));
        facts.push(counted(side.last - side.first + 1, 'frame'));
        const mean = gpu.reduce((sum, ns) => sum + ns, 0) / gpu.length;
        facts.push(gpu.length > 0 ? `GPU ${duration(Math.round(mean))} (mean)` : mayHaveGpu(frames, side.first) ? 'GPU times never came' : '');
    }
    return facts.filter(Boolean).join(' · ');
}

/** @param {Context} context @param {Which} which */
function picker(context, which) {
    const { store } = context;
    const word = SIDE_NAMES[which];
    const file = h('select', { aria: { label: `${word}: file` } });
    const frames = h('input', { type: 'text', id: `compare-${which}`, placeholder: '40, 40-60, all', aria: { label: `${word}: frames`, describedby: `compare-${which}-facts` } });
    frames.autocomplete = 'off';
    frames.spellcheck = false;
    const facts = h('span', { class: 'side-facts', id: `compare-${which}-facts` });
    const take = h('button', { class: 'link take', onclick: () => takeChosen(context, which) });
    const takeTime = h('button', { class: 'link take measured', onclick: () => takeMeasured(context, which) });
    const side = () => store.state.place.compare?.[which] ?? null;

    const read = () => {
        const now = side() ?? { file: store.state.place.file, first: 0, last: 0 };
        const { frames: table, startNs } = fileData(store.state, now.file);
        if (!table || (now.time && frames.value === timeName(now.time, startNs))) {
            return;
        }
        const { range, problem } = readRange(table, frames.value);
        frames.toggleAttribute('aria-invalid', problem !== '');
        if (range) {
            setSide(context, which, { file: now.file, ...range });
            frames.value = rangeText(table, range);
        } else {
            fill(facts, h('span', { class: 'bad' }, problem));
            announce(problem);
        }
    };
    const move = (/** @type {1 | -1} */ step) => {
        const now = side();
        const table = now ? fileData(store.state, now.file).frames : null;
        if (!now || now.time || !table) {
            return;
        }
        const length = now.last - now.first + 1;
        const first = Math.min(table.count - length, Math.max(0, now.first + step * length));
        setSide(context, which, { file: now.file, first, last: first + length - 1 });
    };
    frames.addEventListener('change', read);
    frames.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') {
            read();
            event.preventDefault();
        } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            move(event.key === 'ArrowUp' ? 1 : -1);
            event.preventDefault();
        }
        event.stopPropagation();
    });
    file.addEventListener('change', () => {
        const number = Number(file.value);
        const table = fileData(store.state, number).frames;
        // The frames that another file has are known later: it is cut to them then.
        setSide(context, which, { file: number, first: 0, last: (table?.count ?? store.state.entries[number - 1].frames) - 1 });
    });
    const steps = /** @type {const} */ ([['before', 'left', -1], ['after', 'right', 1]]).map(([where, sign, step]) => h('button', {
        class: 'tool', title: `Frames ${where}`, aria: { label: `${word}: frames ${where}` }, onclick: () => move(step),
    }, icon(sign)));
    const root = h('div', { class: `side ${which}`, role: 'group', aria: { label: `${word} side` } },
        h('b', { class: 'tag' }, word), file, frames,
        ...steps, take, takeTime, facts);

    const update = () => {
        const { state } = store;
        const now = side();
        file.hidden = state.entries.length < 2;
        if (file.options.length !== state.entries.length) {
            fill(file, ...state.entries.map((entry, i) => {
                const option = h('option', {}, `${i + 1}: ${entry.label}`);
                option.value = String(i + 1);
                return option;
            }));
        }
        const chosen = chosenFrames(state);
        const isTaken = now !== null && !now.time && now.file === state.place.file && now.first === chosen?.first && now.last === chosen.last;
        take.hidden = !chosen || !state.place.range || !state.frames || isTaken;
        if (chosen && state.frames) {
            take.textContent = `take ${rangeName(state.frames, chosen)}`;
            take.title = `The frames that are selected in the strip (${which === 'base' ? 'B' : 'C'})`;
        }
        const { measured } = state.place.explore;
        takeTime.hidden = !measured || (now?.file === state.place.file && now.time?.startNs === measured.startNs && now.time.endNs === measured.endNs);
        const times = measured ? timeName(measured, state.info?.startNs ?? 0n) : '';
        takeTime.textContent = `take ${times}`;
        takeTime.title = `The range that was measured on the timeline: ${times}`;
        const isTime = now?.time !== undefined;
        steps.forEach((button) => { button.hidden = isTime; });
        frames.classList.toggle('time', isTime);
        if (!now) {
            frames.value = '';
            fill(facts);
            return;
        }
        file.value = String(now.file);
        const { frames: table, startNs, problem } = fileData(state, now.file);
        frames.disabled = !table;
        if (!table) {
            fill(facts, problem || 'opening this file…');
            return;
        }
        frames.value = now.time ? timeName(now.time, startNs) : rangeText(table, now);
        frames.setAttribute('aria-label', isTime ? `${word}: times, or frames` : `${word}: frames`);
        frames.removeAttribute('aria-invalid');
        facts.title = facts.textContent = sideFacts(table, now);
    };
    return { root, update };
}

/** @param {Context} context */
export function sidesView(context) {
    const { store } = context;
    const base = picker(context, 'base');
    const next = picker(context, 'next');
    const swap = h('button', { class: 'tool swap', title: 'Swap the sides (X)', aria: { label: 'Swap the sides' }, onclick: () => swapSides(context) }, icon('swap'));
    const chips = h('div', { class: 'chips', role: 'group', aria: { label: 'Worth a look' } });
    const root = h('div', { class: 'sides' }, base.root, swap, next.root, chips);
    const update = () => {
        const { state } = store;
        base.update();
        next.update();
        const { frames, marks, place, entries } = state;
        const list = suggestions({ file: place.file, frames, marks, range: place.range, files: entries });
        const focused = chips.contains(document.activeElement) && document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
        fill(chips, ...list.map((item) => h('button', {
            class: 'badge', title: item.title, data: { key: item.key }, aria: { pressed: samePair(item.pair, place.compare) },
            onclick: () => setCompare(context, item.pair),
        }, item.label)));
        const again = [...chips.children].find((chip) => chip instanceof HTMLElement && chip.dataset.key === focused);
        if (focused && again instanceof HTMLElement) {
            again.focus();
        }
    };
    return { root, update };
}
