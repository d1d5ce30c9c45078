// SPDX-License-Identifier: Apache-2.0
// viewer/src/selection.ts - what is known about the selected thing, and its values along a rod

import type { Frame } from "./frame.ts";
import type { Item } from "./looks.ts";
import { quantity } from "./number.ts";
import { byId } from "./panel.ts";
import { Plot } from "./plot.ts";
import { fieldWord, type Layout, type Scene } from "./scene.ts";

const SINGULAR: Record<string, string> = { rods: "rod", bodies: "body", shells: "shell", solids: "solid" };
const REDRAW = 100; // [ms] between two drawings

export interface Fact {
    name: string;
    value: string;
}

/** Number of contacts of a thing and the sum of the forces on it [N]. */
export function contactsOf(frame: Frame, things: Set<number>): { count: number; force: number[] } {
    const { contacts, contactIds } = frame;
    const force = [0, 0, 0];
    let count = 0;
    for (let k = 0; k < contacts.length; k += frame.contactWords) {
        const sign = (things.has(contactIds[k + 9]) ? 1 : 0) - (things.has(contactIds[k + 8]) ? 1 : 0);
        const touches = things.has(contactIds[k + 8]) || things.has(contactIds[k + 9]);
        if (touches && Math.hypot(contacts[k + 3], contacts[k + 4], contacts[k + 5]) > 0) count++;
        for (let c = 0; c < 3; c++) force[c] += sign * contacts[k + 3 + c];
    }
    return { count, force };
}

/** Arc length of each point of a tube, and of its end when it is closed [m]. */
export function arcLengths(words: Float32Array, at: number, points: number, closed: boolean): number[] {
    const out = [0];
    const steps = closed ? points : points - 1;
    for (let k = 0; k < steps; k++) {
        const a = at + 3 * k;
        const b = at + 3 * ((k + 1) % points);
        out.push(out[k] + Math.hypot(words[b] - words[a], words[b + 1] - words[a + 1], words[b + 2] - words[a + 2]));
    }
    return out;
}

function vector(v: ArrayLike<number>, unit: string): string {
    return Array.from({ length: 3 }, (_, c) => quantity(v[c], unit)).join(", ");
}

/** The box about the selected thing. */
export class Selection {
    item: Item | null = null;
    part = -1; // of its points, the one that was clicked
    onPlot: (series: number) => void = () => {};
    private along: Plot | null = null;
    private field = -1;
    private drawnAt = 0;
    private stale = false;
    dark = false;

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
    ) {
        byId<HTMLSelectElement>("along-field").onchange = (event) => {
            this.setField(Number((event.target as HTMLSelectElement).value));
        };
        byId<HTMLSelectElement>("add-own").onchange = (event) => {
            const list = event.target as HTMLSelectElement;
            if (list.value !== "") this.onPlot(Number(list.value));
            list.value = "";
        };
    }

    show(item: Item | null, part: number, frame: Frame | null): void {
        this.item = item;
        this.part = part;
        byId("selected").hidden = !item;
        if (!item) return;
        byId("selected-name").textContent = item.name;
        byId("selected-kind").textContent = SINGULAR[item.kind] ?? item.kind;
        byId<HTMLInputElement>("opacity").value = String(100 * item.look.opacity);
        const own = this.scene.series
            .map(({ name }, i) => ({ name, i }))
            .filter(({ name }) => name.startsWith(`${item.name}.`));
        const list = byId<HTMLSelectElement>("add-own");
        list.replaceChildren(new Option("a plot of it …", ""));
        for (const { name, i } of own) list.append(new Option(name, String(i)));
        list.parentElement!.hidden = own.length === 0;
        this.offerFields(item);
        if (frame) this.update(frame, Infinity);
    }

    // values along the rod: of the fields that it has
    private offerFields(item: Item): void {
        const fields = item.list === "tubes" ? this.scene.tubes[item.index].fields : [];
        const list = byId<HTMLSelectElement>("along-field");
        list.replaceChildren();
        for (const f of fields) list.append(new Option(this.scene.fields[f].name, String(f)));
        byId("along").hidden = fields.length === 0;
        if (fields.length > 0) this.setField(fields.includes(this.field) ? this.field : fields[0]);
    }

    setField(field: number): void {
        if (this.item?.list !== "tubes" || !this.scene.tubes[this.item.index].fields.includes(field)) return;
        if (field !== this.field || !this.along) {
            this.field = field;
            this.along = new Plot(field, this.scene.fields[field], "along the rod, from its start, in m");
            byId("along-chart").replaceChildren(this.along.element);
        }
        byId<HTMLSelectElement>("along-field").value = String(field);
        this.drawnAt = 0;
        this.stale = true;
    }

    /** Called per frame and after a change; draws at most ten times per second. */
    update(frame: Frame, now: number): void {
        if (!this.item || document.body.dataset.panel === "closed") return;
        if (now - this.drawnAt < REDRAW) {
            this.stale = true;
            return;
        }
        this.drawnAt = now === Infinity ? 0 : now;
        this.stale = false;
        const rows = this.facts(this.item, frame).flatMap(({ name, value }) => {
            const term = document.createElement("dt");
            const data = document.createElement("dd");
            term.textContent = name;
            data.textContent = value;
            return [term, data];
        });
        document.querySelector("#selected dl")!.replaceChildren(...rows);
        if (this.item.list === "tubes" && this.along) this.drawAlong(this.item, frame);
    }

    /** Draws what was skipped. */
    settle(frame: Frame, now: number): void {
        if (this.stale) this.update(frame, now);
    }

    facts(item: Item, frame: Frame): Fact[] {
        const out: Fact[] = [];
        const say = (name: string, value: string) => out.push({ name, value });
        const { scene, layout } = this;
        const material = item.list === "bodies"
            ? scene.bodies[item.index].material : scene[item.list][item.index].material;
        if (material) say("Material", material);
        if (item.list === "bodies") {
            const body = scene.bodies[item.index];
            const at = layout.bodies[item.index];
            const pose = body.moves ? frame.words.subarray(at, at + 7) : (body.pose ?? []);
            say("Moves", body.moves ? "yes" : "no, it is fixed");
            say("Shapes", body.shapes.map(({ kind }) => kind).join(", ") || "none");
            say("Position", vector(pose, "m"));
        } else {
            const info = scene[item.list][item.index];
            const place = layout[item.list][item.index];
            say(item.list === "balls" ? "Particles" : "Nodes", String(info.points));
            if (item.list === "tubes") {
                const tube = scene.tubes[item.index];
                const arcs = arcLengths(frame.words, place.position, tube.points, tube.closed);
                say("Length", quantity(arcs[arcs.length - 1], "m"));
                say("Section", tube.section === "rectangle" || tube.section === "ellipse"
                    ? `${tube.section} ${quantity(tube.size[0], "m")} × ${quantity(tube.size[1], "m")}`
                    : `circle, diameter ${quantity(2 * tube.radius, "m")}`);
            }
            if (this.part >= 0) this.sayPart(item, frame, say);
        }
        const numbers = new Set(scene.things.flatMap((thing, n) =>
            thing.list === item.list && thing.index === item.index ? [n] : []));
        const { count, force } = contactsOf(frame, numbers);
        say("Contacts", String(count));
        if (count > 0) say("Contact force", `${quantity(Math.hypot(...force), "N")} (${vector(force, "N")})`);
        return out;
    }

    // position and values of the point that was clicked
    private sayPart(item: Item, frame: Frame, say: (name: string, value: string) => void): void {
        if (item.list === "bodies") return;
        const info = this.scene[item.list][item.index];
        const place = this.layout[item.list][item.index];
        const at = place.position + 3 * this.part;
        const word = item.list === "balls" ? "Particle" : "Node";
        say(`${word} ${this.part}`, vector(frame.words.subarray(at, at + 3), "m"));
        for (const f of info.fields) {
            const first = fieldWord(info, place, f);
            const { name, unit } = this.scene.fields[f];
            say(`– ${name}`, quantity(frame.words[first + this.part], unit));
        }
    }

    private drawAlong(item: Item, frame: Frame): void {
        const tube = this.scene.tubes[item.index];
        const place = this.layout.tubes[item.index];
        const times = arcLengths(frame.words, place.position, tube.points, tube.closed);
        const first = fieldWord(tube, place, this.field);
        const values = times.map((_, k) => frame.words[first + (k % tube.points)]);
        this.along!.draw({ times, values }, 0, times[times.length - 1], this.dark);
        const at = Math.max(this.part, 0);
        this.along!.setTime(times[at], values[at]);
    }
}
