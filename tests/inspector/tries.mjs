// SPDX-License-Identifier: MIT
/*
 * Runs files of tests side by side and prints TAP. A test that fails is tried once more when all others have ended, with
 * nothing beside it: a machine that is busy is no fault of a page. What is at fault stays so: a file that cannot be
 * loaded, a hook that fails, more failures than a few get no second try, and each that was given is told at the end.
 */

import { run } from 'node:test';
import { tap } from 'node:test/reporters';

/** More failures than this are no accident. */
const MOST_TRIES = 3;
const OTHER_NAME = 'test name does not match pattern';

/** @typedef {{ type: string, data: any }} Event */
/** @typedef {{ file: string, name: string, inner: Event[], end: Event }} Result of a test: its parts, and how it ended */

/** @param {string} text */
const plain = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** @param {Event} event */
const isSkipped = ({ data }) => data.skip !== undefined || data.todo !== undefined;

/** @param {Result} result */
const hasFailed = ({ inner, end }) => [...inner, end].some((event) => event.type === 'test:fail' && !isSkipped(event))
    || inner.some(({ data }) => data.skip === OTHER_NAME);

/** @param {Event[]} events @returns {Promise<string>} */
async function written(events) {
    let text = '';
    for await (const part of tap(events)) {
        text += part;
    }
    return text.replace(/^TAP version \d+\n/, '');
}

/**
 * The tests of a file, each when it has ended. One file a run: where a test is written down may be elsewhere.
 * @param {string} file @param {object} [options] of run() @returns {AsyncGenerator<Result>}
 */
async function* results(file, options = {}) {
    /** @type {Event[]} */
    let inner = [];
    for await (const event of run({ ...options, files: [file], concurrency: 1 })) {
        const { type, data } = event;
        if (type === 'test:stderr' || type === 'test:stdout') {
            process.stderr.write(data.message);
        } else if (type === 'test:pass' || type === 'test:fail') {
            if (data.nesting > 0) {
                inner.push(event);
            } else {
                yield { file, name: data.name, inner, end: event };
                inner = [];
            }
        }
    }
}

/**
 * So many files at once; what their tests came to is taken one after the other.
 * @param {string[]} files @param {number} beside @param {(result: Result) => Promise<void>} take
 */
async function runBeside(files, beside, take) {
    const left = [...files];
    let taken = Promise.resolve();
    const work = async () => {
        for (let file = left.shift(); file !== undefined; file = left.shift()) {
            for await (const result of results(file)) {
                taken = taken.then(() => take(result));
            }
        }
    };
    await Promise.all(Array.from({ length: beside }, work));
    await taken;
}

/** What a second run could mend: a test of a file that was loaded and prepared. @param {Result} result */
function mayBeTried({ file, name, inner, end }) {
    const types = [...inner, end].map(({ data }) => data.details?.error?.failureType);
    return !file.endsWith(name) && !types.includes('hookFailed');
}

/** @param {Result} first @returns {Promise<Result | null>} null: it did not run */
async function tryAgain({ file, name, inner }) {
    const names = [name, ...inner.map(({ data }) => data.name)];
    const testNamePatterns = names.map((text) => new RegExp(`^${plain(text)}$`));
    let second = null;
    for await (const result of results(file, { testNamePatterns })) {
        // Of several by one name all have to pass; a file that broke has an end of its own.
        if (result.end.data.skip !== OTHER_NAME && (second === null || !hasFailed(second))) {
            second = result;
        }
    }
    return second;
}

/**
 * @param {string[]} files
 * @param {{ beside: number, write: (text: string) => void }} options beside: files at once
 * @returns {Promise<boolean>} whether every test passed, the first or the second time
 */
export async function runWithSecondTry(files, { beside, write }) {
    const counts = { tests: 0, pass: 0, fail: 0, skipped: 0 };
    let number = 0;
    write('TAP version 13\n');
    const print = async (/** @type {Result} */ { inner, end }) => {
        for (const event of [...inner, end]) {
            counts.tests++;
            counts[isSkipped(event) ? 'skipped' : event.type === 'test:pass' ? 'pass' : 'fail']++;
        }
        number++;
        write(await written([...inner, { ...end, data: { ...end.data, testNumber: number } }]));
    };
    /** @type {Result[]} */
    const failed = [];
    await runBeside(files, beside, async (result) => {
        if (hasFailed(result)) {
            failed.push(result);
            write(`# first try failed: ${result.name}\n`);
            write((await written([...result.inner, result.end])).replace(/^/gm, '#   ').trimEnd() + '\n');
        } else {
            await print(result);
        }
    });
    const tried = failed.length <= MOST_TRIES ? failed.filter(mayBeTried) : [];
    for (const first of failed) {
        await print((tried.includes(first) ? await tryAgain(first) : null) ?? first);
    }
    write(`1..${number}\n${Object.entries(counts).map(([name, count]) => `# ${name} ${count}\n`).join('')}`);
    if (tried.length > 0) {
        write(`# second try: ${tried.length} (${tried.map(({ name }) => name).join('; ')})\n`);
    }
    return counts.fail === 0 && number > 0;
}
