// SPDX-License-Identifier: Apache-2.0
// viewer/src/panel.ts - the panel beside the picture: colours, what is shown, plots, numbers

import type { Shapes } from "./bodies.ts";
import type { Status } from "./connection.ts";
import { short } from "./number.ts";
import { Plot } from "./plot.ts";
import type { Scene } from "./scene.ts";
import type { Timeline } from "./timeline.ts";

const PLOTS_AT_FIRST = 3;
const LIVE_REDRAW = 150; // [ms] between drawings of plots that grow

const KEY_NAMES: Record<string, string> = {
    " ": "space", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→",
};

export function byId<T extends HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

/** The preferred series come first: forces, tensions, energy. */
export function firstSeries(names: string[]): number[] {
    const preferred = [/\.tension\.max$/, /\.force$/, /^contacts\.count$/, /^energy\.kinetic$/, /\.position$/, /./, /./];
    const chosen: number[] = [];
    for (const pattern of preferred) {
        const found = names.findIndex((name, i) => pattern.test(name) && !chosen.includes(i));
        if (found >= 0 && chosen.length < PLOTS_AT_FIRST) chosen.push(found);
    }
    return chosen.sort((a, b) => a - b);
}

const SHOWN = ["contacts", "patches", "constraints", "stripes", "labels", "floor", "frames", "wireframe"] as const;

export class Panel {
    onColour: (field: number) => void = () => {};
    onShow: () => void = () => {};
    onSeek: (time: number) => void = () => {};
    private readonly plots: Plot[] = [];
    private drawnVersion = -1;
    private drawnAt = 0;
    private dark = false;
    private readonly add = byId<HTMLSelectElement>("add-plot");

    constructor(
        private readonly scene: Scene,
        private readonly timeline: Timeline,
    ) {
        this.buildColours();
        for (const id of SHOWN) {
            byId<HTMLInputElement>(`show-${id}`).onchange = () => this.onShow();
        }
        byId<HTMLInputElement>("range-frame").onchange = () => this.onShow();
        byId("constraints-row").hidden = scene.constraints.length + scene.marks.length === 0;
        byId("constraints-name").textContent = scene.marks.length > 0 ? "Constraints, holds" : "Constraints";
        byId("show-patches").parentElement!.hidden = !scene.patches;
        byId("show-stripes").parentElement!.hidden = scene.tubes.length === 0;
        byId("show-frames").parentElement!.hidden = scene.bodies.length === 0;
        byId("shapes-row").hidden = !scene.bodies.some((body) => body.shapes.some((shape) => shape.visual));
        byId<HTMLSelectElement>("shapes").onchange = () => this.onShow();
        byId("plots").hidden = scene.series.length === 0;
        this.add.onchange = () => {
            if (this.add.value !== "") this.addPlot(Number(this.add.value));
        };
        for (const s of firstSeries(scene.series.map((one) => one.name))) this.addPlot(s);
        this.buildKeys();
    }

    private buildColours(): void {
        const root = document.querySelector("#colours .choices")!;
        const names = ["plain", ...this.scene.fields.map((field) => field.name)];
        names.forEach((name, i) => {
            const label = document.createElement("label");
            const input = document.createElement("input");
            input.type = "radio";
            input.name = "colour";
            input.value = String(i - 1);
            input.checked = i === 0;
            input.onchange = () => this.onColour(i - 1);
            if (i < 9) label.title = `Key ${i + 1}`;
            label.append(input, name);
            root.append(label);
        });
        byId("colours").hidden = this.scene.fields.length === 0;
    }

    chooseColour(field: number): boolean {
        const input = document.querySelector<HTMLInputElement>(
            `#colours input[value="${field}"]`);
        if (!input) return false;
        input.checked = true;
        this.onColour(field);
        return true;
    }

    shown(id: (typeof SHOWN)[number]): boolean {
        return byId<HTMLInputElement>(`show-${id}`).checked;
    }

    /** Which shapes of bodies are drawn. */
    get shapes(): Shapes {
        return byId<HTMLSelectElement>("shapes").value as Shapes;
    }

    /** The next choice of shapes; nothing where no body has visual shapes. */
    nextShapes(): void {
        const choice = byId<HTMLSelectElement>("shapes");
        if (byId("shapes-row").hidden) return;
        choice.selectedIndex = (choice.selectedIndex + 1) % choice.options.length;
        this.onShow();
    }

    /** Without a floor in the scene none is drawn, unless the user wants a grid. */
    setFloor(exists: boolean): void {
        byId<HTMLInputElement>("show-floor").checked = exists;
        byId("floor-name").textContent = exists ? "Floor" : "Grid (no floor)";
    }

    toggle(id: "contacts" | "stripes" | "labels" | "frames" | "wireframe"): void {
        const box = byId<HTMLInputElement>(`show-${id}`);
        box.checked = !box.checked;
        this.onShow();
    }

    // --- plots ---------------------------------------------------------------------------------

    addPlot(series: number): void {
        if (this.plots.some((plot) => plot.series === series)) return;
        const plot = new Plot(series, this.scene.series[series]);
        plot.onSeek = (time) => this.onSeek(time);
        plot.onClose = () => {
            this.plots.splice(this.plots.indexOf(plot), 1);
            plot.element.remove();
            this.fillChoice();
        };
        this.plots.push(plot);
        byId("charts").append(plot.element);
        this.drawnVersion = -1;
        this.fillChoice();
    }

    private fillChoice(): void {
        const rest = this.scene.series
            .map((one, i) => ({ name: one.name, i }))
            .filter(({ i }) => !this.plots.some((plot) => plot.series === i));
        this.add.replaceChildren(new Option("a plot …", ""));
        for (const { name, i } of rest) this.add.append(new Option(name, String(i)));
        this.add.parentElement!.hidden = rest.length === 0;
    }

    get plotNames(): string[] {
        return this.plots.map((plot) => this.scene.series[plot.series].name);
    }

    setDark(dark: boolean): void {
        this.dark = dark;
        this.drawnVersion = -1;
    }

    /** Called after the panel changed its size. */
    resized(): void {
        this.drawnVersion = -1;
    }

    /** Called per frame: cursors at `time`; lines only when there are new points. */
    update(now: number, time: number, values: (series: number) => number): void {
        if (document.body.dataset.panel === "closed") return;
        const { timeline } = this;
        if (timeline.version !== this.drawnVersion) {
            const wait = this.drawnVersion < 0 ? 0 : LIVE_REDRAW;
            if (now - this.drawnAt >= wait) {
                this.drawnVersion = timeline.version;
                this.drawnAt = now;
                const times = timeline.plotTimes;
                const from = timeline.live ? (times[0] ?? 0) : times[0];
                const to = times[times.length - 1] ?? this.scene.end;
                for (const plot of this.plots) {
                    const data = { times, values: timeline.plotValues[plot.series] };
                    plot.draw(data, from, to, this.dark, timeline.apart);
                }
            }
        }
        for (const plot of this.plots) plot.setTime(time, values(plot.series));
    }

    // --- numbers and keys ----------------------------------------------------------------------

    setStatus(status: Status): void {
        const rows: [string, string][] = [
            ["Speed", `${short(status.rate, 2)}× real time`],
            ["Step", String(status.step)],
            ["Contacts", String(status.contacts)],
            ["Newton iterations", String(status.newton)],
            ["Passes", String(status.passes)],
        ];
        if (status.unconverged) rows.push(["Steps above tolerance", String(status.unconverged)]);
        if (status.cut) rows.push(["Steps cut", String(status.cut)]);
        if (status.viewers > 1) rows.push(["Pages", String(status.viewers)]);
        const list = document.querySelector("#numbers dl")!;
        list.replaceChildren(...rows.flatMap(([name, value]) => {
            const term = document.createElement("dt");
            const data = document.createElement("dd");
            term.textContent = name;
            data.textContent = value;
            return [term, data];
        }));
        byId("numbers").hidden = false;
    }

    private buildKeys(): void {
        const { keys, axes } = this.scene.controls;
        if (this.scene.mode !== "live" || keys.length + axes.length === 0) return;
        const list = document.querySelector("#keys dl")!;
        const add = (name: string, does: string) => {
            const term = document.createElement("dt");
            const cap = document.createElement("kbd");
            const data = document.createElement("dd");
            cap.textContent = KEY_NAMES[name] ?? name;
            cap.dataset.key = name;
            data.textContent = does;
            term.append(cap);
            list.append(term, data);
        };
        for (const { key, does } of keys) add(key, does ?? "");
        for (const { axis, does } of axes) add(`axis ${axis}`, does ?? "");
        byId("keys").hidden = false;
    }

    showKeys(down: Set<string>): void {
        for (const cap of document.querySelectorAll<HTMLElement>("#keys kbd")) {
            cap.classList.toggle("down", down.has(cap.dataset.key ?? ""));
        }
    }
}
