// SPDX-License-Identifier: Apache-2.0
// viewer/src/pair.ts - two recordings side by side: two pages in frames, with one time and one camera

import type { App } from "./app.ts";

interface Side {
    frame: HTMLIFrameElement;
    app: App | null;
}

/** The addresses of the two pages, from that of the pair. */
export function pairAddresses(hash: string): [string, string] {
    const own = hash.replace(/&pair\b/, "");
    return [own, `${own}&run=1`];
}

/** Shows two pages; the one that the user touched last leads, the other follows. */
export class Pair {
    readonly sides: Side[];
    leader = 0;
    private pose = "";

    constructor(root: HTMLElement, hash: string) {
        this.sides = pairAddresses(hash).map((address, k) => {
            const frame = document.createElement("iframe");
            frame.title = k === 0 ? "First recording" : "Second recording";
            frame.src = `index.html${address}`;
            return { frame, app: null };
        });
        root.className = "pair";
        root.replaceChildren(...this.sides.map(({ frame }) => frame));
        requestAnimationFrame(() => this.tick());
    }

    get ready(): boolean {
        return this.sides.every(({ app }) => app?.player.current);
    }

    private tick(): void {
        requestAnimationFrame(() => this.tick());
        this.sides.forEach((side, k) => {
            const inside = side.frame.contentWindow;
            const app = inside?.lithe?.app ?? null;
            if (!app || app === side.app) return;
            side.app = app;
            for (const event of ["pointerdown", "keydown", "wheel"]) {
                inside!.addEventListener(event, () => (this.leader = k), { capture: true });
            }
            app.setPanel(false);
        });
        if (this.ready) this.follow(this.sides[this.leader].app!, this.sides[1 - this.leader].app!);
    }

    // time, camera, colour and its range are those of the leader
    private follow(lead: App, other: App): void {
        other.player.playing = false;
        const { times, count } = other.timeline;
        const at = Math.min(Math.max(lead.player.time, times[0]), times[count - 1]);
        if (Math.abs(other.player.time - at) > 1e-12) {
            other.player.seek(at);
            other.showClock();
        }
        const pose = lead.view.pose;
        const text = pose.join();
        if (text !== this.pose || other.view.pose.join() !== text) other.view.pose = pose;
        this.pose = text;
        if (lead.peer !== other) [lead.peer, other.peer] = [other, lead];
        const name = lead.scene.fields[lead.field]?.name;
        const same = other.scene.fields.findIndex((field) => field.name === name);
        if (other.field !== same) other.panel.chooseColour(same);
    }
}
