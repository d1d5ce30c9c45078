// SPDX-License-Identifier: Apache-2.0
// viewer/src/gauge.ts - scale bar and triad: the size and the orientation of the picture

import * as THREE from "three";
import { quantity } from "./number.ts";

const BAR = 110; // [px] longest bar
const ARM = 24; // [px] length of an axis of the triad
const AXES = [["x", "#d0442e"], ["y", "#3f8f3a"], ["z", "#2f66c8"]] as const;

/** The largest of 1, 2, 5, 10, ... that is not above `most`. */
export function roundDown(most: number): number {
    const power = 10 ** Math.floor(Math.log10(most));
    const lead = most / power;
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
}

export class Gauge {
    private readonly bar: HTMLElement;
    private readonly text: HTMLElement;
    private readonly arms: { line: SVGLineElement; name: SVGTextElement }[] = [];
    private shown = "";

    constructor(root: HTMLElement) {
        const make = <K extends keyof SVGElementTagNameMap>(name: K) =>
            document.createElementNS("http://www.w3.org/2000/svg", name);
        const triad = make("svg");
        triad.setAttribute("viewBox", "-36 -36 72 72");
        triad.setAttribute("class", "triad");
        for (const [name, colour] of AXES) {
            const line = make("line");
            const text = make("text");
            line.setAttribute("stroke", colour);
            text.setAttribute("fill", colour);
            text.textContent = name;
            triad.append(line, text);
            this.arms.push({ line, name: text });
        }
        this.bar = document.createElement("div");
        this.text = document.createElement("span");
        this.bar.className = "bar";
        root.replaceChildren(triad, this.bar, this.text);
    }

    /** After every drawing: `pixel` is metres per pixel at the target of the camera. */
    update(camera: THREE.Camera, pixel: number): void {
        const length = roundDown(BAR * pixel);
        const turn = camera.matrixWorldInverse;
        const key = [length / pixel, ...turn.elements.slice(0, 11)].map((v) => v.toFixed(3)).join(" ");
        if (key === this.shown) return;
        this.shown = key;
        this.bar.style.width = `${(length / pixel).toFixed(1)}px`;
        this.text.textContent = length >= 1000 ? quantity(length, "m")
            : length >= 1 ? `${length} m`
            : length >= 0.01 ? `${Math.round(100 * length)} cm`
            : quantity(length, "m");
        // axes that point away are drawn first, and pale
        this.arms.forEach(({ line, name }, k) => {
            const [x, y, z] = turn.elements.slice(4 * k, 4 * k + 3);
            line.setAttribute("x2", (ARM * x).toFixed(1));
            line.setAttribute("y2", (-ARM * y).toFixed(1));
            name.setAttribute("x", ((ARM + 8) * x).toFixed(1));
            name.setAttribute("y", (-(ARM + 8) * y + 3.5).toFixed(1));
            line.style.opacity = name.style.opacity = z < -0.3 ? "0.45" : "1";
        });
    }
}
