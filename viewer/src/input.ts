// SPDX-License-Identifier: Apache-2.0
// viewer/src/input.ts - keys, gamepad, and pulling on things with the pointer

import * as THREE from "three";
import type { Connection } from "./connection.ts";
import type { Frame } from "./frame.ts";
import { onPlane, type Pick, pick } from "./pick.ts";
import type { Layout, Scene } from "./scene.ts";
import type { View } from "./view.ts";

const MOUSE_SLACK = 8; // [px] max distance of the pointer from a thin thing
const TOUCH_SLACK = 22;
const CLICK_SLACK = 4; // [px] a pointer that moves farther drags
const MOVES_PER_SECOND = 60;

/** Pulls with the tool selected, or with Shift held, on anything that moves in a live run. */
export class Puller {
    tool = false;
    /** The last thing pointed at, held or not. */
    found: { thing: string; part?: number; at?: number[] } | null = null;
    private held: Pick | null = null;
    private to = new THREE.Vector3();
    private pointer = -1;
    private lastSent = 0;
    onHint: (text: string) => void = () => {};

    constructor(
        private readonly view: View,
        private readonly scene: Scene,
        private readonly layout: Layout,
        private readonly connection: Connection | null,
        private readonly current: () => Frame | null,
    ) {
        const { canvas } = view;
        canvas.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
        canvas.addEventListener("pointermove", (event) => this.moved(event), { capture: true });
        canvas.addEventListener("pointerup", (event) => this.up(event), { capture: true });
        canvas.addEventListener("pointercancel", (event) => this.up(event), { capture: true });
    }

    get grabbed(): Pick | null {
        return this.held;
    }

    private down(event: PointerEvent): void {
        const frame = this.current();
        if (event.button !== 0 || !(this.tool || event.shiftKey) || !frame || this.held) return;
        const slack = event.pointerType === "touch" ? TOUCH_SLACK : MOUSE_SLACK;
        const found = pick(this.view, this.scene, this.layout, frame,
            event.offsetX, event.offsetY, slack);
        if (!found) return; // rotate the view instead
        this.found = { thing: found.thing, ...found.hold };
        event.stopImmediatePropagation();
        event.preventDefault();
        if (this.scene.mode !== "live") {
            this.onHint("A recording cannot be pulled on: run the scene with --view");
            return;
        }
        this.held = found;
        this.pointer = event.pointerId;
        this.view.canvas.setPointerCapture(event.pointerId);
        this.to.copy(found.point);
        const to = this.to.toArray();
        this.connection?.send({ do: "grab", ...this.found, to });
        this.drawn();
    }

    private moved(event: PointerEvent): void {
        if (!this.held || event.pointerId !== this.pointer) return;
        event.stopImmediatePropagation();
        this.to.copy(onPlane(this.view, this.held.point, event.offsetX, event.offsetY));
        const now = performance.now();
        if (now - this.lastSent > 1000 / MOVES_PER_SECOND) {
            this.lastSent = now;
            this.connection?.send({ do: "move", to: this.to.toArray() });
        }
        this.drawn();
    }

    private up(event: PointerEvent): void {
        if (!this.held || event.pointerId !== this.pointer) return;
        event.stopImmediatePropagation();
        this.release();
    }

    release(): void {
        if (!this.held) return;
        this.held = null;
        this.pointer = -1;
        this.connection?.send({ do: "release" });
        this.view.tether.hide();
        this.view.redraw();
    }

    /** The line from the held thing to the pointer, for every frame. */
    drawn(): void {
        const frame = this.current();
        if (!this.held || !frame) return;
        const from = new THREE.Vector3();
        this.held.now(frame, from);
        this.view.tether.show(from, this.to);
        this.view.redraw();
    }
}

/** A click, without a drag, selects what is under the pointer. */
export class Selector {
    onSelect: (thing: string | null, part: number) => void = () => {};
    private from: { x: number; y: number; pointer: number } | null = null;

    constructor(
        view: View, scene: Scene, layout: Layout,
        current: () => Frame | null, pulls: () => boolean,
    ) {
        const { canvas } = view;
        canvas.addEventListener("pointerdown", (event) => {
            const selects = event.button === 0 && !event.shiftKey && !pulls();
            this.from = selects ? { x: event.offsetX, y: event.offsetY, pointer: event.pointerId } : null;
        });
        canvas.addEventListener("pointerup", (event) => {
            const { from } = this;
            const frame = current();
            this.from = null;
            if (!from || !frame || from.pointer !== event.pointerId) return;
            if (Math.hypot(event.offsetX - from.x, event.offsetY - from.y) > CLICK_SLACK) return;
            const slack = event.pointerType === "touch" ? TOUCH_SLACK : MOUSE_SLACK;
            const found = pick(view, scene, layout, frame, event.offsetX, event.offsetY, slack, true);
            this.onSelect(found?.thing ?? null, found && "part" in found.hold ? found.hold.part : -1);
        });
    }
}

/** Keys and axes that the scene maps to its drives; only a live run has any. */
export class Driver {
    readonly down = new Set<string>();
    private readonly axes = new Map<number, number>();
    onChange: () => void = () => {};

    constructor(
        private readonly scene: Scene,
        private readonly connection: Connection | null,
    ) {
        addEventListener("blur", () => this.releaseAll());
    }

    private get active(): boolean {
        return this.scene.mode === "live" && this.connection !== null;
    }

    /** True when the key belongs to the scene. */
    key(key: string, isDown: boolean): boolean {
        const mapped = this.scene.controls.keys.find(
            (entry) => entry.key === key || entry.key === key.toLowerCase());
        if (!mapped || !this.active) return false;
        if (isDown !== this.down.has(mapped.key)) {
            if (isDown) this.down.add(mapped.key);
            else this.down.delete(mapped.key);
            this.connection!.send({ do: "key", key: mapped.key, down: isDown });
            this.onChange();
        }
        return true;
    }

    releaseAll(): void {
        for (const key of [...this.down]) this.key(key, false);
    }

    /** Called once per frame: sends changes of the gamepads. */
    poll(): void {
        if (!this.active || this.scene.controls.axes.length === 0) return;
        const pad = navigator.getGamepads().find((one) => one !== null);
        if (!pad) return;
        for (const { axis } of this.scene.controls.axes) {
            const raw = pad.axes[axis] ?? 0;
            const value = Math.abs(raw) < 0.06 ? 0 : Math.round(100 * raw) / 100; // dead zone
            if (value === (this.axes.get(axis) ?? 0)) continue;
            this.axes.set(axis, value);
            this.connection!.send({ do: "axis", axis, value });
        }
    }
}
