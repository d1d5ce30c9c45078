// SPDX-License-Identifier: Apache-2.0
// viewer/src/surfaces.ts - draws surfaces whose points move: one mesh each, smooth except at sharp edges

import * as THREE from "three";
import { NO_VALUE, thingColour } from "./colour.ts";
import type { Frame } from "./frame.ts";
import { applyLook, type Look } from "./looks.ts";
import { smoothNormals, splitCreases } from "./normals.ts";
import { fieldWord, type Layout, type Scene } from "./scene.ts";
import type { ValueColours } from "./values.ts";

const CREASE = 0.6; // [rad] edges sharper than this at the start stay sharp

type Split = ReturnType<typeof splitCreases>;

export class Surfaces {
    readonly group = new THREE.Group();
    /** By surface, to find what a pointer is over. */
    readonly meshes: THREE.Mesh[];
    private readonly splits: (Split | undefined)[] = [];

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
        private readonly colours: ValueColours,
    ) {
        this.meshes = scene.surfaces.map((_, s) => {
            const colour = new THREE.Color()
                .setRGB(...thingColour(scene.tubes.length + s), THREE.SRGBColorSpace);
            const mesh = new THREE.Mesh(new THREE.BufferGeometry(),
                colours.material(colour, { side: THREE.DoubleSide }));
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

    // the creases of the first frame stay: edges of a solid remain edges
    private build(s: number, points: Float32Array): Split {
        const split = splitCreases(points, this.scene.surfaces[s].triangles, CREASE);
        const { geometry } = this.meshes[s];
        const put = (name: string, width: number) => geometry.setAttribute(name,
            new THREE.BufferAttribute(new Float32Array(width * split.point.length), width)
                .setUsage(THREE.DynamicDrawUsage));
        put("position", 3);
        put("normal", 3);
        put("aValue", 1);
        geometry.setIndex(new THREE.BufferAttribute(split.triangles, 1));
        return split;
    }

    /** The point of a surface that a vertex of its mesh shows. */
    pointOf(surface: number, vertex: number): number {
        return this.splits[surface]!.point[vertex];
    }

    update(frame: Frame): void {
        this.scene.surfaces.forEach((surface, s) => {
            const { geometry } = this.meshes[s];
            const place = this.layout.surfaces[s];
            const { words } = frame;
            const split = (this.splits[s] ??= this.build(s,
                words.subarray(place.position, place.position + 3 * surface.points)));
            const attribute = (name: string) => geometry.getAttribute(name) as THREE.BufferAttribute;
            const points = attribute("position").array as Float32Array;
            const values = attribute("aValue").array as Float32Array;
            const field = fieldWord(surface, place, this.colours.field);
            for (let v = 0; v < split.point.length; v++) {
                const from = place.position + 3 * split.point[v];
                points[3 * v] = words[from];
                points[3 * v + 1] = words[from + 1];
                points[3 * v + 2] = words[from + 2];
                values[v] = field < 0 ? NO_VALUE : words[field + split.point[v]];
            }
            smoothNormals(points, split.triangles, attribute("normal").array as Float32Array);
            for (const name of ["position", "normal", "aValue"]) attribute(name).needsUpdate = true;
            geometry.boundingSphere = null; // the next pick recomputes it
        });
        this.group.visible = true;
    }
}
