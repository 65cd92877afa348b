// SPDX-License-Identifier: MIT
// @ts-check
/* A field that narrows a table to what has some words. F goes to it, Escape empties it, Enter and down go on to the table. */

import { h } from './dom.js';
import { MAX_FIND } from '../model/address.js';

/** @param {string} placeholder @param {string} label @param {(text: string) => void} find @param {() => void} [goOn] to the table */
export function findField(placeholder, label, find, goOn) {
    const root = h('input', { type: 'search', class: 'filter', placeholder, aria: { label } });
    root.maxLength = MAX_FIND;
    root.autocomplete = 'off';
    root.spellcheck = false;
    root.addEventListener('input', () => find(root.value));
    root.addEventListener('keydown', (event) => {
        event.stopPropagation();
        if (event.key === 'Escape') {
            root.value = '';
            find('');
            root.blur();
        } else if (goOn && (event.key === 'Enter' || event.key === 'ArrowDown')) {
            event.preventDefault();
            goOn();
        }
    });
    return {
        root,
        /** @param {string} text */
        show(text) {
            if (document.activeElement !== root && root.value !== text) {
                root.value = text;
            }
        },
        /** @param {KeyboardEvent} event @returns {boolean} */
        key(event) {
            if (event.key === 'f') {
                root.focus();
                return true;
            }
            return false;
        },
    };
}
