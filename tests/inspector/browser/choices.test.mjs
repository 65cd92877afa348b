// SPDX-License-Identifier: MIT
/* The page over the invented engine: shares, samples, lanes left out, files, the budget, names that look like markup. */

import assert from 'node:assert/strict';
import { MARKUP } from '../mock/engine.mjs';
import { makeTrace } from '../mock/trace.mjs';
import { boxOf, hoverFor, waitAddress } from './browser.mjs';
import { scene } from './scene.mjs';
import { soon } from './soon.mjs';

scene('a share is one of its own clock: CPU and GPU are never added', {}, async ({ page, ready }) => {
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
    await page.evaluate(() => document.documentElement.style.setProperty('--table', '600px'));
    await page.locator('#stats .choice button', { hasText: 'Track' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#stats tbody tr[data-name]').length === 3);
    const shares = await page.locator('#stats thead th').evaluateAll((heads) => heads.findIndex((head) => head.querySelector('[data-column="share"]')));
    await soon.holds(async () => {
        const rows = await page.locator('#stats tbody tr[data-name]').evaluateAll((list, at) => list.map((row) => [row.dataset.name, parseFloat(row.children[at].textContent), row.children[at].title]), shares);
        const cpu = rows.filter(([name]) => name === 'Render thread');
        assert.deepEqual(cpu, [['Render thread', 100, 'of all own time on the clock of host']]);
        const gpu = rows.filter(([name]) => name !== 'Render thread');
        assert.ok(Math.abs(gpu.reduce((sum, row) => sum + row[1], 0) - 100) < 0.2, JSON.stringify(gpu));
    });
    await soon.match(() => page.locator('#stats th button[data-column="share"]').getAttribute('title'), /on the same clock/);
});

scene('a counter tells the sample under the pointer, with every digit', {}, async ({ page, ready }) => {
    await ready();
    const { text } = await hoverFor(page, /^GPU memory/, 0.5);
    const match = /\n([\d,]+(?:\.\d+)?) bytes \([\d.]+ MiB\)\nsampled at ([\d,]+) ns/.exec(text);
    assert.ok(match, text);
    const number = (part) => Number(part.replaceAll(',', ''));
    const { frames } = makeTrace();
    const index = frames.findIndex((frame) => frame.start === number(match[2]));
    assert.ok(index >= 0, `${match[2]} is the time of a sample`);
    assert.equal(number(match[1]), 380e6 + 132e6 * Math.abs(Math.sin(index / 9)));
});

scene('a lane that was left out says so, and is not taken for an empty one', { unanswered: 5 }, async ({ page, ready, shot }) => {
    await ready();
    await page.waitForSelector('#timeline[data-unanswered="1"]');
    await hoverFor(page, /^Async compute\nnot read: more than one answer may hold/);
    await shot('unanswered-dark');
});

scene('of two files either is shown, and the address says which', { files: 2 }, async ({ page, ready }) => {
    await ready();
    const choice = page.locator('select.file');
    await soon.deepEqual(() => choice.locator('option').allInnerTexts(), ['1: invented.sgpt', '2: invented 2.sgpt']);
    await page.keyboard.press('.');
    await waitAddress(page, /frames=/);
    await choice.selectOption('2');
    await page.waitForFunction(() => document.title.startsWith('invented 2.sgpt'));
    await ready();
    await soon.equal(() => page.evaluate(() => location.hash), '#file=2');
    await soon.equal(() => choice.inputValue(), '2');
    await page.goBack();
    await page.waitForFunction(() => document.title.startsWith('invented.sgpt'));
    await ready();
    await soon.equal(() => choice.inputValue(), '1');
});

scene('the budget is set from the page, by a rate or a number, and is in the address', {}, async ({ page, ready, shot }) => {
    await ready();
    const button = page.locator('#strip .budget');
    await soon.equal(() => button.innerText(), 'budget 16.7 ms');
    await button.click();
    await shot('budget-dark');
    await page.locator('.budget-menu button', { hasText: '144 Hz' }).click();
    await waitAddress(page, /budget=6944/);
    await soon.equal(() => button.innerText(), 'budget 6.94 ms');
    await button.press('Enter');
    await page.locator('.budget-menu input').fill('12.5');
    await page.locator('.budget-menu input').press('Enter');
    await waitAddress(page, /budget=12500/);
    await button.click();
    await page.locator('.budget-menu button', { hasText: 'no line' }).click();
    await waitAddress(page, /budget=0/);
    await page.goBack();
    await waitAddress(page, /budget=12500/);
    await soon.equal(() => button.innerText(), 'budget 12.5 ms');
});

scene('names that look like markup are shown as they are', { markup: true, damaged: true }, async ({ page, ready, rest }) => {
    await ready();
    const { x, y, text } = await hoverFor(page, /g-buffer/);
    assert.ok(text.startsWith(`${MARKUP}g-buffer`), text);
    await page.mouse.click(x, y);
    await page.waitForSelector('#detail .spark');
    for (const part of ['#detail', '.head >> nth=0', '#stats tbody tr[data-name] >> nth=0', '.top .file >> nth=0']) {
        await soon.ok(async () => (await page.locator(part).innerText()).includes(MARKUP), part);
    }
    await page.keyboard.press('Escape');
    await page.waitForSelector('#capture-recording');
    await rest();
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.evaluate(() => 'injected' in window), false);
});

scene('a key that comes as a dialog closes is the page\'s', {}, async ({ page, ready }) => {
    await ready();
    for (const opener of ['?', 'm']) {
        await page.keyboard.press(opener);
        await page.waitForSelector('dialog[open]');
        await page.evaluate(() => {
            const dialog = /** @type {HTMLDialogElement} */ (document.querySelector('dialog[open]'));
            const focused = /** @type {Element} */ (dialog.querySelector(':focus'));
            dialog.close();
            focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'o', bubbles: true, cancelable: true }));
        });
        await page.waitForSelector('dialog[open]');
        await page.keyboard.press('Escape');
        await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    }
});

scene('a row that is made anew under a pressed pointer is clicked all the same', {}, async ({ page, ready, rest }) => {
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
    await rest();
    const row = await boxOf(page.locator('#stats tbody tr[data-name]').nth(1));
    await page.mouse.move(row.x + row.width / 2, row.y + row.height / 2);
    await page.mouse.down();
    await page.evaluate(() => new Promise((done) => {
        document.querySelector('#stats .scroller')?.dispatchEvent(new Event('scroll'));
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
    }));
    await page.mouse.up();
    await waitAddress(page, /mark=/);
});

scene('Enter goes to a match of what is written now, not of what was found before', {}, async ({ page, ready }) => {
    await ready();
    await page.locator('#find').fill('cascade 1');
    await page.waitForFunction(() => document.querySelector('.found')?.textContent === '240 spans');
    await page.evaluate(() => {
        const input = /** @type {HTMLInputElement} */ (document.querySelector('#find'));
        input.focus();
        input.value = 'cascade 2';
        input.dispatchEvent(new Event('input', { bubbles: true }));
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    await page.waitForFunction(() => /^[\d,]+ of 240$/.test(document.querySelector('.found')?.textContent ?? ''));
    await waitAddress(page, /span=/);
    await soon.match(() => page.locator('#detail').innerText(), /cascade 2/);
});
