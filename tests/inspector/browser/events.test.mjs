// SPDX-License-Identifier: MIT
/* The list of events on screen: its tree, what an event uses and who made that, the filter. */

import assert from 'node:assert/strict';
import { boxOf, waitAddress } from './browser.mjs';
import { scene } from './scene.mjs';
import { G_BUFFER_DRAWS } from '../mock/events.mjs';
import { soon } from './soon.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const shown = (page) => page.waitForSelector('#view-events[data-drawn] tbody tr[data-event]', { timeout: 60000 });
/** @param {Page} page @param {string} text */
const line = (page, text) => page.locator('#view-events tbody tr[data-event]', { hasText: text });
/** @param {Page} page @param {string} name */
const pass = (page, name) => page.locator('#view-events tbody tr[data-event]').filter({ has: page.locator('.kind-pass') }).filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
/** @param {Page} page */
const lines = (page) => page.locator('#view-events').evaluate((root) => Number(/** @type {HTMLElement} */ (root).dataset.drawn));

scene('the events of the hitch in order, with work, quality and place in the frame', {}, async ({ page, ready, shot }) => {
    await ready();
    await page.keyboard.press('2');
    await shown(page);
    await waitAddress(page, /view=events.*frames=80:80/);
    await soon.match(() => page.locator('#view-events .about').innerText(), /frame 80 · 2 submissions · 16 passes · 51 draw calls · 5 dispatches · 0 copies · 2 culled/);
    const first = page.locator('#view-events tbody tr[data-event]');
    await soon.match(() => first.nth(0).innerText(), /submission 0/);
    await soon.equal(() => first.nth(0).getAttribute('aria-level'), '1');
    await soon.equal(() => first.nth(2).getAttribute('aria-level'), '3');
    const indirect = line(page, 'draw indexed indirect');
    await soon.match(() => indirect.nth(0).innerText(), /unknown/);
    await soon.match(() => indirect.nth(1).innerText(), /1,884,160 indices × 2 · 14 draws[\s\S]*resolved/);
    await soon.match(() => pass(page, 'prepass').innerText(), /0 ns/);
    await shot('events');
});

scene('a use leads to the pass that made it', {}, async ({ page, ready, rest, shot }) => {
    await ready();
    await page.keyboard.press('2');
    await shown(page);
    await page.locator('#view-events .filter').fill('clustered');
    await rest(); // A row that is drawn anew between the press and the release takes no click.
    await pass(page, 'clustered lights').click();
    await waitAddress(page, /span=\d+.*pass=10.*filter=clustered/);
    await page.keyboard.press('Space');
    const use = page.locator('#view-events tr.bind', { hasText: 'ao v1' });
    await use.waitFor();
    await soon.match(() => use.innerText(), /declared[\s\S]*reads[\s\S]*written by ao blur/);
    await shot('events-uses');
    await page.locator('#view-events .filter').fill('');
    await rest();
    await use.locator('.producer').click();
    await waitAddress(page, /pass=9/);
    await page.waitForFunction(() => document.querySelector('#view-events tr.on .name')?.textContent === 'ao blur');
    await soon.holds(async () => {
        const box = await boxOf(page.locator('#view-events tr.on'));
        const room = await boxOf(page.locator('#view-events .scroller'));
        assert.ok(box.y >= room.y && box.y + box.height <= room.y + room.height + 1, 'it is in sight');
    });
    await soon.match(() => page.locator('#detail').innerText(), /ao blur/);
    // The resource itself is a link as well.
    await rest();
    await page.locator('#view-events tr.bind .link', { hasText: 'ao v1' }).first().click();
    await waitAddress(page, /res=ao:1/);
});

scene('the filter narrows the list, looks into what is folded, and is in the address', {}, async ({ page, ready, rest }) => {
    await ready();
    await page.keyboard.press('2');
    await shown(page);
    await rest();
    const before = await lines(page);
    await page.locator('#view-events .filter').fill('opaque');
    await page.waitForFunction((count) => document.querySelector('#view-events [role="status"]')?.textContent === `${count} matches`, G_BUFFER_DRAWS);
    await waitAddress(page, /filter=opaque/);
    await page.reload();
    await shown(page);
    await soon.equal(() => page.locator('#view-events .filter').inputValue(), 'opaque');
    await page.locator('#view-events .filter').fill('no such thing');
    await page.waitForFunction(() => /No event of this frame has "no such thing"/.test(document.querySelector('#view-events tbody')?.textContent ?? ''));
    await page.locator('#view-events .filter').press('Escape');
    await page.waitForFunction((count) => document.getElementById('view-events')?.dataset.drawn === String(count), before);
});

scene('keys fold, unfold and go along; long lists are made as far as they are in sight', {}, async ({ page, ready, rest }) => {
    await ready();
    await page.keyboard.press('2');
    await shown(page);
    await rest();
    const before = await lines(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.querySelector('#view-events tbody tr')?.getAttribute('aria-expanded') === 'false');
    await soon.ok(async () => await lines(page) < before);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((count) => document.getElementById('view-events')?.dataset.drawn === String(count), before);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.querySelector('.name')?.textContent === 'prepass');
    await page.keyboard.press('Enter');
    await waitAddress(page, /pass=0/);
    await page.getByRole('button', { name: 'Unfold all', exact: true }).click();
    await page.waitForFunction((count) => Number(document.getElementById('view-events')?.dataset.drawn) >= count, before + G_BUFFER_DRAWS);
    await soon.ok(async () => await page.locator('#view-events tbody tr').count() < 60, 'rows are made for what is in sight');
    await page.keyboard.press('End');
    await page.waitForFunction(() => /signal/.test(document.activeElement?.textContent ?? ''));
    await page.getByRole('button', { name: 'Fold all', exact: true }).click();
    await page.waitForFunction(() => Number(document.getElementById('view-events')?.dataset.drawn) < 6);
});

scene('what is selected elsewhere is in sight here, and stays selected in the next frame', {}, async ({ page, ready }) => {
    await ready();
    await page.keyboard.press('2');
    await shown(page);
    await page.waitForFunction(() => document.querySelector('#view-events tr.on .name')?.textContent === 'tonemap');
    await soon.holds(async () => {
        const box = await boxOf(page.locator('#view-events tr.on').first());
        assert.ok(box.y < 720);
    });
    await page.keyboard.press('.');
    await waitAddress(page, /pass=14.*frames=81:81/);
    await page.waitForFunction(() => /frame 81/.test(document.querySelector('#view-events .about')?.textContent ?? '')
        && document.querySelector('#view-events tr.on .name')?.textContent === 'tonemap');
}, { hash: '#pass=14&frames=80:80' });

scene('the search goes to the device first and leaves its surroundings in sight', {}, async ({ page, ready }) => {
    await ready();
    await page.keyboard.press('/');
    await page.locator('#find').fill('cascade 2'); // At once: letters alone would be searched for, too, and Enter would go to what they found.
    await page.waitForFunction(() => /\d/.test(document.querySelector('.found')?.textContent ?? ''));
    await page.keyboard.press('Enter');
    const hash = await waitAddress(page, /span=\d+/);
    await page.waitForFunction(() => /cascade 2/.test(document.getElementById('detail')?.innerText ?? ''));
    await soon.match(() => page.locator('#detail').innerText(), /Graphics queue/, `not its encoding on the CPU: ${hash}`);
});

scene('another bar of the strip lets go what belongs to no pass; dragging selects no text', {}, async ({ page, ready }) => {
    await ready();
    await page.keyboard.press('/');
    await page.locator('#find').fill('particles');
    await page.waitForFunction(() => /\d/.test(document.querySelector('.found')?.textContent ?? ''));
    await page.keyboard.press('Enter');
    await waitAddress(page, /span=\d+/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.id !== 'find');
    await page.keyboard.press('.');
    await page.waitForFunction(() => /frames=\d+/.test(location.hash) && !/span=/.test(location.hash), null, { timeout: 60000 });
    const stage = await boxOf(page.locator('#stage'));
    await page.keyboard.down('Shift');
    await page.mouse.move(stage.x + 50, stage.y + 100);
    await page.mouse.down();
    await page.mouse.move(stage.x - 120, stage.y + 200, { steps: 5 });
    await soon.match(() => page.locator('.tip:not([hidden])').innerText(), /^measured/);
    await page.mouse.up();
    await page.keyboard.up('Shift');
    assert.equal(await page.evaluate(() => String(getSelection())), '');
});
