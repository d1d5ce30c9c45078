// SPDX-License-Identifier: Apache-2.0
// viewer/src/labels.ts - names of things beside them

import * as THREE from "three";
import type { Frame } from "./frame.ts";
import { drawablesOf, type Layout, type Scene } from "./scene.ts";
import type { View } from "./view.ts";

const MAX = 60; // more would hide the things
const HEIGHT = 18; // [px] of a label

interface Label {
    element: HTMLSpanElement;
    width: number;
    place: (frame: Frame, out: THREE.Vector3) => void;
}

export class Labels {
    private readonly labels: Label[] = [];
    private on = false;

    constructor(
        private readonly root: HTMLElement,
        private readonly view: View,
        scene: Scene,
        layout: Layout,
    ) {
        for (const { kind, index, info } of drawablesOf(scene)) {
            if (info.points === 0) continue;
            const at = layout[kind][index].position + 3 * Math.floor(info.points / 2);
            this.add(info.name, (frame, out) => out.fromArray(frame.words, at));
        }
        scene.bodies.forEach((body, b) => {
            if (body.shapes.every((shape) => shape.kind === "half-space")) return;
            const place = new THREE.Vector3(...body.shapes[0].place);
            this.add(body.name, (_, out) => out.copy(place).applyMatrix4(view.bodies.matrixOf(b)));
        });
        root.hidden = true;
    }

    private add(name: string, place: Label["place"]): void {
        if (this.labels.length >= MAX) return;
        const element = document.createElement("span");
        element.textContent = name;
        this.root.append(element);
        this.labels.push({ element, width: 7 * name.length + 10, place });
    }

    show(on: boolean): void {
        this.on = on;
        this.root.hidden = !on;
    }

    /** Called after every drawing: near labels first; labels that overlap others are hidden. */
    update(frame: Frame): void {
        if (!this.on) return;
        const { camera, canvas } = this.view;
        const width = canvas.clientWidth;
        const height = canvas.clientHeight;
        const point = new THREE.Vector3();
        const seen = this.labels.map((label) => {
            label.place(frame, point);
            point.project(camera);
            const x = (0.5 + 0.5 * point.x) * width + 10;
            const y = (0.5 - 0.5 * point.y) * height - 22;
            return { label, x, y, depth: point.z };
        });
        seen.sort((a, b) => a.depth - b.depth);
        const taken: { x: number; y: number; width: number }[] = [];
        for (const { label, x, y, depth } of seen) {
            const inside = depth < 1 && x > 0 && x < width && y > 0 && y < height;
            const clear = taken.every((other) => Math.abs(other.y - y) > HEIGHT ||
                x > other.x + other.width || other.x > x + label.width);
            label.element.hidden = !(inside && clear);
            if (label.element.hidden) continue;
            taken.push({ x, y, width: label.width });
            label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
        }
    }
}
