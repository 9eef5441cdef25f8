// The parts of an isolate in service, made with its first event: a worker may not draw random bytes before.

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
