// SPDX-License-Identifier: Apache-2.0
// viewer/src/desk.ts - a scene before it runs: its messages, sliders, and the record button

import type { Connection } from "./connection.ts";
import { short } from "./number.ts";
import { byId } from "./panel.ts";
import type { Scene, SliderInfo } from "./scene.ts";

const STEPS = 400; // of a slider
const KINDS: Record<SliderInfo["kind"], string> = {
    parameter: "Parameters", joint: "Joints at the start", actuator: "Actuators",
};

/** Sliders, messages and recording of `lithe view SCENE`. */
export class Desk {
    /** All messages, for tests. */
    readonly texts: string[] = [];

    constructor(
        private readonly scene: Scene,
        private readonly connection: Connection | null,
    ) {
        this.buildSliders();
        byId("messages").replaceChildren();
        for (const { text, bad } of scene.messages) this.say(text, bad);
        byId("record").hidden = scene.file === "";
        byId("record").onclick = () => this.record();
        this.showRecording(scene.recording !== "");
    }

    /** Adds a message to the list; those of a scene stay until the next version of its file. */
    say(text: string, bad: boolean): void {
        this.texts.push(text);
        if (/^Recorded /.test(text)) this.showRecording(false);
        if (this.scene.file === "") return;
        const item = document.createElement("li");
        item.textContent = text;
        item.classList.toggle("bad", bad);
        byId("messages").append(item);
        byId("messages-box").hidden = false;
    }

    private record(): void {
        const on = byId("record").getAttribute("aria-pressed") !== "true";
        this.connection?.send({ do: "record", on });
    }

    private showRecording(on: boolean): void {
        const button = byId("record");
        button.setAttribute("aria-pressed", String(on));
        button.title = on ? `Stop recording ${this.scene.recording}`
            : "Record: start again and write a recording (.h5)";
    }

    private buildSliders(): void {
        const root = byId("sliders");
        root.replaceChildren();
        byId("sliders-box").hidden = this.scene.sliders.length === 0;
        for (const kind of Object.keys(KINDS) as SliderInfo["kind"][]) {
            const own = this.scene.sliders
                .map((info, number) => ({ info, number }))
                .filter(({ info }) => info.kind === kind);
            if (own.length === 0) continue;
            const group = document.createElement("details");
            const head = document.createElement("summary");
            head.textContent = KINDS[kind];
            group.append(head, ...own.map(({ info, number }) => this.slider(info, number)));
            group.open = own.length <= 8;
            root.append(group);
        }
    }

    private slider(info: SliderInfo, number: number): HTMLElement {
        const row = document.createElement("label");
        const name = document.createElement("span");
        const input = document.createElement("input");
        const value = document.createElement("output");
        row.className = "slider";
        name.textContent = name.title = info.name;
        input.type = "range";
        input.min = String(info.low);
        input.max = String(info.high);
        input.step = String((info.high - info.low) / STEPS || "any");
        input.value = String(info.value);
        input.dataset.slider = info.name;
        input.setAttribute("aria-label", `${info.name} [${info.unit || "1"}]`);
        const show = () => {
            value.textContent = `${short(Number(input.value))} ${info.unit}`;
        };
        const send = () => this.connection?.send({ do: "slider", number, value: Number(input.value) });
        // an actuator follows at once; other values begin a new run, when the slider is released
        input.oninput = () => {
            show();
            if (info.kind === "actuator") send();
        };
        input.onchange = () => {
            if (info.kind !== "actuator") send();
        };
        show();
        row.append(name, input, value);
        return row;
    }
}
