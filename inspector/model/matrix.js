// SPDX-License-Identifier: MIT
// @ts-check
/* The matrix of a frame graph: where its rows and columns are, and how one goes about in it. */

/** @typedef {import('./structure.js').FrameStructure} FrameStructure */

/** Names of passes stand at this angle. */
export const LEAN = (62 * Math.PI) / 180;
export const ROW_PX = 18;
/** Where the name of a version begins. */
export const NAME_PX = 19;
const LEAST_COLUMN_PX = 14;
const MOST_COLUMN_PX = 34;

/**
 * All in px; columns and rows are counted from the end of their heads.
 * @typedef {object} MatrixLayout
 * @property {number[]} rows version of each row
 * @property {number} columns
 * @property {number} columnPx
 * @property {number} rowPx
 * @property {number} sidePx width of the heads of rows
 * @property {number} shapePx where in them the shape of a resource begins
 * @property {number} namePx height of the names of passes
 * @property {number} barPx height of the bars of their cost
 * @property {number} scopePx height of the line of scopes
 * @property {number} headPx all three
 * @property {number} widthPx of everything, heads included
 * @property {number} heightPx
 */

/**
 * Versions in the order in which the frame comes upon them: what no pass touches is last.
 * @param {FrameStructure} structure
 * @returns {number[]}
 */
export function rowOrder(structure) {
    const first = structure.versions.map((_, version) => Math.min(Infinity, ...structure.ofVersion[version].map((edge) => edge.pass)));
    return structure.versions.map((_, version) => version).sort((a, b) => {
        const before = first[a] === first[b] ? 0 : first[a] - first[b];
        return before || a - b;
    });
}

/**
 * @param {FrameStructure} structure
 * @param {number[]} rows
 * @param {number} width room
 * @param {number} height
 * @param {number} [longest] width of the longest name of a version
 * @returns {MatrixLayout}
 */
export function layoutMatrix(structure, rows, width, height, longest = 110) {
    const columns = structure.passes.length;
    const sidePx = Math.round(Math.max(250, Math.min(400, width * 0.29)));
    const shapePx = Math.round(Math.max(90, Math.min(longest + NAME_PX + 10, sidePx * 0.56)));
    const namePx = height < 420 ? 84 : height < 700 ? 106 : 124;
    const barPx = height < 420 ? 24 : 36;
    const scopePx = 15;
    const headPx = namePx + barPx + scopePx;
    // The last name leans out over the end.
    const tailPx = Math.ceil(namePx / Math.tan(LEAN)) + 12;
    const columnPx = Math.max(LEAST_COLUMN_PX, Math.min(MOST_COLUMN_PX, Math.floor((width - sidePx - tailPx) / Math.max(1, columns))));
    return {
        rows,
        columns,
        columnPx,
        rowPx: ROW_PX,
        sidePx,
        shapePx,
        namePx,
        barPx,
        scopePx,
        headPx,
        widthPx: sidePx + columns * columnPx + tailPx,
        heightPx: headPx + rows.length * ROW_PX + 4,
    };
}

/** A place in the matrix; -1: the head of a row or of a column. @typedef {{ row: number, column: number }} Cell */

/**
 * What is under a point.
 * @param {MatrixLayout} layout
 * @param {{ x: number, y: number }} point within what is shown
 * @param {{ x: number, y: number }} scroll
 * @returns {Cell | null}
 */
export function cellAt(layout, point, scroll) {
    const inHead = point.y < layout.headPx;
    const inSide = point.x < layout.sidePx;
    if (inHead && inSide) {
        return null;
    }
    // Names lean to the right, so what is higher up belongs to a column further left.
    const lean = inHead && point.y < layout.namePx ? (layout.namePx - point.y) / Math.tan(LEAN) : 0;
    const column = inSide ? -1 : Math.floor((point.x - lean - layout.sidePx + scroll.x) / layout.columnPx);
    const row = inHead ? -1 : Math.floor((point.y - layout.headPx + scroll.y) / layout.rowPx);
    const beyond = column >= layout.columns || row >= layout.rows.length || (!inSide && column < 0);
    return beyond ? null : { row, column };
}

/**
 * Ranges of rows and columns that are in sight; last ones are excluded.
 * @param {MatrixLayout} layout
 * @param {{ width: number, height: number }} size
 * @param {{ x: number, y: number }} scroll
 */
export function inSight(layout, size, scroll) {
    const lean = Math.ceil(layout.namePx / Math.tan(LEAN) / layout.columnPx);
    return {
        firstRow: Math.max(0, Math.floor(scroll.y / layout.rowPx)),
        lastRow: Math.min(layout.rows.length, Math.ceil((scroll.y + size.height - layout.headPx) / layout.rowPx)),
        firstColumn: Math.max(0, Math.floor(scroll.x / layout.columnPx)),
        lastColumn: Math.min(layout.columns, Math.ceil((scroll.x + size.width - layout.sidePx) / layout.columnPx)),
        /** Names of columns before the first may lean into sight. */
        firstName: Math.max(0, Math.floor(scroll.x / layout.columnPx) - lean),
    };
}

/**
 * Scroll so that a cell is in sight, moving no more than needed; with `center` what was out of sight comes into the middle.
 * @param {MatrixLayout} layout
 * @param {Cell} cell
 * @param {{ width: number, height: number }} size
 * @param {{ x: number, y: number }} scroll
 * @param {boolean} [center]
 */
export function scrollTo(layout, cell, size, scroll, center = false) {
    const fit = (/** @type {number} */ at, /** @type {number} */ length, /** @type {number} */ room, /** @type {number} */ now) => {
        if (at >= now && at + length <= now + room) {
            return now;
        }
        return Math.max(0, center ? at + length / 2 - room / 2 : at < now ? at : at + length - room);
    };
    return {
        x: cell.column < 0 ? scroll.x : fit(cell.column * layout.columnPx, layout.columnPx, size.width - layout.sidePx, scroll.x),
        y: cell.row < 0 ? scroll.y : fit(cell.row * layout.rowPx, layout.rowPx, size.height - layout.headPx, scroll.y),
    };
}

/**
 * The row to show with a pass: one that it uses and that is in sight already, else the first that it makes or reads; -1: none.
 * @param {FrameStructure} structure
 * @param {MatrixLayout} layout
 * @param {number} pass
 * @param {{ width: number, height: number }} size
 * @param {{ x: number, y: number }} scroll
 */
export function rowOfPass(structure, layout, pass, size, scroll) {
    const { firstRow, lastRow } = inSight(layout, size, scroll);
    const used = new Set(structure.ofPass[pass].map((edge) => edge.resource));
    const rows = layout.rows.flatMap((version, row) => (used.has(version) ? [row] : []));
    const made = new Set(structure.outputsOf(pass));
    return rows.find((row) => row >= firstRow && row < lastRow - 1) ?? rows.find((row) => made.has(layout.rows[row])) ?? rows[0] ?? -1;
}

/** Rows that a page of the keyboard goes. */
const PAGE_ROWS = 12;

/**
 * Where a key leads; null for keys that mean nothing here. With `jump` arrows go to the next cell that is used.
 * @param {FrameStructure} structure
 * @param {MatrixLayout} layout
 * @param {Cell} cell
 * @param {string} key
 * @param {boolean} jump
 * @returns {Cell | null}
 */
export function moveCell(structure, layout, cell, key, jump) {
    const kept = (/** @type {number} */ row, /** @type {number} */ column) => {
        const inside = {
            row: Math.max(-1, Math.min(layout.rows.length - 1, row)),
            column: Math.max(-1, Math.min(layout.columns - 1, column)),
        };
        // The corner is no place.
        return inside.row < 0 && inside.column < 0 ? cell : inside;
    };
    switch (key) {
        case 'ArrowLeft': return jump ? nextUse(structure, layout, cell, 0, -1) : kept(cell.row, cell.column - 1);
        case 'ArrowRight': return jump ? nextUse(structure, layout, cell, 0, 1) : kept(cell.row, cell.column + 1);
        case 'ArrowUp': return jump ? nextUse(structure, layout, cell, -1, 0) : kept(cell.row - 1, cell.column);
        case 'ArrowDown': return jump ? nextUse(structure, layout, cell, 1, 0) : kept(cell.row + 1, cell.column);
        case 'PageUp': return kept(Math.max(0, cell.row - PAGE_ROWS), cell.column);
        case 'PageDown': return kept(cell.row + PAGE_ROWS, cell.column);
        case 'Home': return kept(cell.row, 0);
        case 'End': return kept(cell.row, layout.columns - 1);
        default: return null;
    }
}

/**
 * The next cell with a use, along a row or a column; where there is none one stays.
 * @param {FrameStructure} structure
 * @param {MatrixLayout} layout
 * @param {Cell} cell
 * @param {-1 | 0 | 1} rowStep
 * @param {-1 | 0 | 1} columnStep
 */
function nextUse(structure, layout, cell, rowStep, columnStep) {
    let { row, column } = cell;
    for (;;) {
        row += rowStep;
        column += columnStep;
        if (row < 0 || column < 0 || row >= layout.rows.length || column >= layout.columns) {
            return cell;
        }
        if (structure.accessOf(column, layout.rows[row]) !== 0) {
            return { row, column };
        }
    }
}

/**
 * Passes that follow each other in one scope, for the line under their bars.
 * @param {FrameStructure} structure
 * @returns {{ name: string, first: number, last: number }[]} only those in a scope
 */
export function scopeRuns(structure) {
    /** @type {{ name: string, first: number, last: number }[]} */
    const runs = [];
    structure.passes.forEach((pass, index) => {
        const name = pass.scope.split('/')[0];
        const run = runs[runs.length - 1];
        if (run && run.name === name && run.last === index - 1) {
            run.last = index;
        } else {
            runs.push({ name, first: index, last: index });
        }
    });
    return runs.filter((run) => run.name !== '');
}

/**
 * Lifetimes as they are drawn: from the first pass that touches a version to the last.
 * @param {FrameStructure} structure
 * @param {number} version
 * @returns {{ first: number, last: number } | null} null where no pass touches it
 */
export function lifeOf(structure, version) {
    const edges = structure.ofVersion[version];
    if (edges.length === 0) {
        return null;
    }
    const passes = edges.map((edge) => edge.pass);
    return { first: Math.min(...passes), last: Math.max(...passes) };
}
