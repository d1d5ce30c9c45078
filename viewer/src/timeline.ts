// SPDX-License-Identifier: Apache-2.0
// viewer/src/timeline.ts - the frames of the page: of a recording, or those received from a live
// run

import type { Frame } from "./frame.ts";
import { solid } from "./number.ts";
import { type Drawable, drawablesOf, fieldWord, type Layout, type Scene } from "./scene.ts";

const FRAME_BYTES = 192e6; // memory for frames of a live run; when it is full, every other one is dropped
const POINTS = 30000; // max points of a plot; when it is full, every other one is dropped

export class Timeline {
    times: number[];
    frames: (Frame | undefined)[];
    /** Over time: times and, for each series, values. */
    plotTimes: number[] = [];
    readonly plotValues: Float64Array[] | number[][];
    /** Min and max of each field so far. */
    readonly low: number[];
    readonly high: number[];
    readonly live: boolean;
    version = 0; // increases when plots have new points
    /** Points of a plot that a line connects although values between them are not known. */
    apart = 1;
    /** Largest force of a contact or constraint so far, and largest tension [N]. */
    largestForce = 0;
    private stride = 1; // live: interval of the frames that are kept
    private plotStride = 1;
    private seen = 0;
    private bytes = 0;
    private readonly drawables: Drawable[];

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
    ) {
        this.live = scene.mode === "live";
        this.drawables = drawablesOf(scene);
        this.times = this.live ? [] : [...scene.times];
        this.frames = this.times.map(() => undefined);
        this.low = scene.fields.map(() => Infinity);
        this.high = scene.fields.map(() => -Infinity);
        if (this.live) {
            this.plotValues = scene.series.map(() => [] as number[]);
        } else {
            this.plotTimes = this.times;
            this.plotValues = scene.series.map(() => new Float64Array(this.times.length).fill(NaN));
        }
    }

    get count(): number {
        return this.times.length;
    }

    /** A frame of a recording. */
    put(frame: Frame): void {
        if (frame.number >= this.count) return;
        this.frames[frame.number] = frame;
        this.see(frame);
        for (let s = 0; s < this.scene.series.length; s++) {
            this.plotValues[s][frame.number] = solid(frame.words[this.layout.series + s]);
        }
        this.version++;
    }

    /** The next frame of a live run. */
    push(frame: Frame): void {
        // back in time: the run was started again
        if (this.count > 0 && frame.time < this.times[this.count - 1]) this.clear();
        this.see(frame);
        const number = this.seen++;
        if (number % this.plotStride === 0) {
            this.plotTimes.push(frame.time);
            const values = this.plotValues as number[][];
            for (let s = 0; s < values.length; s++) {
                values[s].push(solid(frame.words[this.layout.series + s]));
            }
            if (this.plotTimes.length > POINTS) this.thinPlots();
            this.version++;
        }
        if (number % this.stride !== 0) return;
        this.frames.push(frame);
        this.times.push(frame.time);
        this.bytes += frame.words.byteLength + frame.contacts.byteLength;
        if (this.bytes > FRAME_BYTES) this.thinFrames();
    }

    /** Live: frames from here to the next one were lost; plots have a gap. */
    lose(): void {
        if (!this.live || this.plotTimes.length === 0) return;
        this.plotTimes.push(this.plotTimes[this.plotTimes.length - 1]);
        for (const values of this.plotValues as number[][]) values.push(NaN);
        this.version++;
    }

    clear(): void {
        this.times = [];
        this.frames = [];
        this.plotTimes = [];
        for (const values of this.plotValues as number[][]) values.length = 0;
        this.stride = this.plotStride = 1;
        this.seen = this.bytes = 0;
        this.version++;
    }

    /** The number of the last frame at or before a time; 0 before the first. */
    indexAt(time: number): number {
        let low = 0;
        let high = this.count - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.times[middle] <= time) low = middle;
            else high = middle - 1;
        }
        return Math.max(low, 0);
    }

    /** Min and max of a field in one frame. */
    fieldRange(frame: Frame, field: number): [number, number] {
        let low = Infinity;
        let high = -Infinity;
        for (const { kind, index, info } of this.drawables) {
            const at = fieldWord(info, this.layout[kind][index], field);
            for (let k = at; at >= 0 && k < at + info.points; k++) {
                const value = frame.words[k];
                if (value < low) low = value;
                if (value > high) high = value;
            }
        }
        return [low, high];
    }

    private see(frame: Frame): void {
        for (let f = 0; f < this.scene.fields.length; f++) {
            const [low, high] = this.fieldRange(frame, f);
            if (low < this.low[f]) this.low[f] = low;
            if (high > this.high[f]) this.high[f] = high;
        }
        this.seeForces(frame);
    }

    private seeForces(frame: Frame): void {
        const see = (x: number, y: number, z: number) => {
            this.largestForce = Math.max(this.largestForce, Math.hypot(x, y, z) || 0);
        };
        const { contacts, words } = frame;
        for (let k = 0; k < contacts.length; k += frame.contactWords) {
            see(contacts[k + 3], contacts[k + 4], contacts[k + 5]);
        }
        for (let k = 0; k < this.scene.constraints.length; k++) {
            const at = this.layout.constraints + 7 * k;
            if (words[at]) see(words[at + 4], words[at + 5], words[at + 6]);
        }
        const tension = this.scene.fields.findIndex((field) => field.name === "tension");
        if (tension >= 0 && this.low[tension] <= this.high[tension]) {
            see(Math.max(-this.low[tension], this.high[tension]), 0, 0);
        }
    }

    private thinFrames(): void {
        const even = <T>(_: T, k: number) => k % 2 === 0;
        this.frames = this.frames.filter(even);
        this.times = this.times.filter(even);
        this.stride *= 2;
        this.bytes = this.frames.reduce(
            (sum, frame) => sum + frame!.words.byteLength + frame!.contacts.byteLength, 0);
    }

    private thinPlots(): void {
        const even = (_: number, k: number) => k % 2 === 0;
        this.plotTimes = this.plotTimes.filter(even);
        const values = this.plotValues as number[][];
        for (let s = 0; s < values.length; s++) {
            // a gap stays a gap
            values[s] = values[s].map((value, k, all) => (Number.isNaN(all[k + 1]) ? NaN : value)).filter(even);
        }
        this.plotStride *= 2;
    }
}
