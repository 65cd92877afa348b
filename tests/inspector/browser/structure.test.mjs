// SPDX-License-Identifier: MIT
/* The frame graph on screen: matrix, tables, keys, the selection that follows the frame. */

import assert from 'node:assert/strict';
import { boxOf, waitAddress } from './browser.mjs';
import { inEitherScheme, scene } from './scene.mjs';
import { LARGE } from '../mock/events.mjs';
import { soon } from './soon.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} [size] what was drawn */
const drawn = (page, size = '18x21') => page.waitForSelector(`.matrix[data-drawn="${size}"]`, { timeout: 60000 });
/** @param {Page} page */
const head = (page) => page.locator('#view-structure .view-head').innerText();
/** @param {Page} page @param {string} table @param {string} text */
const row = (page, table, text) => page.locator(`#view-structure [role="region"][aria-label="${table}"] tbody tr`, { hasText: text });
/** @param {Page} page @param {string} key */
async function press(page, key, times = 1) {
    for (let i = 0; i < times; i++) {
        await page.keyboard.press(key);
    }
}
/** Rows are in the order in which the frame comes upon them, columns in that of passes; the head of a column is row -1. */
const ROW = { ao1: 11 };
const COLUMN = { lights: 10, overlay: 17 };
/** Point at a cell; what the tip says. @param {Page} page @param {number} row @param {number} column */
async function pointAt(page, row, column) {
    const box = await boxOf(page.locator('.matrix-stage'));
    const [side, head, width, height] = (await page.locator('.matrix').getAttribute('data-cells') ?? '').split(',').map(Number);
    const at = { x: box.x + side + (column + 0.5) * width, y: box.y + (row < 0 ? head - 24 : head + (row + 0.5) * height) };
    await page.mouse.move(at.x - 1, at.y);
    await page.mouse.move(at.x, at.y);
    return { ...at, text: await page.locator('.tip:not([hidden])').innerText() };
}
/** Whether two pictures of the matrix are the same. @param {Page} page */
const picture = (page) => page.locator('.matrix canvas').evaluate((/** @type {HTMLCanvasElement} */ canvas) => canvas.toDataURL());

scene('the structure of the hitch: totals, uses under the pointer, why a pass was culled', {}, async ({ page, ready, shot }) => {
    await ready();
    await page.getByRole('tab', { name: 'Structure' }).click();
    await drawn(page);
    await waitAddress(page, /view=structure.*frames=80:80/);
    await soon.holds(async () => {
        const said = await head(page);
        for (const part of ['frame 80', 'topology 1 of 2, in 60 of 120 frames', '18 passes, 2 culled', '21 versions of 15 resources', 'declared', '1 resource of unknown size']) {
            assert.ok(said.includes(part), `${part}: ${said}`);
        }
    });
    await soon.match(async () => (await pointAt(page, ROW.ao1, COLUMN.lights)).text, /lighting\/clustered lights[\s\S]*reads ao v1[\s\S]*made by ao blur/);
    await soon.match(() => row(page, 'Resource versions', 'scene geometry').innerText(), /unknown/);
    const culled = await soon.holds(async () => {
        const found = await pointAt(page, -1, COLUMN.overlay);
        assert.match(found.text, /hud\/debug overlay[\s\S]*did not run[\s\S]*no pass that was kept reads what it makes/);
        return found;
    });
    await page.mouse.click(culled.x, culled.y);
    await waitAddress(page, /pass=17/);
    const state = row(page, 'Passes', 'debug overlay').locator('td').last();
    await soon.match(async () => await state.getAttribute('title') ?? '', /no pass that was kept/);
    await soon.match(async () => await row(page, 'Passes', 'debug lines').getAttribute('class') ?? '', /rel-in culled/);
    await shot('structure');
});

scene('a click selects a pass: everything it needs and everything that needs it is marked', {}, async ({ page, ready, rest, shot }) => {
    await ready();
    await press(page, '3');
    await drawn(page);
    await rest();
    const before = await picture(page);
    const at = await soon.holds(() => pointAt(page, ROW.ao1, COLUMN.lights));
    await page.mouse.click(at.x, at.y);
    await waitAddress(page, /span=\d+.*pass=10/);
    await page.mouse.move(2, 2);
    await soon.match(() => page.locator('#detail').innerText(), /clustered lights/);
    await soon.match(() => page.locator('.graph-legend .about').innerText(), /clustered lights needs 10 passes, 5 passes need it/);
    await soon.match(async () => await row(page, 'Passes', 'clustered lights').getAttribute('class') ?? '', /on/);
    const passes = page.locator('[role="region"][aria-label="Passes"]');
    await soon.ok(async () => await passes.locator('tr.rel-in').count() > 0 && await passes.locator('tr.rel-out').count() > 0);
    await soon.match(() => row(page, 'Resource versions', 'ao v1').innerText(), /reads/);
    await soon.notEqual(() => picture(page), before, 'the picture shows it as well');
    await shot('structure-pass');
});

scene('a row of the tables selects a resource: its versions, its writer and every reader', {}, async ({ page, ready, rest, shot }) => {
    await ready();
    await press(page, '3');
    await drawn(page);
    await row(page, 'Resource versions', 'shadow atlas v3').scrollIntoViewIfNeeded();
    await rest();
    await row(page, 'Resource versions', 'shadow atlas v3').click();
    await waitAddress(page, /^(?!.*(pass=|span=)).*res=shadow%20atlas:3/); // One thing at a time.
    await page.waitForSelector('[role="region"][aria-label="Resource versions"] tr.rel-same');
    await soon.equal(() => page.locator('[role="region"][aria-label="Resource versions"] tr.rel-same').count(), 3);
    await soon.match(() => row(page, 'Passes', 'cascade 3').innerText(), /creates|writes/);
    await soon.match(() => page.locator('.graph-legend .about').innerText(), /shadow atlas v3, 1 pass reads it/);
    await shot('structure-resource');
    await page.reload();
    await drawn(page);
    await page.waitForSelector('[role="region"][aria-label="Resource versions"] tr.rel-same');
    await soon.match(async () => await row(page, 'Resource versions', 'shadow atlas v3').getAttribute('class') ?? '', /\bon\b/, 'the address brings it back');
});

scene('keys go about in the matrix, select, and Escape drops', {}, async ({ page, ready }) => {
    await ready();
    await press(page, '3');
    await drawn(page);
    await press(page, 'ArrowRight', 8);
    await soon.match(() => page.locator('#live').innerText(), /pass g-buffer/);
    await press(page, 'Enter');
    await waitAddress(page, /pass=7/);
    await press(page, 'Shift+ArrowDown');
    await soon.match(() => page.locator('#live').innerText(), /g-buffer (reads|creates) /);
    await press(page, 'Shift+ArrowRight');
    await soon.match(() => page.locator('#live').innerText(), / (reads|writes) /, 'from use to use');
    await press(page, 'r');
    await waitAddress(page, /res=/);
    await press(page, 'Escape');
    await page.waitForFunction(() => !/res=|pass=/.test(location.hash));
    await waitAddress(page, /frames=80:80/);
    await press(page, '1');
    await page.waitForFunction(() => !/view=/.test(location.hash));
    await soon.equal(() => page.getByRole('tab', { name: 'Timeline' }).getAttribute('aria-selected'), 'true');
});

scene('columns of the tables sort, and the order of the frame comes back', {}, async ({ page, ready }) => {
    await ready();
    await press(page, '3');
    await drawn(page);
    const first = () => page.locator('[role="region"][aria-label="Passes"] tbody tr').first().locator('td').nth(1).innerText();
    const gpu = page.locator('[role="region"][aria-label="Passes"] th', { hasText: 'GPU' });
    await soon.equal(() => first(), 'prepass');
    await gpu.getByRole('button').click();
    await page.waitForFunction(() => document.querySelector('[role="region"][aria-label="Passes"] tbody tr td:nth-child(2)')?.textContent === 'clustered lights');
    await soon.equal(() => gpu.getAttribute('aria-sort'), 'descending');
    await gpu.getByRole('button').click();
    await soon.equal(() => gpu.getAttribute('aria-sort'), 'ascending');
    await gpu.getByRole('button').click();
    await page.waitForFunction(() => document.querySelector('[role="region"][aria-label="Passes"] tbody tr td:nth-child(2)')?.textContent === 'prepass');
});

scene('the selected pass follows the frame; what belongs to no pass is let go', {}, async ({ page, ready, rest }) => {
    await ready();
    await press(page, '3');
    await drawn(page);
    await rest();
    await row(page, 'Passes', 'cascade 2').click();
    const before = await waitAddress(page, /span=\d+.*pass=4/);
    await press(page, '.');
    const after = await waitAddress(page, /span=\d+.*pass=4.*frames=81:81/);
    const span = (/** @type {string} */ hash) => /span=(\d+)/.exec(hash)?.[1];
    assert.notEqual(span(before), span(after), 'its span in the new frame');
    await page.waitForFunction(() => /frame 81/.test(document.getElementById('detail')?.innerText ?? ''));
    await soon.match(() => head(page), /frame 81/);
    // From here on another graph: the same pass, found by its identity.
    await page.locator('#strip .stage').focus();
    await press(page, 'PageUp', 3);
    await waitAddress(page, /pass=4.*frames=51:51/);
    await page.waitForFunction(() => /topology 0/.test(document.querySelector('#view-structure .view-head')?.textContent ?? ''));
    await soon.match(async () => await row(page, 'Passes', 'cascade 2').getAttribute('class') ?? '', /on/);
}, { hash: '#frames=80:80' });

scene('a graph of 200 passes and 500 versions: only what is in sight is made', { largeGraph: true }, async ({ page, ready, rest, shot }) => {
    await ready();
    await press(page, '3');
    await drawn(page, `${LARGE.passes}x${LARGE.versions}`);
    await soon.holds(async () => {
        const sizes = await page.locator('.matrix').evaluate((element) => {
            const canvas = /** @type {HTMLCanvasElement} */ (element.querySelector('canvas'));
            const stage = /** @type {HTMLElement} */ (element.querySelector('.matrix-stage'));
            return { canvas: canvas.width, room: element.clientWidth, all: stage.scrollWidth, high: stage.scrollHeight };
        });
        assert.ok(sizes.canvas <= sizes.room + 1 && sizes.all > 2 * sizes.room && sizes.high > 8000, JSON.stringify(sizes));
    });
    await soon.ok(async () => await page.locator('.graph-tables tbody tr').count() < 80);
    await rest();
    await row(page, 'Passes', 'generated pass number 3').first().click();
    await soon.match(() => page.locator('#live').innerText(), /generated pass number 3,/);
    await rest();
    await press(page, 'End');
    await soon.match(() => page.locator('#live').innerText(), /generated pass number 199/);
    await soon.ok(() => page.locator('.matrix-stage').evaluate((stage) => stage.scrollLeft > 1000), 'the end is in sight');
    const quickestMs = await page.evaluate(async () => {
        const stage = /** @type {HTMLElement} */ (document.querySelector('.matrix-stage'));
        const times = [];
        for (let i = 0; i < 20; i++) {
            stage.scrollTop = i * 300;
            await new Promise((done) => { requestAnimationFrame(() => { const began = performance.now(); requestAnimationFrame(() => { times.push(performance.now() - began); done(null); }); }); });
        }
        return Math.min(...times); // What else the machine does makes others longer.
    });
    assert.ok(quickestMs < 200, `no picture took less than ${quickestMs} ms`);
    await shot('structure-large');
});

scene('a frame without a graph says why there is none', { noGraph: true }, async ({ page, ready }) => {
    await ready();
    await press(page, '3');
    await page.waitForFunction(() => /No frame graph was recorded/.test(document.querySelector('#view-structure .empty')?.textContent ?? ''));
});

scene('a view that is not shown asks nothing', {}, async ({ page, ready, rest }) => {
    /** @type {number[]} */
    const kinds = [];
    page.on('request', (request) => {
        const sent = request.postDataBuffer();
        for (let at = 0; sent && at + 48 <= sent.length; at += sent.readUInt32LE(at + 8)) {
            kinds.push(sent.readUInt16LE(at + 6));
        }
    });
    await ready();
    await press(page, '.');
    await waitAddress(page, /frames=81:81/);
    await rest();
    assert.ok(!kinds.includes(17) && !kinds.includes(22), `no graph and no events: ${kinds}`);
    await press(page, '3');
    await drawn(page);
    await rest();
    kinds.length = 0;
    await press(page, '.');
    await waitAddress(page, /frames=82:82/);
    await soon.ok(() => kinds.includes(17), 'the graph of the next frame');
    await rest();
    assert.ok(!kinds.includes(12) && !kinds.includes(22), `no statistics and no events: ${kinds}`);
});

for (const [width, height] of [[1280, 720], [3840, 2160]]) {
    scene(`tabs, badges and the structure fit at ${width} x ${height}, dark and light`, {}, async (tools) => {
        const { page, ready, shot } = tools;
        await ready();
        await press(page, '3');
        await drawn(page);
        await inEitherScheme(tools, async (scheme) => {
            await soon.holds(async () => {
                const cut = await page.evaluate(() => [...document.querySelectorAll('.top > *, .badge, .tabs button, #view-structure .view-head > *')]
                    .filter((element) => element instanceof HTMLElement && !element.hidden && element.offsetWidth > 0)
                    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 || (element.matches('.badge') && element.getBoundingClientRect().right > (document.querySelector('.badges')?.getBoundingClientRect().right ?? 0) + 1))
                    .map((element) => element.textContent));
                assert.deepEqual(cut, []);
            });
            await soon.match(() => page.locator('.badges').innerText(), /lost 3/, 'losses are in sight at any width');
            await shot(`structure-${width}-${scheme}`);
        });
    }, { width, height });
}
