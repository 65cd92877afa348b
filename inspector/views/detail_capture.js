// SPDX-License-Identifier: MIT
// @ts-check
/* What is known of the selected frames and of the capture: clocks, losses, repairs, where it was recorded. */

import { h } from './dom.js';
import { LEVELS } from './top_bar.js';
import { verdictText } from './strip_view.js';
import { byteSize, counted, duration, exactNs, grouped, milliseconds, UNKNOWN } from '../model/format.js';
import { FRAME, NO_TOPOLOGY, percentile, sortedKnown } from '../model/frames.js';
import { glideTo } from '../state/navigate.js';
import { windowAround } from '../model/window.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../protocol/document.js').Info} Info */
/** @typedef {import('../protocol/document.js').Count} Count */
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
    return [
        h('h2', {}, `Frame ${frames.id[index]}`),
        h('div', { class: 'path' }, [flags & (FRAME.GPU_HITCH | FRAME.CPU_HITCH) ? 'a hitch' : '', verdict,
            detail?.fresh[index] ? 'the first frame of its structure' : ''].filter(Boolean).join('  ·  ')),
        h('div', { class: 'big' }, frames.gpuNs[index] >= 0 ? milliseconds(frames.gpuNs[index]) : UNKNOWN, h('small', {}, ' ms GPU')),
        flags & FRAME.NO_GPU ? h('p', { class: 'warning' }, 'Its GPU times never came back.') : null,
        flags & FRAME.DEVICE_LOST ? h('p', { class: 'warning' }, 'The device was lost in this frame.') : null,
        frames.dropped[index] > 0
            ? h('p', { class: 'warning' }, `${counted(frames.dropped[index], 'thing')} of this frame could not be recorded: what is drawn lacks them.`) : null,
        ...list([
            ...row('GPU, first begin to last end', known(frames.gpuNs[index])),
            ...(detail ? row('GPU busy', known(detail.gpuBusyNs[index])) : []),
            ...row('CPU, begin to submit', known(frames.cpuNs[index])),
            ...row('spans', grouped(frames.spans[index])),
            ...(detail && detail.missing[index] > 0 ? row('passes without times', grouped(detail.missing[index])) : []),
            ...row('refused', grouped(frames.dropped[index])),
            ...(detail ? row('results came after', known(detail.latencyNs[index])) : []),
            ...(detail ? row('recorder\'s own cost', known(detail.overheadNs[index], 'not stored')) : []),
            ...row('topology', topology === NO_TOPOLOGY ? 'not recorded'
                : `${topology}${flags & FRAME.NEW_TOPOLOGY ? ', another than before' : ''}`),
            ...row('begins at', exactNs(frames.startNs[index] - (state.info?.startNs ?? 0n))),
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
        const value = (/** @type {number} */ p) => (values.length === 0 ? UNKNOWN : `${milliseconds(percentile(values, p))} ms`);
        return [...row(`${name} median`, value(0.5)), ...row(`${name} p95`, value(0.95)), ...row(`${name} max`, value(1))];
    };
    const hitches = frames.flags.subarray(first, last + 1).reduce((sum, flags) => sum + (flags & 3 ? 1 : 0), 0);
    const dropped = frames.dropped.subarray(first, last + 1).reduce((sum, count) => sum + count, 0);
    return [
        h('h2', {}, `Frames ${frames.id[first]} to ${frames.id[last]}`),
        h('div', { class: 'path' }, counted(last - first + 1, 'frame')),
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

/** @param {Context} context @param {AppState} state @param {Info} info @returns {Child[]} */
function capturePart(context, state, info) {
    const bytes = state.entry && state.entry.bytes >= 0n ? byteSize(state.entry.bytes) : UNKNOWN;
    return [
        state.place.range ? h('h2', { class: 'second' }, 'Capture') : h('h2', {}, state.entry?.label ?? 'Capture'),
        h('div', { class: 'path' }, [`${info.format} ${info.version}`.trim(), bytes, duration(info.endNs - info.startNs)].join('  ·  ')),
        ...(state.place.range ? [] : [h('p', { class: 'faint' }, 'Click a span for its details, a bar above for a frame, or press ? for the keys.')]),
        heading('recording', 'recording'),
        ...list([
            ...row('level', info.level === null ? 'not recorded' : `${info.level}, ${LEVELS[info.level] ?? UNKNOWN}`),
            ...row('recorder\'s own cost', info.overheadNs >= 0 ? overheadText(state, info) : 'not stored', info.overheadNs >= 0 ? '' : 'unknown'),
            ...['frames', 'spans', 'topologies', 'resources', 'dependencies', 'notes'].flatMap((key) => row(key, grouped(info.counts[key] ?? 0n))),
            ...(info.counts.unfinished > 0n ? row('without an end', grouped(info.counts.unfinished)) : []),
        ], info.level === 3 ? 'Level 3 is an internal repro level: its own cost shows in its times, and it tells much about the program.' : ''),
        heading('clocks', 'clocks'),
        ...clocks(info),
        heading('losses', 'lost while recording'),
        ...(info.dropped.length > 0 ? list(counts(info.dropped)) : [h('p', { class: 'faint' }, 'nothing')]),
        ...losers(context, state),
        heading('damage', 'damage and repairs'),
        ...damage(info),
        ...meta(info),
    ];
}

/** @param {Info} info @returns {Child[]} */
function meta(info) {
    /** @type {Map<string, string>} values of one key are told together */
    const values = new Map();
    for (const { key, value } of info.meta) {
        const before = values.get(key);
        values.set(key, before === undefined ? value : `${before}, ${value}`);
    }
    const all = [...values];
    const part = (/** @type {string} */ prefix) => all.filter(([key]) => key.startsWith(prefix)).flatMap(([key, value]) =>
        row(...metaText(key.slice(prefix.length), value)));
    const settings = part('setting.');
    const limits = part('limit.');
    const rest = all.filter(([key]) => !/^(setting|limit)\./.test(key)).flatMap(([key, value]) => row(...metaText(key, value)));
    return [
        ...(rest.length > 0 ? [heading('meta', 'where it was recorded'), ...list(rest)] : []),
        ...(settings.length > 0 ? [heading('settings', 'settings'), ...list(settings)] : []),
        ...(limits.length > 0 ? [h('details', {}, h('summary', {}, `limits of the device (${limits.length / 2})`), ...list(limits))] : []),
    ];
}

/** @param {string} key @param {string} value @returns {[string, string, string]} */
function metaText(key, value) {
    if (key === 'start_wall_ns' && /^\d{1,19}$/.test(value)) {
        const date = new Date(Number(BigInt(value) / 1000000n));
        return ['recorded', `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`, ''];
    }
    return [key.replaceAll('_', ' '), value === '' ? 'withheld' : value, value === '' ? 'unknown' : ''];
}

/** @param {AppState} state @param {Info} info */
function overheadText(state, info) {
    const frames = state.frames?.count ?? 0;
    return frames > 0 ? `${duration(Math.round(info.overheadNs / frames))} a frame` : duration(info.overheadNs);
}

/** @param {Count[]} items */
function counts(items) {
    return items.flatMap((item) => row(item.name.replaceAll('_', ' '), grouped(item.count)));
}

/** @param {Info} info @returns {Child[]} */
function clocks(info) {
    return info.clocks.flatMap((clock) => [
        ...list([
            h('dt', { class: 'group' }, clock.name),
            ...row('worth', clock.domain === 'host' ? 'the axis of the capture' : clock.domain, clock.domain === 'nominal' ? 'unknown' : ''),
            ...(clock.domain === 'calibrated' ? row('largest error', clock.boundNs >= 0 ? exactNs(clock.boundNs) : 'no bound claimed') : []),
            ...(clock.readings > 0 ? row('paired readings', grouped(clock.readings)) : []),
            ...(clock.rejected > 0 ? row('left out as outliers', grouped(clock.rejected)) : []),
            ...row('ns a tick, declared', clock.period),
            ...row('valid bits', String(clock.bits)),
        ], clock.domain === 'nominal'
            ? `Placed at each frame's submit; CPU and GPU are never measured against each other. ${clock.reason}` : ''),
    ]);
}

/** Frames that lost something. @param {Context} context @param {AppState} state @returns {Child[]} */
function losers(context, state) {
    const { frames } = state;
    if (!frames) {
        return [];
    }
    const list = [];
    for (let i = 0; i < frames.count && list.length < 12; i++) {
        if (frames.dropped[i] > 0) {
            list.push(i);
        }
    }
    if (list.length === 0) {
        return [];
    }
    return [h('p', { class: 'faint' }, 'in ', ...list.flatMap((index, i) => [i > 0 ? ', ' : '',
        h('button', {
            class: 'link', onclick: () => {
                context.store.update({ place: { ...context.store.state.place, range: { first: index, last: index } } });
            },
        }, `frame ${frames.id[index]}`)]))];
}

/** @param {Info} info @returns {Child[]} */
function damage(info) {
    const clean = info.defects.length === 0 && info.repairs.length === 0 && info.skipped.length === 0 && info.closed && !info.recovered;
    if (clean) {
        return [h('p', { class: 'faint' }, 'none: the file was closed by its recorder and read whole')];
    }
    return [
        info.closed ? null : h('p', { class: 'faint' }, 'The recorder never reached its stop; everything that was written is here.'),
        info.recovered ? h('p', { class: 'faint' }, 'Its directory was missing or damaged: what is here was found by reading the whole file.') : null,
        ...list(counts(info.repairs)),
        ...(info.defects.length > 0 ? list(info.defects.slice(0, 50).flatMap((defect) => [
            h('dt', {}, defect.name), h('dd', {}, `at byte ${grouped(defect.offset)}`), h('dd', { class: 'wide' }, defect.text)]),
        info.defectCount > 50 ? `and ${grouped(info.defectCount - 50)} more: frameglass validate lists all` : '') : []),
        ...(info.skipped.length > 0 ? list(info.skipped.flatMap((item) => row(`records of type ${item.name}`, grouped(item.count))),
            'This version does not know these parts and does not show them.') : []),
    ];
}
