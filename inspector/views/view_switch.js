// SPDX-License-Identifier: MIT
// @ts-check
/* One view at a time in the middle of the page. A hidden view does no work and asks nothing. */

import { byId } from './dom.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/address.js').ViewName} ViewName */
/**
 * @typedef {object} View
 * @property {ViewName} name
 * @property {HTMLElement} root
 * @property {() => void} show it comes into sight: draw what changed meanwhile
 * @property {() => void} hide
 * @property {() => void} redraw colours or resolution have changed
 * @property {(event: KeyboardEvent) => boolean} [key] a key while it is shown and nobody types; true: it was for this view
 */

/** The tab of a view. @param {ViewName} name */
export const tabId = (name) => `tab-${name}`;

/**
 * @param {Context} context
 * @param {readonly View[]} views
 */
export function viewSwitch(context, views) {
    const { store } = context;
    const home = byId('views');
    for (const { name, root } of views) {
        root.id = `view-${name}`;
        root.classList.add('view');
        root.setAttribute('role', 'tabpanel');
        root.setAttribute('aria-labelledby', tabId(name));
        root.hidden = true;
        home.append(root);
    }
    /** @type {View | null} */
    let shown = null;
    const update = () => {
        const next = views.find((view) => view.name === store.state.place.view) ?? views[0];
        if (next === shown) {
            return;
        }
        if (shown) {
            shown.root.hidden = true;
            shown.hide();
        }
        shown = next;
        next.root.hidden = false;
        next.show();
    };
    store.listen((state, before) => {
        if (state.place.view !== before.place.view) {
            update();
        }
    });
    update();
    return {
        redraw: () => shown?.redraw(),
        key: (/** @type {KeyboardEvent} */ event) => shown?.key?.(event) ?? false,
    };
}
