/** A WebAssembly module that a worker bundler imports. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
