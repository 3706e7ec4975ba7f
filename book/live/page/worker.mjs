// The interpreter of a page, in a worker of its own: a long cell does not freeze the page, and can be stopped.
import { loadPyodide } from "./runtime/pyodide.mjs";

const BASE = new URL("./", import.meta.url).href;
const ROOT = "/book-root/";  // where the package and the records lie, and the folders of the notebooks
const say = message => postMessage(message);
let python, session, list, known, drawing;

// Every byte that arrives is counted, so that the page can say how far it is.
const fetched = self.fetch.bind(self);
self.fetch = async (...request) => {
  const answer = await fetched(...request);
  if (!answer.ok || !answer.body) return answer;
  const counted = answer.body.pipeThrough(new TransformStream({
    transform(part, out) { say({ kind: "bytes", count: part.byteLength }); out.enqueue(part); },
  }));
  return new Response(counted, { status: answer.status, headers: { "content-type": answer.headers.get("content-type") } });
};

async function bytes(path) {
  const answer = await self.fetch(BASE + path);
  if (!answer.ok) throw Error(`${path}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

async function packages(names) {
  const quiet = { messageCallback() {}, errorCallback(text) { throw Error(text); } };
  await python.loadPackage(names.filter(name => name in known), quiet);
}

// Wheels that a distribution of Pyodide does not have, each with its SHA-256
async function wheels() {
  for (const wheel of list.wheels.filter(wheel => !(wheel.name in known))) {
    const content = await bytes(`wheels/${wheel.file}`);
    const sum = [...new Uint8Array(await crypto.subtle.digest("SHA-256", content))];
    if (sum.map(b => b.toString(16).padStart(2, "0")).join("") !== wheel.sha256) throw Error(`${wheel.file}: not the file that was meant`);
    python.unpackArchive(content, "wheel", { extractDir: ROOT });
  }
}

async function start({ folder }) {
  const [text, runner, book, records] = await Promise.all(["live.json", "runner.py", "lifelong.zip", "records.zip"].map(bytes));
  list = JSON.parse(new TextDecoder().decode(text));
  python = await loadPyodide({ indexURL: BASE + "runtime/" });
  known = python.lockfile.packages;
  say({ kind: "phase", name: "packages" });
  await packages(list.packages);
  await wheels();
  python.unpackArchive(book, "zip", { extractDir: ROOT });
  python.unpackArchive(records, "zip", { extractDir: ROOT + "book" });
  python.FS.writeFile(ROOT + "runner.py", new Uint8Array(runner));
  say({ kind: "phase", name: "book" });
  // what was unpacked just now is in no finder's list of files yet
  python.runPython(`import importlib, sys; importlib.invalidate_caches(); sys.path.insert(0, "${ROOT}"); import runner`);
  session = python.globals.get("runner").Session(ROOT + folder);
  session.install();
  session.prepare();
  return python.version;
}

async function draw() {
  drawing ??= (async () => {
    say({ kind: "phase", name: "drawing" });
    const fonts = bytes("fontlist.json");
    await packages(list.drawing);
    const folder = "/home/pyodide/.matplotlib/";  // the list of fonts, so that nobody looks for them
    python.FS.mkdirTree(folder);
    const content = new Uint8Array(await fonts), { _version } = JSON.parse(new TextDecoder().decode(content));
    python.FS.writeFile(`${folder}fontlist-v${_version}.json`, content);
    session.draw();
  })();
  await drawing;
}

function cell({ source, name, stored, known }) {
  const run = session.run(source, name, known);
  const compared = python.globals.get("runner").judged(run, python.toPy(stored));
  const result = compared.toJs({ dict_converter: Object.fromEntries });
  for (const proxy of [compared, run]) proxy.destroy();
  return result;
}

async function run(asked) {
  if (asked.needs?.length) await packages(asked.needs);
  if (asked.draws) await draw();
  let done = cell(asked);
  if (done.wants === "drawing") { await draw(); done = { ...cell(asked), drew: true }; }
  return done;
}

function answer({ source, label, name }) {
  const run = session.check(source, label, name), result = run.toJs({ dict_converter: Object.fromEntries });
  run.destroy();
  return result;
}

async function check(asked) {
  const done = answer(asked);
  if (done.wants !== "drawing") return done;
  await draw();
  return answer(asked);
}

const VERBS = { start, run, check };
let turn = Promise.resolve();  // one after the other
onmessage = ({ data }) => {
  turn = turn.then(async () => {
    try { say({ id: data.id, ok: await VERBS[data.verb](data) }); } catch (error) { say({ id: data.id, failed: String(error?.message ?? error) }); }
  });
};
