// SPDX-License-Identifier: MIT
// @ts-check
/* Dialogs over the page: what closes one, and that the keys of the page do not act while it is open. */

import { byId, h, icon } from './dom.js';

/**
 * A dialog, closed. A click beside it closes it, as Escape does.
 * @param {string} label for those who listen
 * @param {string} [className]
 */
export function makeDialog(label, className) {
    const dialog = h('dialog', { class: className, aria: { label } });
    dialog.addEventListener('click', (event) => {
        if (event.target === dialog) {
            dialog.close();
        }
    });
    dialog.addEventListener('keydown', (event) => {
        // A dialog that was just closed keeps the focus for a moment: a key of that moment is the page's.
        if (dialog.open) {
            event.stopPropagation();
        }
    });
    byId('overlay').append(dialog);
    return dialog;
}

/** The cross in a dialog's corner. @param {HTMLDialogElement} dialog */
export function closeButton(dialog) {
    return h('button', { class: 'tool close', aria: { label: 'Close' }, onclick: () => dialog.close() }, icon('close'));
}
