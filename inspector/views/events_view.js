// SPDX-License-Identifier: MIT
// @ts-check
/* The events of the shown frame in order: a tree, a filter, and what each event uses. */

import { announce, fill, h, onFrame } from './dom.js';
import { findField } from './find_field.js';
import { frameNote } from './frame_note.js';
import { EventsShown } from './events_lines.js';
import { bindRow, eventRow, EVENT_COLUMNS } from './events_row.js';
import { columnGroup, drawNoRows, ROW_PX, spacer } from './virtual_rows.js';
import { countMatches } from '../model/events.js';
import { counted } from '../model/format.js';
import { visibleRows } from '../model/table.js';
import { updatePlace } from '../state/app_state.js';
import { select, selectPass } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/events.js').FrameEvents} FrameEvents */
/** @typedef {import('../model/events.js').EventLine} EventLine */

const PAGE_LINES = 15;

/**
 * @param {Context} context
 * @returns {import('./view_switch.js').View}
 */
export function eventsView(context) {
    const { store } = context;
    const all = (/** @type {boolean} */ open) => {
        shown.openAll(open);
        draw();
    };
    const elements = eventsElements(context, all, () => {
        elements.scroller.focus();
        go(0);
    });
    const { root, field, body, scroller, empty, note } = elements;

    let isShown = false;
    const shown = new EventsShown();
    /** A line that comes into sight with the next picture. */
    let wanted = -1;

    const actions = {
        toggle: (/** @type {number} */ event) => {
            shown.setOpen(event, !shown.openOf(event));
            draw();
        },
        toggleUses: (/** @type {number} */ event) => {
            shown.setOpen(event, !shown.usesOpen(event), true);
            draw();
        },
        choose: (/** @type {number} */ at) => {
            shown.cursor = at;
            chooseLine(context, shown, shown.lines[at]);
            draw();
        },
        openOf: (/** @type {number} */ event) => shown.openOf(event),
        usesOpen: (/** @type {number} */ event) => shown.usesOpen(event),
    };

    const draw = onFrame(() => {
        if (!isShown) {
            return;
        }
        const { state } = store;
        const { list, lines } = shown;
        scroller.hidden = list === null;
        empty.hidden = list !== null;
        note.draw(list?.frame ?? null);
        if (!list) {
            fill(empty, ...(state.eventsNote ? [h('b', {}, 'No events'), state.eventsNote] : ['Reading the events…']));
            return;
        }
        if (wanted >= 0 && scroller.clientHeight > 0) {
            // Room for all lines first, or there is nothing to scroll.
            fill(body, spacer(lines.length, EVENT_COLUMNS.length));
            reveal(wanted);
            wanted = -1;
        }
        drawLines(context, elements, shown, list, actions);
    }, body);

    /** Bring a line into sight. @param {number} at */
    const reveal = (at) => {
        const top = at * ROW_PX;
        const room = scroller.clientHeight - ROW_PX;
        if (top < scroller.scrollTop || top + ROW_PX > scroller.scrollTop + room) {
            scroller.scrollTop = Math.max(0, top - room / 2);
        }
    };
    const update = () => {
        shown.show(store.state.events, store.state.place.filter);
        // What is selected elsewhere comes into sight here.
        const at = shown.reach(shown.list ? marksOf(store.state, shown.list).main : -1);
        wanted = at >= 0 ? at : wanted;
        draw();
    };
    scroller.addEventListener('scroll', draw);
    new ResizeObserver(draw).observe(scroller);
    store.listen((state, before) => {
        if (!isShown) {
            return;
        }
        const { place } = state;
        field.show(place.filter);
        if (state.events !== before.events || state.eventsNote !== before.eventsNote || place.filter !== before.place.filter
            || place.selected !== before.place.selected || place.pass !== before.place.pass || place.resource !== before.place.resource
            || state.structure !== before.structure) {
            update();
        } else if (state.marks !== before.marks) {
            draw();
        }
    });

    /** @param {number} at */
    const go = (at) => {
        const { lines, list } = shown;
        shown.cursor = Math.max(0, Math.min(lines.length - 1, at));
        reveal(shown.cursor);
        draw();
        requestAnimationFrame(() => rowOf(body, shown.cursor)?.focus({ preventScroll: true }));
        const line = lines[shown.cursor];
        if (line && list) {
            announce(line.bind < 0 ? list.events[line.event].name : list.binds[line.event][line.bind].name);
        }
    };
    return {
        name: 'events',
        root,
        show() {
            isShown = true;
            field.show(store.state.place.filter);
            update();
        },
        hide() {
            isShown = false;
        },
        redraw: draw,
        key: (event) => eventsKey(context, shown, event, { go, draw }),
    };
}

/** @param {Context} context @param {(open: boolean) => void} openAll @param {() => void} goOn from the filter to the list */
function eventsElements(context, openAll, goOn) {
    const facts = h('span', { class: 'about' });
    const field = findField('Only events with…', 'Show only events with this text', (filter) => updatePlace(context, { filter }), goOn);
    const found = h('span', { class: 'num faint', role: 'status' });
    const body = h('tbody');
    const table = h('table', { class: 'num', role: 'treegrid', aria: { label: 'Events of the frame' } },
        h('colgroup', {}, ...columnGroup(EVENT_COLUMNS)),
        h('thead', {}, h('tr', {}, ...EVENT_COLUMNS.map((column) => h('th', { class: column.class, title: column.title }, column.label)))), body);
    const scroller = h('div', { class: 'scroller', tabindex: 0 }, table);
    scroller.setAttribute('aria-label', 'Events of the frame. Up and down go along, left and right fold, Enter selects, Space shows what an event uses');
    scroller.setAttribute('role', 'group');
    const empty = h('div', { class: 'empty', hidden: true });
    const fold = (/** @type {boolean} */ open) => h('button', { class: 'tool-text', onclick: () => openAll(open) }, open ? 'Unfold all' : 'Fold all');
    const note = frameNote(context);
    const head = h('div', { class: 'view-head' }, h('h2', {}, 'Events'), facts, note.root,
        h('div', { class: 'tools' }, found, field.root, fold(true), fold(false)));
    const root = h('section', { class: 'events-view data-view', aria: { label: 'Events' } }, head, empty, scroller);
    return { root, facts, field, found, body, table, scroller, empty, note };
}

/**
 * The lines in sight, and what is said of all of them.
 * @param {Context} context @param {ReturnType<typeof eventsElements>} elements @param {EventsShown} shown @param {FrameEvents} list
 * @param {Parameters<typeof eventRow>[0]['actions']} actions
 */
function drawLines(context, { root, body, table, scroller, facts, found }, { lines, cursor }, list, actions) {
    const { state } = context.store;
    const { first, last } = visibleRows(scroller.scrollTop, scroller.clientHeight, ROW_PX, lines.length);
    const focused = body.contains(document.activeElement);
    table.setAttribute('aria-rowcount', String(lines.length + 1));
    const made = { context, list, marks: marksOf(state, list), extent: list.extent(), actions };
    fill(body, spacer(first, EVENT_COLUMNS.length), ...lines.slice(first, last).map((line, i) => {
        const row = line.bind < 0 ? eventRow(made, line, first + i) : bindRow(made, line, first + i);
        row.classList.toggle('cursor', first + i === cursor);
        return row;
    }), spacer(lines.length - last, EVENT_COLUMNS.length));
    if (lines.length === 0) {
        drawNoRows(body, EVENT_COLUMNS.length, `No event of this frame has "${state.place.filter}" in its name, its pipeline or what it uses.`);
    }
    if (focused) {
        rowOf(body, cursor)?.focus({ preventScroll: true });
    }
    facts.textContent = factsOf(state, list);
    found.textContent = state.place.filter.trim() === '' ? '' : counted(countMatches(lines), 'match', 'matches');
    root.dataset.drawn = String(lines.length);
}

/** @param {Context} context @param {EventsShown} shown @param {EventLine | undefined} line */
function chooseLine(context, shown, line) {
    const event = line ? shown.list?.events[line.event] : undefined;
    const identity = event && event.pass !== null ? context.store.state.structure?.passes[event.pass]?.identity : undefined;
    if (event && event.row !== null) {
        select(context, event.row);
    } else if (identity !== undefined) {
        selectPass(context, identity);
    }
}

/**
 * A key while the list is shown.
 * @param {Context} context @param {EventsShown} shown @param {KeyboardEvent} event @param {{ go: (at: number) => void, draw: () => void }} tools
 * @returns {boolean} whether it was for the list
 */
function eventsKey(context, shown, event, { go, draw }) {
    const { list, lines, cursor } = shown;
    if (!list || (event.target instanceof Element && event.target.closest('#detail') !== null)) {
        return false;
    }
    const onButton = event.target instanceof HTMLButtonElement;
    const step = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, PageDown: PAGE_LINES, PageUp: -PAGE_LINES })[event.key];
    if (step !== undefined) {
        go(cursor + step);
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        const to = shown.fold(event.key === 'ArrowRight');
        if (to >= 0) {
            go(to);
        } else {
            draw();
        }
    } else if (event.key === ' ' && !onButton && lines[cursor] && list.binds[lines[cursor].event].length > 0) {
        shown.setOpen(lines[cursor].event, !shown.usesOpen(lines[cursor].event), true);
        draw();
    } else if (event.key === 'End') {
        go(lines.length - 1);
    } else if (event.key === 'Enter' && lines[cursor] && !onButton) {
        chooseLine(context, shown, lines[cursor]);
    } else {
        return false;
    }
    return true;
}

/** @param {HTMLElement} body @param {number} line @returns {HTMLElement | null} */
function rowOf(body, line) {
    return body.querySelector(`[data-line="${line}"]`);
}

/**
 * What of the list is selected.
 * @typedef {object} Marks
 * @property {number} main event that comes into sight; -1: none
 * @property {number | null} pass position in the frame graph
 * @property {number | null} version
 */
/** @param {AppState} state @param {FrameEvents} list @returns {Marks} */
function marksOf(state, list) {
    const { place, structure } = state;
    const ours = structure?.frame === list.frame ? structure : null;
    const pass = ours?.passOf(place.pass) ?? null;
    const own = list.eventOfRow(place.selected);
    return { main: own >= 0 ? own : pass === null ? -1 : list.eventOfPass(pass), pass, version: ours?.versionOf(place.resource) ?? null };
}

/** @param {AppState} state @param {FrameEvents} list */
function factsOf(state, list) {
    const { frames, place } = state;
    const count = (/** @type {readonly string[]} */ kinds) => list.events.filter((event) => kinds.includes(event.kind)).length;
    const last = place.range && place.range.first !== place.range.last ? ', the last of the range' : '';
    const parts = [counted(count(['submission']), 'submission'), counted(count(['pass']), 'pass', 'passes'), counted(count(['draw']), 'draw call'),
        counted(count(['dispatch']), 'dispatch', 'dispatches'), counted(count(['copy']), 'copy', 'copies')];
    const culled = count(['culled']);
    return [`frame ${frames?.id[list.frame] ?? list.frame}${last}`, ...parts, culled > 0 ? `${culled} culled` : ''].filter(Boolean).join(' · ');
}
