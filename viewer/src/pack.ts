// SPDX-License-Identifier: Apache-2.0
// viewer/src/pack.ts - the frames of the page as a single HTML file: the inverse of packed.ts

import { type Frame, isNumber } from "./frame.ts";
import type { Channel } from "./packed.ts";
import { drawablesOf, type Layout, type Scene, type Vec3, VERSION } from "./scene.ts";

const LEVELS = 60000; // between min and max of a channel
const DIRECTION_STEP = 1 / 1023;
const PLACE = ["LITHE", "RUN", "DATA"].join("_"); // in pieces: the page has the word only once

/** A value by row and column. */
type Values = (row: number, i: number) => number;

function channelOf(rows: number, count: number, value: Values): Channel {
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < rows; k++) {
        for (let i = 0; i < count; i++) {
            low = Math.min(low, value(k, i));
            high = Math.max(high, value(k, i));
        }
    }
    const step = high > low ? (high - low) / LEVELS : 0;
    return { count, low: low <= high ? low : 0, step, bytes: 2, order: 1 };
}

/** Byte planes of the zigzag-coded differences from row to row. */
export function packChannel(channel: Channel, rows: number, value: Values): Uint8Array {
    const { count, low, step, bytes } = channel;
    const size = rows * count;
    const planes = new Uint8Array(size * bytes);
    const most = 2 ** (8 * bytes) - 1;
    for (let i = 0; i < count; i++) {
        let before = 0;
        for (let k = 0; k < rows; k++) {
            const q = step > 0 ? Math.round((value(k, i) - low) / step) : 0;
            const now = Math.min(Math.max(q, 0), most);
            // a signed number of the given size in bytes, zigzag-coded
            const sign = bytes === 2 ? ((now - before) << 16) >> 16 : (now - before) | 0;
            const folded = (sign << 1) ^ (sign >> 31);
            for (let b = 0; b < bytes; b++) planes[b * size + k * count + i] = folded >>> (8 * b);
            before = now;
        }
    }
    return planes;
}

/** Sizes of the channels of a frame, in order; directions are coarser. */
function* parts(scene: Scene): Generator<{ count: number; direction?: boolean }> {
    for (const { info, edges } of drawablesOf(scene)) {
        yield { count: 3 * info.points };
        if (edges > 0) yield { count: 3 * edges, direction: true };
        for (const _ of info.fields) yield { count: info.points };
    }
    for (const body of scene.bodies) if (body.moves) yield* [{ count: 3 }, { count: 4 }];
    for (const _ of scene.constraints) yield* [{ count: 1 }, { count: 3 }, { count: 3 }];
    for (const _ of scene.series) yield { count: 1 };
}

function packContacts(frames: Frame[]): { channels: Channel[]; planes: Uint8Array[] } {
    const channels: Channel[] = [];
    const planes: Uint8Array[] = [];
    const width = frames[0]?.contactWords ?? 12;
    for (let word = 0; word < width; word++) {
        const column: number[] = [];
        for (const frame of frames) {
            const from = isNumber(word) ? frame.contactIds : frame.contacts;
            for (let k = 0; k < frame.contactCount; k++) column.push(from[width * k + word]);
        }
        const value = (row: number) => column[row];
        const channel = channelOf(column.length, 1, value);
        if (isNumber(word)) {
            const wide = column.some((id) => id > 65535);
            Object.assign(channel, { low: 0, step: 1, bytes: wide ? 4 : 2 });
        }
        channels.push(channel);
        planes.push(packChannel(channel, column.length, value));
    }
    return { channels, planes };
}

// the bounds of all frames
function boundsOf(scene: Scene, layout: Layout, frames: Frame[]): Scene["bounds"] {
    const low: Vec3 = [...scene.bounds.low];
    const high: Vec3 = [...scene.bounds.high];
    const drawables = drawablesOf(scene);
    for (const { words } of frames) {
        const see = (at: number) => {
            for (let c = 0; c < 3; c++) {
                low[c] = Math.min(low[c], words[at + c]);
                high[c] = Math.max(high[c], words[at + c]);
            }
        };
        for (const { kind, index, info } of drawables) {
            const at = layout[kind][index].position;
            for (let k = 0; k < info.points; k++) see(at + 3 * k);
        }
        for (const at of layout.bodies) if (at >= 0) see(at);
    }
    return { low, high };
}

/** The bytes that unpackRun reads. */
export function packRun(scene: Scene, layout: Layout, frames: Frame[]): Uint8Array[] {
    const channels: Channel[] = [];
    const planes: Uint8Array[] = [];
    let at = 0;
    for (const { count, direction } of parts(scene)) {
        const from = at;
        const value = (row: number, i: number) => frames[row].words[from + i];
        const channel = channelOf(frames.length, count, value);
        if (direction) Object.assign(channel, { low: -1, step: DIRECTION_STEP });
        channels.push(channel);
        planes.push(packChannel(channel, frames.length, value));
        at += count;
    }
    const contacts = packContacts(frames);
    const times = frames.map((frame) => frame.time);
    const text = JSON.stringify({
        scene: {
            ...scene,
            format: "lithe-view",
            version: VERSION,
            mode: "file",
            times,
            start: times[0],
            end: times[times.length - 1],
            bounds: boundsOf(scene, layout, frames),
            controls: { keys: [], axes: [] },
        },
        frames: frames.length,
        words: layout.words,
        channels,
        contacts: { counts: frames.map((frame) => frame.contactCount), channels: contacts.channels },
    });
    const json = new TextEncoder().encode(text);
    const head = new Uint8Array(8 + 4 * Math.ceil(json.length / 4)).fill(32);
    head.set(new TextEncoder().encode("LVP1"));
    new DataView(head.buffer).setUint32(4, head.length - 8, true);
    head.set(json, 8);
    return [head, ...planes, ...contacts.planes];
}

function toBase64(bytes: Uint8Array): string {
    let text = "";
    for (let i = 0; i < bytes.length; i += 0x6000) {
        text += btoa(String.fromCharCode(...bytes.subarray(i, i + 0x6000)));
    }
    return text;
}

/** The page for single files, with a run in it. */
export async function htmlOf(page: string, run: Uint8Array[]): Promise<string> {
    if (page.split(PLACE).length !== 2) throw new Error("the server has no page for single files");
    const stream = new Blob(run as BlobPart[]).stream()
        .pipeThrough(new CompressionStream("deflate"));
    const packed = new Uint8Array(await new Response(stream).arrayBuffer());
    return page.replace(PLACE, () => toBase64(packed));
}
