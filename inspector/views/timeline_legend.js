// SPDX-License-Identifier: MIT
// @ts-check
/* What the colours of the timeline tell, when they tell something else than names. */

import { fill, h } from './dom.js';
import { cssColour } from '../model/colour.js';

/** More than these are summed up: a legend that covers the timeline helps nobody. */
const MOST = 12;

export function timelineLegend() {
    const root = h('div', { class: 'legend', hidden: true, role: 'group', aria: { label: 'Colours' } });
    return {
        root,
        /** @param {import('../draw/span_colours.js').LegendEntry[]} entries */
        update(entries) {
            root.hidden = entries.length === 0;
            const shown = entries.slice(0, MOST);
            fill(root, ...shown.map(({ label, rgb }) => h('span', {},
                h('i', { class: 'chip', colour: cssColour(rgb) }), label)),
            entries.length > MOST ? h('span', {}, `and ${entries.length - MOST} more`) : null);
        },
    };
}
