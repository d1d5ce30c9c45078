// SPDX-License-Identifier: Apache-2.0
// viewer/tests/stage.ts - helpers of browser tests: recordings, servers, a browser, pictures
//
// All files of browser tests are one program: they share one browser, one recording of a knot, and one
// server for each recording that they show.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import type { App } from "../src/app.ts";
import type { Frame } from "../src/frame.ts";
import { htmlOf, packRun } from "../src/pack.ts";
import type { Pair } from "../src/pair.ts";
import { layoutOf, type Drawn, type Scene } from "../src/scene.ts";

declare global {
    interface Window {
        lithe?: { app: App; ready: boolean; connected: boolean };
        lithePair?: Pair;
    }
}

/** How long a state may take to come [ms]: tests wait for states, and a busy machine is slow. LITHE_PATIENCE [s] shortens it. */
export const patience = Number(process.env.LITHE_PATIENCE ?? 120) * 1000;

export const lithe = process.env.LITHE!;
export const root = join(process.env.VIEWER!, "..");
export const scratch = mkdtempSync(join(tmpdir(), "lithe-page-"));

export let browser: Browser;
/** 13 frames of a rope that is pulled to a knot. */
export let knot = "";

const servers = new Map<string, Server>(); // of recordings, until the end

before(async () => {
    knot = record("knot.yaml", "knot.h5", "--until", "60ms");
    browser = await launch();
});

after(async () => {
    await browser?.close();
    await Promise.all([...servers.values()].map((server) => server.stop()));
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

// The processor draws, without a GPU: only the picture is drawn by WebGL, the rest of the page is
// not, which halves the time.
function launch(): Promise<Browser> {
    return puppeteer.launch({
        executablePath: process.env.CHROMIUM!,
        args: [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle",
            "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-rasterization",
        ],
        userDataDir: join(scratch, "browser"),
        timeout: patience,
        protocolTimeout: 2 * patience,
    });
}

/** Runs a scene to a recording. */
export function record(scene: string, name: string, ...more: string[]): string {
    const out = join(scratch, name);
    execFileSync(lithe, ["run", join(root, "scenes", scene), "--out", out, "--quiet", ...more], {
        cwd: scratch, stdio: ["ignore", "ignore", "inherit"],
    });
    return out;
}

export function exportHtml(run: string): string {
    const out = run.replace(/\.h5$/, ".html");
    execFileSync(lithe, ["export", run, out], { stdio: ["ignore", "ignore", "inherit"] });
    return out;
}

export interface Server {
    address: string;
    stop(): Promise<void>;
}

/** Starts the command with its server and waits for the address that it prints. */
export function serve(...words: string[]): Promise<Server> {
    const child: ChildProcess = spawn(lithe, [...words, "--no-open"], { cwd: scratch });
    let said = "";
    return new Promise((resolve, reject) => {
        const hear = (data: Buffer) => {
            said += data.toString();
            const found = /http:\/\/[^\s]+(?=\s)/.exec(said);
            if (found) resolve({ address: found[0], stop });
        };
        const stop = () => new Promise<void>((done) => {
            if (child.exitCode !== null) return done();
            child.once("exit", () => done());
            child.kill("SIGINT");
            setTimeout(() => child.kill("SIGKILL"), patience).unref();
        });
        child.stdout!.on("data", hear);
        child.stderr!.on("data", hear);
        child.once("exit", () => reject(new Error(`the server ended: ${said}`)));
    });
}

/** A port that nothing listens at. */
export function freePort(): Promise<number> {
    return new Promise((resolve) => {
        const probe = createServer();
        probe.listen(0, "127.0.0.1", () => {
            const { port } = probe.address() as AddressInfo;
            probe.close(() => resolve(port));
        });
    });
}

export async function newPage(): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(patience);
    return page;
}

/** Runs in the page before its first picture. */
export type Early = (lithe: { app: App }) => void;

/**
 * A page at an address, with its first frame on the screen; errors of its script fail the test. The
 * picture is small, since the time that it takes grows with its pixels.
 */
export async function open(address: string, width = 780, height = 420, early?: Early): Promise<Page> {
    const page = await newPage();
    await page.setViewport({ width, height });
    if (early) {
        await page.evaluateOnNewDocument(`{
            let made;
            Object.defineProperty(window, "lithe", { get: () => made, set: (now) => { made = now; (${early})(now); } });
        }`);
    }
    page.on("pageerror", (error) => {
        throw error;
    });
    await page.goto(address);
    await shown(page);
    return page;
}

/** A page with a run inside of it, as `lithe export` writes it. */
export async function openRun(
    run: { scene: Scene; frames: Frame[] }, name: string, width?: number, height?: number, early?: Early,
): Promise<Page> {
    const empty = readFileSync(join(dirname(lithe), "viewer", "standalone.html"), "utf8");
    const file = join(scratch, name);
    writeFileSync(file, await htmlOf(empty, packRun(run.scene, layoutOf(run.scene), run.frames)));
    return open(pathToFileURL(file).href, width, height, early);
}

/** Waits until the page has all frames of a recording. */
export async function allFrames(page: Page): Promise<void> {
    await until(page, () => window.lithe!.app.timeline.frames.every((frame) => frame));
}

/** Counts the processor time of the page's script [ms]: wall time includes that of others. */
export async function scriptClock(page: Page): Promise<() => Promise<number>> {
    const session = await page.createCDPSession();
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    return async () => {
        const { metrics } = await session.send("Performance.getMetrics");
        return metrics.find((one) => one.name === "ScriptDuration")!.value * 1000;
    };
}

export async function shown(page: Page): Promise<void> {
    await until(page, () => window.lithe?.ready === true && window.lithe.app.player.current !== null &&
        window.lithe.app.meter.frames > 0);
}

export async function until(page: Page, what: () => boolean, ...rest: unknown[]): Promise<void> {
    await page.waitForFunction(what as () => boolean, { polling: 50, timeout: patience }, ...rest);
}

/** Waits until an element has this text. */
export async function says(page: Page, selector: string, text: string): Promise<void> {
    await page.waitForFunction((where, wanted) => document.querySelector(where)?.textContent === wanted,
        { polling: 50, timeout: patience }, selector, text);
}

/** Files that the page saves come into the scratch folder. */
export async function allowDownloads(page: Page): Promise<void> {
    const session = await page.createCDPSession();
    await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: scratch });
}

/** Saves the run from the page as HTML; the file. */
export async function saveHtml(page: Page, name: string): Promise<string> {
    await allowDownloads(page);
    await page.click("#save-html");
    const file = join(scratch, name);
    await arrives(file);
    return file;
}

/** Waits for a file that the browser saves; true when it is there. */
export async function arrives(file: string): Promise<boolean> {
    const end = Date.now() + patience;
    while (!existsSync(file) && Date.now() < end) await pause(50);
    return existsSync(file);
}

/** The state that the page reports. */
export function state(page: Page) {
    return page.evaluate(() => {
        const { app } = window.lithe!;
        return {
            mode: app.scene.mode,
            time: app.player.time,
            frame: app.player.frameNumber,
            frames: app.timeline.count,
            loaded: app.timeline.frames.filter((one) => one).length,
            playing: app.player.isPlaying,
            speed: app.player.speed,
            field: app.field,
            range: app.range,
            contacts: app.player.current?.contactCount ?? 0,
            arrows: app.view.arrows.legend()?.contact ?? 0,
            dark: app.dark,
            plots: app.panel.plotNames,
            camera: app.view.camera.position.toArray(),
            notices: app.notices,
            script: app.meter.numbers,
        };
    });
}

/** Colours of the picture, read from the canvas: their number and their sum. */
export async function picture(page: Page): Promise<{ colours: number; saturated: number; hash: number }> {
    return page.evaluate(async () => {
        const blob = await window.lithe!.app.view.snapshot();
        const bitmap = await createImageBitmap(blob);
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const pen = canvas.getContext("2d")!;
        pen.drawImage(bitmap, 0, 0);
        const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
        const seen = new Set<number>();
        let saturated = 0;
        let hash = 0;
        for (let i = 0; i < data.length; i += 4) {
            const colour = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
            seen.add(colour);
            hash = (hash * 31 + colour) | 0;
            const high = Math.max(data[i], data[i + 1], data[i + 2]);
            if (high - Math.min(data[i], data[i + 1], data[i + 2]) > 60) saturated++;
        }
        return { colours: seen.size, saturated, hash };
    });
}

type Picture = Awaited<ReturnType<typeof picture>>;

/** The picture once it is as wanted, or the last one: the page draws in its own frames. */
export async function pictureThat(page: Page, wanted: (now: Picture) => boolean): Promise<Picture> {
    const end = Date.now() + patience;
    let now = await picture(page);
    while (!wanted(now) && Date.now() < end) {
        await pause(50);
        now = await picture(page);
    }
    return now;
}

/** The picture once it differs from the one with this hash. */
export function anotherPicture(page: Page, hash: number): Promise<Picture> {
    return pictureThat(page, (now) => now.hash !== hash);
}

/** Runs a server for a test; closes its pages and stops it. Servers of recordings stay for other tests. */
export async function withServer(words: string[], what: (server: Server) => Promise<void>): Promise<void> {
    const stays = words.every((word) => word === "view" || word.endsWith(".h5"));
    const key = words.join("\n");
    const server = servers.get(key) ?? await serve(...words);
    if (stays) servers.set(key, server);
    try {
        await what(server);
    } finally {
        for (const page of await browser.pages()) {
            if (page.url() !== "about:blank") await page.close();
        }
        if (!stays) await server.stop();
    }
}

/** Waits until the camera is elsewhere. */
export async function cameraMoves(page: Page, from: number[]): Promise<void> {
    await page.waitForFunction((old) => {
        const now = window.lithe!.app.view.camera.position.toArray();
        return now.some((value, k) => value !== old[k]);
    }, { polling: 50, timeout: patience }, from);
}

/** Where a point of a thing is on the page. */
export function placeOf(
    page: Page, list: Drawn, thing: number, part: number,
): Promise<{ x: number; y: number }> {
    return page.evaluate((kind, r, k) => {
        const { app } = window.lithe!;
        const { view, layout } = app;
        const at = layout[kind][r].position + 3 * k;
        const point = view.camera.position.clone().fromArray(app.player.current!.words, at);
        point.project(view.camera);
        const box = view.canvas.getBoundingClientRect();
        return {
            x: box.left + (0.5 + 0.5 * point.x) * box.width,
            y: box.top + (0.5 - 0.5 * point.y) * box.height,
        };
    }, list, thing, part);
}

export function pause(milliseconds: number): Promise<void> {
    return new Promise((done) => setTimeout(done, milliseconds));
}
