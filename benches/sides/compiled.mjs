// What V8 says that it compiled, with `--trace-wasm-compilation-times`.

/** @typedef {import("../../miniflare-tests/host/workerd.mjs").Workerd} Workerd */
/** @typedef {{ module: string, index: number, us: number, bytes: number }} Compiled one function */
/** @typedef {{ functions: number, bytes: number }} Sum */

/** Milliseconds in which what was printed arrives here. */
const SETTLED = 300;

/**
 * The functions compiled while `work` runs.
 * @param {Workerd} workerd
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Compiled[]>}
 */
export async function functions(workerd, work) {
  const sleep = () => new Promise((resolve) => setTimeout(resolve, SETTLED));
  await sleep();
  const from = workerd.log.length;
  await work();
  await sleep();
  const lines = workerd.log.slice(from).matchAll(/^Compiled function (\w+)#(\d+) using Liftoff, took (\d+) .*bodysize (\d+)/gm);
  return [...lines].map(([, module, index, us, bytes]) => ({ module: String(module), index: Number(index), us: Number(us), bytes: Number(bytes) }));
}

/**
 * Their sums: the host's module is the one of which more is compiled.
 * @param {Workerd} workerd
 * @param {() => Promise<unknown>} work
 */
export async function compiled(workerd, work) {
  const found = await functions(workerd, work);
  const modules = Object.values(Object.groupBy(found, ({ module }) => module));
  const sums = modules.map(sum).sort((a, b) => b.functions - a.functions);
  const none = { functions: 0, bytes: 0 };
  return { host: sums[0] ?? none, intake: sums[1] ?? none, ms: found.reduce((ms, { us }) => ms + us / 1000, 0) };
}

/** @param {Compiled[] | undefined} found @returns {Sum} */
function sum(found = []) {
  return { functions: found.length, bytes: found.reduce((bytes, one) => bytes + one.bytes, 0) };
}
