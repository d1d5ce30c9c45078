// SPDX-License-Identifier: Apache-2.0
// viewer/src/studio.ts - light, background and floor

import * as THREE from "three";

export interface Theme {
    dark: boolean;
    horizon: number; // where the floor fades to
    zenith: number;
    grid: number;
    contact: number; // of arrows
    constraint: number;
    hold: number; // of marks
    drive: number;
    joint: number;
}

export const LIGHT: Theme = {
    dark: false,
    horizon: 0xf1ede6,
    zenith: 0xdfe3e6,
    grid: 0x8d8577,
    contact: 0xcc1a24,
    constraint: 0x2940b8,
    hold: 0x2c2f36,
    drive: 0x0f8a72,
    joint: 0x852499,
};

export const DARK: Theme = {
    dark: true,
    horizon: 0x23262b,
    zenith: 0x15171a,
    grid: 0x9aa3b0,
    contact: 0xff6b61,
    constraint: 0x8ca8ff,
    hold: 0xe8e6e1,
    drive: 0x4fd6b8,
    joint: 0xe69efa,
};

// Environment light as a formula instead of an image: a dome, warm at the horizon and blue above, a
// soft box overhead, and a blue light from behind for the rims. Rough materials see it blurred.
// Directions are those of the world, z up.
const DOME = /* glsl */ `
uniform float studioDark;
vec3 studioLight(vec3 d, float rough) {
    vec3 low = mix(vec3(0.62, 0.57, 0.52), vec3(0.10, 0.105, 0.12), studioDark);
    vec3 high = mix(vec3(0.80, 0.85, 0.92), vec3(0.30, 0.33, 0.38), studioDark);
    vec3 light = mix(low, high, smoothstep(-1.0, 1.0, d.z));
    float sharp = mix(26.0, 2.2, sqrt(rough));
    float spread = mix(1.0, 0.22, sqrt(rough));
    light += vec3(1.0, 0.96, 0.9) * 2.1 * spread * exp(sharp * (dot(d, vec3(0.33, -0.42, 0.846)) - 1.0));
    light += vec3(0.78, 0.88, 1.0) * mix(1.1, 1.6, studioDark) * spread *
        exp(0.7 * sharp * (dot(d, vec3(-0.66, 0.62, 0.424)) - 1.0));
    return light;
}`;

/** For fragment shaders: light at the rim of what is selected; the colours inside keep their meaning. */
export function rimLight(on: string): string {
    return `#include <emissivemap_fragment>
float rimEdge = 1.0 - abs(dot(normalize(vViewPosition), normal));
totalEmissiveRadiance += (${on}) * vec3(1.0, 0.62, 0.05) * (0.06 + 1.1 * pow(rimEdge, 4.0));`;
}

/** Adds that light to a material; further changes of its shader are in `more`. */
export function lightByStudio(
    material: THREE.MeshStandardMaterial,
    name = "studio", // of the shader: materials of one name share it
    more: (shader: THREE.WebGLProgramParametersWithUniforms) => void = () => {},
): void {
    material.onBeforeCompile = (shader) => {
        shader.uniforms.studioDark = studioDark;
        shader.uniforms.rimOn = (material.userData.rim ??= { value: 0 });
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <lights_physical_pars_fragment>",
                `#include <lights_physical_pars_fragment>${DOME}\nuniform float rimOn;`)
            .replace("#include <emissivemap_fragment>",
                name === "tubes" ? "#include <emissivemap_fragment>" : rimLight("rimOn"))
            .replace("#include <lights_fragment_end>", `#include <lights_fragment_end>
vec3 studioUp = inverseTransformDirection(normal, viewMatrix);
vec3 studioSeen = inverseTransformDirection(reflect(-geometryViewDir, normal), viewMatrix);
reflectedLight.indirectDiffuse += 0.52 * studioLight(studioUp, 1.0) * material.diffuseColor;
reflectedLight.indirectSpecular += studioLight(studioSeen, material.roughness) *
    EnvironmentBRDF(normal, geometryViewDir, material.specularColor, material.specularF90,
        material.roughness);`);
        more(shader);
    };
    material.customProgramCacheKey = () => name;
}

const studioDark = { value: 0 }; // shared by all materials

const FLOOR_VERTEX = /* glsl */ `
varying vec3 vAt;
void main() {
    vec4 at = modelMatrix * vec4(position, 1.0);
    vAt = at.xyz;
    gl_Position = projectionMatrix * viewMatrix * at;
}`;

// lines of two sizes, one pixel wide, which fade with distance and where they are dense
const FLOOR_FRAGMENT = /* glsl */ `
varying vec3 vAt;
uniform vec3 ink;
uniform vec3 centre;
uniform float cell, reach, strength;
float lines(vec2 p, float size) {
    vec2 at = p / size;
    vec2 wide = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(wide, 1e-6);
    vec2 line = (1.0 - smoothstep(0.3, 1.2, near)) * (1.0 - smoothstep(0.15, 0.5, wide));
    return max(line.x, line.y);
}
void main() {
    float away = length(vAt.xy - centre.xy) / reach;
    float fade = pow(clamp(1.0 - away, 0.0, 1.0), 1.6);
    float amount = max(0.5 * lines(vAt.xy, cell), 0.85 * lines(vAt.xy, 5.0 * cell));
    gl_FragColor = vec4(ink, strength * amount * fade);
    #include <colorspace_fragment>
}`;

const SKY_FRAGMENT = /* glsl */ `
varying vec2 vAt;
uniform vec3 horizon, zenith;
void main() {
    float edge = smoothstep(0.15, 1.5, length((vAt - vec2(0.0, -0.15)) * vec2(0.85, 1.0)));
    gl_FragColor = vec4(mix(horizon, zenith, edge), 1.0);
    #include <colorspace_fragment>
}`;

export class Studio {
    readonly key = new THREE.DirectionalLight(0xfff4e6, 2.4);
    private readonly sky: THREE.ShaderMaterial;
    private readonly grid: THREE.ShaderMaterial;
    private readonly gridMesh: THREE.Mesh;
    private readonly shadow: THREE.Mesh;

    constructor(scene: THREE.Scene, fine: boolean) {
        this.sky = new THREE.ShaderMaterial({
            vertexShader: "varying vec2 vAt;\n" +
                "void main() { vAt = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }",
            fragmentShader: SKY_FRAGMENT,
            uniforms: {
                horizon: { value: new THREE.Color() },
                zenith: { value: new THREE.Color() },
            },
            depthTest: false,
            depthWrite: false,
        });
        const sky = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.sky);
        sky.frustumCulled = false;
        sky.renderOrder = -10;
        scene.add(sky);

        this.grid = new THREE.ShaderMaterial({
            vertexShader: FLOOR_VERTEX,
            fragmentShader: FLOOR_FRAGMENT,
            uniforms: {
                ink: { value: new THREE.Color() },
                centre: { value: new THREE.Vector3() },
                cell: { value: 1 },
                reach: { value: 1 },
                strength: { value: 0.5 },
            },
            transparent: true,
            depthWrite: false,
            side: THREE.DoubleSide,
        });
        const plane = new THREE.PlaneGeometry(2, 2);
        this.gridMesh = new THREE.Mesh(plane, this.grid);
        this.gridMesh.renderOrder = -5;
        this.shadow = new THREE.Mesh(plane, new THREE.ShadowMaterial({
            color: 0x2a2018, opacity: 0.3, depthWrite: false,
        }));
        this.shadow.receiveShadow = true;
        this.shadow.renderOrder = -6;
        scene.add(this.gridMesh, this.shadow);

        this.key.castShadow = true;
        this.key.shadow.mapSize.setScalar(fine ? 2048 : 1024);
        this.key.shadow.radius = fine ? 4 : 2;
        scene.add(this.key, this.key.target);
    }

    setTheme(theme: Theme): void {
        const { horizon, zenith } = this.sky.uniforms;
        horizon.value.set(theme.horizon);
        zenith.value.set(theme.zenith);
        this.grid.uniforms.ink.value.set(theme.grid);
        this.grid.uniforms.strength.value = theme.dark ? 0.2 : 0.34;
        const shadow = this.shadow.material as THREE.ShadowMaterial;
        shadow.color.set(theme.dark ? 0x000000 : 0x3a2c20);
        shadow.opacity = theme.dark ? 0.5 : 0.3;
        this.key.intensity = theme.dark ? 1.7 : 1.8;
        studioDark.value = theme.dark ? 1 : 0;
    }

    /** Fits floor and light to a ball around everything; `level` is the height of the floor. */
    fit(centre: THREE.Vector3, radius: number, level: number): void {
        const cell = roundCell(radius);
        const reach = 7 * radius;
        const { uniforms } = this.grid;
        uniforms.cell.value = cell;
        uniforms.reach.value = reach;
        uniforms.centre.value.copy(centre);
        for (const mesh of [this.gridMesh, this.shadow]) {
            mesh.position.set(centre.x, centre.y, level);
            mesh.scale.setScalar(reach);
        }
        // a high light from the front right; its box contains everything and the shadow on the
        // floor
        const from = new THREE.Vector3(0.45, -0.55, 1.15).normalize();
        this.key.target.position.copy(centre);
        this.key.position.copy(centre).addScaledVector(from, 4 * radius);
        const camera = this.key.shadow.camera;
        const half = 1.5 * radius;
        camera.left = camera.bottom = -half;
        camera.right = camera.top = half;
        camera.near = radius;
        camera.far = 8 * radius;
        camera.updateProjectionMatrix();
        this.key.shadow.bias = -0.0004;
        this.key.shadow.normalBias = radius * 0.0015;
    }

    showFloor(on: boolean): void {
        this.gridMesh.visible = this.shadow.visible = on;
    }
}

/** A round length, so that a few cells are below things: 1, 2 or 5 times a power of ten. */
export function roundCell(radius: number): number {
    const request = radius / 4;
    const power = 10 ** Math.floor(Math.log10(request));
    const lead = request / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
