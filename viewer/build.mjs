// SPDX-License-Identifier: Apache-2.0
// viewer/build.mjs - bundles the page: node build.mjs OUTPUT
//
// Writes index.html, app.js and app.css for the server, and standalone.html, the same page in one
// file with a place for the data of a run.

import { build } from "esbuild";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "build", "viewer");
const DATA = "LITHE_RUN_DATA"; // what `lithe export` replaces

async function bundle(entry, options = {}) {
    const result = await build({
        entryPoints: [join(here, "src", entry)],
        bundle: true,
        minify: true,
        write: false,
        target: ["es2022"],
        format: "iife",
        charset: "utf8",
        legalComments: "eof", // the licence of three.js goes along
        ...options,
    });
    return result.outputFiles[0].text;
}

// whole files only: a server may be reading the old ones
async function put(name, text) {
    await writeFile(join(out, `${name}.new`), text);
    await rename(join(out, `${name}.new`), join(out, name));
}

function replaceOnce(text, from, to) {
    if (text.split(from).length !== 2) {
        throw new Error(`'${from}' does not stand once in the page`);
    }
    return text.replace(from, () => to);
}

await mkdir(out, { recursive: true });
const [script, style, page] = await Promise.all([
    bundle("main.ts"),
    bundle("style.css"),
    readFile(join(here, "src", "index.html"), "utf8"),
]);

let alone = replaceOnce(page, '<link rel="stylesheet" href="app.css">', `<style>${style}</style>`);
alone = replaceOnce(
    alone,
    '<script src="app.js" defer></script>',
    `<script id="lithe-run" type="text/plain">${DATA}</script>\n` +
        `<script type="module">${script.replaceAll("</script", "<\\/script")}</script>`,
);
if (alone.split(DATA).length !== 2) {
    throw new Error(`${DATA} has to stand once in the page`);
}

await put("app.js", script);
await put("app.css", style);
await put("index.html", page);
await put("standalone.html", alone);
