// SPDX-License-Identifier: MIT
// @ts-check
/* A pass of the frame graph that has no span in the shown frame: culled, or its times never came. */

import { announce, h } from './dom.js';
import { passUses } from './detail_links.js';
import { heading } from './detail_span.js';
import { sparkline } from './detail_spark.js';
import { counted } from '../model/format.js';
import { passReason } from '../model/pass_state.js';
import { selectAndReveal } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('./dom.js').Child} Child */

/** @param {Context} context @param {number} identity @param {Palette} palette @returns {Child[]} */
export function passDetail(context, identity, palette) {
    const { structure: graph, structureNote, panel, frames } = context.store.state;
    const index = graph?.passOf(identity) ?? null;
    const number = graph && graph.frame !== null && frames ? `frame ${frames.id[graph.frame]}` : 'this frame';
    const past = panel && panel.pass === identity ? panel : null;
    if (!graph || index === null) {
        return [
            ...heading(context, 'Pass'),
            h('p', { class: 'warning' }, graph ? `The frame graph of ${number} does not have this pass.` : structureNote || 'The frame graph is on its way.'),
            ...history(context, palette, past),
        ];
    }
    const pass = graph.passes[index];
    announce(`${pass.name}, ${pass.culled ? 'culled' : 'no times'}`);
    return [
        ...heading(context, pass.name),
        h('div', { class: 'path' }, [number, ...(pass.scope ? pass.scope.split('/') : []), pass.name].join(' › '), pass.async ? '  ·  meant for another queue' : null),
        h('div', { class: 'big' }, pass.culled ? 'culled' : 'no span'),
        ...passReason(graph, index).map((text) => h('p', { class: pass.culled ? 'reason' : 'warning' }, text)),
        ...history(context, palette, past),
        ...passUses(context, graph, index),
    ];
}

/** Its times in the frames where it ran. @param {Context} context @param {Palette} palette @param {import('../state/panel_data.js').Panel | null} panel @returns {Child[]} */
function history(context, palette, panel) {
    const { longest } = panel ?? { longest: null };
    if (!panel?.series || longest === null) {
        return panel ? [h('p', { class: 'faint' }, 'No frame of the capture has a time of it.')] : [];
    }
    return [
        ...sparkline(context, palette, panel.series, panel.frame),
        h('p', {}, `It ran in ${counted(panel.series.frame.length, 'frame')}: `,
            h('button', { class: 'link', onclick: () => void selectAndReveal(context, longest) }, 'its longest run'), '.'),
    ];
}
