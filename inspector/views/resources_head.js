// SPDX-License-Identifier: MIT
// @ts-check
/* Over the table: figures of the frame, what is alive over its passes, and memory over all frames. */

import { fill, h } from './dom.js';
import { chart } from './chart.js';
import { figures, remark, title } from './tooltip.js';
import { drawFrameCurve, drawPassCurve } from '../draw/memory_picture.js';
import { hueVariable } from '../draw/palette.js';
import { byteSize, counted, grouped, UNKNOWN } from '../model/format.js';
import { aliveAt, aliveCurve, groupsOf } from '../model/memory.js';
import { historyScale } from '../model/memory_history.js';
import { goToFrame } from '../state/navigate.js';
import { selectPass, selectResource, shownFrame } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/memory.js').AliveCurve} AliveCurve */
/** @typedef {import('../model/memory_history.js').MemoryHistory} MemoryHistory */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */
/** @typedef {import('./dom.js').Child} Child */

/** Resources that the tooltip of a pass names. */
const NAMED = 6;

/** Curves live as long as their graphs. @type {WeakMap<FrameStructure, AliveCurve>} */
const curves = new WeakMap();
/** @param {FrameStructure} graph @returns {AliveCurve} */
function curveOf(graph) {
    const curve = curves.get(graph) ?? aliveCurve(groupsOf(graph), graph.passes.length);
    curves.set(graph, curve);
    return curve;
}

/** @param {Context} context @param {() => Palette} palette @param {Tooltip} tooltip */
export function resourcesHead(context, palette, tooltip) {
    const { store } = context;
    const facts = h('div', { class: 'facts', role: 'group', aria: { label: 'Memory of this frame' } });
    const passNote = h('span', { class: 'faint' });
    const frameNote = h('div', { class: 'memory-legend' });
    const graph = () => store.state.structure;

    const passes = chart(tooltip, {
        label: 'Declared bytes alive over the passes. Left and right go along, Enter selects the pass',
        count: () => graph()?.passes.length ?? 0,
        current: () => graph()?.passOf(store.state.place.pass) ?? -1,
        draw: (canvas, width, height, hover) => {
            const shown = graph();
            if (shown) {
                drawPassCurve({ context: canvas, palette: palette(), width, height }, curveOf(shown), {
                    hover, selected: shown.passOf(store.state.place.pass) ?? -1, culled: (pass) => shown.passes[pass].culled,
                });
            }
        },
        tell: (pass) => tellPass(graph(), pass),
        say: (pass) => `${graph()?.passes[pass].name ?? ''}: ${byteSize(graph() ? curveOf(/** @type {FrameStructure} */ (graph())).bytes[pass] : 0)} alive`,
        choose: (pass) => {
            const shown = graph();
            if (shown) {
                selectPass(context, shown.passes[pass].identity);
            }
        },
    });
    const history = chart(tooltip, {
        label: 'Memory over the frames. Left and right go along, Enter shows the frame',
        count: () => (store.state.memory && store.state.frames ? Math.min(store.state.frames.count, store.state.memory.declared.length) : 0),
        current: () => shownFrame(store.state) ?? -1,
        draw: (canvas, width, height, hover) => {
            const { memory, frames, place } = store.state;
            if (memory && frames && memory.declared.length === frames.count) {
                drawFrameCurve({ context: canvas, palette: palette(), width, height }, memory, frames, { hover, range: place.range });
            }
        },
        tell: (frame) => tellFrame(store.state, frame),
        say: (frame) => frameLines(store.state.memory, frame).join(', '),
        choose: (frame) => goToFrame(context, frame),
    });
    const root = h('div', { class: 'head-memory' }, facts,
        h('section', { class: 'pane passes', aria: { label: 'Alive over the passes' } }, h('h2', {}, 'Alive over the passes of the frame ', passNote), passes.root),
        h('section', { class: 'pane frames', aria: { label: 'Memory over the frames' } }, h('h2', {}, 'Memory over the frames'), history.root, frameNote));
    return {
        root,
        draw() {
            const { state } = store;
            const shown = state.structure;
            passNote.textContent = shown ? 'declared' : '';
            passes.root.hidden = !shown;
            fill(facts, ...factsOf(context, state));
            fill(frameNote, ...legend(state));
            if (shown) {
                passes.draw();
            }
            const { memory } = state;
            history.root.hidden = memory !== null && !hasFigures(memory);
            history.draw();
        },
    };
}

/** Whether there is anything to draw over the frames. @param {MemoryHistory} memory */
function hasFigures(memory) {
    return [memory.declared, memory.used].some((column) => column?.some((value) => !Number.isNaN(value)));
}

/** @param {string} label @param {Child} figure @param {...Child} more */
function fact(label, figure, ...more) {
    return h('div', { class: 'fact' }, h('span', { class: 'label' }, label), h('b', { class: figure === UNKNOWN || figure === 'not recorded' ? 'unknown' : '' }, figure),
        h('span', { class: 'more' }, ...more));
}

/** @param {Context} context @param {AppState} state @returns {Child[]} */
function factsOf(context, state) {
    const graph = state.structure;
    const frame = shownFrame(state);
    /** @type {Child[]} */
    const list = [];
    if (graph) {
        const curve = curveOf(graph);
        const pass = graph.passes[curve.peakPass];
        const known = groupsOf(graph).length > curve.unknown;
        list.push(fact('peak at one time', known ? byteSize(curve.peak) : UNKNOWN, ...(pass && known ? ['at ',
            h('button', { class: 'link', onclick: () => selectPass(context, pass.identity) }, pass.name), `, pass ${curve.peakPass + 1}`] : [])));
        list.push(fact('declared in all', known ? byteSize(curve.declared) : UNKNOWN,
            curve.unknown > 0 ? h('b', { class: 'missing' }, `${grouped(curve.unknown)} of unknown size`) : '0 of unknown size'));
    }
    list.push(...real(state, frame));
    if (graph) {
        list.push(...largestTransient(context, graph));
    }
    return list;
}

/** @param {Context} context @param {FrameStructure} graph @returns {Child[]} */
function largestTransient(context, graph) {
    const all = groupsOf(graph).filter((group) => group.transient && !group.culledOnly && group.bytes >= 0n);
    const most = all.reduce((/** @type {typeof all[0] | null} */ best, group) => (best === null || group.bytes > best.bytes ? group : best), null);
    if (!most) {
        return [fact('largest transient', 'none')];
    }
    const version = most.versions[most.versions.length - 1];
    const life = most.first < 0 ? 'no pass uses it' : most.first === most.last ? `pass ${most.first + 1}` : `passes ${most.first + 1} to ${most.last + 1}`;
    return [fact('largest transient', byteSize(most.bytes), h('button', { class: 'link', onclick: () => selectResource(context, graph.keyOf(version)) }, most.name), `, ${life}`)];
}

/** What the device said. @param {AppState} state @param {number | null} frame @returns {Child[]} */
function real(state, frame) {
    const { memory } = state;
    if (!memory) {
        return [fact('really in use', '…')];
    }
    if (!memory.used) {
        return [fact('really in use', 'not recorded', 'no such counter')];
    }
    const used = frame === null ? NaN : memory.used[frame];
    const budget = frame === null || !memory.budget ? NaN : memory.budget[frame];
    return [fact('really in use', Number.isNaN(used) ? UNKNOWN : byteSize(used), Number.isNaN(budget) ? 'budget not recorded' : `of a budget of ${byteSize(budget)}`)];
}

/** @param {FrameStructure | null} graph @param {number} pass @returns {Child[]} */
function tellPass(graph, pass) {
    if (!graph || !graph.passes[pass]) {
        return [];
    }
    const { name, scope, culled } = graph.passes[pass];
    const alive = aliveAt(groupsOf(graph), pass);
    const unknown = curveOf(graph).unknown;
    return [
        title(scope ? `${scope}/ ${name}` : name, hueVariable(name)),
        figures(`pass ${pass + 1} of ${graph.passes.length}${culled ? ', culled' : ''}`),
        figures(`${byteSize(curveOf(graph).bytes[pass])} declared alive, ${counted(alive.length, 'resource')}`),
        ...alive.slice(0, NAMED).map((group) => figures(`${byteSize(group.bytes)}  ${group.name}`)),
        alive.length > NAMED ? remark(`and ${alive.length - NAMED} smaller`) : null,
        unknown > 0 ? remark(`${counted(unknown, 'resource')} of unknown size not counted`) : null,
    ];
}

/** @param {MemoryHistory | null} memory @param {number} frame */
function frameLines(memory, frame) {
    if (!memory) {
        return [];
    }
    const text = (/** @type {number | undefined} */ value) => (value === undefined || Number.isNaN(value) ? UNKNOWN : byteSize(value));
    return [
        `declared ${text(memory.declared[frame])}`,
        `declared at its peak ${text(memory.peak[frame])}`,
        memory.used ? `in use ${text(memory.used[frame])}` : 'in use not recorded',
        memory.budget ? `budget ${text(memory.budget[frame])}` : 'budget not recorded',
        ...(memory.unknown[frame] > 0 ? [`${counted(memory.unknown[frame], 'resource')} of unknown size`] : []),
    ];
}

/** @param {AppState} state @param {number} frame @returns {Child[]} */
function tellFrame(state, frame) {
    const { frames, memory } = state;
    return frames ? [title(`frame ${frames.id[frame]}`), ...frameLines(memory, frame).map((text) => figures(text))] : [];
}

/** What the lines are, and what is not there. @param {AppState} state @returns {Child[]} */
function legend(state) {
    const { memory } = state;
    if (!memory) {
        return [state.phase === 'ready' ? 'on its way' : ''];
    }
    const item = (/** @type {string} */ style, /** @type {string} */ text) => h('span', { class: `key ${style}` }, h('i'), text);
    const hasGraph = memory.declared.some((value) => !Number.isNaN(value));
    const list = hasGraph ? [item('peak', 'declared at the peak'), item('declared', 'declared in all')] : [h('span', {}, 'no frame graph was recorded')];
    list.push(memory.used ? item('used', 'really in use') : h('span', {}, 'real memory: not recorded'));
    if (memory.budget) {
        const { budgetFits } = historyScale(memory);
        const most = memory.budget.reduce((best, value) => (value > best ? value : best), 0);
        list.push(budgetFits ? item('limit', 'budget') : h('span', {}, `budget ${most > 0 ? byteSize(most) : UNKNOWN}: far above`));
    } else {
        list.push(h('span', {}, 'budget: not recorded'));
    }
    return list;
}
