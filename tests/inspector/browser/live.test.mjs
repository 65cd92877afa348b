// SPDX-License-Identifier: MIT
/* A capture that is still being written: followed, paused, ended, and left by a program that was killed. */

import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openPage } from './browser.mjs';
import { demoCapture, noProgram, serve } from './server.mjs';
import { soon } from './soon.mjs';

const PROGRAM = process.env.FG_FRAMEGLASS ?? '';
const folder = mkdtempSync(join(tmpdir(), 'fg-live-'));
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = noProgram ? browser : await launch(); });
after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
});

/** As a program writes it that has not ended: the header says neither where the directory is nor that it is closed. */
function openBytes() {
    const bytes = readFileSync(demoCapture());
    return bytes.fill(0, 8, 12).fill(0, 16, 32);
}

/** @param {string} path @returns {Promise<{ address: string, close: () => void }>} */
function follow(path) {
    return new Promise((resolve, reject) => {
        const child = spawn(PROGRAM, ['view', path, '--no-browser', '--follow'], { stdio: ['ignore', 'pipe', 'inherit'] });
        process.on('exit', () => child.kill('SIGKILL'));
        child.unref();
        let said = '';
        child.stdout.on('data', (part) => {
            said += part;
            const address = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//.exec(said)?.[0];
            if (address) {
                resolve({ address, close: () => { child.stdout.destroy(); child.kill('SIGTERM'); } });
            }
        });
        child.on('exit', (code) => reject(new Error(`frameglass view ended with ${code}: ${said}`)));
    });
}

/** @param {import('playwright-core').Page} page */
const badge = (page) => page.locator('#live-badge');

/** What the page says of the whole capture, in words: what it holds, and the statistics of all frames. @param {Awaited<ReturnType<typeof openPage>>} tools */
async function figures({ page, rest }) {
    await page.evaluate(() => { location.hash = '#view=capture'; });
    await page.waitForSelector('.capture-page #about-recording:visible');
    await rest();
    // But for how long its views took, which is the page's own.
    await page.evaluate(() => document.getElementById('about-pace')?.remove());
    const about = await page.locator('.capture-page').innerText();
    await page.evaluate(() => { location.hash = '#by=track'; });
    await page.waitForFunction(() => document.querySelector('#stats [data-by="track"]')?.getAttribute('aria-checked') === 'true'
        && /^all /.test(document.querySelector('#stats .range')?.textContent ?? '') && document.querySelector('#stats tbody tr[data-name]'));
    await rest();
    return { about, frames: await page.locator('#stats .range').textContent(), totals: await page.locator('#stats tbody').innerText() };
}

test('metrics and live resources are those of now while a capture is followed', { skip: noProgram, timeout: 180000 }, async () => {
    const path = join(folder, 'metrics.sgpt');
    const bytes = openBytes();
    const third = Math.floor(bytes.length / 3);
    writeFileSync(path, bytes.subarray(0, third));
    const server = await follow(path);
    const { page, close } = await openPage(browser, `${server.address}#view=metrics`);
    const row = '#view-metrics tr[data-key="Graphics/DrawCalls"]';
    const grows = async (/** @type {string} */ selector, /** @type {number} */ from) => {
        await page.waitForSelector(selector);
        const before = await page.locator(selector).innerText();
        appendFileSync(path, bytes.subarray(from, from + third));
        await page.waitForFunction(([where, was]) => /** @type {HTMLElement | null} */ (document.querySelector(where))?.innerText !== was, [selector, before]);
    };
    await grows(row, third);
    await soon.match(() => page.locator(row).innerText(), /frame counter\s+count\s+exact/);
    await page.evaluate(() => { location.hash = '#view=live'; });
    await page.waitForSelector('#view-live tbody tr[data-key]');
    await soon.match(() => page.locator('#view-live .facts').innerText(), /live at the end/);
    await page.evaluate(() => { location.hash = '#view=metrics'; });
    await grows(row, 2 * third);
    await close();
    server.close();
});

test('a capture that grows is followed, paused by moving, and said to have stopped growing', { skip: noProgram, timeout: 180000 }, async () => {
    const path = join(folder, 'growing.sgpt');
    const bytes = openBytes();
    const third = Math.floor(bytes.length / 3);
    writeFileSync(path, bytes.subarray(0, third));
    const server = await follow(path);
    const tools = await openPage(browser, server.address);
    const { page, ready, rest, shot, close } = tools;
    await ready();
    await page.waitForFunction(() => /live/.test(document.getElementById('live-badge')?.textContent ?? ''));
    await rest();
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    const before = await page.locator('#stats').textContent();
    appendFileSync(path, bytes.subarray(third, 2 * third));
    await page.waitForFunction((was) => document.getElementById('stats')?.textContent !== was, before, { timeout: 60000 });
    await shot('live-following');
    await page.keyboard.press('l');
    await page.waitForFunction(() => /paused/.test(document.getElementById('live-badge')?.textContent ?? ''));
    await page.keyboard.press('l');
    await page.waitForFunction(() => /live/.test(document.getElementById('live-badge')?.textContent ?? ''));
    await page.keyboard.press('d');
    await page.waitForFunction(() => /paused/.test(document.getElementById('live-badge')?.textContent ?? ''));
    // The program was killed: nothing comes any more, and nothing says that it has ended.
    await page.waitForFunction(() => /has not grown for \d+ s/.test(document.getElementById('live-badge')?.textContent ?? ''), null, { timeout: 60000 });
    await shot('live-quiet');
    await soon.match(() => badge(page).getAttribute('title'), /may have stopped, or crashed/);
    // The rest, with its end: the header is written last.
    const whole = readFileSync(demoCapture());
    writeFileSync(path, whole);
    await page.waitForFunction(() => /ended/.test(document.getElementById('live-badge')?.textContent ?? ''), null, { timeout: 60000 });
    await shot('live-ended');
    await rest();
    asked.length = 0;
    await page.waitForTimeout(2500);
    assert.deepEqual(asked, [], 'what has ended is not asked for');
    const still = await serve(path);
    const anew = await openPage(browser, still.address);
    await anew.ready();
    assert.deepEqual(await figures(tools), await figures(anew), 'followed to its end, it is what it is when opened then');
    await anew.close();
    still.close();
    await close();
    server.close();
});

test('a file that is written anew while it is followed stays as it was read, and the page says why nothing comes', { skip: noProgram, timeout: 180000 }, async () => {
    const path = join(folder, 'anew.sgpt');
    const bytes = openBytes();
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)));
    const server = await follow(path);
    const { page, ready, rest, shot, close } = await openPage(browser, server.address);
    await ready();
    await page.waitForFunction(() => /live/.test(document.getElementById('live-badge')?.textContent ?? ''));
    await page.waitForSelector('#stats tbody tr[data-name]');
    await rest();
    const frames = await page.locator('#stats').textContent();
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 4)));
    await page.waitForFunction(() => /not followed any more/.test(document.getElementById('live-badge')?.textContent ?? ''), null, { timeout: 60000 });
    await soon.match(() => badge(page).getAttribute('title'), /cut, or written anew/);
    await soon.equal(() => page.locator('#stats').textContent(), frames, 'what was read before is shown');
    await shot('live-lost');
    await close();
    server.close();
});

test('a capture that is not followed is never asked whether it has grown', { skip: noProgram, timeout: 180000 }, async () => {
    const path = join(folder, 'still.sgpt');
    writeFileSync(path, readFileSync(demoCapture()));
    const server = await serve(path);
    const { page, ready, rest, close } = await openPage(browser, server.address);
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
    await rest();
    assert.equal(await badge(page).isHidden(), true);
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.waitForTimeout(2000);
    assert.deepEqual(asked, []);
    await close();
    server.close();
});
