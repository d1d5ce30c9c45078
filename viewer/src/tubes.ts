// SPDX-License-Identifier: Apache-2.0
// viewer/src/tubes.ts - draws all tubes: one mesh, placed by the vertex shader from a data texture

import * as THREE from "three";
import { thingColour, toLinear } from "./colour.ts";
import type { Frame } from "./frame.ts";
import { fieldWord, type Layout, type Scene } from "./scene.ts";
import { type Look, setTransparent } from "./looks.ts";
import { lightByStudio, rimLight } from "./studio.ts";
import { buildTubes, fineness, type TubeMesh, writeTube, writeTubeLook } from "./tube.ts";
import { VALUE_COLOUR, type ValueColours } from "./values.ts";

const TEXELS_WIDE = 2048; // even: the two texels of a node lie in one row
const LEAST_WIDTH = 1.6; // [px] thinner tubes would be dotted lines

// The curve is the Catmull-Rom spline through the nodes. The director of an edge is that at its
// middle and rotates to that of the next edge at the node between, perpendicular to the tangent
// everywhere.
const PLACE = /* glsl */ `
attribute vec4 aPlace;
attribute vec4 aProfile;
attribute float aThick;
uniform highp sampler2D tubeData;
uniform float tubePixel;
varying float vValue;
varying float vLook;
vec4 tubeTexel(int k) {
    return texelFetch(tubeData, ivec2(k % ${TEXELS_WIDE}, k / ${TEXELS_WIDE}), 0);
}
// never NaN: one such vertex can block a GPU for minutes
vec3 unitOr(vec3 v, vec3 other) {
    float square = dot(v, v);
    return square > 0.0 ? v * inversesqrt(square) : other;
}
void placeOnTube(out vec3 point, out vec3 normal) {
    int k = 2 * int(aPlace.x + 0.5);
    float u = aPlace.y;
    vec4 a = tubeTexel(k - 2), b = tubeTexel(k), c = tubeTexel(k + 2), d = tubeTexel(k + 4);
    vec3 p1 = c.xyz - a.xyz, p2 = 2.0 * a.xyz - 5.0 * b.xyz + 4.0 * c.xyz - d.xyz;
    vec3 p3 = 3.0 * (b.xyz - c.xyz) + d.xyz - a.xyz;
    vec3 centre = b.xyz + 0.5 * u * (p1 + u * (p2 + u * p3));
    vec3 tangent = p1 + u * (2.0 * p2 + 3.0 * u * p3);
    tangent = unitOr(tangent, vec3(0.0, 0.0, 1.0));
    vec3 before = tubeTexel(k - 1).xyz, here = tubeTexel(k + 1).xyz, after = tubeTexel(k + 3).xyz;
    vec3 m1 = u < 0.5 ? mix(unitOr(before + here, here), here, 2.0 * u)
                      : mix(here, unitOr(here + after, here), 2.0 * u - 1.0);
    vec3 any = abs(tangent.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    m1 = unitOr(m1 - dot(m1, tangent) * tangent, normalize(cross(tangent, any)));
    vec3 m2 = cross(tangent, m1);
    // a section that is thinner than the least width in pixels is drawn larger
    float away = -(modelViewMatrix * vec4(centre, 1.0)).z;
    float grow = max(1.0, tubePixel * away / aThick);
    point = centre + grow * (aPlace.z * tangent + aProfile.x * m1 + aProfile.y * m2);
    vLook = tubeTexel(k + 1).w;
    normal = aProfile.z * m1 + aProfile.w * m2 + aPlace.w * tangent;
    vValue = mix(b.w, c.w, u);
}`;

interface TubeUniforms {
    tubeData: { value: THREE.DataTexture };
    tubeStripe: { value: number };
    tubePixel: { value: number }; // half the least width, in metres per metre of depth
}

export class Tubes {
    readonly mesh: THREE.Mesh;
    readonly material: THREE.MeshStandardMaterial;
    private readonly tubes: TubeMesh;
    private readonly texels: Float32Array;
    private readonly uniforms: TubeUniforms;

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
        private readonly colours: ValueColours,
        fine = true,
    ) {
        this.tubes = buildTubes(scene.tubes, fineness(scene.tubes, fine));
        const rows = Math.max(1, Math.ceil((2 * this.tubes.pairs) / TEXELS_WIDE));
        this.texels = new Float32Array(4 * TEXELS_WIDE * rows);
        const data = new THREE.DataTexture(
            this.texels, TEXELS_WIDE, rows, THREE.RGBAFormat, THREE.FloatType);
        this.uniforms = {
            tubeData: { value: data }, tubeStripe: { value: 1 }, tubePixel: { value: 0 },
        };
        this.material = this.buildMaterial();
        this.mesh = new THREE.Mesh(this.geometry(), this.material);
        scene.tubes.forEach((tube, t) =>
            writeTubeLook(this.texels, this.tubes.places[t], tube.points, 1, false));
        this.mesh.customDepthMaterial = this.depthMaterial();
        this.mesh.frustumCulled = false;
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
        this.mesh.visible = false; // until there is a frame
    }

    setStripes(on: boolean): void {
        this.uniforms.tubeStripe.value = on ? 1 : 0;
    }

    /** Pixels of the picture that one metre covers at a depth of one metre. */
    setPixels(perMetre: number): void {
        this.uniforms.tubePixel.value = (0.5 * LEAST_WIDTH) / perMetre;
    }

    /** How each tube looks; hidden ones have no triangles. */
    setLooks(looks: Look[]): void {
        const { index, spans, places } = this.tubes;
        const seen = spans.filter((_, t) => looks[t].visible);
        const drawn = new Uint32Array(seen.reduce((sum, [begin, end]) => sum + end - begin, 0));
        let at = 0;
        for (const [begin, end] of seen) {
            drawn.set(index.subarray(begin, end), at);
            at += end - begin;
        }
        this.mesh.geometry.setIndex(new THREE.BufferAttribute(drawn, 1));
        looks.forEach(({ opacity, selected }, t) =>
            writeTubeLook(this.texels, places[t], this.scene.tubes[t].points, opacity, selected));
        this.uniforms.tubeData.value.needsUpdate = true;
        setTransparent(this.material, looks.some((look) => look.opacity < 1));
    }

    get triangles(): number {
        return this.tubes.index.length / 3;
    }

    update(frame: Frame): void {
        const { tubes } = this.scene;
        tubes.forEach((tube, t) => {
            const at = this.layout.tubes[t];
            writeTube(this.texels, this.tubes.places[t], tube.closed, tube.points,
                frame.words, at.position, at.director, fieldWord(tube, at, this.colours.field));
        });
        this.uniforms.tubeData.value.needsUpdate = true;
        this.mesh.visible = tubes.length > 0;
    }

    private geometry(): THREE.BufferGeometry {
        const geometry = new THREE.BufferGeometry();
        const { place, profile, owner, thick, index } = this.tubes;
        const tint = new Uint8Array(4 * owner.length);
        for (let i = 0; i < owner.length; i++) {
            const colour = thingColour(owner[i]);
            for (let c = 0; c < 3; c++) tint[4 * i + c] = 255 * toLinear(colour[c]);
            tint[4 * i + 3] = this.scene.tubes[owner[i]].section === "rectangle" ? 255 : 0;
        }
        // three.js requires a position; the shader does not use it
        const none = new THREE.BufferAttribute(new Int8Array(4 * owner.length), 4);
        geometry.setAttribute("position", none);
        geometry.setAttribute("aPlace", new THREE.BufferAttribute(place, 4));
        geometry.setAttribute("aProfile", new THREE.BufferAttribute(profile, 4));
        geometry.setAttribute("aThick", new THREE.BufferAttribute(thick, 1));
        geometry.setAttribute("aTint", new THREE.BufferAttribute(tint, 4, true));
        geometry.setIndex(new THREE.BufferAttribute(index, 1));
        return geometry;
    }

    private buildMaterial(): THREE.MeshStandardMaterial {
        const material = new THREE.MeshStandardMaterial({ roughness: 0.42 });
        lightByStudio(material, "tubes", (shader) => {
            Object.assign(shader.uniforms, this.uniforms, this.colours.uniforms);
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", `#include <common>${PLACE}
attribute vec4 aTint;
varying vec3 vTint;
varying vec2 vSection;`)
                .replace("#include <beginnormal_vertex>", `
vec3 tubePoint, objectNormal;
placeOnTube(tubePoint, objectNormal);
vTint = aTint.rgb;
// of a flat section the line is painted along its edge at +m1
vec2 tubeFlat = aProfile.x > 0.0 ? vec2(1.0, 0.0) : vec2(-0.9, 1.2);
vSection = aTint.a > 0.5 ? tubeFlat : aProfile.zw;`)
                .replace("#include <begin_vertex>", "vec3 transformed = tubePoint;");
            shader.fragmentShader = shader.fragmentShader
                .replace("#include <common>", `#include <common>${VALUE_COLOUR}
uniform float tubeStripe;
varying vec3 vTint;
varying vec2 vSection;
varying float vLook;`)
                .replace("#include <emissivemap_fragment>", rimLight("vLook > 1.5 ? 1.0 : 0.0"))
                .replace("#include <color_fragment>", `
diffuseColor.a = vLook > 1.5 ? vLook - 2.0 : vLook;
diffuseColor.rgb = colourOfValue(vTint);
// a painted line along the director shows the rotation of the section
float tubeAngle = abs(atan(vSection.y, vSection.x));
float tubeEdge = fwidth(tubeAngle) + 1e-4;
float tubeLine = 1.0 - smoothstep(0.26 - tubeEdge, 0.26 + tubeEdge, tubeAngle);
// at a distance the line is thinner than a pixel: it fades
tubeLine *= tubeStripe * (1.0 - smoothstep(0.5, 1.4, tubeEdge));
float tubeLight = dot(diffuseColor.rgb, vec3(0.3, 0.6, 0.1));
vec3 tubeInk = tubeLight > 0.35 ? vec3(0.02, 0.025, 0.04) : vec3(0.80, 0.74, 0.64);
diffuseColor.rgb = mix(diffuseColor.rgb, tubeInk, 0.62 * tubeLine);`);
        });
        return material;
    }

    private depthMaterial(): THREE.Material {
        const material = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
        material.onBeforeCompile = (shader) => {
            shader.uniforms.tubeData = this.uniforms.tubeData;
            shader.uniforms.tubePixel = { value: 0 }; // shadows have the true width
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", `#include <common>${PLACE}`)
                .replace("#include <begin_vertex>",
                    "vec3 transformed, tubeNormal; placeOnTube(transformed, tubeNormal);");
        };
        return material;
    }
}
