// SPDX-License-Identifier: MIT
// @ts-check
/* Elements without a framework. Texts are set as texts: nothing of a capture is ever read as markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * @typedef {object} Attributes
 * @property {string} [class]
 * @property {string} [id]
 * @property {string} [title]
 * @property {string} [type]
 * @property {string} [role]
 * @property {string} [placeholder]
 * @property {string} [colour] background colour: a variable of the style sheet
 * @property {boolean} [hidden]
 * @property {boolean} [disabled]
 * @property {number} [tabindex]
 * @property {number} [colspan]
 * @property {Record<string, string | number | boolean>} [aria]
 * @property {Record<string, string | number>} [data]
 * @property {(event: MouseEvent) => void} [onclick]
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined) {
            continue;
        }
        if (key === 'onclick') {
            element.addEventListener('click', /** @type {EventListener} */ (value));
        } else if (key === 'colour') {
            element.style.background = String(value);
        } else if (key === 'aria' || key === 'data') {
            for (const [name, text] of Object.entries(/** @type {Record<string, unknown>} */ (value))) {
                element.setAttribute(`${key}-${name}`, String(text));
            }
        } else if (typeof value === 'boolean') {
            element.toggleAttribute(key, value);
        } else {
            element.setAttribute(key, String(value));
        }
    }
    append(element, children);
    return element;
}

/** @param {Node} element @param {readonly Child[]} children */
function append(element, children) {
    for (const child of children) {
        if (child !== null && child !== undefined && child !== false) {
            element.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
        }
    }
}

/** Replace all children. @param {Element} element @param {...Child} children */
export function fill(element, ...children) {
    const fragment = document.createDocumentFragment();
    append(fragment, children);
    element.replaceChildren(fragment);
}

const SVG = 'http://www.w3.org/2000/svg';
/** Strokes on a grid of 16. */
const ICONS = {
    close: 'M3 3 13 13M13 3 3 13',
    up: 'M3 10 8 5 13 10',
    down: 'M3 6 8 11 13 6',
    left: 'M10 3 5 8 10 13',
    right: 'M6 3 11 8 6 13',
    swap: 'M2 5.5h11M10.5 3 13 5.5 10.5 8M14 10.5H3M5.5 8 3 10.5 5.5 13',
    save: 'M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
    note: 'M3 2.5h10v8l-3 3H3zM5.5 6h5M5.5 9h3',
    options: 'M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7M11 2.8v3.4M5 9.8v3.4',
    theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
    help: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.6v.4',
    open: 'M2 13V3h4l1.5 2H14v8zM8 11.5V7.6M6.2 9.2 8 7.4l1.8 1.8',
    all: 'M2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3',
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 16 16');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', ICONS[name]);
    path.setAttribute('fill', 'none');
    path.setAttribute('stroke', 'currentColor');
    path.setAttribute('stroke-width', '1.6');
    path.setAttribute('stroke-linecap', 'round');
    path.setAttribute('stroke-linejoin', 'round');
    svg.appendChild(path);
    return svg;
}

/** The element of the page with an id. @param {string} id */
export function byId(id) {
    const element = document.getElementById(id);
    if (!element) {
        throw new Error(`the page has no element ${id}`);
    }
    return element;
}

/** How much larger than CSS pixels the page is drawn: the style sheet enlarges it on very large screens. */
export function pageScale() {
    return Number(getComputedStyle(document.body).zoom) || 1;
}

/** Pixels of the screen to one of a canvas. */
export function pixelRatio() {
    return devicePixelRatio * pageScale();
}

/**
 * Where a pointer is within an element, in the element's own pixels.
 * @param {Element} element
 * @param {MouseEvent} event
 */
export function pointIn(element, event) {
    const box = element.getBoundingClientRect();
    const scale = pageScale();
    return { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale };
}

/** Say something to those who listen instead of looking. @param {string} text */
export function announce(text) {
    byId('live').textContent = text;
}

/**
 * Run at most once for each picture of the screen; nothing runs while nothing changes.
 * @param {() => void} work
 * @param {HTMLElement} [pressable] what `work` makes anew, and is clicked on: it stands while a pointer is down on it, because a
 * click is of one element
 */
export function onFrame(work, pressable) {
    let waiting = false;
    let pressed = false;
    const later = () => {
        if (!waiting) {
            waiting = true;
            if (!pressed) {
                requestAnimationFrame(run);
            }
        }
    };
    const run = () => {
        if (waiting && !pressed) {
            waiting = false;
            work();
        }
    };
    const release = () => {
        pressed = false;
        removeEventListener('pointerup', release, true);
        removeEventListener('pointercancel', release, true);
        if (waiting) {
            requestAnimationFrame(run);
        }
    };
    pressable?.addEventListener('pointerdown', () => {
        pressed = true;
        addEventListener('pointerup', release, true);
        addEventListener('pointercancel', release, true);
    });
    return later;
}
