// SPDX-License-Identifier: Apache-2.0
// viewer/src/meter.ts - time of the script per frame

const KEPT = 600;

export class Meter {
    frames = 0;
    private readonly times = new Float64Array(KEPT); // [ms]

    add(milliseconds: number): void {
        this.times[this.frames % KEPT] = milliseconds;
        this.frames++;
    }

    clear(): void {
        this.frames = 0;
    }

    /** Over the last frames: mean, median, 95th percentile, max [ms]. */
    get numbers(): { frames: number; mean: number; median: number; p95: number; max: number } {
        const kept = [...this.times.subarray(0, Math.min(this.frames, KEPT))].sort((a, b) => a - b);
        const at = (share: number) => kept[Math.min(Math.floor(share * kept.length), kept.length - 1)] ?? 0;
        const sum = kept.reduce((total, one) => total + one, 0);
        return {
            frames: this.frames,
            mean: kept.length ? sum / kept.length : 0,
            median: at(0.5),
            p95: at(0.95),
            max: at(1),
        };
    }
}
