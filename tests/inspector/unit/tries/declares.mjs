// SPDX-License-Identifier: MIT
/* Where a test is written down that belongs to another file. */

import { test } from 'node:test';

/** @param {string} name @param {() => void} body */
export function declares(name, body) {
    test(name, body);
}
