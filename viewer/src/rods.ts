// SPDX-License-Identifier: Apache-2.0
// viewer/src/rods.ts - draws all rods: one mesh, placed by the vertex shader from a data texture

import * as THREE from "three";
import { MAP_SIZE, mapBytes, type Range, rodColour, toLinear } from "./colour.ts";
import type { Frame } from "./frame.ts";
import type { Layout, Scene } from "./scene.ts";
import { lightByStudio } from "./studio.ts";
import { buildTubes, type TubeMesh, writeRod } from "./tube.ts";

const TEXELS_WIDE = 2048; // even: the two texels of a node lie in one row

// The curve is the Catmull-Rom spline through the nodes. The director of an edge holds at its
// middle and turns to that of the next by the node between, square to the tangent everywhere.
const PLACE = /* glsl */ `
attribute vec4 aPlace;
attribute vec4 aProfile;
attribute float aRod;
uniform highp sampler2D rodData;
varying float vValue;
vec4 rodTexel(int k) {
    return texelFetch(rodData, ivec2(k % ${TEXELS_WIDE}, k / ${TEXELS_WIDE}), 0);
}
// never NaN: one such vertex can keep a card busy for minutes
vec3 unitOr(vec3 v, vec3 other) {
    float square = dot(v, v);
    return square > 0.0 ? v * inversesqrt(square) : other;
}
void placeOnRod(out vec3 point, out vec3 normal) {
    int k = 2 * int(aPlace.x + 0.5);
    float u = aPlace.y;
    vec4 a = rodTexel(k - 2), b = rodTexel(k), c = rodTexel(k + 2), d = rodTexel(k + 4);
    vec3 p1 = c.xyz - a.xyz, p2 = 2.0 * a.xyz - 5.0 * b.xyz + 4.0 * c.xyz - d.xyz;
    vec3 p3 = 3.0 * (b.xyz - c.xyz) + d.xyz - a.xyz;
    vec3 centre = b.xyz + 0.5 * u * (p1 + u * (p2 + u * p3));
    vec3 tangent = p1 + u * (2.0 * p2 + 3.0 * u * p3);
    tangent = unitOr(tangent, vec3(0.0, 0.0, 1.0));
    vec3 before = rodTexel(k - 1).xyz, here = rodTexel(k + 1).xyz, after = rodTexel(k + 3).xyz;
    vec3 m1 = u < 0.5 ? mix(unitOr(before + here, here), here, 2.0 * u)
                      : mix(here, unitOr(here + after, here), 2.0 * u - 1.0);
    vec3 any = abs(tangent.x) < 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    m1 = unitOr(m1 - dot(m1, tangent) * tangent, normalize(cross(tangent, any)));
    vec3 m2 = cross(tangent, m1);
    point = centre + aPlace.z * tangent + aProfile.x * m1 + aProfile.y * m2;
    normal = aProfile.z * m1 + aProfile.w * m2 + aPlace.w * tangent;
    vValue = mix(b.w, c.w, u);
}`;

interface RodUniforms {
    rodData: { value: THREE.DataTexture };
    rodMap: { value: THREE.DataTexture };
    rodLow: { value: number };
    rodSpan: { value: number };
    rodByValue: { value: number };
    rodStripe: { value: number };
}

export class Rods {
    readonly mesh: THREE.Mesh;
    private readonly tubes: TubeMesh;
    private readonly texels: Float32Array;
    private readonly uniforms: RodUniforms;
    private readonly maps: [THREE.DataTexture, THREE.DataTexture];
    private field = -1;

    constructor(
        private readonly scene: Scene,
        private readonly layout: Layout,
    ) {
        this.tubes = buildTubes(scene.rods);
        const rows = Math.max(1, Math.ceil((2 * this.tubes.pairs) / TEXELS_WIDE));
        this.texels = new Float32Array(4 * TEXELS_WIDE * rows);
        const data = new THREE.DataTexture(
            this.texels, TEXELS_WIDE, rows, THREE.RGBAFormat, THREE.FloatType);
        this.maps = [colourMap(false), colourMap(true)];
        this.uniforms = {
            rodData: { value: data },
            rodMap: { value: this.maps[0] },
            rodLow: { value: 0 },
            rodSpan: { value: 1 },
            rodByValue: { value: 0 },
            rodStripe: { value: 1 },
        };
        this.mesh = new THREE.Mesh(this.geometry(), this.material());
        this.mesh.customDepthMaterial = this.depthMaterial();
        this.mesh.frustumCulled = false;
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
        this.mesh.visible = false; // until there is a frame
    }

    /** -1: each rod has a colour of its own. */
    setField(field: number): void {
        this.field = field;
        this.uniforms.rodByValue.value = field < 0 ? 0 : 1;
    }

    setRange(range: Range): void {
        this.uniforms.rodLow.value = range.low;
        this.uniforms.rodSpan.value = range.high - range.low;
        this.uniforms.rodMap.value = this.maps[range.diverging ? 1 : 0];
    }

    setStripes(on: boolean): void {
        this.uniforms.rodStripe.value = on ? 1 : 0;
    }

    get triangles(): number {
        return this.tubes.index.length / 3;
    }

    update(frame: Frame): void {
        const { rods } = this.scene;
        for (let r = 0; r < rods.length; r++) {
            const at = this.layout.rods[r];
            const values = this.field < 0 ? -1 : at.fields + this.field * rods[r].nodes;
            writeRod(this.texels, this.tubes.places[r], rods[r].closed, rods[r].nodes,
                frame.words, at.position, at.director, values);
        }
        this.uniforms.rodData.value.needsUpdate = true;
        this.mesh.visible = rods.length > 0;
    }

    private geometry(): THREE.BufferGeometry {
        const geometry = new THREE.BufferGeometry();
        const { place, profile, rod, index } = this.tubes;
        const tint = new Uint8Array(4 * rod.length);
        for (let i = 0; i < rod.length; i++) {
            const colour = rodColour(rod[i]);
            for (let c = 0; c < 3; c++) tint[4 * i + c] = 255 * toLinear(colour[c]);
            tint[4 * i + 3] = this.scene.rods[rod[i]].section === "rectangle" ? 255 : 0;
        }
        // three.js wants a position; the shader does not read it
        const none = new THREE.BufferAttribute(new Int8Array(4 * rod.length), 4);
        geometry.setAttribute("position", none);
        geometry.setAttribute("aPlace", new THREE.BufferAttribute(place, 4));
        geometry.setAttribute("aProfile", new THREE.BufferAttribute(profile, 4));
        geometry.setAttribute("aTint", new THREE.BufferAttribute(tint, 4, true));
        geometry.setIndex(new THREE.BufferAttribute(index, 1));
        return geometry;
    }

    private material(): THREE.Material {
        const material = new THREE.MeshStandardMaterial({ roughness: 0.42 });
        lightByStudio(material, "rods", (shader) => {
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", `#include <common>${PLACE}
attribute vec4 aTint;
varying vec3 vTint;
varying vec2 vSection;`)
                .replace("#include <beginnormal_vertex>", `
vec3 rodPoint, objectNormal;
placeOnRod(rodPoint, objectNormal);
vTint = aTint.rgb;
// of a flat section the line is painted along its edge at +m1
vec2 rodFlat = aProfile.x > 0.0 ? vec2(1.0, 0.0) : vec2(-0.9, 1.2);
vSection = aTint.a > 0.5 ? rodFlat : aProfile.zw;`)
                .replace("#include <begin_vertex>", "vec3 transformed = rodPoint;");
            shader.fragmentShader = shader.fragmentShader
                .replace("#include <common>", `#include <common>
uniform sampler2D rodMap;
uniform float rodLow, rodSpan, rodByValue, rodStripe;
varying vec3 vTint;
varying vec2 vSection;
varying float vValue;`)
                .replace("#include <color_fragment>", `
float rodAt = clamp((vValue - rodLow) / rodSpan, 0.0, 1.0) * ${1 - 1 / MAP_SIZE} + ${0.5 / MAP_SIZE};
diffuseColor.rgb = rodByValue > 0.5 ? texture2D(rodMap, vec2(rodAt, 0.5)).rgb : vTint;
// a painted line along the director shows how the section is turned
float rodAngle = abs(atan(vSection.y, vSection.x));
float rodEdge = fwidth(rodAngle) + 1e-4;
float rodLine = 1.0 - smoothstep(0.26 - rodEdge, 0.26 + rodEdge, rodAngle);
// seen from afar the line is thinner than a pixel: let it fade
rodLine *= rodStripe * (1.0 - smoothstep(0.5, 1.4, rodEdge));
float rodLight = dot(diffuseColor.rgb, vec3(0.3, 0.6, 0.1));
vec3 rodInk = rodLight > 0.35 ? vec3(0.02, 0.025, 0.04) : vec3(0.80, 0.74, 0.64);
diffuseColor.rgb = mix(diffuseColor.rgb, rodInk, 0.62 * rodLine);`);
        });
        return material;
    }

    private depthMaterial(): THREE.Material {
        const material = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
        material.onBeforeCompile = (shader) => {
            shader.uniforms.rodData = this.uniforms.rodData;
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", `#include <common>${PLACE}`)
                .replace("#include <begin_vertex>",
                    "vec3 transformed, rodNormal; placeOnRod(transformed, rodNormal);");
        };
        return material;
    }
}

function colourMap(diverging: boolean): THREE.DataTexture {
    const map = new THREE.DataTexture(mapBytes(diverging), MAP_SIZE, 1);
    map.colorSpace = THREE.SRGBColorSpace;
    map.minFilter = map.magFilter = THREE.LinearFilter;
    map.needsUpdate = true;
    return map;
}
