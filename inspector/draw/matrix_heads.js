// SPDX-License-Identifier: MIT
// @ts-check
/* The heads of the matrix: names and costs of passes, names and shapes of resource versions. They stay while the rest scrolls. */

import { line } from './canvas.js';
import { clipTo, columnX, fillTint, roleColour, rowY } from './matrix_picture.js';
import { hueOf } from '../model/colour.js';
import { fitLabel, fitMiddle } from '../model/fit.js';
import { duration } from '../model/format.js';
import { inSight, LEAN, NAME_PX, scopeRuns } from '../model/matrix.js';
import { resourceShape } from '../model/span.js';
import { versionBytes } from '../model/structure.js';
import { ROLE } from '../model/structure_reach.js';

/** @typedef {import('./matrix_picture.js').MatrixFrame} MatrixFrame */

/** Where the parts of a row's head are. */
const CHAIN_X = 9;
const BYTES_PX = 62;

/** @param {MatrixFrame} frame */
export function drawHeads(frame) {
    drawRowHeads(frame);
    drawColumnHeads(frame);
    drawCorner(frame);
}

/** @param {MatrixFrame} frame @param {number} role @param {boolean} grey */
function ink(frame, role, grey) {
    const { css } = frame.palette;
    if (role === ROLE.SELF) {
        return css.select;
    }
    if (grey || (frame.reach.any && role === ROLE.NONE)) {
        return css['ink-3'];
    }
    return frame.reach.any ? css.ink : css['ink-2'];
}

/** @param {MatrixFrame} frame */
function drawRowHeads(frame) {
    const { context, palette, layout, structure, reach, size, hover, cursor } = frame;
    const height = size.height - layout.headPx;
    context.fillStyle = palette.css.panel;
    context.fillRect(0, layout.headPx, layout.sidePx, height);
    clipTo(frame, 0, layout.headPx, layout.sidePx, height);
    const sight = inSight(layout, size, frame.scroll);
    const shapeX = layout.shapePx;
    context.textBaseline = 'middle';
    for (let row = sight.firstRow; row < sight.lastRow; row++) {
        const version = structure.versions[layout.rows[row]];
        const role = reach.versions[layout.rows[row]];
        const y = rowY(frame, row);
        const middle = y + layout.rowPx / 2;
        if (role === ROLE.SELF) {
            fillTint(context, palette.css.select, 0.2, 0, y, layout.sidePx, layout.rowPx);
        } else if (role === ROLE.CHAIN) {
            fillTint(context, palette.css.select, 0.07, 0, y, layout.sidePx, layout.rowPx);
        }
        if (hover?.row === row) {
            fillTint(context, palette.css.ink, 0.07, 0, y, layout.sidePx, layout.rowPx);
        }
        drawRoleMark(frame, role, CHAIN_X, middle);
        const grey = version.culledOnly;
        context.textAlign = 'left';
        context.font = `11px ${palette.sans}`;
        context.fillStyle = ink(frame, role, grey);
        const number = versionMark(version);
        const room = shapeX - NAME_PX - 6;
        const name = fitMiddle(version.name || '(no name)', room - frame.measure(number), frame.measure);
        context.fillText(name, NAME_PX, middle);
        context.fillStyle = palette.css['ink-3'];
        context.fillText(number, NAME_PX + frame.measure(name), middle);
        context.font = `10.5px ${palette.mono}`;
        context.fillStyle = palette.css['ink-3'];
        const shape = [resourceShape(version) || 'unknown kind', version.imported ? 'imp.' : ''].filter(Boolean).join(' ');
        context.fillText(fitLabel(shape, layout.sidePx - shapeX - BYTES_PX - 12, monoWidth(frame)), shapeX, middle);
        context.textAlign = 'right';
        context.fillStyle = grey || (reach.any && role === ROLE.NONE) ? palette.css['ink-3'] : palette.css['ink-2'];
        context.fillText(version.previous === null || role !== ROLE.NONE || !reach.any ? versionBytes(version) : '', layout.sidePx - 8, middle);
    }
    if (cursor && cursor.column < 0 && cursor.row >= 0) {
        context.strokeStyle = palette.css.accent;
        context.lineWidth = 2;
        context.strokeRect(1, rowY(frame, cursor.row) + 1, layout.sidePx - 2, layout.rowPx - 2);
    }
    context.restore();
    context.strokeStyle = palette.css.line;
    context.lineWidth = 1;
    line(context, layout.sidePx - 0.5, layout.headPx, layout.sidePx - 0.5, size.height);
}

/** A number where there is more than one version. @param {import('../model/structure.js').GraphVersion} version */
export function versionMark(version) {
    return version.previous !== null || version.version > 0 ? ` v${version.version}` : '';
}

/** Figures have one width for each letter. @param {MatrixFrame} frame */
function monoWidth(frame) {
    frame.context.font = `10.5px ${frame.palette.mono}`;
    const letter = frame.context.measureText('0').width;
    return (/** @type {string} */ text) => letter * text.length;
}

/**
 * What it is to the selection, without colour: inputs point to it, outputs away from it, versions of one resource are beads on a line.
 * @param {MatrixFrame} frame @param {number} role @param {number} x @param {number} y middle
 */
function drawRoleMark(frame, role, x, y) {
    const { context, palette, layout } = frame;
    context.fillStyle = roleColour(palette, role);
    context.strokeStyle = palette.css.select;
    context.lineWidth = 1.5;
    context.beginPath();
    switch (role) {
        case ROLE.INPUT:
            context.moveTo(x + 3.5, y);
            context.lineTo(x - 3, y - 4);
            context.lineTo(x - 3, y + 4);
            context.fill();
            break;
        case ROLE.OUTPUT:
            context.strokeStyle = palette.css.write;
            context.moveTo(x - 3, y - 4);
            context.lineTo(x + 3, y);
            context.lineTo(x - 3, y + 4);
            context.stroke();
            break;
        case ROLE.SELF: case ROLE.CHAIN:
            line(context, x, y - layout.rowPx / 2, x, y + layout.rowPx / 2);
            context.beginPath();
            context.arc(x, y, 3.5, 0, 2 * Math.PI);
            context.fillStyle = role === ROLE.SELF ? palette.css.select : palette.css.panel;
            context.fill();
            context.stroke();
            break;
        default:
    }
}

/** @param {MatrixFrame} frame */
function drawColumnHeads(frame) {
    const { context, palette, layout, structure, reach, size, hover, cursor } = frame;
    context.fillStyle = palette.css.ground;
    context.fillRect(layout.sidePx, 0, size.width - layout.sidePx, layout.headPx);
    clipTo(frame, layout.sidePx, 0, size.width - layout.sidePx, layout.headPx);
    const sight = inSight(layout, size, frame.scroll);
    const bars = layout.namePx + layout.barPx;
    const most = Math.max(1, ...structure.passes.map((pass) => pass.gpuNs));
    for (let column = sight.firstName; column < sight.lastColumn; column++) {
        const pass = structure.passes[column];
        const role = reach.passes[column];
        const x = columnX(frame, column);
        if (role !== ROLE.NONE && role !== ROLE.CHAIN) {
            fillTint(context, roleColour(palette, role), role === ROLE.SELF ? 0.2 : 0.1, x, layout.namePx, layout.columnPx, layout.barPx);
            underline(frame, role, x, bars);
        }
        if (hover?.column === column) {
            fillTint(context, palette.css.ink, 0.07, x, layout.namePx, layout.columnPx, layout.barPx);
        }
        if (pass.gpuNs >= 0) {
            const tall = Math.max(1, (pass.gpuNs / most) * (layout.barPx - 4));
            const [r, g, b] = palette.hues[hueOf(pass.name)];
            context.globalAlpha = reach.any && role === ROLE.NONE ? 0.35 : 1;
            context.fillStyle = `rgb(${r * 255} ${g * 255} ${b * 255})`;
            context.fillRect(Math.round(x) + 2, bars - 2 - tall, layout.columnPx - 4, tall);
            context.globalAlpha = 1;
        } else {
            drawMissing(frame, pass.culled, x + layout.columnPx / 2, bars - 8);
        }
        drawName(frame, column, role, hover?.column === column || (cursor?.column === column && cursor.row < 0));
    }
    drawScopes(frame, bars);
    if (cursor && cursor.row < 0 && cursor.column >= 0) {
        context.strokeStyle = palette.css.accent;
        context.lineWidth = 2;
        context.strokeRect(columnX(frame, cursor.column) + 1, layout.namePx + 1, layout.columnPx - 2, layout.barPx - 2);
    }
    context.restore();
    context.strokeStyle = palette.css.line;
    context.lineWidth = 1;
    line(context, 0, layout.headPx - 0.5, size.width, layout.headPx - 0.5);
}

/** @param {MatrixFrame} frame @param {number} role @param {number} x @param {number} y */
function underline(frame, role, x, y) {
    const { context, layout } = frame;
    context.strokeStyle = roleColour(frame.palette, role);
    context.lineWidth = 2;
    context.setLineDash(role === ROLE.OUTPUT || role === ROLE.WRITER ? [3, 2] : []);
    line(context, x + 1, y - 1, x + layout.columnPx - 1, y - 1);
    context.setLineDash([]);
}

/** No time: a cross where the pass was culled, else a question mark. @param {MatrixFrame} frame @param {boolean} culled @param {number} x @param {number} y */
function drawMissing(frame, culled, x, y) {
    const { context, palette } = frame;
    context.strokeStyle = palette.css['ink-3'];
    context.lineWidth = 1.5;
    if (culled) {
        line(context, x - 3, y - 3, x + 3, y + 3);
        line(context, x - 3, y + 3, x + 3, y - 3);
        return;
    }
    context.font = `11px ${palette.sans}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = palette.css['ink-3'];
    context.fillText('?', x, y);
}

/** @param {MatrixFrame} frame @param {number} column @param {number} role @param {boolean} strong */
function drawName(frame, column, role, strong) {
    const { context, palette, layout, structure } = frame;
    const pass = structure.passes[column];
    context.save();
    context.translate(columnX(frame, column) + layout.columnPx / 2 + 3, layout.namePx - 2);
    context.rotate(-LEAN);
    context.font = `11px ${palette.sans}`;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillStyle = strong ? palette.css.ink : ink(frame, role, pass.culled);
    const room = (layout.namePx - 8) / Math.sin(LEAN);
    const text = fitMiddle(pass.name || '(no name)', room, frame.measure);
    context.fillText(text, 0, 0);
    if (pass.culled) {
        context.strokeStyle = palette.css['ink-3'];
        context.lineWidth = 1;
        line(context, 0, 0, frame.measure(text), 0);
    }
    context.restore();
}

/** @param {MatrixFrame} frame @param {number} top */
function drawScopes(frame, top) {
    const { context, palette, layout, structure } = frame;
    context.font = `10px ${palette.sans}`;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    for (const run of scopeRuns(structure)) {
        const x = columnX(frame, run.first) + 1;
        const width = (run.last - run.first + 1) * layout.columnPx - 2;
        if (x + width < layout.sidePx) {
            continue;
        }
        fillTint(context, palette.css.ink, 0.08, x, top + 1, width, layout.scopePx - 3);
        context.fillStyle = palette.css['ink-2'];
        const from = Math.max(x, layout.sidePx);
        context.fillText(fitLabel(run.name, x + width - from - 6, frame.measure), from + 3, top + layout.scopePx / 2);
    }
}

/** What the bars are worth. @param {MatrixFrame} frame */
function drawCorner(frame) {
    const { context, palette, layout, structure } = frame;
    context.fillStyle = palette.css.ground;
    context.fillRect(0, 0, layout.sidePx, layout.headPx - 1);
    const most = Math.max(-1, ...structure.passes.map((pass) => pass.gpuNs));
    context.font = `10.5px ${palette.mono}`;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillStyle = palette.css['ink-3'];
    if (most >= 0) {
        context.fillText(`GPU ${duration(most)}`, layout.sidePx - 10, layout.namePx + 6);
        context.strokeStyle = palette.css.line;
        context.lineWidth = 1;
        line(context, layout.sidePx - 6, layout.namePx + 2.5, layout.sidePx, layout.namePx + 2.5);
    } else {
        context.fillText('GPU times unknown', layout.sidePx - 10, layout.namePx + 6);
    }
    context.fillText('scope', layout.sidePx - 10, layout.headPx - layout.scopePx / 2);
}
