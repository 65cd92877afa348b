// SPDX-License-Identifier: MIT
// @ts-check
/* What led to a span, or followed from it, as a list: by how many steps, from which other span, and how long was waited there. */

import { byId, fill, h, onFrame } from './dom.js';
import { tableTabs } from './table_tabs.js';
import { columnGroup, drawNoRows, drawRows, fromCell, rowKey } from './virtual_rows.js';
import { hueVariable } from '../draw/palette.js';
import { counted, exactNs, shortDuration } from '../model/format.js';
import { DERIVED_TITLE, dependencyWords } from '../model/links.js';
import { SLICE_WAYS, SLICE_WORDS, sliceReach, sliceRemarks, stepSlice, stepText } from '../model/slice.js';
import { trackOf, updateExplore } from '../state/app_state.js';
import { hasLinks } from '../state/links_data.js';
import { selectAndReveal } from '../state/selection.js';
import { chooseSlice } from '../state/slice_data.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/slice.js').SliceItem} SliceItem */
/** @typedef {import('../model/slice.js').SliceWay} SliceWay */

const COLUMNS = [
    { text: 'step', class: 'text', width: '15ch' }, { text: 'span', class: 'text' }, { text: 'track', class: 'text', width: 'clamp(12ch, 16cqw, 32ch)' },
    { text: 'reached from', class: 'text', width: 'clamp(14ch, 24cqw, 48ch)' }, { text: 'waited' }, { text: 'from' }, { text: 'takes' },
];

/** @param {Context} context */
export function sliceTable(context) {
    const { store } = context;
    const way = h('select', { aria: { label: 'What is followed' } }, ...SLICE_WAYS.map((id) => {
        const option = h('option', {}, SLICE_WORDS[id]);
        option.value = id;
        return option;
    }));
    way.addEventListener('change', () => {
        const { explore, selected } = store.state.place;
        const next = SLICE_WAYS.find((id) => id === way.value) ?? 'back';
        chooseSlice(context, explore.slice?.row ?? selected, next);
    });
    const other = h('button', { class: 'chip-button', title: 'Ask the same of the selected span (X)', onclick: () => {
        const { explore, selected } = store.state.place;
        chooseSlice(context, selected, explore.slice?.way ?? 'back');
    } }, 'of the selected span');
    const step = (/** @type {1 | -1} */ by) => {
        const { slice } = store.state.place.explore;
        if (slice) {
            updateExplore(context, { slice: stepSlice(slice, by) });
        }
    };
    const hops = h('span', { class: 'num' });
    const steps = h('span', { class: 'pages', role: 'group', aria: { label: 'Steps that are followed' } },
        h('button', { class: 'tool small', aria: { label: 'One step less' }, title: 'One step less', onclick: () => step(-1) }, '−'), hops,
        h('button', { class: 'tool small', aria: { label: 'One step more' }, title: 'One step more', onclick: () => step(1) }, '+'));
    const told = h('span', { class: 'range num' });
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Rows of causes and consequences' } },
        h('table', { class: 'num slice-rows' }, h('colgroup', {}, ...columnGroup(COLUMNS)),
            h('thead', {}, h('tr', {}, ...COLUMNS.map((column) => h('th', { class: column.class }, column.text)))), body));
    const note = h('div', { class: 'note' });
    fill(byId('slice-table'), h('div', { class: 'bar' }, tableTabs(context), way, other, steps, told), scroller, note);

    /** Names of rows that others were reached from. @type {{ of: unknown, names: Map<number, string> }} */
    let known = { of: null, names: new Map() };
    const draw = onFrame(() => {
        const { state } = store;
        const { slice } = state;
        const { explore, selected } = state.place;
        const chosen = explore.slice;
        if (known.of !== slice) {
            known = { of: slice, names: new Map(slice?.items.map((item) => [item.row, item.name || '(no name)'])) };
        }
        way.value = chosen?.way ?? 'back';
        way.disabled = !chosen && selected === null;
        other.hidden = selected === null || selected === chosen?.row;
        steps.hidden = !chosen;
        hops.textContent = !chosen || chosen.hops === null ? 'all steps' : counted(chosen.hops, 'step');
        told.textContent = slice ? reachText(slice) : '';
        const items = slice && slice.items.length > 1 ? slice.items : [];
        drawRows(scroller, body, items, COLUMNS.length, (item) => sliceRow(context, item, known.names));
        if (items.length === 0) {
            drawNoRows(body, COLUMNS.length, emptyReason(context));
        }
        fill(note, ...(slice ? sliceRemarks(slice).map((text) => h('b', {}, `${text} `)) : []),
            slice && slice.items.length > 1
                ? `${counted(slice.items.length - 1, 'span')} of its causes and consequences; everything else is dimmed.` : '');
    }, body);
    scroller.addEventListener('scroll', draw);
    scroller.addEventListener('keydown', (event) => rowKey(event, body, (row) => {
        const press = event.key === 'Enter' || event.key === ' ';
        if (press) {
            row.click();
        }
        return press;
    }));
    store.listen((state, before) => {
        if (state.slice !== before.slice || state.sliceNote !== before.sliceNote || state.place.explore !== before.place.explore
            || state.place.selected !== before.place.selected || state.phase !== before.phase || state.place.unit !== before.place.unit) {
            draw();
        }
    });
    new ResizeObserver(draw).observe(scroller);
}

/** @param {import('../model/slice.js').SliceAnswer} slice */
function reachText(slice) {
    const { before, after, most } = sliceReach(slice);
    return [before > 0 ? `${counted(before, 'span')} before` : '', after > 0 ? `${counted(after, 'span')} after` : '', most > 0 ? `up to ${counted(most, 'step')}` : '']
        .filter(Boolean).join(' · ');
}

/** @param {Context} context */
function emptyReason(context) {
    const { state } = context.store;
    const { slice } = state.place.explore;
    if (state.sliceNote !== '') {
        return state.sliceNote;
    }
    if (!hasLinks(context) && state.phase === 'ready') {
        return 'This trace has no dependencies: what led to a span cannot be told.';
    }
    if (!slice) {
        return state.place.selected === null ? 'What led to a span? Select it, then press X; Shift+X tells what followed from it.'
            : 'Press X to see what led to the selected span, Shift+X to see what followed from it.';
    }
    return !state.slice ? 'Following dependencies…'
        : slice.way === 'back' ? 'Nothing led to this span, as far as the dependencies tell.'
            : slice.way === 'on' ? 'Nothing followed from this span, as far as the dependencies tell.' : 'No dependency leads to this span or from it.';
}

/** @param {Context} context @param {SliceItem} item @param {ReadonlyMap<number, string>} names */
function sliceRow(context, item, names) {
    const { state } = context.store;
    const track = trackOf(state, item.track)?.name ?? '';
    const name = item.name || '(no name)';
    const on = item.row === state.place.selected;
    const via = item.via === null ? '' : names.get(item.via) ?? `span ${item.via}`;
    const kind = item.via === null ? '' : dependencyWords(item.family, item.derived);
    const waited = item.via === null ? '' : item.gapNs === null ? 'not told' : shortDuration(Number(item.gapNs));
    return h('tr', {
        class: `slice-row${on ? ' on' : ''}`, tabindex: -1, data: { key: item.row }, aria: { selected: on }, onclick: () => void selectAndReveal(context, item.row),
    },
    h('td', { class: 'text' }, stepText(item.hops)),
    h('td', { class: 'text', title: name }, h('span', { class: 'chip', colour: hueVariable(item.name) }), name),
    h('td', { class: 'text', title: track }, track),
    h('td', { class: 'text', title: via ? `${via}, ${kind}${item.derived ? `. ${DERIVED_TITLE}` : ''}` : '' }, via, kind ? h('span', { class: 'unit' }, ` ${kind}`) : null),
    h('td', { class: item.gapNs === null ? 'unknown' : undefined, title: item.gapNs === null ? '' : exactNs(item.gapNs) }, waited),
    fromCell(item.startNs - (state.info?.startNs ?? 0n)),
    h('td', {}, shortDuration(Number(item.endNs - item.startNs))));
}
