// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the address and what is shown the same. Choices are steps that the back button undoes; moving about is none. */

import { formatPlace, isStep, parsePlace } from '../model/address.js';
import { glideTo } from './navigate.js';
import { firstWindow } from './loading.js';

/** @typedef {import('./app_state.js').Context} Context */

/** Browsers limit how often the address may change. */
const WRITE_MS = 250;

/** @param {Context} context */
export function keepAddress(context) {
    const { store } = context;
    store.update({ place: parsePlace(location.hash) });
    let written = store.state.place;
    let timer = 0;

    const write = () => {
        timer = 0;
        const { place } = store.state;
        const text = formatPlace(place);
        if (`#${text}` !== location.hash && !(text === '' && location.hash === '')) {
            const url = text === '' ? location.pathname + location.search : `#${text}`;
            if (isStep(written, place)) {
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
        written = place;
        const { state } = store;
        store.update({ place });
        if (state.phase === 'ready') {
            const target = place.window ?? firstWindow(state);
            glideTo(context, target);
        }
    };
    addEventListener('popstate', read);
    store.listen((state, before) => {
        if (state.place !== before.place && state.phase === 'ready' && timer === 0) {
            timer = window.setTimeout(write, WRITE_MS);
        }
    });
}
