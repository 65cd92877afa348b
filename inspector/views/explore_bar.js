// SPDX-License-Identifier: MIT
// @ts-check
/* The line over the timeline: what is hidden, which dependencies are drawn, what is focused on, followed and scored. */

import { byId, fill, h, icon } from './dom.js';
import { filterPanel } from './filter_panel.js';
import { familyColour } from '../draw/links_picture.js';
import { BASELINE_WORDS } from '../model/anomalies.js';
import { DIRECTION_WORDS, nextDirection, stepHops } from '../model/focus.js';
import { onlyWords, isEverything } from '../model/filter_terms.js';
import { counted, grouped, percent, shortDuration } from '../model/format.js';
import { FAMILIES, familyName, notDrawn } from '../model/links.js';
import { PATH_OF, PATH_OF_WORDS } from '../model/path.js';
import { updateExplore } from '../state/app_state.js';
import { SLICE_WORDS } from '../model/slice.js';
import { baselineChoice, baselineChoices, chooseBaseline, mayScore } from '../state/anomalies_data.js';
import { showEverything } from '../state/filter_data.js';
import { hasLinks, toggleFamily, toggleLinks } from '../state/links_data.js';
import { choosePath, mayFollow } from '../state/path_data.js';
import { chooseSlice } from '../state/slice_data.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../draw/palette.js').Palette} Palette */

/** A choice of few words. @param {string} label @param {string} title @param {readonly (readonly [string, string])[]} choices @param {(id: string) => void} choose */
function select(label, title, choices, choose) {
    const list = h('select', { title, aria: { label } }, ...choices.map(([id, text]) => {
        const option = h('option', {}, text);
        option.value = id;
        return option;
    }));
    list.addEventListener('change', () => choose(list.value));
    return list;
}

/** @param {string} id @param {string} title @param {() => void} press @param {Node | string} content */
function small(id, title, press, content) {
    return h('button', { class: 'tool small', data: { focus: id }, title, aria: { label: title.replace(/ \(.*/, '') }, onclick: press }, content);
}

/** @param {Context} context @param {() => Palette} palette */
export function exploreBar(context, palette) {
    const { store } = context;
    const root = byId('explore');
    root.setAttribute('role', 'toolbar');
    const panel = filterPanel(context);
    const filter = h('button', { class: 'chip-button', id: 'filter', title: 'What is shown at all (I)', aria: { haspopup: 'dialog' }, onclick: () => panel.open() }, 'Filter');
    const everything = h('button', {
        class: 'tool small', aria: { label: 'Show everything' }, title: 'Show everything', onclick: () => showEverything(context),
    }, icon('close'));
    const families = h('span', { class: 'families', role: 'group', aria: { label: 'Dependencies' } });
    const focus = h('span', { class: 'focus-part' });
    const path = select('Critical path', 'The longest chain of spans that depend on each other (G)',
        PATH_OF.map((of) => [of, of === 'off' ? 'no path' : `path: ${PATH_OF_WORDS[of]}`]), (of) => choosePath(context, of));
    const slice = h('span', { class: 'slice-part' });
    const odd = select('Unusual spans', 'Tint spans and tracks that are unusual against what is chosen here', [], (id) => chooseBaseline(context, id));
    const curve = h('button', {
        class: 'chip-button', title: 'How much runs at once, over the window (V)',
        onclick: () => updateExplore(context, { curve: !store.state.place.explore.curve }),
    }, 'Load');
    const working = h('span', { class: 'working', role: 'status' });
    fill(root, filter, everything, families, focus, slice, path, odd, curve, working);

    /** @param {AppState} state */
    const drawFilter = (state) => {
        const { only } = state.place.explore;
        const words = onlyWords(only, shortDuration);
        everything.hidden = isEverything(only);
        filter.classList.toggle('on', words.length > 0);
        const left = state.filter ? `: ${grouped(state.filter.rows)} spans` : '';
        filter.textContent = words.length > 0 ? `${words.join(', ')}${left}` : 'Filter';
    };
    /** @param {AppState} state */
    const drawFamilies = (state) => {
        families.hidden = !hasLinks(context);
        if (families.hidden) {
            return;
        }
        const { links, familiesOff } = state.place.explore;
        const drawn = state.links;
        const seen = new Set([...(drawn?.lines.family ?? []), ...familiesOff]);
        const held = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.family : undefined;
        // What a filter hides is not there to be drawn.
        const left = drawn ? notDrawn(drawn) - (state.filter ? drawn.leftOut.hidden : 0) : 0;
        const count = links && drawn ? countText(drawn.lines.link.length, left, drawn.leftOut.overBudget) : '';
        const all = h('button', {
            class: `chip-button ${links ? 'on' : ''}`, title: 'Dependencies on or off (Y)', data: { family: 'all' }, aria: { pressed: links },
            onclick: () => toggleLinks(context),
        }, 'Dependencies');
        fill(families, all,
            ...FAMILIES.map((_, family) => (seen.has(family) && links ? h('button', {
                class: 'family', data: { family }, aria: { pressed: !familiesOff.includes(family) }, title: `${familyName(family)}: drawn and followed, or not`,
                onclick: () => toggleFamily(context, family),
            }, h('i', { class: 'chip', colour: familyColour(palette(), family) }), familyName(family)) : null)),
            h('span', { class: 'num', title: leftText(state) }, count));
        const again = held === undefined ? null : families.querySelector(`[data-family="${CSS.escape(held)}"]`);
        if (again instanceof HTMLElement) {
            again.focus();
        }
    };
    /** @param {AppState} state */
    const drawFocus = (state) => {
        const chosen = state.place.explore.focus;
        focus.hidden = chosen === null;
        if (!chosen) {
            return;
        }
        const set = (/** @type {import('../model/focus.js').Focus | null} */ next) => updateExplore(context, { focus: next });
        const told = state.focus;
        const text = !told ? '…' : told.seeds === 0 ? 'no such span: nothing is dimmed'
            : `${counted(told.rows, 'span')}${told.notFollowed > 0 ? `, ${grouped(told.notFollowed)} not followed: too many` : ''}`;
        const held = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.focus : undefined;
        fill(focus, h('b', {}, `Focus: ${counted(chosen.seeds.length, 'span')}`),
            h('button', {
                class: 'chip-button', data: { focus: 'way' }, title: 'Which way dependencies are followed (Q)', onclick: () => set(nextDirection(chosen)),
            }, DIRECTION_WORDS[chosen.direction]),
            small('less', 'One hop less (<)', () => set(stepHops(chosen, -1)), '−'),
            h('span', { class: 'num' }, chosen.hops === null ? 'all hops' : counted(chosen.hops, 'hop')),
            small('more', 'One hop more (>)', () => set(stepHops(chosen, 1)), '+'),
            h('span', { class: 'num reach' }, text),
            small('end', 'End the focus', () => set(null), icon('close')));
        const again = held === undefined ? null : focus.querySelector(`[data-focus="${held}"]`);
        if (again instanceof HTMLElement) {
            again.focus();
        }
    };
    /** @param {AppState} state */
    const drawSlice = (state) => {
        const chosen = state.place.explore.slice;
        slice.hidden = chosen === null;
        if (!chosen) {
            return;
        }
        const name = state.slice?.items[0]?.name;
        const held = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.focus : undefined;
        fill(slice, h('b', {}, 'Causes: '), h('button', {
            class: 'chip-button', data: { focus: 'slice-list' }, title: 'List them', onclick: () => updateExplore(context, { table: 'slice' }),
        }, SLICE_WORDS[chosen.way]), h('span', { class: 'num reach' }, name ?? `span ${chosen.row}`),
        small('slice-end', 'End it: show all spans again', () => chooseSlice(context, null, chosen.way), icon('close')));
        const again = held === undefined ? null : slice.querySelector(`[data-focus="${CSS.escape(held)}"]`);
        if (again instanceof HTMLElement) {
            again.focus();
        }
    };
    /** @param {AppState} state */
    const drawOdd = (state) => {
        const { baseline } = state.place.explore;
        const choices = baselineChoices(state, { ...BASELINE_WORDS, off: 'no tint' }).map(([id, text]) => [id, id === 'off' ? text : `unusual against: ${text}`]);
        if (odd.options.length !== choices.length || choices.some(([, text], i) => odd.options[i].textContent !== text)) {
            fill(odd, ...choices.map(([id, text]) => {
                const option = h('option', {}, text);
                option.value = id;
                return option;
            }));
        }
        odd.value = baselineChoice(baseline);
        odd.classList.toggle('on', baseline.base !== 'off');
        for (const option of odd.options) {
            option.title = mayScore(context, option.value);
            option.disabled = option.value !== odd.value && option.title !== '';
        }
    };
    /** @param {AppState} state */
    const draw = (state) => {
        const ready = state.phase === 'ready' && context.client.can(29);
        document.body.classList.toggle('with-explore', ready);
        if (!ready) {
            return;
        }
        drawFilter(state);
        drawFamilies(state);
        drawFocus(state);
        drawSlice(state);
        const { explore } = state.place;
        path.value = explore.path.of;
        path.classList.toggle('on', explore.path.of !== 'off');
        for (const option of path.options) {
            option.disabled = option.value !== 'off' && mayFollow(context, option.value) !== '';
            option.title = mayFollow(context, option.value);
        }
        drawOdd(state);
        curve.classList.toggle('on', explore.curve);
        curve.setAttribute('aria-pressed', String(explore.curve));
    };
    store.listen((state, before) => {
        // Told with every step of long work: nothing else of the bar is touched.
        if (state.working !== before.working) {
            working.textContent = state.working ? `${state.working.what} ${percent(state.working.done / Math.max(1, state.working.all))}` : '';
        }
        if (state.phase !== before.phase || state.links !== before.links || state.focus !== before.focus
            || state.slice !== before.slice || state.filter !== before.filter || state.theme !== before.theme
            || state.place.explore !== before.place.explore || state.place.selected !== before.place.selected || state.place.range !== before.place.range
            || state.info !== before.info || state.entries !== before.entries) {
            draw(state);
        }
    });
    return { openFilter: () => panel.open() };
}

/** @param {number} drawn @param {number} left @param {number} overBudget of those left, for which there is no room at this zoom */
function countText(drawn, left, overBudget) {
    return left === 0 ? `${grouped(drawn)} drawn` : `${grouped(drawn)} drawn, ${grouped(left)} not${overBudget > drawn ? ': zoom in' : ''}`;
}

/** Why dependencies are not drawn. @param {AppState} state */
function leftText(state) {
    const left = state.links?.leftOut;
    if (!left) {
        return '';
    }
    const parts = [
        left.overBudget > 0 ? `${grouped(left.overBudget)} more than are drawn at this zoom` : '',
        left.culled > 0 ? `${grouped(left.culled)} do not cross the screen` : '',
        left.hidden > 0 ? `${grouped(left.hidden)} between spans that are hidden` : '',
        left.same > 0 ? `${grouped(left.same)} inside one span` : '',
        left.placeless > 0 ? `${grouped(left.placeless)} on tracks that are not shown` : '',
        left.families > 0 ? `${grouped(left.families)} of kinds that are off` : '',
        left.outside > 0 ? `${grouped(left.outside)} outside of the window` : '',
    ].filter(Boolean);
    return parts.length > 0 ? `Not drawn: ${parts.join('; ')}.` : 'All dependencies of the window are drawn.';
}
