// SPDX-License-Identifier: MIT
// @ts-check
/* The rows of a comparison. Elements are made only for what is in sight. */

import { h, onFrame } from './dom.js';
import { hueVariable } from '../draw/palette.js';
import { openSpan } from './compare_links.js';
import { drawNoRows, drawRows, drawSortHead, rowKey } from './virtual_rows.js';
import { updatePlace } from '../state/app_state.js';
import { compareByOf } from '../state/compare_data.js';
import { select } from '../state/selection.js';
import { areWhole, arrangeRows, causeText, isClaimed, nextCompareSort, ratioOf, rowName, times } from '../model/compare.js';
import { GROUP_THRESHOLD, groupKey, isRegression, noScoreWord, scoreFacts, scoreText, whyNoScore } from '../model/group_scores.js';
import { duration, exactNs } from '../model/format.js';
import { columnUnit } from '../model/table.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/compare.js').CompareRow} CompareRow */
/** @typedef {import('../model/compare.js').CompareColumn} CompareColumn */

/** @type {readonly { id: CompareColumn, label: string, width?: string, class: string, title: string }[]} */
const COLUMNS = [
    { id: 'name', label: '', class: 'text', title: '' },
    { id: 'track', label: 'track', width: 'clamp(11ch, 10cqw, 26ch)', class: 'text', title: 'empty where several tracks are in one row' },
    { id: 'base', label: 'base', class: '', title: 'mean of a frame; the median of its frames is told over each figure' },
    { id: 'next', label: 'new', class: '', title: 'mean of a frame; the median of its frames is told over each figure' },
    { id: 'delta', label: 'change', width: 'max(132px, 14cqw)', class: 'delta', title: 'mean of a frame, new less base; hatched: less than it varies by itself, not claimed' },
    { id: 'ratio', label: 'ratio', class: '', title: 'means of a frame, new to base' },
    {
        id: 'score', label: 'score', class: '',
        title: `how much longer a span takes than in the base, and how much more of them fail; tinted from ${GROUP_THRESHOLD} on`,
    },
    { id: 'cause', label: 'why', width: 'max(20ch, 33cqw)', class: 'text', title: 'as far as the work that was recorded tells' },
];
/** What is said of columns where there are no frames. @type {Partial<Record<CompareColumn, string>>} */
const WHOLE_TITLES = {
    base: 'sum of its spans', next: 'sum of its spans', delta: 'new less base; hatched: not claimed, as nothing shows how much it varies', ratio: 'new to base',
};
/** @param {import('../model/compare.js').Comparison} comparison */
function columnsOf({ frames }) {
    const isWhole = (/** @type {CompareColumn} */ id) => (id === 'base' ? frames[0] === 0 : id === 'next' ? frames[1] === 0 : frames.includes(0));
    return COLUMNS.map((column) => ({ ...column, title: (isWhole(column.id) ? WHOLE_TITLES[column.id] : undefined) ?? column.title }));
}
const BY_LABEL = { name: 'Name', pass: 'Pass', scope: 'Scope', category: 'Category', track: 'Track' };

/** @param {CompareRow} row */
const keyOf = (row) => `${row.scope}/${row.name}\n${row.ordinal}${row.side}\n${row.track}`;

/** @param {Context} context */
export function compareTable(context) {
    const { store } = context;
    const headRow = h('tr');
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Rows of the comparison' } },
        h('table', { class: 'num' }, h('colgroup'), h('thead', {}, headRow), body));

    /** @type {{ of: unknown, scores: unknown, sort: unknown, find: string, claimed: boolean, rows: CompareRow[] }} */
    let arranged = { of: null, scores: null, sort: null, find: '', claimed: false, rows: [] };
    const rows = () => {
        const { comparison, groupScores: scores, place } = store.state;
        const { compareSort: sort, find, compareClaimed: claimed } = place;
        if (arranged.of !== comparison || arranged.scores !== scores || arranged.sort !== sort || arranged.find !== find || arranged.claimed !== claimed) {
            arranged = { of: comparison, scores, sort, find, claimed, rows: arrangeRows(comparison?.rows ?? [], sort, { find, claimed }, (row) => scoreValue(store.state, row)) };
        }
        return arranged.rows;
    };

    const draw = () => {
        const list = rows();
        const { comparison, place } = store.state;
        const by = compareByOf(store.state);
        scroller.hidden = !comparison;
        if (!comparison) {
            return;
        }
        const unit = columnUnit(comparison.rows.flatMap((row) => [row.baseNs, row.newNs]).map((ns) => BigInt(Math.round(Math.max(0, ns)))));
        const most = comparison.rows.reduce((sides, row) => ({ more: Math.max(sides.more, row.deltaNs), less: Math.max(sides.less, -row.deltaNs) }), { more: 0, less: 0 });
        scroller.setAttribute('aria-busy', String(!comparison.whole));
        drawHead(headRow, context, unit.name, comparison);
        drawRows(scroller, body, list, COLUMNS.length, (row) => tableRow(context, row, { unit, most }));
        if (list.length === 0) {
            const where = place.compare?.base.time || place.compare?.next.time ? 'on either side' : areWhole(comparison) ? 'in these traces' : 'in these frames';
            const text = !comparison.whole ? 'The rows are being compared…' : place.find.trim() !== '' ? `No row has "${place.find.trim()}" in its name.`
                : comparison.rows.length > 0 ? 'No row differs by more than it varies by itself.'
                    : by === 'name' ? `No complete span lies ${where}.`
                        : `No span ${where} belongs to a ${by}: compare by name.`;
            drawNoRows(body, COLUMNS.length, text);
        }
    };
    const drawSoon = onFrame(draw, body);
    scroller.addEventListener('scroll', drawSoon);
    const open = (/** @type {string | undefined} */ key, /** @type {boolean} */ isBase) => {
        const row = rows().find((item) => keyOf(item) === key);
        const pair = store.state.place.compare;
        if (row && pair) {
            openSpan(context, isBase ? pair.base : pair.next, isBase ? row.baseRow : row.newRow);
        }
    };
    scroller.addEventListener('keydown', (event) => rowKey(event, body, (row, isRow) => {
        if (event.key === ' ') {
            row.click();
        } else if (event.key === 'Enter' && isRow) {
            open(row.dataset.key, event.shiftKey);
        } else {
            return false;
        }
        return true;
    }));
    new ResizeObserver(drawSoon).observe(scroller);
    return { root: scroller, draw, shown: () => rows().length };
}

/** @param {HTMLElement} row @param {Context} context @param {string} unit @param {import('../model/compare.js').Comparison} comparison */
function drawHead(row, context, unit, comparison) {
    const { compareSort: sort } = context.store.state.place;
    const by = compareByOf(context.store.state);
    drawSortHead(row, columnsOf(comparison), sort, `${by}${unit}${comparison.frames.map((count) => count === 0)}`,
        (column) => (column.id === 'name' ? BY_LABEL[by] : column.id === 'base' || column.id === 'next' || column.id === 'delta' ? `${column.label} ${unit}` : column.label),
        (column) => updatePlace(context, { compareSort: nextCompareSort(context.store.state.place.compareSort, column.id) }));
}

/**
 * A bar from a line: to the right what takes longer, to the left what takes less. The line stands where all bars have room.
 * @param {CompareRow} row @param {{ more: number, less: number }} most
 */
function deltaBar(row, most) {
    const all = most.more + most.less;
    const zero = all > 0 ? most.less / all : 0.5;
    const share = all > 0 ? Math.abs(row.deltaNs) / all : 0;
    const line = h('u');
    line.style.left = `${zero * 100}%`;
    const bar = share > 0 ? h('i', { class: `${row.deltaNs > 0 ? 'more' : 'less'}${isClaimed(row) ? '' : ' quiet'}` }) : null;
    if (bar) {
        bar.style.width = `${share * 100}%`;
        bar.style.left = `${(row.deltaNs > 0 ? zero : zero - share) * 100}%`;
    }
    return h('span', { class: 'meter', aria: { hidden: true } }, line, bar);
}

/** The score of a row; null where there is none (yet). @param {AppState} state @param {CompareRow} row */
function scoreOf(state, row) {
    const key = groupKey(row.side, compareByOf(state) === 'pass' ? { identities: [row.baseIdentity, row.newIdentity] } : { name: row.name });
    return state.groupScores?.get(key) ?? null;
}

/** What rows are sorted by. @param {AppState} state @param {CompareRow} row */
function scoreValue(state, row) {
    const score = scoreOf(state, row);
    return score && whyNoScore(score) === '' ? score.score : -1;
}

const OF_SPANS = 'The score is of one span, the ratio of a frame: there are more or fewer spans of it in a frame.';

/**
 * Does a frame differ because there are more or fewer of them, and not by how long each takes?
 * @param {CompareRow} row @param {import('../model/group_scores.js').GroupScore} score
 */
function isOfSpansOnly(row, score) {
    const ratio = ratioOf(row.baseNs, row.newNs);
    return ratio !== null && (ratio - 1 >= GROUP_THRESHOLD) !== isRegression(score);
}

/** Why a score says nothing of its row; empty where it does. @param {CompareRow} row @param {import('../model/group_scores.js').GroupScore} score */
function whyMuted(row, score) {
    return row.state === 'both' && !isClaimed(row) ? `The difference is ${causeText(row)}.`
        : score.score === 0 ? 'What does not take more has no score above 0.' : isOfSpansOnly(row, score) ? OF_SPANS : '';
}

/** @param {Context} context @param {CompareRow} row */
function scoreCell({ store }, row) {
    const score = scoreOf(store.state, row);
    if (!store.state.groupScores) {
        return h('td', { class: 'quiet', title: 'Scoring…' }, '…');
    }
    if (!score || whyNoScore(score) !== '') {
        return h('td', { class: 'quiet', title: score ? scoreFacts(score) : 'Not scored: no complete span on either side.' }, noScoreWord(score));
    }
    const why = whyMuted(row, score);
    if (why !== '') {
        return h('td', { class: 'quiet', title: `${scoreFacts(score)} ${why}` }, why === OF_SPANS ? `${scoreText(score)} a span` : scoreText(score));
    }
    const cell = h('td', { class: isRegression(score) ? 'scored over' : 'scored', title: scoreFacts(score) }, scoreText(score));
    cell.style.setProperty('--tint', `${Math.round((Math.max(0, score.tint - 127) * 50) / 128)}%`);
    return cell;
}

/** @param {Context} context @param {CompareRow} row @param {{ unit: ReturnType<typeof columnUnit>, most: { more: number, less: number } }} figures */
function tableRow(context, row, figures) {
    const { place } = context.store.state;
    const pair = place.compare;
    const own = pair?.next.file === place.file && row.newRow !== null ? row.newRow : pair?.base.file === place.file ? row.baseRow : null;
    const on = own !== null && place.selected === own;
    const name = rowName(row);
    const ratio = ratioOf(row.baseNs, row.newNs);
    const cause = causeText(row);
    const time = (/** @type {number} */ ns) => (ns < 0 ? '–' : figures.unit.text(BigInt(Math.round(ns))));
    const counts = context.store.state.comparison?.frames ?? [0, 0];
    const side = (/** @type {'base' | 'next'} */ which, /** @type {number} */ ns, /** @type {number} */ medianNs, /** @type {number | null} */ span) => {
        const text = time(ns);
        const median = counts[which === 'base' ? 0 : 1] > 0 && medianNs >= 0 ? `Median of the frames in which it occurs: ${duration(medianNs)}. ` : '';
        const word = which === 'base' ? 'base' : 'new';
        return h('td', {}, span === null || !pair ? text : h('button', {
            class: 'link', tabindex: -1,
            title: `${ns >= 0 ? `${exactNs(Math.round(ns))}. ` : ''}${median}Its longest span on the ${word} side${which === 'base' ? ' (Shift+Enter)' : ' (Enter)'}`,
            aria: { label: `${name}, ${word} ${text}: show its span` },
            onclick: (event) => {
                event.stopPropagation();
                openSpan(context, pair[which], span);
            },
        }, text));
    };
    const varies = row.noiseNs >= 0 ? `; it varies by ${duration(Math.round(row.noiseNs))} anyway` : '';
    const change = row.deltaNs === 0 ? '0' : `${row.deltaNs > 0 ? '+' : '−'}${figures.unit.text(BigInt(Math.round(Math.abs(row.deltaNs))))}`;
    return h('tr', {
        class: `${on ? 'on' : ''} ${row.state !== 'both' ? row.state : ''}`.trim() || undefined, tabindex: -1, aria: { selected: on }, data: { key: keyOf(row) },
        onclick: () => (own === null ? undefined : select(context, on ? null : own)),
    },
    h('td', { class: 'text', title: row.scope ? `${row.scope}/${name}` : name }, h('span', { class: 'chip', colour: hueVariable(row.name) }),
        row.scope ? h('span', { class: 'unit' }, `${row.scope}/ `) : null, name),
    h('td', { class: 'text', title: row.track }, row.track || row.side.toUpperCase()),
    side('base', row.baseNs, row.baseMedianNs, row.baseRow),
    side('next', row.newNs, row.newMedianNs, row.newRow),
    h('td', { class: isClaimed(row) ? 'delta' : 'delta quiet', title: exactNs(Math.round(row.deltaNs)) + varies },
        deltaBar(row, figures.most), h('span', { class: 'figure' }, change)),
    h('td', { class: isClaimed(row) ? undefined : 'quiet' }, ratio === null ? '–' : times(ratio)),
    scoreCell(context, row),
    h('td', { class: `text why ${row.state !== 'both' ? 'state' : ''}`.trim(), title: causeText(row, true) }, cause));
}
