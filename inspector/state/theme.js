// SPDX-License-Identifier: MIT
// @ts-check
/* Dark, light, or as the system says. Kept by the browser where it lets us. */

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState['theme']} Theme */

const KEY = 'frameglass-theme';
/** @type {readonly Theme[]} */
const THEMES = ['auto', 'dark', 'light'];

/** @returns {Theme} */
function stored() {
    try {
        return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'auto';
    } catch {
        return 'auto';
    }
}

/** @param {Theme} theme @returns {'dark' | 'light'} what is on screen */
export function shownTheme(theme) {
    return theme !== 'auto' ? theme : matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

/** The style sheet knows two themes by name. @param {Theme} theme */
function apply(theme) {
    document.documentElement.dataset.theme = shownTheme(theme);
}

/** @param {Context} context */
export function keepTheme(context) {
    const { store } = context;
    store.update({ theme: stored() });
    apply(store.state.theme);
    matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => apply(store.state.theme));
    store.listen((state, before) => {
        if (state.theme !== before.theme) {
            apply(state.theme);
            try {
                localStorage.setItem(KEY, state.theme);
            } catch {
                // Storage may be off: the choice then lasts as long as the page.
            }
        }
    });
}

/** @param {Context} context */
export function toggleTheme(context) {
    const { store } = context;
    store.update({ theme: shownTheme(store.state.theme) === 'dark' ? 'light' : 'dark' });
}
