// SPDX-License-Identifier: MIT
/* Who answers, on the page: a device of this machine by name; its loss in the middle; and no work for it while nobody asks. */

import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { launch, openPage } from './browser.mjs';
import { demoCapture, noProgram, serve } from './server.mjs';
import { soon } from './soon.mjs';

/** A loader that breaks as it is told (tests/cli/faulty_vulkan.c), and the one that it passes everything on to. */
const { FG_FAULTY_VULKAN: faulty = '', FG_VULKAN_LOADER: loader = '' } = process.env;
const skip = noProgram || (faulty === '' || loader === '' ? 'there is no Vulkan driver to break' : false);
const IDLE_MS = 5000;

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser?.close();
});

/** A server whose device meets these faults. @param {Record<string, string>} faults */
async function serveWith(faults) {
    const wanted = { LD_LIBRARY_PATH: dirname(faulty), FGT_VULKAN: loader, ...faults };
    const was = Object.keys(wanted).map((name) => [name, process.env[name]]);
    Object.assign(process.env, wanted);
    const serving = serve(demoCapture(), '--engine', 'vulkan');
    was.forEach(([name, value]) => (value === undefined ? delete process.env[name] : Object.assign(process.env, { [name]: value })));
    return serving;
}

test('a device is named, and has nothing to do while the page rests', { timeout: 240000, skip }, async () => {
    const log = join(process.env.FG_WORK ?? tmpdir(), 'submissions');
    rmSync(log, { force: true });
    const server = await serveWith({ FGT_VULKAN_LOG: log });
    const tools = await openPage(browser, server.address);
    const { page } = tools;
    await tools.ready();
    await soon.match(() => page.locator('.badges').innerText(), /Vulkan answers/);
    await tools.rest();
    await tools.shot('engine-dark');
    const submissions = () => statSync(log).size;
    const before = submissions();
    assert.ok(before > 0);
    /** @type {string[]} */
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await pause(IDLE_MS);
    assert.deepEqual([asked, submissions()], [[], before], 'a page that rests asks nothing, and nothing is submitted');
    // What is asked by hand is submitted: the log is kept.
    await page.keyboard.press('w');
    await soon.ok(() => submissions() > before);
    await tools.rest();
    await page.evaluate(() => { location.hash = '#view=capture'; });
    await soon.match(() => page.locator('#about-engine').innerText(), /Vulkan on .+/);
    await soon.match(() => page.locator('#about-pace').innerText(), /(exact|representative|density)\s+\d+/);
    await tools.rest();
    await tools.shot('engine-capture-dark');
    await tools.close();
    server.close();
});

test('a device that is lost is told, with the reason, and the page goes on', { timeout: 240000, skip }, async () => {
    const server = await serveWith({ FGT_VULKAN_LOST_AT: '1' });
    const tools = await openPage(browser, server.address, { scheme: 'light' });
    await tools.ready();
    const badge = tools.page.getByLabel('CPU answers in place of Vulkan');
    await soon.match(() => badge.getAttribute('title'), /^The CPU answers in place of Vulkan on .+: .*lost.*Nothing is lost/);
    await tools.rest();
    await tools.shot('engine-lost-light');
    await tools.close();
    server.close();
});
