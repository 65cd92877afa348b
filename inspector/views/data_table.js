// SPDX-License-Identifier: MIT
// @ts-check
/* A table that sorts by any column and makes elements only for rows in sight. */

import { fill, h, onFrame } from './dom.js';
import { columnGroup, drawNoRows, fitFigures, spacer } from './virtual_rows.js';
import { compareText, visibleRows } from '../model/table.js';

/** @typedef {import('./dom.js').Child} Child */
/** @typedef {string | number | bigint} Sortable */

/**
 * @template R
 * @typedef {object} DataColumn
 * @property {string} id
 * @property {string} label
 * @property {string} [width] see columnGroup()
 * @property {boolean} [text] left, and sorted from A on; figures are right, and sorted from the largest on
 * @property {string} [title]
 * @property {(row: R) => Sortable} value what it is sorted by
 * @property {(row: R) => Child} cell
 * @property {(row: R) => string} [tip]
 */
/**
 * @template R
 * @typedef {object} DataTableOptions
 * @property {string} label
 * @property {readonly DataColumn<R>[]} columns
 * @property {number} rowPx
 * @property {(row: R) => string} keyOf
 * @property {(row: R) => string} classOf of its row; "on" where it is selected
 * @property {(row: R) => void} pick
 * @property {string} [empty] what stands there when there are no rows
 */

/**
 * @template R
 * @param {DataTableOptions<R>} options
 */
export function dataTable(options) {
    const { columns } = options;
    /** @type {{ column: DataColumn<R> | null, descending: boolean }} null: in the order in which they came */
    let sort = { column: null, descending: false };
    /** @type {readonly R[]} */
    let given = [];
    /** @type {readonly R[]} */
    let rows = [];
    const headRow = h('tr');
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: options.label } },
        h('table', { class: 'num', aria: { label: options.label } },
            h('colgroup', {}, ...columnGroup(columns.map(({ text, width }) => ({ class: text ? 'text' : '', width })))), h('thead', {}, headRow), body));

    const order = () => {
        rows = sort.column ? sorted(given, sort.column, sort.descending) : given;
    };
    const press = (/** @type {DataColumn<R>} */ column) => {
        const first = !column.text;
        // The third press brings back the order in which they came.
        sort = sort.column !== column ? { column, descending: first }
            : sort.descending === first ? { column, descending: !first } : { column: null, descending: false };
        order();
        drawHead();
        scroller.scrollTop = 0;
        draw();
    };
    const heads = columns.map((column) => {
        const button = h('button', { title: column.title, onclick: () => press(column) });
        return { column, button, cell: h('th', { class: column.text ? 'text' : '' }, button) };
    });
    fill(headRow, ...heads.map((head) => head.cell));
    const drawHead = () => {
        for (const { column, button, cell } of heads) {
            const mine = sort.column === column;
            button.textContent = column.label + (mine ? (sort.descending ? ' ▾' : ' ▴') : '');
            cell.setAttribute('aria-sort', mine ? (sort.descending ? 'descending' : 'ascending') : 'none');
        }
    };
    drawHead();

    const rowElement = (/** @type {R} */ row) => {
        const state = options.classOf(row);
        return h('tr', {
            class: state,
            tabindex: -1,
            aria: { selected: state.split(' ').includes('on') },
            data: { key: options.keyOf(row) },
            onclick: () => options.pick(row),
        }, ...columns.map((column) => h('td', { class: column.text ? 'text' : '', title: column.tip?.(row) }, column.cell(row))));
    };
    const room = (/** @type {number} */ count) => spacer(count, columns.length, options.rowPx);
    /** A row that comes into sight with the next picture. @type {string | null} */
    let wanted = null;
    const draw = onFrame(() => {
        if (wanted !== null && scroller.clientHeight > 0) {
            // Room for all rows first, or there is nothing to scroll.
            fill(body, room(rows.length));
            center(wanted);
            wanted = null;
        }
        const { first, last } = visibleRows(scroller.scrollTop, scroller.clientHeight, options.rowPx, rows.length);
        const active = document.activeElement;
        const focused = active instanceof HTMLElement && body.contains(active) ? active.dataset.key : undefined;
        fill(body, room(first), ...rows.slice(first, last).map(rowElement), room(rows.length - last));
        fitFigures(body);
        if (rows.length === 0 && options.empty) {
            drawNoRows(body, columns.length, options.empty);
        }
        if (focused !== undefined) {
            elementOf(body, focused)?.focus({ preventScroll: true });
        }
    }, body);
    /** @param {string} key */
    const center = (key) => {
        const at = rows.findIndex((row) => options.keyOf(row) === key);
        const head = headRow.offsetHeight;
        const top = at * options.rowPx;
        if (at >= 0 && (top < scroller.scrollTop || top + options.rowPx + head > scroller.scrollTop + scroller.clientHeight)) {
            scroller.scrollTop = Math.max(0, top - (scroller.clientHeight - head) / 2);
        }
    };
    scroller.addEventListener('scroll', draw);
    scroller.addEventListener('keydown', (event) => tableKey(event, body, rows.map(options.keyOf)));
    new ResizeObserver(draw).observe(scroller);

    return {
        root: scroller,
        /** @param {readonly R[]} list */
        show(list) {
            given = list;
            order();
            draw();
        },
        redraw: draw,
        /** Bring a row into sight. @param {string} key */
        reveal(key) {
            wanted = key;
            draw();
        },
    };
}

/** @template R @param {readonly R[]} rows @param {DataColumn<R>} column @param {boolean} descending */
function sorted(rows, column, descending) {
    const sign = descending ? -1 : 1;
    return [...rows].sort((a, b) => {
        const [left, right] = [column.value(a), column.value(b)];
        if (typeof left === 'string' && typeof right === 'string') {
            return sign * compareText(left, right);
        }
        return left < right ? -sign : left > right ? sign : 0;
    });
}

/** Up and down go along all rows, Enter and Space take the one with the focus. @param {KeyboardEvent} event @param {HTMLElement} body @param {readonly string[]} keys */
function tableKey(event, body, keys) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const active = document.activeElement;
    const row = active instanceof HTMLTableRowElement && body.contains(active) ? active : null;
    if (event.ctrlKey || event.metaKey || event.altKey) {
        return;
    }
    if (step !== undefined) {
        const at = row ? keys.indexOf(row.dataset.key ?? '') + step : 0;
        const key = keys[Math.max(0, Math.min(keys.length - 1, at))];
        if (key !== undefined) {
            elementOf(body, key)?.focus();
        }
    } else if ((event.key === 'Enter' || event.key === ' ') && row) {
        row.click();
    } else {
        return;
    }
    event.preventDefault();
    event.stopPropagation();
}

/** @param {HTMLElement} body @param {string} key @returns {HTMLElement | null} */
function elementOf(body, key) {
    const found = [...body.children].find((row) => row instanceof HTMLElement && row.dataset.key === key);
    return found instanceof HTMLElement ? found : null;
}
