// SPDX-License-Identifier: MIT
// @ts-check
/* How far the capture can be believed, in a few words each. What finds no room goes behind one button, the harmless first. */

import { fill, h, onFrame } from './dom.js';
import { showSection } from './capture_view.js';
import { LEVELS, softwareTimes } from '../model/capture_meta.js';
import { engineBadge } from '../model/engine.js';
import { counted, grouped, shortDuration } from '../model/format.js';
import { hasLossCounters, lossSentence } from '../model/losses.js';
import { showView } from '../state/view_choice.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../protocol/document.js').Info} Info */
/** @typedef {{ text: [string, string, string], tone: '' | 'good' | 'warn' | 'bad', title: string, section: string }} Badge before, stressed, after */

/** Of the clocks of GPU tracks: a counter of the processor may be a clock of its own as well. @param {Info} info @param {AppState} state @returns {Badge} */
function clockBadge(info, { tracks }) {
    const devices = info.clocks.filter((clock, i) => clock.domain !== 'host' && tracks.some((track) => track.kind === 'gpu' && track.clock === i));
    const nominal = devices.find((clock) => clock.domain === 'nominal');
    if (nominal) {
        return {
            text: ['GPU clock ', 'nominal', ''],
            tone: 'warn',
            title: `CPU and GPU are two clocks here: each frame's GPU work is placed at its submit, and nothing is measured across. ${nominal.reason}`.trim(),
            section: 'clocks',
        };
    }
    if (devices.length === 0) {
        const counter = info.clocks.find((clock) => clock.domain === 'calibrated');
        return counter ? {
            text: ['CPU clock ', 'calibrated', counter.boundNs >= 0 ? ` ±${shortDuration(counter.boundNs)}` : ''],
            tone: 'good',
            title: 'Times of the threads are of the processor\'s own counter, brought to the axis with paired readings; the bound is its largest error. There is no device clock.',
            section: 'clocks',
        } : { text: ['', 'CPU clock only', ''], tone: '', title: 'The capture has no device clock.', section: 'clocks' };
    }
    const bound = Math.max(...devices.map((clock) => clock.boundNs));
    return {
        text: ['GPU clock ', 'calibrated', bound >= 0 ? ` ±${shortDuration(bound)}` : ''],
        tone: 'good',
        title: 'GPU times were brought to the CPU clock with paired readings; the bound is the largest error of any of them.',
        section: 'clocks',
    };
}

/** @param {AppState} state @returns {Badge[]} */
function badgesOf(state) {
    const { info, losses } = state;
    if (!info) {
        return [];
    }
    const refused = info.dropped.reduce((sum, item) => sum + item.count, 0n);
    // What the frames say and what the tracks say may be the same events: the larger of the two is lost at least.
    const missing = losses ? losses.tracks.reduce((sum, track) => sum + track.count, 0n) : 0n;
    const lost = missing > refused ? missing : refused;
    const repairs = info.repairs.reduce((sum, item) => sum + item.count, 0n);
    const skipped = info.skipped.reduce((sum, item) => sum + item.count, 0n);
    const clock = clockBadge(info, state);
    const doubt = softwareTimes(info);
    /** @type {Badge[]} */
    const list = [doubt ? { ...clock, tone: 'warn', title: `${clock.title} ${doubt}` } : clock];
    const engine = engineBadge(state.engine);
    if (engine) {
        list.push({ ...engine, section: 'engine' });
    }
    if (info.defectCount > 0 || repairs > 0n || info.recovered || !info.closed) {
        const damage = info.defectCount;
        list.push({
            text: ['', damage > 0 ? counted(damage, 'defect') : repairs > 0n ? counted(repairs, 'repair') : info.closed ? 'recovered' : 'not closed', ''],
            tone: damage > 0 ? 'bad' : 'warn',
            title: damage > 0 ? 'The file is damaged and was read in part.' : 'Reading put something right, or the recorder never reached its stop.',
            section: 'damage',
        });
    }
    list.push({
        text: ['', `lost ${grouped(lost)}`, ''],
        tone: lost > 0n ? 'bad' : 'good',
        title: [refused > 0n ? info.dropped.map((item) => `${grouped(item.count)} ${item.name}`).join(', ') : 'Nothing was refused while recording.',
            losses && hasLossCounters(losses) ? `Events of the program: ${lossSentence(losses)}.` : ''].filter(Boolean).join(' '),
        section: 'losses',
    });
    if (info.deviceLost) {
        list.push({ text: ['', 'device lost', ''], tone: 'bad', title: 'The device was lost during this capture.', section: 'losses' });
    }
    if (info.level !== null) {
        const verbose = info.level === 3;
        list.push({
            text: ['', LEVELS[info.level] ?? `level ${info.level}`, verbose ? ' level: internal repro' : ' level'],
            tone: verbose ? 'warn' : '',
            title: verbose ? 'A level 3 capture is an internal repro level: its own cost shows in its times, and it tells more about the program than you may want to share.'
                : 'How much was recorded.',
            section: 'recording',
        });
    }
    if (skipped > 0n) {
        list.push({ text: ['', grouped(skipped), ' parts not shown'], tone: 'warn', title: 'The capture holds records that this version does not know.', section: 'skipped' });
    }
    return list;
}

/** What a narrow page leaves out; a mark of a bound is no word and stays. @param {string} text */
function words(text) {
    return text === '' ? null : h('span', { class: /[a-z]{3}/i.test(text) ? 'more' : undefined }, text);
}

/** What is left out first. @type {readonly Badge['tone'][]} */
const TONES = ['', 'good', 'warn', 'bad'];

/** @param {Badge['tone'] | undefined} tone */
function frameOf(tone) {
    return tone === 'bad' ? 'alarm' : tone === 'warn' ? 'alert' : '';
}

/** @param {Context} context */
export function badgeList(context) {
    const root = h('div', { class: 'badges', role: 'group', aria: { label: 'About the capture' } });
    const more = h('button', { class: 'badge folded-badges', hidden: true, onclick: () => showView(context, 'capture') });
    /** @type {{ badge: Badge, element: HTMLElement }[]} */
    let list = [];

    /** A warning is not folded while the name of the file can give way to it. @param {Badge[]} hidden */
    const showGravest = (hidden) => {
        const badge = hidden.reduce((/** @type {Badge | null} */ most, item) => (TONES.indexOf(item.tone) > TONES.indexOf(most?.tone ?? 'good') ? item : most), null);
        const element = list.find((item) => item.badge === badge)?.element;
        const bar = root.parentElement;
        if (!badge || !element || !bar) {
            return;
        }
        element.hidden = false;
        more.hidden = hidden.length === 1;
        root.style.minWidth = `${Math.ceil(element.getBoundingClientRect().width + (more.hidden ? 0 : more.getBoundingClientRect().width + 6) + 5)}px`;
        if (bar.scrollWidth > bar.clientWidth) {
            root.style.minWidth = '';
            element.hidden = true;
            more.hidden = false;
            return;
        }
        hidden.splice(hidden.indexOf(badge), 1);
        more.textContent = `+${hidden.length}`;
        const gravest = [...TONES].reverse().find((tone) => hidden.some((item) => item.tone === tone));
        more.className = `badge folded-badges ${gravest ? frameOf(gravest) : ''}`;
    };
    
    const fit = onFrame(() => {
        more.hidden = true;
        root.style.minWidth = '';
        list.forEach(({ element }) => { element.hidden = false; });
        const room = () => root.scrollWidth <= root.clientWidth;
        // Words first, then whole badges.
        root.classList.remove('short');
        root.classList.toggle('short', !room());
        const left = [...list].sort((a, b) => TONES.indexOf(a.badge.tone) - TONES.indexOf(b.badge.tone) || list.indexOf(b) - list.indexOf(a));
        /** @type {Badge[]} */
        const hidden = [];
        while (!room() && left.length > 0) {
            const { badge, element } = /** @type {typeof list[number]} */ (left.shift());
            element.hidden = true;
            hidden.unshift(badge);
            more.hidden = false;
            more.textContent = `+${hidden.length}`;
            // The last to go is the gravest.
            more.className = `badge folded-badges ${frameOf(badge.tone)}`;
        }
        showGravest(hidden);
        more.title = hidden.map((badge) => badge.text.join('')).join(', ');
        more.setAttribute('aria-label', `${hidden.length} more about the capture: ${more.title}`);
    });
    new ResizeObserver(fit).observe(root);
    return {
        root,
        update() {
            list = badgesOf(context.store.state).map((badge) => ({
                badge,
                element: h('button', {
                    class: `badge num ${frameOf(badge.tone)}`,
                    title: badge.title,
                    // All of it, on a narrow page as well.
                    aria: { label: badge.text.join('') },
                    onclick: () => {
                        showView(context, 'capture');
                        showSection(badge.section);
                    },
                }, words(badge.text[0]), h('b', { class: badge.tone }, badge.text[1]), words(badge.text[2])),
            }));
            fill(root, ...list.map(({ element }) => element), more);
            fit();
        },
    };
}
