// SPDX-License-Identifier: Apache-2.0
// viewer/src/patches.ts - areas of contact patches as ellipses, coloured by their pressure
//
// Points of one polygon, and of one merged group, follow each other and have the same normal and the
// same share of the area. The ellipse has their area, and the directions and the ratio of their
// second moments: the same as in exported pictures.

import * as THREE from "three";
import { roundUp } from "./arrows.ts";
import { mapColour } from "./colour.ts";
import type { Frame } from "./frame.ts";

const NARROWEST = 0.05; // ratio of the axes: narrower ones would not be seen
const SIDES = 24;

export interface PatchArea {
    centre: number[]; // [m]
    normal: number[]; // unit, from a to b
    axes: [number[], number[]]; // half axes [m]
    pressure: number; // mean [Pa]
    area: number; // [m^2]
}

const NORMAL = 12; // first word of the normal of a contact
const AREA = 15;

function sameArea(frame: Frame, x: number, y: number): boolean {
    for (let k = 8; k < 12; k++) if (frame.contactIds[x + k] !== frame.contactIds[y + k]) return false;
    for (let k = NORMAL; k <= AREA; k++) if (frame.contacts[x + k] !== frame.contacts[y + k]) return false;
    return true;
}

const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: number[], b: number[]) =>
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function areaOf(frame: Frame, first: number, count: number): PatchArea {
    const { contacts, contactWords: width } = frame;
    const at = width * first;
    const raw = [...contacts.subarray(at + NORMAL, at + NORMAL + 3)];
    const length = Math.hypot(...raw) || 1; // packed runs round it
    const normal = raw.map((v) => v / length);
    const centre = [0, 0, 0];
    let force = 0;
    for (let k = 0; k < count; k++) {
        const from = at + width * k;
        for (let c = 0; c < 3; c++) {
            centre[c] += contacts[from + c] / count;
            force += contacts[from + 3 + c] * normal[c];
        }
    }
    const area = count * contacts[at + AREA];
    const across = Math.abs(normal[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
    const v0 = cross(normal, across);
    const v = v0.map((c) => c / Math.hypot(...v0));
    const u = cross(v, normal);
    let uu = 0, uv = 0, vv = 0;
    for (let k = 0; k < count; k++) {
        const from = at + width * k;
        const d = centre.map((c, i) => contacts[from + i] - c);
        const x = dot(d, u), y = dot(d, v);
        uu += x * x;
        uv += x * y;
        vv += y * y;
    }
    const mean = 0.5 * (uu + vv), radius = Math.hypot(0.5 * (uu - vv), uv);
    const angle = 0.5 * Math.atan2(2 * uv, uu - vv);
    const ratio = Math.max(mean > 0 ? Math.sqrt(Math.max(mean - radius, 0) / (mean + radius)) : 1, NARROWEST);
    const large = Math.sqrt(area / (Math.PI * ratio));
    const c = Math.cos(angle), s = Math.sin(angle);
    return {
        centre, normal, area, pressure: area > 0 ? force / area : 0,
        axes: [u.map((e, i) => large * (c * e + s * v[i])),
            u.map((e, i) => large * ratio * (c * v[i] - s * e))],
    };
}

/** The areas of the patches of a frame. */
export function areasOf(frame: Frame): PatchArea[] {
    const areas: PatchArea[] = [];
    const width = frame.contactWords;
    if (width <= AREA) return areas;
    for (let i = 0, after; i < frame.contactCount; i = after) {
        for (after = i + 1; after < frame.contactCount; after++) {
            if (!sameArea(frame, width * i, width * after)) break;
        }
        if (frame.contacts[width * i + AREA] > 0) areas.push(areaOf(frame, i, after - i));
    }
    return areas;
}

export class Patches {
    readonly group = new THREE.Group();
    /** The pressure at the end of the scale: a round number, at least the current max [Pa]; 0: none. */
    largest = 0;
    private mesh: THREE.InstancedMesh;

    constructor() {
        this.mesh = this.make(64);
    }

    // drawn over everything else, as arrows are: patches are inside of things
    private make(room: number): THREE.InstancedMesh {
        const material = new THREE.MeshBasicMaterial({
            side: THREE.DoubleSide, depthTest: false, transparent: true, toneMapped: false });
        const mesh = new THREE.InstancedMesh(new THREE.CircleGeometry(1, SIDES), material, room);
        mesh.renderOrder = 5;
        mesh.frustumCulled = false;
        mesh.count = 0;
        this.group.add(mesh);
        return mesh;
    }

    update(frame: Frame, shown: boolean): void {
        const areas = shown ? areasOf(frame) : [];
        const most = areas.reduce((max, { pressure }) => Math.max(max, pressure), 0);
        if (most > this.largest || most < 0.25 * this.largest) this.largest = roundUp(most);
        if (areas.length > this.mesh.instanceMatrix.count) {
            this.group.remove(this.mesh);
            this.mesh.geometry.dispose();
            this.mesh.dispose();
            this.mesh = this.make(2 * areas.length);
        }
        const matrix = new THREE.Matrix4();
        const colour = new THREE.Color();
        areas.forEach(({ centre, normal, axes, pressure }, k) => {
            const [a, b] = axes;
            matrix.set(a[0], b[0], normal[0], centre[0], a[1], b[1], normal[1], centre[1],
                a[2], b[2], normal[2], centre[2], 0, 0, 0, 1);
            this.mesh.setMatrixAt(k, matrix);
            this.mesh.setColorAt(k, colour.setRGB(
                ...mapColour(this.largest > 0 ? pressure / this.largest : 0), THREE.SRGBColorSpace));
        });
        this.mesh.count = areas.length;
        this.mesh.instanceMatrix.needsUpdate = true;
        if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    }
}
