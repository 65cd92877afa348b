// SPDX-License-Identifier: MIT
// @ts-check
/* What a selection in the frame graph concerns: everything it hangs on, and everything that hangs on it. */

import { ACCESS } from './structure.js';

/** @typedef {import('./structure.js').FrameStructure} FrameStructure */

/** What a pass or a version is to the selection. */
export const ROLE = Object.freeze({
    NONE: 0,
    SELF: 1,
    /** A selected pass hangs on it. */
    INPUT: 2,
    /** It hangs on a selected pass. */
    OUTPUT: 3,
    /** Another version of a selected resource; a pass that uses only such a version. */
    CHAIN: 4,
    /** A pass that reads the selected version. */
    READER: 5,
    /** A pass that makes the selected version. */
    WRITER: 6,
});

/**
 * @typedef {object} Reach
 * @property {boolean} any something is selected
 * @property {Uint8Array} passes role of each
 * @property {Uint8Array} versions role of each
 */

/**
 * Versions that a pass needs: those it reads, and those that it writes over without making them anew.
 * @param {FrameStructure} structure
 * @param {number} pass
 */
function neededBy(structure, pass) {
    const needed = new Set(structure.inputsOf(pass));
    for (const edge of structure.ofPass[pass]) {
        const { previous } = structure.versions[edge.resource];
        if ((edge.access & ACCESS.WRITES) !== 0 && (edge.access & ACCESS.CREATES) === 0 && previous !== null) {
            needed.add(previous);
        }
    }
    return needed;
}

/** @param {FrameStructure} structure @returns {number[][]} by version: passes that need it */
function usersOf(structure) {
    /** @type {number[][]} */
    const users = structure.versions.map(() => []);
    structure.passes.forEach((_, pass) => {
        for (const version of neededBy(structure, pass)) {
            users[version].push(pass);
        }
    });
    return users;
}

/**
 * Everything that a pass hangs on, through any number of steps.
 * @param {FrameStructure} structure
 * @param {number} pass
 * @param {Reach} reach
 */
function markInputs(structure, pass, reach) {
    const open = [pass];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
        for (const version of neededBy(structure, at)) {
            if (reach.versions[version] !== ROLE.NONE) {
                continue;
            }
            reach.versions[version] = ROLE.INPUT;
            for (const maker of structure.writersOf(version)) {
                if (reach.passes[maker] === ROLE.NONE) {
                    reach.passes[maker] = ROLE.INPUT;
                    open.push(maker);
                }
            }
        }
    }
}

/** @param {FrameStructure} structure @param {number} pass @param {Reach} reach */
function markOutputs(structure, pass, reach) {
    const users = usersOf(structure);
    const open = [pass];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
        for (const version of structure.outputsOf(at)) {
            if (reach.versions[version] !== ROLE.NONE) {
                continue;
            }
            reach.versions[version] = ROLE.OUTPUT;
            for (const user of users[version]) {
                if (reach.passes[user] === ROLE.NONE) {
                    reach.passes[user] = ROLE.OUTPUT;
                    open.push(user);
                }
            }
        }
    }
}

/** @param {FrameStructure} structure @param {number} version @param {Reach} reach */
function markChain(structure, version, reach) {
    for (const other of structure.chainOf(version)) {
        reach.versions[other] = ROLE.CHAIN;
        for (const edge of structure.ofVersion[other]) {
            reach.passes[edge.pass] = ROLE.CHAIN;
        }
    }
    reach.versions[version] = ROLE.SELF;
    for (const pass of structure.writersOf(version)) {
        reach.passes[pass] = ROLE.WRITER;
    }
    for (const pass of structure.readersOf(version)) {
        reach.passes[pass] = ROLE.READER;
    }
}

/**
 * Of a pass or of a version; at most one of them is selected.
 * @param {FrameStructure} structure
 * @param {number | null} pass
 * @param {number | null} version
 * @returns {Reach}
 */
export function reachOf(structure, pass, version) {
    const reach = {
        any: pass !== null || version !== null,
        passes: new Uint8Array(structure.passes.length),
        versions: new Uint8Array(structure.versions.length),
    };
    if (pass !== null) {
        reach.passes[pass] = ROLE.SELF;
        markInputs(structure, pass, reach);
        markOutputs(structure, pass, reach);
    } else if (version !== null) {
        markChain(structure, version, reach);
    }
    return reach;
}

/** How many have a role. @param {Uint8Array} roles @param {number} role */
export function countRole(roles, role) {
    return roles.reduce((sum, item) => sum + (item === role ? 1 : 0), 0);
}
