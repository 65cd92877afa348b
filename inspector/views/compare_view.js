// SPDX-License-Identifier: MIT
// @ts-check
/* Two sides beside each other: what changed in a sentence with its limits, then row by row, then the rest. */

import { announce, fill, h, onFrame } from './dom.js';
import { compareRest } from './compare_rest.js';
import { compareTable } from './compare_table.js';
import { sideName, sidesView } from './compare_sides.js';
import { openFrames } from './compare_links.js';
import { hueVariable } from '../draw/palette.js';
import { compareByOf, fileData, swapSides } from '../state/compare_data.js';
import { CHANNEL, updatePlace } from '../state/app_state.js';
import { setFind } from '../state/search.js';
import { cancelWork } from '../state/working.js';
import { COMPARE_BY, areWhole, headline, rowName, signedDuration } from '../model/compare.js';
import { counted, grouped, percent } from '../model/format.js';
import { lossesIn, samePair } from '../model/sides.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('./view_switch.js').View} View */
/** @typedef {import('../model/sides.js').Pair} Pair */

const STATE_WORD = { added: 'added', removed: 'removed', culled: 'culled since', kept: 'no longer culled' };
const BY_LABEL = { pass: 'Pass', name: 'Name', scope: 'Scope', category: 'Category', track: 'Track' };

/** @param {Context} context @returns {View} */
export function compareView(context) {
    const { store } = context;
    const sides = sidesView(context);
    const head = h('section', { class: 'headline', aria: { label: 'What changed' } });
    const choice = h('div', { class: 'choice', role: 'radiogroup', aria: { label: 'Compare by' } },
        ...COMPARE_BY.map((by) => h('button', { role: 'radio', data: { by }, onclick: () => updatePlace(context, { compareBy: by }) }, BY_LABEL[by])));
    const claimed = h('input', { type: 'checkbox', id: 'compare-claimed' });
    claimed.addEventListener('change', () => updatePlace(context, { compareClaimed: claimed.checked }));
    const claimedLabel = h('label', { class: 'check', title: 'Leave out rows that differ by less than they vary by themselves' }, claimed, 'only what is claimed');
    const count = h('span', { class: 'range' });
    const clear = h('button', { class: 'link', onclick: () => setFind(context, '') }, 'all rows');
    const table = compareTable(context);
    const rest = compareRest(context);
    const bar = h('div', { class: 'bar' }, choice, claimedLabel, count, clear);
    const empty = h('div', { class: 'empty' });
    const progress = progressLine(context);
    const root = h('div', { class: 'compare' }, sides.root, head, empty, progress, bar, table.root, rest.root);
    let isShown = false;
    let said = '';

    const draw = onFrame(() => {
        if (!isShown) {
            return;
        }
        const { state } = store;
        const { comparison, comparisonNote, place } = state;
        sides.update();
        head.hidden = bar.hidden = !comparison;
        empty.hidden = comparison !== null;
        root.dataset.state = comparison ? (comparison.whole ? 'ready' : 'counting') : comparisonNote ? 'refused' : 'waiting';
        if (comparison) {
            const text = drawHeadline(head, context);
            if (comparison.whole && text !== said) {
                said = text;
                announce(text);
            }
        } else {
            fill(empty, ...emptyText(state));
        }
        for (const button of choice.children) {
            button.setAttribute('aria-checked', String(/** @type {HTMLElement} */ (button).dataset.by === compareByOf(state)));
        }
        claimed.checked = place.compareClaimed;
        clear.hidden = place.find.trim() === '';
        const shown = table.shown();
        count.textContent = !comparison?.whole ? '' : shown === comparison.rows.length && comparison.all === shown ? counted(shown, 'row')
            : `${grouped(shown)} of ${counted(comparison.all, 'row')}${place.find.trim() ? ` with "${place.find.trim()}" in their names` : ''}`;
        table.draw();
        rest.draw();
    });
    store.listen((state, before) => {
        if (state.comparison !== before.comparison || state.groupScores !== before.groupScores || state.comparisonNote !== before.comparisonNote || state.place !== before.place
            || state.frames !== before.frames || state.marks !== before.marks || state.otherFiles !== before.otherFiles || state.phase !== before.phase) {
            draw();
        }
    });
    return {
        name: 'compare',
        root,
        show: () => {
            isShown = true;
            draw();
        },
        hide: () => {
            isShown = false;
        },
        redraw: draw,
        key: (event) => {
            if (event.key === 'x' || event.key === 'X') {
                swapSides(context);
                return true;
            }
            return false;
        },
    };
}

/** How far it is, while that takes longer than a glance. @param {Context} context */
function progressLine(context) {
    const { store } = context;
    const text = h('span', { role: 'status' });
    const root = h('p', { class: 'faint progress', hidden: true }, text, ' ', h('button', { class: 'link', onclick: () => cancelWork(context) }, 'stop'));
    store.listen((state, before) => {
        if (state.working !== before.working) {
            root.hidden = state.working?.channel !== CHANNEL.COMPARE;
            text.textContent = state.working && !root.hidden ? `Comparing: ${percent(state.working.done / Math.max(1, state.working.all))}` : '';
        }
    });
    return root;
}

/** @param {AppState} state */
function emptyText(state) {
    const { comparisonNote, frames, phase, place } = state;
    if (comparisonNote) {
        return [h('b', {}, 'Nothing is compared'), comparisonNote];
    }
    if (phase === 'ready' && !place.compare) {
        return [h('b', {}, 'Nothing to compare'), frames && frames.count > 0
            ? 'The capture has one frame only. Open a second capture beside it (frameglass view FIRST SECOND) to compare the two.'
            : 'The trace has no frames. Open a second one beside it (frameglass view FIRST SECOND) to compare the two, or measure a range of it on the timeline (drag with Shift), '
                + 'which is offered for either side here.'];
    }
    return ['Comparing…'];
}

/** What a side could not record is missing from its figures: said before anything else. @param {AppState} state @param {Pair} pair */
function lacking(state, pair) {
    const parts = [pair.base, pair.next].flatMap((side) => {
        const { frames } = fileData(state, side.file);
        const { dropped, unmeasured } = frames && !side.time ? lossesIn(frames, side) : { dropped: 0, unmeasured: 0 };
        return [dropped > 0 ? `${counted(dropped, 'thing')} of ${sideName(state, side)} could not be recorded: the figures lack them.` : '',
            unmeasured > 0 ? `${counted(unmeasured, 'frame')} of ${sideName(state, side)} without GPU times.` : ''].filter(Boolean);
    });
    return parts.length > 0 ? h('b', { class: 'warn' }, `${parts.join(' ')} `) : null;
}

/** @param {HTMLElement} head @param {Context} context @returns {string} the sentence */
function drawHeadline(head, context) {
    const { state } = context.store;
    const { comparison } = state;
    const pair = state.place.compare;
    if (!comparison || !pair) {
        return '';
    }
    const names = /** @type {[string, string]} */ ([sideName(state, pair.base), sideName(state, pair.next)]);
    const line = headline(comparison, names);
    const same = samePair({ base: pair.base, next: pair.base }, { base: pair.next, next: pair.next });
    if (same) {
        const text = `Both sides are the same ${pair.base.time ? 'range of time' : areWhole(comparison) ? 'trace' : 'frames'}.`;
        fill(head, h('h2', {}, text), h('p', {}, pair.base.time ? 'Measure another one on the timeline (drag with Shift), and take it for one of the sides above.'
            : areWhole(comparison) ? 'Choose another file for one of them.'
                : 'Choose another side: select frames in the strip and press B for the base or C for what is compared with it, or write their numbers above.'));
        return text;
    }
    const costly = line.costly.flatMap((row, i) => [i > 0 ? ', ' : '', h('span', { class: 'chip', colour: hueVariable(row.name) }), ' ',
        h('b', { title: row.track || undefined }, rowName(row)), ` ${signedDuration(Math.round(row.deltaNs))}`,
        row.state !== 'both' ? ` (${STATE_WORD[row.state]})` : row.cause === 'untold' ? '' : ` (${row.cause})`]);
    const isUnknown = comparison.rows.some((row) => row.noiseNs < 0 && row.deltaNs !== 0);
    const none = !comparison.whole ? 'The rows are being compared…' : comparison.frames.includes(0) ? '' : isUnknown ? 'No row\'s difference can be claimed.'
        : 'No row differs by more than it varies by itself.';
    fill(head,
        h('h2', {}, line.time, h('span', { class: line.tone }, line.change)),
        h('p', {}, line.graph, line.graph ? ' ' : '', ...(costly.length > 0 ? ['Most of it: ', ...costly, '.'] : [none])),
        h('p', { class: 'faint' }, lacking(state, pair), line.limits, line.limits ? ' ' : '', 'Look at ',
            h('button', { class: 'link', onclick: () => openFrames(context, pair.base) }, names[0]), ' or ',
            h('button', { class: 'link', onclick: () => openFrames(context, pair.next) }, names[1]), ' on the timeline.'));
    return `${line.time}${line.change} ${line.graph}`.trim();
}
