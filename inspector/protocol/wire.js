// SPDX-License-Identifier: MIT
// @ts-check
/* The form of a message, docs/PROTOCOL.md sections 1.1 and 1.2: header, section directory, payloads. */

export const HEADER_BYTES = 48;
export const ENTRY_BYTES = 16;
const REQUEST_MAGIC = 0x51564746;
const REPLY_MAGIC = 0x52564746;
const VERSION = 1;

/** Element types. */
export const TYPE = Object.freeze({ U8: 1, U16: 2, U32: 3, U64: 4, I64: 5, F64: 6, TEXT: 7, TEXTS: 8, I32: 9 });

/** @typedef {Uint8Array | Uint16Array | Uint32Array | Int32Array | BigUint64Array | BigInt64Array | Float64Array} Column */
/** @typedef {{ tag: number, type: number, count: number, bytes: Uint8Array }} Section */
/**
 * @typedef {object} Header
 * @property {number} kind
 * @property {number} id
 * @property {number} client
 * @property {number} trace
 * @property {number} channel
 * @property {number} generation
 * @property {number} names
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** @param {number} size */
const aligned = (size) => (size + 7) & ~7;

/** A reply that is not what the protocol says. */
export class WireError extends Error {}

/** @param {ArrayBufferView} view */
function bytesOf(view) {
    return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** @param {number} tag @param {ArrayLike<number>} values @returns {Section} */
export function u32Section(tag, values) {
    return { tag, type: TYPE.U32, count: values.length, bytes: bytesOf(Uint32Array.from(values)) };
}

/** @param {number} tag @param {ArrayLike<number>} values @returns {Section} */
export function u8Section(tag, values) {
    return { tag, type: TYPE.U8, count: values.length, bytes: Uint8Array.from(values) };
}

/** @param {number} tag @param {bigint[]} values @returns {Section} */
export function i64Section(tag, values) {
    return { tag, type: TYPE.I64, count: values.length, bytes: bytesOf(BigInt64Array.from(values)) };
}

/** @param {number} tag @param {ArrayLike<number>} values @returns {Section} */
export function i32Section(tag, values) {
    return { tag, type: TYPE.I32, count: values.length, bytes: bytesOf(Int32Array.from(values)) };
}

/** @param {number} tag @param {bigint[]} values @returns {Section} */
export function u64Section(tag, values) {
    return { tag, type: TYPE.U64, count: values.length, bytes: bytesOf(BigUint64Array.from(values)) };
}

/** @param {number} tag @param {string} text @returns {Section} */
export function textSection(tag, text) {
    const bytes = encoder.encode(text);
    return { tag, type: TYPE.TEXT, count: bytes.length, bytes };
}

/** @param {number} tag @param {readonly string[]} values @returns {Section} */
export function textsSection(tag, values) {
    const parts = values.map((value) => encoder.encode(value));
    const offsets = new Uint32Array(parts.length + 1);
    parts.forEach((part, i) => {
        offsets[i + 1] = offsets[i] + part.length;
    });
    const bytes = new Uint8Array(offsets.byteLength + offsets[parts.length]);
    bytes.set(bytesOf(offsets));
    parts.forEach((part, i) => bytes.set(part, offsets.byteLength + offsets[i]));
    return { tag, type: TYPE.TEXTS, count: values.length, bytes };
}

/**
 * @param {Header} header
 * @param {readonly Section[]} sections
 * @returns {Uint8Array} whole message
 */
export function writeMessage(header, sections) {
    let size = HEADER_BYTES + sections.length * ENTRY_BYTES;
    for (const section of sections) {
        size += aligned(section.bytes.length);
    }
    const message = new Uint8Array(size);
    const view = new DataView(message.buffer);
    view.setUint32(0, REQUEST_MAGIC, true);
    view.setUint16(4, VERSION, true);
    view.setUint16(6, header.kind, true);
    view.setUint32(8, size, true);
    view.setUint16(12, sections.length, true);
    view.setUint16(14, header.channel, true);
    view.setUint32(16, header.id, true);
    view.setUint32(20, header.client, true);
    view.setUint32(24, header.trace, true);
    view.setUint32(28, header.generation, true);
    view.setUint32(32, header.names, true);
    let offset = HEADER_BYTES + sections.length * ENTRY_BYTES;
    sections.forEach((section, index) => {
        const entry = HEADER_BYTES + index * ENTRY_BYTES;
        view.setUint16(entry, section.tag, true);
        view.setUint8(entry + 2, section.type);
        view.setUint32(entry + 4, section.count, true);
        view.setUint32(entry + 8, offset, true);
        view.setUint32(entry + 12, section.bytes.length, true);
        message.set(section.bytes, offset);
        offset += aligned(section.bytes.length);
    });
    return message;
}

/** Messages one after the other in one buffer. @param {readonly Uint8Array[]} messages */
export function joinMessages(messages) {
    const joined = new Uint8Array(messages.reduce((sum, message) => sum + message.length, 0));
    let offset = 0;
    for (const message of messages) {
        joined.set(message, offset);
        offset += message.length;
    }
    return joined;
}

/** One reply, laid over the buffer that it came in: columns are views, nothing is copied. */
export class Reply {
    /** @param {ArrayBuffer} buffer @param {number} offset start of the message in the buffer */
    constructor(buffer, offset) {
        const view = new DataView(buffer);
        if (offset + HEADER_BYTES > buffer.byteLength || view.getUint32(offset, true) !== REPLY_MAGIC) {
            throw new WireError('the reply is not a message of the view protocol');
        }
        this.buffer = buffer;
        this.offset = offset;
        this.kind = view.getUint16(offset + 6, true);
        this.size = view.getUint32(offset + 8, true);
        this.flags = view.getUint16(offset + 14, true);
        this.id = view.getUint32(offset + 16, true);
        this.trace = view.getUint32(offset + 24, true);
        this.names = view.getUint32(offset + 32, true);
        this.status = view.getUint32(offset + 36, true);
        this.revision = view.getBigUint64(offset + 40, true);
        if (view.getUint16(offset + 4, true) !== VERSION) {
            throw new WireError('the reply is of another version of the view protocol');
        }
        if (this.size < HEADER_BYTES || this.size % 8 !== 0 || offset + this.size > buffer.byteLength) {
            throw new WireError('the reply is cut');
        }
        /** @type {Map<number, { type: number, count: number, at: number, bytes: number }>} */
        this.sections = new Map();
        const count = view.getUint16(offset + 12, true);
        for (let i = 0; i < count; i++) {
            const entry = offset + HEADER_BYTES + i * ENTRY_BYTES;
            const at = view.getUint32(entry + 8, true);
            const bytes = view.getUint32(entry + 12, true);
            if (at % 8 !== 0 || at + bytes > this.size) {
                throw new WireError('a section of the reply lies outside of it');
            }
            this.sections.set(view.getUint16(entry, true),
                { type: view.getUint8(entry + 2), count: view.getUint32(entry + 4, true), at: offset + at, bytes });
        }
    }

    /** Has it anything of the answer to this kind of question? @param {number} kind */
    hasKind(kind) {
        return [...this.sections.keys()].some((tag) => tag >> 8 === kind);
    }

    /** @param {number} tag @param {number} type */
    find(tag, type) {
        const section = this.sections.get(tag);
        if (section && section.type !== type) {
            throw new WireError(`section 0x${tag.toString(16)} of the reply has type ${section.type}, not ${type}`);
        }
        return section;
    }

    /** @param {number} tag */
    u8(tag) {
        const section = this.find(tag, TYPE.U8);
        return section ? new Uint8Array(this.buffer, section.at, section.count) : new Uint8Array(0);
    }

    /** @param {number} tag */
    u16(tag) {
        const section = this.find(tag, TYPE.U16);
        return section ? new Uint16Array(this.buffer, section.at, section.count) : new Uint16Array(0);
    }

    /** @param {number} tag */
    u32(tag) {
        const section = this.find(tag, TYPE.U32);
        return section ? new Uint32Array(this.buffer, section.at, section.count) : new Uint32Array(0);
    }

    /** @param {number} tag */
    i32(tag) {
        const section = this.find(tag, TYPE.I32);
        return section ? new Int32Array(this.buffer, section.at, section.count) : new Int32Array(0);
    }

    /** @param {number} tag */
    u64(tag) {
        const section = this.find(tag, TYPE.U64);
        return section ? new BigUint64Array(this.buffer, section.at, section.count) : new BigUint64Array(0);
    }

    /** @param {number} tag */
    i64(tag) {
        const section = this.find(tag, TYPE.I64);
        return section ? new BigInt64Array(this.buffer, section.at, section.count) : new BigInt64Array(0);
    }

    /** @param {number} tag */
    f64(tag) {
        const section = this.find(tag, TYPE.F64);
        return section ? new Float64Array(this.buffer, section.at, section.count) : new Float64Array(0);
    }

    /** @param {number} tag */
    text(tag) {
        const section = this.find(tag, TYPE.TEXT);
        return section ? decoder.decode(new Uint8Array(this.buffer, section.at, section.bytes)) : '';
    }

    /** @param {number} tag @returns {string[]} */
    texts(tag) {
        const section = this.find(tag, TYPE.TEXTS);
        if (!section) {
            return [];
        }
        const offsets = new Uint32Array(this.buffer, section.at, section.count + 1);
        const first = section.at + offsets.byteLength;
        return Array.from({ length: section.count }, (_, i) =>
            decoder.decode(new Uint8Array(this.buffer, first + offsets[i], offsets[i + 1] - offsets[i])));
    }

    /** The one value of a section of one. @param {number} tag @param {number} missing */
    one(tag, missing) {
        const values = this.u32(tag);
        return values.length > 0 ? values[0] : missing;
    }
}

/** @param {ArrayBuffer} buffer @returns {Reply[]} */
export function splitReplies(buffer) {
    const list = [];
    for (let offset = 0; offset < buffer.byteLength;) {
        const reply = new Reply(buffer, offset);
        list.push(reply);
        offset += reply.size;
    }
    return list;
}
