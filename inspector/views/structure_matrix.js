// SPDX-License-Identifier: MIT
// @ts-check
/* The matrix on screen: pointer, keys, crosshair. What is drawn is in draw/matrix_picture.js. */

import { announce, fill, h, onFrame, pixelRatio, pointIn } from './dom.js';
import { figures, remark, title } from './tooltip.js';
import { prepare } from '../draw/canvas.js';
import { drawHeads, versionMark } from '../draw/matrix_heads.js';
import { drawBody } from '../draw/matrix_picture.js';
import { hueVariable } from '../draw/palette.js';
import { widthCache } from '../model/fit.js';
import { counted, duration, exactNs } from '../model/format.js';
import { cellAt, layoutMatrix, lifeOf, moveCell, rowOfPass, rowOrder, scrollTo } from '../model/matrix.js';
import { resourceShape } from '../model/span.js';
import { accessText, culledReason, versionBytes, versionName } from '../model/structure.js';
import { reachOf } from '../model/structure_reach.js';

/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/structure_reach.js').Reach} Reach */
/** @typedef {import('../model/matrix.js').Cell} Cell */
/** @typedef {import('../model/matrix.js').MatrixLayout} MatrixLayout */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */
/** @typedef {{ structure: FrameStructure, rows: number[], pass: number | null, version: number | null, reach: Reach }} Shown */

/** What is on screen, and where the hand and the keyboard are. @typedef {{ shown: Shown | null, layout: MatrixLayout | null, hover: Cell | null, cursor: Cell | null }} Now */
/** What a click or Enter chooses. @typedef {{ pass: (index: number) => void, version: (index: number) => void, nothing: () => void }} Pick */

/** @param {() => import('../draw/palette.js').Palette} palette @param {Tooltip} tooltip @param {Pick} pick */
export function structureMatrix(palette, tooltip, pick) {
    const canvas = h('canvas', { aria: { hidden: true } });
    const sizer = h('div', { class: 'sizer' });
    const stage = h('div', {
        class: 'matrix-stage', tabindex: 0, role: 'application',
        aria: { label: 'Matrix: passes are columns, resource versions are rows. Arrows go about, with Shift to the next use; Enter selects the pass, R the resource' },
    }, sizer);
    const root = h('div', { class: 'matrix' }, canvas, stage);
    const measuring = h('canvas').getContext('2d');
    let measured = '';
    let measure = widthCache(() => 0);
    /** @type {Now} */
    const now = { shown: null, layout: null, hover: null, cursor: null };

    const scroll = () => scrollOf(stage);
    const size = () => ({ width: stage.clientWidth, height: stage.clientHeight });
    const draw = onFrame(() => {
        const { width, height } = size();
        if (!now.shown || width <= 0) {
            return;
        }
        const colours = palette();
        const font = `11px ${colours.sans}`;
        if (measuring && font !== measured) {
            measuring.font = font;
            measure = widthCache((text) => measuring.measureText(text).width);
            measured = font;
        }
        now.layout = layoutMatrix(now.shown.structure, now.shown.rows, width, height, longestName(now.shown.structure, measure));
        sizer.style.width = `${now.layout.widthPx}px`;
        sizer.style.height = `${now.layout.heightPx}px`;
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
        const frame = {
            context: prepare(canvas, width, height, pixelRatio()),
            palette: colours,
            measure,
            structure: now.shown.structure,
            layout: now.layout,
            reach: now.shown.reach,
            size: { width, height },
            scroll: scroll(),
            hover: now.hover,
            cursor: document.activeElement === stage ? now.cursor : null,
        };
        drawBody(frame);
        drawHeads(frame);
        root.dataset.cells = [now.layout.sidePx, now.layout.headPx, now.layout.columnPx, now.layout.rowPx].join();
        root.dataset.drawn = `${now.shown.structure.passes.length}x${now.shown.rows.length}`;
    });

    listenToHand(stage, now, { draw, tooltip, pick });
    stage.addEventListener('focus', draw);
    stage.addEventListener('blur', draw);
    new ResizeObserver(draw).observe(root);

    const showCell = (/** @type {Cell} */ cell, center = false) => {
        if (now.layout) {
            const to = scrollTo(now.layout, cell, size(), scroll(), center);
            stage.scrollTo(to.x, to.y);
        }
    };

    return {
        root,
        /** A key of the page; true where it was for the matrix. @param {KeyboardEvent} event */
        key: (event) => matrixKey(event, stage, now, { draw, showCell, pick }),
        redraw: draw,
        /** @param {FrameStructure | null} structure @param {number | null} pass @param {number | null} version */
        show(structure, pass, version) {
            if (!structure) {
                now.shown = null;
                return;
            }
            const same = now.shown?.structure === structure;
            const rows = same && now.shown ? now.shown.rows : rowOrder(structure);
            const moved = !same || now.shown?.pass !== pass || now.shown?.version !== version;
            now.shown = { structure, rows, pass, version, reach: reachOf(structure, pass, version) };
            if (!same && now.cursor && (now.cursor.row >= rows.length || now.cursor.column >= structure.passes.length)) {
                now.cursor = null;
            }
            now.layout = layoutMatrix(structure, rows, size().width, size().height, longestName(structure, measure));
            sizer.style.width = `${now.layout.widthPx}px`;
            sizer.style.height = `${now.layout.heightPx}px`;
            if (moved && (pass !== null || version !== null)) {
                const cell = { row: version === null ? -1 : rows.indexOf(version), column: pass ?? -1 };
                const held = now.cursor && (pass !== null ? now.cursor.column === pass : now.cursor.row === cell.row);
                now.cursor = held ? now.cursor : cell;
                const used = pass === null ? cell.row : rowOfPass(structure, now.layout, pass, size(), scroll());
                showCell({ row: used, column: pass ?? structure.writersOf(version ?? 0)[0] ?? -1 }, true);
            }
            draw();
        },
        /** @param {...import('./dom.js').Child} children what is seen in its place */
        veil(...children) {
            fill(sizer, ...children);
            canvas.hidden = children.length > 0;
        },
    };
}

/** @param {HTMLElement} stage */
const scrollOf = (stage) => ({ x: stage.scrollLeft, y: stage.scrollTop });

/** The pointer on the matrix. @param {HTMLElement} stage @param {Now} now @param {{ draw: () => void, tooltip: Tooltip, pick: Pick }} tools */
function listenToHand(stage, now, { draw, tooltip, pick }) {
    const at = (/** @type {MouseEvent} */ event) => (now.layout ? cellAt(now.layout, pointIn(stage, event), scrollOf(stage)) : null);
    const setHover = (/** @type {Cell | null} */ cell) => {
        if (cell?.row !== now.hover?.row || cell?.column !== now.hover?.column) {
            now.hover = cell;
            draw();
        }
    };
    stage.addEventListener('scroll', () => {
        tooltip.hide();
        draw();
    });
    stage.addEventListener('pointermove', (event) => {
        const cell = at(event);
        setHover(cell);
        if (cell && now.shown) {
            tooltip.show(event.clientX, event.clientY, ...cellLines(now.shown, cell));
        } else {
            tooltip.hide();
        }
    });
    stage.addEventListener('pointerleave', () => {
        setHover(null);
        tooltip.hide();
    });
    stage.addEventListener('click', (event) => {
        const cell = at(event);
        now.cursor = cell ?? now.cursor;
        pointAt(pick, now.shown, cell, event.shiftKey);
        draw();
    });
}

/**
 * @param {KeyboardEvent} event @param {HTMLElement} stage @param {Now} now
 * @param {{ draw: () => void, showCell: (cell: Cell) => void, pick: Pick }} tools
 */
function matrixKey(event, stage, now, { draw, showCell, pick }) {
    const { shown, layout, cursor } = now;
    if (!shown || !layout) {
        return false;
    }
    if (event.key === 'Enter' || event.key === 'r' || event.key === 'R') {
        if (!cursor || document.activeElement !== stage) {
            return false;
        }
        chooseCell(pick, shown, cursor, event.key !== 'Enter');
        return true;
    }
    const from = cursor ?? startOf(shown);
    const to = moveCell(shown.structure, layout, from, event.key, event.shiftKey);
    if (!to) {
        return false;
    }
    now.cursor = cursor ? to : from;
    stage.focus({ preventScroll: true });
    showCell(now.cursor);
    announce(cellSentence(shown, now.cursor));
    draw();
    return true;
}

/**
 * What the hand means with a place: the pass that uses it, else the resource that is alive there.
 * @param {Pick} pick @param {Shown | null} shown @param {Cell | null} cell @param {boolean} resource
 */
function pointAt(pick, shown, cell, resource) {
    if (!cell || !shown) {
        pick.nothing();
        return;
    }
    const used = cell.row < 0 || shown.structure.accessOf(cell.column, shown.rows[cell.row]) !== 0;
    if (cell.row >= 0 && (resource || cell.column < 0 || (!used && isAlive(shown.structure, shown.rows[cell.row], cell.column)))) {
        pick.version(shown.rows[cell.row]);
    } else if (used) {
        pick.pass(cell.column);
    } else {
        pick.nothing();
    }
}

/** What the keyboard is on. @param {Pick} pick @param {Shown} shown @param {Cell} cell @param {boolean} resource */
function chooseCell(pick, shown, cell, resource) {
    if (!resource && cell.column >= 0) {
        pick.pass(cell.column);
    } else if (cell.row >= 0) {
        pick.version(shown.rows[cell.row]);
    }
}

/** @param {FrameStructure} structure @param {(text: string) => number} measure */
function longestName(structure, measure) {
    return structure.versions.reduce((most, version) => Math.max(most, measure(version.name) + measure(versionMark(version))), 0);
}

/** Where the keyboard begins. @param {Shown} shown @returns {Cell} */
function startOf(shown) {
    return { row: -1, column: shown.pass ?? 0 };
}

/** @param {FrameStructure} structure @param {number} version @param {number} pass */
function isAlive(structure, version, pass) {
    const life = lifeOf(structure, version);
    return life !== null && pass >= life.first && pass <= life.last;
}

/** @param {Shown} shown @param {Cell} cell */
function cellLines(shown, cell) {
    const { structure, rows } = shown;
    const version = cell.row >= 0 ? rows[cell.row] : null;
    /** @type {import('./dom.js').Child[]} */
    const lines = [];
    if (cell.column >= 0) {
        const pass = structure.passes[cell.column];
        const access = version === null ? 0 : structure.accessOf(cell.column, version);
        lines.push(title(pass.scope ? `${pass.scope}/${pass.name}` : pass.name, hueVariable(pass.name)));
        lines.push(figures(pass.culled ? 'did not run' : `GPU ${pass.gpuNs >= 0 ? exactNs(pass.gpuNs) : 'time unknown'}`));
        if (version !== null) {
            lines.push(h('div', { class: 'say strong' }, access !== 0 ? `${accessText(access)} ${versionName(structure.versions[version])}`
                : isAlive(structure, version, cell.column) ? `does not touch ${versionName(structure.versions[version])}, which is alive` : ''));
        } else {
            lines.push(figures(`reads ${structure.inputsOf(cell.column).length}, writes ${structure.outputsOf(cell.column).length}`,
                pass.refs !== null ? `, ${counted(pass.refs, 'reference')}` : ''));
            lines.push(pass.culled ? remark(culledReason(pass)) : pass.sideEffect ? remark('kept for its side effect') : null);
        }
    }
    if (version !== null) {
        const item = structure.versions[version];
        const maker = item.producer === null ? null : structure.passes[item.producer];
        lines.push(h('div', { class: 'title' }, h('span', {}, versionName(item))));
        lines.push(figures([resourceShape(item), item.imported ? 'imported' : item.transient ? 'transient' : '', versionBytes(item)].filter(Boolean).join(' · ')));
        lines.push(remark([maker ? `made by ${maker.name}` : item.imported ? 'from outside of the frame' : 'nobody makes it',
            counted(structure.readersOf(version).length, 'reader'), item.culledOnly ? 'no pass that was kept uses it' : ''].filter(Boolean).join(', ')));
    }
    return lines;
}

/** For those who listen. @param {Shown} shown @param {Cell} cell */
function cellSentence(shown, cell) {
    const { structure, rows } = shown;
    const pass = cell.column >= 0 ? structure.passes[cell.column] : null;
    const version = cell.row >= 0 ? rows[cell.row] : null;
    if (pass && version !== null) {
        const access = structure.accessOf(cell.column, version);
        return `${pass.name} ${access !== 0 ? accessText(access) : 'does not use'} ${versionName(structure.versions[version])}`;
    }
    if (pass) {
        return `pass ${pass.name}, ${pass.culled ? 'culled' : pass.gpuNs >= 0 ? duration(pass.gpuNs) : 'time unknown'}`;
    }
    return version === null ? '' : `resource ${versionName(structure.versions[version])}, ${versionBytes(structure.versions[version])}`;
}
