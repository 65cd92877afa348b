// SPDX-License-Identifier: MIT
/* The floors of the page: main -> views -> state -> {protocol, draw} -> model. Rules that no script checks decay. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../inspector/', import.meta.url));
const MAY_USE = {
    '.': ['views', 'state', 'protocol', 'draw', 'model'],
    views: ['views', 'state', 'protocol', 'draw', 'model'],
    state: ['state', 'protocol', 'model'],
    protocol: ['protocol', 'model'],
    draw: ['draw', 'model'],
    model: ['model'],
};
const files = readdirSync(ROOT, { recursive: true }).map(String).filter((name) => name.endsWith('.js'));

/** Names of files that a source imports, types included. */
function importsOf(source) {
    return [...source.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => match[1]);
}

test('no file includes from a floor above it', () => {
    assert.ok(files.length > 30);
    for (const file of files) {
        for (const target of importsOf(readFileSync(join(ROOT, file), 'utf8'))) {
            const folder = dirname(relative(ROOT, resolve(ROOT, dirname(file), target)));
            assert.ok(MAY_USE[dirname(file)].includes(folder), `${file} must not use ${folder}/ (${target})`);
        }
    }
});

test('files stay under 400 lines, are type-checked and carry their licence', () => {
    for (const file of files) {
        const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
        assert.ok(lines.length < 400, `${file} has ${lines.length} lines`);
        assert.equal(lines[0], '// SPDX-License-Identifier: MIT', file);
        assert.equal(lines[1], '// @ts-check', file);
        for (const [index, line] of lines.entries()) {
            assert.ok(line.length <= 180, `${file}:${index + 1} is ${line.length} characters wide`);
        }
    }
});

test('the model touches no document and no window', () => {
    for (const file of files.filter((name) => name.startsWith('model'))) {
        const source = readFileSync(join(ROOT, file), 'utf8');
        assert.doesNotMatch(source, /\b(document|localStorage|fetch|requestAnimationFrame|location)\b[.(]/, file);
    }
});

test('nothing of a capture can become markup', () => {
    for (const file of files) {
        assert.doesNotMatch(readFileSync(join(ROOT, file), 'utf8'), /innerHTML|outerHTML\s*[+]?=|insertAdjacentHTML|document\.write|\beval\(/, file);
    }
});

test('nothing visible is made by a style alone: a picture of the page paints elements', () => {
    const styles = readdirSync(ROOT, { recursive: true }).map(String).filter((name) => name.endsWith('.css'));
    assert.ok(styles.length > 4);
    for (const file of styles) {
        const rules = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*.*?\*\//gs, '');
        assert.doesNotMatch(rules, /::?(before|after|marker)\b|[;{\s]content:(?!\s*(none|normal)\b)/, file);
    }
});

test('the page asks for nothing from elsewhere', () => {
    const all = readdirSync(ROOT, { recursive: true }).map(String).filter((name) => /\.(js|css|html|svg)$/.test(name));
    for (const file of all) {
        const source = readFileSync(join(ROOT, file), 'utf8').replaceAll('http://www.w3.org/2000/svg', '');
        assert.doesNotMatch(source, /https?:\/\//, file);
    }
});
