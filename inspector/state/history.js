// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the address and what is shown the same. Choices are steps that the back button undoes; moving about is none. */

import { firstPlace, formatPlace, isStep, parsePlace } from '../model/address.js';
import { glideTo } from './navigate.js';
import { firstWindow } from './loading.js';
import { leavingForFile } from './notes.js';
import { showFile } from './opening.js';
import { pinned } from './view_choice.js';

/** @typedef {import('./app_state.js').Context} Context */

/** Browsers limit how often the address may change. */
const WRITE_MS = 250;

/** The page as its address says now. */
let beginAnew = () => location.reload();

/**
 * Another of the opened files: nothing of this one stays, so the page begins anew, and the back button leads here.
 * @param {Partial<import('../model/address.js').Place> & { file: number }} place file from 1
 */
export function openPlace(place) {
    history.pushState(null, '', `#${formatPlace({ ...firstPlace(), ...place })}`);
    beginAnew();
}

/** @param {Context} context */
export function keepAddress(context) {
    const { store } = context;
    store.update({ place: parsePlace(location.hash) });
    beginAnew = () => {
        if (context.home.kind === 'worker') {
            // Files that were dropped would not be there any more.
            showFile(context, parsePlace(location.hash));
        } else {
            leavingForFile();
            location.reload();
        }
    };
    let written = store.state.place;
    let timer = 0;

    const write = () => {
        timer = 0;
        const { place } = store.state;
        const text = formatPlace(place);
        if (`#${text}` !== location.hash && !(text === '' && location.hash === '')) {
            const url = text === '' ? location.pathname + location.search : `#${text}`;
            // What following a live capture changes by itself is no step.
            if (isStep(written, place) && store.state.live?.following !== true) {
                history.pushState(null, '', url);
            } else {
                history.replaceState(null, '', url);
            }
        }
        written = place;
    };
    const read = () => {
        clearTimeout(timer);
        timer = 0;
        const place = parsePlace(location.hash);
        if (place.file !== store.state.place.file) {
            beginAnew();
            return;
        }
        store.update({ place: pinned({ ...store.state, place }) });
        written = store.state.place;
        if (store.state.phase === 'ready') {
            const target = place.window ?? firstWindow(store.state);
            glideTo(context, target);
        }
    };
    addEventListener('popstate', read);
    store.listen((state, before) => {
        if (state.phase === 'ready' && before.phase !== 'ready') {
            // What loading made of the address is where one is, and no step.
            written = state.place;
        }
        if (state.place !== before.place && state.phase === 'ready' && timer === 0) {
            timer = window.setTimeout(write, WRITE_MS);
        }
    });
}
