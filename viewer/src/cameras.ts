// SPDX-License-Identifier: Apache-2.0
// viewer/src/cameras.ts - views that the user keeps, by the title of the scene

import { byId } from "./panel.ts";
import { keep, kept } from "./storage.ts";
import type { View } from "./view.ts";

const MOST = 12;

/** Kept views of a scene: buttons 1, 2, ... that move the camera there. */
export class Cameras {
    readonly poses: number[][];
    private readonly key: string;

    constructor(private readonly view: View, title: string) {
        this.key = `lithe-cameras ${title}`;
        this.poses = parse(kept(this.key));
        byId("keep-view").onclick = () => this.add();
        this.show();
    }

    add(): void {
        if (this.poses.length >= MOST) this.poses.shift();
        this.poses.push(this.view.pose);
        this.store();
    }

    go(number: number): void {
        const pose = this.poses[number];
        if (pose) this.view.pose = pose;
    }

    private remove(number: number): void {
        this.poses.splice(number, 1);
        this.store();
    }

    private store(): void {
        keep(this.key, JSON.stringify(this.poses));
        this.show();
    }

    private show(): void {
        byId("views").replaceChildren(...this.poses.map((_, k) => {
            const button = document.createElement("button");
            button.type = "button";
            button.textContent = String(k + 1);
            button.title = `View ${k + 1}; right click removes it`;
            button.setAttribute("aria-label", `View ${k + 1}`);
            button.onclick = () => this.go(k);
            button.oncontextmenu = (event) => {
                event.preventDefault();
                this.remove(k);
            };
            return button;
        }));
    }
}

// what another version or a user left there is ignored unless it is a list of poses
function parse(text: string | null): number[][] {
    try {
        const poses: unknown = JSON.parse(text ?? "[]");
        if (!Array.isArray(poses)) return [];
        return poses.filter((pose) => Array.isArray(pose) && pose.length === 6 && pose.every(Number.isFinite));
    } catch {
        return [];
    }
}
