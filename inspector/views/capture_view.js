// SPDX-License-Identifier: MIT
// @ts-check
/* How far the capture can be believed, and where it is from. */

import { fill, h, onFrame } from './dom.js';
import { card, clocksPart, costPart, countsPart, damagePart, entriesPart, limitsPart, lossesPart, pacePart, pairs, skippedPart } from './capture_parts.js';
import { groupMeta, LEVELS } from '../model/capture_meta.js';
import { engineRows } from '../model/engine.js';
import { byteSize, counted, duration, UNKNOWN } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('./view_switch.js').View} View */

/** Bring a section in sight: clocks, losses, damage... @param {string} section */
export function showSection(section) {
    requestAnimationFrame(() => requestAnimationFrame(() => {
        const target = document.getElementById(`about-${section}`);
        target?.scrollIntoView({ block: 'nearest' });
        target?.focus({ preventScroll: true });
    }));
}

/** @param {Context} context @returns {View} */
export function captureView(context) {
    const { store } = context;
    const root = h('div', { class: 'page capture-page', tabindex: 0 });
    let isShown = false;
    const draw = onFrame(() => {
        if (isShown) {
            const { scrollTop } = root;
            fill(root, ...content(context));
            root.scrollTop = scrollTop;
        }
    });
    store.listen((state, before) => {
        if (state.info !== before.info || state.engine !== before.engine || state.pace !== before.pace || state.frames !== before.frames || state.phase !== before.phase
            || state.entry !== before.entry || state.losses !== before.losses || state.place.unit !== before.place.unit) {
            draw();
        }
    });
    return {
        name: 'capture',
        root,
        show: () => {
            isShown = true;
            draw();
        },
        hide: () => {
            isShown = false;
        },
        redraw: draw,
    };
}

/** @param {Context} context */
function content(context) {
    const { state } = context.store;
    const { info, entry, phase } = state;
    if (!info) {
        return [h('p', { class: 'empty' }, phase === 'failed' ? 'The capture could not be opened.' : 'This comes with the trace.')];
    }
    const meta = groupMeta(info.meta);
    const bytes = entry && entry.bytes >= 0n ? byteSize(entry.bytes) : UNKNOWN;
    const level = info.level === null ? 'not recorded' : `${info.level}, ${LEVELS[info.level] ?? UNKNOWN}`;
    return [
        h('div', { class: 'page-head' }, h('h2', {}, entry?.label ?? 'Capture')),
        h('p', { class: 'state', title: 'The time is from the first time to the last, of instants and counters as well.' },
            [`${info.format} ${info.version}`.trim(), entry?.packing ? `packed with ${entry.packing}` : '', bytes, duration(info.endNs - info.startNs),
            counted(info.counts.frames ?? 0n, 'frame')].filter(Boolean).join(' · ')),
        ...meta.notes.map((note) => h('p', { class: 'about' }, note)),
        h('div', { class: 'cards' },
            skippedPart(info),
            h('div', { class: 'wide-card' }, card('clocks', 'Clocks', ...clocksPart(info))),
            card('losses', 'Lost while recording', ...lossesPart(context, info)),
            card('damage', 'Damage and repairs', ...damagePart(info)),
            card('recording', 'Recording', pairs([['level', level]]), info.level === 3
                ? h('p', { class: 'warning' },
                    'Level 3 is an internal repro level: its own cost shows in its times, and it tells more about the program than you may want to share.') : null,
            entriesPart(meta.program, 'Nothing was recorded about the program.')),
            card('cost', 'The recorder\'s own cost', ...costPart(context, info)),
            card('device', 'Device', entriesPart(meta.device, 'The capture does not say which device it is from.'), limitsPart(meta.limits)),
            card('features', 'Features', meta.features.length > 0 ? h('p', { class: 'features' }, ...meta.features.map((feature) => h('span', { class: 'badge num' }, feature)))
                : h('p', { class: 'faint' }, 'None were recorded.')),
            card('settings', 'Settings', entriesPart(meta.settings, 'None were recorded.')),
            state.engine ? card('engine', 'Questions are answered', pairs(engineRows(state.engine)),
                h('p', { class: 'faint' }, 'Whoever answers, the answers are the same. A device is asked only when there is a question: a page at rest leaves it at rest.')) : null,
            state.pace ? card('pace', 'Views of the timeline', ...pacePart(state.pace)) : null,
            card('counts', 'What is in it', ...countsPart(info)),
        ),
    ];
}
