// SPDX-License-Identifier: Apache-2.0
// tools/gallery/search.js - search in the pages of the site: LITHE_INDEX is [title, heading, address,
// words] of every section; works without a server

"use strict";

// what people type, and what the pages call it
const OTHER_WORDS = {
    cable: "rope", wire: "rod", string: "rope", beam: "rod", hair: "rod", collision: "contact", collide: "contact",
    penetration: "overlap", sink: "overlap", torque: "moment", dt: "step", timestep: "step", integrator: "scheme",
    restitution: "dissipation", bounce: "dissipation", glue: "weld", tie: "attach", pin: "hold", fix: "fixed", anchor: "hold",
    rotation: "rotate", orientation: "rotate", euler: "euler", ground: "half-space", plane: "half-space", floor: "half-space",
    slow: "performance", fast: "performance", speedup: "performance", gripper: "grip", motor: "actuator", servo: "actuator",
    error: "mistake", crash: "resume", restart: "resume", movie: "video", animation: "video", image: "picture",
    screenshot: "picture", windows: "linux", mac: "linux", gpu: "gpu", cloth: "cloth", rl: "gymnasium", gym: "gymnasium",
    reinforcement: "gymnasium", matlab: "hdf5", csv: "csv", mesh: "mesh", stl: "stl", pulley: "revolution", pipe: "tube",
    ring: "torus", grains: "particles", sand: "particles", soft: "solid", rubber: "rubber", vibration: "modes",
    frequency: "modes", buckling: "statics", licence: "license", parameters: "parameter", batch: "sweep", cluster: "sweep",
};

function litheSearch(query, index) {
    const terms = query.toLowerCase().split(/[^a-z0-9_-]+/).filter((term) => term.length > 0);
    if (terms.length === 0) return [];
    const found = [];
    for (const [title, heading, address, words] of index) {
        const head = heading.toLowerCase(), top = title.toLowerCase();
        let score = 0;
        for (const term of terms) {
            const ways = [term];
            if (OTHER_WORDS[term] && OTHER_WORDS[term] !== term) ways.push(OTHER_WORDS[term]);
            let best = 0;
            for (const way of ways) {
                const own = way === term ? 1 : 0.8;
                if (new RegExp("(^|[^a-z0-9])" + way).test(head)) best = Math.max(best, 8 * own);
                if (new RegExp("(^|[^a-z0-9])" + way).test(top)) best = Math.max(best, 6 * own);
                const at = (" " + words).indexOf(" " + way);
                if (at >= 0) {
                    const whole = (" " + words + " ").includes(" " + way + " ");
                    best = Math.max(best, (whole ? 3 : 2) * own);
                }
            }
            if (best === 0) {
                score = 0;
                break;
            }
            score += best;
        }
        // guides before reference, reference before history
        if (score > 0) {
            const weight = address.startsWith("guide/") ? 1.2 : address.startsWith("changelog") ? 0.5
                : address.startsWith("c/") || address.startsWith("files/") ? 0.7 : 1;
            found.push([score * weight, title, heading, address]);
        }
    }
    found.sort((a, b) => b[0] - a[0] || (a[3] < b[3] ? -1 : 1));
    return found.slice(0, 30);
}

function show(query) {
    const list = document.getElementById("found"), said = document.getElementById("said");
    const found = litheSearch(query, LITHE_INDEX);
    list.textContent = "";
    said.textContent = query.trim() === "" ? "" : found.length === 0 ? "Nothing found." : found.length + " places";
    for (const [, title, heading, address] of found) {
        const item = document.createElement("li"), link = document.createElement("a");
        link.href = address;
        link.textContent = heading && heading !== title ? title + ": " + heading : title;
        item.append(link);
        list.append(item);
    }
}

if (typeof document !== "undefined") {
    const box = document.getElementById("query");
    box.value = new URLSearchParams(location.search).get("q") || "";
    box.addEventListener("input", () => show(box.value));
    show(box.value);
    box.focus();
}
if (typeof module !== "undefined") module.exports = { litheSearch };
