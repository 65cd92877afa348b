// SPDX-License-Identifier: MIT
/* An invented trace, the same every time: what the page's tests look at where no recorded capture shows the case. */

/** A small generator of even numbers from 0 to 1, always the same row of them. */
function generator(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

const SCOPES = [
    ['depth', ['prepass', 'hi-z']],
    ['shadows', ['cascade 0', 'cascade 1', 'cascade 2', 'cascade 3']],
    ['geometry', ['cull instances', 'g-buffer']],
    ['lighting', ['ambient occlusion', 'ao blur', 'clustered lights']],
    ['post', ['bloom down', 'bloom up', 'exposure', 'tonemap']],
    ['hud', ['text']],
];
const LENGTHS = { prepass: 0.6, 'hi-z': 0.3, 'cascade 0': 0.9, 'cascade 1': 0.8, 'cascade 2': 1.1, 'cascade 3': 0.7, 'cull instances': 0.2, 'g-buffer': 1.9,
    'ambient occlusion': 1.1, 'ao blur': 0.4, 'clustered lights': 2.4, 'bloom down': 0.5, 'bloom up': 0.5, exposure: 0.05, tonemap: 0.5, text: 0.3 };
const MS = 1e6;
export const FRAME_COUNT = 120;
export const HITCH_FRAME = 80;
/** Where the trace begins: beyond what a double holds exactly. */
export const BASE_NS = 9_007_199_254_740_993_000n;

export function makeTrace() {
    const random = generator(7);
    const names = [''];
    const nameId = (text) => {
        const known = names.indexOf(text);
        return known >= 0 ? known : names.push(text) - 1;
    };
    const spans = [];
    const frames = [];
    const add = (lane, track, begin, end, name, frame, flags = 0, parent = null) => {
        spans.push({ row: spans.length, lane, track, begin: Math.round(begin), end: Math.round(end), name: nameId(name), frame, flags, parent });
        return spans.length - 1;
    };
    let clock = 0;
    for (let frame = 0; frame < FRAME_COUNT; frame++) {
        const slow = frame === HITCH_FRAME ? 3 : frame >= 60 ? 1.15 : 1;
        const start = clock;
        const cpu = add(3, 2, start, start + 8 * MS, `frame ${frame}`, frame);
        let encode = start + 0.1 * MS;
        let gpu = start + 2 * MS;
        const gpuStart = gpu;
        for (const [scope, passes] of SCOPES) {
            const begin = gpu;
            const scopeRow = add(0, 0, begin, begin, scope, frame, 8);
            for (const pass of passes) {
                const length = LENGTHS[pass] * MS * slow * (1 + random() * 0.08);
                const row = add(1, 0, gpu, gpu + length, pass, frame, 0, scopeRow);
                if (pass === 'hi-z') {
                    for (let i = 0; i < 9; i++) {
                        add(2, 0, gpu + (i * length) / 9, gpu + ((i + 0.8) * length) / 9, `mip ${i}`, frame, 0, row);
                    }
                }
                gpu += length + 0.02 * MS;
                add(4, 2, encode, encode + 0.4 * MS, pass, frame, 0, cpu);
                encode += 0.43 * MS;
            }
            spans[scopeRow].end = Math.round(gpu - 0.02 * MS);
        }
        add(5, 1, gpuStart + 3 * MS, gpuStart + 6 * MS * slow, 'particles', frame);
        add(5, 1, gpuStart + 8 * MS * slow, gpuStart + 8 * MS * slow, 'signal', frame);
        frames.push({ start, cpuNs: 8 * MS, gpuNs: Math.round(gpu - gpuStart), gpuStart: Math.round(gpuStart), gpuEnd: Math.round(gpu),
            flags: (frame === HITCH_FRAME ? 1 : 0) | (frame === 60 ? 16 : 0) | (frame === 40 ? 32 : 0) | (frame === 70 ? 4 : 0), dropped: frame === 70 ? 3 : 0, topology: frame < 60 ? 0 : 1 });
        clock += Math.max(16.7 * MS, gpu - start - 1 * MS);
    }
    return { names, nameId, spans, frames, end: Math.round(clock + 4 * MS) };
}
