// SPDX-License-Identifier: MIT
// @ts-check
/* Passes and resource versions as two tables: what is selected in one is marked in the other. */

import { dataTable } from './data_table.js';
import { h } from './dom.js';
import { hueVariable } from '../draw/palette.js';
import { duration, grouped, UNKNOWN } from '../model/format.js';
import { lifeOf } from '../model/matrix.js';
import { resourceShape } from '../model/span.js';
import { accessText, culledReason, versionBytes, versionName } from '../model/structure.js';
import { ROLE, reachOf } from '../model/structure_reach.js';

/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/structure_reach.js').Reach} Reach */
/** @typedef {{ structure: FrameStructure, pass: number | null, version: number | null, reach: Reach }} Shown */

const ROW_PX = 22;
/** What a row is to the selection: the class of the row. */
const CLASS = ['', 'on', 'rel-in', 'rel-out', 'rel-same', 'rel-in', 'rel-out'];
/** In words, where no use says it more exactly. */
const WORDS = ['', 'selected', '◂ before', 'after ▸', 'same', 'reads', 'makes'];

/**
 * @param {{ pass: (index: number) => void, version: (index: number) => void }} pick
 */
export function structureTables(pick) {
    /** @type {Shown | null} */
    let shown = null;
    const structure = () => /** @type {Shown} */ (shown).structure;
    const passLink = (/** @type {number} */ pass) => (shown ? linkText(shown, pass, shown.version, shown.reach.passes[pass]) : '');
    const versionLink = (/** @type {number} */ version) => (shown ? linkText(shown, shown.pass, version, shown.reach.versions[version]) : '');

    const passes = dataTable({
        label: 'Passes',
        rowPx: ROW_PX,
        keyOf: (/** @type {number} */ index) => String(index),
        classOf: (index) => [CLASS[shown?.reach.passes[index] ?? 0], structure().passes[index].culled ? 'culled' : ''].filter(Boolean).join(' '),
        pick: (index) => pick.pass(index),
        empty: 'This graph has no passes.',
        columns: [
            { id: 'order', label: '#', width: '9cqw', value: (i) => -i, cell: (i) => i },
            { id: 'name', label: 'pass', text: true, tip: (i) => structure().passes[i].scope,
                value: (i) => structure().passes[i].name, cell: (i) => passCell(structure().passes[i]) },
            { id: 'gpu', label: 'GPU', width: '17cqw', value: (i) => structure().passes[i].gpuNs, cell: (i) => timeCell(structure().passes[i].gpuNs) },
            { id: 'in', label: 'in', width: '8cqw', title: 'resource versions that it reads',
                value: (i) => structure().inputsOf(i).length, cell: (i) => structure().inputsOf(i).length },
            { id: 'out', label: 'out', width: '9cqw', title: 'resource versions that it makes',
                value: (i) => structure().outputsOf(i).length, cell: (i) => structure().outputsOf(i).length },
            { id: 'link', label: 'selection', width: '24cqw', text: true, title: 'what it is to the selection, else why it did or did not run',
                value: (i) => passLink(i) || passState(structure().passes[i]), cell: (i) => passLink(i) || passState(structure().passes[i]),
                tip: (i) => culledReason(structure().passes[i]) },
        ],
    });
    const versions = dataTable({
        label: 'Resource versions',
        rowPx: ROW_PX,
        keyOf: (/** @type {number} */ index) => String(index),
        classOf: (index) => [CLASS[shown?.reach.versions[index] ?? 0], structure().versions[index].culledOnly ? 'culled' : ''].filter(Boolean).join(' '),
        pick: (index) => pick.version(index),
        empty: 'This graph has no resources.',
        columns: [
            { id: 'name', label: 'resource', text: true, value: (i) => versionName(structure().versions[i]), cell: (i) => versionName(structure().versions[i]),
                tip: (i) => (structure().versions[i].imported ? 'imported' : structure().versions[i].transient ? 'transient' : '') },
            { id: 'shape', label: 'what', width: '23cqw', text: true,
                value: (i) => resourceShape(structure().versions[i]), cell: (i) => resourceShape(structure().versions[i]) || UNKNOWN,
                tip: (i) => resourceShape(structure().versions[i]) },
            { id: 'bytes', label: 'declared', width: '15cqw', value: (i) => structure().versions[i].bytes, cell: (i) => versionBytes(structure().versions[i]) },
            { id: 'life', label: 'alive', width: '12cqw', title: 'passes: from the first that uses it to the last',
                value: (i) => -(lifeOf(structure(), i)?.first ?? Infinity), cell: (i) => lifeText(structure(), i) },
            { id: 'link', label: 'selection', width: '20cqw', text: true, title: 'what it is to the selection, else how many read it',
                value: (i) => versionLink(i) || versionState(structure(), i), cell: (i) => versionLink(i) || versionState(structure(), i) },
        ],
    });
    const root = h('div', { class: 'graph-tables', id: 'graph-tables' },
        h('section', {}, passes.root), h('section', {}, versions.root));
    return {
        root,
        /** @param {FrameStructure | null} graph @param {number | null} pass @param {number | null} version */
        show(graph, pass, version) {
            const same = shown?.structure === graph;
            shown = graph ? { structure: graph, pass, version, reach: reachOf(graph, pass, version) } : null;
            if (!same || !graph) {
                passes.show(graph ? graph.passes.map((_, index) => index) : []);
                versions.show(graph ? graph.versions.map((_, index) => index) : []);
            } else {
                passes.redraw();
                versions.redraw();
            }
            if (pass !== null) {
                passes.reveal(String(pass));
            }
            const related = graph && pass !== null ? graph.inputsOf(pass)[0] ?? graph.outputsOf(pass)[0] : version;
            if (related !== null && related !== undefined) {
                versions.reveal(String(related));
            }
            const user = graph && version !== null ? graph.writersOf(version)[0] ?? graph.readersOf(version)[0] : undefined;
            if (user !== undefined) {
                passes.reveal(String(user));
            }
        },
    };
}

/** A direct use says how; else how it hangs together. @param {Shown} shown @param {number | null} pass @param {number | null} version @param {number} role */
function linkText(shown, pass, version, role) {
    const access = pass !== null && version !== null ? shown.structure.accessOf(pass, version) : 0;
    return role === ROLE.SELF || access === 0 ? WORDS[role] : accessText(access);
}

/** @param {import('../model/structure.js').GraphPass} pass */
function passCell(pass) {
    return h('span', {}, h('span', { class: 'chip', colour: hueVariable(pass.name) }), h('span', { class: 'name' }, pass.name || '(no name)'));
}

/** @param {number} ns */
function timeCell(ns) {
    return ns >= 0 ? duration(ns) : h('span', { class: 'faint' }, '–');
}

/** @param {import('../model/structure.js').GraphPass} pass */
function passState(pass) {
    return [pass.culled ? 'culled' : '', pass.failed ? 'left by an error' : '', pass.async ? 'async' : '',
        pass.sideEffect ? 'side effect' : '', pass.known ? '' : 'not told'].filter(Boolean).join(', ');
}

/** @param {FrameStructure} structure @param {number} version */
function lifeText(structure, version) {
    const life = lifeOf(structure, version);
    return !life ? '–' : life.first === life.last ? String(life.first) : `${life.first}–${life.last}`;
}

/** @param {FrameStructure} structure @param {number} version */
function versionState(structure, version) {
    const readers = structure.readersOf(version).length;
    return readers === 0 ? 'nobody reads it' : readers === 1 ? '1 reader' : `${grouped(readers)} readers`;
}
