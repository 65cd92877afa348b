// SPDX-License-Identifier: MIT
/* The page alone in a browser: files that are dropped, picked and named by the address; what is refused and how. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { launch, openPage } from './browser.mjs';
import { demoCapture, noProgram } from './server.mjs';
import { dropFiles, noSite, serveSite } from './site.mjs';
import { soon } from './soon.mjs';

const skip = noSite || noProgram;
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Buffer} */
let capture;
before(async () => {
    if (!skip) {
        browser = await launch();
        capture = readFileSync(demoCapture());
    }
});
after(async () => { await browser?.close(); });

/** @param {string} name @param {Parameters<typeof serveSite>[0] & { query?: string }} options @param {(tools: Awaited<ReturnType<typeof openPage>>, server: Awaited<ReturnType<typeof serveSite>>) => Promise<void>} body @param {RegExp} [expected] complaints of the browser itself that belong to the test */
function site(name, options, body, expected) {
    test(name, { skip, timeout: 240000 }, async () => {
        const files = typeof options.files === 'function' ? options.files() : options.files;
        const server = await serveSite({ ...options, files });
        const tools = await openPage(browser, server.address + (options.query ?? ''), { expected });
        try {
            await body(tools, server);
        } finally {
            await tools.close();
            server.close();
        }
    });
}

/** @param {import('playwright-core').Page} page */
async function problem(page) {
    const banner = page.locator('.banner:not([hidden])');
    await banner.waitFor({ timeout: 60000 });
    return banner.innerText();
}

site('an empty page says what it reads, and one that is dropped is shown', { kept: false }, async ({ page, ready, shot }, server) => {
    await page.waitForSelector('.open:not([hidden])');
    await soon.match(() => page.locator('.open').innerText(), /Drop a capture here[^]*\.sgpt[^]*\?file=/);
    await shot('site-empty');
    await dropFiles(page, { 'mine.sgpt': capture });
    await ready();
    await soon.equal(() => page.title(), 'mine.sgpt · Frameglass');
    await soon.equal(() => page.locator('.open:not([hidden])').count(), 0);
    await page.waitForSelector('#stats tbody tr[data-name]');
    await shot('site-dropped');
    // Its own files, once each, and not one request for anything else.
    const paths = server.asked.map(({ path, status }) => `${status} ${path}`);
    assert.deepEqual(paths.filter((text) => !/^200 \/some\/where\/(|[\w/]+\.(js|css|svg|wasm))$/.test(text)), []);
    assert.equal(new Set(paths).size, paths.length, 'nothing is asked for twice');
});

site('two that are dropped are both open, and either is shown', {}, async ({ page, ready }) => {
    await page.waitForSelector('.open:not([hidden])');
    await dropFiles(page, { 'one.sgpt': capture, 'two.sgpt': capture });
    await ready();
    await soon.deepEqual(() => page.locator('select.file option').allInnerTexts(), ['1: one.sgpt', '2: two.sgpt']);
    await page.locator('select.file').selectOption('2');
    await page.waitForFunction(() => document.title.startsWith('two.sgpt'));
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
});

site('another that is dropped takes the place of the first; what is no capture leaves it be', {}, async ({ page, ready, shot }) => {
    await dropFiles(page, { 'first.sgpt': capture });
    await ready();
    await dropFiles(page, { 'photo.png': Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1') });
    await soon.match(() => problem(page), /photo\.png could not be opened[^]*known format \(sgpt/);
    await shot('site-refused');
    await soon.equal(() => page.title(), 'first.sgpt · Frameglass');
    await dropFiles(page, { 'second.sgpt': capture });
    await page.waitForFunction(() => document.title.startsWith('second.sgpt'));
    await ready();
    await soon.equal(() => page.locator('.banner:not([hidden])').count(), 0);
});

const REFUSED = {
    'empty.sgpt': [() => Buffer.alloc(0), /the input is empty/],
    'text.txt': [() => Buffer.from('hello'), /known format \(sgpt[^]*68 65 6c 6c/],
    'packed.sgpt.zst': [() => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]), /packed with zstd[^]*zstd -d/],
    'broken.sgpt.gz': [() => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), /gzip packing is cut off or damaged/],
};
for (const [name, [make, said]] of Object.entries(REFUSED)) {
    site(`${name} is refused in words, and the page still takes another`, {}, async ({ page, ready }) => {
        await page.waitForSelector('.open:not([hidden])');
        await dropFiles(page, { [name]: make() });
        await soon.match(() => problem(page), said);
        await page.waitForSelector('.open:not([hidden])');
        await dropFiles(page, { 'good.sgpt': capture });
        await ready();
    });
}

site('a damaged capture is shown in part, and says so', {}, async ({ page, ready }) => {
    const damaged = Buffer.from(capture);
    damaged.fill(0x55, damaged.length >> 1, (damaged.length >> 1) + 64);
    await dropFiles(page, { 'damaged.sgpt': damaged });
    await ready();
    await page.waitForSelector('.badge .bad');
});

site('gzip is undone, and of a cut one what came before is shown', {}, async ({ page, ready }) => {
    const packed = gzipSync(capture);
    await dropFiles(page, { 'demo.sgpt.gz': packed });
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
    await dropFiles(page, { 'cut.sgpt.gz': packed.subarray(0, packed.length >> 1) });
    await page.waitForFunction(() => document.title.startsWith('cut.sgpt.gz'));
    await ready();
    await soon.match(() => problem(page), /read in part[^]*cut off or damaged/);
});

site('a file that the address names is read by range requests', { query: '?file=captures/demo.sgpt', files: () => ({ 'captures/demo.sgpt': capture }) }, async ({ ready }, server) => {
    await ready();
    const parts = server.asked.filter(({ path }) => path.endsWith('demo.sgpt'));
    assert.ok(parts.length > 0 && parts.every(({ status }) => status === 206), JSON.stringify(parts));
});

site('a server without ranges is asked for the whole, once', { ranges: false, query: '?file=demo.sgpt', files: () => ({ 'demo.sgpt': capture }) }, async ({ ready }, server) => {
    await ready();
    assert.deepEqual(server.asked.filter(({ path }) => path.endsWith('demo.sgpt')).map(({ status }) => status), [200]);
});

site('a packed file of a server is fetched and unpacked', { query: '?file=demo.sgpt.gz', files: () => ({ 'demo.sgpt.gz': gzipSync(capture) }) }, async ({ page, ready }) => {
    await ready();
    await soon.match(() => page.title(), /^demo\.sgpt\.gz/);
});

site('a file that is not there is said to be missing', { query: '?file=none.sgpt' }, async ({ page, shot }) => {
    await soon.match(() => problem(page), /none\.sgpt could not be opened[^]*no such file[^]*404/);
    await page.waitForSelector('.open:not([hidden])');
    await shot('site-missing');
}, /404/);

site('of a capture that ends after its header the page says that nothing was recorded', {}, async ({ page, shot }) => {
    const head = Buffer.from(capture.subarray(0, 32));
    head.fill(0, 8, 12).fill(0, 16, 32);
    await dropFiles(page, { 'head.sgpt': head });
    await page.waitForFunction(() => /nothing was recorded/.test(document.getElementById('timeline')?.textContent ?? ''));
    await shot('site-header-only');
});

for (const ranges of [true, false]) {
    site(`an empty file of a server ${ranges ? 'with' : 'without'} ranges is said to be empty`, { ranges, query: '?file=none.sgpt', files: { 'none.sgpt': '' } }, async ({ page }) => {
        await soon.match(() => problem(page), /none\.sgpt could not be opened[^]*the input is empty/);
        await page.waitForSelector('.open:not([hidden])');
    }, /416/);
}

test('a file of another server needs its leave', { skip, timeout: 240000 }, async () => {
    for (const cors of [false, true]) {
        const other = await serveSite({ cors, files: { 'demo.sgpt': capture } });
        const server = await serveSite();
        const tools = await openPage(browser, `${server.address}?file=${encodeURIComponent(`${other.address}demo.sgpt`)}`, cors ? {} : { expected: /CORS|net::ERR_FAILED|failed: / });
        if (cors) {
            await tools.ready();
        } else {
            await soon.match(() => problem(tools.page), /other origins[^]*drop it here/);
        }
        await tools.close();
        server.close();
        other.close();
    }
});

site('nothing is asked of the worker while nothing changes', {}, async ({ page, ready }) => {
    await dropFiles(page, { 'demo.sgpt': capture });
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
    await page.evaluate(() => {
        const send = Worker.prototype.postMessage;
        window.posted = 0;
        Worker.prototype.postMessage = function (...words) {
            window.posted++;
            return send.apply(this, words);
        };
    });
    const postedIn = async (/** @type {number} */ ms) => {
        await page.evaluate(() => { window.posted = 0; });
        await page.waitForTimeout(ms);
        return page.evaluate(() => window.posted);
    };
    await soon.equal(() => postedIn(700), 0, 'the first questions end');
    assert.equal(await postedIn(2000), 0);
});
