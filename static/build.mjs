// Builds what the browser loads: static/app.css from static/src, and the
// scripts and fonts copied from their npm packages. The results are committed.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, "..", "node_modules");

const copies = {
  "htmx.org/dist/htmx.min.js": "js/htmx.min.js",
  "htmx-ext-sse/dist/sse.min.js": "js/sse.min.js",
  "idiomorph/dist/idiomorph-ext.min.js": "js/idiomorph-ext.min.js",
  "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2": "fonts/inter-latin.woff2",
  "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2": "fonts/inter-latin-ext.woff2",
  "@fontsource-variable/inter/LICENSE": "fonts/LICENSE.txt",
  "axe-core/axe.min.js": "../internal/browsertest/testdata/axe.min.js",
};
for (const [from, to] of Object.entries(copies)) {
  mkdirSync(dirname(join(here, to)), { recursive: true });
  copyFileSync(join(modules, from), join(here, to));
}

const cli = createRequire(import.meta.url).resolve("@tailwindcss/cli/package.json");
execFileSync(
  process.execPath,
  [join(dirname(cli), "dist", "index.mjs"), "-i", join(here, "src", "app.css"), "-o", join(here, "app.css"), "--minify"],
  { stdio: "inherit" },
);
