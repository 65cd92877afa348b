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

/**
 * @param {() => import('../draw/palette.js').Palette} palette
 * @param {Tooltip} tooltip
 * @param {{ pass: (index: number) => void, version: (index: number) => void, nothing: () => void }} pick what a click or Enter chooses
 */
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
    /** @type {Shown | null} */
    let shown = null;
    /** @type {MatrixLayout | null} */
    let layout = null;
    /** @type {Cell | null} */
    let hover = null;
    /** @type {Cell | null} */
    let cursor = null;

    const scroll = () => ({ x: stage.scrollLeft, y: stage.scrollTop });
    const size = () => ({ width: stage.clientWidth, height: stage.clientHeight });
    const draw = onFrame(() => {
        const { width, height } = size();
        if (!shown || width <= 0) {
            return;
        }
        const colours = palette();
        const font = `11px ${colours.sans}`;
        if (measuring && font !== measured) {
            measuring.font = font;
            measure = widthCache((text) => measuring.measureText(text).width);
            measured = font;
        }
        layout = layoutMatrix(shown.structure, shown.rows, width, height, longestName(shown.structure, measure));
        sizer.style.width = `${layout.widthPx}px`;
        sizer.style.height = `${layout.heightPx}px`;
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
        const frame = {
            context: prepare(canvas, width, height, pixelRatio()),
            palette: colours,
            measure,
            structure: shown.structure,
            layout,
            reach: shown.reach,
            size: { width, height },
            scroll: scroll(),
            hover,
            cursor: document.activeElement === stage ? cursor : null,
        };
        drawBody(frame);
        drawHeads(frame);
        root.dataset.cells = [layout.sidePx, layout.headPx, layout.columnPx, layout.rowPx].join();
        root.dataset.drawn = `${shown.structure.passes.length}x${shown.rows.length}`;
    });

    const at = (/** @type {MouseEvent} */ event) => (layout ? cellAt(layout, pointIn(stage, event), scroll()) : null);
    const setHover = (/** @type {Cell | null} */ cell) => {
        if (cell?.row !== hover?.row || cell?.column !== hover?.column) {
            hover = cell;
            draw();
        }
    };
    const choose = (/** @type {Cell | null} */ cell, /** @type {boolean} */ resource) => {
        if (!cell || !shown) {
            pick.nothing();
        } else if (cell.row >= 0 && (resource || cell.column < 0)) {
            pick.version(shown.rows[cell.row]);
        } else if (cell.row < 0 || shown.structure.accessOf(cell.column, shown.rows[cell.row]) !== 0) {
            pick.pass(cell.column);
        } else if (isAlive(shown.structure, shown.rows[cell.row], cell.column)) {
            pick.version(shown.rows[cell.row]);
        } else {
            pick.nothing();
        }
    };
    stage.addEventListener('scroll', () => {
        tooltip.hide();
        draw();
    });
    stage.addEventListener('pointermove', (event) => {
        const cell = at(event);
        setHover(cell);
        if (cell && shown) {
            tooltip.show(event.clientX, event.clientY, ...cellLines(shown, cell));
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
        cursor = cell ?? cursor;
        choose(cell, event.shiftKey);
        draw();
    });
    stage.addEventListener('focus', draw);
    stage.addEventListener('blur', draw);
    new ResizeObserver(draw).observe(root);

    /** A key of the page; true where it was for the matrix. @param {KeyboardEvent} event */
    const key = (event) => {
        if (!shown || !layout) {
            return false;
        }
        if (event.key === 'Enter' || event.key === 'r' || event.key === 'R') {
            if (!cursor || document.activeElement !== stage) {
                return false;
            }
            chooseCursor(event.key !== 'Enter');
            return true;
        }
        const from = cursor ?? startOf(shown);
        const to = moveCell(shown.structure, layout, from, event.key, event.shiftKey);
        if (!to) {
            return false;
        }
        cursor = cursor ? to : from;
        stage.focus({ preventScroll: true });
        showCell(cursor);
        announce(cellSentence(shown, cursor));
        draw();
        return true;
    };
    const chooseCursor = (/** @type {boolean} */ resource) => {
        if (cursor && shown) {
            if (resource || cursor.column < 0) {
                if (cursor.row >= 0) {
                    pick.version(shown.rows[cursor.row]);
                }
            } else {
                pick.pass(cursor.column);
            }
        }
    };
    const showCell = (/** @type {Cell} */ cell, center = false) => {
        if (layout) {
            const to = scrollTo(layout, cell, size(), scroll(), center);
            stage.scrollTo(to.x, to.y);
        }
    };

    return {
        root,
        key,
        redraw: draw,
        /** @param {FrameStructure | null} structure @param {number | null} pass @param {number | null} version */
        show(structure, pass, version) {
            if (!structure) {
                shown = null;
                return;
            }
            const same = shown?.structure === structure;
            const rows = same && shown ? shown.rows : rowOrder(structure);
            const moved = !same || shown?.pass !== pass || shown?.version !== version;
            shown = { structure, rows, pass, version, reach: reachOf(structure, pass, version) };
            if (!same && cursor && (cursor.row >= rows.length || cursor.column >= structure.passes.length)) {
                cursor = null;
            }
            layout = layoutMatrix(structure, rows, size().width, size().height, longestName(structure, measure));
            sizer.style.width = `${layout.widthPx}px`;
            sizer.style.height = `${layout.heightPx}px`;
            if (moved && (pass !== null || version !== null)) {
                const cell = { row: version === null ? -1 : rows.indexOf(version), column: pass ?? -1 };
                const held = cursor && (pass !== null ? cursor.column === pass : cursor.row === cell.row);
                cursor = held ? cursor : cell;
                const used = pass === null ? cell.row : rowOfPass(structure, layout, pass, size(), scroll());
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
