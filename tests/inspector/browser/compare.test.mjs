// SPDX-License-Identifier: MIT
/* Two sides compared in the page: how they are chosen, what is said, where it leads. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { boxOf, openPage, waitAddress } from './browser.mjs';
import { browserOfScenes, scene } from './scene.mjs';
import { ask, noProgram, serve } from './server.mjs';
import { soon } from './soon.mjs';

/** The comparison is on screen. @param {import('playwright-core').Page} page @param {RegExp} [says] */
async function compared(page, says = /./) {
    await page.waitForFunction((source) => document.querySelector('.compare')?.dataset.state === 'ready'
        && document.querySelector('.compare .scroller tbody tr[data-key]') && new RegExp(source).test(document.querySelector('.headline')?.innerText ?? ''), says.source, { timeout: 60000 });
    return page.locator('.headline').innerText();
}
const names = (page) => page.locator('.compare .scroller tbody tr[data-key] td:first-child').allInnerTexts();

/** Its tasks stay at their first stage while they are held. */
const SLOW = { kinds: [37, 38], held: false };

scene('the view begins with the hitch beside the frames before it, and says what changed with its limits', SLOW, async ({ page, ready, shot }) => {
    await ready();
    SLOW.held = true;
    await page.keyboard.press('5');
    await waitAddress(page, /view=compare&cmp=1:65:79,1:80:80/);
    // Whole frames are told before the rows are there.
    await soon.match(() => page.locator('.headline').innerText(), /Frame 80: [\d.]+ ms on the GPU[^]*The rows are being compared…/);
    await soon.match(() => page.locator('.compare > .progress').innerText(), /^Comparing: \d+.*% stop$/);
    assert.equal(await page.locator('.compare .scroller').getAttribute('aria-busy'), 'true');
    SLOW.held = false;
    await soon.holds(async () => {
        const said = await compared(page, /Frame 80/);
        assert.match(said, /Frame 80: [\d.]+ ms on the GPU, against [\d.]+ ms \(mean of frames 65 to 79\): \+[\d.]+ ms, 2\.\d+×\./);
        assert.match(said, /The frame graphs are the same\. Most of it: .*clustered lights \+[\d.]+ ms/);
        assert.match(said, /3 things of frames 65 to 79 could not be recorded/, 'losses are said first');
    });
    await soon.equal(() => page.locator('.compare .chips [aria-pressed="true"]').count(), 1);
    const first = page.locator('.compare .scroller tbody tr[data-key]').first();
    await soon.match(() => first.innerText(), /lighting\/ clustered lights[\s\S]*not told: no work was recorded/);
    await soon.ok(() => first.locator('.meter i.more').evaluate((bar) => bar.getBoundingClientRect().width > 20));
    await soon.holds(async () => {
        const shadows = await page.locator('.compare .scroller tbody tr', { hasText: 'cascade 2' }).first().innerText();
        assert.match(shadows, /more work: 2\.\d+× vertices, rate unchanged within/);
    });
    const quiet = page.locator('.compare .scroller tbody tr', { hasText: 'Render thread' }).first();
    await soon.match(() => quiet.innerText(), /no difference|within its noise/);
    // A score stands out only where the difference is claimed.
    await soon.match(() => quiet.locator('td.quiet').last().getAttribute('title'), /A span takes [^]*The difference is (no difference|within its noise)|no score above 0/);
    await soon.match(() => first.locator('td.scored.over').innerText(), /^\d+\.\d\d$/);
    await shot('compare-dark');
});

scene('sides are chosen from the strip by keys, by writing, by steps, and swapped', {}, async ({ page, ready }) => {
    await ready();
    const box = await boxOf(page.locator('#strip'));
    const click = (frame) => page.mouse.click(box.x + 96 + ((frame + 0.5) * (box.width - 204)) / 120, box.y + 50);
    await click(40);
    await waitAddress(page, /frames=40:40/);
    await page.keyboard.press('b');
    await click(90);
    await waitAddress(page, /frames=90:90/);
    await page.keyboard.press('c');
    await compared(page, /Frame 90: .*frame 40/);
    assert.match(await waitAddress(page, /cmp=1:40:40,1:90:90/), /view=compare/);
    await soon.match(() => page.locator('.headline').innerText(), /The frame graphs differ: 1 added, 1 removed, 1 culled since, 3 resources not the same/);
    await soon.match(() => page.locator('.headline').innerText(), /One frame on each side: this is what these two did, not what frames do/);

    await page.locator('#compare-base').fill('20-39');
    await page.keyboard.press('Enter');
    await compared(page, /mean of frames 20 to 39/);
    await page.locator('#compare-next').fill('nine');
    await page.keyboard.press('Enter');
    await soon.match(() => page.locator('#compare-next-facts').innerText(), /write one frame as 40/);
    await page.locator('#compare-next').fill('500');
    await page.keyboard.press('Enter');
    await soon.match(() => page.locator('#compare-next-facts').innerText(), /there is no frame 500: this capture has 0 to 119/);
    await page.locator('button[aria-label="Base: frames after"]').click();
    await waitAddress(page, /cmp=1:40:59,1:90:90/);
    await page.locator('.compare .bar').click();
    await page.keyboard.press('x');
    await compared(page, /frames 40 to 59: .*\(frame 90\)/i);
    await soon.match(() => page.locator('.headline h2').innerText(), /−[\d.]+ ms, 0\.\d+×/);
    await waitAddress(page, /cmp=1:90:90,1:40:59/);
    await page.goBack();
    await waitAddress(page, /cmp=1:40:59,1:90:90/);
});

scene('what a graph gained, lost and culled is told, with resources, counters and the notes between', {}, async ({ page, shot }) => {
    await compared(page, /The frame graphs differ/);
    const row = (name) => page.locator('.compare .scroller tbody tr', { hasText: name }).innerText();
    await soon.match(() => row('sharpen'), /–[\s\S]*\+0\.700[\s\S]*added: the base does not have it/);
    await soon.match(() => row('old fog'), /−0\.300[\s\S]*removed: only the base has it/);
    await soon.match(() => row('debug overlay'), /culled since: nobody reads what it makes any more/);
    await soon.holds(async () => {
        const [resources, counters, notes] = await page.locator('.rest section').allInnerTexts();
        assert.match(resources, /sharpened\s+added\s+7\.9 MiB\s+RGBA8 1920 x 1080/);
        assert.match(resources, /shadow atlas\s+changed\s+64\.0 MiB → 16\.0 MiB\s+D32_SFLOAT 4096 x 4096 → D32_SFLOAT 2048 x 2048/);
        assert.match(counters, /GPU memory\s+381 MiB → 488 MiB\s+1\.28×/);
        assert.match(notes, /frame 40 this is where it stutters/);
    });
    await shot('compare-structure-light');
}, { hash: '#view=compare&cmp=1:40:59,1:60:79', scheme: 'light' });

scene('rows are sorted, filtered and grouped, by key too, and the address knows it', {}, async ({ page }) => {
    await compared(page);
    await page.waitForFunction(() => /32 rows/.test(document.querySelector('.compare .bar .range')?.textContent ?? ''));
    const all = (await names(page)).length;
    await page.locator('.compare th button[data-column="name"]').click();
    await waitAddress(page, /cmpsort=name\.asc/);
    await soon.holds(async () => {
        const sorted = (await names(page)).map((name) => name.replace('/ ', '/'));
        assert.ok(sorted.length > 5 && sorted[0].includes('ambient') || sorted[0].localeCompare(sorted[1]) <= 0, sorted.slice(0, 3).join());
    });
    await page.locator('#compare-claimed').check();
    await waitAddress(page, /cmponly=claimed/);
    await page.waitForFunction(() => /of 32 rows/.test(document.querySelector('.compare .bar .range')?.textContent ?? ''));
    await page.locator('#compare-claimed').uncheck();
    await page.locator('#find').fill('cascade');
    await page.waitForFunction(() => /8 of 32 rows with "cascade"/.test(document.querySelector('.compare .bar .range')?.textContent ?? ''));
    await soon.ok(async () => (await names(page)).every((name) => name.includes('cascade')));
    await page.locator('.compare .bar .link', { hasText: 'all rows' }).click();
    await page.waitForFunction((count) => document.querySelectorAll('.compare .scroller tbody tr[data-key]').length >= count, Math.min(all, 8));
    await page.locator('.compare .choice [data-by="scope"]').click();
    await waitAddress(page, /cmpby=scope/);
    await page.waitForFunction(() => document.querySelector('.compare .scroller tbody tr[data-key]')?.textContent?.includes('depth')
        && document.querySelector('.compare th')?.textContent?.startsWith('Scope'));
}, { hash: '#view=compare&cmp=1:65:79,1:80:80' });

scene('a row leads to its span on either side', {}, async ({ page, rest }) => {
    await compared(page);
    await rest();
    await page.locator('.compare .scroller').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const onNew = await waitAddress(page, /span=\d+/);
    assert.doesNotMatch(onNew, /view=compare/);
    await page.waitForFunction(() => /clustered lights/.test(document.querySelector('#detail h2')?.textContent ?? ''));
    await soon.match(() => page.locator('#detail').innerText(), /frame 80/);
    // What loads of the span afterwards may be a step of its own.
    for (let i = 0; i < 3 && !/view=compare/.test(await page.evaluate(() => location.hash)); i++) {
        await rest();
        await page.goBack();
    }
    await waitAddress(page, /^(?!.*span=).*view=compare/);
    await compared(page);
    await page.locator('.compare .scroller tbody tr', { hasText: 'clustered lights' }).first().locator('td:nth-child(3) button').click();
    const onBase = await waitAddress(page, /span=\d+/);
    assert.notEqual(/span=(\d+)/.exec(onBase)?.[1], /span=(\d+)/.exec(onNew)?.[1]);
}, { hash: '#view=compare&cmp=1:65:79,1:80:80' });

scene('two files are compared as they are, and a span of the other file is shown in that file', { files: 2 }, async ({ page, ready }) => {
    await ready();
    await page.keyboard.press('5');
    await compared(page, /all 120 frames of file 2: .*all 120 frames of file 1/i);
    await waitAddress(page, /cmp=1:0:119,2:0:119/);
    await soon.deepEqual(() => page.locator('.side select').evaluateAll((list) => list.map((item) => item.value)), ['1', '2']);
    await page.locator('.compare .scroller tbody tr', { hasText: 'clustered lights' }).first().locator('td:nth-child(4) button').click();
    await waitAddress(page, /file=2.*span=\d+/);
    await page.waitForFunction(() => /clustered lights/.test(document.querySelector('#detail h2')?.textContent ?? ''));
    await soon.match(() => page.evaluate(() => location.hash), /cmp=1:0:119,2:0:119/, 'the comparison is kept');
});

scene('what cannot be compared says why', {}, async ({ page }) => {
    await page.waitForFunction(() => document.querySelector('.compare')?.dataset.state === 'refused');
    await soon.match(() => page.locator('.compare .empty').innerText(), /File 2 of this address is not open/);
    await page.evaluate(() => { location.hash = '#view=compare&cmp=1:5:5,1:5:5'; });
    await page.waitForFunction(() => /Both sides are the same frames/.test(document.querySelector('.headline')?.innerText ?? ''));
}, { hash: '#view=compare&cmp=1:0:3,2:0:3' });

scene('a hidden comparison asks nothing, and at rest none is asked again', {}, async ({ page, ready, rest }) => {
    /** Questions of the view, by their channel: the panel compares frames too. */
    const kinds = [];
    page.on('request', (request) => {
        const body = request.postDataBuffer();
        for (let at = 0; body && at + 48 <= body.length; at += body.readUInt32LE(at + 8)) {
            kinds.push(body.readUInt16LE(at + 14) === 8 ? body.readUInt16LE(at + 6) : 0);
        }
    });
    await ready();
    await page.keyboard.press('.');
    await waitAddress(page, /frames=/);
    await rest();
    assert.ok(!kinds.includes(23));
    await page.keyboard.press('5');
    await compared(page);
    await rest();
    assert.equal(kinds.filter((kind) => kind === 23).length, 1);
    await page.locator('.compare th button[data-column="ratio"]').click();
    await waitAddress(page, /cmpsort=ratio/);
    await rest();
    assert.equal(kinds.filter((kind) => kind === 23).length, 1, 'sorting asks nothing');
});

/** Name, begin and end in microseconds; the wait meets both ranges, as a whole. */
const SPANS = [['decode', 5000, 5100], ['mix', 5200, 5260], ['decode', 6000, 6150], ['mix', 6200, 6500], ['flush', 6600, 6700], ['late', 8000, 8100], ['wait', 5400, 6050]];
/** In microseconds from the first time on. */
const RANGES = { base: [0, 500], next: [1000, 2000] };

/** Sums by name of the spans that meet a range, in microseconds. @param {number[]} range */
function sumsOf([from, to]) {
    /** @type {Map<string, number>} */
    const sums = new Map();
    for (const [name, begin, end] of SPANS.map(([word, a, b]) => [word, a - 5000, b - 5000])) {
        if (begin < to && end > from) {
            sums.set(name, (sums.get(name) ?? 0) + end - begin);
        }
    }
    return sums;
}

test('a measured range is taken for either side, with the sums of its spans, and the address keeps it', { skip: noProgram, timeout: 240000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fg-compare-'));
    const path = join(folder, 'ranges.json');
    writeFileSync(path, JSON.stringify(SPANS.map(([name, ts, end]) => ({ ph: 'X', pid: 1, tid: name === 'wait' ? 2 : 1, name, ts, dur: end - ts }))));
    const server = await serve(path);
    const first = BigInt(ask('info', path, '--json').start_ns);
    const at = (/** @type {number[]} */ range) => range.map((us) => first + BigInt(us) * 1000n).join(':');
    const tools = await openPage(browserOfScenes(), `${server.address}#view=compare&measured=${at(RANGES.base)}`);
    const { page } = tools;
    try {
        await soon.match(() => page.locator('.compare .empty').innerText(), /no frames[^]*measure a range of it on the timeline/);
        await page.locator('.side.base .take', { hasText: 'take +0 ns to +500.000 µs' }).click();
        await soon.match(() => page.locator('.headline').innerText(), /Both sides are the same range of time\.\s+Measure another one/);
        const base = `1:t${at(RANGES.base)}`;
        await waitAddress(page, new RegExp(`cmp=${base},${base}`));
        await page.evaluate(([from, to]) => { location.hash = location.hash.replace(`measured=${from}`, `measured=${to}`); }, [at(RANGES.base), at(RANGES.next)]);
        await page.locator('.side.next .take', { hasText: 'take +1.000 ms to +2.000 ms' }).click();
        await waitAddress(page, new RegExp(`cmp=${base},1:t${at(RANGES.next)}`));

        const [before, after] = [sumsOf(RANGES.base), sumsOf(RANGES.next)];
        const names = [...new Set([...before.keys(), ...after.keys()])];
        // In the unit of its column, milliseconds.
        const figure = (/** @type {number | undefined} */ us) => (us === undefined ? '–' : (us / 1000).toFixed(3));
        const expected = names.map((name) => [name, figure(before.get(name)), figure(after.get(name))]).sort();
        const shown = () => page.locator('.compare .scroller tbody tr[data-key]').evaluateAll((rows) => rows.map((row) => [0, 2, 3].map((i) => row.children[i].textContent)).sort());
        const holds = async () => {
            await soon.deepEqual(shown, expected);
            await soon.match(() => page.locator('.headline').innerText(),
                /\+1\.000 ms to \+2\.000 ms: 1\.000 ms long, against 500\.000 µs \(\+0 ns to \+500\.000 µs\): \+500\.000 µs, 2\.00×\./);
            await soon.equal(() => page.locator('#compare-base').inputValue(), '+0 ns to +500.000 µs');
            await soon.equal(() => page.locator('.side .take:visible').count(), 1, 'what is taken is not offered again');
            assert.doesNotMatch(await page.locator('.compare .sides, .compare .headline').allInnerTexts().then((texts) => texts.join()), /frame/i);
        };
        await holds();
        const said = ask('diff', path, path, '--base-time', '+0us:+500us', '--new-time', '+1000us:+2000us', '--by', 'name', '--all', '--json');
        const figureOf = (/** @type {{ mean_ns: number | null }} */ side) => figure(side.mean_ns === null ? undefined : side.mean_ns / 1000);
        assert.deepEqual([...said.rows, ...said.only_base, ...said.only_new].map((row) => [row.name, figureOf(row.base), figureOf(row.new)]).sort(), expected);
        await page.reload();
        await holds();
        await page.locator('.headline button', { hasText: '+1.000 ms to +2.000 ms' }).click();
        await waitAddress(page, /^(?!.*view=).*t=\d+\+10\d{5}/);
    } finally {
        await tools.close();
        server.close();
        rmSync(folder, { recursive: true });
    }
});
