// Creates the parts of an isolate at its first event, because a worker may not use random bytes earlier.

import module from './tonearm.wasm';

import { Admin } from './admin';
import { Api } from './api';
import type { Env } from './bindings';
import { Edge, PLATFORM_TIMES } from './edge';
import { platformPorts } from './ports';

export interface Isolate {
  edge: Edge;
  api: Api;
  admin: Admin;
}

let isolate: Isolate | null = null;

export function isolateOf(env: Env): Isolate {
  if (isolate === null) {
    const edge = new Edge(module, env, platformPorts, PLATFORM_TIMES);
    isolate = { edge, api: new Api(edge), admin: new Admin(edge) };
  }
  return isolate;
}
