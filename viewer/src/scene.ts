// SPDX-License-Identifier: Apache-2.0
// viewer/src/scene.ts - the description of a run and its things (docs/viewer-stream.md)

export const VERSION = 2; // of the stream

export type Vec3 = [number, number, number];

/** Something that can touch, and where it is described. */
export interface ThingInfo {
    name: string;
    list: Drawn | "bodies" | ""; // "": no list has a thing of this name
    index: number; // in that list
}

/** Common to all things that are drawn through points. */
export interface PointsInfo {
    name: string;
    kind: string; // for users: rods, shells, particles
    points: number;
    fields: number[]; // numbers of the quantities that it has, in order
    material?: string; // its name in the scene
}

/** A curve with a section: rods. */
export interface TubeInfo extends PointsInfo {
    edges: number;
    closed: boolean;
    section: string; // circle, rectangle, ellipse or stiffness
    size: [number, number]; // [m] along m1 and m2
    radius: number; // [m]
}

/** Triangles whose corners move: shells, and the outside of solids. */
export interface SurfaceInfo extends PointsInfo {
    triangles: number[]; // [3*count] numbers of points, counter-clockwise from outside
}

/** Spheres: particles. */
export interface BallsInfo extends PointsInfo {
    radius: number[]; // [points] m
}

export interface ShapeInfo {
    kind: string;
    place: number[]; // x y z qw qx qy qz in the frame of the body
    size?: Vec3; // [m]
    points?: number[];
    triangles?: number[];
    outline?: number[];
    visual?: boolean; // only drawn: it touches nothing
    colour?: Vec3; // sRGB, 0 to 1
}

export interface BodyInfo {
    name: string;
    moves: boolean;
    pose?: number[]; // of a body that never moves
    material?: string;
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

/** A value of a scene that the page can change. */
export interface SliderInfo {
    kind: "parameter" | "joint" | "actuator";
    name: string;
    unit: string;
    value: number;
    low: number;
    high: number;
}

/** A place that is held or driven, or where things overlap at the start. */
export interface MarkInfo {
    kind: string; // hold, drive, overlap
    name: string;
    thing: string;
    parts?: number[]; // points of the thing
    at?: number[]; // or a fixed place [m]
    depth?: number; // of an overlap [m]
}

/** A joint, in the frame of the body that it moves. */
export interface JointInfo {
    name: string;
    thing: string; // the body
    within: number[]; // [m]
    point: boolean; // a point stays in place: a hinge or a ball joint
    axis?: number[]; // unit vector, of all but ball joints
}

export interface Scene {
    mode: "live" | "replay" | "file";
    title: string;
    start: number; // [s]
    end: number;
    times: number[];
    bounds: { low: Vec3; high: Vec3 };
    things: ThingInfo[]; // that contacts refer to by number
    patches: boolean; // contacts may be points of patches
    tubes: TubeInfo[];
    surfaces: SurfaceInfo[];
    balls: BallsInfo[];
    bodies: BodyInfo[];
    constraints: { name: string }[];
    drives: string[];
    fields: QuantityInfo[];
    series: QuantityInfo[];
    controls: Controls;
    // of a scene file that `lithe view` shows; else empty
    file: string;
    generation: number; // of the run: another one replaces this page
    recording: string; // the file that is being written
    messages: { text: string; bad: boolean }[];
    sliders: SliderInfo[];
    marks: MarkInfo[];
    joints: JointInfo[];
}

/** Things that are drawn through points, in the order of a frame. */
const DRAWN = ["tubes", "surfaces", "balls"] as const;
export type Drawn = (typeof DRAWN)[number];

/** Offsets of the numbers of one thing in the fixed part of a frame, in words. */
export interface Place {
    position: number; // [points][3]
    director: number; // [edges][3] of a tube
    fields: number; // [its fields][points]
}

/** Offsets of the parts of a frame in its fixed part, in words. */
export interface Layout extends Record<Drawn, Place[]> {
    bodies: number[]; // -1: does not move
    constraints: number;
    series: number;
    words: number;
    contactWords: number; // of a contact
}

/** One thing that is drawn through points, of any kind. */
export interface Drawable {
    kind: Drawn;
    index: number; // among those of its kind
    number: number; // among all
    info: PointsInfo;
    edges: number; // 0: it has no directors
}

export function drawablesOf(scene: Scene): Drawable[] {
    const all: Drawable[] = [];
    for (const kind of DRAWN) {
        scene[kind].forEach((info, index) => {
            const edges = kind === "tubes" ? scene.tubes[index].edges : 0;
            all.push({ kind, index, number: all.length, info, edges });
        });
    }
    return all;
}

/** For users: the number of things of each kind; particles are counted over all sets. */
export function contentsOf(scene: Scene): string {
    const counts = new Map<string, number>();
    for (const { kind, info } of drawablesOf(scene)) {
        const more = kind === "balls" ? info.points : 1;
        counts.set(info.kind, (counts.get(info.kind) ?? 0) + more);
    }
    counts.set("bodies", scene.bodies.length);
    return [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
}

/** The first word of the values of a field on the points of a thing; -1: it has none. */
export function fieldWord(info: PointsInfo, place: Place, field: number): number {
    const at = info.fields.indexOf(field);
    return at < 0 ? -1 : place.fields + at * info.points;
}

export function layoutOf(scene: Scene): Layout {
    let at = 0;
    const take = (count: number) => {
        at += count;
        return at - count;
    };
    const places: Record<Drawn, Place[]> = { tubes: [], surfaces: [], balls: [] };
    for (const { kind, info, edges } of drawablesOf(scene)) {
        places[kind].push({
            position: take(3 * info.points),
            director: take(3 * edges),
            fields: take(info.fields.length * info.points),
        });
    }
    const bodies = scene.bodies.map((body) => (body.moves ? take(7) : -1));
    const constraints = take(7 * scene.constraints.length);
    const series = take(scene.series.length);
    return { ...places, bodies, constraints, series, words: at, contactWords: scene.patches ? 16 : 12 };
}

type Description = Partial<Scene> & { format?: string; version?: number };

// Version 1 had rods with all fields, and contacts counted rods, then bodies.
function fromVersion1(old: Description & { rods?: (TubeInfo & { nodes: number })[] }): Description {
    const rods = old.rods ?? [];
    return {
        ...old,
        tubes: rods.map(({ nodes, ...rod }) =>
            ({ ...rod, kind: "rods", points: nodes, fields: (old.fields ?? []).map((_, i) => i) })),
        things: [
            ...rods.map(({ name }, index) => ({ name, list: "tubes" as const, index })),
            ...(old.bodies ?? []).map(({ name }, index) => ({ name, list: "bodies" as const, index })),
        ],
    };
}

/** Parses an untrusted description; throws an Error that says what is wrong. */
export function readScene(data: unknown): Scene {
    let scene = data as Description;
    if (typeof scene !== "object" || scene === null || scene.format !== "lithe-view") {
        throw new Error("this is no description of a run of Lithe");
    }
    if (scene.version === 1) scene = fromVersion1(scene);
    else if (scene.version !== VERSION) {
        throw new Error(`the run sends version ${scene.version} of the stream, this page supports ${VERSION}`);
    }
    return {
        mode: scene.mode ?? "live",
        title: scene.title ?? "",
        start: scene.start ?? 0,
        end: scene.end ?? 0,
        times: scene.times ?? [],
        bounds: scene.bounds ?? { low: [-1, -1, -1], high: [1, 1, 1] },
        things: scene.things ?? [],
        patches: scene.patches ?? false,
        tubes: scene.tubes ?? [],
        surfaces: scene.surfaces ?? [],
        balls: scene.balls ?? [],
        bodies: scene.bodies ?? [],
        constraints: scene.constraints ?? [],
        drives: scene.drives ?? [],
        fields: scene.fields ?? [],
        series: scene.series ?? [],
        controls: {
            keys: scene.controls?.keys ?? [],
            axes: scene.controls?.axes ?? [],
        },
        file: scene.file ?? "",
        generation: scene.generation ?? 0,
        recording: scene.recording ?? "",
        messages: scene.messages ?? [],
        sliders: scene.sliders ?? [],
        marks: scene.marks ?? [],
        joints: scene.joints ?? [],
    };
}
