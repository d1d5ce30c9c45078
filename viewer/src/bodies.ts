// SPDX-License-Identifier: Apache-2.0
// viewer/src/bodies.ts - draws rigid bodies: one mesh per shape, moved by the body's pose

import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { Frame } from "./frame.ts";
import { applyLook, type Look } from "./looks.ts";
import { creasedNormals } from "./normals.ts";
import type { BodyInfo, Layout, Scene, ShapeInfo } from "./scene.ts";
import { lightByStudio } from "./studio.ts";

const CREASE = 0.6; // [rad] edges sharper than this stay sharp
const STONE = [0xb4b6ba, 0x989ca3]; // greys, so that rods stand out

/** Which shapes are drawn: those that touch, those made for looks where a body has any, or all. */
export type Shapes = "visual" | "collision" | "both";

/** Whether a mode shows a shape. */
export function showsShape(mode: Shapes, body: BodyInfo, shape: ShapeInfo): boolean {
    if (mode === "both") return true;
    if (mode === "collision") return !shape.visual;
    return !!shape.visual || !body.shapes.some((one) => one.visual);
}

export class Bodies {
    readonly group = new THREE.Group();
    /** Meshes by body, to find what a pointer is over. */
    readonly meshes: THREE.Mesh[] = [];
    private readonly parts: THREE.Group[] = [];
    private readonly shared = new Map<string, THREE.MeshStandardMaterial>(); // by colour and side
    private readonly own = new Map<string, THREE.MeshStandardMaterial>(); // of bodies that look different
    private wireframe = false;
    private mode: Shapes = "visual";

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
    ) {
        scene.bodies.forEach((body, b) => {
            const part = new THREE.Group();
            part.matrixAutoUpdate = false;
            for (const shape of body.shapes) {
                const geometry = shapeGeometry(shape);
                if (!geometry) continue;
                const colour = shape.colour
                    ? new THREE.Color().setRGB(...shape.colour, THREE.SRGBColorSpace).getHex()
                    : STONE[b % STONE.length];
                // meshes made for looks are often open
                const side = shape.visual && shape.triangles ? THREE.DoubleSide : THREE.FrontSide;
                const mesh = new THREE.Mesh(geometry, this.sharedOf(colour, side));
                mesh.castShadow = mesh.receiveShadow = true;
                mesh.matrixAutoUpdate = false;
                setPose(mesh.matrix, shape.place, 0);
                mesh.userData.body = b;
                mesh.userData.shape = shape;
                mesh.userData.colour = colour;
                mesh.userData.side = side;
                part.add(mesh);
                this.meshes.push(mesh);
            }
            if (body.pose) setPose(part.matrix, body.pose, 0);
            this.parts.push(part);
            this.group.add(part);
        });
        this.setShapes("visual");
    }

    private sharedOf(colour: number, side: THREE.Side): THREE.MeshStandardMaterial {
        return materialOf(this.shared, `${colour} ${side}`, colour, side);
    }

    private ownOf(body: number, colour: number, side: THREE.Side): THREE.MeshStandardMaterial {
        return materialOf(this.own, `${body} ${colour} ${side}`, colour, side);
    }

    setShapes(mode: Shapes): void {
        this.mode = mode;
        for (const mesh of this.meshes) {
            const { body, shape } = mesh.userData;
            mesh.visible = showsShape(mode, this.scene.bodies[body], shape);
        }
    }

    /** How each body looks; bodies that look alike share materials. */
    setLooks(looks: Look[]): void {
        looks.forEach((look, b) => {
            const plain = look.opacity === 1 && !look.selected;
            this.parts[b].visible = look.visible;
            for (const child of this.parts[b].children) {
                if (!(child instanceof THREE.Mesh) || child.userData.body === undefined) continue;
                const { colour, side } = child.userData;
                const material = plain ? this.sharedOf(colour, side) : this.ownOf(b, colour, side);
                material.wireframe = this.wireframe;
                child.material = material;
                if (!plain) applyLook(child, { ...look, visible: true });
            }
        });
        this.setShapes(this.mode);
    }

    setWireframe(on: boolean): void {
        this.wireframe = on;
        for (const material of [...this.shared.values(), ...this.own.values()]) material.wireframe = on;
    }

    update(frame: Frame): void {
        for (let b = 0; b < this.parts.length; b++) {
            const at = this.layout.bodies[b];
            if (at < 0) continue;
            setPose(this.parts[b].matrix, frame.words, at);
            this.parts[b].matrixWorldNeedsUpdate = true;
        }
    }

    /** From the frame of a body to the world. */
    matrixOf(body: number): THREE.Matrix4 {
        return this.parts[body].matrix;
    }
}

function materialOf(
    all: Map<string, THREE.MeshStandardMaterial>, key: string, color: number, side: THREE.Side,
): THREE.MeshStandardMaterial {
    let material = all.get(key);
    if (!material) {
        material = new THREE.MeshStandardMaterial({ color, side, roughness: 0.5 });
        lightByStudio(material);
        all.set(key, material);
    }
    return material;
}

const quaternion = new THREE.Quaternion();
const place = new THREE.Vector3();
const ONE = new THREE.Vector3(1, 1, 1);

/** x y z qw qx qy qz to a matrix. */
export function setPose(matrix: THREE.Matrix4, from: ArrayLike<number>, at: number): void {
    place.set(from[at], from[at + 1], from[at + 2]);
    quaternion.set(from[at + 4], from[at + 5], from[at + 6], from[at + 3]);
    matrix.compose(place, quaternion, ONE);
}

/** The surface of a shape in its own frame; null for shapes that are not drawn here. */
export function shapeGeometry(shape: ShapeInfo): THREE.BufferGeometry | null {
    const [x, y, z] = shape.size ?? [0, 0, 0];
    switch (shape.kind) {
        case "sphere":
            return new THREE.SphereGeometry(x / 2, 40, 24);
        case "ellipsoid":
            return new THREE.SphereGeometry(0.5, 40, 24).scale(x, y, z);
        case "capsule": {
            const straight = Math.max(z - x, 0);
            return new THREE.CapsuleGeometry(x / 2, straight, 10, 32).rotateX(Math.PI / 2);
        }
        case "cylinder":
            return cylinder(x / 2, z);
        case "box":
            return new RoundedBoxGeometry(x, y, z, 2, 0.03 * Math.min(x, y, z));
        case "convex":
        case "mesh":
        case "heightfield":
            return triangles(shape);
        case "revolution":
            return revolution(shape.outline ?? []);
        default:
            return null;
    }
}

function creased(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
    const plain = geometry.toNonIndexed();
    const points = plain.getAttribute("position").array;
    plain.setAttribute("normal", new THREE.BufferAttribute(creasedNormals(points, CREASE), 3));
    return plain;
}

// A cylinder along z; its edge has a small chamfer, for a highlight.
function cylinder(radius: number, length: number): THREE.BufferGeometry {
    const h = length / 2;
    const b = Math.min(0.03 * radius, 0.1 * h);
    const outline = [0, -h, radius - b, -h, radius, b - h, radius, h - b, radius - b, h, 0, h];
    const points: THREE.Vector2[] = [];
    for (let i = 0; i < outline.length; i += 2) {
        points.push(new THREE.Vector2(outline[i], outline[i + 1]));
    }
    const lathe = new THREE.LatheGeometry(points, 48).rotateX(Math.PI / 2);
    return creased(lathe);
}

function triangles(shape: ShapeInfo): THREE.BufferGeometry | null {
    if (!shape.points?.length || !shape.triangles?.length) return null;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(shape.points, 3));
    geometry.setIndex(shape.triangles);
    return creased(geometry);
}

// z and radius of each point of the outline, which is rotated about z
function revolution(outline: number[]): THREE.BufferGeometry | null {
    const points: THREE.Vector2[] = [];
    for (let i = 0; i + 1 < outline.length; i += 2) {
        points.push(new THREE.Vector2(outline[i + 1], outline[i]));
    }
    if (points.length < 2) return null;
    // an end that is not a tip is flat
    const [first, last] = [points[0], points[points.length - 1]];
    if (first.x > 0) points.unshift(new THREE.Vector2(0, first.y));
    if (last.x > 0) points.push(new THREE.Vector2(0, last.y));
    const lathe = new THREE.LatheGeometry(points, 64).rotateX(Math.PI / 2);
    return creased(lathe);
}
