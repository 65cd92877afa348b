// SPDX-License-Identifier: MIT
/* Care: what an accessibility checker says of everything that can be on screen, and that a page at rest does nothing. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { boxOf, openPage, waitAddress } from './browser.mjs';
import { browserOfScenes, scene } from './scene.mjs';
import { noSite, serveSite } from './site.mjs';

const AXE = readFileSync(fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');
const VIEWS = ['timeline', 'events', 'structure', 'resources', 'compare', 'notes', 'capture', 'metrics', 'live'];
const LOOKS = [
    { name: 'dark', scheme: 'dark', appearance: {} },
    { name: 'light', scheme: 'light', appearance: {} },
    { name: 'dark, high contrast', scheme: 'dark', appearance: { contrast: 'more' } },
    { name: 'light, high contrast, safe hues', scheme: 'light', appearance: { contrast: 'more', hues: 'safe' } },
];
const PLACE = 'frames=80:80&pass=4&cmp=1:40:40,1:80:80';

/** What the checker finds, one text each: the rule, and where. @param {import('playwright-core').Page} page */
async function violations(page) {
    // Evaluated by the browser itself: the page's policy lets no foreign script in.
    await page.evaluate(`${AXE};0`);
    const found = await page.evaluate(async () => {
        const { violations: list } = await (/** @type {any} */ (globalThis)).axe.run(document, { resultTypes: ['violations'] });
        return list.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} ${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? rule.help} ${node.html.slice(0, 120)}`));
    });
    return found;
}

/** Until no request is on its way and two pictures in a row are the same. @param {import('playwright-core').Page} page */
async function settled(page) {
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(700);
}

for (const look of LOOKS) {
    scene(`an accessibility checker finds nothing in any view and menu: ${look.name}`, { diagnostics: true }, async ({ page, ready, shot }) => {
        await page.evaluate((appearance) => localStorage.setItem('frameglass-appearance', JSON.stringify({ theme: 'auto', ...appearance })), look.appearance);
        await page.reload();
        await ready();
        /** @type {string[]} */
        const found = [];
        const check = async (/** @type {string} */ where) => {
            await settled(page);
            await shot(`care ${where} ${look.name}`.replace(/[ ,]+/g, '-'));
            found.push(...(await violations(page)).map((text) => `${where}: ${text}`));
        };
        for (const [index, view] of VIEWS.entries()) {
            await page.keyboard.press(String(index + 1));
            await waitAddress(page, view === 'timeline' ? /^(?!.*view=)/ : new RegExp(`view=${view}`));
            await check(view);
        }
        for (const [key, where] of [['?', 'help'], ['o', 'options'], ['e', 'export'], ['m', 'note']]) {
            await page.keyboard.press(key);
            await page.waitForSelector('dialog[open]');
            await check(where);
            await page.keyboard.press('Escape');
            await page.waitForFunction(() => !document.querySelector('dialog[open]'));
        }
        assert.deepEqual(found, []);
    }, { scheme: look.scheme, hash: `#${PLACE}`, timeoutMs: 300000 });
}

/** Counts all that a page can do by itself: called before the page's own code. */
function countWork() {
    const counts = /** @type {any} */ (globalThis).work = { frames: 0, timers: 0, requests: 0, changes: 0 };
    const count = (/** @type {string} */ name, /** @type {'frames' | 'timers' | 'requests'} */ what) => {
        const plain = /** @type {any} */ (globalThis)[name].bind(globalThis);
        /** @type {any} */ (globalThis)[name] = (/** @type {any[]} */ ...words) => {
            counts[what]++;
            return plain(...words);
        };
    };
    count('requestAnimationFrame', 'frames');
    count('requestIdleCallback', 'frames');
    count('setTimeout', 'timers');
    count('setInterval', 'timers');
    count('fetch', 'requests');
    new MutationObserver((list) => { counts.changes += list.length; }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** What the page did in two seconds in which nothing happened to it. @param {import('playwright-core').Page} page */
async function workAtRest(page) {
    await settled(page);
    await page.waitForTimeout(600);
    await page.evaluate(() => Object.assign(/** @type {any} */ (globalThis).work, { frames: 0, timers: 0, requests: 0, changes: 0 }));
    await page.waitForTimeout(2000);
    return page.evaluate(() => ({ .../** @type {any} */ (globalThis).work, animations: document.getAnimations().length }));
}

const NOTHING = { frames: 0, timers: 0, requests: 0, changes: 0, animations: 0 };

scene('nothing runs while nothing changes: no request, frame, timer, animation or change, in any view', { diagnostics: true }, async ({ page, ready }) => {
    await page.addInitScript(countWork);
    await page.reload();
    await ready();
    const box = await boxOf(page.locator('#views'));
    assert.ok(box);
    assert.deepEqual(await workAtRest(page), NOTHING, 'after the first look');
    for (const [index, view] of VIEWS.entries()) {
        await page.keyboard.press(String(index + 1));
        assert.deepEqual(await workAtRest(page), NOTHING, view);
        // A pointer over it, a click in it, the wheel, another frame, the search: then rest again.
        await page.mouse.move(box.x + box.width / 2, box.y + 130);
        await page.mouse.click(box.x + box.width / 2, box.y + 130);
        await page.mouse.wheel(0, -200);
        await page.keyboard.press('.');
        assert.deepEqual(await workAtRest(page), NOTHING, `${view}, after it was touched`);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('cascade');
    assert.deepEqual(await workAtRest(page), NOTHING, 'after a search');
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    assert.deepEqual(await workAtRest(page), NOTHING, 'with a menu open');
}, { hash: '#frames=80:80', reducedMotion: 'no-preference', timeoutMs: 300000 });

for (const scheme of /** @type {const} */ (['dark', 'light'])) {
    test(`an accessibility checker finds nothing on the page without a capture: ${scheme}`, { skip: noSite, timeout: 120000 }, async () => {
        const server = await serveSite();
        const tools = await openPage(browserOfScenes(), server.address, { scheme });
        try {
            await tools.page.waitForSelector('.open:not([hidden])');
            await settled(tools.page);
            await tools.shot(`care-empty-${scheme}`);
            assert.deepEqual(await violations(tools.page), []);
        } finally {
            await tools.close();
            server.close();
        }
    });
}
