// Starts Pyodide in node with wheels and archives unpacked, from folders alone.
import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

// Every wheel of the folders, and every zip archive, below site-packages.
export async function start(runtime, folders) {
  const { loadPyodide } = await import(pathToFileURL(join(resolve(runtime), "pyodide.mjs")));
  const pyodide = await loadPyodide({ env: { MPLBACKEND: "agg", HOME: "/home/pyodide" } });
  const site = pyodide.runPython("import site; site.getsitepackages()[0]");
  for (const folder of folders) {
    for (const name of (await readdir(folder)).sort()) {
      if (!/\.(whl|zip)$/.test(name)) continue;
      const data = new Uint8Array(await readFile(join(folder, name)));
      pyodide.unpackArchive(data, "zip", { extractDir: site });
    }
  }
  return { pyodide, site };
}
