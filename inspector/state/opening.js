// SPDX-License-Identifier: MIT
// @ts-check
/* The page alone in a browser: which captures it shows, and going over from one to others without loading the page again. */

import { addressSources, fileSources } from '../protocol/sources.js';
import { WorkerHome, captureInside, isOneFile } from '../protocol/worker_transport.js';
import { serverHome } from '../protocol/home.js';
import { firstPlace } from '../model/address.js';
import { initialState } from './app_state.js';
import { loadCapture } from './loading.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../protocol/home.js').Home} Home */
/** @typedef {import('../protocol/worker_transport.js').Wanted} Wanted */
/** @typedef {import('../protocol/worker_transport.js').Step} Step */

/** A page that frameglass view serves lies under its token. */
const SERVED = /^\/[0-9a-f]{32}\/$/;

/** @returns {Home} the server that this page came from, else a worker of its own */
export function chooseHome() {
    const { protocol, pathname } = location;
    return protocol === 'http:' && SERVED.test(pathname) ? serverHome(document.baseURI) : new WorkerHome();
}

/** The capture of the server, of the address, or of this page; where there is none, the page asks for one. @param {Context} context */
export async function begin(context) {
    const { store, home } = context;
    if (!(home instanceof WorkerHome)) {
        return loadCapture(context);
    }
    try {
        const inside = captureInside();
        const wanted = inside ? [inside] : isOneFile() ? [] : addressSources(location.search, document.baseURI);
        if (wanted.length > 0) {
            return await openInto(context, home, wanted);
        }
        store.update({ phase: 'empty' });
        await home.ready;
    } catch (error) {
        refuse(context, home, 'The page cannot open that', error);
    }
}

/** Files that were dropped or picked: shown in place of what is open, once they are known to be captures. @param {Context} context @param {Iterable<File>} files */
export async function openFiles(context, files) {
    const wanted = fileSources(files);
    if (wanted.length > 0) {
        const { home, store } = context;
        const isFresh = home instanceof WorkerHome && store.state.phase === 'empty';
        await openInto(context, isFresh ? home : new WorkerHome(), wanted);
    }
}

/** Another of the files that this page has open. @param {Context} context @param {import('../model/address.js').Place} place */
export function showFile(context, place) {
    clear(context, place);
    void loadCapture(context);
}

/** What is being opened is not wanted any more. @param {Context} context */
export function stopOpening({ store }) {
    store.state.opening?.home.stop();
}

/** @param {Context} context @param {WorkerHome} home @param {Wanted[]} wanted */
async function openInto(context, home, wanted) {
    const { store } = context;
    const name = wanted.map((each) => each.name).join(' and ');
    stopOpening(context);
    store.update({ problem: null, opening: { name, doing: 'open', done: 0, all: 0, home } });
    home.onStep = (step) => showStep(context, home, step);
    /** @type {string[]} */
    const warnings = [];
    let at = '';
    try {
        for (const each of wanted) {
            at = each.name;
            const { warning } = await home.open(each);
            warnings.push(...warning ? [warning] : []);
        }
    } catch (error) {
        settle(context, home);
        refuse(context, home, `${at} could not be opened`, error);
        return;
    }
    const before = context.home;
    const { phase, place } = store.state;
    become(context, home);
    clear(context, phase === 'connecting' || phase === 'empty' ? place : firstPlace());
    if (before instanceof WorkerHome && before !== home) {
        before.end();
    }
    await loadCapture(context);
    settle(context, home);
    if (context.home === home && store.state.phase === 'failed') {
        leave(context, home);
    } else if (context.home === home && warnings.length > 0) {
        store.update({ problem: { what: 'The capture was read in part', advice: warnings.join(' '), lasting: false } });
    }
}

/** Opening has come to its end, one way or the other. @param {Context} context @param {WorkerHome} home */
function settle({ store }, home) {
    if (store.state.opening?.home === home) {
        store.update({ opening: null });
    }
}

/** Nothing to look at came of it: the page asks for another file, and keeps saying why. @param {Context} context @param {WorkerHome} home */
function leave(context, home) {
    const { store } = context;
    const { problem } = store.state;
    become(context, new WorkerHome());
    clear(context, firstPlace());
    store.update({ phase: 'empty', problem: problem && !home.isStopped ? { ...problem, lasting: false } : null });
    home.end();
}

/** @param {Context} context @param {Home} home */
function become(context, home) {
    context.home = home;
    context.client.become(home.transport);
}

/** As a page that has just begun, but for how it looks. @param {Context} context @param {import('../model/address.js').Place} place */
function clear({ store }, place) {
    const { theme, contrast, hues, timelineWidthPx, timelineHeightPx, revision, opening } = store.state;
    store.update({ ...initialState(), theme, contrast, hues, timelineWidthPx, timelineHeightPx, opening, revision: revision + 1, place });
}

/** What is open stays; where nothing is, the page asks for another file. @param {Context} context @param {WorkerHome} home @param {string} what @param {unknown} error */
function refuse(context, home, what, error) {
    const { store } = context;
    const { phase } = store.state;
    if (home !== context.home) {
        home.end();
    } else if (home.closed) {
        become(context, new WorkerHome());
    }
    store.update({
        phase: phase === 'connecting' ? 'empty' : phase,
        problem: home.isStopped ? null : { what, advice: error instanceof Error ? error.message : String(error), lasting: false },
    });
}

/** @param {Context} context @param {WorkerHome} home @param {Step} step */
function showStep({ store }, home, step) {
    const { opening, entry } = store.state;
    if (opening?.home !== home) {
        return;
    }
    store.update({ opening: { ...opening, doing: step.progress, done: step.done, all: step.all } });
    if (step.progress === 'load' && entry && entry.trace === step.trace && entry.state !== 'loaded') {
        store.update({ phase: 'loading', entry: { ...entry, state: 'loading', done: step.done, steps: step.all } });
    }
}
