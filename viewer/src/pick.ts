// SPDX-License-Identifier: Apache-2.0
// viewer/src/pick.ts - what is under the pointer: a point of a thing, or a place on a body

import * as THREE from "three";
import type { Frame } from "./frame.ts";
import { drawablesOf, type Layout, type Scene } from "./scene.ts";
import type { View } from "./view.ts";

export interface Pick {
    thing: string; // its name
    hold: { part: number } | { at: number[] }; // one of its points, or a place in the body's frame
    point: THREE.Vector3; // position in the world when it was picked
    now: (frame: Frame, out: THREE.Vector3) => void; // position in the world in another frame
}

function pointOf(thing: string, part: number, word: number, frame: Frame): Pick {
    return {
        thing,
        hold: { part },
        point: new THREE.Vector3().fromArray(frame.words, word),
        now: (other, out) => out.fromArray(other.words, word),
    };
}

/**
 * The thing nearest to the eye at a place of the canvas (pixels from its corner), or null. Fixed
 * bodies only with `any`: they can be selected, not pulled.
 */
export function pick(
    view: View, scene: Scene, layout: Layout, frame: Frame, x: number, y: number, slack: number,
    any = false,
): Pick | null {
    view.camera.updateMatrixWorld();
    const { best, depth } = nearPoint(view, scene, layout, frame, x, y, slack);
    const caster = casterAt(view, x, y);
    const meshes = [...view.bodies.meshes, ...view.surfaces.meshes]
        .filter((mesh) => mesh.visible && mesh.parent?.visible !== false);
    const hit = caster.intersectObjects(meshes, false)[0];
    if (!hit || eyeDepth(view, hit.point) >= depth) return best;
    if (hit.object.userData.surface !== undefined) return onSurface(view, scene, layout, frame, hit);
    const body = hit.object.userData.body as number;
    // fixed things hide others, but cannot be pulled
    if (!scene.bodies[body].moves && !any) return null;
    const at = hit.point.clone().applyMatrix4(view.bodies.matrixOf(body).clone().invert());
    return {
        thing: scene.bodies[body].name,
        hold: { at: at.toArray() },
        point: hit.point,
        now: (_, out) => out.copy(at).applyMatrix4(view.bodies.matrixOf(body)),
    };
}

// Tubes and balls: of the points that appear near the pointer, the nearest to the eye.
function nearPoint(
    view: View, scene: Scene, layout: Layout, frame: Frame, x: number, y: number, slack: number,
): { best: Pick | null; depth: number } {
    const width = view.canvas.clientWidth;
    const height = view.canvas.clientHeight;
    const seen = new THREE.Matrix4()
        .multiplyMatrices(view.camera.projectionMatrix, view.camera.matrixWorldInverse);
    const tall = Math.tan(THREE.MathUtils.degToRad(view.camera.fov / 2));
    const { words } = frame;
    let best: Pick | null = null;
    let depth = Infinity;
    const at = new THREE.Vector4();
    for (const { kind, index, info } of drawablesOf(scene)) {
        if (kind === "surfaces" || !view.looks.find(kind, index)!.look.visible) continue;
        const first = layout[kind][index].position;
        for (let k = 0; k < info.points; k++) {
            const p = first + 3 * k;
            at.set(words[p], words[p + 1], words[p + 2], 1).applyMatrix4(seen);
            if (at.w <= 0) continue;
            const dx = (0.5 + (0.5 * at.x) / at.w) * width - x;
            const dy = (0.5 - (0.5 * at.y) / at.w) * height - y;
            const pixel = (2 * tall * at.w) / height; // [m]
            const size = kind === "balls"
                ? scene.balls[index].radius[k]
                : scene.tubes[index].radius + (k > 0 ? distance(words, p, p - 3) : 0);
            const reach = Math.max(slack, size / pixel);
            const away = Math.hypot(dx, dy);
            // a farther point must be nearer to the pointer; balls count by their front
            const front = kind === "balls" ? at.w - size : at.w;
            const cost = front * (1 + (0.02 * away) / reach);
            if (away <= reach && cost < depth) {
                depth = cost;
                best = pointOf(info.name, k, p, frame);
            }
        }
    }
    return { best, depth };
}

// The corner of the triangle that is nearest to the hit.
function onSurface(
    view: View, scene: Scene, layout: Layout, frame: Frame, hit: THREE.Intersection,
): Pick {
    const s = hit.object.userData.surface as number;
    const first = layout.surfaces[s].position;
    const corner = new THREE.Vector3();
    const away = (k: number) => corner.fromArray(frame.words, first + 3 * k).distanceTo(hit.point);
    const { a, b, c } = hit.face!;
    const corners = [a, b, c].map((vertex) => view.surfaces.pointOf(s, vertex));
    const part = corners.reduce((least, k) => (away(k) < away(least) ? k : least));
    return pointOf(scene.surfaces[s].name, part, first + 3 * part, frame);
}

function eyeDepth(view: View, point: THREE.Vector3): number {
    return -point.clone().applyMatrix4(view.camera.matrixWorldInverse).z;
}

function distance(words: Float32Array, a: number, b: number): number {
    return Math.hypot(words[a] - words[b], words[a + 1] - words[b + 1], words[a + 2] - words[b + 2]);
}

function casterAt(view: View, x: number, y: number): THREE.Raycaster {
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(
        (2 * x) / view.canvas.clientWidth - 1, 1 - (2 * y) / view.canvas.clientHeight), view.camera);
    return caster;
}

/** Where the pointer is on the plane through `point` that faces the camera. */
export function onPlane(view: View, point: THREE.Vector3, x: number, y: number): THREE.Vector3 {
    const normal = view.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
    return casterAt(view, x, y).ray.intersectPlane(plane, new THREE.Vector3()) ?? point.clone();
}
