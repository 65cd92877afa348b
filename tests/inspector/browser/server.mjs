// SPDX-License-Identifier: MIT
/* The product itself: frameglass demo makes the capture, frameglass view serves it. */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';

const PROGRAM = process.env.FG_FRAMEGLASS ?? '';
const FOLDER = process.env.FG_WORK ?? join(tmpdir(), 'frameglass-inspector');
/** Enough for the change of resolution at frame 60 and the hitch at frame 80. */
const FRAMES = '100';

/** Why these tests cannot run, or false. */
export const noProgram = PROGRAM === '' ? 'FG_FRAMEGLASS does not name the program' : false;

/** A capture of the demo renderer, made once for a build of the program. */
export function demoCapture() {
    const given = process.env.FG_CAPTURE ?? '';
    if (given !== '') {
        return given;
    }
    const path = join(FOLDER, 'demo.sgpt');
    if (!existsSync(path) || statSync(path).mtimeMs < statSync(PROGRAM).mtimeMs) {
        mkdirSync(dirname(path), { recursive: true });
        execFileSync(PROGRAM, ['demo', '-o', path, '--frames', FRAMES, '--size', '160x90'], { stdio: ['ignore', 'ignore', 'inherit'], timeout: 400000 });
    }
    return path;
}

/** @type {Set<import('node:child_process').ChildProcess>} a failed test leaves no server behind */
const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** @param {string[]} files @returns {Promise<{ address: string, close: () => void }>} */
export function serve(...files) {
    return new Promise((resolve, reject) => {
        const child = spawn(PROGRAM, ['view', ...files, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
        running.add(child);
        child.unref();
        let said = '';
        child.stdout.on('data', (part) => {
            said += part;
            const address = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//.exec(said)?.[0];
            if (address) {
                /** @type {import('node:net').Socket} */ (child.stdout).unref(); // What it says later keeps no failed test waiting.
                resolve({ address, close: () => { running.delete(child); child.stdout.destroy(); child.kill('SIGTERM'); } });
            }
        });
        child.on('exit', (code) => reject(new Error(`frameglass view ended with ${code}: ${said}`)));
        child.on('error', reject);
    });
}

/** What the command line says of the same capture. @param {string[]} words */
export function ask(...words) {
    const text = execFileSync(PROGRAM, words, { encoding: 'utf8', maxBuffer: 64 << 20 });
    const answer = JSON.parse(text);
    assert.ok(answer);
    return answer;
}
