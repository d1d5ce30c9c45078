// SPDX-License-Identifier: Apache-2.0
// viewer/src/balls.ts - draws sets of spheres: one instanced mesh per set

import * as THREE from "three";
import { thingColour } from "./colour.ts";
import type { Frame } from "./frame.ts";
import { applyLook, type Look } from "./looks.ts";
import { fieldWord, type Layout, type Scene } from "./scene.ts";
import { type ValueColours, writeValues } from "./values.ts";

/** Sides of spheres: fewer for many spheres. */
export function ballSides(count: number): [number, number] {
    if (count <= 300) return [32, 20];
    if (count <= 3000) return [20, 12];
    return [12, 8];
}

export class Balls {
    readonly group = new THREE.Group();
    private readonly sets: THREE.InstancedMesh[];

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
        private readonly colours: ValueColours,
    ) {
        const all = scene.balls.reduce((sum, balls) => sum + balls.points, 0);
        const before = scene.tubes.length + scene.surfaces.length;
        this.sets = scene.balls.map((balls, b) => {
            const geometry = new THREE.SphereGeometry(1, ...ballSides(all));
            geometry.setAttribute("aValue",
                new THREE.InstancedBufferAttribute(new Float32Array(balls.points), 1)
                    .setUsage(THREE.DynamicDrawUsage));
            const colour = new THREE.Color()
                .setRGB(...thingColour(before + b), THREE.SRGBColorSpace);
            const mesh = new THREE.InstancedMesh(geometry, colours.material(colour), balls.points);
            mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
            const size = new THREE.Matrix4();
            for (let i = 0; i < balls.points; i++) {
                const r = balls.radius[i];
                mesh.setMatrixAt(i, size.makeScale(r, r, r));
            }
            mesh.frustumCulled = false;
            mesh.castShadow = mesh.receiveShadow = true;
            return mesh;
        });
        this.group.visible = false; // until there is a frame
        if (this.sets.length > 0) this.group.add(...this.sets);
    }

    setLooks(looks: Look[]): void {
        looks.forEach((look, k) => applyLook(this.sets[k], look));
    }

    setWireframe(on: boolean): void {
        for (const mesh of this.sets) (mesh.material as THREE.MeshStandardMaterial).wireframe = on;
    }

    update(frame: Frame): void {
        this.scene.balls.forEach((balls, b) => {
            const mesh = this.sets[b];
            const place = this.layout.balls[b];
            const matrices = mesh.instanceMatrix.array as Float32Array;
            for (let i = 0; i < balls.points; i++) {
                const from = place.position + 3 * i;
                matrices.set(frame.words.subarray(from, from + 3), 16 * i + 12);
            }
            mesh.instanceMatrix.needsUpdate = true;
            writeValues(mesh.geometry.getAttribute("aValue") as THREE.BufferAttribute, frame.words,
                fieldWord(balls, place, this.colours.field), balls.points);
        });
        this.group.visible = true;
    }
}
