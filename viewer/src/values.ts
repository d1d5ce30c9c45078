// SPDX-License-Identifier: Apache-2.0
// viewer/src/values.ts - colours by value, one scale for everything that is drawn through points

import * as THREE from "three";
import { MAP_SIZE, mapBytes, NO_VALUE, type Range } from "./colour.ts";
import { lightByStudio } from "./studio.ts";

/** For fragment shaders: the colour of a value. */
export const VALUE_COLOUR = /* glsl */ `
uniform sampler2D valueMap;
uniform float valueLow, valueSpan, valueOn;
varying float vValue;
vec3 colourOfValue(vec3 plain) {
    if (valueOn < 0.5 || vValue < ${0.1 * NO_VALUE}) return plain;
    float at = clamp((vValue - valueLow) / valueSpan, 0.0, 1.0);
    return texture2D(valueMap, vec2(at * ${1 - 1 / MAP_SIZE} + ${0.5 / MAP_SIZE}, 0.5)).rgb;
}`;

/** The selected quantity and the meaning of its colours. */
export class ValueColours {
    field = -1; // -1: one colour per thing
    private readonly maps = [colourMap(false), colourMap(true)];
    readonly uniforms = {
        valueMap: { value: this.maps[0] },
        valueLow: { value: 0 },
        valueSpan: { value: 1 },
        valueOn: { value: 0 },
    };

    setField(field: number): void {
        this.field = field;
        this.uniforms.valueOn.value = field < 0 ? 0 : 1;
    }

    setRange(range: Range): void {
        this.uniforms.valueLow.value = range.low;
        this.uniforms.valueSpan.value = range.high - range.low;
        this.uniforms.valueMap.value = this.maps[range.diverging ? 1 : 0];
    }

    /** A material whose geometry has an attribute aValue, of points or of instances. */
    material(colour: THREE.Color, options: THREE.MeshStandardMaterialParameters = {}): THREE.Material {
        const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.42, ...options });
        lightByStudio(material, "values", (shader) => {
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", `#include <common>
attribute float aValue;
varying float vValue;`)
                .replace("#include <begin_vertex>", "#include <begin_vertex>\nvValue = aValue;");
            shader.fragmentShader = shader.fragmentShader
                .replace("#include <common>", `#include <common>${VALUE_COLOUR}`)
                .replace("#include <color_fragment>",
                    "diffuseColor.rgb = colourOfValue(diffuseColor.rgb);");
        });
        return material;
    }
}

/** The values of a field on `count` points into an attribute; `at` < 0: there are none. */
export function writeValues(
    attribute: THREE.BufferAttribute, words: Float32Array, at: number, count: number,
): void {
    const to = attribute.array as Float32Array;
    if (at < 0) to.fill(NO_VALUE);
    else to.set(words.subarray(at, at + count));
    attribute.needsUpdate = true;
}

function colourMap(diverging: boolean): THREE.DataTexture {
    const map = new THREE.DataTexture(mapBytes(diverging), MAP_SIZE, 1);
    map.colorSpace = THREE.SRGBColorSpace;
    map.minFilter = map.magFilter = THREE.LinearFilter;
    map.needsUpdate = true;
    return map;
}
