// How large a build's WebAssembly modules are, as they are and as they are uploaded.
//
//   node benches/size.mjs build/worker     →  {"host":{"raw":…,"gzip":…},"intake":{…}}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** @param {string} file */
function sizes(file) {
  const bytes = readFileSync(file);
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

const [folder = "build/worker"] = process.argv.slice(2);
const host = sizes(join(folder, "host_bg.wasm"));
const intake = sizes(join(folder, "intake.wasm"));
console.log(JSON.stringify({ host, intake }));
