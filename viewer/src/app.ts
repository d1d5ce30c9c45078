// SPDX-License-Identifier: Apache-2.0
// viewer/src/app.ts - connects picture, panel, player and input, and runs the frame loop

import { Cameras } from "./cameras.ts";
import { type Range, mapGradient, rangeOf } from "./colour.ts";
import type { Connection, Status } from "./connection.ts";
import { Desk } from "./desk.ts";
import { decodeFrame, FLAG_RESET, type Frame } from "./frame.ts";
import { Gauge } from "./gauge.ts";
import { Driver, Puller, Selector } from "./input.ts";
import { Shortcuts } from "./keys.ts";
import { Labels } from "./labels.ts";
import type { Item } from "./looks.ts";
import { Meter } from "./meter.ts";
import { decimalsFor, prefixed, prettyUnit, quantity, short, solid } from "./number.ts";
import { Objects } from "./objects.ts";
import { htmlOf, packRun } from "./pack.ts";
import { byId, Panel } from "./panel.ts";
import { Player } from "./player.ts";
import { contentsOf, layoutOf, type Layout, type Scene } from "./scene.ts";
import { Selection } from "./selection.ts";
import { keep as remember, kept } from "./storage.ts";
import { DARK, LIGHT } from "./studio.ts";
import { Timeline } from "./timeline.ts";
import { Video } from "./video.ts";
import { type Preset, View } from "./view.ts";

const NOTICE_TIME = 6000; // [ms]

export class App {
    readonly layout: Layout;
    readonly timeline: Timeline;
    readonly player: Player;
    readonly view: View;
    readonly panel: Panel;
    readonly puller: Puller;
    readonly driver: Driver;
    readonly selection: Selection;
    readonly objects: Objects;
    readonly cameras: Cameras;
    readonly desk: Desk;
    readonly video = new Video();
    readonly meter = new Meter();
    field = -1;
    range: Range = { low: 0, high: 1, diverging: false };
    dark = false;
    /** Another recording beside this one: colours have one range for both. */
    peer: App | null = null;
    /** Every message to the user, for tests. */
    readonly notices: string[] = [];
    private readonly labels: Labels;
    private readonly gauge = new Gauge(byId("gauge"));
    private last = 0;
    private decimals = 3;
    private lost = false;
    private noticeEnds = 0;

    constructor(
        readonly scene: Scene,
        connection: Connection | null,
    ) {
        this.layout = layoutOf(scene);
        this.timeline = new Timeline(scene, this.layout);
        this.player = new Player(scene, this.layout, this.timeline, connection);
        this.view = new View(byId<HTMLCanvasElement>("view"), scene, this.layout);
        this.panel = new Panel(scene, this.timeline);
        this.labels = new Labels(byId("labels"), this.view, scene, this.layout);
        const current = () => this.player.current;
        this.puller = new Puller(this.view, scene, this.layout, connection, current);
        this.driver = new Driver(scene, connection);
        this.selection = new Selection(scene, this.layout);
        this.objects = new Objects(this.view.looks);
        this.cameras = new Cameras(this.view, scene.title);
        this.desk = new Desk(scene, connection);
        const selector = new Selector(this.view, scene, this.layout, current, () => this.puller.tool);
        selector.onSelect = (name, part) => this.select(name ? this.view.looks.named(name) : null, part);
        this.connect();
        this.describe();
        requestAnimationFrame((now) => this.tick(now));
    }

    // --- what comes in -------------------------------------------------------------------------

    receive(buffer: ArrayBuffer): void {
        const frame = decodeFrame(buffer, this.layout);
        if (this.timeline.live && frame.flags & FLAG_RESET) this.timeline.clear();
        this.receiveFrame(frame);
    }

    receiveFrame(frame: Frame): void {
        this.player.receive(frame);
        this.updateRange();
        if (this.timeline.live) this.growBounds(frame);
    }

    receiveStatus(status: Status): void {
        this.player.status = status;
        if (status.speed !== this.player.speed) this.player.speed = status.speed;
        this.panel.setStatus(status);
        this.showTransport();
        this.showMode();
    }

    setLost(lost: boolean, retryIn = 0): void {
        if (lost && !this.lost) this.timeline.lose();
        this.lost = lost;
        if (lost) {
            this.driver.releaseAll();
            this.puller.release();
            if (this.scene.file === "" || retryIn > 2) this.notice(`No connection to the run; trying again in ${short(retryIn)} s`, true);
        } else {
            byId("notice").hidden = true;
        }
        this.showMode();
    }

    notice(text: string, bad = false): void {
        const box = byId("notice");
        box.textContent = text;
        box.classList.toggle("bad", bad);
        box.hidden = false;
        this.notices.push(text);
        if (!this.lost) this.desk.say(text, bad);
        this.noticeEnds = performance.now() + NOTICE_TIME;
    }

    // a live run may leave its initial bounds: floor and light follow
    private growBounds(frame: Frame): void {
        if (this.timeline.count % 32 !== 1) return;
        const { low, high } = this.view.boundsOf(frame);
        const ball = this.view.ball;
        const away = Math.max(...[0, 1, 2].map((c) => Math.max(
            ball.center.getComponent(c) - low[c], high[c] - ball.center.getComponent(c))));
        if (away > 1.3 * ball.radius) {
            const old = [0, 1, 2].map((c) => ball.center.getComponent(c));
            const reach = [0, 1, 2].map((c) => ball.radius * (c < 2 ? 0.6 : 0.5));
            this.view.setBounds(
                low.map((v, c) => Math.min(v, old[c] - reach[c])),
                high.map((v, c) => Math.max(v, old[c] + reach[c])));
        }
    }

    // --- colours -------------------------------------------------------------------------------

    setField(field: number): void {
        this.field = field;
        this.range = this.rangeNow();
        this.selection.setField(field);
        this.view.setColour(field, this.range);
        this.showLegend();
    }

    private rangeNow(): Range {
        const { field, timeline } = this;
        if (field < 0) return { low: 0, high: 1, diverging: false };
        const frame = this.player.current;
        if (frame && byId<HTMLInputElement>("range-frame").checked) {
            return rangeOf(...timeline.fieldRange(frame, field));
        }
        const other = this.peer?.scene.fields.findIndex(({ name }) => name === this.scene.fields[field].name) ?? -1;
        if (other < 0) return rangeOf(timeline.low[field], timeline.high[field]);
        const beside = this.peer!.timeline;
        return rangeOf(Math.min(timeline.low[field], beside.low[other]),
            Math.max(timeline.high[field], beside.high[other]));
    }

    private updateRange(): void {
        if (this.field < 0) return;
        const range = this.rangeNow();
        if (range.low === this.range.low && range.high === this.range.high) return;
        this.range = range;
        this.view.setRange(range);
        this.showLegend();
    }

    private showLegend(): void {
        const { field, range } = this;
        const scale = byId("scale");
        scale.hidden = field < 0;
        byId("range-row").style.visibility = field < 0 ? "hidden" : "";
        if (field >= 0) {
            const info = this.scene.fields[field];
            const unit = prefixed(Math.max(-range.low, range.high), info.unit);
            const name = info.name[0].toUpperCase() + info.name.slice(1);
            byId("scale-name").textContent = name;
            byId("scale-unit").textContent = prettyUnit(unit.unit);
            byId("scale-map").style.background = mapGradient(range.diverging);
            byId("scale-low").textContent = short(range.low * unit.factor);
            byId("scale-mid").textContent = short(0.5 * (range.low + range.high) * unit.factor);
            byId("scale-high").textContent = short(range.high * unit.factor);
            byId("scale-map").setAttribute("aria-label", `${name} from ` +
                `${quantity(range.low, info.unit)} to ${quantity(range.high, info.unit)}`);
        }
        const force = this.view.shown.contacts || this.view.shown.constraints
            ? this.view.arrows.legend() : null;
        byId("force").hidden = !force;
        if (force) {
            const svg = byId("force-arrow");
            const long = force.pixels;
            svg.style.width = `${long.toFixed(0)}px`;
            svg.firstElementChild!.setAttribute("d",
                `M0 3.7H${long - 8}V1.4L${long} 5 ${long - 8} 8.6V6.3H0z`);
            const theme = this.dark ? DARK : LIGHT;
            const css = (hex: number) => `#${hex.toString(16).padStart(6, "0")}`;
            svg.style.fill = css(force.contact > 0 ? theme.contact : theme.constraint);
            const kinds = { contact: force.contact, constraint: force.constraint };
            for (const [kind, largest] of Object.entries(kinds)) {
                byId(`force-${kind}`).hidden = !(largest > 0);
                byId(`force-${kind}-text`).textContent = quantity(largest, "N");
            }
            document.querySelector<HTMLElement>("i.contact")!.style.background = css(theme.contact);
            document.querySelector<HTMLElement>("i.constraint")!.style.background =
                css(theme.constraint);
        }
        const pressure = this.view.shown.patches ? this.view.patches.largest : 0;
        byId("patches").hidden = !(pressure > 0);
        byId("patches-map").style.background = mapGradient(false);
        byId("patches-text").textContent = `pressure 0 to ${quantity(pressure, "Pa")}`;
        this.showMarks();
        byId("legend").hidden = field < 0 && !force && !(pressure > 0) && byId("mark-kinds").hidden;
    }

    // the colours of marks, where a scene has holds, drives or overlaps
    private showMarks(): void {
        const theme = this.dark ? DARK : LIGHT;
        const colours: Record<string, number> = {
            constraint: theme.constraint, hold: theme.hold, drive: theme.drive, overlap: theme.contact,
        };
        const kinds = [...this.view.places.kinds];
        const box = byId("mark-kinds");
        box.hidden = !this.view.shown.constraints || this.scene.marks.length === 0;
        box.replaceChildren(...kinds.map((kind) => {
            const entry = document.createElement("span");
            const dot = document.createElement("i");
            dot.style.background = `#${(colours[kind] ?? 0).toString(16).padStart(6, "0")}`;
            entry.append(dot, kind);
            return entry;
        }));
    }

    /** What stays when the scene is shown again: camera, colour, what is shown. */
    handOver(): string {
        const checks = [...document.querySelectorAll<HTMLInputElement>("#panel .checks input")];
        return JSON.stringify({
            pose: this.view.isFramed ? null : this.view.pose,
            field: this.field,
            shown: Object.fromEntries(checks.map((box) => [box.id, box.checked])),
        });
    }

    takeOver(text: string): void {
        const { pose, field, shown } = JSON.parse(text) as
            { pose: number[] | null; field: number; shown: Record<string, boolean> };
        for (const [id, on] of Object.entries(shown)) {
            const box = document.getElementById(id) as HTMLInputElement | null;
            if (box) box.checked = on;
        }
        this.showThings();
        this.panel.chooseColour(field);
        if (pose) this.view.pose = pose;
    }

    // --- selection -----------------------------------------------------------------------------

    select(item: Item | null, part = -1): void {
        const { looks } = this.view;
        if (!item && this.view.following) this.follow(null);
        this.selection.show(item, part, this.player.current);
        looks.select(item);
    }

    follow(item: Item | null): void {
        this.view.follow(item);
        byId("follow").setAttribute("aria-pressed", String(item !== null));
    }

    private connectSelection(): void {
        const { looks } = this.view;
        const chosen = (act: (item: Item) => void) => () => {
            if (looks.selected) act(looks.selected);
        };
        looks.onChange = () => {
            this.view.applyLooks();
            this.objects.update();
        };
        this.objects.onSelect = (item) => this.select(looks.selected === item ? null : item);
        this.selection.onPlot = (series) => this.panel.addPlot(series);
        byId("deselect").onclick = () => this.select(null);
        byId("follow").onclick = chosen((item) => this.follow(this.view.following === item ? null : item));
        byId("hide").onclick = chosen((item) => looks.show([item], !item.look.visible));
        byId("isolate").onclick = chosen((item) => looks.isolate([item]));
        byId("opacity").oninput = chosen((item) =>
            looks.setOpacity([item], Number(byId<HTMLInputElement>("opacity").value) / 100));
    }

    /** Starts a video of the picture, or ends and saves it. */
    async recordVideo(): Promise<void> {
        try {
            if (this.video.running) {
                const { blob, ending } = await this.video.stop();
                this.download(blob, ending);
            } else {
                this.video.start(this.view.canvas);
                this.notice("Recording a video; press the button again to save it");
            }
        } catch (error) {
            this.notice(`No video: ${(error as Error).message}`, true);
        }
        byId("make-video").setAttribute("aria-pressed", String(this.video.running));
    }

    // --- wiring --------------------------------------------------------------------------------

    private connect(): void {
        const { player, view, panel } = this;
        byId("play").onclick = () => this.act(() => player.toggle());
        byId("next").onclick = () => this.act(() => player.step(1));
        byId("back").onclick = () => this.act(() => player.step(-1));
        byId("reset").onclick = () => this.act(() => player.reset());
        byId("mode").onclick = () => this.act(() => player.follow());
        const seek = byId<HTMLInputElement>("seek");
        seek.oninput = () => this.act(() => {
            player.playing = false;
            player.goTo(Number(seek.value));
            if (seek.value === seek.max) player.follow();
        });
        const speed = byId<HTMLSelectElement>("speed");
        for (const value of player.speeds) {
            const name = value === 0 ? "as fast as it can" : `${value}×`;
            speed.append(new Option(name, String(value)));
        }
        speed.onchange = () => this.act(() => player.setSpeed(Number(speed.value)));
        for (const button of document.querySelectorAll<HTMLElement>("[data-look]")) {
            button.onclick = () => this.look(button.dataset.look as Preset | "fit");
        }
        byId("pull").onclick = () => this.setPull(!this.puller.tool);
        byId("save").onclick = () => void this.save();
        byId("make-video").onclick = () => void this.recordVideo();
        byId("save-html").onclick = () => void this.saveHtml();
        byId("save-html").hidden = this.scene.mode === "file"; // it already is a file
        byId("theme").onclick = () => this.setDark(!this.dark, true);
        byId("ask").onclick = () => byId<HTMLDialogElement>("help").showModal();
        byId("fold").onclick = () => this.setPanel(document.body.dataset.panel === "closed");
        panel.onColour = (field) => this.setField(field);
        panel.onShow = () => this.showThings();
        panel.onSeek = (time) => this.act(() => {
            player.playing = false;
            player.seek(time);
        });
        this.puller.onHint = (text) => this.notice(text);
        this.driver.onChange = () => panel.showKeys(this.driver.down);
        this.connectSelection();
        new Shortcuts(this);
        panel.setFloor(view.hasFloor);
        new ResizeObserver(() => {
            view.resize();
            panel.resized();
        }).observe(view.canvas);
        const scheme = matchMedia("(prefers-color-scheme: dark)");
        const chosen = kept("lithe-theme");
        this.setDark(chosen ? chosen === "dark" : scheme.matches);
        scheme.addEventListener("change", () => {
            if (!kept("lithe-theme")) this.setDark(scheme.matches);
        });
        view.resize();
        view.look("iso", false);
        this.setPanel(innerWidth > 760);
        this.showThings();
        this.setField(-1);
    }

    private describe(): void {
        const { scene } = this;
        document.title = scene.title ? `${scene.title} – Lithe` : "Lithe";
        byId("title").textContent = scene.title || "Lithe";
        const steps = scene.times.slice(1, 64).map((time, k) => time - scene.times[k]);
        const finest = steps.length > 0 ? Math.min(...steps) : (scene.end - scene.start) / 200;
        this.decimals = Math.max(decimalsFor(finest), 2);
        byId("view").setAttribute("aria-label", `${scene.title || "The scene"} in three dimensions: ` +
            contentsOf(scene));
        this.showMode();
        this.showTransport();
    }

    act(what: () => void): void {
        what();
        this.showTransport();
        this.showMode();
    }

    look(from: Preset | "fit"): void {
        this.view.look(from === "fit" ? null : from);
        byId("follow").setAttribute("aria-pressed", "false");
    }

    setPull(on: boolean): void {
        this.puller.tool = on;
        byId("pull").setAttribute("aria-pressed", String(on));
        this.view.canvas.classList.toggle("pull", on);
    }

    setPanel(open: boolean): void {
        document.body.dataset.panel = open ? "open" : "closed";
        byId("fold").setAttribute("aria-expanded", String(open));
    }

    setDark(dark: boolean, keep = false): void {
        this.dark = dark;
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        if (keep) remember("lithe-theme", dark ? "dark" : "light");
        this.view.setTheme(dark ? DARK : LIGHT);
        this.panel.setDark(dark);
        this.selection.dark = dark;
        this.showLegend();
    }

    private showThings(): void {
        const { panel, view } = this;
        view.shown.contacts = panel.shown("contacts");
        view.shown.patches = panel.shown("patches");
        view.shown.constraints = panel.shown("constraints");
        view.shown.stripes = panel.shown("stripes");
        view.shown.floor = panel.shown("floor");
        view.shown.frames = panel.shown("frames");
        view.shown.wireframe = panel.shown("wireframe");
        view.shown.shapes = panel.shapes;
        this.labels.show(panel.shown("labels"));
        view.refresh();
        this.updateRange();
        this.showLegend();
    }

    async save(): Promise<void> {
        this.download(await this.view.snapshot(), `-${this.player.time.toFixed(this.decimals)}s.png`);
    }

    /** The frames of the page, or the whole recording, as one self-contained file. */
    async saveHtml(): Promise<void> {
        if (this.scene.mode === "file") return;
        try {
            const answer = await fetch("standalone.html");
            if (!answer.ok) throw new Error("the server has no page for single files");
            await this.player.whole();
            const frames = this.timeline.frames.filter((frame) => frame !== undefined);
            if (frames.length === 0) throw new Error("there is no frame yet");
            const left = this.timeline.count - frames.length;
            const text = await htmlOf(await answer.text(), packRun(this.scene, this.layout, frames));
            this.download(new Blob([text], { type: "text/html" }), ".html",
                left > 0 ? `, without ${left} frames that this page has no room for` : "");
        } catch (error) {
            this.notice(`Not saved: ${(error as Error).message}`, true);
        }
    }

    private download(blob: Blob, ending: string, remark = ""): void {
        const link = document.createElement("a");
        const name = (this.scene.title || "lithe").toLowerCase().replace(/[^a-z0-9]+/g, "-");
        link.href = URL.createObjectURL(blob);
        link.download = name + ending;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        this.notice(`Saved ${link.download}${remark}`);
    }

    // --- every frame ---------------------------------------------------------------------------

    private tick(now: number): void {
        requestAnimationFrame((next) => this.tick(next));
        const begin = performance.now();
        const seconds = Math.min((now - this.last) / 1000, 0.1);
        this.last = now;
        this.driver.poll();
        const wasPlaying = this.player.isPlaying;
        const frame = this.player.tick(this.last ? seconds : 0);
        if (frame) {
            this.view.arrows.setLargest(this.timeline.largestForce);
            this.view.setFrame(frame);
            this.selection.update(frame, now);
            if (byId<HTMLInputElement>("range-frame").checked) this.updateRange();
            this.puller.drawn();
            this.showTime();
            this.showForces();
        }
        if (this.player.isPlaying !== wasPlaying) this.showTransport();
        const drawn = this.view.draw(now);
        const current = this.player.current;
        if (current) {
            if (drawn) {
                this.labels.update(current);
                this.gauge.update(this.view.camera, this.view.pixel);
            }
            this.selection.settle(current, now);
            this.panel.update(now, current.time, (s) =>
                solid(current.words[this.layout.series + s]));
        }
        if (now > this.noticeEnds && !this.lost && !byId("notice").hidden) byId("notice").hidden = true;
        if (drawn) this.meter.add(performance.now() - begin);
    }

    private lastForces = "";
    private lastPressure = 0;

    // the scales of arrows follow the largest forces
    private showForces(): void {
        const { arrows, patches } = this.view;
        const forces = arrows.largest.join();
        if (forces === this.lastForces && patches.largest === this.lastPressure) return;
        this.lastForces = forces;
        this.lastPressure = patches.largest;
        this.showLegend();
    }

    /** Called after another page has moved the time. */
    showClock(): void {
        this.showTransport();
    }

    private showTime(): void {
        const { player, timeline } = this;
        byId("time").textContent = `${player.time.toFixed(this.decimals)} s`;
        const seek = byId<HTMLInputElement>("seek");
        const last = Math.max(timeline.count - 1, 0);
        if (seek.max !== String(last)) seek.max = String(last);
        seek.value = String(player.frameNumber);
        seek.style.setProperty("--done", `${last > 0 ? (100 * player.frameNumber) / last : 0}%`);
        seek.setAttribute("aria-valuetext", `${player.time.toFixed(this.decimals)} seconds`);
    }

    private showTransport(): void {
        const { player, timeline } = this;
        const play = byId<HTMLButtonElement>("play");
        const name = player.isPlaying ? "Pause" : "Play";
        if (play.getAttribute("aria-label") !== name) {
            play.setAttribute("aria-label", name);
            play.querySelector("use")!.setAttribute("href", player.isPlaying ? "#i-pause" : "#i-play");
        }
        play.disabled = timeline.live && player.status?.ended === true;
        byId<HTMLSelectElement>("speed").value = String(player.speed);
        const end = timeline.live ? this.scene.end : player.end;
        byId("end").textContent = `of ${short(end)} s`;
        this.showTime();
    }

    private showMode(): void {
        const badge = byId<HTMLButtonElement>("mode");
        const { mode } = this.scene;
        const live = mode === "live";
        const ended = this.player.status?.ended;
        badge.className = "badge";
        if (this.lost) badge.classList.add("lost");
        else if (live && this.player.following && !ended && this.player.isPlaying) badge.classList.add("live");
        badge.textContent = this.lost ? "No connection"
            : live && this.scene.file && this.timeline.count === 0 ? "Waiting for the scene"
            : live && this.player.following && this.player.status?.paused && this.player.time <= this.scene.start
                ? "At the start"
            : live ? (ended ? "Ended" : this.player.following ? "Live" : "Looking back")
            : "Recording";
        badge.disabled = !live || this.player.following; // else a click follows the run again
        badge.title = badge.disabled ? "" : "Follow the run (End)";
    }
}
