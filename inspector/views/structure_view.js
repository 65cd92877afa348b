// SPDX-License-Identifier: MIT
// @ts-check
/* The frame graph of the shown frame: matrix, and the same as two tables. */

import { fill, h, pageScale, pixelRatio } from './dom.js';
import { frameNote } from './frame_note.js';
import { splitter } from './splitter.js';
import { structureMatrix } from './structure_matrix.js';
import { structureTables } from './structure_tables.js';
import { prepare } from '../draw/canvas.js';
import { drawGlyph } from '../draw/matrix_picture.js';
import { byteSize, counted, grouped, UNKNOWN } from '../model/format.js';
import { ACCESS, versionName } from '../model/structure.js';
import { countRole, reachOf, ROLE } from '../model/structure_reach.js';
import { select, selectPass, selectResource } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {() => import('../draw/palette.js').Palette} PaletteSource */

/**
 * @param {Context} context
 * @param {PaletteSource} palette
 * @param {import('./tooltip.js').Tooltip} tooltip
 * @returns {import('./view_switch.js').View}
 */
export function structureView(context, palette, tooltip) {
    const { store } = context;
    const pick = {
        pass: (/** @type {number} */ index) => selectPass(context, store.state.structure?.passes[index].identity ?? null),
        version: (/** @type {number} */ index) => selectResource(context, store.state.structure?.keyOf(index) ?? null),
        nothing: () => select(context, null),
    };
    const matrix = structureMatrix(palette, tooltip, pick);
    const tables = structureTables(pick);
    const head = h('div', { class: 'view-head' });
    const note = frameNote(context);
    const legend = graphLegend(palette);
    const about = h('span', { class: 'about' });
    const empty = h('div', { class: 'empty', hidden: true });
    const edge = h('div', { class: 'splitter splitter-rows', id: 'graph-splitter' });
    const body = h('div', { class: 'graph-body' }, matrix.root, h('div', { class: 'graph-legend' }, legend.root, about), tables.root, edge);
    const root = h('section', { class: 'graph-view', aria: { label: 'Structure' } }, head, empty, body);
    let shown = false;
    let split = false;

    const update = () => {
        const { state } = store;
        const { structure, place } = state;
        note.draw(structure?.frame ?? null);
        fill(head, ...headLine(state), note.root);
        body.hidden = structure === null;
        empty.hidden = structure !== null;
        if (!structure) {
            fill(empty, ...emptyReason(state));
        }
        const pass = structure?.passOf(place.pass) ?? null;
        const version = structure?.versionOf(place.resource) ?? null;
        matrix.show(structure, pass, version);
        tables.show(structure, pass, version);
        about.textContent = structure ? reachText(structure, pass, version, state) : '';
        legend.draw();
    };
    store.listen((state, before) => {
        if (shown && (state.structure !== before.structure || state.structureNote !== before.structureNote || state.phase !== before.phase
            || state.marks !== before.marks || state.place.pass !== before.place.pass || state.place.resource !== before.place.resource)) {
            update();
        }
    });
    return {
        name: 'structure',
        root,
        show() {
            shown = true;
            if (!split) {
                split = true;
                splitter('graph-splitter', 'horizontal', '--graph-tables', 'graph-tables', {
                    label: 'Height of the tables', least: 60, most: () => (innerHeight / pageScale()) * 0.6,
                });
            }
            update();
        },
        hide() {
            shown = false;
            tooltip.hide();
        },
        redraw() {
            matrix.redraw();
            legend.draw();
        },
        key(event) {
            const away = event.target instanceof Element && event.target.closest('#detail, .graph-tables') !== null;
            return !away && store.state.structure !== null && matrix.key(event);
        },
    };
}

/** @param {AppState} state @returns {import('./dom.js').Child[]} */
function headLine(state) {
    const { structure, frames, info, place } = state;
    const title = h('h2', {}, 'Structure');
    if (!structure || structure.frame === null || !frames) {
        return [title];
    }
    const culled = structure.passes.filter((pass) => pass.culled).length;
    const resources = new Set(structure.versions.map((version) => version.id)).size;
    const topologies = Number(info?.counts.topologies ?? 0n);
    const last = place.range && place.range.first !== place.range.last ? ', the last of the range' : '';
    const bytes = (/** @type {bigint} */ value) => (value < 0n ? UNKNOWN : byteSize(value));
    const fact = (/** @type {string} */ text, /** @type {string} */ tip) => h('span', { title: tip }, text);
    return [
        title,
        h('span', { class: 'strong' }, `frame ${frames.id[structure.frame]}${last}`),
        fact(`topology ${structure.topology}${topologies > 1 ? ` of ${grouped(topologies)}` : ''}, in ${grouped(structure.users)} of ${counted(frames.count, 'frame')}`,
            'frames whose passes, resources and edges are the same have one topology; they are numbered from 0'),
        fact(`${counted(structure.passes.length, 'pass', 'passes')}${culled > 0 ? `, ${culled} culled` : ''}`, 'culled: nobody that was kept reads what it makes'),
        fact(`${counted(structure.versions.length, 'version')} of ${counted(resources, 'resource')}`, 'each write makes a new version of a resource'),
        fact(`peak ${bytes(structure.peakBytes)} of ${bytes(structure.declaredBytes)} declared`,
            'the most that is alive at one pass, of all that the graph declares; declared is not allocated'),
        structure.unknownBytes > 0 ? h('span', { class: 'warn', title: 'their size is not known: in no sum' },
            `${counted(structure.unknownBytes, 'resource')} of unknown size`) : null,
    ];
}

/** @param {AppState} state @returns {import('./dom.js').Child[]} */
function emptyReason(state) {
    if (state.structureNote === '') {
        return ['Reading the frame graph…'];
    }
    return [h('b', {}, 'No frame graph'), state.structureNote];
}

/** @param {FrameStructure} structure @param {number | null} pass @param {number | null} version @param {AppState} state */
function reachText(structure, pass, version, state) {
    const reach = reachOf(structure, pass, version);
    if (pass !== null) {
        return `${structure.passes[pass].name} needs ${counted(countRole(reach.passes, ROLE.INPUT), 'pass', 'passes')}, `
            + `${counted(countRole(reach.passes, ROLE.OUTPUT), 'pass needs', 'passes need')} it`;
    }
    if (version !== null) {
        const readers = structure.readersOf(version).length;
        const next = structure.versions.find((item) => item.previous === version);
        return [versionName(structure.versions[version]), readers > 0 ? `${counted(readers, 'pass reads', 'passes read')} it` : 'no pass reads it as it is',
            next ? `v${next.version} goes on from it` : ''].filter(Boolean).join(', ');
    }
    if (state.place.pass !== null || state.place.resource) {
        return 'What is selected is not in this frame\'s graph.';
    }
    return '';
}

/** The marks, drawn as the matrix draws them. @param {PaletteSource} palette */
function graphLegend(palette) {
    /** @type {[string, number, boolean, string][]} */
    const uses = [
        ['reads', ACCESS.READS, false, ''],
        ['writes', ACCESS.WRITES, false, 'a new version of what was there'],
        ['creates', ACCESS.CREATES, false, 'nothing of a version before it is kept'],
        ['culled', ACCESS.CREATES, true, 'the pass did not run: nobody that was kept reads what it makes'],
    ];
    const samples = uses.map(([text, access, hollow, tip]) => ({ text, access, hollow, tip, canvas: h('canvas', { aria: { hidden: true } }) }));
    const root = h('span', { class: 'uses' },
        ...samples.map(({ text, tip, canvas }) => h('span', { title: tip || undefined }, canvas, text)),
        h('span', { title: 'from the first pass that uses it to the last; dots: it is from before the frame, or outlives it' }, h('i', { class: 'life' }), 'alive'),
        h('span', { class: 'in', title: 'everything that the selected pass hangs on: solid lines, filled arrows' }, '▸ needed by it'),
        h('span', { class: 'out', title: 'everything that hangs on the selected pass: dashed lines, open arrows' }, '› needs it'));
    return {
        root,
        draw() {
            for (const { canvas, access, hollow } of samples) {
                canvas.style.width = '16px';
                canvas.style.height = '14px';
                drawGlyph(prepare(canvas, 16, 14, pixelRatio()), palette(), 8, 7, access, hollow);
            }
        },
    };
}
