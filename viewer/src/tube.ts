// SPDX-License-Identifier: Apache-2.0
// viewer/src/tube.ts - all tubes as one mesh whose vertices the GPU places
//
// A vertex does not have a position, only parameters: its edge in the data texture, the place along
// the edge, and the place on the section. Only two texels per node change from frame to frame, so
// that a frame costs the script little (see tubes.ts for the shader).

import { NO_VALUE } from "./colour.ts";
import type { TubeInfo } from "./scene.ts";

/** The outline of a section: closed, counter-clockwise about the tangent, in metres. */
export interface Profile {
    points: number[]; // x along m1, y along m2 of each corner
    normals: number[]; // likewise
    round: boolean; // gets rounded ends
}

/** Half the widths of a section along m1 and m2 [m]. */
function halves(tube: TubeInfo): [number, number] {
    return [tube.size[0] / 2 || tube.radius, tube.size[1] / 2 || tube.radius];
}

export function profileOf(tube: TubeInfo, sides: number): Profile {
    const [a, b] = halves(tube);
    if (tube.section === "rectangle") return rectangle(a, b);
    const points: number[] = [];
    const normals: number[] = [];
    for (let i = 0; i <= sides; i++) {
        const angle = (2 * Math.PI * (i % sides)) / sides;
        const c = Math.cos(angle);
        const s = Math.sin(angle);
        const length = Math.hypot(c / a, s / b);
        points.push(a * c, b * s);
        normals.push(c / a / length, s / b / length);
    }
    return { points, normals, round: true };
}

// A rectangle with a small chamfer, for highlights on its edges.
function rectangle(a: number, b: number): Profile {
    const bevel = 0.12 * Math.min(a, b);
    const points: number[] = [];
    const normals: number[] = [];
    const corner = (sx: number, sy: number, first: boolean) => {
        const onX = [sx * a, sy * (b - bevel), sx, 0];
        const onY = [sx * (a - bevel), sy * b, 0, sy];
        for (const [x, y, nx, ny] of first ? [onX, onY] : [onY, onX]) {
            points.push(x, y);
            normals.push(nx, ny);
        }
    };
    corner(1, 1, true);
    corner(-1, 1, false);
    corner(-1, -1, true);
    corner(1, -1, false);
    points.push(points[0], points[1]);
    normals.push(normals[0], normals[1]);
    return { points, normals, round: false };
}

/** The place of a tube in the data texture: a ghost node before the start, then its nodes. */
export interface TubePlace {
    first: number; // number of point 0, in pairs of texels
    edges: number;
}

export interface TubeMesh {
    place: Float32Array; // [vertices][4] edge, fraction of it, offset and normal along the tangent
    profile: Float32Array; // [vertices][4] x y of the section, its normal
    owner: Float32Array; // [vertices] number of the tube
    thick: Float32Array; // [vertices] half the smaller width of its section [m]
    index: Uint32Array;
    spans: [number, number][]; // [tubes] begin and end of each in `index`
    places: TubePlace[];
    pairs: number; // of texels that all tubes need
}

/** Resolution of tubes: finer for few nodes, coarser for many, and where no GPU draws. */
export function fineness(tubes: TubeInfo[], fine = true): { cuts: number; sides: number } {
    const edges = tubes.reduce((sum, tube) => sum + tube.edges, 0) * (fine ? 1 : 10);
    if (edges <= 250) return { cuts: 6, sides: 24 };
    if (edges <= 800) return { cuts: 4, sides: 16 };
    if (edges <= 3000) return { cuts: 3, sides: 12 };
    if (edges <= 12000) return { cuts: 2, sides: 8 };
    return { cuts: 1, sides: 6 };
}

const CAP_RINGS = 4;

export function buildTubes(tubes: TubeInfo[], level = fineness(tubes)): TubeMesh {
    const place: number[] = [];
    const profile: number[] = [];
    const owner: number[] = [];
    const index: number[] = [];
    const places: TubePlace[] = [];
    const spans: [number, number][] = [];
    let pairs = 0;

    tubes.forEach((tube, t) => {
        const begin = index.length;
        const outline = profileOf(tube, level.sides);
        const corners = outline.points.length / 2;
        const first = pairs + 1;
        places.push({ first, edges: tube.edges });
        pairs += tube.points + (tube.closed ? 4 : 3); // ghosts at both ends

        // a ring of vertices: scale of the section, offset and normal along the tangent
        let before = -1;
        const ring = (edge: number, u: number, scale: number, along: number, lean: number) => {
            const start = owner.length;
            const flat = Math.sqrt(Math.max(0, 1 - lean * lean));
            for (let i = 0; i < corners; i++) {
                place.push(first + edge, u, along, lean);
                profile.push(scale * outline.points[2 * i], scale * outline.points[2 * i + 1]);
                profile.push(flat * outline.normals[2 * i], flat * outline.normals[2 * i + 1]);
                owner.push(t);
            }
            if (before >= 0) {
                for (let i = 0; i + 1 < corners; i++) {
                    const a = before + i;
                    const b = start + i;
                    index.push(a, a + 1, b, b, a + 1, b + 1);
                }
            }
            before = start;
        };
        // the end of an open tube: half a ball, or a flat cap
        const cap = (edge: number, u: number, side: number) => {
            const steps = Array.from({ length: CAP_RINGS }, (_, k) => k + 1);
            if (outline.round) {
                const depth = Math.min(tube.size[0], tube.size[1]) / 2 || tube.radius;
                for (const k of side < 0 ? steps.reverse() : steps) {
                    const angle = (k / CAP_RINGS) * (Math.PI / 2);
                    const c = Math.cos(angle);
                    const s = Math.sin(angle);
                    ring(edge, u, k === CAP_RINGS ? 0 : c, side * s * depth, side * s);
                }
            } else if (side < 0) {
                ring(edge, u, 0, 0, side);
                ring(edge, u, 1, 0, side);
                before = -1;
            } else {
                before = -1;
                ring(edge, u, 1, 0, side);
                ring(edge, u, 0, 0, side);
            }
        };

        if (!tube.closed) cap(0, 0, -1);
        for (let edge = 0; edge < tube.edges; edge++) {
            for (let k = 0; k < level.cuts; k++) ring(edge, k / level.cuts, 1, 0, 0);
        }
        ring(tube.edges - 1, 1, 1, 0, 0);
        if (!tube.closed) cap(tube.edges - 1, 1, 1);
        spans.push([begin, index.length]);
    });

    return {
        place: Float32Array.from(place),
        profile: Float32Array.from(profile),
        owner: Float32Array.from(owner),
        thick: Float32Array.from(owner, (t) => Math.min(...halves(tubes[t]))),
        index: Uint32Array.from(index),
        spans,
        places,
        pairs,
    };
}

/**
 * Writes the points of a tube into the data texture: texel 2k holds position and value of point k,
 * texel 2k+1 the director of the edge that begins there. Ghost nodes at both ends give a
 * smooth curve without special cases: an open tube continues straight, a closed one around.
 */
export function writeTube(
    texels: Float32Array,
    place: TubePlace,
    closed: boolean,
    points: number,
    words: Float32Array,
    position: number,
    director: number,
    values: number,
): void {
    const put = (slot: number, node: number, edge: number) => {
        const to = 8 * (place.first + slot);
        const p = position + 3 * node;
        const d = director + 3 * edge;
        texels[to] = words[p];
        texels[to + 1] = words[p + 1];
        texels[to + 2] = words[p + 2];
        texels[to + 3] = values < 0 ? NO_VALUE : words[values + node];
        texels[to + 4] = words[d];
        texels[to + 5] = words[d + 1];
        texels[to + 6] = words[d + 2];
    };
    const last = place.edges - 1;
    for (let k = 0; k < points; k++) put(k, k, k > last ? last : k);
    if (closed) {
        put(-1, points - 1, last);
        put(points, 0, 0);
        put(points + 1, 1 % points, 1 % place.edges);
        return;
    }
    put(-1, 0, 0);
    put(points, points - 1, last);
    // mirror the neighbour at each end
    const start = 8 * place.first;
    const end = start + 8 * (points - 1);
    for (let c = 0; c < 3; c++) {
        texels[start - 8 + c] = 2 * texels[start + c] - texels[start + 8 + c];
        texels[end + 8 + c] = 2 * texels[end + c] - texels[end - 8 + c];
    }
}

/** Writes how a tube looks, as the shader reads it: its opacity, plus 2 when it is selected. */
export function writeTubeLook(
    texels: Float32Array, place: TubePlace, points: number, opacity: number, selected: boolean,
): void {
    const look = opacity + (selected ? 2 : 0);
    for (let k = -1; k <= points + 1; k++) texels[8 * (place.first + k) + 7] = look;
}
