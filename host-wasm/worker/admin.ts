// The front end of the admin interface (ADMIN-1). Checks the token before it calls any object.

import { type Env, LAYOUT } from './bindings';
import type { Answer } from './core';
import type { Edge } from './edge';
import { bodyOf, boundedBody, headOf, toResponse } from './http';

export class Admin {
  readonly #edge: Edge;

  constructor(edge: Edge) {
    this.#edge = edge;
  }

  /** Like Api.fetch. */
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const response = this.#respond(request, env);
    ctx.waitUntil(response);
    return response;
  }

  // Catches all exceptions.
  async #respond(request: Request, env: Env): Promise<Response> {
    try {
      return toResponse(await this.#answer(request, env), request);
    } catch (error) {
      this.#edge.ports.log(String(error instanceof Error ? error.stack : error));
      return toResponse(this.#edge.core.unavailable, request);
    }
  }

  async #answer(request: Request, env: Env): Promise<Answer> {
    const head = headOf(request);
    const routed = await this.#edge.core.run({}, (core) => core.routeAdmin(head));
    if ('answer' in routed) return routed.answer;
    const whole = { ...head, body: await boundedBody(bodyOf(request), this.#edge.times.bodyMs) };
    const directory = this.#edge.directoryOf(env);
    if (routed.account === '') return directory.handleAdmin(LAYOUT, whole);
    // Only an import may create the object here: the platform creates it where it is called first, and it stays there.
    const answer = head.method === 'POST' ? null : await directory.handleWithoutShard(LAYOUT, routed.account, whole);
    return answer ?? this.#edge.shardOf(env, routed.account).handleAdmin(LAYOUT, whole);
  }
}
