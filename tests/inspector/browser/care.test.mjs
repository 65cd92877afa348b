// SPDX-License-Identifier: MIT
/* Care: what an accessibility checker says of everything that can be on screen, and that a page at rest does nothing. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { boxOf, openPage, waitAddress } from './browser.mjs';
import { pipelineFile } from './pipeline.mjs';
import { browserOfScenes, scene } from './scene.mjs';
import { noProgram, serve } from './server.mjs';
import { noSite, serveSite } from './site.mjs';
import { soon } from './soon.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof openPage>>} Tools */

const AXE = readFileSync(fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');
const VIEWS = ['timeline', 'events', 'structure', 'resources', 'compare', 'notes', 'capture', 'metrics', 'live'];
const PLACE = 'frames=80:80&pass=4&cmp=1:40:40,1:80:80';
/** Most of a check is that of colours, and those hang on the look: what else there is, is the same in every look. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const RULES = {
    colours: { runOnly: { type: 'rule', values: COLOUR_RULES } },
    others: { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) },
};
/** Looks that the system asks for. The first is checked by every rule, the others by those of colour. */
const LOOKS = /** @type {const} */ ([
    { name: 'dark', colorScheme: 'dark', contrast: 'no-preference' },
    { name: 'light', colorScheme: 'light', contrast: 'no-preference' },
    { name: 'dark-high-contrast', colorScheme: 'dark', contrast: 'more' },
]);

/**
 * What the checker finds, one text each: the rule, and where. Colours of what all views share are checked with the first
 * of them; with another view, or a menu, those of itself.
 * @param {Page} page
 * @param {string} where the view or menu
 * @param {'colours' | 'others'} rules
 */
async function violations(page, where, rules) {
    // Evaluated by the browser itself: the page's policy lets no foreign script in.
    if (!await page.evaluate(() => 'axe' in globalThis)) {
        await page.evaluate(`${AXE};0`);
    }
    const part = rules === 'others' || where === VIEWS[0] || where === 'empty' ? 'html' : VIEWS.includes(where) || PANELS.some((panel) => panel.where === where) ? '#views > *' : 'dialog[open]';
    return page.evaluate(async ({ selector, options }) => {
        const include = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
        const { violations: list } = await (/** @type {any} */ (globalThis)).axe.run(selector === 'html' ? document : { include }, { resultTypes: ['violations'], ...options });
        return list.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(' ')} ${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? rule.help} ${node.html.slice(0, 120)}`));
    }, { selector: part, options: RULES[rules] });
}

/** The page as it is, in each of some looks. @param {Tools} tools @param {string} where @param {readonly (typeof LOOKS)[number][]} looks */
async function inLooks({ page, rest, shot }, where, looks) {
    await rest();
    const found = [];
    for (const [index, { name, colorScheme, contrast }] of looks.entries()) {
        await page.emulateMedia({ colorScheme, contrast });
        await page.waitForFunction(([theme, much]) => {
            const { dataset } = document.documentElement;
            return dataset.theme === theme && dataset.contrast === much;
        }, [colorScheme, contrast === 'more' ? 'more' : 'usual']);
        await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
        await shot(`care-${where}-${name}`);
        for (const rules of /** @type {const} */ (index === 0 ? ['others', 'colours'] : ['colours'])) {
            found.push(...(await violations(page, where, rules)).map((text) => `${where}, ${name}: ${text}`));
        }
    }
    await page.emulateMedia({ colorScheme: looks[0].colorScheme, contrast: looks[0].contrast });
    return found;
}

/** Every view and every menu, one after the other. @param {Page} page @param {(where: string) => Promise<void>} look */
async function everywhere(page, look) {
    for (const [index, view] of VIEWS.entries()) {
        await page.keyboard.press(String(index + 1));
        await waitAddress(page, view === 'timeline' ? /^(?!.*view=)/ : new RegExp(`view=${view}`));
        await look(view);
    }
    for (const [key, where] of [['?', 'help'], ['o', 'options'], ['e', 'export'], ['m', 'note']]) {
        await page.keyboard.press(key);
        await page.waitForSelector('dialog[open]');
        await look(where);
        await page.keyboard.press('Escape');
        await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    }
}

scene('an accessibility checker finds nothing in any view and menu, as the system wants them: dark, light, of high contrast', { diagnostics: true }, async (tools) => {
    await tools.ready();
    /** @type {string[]} */
    const found = [];
    await everywhere(tools.page, async (where) => { found.push(...await inLooks(tools, where, LOOKS)); });
    assert.deepEqual(found, []);
}, { hash: `#${PLACE}`, timeoutMs: 600000 });

scene('nor in the look that was chosen: light, high contrast, safe hues', { diagnostics: true }, async ({ page, ready, rest, shot }) => {
    await page.evaluate(() => localStorage.setItem('frameglass-appearance', JSON.stringify({ theme: 'light', contrast: 'more', hues: 'safe' })));
    await page.reload();
    await ready();
    assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), { theme: 'light', contrast: 'more', hues: 'safe' });
    /** @type {string[]} */
    const found = [];
    await everywhere(page, async (where) => {
        await rest();
        await shot(`care-${where}-chosen`);
        found.push(...(await violations(page, where, 'colours')).map((text) => `${where}: ${text}`));
    });
    assert.deepEqual(found, []);
}, { hash: `#${PLACE}`, timeoutMs: 600000 });

/** Panels that take the place of the statistics: the address that opens each, and what is in it then. */
const PANELS = [
    { where: 'path', hash: '#path=all&table=path', row: '#path-table tr.work' },
    { where: 'causes', hash: '#slice=480:on&table=slice', row: '#slice-table tbody tr[data-key]' },
    { where: 'unusual', hash: '#odd=all&table=odd', row: '#odd-table tbody tr[data-key]' },
];

test('nor in the panels of paths, of causes and of what is unusual', { skip: noProgram, timeout: 240000 }, async () => {
    const server = await serve(pipelineFile());
    try {
        for (const { where, hash, row } of PANELS) {
            const tools = await openPage(browserOfScenes(), server.address + hash);
            await tools.page.waitForSelector('body.with-explore');
            await tools.page.waitForSelector(row);
            assert.deepEqual(await inLooks(tools, where, LOOKS), [], where);
            await tools.close();
        }
    } finally {
        server.close();
    }
});

test('nor on the page without a capture', { skip: noSite, timeout: 240000 }, async () => {
    const server = await serveSite();
    const tools = await openPage(browserOfScenes(), server.address);
    try {
        await tools.page.waitForSelector('.open:not([hidden])');
        assert.deepEqual(await inLooks(tools, 'empty', LOOKS.slice(0, 2)), []);
    } finally {
        await tools.close();
        server.close();
    }
});

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

const NOTHING = { frames: 0, timers: 0, requests: 0, changes: 0, animations: 0 };

/** What a page does within a time in which nothing happens to it. @param {Page} page @param {number} ms */
async function workIn(page, ms) {
    await page.evaluate(() => Object.assign(/** @type {any} */ (globalThis).work, { frames: 0, timers: 0, requests: 0, changes: 0 }));
    await page.waitForTimeout(ms);
    return page.evaluate(() => ({ .../** @type {any} */ (globalThis).work, animations: document.getAnimations().length }));
}

/** It ends what it does, and then does nothing more. @param {Page} page @param {string} when */
async function restsFromThen(page, when) {
    await soon.deepEqual(() => workIn(page, 500), NOTHING, `${when}: comes to rest`);
    assert.deepEqual(await workIn(page, 1500), NOTHING, `${when}: stays at rest`);
}

/** A pointer over a view, a click in it, the wheel, another frame. @param {Page} page */
async function touch(page) {
    const box = await boxOf(page.locator('#views'));
    await page.mouse.move(box.x + box.width / 2, box.y + 130);
    await page.mouse.click(box.x + box.width / 2, box.y + 130);
    await page.mouse.wheel(0, -200);
    await page.keyboard.press('.');
}

/** @param {Page} page @param {number} number of the view, from 1 */
async function viewRests(page, number) {
    await page.keyboard.press(String(number));
    await restsFromThen(page, VIEWS[number - 1]);
    await touch(page);
    await restsFromThen(page, `${VIEWS[number - 1]}, after it was touched`);
}

/** @param {Page} page */
async function searchAndMenuRest(page) {
    await restsFromThen(page, 'after the first look');
    await page.keyboard.press('/');
    await page.keyboard.type('cascade');
    await restsFromThen(page, 'after a search');
    await page.keyboard.press('Escape');
    await page.keyboard.press('o');
    await restsFromThen(page, 'with a menu open');
}

/** Pages side by side: most of it is waiting. */
const PAGES = [[1, 4, 7], [2, 5, 8], [3, 6, 9]].map((numbers) => async (/** @type {Page} */ page) => {
    for (const number of numbers) {
        await viewRests(page, number);
    }
});

scene('nothing runs while nothing changes: no request, frame, timer, animation or change, in any view', { diagnostics: true }, async (_tools, server) => {
    await Promise.all([searchAndMenuRest, ...PAGES].map(async (body) => {
        const tools = await openPage(browserOfScenes(), `${server.address}#frames=80:80`, { reducedMotion: 'no-preference', before: countWork });
        await tools.ready();
        await body(tools.page);
        await tools.close();
    }));
}, { timeoutMs: 600000 });
