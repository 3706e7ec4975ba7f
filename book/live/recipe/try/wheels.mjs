// Imports each wheel and draws: node wheels.mjs RUNTIME OUTPUT FOLDER...
// RUNTIME holds pyodide.mjs, each FOLDER wheels; two pictures go to OUTPUT.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "./pyodide.mjs";

const [runtime, output, ...folders] = process.argv.slice(2);
const begun = Date.now();
const { pyodide, site } = await start(runtime, folders);
console.log(`ready after ${((Date.now() - begun) / 1000).toFixed(1)} s`);
const here = dirname(fileURLToPath(import.meta.url));
pyodide.FS.writeFile(`${site}/figure.py`, await readFile(join(here, "figure.py"), "utf8"));
pyodide.runPython(await readFile(join(here, "wheels.py"), "utf8"));
await mkdir(output, { recursive: true });
for (const name of ["figure.svg", "figure.png"]) {
  await writeFile(join(output, name), pyodide.FS.readFile(`/tmp/${name}`));
}
console.log(`done after ${((Date.now() - begun) / 1000).toFixed(1)} s`);
