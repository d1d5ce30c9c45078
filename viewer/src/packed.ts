// SPDX-License-Identifier: Apache-2.0
// viewer/src/packed.ts - the packed form of a whole run, as in single HTML files
//
// Quantised channels, stored as zigzag-coded differences over time in planes of bytes
// (docs/viewer-stream.md, "Packed form").

import { type Frame, isNumber } from "./frame.ts";
import { layoutOf, readScene, type Scene } from "./scene.ts";

export interface Channel {
    count: number;
    low: number;
    step: number;
    bytes: number; // 1, 2 or 4
    order: number; // 0, 1 or 2
}

interface PackedHead {
    scene: unknown;
    frames: number;
    words: number;
    channels: Channel[];
    contacts: { counts: number[]; channels: Channel[] };
}

export interface PackedRun {
    scene: Scene;
    frames: Frame[];
}

/** The whole numbers q [rows][count] of a channel from its bytes, which start at `at`. */
export function unpackChannel(
    bytes: Uint8Array,
    at: number,
    channel: Channel,
    rows: number,
): Uint32Array {
    const { count, order } = channel;
    const total = rows * count;
    if (at + total * channel.bytes > bytes.length) throw new Error("the packed run is cut off");
    const q = new Uint32Array(total);
    const mask = channel.bytes === 4 ? 0xffffffff : 2 ** (8 * channel.bytes) - 1;
    // gather the planes, then undo the zigzag code: even numbers are positive, odd ones negative
    for (let b = 0; b < channel.bytes; b++) {
        const plane = at + b * total;
        for (let i = 0; i < total; i++) q[i] |= bytes[plane + i] << (8 * b);
    }
    for (let i = 0; i < total; i++) q[i] = (q[i] >>> 1) ^ -(q[i] & 1);
    // sum up over time, modulo the size of the numbers
    for (let i = 0; i < total; i++) {
        const one = i >= count ? q[i - count] : 0;
        const two = i >= 2 * count ? q[i - 2 * count] : 0;
        const before = order === 1 ? one : order === 2 ? 2 * one - two : 0;
        q[i] = (q[i] + before) & mask;
    }
    return q;
}

/** Base64 to bytes. */
export function fromBase64(text: string): Uint8Array {
    const binary = atob(text.trim());
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
    const source = new Blob([bytes as BlobPart]).stream();
    const stream = source.pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The text of a single HTML file: base64 of a zlib stream. */
export async function unpackText(text: string): Promise<PackedRun> {
    return unpackRun(await inflate(fromBase64(text)));
}

/** The bytes inside that stream. */
export function unpackRun(bytes: Uint8Array): PackedRun {
    if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== "LVP1") {
        throw new Error("the data of the run are damaged");
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = view.getUint32(4, true);
    const text = new TextDecoder().decode(bytes.subarray(8, 8 + length));
    const head = JSON.parse(text) as PackedHead;
    const scene = readScene(head.scene);
    const { words, frames: count } = head;
    const layout = layoutOf(scene);
    if (layout.words !== words) {
        throw new Error(`frames have ${words} words, the description says ${layout.words}`);
    }

    // the fixed parts of all frames, in one block
    const all = new Float32Array(words * count);
    let at = 8 + length;
    let word = 0;
    for (const channel of head.channels) {
        const q = unpackChannel(bytes, at, channel, count);
        for (let k = 0; k < count; k++) {
            const to = k * words + word;
            const from = k * channel.count;
            for (let i = 0; i < channel.count; i++) {
                all[to + i] = channel.low + channel.step * q[from + i];
            }
        }
        at += count * channel.count * channel.bytes;
        word += channel.count;
    }
    if (word !== words) throw new Error(`channels hold ${word} words of ${words}`);

    const width = layout.contactWords;
    const contacts = unpackContacts(bytes, at, head.contacts, width);
    const frames: Frame[] = [];
    let first = 0;
    for (let k = 0; k < count; k++) {
        const rows = head.contacts.counts[k] ?? 0;
        const from = width * first;
        const to = width * (first + rows);
        frames.push({
            number: k,
            flags: 0,
            time: scene.times[k],
            words: all.subarray(k * words, (k + 1) * words),
            contactCount: rows,
            contactWords: width,
            contacts: contacts.values.subarray(from, to),
            contactIds: contacts.ids.subarray(from, to),
        });
        first += rows;
    }
    return { scene, frames };
}

function unpackContacts(bytes: Uint8Array, at: number, head: PackedHead["contacts"], width: number) {
    const rows = head.counts.reduce((sum, n) => sum + n, 0);
    const values = new Float32Array(width * rows);
    const ids = new Uint32Array(values.buffer);
    head.channels.forEach((channel, word) => {
        const q = unpackChannel(bytes, at, channel, rows);
        for (let k = 0; k < rows; k++) {
            if (isNumber(word)) ids[width * k + word] = q[k];
            else values[width * k + word] = channel.low + channel.step * q[k];
        }
        at += rows * channel.bytes;
    });
    return { values, ids };
}
