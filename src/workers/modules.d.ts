// What the bundler makes of files that aren't JavaScript.

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
