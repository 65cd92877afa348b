// SPDX-License-Identifier: MIT
// @ts-check
/* The keys of the page. Motion keys move for as long as they are held. */

import { announce, byId } from './dom.js';
import { openHelp } from './help_view.js';
import { toggleFoldAll } from './timeline_heads.js';
import { nextColouring, nextUnit } from './options_menu.js';
import { tabId } from './view_switch.js';
import { VIEWS } from '../model/address.js';
import { neighbourRow } from '../model/lanes.js';
import { frameAtTime, nextHitch } from '../model/frames.js';
import { counted } from '../model/format.js';
import { windowAround } from '../model/window.js';
import { trackOf } from '../state/app_state.js';
import { glideTo, goToFrame, panBy, reducedMotion, selectFrames, showAll, showFirstLook, showFrames, zoomBy } from '../state/navigate.js';
import { goToLoss } from '../state/diagnostics.js';
import { goToMatch, setFind, setMark } from '../state/search.js';
import { hasChosen, select, selectAndReveal } from '../state/selection.js';
import { toggleFollowing } from '../state/live.js';
import { toggleTheme } from '../state/theme.js';

/** @typedef {import('../state/app_state.js').Context} Context */

/** @typedef {{ pan: number, zoom: number, scroll: number }} Motion a share of the screen a second */
/** @type {Record<string, Motion>} */
const MOTION = {
    w: { pan: 0, zoom: -1, scroll: 0 },
    s: { pan: 0, zoom: 1, scroll: 0 },
    '+': { pan: 0, zoom: -1, scroll: 0 },
    '=': { pan: 0, zoom: -1, scroll: 0 },
    '-': { pan: 0, zoom: 1, scroll: 0 },
    a: { pan: -1, zoom: 0, scroll: 0 },
    d: { pan: 1, zoom: 0, scroll: 0 },
    arrowleft: { pan: -1, zoom: 0, scroll: 0 },
    arrowright: { pan: 1, zoom: 0, scroll: 0 },
    arrowup: { pan: 0, zoom: 0, scroll: -1 },
    arrowdown: { pan: 0, zoom: 0, scroll: 1 },
};
const ZOOM_RATE = 2.6;
const PAN_RATE = 0.9;
const SCROLL_RATE = 700;
/** What one press moves, in seconds of motion. */
const TAP_S = 0.12;

/**
 * @param {Context} context
 * @param {{ scrollBy: (px: number) => void }} input
 * @param {() => number | null} pointerX position on the timeline, for zooming
 * @param {(event: KeyboardEvent) => boolean} viewKey what the shown view makes of a key
 */
export function keys(context, input, pointerX, viewKey) {
    const { store } = context;
    /** @type {Map<string, Motion>} */
    const held = new Map();
    let last = 0;

    const move = (/** @type {Motion} */ motion, /** @type {number} */ seconds) => {
        const width = store.state.timelineWidthPx;
        if (motion.zoom !== 0) {
            zoomBy(context, Math.exp(motion.zoom * ZOOM_RATE * seconds), pointerX() ?? width / 2);
        }
        if (motion.pan !== 0) {
            panBy(context, motion.pan * PAN_RATE * width * seconds);
        }
        if (motion.scroll !== 0) {
            input.scrollBy(motion.scroll * SCROLL_RATE * seconds);
        }
    };
    const step = (/** @type {number} */ now) => {
        if (held.size === 0) {
            return;
        }
        const seconds = Math.min(0.05, (now - last) / 1000);
        last = now;
        for (const motion of held.values()) {
            move(motion, seconds);
        }
        requestAnimationFrame(step);
    };
    const press = (/** @type {string} */ key, /** @type {Motion} */ motion, /** @type {boolean} */ repeat) => {
        if (reducedMotion()) {
            move(motion, TAP_S * 2);
        } else if (!repeat && !held.has(key)) {
            move(motion, TAP_S);
            held.set(key, motion);
            if (held.size === 1) {
                last = performance.now();
                requestAnimationFrame(step);
            }
        }
    };

    addEventListener('keydown', (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) {
            return;
        }
        const key = event.key.toLowerCase();
        const motion = MOTION[key];
        if (store.state.phase === 'ready' && viewKey(event)) {
            event.preventDefault();
            return;
        }
        if (motion && store.state.place.view === 'timeline' && store.state.phase === 'ready' && !scrollsItself(event.target, key)) {
            press(key, motion, event.repeat);
            event.preventDefault();
        } else if (command(context, event)) {
            event.preventDefault();
        }
    });
    // Large areas show that they have the focus only to those who came by key.
    addEventListener('keydown', (event) => {
        if (event.key === 'Tab') {
            document.documentElement.classList.add('by-key');
        }
    }, { capture: true });
    addEventListener('pointerdown', () => document.documentElement.classList.remove('by-key'), { capture: true });
    addEventListener('keyup', (event) => held.delete(event.key.toLowerCase()));
    addEventListener('blur', () => held.clear());
}

/** Nobody types into a field of a dialog that was just closed. @param {EventTarget | null} target */
function isTyping(target) {
    return (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) && target.checkVisibility();
}

/**
 * The table and the panel have their own use for the arrows.
 * @param {EventTarget | null} target
 * @param {string} key
 */
function scrollsItself(target, key) {
    return key.startsWith('arrow') && target instanceof Element && target.closest('#stats, #detail') !== null;
}

/** @param {Context} context @param {KeyboardEvent} event @returns {boolean} whether it was one of ours */
function command(context, event) {
    const { store } = context;
    if (event.key === '/') {
        byId('find').focus();
        return true;
    }
    if (event.key === '?') {
        openHelp();
        return true;
    }
    if (event.key === 'o' || event.key === 'O') {
        byId('options').click();
        return true;
    }
    if (event.key === 't' || event.key === 'T') {
        toggleTheme(context);
        return true;
    }
    if (store.state.phase !== 'ready') {
        return false;
    }
    const view = /^[1-9]$/.test(event.key) ? document.getElementById(tabId(VIEWS[Number(event.key) - 1])) : null;
    if (view) {
        view.click();
        return true;
    }
    switch (event.key) {
        case 'l': case 'L': toggleFollowing(context); return true;
        case 'k': case 'K': nextColouring(context); return true;
        case 'u': case 'U': nextUnit(context); return true;
        case '0': showAll(context); return true;
        case 'Home': showFirstLook(context); return true;
        case 'f': case 'F': fit(context); return true;
        case 'z': case 'Z': toggleFoldAll(context); return true;
        case ',': stepFrame(context, -1); return true;
        case '.': stepFrame(context, 1); return true;
        case 'h': goToHitch(context, 1); return true;
        case 'H': goToHitch(context, -1); return true;
        case 'n': void goToMatch(context, 1); return true;
        case 'N': void goToMatch(context, -1); return true;
        case 'j': lossStep(context, 1); return true;
        case 'J': lossStep(context, -1); return true;
        case '[': neighbour(context, -1); return true;
        case ']': neighbour(context, 1); return true;
        case 'p': case 'P': parent(context); return true;
        case 'Escape': escape(context); return true;
        default: return false;
    }
}

/** @param {Context} context */
function currentFrame(context) {
    const { frames, place, window } = context.store.state;
    return place.range ? place.range.last : frames ? frameAtTime(frames, window.startNs + BigInt(Math.floor(window.lengthNs / 2))) : -1;
}

/** @param {Context} context @param {1 | -1} step */
function stepFrame(context, step) {
    const { frames } = context.store.state;
    if (frames && frames.count > 0) {
        goToFrame(context, Math.min(frames.count - 1, Math.max(0, currentFrame(context) + step)));
    }
}

/** @param {Context} context @param {1 | -1} step */
function goToHitch(context, step) {
    const { frames } = context.store.state;
    const index = frames ? nextHitch(frames, currentFrame(context), step) : -1;
    if (index >= 0) {
        goToFrame(context, index);
    } else {
        announce('no frame of this capture is a hitch');
    }
}

/** @param {Context} context @param {1 | -1} step */
function lossStep(context, step) {
    const loss = goToLoss(context, step);
    const track = loss && loss.track >= 0 ? trackOf(context.store.state, loss.track) : undefined;
    announce(loss ? `${counted(loss.count, 'event')} lost${track ? ` on ${track.name}` : ''}` : 'no events were lost at any place that the capture tells');
}

/** @param {Context} context */
function fit(context) {
    const { selection, place } = context.store.state;
    if (selection) {
        glideTo(context, windowAround(selection.info.startNs, selection.info.endNs, 0.15));
    } else if (place.range) {
        showFrames(context, place.range);
    }
}

/** @param {Context} context @param {1 | -1} step */
function neighbour(context, step) {
    const { selection, view } = context.store.state;
    const row = selection && view ? neighbourRow(view, selection.info.row, step) : null;
    if (row !== null) {
        void selectAndReveal(context, row);
    }
}

/** @param {Context} context */
function parent(context) {
    const row = context.store.state.selection?.info.parent ?? null;
    if (row !== null) {
        void selectAndReveal(context, row);
    }
}

/** One thing at a time. @param {Context} context */
function escape(context) {
    const { place } = context.store.state;
    if (hasChosen(place)) {
        select(context, null);
    } else if (place.mark) {
        setMark(context, null);
    } else if (place.find !== '') {
        setFind(context, '');
    } else {
        selectFrames(context, null);
    }
}
