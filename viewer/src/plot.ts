// SPDX-License-Identifier: Apache-2.0
// viewer/src/plot.ts - one quantity over time, with a cursor; a click goes to that time

import { lineColour } from "./colour.ts";
import { prefixed, prettyUnit, short, tickLabels, ticks } from "./number.ts";
import type { QuantityInfo } from "./scene.ts";

const LEFT = 40; // [px] min width for the numbers
const BOTTOM = 16;
const TOP = 5;
const RIGHT = 6;

export interface PlotData {
    times: ArrayLike<number>;
    values: ArrayLike<number>;
}

/**
 * The lines of a plot of a given width in pixels: where many points are in one pixel, first,
 * lowest, highest and last of them, so that no peak is lost. Each line is a list of pairs time,
 * value. NaN is not known: where more than `apart` points follow each other without a value
 * between them, the line has a gap.
 */
export function reduce(
    data: PlotData, from: number, to: number, pixels: number, apart = 1,
): number[][] {
    const { times, values } = data;
    const lines: number[][] = [];
    let known: number[] = [];
    for (let k = 0; k < times.length; k++) {
        if (Number.isNaN(values[k])) continue;
        if (known.length > 0 && k - known[known.length - 1] > apart) {
            lines.push(reduceLine(data, known, from, to, pixels));
            known = [];
        }
        known.push(k);
    }
    if (known.length > 0) lines.push(reduceLine(data, known, from, to, pixels));
    return lines;
}

// one line through the points with these numbers
function reduceLine(
    { times, values }: PlotData, known: number[], from: number, to: number, pixels: number,
): number[] {
    const count = known.length;
    const out: number[] = [];
    if (count <= 3 * pixels) {
        for (const k of known) out.push(times[k], values[k]);
        return out;
    }
    const width = (to - from) / pixels || 1;
    const column = (i: number) => Math.floor((times[known[i]] - from) / width);
    for (let i = 0; i < count;) {
        const here = column(i);
        let low = i;
        let high = i;
        let end = i;
        while (end + 1 < count && column(end + 1) === here) {
            end++;
            if (values[known[end]] < values[known[low]]) low = end;
            if (values[known[end]] > values[known[high]]) high = end;
        }
        const picked = [...new Set([i, low, high, end])].sort((a, b) => a - b);
        for (const one of picked) out.push(times[known[one]], values[known[one]]);
        i = end + 1;
    }
    return out;
}

export class Plot {
    readonly element = document.createElement("article");
    onSeek: (time: number) => void = () => {};
    onClose: () => void = () => {};
    private readonly canvas = document.createElement("canvas");
    private readonly area = document.createElement("div");
    private readonly cursor = document.createElement("div");
    private readonly value = document.createElement("span");
    private from = 0;
    private to = 1;
    private shown = "";

    constructor(
        readonly series: number,
        private readonly info: QuantityInfo,
        along = "over time", // what the horizontal axis is
    ) {
        const name = document.createElement("span");
        const close = document.createElement("button");
        const header = document.createElement("header");
        this.element.className = "chart";
        this.element.dataset.series = info.name;
        name.className = "name";
        name.textContent = info.name;
        name.title = `${info.name} ${along}`;
        this.value.className = "value";
        close.type = "button";
        close.title = "Remove";
        close.setAttribute("aria-label", `Remove the plot of ${info.name}`);
        close.innerHTML = '<svg><use href="#i-close"/></svg>';
        close.onclick = () => this.onClose();
        header.append(name, this.value, close);
        this.area.className = "area";
        this.cursor.className = "cursor";
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", `${info.name} ${along}`);
        this.area.append(this.canvas, this.cursor);
        this.element.append(header, this.area);
        const seek = (event: PointerEvent) => {
            const box = this.area.getBoundingClientRect();
            const share = (event.clientX - box.left - this.left) / (box.width - this.left - RIGHT);
            this.onSeek(this.from + Math.min(Math.max(share, 0), 1) * (this.to - this.from));
        };
        this.area.onpointerdown = (event) => {
            this.area.setPointerCapture(event.pointerId);
            seek(event);
        };
        this.area.onpointermove = (event) => {
            if (this.area.hasPointerCapture(event.pointerId)) seek(event);
        };
    }

    /** Moves the cursor; cheap, for every frame. */
    setTime(time: number, value: number): void {
        const share = Math.min(Math.max((time - this.from) / (this.to - this.from), 0), 1);
        const wide = this.width - this.left - RIGHT;
        this.cursor.style.transform = `translateX(${(this.left + share * wide).toFixed(1)}px)`;
        const scale = prefixed(Math.abs(value), this.info.unit);
        const text = `${short(value * scale.factor)} ${prettyUnit(scale.unit)}`;
        if (text !== this.shown) this.value.textContent = this.shown = text;
    }

    private width = 280;
    private left = LEFT;

    draw(data: PlotData, from: number, to: number, dark: boolean, apart = 1): void {
        this.from = from;
        this.to = to > from ? to : from + 1;
        const width = this.area.clientWidth || 280;
        const height = this.area.clientHeight || 92;
        this.width = width;
        const ratio = Math.min(devicePixelRatio || 1, 3);
        if (this.canvas.width !== Math.round(width * ratio)) {
            this.canvas.width = Math.round(width * ratio);
            this.canvas.height = Math.round(height * ratio);
        }
        const pen = this.canvas.getContext("2d")!;
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        pen.clearRect(0, 0, width, height);

        const lines = reduce(data, this.from, this.to, width - LEFT - RIGHT, apart);
        let low = Infinity;
        let high = -Infinity;
        for (const points of lines) {
            for (let i = 1; i < points.length; i += 2) {
                if (points[i] < low) low = points[i];
                if (points[i] > high) high = points[i];
            }
        }
        if (!(low <= high)) low = high = 0;
        // the range includes zero unless the values are far from it
        if (low > 0 && low < 0.6 * high) low = 0;
        if (high < 0 && high > 0.6 * low) high = 0;
        if (low === high) {
            low -= 0.5 * Math.abs(low);
            high += 0.5 * Math.abs(high) || 1;
        }
        const values = ticks(low, high, 3);
        const scale = prefixed(Math.max(Math.abs(low), Math.abs(high)), this.info.unit);
        const labels = tickLabels(values.map((value) => value * scale.factor));
        pen.font = `10px ${getComputedStyle(this.element).fontFamily}`;
        const widest = Math.max(...labels.map((label) => pen.measureText(label).width), 0);
        this.left = Math.max(LEFT, Math.ceil(widest) + 8);
        const x = (t: number) =>
            this.left + ((t - this.from) / (this.to - this.from)) * (width - this.left - RIGHT);
        const y = (v: number) => TOP + (1 - (v - low) / (high - low)) * (height - TOP - BOTTOM);
        this.axes(pen, x, y, values, labels, width, height);
        this.lines(pen, lines, x, y, dark);
    }

    private axes(pen: CanvasRenderingContext2D, x: (t: number) => number, y: (v: number) => number,
        values: number[], labels: string[], width: number, height: number): void {
        const style = getComputedStyle(this.element);
        pen.fillStyle = style.getPropertyValue("--quiet");
        pen.strokeStyle = style.getPropertyValue("--line");
        pen.lineWidth = 1;
        pen.textAlign = "right";
        pen.textBaseline = "middle";
        pen.beginPath();
        for (const [i, value] of values.entries()) {
            const at = Math.round(y(value)) + 0.5;
            pen.moveTo(this.left, at);
            pen.lineTo(width - RIGHT, at);
            pen.fillText(labels[i], this.left - 6, at);
        }
        pen.stroke();
        pen.textBaseline = "alphabetic";
        const times = ticks(this.from, this.to, 4);
        const clock = tickLabels(times);
        for (const [i, time] of times.entries()) {
            const at = x(time);
            pen.textAlign = at > width - 24 ? "right" : at < this.left + 8 ? "left" : "center";
            pen.fillText(clock[i], Math.min(at, width), height - 3);
        }
    }

    private lines(pen: CanvasRenderingContext2D, lines: number[][], x: (t: number) => number,
        y: (v: number) => number, dark: boolean): void {
        pen.strokeStyle = pen.fillStyle = lineColour(this.series, dark);
        pen.lineWidth = 1.5;
        pen.lineJoin = "round";
        pen.beginPath();
        for (const points of lines) {
            for (let i = 0; i < points.length; i += 2) {
                if (i === 0) pen.moveTo(x(points[i]), y(points[i + 1]));
                else pen.lineTo(x(points[i]), y(points[i + 1]));
            }
            // a value between two gaps is a dot
            if (points.length === 2) pen.fillRect(x(points[0]) - 1, y(points[1]) - 1, 2, 2);
        }
        pen.stroke();
    }
}
