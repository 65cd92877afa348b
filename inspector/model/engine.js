// SPDX-License-Identifier: MIT
// @ts-check
/* Who answers, in words. */

/**
 * @typedef {object} EngineInfo
 * @property {string} name of the one that was asked for
 * @property {string} answers of the one that answers
 * @property {string} device of the former; empty: none
 * @property {string} reason why another one answers; empty: none does
 * @property {{ own: number, other: number, submissions: number }} counts questions that the one asked for answered, or passed on; work for the device
 */

/** @type {Record<string, string>} */
const NAMES = { cpu: 'the CPU', vulkan: 'Vulkan' };

/** @param {string} name */
const called = (name) => NAMES[name] ?? name;

/**
 * For the bar at the top: nothing where the CPU answers because nobody wanted anything else.
 * @param {EngineInfo | null} engine
 * @returns {{ text: [string, string, string], tone: 'good' | 'warn', title: string } | null}
 */
export function engineBadge(engine) {
    if (!engine || (engine.device === '' && engine.reason === '')) {
        return null;
    }
    if (engine.reason === '') {
        return {
            text: ['', `${called(engine.name)} answers`, `: ${engine.device}`],
            tone: 'good',
            title: `Questions are answered by ${called(engine.name)} on ${engine.device}. The CPU would give the same answers.`,
        };
    }
    return {
        text: ['', 'CPU answers', ` in place of ${called(engine.name)}`],
        tone: 'warn',
        title: `${instead(engine)} Nothing is lost: the answers are the same.`,
    };
}

/** @param {EngineInfo} engine */
function instead(engine) {
    return `${called(engine.answers).replace(/^t/, 'T')} answers in place of ${called(engine.name)}${engine.device ? ` on ${engine.device}` : ''}: ${engine.reason}.`;
}

/** For the page about the capture. @param {EngineInfo} engine @returns {[string, string][]} */
export function engineRows(engine) {
    const { own, other, submissions } = engine.counts;
    /** @type {[string, string][]} */
    const rows = [['by', engine.reason ? instead(engine) : engine.device ? `${called(engine.name)} on ${engine.device}` : called(engine.answers)]];
    if (engine.device) {
        rows.push(['on the device', `${own} of ${own + other}`], ['submissions', String(submissions)]);
    }
    return rows;
}
