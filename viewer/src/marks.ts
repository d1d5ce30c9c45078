// SPDX-License-Identifier: Apache-2.0
// viewer/src/marks.ts - frames of bodies, joints, and marks of constraints, holds, drives and overlaps

import * as THREE from "three";
import type { Bodies } from "./bodies.ts";
import type { Frame } from "./frame.ts";
import { drawablesOf, type Layout, type Scene } from "./scene.ts";
import type { Theme } from "./studio.ts";

const AXIS = 34; // [px] length of the axes of a frame
const AXIS_COLOURS = [0xd0442e, 0x3f8f3a, 0x2f66c8];
const DOT = 11; // [px] size of the mark of a constraint
const JOINT_AXIS = 26; // [px] from a joint to both ends of the line along its axis
const JOINT_CROSS = 5; // [px] half size of the cross of a joint of which a point stays in place

function onTop<T extends THREE.Object3D>(object: T, order: number): T {
    object.renderOrder = order;
    object.frustumCulled = false;
    return object;
}

/** Axes of all bodies: x red, y green, z blue. */
export class Frames {
    readonly lines: THREE.LineSegments;
    private readonly at: Float32Array; // [bodies][3 axes][2 ends][3]

    constructor(private readonly scene: Scene, private readonly bodies: Bodies) {
        const count = scene.bodies.length;
        this.at = new Float32Array(18 * count);
        const tints = new Float32Array(18 * count);
        const colour = new THREE.Color();
        for (let i = 0; i < 6 * count; i++) {
            colour.set(AXIS_COLOURS[Math.floor(i / 2) % 3]).toArray(tints, 3 * i);
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(this.at, 3));
        geometry.setAttribute("color", new THREE.BufferAttribute(tints, 3));
        const material = new THREE.LineBasicMaterial({
            vertexColors: true, depthTest: false, transparent: true, toneMapped: false,
        });
        this.lines = onTop(new THREE.LineSegments(geometry, material), 30);
    }

    /** `pixel`: metres per pixel where things are. */
    update(pixel: number): void {
        const axis = new THREE.Vector3();
        const origin = new THREE.Vector3();
        this.scene.bodies.forEach((_, b) => {
            const matrix = this.bodies.matrixOf(b);
            origin.setFromMatrixPosition(matrix);
            for (let k = 0; k < 3; k++) {
                axis.setFromMatrixColumn(matrix, k).multiplyScalar(AXIS * pixel).add(origin);
                origin.toArray(this.at, 18 * b + 6 * k);
                axis.toArray(this.at, 18 * b + 6 * k + 3);
            }
        });
        this.lines.geometry.getAttribute("position").needsUpdate = true;
    }
}

/** Axes of joints as lines, with a small cross where a point of the joint stays in place. */
export class Joints {
    readonly lines: THREE.LineSegments;
    private readonly joints: { body: number; at: THREE.Vector3; ends: THREE.Vector3[] }[];
    private readonly at: Float32Array; // [ends of all lines][3]

    constructor(scene: Scene, private readonly bodies: Bodies) {
        const numbers = new Map(scene.bodies.map(({ name }, b) => [name, b]));
        this.joints = scene.joints.flatMap(({ thing, within, point, axis }) => {
            const body = numbers.get(thing);
            return body === undefined ? [] : [{
                body, at: new THREE.Vector3().fromArray(within), ends: endsOf(point, axis),
            }];
        });
        this.at = new Float32Array(3 * this.joints.reduce((sum, { ends }) => sum + ends.length, 0));
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(this.at, 3));
        const material = new THREE.LineBasicMaterial({ depthTest: false, transparent: true, toneMapped: false });
        this.lines = onTop(new THREE.LineSegments(geometry, material), 32);
    }

    setTheme(theme: Theme): void {
        (this.lines.material as THREE.LineBasicMaterial).color.set(theme.joint);
    }

    /** `pixel`: metres per pixel where things are. */
    update(pixel: number): void {
        const end = new THREE.Vector3();
        let count = 0;
        for (const { body, at, ends } of this.joints) {
            for (const way of ends) {
                end.copy(way).multiplyScalar(pixel).add(at).applyMatrix4(this.bodies.matrixOf(body));
                end.toArray(this.at, 3 * count++);
            }
        }
        this.lines.geometry.getAttribute("position").needsUpdate = true;
    }
}

// Ends of the lines of a joint, in pixels from its place: along its axis, and a cross.
function endsOf(point: boolean, axis?: number[]): THREE.Vector3[] {
    const ways: THREE.Vector3[] = [];
    if (axis) ways.push(new THREE.Vector3().fromArray(axis).multiplyScalar(JOINT_AXIS));
    if (point) {
        for (let k = 0; k < 3; k++) ways.push(new THREE.Vector3().setComponent(k, JOINT_CROSS));
    }
    return ways.flatMap((way) => [way, way.clone().negate()]);
}

// A ring with a dot, as on drawings: drawn by the fragment shader in the square of a point.
function rings(size: number): THREE.PointsMaterial {
    const material = new THREE.PointsMaterial({
        size, sizeAttenuation: false, vertexColors: true, depthTest: false, transparent: true,
        toneMapped: false,
    });
    material.onBeforeCompile = (shader) => {
        shader.fragmentShader = shader.fragmentShader.replace("#include <clipping_planes_fragment>", `
#include <clipping_planes_fragment>
float markAway = length(gl_PointCoord - 0.5);
if (markAway > 0.5 || (markAway > 0.2 && markAway < 0.34)) discard;`);
    };
    return material;
}

/** Marks of one kind of place: the words of a frame with its position, or the place itself. */
interface Mark {
    kind: string;
    word: number; // -1: `at`
    at: number[];
    active: number; // the word that says whether it acts; -1: always
}

const MARK_COLOURS: Record<string, keyof Theme> = {
    constraint: "constraint", hold: "hold", drive: "drive", overlap: "contact",
};

/** The marks of a scene: constraints, and of a scene before its run holds, drives and overlaps. */
export function marksOf(scene: Scene, layout: Layout): Mark[] {
    const marks: Mark[] = scene.constraints.map((_, k) => {
        const at = layout.constraints + 7 * k;
        return { kind: "constraint", word: at + 1, at: [], active: at };
    });
    const places = new Map(drawablesOf(scene).map(({ kind, index, info }) =>
        [info.name, { first: layout[kind][index].position, points: info.points }]));
    for (const { kind, thing, parts, at } of scene.marks) {
        const place = places.get(thing);
        if (at) marks.push({ kind, word: -1, at, active: -1 });
        for (const part of place && parts ? parts : []) {
            if (part < place!.points) marks.push({ kind, word: place!.first + 3 * part, at: [], active: -1 });
        }
    }
    return marks;
}

/** A mark where each constraint acts, also when its force is zero, and at holds, drives, overlaps. */
export class Places {
    readonly points: THREE.Points;
    readonly kinds: Set<string>;
    private readonly marks: Mark[];
    private readonly at: Float32Array;
    private readonly tints: Float32Array;
    private readonly palette = new Map<string, THREE.Color>();

    constructor(scene: Scene, layout: Layout) {
        this.marks = marksOf(scene, layout);
        this.kinds = new Set(this.marks.map(({ kind }) => kind));
        this.at = new Float32Array(3 * this.marks.length);
        this.tints = new Float32Array(3 * this.marks.length);
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(this.at, 3));
        geometry.setAttribute("color", new THREE.BufferAttribute(this.tints, 3));
        this.points = onTop(new THREE.Points(geometry, rings(DOT)), 31);
    }

    setTheme(theme: Theme): void {
        for (const kind of this.kinds) {
            this.palette.set(kind, new THREE.Color(theme[MARK_COLOURS[kind] ?? "hold"] as number));
        }
    }

    /** Overlaps are those of the start: they are drawn only there. */
    update(frame: Frame, atStart: boolean): void {
        let count = 0;
        for (const { kind, word, at, active } of this.marks) {
            if (active >= 0 && !frame.words[active]) continue;
            if (kind === "overlap" && !atStart) continue;
            this.at.set(word < 0 ? at : frame.words.subarray(word, word + 3), 3 * count);
            this.palette.get(kind)?.toArray(this.tints, 3 * count);
            count++;
        }
        const { geometry } = this.points;
        geometry.setDrawRange(0, count);
        geometry.getAttribute("position").needsUpdate = true;
        geometry.getAttribute("color").needsUpdate = true;
    }
}
