// SPDX-License-Identifier: Apache-2.0
// viewer/tests/browser_desk.test.ts - the page as an instrument: objects, thin things, videos, and
// scenes before they run

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "puppeteer-core";
import { emptyFrame, type Frame } from "../src/frame.ts";
import { layoutOf, readScene, type Scene } from "../src/scene.ts";
import {
    allFrames, allowDownloads, anotherPicture, arrives, browser, cameraMoves, knot, open, openRun, patience, picture,
    pictureThat, placeOf, record, says, scratch, scriptClock, state, until, withServer,
} from "./stage.ts";

test("a_click_selects_and_the_tree_hides_isolates_and_follows", async () => {
    const run = record("play-arm.yaml", "tree.h5", "--until", "40ms");
    await withServer(["view", run], async ({ address }) => {
        const page = await open(address);
        await allFrames(page);
        const full = await picture(page);
        const middle = await page.evaluate(() => Math.floor(window.lithe!.app.scene.tubes[0].points / 2));
        const { x, y } = await placeOf(page, "tubes", 0, middle);
        await page.mouse.click(x, y);
        await until(page, () => !document.getElementById("selected")!.hidden);
        const rope = await page.evaluate(() => {
            const { app } = window.lithe!;
            return { name: app.scene.tubes[0].name, part: app.selection.part,
                facts: document.querySelector("#selected dl")!.textContent };
        });
        await says(page, "#selected-name", rope.name);
        assert.ok(Math.abs(rope.part - middle) <= 2, `node ${rope.part} in place of ${middle}`);
        assert.match(rope.facts!, /^Materialrope.*Length.*Section.*Node .*tension.*Contacts/s);
        // values along the rod, for the selected quantity
        await page.select("#along-field", "1");
        await says(page, "#along .name", "curvature");
        const rim = await anotherPicture(page, full.hash);
        assert.notEqual(rim.hash, full.hash);

        // less opaque, hidden, shown again
        await page.evaluate(() => {
            const slider = document.getElementById("opacity") as HTMLInputElement;
            slider.value = "20";
            slider.dispatchEvent(new Event("input"));
        });
        const pale = await pictureThat(page, (one) => one.saturated < rim.saturated);
        assert.ok(pale.saturated < rim.saturated, "the rope is as opaque as before");
        await page.click("#hide");
        const without = await anotherPicture(page, pale.hash);
        assert.notEqual(without.hash, pale.hash, "the rope is still there");
        await page.click("#show-all");
        await page.keyboard.press("Escape");
        await until(page, () => document.getElementById("selected")!.hidden);

        // a link of the arm from the tree; the camera moves with it
        await page.evaluate(() => {
            for (const one of document.querySelectorAll<HTMLDetailsElement>("#tree details")) one.open = true;
        });
        await page.waitForSelector('#tree button[title="Select arm/hand"]');
        await page.click('#tree button[title="Select arm/hand"]');
        await says(page, "#selected-name", "arm/hand");
        // a space after the click belongs to the player, and does not click the row again
        assert.equal(await page.evaluate(() => document.activeElement!.closest("#tree")), null);
        await page.evaluate(() => document.getElementById("follow")!.click());
        const target = () => page.evaluate(() => {
            const { app } = window.lithe!;
            const at = app.view.centreOf(app.view.following!, app.player.current!, app.view.camera.position.clone());
            return at.sub(app.view.controls.target).length();
        });
        assert.ok(await target() < 1e-6);
        await page.keyboard.press("k"); // keep this view
        await page.keyboard.press("End");
        await until(page, () => window.lithe!.app.player.current?.number === window.lithe!.app.timeline.count - 1);
        assert.ok(await target() < 1e-4);
        await page.evaluate(() => document.getElementById("isolate")!.click());
        await until(page, () => window.lithe!.app.view.looks.items.filter((one) => one.look.visible).length === 1);

        // frames, wireframe, and back to the kept view
        const before = await picture(page);
        await page.keyboard.press("x");
        const axes = await anotherPicture(page, before.hash);
        await page.keyboard.press("g");
        assert.notEqual((await anotherPicture(page, axes.hash)).hash, axes.hash);
        const now = (await state(page)).camera;
        await page.keyboard.press("f");
        await cameraMoves(page, now);
        await page.click("#views button");
        await until(page, () => {
            const { cameras, view } = window.lithe!.app;
            return view.pose.every((value, k) => Math.abs(value - cameras.poses[0][k]) < 1e-6);
        });
    });
});

// a cable of 1 km, 1 cm thick, without a floor: straight, then sagging
function longCable(points = 501, count = 1): { scene: Scene; frames: Frame[] } {
    const times = Array.from({ length: count }, (_, k) => k);
    const scene = readScene({
        format: "lithe-view", version: 2, mode: "file", title: "Cable", times, end: count - 1,
        bounds: { low: [0, -0.005, -0.005], high: [1000, 0.005, 0.005] },
        tubes: [{ name: "cable", kind: "rods", points, fields: [0], edges: points - 1, closed: false,
            section: "circle", size: [0.01, 0.01], radius: 0.005 }],
        constraints: [{ name: "end" }],
        fields: [{ name: "tension", unit: "N" }],
    });
    const layout = layoutOf(scene);
    const frames = times.map((number): Frame => {
        const words = new Float32Array(layout.words);
        for (let k = 0; k < points; k++) {
            const x = 1000 * k / (points - 1);
            words.set([x, 0, -number * x * (1000 - x) / 2500], 3 * k);
            words[layout.tubes[0].fields + k] = 1000;
            if (k < points - 1) words.set([0, 0, 1], layout.tubes[0].director + 3 * k);
        }
        words.set([1, 1000, 0, 0, 1e-7, 0, 1e-7], layout.constraints);
        return { ...emptyFrame(layout), number, time: number, words };
    });
    return { scene, frames };
}

test("a_cable_of_1_km_is_a_line_without_gaps_with_a_scale_but_no_floor_and_no_arrow_of_noise", async () => {
    const page = await openRun(longCable(), "cable.html", 900, 600);
    const now = await state(page);
    assert.equal(now.arrows, 0, "an arrow of 0.1 µN beside a tension of 1 kN");
    assert.equal(await page.evaluate(() => window.lithe!.app.view.shown.floor), false);
    assert.match(await page.$eval("#gauge span", (one) => one.textContent!), /^(100|200) m$/);
    // every column of pixels between the ends has coloured ones
    const [from, to] = [await placeOf(page, "tubes", 0, 10), await placeOf(page, "tubes", 0, 490)];
    const empty = await page.evaluate(async (left, right) => {
        const bitmap = await createImageBitmap(await window.lithe!.app.view.snapshot());
        const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
        pen.drawImage(bitmap, 0, 0);
        const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
        let gaps = 0;
        for (let x = Math.ceil(left); x < right; x++) {
            let seen = false;
            for (let y = 0; y < bitmap.height && !seen; y++) {
                const i = 4 * (y * bitmap.width + x);
                seen = Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 40;
            }
            if (!seen) gaps++;
        }
        return { gaps, columns: Math.floor(right - left) };
    }, from.x, to.x);
    assert.ok(empty.columns > 200);
    assert.equal(empty.gaps, 0);
    await page.close();
});

// a rope of 100 001 nodes that swings, with all fields of a tube
function hugeRope(): { scene: Scene; frames: Frame[] } {
    const points = 100001;
    const names = ["tension", "curvature", "twist", "speed", "moment", "torque", "contact pressure"];
    const scene = readScene({
        format: "lithe-view", version: 2, mode: "file", title: "Rope", times: [0, 1, 2, 3], end: 3,
        bounds: { low: [0, -20, -1], high: [1000, 20, 1] },
        tubes: [{ name: "rope", kind: "rods", points, fields: names.map((_, k) => k), edges: points - 1,
            closed: false, section: "circle", size: [0.01, 0.01], radius: 0.005 }],
        fields: names.map((name) => ({ name, unit: "1" })),
    });
    const layout = layoutOf(scene);
    const frames = [0, 1, 2, 3].map((number): Frame => {
        const words = new Float32Array(layout.words);
        for (let k = 0; k < points; k++) {
            words.set([k / 100, 10 * Math.sin(k / 5000 + number), 0], 3 * k);
            if (k < points - 1) words.set([0, 0, 1], layout.tubes[0].director + 3 * k);
            for (let f = 0; f < names.length; f++) {
                words[layout.tubes[0].fields + f * points + k] = Math.sin(k / 9000 + f + number);
            }
        }
        return { ...emptyFrame(layout), number, time: number, words };
    });
    return { scene, frames };
}

/**
 * Times are measured and printed. This one fails the test [ms]: it is far above them, so that no slow machine
 * reaches it, but a script does whose work grows faster than the number of nodes.
 */
const tooLong = 500;

/** Plays between frames; the processor time of script and upload for each picture [ms]. */
async function scriptTime(page: Page): Promise<number> {
    const used = await scriptClock(page);
    await page.evaluate(() => {
        const { app } = window.lithe!;
        app.player.setSpeed(0.01); // every picture is between two frames: all numbers are blended
        app.player.toggle();
        app.meter.clear();
    });
    // the least of two means: other programs on the machine can only add to it
    let each = Infinity;
    for (let round = 0; round < 2; round++) {
        const begin = await used();
        const first = (await state(page)).script.frames;
        await page.waitForFunction((from) => window.lithe!.app.meter.frames >= from + 3,
            { polling: 50, timeout: patience }, first);
        each = Math.min(each, (await used() - begin) / ((await state(page)).script.frames - first));
    }
    return each;
}

test("script_time_of_a_rope_of_100000_nodes", async (t) => {
    // one triangle instead of a million: only the script and the upload are timed
    const page = await openRun(hugeRope(), "huge.html", 400, 300, ({ app }) => {
        app.view.tubes.mesh.geometry.setDrawRange(0, 3);
    });
    await page.keyboard.press("2");
    await until(page, () => window.lithe!.app.field === 0);
    const each = await scriptTime(page);
    t.diagnostic(`measured script time a frame, rope of 100001 nodes: processor ${each.toFixed(1)} ms, ` +
        `clock median ${(await state(page)).script.median.toFixed(1)} ms`);
    assert.ok(each < tooLong, `script and upload take ${each.toFixed(1)} ms per frame`);
    await page.close();
});

test("script_time_of_a_cable_of_1_km", async (t) => {
    const page = await openRun(longCable(20001, 3), "sag.html", 400, 300);
    await page.keyboard.press("2");
    await until(page, () => window.lithe!.app.field === 0);
    const each = await scriptTime(page);
    t.diagnostic(`measured script time a frame, cable of 1 km with 20001 nodes: processor ${each.toFixed(1)} ms, ` +
        `clock median ${(await state(page)).script.median.toFixed(1)} ms`);
    assert.ok(each < tooLong, `script and upload take ${each.toFixed(1)} ms per frame`);
    // its least width is kept while it sags: it is seen
    assert.ok((await picture(page)).saturated > 200);
    await page.close();
});

test("the_video_button_saves_a_video", async () => {
    await withServer(["view", knot], async ({ address }) => {
        const page = await open(address, 420, 320);
        await allowDownloads(page);
        await page.click("#make-video");
        await page.focus("#view");
        await page.keyboard.press("Space");
        await until(page, () => window.lithe!.app.player.frameNumber > 3 && window.lithe!.app.meter.frames > 8);
        await page.click("#make-video");
        await until(page, () => window.lithe!.app.notices.some((text) => /^Saved .*\.webm/.test(text)));
        const file = join(scratch, "an-overhand-knot-is-pulled-tight-and-snaps-through.webm");
        assert.ok(await arrives(file));
        assert.equal(readFileSync(file).readUInt32BE(0), 0x1a45dfa3); // the head of WebM files
    });
});

test("two_recordings_share_time_camera_and_colours", async () => {
    const other = record("knot.yaml", "other.h5", "--until", "30ms", "--set", "record.every=10ms");
    await withServer(["view", knot, other], async ({ address }) => {
        assert.match(address, /&pair$/);
        const page = await browser.newPage();
        await page.setViewport({ width: 780, height: 260 });
        await page.goto(address);
        await until(page, () => window.lithePair?.ready === true &&
            window.lithePair.sides.every(({ app }) => app!.timeline.frames.every((frame) => frame)));
        const counts = await page.evaluate(() => window.lithePair!.sides.map(({ app }) => app!.timeline.count));
        assert.deepEqual(counts, [13, 4]);
        // the first leads: its time, colour and camera
        await page.evaluate(() => {
            const { app } = window.lithePair!.sides[0];
            app!.player.goTo(6);
            app!.panel.chooseColour(0);
            app!.look("top");
        });
        await until(page, () => {
            const [a, b] = window.lithePair!.sides.map(({ app }) => app!);
            return b.player.current?.number === 3 && b.field === 0 && a.range.high === b.range.high &&
                a.view.pose.every((value, k) => Math.abs(value - b.view.pose[k]) < 1e-9);
        });
        // then the second, once it is touched
        await page.mouse.click(600, 130);
        await until(page, () => window.lithePair!.leader === 1);
        await page.evaluate(() => window.lithePair!.sides[1].app!.player.goTo(1));
        await until(page, () => window.lithePair!.sides[0].app!.player.current?.number === 2);
    });
});

const TWO_RODS = `lithe: 1
title: Two rods
parameters: {r: 10 mm}
time: {step: 1 ms, end: 100 s}
materials:
  rubber: {young: 5 MPa, poisson: 0.45, density: 1100 kg/m^3}
rods:
  low: {material: rubber, section: {circle: {radius: r}}, shape: {line: {from: [-0.2, 0, 0.1], to: [0.2, 0, 0.1]}}, nodes: 21, clamped: start}
  high: {material: rubber, section: {circle: {radius: r}}, shape: {line: {from: [0, -0.2, 0.112], to: [0, 0.2, 0.112]}}, nodes: 21}
constraints:
  pin: {kind: attach, a: high.end, b: {on: world, at: [0, 0.2, 0.112]}}
`;

// waits for a run of the scene, by its number, with a frame on the screen
async function generation(page: Page, number: number): Promise<void> {
    await page.waitForFunction((wanted) => window.lithe?.ready === true &&
        window.lithe.app.scene.generation === wanted && window.lithe.app.player.current !== null,
    { polling: 50, timeout: patience }, number);
}

test("a_scene_is_shown_before_it_runs_again_after_each_change_and_recorded_from_the_page", async () => {
    const file = join(scratch, "two.yaml");
    writeFileSync(file, TWO_RODS);
    await withServer(["view", file], async ({ address }) => {
        const page = await open(address);
        await generation(page, 1);
        await says(page, "#mode", "At the start");
        const first = await page.evaluate(() => {
            const { app } = window.lithe!;
            return { kinds: [...app.view.places.kinds].sort(), time: app.player.time, texts: app.desk.texts };
        });
        assert.deepEqual(first.kinds, ["constraint", "hold", "overlap"]);
        assert.equal(first.time, 0);
        assert.match(first.texts.join(), /'low' and 'high' overlap at the start by 8 mm/);

        // an error in the file: its message, and the last good scene stays
        writeFileSync(file, TWO_RODS.replace("nodes: 21, clamped", "nodes: -3, clamped"));
        await until(page, () => window.lithe!.app.desk.texts.some((text) => /two\.yaml:8:\d+: .*nodes is -3/.test(text)));
        assert.equal(await page.evaluate(() => window.lithe!.app.scene.generation), 1);

        // corrected: the page shows the new scene, with the camera and the choices of the user
        await page.click("#show-stripes");
        await page.focus("#view");
        await page.keyboard.press("PageUp");
        const camera = (await state(page)).camera;
        writeFileSync(file, TWO_RODS.replaceAll("0.112", "0.15"));
        await generation(page, 2);
        const second = await page.evaluate(() => {
            const { app } = window.lithe!;
            return { kinds: [...app.view.places.kinds].sort(), stripes: app.view.shown.stripes, texts: app.desk.texts };
        });
        assert.deepEqual(second.kinds, ["constraint", "hold"]);
        assert.equal(second.stripes, false);
        assert.deepEqual(second.texts, []);
        const kept = (await state(page)).camera;
        assert.ok(kept.every((value, k) => Math.abs(value - camera[k]) < 0.05), `${kept} is not ${camera}`);

        // a slider changes a parameter
        await page.evaluate(() => {
            const slider = document.querySelector<HTMLInputElement>('[data-slider="r"]')!;
            slider.value = "20";
            slider.dispatchEvent(new Event("change"));
        });
        await generation(page, 3);
        const radius = await page.evaluate(() => window.lithe!.app.scene.tubes[0].radius);
        assert.ok(Math.abs(radius - 0.02) < 1e-3, `the radius is ${radius}`);

        // run, reset, record
        await page.click("#play");
        await until(page, () => window.lithe!.app.player.time > 0.01);
        await page.click("#play");
        await until(page, () => window.lithe!.app.player.status?.paused === true);
        await page.click("#reset");
        await until(page, () => window.lithe!.app.player.time === 0);
        await page.click("#record");
        await generation(page, 4);
        await until(page, () => window.lithe!.app.player.time > 0.03);
        await page.click("#record");
        await until(page, () => window.lithe!.app.desk.texts.some((text) => /^Recorded two\.h5, \d+ frames/.test(text)));
        assert.ok(existsSync(join(scratch, "two.h5")));
    });
    assert.ok(!existsSync(join(scratch, "two.h5.journal")), "a journal is left");
});

test("a_scene_with_an_error_shows_its_message_until_it_is_corrected", async () => {
    const file = join(scratch, "broken.yaml");
    writeFileSync(file, TWO_RODS.replace("young: 5 MPa", "young: 5 kg"));
    await withServer(["view", file], async ({ address }) => {
        const page = await browser.newPage();
        await page.goto(address);
        await until(page, () => window.lithe?.app.desk.texts.some((text) => /broken\.yaml:6:\d+: /.test(text)) === true);
        writeFileSync(file, TWO_RODS);
        await generation(page, 2);
        await says(page, "#mode", "At the start");
    });
});

test("sliders_move_the_joints_and_actuators_of_an_arm", async () => {
    await withServer(["view", join(process.env.VIEWER!, "..", "scenes", "arm.yaml")], async ({ address }) => {
        const page = await open(address);
        await generation(page, 1);
        const hand = () => page.evaluate(() => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "arm/hand");
            const at = app.layout.bodies[body];
            return [...app.player.current!.words.subarray(at, at + 3)];
        });
        const start = await hand();
        const slide = (name: string, value: number, event: string) => page.evaluate((which, to, how) => {
            const slider = document.querySelector<HTMLInputElement>(`[data-slider="${which}"]`)!;
            slider.value = String(to);
            slider.dispatchEvent(new Event(how));
        }, name, value, event);
        await slide("arm/joint2", 0.5, "change");
        await generation(page, 2);
        const moved = await hand();
        assert.ok(Math.hypot(moved[0] - start[0], moved[1] - start[1]) > 0.01, "joint 2 did not move");
        // the target of a servo acts in the running simulation
        await slide("servo2", -0.5, "input");
        await page.click("#play");
        await page.waitForFunction((from) => {
            const { app } = window.lithe!;
            const body = app.scene.bodies.findIndex((one) => one.name === "arm/hand");
            const at = app.layout.bodies[body];
            const { words } = app.player.current!;
            return Math.hypot(words[at] - from[0], words[at + 1] - from[1]) > 0.01;
        }, { polling: 50, timeout: patience }, moved);
        assert.equal(await page.evaluate(() => window.lithe!.app.scene.generation), 2);
    });
});

// the shoulder of the double pendulum is 90 cm above the ground, its axis along y
test("joints_of_a_scene_are_drawn_at_their_bodies_with_the_axes", async () => {
    await withServer(["view", join(process.env.VIEWER!, "..", "scenes", "double-pendulum.yaml")], async ({ address }) => {
        const page = await open(address);
        await generation(page, 1);
        const plain = await picture(page);
        assert.deepEqual(await page.evaluate(() => window.lithe!.app.scene.joints.map(({ name }) => name)),
            ["shoulder", "elbow"]);
        await page.keyboard.press("x");
        assert.notEqual((await anotherPicture(page, plain.hash)).hash, plain.hash, "axes are not drawn");
        const ends = await page.evaluate(() => {
            const { view } = window.lithe!.app as unknown as
                { view: { joints: { lines: { visible: boolean; geometry: { attributes: { position: { array: number[] } } } } } } };
            return view.joints.lines.visible ? [...view.joints.lines.geometry.attributes.position.array.slice(0, 6)] : [];
        });
        const middle = [0, 1, 2].map((k) => 0.5 * (ends[k] + ends[k + 3]));
        const near = (x: number, y: number) => assert.ok(Math.abs(x - y) < 1e-5, `${ends}: ${x} in place of ${y}`);
        near(middle[0], 0);
        near(middle[1], 0);
        near(middle[2], 0.9);
        near(ends[0], ends[3]);
        near(ends[2], ends[5]);
        assert.ok(Math.abs(ends[1] - ends[4]) > 0.01, `the axis is too short: ${ends}`);
    });
});

// the elbow of the double pendulum stays 40 cm from the axis of the shoulder
test("joints_of_a_recording_move_with_their_bodies", async () => {
    const run = record("double-pendulum.yaml", "joints.h5", "--until", "300ms");
    await withServer(["view", run], async ({ address }) => {
        const page = await open(address);
        await allFrames(page);
        assert.equal(await page.evaluate(() => window.lithe!.app.scene.joints.length), 2);
        await page.keyboard.press("x");
        const elbow = async (key: "Home" | "End", time: number) => {
            await page.keyboard.press(key);
            await page.waitForFunction((at) => Math.abs(window.lithe!.app.player.time - at) < 1e-6,
                { polling: 50, timeout: patience }, time);
            // drawn after the time has changed
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            const lines = await page.waitForFunction(() => {
                const { view, scene } = window.lithe!.app as unknown as { scene: { joints: { name: string }[] };
                    view: { joints: { lines: { visible: boolean; geometry: { attributes: { position: { array: number[] } } } } } } };
                const from = scene.joints[0].name === "elbow" ? 0 : 0.5;
                const all = [...view.joints.lines.geometry.attributes.position.array];
                return view.joints.lines.visible && all.some((x) => x !== 0) ? all.slice(from * all.length, from * all.length + 6) : null;
            });
            const ends = (await lines.jsonValue()) as number[];
            const [x, z] = [0.5 * (ends[0] + ends[3]), 0.5 * (ends[2] + ends[5])];
            assert.ok(Math.abs(Math.hypot(x, z - 0.9) - 0.4) < 1e-4, `the elbow is at ${x}, ${z}`);
            return [x, z];
        };
        const first = await elbow("Home", 0), last = await elbow("End", 0.3);
        assert.ok(Math.hypot(first[0] - last[0], first[1] - last[1]) > 0.05, `${first} and ${last}`);
    });
});
