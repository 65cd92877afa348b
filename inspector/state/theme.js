// SPDX-License-Identifier: MIT
// @ts-check
/* Dark or light, contrast, hues: as the system says or as chosen. Kept by the browser where it lets us. */

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {'auto' | 'dark' | 'light'} Theme */
/** @typedef {'auto' | 'more'} Contrast */
/** @typedef {'usual' | 'safe'} Hues */
/** @typedef {{ theme: Theme, contrast: Contrast, hues: Hues }} Appearance */

/** @type {readonly { id: Theme, text: string }[]} */
export const THEMES = [{ id: 'auto', text: 'as the system' }, { id: 'dark', text: 'dark' }, { id: 'light', text: 'light' }];
/** @type {readonly { id: Contrast, text: string }[]} */
export const CONTRASTS = [{ id: 'auto', text: 'as the system' }, { id: 'more', text: 'high' }];
/** @type {readonly { id: Hues, text: string, title: string }[]} */
export const HUES = [
    { id: 'usual', text: 'usual', title: 'Ten hues that differ in lightness, too' },
    { id: 'safe', text: 'colour-blind safe', title: 'Hues that all common kinds of colour vision tell apart' },
];

const KEY = 'frameglass-appearance';
const LIGHT = '(prefers-color-scheme: light)';
const MORE = '(prefers-contrast: more)';

/** @returns {Appearance} */
function stored() {
    /** @type {Record<string, unknown>} */
    let kept = {};
    try {
        kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {};
    } catch {
        // Storage may be off, or hold what another program wrote.
    }
    return {
        theme: THEMES.find((item) => item.id === kept.theme)?.id ?? 'auto',
        contrast: CONTRASTS.find((item) => item.id === kept.contrast)?.id ?? 'auto',
        hues: HUES.find((item) => item.id === kept.hues)?.id ?? 'usual',
    };
}

/** @param {Theme} theme @returns {'dark' | 'light'} what is on screen */
export function shownTheme(theme) {
    return theme !== 'auto' ? theme : matchMedia(LIGHT).matches ? 'light' : 'dark';
}

/** The style sheet knows all of it by name. @param {Appearance} appearance */
function apply(appearance) {
    const { dataset } = document.documentElement;
    dataset.theme = shownTheme(appearance.theme);
    dataset.contrast = appearance.contrast === 'more' || matchMedia(MORE).matches ? 'more' : 'usual';
    dataset.hues = appearance.hues;
}

/** What colours hang on, as one text: another text, other colours. */
export function appearanceKey() {
    const { theme, contrast, hues } = document.documentElement.dataset;
    return `${theme} ${contrast} ${hues}`;
}

/** @param {Context} context @param {() => void} changed colours have to be read anew */
export function keepTheme(context, changed) {
    const { store } = context;
    store.update(stored());
    apply(store.state);
    for (const query of [LIGHT, MORE]) {
        matchMedia(query).addEventListener('change', () => {
            apply(store.state);
            changed();
        });
    }
    store.listen((state, before) => {
        const { theme, contrast, hues } = state;
        if (theme !== before.theme || contrast !== before.contrast || hues !== before.hues) {
            apply(state);
            changed();
            try {
                localStorage.setItem(KEY, JSON.stringify({ theme, contrast, hues }));
            } catch {
                // The choice then lasts as long as the page.
            }
        }
    });
}

/** @param {Context} context */
export function toggleTheme(context) {
    const { store } = context;
    store.update({ theme: shownTheme(store.state.theme) === 'dark' ? 'light' : 'dark' });
}
