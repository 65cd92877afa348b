// SPDX-License-Identifier: MIT
// @ts-check
/* The matrix of a frame graph as a picture: lifetimes, uses and bands. Heads are in matrix_heads.js. */

import { line } from './canvas.js';
import { ACCESS } from '../model/structure.js';
import { ROLE } from '../model/structure_reach.js';
import { inSight, lifeOf } from '../model/matrix.js';

/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/structure_reach.js').Reach} Reach */
/** @typedef {import('../model/matrix.js').MatrixLayout} MatrixLayout */
/** @typedef {import('../model/matrix.js').Cell} Cell */
/** @typedef {import('./palette.js').Palette} Palette */
/**
 * @typedef {object} MatrixFrame
 * @property {CanvasRenderingContext2D} context
 * @property {Palette} palette
 * @property {(text: string) => number} measure of names
 * @property {FrameStructure} structure
 * @property {MatrixLayout} layout
 * @property {Reach} reach
 * @property {{ width: number, height: number }} size
 * @property {{ x: number, y: number }} scroll
 * @property {Cell | null} hover
 * @property {Cell | null} cursor where the keyboard is
 */

const LIFE_PX = 7;
const DIM = 0.26;

/** @param {MatrixFrame} frame @param {number} column @returns {number} left edge on screen */
export function columnX(frame, column) {
    return frame.layout.sidePx + column * frame.layout.columnPx - frame.scroll.x;
}

/** @param {MatrixFrame} frame @param {number} row @returns {number} upper edge on screen */
export function rowY(frame, row) {
    return frame.layout.headPx + row * frame.layout.rowPx - frame.scroll.y;
}

/** @param {MatrixFrame} frame @param {number} x @param {number} y @param {number} width @param {number} height */
export function clipTo(frame, x, y, width, height) {
    frame.context.save();
    frame.context.beginPath();
    frame.context.rect(x, y, width, height);
    frame.context.clip();
}

/** The colour of a role, and how it is told without colour: inputs are outlined solid, outputs dashed. @param {Palette} palette @param {number} role */
export function roleColour(palette, role) {
    switch (role) {
        case ROLE.SELF: return palette.css.select;
        case ROLE.INPUT: case ROLE.READER: return palette.css.read;
        case ROLE.OUTPUT: case ROLE.WRITER: return palette.css.write;
        default: return palette.css['ink-3'];
    }
}

/** Everything under the heads. @param {MatrixFrame} frame */
export function drawBody(frame) {
    const { context, layout, size } = frame;
    clipTo(frame, layout.sidePx, layout.headPx, size.width - layout.sidePx, size.height - layout.headPx);
    const sight = inSight(layout, size, frame.scroll);
    drawBands(frame, sight);
    for (let row = sight.firstRow; row < sight.lastRow; row++) {
        drawLife(frame, row);
    }
    for (let row = sight.firstRow; row < sight.lastRow; row++) {
        for (const edge of frame.structure.ofVersion[layout.rows[row]]) {
            if (edge.pass >= sight.firstColumn && edge.pass < sight.lastColumn) {
                drawUse(frame, row, edge.pass, edge.access);
            }
        }
    }
    drawPointers(frame);
    context.restore();
}

/** @param {MatrixFrame} frame @param {ReturnType<typeof inSight>} sight */
function drawBands(frame, sight) {
    const { context, palette, layout, structure, reach, size } = frame;
    const right = columnX(frame, layout.columns);
    const bottom = rowY(frame, layout.rows.length);
    for (let column = sight.firstColumn; column < sight.lastColumn; column++) {
        const x = columnX(frame, column);
        if (column % 2 === 1) {
            fillTint(context, palette.css.ink, 0.022, x, layout.headPx, layout.columnPx, bottom - layout.headPx);
        }
        const role = reach.passes[column];
        if (role === ROLE.SELF) {
            fillTint(context, palette.css.select, 0.2, x, layout.headPx, layout.columnPx, size.height);
        } else if (role === ROLE.INPUT || role === ROLE.OUTPUT || role === ROLE.READER || role === ROLE.WRITER) {
            fillTint(context, roleColour(palette, role), 0.07, x, layout.headPx, layout.columnPx, bottom - layout.headPx);
        }
        if (structure.passes[column].culled) {
            hatch(frame, x, layout.headPx, layout.columnPx, Math.min(bottom, size.height) - layout.headPx);
        }
    }
    context.lineWidth = 1;
    for (let row = sight.firstRow; row < sight.lastRow; row++) {
        const y = rowY(frame, row);
        const role = reach.versions[layout.rows[row]];
        if (role === ROLE.SELF) {
            fillTint(context, palette.css.select, 0.2, layout.sidePx, y, size.width, layout.rowPx);
        } else if (role === ROLE.CHAIN) {
            fillTint(context, palette.css.select, 0.07, layout.sidePx, y, size.width, layout.rowPx);
        }
        context.strokeStyle = palette.css['line-soft'];
        line(context, layout.sidePx, Math.round(y + layout.rowPx) - 0.5, right, Math.round(y + layout.rowPx) - 0.5);
    }
}

/** @param {CanvasRenderingContext2D} context @param {string} colour @param {number} alpha @param {number} x @param {number} y @param {number} width @param {number} height */
export function fillTint(context, colour, alpha, x, y, width, height) {
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
    context.globalAlpha = 1;
}

/** What did not run. @param {MatrixFrame} frame @param {number} x @param {number} y @param {number} width @param {number} height */
function hatch(frame, x, y, width, height) {
    const { context, palette } = frame;
    clipTo(frame, x, y, width, height);
    context.strokeStyle = palette.css.line;
    context.lineWidth = 1;
    for (let at = y - width; at < y + height; at += 7) {
        line(context, x, at + width, x + width, at);
    }
    context.restore();
}

/** @param {MatrixFrame} frame @param {number} version */
function isDim(frame, version) {
    return frame.reach.any && frame.reach.versions[version] === ROLE.NONE;
}

/** From the first use to the last; what is from before the frame, or outlives it, goes on as dots. @param {MatrixFrame} frame @param {number} row */
function drawLife(frame, row) {
    const { context, palette, layout, structure } = frame;
    const version = layout.rows[row];
    const life = lifeOf(structure, version);
    if (!life) {
        return;
    }
    const { culledOnly, imported, producer } = structure.versions[version];
    const middle = rowY(frame, row) + layout.rowPx / 2;
    const from = columnX(frame, life.first) + layout.columnPx / 2 - 5;
    const to = columnX(frame, life.last) + layout.columnPx / 2 + 5;
    context.globalAlpha = isDim(frame, version) ? DIM : 1;
    context.fillStyle = culledOnly ? palette.css.line : palette.css.life;
    context.beginPath();
    context.roundRect(from, middle - LIFE_PX / 2, Math.max(10, to - from), LIFE_PX, LIFE_PX / 2);
    context.fill();
    if (imported) {
        context.strokeStyle = palette.css.life;
        context.lineWidth = 2;
        context.setLineDash([2, 4]);
        if (producer === null) {
            line(context, layout.sidePx, middle, from, middle);
        }
        if (isLastVersion(structure, version)) {
            line(context, to, middle, columnX(frame, layout.columns), middle);
        }
        context.setLineDash([]);
    }
    context.globalAlpha = 1;
}

/** @param {FrameStructure} structure @param {number} version */
function isLastVersion(structure, version) {
    return !structure.versions.some((item) => item.previous === version);
}

/** Told apart by form: reads are round, writes square, a creation has a rim. @param {MatrixFrame} frame @param {number} row @param {number} column @param {number} access */
function drawUse(frame, row, column, access) {
    const { context, layout, structure } = frame;
    const version = layout.rows[row];
    const x = columnX(frame, column) + layout.columnPx / 2;
    const y = rowY(frame, row) + layout.rowPx / 2;
    const dim = frame.reach.any && (frame.reach.versions[version] === ROLE.NONE || frame.reach.passes[column] === ROLE.NONE);
    context.globalAlpha = dim ? DIM : 1;
    drawGlyph(context, frame.palette, x, y, access, structure.passes[column].culled);
    context.globalAlpha = 1;
}

/**
 * The mark of a use, also for the legend.
 * @param {CanvasRenderingContext2D} context
 * @param {Palette} palette
 * @param {number} x middle
 * @param {number} y
 * @param {number} access
 * @param {boolean} hollow the pass did not run
 */
export function drawGlyph(context, palette, x, y, access, hollow) {
    const makes = (access & (ACCESS.WRITES | ACCESS.CREATES)) !== 0;
    const reads = (access & ACCESS.READS) !== 0;
    context.lineWidth = 1.5;
    context.beginPath();
    if (makes) {
        context.rect(x - 4.5, y - 4.5, 9, 9);
    } else {
        context.arc(x, y, 4.5, 0, 2 * Math.PI);
    }
    if (hollow) {
        context.fillStyle = palette.css.ground;
        context.strokeStyle = palette.css['ink-2'];
        context.fill();
        context.stroke();
    } else {
        context.fillStyle = makes ? palette.css.write : palette.css.read;
        context.fill();
    }
    if (makes && reads) {
        context.fillStyle = hollow ? palette.css['ink-3'] : palette.css.ground;
        context.beginPath();
        context.arc(x, y, 2.4, 0, 2 * Math.PI);
        context.fill();
    }
    if ((access & ACCESS.CREATES) !== 0) {
        context.strokeStyle = hollow ? palette.css['ink-3'] : palette.css.ink;
        context.strokeRect(x - 5.75, y - 5.75, 11.5, 11.5);
    }
}

/** The crosshair of the pointer, and the frame of the keyboard. @param {MatrixFrame} frame */
function drawPointers(frame) {
    const { context, palette, layout, hover, cursor, size } = frame;
    if (hover) {
        if (hover.row >= 0) {
            fillTint(context, palette.css.ink, 0.07, layout.sidePx, rowY(frame, hover.row), size.width, layout.rowPx);
        }
        if (hover.column >= 0) {
            fillTint(context, palette.css.ink, 0.07, columnX(frame, hover.column), layout.headPx, layout.columnPx, size.height);
        }
    }
    if (cursor && cursor.row >= 0 && cursor.column >= 0) {
        context.strokeStyle = palette.css.accent;
        context.lineWidth = 2;
        context.strokeRect(columnX(frame, cursor.column) + 1, rowY(frame, cursor.row) + 1, layout.columnPx - 2, layout.rowPx - 2);
    }
}
