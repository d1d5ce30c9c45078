// SPDX-License-Identifier: Apache-2.0
// viewer/src/frame.ts - one frame of a run, as in the stream (docs/viewer-stream.md)

import type { Layout } from "./scene.ts";

const HEAD_BYTES = 32;
const MAGIC = 0x3146564c; // "LVF1", little endian

export const FLAG_PAUSED = 1;
export const FLAG_ENDED = 2;
export const FLAG_RESET = 4;

/** Whether a word of a contact is the number of a thing or part; the others are real numbers. */
export function isNumber(word: number): boolean {
    return word >= 8 && word < 12;
}

export interface Frame {
    number: number; // of the frame, or of the step in a live run
    flags: number;
    time: number; // [s]
    words: Float32Array; // the fixed part, see Layout
    contactCount: number;
    contactWords: number; // of each contact: 12, or 16 with patches
    contacts: Float32Array; // [contactWords*contactCount]
    contactIds: Uint32Array; // the same bytes
}

/** Reads a frame without copying its numbers; throws when it does not fit the description. */
export function decodeFrame(buffer: ArrayBuffer, layout: Layout): Frame {
    if (buffer.byteLength < HEAD_BYTES) {
        throw new Error(`a frame of ${buffer.byteLength} bytes is too short`);
    }
    const head = new DataView(buffer, 0, HEAD_BYTES);
    if (head.getUint32(0, true) !== MAGIC) throw new Error("a message is not a frame");
    const contactCount = head.getUint32(24, true);
    const expected = HEAD_BYTES + 4 * (layout.words + layout.contactWords * contactCount);
    if (head.getUint32(4, true) !== expected || buffer.byteLength !== expected) {
        throw new Error(`a frame has ${buffer.byteLength} bytes, must have ${expected}`);
    }
    const tail = HEAD_BYTES + 4 * layout.words;
    return {
        number: head.getUint32(8, true),
        flags: head.getUint32(12, true),
        time: head.getFloat64(16, true),
        words: new Float32Array(buffer, HEAD_BYTES, layout.words),
        contactCount,
        contactWords: layout.contactWords,
        contacts: new Float32Array(buffer, tail, layout.contactWords * contactCount),
        contactIds: new Uint32Array(buffer, tail, layout.contactWords * contactCount),
    };
}

/** The inverse: for tests, and for saving a run. */
export function encodeFrame(frame: Frame): ArrayBuffer {
    const bytes = HEAD_BYTES + 4 * (frame.words.length + frame.contacts.length);
    const buffer = new ArrayBuffer(bytes);
    const head = new DataView(buffer);
    head.setUint32(0, MAGIC, true);
    head.setUint32(4, bytes, true);
    head.setUint32(8, frame.number, true);
    head.setUint32(12, frame.flags, true);
    head.setFloat64(16, frame.time, true);
    head.setUint32(24, frame.contactCount, true);
    new Float32Array(buffer, HEAD_BYTES, frame.words.length).set(frame.words);
    const tail = HEAD_BYTES + 4 * frame.words.length;
    new Uint32Array(buffer, tail, frame.contactIds.length).set(frame.contactIds);
    return buffer;
}

/** Interpolates two frames, 0 <= f <= 1, for slow motion. Contacts are of the nearer frame. */
export function blendFrames(a: Frame, b: Frame, f: number, layout: Layout, out: Frame): void {
    const near = f < 0.5 ? a : b;
    const from = a.words;
    const to = b.words;
    const words = out.words;
    for (let i = 0; i < layout.words; i++) words[i] = from[i] + f * (to[i] - from[i]);
    // quaternions q and -q are the same rotation: takes the shorter path
    for (const at of layout.bodies) {
        if (at < 0) continue;
        let dot = 0;
        for (let c = 3; c < 7; c++) dot += from[at + c] * to[at + c];
        const sign = dot < 0 ? -1 : 1;
        let square = 0;
        for (let c = 3; c < 7; c++) {
            words[at + c] = (1 - f) * from[at + c] + f * sign * to[at + c];
            square += words[at + c] ** 2;
        }
        for (let c = 3; c < 7; c++) words[at + c] /= Math.sqrt(square) || 1;
    }
    out.time = a.time + f * (b.time - a.time);
    out.number = near.number;
    out.flags = near.flags;
    out.contactCount = near.contactCount;
    out.contactWords = near.contactWords;
    out.contacts = near.contacts;
    out.contactIds = near.contactIds;
}

export function emptyFrame(layout: Layout): Frame {
    return {
        number: 0,
        flags: 0,
        time: 0,
        words: new Float32Array(layout.words),
        contactCount: 0,
        contactWords: layout.contactWords,
        contacts: new Float32Array(0),
        contactIds: new Uint32Array(0),
    };
}
