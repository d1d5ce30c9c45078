// SPDX-License-Identifier: Apache-2.0
// viewer/src/video.ts - records the picture as a video, through the browser

const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const BITS = 12e6; // per second: thin lines stay sharp

/** Records a canvas until it is stopped. */
export class Video {
    private recorder: MediaRecorder | null = null;
    private parts: Blob[] = [];

    get running(): boolean {
        return this.recorder !== null;
    }

    /** Throws when the browser cannot record. */
    start(canvas: HTMLCanvasElement): void {
        if (typeof MediaRecorder === "undefined" || !canvas.captureStream) {
            throw new Error("this browser cannot record videos");
        }
        const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
        if (!mimeType) throw new Error("this browser has no video format");
        this.parts = [];
        this.recorder = new MediaRecorder(canvas.captureStream(60), { mimeType, videoBitsPerSecond: BITS });
        this.recorder.ondataavailable = (event) => this.parts.push(event.data);
        this.recorder.start(500);
    }

    /** The video and the ending of its name. */
    stop(): Promise<{ blob: Blob; ending: string }> {
        const recorder = this.recorder!;
        this.recorder = null;
        return new Promise((resolve) => {
            recorder.onstop = () => {
                const type = recorder.mimeType.split(";")[0];
                for (const track of recorder.stream.getTracks()) track.stop();
                resolve({ blob: new Blob(this.parts, { type }), ending: type === "video/mp4" ? ".mp4" : ".webm" });
            };
            recorder.stop();
        });
    }
}
