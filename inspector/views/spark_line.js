// SPDX-License-Identifier: MIT
// @ts-check
/* A metric over the whole capture, small: steps for its values, a band where several share a step. */

import { h } from './dom.js';
import { sparkPath } from '../model/metrics.js';

/** @typedef {import('../model/lanes.js').CounterView} CounterView */

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} className @param {string} d */
function path(className, d) {
    const element = document.createElementNS(SVG, 'path');
    element.setAttribute('class', className);
    element.setAttribute('d', d);
    element.setAttribute('vector-effect', 'non-scaling-stroke');
    return element;
}

/**
 * @param {CounterView | undefined} curve @param {number} lengthNs @param {number} width @param {number} height
 * @param {{ from: number, to: number } | null} range shares of the width that are marked
 */
export function sparkLine(curve, lengthNs, width, height, range) {
    if (!curve || lengthNs <= 0) {
        return h('span', { class: 'no-curve' });
    }
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('class', 'curve');
    svg.setAttribute('aria-hidden', 'true');
    const { line, band } = sparkPath(curve, lengthNs, width, height);
    if (range) {
        const mark = document.createElementNS(SVG, 'rect');
        mark.setAttribute('class', 'range');
        mark.setAttribute('x', String(range.from * width));
        mark.setAttribute('width', String(Math.max(1, (range.to - range.from) * width)));
        mark.setAttribute('y', '0');
        mark.setAttribute('height', String(height));
        svg.append(mark);
    }
    svg.append(path('band', band), path('line', line));
    return svg;
}
