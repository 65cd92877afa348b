// SPDX-License-Identifier: MIT
/* Notes written in the page, the capture's own page, and everything that can be taken out as a file. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { boxOf, waitAddress } from './browser.mjs';
import { scene } from './scene.mjs';
import { FILE } from '../mock/compare.mjs';
import { soon } from './soon.mjs';

/** What the browser was given. @param {import('playwright-core').Page} page @param {() => Promise<void>} act */
async function downloaded(page, act) {
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60000 }), act()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
const choose = (page, id) => downloaded(page, () => page.locator(`[data-export="${id}"]`).click());

scene('a note is written by key, stands in strip, timeline and list, is changed, saved into a copy, and asked about before it is lost', {}, async ({ page, ready, shot }) => {
    await ready();
    await page.keyboard.press('.');
    await waitAddress(page, /frames=\d+:/);
    await page.keyboard.press('m');
    await page.keyboard.press('Control+Enter');
    await soon.match(() => page.locator('#note-problem').innerText(), /needs some words/);
    await page.locator('.note-dialog [aria-label="Frame of the note"]').fill('50');
    await page.locator('.note-dialog textarea').fill('<b>here</b> it begins');
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => !document.querySelector('.note-dialog[open]'));
    await page.keyboard.press('6');
    await page.waitForSelector('.notes li.unsaved[data-frame="50"]');
    await soon.match(() => page.locator('.notes').innerText(), /frame 40[\s\S]*this is where it stutters[\s\S]*frame 50[\s\S]*<b>here<\/b> it begins[\s\S]*not saved/);
    await soon.match(() => page.locator('.notes-page .state').innerText(), /1 note of this page is not saved: closing the page loses it/);
    await shot('notes-dark');
    await page.locator('.notes li.unsaved button', { hasText: 'change' }).click();
    await page.locator('.note-dialog textarea').fill('here it ends');
    await page.locator('.note-dialog button[type="submit"]').click();
    await page.waitForFunction(() => /here it ends/.test(document.querySelector('.notes li.unsaved')?.textContent ?? ''));
    const asked = await page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
    assert.ok(asked, 'leaving is asked about');
    const { name, bytes } = await downloaded(page, () => page.locator('#notes-save').click());
    assert.equal(name, 'invented.noted.sgpt');
    assert.equal(bytes.subarray(0, 32).toString(), 'h'.repeat(32), 'the copy has a header of its own');
    assert.deepEqual(bytes.subarray(32, 232), Buffer.from(FILE).subarray(32, 232), 'what is kept is the capture\'s own');
    assert.deepEqual(JSON.parse(bytes.subarray(232).toString()), [{ note: 'here it ends', frame: 50, time: '0' }]);
    await page.waitForSelector('.notes li.own:not(.unsaved)');
    assert.ok(await page.evaluate(() => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))), 'nothing would be lost now');
    await page.locator('.notes li.own button', { hasText: 'remove' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.notes > li').length === 1);
    await page.locator('.notes button.where').click();
    await waitAddress(page, /^(?!.*view=notes).*frames=40:40/);
});

scene('a note may belong to a time, and comes back when the page is loaded anew', {}, async ({ page, ready }) => {
    await ready();
    await page.keyboard.press('m');
    await page.locator('.note-dialog textarea').fill('in between');
    await page.locator('.note-dialog [aria-label^="Time of the note"]').fill('99 s');
    await page.locator('.note-dialog button[type="submit"]').click();
    await soon.match(() => page.locator('#note-problem').innerText(), /a time within the capture/);
    await page.locator('.note-dialog [aria-label^="Time of the note"]').fill('12.5 ms');
    await page.locator('.note-dialog button[type="submit"]').click();
    await page.evaluate(() => { location.hash = '#view=notes'; });
    await page.waitForFunction(() => /at 12\.500 ms/.test(document.querySelector('.notes li.unsaved')?.textContent ?? ''));
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.waitForFunction(() => /in between/.test(document.querySelector('.notes li.unsaved')?.textContent ?? ''));
});

scene('a view of one frame says in its head that the frame has a note, and no other frame does', {}, async ({ page, ready }) => {
    await ready();
    for (const view of ['events', 'structure', 'resources']) {
        await page.evaluate((hash) => { location.hash = hash; }, `#view=${view}&frames=40:40`);
        const line = page.locator('#views .frame-note .link:visible');
        await line.waitFor();
        await soon.equal(() => line.innerText(), 'note: this is where it stutters', view);
        await soon.ok(async () => (await boxOf(line)).height < 30, `${view}: in one line`);
        await page.keyboard.press('.');
        await page.waitForFunction(() => [...document.querySelectorAll('#views .frame-note')].every((note) => note.hidden || !note.checkVisibility()));
    }
    await page.evaluate(() => { location.hash = '#view=structure&frames=40:40'; });
    await page.locator('#views .frame-note .link:visible').click();
    await waitAddress(page, /view=notes/);
});

scene('badges lead to the page about the capture: clocks in words, losses with their frames, damage with its place', { damaged: true, nominal: true }, async ({ page, ready, shot }) => {
    await ready();
    await page.locator('.badge', { hasText: 'nominal' }).click();
    await page.waitForFunction(() => document.activeElement?.id === 'about-clocks');
    const card = (id) => page.locator(`#about-${id}`).innerText();
    await soon.match(() => card('clocks'), /device\s+nominal\s+–\s+40\s+2\s+1\s+36/);
    await soon.match(() => card('clocks'), /nothing is measured between it and another clock\. The driver offers no calibrated timestamps\./);
    await soon.match(() => card('losses'), /gpu pass without a slot\s+3[\s\S]*frame 70/);
    await soon.match(() => card('damage'), /never reached its stop[\s\S]*directory rebuilt\s+1[\s\S]*record checksum\s+4,711\s+the payload does not match/);
    await soon.match(() => card('cost'), /a frame, median\s+200\.000 µs/);
    await soon.match(() => card('recording'), /level\s+2, workload[\s\S]*vendor\s+withheld/);
    await shot('capture-light');
    await page.locator('#about-losses button', { hasText: 'frame 70' }).click();
    await waitAddress(page, /frames=70:70/);
}, { scheme: 'light' });

scene('a newer capture says which parts cannot be shown', { newer: true }, async ({ page }) => {
    await page.waitForSelector('#about-skipped');
    await soon.holds(async () => {
        const text = await page.locator('#about-skipped').innerText();
        assert.match(text, /newer than this page: 12 records/);
        assert.match(text, /XNEW\s+12/);
    });
}, { hash: '#view=capture' });

scene('every export comes as a file of its kind', {}, async ({ page, ready, shot }) => {
    await ready();
    await page.keyboard.press('e');
    await page.waitForSelector('dialog.export[open]');
    await shot('export-dark');
    const chrome = await choose(page, 'chrome');
    assert.equal(chrome.name, 'invented.chrome.json');
    assert.deepEqual(JSON.parse(chrome.bytes.toString()), { traceEvents: [] });
    assert.deepEqual(JSON.parse((await choose(page, 'graph')).bytes.toString()), { topologies: [] });
    assert.equal((await choose(page, 'csv')).bytes.toString(), 'name,count\n');
    assert.deepEqual((await choose(page, 'capture')).bytes, Buffer.from(FILE));
    const html = await choose(page, 'html');
    assert.equal(html.name, 'invented.html');
    const inside = /<script id="capture" type="text\/plain" data-label="invented\.sgpt" data-packing="gzip">([^<]*)<\/script>/.exec(html.bytes.toString());
    assert.ok(inside, html.bytes.toString());
    assert.deepEqual(gunzipSync(Buffer.from(inside[1], 'base64')), Buffer.from(FILE));
    await page.locator('#export-redact').check();
    const redacted = await choose(page, 'html');
    assert.equal(redacted.name, 'capture.redacted.html', 'the file\'s name is no name to pass on');
    assert.doesNotMatch(redacted.bytes.toString(), /invented/);
    const bare = /data-packing="gzip">([^<]*)</.exec(redacted.bytes.toString());
    assert.match(gunzipSync(Buffer.from(bare?.[1] ?? '', 'base64')).toString(), /^R{32}pass 1$/);
    assert.match((await choose(page, 'capture')).bytes.toString(), /^R{32}/);
    await soon.match(() => page.locator('.export .task').innerText(), /capture\.redacted\.sgpt \(38 B\) was given to the browser's downloads/);
});

scene('a picture holds what is on screen: boxes, labels, the names of the tracks', {}, async ({ page, ready, rest }) => {
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
    await rest();
    await page.keyboard.press('e');
    const { name, bytes } = await choose(page, 'png');
    assert.equal(name, 'invented.timeline.png');
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    await soon.holds(async () => {
        const box = await boxOf(page.locator('#views'));
        assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [Math.round(box.width), Math.round(box.height)]);
    });
    const count = await page.evaluate(async (data) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(data)], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const brush = canvas.getContext('2d', { willReadFrequently: true });
        brush.drawImage(bitmap, 0, 0);
        const colours = (x, y, w, h) => {
            const pixels = brush.getImageData(x, y, w, h).data;
            const seen = new Set();
            for (let i = 0; i < pixels.length; i += 4) {
                seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
            }
            return seen.size;
        };
        return { heads: colours(20, 44, 150, 20), boxes: colours(220, 60, bitmap.width - 240, 60), table: colours(10, bitmap.height - 120, 400, 80) };
    }, [...bytes]);
    assert.ok(count.heads > 8 && count.boxes > 20 && count.table > 20, JSON.stringify(count));
    await page.keyboard.press('Escape');
    await page.keyboard.press('5');
    await page.waitForFunction(() => document.querySelector('.compare')?.dataset.state === 'ready');
    await page.keyboard.press('e');
    assert.equal((await choose(page, 'png')).name, 'invented.compare.png');
});

scene('an export that fails says what failed, in the menu', { refuse: ['x/1/csv'] }, async ({ page, ready }) => {
    await ready();
    await page.keyboard.press('e');
    await page.locator('[data-export="csv"]').click();
    await page.waitForSelector('.export .task[data-state="failed"]');
    await soon.match(() => page.locator('.export .task').innerText(), /The table could not be made: frameglass view answered with HTTP status 404/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('dialog.export[open]'));
}, { expected: /404/ }); // The browser tells of the refused download too.
