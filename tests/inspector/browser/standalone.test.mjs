// SPDX-License-Identifier: MIT
/* The page as one file: from a disk, with nothing to ask anybody, redacted where that was wanted. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch, openPage, POLICY_BROKEN } from './browser.mjs';
import { demoCapture, noProgram } from './server.mjs';
import { dropFiles, noSite, SITE } from './site.mjs';
import { soon } from './soon.mjs';

const PROGRAM = process.env.FG_FRAMEGLASS ?? '';
/** The file itself and what it carries. */
const FROM_DISK = /^asked elsewhere: (file|data|blob):/;
const skip = noSite || noProgram;
const folder = mkdtempSync(join(tmpdir(), 'fg-standalone-'));
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = skip ? browser : await launch(); });
after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
});

/** @param {string} path @param {(tools: Awaited<ReturnType<typeof openPage>>) => Promise<void>} body @param {RegExp} [expected] */
async function fromDisk(path, body, expected = FROM_DISK) {
    const tools = await openPage(browser, pathToFileURL(path).href, { expected });
    const asked = [];
    tools.page.on('request', (request) => asked.push(request.url()));
    try {
        await body(tools);
        // The file itself, what it carries (data:, blob:), and nothing else.
        assert.deepEqual(asked.filter((url) => !/^(data|blob):/.test(url)), []);
    } finally {
        await tools.close();
    }
}

/** @param {...string} words of the command line @returns {string} path */
function exported(...words) {
    const path = join(folder, `${words.length}.html`);
    execFileSync(PROGRAM, ['export', demoCapture(), '--to', 'html', '-o', path, ...words]);
    return path;
}

test('an exported page shows its capture from a disk', { skip, timeout: 240000 }, async () => {
    await fromDisk(exported(), async ({ page, ready, shot }) => {
        await ready();
        await soon.match(() => page.title(), /\.sgpt · Frameglass$/);
        await page.waitForSelector('#stats tbody tr[data-name="g-buffer"]');
        await shot('standalone');
        const sent = await page.evaluate(() => fetch('https://example.invalid/').then(() => true, () => false));
        assert.equal(sent, false, 'its policy lets nothing out');
    }, new RegExp(`${FROM_DISK.source}|${POLICY_BROKEN.source}`));
});

test('a redacted one has no name that somebody chose', { skip, timeout: 240000 }, async () => {
    await fromDisk(exported('--redact'), async ({ page, ready, rest, shot }) => {
        await ready();
        await soon.equal(() => page.title(), 'capture.sgpt · Frameglass');
        await page.waitForSelector('#stats tbody tr[data-name]');
        await rest();
        assert.doesNotMatch(await page.locator('body').innerText(), /g-buffer|shadows|lighting/);
        await shot('standalone-redacted');
    });
});

test('the one without a capture takes what is dropped', { skip, timeout: 240000 }, async () => {
    await fromDisk(join(SITE, 'standalone.html'), async ({ page, ready }) => {
        await page.waitForSelector('.open:not([hidden])');
        await soon.match(() => page.locator('.open').innerText(), /Drop a capture here/);
        assert.doesNotMatch(await page.locator('.open').innerText(), /\?file=/);
        await dropFiles(page, { 'mine.sgpt': readFileSync(demoCapture()) });
        await ready();
    });
});
