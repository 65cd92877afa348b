// SPDX-License-Identifier: MIT
// @ts-check
/* What a resource may be used for, in words: bits of VkBufferUsageFlags and VkImageUsageFlags. */

const BUFFER = ['copied from', 'copied to', 'uniform texels', 'storage texels', 'uniform', 'storage', 'indices', 'vertices', 'indirect'];
const IMAGE = ['copied from', 'copied to', 'sampled', 'storage', 'color target', 'depth target', 'transient', 'input', 'shading rate'];
/** Bits further up, which only some devices have. @type {readonly [number, string][]} */
const BUFFER_FURTHER = [[17, 'device address'], [19, 'build input'], [20, 'acceleration structure'], [10, 'shader binding table']];

/**
 * @param {string} kind buffer, texture or acceleration structure
 * @param {bigint} usage
 * @returns {string[]} a bit without a word is told as its number
 */
export function usageWords(kind, usage) {
    const isTexture = kind === 'texture';
    const words = isTexture ? IMAGE : BUFFER;
    const list = [];
    for (let bit = 0, rest = usage; rest > 0n; bit++, rest >>= 1n) {
        if ((rest & 1n) === 1n) {
            const further = isTexture ? undefined : BUFFER_FURTHER.find(([number]) => number === bit)?.[1];
            list.push(words[bit] ?? further ?? `bit ${bit}`);
        }
    }
    return list;
}
