/** A module as a bundler of workers imports it. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
