// SPDX-License-Identifier: MIT
/* The page over the invented engine: the cases that a healthy capture does not have, told apart exactly. */

import assert from 'node:assert/strict';
import { BASE_NS } from '../mock/trace.mjs';
import { boxOf, hoverFor, openPage, shownWindow, waitAddress, windowOf } from './browser.mjs';
import { browserOfScenes, inEitherScheme, scene } from './scene.mjs';
import { soon } from './soon.mjs';

scene('the strip is drawn from the directory while the trace still loads', { loadPolls: 1e9 }, async ({ page }) => {
    await page.waitForSelector('#strip[data-drawn="directory"]');
    await soon.holds(async () => {
        const inked = await page.evaluate(() => {
            const canvas = document.querySelector('#strip canvas');
            const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            let count = 0;
            for (let i = 3; i < data.length; i += 4) {
                count += data[i] > 0 ? 1 : 0;
            }
            return count / (data.length / 4);
        });
        assert.ok(inked > 0.1, `${inked} of the strip is drawn`);
    });
    await soon.equal(() => page.locator('.veil progress').isVisible(), true);
    await soon.holds(async () => {
        await page.mouse.move(899, 80);
        await page.mouse.move(900, 80);
        assert.match(await page.locator('.tip').innerText(), /frame \d+\nGPU [\d,]+ ns\nCPU [\d,]+ ns/);
    });
});

scene('the first look is the frame that hitches', {}, async ({ page, ready, shot }) => {
    await ready();
    await hoverFor(page, /frame 80/);
    await shot('first-look-dark');
});

scene('what bounds the frames is said with its reason, and what is inferred is called so', {}, async ({ page, ready, shot }) => {
    await ready();
    const chip = page.locator('#stats .verdict');
    const reason = page.locator('#stats .verdict-reason');
    await soon.equal(() => chip.innerText(), 'GPU-bound (10 inferred)');
    assert.equal(await reason.isVisible(), false);
    await chip.click();
    await soon.match(() => reason.innerText(), /^GPU-bound \(10 inferred\): GPU 120 of 120 frames\. It is what bounds more than half .* inferred: a guess/);
    assert.equal(await chip.getAttribute('aria-expanded'), 'true');
    await shot('verdict-dark');
    for (const [range, words] of [['10:19', 'GPU-bound'], ['110:119', 'GPU-bound (inferred)']]) {
        await page.evaluate((text) => { location.hash = `#frames=${text}`; }, range);
        await soon.equal(() => chip.innerText(), words);
        await soon.holds(async () => {
            assert.ok((await page.locator('#detail .path').first().innerText()).endsWith(words));
            assert.match(await page.locator('#detail .verdict-reason').innerText(), words === 'GPU-bound' ? /^GPU-bound: GPU 10 of 10 frames\..*told\.$/ : /inferred: a guess/);
        });
    }
    await page.evaluate(() => { location.hash = '#frames=115:115'; });
    await soon.holds(async () => {
        assert.match(await page.locator('#detail .path').first().innerText(), /GPU-bound \(inferred\)/);
        assert.match(await page.locator('#detail .verdict-reason').innerText(), /^Of 16\.000 ms: CPU worked .*, GPU was busy .*, waited for present 400\.0+ µs\. There was no whole GPU time/);
    });
});

scene('hover tells exact nanoseconds, from the start of the capture', {}, async ({ page, ready }) => {
    await ready();
    const { text } = await hoverFor(page, /g-buffer/);
    const match = /([\d,]+) ns → ([\d,]+) ns\n([\d,]+) ns · each end ±2,731 ns/.exec(text);
    assert.ok(match, text);
    const [from, to, length] = match.slice(1).map((part) => Number(part.replaceAll(',', '')));
    assert.equal(to - from, length);
});

scene('a click selects: details, path, comparison, links and the address', {}, async ({ page, ready, shot }) => {
    await ready();
    const { x, y } = await hoverFor(page, /g-buffer/);
    await page.mouse.click(x, y);
    await page.waitForSelector('#detail .spark');
    await soon.holds(async () => {
        const detail = await page.locator('#detail').innerText();
        assert.match(detail, /g-buffer/);
        assert.match(detail, /frame 80 › geometry › g-buffer/);
        assert.match(detail, /[\d.]+ ms · each end ±2\.731 µs/);
        assert.match(detail, /3\.\d× its median/);
        assert.match(detail, /draws \(encoded\)\s+212/);
        assert.match(detail, /draws, indirect \(encoded\)\s+unknown/);
        assert.match(detail, /draws, indirect \(resolved\)\s+14/);
        assert.match(detail, /workgroup size\s+unknown/);
        assert.match(detail, /sizes as declared, not as allocated/i);
        assert.match(detail, /depth v0 D32F 1600×900\s+5\.5 MiB\s+written by prepass/);
        assert.match(detail, /scene geometry v0 buffer\s+unknown\s+imported: from outside of the frame graph/);
        assert.match(detail, /depth D32_SFLOAT\s+clear → store/);
        assert.match(detail, /Why it is slower than in frame 79\s+3\.\d+ ms more, from 2\.\d+ ms to 6\.\d+ ms\. Slower rate: 2\.\d+× the time per pixel/);
    });
    await waitAddress(page, /span=\d+/);
    await shot('selection-dark');
    await page.keyboard.press('p');
    await page.waitForFunction(() => document.querySelector('#detail h2')?.textContent?.includes('geometry'));
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('span='));
});

scene('wheel, drag and keys move the window about what was meant', {}, async ({ page, ready }) => {
    await ready();
    const box = await boxOf(page.locator('#stage'));
    await page.mouse.move(box.x + box.width / 2, box.y + 200);
    await page.mouse.wheel(0, -300);
    const zoomed = await shownWindow(page);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((length) => Number(/\+([\d.]+)/.exec(location.hash)?.[1]) < length * 0.7, zoomed.lengthNs);
    const closer = await shownWindow(page);
    const middle = (w) => Number(w.startNs - BASE_NS) + w.lengthNs / 2;
    assert.ok(Math.abs(middle(closer) - middle(zoomed)) < zoomed.lengthNs * 0.01, 'the middle stays under the pointer');
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 100, box.y + 200, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((start) => !location.hash.includes(start), String(closer.startNs));
    const dragged = await shownWindow(page);
    const moved = Number(closer.startNs - dragged.startNs) * box.width / closer.lengthNs;
    assert.ok(Math.abs(moved - 100) < 2, `the time under the hand follows it: ${moved} px`);
    for (const [key, check] of [
        ['d', (a, b) => b.startNs > a.startNs], ['a', (a, b) => b.startNs < a.startNs], ['ArrowRight', (a, b) => b.startNs > a.startNs],
        ['ArrowLeft', (a, b) => b.startNs < a.startNs], ['w', (a, b) => b.lengthNs < a.lengthNs], ['s', (a, b) => b.lengthNs > a.lengthNs]]) {
        const from = await shownWindow(page);
        await page.keyboard.press(key);
        await soon.ok(async () => check(from, windowOf(await page.evaluate(() => location.hash))), key);
    }
    await page.keyboard.press('0');
    await page.waitForFunction(() => Number(/\+([\d.]+)/.exec(location.hash)?.[1]) > 1.9e9);
});

scene('zoomed out, no span is passed off as an exact one', {}, async ({ page, ready, shot }) => {
    await ready();
    await page.keyboard.press('0');
    await page.waitForFunction(() => Number(/\+([\d.]+)/.exec(location.hash)?.[1]) > 1.9e9);
    const { text } = await hoverFor(page, /the longest of what meets this bin/);
    assert.match(text, /\d+ spans? start in it/);
    await shot('whole-capture-dark');
});

scene('search counts in steps, dims the rest, goes on and back, and narrows the statistics', { kinds: [37] }, async ({ page, ready, shot }) => {
    await ready();
    await page.keyboard.press('/');
    await page.keyboard.type('CASCADE 2');
    await page.waitForFunction(() => document.querySelector('.found')?.textContent === '240 spans');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /^[\d,]+ of 240$/.test(document.querySelector('.found')?.textContent ?? ''));
    const first = await waitAddress(page, /span=(\d+)/);
    await page.keyboard.press('Enter');
    await page.waitForFunction((hash) => /span=\d+/.test(location.hash) && /span=\d+/.exec(location.hash)?.[0] !== /span=\d+/.exec(hash)?.[0], first);
    await page.keyboard.press('Shift+Enter');
    await page.waitForFunction((hash) => /span=\d+/.exec(location.hash)?.[0] === /span=\d+/.exec(hash)?.[0], first);
    await soon.deepEqual(() => page.locator('#stats tbody tr[data-name]').allInnerTexts().then((rows) => rows.map((row) => row.split('\t').slice(0, 2).map((cell) => cell.trim()))), [['cascade 2', 'Graphics queue'], ['cascade 2', 'Render thread']]);
    await shot('search-dark');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('find='));
});

scene('a search without a match says so', {}, async ({ page, ready }) => {
    await ready();
    await page.locator('#find').fill('nothing of this name');
    await page.waitForFunction(() => document.querySelector('.found')?.textContent === 'no match');
    await soon.match(() => page.locator('#stats tbody').innerText(), /No row has "nothing of this name" in its name/);
});

scene('brushing the strip sets the range: statistics, address, back', {}, async ({ page, ready, shot }) => {
    await ready();
    const strip = await boxOf(page.locator('#strip .stage'));
    const at = (frame) => strip.x + 96 + ((frame + 0.5) * (strip.width - 204)) / 120;
    await page.mouse.move(at(72), strip.y + 40);
    await page.mouse.down();
    await page.mouse.move(at(88), strip.y + 40, { steps: 6 });
    await page.mouse.up();
    await waitAddress(page, /frames=72:88/);
    await page.waitForFunction(() => document.querySelector('#stats .range')?.textContent === 'frames 72 to 88');
    await page.waitForFunction(() => [...document.querySelectorAll('#stats tbody tr')].some((row) => row.textContent?.startsWith('lighting') && row.children[2].textContent === '17'));
    await soon.match(() => page.locator('.corner').innerText(), /from frame 72/);
    await shot('range-dark');
    await page.mouse.click(at(10), strip.y + 40);
    await waitAddress(page, /frames=10:10/);
    await page.goBack();
    await waitAddress(page, /frames=72:88/);
    await soon.equal(() => page.locator('#stats .range').innerText(), 'frames 72 to 88');
});

/** Its tasks stay at their first stage while they are held. */
const SLOW = { kinds: [37], held: false };

scene('statistics sort by every column, group four ways, highlight what is clicked, and tell sums before the rest', SLOW, async ({ page, ready, rest }) => {
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
    await soon.match(() => page.locator('#stats .note').innerText(), /On a coarse clock judge the median over many frames, never one frame\./);
    await soon.match(() => page.locator('#stats .note').innerText(), /120 spans of exactly 0 ns: shown as the device reported them/);
    const names = () => page.locator('#stats tbody tr[data-name]').evaluateAll((rows) => rows.map((row) => row.dataset.name));
    for (const column of ['name', 'count', 'self', 'median', 'p95', 'max', 'total']) {
        await page.locator(`#stats th button[data-column="${column}"]`).click();
        await page.waitForFunction((id) => document.querySelector(`#stats th button[data-column="${id}"]`)?.parentElement?.getAttribute('aria-sort') !== 'none', column);
    }
    await rest();
    const descending = await names();
    await page.locator('#stats th button[data-column="total"]').click();
    await page.waitForFunction(() => document.querySelector('#stats th button[data-column="total"]')?.parentElement?.getAttribute('aria-sort') === 'ascending');
    await soon.notDeepEqual(() => names(), descending);
    await waitAddress(page, /sort=total\.asc/);
    await page.locator('#stats .choice button', { hasText: 'Scope' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#stats tbody tr[data-name]').length === 6);
    await rest(); // Rows that are drawn anew between the press and the release of the button take no click.
    await page.locator('#stats tbody tr', { hasText: 'lighting' }).click();
    await waitAddress(page, /mark=scope:lighting/);
    await page.waitForSelector('#stats tbody tr.on');

    /** Count, total and median of the queue, and whether more is to come. */
    const queue = () => page.evaluate(() => {
        const cells = [...document.querySelectorAll('#stats tbody tr[data-name="Graphics queue"] td')].map((cell) => cell.textContent);
        return { busy: document.querySelector('#stats .scroller')?.getAttribute('aria-busy'), count: cells[1], total: cells[2], median: cells[7] };
    });
    await page.locator('#stats .choice button', { hasText: 'Track' }).click();
    await soon.match(async () => (await queue()).median ?? '', /^[\d.,]+$/);
    const whole = await queue();
    await page.locator('#stats .choice button', { hasText: 'Name' }).click();
    await soon.equal(async () => (await queue()).count, undefined);
    SLOW.held = true;
    await page.locator('#stats .choice button', { hasText: 'Track' }).click();
    await soon.deepEqual(queue, { ...whole, busy: 'true', median: '…' });
    SLOW.held = false;
    await soon.deepEqual(queue, whole);
    // Who does not wait for the rest keeps the sums.
    await page.locator('#stats .choice button', { hasText: 'Name' }).click();
    await soon.equal(async () => (await queue()).count, undefined);
    SLOW.held = true;
    await page.locator('#stats .choice button', { hasText: 'Track' }).click();
    await soon.equal(async () => (await queue()).median, '…');
    await page.locator('#stats button', { hasText: 'stop' }).click();
    await soon.deepEqual(queue, { ...whole, median: '–' });
    await page.waitForSelector('#stats td[title="not counted: it was stopped"]');
    SLOW.held = false;
});

scene('the address brings everything back in a new page', {}, async ({ page, ready, rest }, server) => {
    await ready();
    const { x, y } = await hoverFor(page, /tonemap/);
    await page.mouse.click(x, y);
    await page.locator('.head', { hasText: 'Async compute' }).click();
    await page.locator('#stats .choice button', { hasText: 'Track' }).click();
    await waitAddress(page, /span=.*fold=1.*by=track/);
    await rest();
    const hash = await page.evaluate(() => location.hash);
    const again = await openPage(browserOfScenes(), server.address + hash);
    await again.ready();
    await again.page.waitForFunction(() => document.querySelector('#detail h2')?.textContent?.includes('tonemap'));
    await soon.equal(() => again.page.locator('.head', { hasText: 'Async compute' }).getAttribute('aria-expanded'), 'false');
    await soon.equal(() => again.page.locator('#stats .choice [data-by][aria-checked="true"]').innerText(), 'Track');
    await again.rest();
    assert.equal(await again.page.evaluate(() => location.hash), hash);
    await again.close();
});

scene('an address of another capture leaves what it cannot mean', {}, async ({ page, complaints }) => {
    await page.waitForSelector('#strip[data-drawn="trace"]');
    await page.waitForFunction(() => !location.hash.includes('span='));
    await soon.match(() => page.locator('.banner').innerText(), /Span 99999999 could not be read/);
    assert.deepEqual(complaints, []);
}, { hash: '#span=99999999&frames=500:600' });

scene('a nominal clock is marked everywhere and nothing is measured across it', { nominal: true }, async ({ page, ready, shot }) => {
    await ready();
    // A narrow page leaves out words of the badges, not of their names.
    await page.getByRole('button', { name: 'GPU clock nominal', exact: true }).waitFor();
    await soon.equal(() => page.locator('.head .clock.nominal').count(), 2);
    // Nor are times of a software device shown without a word of what they are.
    await soon.match(() => page.locator('#stats .note').innerText(), /^The GPU is a software device: its times are made up\. /);
    await soon.match(() => page.locator('#stats .verdict').getAttribute('title'), /its times are made up\.$/);
    const { x, y, text } = await hoverFor(page, /g-buffer/);
    assert.match(text, /nominal clock: its place against other tracks is not measured/);
    assert.doesNotMatch(text, /±/);
    await page.mouse.click(x, y);
    await page.waitForSelector('#detail .spark');
    await soon.holds(async () => {
        const detail = await page.locator('#detail').innerText();
        assert.match(detail, /Nominal clock: .* The driver offers no calibrated timestamps\./);
        assert.match(detail, /not claimed/);
    });
    await page.keyboard.press('Escape');
    await page.waitForSelector('#capture-recording');
    await soon.match(() => page.locator('#detail').innerText(), /device\s+nominal/);
    await shot('nominal-dark');
});

scene('losses, damage and an internal repro level are in sight', { damaged: true, level: 3 }, async ({ page, ready, rest, shot }) => {
    await ready();
    await soon.match(() => page.locator('.badges').innerText(), /lost 3/);
    await page.getByRole('button', { name: 'verbose level: internal repro', exact: true }).waitFor();
    await soon.match(() => page.locator('.badges').innerText(), /1 defect/);
    await rest();
    await page.locator('.badge', { hasText: '1 defect' }).click();
    await page.waitForSelector('#about-damage');
    await soon.holds(async () => {
        const about = await page.locator('.capture-page').innerText();
        assert.match(about, /record checksum\s+4,711/);
        assert.match(about, /does not match its checksum/);
        assert.match(about, /gpu pass without a slot\s+3/);
    });
    await page.locator('#about-losses button', { hasText: 'frame 70' }).click();
    await page.waitForFunction(() => document.getElementById('detail')?.innerText.includes('3 things of this frame could not be recorded'));
    await shot('damage-dark');
});

scene('keys alone reach everything, with the focus in sight', {}, async ({ page, ready, rest }) => {
    await ready();
    await rest();
    const reached = new Set();
    for (let i = 0; i < 70; i++) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate(() => {
            const element = document.activeElement;
            const style = element && element !== document.body ? getComputedStyle(element) : null;
            const seen = !style || (style.outlineStyle !== 'none' || element.closest('.find')) ? '' : ' (no focus to see)';
            return `${element?.closest('#top, #strip, #timeline, #detail, #stats, .splitter')?.id ?? ''}${seen}`;
        }));
    }
    for (const part of ['top', 'strip', 'timeline', 'detail', 'stats', 'side-splitter', 'stats-splitter']) {
        assert.ok(reached.has(part), `${part} is reached: ${[...reached].join(', ')}`);
    }
    assert.ok(![...reached].some((part) => part.includes('no focus')), [...reached].join(', '));
    await page.locator('#strip .stage').focus();
    await page.keyboard.press('ArrowRight');
    await waitAddress(page, /frames=0:0/);
    await page.keyboard.press('h');
    await waitAddress(page, /frames=80:80/);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog:not([open])', { state: 'attached' });
});

scene('a page at rest asks for nothing and draws nothing', {}, async ({ page, ready, rest }) => {
    await ready();
    await rest();
    let asked = 0;
    page.on('request', () => { asked++; });
    const frames = await page.evaluate(() => new Promise((done) => {
        let count = 0;
        const original = window.requestAnimationFrame;
        window.requestAnimationFrame = (callback) => { count++; return original.call(window, callback); };
        setTimeout(() => done(count), 2000);
    }));
    assert.equal(asked, 0);
    assert.equal(frames, 0);
});

scene('a server that went away is named, with what to do', {}, async ({ page, ready, rest }) => {
    await ready();
    await rest();
    await page.route('**/q', (route) => route.abort());
    await page.keyboard.press('0');
    await page.waitForSelector('.banner:not([hidden])');
    await soon.match(() => page.locator('.banner').innerText(), /frameglass view does not answer: it may have been stopped\. Start it again/);
}, { expected: /failed: |ERR_FAILED/ });

for (const [width, height] of [[1280, 720], [1920, 1080], [3840, 2160]]) {
    scene(`nothing collides at ${width} x ${height}, dark and light`, {}, async (tools) => {
        const { page, ready, shot } = tools;
        await ready();
        const { x, y } = await hoverFor(page, /g-buffer/);
        await page.mouse.click(x, y);
        await page.waitForSelector('#detail .spark');
        await inEitherScheme(tools, async (scheme) => {
            await soon.holds(async () => {
                const overflow = await page.evaluate(() => ['top', 'strip', 'timeline', 'detail', 'stats'].filter((id) => {
                    const box = document.getElementById(id).getBoundingClientRect();
                    return box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.width < 100 || box.height < 30;
                }));
                assert.deepEqual(overflow, []);
            });
            await soon.equal(() => page.evaluate(() => document.querySelector('.top').scrollWidth <= document.querySelector('.top').clientWidth), true);
            await shot(`selection-${scheme}-${width}x${height}`);
        });
    }, { width, height });
}

scene('at twice the resolution canvases have twice the pixels', {}, async ({ page, ready, shot }) => {
    await ready();
    await soon.holds(async () => {
        const sizes = await page.evaluate(() => [...document.querySelectorAll('#timeline canvas, #strip canvas')].map((canvas) => canvas.width / canvas.clientWidth));
        assert.ok(sizes.every((ratio) => Math.abs(ratio - 2) < 0.01), sizes.join(', '));
    });
    await shot('first-look-dark-2x');
}, { ratio: 2 });
