// SPDX-License-Identifier: MIT
/*
 * Pages of a browser, used one test after the other: most of what a page costs is its process and what that compiles.
 * One that is taken again is as good as new: nothing is kept, pressed, pointed at or listened to.
 */

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ ratio: number, before?: () => void }} Kind before: a page with a script of its own is used once */

/** What a test may listen to. */
const EVENTS = ['request', 'requestfinished', 'requestfailed', 'console', 'pageerror', 'dialog', 'download'];

/** Pages that were left, and their kinds. @type {WeakMap<import('playwright-core').Browser, { page: Page, ratio: number }[]>} */
const spare = new WeakMap();

/** Runs in the page: when anything of it changed last. */
function noteChanges() {
    const seen = /** @type {any} */ (globalThis).lastChange = { ms: 0 };
    const changed = () => { seen.ms = performance.now(); };
    new MutationObserver(changed).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const name of ['hashchange', 'popstate', 'load']) {
        addEventListener(name, changed);
    }
    document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
}

/** @param {import('playwright-core').Browser} browser @param {Kind} kind @returns {Promise<Page>} that shows nothing yet */
export async function takePage(browser, { ratio, before }) {
    const left = spare.get(browser) ?? [];
    const index = before ? -1 : left.findIndex((item) => item.ratio === ratio);
    if (index >= 0) {
        return left.splice(index, 1)[0].page;
    }
    const context = await browser.newContext({ deviceScaleFactor: ratio });
    const page = await context.newPage();
    await page.addInitScript(noteChanges);
    if (before) {
        await page.addInitScript(before);
    }
    return page;
}

/** Ends what a page shows. @param {Page} page @returns {Promise<boolean>} whether nothing is left of it */
async function makeBlank(page) {
    for (const name of EVENTS) {
        page.removeAllListeners(name);
    }
    page.once('dialog', (dialog) => void dialog.accept()); // Notes that nobody saved hold nobody up.
    try {
        await page.unrouteAll();
        await page.evaluate(() => {
            localStorage.clear();
            sessionStorage.clear();
        });
        await page.goto('about:blank');
        await page.mouse.up();
        await page.mouse.move(-1, -1);
        await page.keyboard.up('Shift');
    } catch {
        return false;
    }
    page.removeAllListeners('dialog');
    return true;
}

/** @param {import('playwright-core').Browser} browser @param {Page} page @param {Kind} kind */
export async function leavePage(browser, page, { ratio, before }) {
    if (before || !await makeBlank(page)) {
        await page.context().close();
        return;
    }
    spare.set(browser, [...spare.get(browser) ?? [], { page, ratio }]);
}
