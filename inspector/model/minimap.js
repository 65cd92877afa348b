// SPDX-License-Identifier: MIT
// @ts-check
/* The whole trace in few cells, and where they are on a strip of pixels. */

/**
 * Cells are binNs wide; cell b of the trace begins at startNs + b * binNs.
 * @typedef {object} Minimap
 * @property {bigint} startNs
 * @property {number} binNs
 * @property {number} bins
 * @property {{ group: number, answered: boolean, first: number, last: number }[]} groups ranges in the table of cells
 * @property {CellColumns} cells
 * @property {boolean} incomplete
 */
/**
 * @typedef {object} CellColumns
 * @property {Uint32Array} bin
 * @property {Uint32Array} category name id
 * @property {Uint32Array} lanes how many lanes it stands for
 * @property {Uint32Array} starts
 * @property {Uint32Array} row the longest span
 * @property {Uint32Array} name of it
 * @property {Float64Array} longest its duration
 * @property {Float64Array} cover over all its lanes
 * @property {Uint32Array} flags
 */
/** @typedef {{ startNs: bigint, endNs: bigint }} Extent */
/** @typedef {{ group: number, y: number, height: number }} Band */

/** Lower than this a band cannot be told from its neighbour. */
const LEAST_BAND_PX = 2;

/**
 * One band for each group, from top to bottom; where there are more than fit, the last ones share.
 * @param {readonly number[]} groups in display order @param {number} height
 * @returns {Map<number, Band>}
 */
export function bandsOf(groups, height) {
    /** @type {Map<number, Band>} */
    const bands = new Map();
    const count = Math.max(1, Math.min(groups.length, Math.floor(height / LEAST_BAND_PX)));
    const each = height / count;
    groups.forEach((group, i) => {
        const at = Math.min(count - 1, Math.floor((i * count) / groups.length));
        bands.set(group, { group, y: at * each, height: each });
    });
    return bands;
}

/** @param {Extent} extent @param {bigint} timeNs @param {number} width */
export function minimapPx(extent, timeNs, width) {
    const length = Math.max(1, Number(extent.endNs - extent.startNs));
    return (Number(timeNs - extent.startNs) * width) / length;
}

/** @param {Extent} extent @param {number} px @param {number} width @returns {bigint} */
export function minimapTime(extent, px, width) {
    const length = Math.max(1, Number(extent.endNs - extent.startNs));
    return extent.startNs + BigInt(Math.round((Math.max(0, Math.min(width, px)) * length) / Math.max(1, width)));
}

/**
 * What lies at a place: the cell of the band whose longest span is the longest; -1 for none.
 * @param {Minimap} map @param {ReadonlyMap<number, Band>} bands @param {bigint} timeNs @param {number} y
 */
export function cellAt(map, bands, timeNs, y) {
    const bin = Math.floor(Number(timeNs - map.startNs) / map.binNs);
    let best = -1;
    for (const group of map.groups) {
        const band = bands.get(group.group);
        if (!band || y < band.y || y >= band.y + band.height) {
            continue;
        }
        for (let i = group.first; i < group.last; i++) {
            if (map.cells.bin[i] === bin && (best < 0 || map.cells.longest[i] > map.cells.longest[best])) {
                best = i;
            }
        }
    }
    return best;
}
