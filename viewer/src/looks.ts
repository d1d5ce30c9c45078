// SPDX-License-Identifier: Apache-2.0
// viewer/src/looks.ts - how each thing is shown: visible, opacity, selected

import * as THREE from "three";
import { type Drawn, drawablesOf, type Scene } from "./scene.ts";

export type Listed = Drawn | "bodies";

export interface Look {
    visible: boolean;
    opacity: number; // 0 to 1
    selected: boolean;
}

/** A thing of the scene, of any kind. */
export interface Item {
    list: Listed;
    index: number; // in its list
    name: string;
    kind: string; // for users: rods, particles, bodies, ...
    look: Look;
}

/** All things of a scene, in the order of its lists. */
export class Looks {
    readonly items: Item[];
    selected: Item | null = null;
    onChange: () => void = () => {};

    constructor(scene: Scene) {
        const look = () => ({ visible: true, opacity: 1, selected: false });
        this.items = [
            ...drawablesOf(scene).map(({ kind, index, info }) =>
                ({ list: kind, index, name: info.name, kind: info.kind, look: look() })),
            ...scene.bodies.map(({ name }, index) =>
                ({ list: "bodies" as const, index, name, kind: "bodies", look: look() })),
        ];
    }

    of(list: Listed): Item[] {
        return this.items.filter((item) => item.list === list);
    }

    find(list: Listed, index: number): Item | null {
        return this.items.find((item) => item.list === list && item.index === index) ?? null;
    }

    named(name: string): Item | null {
        return this.items.find((item) => item.name === name) ?? null;
    }

    select(item: Item | null): void {
        if (this.selected === item) return;
        if (this.selected) this.selected.look.selected = false;
        if (item) item.look.selected = true;
        this.selected = item;
        this.onChange();
    }

    show(items: Item[], visible: boolean): void {
        for (const item of items) item.look.visible = visible;
        this.onChange();
    }

    /** Shows these and hides all others. */
    isolate(items: Item[]): void {
        for (const item of this.items) item.look.visible = items.includes(item);
        this.onChange();
    }

    setOpacity(items: Item[], opacity: number): void {
        for (const item of items) item.look.opacity = opacity;
        this.onChange();
    }
}

/** Applies a look to a mesh with a material of its own. */
export function applyLook(mesh: THREE.Mesh, look: Look): void {
    const material = mesh.material as THREE.MeshStandardMaterial;
    mesh.visible = look.visible;
    mesh.castShadow = look.opacity > 0.5;
    material.opacity = look.opacity;
    setTransparent(material, look.opacity < 1);
    (material.userData.rim ??= { value: 0 }).value = look.selected ? 1 : 0;
}

/** Opaque materials have another shader. */
export function setTransparent(material: THREE.Material, on: boolean): void {
    if (material.transparent === on) return;
    material.transparent = on;
    material.needsUpdate = true;
}
