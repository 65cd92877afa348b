// SPDX-License-Identifier: MIT
/* A test that is good the second time, written down by a file that has none of its own. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declares } from './declares.mjs';

declares('good the second time, from elsewhere', () => {
    const path = join(process.env.TRIES_FOLDER ?? '', 'elsewhere');
    if (!existsSync(path)) {
        writeFileSync(path, '');
        assert.fail('the first time');
    }
});
