// SPDX-License-Identifier: Apache-2.0
// viewer/tests/units.test.ts - decoder, packed form, colours, tubes, plots: without a browser

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Arrows, roundUp } from "../src/arrows.ts";
import { ballSides } from "../src/balls.ts";
import { lightness, mapColour, NO_VALUE, rangeOf } from "../src/colour.ts";
import { streamAddress } from "../src/connection.ts";
import { blendFrames, decodeFrame, emptyFrame, encodeFrame, type Frame } from "../src/frame.ts";
import { roundDown } from "../src/gauge.ts";
import { Looks } from "../src/looks.ts";
import { decimalsFor, quantity, short, tickLabels, ticks } from "../src/number.ts";
import { creasedNormals, smoothNormals, splitCreases } from "../src/normals.ts";
import { groupsOf } from "../src/objects.ts";
import { packRun } from "../src/pack.ts";
import { type Channel, unpackChannel, unpackRun } from "../src/packed.ts";
import { areasOf } from "../src/patches.ts";
import { reduce } from "../src/plot.ts";
import { contentsOf, drawablesOf, fieldWord, layoutOf, readScene, type Layout, type Scene, type TubeInfo } from "../src/scene.ts";
import { contactsOf } from "../src/selection.ts";
import { roundCell } from "../src/studio.ts";
import { Timeline } from "../src/timeline.ts";
import { buildTubes, fineness, profileOf, writeTube } from "../src/tube.ts";

const rope: TubeInfo = {
    name: "rope", kind: "rods", points: 4, fields: [0, 1], edges: 3, closed: false, section: "circle", size: [0.02, 0.02], radius: 0.01,
};
const ring: TubeInfo = { ...rope, name: "ring", edges: 4, closed: true };
const strip: TubeInfo = { ...rope, name: "strip", section: "rectangle", size: [0.04, 0.01], radius: 0.02 };

function description(more: Record<string, unknown> = {}): unknown {
    return {
        format: "lithe-view", version: 2, mode: "live", title: "A test", start: 0, end: 1, times: [],
        bounds: { low: [0, 0, 0], high: [1, 1, 1] },
        tubes: [rope],
        things: [
            { name: "rope", list: "tubes", index: 0 }, { name: "floor", list: "bodies", index: 0 },
            { name: "crate", list: "bodies", index: 1 },
        ],
        bodies: [
            { name: "floor", moves: false, pose: [0, 0, 0, 1, 0, 0, 0], shapes: [] },
            { name: "crate", moves: true, shapes: [] },
        ],
        constraints: [{ name: "sling" }], drives: [],
        fields: [{ name: "tension", unit: "N" }, { name: "speed", unit: "m/s" }],
        series: [{ name: "rope.tension.max", unit: "N" }],
        controls: { keys: [], axes: [] },
        ...more,
    };
}

function sample(scene: Scene, number: number, contacts: number): Frame {
    const layout = layoutOf(scene);
    const words = Float32Array.from({ length: layout.words }, (_, i) => Math.sin(i + 10 * number));
    const values = new Float32Array(12 * contacts).map((_, i) => i + number);
    return {
        number, flags: 1, time: 0.25 * number, words, contactCount: contacts, contactWords: 12, contacts: values,
        contactIds: new Uint32Array(values.buffer),
    };
}

test("the_layout_counts_every_word_of_the_fixed_part", () => {
    const layout = layoutOf(readScene(description()));
    assert.deepEqual(layout.tubes, [{ position: 0, director: 12, fields: 21 }]);
    assert.deepEqual(layout.bodies, [-1, 29]);
    assert.equal(layout.constraints, 36);
    assert.equal(layout.series, 43);
    assert.equal(layout.words, 44);
});

const sail = { name: "sail", kind: "shells", points: 4, fields: [1], triangles: [0, 1, 2, 2, 1, 3] };
const sand = { name: "sand", kind: "particles", points: 3, fields: [2, 1], radius: [0.1, 0.2, 0.3] };

function mixed(): Scene {
    const fields = ["tension", "speed", "stress"].map((name) => ({ name, unit: "1" }));
    return readScene(description({ surfaces: [sail], balls: [sand], fields }));
}

test("surfaces_and_balls_lie_between_tubes_and_bodies_with_fields_of_their_own", () => {
    const scene = mixed();
    const layout = layoutOf(scene);
    assert.deepEqual(layout.tubes, [{ position: 0, director: 12, fields: 21 }]);
    assert.deepEqual(layout.surfaces, [{ position: 29, director: 41, fields: 41 }]);
    assert.deepEqual(layout.balls, [{ position: 45, director: 54, fields: 54 }]);
    assert.deepEqual(layout.bodies, [-1, 60]);
    assert.equal(layout.words, 60 + 7 + 7 + 1);
    assert.deepEqual(drawablesOf(scene).map((one) => one.info.name), ["rope", "sail", "sand"]);
    assert.equal(fieldWord(sand, layout.balls[0], 2), 54);
    assert.equal(fieldWord(sand, layout.balls[0], 1), 57);
    assert.equal(fieldWord(sail, layout.surfaces[0], 2), -1);
    assert.equal(contentsOf(scene), "1 rods, 1 shells, 3 particles, 2 bodies");
});

test("the_range_of_a_field_is_that_of_all_things_that_have_it", () => {
    const scene = mixed();
    const layout = layoutOf(scene);
    const timeline = new Timeline(scene, layout);
    const frame = { ...sample(scene, 0, 0), words: new Float32Array(layout.words) };
    frame.words.set([5, 6, 7], 54); // stress of the balls
    frame.words.set([-2, 0, 0], 57); // their speed
    frame.words[layout.surfaces[0].fields + 3] = 9; // speed of a point of the surface
    assert.deepEqual(timeline.fieldRange(frame, 2), [5, 7]);
    assert.deepEqual(timeline.fieldRange(frame, 1), [-2, 9]);
    assert.deepEqual(timeline.fieldRange(frame, 0), [0, 0]);
});

test("descriptions_of_version_1_are_read_as_tubes_with_all_fields", () => {
    const { points, fields, kind, ...rest } = rope;
    const scene = readScene(description({
        version: 1, tubes: undefined, things: undefined, rods: [{ ...rest, nodes: points }],
    }));
    assert.deepEqual(scene.tubes, [rope]);
    assert.deepEqual(scene.things, readScene(description()).things);
    assert.deepEqual(layoutOf(scene), layoutOf(readScene(description())));
    assert.ok(kind === "rods" && fields.length === 2);
});

test("a_frame_survives_the_wire", () => {
    const scene = readScene(description());
    const frame = sample(scene, 3, 2);
    const back = decodeFrame(encodeFrame(frame), layoutOf(scene));
    assert.equal(back.number, 3);
    assert.equal(back.flags, 1);
    assert.equal(back.time, 0.75);
    assert.deepEqual(back.words, frame.words);
    assert.deepEqual(back.contactIds, frame.contactIds);
});

test("a_frame_of_another_size_is_refused", () => {
    const scene = readScene(description());
    const buffer = encodeFrame(sample(scene, 0, 1));
    const layout = layoutOf(scene);
    assert.throws(() => decodeFrame(buffer.slice(0, -4), layout), /bytes/);
    assert.throws(() => decodeFrame(buffer, { ...layout, words: layout.words + 1 }), /bytes/);
    new DataView(buffer).setUint8(0, 65);
    assert.throws(() => decodeFrame(buffer, layout), /not a frame/);
});

test("other_formats_and_versions_are_refused", () => {
    assert.throws(() => readScene({ format: "other" }), /no description/);
    assert.throws(() => readScene(description({ version: 3 })), /version 3/);
});

test("between_two_frames_bodies_turn_the_short_way", () => {
    const scene = readScene(description());
    const layout = layoutOf(scene);
    const a = sample(scene, 0, 0);
    const b = sample(scene, 1, 1);
    const at = layout.bodies[1];
    a.words.set([0, 0, 0, 1, 0, 0, 0], at);
    b.words.set([2, 0, 0, -Math.SQRT1_2, 0, 0, -Math.SQRT1_2], at); // a quarter turn, as -q
    const out = emptyFrame(layout);
    blendFrames(a, b, 0.5, layout, out);
    assert.equal(out.time, 0.125);
    assert.equal(out.words[at], 1);
    assert.ok(Math.abs(out.words[at + 3] - Math.cos(Math.PI / 8)) < 1e-6);
    assert.ok(Math.abs(out.words[at + 6] - Math.sin(Math.PI / 8)) < 1e-6);
    assert.equal(out.contactCount, 1);
});

// --- the packed form ---------------------------------------------------------------------------

// written from the description of the format, not from the reader
function packChannel(channel: Channel, q: number[][]): number[] {
    const size = 2 ** (8 * channel.bytes);
    const z: number[] = [];
    q.forEach((row, k) => row.forEach((value, i) => {
        const one = k > 0 ? q[k - 1][i] : 0;
        const two = k > 1 ? q[k - 2][i] : 0;
        const before = [0, one, 2 * one - two][channel.order];
        let s = (((value - before) % size) + size) % size;
        if (s >= size / 2) s -= size;
        z.push(s >= 0 ? 2 * s : -2 * s - 1);
    }));
    const planes: number[] = [];
    for (let b = 0; b < channel.bytes; b++) {
        for (const value of z) planes.push(Math.floor(value / 256 ** b) % 256);
    }
    return planes;
}

for (const bytes of [1, 2, 4]) {
    for (const order of [0, 1, 2]) {
        test(`channels_of_${bytes}_bytes_and_order_${order}_come_back_exactly`, () => {
            const most = 2 ** (8 * bytes) - 1;
            const channel = { count: 3, low: 0, step: 1, bytes, order };
            const q = [[0, most, 5], [most, 0, 6], [1, most, 8], [most - 1, 2, 11], [7, 7, 15]];
            const packed = Uint8Array.from([99, ...packChannel(channel, q)]);
            assert.deepEqual([...unpackChannel(packed, 1, channel, 5)], q.flat());
            assert.throws(() => unpackChannel(packed, 2, channel, 5), /cut off/);
        });
    }
}

test("a_packed_run_becomes_frames_with_contacts", () => {
    const times = [0, 0.1, 0.2];
    const scene = description({ mode: "file", times, constraints: [], bodies: [], series: [] });
    const words = layoutOf(readScene(scene)).words;
    const channel = { count: words, low: -1, step: 0.5, bytes: 2, order: 1 };
    const q = times.map((_, k) => Array.from({ length: words }, (_, i) => i + 3 * k));
    const counts = [0, 2, 1];
    const columns = Array.from({ length: 12 }, (_, c) =>
        ({ count: 1, low: c < 8 ? 10 : 0, step: c < 8 ? 2 : 1, bytes: 1, order: 1, c }));
    const head = { scene, frames: 3, words, channels: [channel], contacts: { counts, channels: columns } };
    let text = JSON.stringify(head);
    text = text.padEnd(4 * Math.ceil(text.length / 4));
    const body = [...packChannel(channel, q)];
    for (const column of columns) body.push(...packChannel(column, [[column.c], [20], [30]]));
    const bytes = new Uint8Array(8 + text.length + body.length);
    bytes.set(new TextEncoder().encode("LVP1"));
    new DataView(bytes.buffer).setUint32(4, text.length, true);
    bytes.set(new TextEncoder().encode(text), 8);
    bytes.set(body, 8 + text.length);

    const run = unpackRun(bytes);
    assert.equal(run.frames.length, 3);
    assert.deepEqual(run.frames.map((frame) => frame.contactCount), counts);
    assert.equal(run.frames[2].time, 0.2);
    assert.equal(run.frames[2].words[4], -1 + 0.5 * 10);
    assert.equal(run.frames[1].contacts[3], 10 + 2 * 3);
    assert.equal(run.frames[1].contactIds[9], 9);
    assert.equal(run.frames[2].contactIds[11], 30);
    bytes[0] = 0;
    assert.throws(() => unpackRun(bytes), /damaged/);
});

test("what_the_page_packs_comes_back", () => {
    const times = [0, 0.1, 0.25];
    const scene = readScene(description({ mode: "live", times: [] }));
    const layout = layoutOf(scene);
    const frames = times.map((time, k): Frame => {
        const contacts = new Float32Array(24);
        const contactIds = new Uint32Array(contacts.buffer);
        for (let i = 0; i < 24; i++) {
            if (i % 12 < 8) contacts[i] = Math.sin(i + k);
            else contactIds[i] = i === 23 ? 70000 : i + k;
        }
        const words = Float32Array.from({ length: layout.words }, (_, i) => Math.cos(i * (k + 1)));
        return { number: 7 * k, flags: 0, time, words, contactCount: 2, contactWords: 12, contacts, contactIds };
    });
    const pieces = packRun(scene, layout, frames);
    const run = unpackRun(Uint8Array.from(pieces.flatMap((piece) => [...piece])));
    assert.equal(run.scene.mode, "file");
    assert.deepEqual(run.scene.times, times);
    assert.deepEqual(run.scene.tubes, scene.tubes);
    run.frames.forEach((frame, k) => {
        frame.words.forEach((word, i) => assert.ok(Math.abs(word - frames[k].words[i]) < 6e-4));
        for (const at of layout.tubes.map((tube) => tube.position)) {
            assert.ok(Math.abs(frame.words[at] - frames[k].words[at]) < 2e-5);
        }
        for (let i = 0; i < 24; i++) {
            if (i % 12 < 8) assert.ok(Math.abs(frame.contacts[i] - frames[k].contacts[i]) < 2e-5);
            else assert.equal(frame.contactIds[i], frames[k].contactIds[i]);
        }
    });
});

// --- colours -----------------------------------------------------------------------------------

test("the_sequential_map_only_grows_lighter_in_even_steps", () => {
    const values = Array.from({ length: 51 }, (_, i) => lightness(mapColour(i / 50)));
    const steps = values.slice(1).map((value, i) => value - values[i]);
    assert.ok(Math.min(...steps) > 0);
    assert.ok(Math.max(...steps) < 2.2 * (values[50] - values[0]) / 50);
});

test("the_diverging_map_is_lightest_at_zero_and_equally_dark_at_its_ends", () => {
    const at = (value: number) => lightness(mapColour(value, true));
    for (let i = 0; i < 25; i++) {
        assert.ok(at(i / 50) < at((i + 1) / 50));
        assert.ok(at(1 - i / 50) < at(1 - (i + 1) / 50));
    }
    assert.ok(Math.abs(at(0) - at(1)) < 0.05);
});

test("what_is_no_number_is_grey_and_values_outside_take_the_ends", () => {
    assert.deepEqual(mapColour(NaN), [0.565, 0.565, 0.565]);
    assert.deepEqual(mapColour(-3), mapColour(0));
    assert.deepEqual(mapColour(7), mapColour(1));
});

test("ranges_of_both_signs_lie_about_zero", () => {
    assert.deepEqual(rangeOf(-3, 2), { low: -3, high: 3, diverging: true });
    assert.deepEqual(rangeOf(-0.1, 4), { low: 0, high: 4, diverging: false });
    assert.deepEqual(rangeOf(9, 10), { low: 9, high: 10, diverging: false });
    const flat = rangeOf(2, 2);
    assert.ok(flat.high > flat.low);
    assert.ok(rangeOf(0, 0).high > 0);
    assert.ok(rangeOf(Infinity, -Infinity).high > 0);
});

// --- tubes -------------------------------------------------------------------------------------

test("profiles_are_closed_and_their_normals_unit_and_outward", () => {
    for (const rod of [rope, strip, { ...strip, section: "ellipse" }]) {
        const { points, normals } = profileOf(rod, 12);
        assert.equal(points[0], points[points.length - 2]);
        assert.equal(points[1], points[points.length - 1]);
        for (let i = 0; i < points.length; i += 2) {
            assert.ok(Math.abs(Math.hypot(normals[i], normals[i + 1]) - 1) < 1e-12);
            assert.ok(points[i] * normals[i] + points[i + 1] * normals[i + 1] > 0);
            assert.ok(Math.abs(points[i]) <= rod.size[0] / 2 + 1e-12);
            assert.ok(Math.abs(points[i + 1]) <= rod.size[1] / 2 + 1e-12);
        }
    }
});

test("tubes_are_coarser_with_many_nodes_and_without_a_gpu", () => {
    const sides = (edges: number, fine: boolean) => fineness([{ ...rope, edges }], fine).sides;
    assert.ok(sides(200, true) > sides(2000, true) && sides(2000, true) > sides(20000, true));
    assert.ok(sides(200, true) > sides(200, false));
    assert.ok(sides(20000, false) >= 6);
});

test("tubes_use_every_vertex_and_leave_room_for_ghosts", () => {
    const mesh = buildTubes([rope, ring, strip], { cuts: 2, sides: 6 });
    assert.deepEqual(mesh.places.map((place) => place.first), [1, 8, 16]);
    assert.equal(mesh.pairs, 7 + 8 + 7);
    assert.equal(new Set(mesh.index).size, mesh.owner.length);
    assert.ok(Math.max(...mesh.index) < mesh.owner.length);
    // every edge is inside its rod, with the four nodes that the spline needs
    for (let v = 0; v < mesh.owner.length; v++) {
        const { first, edges } = mesh.places[mesh.owner[v]];
        const edge = mesh.place[4 * v];
        assert.ok(edge >= first && edge < first + edges);
        const normal = Math.hypot(mesh.profile[4 * v + 2], mesh.profile[4 * v + 3], mesh.place[4 * v + 3]);
        assert.ok(Math.abs(normal - 1) < 1e-6);
    }
});

test("open_rods_go_straight_on_at_their_ends_and_closed_ones_around", () => {
    const words = new Float32Array(40);
    words.set([0, 0, 0, 1, 0, 0, 2, 1, 0, 3, 3, 0]); // positions
    words.set([0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0], 12); // directors
    words.set([5, 6, 7, 8], 24); // values
    const node = (texels: Float32Array, k: number) => [...texels.subarray(8 * k, 8 * k + 4)];
    const open = new Float32Array(8 * 7);
    writeTube(open, { first: 1, edges: 3 }, false, 4, words, 0, 12, 24);
    assert.deepEqual(node(open, 0), [-1, 0, 0, 5]);
    assert.deepEqual(node(open, 1), [0, 0, 0, 5]);
    assert.deepEqual(node(open, 4), [3, 3, 0, 8]);
    assert.deepEqual(node(open, 5), [4, 5, 0, 8]);
    const closed = new Float32Array(8 * 8);
    writeTube(closed, { first: 1, edges: 4 }, true, 4, words, 0, 12, -1);
    const none = Math.fround(NO_VALUE);
    assert.deepEqual(node(closed, 0), [3, 3, 0, none]);
    assert.deepEqual(node(closed, 5), [0, 0, 0, none]);
    assert.deepEqual(node(closed, 6), [1, 0, 0, none]);
    assert.equal(closed[8 * 0 + 5], 4); // the director of the last edge
});

test("shallow_edges_are_smooth_and_steep_ones_sharp_at_any_size", () => {
    for (const size of [1e-3, 1, 1e3]) {
        // two triangles that share an edge along y, the second tilted by an angle
        const roof = (angle: number) => [
            -1, 0, 0, 0, 0, 0, 0, 1, 0,
            0, 0, 0, Math.cos(angle), 0, -Math.sin(angle), 0, 1, 0,
        ].map((x) => size * x);
        const shallow = creasedNormals(roof(0.2), 0.6);
        assert.ok(Math.abs(shallow[3] - Math.sin(0.1)) < 1e-6); // the mean, at the shared edge
        assert.ok(Math.abs(shallow[0]) < 1e-6);
        const steep = creasedNormals(roof(1), 0.6);
        assert.ok(Math.abs(steep[3]) < 1e-6);
        assert.ok(Math.abs(steep[9] - Math.sin(1)) < 1e-6);
    }
});

test("normals_of_a_surface_are_unit_and_the_mean_by_area_of_its_triangles", () => {
    // a roof of equal slopes along y, and a point that belongs to no triangle
    const points = [-1, 0, 0, 0, 0, 1, 0, 1, 1, -1, 1, 0, 1, 0, 0, 1, 1, 0, 9, 9, 9];
    const triangles = [0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2];
    const out = new Float32Array(points.length);
    smoothNormals(points, triangles, out);
    for (let i = 0; i < out.length; i += 3) {
        assert.ok(Math.abs(Math.hypot(out[i], out[i + 1], out[i + 2]) - 1) < 1e-6);
    }
    assert.ok(Math.abs(out[0] + Math.SQRT1_2) < 1e-6 && Math.abs(out[2] - Math.SQRT1_2) < 1e-6);
    // at the ridge: two triangles to the right, one to the left, of equal area
    const expected = Math.hypot(1, 3);
    assert.ok(Math.abs(out[3] - 1 / expected) < 1e-6 && Math.abs(out[5] - 3 / expected) < 1e-6);
});

test("balls_have_fewer_sides_where_there_are_many", () => {
    const triangles = (count: number) => ballSides(count).reduce((a, b) => a * b) * 2 * count;
    assert.ok(triangles(300) < 400000 && triangles(3000) < 1500000);
    assert.ok(ballSides(10)[0] > ballSides(1000)[0] && ballSides(1000)[0] > ballSides(1e5)[0]);
});

// --- numbers, plots, time ----------------------------------------------------------------------

test("numbers_are_short_and_units_get_prefixes", () => {
    assert.equal(short(0.012345), "0.0123");
    assert.equal(short(-1234567), "−1.23e6");
    assert.equal(short(NaN), "–");
    assert.equal(quantity(0.0123, "N"), "12.3 mN");
    assert.equal(quantity(4500, "N m"), "4.5 kN m");
    assert.equal(quantity(0.01, "1/m"), "0.01 1/m");
    assert.equal(decimalsFor(0.005), 3);
    assert.deepEqual(ticks(0, 1, 4), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    assert.equal(roundUp(0.031), 0.05);
    assert.equal(roundUp(0), 0);
    assert.equal(roundCell(4), 1);
});

test("labels_of_neighbouring_ticks_differ_however_small_the_range", () => {
    assert.deepEqual(tickLabels(ticks(0, 1, 4)), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
    assert.deepEqual(tickLabels(ticks(382.01, 382.09, 3)),
        ["382.02", "382.04", "382.06", "382.08"]);
    assert.deepEqual(tickLabels([-1000.5, -1000]), ["−1000.5", "−1000"]);
    assert.deepEqual(tickLabels([5]), ["5"]);
    for (const middle of [1e-6, 0.3, 17, 382, 99999, 1e7]) {
        for (const span of [1e-1, 1e-3, 1e-6, 1e-9]) {
            const values = ticks(middle * (1 - span), middle * (1 + span), 3);
            assert.equal(new Set(tickLabels(values)).size, values.length, `${middle} ${span}`);
        }
    }
});

test("a_thinned_line_keeps_its_peaks", () => {
    const times = Array.from({ length: 20000 }, (_, i) => i / 20000);
    const values = times.map((_, i) => (i === 12345 ? 9 : i === 777 ? -4 : Math.sin(i / 900)));
    const [line, ...rest] = reduce({ times, values }, 0, 1, 300);
    assert.equal(rest.length, 0);
    const shown = line.filter((_, i) => i % 2 === 1);
    assert.ok(shown.includes(9) && shown.includes(-4));
    assert.ok(line.length < 2 * 4 * 302);
    const order = line.filter((_, i) => i % 2 === 0);
    assert.deepEqual(order, [...order].sort((a, b) => a - b));
});

test("a_plot_connects_the_frames_of_an_overview_and_has_gaps_where_frames_are_lost", () => {
    const times = Array.from({ length: 5000 }, (_, k) => k / 5000);
    const values = times.map((time, k) => (k % 20 === 0 ? Math.sin(9 * time) : NaN));
    const [line, ...rest] = reduce({ times, values }, 0, 1, 60, 20);
    assert.equal(rest.length, 0);
    assert.ok(line.length > 200 && line.every((one) => !Number.isNaN(one)));
    assert.deepEqual(line.slice(0, 2), [0, 0]);
    const peak = Math.max(...line.filter((_, i) => i % 2 === 1));
    assert.ok(peak > 0.999);

    const lost = [0, 1, 2, NaN, NaN, 5, 6];
    const lines = reduce({ times: lost.map((_, k) => k), values: lost }, 0, 6, 100);
    assert.deepEqual(lines, [[0, 0, 1, 1, 2, 2], [5, 5, 6, 6]]);
});

test("a_lost_connection_leaves_a_gap_in_the_plots_also_after_thinning", () => {
    const scene = readScene(description());
    const layout = layoutOf(scene);
    const timeline = new Timeline(scene, layout);
    for (let k = 0; k < 100; k++) {
        if (k === 50) timeline.lose();
        timeline.push({ ...emptyFrame(layout), number: k, time: k });
    }
    const gaps = () => reduce({ times: timeline.plotTimes, values: timeline.plotValues[0] }, 0, 1e5, 1000).length;
    assert.equal(gaps(), 2);
    for (let k = 100; k < 31000; k++) timeline.push({ ...emptyFrame(layout), number: k, time: k });
    assert.ok(timeline.plotTimes.length < 20000, "it was not thinned");
    assert.equal(gaps(), 2);
});

test("things_are_grouped_by_kind_and_by_the_name_before_the_slash", () => {
    const scene = readScene(description());
    const { items } = new Looks(scene);
    const extra = ["arm/hand", "arm/foot"].map((name, index) =>
        ({ ...items[0], list: "bodies" as const, index, name, kind: "bodies" }));
    const groups = groupsOf([...items, ...extra]);
    assert.deepEqual(groups.get("arm")!.map(({ name }) => name), ["arm/hand", "arm/foot"]);
    assert.equal([...groups.values()].flat().length, items.length + 2);
});

test("forces_on_a_thing_are_summed_over_its_contacts_with_their_sign", () => {
    const layout = layoutOf(readScene(description()));
    const contacts = new Float32Array(2 * 12);
    const contactIds = new Uint32Array(contacts.buffer);
    contacts.set([0, 0, 1], 3); // on 1 from 0
    contactIds.set([0, 1], 8);
    contacts.set([0, 2, 0], 15); // on 0 from 2
    contactIds.set([2, 0], 20);
    const frame = { ...emptyFrame(layout), contactCount: 2, contacts, contactIds };
    assert.deepEqual(contactsOf(frame, new Set([0])), { count: 2, force: [0, 2, -1] });
    assert.deepEqual(contactsOf(frame, new Set([1])), { count: 1, force: [0, 0, 1] });
    assert.deepEqual(contactsOf(frame, new Set([5])), { count: 0, force: [0, 0, 0] });
});

test("the_scale_bar_has_a_round_length", () => {
    assert.deepEqual([0.0199, 0.02, 0.049, 99, 1000].map(roundDown), [0.01, 0.02, 0.02, 50, 1000]);
});

test("a_live_timeline_starts_over_when_time_goes_back", () => {
    const scene = readScene(description());
    const timeline = new Timeline(scene, layoutOf(scene));
    for (const number of [0, 1, 2, 3]) timeline.push(sample(scene, number, 0));
    assert.deepEqual(timeline.times, [0, 0.25, 0.5, 0.75]);
    assert.equal(timeline.indexAt(0.6), 2);
    assert.equal(timeline.indexAt(-1), 0);
    assert.equal(timeline.indexAt(9), 3);
    timeline.push(sample(scene, 1, 0));
    assert.deepEqual(timeline.times, [0.25]);
    assert.equal(timeline.plotTimes.length, 1);
});

test("the_token_goes_from_the_address_of_the_page_to_that_of_the_stream", () => {
    const page = { protocol: "http:", host: "127.0.0.1:8127", hash: "#token=ab12&fine" };
    assert.equal(streamAddress(page), "ws://127.0.0.1:8127/stream?token=ab12");
});

test("sharp_edges_split_vertices_and_smooth_ones_share_them", () => {
    // a roof: two squares that meet at a right angle along the edge of points 1 and 2
    const points = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, -1, 1, 1, -1];
    const triangles = [0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2];
    const sharp = splitCreases(points, triangles, 0.6);
    assert.equal(sharp.point.length, 8); // points 1 and 2 twice
    assert.deepEqual([...sharp.triangles].map((vertex) => sharp.point[vertex]), triangles);
    assert.equal(splitCreases(points, triangles, 2).point.length, 6);
});

// five points of a merged group: the centre, and two pairs along the axes of an ellipse
test("points_of_a_patch_become_one_ellipse_with_their_area_and_pressure", () => {
    const layout = layoutOf(readScene(description({ patches: true })));
    assert.equal(layout.contactWords, 16);
    const at = [[0, 0], [0.02, 0], [-0.02, 0], [0, 0.01], [0, -0.01]];
    const contacts = new Float32Array(16 * 7);
    const contactIds = new Uint32Array(contacts.buffer);
    at.forEach(([x, y], k) => {
        contacts.set([1 + x, 2 + y, 3, 0, 0.5, 4], 16 * k); // friction has no part in the pressure
        contacts.set([0, 0, 1, 2e-4], 16 * k + 12);
    });
    contacts.set([5, 5, 5, 1, 0, 0], 80); // another part: an area of its own
    contacts.set([1, 0, 0, 2e-4], 92);
    contactIds[16 * 5 + 9] = 1;
    contacts.set([6, 6, 6, 1, 0, 0], 96); // a point without an area
    const frame = { ...emptyFrame(layout), contactCount: 7, contacts, contactIds };
    const areas = areasOf(frame);
    assert.equal(areas.length, 2);
    const [first, second] = areas;
    const near = (a: number, b: number) => assert.ok(Math.abs(a - b) <= 1e-5 * (Math.abs(b) + 1e-3), `${a}, not ${b}`);
    [1, 2, 3].forEach((c, k) => near(first.centre[k], c));
    near(first.area, 1e-3);
    near(first.pressure, 20 / 1e-3);
    const [long, short] = first.axes.map((axis) => Math.hypot(...axis));
    near(long / short, 2);
    near(Math.PI * long * short, 1e-3);
    near(Math.abs(first.axes[0][0]), long);
    near(second.pressure, 1 / 2e-4);
    // frames without patches have none
    assert.deepEqual(areasOf({ ...frame, contactWords: 12 }), []);
    // and they survive the stream
    const back = decodeFrame(encodeFrame({ ...frame, words: new Float32Array(layout.words) }), layout);
    assert.equal(areasOf(back).length, 2);
});

test("arrows of contacts and of constraints have a scale each", () => {
    const scene = { things: [], bodies: [], constraints: [{}] } as unknown as Scene;
    const arrows = new Arrows(scene, { constraints: 0 } as unknown as Layout);
    // one contact of 0.004 N, one active constraint of 30 N
    const frame = {
        contactCount: 1, contactWords: 10, contacts: new Float32Array([0, 0, 0, 0, 0, 0.004, 0, 0, 0, 0]),
        contactIds: new Uint32Array(10), words: new Float32Array([1, 0, 0, 0, 0, 0, 30]),
    } as unknown as Frame;
    arrows.update(frame, true, true);
    const legend = arrows.legend();
    assert.ok(Math.abs(legend!.contact - 0.005) < 1e-12);
    assert.equal(legend!.constraint, 50);
    arrows.update(frame, true, false);
    assert.equal(arrows.legend()!.constraint, 0);
    arrows.update(frame, false, false);
    assert.equal(arrows.legend(), null);
});

test("the schema of scenes is JSON that a browser reads", () => {
    // this file is bundled into viewer/node_modules/.tests
    const path = new URL("../../../docs/lithe-scene.schema.json", import.meta.url);
    const schema = JSON.parse(readFileSync(path, "utf8")) as { properties: Record<string, unknown> };
    assert.ok("rods" in schema.properties && "time" in schema.properties);
});
