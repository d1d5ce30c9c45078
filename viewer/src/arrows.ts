// SPDX-License-Identifier: Apache-2.0
// viewer/src/arrows.ts - forces of contacts and constraints as arrows, of one scale each

import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Frame } from "./frame.ts";
import type { Layout, Scene } from "./scene.ts";
import type { Theme } from "./studio.ts";

const LARGEST = 110; // length of the largest arrow, in pixels
const THICK = 1.15; // radius of a shaft, likewise
const SMALLEST = 0.01; // of the largest force: smaller ones only have a dot
const NOISE = 1e-6; // of the largest force of the run: smaller ones are errors of the solver
const UP = new THREE.Vector3(0, 0, 1);

// Drawn over everything else: contacts are inside of things.
function overlay(object: THREE.Object3D, order: number): void {
    object.renderOrder = order;
    object.frustumCulled = false;
    object.onBeforeRender = (renderer) => renderer.clearDepth();
}

export class Arrows {
    readonly group = new THREE.Group();
    /** The force of the longest arrow of contacts, and of constraints: a round number, at least the
     *  current max [N]; 0: none is drawn. */
    readonly largest = [0, 0];
    private noise = 0; // [N]
    private shafts: Batch;
    private length = 1; // [m] of the largest arrow
    private thick = 1;
    private readonly colours = [new THREE.Color(), new THREE.Color()];
    private readonly fixed: boolean[]; // per thing: whether it never moves

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
    ) {
        this.shafts = new Batch(256);
        this.group.add(this.shafts.mesh);
        this.fixed = scene.things.map(({ list, index }) =>
            list === "bodies" && !scene.bodies[index].moves);
    }

    setTheme(theme: Theme): void {
        this.colours[0].set(theme.contact);
        this.colours[1].set(theme.constraint);
    }

    /** Metres per pixel, where things are. */
    setScale(pixel: number): void {
        this.length = LARGEST * pixel;
        this.thick = THICK * pixel;
    }

    /** The largest force or tension of the run so far [N]: what is far smaller is not drawn. */
    setLargest(force: number): void {
        this.noise = NOISE * force;
    }

    /** For the legend: the forces of the longest arrows of both kinds, and their length. */
    legend(): { contact: number; constraint: number; pixels: number } | null {
        const [contact, constraint] = this.largest;
        if (!(contact > 0 || constraint > 0)) return null;
        return { contact, constraint, pixels: LARGEST };
    }

    update(frame: Frame, contacts: boolean, constraints: boolean): void {
        const count = (contacts ? frame.contactCount : 0) +
            (constraints ? this.scene.constraints.length : 0);
        this.fit(frame, contacts, constraints);
        if (count > this.shafts.room) {
            this.group.remove(this.shafts.mesh);
            this.shafts.dispose();
            this.shafts = new Batch(2 * count);
            this.group.add(this.shafts.mesh);
        }
        this.shafts.begin();
        if (contacts) this.addContacts(frame);
        if (constraints) this.addConstraints(frame);
        this.shafts.end();
    }

    private fit(frame: Frame, contacts: boolean, constraints: boolean): void {
        const most = [0, 0];
        for (let k = 0; contacts && k < frame.contactCount; k++) {
            most[0] = Math.max(most[0], size3(frame.contacts, frame.contactWords * k + 3));
        }
        for (let k = 0; constraints && k < this.scene.constraints.length; k++) {
            const at = this.layout.constraints + 7 * k;
            if (frame.words[at]) most[1] = Math.max(most[1], size3(frame.words, at + 4));
        }
        // a scale follows the current forces in round steps; it decreases only when arrows would be
        // tiny
        for (let kind = 0; kind < 2; kind++) {
            if (most[kind] <= this.noise) this.largest[kind] = 0;
            else if (most[kind] > this.largest[kind] || most[kind] < 0.25 * this.largest[kind]) {
                this.largest[kind] = roundUp(most[kind]);
            }
        }
    }

    // the force on b; where b cannot move, that on a
    private addContacts(frame: Frame): void {
        const { contacts, contactIds } = frame;
        for (let k = 0; k < frame.contactCount; k++) {
            const at = frame.contactWords * k;
            const sign = this.fixed[contactIds[at + 9]] ? -1 : 1;
            this.add(contacts, at, at + 3, sign, 0);
        }
    }

    private addConstraints(frame: Frame): void {
        for (let k = 0; k < this.scene.constraints.length; k++) {
            const at = this.layout.constraints + 7 * k;
            if (frame.words[at]) this.add(frame.words, at + 1, at + 4, 1, 1);
        }
    }

    private add(
        from: Float32Array, point: number, force: number, sign: number, kind: 0 | 1,
    ): void {
        const x = sign * from[force];
        const y = sign * from[force + 1];
        const z = sign * from[force + 2];
        const size = Math.hypot(x, y, z);
        if (!(size > this.noise)) return;
        const largest = this.largest[kind];
        const share = largest > 0 ? size / largest : 0;
        const long = share < SMALLEST ? 0 : share * this.length;
        this.shafts.add(from, point, x / size || 0, y / size || 0, size > 0 ? z / size : 1,
            long, this.thick, this.colours[kind]);
    }
}

function size3(v: Float32Array, at: number): number {
    return Math.hypot(v[at], v[at + 1], v[at + 2]);
}

/** The next number of 1, 2, 5, 10, ...; 0 for 0. */
export function roundUp(value: number): number {
    if (!(value > 0) || !Number.isFinite(value)) return 0;
    const power = 10 ** Math.floor(Math.log10(value));
    const lead = value / power;
    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

// Instances of an arrow along z: the shader stretches its shaft, but not its head.
class Batch {
    readonly mesh: THREE.InstancedMesh;
    private readonly matrices: Float32Array;
    private readonly tints: Float32Array;
    private count = 0;

    constructor(readonly room: number) {
        // transparent: after the floor
        const material = new THREE.MeshBasicMaterial({ transparent: true, toneMapped: false });
        material.onBeforeCompile = (shader) => {
            // z < 1: the shaft, 0 to 1; above: the head, in thicknesses from the tip
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", "#include <common>\nvarying float vLit;")
                .replace("#include <begin_vertex>", `
vec3 transformed = position;
float arrowLong = instanceMatrix[3].w;
float arrowThick = length(instanceMatrix[0].xyz);
float arrowHead = min(6.0 * arrowThick, 0.6 * arrowLong) / (6.0 * arrowThick);
if (position.z >= 2.0) {
    transformed = vec3(position.xy * mix(0.4, 1.0, arrowHead), (position.z - 8.0) * arrowHead
        + arrowLong / arrowThick);
} else if (position.z >= 0.5) {
    transformed.z = max(arrowLong / arrowThick - 5.9 * arrowHead, 0.0);
} else {
    transformed.z = position.z;
}
if (arrowLong == 0.0 && position.z >= 0.5) transformed = vec3(0.0);`)
                .replace("#include <project_vertex>", `
mat4 arrowPlace = instanceMatrix;
arrowPlace[3].w = 1.0;
vec4 mvPosition = modelViewMatrix * arrowPlace * vec4(transformed, 1.0);
gl_Position = projectionMatrix * mvPosition;
vLit = 0.78 + 0.22 * normalize(mat3(modelViewMatrix) * mat3(instanceMatrix) * normal).y;`);
            shader.fragmentShader = shader.fragmentShader
                .replace("#include <common>", "#include <common>\nvarying float vLit;")
                .replace("#include <color_fragment>",
                    "#include <color_fragment>\ndiffuseColor.rgb *= vLit;");
        };
        this.mesh = new THREE.InstancedMesh(arrowGeometry(), material, room);
        this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        this.mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * room), 3);
        this.matrices = this.mesh.instanceMatrix.array as Float32Array;
        this.tints = this.mesh.instanceColor.array as Float32Array;
        overlay(this.mesh, 20);
    }

    begin(): void {
        this.count = 0;
    }

    // the matrix rotates z to the direction and scales by the thickness; its last number is the
    // length
    add(from: Float32Array, at: number, x: number, y: number, z: number, long: number,
        thick: number, colour: THREE.Color): void {
        const m = this.matrices;
        const o = 16 * this.count;
        // two axes perpendicular to the direction, continuous except at -z
        const sign = z >= 0 ? 1 : -1;
        const a = -1 / (sign + z);
        const b = x * y * a;
        m[o] = thick * (1 + sign * x * x * a);
        m[o + 1] = thick * sign * b;
        m[o + 2] = thick * -sign * x;
        m[o + 3] = 0;
        m[o + 4] = thick * b;
        m[o + 5] = thick * (sign + y * y * a);
        m[o + 6] = thick * -y;
        m[o + 7] = 0;
        m[o + 8] = thick * x;
        m[o + 9] = thick * y;
        m[o + 10] = thick * z;
        m[o + 11] = 0;
        m[o + 12] = from[at];
        m[o + 13] = from[at + 1];
        m[o + 14] = from[at + 2];
        m[o + 15] = long;
        colour.toArray(this.tints, 3 * this.count);
        this.count++;
    }

    end(): void {
        this.mesh.count = this.count; // drawn even when 0: its shader is compiled at the start
        if (this.count === 0) return;
        const matrix = this.mesh.instanceMatrix;
        matrix.clearUpdateRanges();
        matrix.addUpdateRange(0, 16 * this.count);
        matrix.needsUpdate = true;
        this.mesh.instanceColor!.needsUpdate = true;
    }

    dispose(): void {
        this.mesh.geometry.dispose();
        this.mesh.dispose();
    }
}

// A dot at the origin, a shaft of radius 1 from z = 0 to 1, a head whose base is at z = 2 and tip 8.
function arrowGeometry(): THREE.BufferGeometry {
    const dot = new THREE.SphereGeometry(1.7, 12, 8);
    dot.scale(1, 1, 0.28); // below 0.5, so that the shader does not stretch it
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10, 1, true);
    shaft.translate(0, 0.5, 0).rotateX(Math.PI / 2);
    const head = new THREE.ConeGeometry(2.8, 6, 14);
    head.translate(0, 5, 0).rotateX(Math.PI / 2);
    return mergeGeometries([dot, shaft, head])!;
}

/** The line from a grabbed point to the pointer. */
export class Tether {
    readonly group = new THREE.Group();
    private readonly line: THREE.Mesh;
    private readonly ends: THREE.Mesh[];
    private thick = 1;

    constructor() {
        const material = new THREE.MeshBasicMaterial({ toneMapped: false, transparent: true });
        this.line = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 10, 1, true)
            .rotateX(Math.PI / 2), material);
        const ball = new THREE.SphereGeometry(1, 16, 12);
        this.ends = [new THREE.Mesh(ball, material), new THREE.Mesh(ball, material)];
        this.group.add(this.line, ...this.ends);
        for (const mesh of this.group.children) overlay(mesh, 30);
        this.group.visible = false;
    }

    setTheme(theme: Theme): void {
        (this.line.material as THREE.MeshBasicMaterial).color.set(theme.dark ? 0x7fd0ff : 0x0b6fb3);
    }

    setScale(pixel: number): void {
        this.thick = 2.2 * pixel;
    }

    show(from: THREE.Vector3, to: THREE.Vector3): void {
        const along = to.clone().sub(from);
        const length = along.length();
        this.group.visible = true;
        this.line.position.copy(from).addScaledVector(along, 0.5);
        this.line.scale.set(0.5 * this.thick, 0.5 * this.thick, Math.max(length, 1e-9));
        if (length > 0) this.line.quaternion.setFromUnitVectors(UP, along.divideScalar(length));
        this.ends[0].position.copy(from);
        this.ends[1].position.copy(to);
        this.ends[0].scale.setScalar(1.6 * this.thick);
        this.ends[1].scale.setScalar(2.2 * this.thick);
    }

    hide(): void {
        this.group.visible = false;
    }
}
