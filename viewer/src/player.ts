// SPDX-License-Identifier: Apache-2.0
// viewer/src/player.ts - the time that is shown: playback of recordings, following of live runs

import type { Connection, Status } from "./connection.ts";
import { blendFrames, emptyFrame, type Frame } from "./frame.ts";
import type { Layout, Scene } from "./scene.ts";
import type { Timeline } from "./timeline.ts";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100];
const CHUNK = 48; // frames per request
const KEEP_BYTES = 384e6; // of frames of a recording
const OVERVIEW = 256; // frames of a long recording that are loaded first, for the plots
const SHORTEST = 5; // [s] short recordings are slowed down to about this duration

export class Player {
    playing = false;
    speed = 1; // 0: live, as fast as possible
    time: number;
    /** Live: shows the newest frame. */
    following: boolean;
    status: Status | null = null;
    private index = 0;
    private requested: { from: number; to: number } | null = null; // requested frames
    private requestedAt = 0; // [ms] time of the request
    private overviewed = false; // the coarse overview of a long recording was requested
    private bytes = 0;
    private readonly between: Frame;
    private shown: Frame | null = null;
    private shownTime = NaN;

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
        private readonly timeline: Timeline,
        private readonly connection: Connection | null,
    ) {
        this.following = timeline.live;
        this.time = timeline.live ? scene.start : (timeline.times[0] ?? 0);
        this.between = emptyFrame(layout);
        if (!timeline.live) {
            const span = this.end - this.start;
            this.speed = SPEEDS.findLast((speed) => speed <= 1 && span / speed >= SHORTEST) ?? 0.01;
            if (span === 0) this.speed = 1;
        }
    }

    get speeds(): number[] {
        return this.timeline.live ? [...SPEEDS, 0] : SPEEDS;
    }

    get start(): number {
        return this.timeline.times[0] ?? this.scene.start;
    }

    get end(): number {
        const { times, count } = this.timeline;
        return count > 0 ? times[count - 1] : this.scene.end;
    }

    /** The number of the frame that is shown. */
    get frameNumber(): number {
        return this.index;
    }

    get isPlaying(): boolean {
        if (!this.timeline.live) return this.playing;
        return this.status ? !this.status.paused && !this.status.ended : true;
    }

    // --- requests ------------------------------------------------------------------------------

    toggle(): void {
        if (this.timeline.live) {
            const play = !this.isPlaying;
            this.connection?.send({ do: play ? "play" : "pause" });
            if (play) this.following = true;
            return;
        }
        this.playing = !this.playing;
        if (this.playing && this.time >= this.end) this.goTo(0);
    }

    /** Frames forward or back; a live run makes steps when it shows its newest frame. */
    step(count: number): void {
        if (this.timeline.live && this.following && count > 0) {
            this.connection?.send({ do: "step", count });
            return;
        }
        this.playing = false;
        this.goTo(this.index + count);
        if (this.timeline.live && this.index >= this.timeline.count - 1) this.following = true;
    }

    seek(time: number): void {
        const { times, count } = this.timeline;
        let index = this.timeline.indexAt(time);
        // the nearer of the two
        if (index + 1 < count && times[index + 1] - time < time - times[index]) index++;
        this.goTo(index);
    }

    goTo(index: number): void {
        const { times, count } = this.timeline;
        if (count === 0) return;
        this.index = Math.min(Math.max(index, 0), count - 1);
        this.time = times[this.index];
        if (this.timeline.live) this.following = false;
    }

    follow(): void {
        if (this.timeline.live) this.following = true;
        else this.goTo(this.timeline.count - 1);
    }

    reset(): void {
        if (!this.timeline.live) {
            this.goTo(0);
            return;
        }
        this.connection?.send({ do: "reset" });
        this.following = true;
    }

    setSpeed(speed: number): void {
        this.speed = speed;
        if (this.timeline.live) this.connection?.send({ do: "speed", value: speed });
    }

    faster(by: number): void {
        const { speeds } = this;
        const at = speeds.indexOf(this.speed);
        const next = at < 0 ? SPEEDS.indexOf(1) : Math.min(Math.max(at + by, 0), speeds.length - 1);
        this.setSpeed(speeds[next]);
    }

    // --- frames --------------------------------------------------------------------------------

    /** A frame was received. */
    receive(frame: Frame): void {
        if (this.timeline.live) {
            this.timeline.push(frame);
            return;
        }
        if (!this.timeline.frames[frame.number]) {
            this.bytes += frame.words.byteLength + frame.contacts.byteLength;
        }
        this.timeline.put(frame);
        if (this.bytes > KEEP_BYTES) this.forget();
    }

    /** Advances by wall time [s]; the frame to show if it is another one. */
    tick(seconds: number): Frame | null {
        if (this.timeline.live) return this.tickLive();
        const { times, frames } = this.timeline;
        if (this.playing) {
            this.time += seconds * this.speed;
            if (this.time >= this.end) {
                this.time = this.end;
                this.playing = false;
            }
            this.index = this.timeline.indexAt(this.time);
        }
        this.requestMissing();
        const frame = frames[this.index];
        if (!frame) {
            // wait for it rather than jump
            if (this.playing) this.time = Math.max(times[this.index], this.time - seconds * this.speed);
            return null;
        }
        const next = frames[this.index + 1];
        if (!this.playing || !next || this.time <= frame.time) return this.show(frame, frame.time);
        const share = (this.time - frame.time) / (next.time - frame.time);
        blendFrames(frame, next, Math.min(share, 1), this.layout, this.between);
        return this.show(this.between, this.between.time);
    }

    private tickLive(): Frame | null {
        const { frames, count } = this.timeline;
        if (count === 0) return null;
        if (this.following) this.index = count - 1;
        this.index = Math.min(this.index, count - 1);
        const frame = frames[this.index]!;
        this.time = frame.time;
        return this.show(frame, frame.time);
    }

    private show(frame: Frame, time: number): Frame | null {
        if (frame === this.shown && time === this.shownTime) return null;
        this.shown = frame;
        this.shownTime = time;
        return frame;
    }

    /** The frame on the screen. */
    get current(): Frame | null {
        return this.shown;
    }

    // requests missing frames: first those to show now, then the rest gradually
    private requestMissing(): void {
        if (!this.connection?.connected) {
            this.requested = null;
            return;
        }
        const { frames, count } = this.timeline;
        const missing = !frames[this.index];
        if (this.requested) {
            const { from, to } = this.requested;
            if (performance.now() - this.requestedAt > 5000) this.requested = null; // lost: request again
            else if (frames[to]) this.requested = null;
            else if (!missing || (this.index >= from && this.index <= to)) return;
        }
        // of a long recording, first a coarse overview: there may be no memory for all
        if (!this.overviewed && !missing && count > 2 * OVERVIEW) {
            const every = Math.ceil(count / OVERVIEW);
            const last = every * Math.floor((count - 1) / every);
            this.overviewed = true;
            this.timeline.apart = every;
            this.request(0, last, every);
            return;
        }
        let from = this.index;
        while (from < count && frames[from]) from++;
        if (from === count) {
            from = 0;
            while (from < count && frames[from]) from++;
        }
        if (from === count || (!missing && this.bytes > 0.8 * KEEP_BYTES)) return;
        let to = from;
        while (to + 1 < count && to + 1 < from + CHUNK && !frames[to + 1]) to++;
        this.request(from, to, 1);
    }

    private request(from: number, to: number, every: number): void {
        this.requested = every === 1 ? { from, to } : { from: to, to };
        this.requestedAt = performance.now();
        this.connection?.send({ do: "frames", from, to, every });
    }

    /** Waits until all frames of a recording are loaded, or as many as fit into memory. */
    async whole(): Promise<void> {
        const { frames } = this.timeline;
        for (;;) {
            const full = this.bytes > 0.8 * KEEP_BYTES || !this.connection?.connected;
            if (this.timeline.live || full || frames.every((frame) => frame)) return;
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }

    // a recording larger than the store: drop frames that are far from the current one
    private forget(): void {
        const { frames } = this.timeline;
        for (let away = frames.length; away > CHUNK && this.bytes > 0.7 * KEEP_BYTES; away--) {
            for (const k of [this.index - away, this.index + away]) {
                const frame = frames[k];
                if (!frame) continue;
                this.bytes -= frame.words.byteLength + frame.contacts.byteLength;
                frames[k] = undefined;
            }
        }
    }
}
