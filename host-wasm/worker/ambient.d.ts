// Declarations that are missing in the types of the platform.

declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

/** Synchronous on this platform (compatibility flag nodejs_compat). */
declare module 'node:crypto' {
  interface Digest {
    update(data: Uint8Array): Digest;
    digest(): Uint8Array;
  }
  export function createHash(name: 'sha256'): Digest;
  export function createHmac(name: 'sha256', key: Uint8Array): Digest;
}
