// SPDX-License-Identifier: Apache-2.0
// viewer/tests/browser_bodies.test.ts - bodies by visual shapes, collision shapes, or both, in their colours

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { allFrames, anotherPicture, open, picture, record, root, scratch, until, withServer } from "./stage.ts";

const SCENE = `lithe: 1
time: {step: 5 ms, end: 20 ms}
materials: {wood: {young: 10 GPa, density: 700 kg/m^3}}
bodies:
  crate:
    material: wood
    shapes:
      - {box: {size: [0.2, 0.2, 0.2]}}
      - {sphere: {radius: 0.15}, visual: true, colour: red}
      - {mesh: {points: [[0, 0, 0], [0.4, 0, 0], [0, 0, 0.4]], triangles: [[0, 2, 1]]}, visual: true, colour: blue}
  plain: {material: wood, at: [0.6, 0, 0], shape: {box: {size: [0.2, 0.2, 0.2]}}}
record: {every: 10 ms}
`;

test("bodies_are_drawn_by_visual_shapes_collision_shapes_or_both", async () => {
    const file = join(scratch, "looks.yaml");
    writeFileSync(file, SCENE);
    const run = record(relative(join(root, "scenes"), file), "looks.h5");
    await withServer(["view", run], async ({ address }) => {
        const page = await open(address);
        await allFrames(page);
        const drawn = () => page.evaluate(() => window.lithe!.app.view.bodies.meshes.map((mesh) => mesh.visible));
        // the box of the crate is not drawn where there are visual shapes; the other body has none
        assert.deepEqual(await drawn(), [false, true, true, true]);
        assert.equal(await page.evaluate(() => document.getElementById("shapes-row")!.hidden), false);
        const colours = await page.evaluate(() => window.lithe!.app.view.bodies.meshes.map((mesh) =>
            (mesh.material as unknown as { color: { getHex(): number } }).color.getHex()));
        assert.deepEqual(colours.slice(1, 3), [0xff0000, 0x0000ff]);
        const visual = await picture(page);
        assert.ok(visual.saturated > 100, "nothing is red or blue");

        await page.keyboard.press("y");
        await until(page, () => window.lithe!.app.panel.shapes === "collision");
        assert.deepEqual(await drawn(), [true, false, false, true]);
        const collision = await anotherPicture(page, visual.hash);
        assert.ok(collision.saturated < visual.saturated);

        await page.select("#shapes", "both");
        await until(page, () => window.lithe!.app.panel.shapes === "both");
        assert.deepEqual(await drawn(), [true, true, true, true]);
        assert.notEqual((await anotherPicture(page, collision.hash)).hash, collision.hash);

        // a selected body keeps its colours and its choice of shapes
        await page.keyboard.press("y");
        await until(page, () => window.lithe!.app.panel.shapes === "visual");
        await page.evaluate(() => {
            const { looks } = window.lithe!.app.view;
            looks.select(looks.named("crate"));
        });
        assert.deepEqual(await drawn(), [false, true, true, true]);
    });
});
