// SPDX-License-Identifier: Apache-2.0
// viewer/tests/run.mjs - types, unit tests and browser tests; the last line is "N passed, M failed"
//
// LITHE names the command to test with (build/lithe unless given), CHROMIUM the browser. With the
// argument `unit` nothing but types and unit tests; PATTERN picks tests by name.

import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const viewer = dirname(here);
const out = join(viewer, "node_modules", ".tests");
const lithe = process.env.LITHE ?? join(viewer, "..", "build", "lithe");
const chromium = process.env.CHROMIUM ??
    ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
const unitOnly = process.argv.includes("unit");
const pattern = process.env.PATTERN ? [`--test-name-pattern=${process.env.PATTERN}`] : [];
let passed = 0;
let failed = 0;

// types first
const types = spawnSync(process.execPath,
    [join(viewer, "node_modules", "typescript", "bin", "tsc"), "--noEmit"],
    { cwd: viewer, encoding: "utf8" });
if (types.status === 0) passed++;
else {
    failed++;
    console.log(types.stdout);
}

let names = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
if (unitOnly || !chromium || !existsSync(lithe)) {
    names = names.filter((name) => !name.startsWith("browser"));
    if (!unitOnly) console.log(`skipped: browser tests, ${chromium ? `no ${lithe}` : "no chromium"}`);
}
// browser tests are one program: it starts one browser
const inBrowser = names.filter((name) => name.startsWith("browser"));
const programs = names.filter((name) => !name.startsWith("browser"));
if (inBrowser.length > 0) programs.push("browser.ts");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "browser.ts"),
    inBrowser.map((name) => `import ${JSON.stringify(join(here, name))};\n`).join(""));
await build({
    entryPoints: Object.fromEntries(programs.map((name) =>
        [name.replace(/\.ts$/, ""), join(name === "browser.ts" ? out : here, name)])),
    outdir: out,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node18",
    packages: "external",
    logLevel: "warning",
});
for (const name of programs) {
    const file = join(out, name.replace(/\.ts$/, ".mjs"));
    const run = spawnSync(process.execPath, ["--test", "--test-reporter=tap", ...pattern, file], {
        encoding: "utf8",
        timeout: 1800000, // a test that waits for a state in vain ends long before
        env: { ...process.env, LITHE: lithe, CHROMIUM: chromium ?? "", VIEWER: viewer },
    });
    const count = (word) => Number(new RegExp(`^# ${word} (\\d+)$`, "m").exec(run.stdout)?.[1] ?? 0);
    passed += count("pass");
    failed += count("fail") + count("cancelled");
    if (run.status !== 0 && count("fail") + count("cancelled") === 0) failed++;
    if (run.status !== 0) console.log(run.stdout, run.stderr);
    for (const line of run.stdout.matchAll(/^# (measured .*)$/gm)) console.log(line[1]);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
