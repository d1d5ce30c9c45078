// SPDX-License-Identifier: Apache-2.0
// viewer/src/normals.ts - normals of a mesh: smooth over shallow edges, sharp over steep ones; or
// smooth throughout

/** Normals of the points of a mesh: the area-weighted mean of the triangles around each. */
export function smoothNormals(
    points: ArrayLike<number>, triangles: ArrayLike<number>, out: Float32Array,
): void {
    out.fill(0);
    for (let i = 0; i < triangles.length; i += 3) {
        const a = 3 * triangles[i];
        const b = 3 * triangles[i + 1];
        const c = 3 * triangles[i + 2];
        const ux = points[b] - points[a];
        const uy = points[b + 1] - points[a + 1];
        const uz = points[b + 2] - points[a + 2];
        const vx = points[c] - points[a];
        const vy = points[c + 1] - points[a + 1];
        const vz = points[c + 2] - points[a + 2];
        for (const at of [a, b, c]) {
            out[at] += uy * vz - uz * vy;
            out[at + 1] += uz * vx - ux * vz;
            out[at + 2] += ux * vy - uy * vx;
        }
    }
    for (let i = 0; i < out.length; i += 3) {
        const size = Math.hypot(out[i], out[i + 1], out[i + 2]);
        // a point without triangles is not drawn, but a shader must never get a NaN
        if (size > 0) for (let c = 0; c < 3; c++) out[i + c] /= size;
        else out[i + 2] = 1;
    }
}

/**
 * Vertices of a mesh whose sharp edges stay sharp: the triangles around a point form groups whose
 * normals are within `crease` [rad] of the first of the group, and each group has a vertex of its
 * own. `triangles` then counts vertices, `point` is the point of each.
 */
export function splitCreases(
    points: ArrayLike<number>, triangles: ArrayLike<number>, crease: number,
): { point: Uint32Array; triangles: Uint32Array } {
    const count = points.length / 3;
    const least = Math.cos(crease);
    const groups: { normal: number[]; vertex: number }[][] = Array.from({ length: count }, () => []);
    const out = new Uint32Array(triangles.length);
    const owner: number[] = [];
    for (let i = 0; i < triangles.length; i += 3) {
        const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
        const u = [0, 1, 2].map((k) => points[b + k] - points[a + k]);
        const v = [0, 1, 2].map((k) => points[c + k] - points[a + k]);
        const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const size = Math.hypot(...normal) || 1;
        for (let k = 0; k < 3; k++) normal[k] /= size;
        for (let k = 0; k < 3; k++) {
            const own = groups[triangles[i + k]];
            let group = own.find((one) => one.normal[0] * normal[0] + one.normal[1] * normal[1] +
                one.normal[2] * normal[2] >= least);
            if (!group) {
                group = { normal, vertex: owner.length };
                owner.push(triangles[i + k]);
                own.push(group);
            }
            out[i + k] = group.vertex;
        }
    }
    return { point: Uint32Array.from(owner), triangles: out };
}

/**
 * Normals of the corners of triangles: the area-weighted mean of the faces around a corner
 * that are within `crease` [rad] of its own. Corners closer than a millionth of the size are one.
 */
export function creasedNormals(points: ArrayLike<number>, crease: number): Float32Array {
    const count = points.length / 3;
    const faces = new Float64Array(count); // [triangles][3] normals times twice the area
    for (let i = 0; i < 3 * count; i += 9) {
        const ux = points[i + 3] - points[i];
        const uy = points[i + 4] - points[i + 1];
        const uz = points[i + 5] - points[i + 2];
        const vx = points[i + 6] - points[i];
        const vy = points[i + 7] - points[i + 1];
        const vz = points[i + 8] - points[i + 2];
        faces[i / 3] = uy * vz - uz * vy;
        faces[i / 3 + 1] = uz * vx - ux * vz;
        faces[i / 3 + 2] = ux * vy - uy * vx;
    }

    // corners at the same position
    let size = 0;
    for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i]));
    const grain = size > 0 ? 1e6 / size : 1;
    const places = new Map<string, number[]>();
    const keys: string[] = [];
    for (let v = 0; v < count; v++) {
        const key = [0, 1, 2].map((c) => Math.round(points[3 * v + c] * grain)).join(" ");
        keys.push(key);
        const list = places.get(key);
        if (list) list.push(v);
        else places.set(key, [v]);
    }

    const least = Math.cos(crease);
    const out = new Float32Array(3 * count);
    for (let v = 0; v < count; v++) {
        const own = 3 * Math.floor(v / 3);
        const length = Math.hypot(faces[own], faces[own + 1], faces[own + 2]);
        let [x, y, z] = [0, 0, 0];
        for (const other of places.get(keys[v])!) {
            const f = 3 * Math.floor(other / 3);
            const size2 = Math.hypot(faces[f], faces[f + 1], faces[f + 2]);
            const dot = faces[own] * faces[f] + faces[own + 1] * faces[f + 1] +
                faces[own + 2] * faces[f + 2];
            if (dot < least * length * size2 && f !== own) continue;
            x += faces[f];
            y += faces[f + 1];
            z += faces[f + 2];
        }
        const total = Math.hypot(x, y, z) || 1;
        out[3 * v] = x / total;
        out[3 * v + 1] = y / total;
        out[3 * v + 2] = z / total;
    }
    return out;
}
