// SPDX-License-Identifier: MIT
// @ts-check
/* The frame budget beside the strip: its figure is a button, and what it opens sets the line. */

import { makeDialog } from './dialog.js';
import { byId, fill, h } from './dom.js';
import { updatePlace } from '../state/app_state.js';
import { MAX_BUDGET_US } from '../model/address.js';
import { shortDuration } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */

const RATES_HZ = [30, 60, 72, 90, 120, 144];

/** @param {number} hz @returns {number} microseconds of one frame */
export function budgetOfRate(hz) {
    return Math.round(1e6 / hz);
}

/** @param {Context} context */
export function budgetView(context) {
    const { store } = context;
    const button = h('button', { class: 'budget', title: 'Set the frame budget', aria: { haspopup: 'dialog' } });
    const number = h('input', { type: 'number', aria: { label: 'Budget in milliseconds' } });
    number.min = '0.001';
    number.max = String(MAX_BUDGET_US / 1000);
    number.step = 'any';
    const menu = makeDialog('Frame budget', 'budget-menu');
    const set = (/** @type {number} */ budgetUs) => {
        updatePlace(context, { budgetUs });
        menu.close();
    };
    const choices = [...RATES_HZ.map((hz) => ({ text: `${hz} Hz`, budgetUs: budgetOfRate(hz) })), { text: 'no line', budgetUs: 0 }];
    const form = h('form', {}, number, ' ms ', h('button', { type: 'submit' }, 'set'));
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        const budgetUs = Math.round(number.valueAsNumber * 1000);
        if (budgetUs >= 1 && budgetUs <= MAX_BUDGET_US) {
            set(budgetUs);
        }
    });
    fill(menu, h('h3', {}, 'Frame budget'), h('div', { class: 'rates' }, ...choices.map((choice) => (
        h('button', { data: { budget: choice.budgetUs }, onclick: () => set(choice.budgetUs) }, choice.text)))), form);
    button.addEventListener('click', () => {
        const { budgetUs } = store.state.place;
        number.value = budgetUs > 0 ? String(budgetUs / 1000) : '';
        for (const choice of menu.querySelectorAll('[data-budget]')) {
            choice.classList.toggle('on', Number(/** @type {HTMLElement} */ (choice).dataset.budget) === budgetUs);
        }
        menu.showModal();
    });
    byId('strip').append(button);
    const show = () => {
        const { place, frames } = store.state;
        button.hidden = !frames || frames.count === 0;
        button.textContent = place.budgetUs > 0 ? `budget ${shortDuration(place.budgetUs * 1000)}` : 'no budget';
    };
    store.listen((state, before) => {
        if (state.place.budgetUs !== before.place.budgetUs || state.frames !== before.frames) {
            show();
        }
    });
    show();
}
