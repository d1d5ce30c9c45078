// SPDX-License-Identifier: Apache-2.0
// viewer/src/view.ts - the picture: camera, studio, things and arrows on one canvas

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Arrows, Tether } from "./arrows.ts";
import { Patches } from "./patches.ts";
import { Balls } from "./balls.ts";
import { Bodies, type Shapes } from "./bodies.ts";
import type { Range } from "./colour.ts";
import type { Frame } from "./frame.ts";
import { type Item, type Listed, Looks } from "./looks.ts";
import { Frames, Joints, Places } from "./marks.ts";
import { type BodyInfo, drawablesOf, type Layout, type Scene } from "./scene.ts";
import { lightByStudio, Studio, type Theme } from "./studio.ts";
import { Surfaces } from "./surfaces.ts";
import { Tubes } from "./tubes.ts";
import { ValueColours } from "./values.ts";

export type Preset = "iso" | "front" | "side" | "top";

const DIRECTIONS: Record<Preset, [number, number, number]> = {
    iso: [0.62, -1, 0.52],
    front: [0, -1, 0.06],
    side: [1, 0, 0.06],
    top: [0, -0.001, 1],
};
const FIELD_OF_VIEW = 32; // [deg]
const MOVE_TIME = 350; // [ms] of the camera to a preset

export interface Shown {
    contacts: boolean;
    patches: boolean; // areas of contact, by pressure
    constraints: boolean;
    floor: boolean;
    stripes: boolean;
    frames: boolean; // axes of bodies
    wireframe: boolean;
    shapes: Shapes; // of bodies
}

export class View {
    readonly renderer: THREE.WebGLRenderer;
    readonly camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100);
    readonly controls: OrbitControls;
    readonly tether = new Tether();
    readonly colours = new ValueColours();
    readonly tubes: Tubes;
    readonly surfaces: Surfaces;
    readonly balls: Balls;
    readonly bodies: Bodies;
    readonly arrows: Arrows;
    readonly patches = new Patches();
    readonly looks: Looks;
    readonly shown: Shown = {
        contacts: true, patches: true, constraints: true, floor: true, stripes: true, frames: false, wireframe: false,
        shapes: "visual",
    };
    readonly ball = new THREE.Sphere(); // around everything
    private readonly world = new THREE.Scene();
    private readonly studio: Studio;
    private readonly fine: boolean; // a GPU draws, not the processor
    private level = 0; // of the floor [m]
    private floor = -1; // the body that is the floor; -1: the scene has none
    private followed: { item: Item; last: THREE.Vector3 } | null = null;
    private readonly frames: Frames;
    private readonly joints: Joints;
    readonly places: Places;
    private lastPixel = 0;
    private frame: Frame | null = null;
    private changed = true;
    private shadowOld = true;
    private framed = true; // the camera is where look() placed it
    private move: { start: number; from: Pose; to: Pose } | null = null;
    private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

    constructor(
        readonly canvas: HTMLCanvasElement,
        private readonly scene: Scene,
        private readonly layout: Layout,
    ) {
        this.fine = /fine/.test(location.hash) || !isSoftware();
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: this.fine });
        this.renderer.toneMapping = THREE.NeutralToneMapping;
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = this.fine ? THREE.PCFShadowMap : THREE.BasicShadowMap;
        this.renderer.shadowMap.autoUpdate = false;
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = !this.calm.matches;
        this.controls.dampingFactor = 0.12;
        this.controls.addEventListener("change", () => this.redraw());
        this.controls.addEventListener("start", () => this.touched());

        this.studio = new Studio(this.world, this.fine);
        this.tubes = new Tubes(scene, layout, this.colours, this.fine);
        this.surfaces = new Surfaces(scene, layout, this.colours);
        this.balls = new Balls(scene, layout, this.colours);
        this.bodies = new Bodies(scene, layout);
        this.arrows = new Arrows(scene, layout);
        this.looks = new Looks(scene);
        this.frames = new Frames(scene, this.bodies);
        this.joints = new Joints(scene, this.bodies);
        this.places = new Places(scene, layout);
        this.world.add(this.frames.lines, this.joints.lines, this.places.points,
            this.tubes.mesh, this.surfaces.group, this.balls.group, this.bodies.group,
            this.patches.group, this.arrows.group, this.tether.group);
        this.addPlanes(scene.bodies);
        this.setBounds(scene.bounds.low, scene.bounds.high);
        this.look("iso", false);
    }

    // --- what is shown -------------------------------------------------------------------------

    private showAxes(pixel: number): void {
        this.frames.update(pixel);
        this.joints.update(pixel);
    }

    setTheme(theme: Theme): void {
        this.studio.setTheme(theme);
        this.arrows.setTheme(theme);
        this.tether.setTheme(theme);
        this.places.setTheme(theme);
        this.joints.setTheme(theme);
        this.refresh();
    }

    setFrame(frame: Frame): void {
        this.frame = frame;
        this.tubes.update(frame);
        this.surfaces.update(frame);
        this.balls.update(frame);
        this.bodies.update(frame);
        this.arrows.update(frame, this.shown.contacts, this.shown.constraints);
        this.patches.update(frame, this.shown.patches);
        this.places.update(frame, frame.time <= this.scene.start);
        if (this.shown.frames) this.showAxes(this.pixel);
        this.keepUp();
        this.shadowOld = true;
        this.redraw();
    }

    /** Called after a change of what is shown or how. */
    refresh(): void {
        this.tubes.setStripes(this.shown.stripes);
        this.studio.showFloor(this.shown.floor &&
            (this.floor < 0 || this.looks.find("bodies", this.floor)!.look.visible));
        this.frames.lines.visible = this.shown.frames;
        this.joints.lines.visible = this.shown.frames;
        this.places.points.visible = this.shown.constraints;
        this.tubes.material.wireframe = this.shown.wireframe;
        for (const some of [this.surfaces, this.balls, this.bodies]) some.setWireframe(this.shown.wireframe);
        this.bodies.setShapes(this.shown.shapes);
        if (this.frame) this.setFrame(this.frame);
        this.redraw();
    }

    setColour(field: number, range: Range): void {
        this.colours.setField(field);
        this.colours.setRange(range);
        this.refresh();
    }

    /** Updates only the range of the colours. */
    setRange(range: Range): void {
        this.colours.setRange(range);
        this.redraw();
    }

    redraw(): void {
        this.changed = true;
    }

    /** The scene has a level floor of its own. */
    get hasFloor(): boolean {
        return this.floor >= 0;
    }

    /** Called after a change of the looks of things. */
    applyLooks(): void {
        const looks = (list: Listed) => this.looks.of(list).map((item) => item.look);
        this.tubes.setLooks(looks("tubes"));
        this.surfaces.setLooks(looks("surfaces"));
        this.balls.setLooks(looks("balls"));
        this.bodies.setLooks(looks("bodies"));
        this.refresh();
    }

    // --- extent --------------------------------------------------------------------------------

    setBounds(low: number[], high: number[]): void {
        const box = new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high));
        if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
        box.getBoundingSphere(this.ball);
        this.ball.radius = Math.max(this.ball.radius, 1e-6);
        if (!this.hasFloor) this.level = box.min.z - 0.12 * this.ball.radius;
        this.studio.fit(this.ball.center, this.ball.radius, this.level);
        this.redraw();
    }

    /** The bounding box of a frame. */
    boundsOf(frame: Frame): { low: number[]; high: number[] } {
        const box = new THREE.Box3();
        const point = new THREE.Vector3();
        const ball = new THREE.Box3();
        for (const { kind, index, info } of drawablesOf(this.scene)) {
            const at = this.layout[kind][index].position;
            for (let k = 0; k < info.points; k++) {
                point.fromArray(frame.words, at + 3 * k);
                const radius = kind === "balls" ? this.scene.balls[index].radius[k] : 0;
                box.union(ball.set(point, point).expandByScalar(radius));
            }
        }
        for (const mesh of this.bodies.meshes) {
            mesh.updateWorldMatrix(true, false);
            box.expandByObject(mesh);
        }
        if (box.isEmpty()) return this.scene.bounds;
        return { low: box.min.toArray(), high: box.max.toArray() };
    }

    // a level half-space is the floor; others are plates
    private addPlanes(bodies: BodyInfo[]): void {
        const up = new THREE.Vector3();
        bodies.forEach((body, b) => {
            for (const shape of body.shapes) {
                if (shape.kind !== "half-space") continue;
                const matrix = new THREE.Matrix4();
                const q = new THREE.Quaternion(
                    shape.place[4], shape.place[5], shape.place[6], shape.place[3]);
                matrix.compose(new THREE.Vector3(...shape.place), q, new THREE.Vector3(1, 1, 1));
                matrix.premultiply(this.bodies.matrixOf(b));
                up.setFromMatrixColumn(matrix, 2);
                const at = new THREE.Vector3().setFromMatrixPosition(matrix);
                if (up.z > 0.9999 && !this.hasFloor) {
                    this.level = at.z;
                    this.floor = b;
                } else {
                    this.addPlate(b, shape.place);
                }
            }
        });
    }

    private addPlate(body: number, place: number[]): void {
        const { low, high } = this.scene.bounds;
        const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
        const material = new THREE.MeshStandardMaterial({
            color: 0xa8abb0, roughness: 0.8, side: THREE.DoubleSide, transparent: true,
            opacity: 0.55, depthWrite: false,
        });
        lightByStudio(material);
        const plate = new THREE.Mesh(new THREE.PlaneGeometry(1.6 * size, 1.6 * size), material);
        plate.receiveShadow = true;
        plate.renderOrder = -4;
        plate.position.set(place[0], place[1], place[2]);
        plate.quaternion.set(place[4], place[5], place[6], place[3]);
        this.bodies.group.children[body].add(plate);
    }

    // --- camera --------------------------------------------------------------------------------

    /** Where a thing is: the origin of a body, the mean of points. */
    centreOf(item: Item, frame: Frame, out: THREE.Vector3): THREE.Vector3 {
        if (item.list === "bodies") return out.setFromMatrixPosition(this.bodies.matrixOf(item.index));
        const { points } = this.scene[item.list][item.index];
        const at = this.layout[item.list][item.index].position;
        out.set(0, 0, 0);
        for (let k = 0; k < points; k++) {
            out.x += frame.words[at + 3 * k];
            out.y += frame.words[at + 3 * k + 1];
            out.z += frame.words[at + 3 * k + 2];
        }
        return out.divideScalar(Math.max(points, 1));
    }

    /** The camera moves with this thing; null: it stays. */
    follow(item: Item | null): void {
        this.followed = null;
        if (!item || !this.frame) return;
        const last = this.centreOf(item, this.frame, new THREE.Vector3());
        this.followed = { item, last };
        this.touched();
        const offset = this.camera.position.clone().sub(this.controls.target);
        this.place({ target: last.clone(), position: last.clone().add(offset) });
    }

    get following(): Item | null {
        return this.followed?.item ?? null;
    }

    private keepUp(): void {
        if (!this.followed || !this.frame) return;
        const now = this.centreOf(this.followed.item, this.frame, new THREE.Vector3());
        const moved = now.clone().sub(this.followed.last);
        this.followed.last = now;
        this.camera.position.add(moved);
        this.controls.target.add(moved);
    }

    /** Camera and target, to keep and to return to. */
    get pose(): number[] {
        return [...this.camera.position.toArray(), ...this.controls.target.toArray()];
    }

    set pose(numbers: number[]) {
        this.touched();
        this.followed = null;
        this.place({
            position: new THREE.Vector3(...numbers.slice(0, 3)),
            target: new THREE.Vector3(...numbers.slice(3, 6)),
        });
    }

    /** The camera is where a preset placed it. */
    get isFramed(): boolean {
        return this.framed;
    }

    /** The user moved the camera: it stays where it is when the window changes. */
    touched(): void {
        this.move = null;
        this.framed = false;
    }

    /** Looks at everything from one side; `from` null keeps the side. */
    look(from: Preset | null, smooth = true): void {
        this.framed = true;
        this.followed = null;
        const direction = from
            ? new THREE.Vector3(...DIRECTIONS[from]).normalize()
            : this.camera.position.clone().sub(this.controls.target).normalize();
        const to = { target: this.ball.center.clone(), position: new THREE.Vector3() };
        to.position.copy(to.target).addScaledVector(direction, this.distanceFor(direction));
        if (!smooth || this.calm.matches) {
            this.place(to);
            return;
        }
        const now = { target: this.controls.target.clone(), position: this.camera.position.clone() };
        this.move = { start: performance.now(), from: now, to };
        this.redraw();
    }

    // far enough that all points of the frame, or the corners of the bounds, are in the picture
    private distanceFor(direction: THREE.Vector3): number {
        const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
        const up = new THREE.Vector3().crossVectors(direction, right);
        const tall = Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180)) * 0.84;
        const wide = tall * this.camera.aspect;
        let distance = 0;
        const see = (x: number, y: number, z: number) => {
            const p = new THREE.Vector3(x, y, z).sub(this.ball.center);
            const near = p.dot(direction);
            const need = Math.max(Math.abs(p.dot(right)) / wide, Math.abs(p.dot(up)) / tall);
            distance = Math.max(distance, near + need);
        };
        const { low, high } = this.frame ? this.boundsOf(this.frame) : this.scene.bounds;
        for (let i = 0; i < 8; i++) {
            see(i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]);
        }
        return Math.max(distance, 0.05 * this.ball.radius);
    }

    private place(pose: Pose): void {
        this.controls.target.copy(pose.target);
        this.camera.position.copy(pose.position);
        this.controls.update();
        this.redraw();
    }

    /** Metres per pixel at the target of the camera. */
    get pixel(): number {
        const distance = this.camera.position.distanceTo(this.controls.target);
        const tall = 2 * Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180)) * distance;
        return tall / Math.max(this.canvas.clientHeight, 1);
    }

    resize(): void {
        const width = this.canvas.clientWidth;
        const height = this.canvas.clientHeight;
        if (width === 0 || height === 0) return;
        this.renderer.setPixelRatio(this.fine ? Math.min(devicePixelRatio, 2) : 1);
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        if (this.framed) this.look(null, false);
        this.redraw();
    }

    // --- drawing -------------------------------------------------------------------------------

    /** Draws when something changed; true when it did. */
    draw(now: number): boolean {
        if (this.move) {
            const { start, from, to } = this.move;
            const t = Math.min((now - start) / MOVE_TIME, 1);
            const f = t * t * (3 - 2 * t);
            const pose = {
                target: from.target.clone().lerp(to.target, f),
                position: from.position.clone().lerp(to.position, f),
            };
            // keeps the distance on the path: around, not through
            const distance = (1 - f) * from.position.distanceTo(from.target) +
                f * to.position.distanceTo(to.target);
            pose.position.sub(pose.target).setLength(distance).add(pose.target);
            if (t >= 1) this.move = null;
            this.place(pose);
        } else {
            this.controls.update();
        }
        if (!this.changed || !this.frame) return false;
        this.changed = false;
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = distance / 100;
        this.camera.far = distance * 4 + 16 * this.ball.radius;
        this.camera.updateProjectionMatrix();
        const pixel = this.pixel;
        if (Math.abs(pixel / this.lastPixel - 1) > 0.01 || this.lastPixel === 0) {
            this.lastPixel = pixel;
            this.arrows.setScale(pixel);
            this.tether.setScale(pixel);
            if (this.shown.frames) this.showAxes(pixel);
            if (this.frame) {
                this.arrows.update(this.frame, this.shown.contacts, this.shown.constraints);
            }
        }
        const tall = 2 * Math.tan((FIELD_OF_VIEW / 2) * (Math.PI / 180));
        this.tubes.setPixels(this.canvas.clientHeight / tall);
        this.renderer.shadowMap.needsUpdate = this.shadowOld;
        this.shadowOld = false;
        this.renderer.render(this.world, this.camera);
        return true;
    }

    /** The picture as a PNG file. */
    snapshot(): Promise<Blob> {
        this.redraw();
        this.draw(performance.now());
        return new Promise((resolve, reject) => {
            this.canvas.toBlob((blob) => {
                if (blob) resolve(blob);
                else reject(new Error("the browser could not make a picture"));
            }, "image/png");
        });
    }
}

// Without a GPU, smooth edges, fine shadows, fine tubes and many pixels cost too much.
function isSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext(); // browsers allow few contexts
    return /swiftshader|llvmpipe|software/i.test(name);
}

interface Pose {
    target: THREE.Vector3;
    position: THREE.Vector3;
}
