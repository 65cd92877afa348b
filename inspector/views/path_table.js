// SPDX-License-Identifier: MIT
// @ts-check
/* The critical path as a list: each span of the chain, and between them what was waited for. */

import { byId, fill, h, onFrame } from './dom.js';
import { tableTabs } from './table_tabs.js';
import { columnGroup, drawNoRows, drawRows, fromCell, rowKey } from './virtual_rows.js';
import { hueVariable } from '../draw/palette.js';
import { counted, duration, grouped, shortDuration } from '../model/format.js';
import { DERIVED_TITLE, dependencyWords } from '../model/links.js';
import { PATH_OF, PATH_OF_WORDS, PIECE_WORDS, pathRemarks } from '../model/path.js';
import { trackOf, updateExplore } from '../state/app_state.js';
import { PATH_PIECES } from '../protocol/path.js';
import { choosePath, mayFollow, pathBy } from '../state/path_data.js';
import { selectAndReveal } from '../state/selection.js';
import { glideTo } from '../state/navigate.js';
import { windowAround } from '../model/window.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/path.js').PathPiece} PathPiece */

const COLUMNS = [
    { text: 'what', class: 'text', width: 'clamp(14ch, 22cqw, 34ch)' }, { text: 'span', class: 'text' }, { text: 'track', class: 'text', width: 'clamp(12ch, 22cqw, 40ch)' },
    { text: 'from' }, { text: 'takes' },
];

/** @param {Context} context @param {(first: number) => void} page other pieces of a long path are wanted */
export function pathTable(context, page) {
    const { store } = context;
    const of = h('select', { aria: { label: 'Path of' } }, ...PATH_OF.map((id) => {
        const option = h('option', {}, id === 'off' ? 'no path' : PATH_OF_WORDS[id]);
        option.value = id;
        return option;
    }));
    of.addEventListener('change', () => {
        choosePath(context, of.value);
        updateExplore(context, { table: 'path' });
    });
    const by = h('button', { class: 'chip-button', title: 'Over all dependencies, or from each span to its parent only', onclick: () => {
        const { path } = store.state.place.explore;
        updateExplore(context, { path: { ...path, by: pathBy(store.state) === 'links' ? 'parents' : 'links' } });
    } });
    const turn = (/** @type {string} */ text, /** @type {1 | -1} */ step) => h('button', {
        class: 'chip-button', onclick: () => page(Math.max(0, (store.state.path?.first ?? 0) + step * PATH_PIECES)),
    }, text);
    const [earlier, later] = [turn('‹ earlier', -1), turn('later ›', 1)];
    const pages = h('span', { class: 'pages num', role: 'group', aria: { label: 'Pieces that are shown' } });
    const range = h('span');
    fill(pages, earlier, range, later);
    const sums = h('span', { class: 'range num' });
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Pieces of the path' } },
        h('table', { class: 'num path-rows' }, h('colgroup', {}, ...columnGroup(COLUMNS)),
            h('thead', {}, h('tr', {}, ...COLUMNS.map((column) => h('th', { class: column.class }, column.text)))), body));
    const note = h('div', { class: 'note' });
    fill(byId('path-table'), h('div', { class: 'bar' }, tableTabs(context), of, by, pages, sums), scroller, note);

    const draw = onFrame(() => {
        const { state } = store;
        const { path, pathNote } = state;
        const { explore } = state.place;
        of.value = explore.path.of;
        for (const option of of.options) {
            option.disabled = option.value !== 'off' && mayFollow(context, option.value) !== '';
        }
        by.textContent = pathBy(state) === 'links' ? 'by dependencies' : 'by parents';
        pages.hidden = !path || path.all <= path.pieces.length;
        if (path) {
            range.textContent = `pieces ${grouped(path.first + 1)} to ${grouped(path.first + path.pieces.length)} of ${grouped(path.all)}`;
            earlier.disabled = path.first === 0;
            later.disabled = path.first + path.pieces.length >= path.all;
        }
        drawRows(scroller, body, path?.pieces ?? [], COLUMNS.length, (piece) => pieceRow(context, piece));
        if (!path || path.pieces.length === 0) {
            drawNoRows(body, COLUMNS.length, emptyReason(state, pathNote));
        }
        sums.textContent = path ? [
            `${duration(path.lengthNs)} in ${counted(path.counts.chain, 'span')}`,
            path.sums.waitNs > 0n ? `waits ${shortDuration(Number(path.sums.waitNs))}` : '',
            path.sums.queueNs > 0n ? `queueing ${shortDuration(Number(path.sums.queueNs))}` : '',
            path.sums.unknownNs > 0n ? `not known ${shortDuration(Number(path.sums.unknownNs))}` : '',
            path.slackNs !== null ? (path.slackNs === 0n ? 'the selected span is on it' : `slack of the selected span ${duration(path.slackNs)}`) : '',
        ].filter(Boolean).join(' · ') : '';
        fill(note, ...(path ? pathRemarks(path, state.place.explore.path.of).map((text) => h('b', {}, `${text} `)) : []),
            path ? `${counted(path.counts.rows, 'span')} and `
                + `${path.by === 'links' ? counted(path.counts.links, 'dependency', 'dependencies') : counted(path.counts.links, 'parent')} took part.` : whyBy(state));
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
        if (state.path !== before.path || state.pathNote !== before.pathNote || state.place.explore !== before.place.explore || state.place.unit !== before.place.unit
            || state.place.selected !== before.place.selected || state.place.range !== before.place.range || state.phase !== before.phase) {
            draw();
        }
    });
    new ResizeObserver(draw).observe(scroller);
}

/** What a path would go along. @param {AppState} state */
function whyBy(state) {
    return state.place.explore.path.by !== null || !state.info ? ''
        : pathBy(state) === 'links' ? 'It goes along dependencies; by parents on request.'
            : 'No dependencies were recorded: it goes from each span to its parent.';
}

/** @param {AppState} state @param {string} note */
function emptyReason(state, note) {
    if (note !== '') {
        return note;
    }
    if (state.place.explore.path.of === 'off') {
        return 'No path is asked for. Choose what it is of: the selected span, the chosen frames, what is on screen, or the whole trace.';
    }
    return state.path ? 'No span of these takes part in a path.' : pathBy(state) === 'links' ? 'Following dependencies…' : 'Following parents…';
}

/** @param {Context} context @param {PathPiece} piece */
function pieceRow(context, piece) {
    const { state } = context.store;
    const track = piece.track === null ? '' : trackOf(state, piece.track)?.name ?? '';
    const work = piece.kind === 'work';
    const name = piece.row === null ? '' : piece.name || '(no name)';
    const took = piece.claimed || work ? shortDuration(Number(piece.endNs - piece.startNs)) : 'not told';
    const go = () => {
        if (piece.row !== null) {
            void selectAndReveal(context, piece.row);
        } else if (piece.claimed) {
            glideTo(context, windowAround(piece.startNs, piece.endNs, 1));
        }
    };
    const on = work && piece.row === state.place.selected;
    const over = piece.link === null ? '' : dependencyWords(piece.family, piece.derived);
    const key = `${piece.kind} ${piece.row} ${piece.startNs}`;
    return h('tr', { class: `piece ${piece.kind}${on ? ' on' : ''}`, tabindex: -1, data: { key }, aria: { selected: on }, onclick: go },
        h('td', { class: 'text', title: piece.derived ? DERIVED_TITLE : '' }, PIECE_WORDS[piece.kind], over ? h('span', { class: 'unit' }, ` ${over}`) : null),
        h('td', { class: 'text', title: name }, work ? h('span', { class: 'chip', colour: hueVariable(piece.name) }) : null, name),
        h('td', { class: 'text', title: track }, track),
        piece.claimed || work ? fromCell(piece.startNs - (state.info?.startNs ?? 0n)) : h('td'),
        h('td', {}, took));
}
