// SPDX-License-Identifier: Apache-2.0
// viewer/src/keys.ts - actions of keys; keys that a live scene maps to its drives take precedence

import * as THREE from "three";
import type { App } from "./app.ts";
import { byId } from "./panel.ts";

const TURN = 0.1; // [rad] per key press
const NEARER = 0.85;

export class Shortcuts {
    constructor(private readonly app: App) {
        addEventListener("keydown", (event) => this.down(event));
        addEventListener("keyup", (event) => app.driver.key(event.key, false));
    }

    private down(event: KeyboardEvent): void {
        const { app } = this;
        const target = event.target instanceof Element ? event.target : document.body;
        if (byId<HTMLDialogElement>("help").open || event.ctrlKey || event.metaKey) return;
        // lists and sliders keep their own keys, buttons theirs
        const field = target.closest("select, input[type=radio], input[type=range]");
        if (field && !/^([a-z0-9?.,+]|-)$/i.test(event.key)) return;
        if (target.closest("select")) return;
        if (target.closest("button, input") && (event.key === " " || event.key === "Enter")) return;
        if (!event.altKey && app.driver.key(event.key, true)) {
            event.preventDefault();
            return;
        }
        if (this.act(event)) event.preventDefault();
    }

    private act(event: KeyboardEvent): boolean {
        const { app } = this;
        const { player } = app;
        const many = event.shiftKey ? 10 : 1;
        if (event.altKey) return this.camera(event);
        switch (event.key) {
            case " ": app.act(() => player.toggle()); return true;
            case ".":
            case "ArrowRight": app.act(() => player.step(many)); return true;
            case ",":
            case "ArrowLeft": app.act(() => player.step(-many)); return true;
            case "Home": app.act(() => player.goTo(0)); return true;
            case "End": app.act(() => player.follow()); return true;
            case "+":
            case "=": app.act(() => player.faster(1)); return true;
            case "-": app.act(() => player.faster(-1)); return true;
            case "r": app.act(() => player.reset()); return true;
            case "i": app.look("iso"); return true;
            case "f": app.look("front"); return true;
            case "s": app.look("side"); return true;
            case "t": app.look("top"); return true;
            case "0": app.look("fit"); return true;
            case "PageUp": this.zoom(NEARER); return true;
            case "PageDown": this.zoom(1 / NEARER); return true;
            case "c": app.panel.toggle("contacts"); return true;
            case "n": app.panel.toggle("labels"); return true;
            case "z": app.panel.toggle("stripes"); return true;
            case "x": app.panel.toggle("frames"); return true;
            case "g": app.panel.toggle("wireframe"); return true;
            case "y": app.panel.nextShapes(); return true;
            case "o": byId("follow").click(); return true;
            case "h": byId("hide").click(); return true;
            case "k": app.cameras.add(); return true;
            case "v": void app.recordVideo(); return true;
            case "p": app.setPull(!app.puller.tool); return true;
            case "d": app.setDark(!app.dark, true); return true;
            case "m": app.setPanel(document.body.dataset.panel === "closed"); return true;
            case "w": void app.save(); return true;
            case "e": void app.saveHtml(); return true;
            case "?": byId<HTMLDialogElement>("help").showModal(); return true;
            case "Escape":
                app.puller.release();
                app.setPull(false);
                app.select(null);
                return true;
        }
        if (/^[1-9]$/.test(event.key)) return app.panel.chooseColour(Number(event.key) - 2);
        return false;
    }

    // rotate about the target, or move along the screen
    private camera(event: KeyboardEvent): boolean {
        const steps: Record<string, [number, number]> = {
            ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
        };
        const step = steps[event.key];
        if (!step) return false;
        const { camera, controls } = this.app.view;
        this.app.view.touched();
        const offset = camera.position.clone().sub(controls.target);
        if (event.shiftKey) {
            const right = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 0);
            const up = new THREE.Vector3().setFromMatrixColumn(camera.matrix, 1);
            const size = 0.06 * offset.length();
            const move = right.multiplyScalar(step[0] * size).addScaledVector(up, step[1] * size);
            camera.position.add(move);
            controls.target.add(move);
        } else {
            // z is up: azimuth about z, and the height above the horizon
            const azimuth = Math.atan2(offset.y, offset.x) + TURN * step[0];
            const length = offset.length();
            const height = Math.asin(offset.z / length) + TURN * step[1];
            const rise = Math.min(Math.max(height, -1.56), 1.56);
            offset.set(Math.cos(rise) * Math.cos(azimuth), Math.cos(rise) * Math.sin(azimuth),
                Math.sin(rise)).multiplyScalar(length);
            camera.position.copy(controls.target).add(offset);
        }
        controls.update();
        this.app.view.redraw();
        return true;
    }

    private zoom(factor: number): void {
        const { camera, controls } = this.app.view;
        this.app.view.touched();
        camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
        controls.update();
        this.app.view.redraw();
    }
}
