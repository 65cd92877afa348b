// SPDX-License-Identifier: MIT
// @ts-check
/* Spans that are unusual among their peers, the most unusual first; and why others have no score. */

import { byId, fill, h, onFrame } from './dom.js';
import { tableTabs } from './table_tabs.js';
import { columnGroup, drawNoRows, drawRows, fromCell, rowKey } from './virtual_rows.js';
import { hueVariable } from '../draw/palette.js';
import { BASELINE_WORDS, MOST_FROM, PEERS_BY, PEERS_WORDS, reasonCounts, readFrom } from '../model/anomalies.js';
import { noPasses } from '../model/capture_meta.js';
import { counted, duration, grouped, shortDuration } from '../model/format.js';
import { trackOf } from '../state/app_state.js';
import { baselineChoice, baselineChoices, changeBaseline, chooseBaseline, mayScore } from '../state/anomalies_data.js';
import { selectAndReveal } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/anomalies.js').AnomalyRow} AnomalyRow */

const COLUMNS = [
    { text: 'span', class: 'text' }, { text: 'track', class: 'text', width: 'clamp(12ch, 20cqw, 40ch)' }, { text: 'score' }, { text: 'takes' }, { text: 'usual' },
    { text: 'spread' }, { text: 'peers' }, { text: 'from' },
];

/** A choice of words that may change. @param {string} label @param {(id: string) => void} choose */
function choice(label, choose) {
    const root = h('select', { aria: { label } });
    root.addEventListener('change', () => choose(root.value));
    return {
        root,
        /** @param {readonly (readonly [string, string])[]} choices @param {string} value @param {(id: string) => string} why it cannot be chosen */
        show(choices, value, why) {
            const same = root.options.length === choices.length && choices.every(([id, text], i) => root.options[i].value === id && root.options[i].textContent === text);
            if (!same) {
                fill(root, ...choices.map(([id, text]) => {
                    const option = h('option', {}, text);
                    option.value = id;
                    return option;
                }));
            }
            for (const option of root.options) {
                option.title = why(option.value);
                option.disabled = option.value !== value && option.title !== '';
            }
            root.value = value;
        },
    };
}

/** From how many deviations on a span is unusual. @param {Context} context */
function thresholdField(context) {
    const from = h('input', { type: 'number', class: 'from', title: 'From how many deviations on', aria: { label: 'Deviations that make a span unusual' } });
    from.min = '0.1';
    from.max = String(MOST_FROM);
    from.step = 'any';
    const take = () => {
        const value = readFrom(from.value);
        from.toggleAttribute('aria-invalid', value === null);
        if (value !== null && value !== context.store.state.place.explore.baseline.from) {
            changeBaseline(context, { from: value });
        }
    };
    from.addEventListener('change', take);
    from.addEventListener('keydown', (event) => {
        event.stopPropagation();
        if (event.key === 'Enter') {
            take();
        }
    });
    return {
        root: h('label', { class: 'threshold' }, 'from ', from, ' deviations'),
        show(/** @type {number} */ value) {
            if (document.activeElement !== from) {
                from.value = String(value);
                from.removeAttribute('aria-invalid');
            }
        },
    };
}

/** @param {Context} context */
export function oddTable(context) {
    const { store } = context;
    const base = choice('Baseline', (id) => chooseBaseline(context, id));
    const peers = choice('Peers', (id) => changeBaseline(context, { by: PEERS_BY.find((by) => by === id) ?? 'name' }));
    const from = thresholdField(context);
    const sides = h('button', { class: 'chip-button', title: 'Shorter than usual is unusual, too', onclick: () => {
        changeBaseline(context, { twoSided: !store.state.place.explore.baseline.twoSided });
    } }, 'shorter, too');
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Rows of unusual spans' } },
        h('table', { class: 'num odd-rows' }, h('colgroup', {}, ...columnGroup(COLUMNS)),
            h('thead', {}, h('tr', {}, ...COLUMNS.map((column) => h('th', { class: column.class }, column.text)))), body));
    const note = h('div', { class: 'note' });
    fill(byId('odd-table'), h('div', { class: 'bar' }, tableTabs(context), base.root, peers.root, from.root, sides), scroller, note);

    const draw = onFrame(() => {
        const { state } = store;
        const { anomalies } = state;
        const { baseline } = state.place.explore;
        base.show(baselineChoices(state, { ...BASELINE_WORDS, off: 'no baseline' }).map(([id, text]) => [id, id === 'off' ? text : `against: ${text}`]),
            baselineChoice(baseline), (id) => mayScore(context, id));
        peers.show(PEERS_BY.map((by) => [by, `peers: ${PEERS_WORDS[by]}`]), baseline.by, (by) => noPeers(state, by));
        from.show(baseline.from);
        sides.classList.toggle('on', baseline.twoSided);
        sides.setAttribute('aria-pressed', String(baseline.twoSided));
        drawRows(scroller, body, anomalies?.rows ?? [], COLUMNS.length, (row) => oddRow(context, row));
        if (!anomalies || anomalies.rows.length === 0) {
            drawNoRows(body, COLUMNS.length, emptyReason(state));
        }
        fill(note, ...(anomalies ? noteParts(state, anomalies) : ['A score is how many deviations a span takes longer than its peers. Peers are always on one clock.']));
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

/** Why these cannot be peers; empty where they can. @param {AppState} state @param {string} by */
function noPeers(state, by) {
    return by === 'pass' || by === 'scope' ? noPasses(state.info) : '';
}

/** @param {AppState} state */
function emptyReason(state) {
    const { base, from } = state.place.explore.baseline;
    if (base === 'off') {
        return 'Unusual compared with what? Choose a baseline: the chosen frames, what is on screen, a measured range, the whole trace, or another file.';
    }
    if (!state.anomalies) {
        return 'Scoring…';
    }
    return reasonCounts(state.anomalies.reasons).scored === 0 ? 'No span has a score: the line below says why.' : `No span is ${from} deviations or more from its peers.`;
}

/** What the peers were, and how many rows have no score, by reason. @param {AppState} state @param {import('../model/anomalies.js').Anomalies} anomalies */
function noteParts(state, anomalies) {
    const { base, window, frames } = state.place.explore.baseline;
    const { scored, notScored, without } = reasonCounts(anomalies.reasons);
    const of = window ? `Baseline of ${duration(Number(window.endNs - window.startNs))}${base === 'window' ? ', as it was on screen' : ''}. `
        : frames ? `Baseline of ${counted(frames.last - frames.first + 1, 'frame')}. ` : '';
    const cut = anomalies.cut ? `, of which the first ${grouped(anomalies.rows.length)} are listed` : '';
    return [`${counted(anomalies.anomalous, 'unusual span')}${cut}. ${of}${grouped(scored)} scored. `,
        notScored > 0 ? h('b', {}, `${grouped(notScored)} not scored: `) : 'Every span has a score.',
        without.map(({ count, text }) => `${grouped(count)} ${text}`).join(', ')];
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
        fromCell(row.startNs - (state.info?.startNs ?? 0n)));
}
