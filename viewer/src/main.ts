// SPDX-License-Identifier: Apache-2.0
// viewer/src/main.ts - the entry point: a run inside the page itself, or one behind a socket

import { App } from "./app.ts";
import { Connection, streamAddress } from "./connection.ts";
import { unpackText } from "./packed.ts";
import { Pair } from "./pair.ts";
import { byId } from "./panel.ts";
import { readScene } from "./scene.ts";
import { handOver, takeOver } from "./storage.ts";

declare global {
    interface Window {
        /** Objects and timings of the page, for tests and debugging. */
        lithe?: { app: App; ready: boolean; connected: boolean };
        lithePair?: Pair;
    }
}

function say(text: string): void {
    const box = byId("notice");
    box.textContent = text;
    box.classList.add("bad");
    box.hidden = false;
}

async function openFile(text: string): Promise<void> {
    const { scene, frames } = await unpackText(text);
    const app = new App(scene, null);
    for (const frame of frames) app.receiveFrame(frame);
    window.lithe = { app, ready: true, connected: false };
}

function openStream(): void {
    let app: App | null = null;
    let first = "";
    const connection = new Connection(streamAddress(location), {
        hello(description) {
            const scene = readScene(description);
            const text = JSON.stringify({ ...scene, bounds: null });
            if (!app) {
                first = text;
                app = new App(scene, connection);
                const before = takeOver("lithe-view");
                if (before) app.takeOver(before);
                window.lithe = { app, ready: true, connected: true };
            } else if (text !== first) {
                // another run is at this address now
                if (scene.file !== "") handOver("lithe-view", app.handOver());
                location.reload();
                return;
            }
            window.lithe!.connected = true;
            app.setLost(false);
        },
        frame: (buffer) => app?.receive(buffer),
        status: (status) => app?.receiveStatus(status),
        note: (text, bad) => app?.notice(text, bad),
        lost(retryIn) {
            if (window.lithe) window.lithe.connected = false;
            if (app) app.setLost(true, retryIn);
            else say(`No connection to the run at ${location.host}; is it still there?`);
        },
    });
}

function start(): void {
    const inside = document.getElementById("lithe-run")?.textContent?.trim();
    if (!inside && /&pair\b/.test(location.hash)) window.lithePair = new Pair(document.body, location.hash);
    else if (!inside) openStream();
    else openFile(inside).catch((error: Error) => say(`This page cannot be shown: ${error.message}`));
}

start();
