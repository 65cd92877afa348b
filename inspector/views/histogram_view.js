// SPDX-License-Identifier: MIT
// @ts-check
/* How many spans have which duration, by powers of two, beside the statistics. */

import { fill, h } from './dom.js';
import { counted, grouped, shortDuration } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 200;
const HEIGHT = 64;

/** What the durations are of. @param {AppState} state */
function subject(state) {
    const { find, mark, explore } = state.place;
    return find.trim() !== '' ? `"${find.trim()}"` : mark ? mark.name : state.path ? 'the path' : explore.focus ? 'the focus' : 'all spans';
}

/** Smallest and largest value of a bin, as words. @param {bigint} first @param {bigint} last */
function range(first, last) {
    return first === last ? `${first} ns` : `${shortDuration(Number(first))} to ${shortDuration(Number(last) + 1)}`;
}

/** Where in the last bin the longest one is. @param {{ first: bigint, last: bigint }} bin @param {number} longest @param {number} width @param {number} left */
function longestMark(bin, longest, width, left) {
    const least = Math.max(1, Number(bin.first));
    const x = left + width * Math.min(1, Math.max(0, Math.log2(Math.max(1, longest) / least)));
    const mark = document.createElementNS(SVG, 'line');
    mark.setAttribute('class', 'longest');
    for (const [name, value] of [['x1', x], ['x2', x], ['y1', 0], ['y2', HEIGHT]]) {
        mark.setAttribute(String(name), String(value));
    }
    return mark;
}

/** @param {Context} context */
export function histogramView(context) {
    const { store } = context;
    const root = h('figure', { class: 'histogram', hidden: true });
    const draw = () => {
        const { state } = store;
        const { histogram } = state;
        root.hidden = histogram === null;
        if (!histogram) {
            return;
        }
        const count = histogram.count.length;
        const begin = histogram.count.findIndex((value) => value > 0);
        const caption = h('figcaption', {}, 'Durations of ', h('b', {}, subject(state)));
        if (begin < 0) {
            fill(root, caption, h('p', { class: 'faint' }, 'No complete span among these.'));
            return;
        }
        const bins = [...histogram.count.slice(begin, count)].map((value, i) => ({ value, first: histogram.first[begin + i], last: histogram.last[begin + i] }));
        const most = Math.max(...bins.map((bin) => bin.value));
        const svg = document.createElementNS(SVG, 'svg');
        svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
        svg.setAttribute('preserveAspectRatio', 'none');
        svg.setAttribute('role', 'img');
        const usual = bins.find((bin) => bin.value === most);
        svg.setAttribute('aria-label', `${counted(histogram.measured, 'span')}; most, ${grouped(most)}, take ${usual ? range(usual.first, usual.last) : ''}`);
        const width = WIDTH / bins.length;
        bins.forEach((bin, i) => {
            // Counts of very different size side by side: the root keeps the small ones in sight.
            const height = bin.value > 0 ? Math.max(1.5, Math.sqrt(bin.value / most) * (HEIGHT - 2)) : 0;
            const bar = document.createElementNS(SVG, 'rect');
            bar.setAttribute('x', String(i * width + 0.5));
            bar.setAttribute('y', String(HEIGHT - height));
            bar.setAttribute('width', String(Math.max(0.5, width - 1)));
            bar.setAttribute('height', String(height));
            const title = document.createElementNS(SVG, 'title');
            title.textContent = `${range(bin.first, bin.last)}: ${counted(bin.value, 'span')}`;
            bar.append(title);
            svg.append(bar);
        });
        const last = bins[bins.length - 1];
        svg.append(longestMark(last, Number(histogram.longest), width, WIDTH - width));
        const ends = [['shortest', histogram.shortest], ['longest', histogram.longest]].map(([word, ns]) => h('span', { title: String(word) }, shortDuration(Number(ns))));
        const open = histogram.unfinished > 0 ? `${grouped(histogram.unfinished)} without an end, left out` : '';
        fill(root, caption, svg, h('div', { class: 'ends num' }, ...ends),
            h('p', { class: 'faint', title: open }, counted(histogram.measured, 'span'), open ? `, ${grouped(histogram.unfinished)} open` : ''),
            h('p', { class: 'faint', title: 'Each bar is of twice the durations of the one before it. The line in the last one is the longest span.' }, 'bins: powers of two'));
    };
    store.listen((state, before) => {
        if (state.histogram !== before.histogram || state.place.unit !== before.place.unit) {
            draw();
        }
    });
    return { root };
}
