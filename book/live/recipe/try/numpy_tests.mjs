// Runs numpy's own tests: node numpy_tests.mjs RUNTIME RESULTS FOLDER...
// A child process runs one test file after the other; when it dies, that is noted
// of the file, and another child goes on with the next. RESULTS gets a line of
// JSON for each file; files that it has already are not run again.
import { fork } from "node:child_process";
import { appendFile, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "./pyodide.mjs";

const here = fileURLToPath(import.meta.url);
const [runtime, results, ...folders] = process.argv.slice(2);
const MINUTES = 30; // for one file

// The files that RESULTS has a line of.
async function known() {
  const lines = (await readFile(results, "utf8").catch(() => "")).split("\n");
  return new Set(lines.filter(Boolean).map((line) => JSON.parse(line).file));
}

// In the child: tells of each file what is begun and how it ended.
async function child() {
  const { pyodide, site } = await start(runtime, folders);
  pyodide.globals.set("site", site);
  await pyodide.runPythonAsync(await readFile(join(dirname(here), "numpy_tests.py"), "utf8"));
  const had = await known();
  for (const file of JSON.parse(pyodide.runPython("listed()"))) {
    if (had.has(file)) continue;
    process.send({ begun: file });
    const line = pyodide.runPython(`run(${JSON.stringify(file)})`);
    await new Promise((sent) => process.send({ line }, sent));
  }
  process.exit(0);
}

// In the parent: one line of RESULTS.
async function note(line) {
  await appendFile(results, `${line}\n`);
  const { file, seconds, died, counts } = JSON.parse(line);
  console.log(file, died ?? `${seconds.toFixed(0)} s`, JSON.stringify(counts ?? {}));
}

// In the parent: runs a child to its end; whether there is more to do.
function generation() {
  return new Promise((done) => {
    const runner = fork(here, process.argv.slice(2), {
      env: { ...process.env, NUMPY_TESTS: "child" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let running = null;
    let limit;
    let last = "";
    let noted = Promise.resolve();
    runner.stderr.on("data", (data) => (last = (last + data).slice(-1500)));
    runner.on("message", ({ begun, line }) => {
      clearTimeout(limit);
      running = begun ?? null;
      if (begun) limit = setTimeout(() => runner.kill("SIGKILL"), MINUTES * 60_000);
      else noted = noted.then(() => note(line));
    });
    runner.on("close", async (code, signal) => {
      clearTimeout(limit);
      await noted;
      if (running) await note(JSON.stringify({ file: running, died: signal ?? `status ${code}`, last }));
      else if (code !== 0) throw new Error(last);
      done(running !== null);
    });
  });
}

// In the parent: the sums over all files, what failed, and why tests were skipped.
async function summary() {
  const sums = { counts: {}, skipped: {} };
  for (const text of (await readFile(results, "utf8")).split("\n").filter(Boolean)) {
    const line = JSON.parse(text);
    if (line.died) console.log("died:", line.file, line.died);
    for (const [name, , reason] of line.failed ?? []) console.log("failed:", name, reason.split("\n").at(-1));
    for (const kind of ["counts", "skipped"]) {
      for (const [name, count] of Object.entries(line[kind] ?? {})) {
        sums[kind][name] = (sums[kind][name] ?? 0) + count;
      }
    }
  }
  console.log(JSON.stringify(sums, null, 1));
}

if (process.env.NUMPY_TESTS === "child") await child();
else {
  while (await generation());
  await summary();
}
