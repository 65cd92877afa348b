// SPDX-License-Identifier: MIT
/* Every golden capture, whole, crashed, damaged or refused: the page opens, or it is said why not. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, openPage } from './browser.mjs';
import { noProgram, serve } from './server.mjs';
import { noSite, serveSite } from './site.mjs';

const FOLDER = fileURLToPath(new URL('../../golden/', import.meta.url));

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = noProgram ? browser : await launch(); });
after(async () => { await browser?.close(); });

/** What the page shows in the end. @param {string} address */
async function look(address) {
    const tools = await openPage(browser, address);
    const { page } = tools;
    await page.waitForFunction(() => document.getElementById('capture-recording') || document.querySelector('.banner:not([hidden])'), null, { timeout: 60000 });
    await tools.rest();
    const banner = page.locator('.banner:not([hidden])');
    const shown = {
        opened: await page.locator('#capture-recording').count() > 0,
        said: await banner.count() > 0 ? await banner.innerText() : '',
        badges: await page.locator('.badges .badge:visible').evaluateAll((list) => list.map((badge) => badge.getAttribute('aria-label')).join('\n')),
    };
    if (shown.opened) {
        await page.keyboard.press('0');
        await page.keyboard.press('.');
        await tools.rest();
    }
    await tools.close();
    return shown;
}

const CAPTURES = readdirSync(FOLDER).filter((file) => file.endsWith('.sgpt'));
const files = Object.fromEntries(CAPTURES.map((name) => [name, readFileSync(join(FOLDER, name))]));

for (const name of CAPTURES) {
    test(`${name} opens, or it is said why not`, { timeout: 180000, skip: noProgram || noSite }, async () => {
        const server = await serve(join(FOLDER, name)).catch((error) => {
            assert.match(name, /^refuse_/, String(error));
            return null;
        });
        server?.close();
        assert.equal(server === null, name.startsWith('refuse_'));
        // The page alone: the answers of its engine are the program's, byte by byte (tests/wasm), and its modules are compiled once.
        const site = await serveSite({ files });
        const shown = await look(`${site.address}?file=${name}`).finally(() => site.close());
        if (name.startsWith('refuse_')) {
            assert.equal(shown.opened, false);
            assert.match(shown.said, /could not be opened/);
        } else {
            assert.equal(shown.opened, true, shown.said);
            assert.equal(shown.said, '');
        }
        if (name.startsWith('bad_')) {
            assert.match(shown.badges, /defect|repair|not closed|recovered/);
        }
    });
}
