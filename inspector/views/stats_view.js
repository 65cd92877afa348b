// SPDX-License-Identifier: MIT
// @ts-check
/* Statistics of the selected frames. Rows are made only for what is in sight. */

import { byId, fill, h, onFrame } from './dom.js';
import { drawNoRows, drawRows, drawSortHead, rowKey } from './virtual_rows.js';
import { histogramView } from './histogram_view.js';
import { lossesLine } from './losses_line.js';
import { tableTabs } from './table_tabs.js';
import { verdictChip } from './verdict_chip.js';
import { hueVariable } from '../draw/palette.js';
import { updateExplore, updatePlace } from '../state/app_state.js';
import { cancelWork } from '../state/working.js';
import { setMark } from '../state/search.js';
import { NAMED_BY } from '../state/stats_data.js';
import { selectAndReveal } from '../state/selection.js';
import { MAIN_BY, STATS_BY } from '../model/address.js';
import { noPasses, softwareTimes } from '../model/capture_meta.js';
import { OVERS } from '../model/address_explore.js';
import { KIND } from '../protocol/client.js';
import { counted, duration, grouped, percent } from '../model/format.js';
import { clockTotals, columnUnit, nextSort, share, sortRows } from '../model/table.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/table.js').StatRow} StatRow */
/** @typedef {import('../model/table.js').StatColumn} StatColumn */
/** @typedef {import('../model/address.js').StatsBy} StatsBy */

const NONE = 0xffffffff;
/** @type {readonly { id: StatColumn, label: string, width?: string, class: string, title: string }[]} */
const COLUMNS = [
    { id: 'name', label: '', class: 'text', title: '' },
    { id: 'track', label: 'track', width: 'clamp(8ch, 9cqw, 28ch)', class: 'text', title: 'empty where several tracks are in one row' },
    { id: 'count', label: 'count', class: '', title: 'complete spans' },
    { id: 'total', label: 'total', class: '', title: 'sum of the durations' },
    { id: 'share', label: 'self share', class: '', title: 'its own time of all own time on the same clock: nothing is counted twice, CPU and GPU are never added' },
    { id: 'self', label: 'self', class: '', title: 'less the time of direct children' },
    { id: 'busy', label: 'busy', class: '', title: 'time in which at least one of them ran' },
    { id: 'min', label: 'min', class: '', title: 'shortest' },
    { id: 'median', label: 'median', class: '', title: 'nearest rank' },
    { id: 'p95', label: 'p95', class: '', title: 'nearest rank' },
    { id: 'max', label: 'max', class: '', title: 'longest; double click goes there' },
];
/** Rows of tracks are named for them. */
const TRACK_COLUMNS = COLUMNS.filter((column) => column.id !== 'track');
const columnsOf = (/** @type {StatsBy} */ by) => (by === 'track' ? TRACK_COLUMNS : COLUMNS);
/** @type {Record<StatsBy, string>} */
const BY_LABEL = {
    name: 'Name', pass: 'Pass', track: 'Track', scope: 'Scope', category: 'Category', process: 'Process', lane: 'Lane', depth: 'Depth', status: 'Status', classes: 'Kind',
    frame: 'Frame', all: 'All together',
};
const OVER_LABEL = { frames: 'chosen frames', window: 'what is on screen', measured: 'measured range', all: 'whole trace' };
/** Rows of these can be highlighted. @type {readonly StatsBy[]} */
const MARKABLE = ['name', 'pass', 'track', 'scope', 'category', 'status'];
/** Where nothing is known of a device. */
const RECORDED_NOTE = 'Durations as they were recorded; median and p95 are nearest ranks.';
export const COARSE_NOTE = 'Durations as the device reported them. On a coarse clock judge the median over many frames, never one frame.';

/** What of the place the table shows: the window is no part of it, and moves all the time. */
const SHOWN_OF_PLACE = /** @type {const} */ (['range', 'by', 'sort', 'find', 'mark', 'unit', 'selected', 'file', 'explore']);

/** @param {Context} context */
export function statsView(context) {
    const { store } = context;
    const rangeText = h('span', { class: 'range' });
    const clear = h('button', { class: 'link', onclick: () => updatePlace(context, { range: null }) }, 'all frames');
    const choice = h('div', { class: 'choice', role: 'radiogroup', aria: { label: 'Group by' } },
        ...MAIN_BY.map((by) => h('button', { role: 'radio', data: { by }, onclick: () => updatePlace(context, { by, mark: null }) }, BY_LABEL[by])));
    const more = moreBy(context);
    const over = overChoice(context);
    const verdict = verdictChip(context);
    const stop = h('button', { class: 'link', hidden: true, onclick: () => cancelWork(context) }, 'stop');
    const durations = histogramView(context);
    const headRow = h('tr');
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Rows of the statistics' } },
        h('table', { class: 'num' }, h('colgroup'), h('thead', {}, headRow), body));
    const note = h('div', { class: 'note' });
    fill(byId('stats'), h('div', { class: 'bar' }, h('h2', {}, 'Statistics'), tableTabs(context), choice, more.root, over.root, rangeText, clear, verdict.chip, stop),
        h('div', { class: 'rows' }, scroller, durations.root), verdict.reason, note, lossesLine(context));

    /** @type {{ stats: unknown, sort: unknown, find: string, rows: StatRow[] }} */
    let sorted = { stats: null, sort: null, find: '', rows: [] };
    const rows = () => {
        const { stats, place } = store.state;
        const find = NAMED_BY.includes(place.by) ? place.find.trim().toLowerCase() : '';
        if (sorted.stats !== stats || sorted.sort !== place.sort || sorted.find !== find) {
            const matching = (stats?.rows ?? []).filter((row) => find === '' || row.name.toLowerCase().includes(find));
            sorted = { stats, sort: place.sort, find, rows: sortRows(matching, place.sort) };
        }
        return sorted.rows;
    };

    const draw = onFrame(() => {
        const { state } = store;
        const list = rows();
        const figures = tableFigures(state);
        rangeText.textContent = describeRange(state);
        clear.hidden = state.place.range === null || state.place.explore.over !== 'frames';
        stop.hidden = state.working === null;
        more.show();
        over.show();
        for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (choice.querySelectorAll('button'))) {
            const { by } = button.dataset;
            button.setAttribute('aria-checked', String(by === state.place.by));
            button.title = by === 'pass' || by === 'scope' ? noPasses(state.info) : '';
            button.disabled = by !== state.place.by && button.title !== '';
        }
        scroller.setAttribute('aria-busy', String(state.stats?.state === 'counting'));
        drawHead(headRow, context, figures);
        const columns = columnsOf(state.place.by).length;
        drawRows(scroller, body, list, columns, (row) => statRow(context, row, figures));
        if (list.length === 0 && state.phase === 'ready' && state.stats) {
            drawNoRows(body, columns, emptyReason(state));
        }
        drawNote(note, state, list);
    }, body);
    scroller.addEventListener('scroll', draw);
    scroller.addEventListener('keydown', (event) => rowKey(event, body, (row) => {
        const isPress = event.key === 'Enter' || event.key === ' ';
        if (isPress) {
            row.click();
        }
        return isPress;
    }));
    store.listen((state, before) => {
        if (state.working !== before.working) {
            stop.hidden = state.working === null;
        }
        if (state.stats !== before.stats || state.phase !== before.phase || state.selection !== before.selection
            || SHOWN_OF_PLACE.some((part) => state.place[part] !== before.place[part])) {
            draw();
        }
    });
    new ResizeObserver(draw).observe(scroller);
}

/** Dimensions without a button of their own. @param {Context} context */
function moreBy(context) {
    const { store } = context;
    const root = h('select', { aria: { label: 'Group by another dimension' } }, ...[null, ...STATS_BY.slice(MAIN_BY.length)].map((by) => {
        const option = h('option', {}, by ? BY_LABEL[by] : 'by…');
        option.value = by ?? '';
        return option;
    }));
    root.addEventListener('change', () => updatePlace(context, { by: STATS_BY.find((by) => by === root.value) ?? 'name', mark: null }));
    return {
        root,
        show() {
            root.hidden = !context.client.can(KIND.AGGREGATE);
            root.value = MAIN_BY.includes(store.state.place.by) ? '' : store.state.place.by;
            root.classList.toggle('on', root.value !== '');
        },
    };
}

/** What the figures are of. @param {Context} context */
function overChoice(context) {
    const { store } = context;
    const root = h('select', { aria: { label: 'Figures of' } }, ...OVERS.map((over) => {
        const option = h('option', {}, OVER_LABEL[over]);
        option.value = over;
        return option;
    }));
    root.addEventListener('change', () => updateExplore(context, { over: OVERS.find((over) => over === root.value) ?? 'frames' }));
    return {
        root,
        show() {
            const { explore } = store.state.place;
            root.hidden = !context.client.can(KIND.AGGREGATE);
            const framed = (store.state.frames?.count ?? 0) > 0;
            root.options[0].textContent = framed ? OVER_LABEL.frames : OVER_LABEL.all;
            root.options[3].hidden = !framed;
            root.value = explore.over;
            root.options[2].disabled = explore.measured === null;
            root.options[2].title = explore.measured === null ? 'measure a range first: drag on the timeline with Shift' : '';
        },
    };
}

/** @param {AppState} state */
function describeRange(state) {
    const { frames, place, window } = state;
    const { over, measured } = place.explore;
    if (over !== 'frames') {
        return over === 'window' ? duration(window.lengthNs) : over === 'measured' && measured ? duration(Number(measured.endNs - measured.startNs)) : 'whole trace';
    }
    if (!frames || frames.count === 0) {
        return 'whole trace';
    }
    if (!place.range) {
        return `all ${counted(frames.count, 'frame')}`;
    }
    const { first, last } = place.range;
    return first === last ? `frame ${frames.id[first]}` : `frames ${frames.id[first]} to ${frames.id[last]}`;
}

/** @param {AppState} state */
function emptyReason(state) {
    if (state.place.find.trim() !== '') {
        const found = `"${state.place.find.trim()}" in its name`;
        return NAMED_BY.includes(state.place.by) ? `No row has ${found}.` : `No complete span of this range has ${found}.`;
    }
    if (state.place.by === 'pass' || state.place.by === 'scope') {
        return `No span of this range belongs to a ${state.place.by}: the capture has no frame graph here, or its level left it out.`;
    }
    return state.filter ? 'No complete span of this range passes the filter.' : 'No complete span lies in this range.';
}

/**
 * @typedef {object} Figures
 * @property {ReturnType<typeof clockTotals>} clocks own time by clock
 * @property {Record<FigureColumn, { name: string, text: (ns: bigint) => string }>} units
 */
/** @typedef {'total' | 'self' | 'busy' | 'min' | 'median' | 'p95' | 'max'} FigureColumn */

/** What the rows are measured with. @param {AppState} state @returns {Figures} */
function tableFigures(state) {
    const rows = state.stats?.rows ?? [];
    const unit = (/** @type {(row: StatRow) => bigint} */ value) => columnUnit(rows.map(value));
    return {
        clocks: clockTotals(rows),
        units: {
            total: unit((row) => row.totalNs),
            self: unit((row) => row.selfNs),
            busy: unit((row) => row.busyNs ?? 0n),
            min: unit((row) => row.minNs),
            median: unit((row) => row.medianNs ?? 0n),
            p95: unit((row) => row.p95Ns ?? 0n),
            max: unit((row) => row.maxNs),
        },
    };
}

/** @param {HTMLElement} row @param {Context} context @param {Figures} figures */
function drawHead(row, context, figures) {
    const { sort, by } = context.store.state.place;
    const unitOf = (/** @type {StatColumn} */ id) => (id in figures.units ? ` ${figures.units[/** @type {FigureColumn} */ (id)].name}` : '');
    drawSortHead(row, columnsOf(by), sort, `${by}${COLUMNS.map((column) => unitOf(column.id)).join()}`,
        (column) => (column.label || BY_LABEL[by]) + unitOf(column.id),
        (column) => updatePlace(context, { sort: nextSort(context.store.state.place.sort, column.id) }));
}

/** What stands in place of a figure. @param {AppState} state @param {FigureColumn} column @returns {[string, string]} and why */
function whyNoFigure({ stats, place }, column) {
    return !stats || stats.state === 'whole' || (column === 'busy' && !MAIN_BY.includes(place.by)) ? ['–', 'not known of this grouping']
        : stats.state === 'counting' ? ['…', 'on its way'] : ['–', 'not counted: it was stopped'];
}

/** @param {Context} context @param {StatRow} row @param {Figures} figures */
function statRow(context, row, figures) {
    const { state } = context.store;
    const { mark, by } = state.place;
    const on = mark !== null && mark.by === by && mark.name === row.name;
    const toggle = () => {
        if (MARKABLE.includes(by)) {
            setMark(context, on ? null : { by, name: row.name });
        } else if (row.longest !== NONE) {
            void selectAndReveal(context, row.longest);
        }
    };
    const clock = figures.clocks.get(row.clock);
    const part = share(row.selfNs, clock?.selfNs ?? 0n);
    const clockName = state.info?.clocks[row.clock]?.name ?? '';
    const meter = h('i');
    // Bars compare rows with the largest one of their clock; the figure beside it is of the whole.
    meter.style.width = `${share(row.selfNs, clock?.largestNs ?? 0n) * 100}%`;
    const none = row.count === 0;
    const cell = (/** @type {FigureColumn} */ id, /** @type {bigint} */ ns) => (none ? '–' : figures.units[id].text(ns));
    const lateCell = (/** @type {FigureColumn} */ id, /** @type {bigint | null} */ ns) => {
        const [text, title] = whyNoFigure(state, id);
        return ns !== null ? h('td', {}, cell(id, ns)) : h('td', { class: 'unknown', title }, text);
    };
    const name = row.name || '(no name)';
    const element = h('tr', { class: on ? 'on' : undefined, tabindex: -1, aria: { selected: on }, data: { name: row.name, key: row.name }, onclick: toggle },
        h('td', { class: 'text', title: row.scope ? `${row.scope}/${name}` : name }, h('span', { class: 'chip', colour: hueVariable(row.name) }),
            row.scope ? h('span', { class: 'unit' }, `${row.scope}/ `) : null, name),
        by === 'track' ? null : h('td', { class: 'text', title: row.track }, row.track),
        h('td', {}, grouped(row.count)),
        h('td', {}, cell('total', row.totalNs)),
        h('td', { title: clockName ? `of all own time on the clock of ${clockName}` : undefined }, percent(part), h('span', { class: 'meter' }, meter)),
        h('td', {}, cell('self', row.selfNs)),
        lateCell('busy', row.busyNs),
        h('td', {}, cell('min', row.minNs)),
        lateCell('median', row.medianNs),
        lateCell('p95', row.p95Ns),
        h('td', {}, cell('max', row.maxNs)));
    element.addEventListener('dblclick', () => {
        if (row.longest !== NONE) {
            void selectAndReveal(context, row.longest);
        }
    });
    return element;
}

/** @param {HTMLElement} note @param {AppState} state @param {StatRow[]} rows */
function drawNote(note, state, rows) {
    const { stats } = state;
    const parts = [];
    const calm = [];
    const doubt = softwareTimes(state.info);
    if (doubt) {
        parts.push(doubt);
    }
    const zeros = rows.reduce((sum, row) => sum + (row.zeros ?? 0), 0);
    const unfinished = rows.reduce((sum, row) => sum + row.unfinished, 0);
    if (zeros > 0) {
        calm.push(`${counted(zeros, 'span')} of exactly 0 ns: shown as the device reported them.`);
    }
    if (unfinished > 0) {
        parts.push(`${counted(unfinished, 'span')} without an end, in no figure.`);
    }
    if (stats && stats.all > stats.rows.length) {
        parts.push(`The first ${grouped(stats.rows.length)} of ${grouped(stats.all)} rows.`);
    }
    const dropped = droppedIn(state);
    if (dropped > 0) {
        parts.push(`${counted(dropped, 'thing')} refused in these frames: figures lack them.`);
    }
    const first = (state.frames?.count ?? 0) > 0 ? COARSE_NOTE : RECORDED_NOTE;
    fill(note, ...parts.map((text) => h('b', {}, `${text} `)), [...calm, first].join(' '));
    note.title = [...parts, ...calm, first].join(' ');
}

/** @param {AppState} state */
function droppedIn(state) {
    const { frames, place } = state;
    if (!frames) {
        return 0;
    }
    const { first, last } = place.range ?? { first: 0, last: frames.count - 1 };
    return frames.dropped.subarray(first, last + 1).reduce((sum, count) => sum + count, 0);
}
