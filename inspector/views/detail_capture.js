// SPDX-License-Identifier: MIT
// @ts-check
/* What is known of the selected frames, and the capture in a few lines. */

import { h } from './dom.js';
import { frameCost } from './detail_frame.js';
import { byteSize, counted, duration, durationParts, exactNs, grouped, readableNs, UNKNOWN } from '../model/format.js';
import { isForeign, LEVELS } from '../model/capture_meta.js';
import { FRAME, NO_TOPOLOGY, WARM_UP_FRAMES, isWarmUp, longestHitch, mayHaveGpu, percentile, sortedKnown, worstHitch } from '../model/frames.js';
import { glideTo, goToFrame } from '../state/navigate.js';
import { showView } from '../state/view_choice.js';
import { windowAround } from '../model/window.js';
import { unfilledWithin, verdictReason, verdictText, windowReason, windowWords } from '../model/verdict.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../protocol/document.js').Info} Info */
/** @typedef {import('./dom.js').Child} Child */

/** @param {Context} context @returns {Child[]} */
export function captureDetail(context) {
    const { state } = context.store;
    const { info } = state;
    return [
        ...framesPart(context, state),
        ...(info ? capturePart(context, state, info) : [h('p', { class: 'empty' }, state.phase === 'failed' ? '' : 'The details come with the trace.')]),
    ];
}

/** @param {Child[]} rows pairs of dt and dd @param {string} [note] */
function list(rows, note = '') {
    return [h('dl', { class: 'num' }, ...rows), note ? h('p', { class: 'faint' }, note) : null];
}

/** @param {string} key @param {Child} value @param {string} [style] @returns {Child[]} */
function row(key, value, style = '') {
    const long = typeof value === 'string' && value.length > 24 ? 'wide' : '';
    return [h('dt', {}, key), h('dd', { class: `${style} ${long}`.trim() || undefined }, value)];
}

/** A time in large figures; its unit small. @param {number} ns @returns {Child[]} */
function bigTime(ns) {
    const { number, unit } = durationParts(ns);
    return ns >= 0 ? [number, h('small', {}, ` ${unit}`)] : [UNKNOWN];
}

/** @param {number} ns @param {string} missing */
function known(ns, missing = UNKNOWN) {
    return ns >= 0 ? duration(ns) : missing;
}

/** @param {Context} context @param {AppState} state @returns {Child[]} */
function framesPart(context, state) {
    const { frames, place } = state;
    if (!frames || !place.range || frames.count === 0) {
        return [];
    }
    const { first, last } = place.range;
    return first === last ? oneFrame(context, state, first) : manyFrames(state, first, last);
}

/** @param {Context} context @param {AppState} state @param {number} index @returns {Child[]} */
function oneFrame(context, state, index) {
    const frames = /** @type {import('../model/frames.js').FrameTable} */ (state.frames);
    const { detail } = frames;
    const flags = frames.flags[index];
    const topology = detail?.topology[index] ?? NO_TOPOLOGY;
    const verdict = verdictText(frames, index);
    const notes = state.marks.filter((mark) => mark.frame === index);
    const onGpu = mayHaveGpu(frames, index);
    return [
        h('h2', {}, `Frame ${frames.id[index]}`),
        h('div', { class: 'path' }, [flags & (FRAME.GPU_HITCH | FRAME.CPU_HITCH) ? 'a hitch' : '', verdict,
            detail?.fresh[index] ? 'the first frame of its structure' : ''].filter(Boolean).join('  ·  ')),
        verdictReason(frames, index) ? h('p', { class: 'faint verdict-reason' }, verdictReason(frames, index)) : null,
        h('div', { class: 'big' }, ...bigTime(onGpu ? frames.gpuNs[index] : frames.cpuNs[index]), h('small', {}, onGpu ? ' GPU' : ' CPU')),
        flags & FRAME.NO_GPU ? h('p', { class: 'warning' }, 'Its GPU times never came back.') : null,
        flags & FRAME.DEVICE_LOST ? h('p', { class: 'warning' }, 'The device was lost in this frame.') : null,
        frames.dropped[index] > 0
            ? h('p', { class: 'warning' }, `${counted(frames.dropped[index], 'thing')} of this frame could not be recorded: what is drawn lacks them.`) : null,
        ...frameCost(context, index),
        ...list([
            ...(onGpu ? row('GPU, first begin to last end', known(frames.gpuNs[index])) : []),
            ...(onGpu && detail ? row('GPU busy', known(detail.gpuBusyNs[index])) : []),
            ...row(onGpu ? 'CPU, begin to submit' : 'CPU, begin to end', known(frames.cpuNs[index])),
            ...row('spans', grouped(frames.spans[index])),
            ...(detail && detail.missing[index] > 0 ? row('passes without times', grouped(detail.missing[index])) : []),
            ...row('refused', grouped(frames.dropped[index])),
            ...(onGpu && detail ? row('results came after', known(detail.latencyNs[index])) : []),
            ...(detail ? row('recorder\'s own cost', known(detail.overheadNs[index], 'not stored')) : []),
            ...row('topology', topology === NO_TOPOLOGY ? 'not recorded'
                : `${topology}${flags & FRAME.NEW_TOPOLOGY ? ', another than before' : ''}`),
            ...row('begins at', readableNs(frames.startNs[index] - (state.info?.startNs ?? 0n))),
        ]),
        ...notes.map((note) => {
            const show = () => glideTo(context, windowAround(note.timeNs, note.timeNs + 1n, 1e6));
            return h('p', {}, h('button', { class: 'link', onclick: show }, 'note'), ` ${note.text}`);
        }),
    ];
}

/** @param {AppState} state @param {number} first @param {number} last @returns {Child[]} */
function manyFrames(state, first, last) {
    const frames = /** @type {import('../model/frames.js').FrameTable} */ (state.frames);
    const side = (/** @type {string} */ name, /** @type {Float64Array} */ column) => {
        const values = sortedKnown(column.subarray(first, last + 1));
        const value = (/** @type {number} */ p) => (values.length === 0 ? UNKNOWN : duration(percentile(values, p)));
        return [...row(`${name} median`, value(0.5)), ...row(`${name} p95`, value(0.95)), ...row(`${name} max`, value(1))];
    };
    const hitches = frames.flags.subarray(first, last + 1).reduce((sum, flags) => sum + (flags & 3 ? 1 : 0), 0);
    const dropped = frames.dropped.subarray(first, last + 1).reduce((sum, count) => sum + count, 0);
    const { verdict } = state;
    const unfilled = unfilledWithin(frames, { first, last });
    const shown = verdict && (verdict.verdict !== 'unknown' || unfilled > 0) && verdict.range.first === first && verdict.range.last === last ? verdict : null;
    return [
        h('h2', {}, `Frames ${frames.id[first]} to ${frames.id[last]}`),
        h('div', { class: 'path' }, [counted(last - first + 1, 'frame'), shown && shown.verdict !== 'unknown' ? windowWords(shown) : ''].filter(Boolean).join('  ·  ')),
        shown ? h('p', { class: 'faint verdict-reason' }, windowReason(shown, unfilled)) : null,
        ...list([
            ...side('GPU', frames.gpuNs),
            ...side('CPU', frames.cpuNs),
            ...row('hitches', String(hitches)),
            ...row('refused', grouped(dropped)),
        ]),
    ];
}

/** @param {string} id @param {string} title */
function heading(id, title) {
    return h('h3', { id: `capture-${id}`, tabindex: -1 }, title);
}

/** Hitches before anything is selected: the one that the first look goes to is explained. @param {Context} context @param {AppState} state @returns {Child[]} */
function hitchPart(context, state) {
    const { frames, place } = state;
    const told = frames && !place.range ? worstHitch(frames) : -1;
    if (!frames || told < 0) {
        return [];
    }
    const line = (/** @type {number} */ index) => {
        const time = frames.flags[index] & FRAME.GPU_HITCH ? `${duration(frames.gpuNs[index])} on the GPU` : `${duration(frames.cpuNs[index])} on the CPU`;
        return h('p', {}, h('button', { class: 'link', onclick: () => goToFrame(context, index) }, `frame ${frames.id[index]}`), `: ${time}.`);
    };
    const longest = longestHitch(frames);
    return [
        h('h3', { id: 'capture-hitch' }, 'the longest hitch', longest === told ? null : ' of the GPU'),
        line(told),
        isWarmUp(told) ? null : h('p', { class: 'faint' }, `The first ${WARM_UP_FRAMES} frames are left out: they make pipelines and fill caches.`),
        ...frameCost(context, told),
        ...(longest === told ? [] : [h('h3', {}, 'the longest hitch of all'), line(longest)]),
    ];
}

/** What the page of its own says at length, in a few lines. @param {Context} context @param {AppState} state @param {Info} info @returns {Child[]} */
function capturePart(context, state, info) {
    const bytes = state.entry && state.entry.bytes >= 0n ? byteSize(state.entry.bytes) : UNKNOWN;
    const foreign = isForeign(info);
    const sum = (/** @type {readonly { count: bigint }[]} */ items) => items.reduce((all, item) => all + item.count, 0n);
    return [
        state.place.range ? h('h2', { class: 'second' }, 'Capture') : h('h2', {}, state.entry?.label ?? 'Capture'),
        h('div', { class: 'path', title: 'The time is from the first time to the last, of instants and counters as well.' },
            [`${info.format} ${info.version}`.trim(), bytes, duration(info.endNs - info.startNs)].join('  ·  ')),
        ...(state.place.range ? [] : [h('p', { class: 'faint' },
            `Click a span for its details, ${(state.frames?.count ?? 0) > 0 ? 'a bar above for a frame, ' : ''}or press ? for the keys.`)]),
        ...hitchPart(context, state),
        heading('recording', 'recording'),
        ...list([
            ...(foreign ? [] : recorderRows(state, info)),
            ...['frames', 'spans', 'topologies', 'notes'].filter((key) => !foreign || (info.counts[key] ?? 0n) > 0n)
                .flatMap((key) => row(key, grouped(info.counts[key] ?? 0n))),
            ...info.clocks.filter((clock) => clock.domain !== 'host').flatMap((clock) => row(clock.name, clock.domain === 'calibrated' && clock.boundNs >= 0
                ? `calibrated, ±${exactNs(clock.boundNs)}` : clock.domain)),
            ...row('lost while recording', sum(info.dropped) === 0n ? 'nothing' : grouped(sum(info.dropped))),
            ...row('damage and repairs', info.defectCount > 0 ? counted(info.defectCount, 'defect') : sum(info.repairs) > 0n ? counted(sum(info.repairs), 'repair')
                : info.closed && !info.recovered ? 'none' : 'not closed'),
        ], foreign ? 'Of another tool: no frames, no frame graph, no figures of a recorder.'
            : info.level === 3 ? 'Level 3 is an internal repro level: its own cost shows in its times, and it tells much about the program.' : ''),
        h('p', {}, h('button', { class: 'link', onclick: () => showView(context, 'capture') }, 'All about the capture'),
            h('span', { class: 'faint' }, ': clocks, losses, device, settings')),
    ];
}

/** @param {AppState} state @param {Info} info @returns {Child[]} */
function recorderRows(state, info) {
    const isKnown = info.overheadNs >= 0;
    return [
        ...row('level', info.level === null ? 'not recorded' : `${info.level}, ${LEVELS[info.level] ?? UNKNOWN}`),
        ...row('recorder\'s own cost', isKnown ? overheadText(state, info) : 'not stored', isKnown ? '' : 'unknown'),
    ];
}

/** @param {AppState} state @param {Info} info */
function overheadText(state, info) {
    const frames = state.frames?.count ?? 0;
    return frames > 0 ? `${duration(Math.round(info.overheadNs / frames))} a frame` : duration(info.overheadNs);
}
