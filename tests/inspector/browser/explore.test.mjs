// SPDX-License-Identifier: MIT
/* A trace of another tool, which has no frames: overview, dependencies, focus, paths, figures by any dimension, filters, what is unusual. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { boxOf, hoverFor, launch, openPage, shownWindow, waitAddress } from './browser.mjs';
import { nodesFile } from './nodes.mjs';
import { ITEMS, pipelineFile } from './pipeline.mjs';
import { noProgram, serve } from './server.mjs';
import { soon } from './soon.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {{ address: string, close: () => void }} */
let server;
before(async () => {
    browser = await launch();
    server = noProgram ? server : await serve(pipelineFile());
});
after(async () => {
    server?.close();
    await browser.close();
});

/** @param {string} name @param {string} hash @param {(tools: Awaited<ReturnType<typeof openPage>>) => Promise<void>} body */
function explore(name, hash, body) {
    test(name, { skip: noProgram, timeout: 120000 }, async () => {
        const tools = await openPage(browser, server.address + hash);
        await tools.page.waitForSelector('body.with-explore');
        await tools.page.waitForFunction(() => Number(document.getElementById('timeline')?.dataset.drawn) > 0);
        try {
            await body(tools);
        } finally {
            await tools.close();
        }
    });
}

/** The first computation is found and selected, and the search is ended. @param {import('playwright-core').Page} page */
async function selectCompute(page) {
    await page.locator('#find').fill('compute');
    await soon.match(() => page.locator('.find .found').innerText(), new RegExp(String(ITEMS)));
    await page.locator('#find').press('Enter');
    await waitAddress(page, /span=\d+/);
    await page.locator('#find').press('Escape');
    await soon.match(() => page.locator('#detail h2').first().innerText(), /compute/);
}

explore('without frames the overview takes the place of the strip, and moves the window', '', async ({ page, shot }) => {
    await page.waitForSelector('body.with-minimap.without-frames');
    assert.equal(await page.locator('#strip').isVisible(), false);
    assert.deepEqual(await page.locator('.tabs button:disabled').allInnerTexts(), ['Events', 'Structure', 'Resources', 'Live'], 'a trace of another tool has none');
    await page.waitForFunction(() => Number(document.getElementById('minimap')?.dataset.drawn) > 0);
    await shot('explore-overview-dark');
    // A part of the trace, drawn with Shift; then a click brings another moment to the middle.
    const box = await boxOf(page.locator('#minimap .stage'));
    const at = (/** @type {number} */ share) => /** @type {[number, number]} */ ([box.x + share * box.width, box.y + box.height / 2]);
    await page.keyboard.down('Shift');
    await page.mouse.move(...at(0.2));
    await page.mouse.down();
    await page.mouse.move(...at(0.3), { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const drawn = await shownWindow(page);
    await page.mouse.click(...at(0.7));
    await soon.ok(async () => (await shownWindow(page)).startNs > drawn.startNs + BigInt(Math.round(drawn.lengthNs)));
    const moved = await shownWindow(page);
    assert.ok(Math.abs(moved.lengthNs - drawn.lengthNs) <= 1, 'the length stays');
    await page.locator('#minimap .stage').focus();
    await page.keyboard.press('Home');
    await soon.ok(async () => (await shownWindow(page)).startNs < drawn.startNs);
    assert.match(await page.locator('#minimap .stage').getAttribute('aria-valuetext') ?? '', / from /);
});

explore('dependencies are drawn and counted; the focus follows them and the address knows it', '', async ({ page, shot }) => {
    await soon.match(() => page.locator('.families').innerText(), /flow[^]*drawn/);
    await soon.ok(() => page.evaluate(() => Number(document.getElementById('timeline')?.dataset.links) > 0));
    await page.locator('.families button', { hasText: 'Dependencies' }).click();
    await waitAddress(page, /links=off/);
    await soon.equal(() => page.evaluate(() => document.getElementById('timeline')?.dataset.links), '0');
    await page.keyboard.press('y');
    await soon.ok(() => page.evaluate(() => Number(document.getElementById('timeline')?.dataset.links) > 0));
    await selectCompute(page);
    await page.locator('#detail button', { hasText: 'Focus' }).click();
    await waitAddress(page, /focus=\d+:both:2/);
    await soon.match(() => page.locator('.focus-part').innerText(), /Focus: 1 span[^]*2 hops[^]*3 spans/);
    await shot('explore-focus-dark');
    await page.keyboard.press('<');
    await soon.match(() => page.locator('.focus-part').innerText(), /1 hop[^s][^]*2 spans/);
    await page.locator('.focus-part button', { hasText: 'either way' }).click();
    await soon.match(() => page.locator('.focus-part').innerText(), /what they woke[^]*1 span/);
    await waitAddress(page, /focus=\d+:out:1/);
    await page.reload();
    await soon.match(() => page.locator('.focus-part').innerText(), /what they woke[^]*1 hop/);
    await page.locator('[data-focus="end"]').click();
    await soon.equal(() => page.evaluate(() => location.hash.includes('focus=')), false);
    assert.equal(await page.locator('.focus-part').isVisible(), false);
});

explore('the critical path of a span: what ran, what was waited for, and how long', '', async ({ page, shot }) => {
    await selectCompute(page);
    await page.locator('#detail button', { hasText: 'Critical path' }).click();
    await waitAddress(page, /path=span/);
    await soon.deepEqual(() => page.locator('#path-table tr.work td:nth-child(2)').allInnerTexts(), ['launch', 'copy', 'compute']);
    await soon.match(() => page.locator('#path-table .bar').innerText(), /in 3 spans[^]*the selected span is on it/);
    await shot('explore-path-dark');
    await page.locator('#path-table tr.work', { hasText: 'launch' }).click();
    await soon.match(() => page.locator('#detail h2').first().innerText(), /launch/);
    // What followed from the launch, in place of the path; then what led to it, which is nothing.
    await page.keyboard.press('Shift+X');
    await waitAddress(page, /slice=\d+:on(?!.*path=)/);
    await soon.deepEqual(() => page.locator('#slice-table tbody td:nth-child(2)').allInnerTexts(), ['launch', 'copy', 'compute']);
    await soon.match(() => page.locator('#slice-table tbody tr').nth(2).innerText(), /2 steps after[^]*copy flow[^]*5 µs/);
    await soon.match(() => page.locator('#slice-table .bar').innerText(), /2 spans after[^]*up to 2 steps/);
    await page.locator('#slice-table [aria-label="One step less"]').click();
    await waitAddress(page, /slice=\d+:on:8/);
    await shot('explore-causes-dark');
    await page.keyboard.press('x');
    await waitAddress(page, /slice=\d+:back:8/);
    await soon.match(() => page.locator('#slice-table tbody').innerText(), /Nothing led to this span/);
    await page.locator('[data-focus="slice-end"]').click();
    await soon.equal(() => page.evaluate(() => location.hash.includes('slice=')), false);
});

explore('figures by category of what is on screen, with their durations; what is hidden is not in them', '#over=window', async ({ page, shot }) => {
    await page.locator('#stats select[aria-label="Group by another dimension"]').selectOption('category');
    await soon.deepEqual(async () => (await page.locator('#stats tbody tr[data-name]').evaluateAll((rows) => rows.map((row) => /** @type {HTMLElement} */ (row).dataset.name))).sort(),
        ['device', 'host', 'memory', 'runtime']);
    await soon.match(() => page.locator('.histogram').innerText(), new RegExp(`${4 * ITEMS} spans`));
    await page.locator('#stats tbody tr[data-name="device"]').click();
    await soon.match(() => page.locator('.histogram').innerText(), new RegExp(`device[^]*${ITEMS} spans`));
    await page.keyboard.press('i');
    await page.locator('dialog.filters input[data-id="memory"]').check();
    await soon.match(() => page.locator('dialog.filters [role="status"]').innerText(), new RegExp(`${ITEMS} of ${4 * ITEMS} spans`));
    await shot('explore-filters-dark');
    await page.keyboard.press('Escape');
    await waitAddress(page, /cats=memory/);
    await soon.deepEqual(() => page.locator('#stats tbody tr[data-name]').evaluateAll((rows) => rows.map((row) => /** @type {HTMLElement} */ (row).dataset.name)), ['memory']);
    await page.locator('button[aria-label="Show everything"]').click();
    await soon.equal(() => page.locator('#stats tbody tr[data-name]').count(), 4);
    // By anything but names a search counts the spans that it found; and no figure is cut.
    await page.locator('#find').fill('compute');
    await soon.deepEqual(() => page.locator('#stats tbody tr[data-name]').evaluateAll((rows) => rows.map((row) => `${/** @type {HTMLElement} */ (row).dataset.name} ${row.children[2].textContent}`)),
        [`device ${ITEMS}`]);
    await soon.equal(() => page.locator('#stats tbody tr[data-name] td:not(.text)').evaluateAll((cells) => cells.filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().right > cell.getBoundingClientRect().right;
    }).length), 0);
});

explore('spans that are unusual among peers that were chosen are listed, with a reason for every other', '', async ({ page, shot }) => {
    await page.locator('#explore select[aria-label="Unusual spans"]').selectOption('all');
    await waitAddress(page, /odd=all/);
    await soon.match(() => page.locator('#odd-table tbody tr').first().innerText(), /^compute/);
    await soon.match(() => page.locator('#odd-table .note').innerText(), new RegExp(`${4 * ITEMS} scored`));
    await page.locator('#odd-table tbody tr').first().click();
    await waitAddress(page, /span=\d+/);
    await soon.match(() => page.locator('#detail h2').first().innerText(), /compute/);
    await soon.match(() => page.locator('#detail').innerText(), /Unusual: [\d.]+ deviations from/);
    await shot('explore-odd-dark');
    await page.locator('#odd-table [aria-label="Peers"]').selectOption('category');
    await page.locator('#odd-table input.from').fill('100');
    await page.keyboard.press('Enter');
    await waitAddress(page, /odd=all,by:category,from:100/);
    await soon.match(() => page.locator('#odd-table tbody').innerText(), /No span is 100 deviations or more from its peers/);
    await soon.match(() => page.locator('#detail').innerText(), /Usual: under 100 deviations/);
    await page.locator('#odd-table .scroller').focus();
    await page.keyboard.press('v');
    await waitAddress(page, /curve=on/);
    await hoverFor(page, /compute/);
});

test('two traces without frames are compared as wholes; what is slower is tinted, its track too when the other one is the baseline', { skip: noProgram, timeout: 120000 }, async () => {
    const two = await serve(pipelineFile(), pipelineFile(1.6));
    const tools = await openPage(browser, `${two.address}#file=2&view=compare`);
    const { page, shot } = tools;
    try {
        await waitAddress(page, /cmp=1:0:0,2:0:0/);
        const row = page.locator('.compare tbody tr', { hasText: 'compute' });
        // One of each: nothing is claimed, and no score is coloured as if it were.
        const score = (/** @type {import('playwright-core').Locator} */ of) => of.locator('td.quiet[title^="A span takes"]').innerText();
        await soon.match(() => score(row), /^0\.[56]\d$/);
        await soon.match(() => score(page.locator('.compare tbody tr', { hasText: 'copy' })), /^0\.00$/);
        await page.locator('.compare [data-by="track"]').click();
        await soon.match(() => score(page.locator('.compare tbody tr', { hasText: 'computations' })), /^0\.[56]\d$/);
        await shot('explore-compare-dark');
        await page.keyboard.press('1');
        await page.locator('#explore select[aria-label="Unusual spans"]').selectOption('file:1');
        await waitAddress(page, /odd=file:1/);
        await soon.match(() => page.locator('.head.worse').innerText(), /computations[^]*1\.[56]\d×/);
        await shot('explore-baseline-dark');
    } finally {
        await tools.close();
        two.close();
    }
});

test('nodes of a scene are a table: the most time of their own first, with draws, culled and attributes', { skip: noProgram, timeout: 120000 }, async () => {
    const scenes = await serve(nodesFile());
    const { page, shot, close } = await openPage(browser, scenes.address);
    try {
        await page.waitForSelector('body.with-explore');
        await page.locator('#stats [data-table="nodes"]').click();
        await waitAddress(page, /table=nodes/);
        await soon.match(() => page.locator('#nodes-table .bar').innerText(), /160 nodes in 2 frames/);
        const row = (/** @type {number} */ i) => page.locator('#nodes-table tbody tr[data-key]').nth(i);
        await soon.match(() => row(0).innerText(), /^frame\s+nodes\s+0\.170\s+0\.810\s+nodes 80$/);
        await soon.match(() => row(2).innerText(), /^card\s+0\s+nodes\s+0\.011\s+0\.016\s+3 \(1\)\s+fills 2 · blur radius 2.5$/);
        await shot('explore-nodes-dark');
        await row(2).click();
        await waitAddress(page, /span=\d+/);
        await soon.match(() => page.locator('#detail').innerText(), /card[^]*self draws\s+1/);
        await soon.match(() => page.locator('#nodes-table .note').innerText(), /^card: fills 2 · blur radius 2.5$/);
        // What is not in sight yet is asked for when it is.
        await page.locator('#nodes-table .scroller').evaluate((scroller) => { scroller.scrollTop = scroller.scrollHeight; });
        await soon.match(() => page.locator('#nodes-table tbody tr[data-key]').last().innerText(), /^label\s+391\s+nodes\s+0\.005\s+0\.005\s+2\s*$/);
        await page.locator('#nodes-table').getByRole('radio', { name: 'As a tree' }).click();
        await soon.match(async () => (await Promise.all([row(0), row(1), row(2)].map((item) => item.innerText()))).join(' '), /^frame[^]*card\s+0\s[^]*label\s+1\s/);
    } finally {
        await close();
        scenes.close();
    }
});
