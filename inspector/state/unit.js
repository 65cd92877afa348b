// SPDX-License-Identifier: MIT
// @ts-check
/* The unit of times, from the address into every text of the page. */

import { setTimeUnit } from '../model/format.js';

/** Must listen before the views do. @param {import('./app_state.js').Context} context @param {() => void} changed everything is to be drawn anew */
export function keepUnit(context, changed) {
    const { store } = context;
    setTimeUnit(store.state.place.unit);
    store.listen((state, before) => {
        if (state.place.unit !== before.place.unit) {
            setTimeUnit(state.place.unit);
            changed();
        }
    });
}
