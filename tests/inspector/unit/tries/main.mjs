// SPDX-License-Identifier: MIT
/* Runs the files that it is given. */

import { runWithSecondTry } from '../../tries.mjs';

const passed = await runWithSecondTry(process.argv.slice(2), { beside: 2, write: (text) => { process.stdout.write(text); } });
process.exitCode = passed ? 0 : 1;
