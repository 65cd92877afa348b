// SPDX-License-Identifier: MIT
// @ts-check
/* Spans that are unusual among their peers, the most unusual first; and why others have no score. */

import { byId, fill, h, onFrame } from './dom.js';
import { tableTabs } from './table_tabs.js';
import { drawNoRows, drawRows, rowKey } from './virtual_rows.js';
import { hueVariable } from '../draw/palette.js';
import { BASELINE_WORDS, REASONS, THRESHOLD } from '../model/anomalies.js';
import { counted, duration, exactNs, grouped, shortDuration } from '../model/format.js';
import { trackOf, updateExplore } from '../state/app_state.js';
import { chooseBaseline, mayScore } from '../state/anomalies_data.js';
import { selectAndReveal } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/anomalies.js').AnomalyRow} AnomalyRow */

const COLUMNS = ['span', 'track', 'score', 'takes', 'usual', 'spread', 'peers', 'from'];

/** @param {Context} context */
export function oddTable(context) {
    const { store } = context;
    const base = h('select', { aria: { label: 'Peers' } }, ...Object.entries(BASELINE_WORDS).map(([id, text]) => {
        const option = h('option', {}, id === 'off' ? 'no peers chosen' : `against: ${text}`);
        option.value = id;
        return option;
    }));
    base.addEventListener('change', () => {
        chooseBaseline(context, base.value);
        updateExplore(context, { table: 'odd' });
    });
    const sides = h('button', { class: 'chip-button', title: 'Shorter than usual is unusual, too', onclick: () => {
        const { baseline } = store.state.place.explore;
        updateExplore(context, { baseline: { ...baseline, twoSided: !baseline.twoSided } });
    } }, 'shorter, too');
    const told = h('span', { class: 'range' });
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Unusual spans' } },
        h('table', { class: 'num odd-rows' }, h('thead', {}, h('tr', {}, ...COLUMNS.map((text, i) => h('th', { class: i < 2 ? 'text' : '' }, text)))), body));
    const note = h('div', { class: 'note' });
    fill(byId('odd-table'), h('div', { class: 'bar' }, tableTabs(context), base, sides, told), scroller, note);

    const draw = onFrame(() => {
        const { state } = store;
        const { anomalies } = state;
        const { baseline } = state.place.explore;
        base.value = baseline.base;
        for (const option of base.options) {
            option.disabled = option.value !== 'off' && mayScore(context, option.value) !== '';
            option.title = mayScore(context, option.value);
        }
        sides.classList.toggle('on', baseline.twoSided);
        sides.setAttribute('aria-pressed', String(baseline.twoSided));
        const cut = anomalies?.cut ? `; the first ${grouped(anomalies.rows.length)}` : '';
        told.textContent = anomalies ? `${counted(anomalies.anomalous, 'span')} at ${THRESHOLD} deviations and more${cut}` : peersText(state);
        drawRows(scroller, body, anomalies?.rows ?? [], COLUMNS.length, (row) => oddRow(context, row));
        if (!anomalies || anomalies.rows.length === 0) {
            drawNoRows(body, COLUMNS.length, baseline.base === 'off'
                ? 'Unusual compared with what? Choose the peers: spans of the same name in the chosen frames, on screen, in the whole trace, or in another file.'
                : anomalies ? `No span is ${THRESHOLD} deviations or more from its peers.` : 'Scoring…');
        }
        const reasons = anomalies?.reasons.map((count, i) => (count > 0 ? `${grouped(count)} ${REASONS[i]}` : '')).filter(Boolean) ?? [];
        fill(note, anomalies ? reasons.join(' · ') : 'A score is how many deviations a span takes longer than its peers: spans of one name on one clock.');
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
        if (state.anomalies !== before.anomalies || state.place.explore !== before.place.explore || state.place.selected !== before.place.selected
            || state.place.range !== before.place.range || state.entries !== before.entries || state.phase !== before.phase || state.place.unit !== before.place.unit) {
            draw();
        }
    });
    new ResizeObserver(draw).observe(scroller);
}

/** @param {AppState} state */
function peersText(state) {
    const { base, window, frames } = state.place.explore.baseline;
    return base === 'window' && window ? `peers of ${duration(Number(window.endNs - window.startNs))}`
        : base === 'frames' && frames ? `peers of ${counted(frames.last - frames.first + 1, 'frame')}` : '';
}

/** @param {Context} context @param {AnomalyRow} row */
function oddRow(context, row) {
    const { state } = context.store;
    const track = trackOf(state, row.track)?.name ?? '';
    const on = row.row === state.place.selected;
    const name = row.name || '(no name)';
    const go = () => void selectAndReveal(context, row.row);
    return h('tr', { class: on ? 'on' : undefined, tabindex: -1, data: { key: row.row }, aria: { selected: on }, onclick: go },
        h('td', { class: 'text', title: name }, h('span', { class: 'chip', colour: hueVariable(row.name) }), name, row.error ? h('span', { class: 'unit' }, ' failed') : null),
        h('td', { class: 'text', title: track }, track),
        h('td', {}, Number.isFinite(row.score) && row.score < 1e9 ? row.score.toFixed(1) : '> 10⁹'),
        h('td', {}, shortDuration(Number(row.durationNs))),
        h('td', {}, shortDuration(Number(row.meanNs))),
        h('td', {}, `±${shortDuration(Number(row.deviationNs))}`),
        h('td', {}, grouped(row.peers)),
        h('td', {}, exactNs(row.startNs - (state.info?.startNs ?? 0n))));
}
