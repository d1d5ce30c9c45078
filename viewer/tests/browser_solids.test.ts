// SPDX-License-Identifier: Apache-2.0
// viewer/tests/browser_solids.test.ts - the page colours soft solids by what was recorded of them, and keys
// drive a hand at a soft ball

import assert from "node:assert/strict";
import { test } from "node:test";
import {
    allFrames, anotherPicture, open, patience, picture, record, says, state, until, withServer,
} from "./stage.ts";

test("a_solid_is_coloured_by_stress_strain_displacement_and_speed", async () => {
    const run = record("twisted-column.yaml", "column.h5", "--until", "200ms",
        "--set", "record.also=[column.von-mises, column.equivalent-strain]");
    await withServer(["view", run], async ({ address }) => {
        const page = await open(address);
        await allFrames(page);
        await page.evaluate(() => window.lithe!.app.player.goTo(8));
        await until(page, () => window.lithe!.app.player.current?.number === 8);
        const names = await page.evaluate(() => window.lithe!.app.scene.fields.map(({ name }) => name));
        let hash = (await picture(page)).hash;
        for (const name of ["von-mises", "equivalent-strain", "displacement", "speed"]) {
            const field = names.indexOf(name);
            assert.ok(field >= 0, `no ${name} among ${names}`);
            await page.evaluate((k) => window.lithe!.app.panel.chooseColour(k), field);
            await says(page, "#scale-name", name[0].toUpperCase() + name.slice(1));
            const now = await anotherPicture(page, hash);
            assert.notEqual(now.hash, hash, `${name} does not change the picture`);
            hash = now.hash;
            // the scale ends at the largest value of the recording, and the foot that is held has small ones
            const { range } = await state(page);
            const values = await page.evaluate((k) => {
                const { app } = window.lithe!;
                const at = app.layout.surfaces[0].fields + app.scene.surfaces[0].fields.indexOf(k) * app.scene.surfaces[0].points;
                const all = app.timeline.frames.map((frame) =>
                    [...frame!.words.subarray(at, at + app.scene.surfaces[0].points)]);
                return { most: Math.max(...all.flat()), foot: app.player.current!.words[at] };
            }, field);
            assert.ok(range.high > 0 && Math.abs(range.high - values.most) <= 1e-6 * values.most, `${name}: ${range.high}, ${values.most}`);
            if (name === "displacement" || name === "speed") assert.equal(values.foot, 0);
        }
    });
});

test("keys_close_the_fingers_of_a_hand_and_lift_it", async () => {
    const words = ["run", `${process.env.VIEWER}/../scenes/hand.yaml`, "--until", "300s", "--view", "--out",
        "hand.h5"];
    await withServer(words, async ({ address }) => {
        const page = await open(address, 500, 400);
        await until(page, () => window.lithe!.app.player.time > 0.02);
        // opposite tips come nearer to each other by 1 cm while c is down
        const apart = () => {
            const { app } = window.lithe!;
            const y = (name: string) => app.player.current!.words[
                app.layout.bodies[app.scene.bodies.findIndex((one) => one.name === name)] + 1];
            return y("arm/middle_tip") - y("arm/thumb_tip");
        };
        const before = await page.evaluate(apart);
        await page.keyboard.down("c");
        await page.waitForFunction((start) => {
            const { app } = window.lithe!;
            const y = (name: string) => app.player.current!.words[
                app.layout.bodies[app.scene.bodies.findIndex((one) => one.name === name)] + 1];
            return y("arm/middle_tip") - y("arm/thumb_tip") < start - 0.01;
        }, { polling: 50, timeout: patience }, before);
        await page.keyboard.up("c");
        // the key takes the hand over from its path, and w lifts it
        await page.keyboard.down("w");
        await page.waitForFunction(() => {
            const { app } = window.lithe!;
            const palm = app.scene.bodies.findIndex((one) => one.name === "arm/palm");
            const z = app.player.current!.words[app.layout.bodies[palm] + 2];
            const store = window as unknown as { least?: number };
            store.least = Math.min(store.least ?? z, z);
            return z > store.least + 0.02;
        }, { polling: 50, timeout: patience });
        await page.keyboard.up("w");
    });
});

test("areas_of_contact_patches_are_shown_by_their_pressure", async () => {
    const run = record("lace.yaml", "lace.h5", "--until", "100ms", "--set", "record.every=50ms");
    await withServer(["view", run], async ({ address }) => {
        const page = await open(address, 500, 400);
        await allFrames(page);
        await page.evaluate(() => window.lithe!.app.player.goTo(2));
        await until(page, () => window.lithe!.app.player.current?.number === 2);
        await until(page, () => !document.getElementById("patches")!.hidden);
        const { words, count, largest } = await page.evaluate(() => {
            const { app } = window.lithe!;
            const frame = app.player.current!;
            return { words: frame.contactWords, count: frame.contactCount, largest: app.view.patches.largest };
        });
        assert.equal(words, 16);
        assert.ok(count > 0 && largest > 0, `${count} contacts, ${largest} Pa`);
        const shown = (await picture(page)).hash;
        await page.evaluate(() => document.getElementById("show-patches")!.click());
        await until(page, () => document.getElementById("patches")!.hidden);
        assert.notEqual((await anotherPicture(page, shown)).hash, shown);
    });
});
