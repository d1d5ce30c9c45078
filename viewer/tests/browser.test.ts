// SPDX-License-Identifier: Apache-2.0
// viewer/tests/browser.test.ts - the page in a real browser, against the real program

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { emptyFrame, type Frame } from "../src/frame.ts";
import { layoutOf, readScene, type Scene } from "../src/scene.ts";
import {
    allFrames, anotherPicture, cameraMoves, exportHtml, freePort, knot, newPage, open, openRun, patience, picture,
    pictureThat, placeOf, record, saveHtml, says, scriptClock, serve, shown, state, until, withServer,
} from "./stage.ts";

test("a_recording_loads_scrubs_and_shows_tension_and_contacts", async () => {
    await withServer(["view", knot], async ({ address }) => {
        const page = await open(address);
        await allFrames(page);
        let now = await state(page);
        assert.equal(now.mode, "replay");
        assert.equal(now.frames, 13);
        assert.ok(now.plots.includes("rope.tension.max"));
        const plain = await picture(page);
        assert.ok(plain.colours > 500, `a blank picture: ${plain.colours} colours`);

        // scrub with the time bar
        await page.evaluate(() => {
            const bar = document.getElementById("seek") as HTMLInputElement;
            bar.value = "8";
            bar.dispatchEvent(new Event("input"));
        });
        await until(page, () => window.lithe!.app.player.current?.number === 8);
        await says(page, "#time", "0.040 s");
        const later = await anotherPicture(page, plain.hash);
        assert.notEqual(later.hash, plain.hash);
        await until(page, () => (window.lithe!.app.view.arrows.legend()?.contact ?? 0) > 0);
        now = await state(page);
        assert.ok(Math.abs(now.time - 0.04) < 1e-9);
        assert.ok(now.contacts > 10);

        // colours and their legend
        await page.click('#colours input[value="0"]');
        await says(page, "#scale-name", "Tension");
        const tension = await anotherPicture(page, later.hash);
        assert.notEqual(tension.hash, later.hash);
        now = await state(page);
        assert.equal(now.field, 0);
        assert.ok(now.range.high > now.range.low);

        // contacts on and off change many red pixels
        await page.click("#show-contacts");
        const without = await pictureThat(page, (one) => one.saturated < tension.saturated);
        assert.ok(without.saturated < tension.saturated, "arrows did not go away");

        // a click in a plot goes to that time
        const area = (await page.$(".chart .area"))!;
        await area.scrollIntoView();
        const box = (await area.boundingBox())!;
        await page.mouse.click(box.x + box.width - 8, box.y + 20);
        await until(page, () => window.lithe!.app.player.frameNumber === 12);

        // saved from the page it is a file of its own
        const name = "an-overhand-knot-is-pulled-tight-and-snaps-through.html";
        await playFile(await saveHtml(page, name), 13);
        await page.bringToFront();

        // play continues from the start and stops at the end
        await page.select("#speed", "0.1");
        await page.click("#play");
        await until(page, () => window.lithe!.app.player.playing === false &&
            window.lithe!.app.player.frameNumber === 12);
    });
});

// a sheet of 12 x 12 points that sinks while four balls beside it rise
function sheetAndBalls(): { scene: Scene; frames: Frame[] } {
    const triangles: number[] = [];
    for (let i = 0; i < 11 * 12; i++) {
        if (i % 12 < 11) triangles.push(i, i + 1, i + 13, i, i + 13, i + 12);
    }
    const scene = readScene({
        format: "lithe-view", version: 2, mode: "file", title: "Sheet", times: [0, 1], end: 1,
        bounds: { low: [0, 0, 0], high: [2, 1, 1] },
        surfaces: [{ name: "sheet", kind: "shells", points: 144, fields: [0], triangles }],
        balls: [{ name: "beads", kind: "particles", points: 4, fields: [0], radius: [0.1, 0.1, 0.2, 0.2] }],
        fields: [{ name: "speed", unit: "m/s" }],
    });
    const layout = layoutOf(scene);
    const frames = [0, 1].map((k): Frame => {
        const words = new Float32Array(layout.words);
        for (let i = 0; i < 144; i++) {
            words.set([(i % 12) / 11, Math.floor(i / 12) / 11, 0.5 - 0.2 * k], 3 * i);
            words[layout.surfaces[0].fields + i] = i / 144;
        }
        for (let i = 0; i < 4; i++) {
            words.set([1.5, 0.3 * i, 0.3 + 0.2 * k], layout.balls[0].position + 3 * i);
            words[layout.balls[0].fields + i] = i;
        }
        return { ...emptyFrame(layout), number: k, time: k, words };
    });
    return { scene, frames };
}

test("surfaces_and_balls_are_drawn_coloured_named_and_picked", async () => {
    const page = await openRun(sheetAndBalls(), "sheet.html");
    const plain = await picture(page);
    assert.ok(plain.saturated > 10000, `little is drawn: ${plain.saturated} pixels`);
    await page.click('#colours input[value="0"]');
    const fast = await anotherPicture(page, plain.hash);
    assert.notEqual(fast.hash, plain.hash);
    assert.deepEqual((await state(page)).range, { low: 0, high: 3, diverging: false });
    await page.focus("#view");
    await page.keyboard.press("End");
    assert.equal((await state(page)).frame, 1);
    assert.notEqual((await anotherPicture(page, fast.hash)).hash, fast.hash);
    await page.click("#show-labels");
    await until(page, () => [...document.querySelectorAll("#labels span")]
        .filter((label) => !(label as HTMLElement).hidden).length === 2);

    // what is under the pointer: a ball by its centre, a corner of the sheet
    const held = async (list: "surfaces" | "balls", part: number) => {
        const { x, y } = await placeOf(page, list, 0, part);
        await page.mouse.move(x, y);
        await page.keyboard.down("Shift");
        await page.mouse.down();
        await page.mouse.up();
        await page.keyboard.up("Shift");
        return page.evaluate(() => window.lithe!.app.puller.found);
    };
    assert.deepEqual(await held("balls", 2), { thing: "beads", part: 2 });
    assert.deepEqual(await held("surfaces", 66), { thing: "sheet", part: 66 });
    await page.close();
});

test("keys_alone_do_everything", async () => {
    await withServer(["view", knot], async ({ address }) => {
        const page = await open(address);
        await allFrames(page);
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement!.id), "view");
        await page.keyboard.press(".");
        await page.keyboard.press("ArrowRight");
        assert.equal((await state(page)).frame, 2);
        await page.keyboard.press(",");
        assert.equal((await state(page)).frame, 1);
        await page.keyboard.press("End");
        assert.equal((await state(page)).frame, 12);
        await page.keyboard.press("Home");
        await page.keyboard.press("3");
        assert.equal((await state(page)).field, 1);
        const before = await state(page);
        await page.keyboard.press("PageUp");
        await page.keyboard.down("Alt");
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.up("Alt");
        await cameraMoves(page, before.camera);
        // from above, and with names
        await page.keyboard.press("t");
        await until(page, () => {
            const { camera, controls } = window.lithe!.app.view;
            const away = camera.position.clone().sub(controls.target);
            return away.z > 0.99 * away.length();
        });
        await page.keyboard.press("n");
        await until(page, () => {
            const [label] = document.querySelectorAll<HTMLElement>("#labels span");
            return label.textContent === "rope" && !label.hidden && label.offsetParent !== null;
        });
        await page.keyboard.press("d");
        assert.equal((await state(page)).dark, !before.dark);
        await page.keyboard.press("+");
        assert.ok((await state(page)).speed > before.speed);
        await page.keyboard.press("-");
        assert.equal((await state(page)).speed, before.speed);
        await page.keyboard.press("Space");
        assert.equal((await state(page)).playing, true);
        await page.keyboard.press("Space");
        await page.keyboard.press("?");
        assert.equal(await page.$eval("#help", (element) => (element as HTMLDialogElement).open), true);
        await page.keyboard.press("Escape");
        assert.equal(await page.$eval("#help", (element) => (element as HTMLDialogElement).open), false);

        // every control can be reached and has a name
        const names = await page.evaluate(() => {
            const all = document.querySelectorAll<HTMLElement>("button, select, input, canvas[tabindex]");
            return [...all].filter((one) => one.offsetParent).map((one) => {
                const label = one.closest("label")?.textContent?.trim();
                return one.getAttribute("aria-label") || label || one.textContent?.trim() || "";
            });
        });
        assert.ok(names.length > 15 && names.every((name) => name.length > 0));
    });
});

test("a_window_of_400_pixels_shows_everything_without_scrolling_sideways", async () => {
    await withServer(["view", knot], async ({ address }) => {
        const page = await open(address, 400, 760);
        const outside = () => page.evaluate(() => {
            const all = document.querySelectorAll<HTMLElement>("button, select, input, h1, #time, #legend");
            return [...all].filter((one) => one.offsetParent).map((one) => {
                const box = one.getBoundingClientRect();
                return { id: one.id || one.textContent, left: box.left, right: box.right };
            }).filter((one) => one.left < -0.5 || one.right > 400.5);
        });
        assert.deepEqual(await outside(), []);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
        await page.click("#fold"); // the panel as a sheet
        assert.deepEqual(await outside(), []);
        const tall = await page.$eval("#view", (element) => element.clientHeight);
        assert.ok(tall > 200, `only ${tall} pixels are left for the picture`);
        assert.ok((await picture(page)).colours > 300);

        // a finger rotates the view
        const before = (await state(page)).camera;
        await page.touchscreen.touchStart(150, 200);
        await page.touchscreen.touchMove(220, 230);
        await page.touchscreen.touchEnd();
        await cameraMoves(page, before);
    });
});

// opens a single file with the network cut off, and plays some of it
async function playFile(path: string, least: number, most = least): Promise<void> {
    const page = await newPage();
    await page.setViewport({ width: 780, height: 420 });
    await page.setOfflineMode(true);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const file = pathToFileURL(path).href;
    await page.goto(file);
    await shown(page);
    const now = await state(page);
    assert.equal(now.mode, "file");
    assert.ok(now.loaded >= least && now.loaded <= most, `${now.loaded} frames, not ${least} to ${most}`);
    const { colours, saturated } = await picture(page);
    assert.ok(colours > 100 && saturated > 300, `a blank picture: ${colours} colours, ${saturated} pixels`);
    await page.keyboard.press("End");
    await until(page, () => {
        const { player, timeline } = window.lithe!.app;
        return player.current?.number === timeline.count - 1;
    });
    await page.keyboard.press("Home");
    await page.select("#speed", "0.1");
    await page.focus("#view");
    await page.keyboard.press("Space");
    await until(page, () => window.lithe!.app.player.frameNumber > 3);
    assert.deepEqual(requested.filter((url) => !url.startsWith("data:") && !url.startsWith("blob:")), [file]);
    await page.close();
}

test("an_exported_file_of_600_frames_is_small_and_plays_from_the_disk_without_a_network", async () => {
    const run = record("knot.yaml", "many.h5", "--until", "60ms", "--set", "record.every=0.1ms");
    const file = exportHtml(run);
    assert.ok(statSync(file).size < 5e6, `${statSync(file).size} bytes`);
    await playFile(file, 601);
});

test("a_live_run_streams_pauses_steps_and_can_be_pulled_on", async () => {
    const words = ["run", `${process.env.VIEWER}/../scenes/catenary.yaml`, "--until", "300s", "--view",
        "--out", "live.h5"];
    await withServer(words, async ({ address }) => {
        const page = await open(address);
        await until(page, () => window.lithe!.app.player.time > 0.05);
        assert.equal((await state(page)).mode, "live");
        await says(page, "#mode", "Live");

        await page.click("#play");
        await until(page, () => window.lithe!.app.player.status?.paused === true);
        const still = await state(page);
        await page.keyboard.press(".");
        await page.waitForFunction((time) => window.lithe!.app.player.time > time,
            { polling: 50, timeout: patience }, still.time);

        // the frames that the page received can be saved
        const seen = (await state(page)).frames;
        const saved = await saveHtml(page, "a-cable-comes-to-hang-as-a-catenary.html");
        await playFile(saved, seen, (await state(page)).frames); // some may still have been on their way
        await page.bringToFront();

        // look back while the run continues, and follow it again
        await page.keyboard.press("Home");
        await says(page, "#mode", "Looking back");
        assert.equal((await state(page)).frame, 0);
        await page.click("#mode");
        await says(page, "#mode", "Live");
        await until(page, () => {
            const { player, timeline } = window.lithe!.app;
            return player.current === timeline.frames[timeline.count - 1];
        });

        // pull on the middle, with Shift, away from where it is
        const middle = await page.evaluate(() => Math.floor(window.lithe!.app.scene.tubes[0].points / 2));
        const height = () => page.evaluate((node) => {
            const { app } = window.lithe!;
            return app.player.current!.words[app.layout.tubes[0].position + 3 * node + 2];
        }, middle);
        const from = await placeOf(page, "tubes", 0, middle);
        const before = await height();
        await page.keyboard.down("Shift");
        await page.mouse.move(from.x, from.y);
        await page.mouse.down();
        await page.mouse.move(from.x + 10, from.y - 60, { steps: 4 });
        await page.mouse.move(from.x + 20, from.y - 120, { steps: 4 });
        assert.ok(await page.evaluate(() => window.lithe!.app.puller.grabbed !== null), "nothing is held");
        await page.keyboard.press("Space"); // continue the run
        await page.waitForFunction((node, start) => {
            const { app } = window.lithe!;
            const z = app.player.current!.words[app.layout.tubes[0].position + 3 * node + 2];
            return z > start + 20 * app.view.pixel;
        }, { timeout: patience, polling: 50 }, middle, before);
        await page.mouse.up();
        await page.keyboard.up("Shift");
        await until(page, () => window.lithe!.app.puller.grabbed === null);
    });
});

test("keys_and_gamepads_drive_the_hand_of_an_arm", async () => {
    const words = ["run", `${process.env.VIEWER}/../scenes/play-arm.yaml`, "--until", "300s", "--view",
        "--out", "arm.h5"];
    await withServer(words, async ({ address }) => {
        const page = await open(address, 500, 400);
        const hand = () => page.evaluate(() => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "arm/hand");
            return app.player.current!.words[app.layout.bodies[body] + 2];
        });
        await until(page, () => window.lithe!.app.player.time > 0.05);
        const before = await hand();
        await page.keyboard.down("w");
        await until(page, () => document.querySelector('#keys kbd[data-key="w"]')!.classList.contains("down"));
        await page.waitForFunction((start) => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "arm/hand");
            return app.player.current!.words[app.layout.bodies[body] + 2] > start + 0.01;
        }, { polling: 50, timeout: patience }, before);
        await page.keyboard.up("w");
        await until(page, () => window.lithe!.app.driver.down.size === 0);
        // the run receives the release, and the hand stays: within 1 mm for 0.3 s of the run
        await page.waitForFunction(() => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "arm/hand");
            const z = app.player.current!.words[app.layout.bodies[body] + 2];
            const store = window as unknown as { rest?: { z: number; time: number } };
            store.rest ??= { z, time: app.player.time };
            if (Math.abs(z - store.rest.z) > 0.001) store.rest = { z, time: app.player.time };
            return app.player.time - store.rest.time > 0.3;
        }, { polling: 50, timeout: patience });

        // and a gamepad: its stick pushed away moves the hand away
        await page.evaluate(() => {
            navigator.getGamepads = () => [{ axes: [0, -1] } as unknown as Gamepad];
        });
        await page.waitForFunction(() => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "arm/hand");
            return app.player.current!.words[app.layout.bodies[body]] > 0.5;
        }, { polling: 50, timeout: patience });
    });
});

test("keys_bend_a_soft_arm_and_let_it_stand", async () => {
    const words = ["run", `${process.env.VIEWER}/../scenes/play-soft-arm.yaml`, "--until", "300s", "--view",
        "--out", "soft.h5"];
    await withServer(words, async ({ address }) => {
        const page = await open(address, 500, 400);
        // x of the tip: chambers 1 are at x of their sections, and the arm hangs
        const tip = () => page.evaluate(() => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "trunk/tip");
            return app.player.current!.words[app.layout.bodies[body]];
        });
        const passes = (from: number, by: number) => page.waitForFunction((start, least) => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "trunk/tip");
            const moved = app.player.current!.words[app.layout.bodies[body]] - start;
            return least > 0 ? moved > least : moved < least;
        }, { polling: 50, timeout: patience }, from, by);
        await until(page, () => window.lithe!.app.player.time > 0.05);
        const keys = await page.evaluate(() =>
            [...document.querySelectorAll<HTMLElement>("#keys kbd")].map((one) => one.dataset.key));
        assert.deepEqual(keys.slice().sort(),
            ["ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "a", "d", "s", "w"]);
        // a longer chamber bends the section away from it, a shorter one to it
        const before = await tip();
        await page.keyboard.down("w");
        await passes(before, 0.02);
        await page.keyboard.up("w");
        await until(page, () => window.lithe!.app.driver.down.size === 0);
        const bent = await tip();
        await page.keyboard.down("s");
        await passes(bent, -0.02);
        await page.keyboard.up("s");
        // the run receives the release, and the tip stands: within 1 mm for 0.3 s of the run
        await page.waitForFunction(() => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "trunk/tip");
            const x = app.player.current!.words[app.layout.bodies[body]];
            const store = window as unknown as { rest?: { x: number; time: number } };
            store.rest ??= { x, time: app.player.time };
            if (Math.abs(x - store.rest.x) > 0.001) store.rest = { x, time: app.player.time };
            return app.player.time - store.rest.time > 0.3;
        }, { polling: 50, timeout: patience });
    });
});

test("a_lost_connection_is_reported_and_restored", async () => {
    const page = await newPage();
    const server = await serve("view", knot, "--port", String(await freePort()));
    await page.goto(server.address);
    await shown(page);
    await server.stop();
    await until(page, () => !window.lithe!.connected);
    await says(page, "#mode", "No connection");
    await until(page, () =>
        window.lithe!.app.notices.filter((text) => text.includes("trying again")).length >= 2);
    await page.close();
});

test("script_time_of_a_chain_of_100_rings", async (t) => {
    const chain = record("chain-of-rings.yaml", "chain.h5", "--set", "parameters.rings=100",
        "--set", "record.every=16ms", "--until", "160ms");
    await withServer(["view", chain], async ({ address }) => {
        const page = await open(address);
        await allFrames(page);
        await page.keyboard.press("2");
        await until(page, () => window.lithe!.app.field === 0);
        const used = await scriptClock(page);
        await page.evaluate(() => {
            const { app } = window.lithe!;
            app.meter.clear();
            app.player.setSpeed(0.01);
            app.player.goTo(Math.floor(app.timeline.count / 2)); // the rings touch by then
            app.player.toggle();
        });
        const begin = await used();
        const first = (await state(page)).script.frames;
        await until(page, () => window.lithe!.app.meter.frames >= 24);
        const now = await state(page);
        const each = (await used() - begin) / (now.script.frames - first);
        t.diagnostic(`measured script time a frame, chain of 100 rings: processor ${each.toFixed(1)} ms, ` +
            `clock median ${now.script.median.toFixed(1)} ms (${now.contacts} contacts)`);
        assert.ok((await picture(page)).colours > 500);
    });
});
