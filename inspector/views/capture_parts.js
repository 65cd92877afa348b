// SPDX-License-Identifier: MIT
// @ts-check
/* The parts of the page about a capture: clocks, losses, damage, and what it was recorded with. */

import { h } from './dom.js';
import { trackOf } from '../state/app_state.js';
import { showLoss } from '../state/diagnostics.js';
import { goToFrame } from '../state/navigate.js';
import { showView } from '../state/view_choice.js';
import { limitText } from '../model/capture_meta.js';
import { counted, duration, exactNs, grouped, UNKNOWN } from '../model/format.js';
import { hasLossCounters, LOSS_COUNTERS, NO_PROOF } from '../model/losses.js';
import { percentile, sortedKnown } from '../model/frames.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../protocol/document.js').Info} Info */
/** @typedef {import('../protocol/document.js').Clock} Clock */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {import('../model/capture_meta.js').Entry} Entry */
/** @typedef {import('./dom.js').Child} Child */

/** Frames that are named; more are counted. */
const MAX_FRAMES = 40;
const MAX_DEFECTS = 200;

/** @param {string} id @param {string} title @param {Child[]} children */
export function card(id, title, ...children) {
    return h('section', { class: 'card', id: `about-${id}`, tabindex: -1, aria: { label: title } }, h('h3', {}, title), ...children);
}

/** @param {readonly Child[]} cells */
const tableRow = (...cells) => h('tr', {}, ...cells.map((cell, i) => (i === 0 ? h('th', { class: 'text' }, cell) : h('td', {}, cell))));

/** @param {readonly string[]} heads @param {HTMLElement[]} rows */
function table(heads, rows) {
    return h('table', { class: 'num' }, h('thead', {}, h('tr', {}, ...heads.map((head, i) => h('th', { class: i === 0 ? 'text' : undefined }, head)))), h('tbody', {}, ...rows));
}

/** @param {readonly [string, Child][]} rows */
export function pairs(rows) {
    return h('dl', { class: 'num' }, ...rows.flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, value)]));
}

/** What a clock's times may be used for. @param {Clock} clock */
function clockWords(clock) {
    if (clock.domain === 'host') {
        return 'The axis of the capture: all CPU times are of this clock.';
    }
    if (clock.domain === 'calibrated') {
        const bound = clock.boundNs >= 0 ? `No time on it is further off than ${exactNs(clock.boundNs)}: smaller gaps and orders across clocks are not claimed.`
            : 'No bound of its error is claimed.';
        return `Brought to the CPU's clock by ${counted(clock.readings, 'paired reading')} during the recording. ${bound}`;
    }
    return `Anchored at each frame's submit: durations are true, but nothing is measured between it and another clock. ${clock.reason}`.trim();
}

/** @param {Info} info */
export function clocksPart(info) {
    if (info.clocks.length === 0) {
        return [h('p', { class: 'faint' }, 'The capture names no clock.')];
    }
    return [table(['clock', 'worth', 'largest error', 'readings', 'rejected', 'ns a tick', 'bits'], info.clocks.map((clock) => tableRow(clock.name || '(no name)',
        h('span', { class: clock.domain === 'nominal' ? 'warn' : clock.domain === 'calibrated' ? 'good' : undefined }, clock.domain),
        clock.domain !== 'calibrated' ? '–' : clock.boundNs >= 0 ? `±${exactNs(clock.boundNs)}` : 'not claimed',
        clock.readings > 0 ? grouped(clock.readings) : '–', clock.rejected > 0 ? grouped(clock.rejected) : clock.readings > 0 ? '0' : '–', clock.period, String(clock.bits)))),
    ...info.clocks.map((clock) => h('p', { class: 'faint' }, h('b', {}, `${clock.name}: `), clockWords(clock)))];
}

/** Frames as links. @param {Context} context @param {FrameTable} frames @param {number[]} list */
function frameLinks(context, frames, list) {
    return h('p', { class: 'faint' }, 'in ', ...list.slice(0, MAX_FRAMES).flatMap((index, i) => [i > 0 ? ', ' : '', h('button', {
        class: 'link', onclick: () => {
            showView(context, 'timeline');
            goToFrame(context, index);
        },
    }, `frame ${frames.id[index]}`)]), list.length > MAX_FRAMES ? ` and ${grouped(list.length - MAX_FRAMES)} more` : '');
}

/** @param {FrameTable} frames @param {(index: number) => boolean} is */
function framesThat(frames, is) {
    return Array.from({ length: frames.count }, (_, i) => i).filter(is);
}

/** @param {Context} context @param {Info} info */
export function lossesPart(context, info) {
    const { frames } = context.store.state;
    const losers = frames ? framesThat(frames, (i) => frames.dropped[i] > 0) : [];
    const missing = frames?.detail ? framesThat(frames, (i) => (frames.detail?.missing[i] ?? 0) > 0) : [];
    const without = missing.reduce((sum, i) => sum + (frames?.detail?.missing[i] ?? 0), 0);
    return [
        info.deviceLost ? h('p', { class: 'warning' }, 'The device was lost during this capture.') : null,
        info.dropped.length === 0 ? h('p', { class: 'faint' }, 'Nothing was refused while recording.')
            : table(['refused, because', 'how many'], info.dropped.map((item) => tableRow(item.name.replaceAll('_', ' '), grouped(item.count)))),
        frames && losers.length > 0 ? frameLinks(context, frames, losers) : null,
        frames && missing.length > 0 ? h('p', {}, `${counted(without, 'GPU pass', 'GPU passes')} whose times never came:`) : null,
        frames && missing.length > 0 ? frameLinks(context, frames, missing) : null,
        ...eventLosses(context),
        info.counts.unfinished > 0n ? h('p', { class: 'faint' },
            `${counted(info.counts.unfinished, 'span')} without an end: drawn to where their parent or the trace ends, in no figure.`) : null,
    ];
}

/** What the diagnostics of the program lost: all counters, and where. @param {Context} context @returns {Child[]} */
function eventLosses(context) {
    const { losses } = context.store.state;
    if (!losses || !hasLossCounters(losses)) {
        return [];
    }
    const name = (/** @type {number} */ track) => (track < 0 ? 'the whole capture' : trackOf(context.store.state, track)?.name ?? `track ${track}`);
    const place = (/** @type {number} */ track) => h('button', { class: 'link', onclick: () => {
        const loss = losses.list.find((item) => item.track === track);
        if (loss) {
            showLoss(context, loss);
        }
    } }, name(track));
    return [
        table(['events of the program', 'how many'], LOSS_COUNTERS.map(({ label, means }, i) => {
            const value = losses.counters[i] ?? null;
            const row = tableRow(label, value === null ? '–' : h('span', { class: value > 0n ? 'bad' : undefined }, grouped(value)));
            row.title = means;
            return row;
        })),
        losses.tracks.length > 0 ? table(['lost on', 'events', 'places'], losses.tracks.map((loss) => tableRow(place(loss.track), grouped(loss.count), grouped(loss.gaps)))) : null,
        losses.all > losses.list.length ? h('p', { class: 'faint' }, `The timeline marks the first ${grouped(losses.list.length)} of ${grouped(losses.all)} places.`) : null,
        h('p', { class: 'faint' }, NO_PROOF, ' Zones and markers that were lost are in no figure. J goes from one place to the next.'),
    ];
}

/** @param {Info} info */
export function damagePart(info) {
    const isClean = info.defects.length === 0 && info.repairs.length === 0 && info.closed && !info.recovered;
    if (isClean) {
        return [h('p', { class: 'faint' }, 'None: the file was closed by its recorder and read whole.')];
    }
    return [
        info.closed ? null : h('p', { class: 'warning' }, 'The recorder never reached its stop; everything that was written is here.'),
        info.recovered ? h('p', { class: 'warning' }, 'Its directory was missing or damaged: what is here was found by reading the whole file.') : null,
        info.repairs.length > 0 ? table(['put right on reading', 'how often'], info.repairs.map((item) => tableRow(item.name.replaceAll('_', ' '), grouped(item.count)))) : null,
        info.defects.length > 0 ? table(['defect', 'at byte', 'what'], info.defects.slice(0, MAX_DEFECTS).map((defect) => tableRow(
            defect.name.replaceAll('_', ' '), grouped(defect.offset), h('span', { class: 'words' }, defect.text)))) : null,
        info.defectCount > Math.min(MAX_DEFECTS, info.defects.length)
            ? h('p', { class: 'faint' },
                `and ${grouped(info.defectCount - Math.min(MAX_DEFECTS, info.defects.length))} more: frameglass validate lists all.`,
                ' frameglass repair writes a copy that is whole.') : null,
    ];
}

/** A capture of a later version, or of a program that adds to the format. @param {Info} info */
export function skippedPart(info) {
    if (info.skipped.length === 0) {
        return null;
    }
    const all = info.skipped.reduce((sum, item) => sum + item.count, 0n);
    return card('skipped', 'Parts that cannot be shown',
        h('p', { class: 'warning' }, `This capture is newer than this page: ${counted(all, 'record')} of kinds that it does not know were left out. Everything else is shown.`),
        table(['kind of record', 'how many'], info.skipped.map((item) => tableRow(item.name, grouped(item.count)))),
        h('p', { class: 'faint' }, 'A newer Frameglass shows them.'));
}

/** What recording itself took. @param {Context} context @param {Info} info */
export function costPart(context, info) {
    const { frames } = context.store.state;
    const cost = frames?.detail ? sortedKnown(frames.detail.overheadNs) : new Float64Array(0);
    const latency = frames?.detail ? sortedKnown(frames.detail.latencyNs) : new Float64Array(0);
    const at = (/** @type {Float64Array} */ values, /** @type {number} */ p) => (values.length > 0 ? duration(percentile(values, p)) : UNKNOWN);
    return [pairs([
        ['in all', info.overheadNs >= 0 ? duration(info.overheadNs) : 'not stored'],
        ['a frame, median', at(cost, 0.5)],
        ['a frame, p95', at(cost, 0.95)],
        ['a frame, max', at(cost, 1)],
        ['results came after, median', at(latency, 0.5)],
    ]), h('p', { class: 'faint' }, 'CPU time that the recorder measured of itself on the frame\'s thread. Results come later and cost no wait.')];
}

/** How long views take, by who drew most of them. @param {import('../model/pace.js').Pace} pace */
export function pacePart(pace) {
    const ms = (/** @type {number} */ value) => duration(Math.round(value * 1e6));
    return [
        table(['drawn', 'views', 'p50', 'p95'], pace.rows.map((row) => tableRow(row.renderer, grouped(row.count), ms(row.p50Ms), ms(row.p95Ms)))),
        pairs([['now', pace.renderer], ['columns', grouped(pace.columns)], ['marks at most', grouped(pace.most)], ['cells searched', grouped(pace.cells)]]),
        h('p', { class: 'faint' }, 'From the question to the picture, of the newest 256 views at this scale.',
            ' Zooming, another size, filters, folding, labels and dependencies begin anew.'),
    ];
}

const COUNTED = ['frames', 'spans', 'unfinished', 'instants', 'counters', 'counter samples', 'samples', 'objects', 'dependencies', 'passes', 'topologies', 'resources',
    'processes', 'tracks', 'lanes', 'names', 'notes', 'other events', 'skipped records'];

/** @param {Info} info */
export function countsPart(info) {
    return [pairs(COUNTED.filter((key) => info.counts[key] !== undefined && (info.counts[key] > 0n || ['frames', 'spans', 'topologies'].includes(key)))
        .map((key) => [key === 'unfinished' ? 'spans without an end' : key === 'passes' ? 'pass identities' : key, grouped(info.counts[key])]))];
}

/** @param {readonly Entry[]} entries @param {string} none */
export function entriesPart(entries, none) {
    return entries.length === 0 ? h('p', { class: 'faint' }, none)
        : pairs(entries.map(({ key, value }) => [key, value === '' ? h('span', { class: 'faint' }, 'withheld') : value]));
}

/** @param {readonly Entry[]} limits */
export function limitsPart(limits) {
    return limits.length === 0 ? null : h('details', {}, h('summary', {}, counted(limits.length, 'limit')), pairs(limits.map(({ key, value }) => [key, limitText(value)])));
}
