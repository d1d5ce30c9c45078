// SPDX-License-Identifier: Apache-2.0
// viewer/src/pick.ts - what is under the pointer: a node of a rod, or a point of a body

import * as THREE from "three";
import type { Frame } from "./frame.ts";
import type { Layout, Scene } from "./scene.ts";
import type { View } from "./view.ts";

export type Pick =
    | { rod: number; node: number; point: THREE.Vector3 }
    | { body: number; at: THREE.Vector3; point: THREE.Vector3 };

/** The thing nearest to the eye at a place of the canvas (pixels from its corner), or null. */
export function pick(
    view: View, scene: Scene, layout: Layout, frame: Frame, x: number, y: number, slack: number,
): Pick | null {
    const width = view.canvas.clientWidth;
    const height = view.canvas.clientHeight;
    view.camera.updateMatrixWorld();
    const seen = new THREE.Matrix4()
        .multiplyMatrices(view.camera.projectionMatrix, view.camera.matrixWorldInverse);
    const tall = Math.tan(THREE.MathUtils.degToRad(view.camera.fov / 2));

    // rods: the node whose picture is near the pointer, the nearest to the eye of them
    let best: Pick | null = null;
    let depth = Infinity;
    const at = new THREE.Vector4();
    scene.rods.forEach((rod, r) => {
        const first = layout.rods[r].position;
        for (let k = 0; k < rod.nodes; k++) {
            const p = first + 3 * k;
            at.set(frame.words[p], frame.words[p + 1], frame.words[p + 2], 1).applyMatrix4(seen);
            if (at.w <= 0) continue;
            const dx = (0.5 + (0.5 * at.x) / at.w) * width - x;
            const dy = (0.5 - (0.5 * at.y) / at.w) * height - y;
            const pixel = (2 * tall * at.w) / height; // [m]
            const spacing = k > 0 ? distance(frame.words, p, p - 3) : 0;
            const reach = Math.max(slack, (rod.radius + spacing) / pixel);
            const away = Math.hypot(dx, dy);
            // a farther node has to be nearer to the pointer to win
            const cost = at.w * (1 + (0.02 * away) / reach);
            if (away <= reach && cost < depth) {
                depth = cost;
                best = { rod: r, node: k, point: new THREE.Vector3().fromArray(frame.words, p) };
            }
        }
    });

    const caster = new THREE.Raycaster();
    const pointer = new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height);
    caster.setFromCamera(pointer, view.camera);
    for (const hit of caster.intersectObjects(view.bodies.meshes, false)) {
        const body = hit.object.userData.body as number;
        if (!scene.bodies[body].moves) {
            // what never moves hides, but cannot be pulled
            if (eyeDepth(view, hit.point) < depth) return null;
            break;
        }
        if (eyeDepth(view, hit.point) < depth) {
            const inverse = view.bodies.matrixOf(body).clone().invert();
            best = { body, at: hit.point.clone().applyMatrix4(inverse), point: hit.point };
        }
        break;
    }
    return best;
}

function eyeDepth(view: View, point: THREE.Vector3): number {
    return -point.clone().applyMatrix4(view.camera.matrixWorldInverse).z;
}

function distance(words: Float32Array, a: number, b: number): number {
    return Math.hypot(words[a] - words[b], words[a + 1] - words[b + 1], words[a + 2] - words[b + 2]);
}

/** Where the pointer is on the plane through `point` that faces the camera. */
export function onPlane(view: View, point: THREE.Vector3, x: number, y: number): THREE.Vector3 {
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(
        (2 * x) / view.canvas.clientWidth - 1, 1 - (2 * y) / view.canvas.clientHeight), view.camera);
    const normal = view.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
    return caster.ray.intersectPlane(plane, new THREE.Vector3()) ?? point.clone();
}
