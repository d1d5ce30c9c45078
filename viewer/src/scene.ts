// SPDX-License-Identifier: Apache-2.0
// viewer/src/scene.ts - the description of a run: what there is to see (docs/viewer-stream.md)

export type Vec3 = [number, number, number];

export interface RodInfo {
    name: string;
    nodes: number;
    edges: number;
    closed: boolean;
    section: string; // circle, rectangle, ellipse or stiffness
    size: [number, number]; // [m] along m1 and m2
    radius: number; // [m]
}

export interface ShapeInfo {
    kind: string;
    place: number[]; // x y z qw qx qy qz in the frame of the body
    size?: Vec3; // [m]
    points?: number[];
    triangles?: number[];
    outline?: number[];
}

export interface BodyInfo {
    name: string;
    moves: boolean;
    pose?: number[]; // of a body that never moves
    shapes: ShapeInfo[];
}

export interface QuantityInfo {
    name: string;
    unit: string;
}

export interface Controls {
    keys: { key: string; does?: string }[];
    axes: { axis: number; does?: string }[];
}

export interface Scene {
    mode: "live" | "replay" | "file";
    title: string;
    start: number; // [s]
    end: number;
    times: number[];
    bounds: { low: Vec3; high: Vec3 };
    rods: RodInfo[];
    bodies: BodyInfo[];
    constraints: { name: string }[];
    drives: string[];
    fields: QuantityInfo[];
    series: QuantityInfo[];
    controls: Controls;
}

/** Where the parts of a frame lie in its fixed part, in words. */
export interface Layout {
    rods: { position: number; director: number; fields: number }[];
    bodies: number[]; // -1: does not move
    constraints: number;
    series: number;
    words: number;
}

export function layoutOf(scene: Scene): Layout {
    let at = 0;
    const take = (count: number) => {
        at += count;
        return at - count;
    };
    const rods = scene.rods.map((rod) => ({
        position: take(3 * rod.nodes),
        director: take(3 * rod.edges),
        fields: take(scene.fields.length * rod.nodes),
    }));
    const bodies = scene.bodies.map((body) => (body.moves ? take(7) : -1));
    const constraints = take(7 * scene.constraints.length);
    const series = take(scene.series.length);
    return { rods, bodies, constraints, series, words: at };
}

/** A description from outside; throws an Error that says what is wrong. */
export function readScene(data: unknown): Scene {
    const scene = data as Partial<Scene> & { format?: string; version?: number };
    if (typeof scene !== "object" || scene === null || scene.format !== "lithe-view") {
        throw new Error("this is no description of a run of Lithe");
    }
    if (scene.version !== 1) {
        throw new Error(`the run speaks version ${scene.version} of the stream, this page 1`);
    }
    return {
        mode: scene.mode ?? "live",
        title: scene.title ?? "",
        start: scene.start ?? 0,
        end: scene.end ?? 0,
        times: scene.times ?? [],
        bounds: scene.bounds ?? { low: [-1, -1, -1], high: [1, 1, 1] },
        rods: scene.rods ?? [],
        bodies: scene.bodies ?? [],
        constraints: scene.constraints ?? [],
        drives: scene.drives ?? [],
        fields: scene.fields ?? [],
        series: scene.series ?? [],
        controls: {
            keys: scene.controls?.keys ?? [],
            axes: scene.controls?.axes ?? [],
        },
    };
}
