// SPDX-License-Identifier: MIT
// @ts-check
/* Rows of a long table: elements only for those in sight, the focus kept on its row, and the keys that go along them. */

import { fill, h, pageScale } from './dom.js';
import { duration, exactNs } from '../model/format.js';
import { visibleRows } from '../model/table.js';

export const ROW_PX = 22;

/** Room of rows that have no elements. @param {number} rows @param {number} columns @param {number} [rowPx] */
export function spacer(rows, columns, rowPx = ROW_PX) {
    const cell = h('td', { colspan: columns });
    cell.style.height = `${rows * rowPx}px`;
    return rows > 0 ? h('tr', { class: 'spacer', aria: { hidden: true } }, cell) : null;
}

/** @param {HTMLElement} body @returns {HTMLElement | null} */
function focusedRow(body) {
    const active = document.activeElement;
    return active instanceof HTMLElement && body.contains(active) ? active.closest('tr') : null;
}

/**
 * Make the rows in sight anew. The row that had the focus, told by its data-key, has it again.
 * @template R
 * @param {HTMLElement} scroller @param {HTMLElement} body @param {readonly R[]} rows
 * @param {number} columns @param {(row: R) => HTMLElement} make
 */
export function drawRows(scroller, body, rows, columns, make) {
    const { first, last } = visibleRows(scroller.scrollTop, scroller.clientHeight, ROW_PX, rows.length);
    const focused = focusedRow(body)?.dataset.key;
    const shown = rows.slice(first, last).map(make);
    fill(body, spacer(first, columns), ...shown, spacer(rows.length - last, columns));
    fitFigures(body);
    if (focused !== undefined) {
        shown.find((row) => row.dataset.key === focused)?.focus({ preventScroll: true });
    }
}

/**
 * The room of columns. One without a width takes what is left where it is text, what its figures need where it is not.
 * @param {readonly { class?: string, width?: string }[]} columns
 */
export function columnGroup(columns) {
    return columns.map((column) => {
        const col = h('col', { class: column.class });
        col.style.width = column.width || (isText(col) ? '' : '1px');
        return col;
    });
}

/** @param {Element} element */
const isText = (element) => element.classList.contains('text');
/** A name is never squeezed into less: the table scrolls sideways first. Names are cut before figures: a cut name is told by its colour and its title. */
const LEAST_NAME = '14ch';

/** How wide an element has to be for what is in it. @param {Element} element @param {Range} range @param {number} scale of the page */
function neededPx(element, range, scale) {
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    range.selectNodeContents(element);
    return range.getBoundingClientRect().width / scale + parseFloat(paddingLeft) + parseFloat(paddingRight);
}

/**
 * A number is never cut: columns of figures grow to the widest that was in sight. Names have the rest.
 * @param {HTMLElement} body
 */
export function fitFigures(body) {
    const table = /** @type {HTMLTableElement} */ (body.parentElement);
    const cols = [...table.querySelectorAll('col')];
    const range = document.createRange();
    const scale = pageScale();
    /** @type {number[]} */
    const need = [];
    for (const row of table.rows) {
        for (let i = 0; i < cols.length && row.cells.length === cols.length && table.offsetWidth > 0; i++) {
            const cell = row.cells[i];
            const px = isText(cell) ? 0 : neededPx(cell.tagName === 'TH' ? cell.firstElementChild ?? cell : cell, range, scale);
            if (px > Math.max(need[i] ?? 0, cell.getBoundingClientRect().width / scale)) {
                need[i] = px;
            }
        }
    }
    if (need.length > 0 || !table.style.getPropertyValue('--fit')) {
        need.forEach((px, i) => {
            cols[i].style.width = `${Math.ceil(px) + 1}px`;
        });
        table.style.setProperty('--fit', `calc(${cols.map((col) => col.style.width || LEAST_NAME).join(' + ')})`);
    }
}

/** Since the start of the trace: as it reads best, exact on request. @param {bigint} ns */
export function fromCell(ns) {
    return h('td', { title: exactNs(ns) }, duration(ns));
}

/** What stands in place of rows. @param {HTMLElement} body @param {number} columns @param {string} text */
export function drawNoRows(body, columns, text) {
    fill(body, h('tr', {}, h('td', { colspan: columns, class: 'text' }, text)));
}

/**
 * Up and down go along the rows; any other key goes to `other` with the row that has the focus, or holds what has it.
 * @param {KeyboardEvent} event @param {HTMLElement} body
 * @param {(row: HTMLElement, isRow: boolean) => boolean} other whether it took the key
 * @returns {boolean} whether the key was taken
 */
export function rowKey(event, body, other) {
    const row = focusedRow(body);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const list = [...body.querySelectorAll('tr[data-key]')];
        const next = list[row ? list.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1) : 0];
        if (!(next instanceof HTMLElement)) {
            return false;
        }
        next.focus();
    } else if (!row || !other(row, document.activeElement === row)) {
        return false;
    }
    event.preventDefault();
    return true;
}

/**
 * @typedef {object} HeadColumn
 * @property {string} id
 * @property {string} class
 * @property {string} [width] see columnGroup()
 * @property {string} title
 */
/**
 * The heads of columns that sort, made anew only when `key` or the sort has changed; the focus stays on its head.
 * @template {HeadColumn} C
 * @param {HTMLElement} row @param {readonly C[]} columns @param {{ column: string, descending: boolean }} sort
 * @param {string} key what the labels hang on @param {(column: C) => string} label @param {(column: C) => void} press
 */
export function drawSortHead(row, columns, sort, key, label, press) {
    const now = `${sort.column}.${sort.descending}.${key}`;
    if (row.dataset.key === now) {
        return;
    }
    if (row.dataset.labels !== key) {
        fill(/** @type {HTMLElement} */ (row.closest('table')?.querySelector('colgroup')), ...columnGroup(columns));
    }
    row.dataset.labels = key;
    row.dataset.key = now;
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && row.contains(active) ? active.dataset.column : undefined;
    fill(row, ...columns.map((column) => {
        const mine = sort.column === column.id;
        const arrow = mine ? (sort.descending ? ' ▾' : ' ▴') : '';
        return h('th', { class: column.class, aria: { sort: mine ? (sort.descending ? 'descending' : 'ascending') : 'none' } },
            h('button', { title: column.title || undefined, data: { column: column.id }, onclick: () => press(column) }, label(column) + arrow));
    }));
    const again = focused ? row.querySelector(`[data-column="${focused}"]`) : null;
    if (again instanceof HTMLElement) {
        again.focus();
    }
}
