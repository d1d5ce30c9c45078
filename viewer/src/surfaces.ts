// SPDX-License-Identifier: Apache-2.0
// viewer/src/surfaces.ts - draws surfaces whose points move: one smooth mesh each

import * as THREE from "three";
import { thingColour } from "./colour.ts";
import type { Frame } from "./frame.ts";
import { applyLook, type Look } from "./looks.ts";
import { smoothNormals } from "./normals.ts";
import { fieldWord, type Layout, type Scene } from "./scene.ts";
import { type ValueColours, writeValues } from "./values.ts";

export class Surfaces {
    readonly group = new THREE.Group();
    /** By surface, to find what a pointer is over. */
    readonly meshes: THREE.Mesh[];

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
        private readonly colours: ValueColours,
    ) {
        this.meshes = scene.surfaces.map((surface, s) => {
            const geometry = new THREE.BufferGeometry();
            const put = (name: string, width: number) => geometry.setAttribute(name,
                new THREE.BufferAttribute(new Float32Array(width * surface.points), width)
                    .setUsage(THREE.DynamicDrawUsage));
            put("position", 3);
            put("normal", 3);
            put("aValue", 1);
            geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(surface.triangles), 1));
            const colour = new THREE.Color()
                .setRGB(...thingColour(scene.tubes.length + s), THREE.SRGBColorSpace);
            const mesh = new THREE.Mesh(geometry, colours.material(colour, { side: THREE.DoubleSide }));
            mesh.frustumCulled = false;
            mesh.castShadow = mesh.receiveShadow = true;
            mesh.userData.surface = s;
            return mesh;
        });
        this.group.visible = false; // until there is a frame
        if (this.meshes.length > 0) this.group.add(...this.meshes);
    }

    setLooks(looks: Look[]): void {
        looks.forEach((look, k) => applyLook(this.meshes[k], look));
    }

    setWireframe(on: boolean): void {
        for (const mesh of this.meshes) (mesh.material as THREE.MeshStandardMaterial).wireframe = on;
    }

    update(frame: Frame): void {
        this.scene.surfaces.forEach((surface, s) => {
            const { geometry } = this.meshes[s];
            const place = this.layout.surfaces[s];
            const position = geometry.getAttribute("position") as THREE.BufferAttribute;
            const normal = geometry.getAttribute("normal") as THREE.BufferAttribute;
            const points = position.array as Float32Array;
            points.set(frame.words.subarray(place.position, place.position + points.length));
            smoothNormals(points, surface.triangles, normal.array as Float32Array);
            position.needsUpdate = normal.needsUpdate = true;
            geometry.boundingSphere = null; // the next pick recomputes it
            writeValues(geometry.getAttribute("aValue") as THREE.BufferAttribute, frame.words,
                fieldWord(surface, place, this.colours.field), surface.points);
        });
        this.group.visible = true;
    }
}
